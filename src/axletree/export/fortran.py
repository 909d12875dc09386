"""A system as a Fortran module, with a program that runs it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from axletree.code.lowering import Extra, lower
from axletree.code.printers.fortran import SIZES, fortran_literal, print_fortran, procedure_text
from axletree.code.printers.steps import FORTRAN_STEPS
from axletree.code.program import Program
from axletree.code.step_rules import CLASSICAL, runge_kutta
from axletree.export.folder import column_labels, fill, with_assembled_start, write_files
from axletree.system.system import System

_LONGEST_LABEL: Final = 60  # characters of one text


def write_fortran(
    system: System,
    folder: str | Path,
    *,
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
    by_parameters: Collection[str] | None = (),
) -> Path:
    """Write ``model.f90`` (a module), ``main.f90`` and ``Makefile`` into ``folder``.

    ``outputs``, ``extras`` and ``by_parameters`` choose what the model computes, as for ``lower``.
    Functions that are known as C text alone are refused. Returns the folder.

    Example:
    >>> import axletree as at
    >>> from axletree.export.fortran import write_fortran
    >>> folder = write_fortran(at.read_model("pendulum").formulate(), "fortran")
    >>> sorted(file.name for file in folder.iterdir())
    ['Makefile', 'main.f90', 'model.f90']
    """
    program = lower(with_assembled_start(system), outputs, extras, by_parameters=by_parameters)
    return write_files(folder, fortran_files(program), "the Fortran module")


def fortran_files(program: Program) -> dict[str, str]:
    """The texts of the files, by name."""
    lines = runge_kutta(CLASSICAL)
    constrained = program.project is not None
    vectors = dict.fromkeys(line.result for line in lines if line.result != "x")
    main = fill(
        "main.f90.jinja",
        constrained=constrained,
        labels=_label_pieces(program),
        vectors=[*vectors, *(["moved"] if constrained else [])],
        step=FORTRAN_STEPS.text(lines),
        columns=max(len(program.states) + len(program.outputs), 1),
    )
    return {
        "model.f90": print_fortran(program, more=[_defaults(program)], public=["defaults"]),
        "main.f90": main,
        "Makefile": fill("fortran.mk"),
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


def _label_pieces(program: Program) -> list[str]:
    """The names of the columns, in pieces that fit a line."""
    return [
        label[start : start + _LONGEST_LABEL]
        for label in column_labels(program)
        for start in range(0, len(label), _LONGEST_LABEL)
    ]
