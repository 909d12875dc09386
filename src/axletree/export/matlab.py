"""A system as MATLAB functions, for ode45 and its like; GNU Octave runs them, too."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from axletree.code.identifiers import comment_text, identifiers, quantities_of, quantity_comment
from axletree.code.lowering import Extra, lower
from axletree.code.printers.matlab import (
    MATLAB_LANGUAGE,
    assignment_lines,
    matlab_function_text,
    print_matlab,
)
from axletree.code.printers.steps import MATLAB_STEPS
from axletree.code.program import Program
from axletree.code.step_rules import CLASSICAL, runge_kutta
from axletree.export.folder import fill, with_assembled_start, write_files
from axletree.system.system import System


def write_matlab(
    system: System,
    folder: str | Path,
    *,
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
    by_parameters: Collection[str] | None = (),
) -> Path:
    """Write MATLAB functions (``model_rhs.m`` and others) and ``model_example.m`` into ``folder``.

    ``outputs``, ``extras`` and ``by_parameters`` choose what the model computes, as for ``lower``.
    Functions that are known as C text alone are refused. Returns the folder.

    Example:
    >>> import axletree as at
    >>> from axletree.export.matlab import write_matlab
    >>> folder = write_matlab(at.read_model("pendulum").formulate(), "matlab")
    >>> (folder / "model_rhs.m").read_text().splitlines()[0]
    'function xdot = model_rhs(t, x, u, c)'
    """
    program = lower(with_assembled_start(system), outputs, extras, by_parameters=by_parameters)
    return write_files(folder, matlab_files(program), "the MATLAB functions")


def matlab_files(program: Program) -> dict[str, str]:
    """The texts of the files, by name."""
    constrained = program.project is not None
    step = MATLAB_STEPS.text(runge_kutta(CLASSICAL))
    count = len(program.outputs)
    run = fill("model_run.m.jinja", constrained=constrained, step=step, outputs=count)
    return {
        **print_matlab(program),
        "model_defaults.m": _defaults(program),
        "model_indices.m": _indices(program),
        "model_run.m": run,
        "model_example.m": fill("model_example.m.jinja", constrained=constrained),
    }


def _defaults(program: Program) -> str:
    arrays = {"x": program.states, "u": program.inputs, "p": program.parameters}
    statements = [
        text
        for array, quantities in arrays.items()
        for text in assignment_lines(array, [quantity.default for quantity in quantities])
    ]
    notes = [
        "MODEL_DEFAULTS The model's own states, inputs and parameters.",
        f"  {comment_text(program.name)}, in SI units.",
    ]
    return matlab_function_text("function [x, u, p] = model_defaults()", notes, statements)


def _indices(program: Program) -> str:
    notes = [
        "MODEL_INDICES Where quantities stand in x, u, p and y, by name.",
        "  [ix, iu, ip, iy] = MODEL_INDICES(); then x(ix.name) is one state.",
    ]
    head = "function [ix, iu, ip, iy] = model_indices()"
    return matlab_function_text(head, notes, list(_index_statements(program)))


def _index_statements(program: Program) -> Iterator[str]:
    for array, quantities in quantities_of(program).items():
        yield f"i{array} = struct();"
        texts = identifiers(quantity.name for quantity in quantities)
        names = MATLAB_LANGUAGE.names(texts.values())
        for k, quantity in enumerate(quantities, start=1):
            yield f"% {quantity_comment(quantity)}"
            yield f"i{array}.{names[texts[quantity.name]]} = {k};"
