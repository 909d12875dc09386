"""A system as a Fortran module, with a program that runs it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from axletree.code.identifiers import comment_text
from axletree.code.lowering import Extra, lower
from axletree.code.printers.fortran import SIZES, fortran_literal, print_fortran, procedure_text
from axletree.code.printers.steps import FORTRAN_STEPS
from axletree.code.program import Program
from axletree.code.step_rules import CLASSICAL, runge_kutta
from axletree.export.folder import with_assembled_start, write_files
from axletree.system.system import System

_MAKEFILE: Final = """\
# `make` builds the example, `make run` runs it for one second and writes run.csv.
ifeq ($(origin FC),default)
FC = gfortran
endif
FFLAGS ?= -O2

example: main.f90 model.f90
\t$(FC) $(FFLAGS) -o $@ model.f90 main.f90

run: example
\t./example > run.csv

clean:
\trm -f example model.mod run.csv

.PHONY: run clean
"""

_MAIN: Final = """\
! Runs the model from its default values with the classical Runge-Kutta method, and prints
! comma-separated values: time, states, outputs.
program example
  use model
  implicit none
  real(dp), parameter :: duration = 1.0_dp, h = 0.001_dp  ! s
  real(dp) :: x(n_states), u(n_inputs), p(n_parameters), c(n_constants)
  integer :: k
  call defaults(x, u, p)
  call constants(p, c)
HEADING  call print_row(0.0_dp)
  do k = 1, nint(duration/h)
    call step(h*real(k - 1, dp))
    call print_row(h*real(k, dp))
  end do

contains

  subroutine step(t)
    real(dp), intent(in) :: t
    real(dp), dimension(n_states) :: VECTORS
STEP
PROJECTION  end subroutine step

  subroutine print_row(t)
    real(dp), intent(in) :: t
    real(dp) :: y(n_outputs)
    call outputs(t, x, u, c, y)
    write (*, '(es24.16e3, COUNT(",", es24.16e3))') t, x, y
  end subroutine print_row

end program example
"""
_PROJECTION: Final = """\
    call project(t + h, x, u, c, moved)
    x = moved
"""
_LONGEST_LABEL: Final = 60  # characters of one text


def write_fortran(
    system: System,
    folder: str | Path,
    *,
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
) -> Path:
    """Write ``model.f90`` (a module), ``main.f90`` and ``Makefile`` into ``folder``.

    ``outputs`` and ``extras`` choose what the model computes, as for ``lower``. Functions that
    are known as C text alone are refused. Returns the folder.

    Example:
    >>> import axletree as at
    >>> from axletree.export.fortran import write_fortran
    >>> folder = write_fortran(at.read_model("pendulum").formulate(), "fortran")
    >>> sorted(file.name for file in folder.iterdir())
    ['Makefile', 'main.f90', 'model.f90']
    """
    program = lower(with_assembled_start(system), outputs, extras)
    return write_files(folder, fortran_files(program), "the Fortran module")


def fortran_files(program: Program) -> dict[str, str]:
    """The texts of the files, by name."""
    constrained = program.project is not None
    lines = runge_kutta(CLASSICAL)
    vectors = dict.fromkeys(line.result for line in lines if line.result != "x")
    columns = max(len(program.states) + len(program.outputs), 1)
    main = (
        _MAIN.replace("HEADING", "".join(_heading(program)))
        .replace("PROJECTION", _PROJECTION if constrained else "")
        .replace("VECTORS", ", ".join([*vectors, *(["moved"] if constrained else [])]))
        .replace("STEP", FORTRAN_STEPS.text(lines))
        .replace("COUNT", str(columns))
    )
    return {
        "model.f90": print_fortran(program, more=[_defaults(program)], public=["defaults"]),
        "main.f90": main,
        "Makefile": _MAKEFILE,
    }


def _defaults(program: Program) -> str:
    arrays = {"x": program.states, "u": program.inputs, "p": program.parameters}
    declared = [f"real(dp), intent(out) :: {array}({SIZES[array]})" for array in arrays]
    statements = []
    for array, quantities in arrays.items():
        statements.append(f"{array} = 0.0_dp")
        statements += [
            f"{array}({k}) = {fortran_literal(q.default)}"
            for k, q in enumerate(quantities, start=1)
            if q.default
        ]
    notes = ["The model's own values of x, u and p."]
    return procedure_text("defaults", list(arrays), notes, declared, statements)


def _heading(program: Program) -> Iterator[str]:
    """Statements that print the names of the columns."""
    labels = ["time [s]", *(f"{q.name} [{q.unit}]" for q in (*program.states, *program.outputs))]
    texts = [comment_text(label).replace(",", ";") for label in labels]
    for text in (texts[0], *(f",{text}" for text in texts[1:])):
        for start in range(0, len(text), _LONGEST_LABEL):
            piece = text[start : start + _LONGEST_LABEL]
            yield f"  write (*, '(a)', advance='no') \"{piece}\"\n"
    yield "  write (*, '(a)') \"\"\n"
