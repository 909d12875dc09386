"""The layout of a program's arrays as data: what is where, in which unit, and where it starts.

It is what a program of another language needs beside the compiled text, and is written as JSON.
"""

from __future__ import annotations

import math
from typing import Any, Final

from axletree.code.identifiers import TITLES, quantities_of
from axletree.code.program import Program, SparseRoutine
from axletree.expr.quantity import Quantity

LAYOUT_VERSION: Final = 1  # of the layout; one more when a field changes its meaning


def program_layout(program: Program, prefix: str = "model") -> dict[str, Any]:
    """Every quantity with name, unit, description, role, index and start.

    A parameter is tunable where ``constants`` may be computed anew with another value, and
    structural where the constants take it for equal to another one. An input that is the rate
    of another one names it. Matrices of derivatives have their sparsity.

    Example:
    >>> import axletree as at
    >>> from axletree.code.layout import program_layout
    >>> from axletree.code.lowering import lower
    >>> layout = program_layout(lower(at.read_model("pendulum").formulate()))
    >>> layout["states"][1]["name"], layout["states"][1]["unit"], layout["states"][1]["start"]
    ('pin.angle', 'rad', 0.3)
    """
    arrays = {TITLES[array]: found for array, found in quantities_of(program).items()}
    tied = {b: program.parameters[a].name for a, b in program.ties}
    return {
        "layout": LAYOUT_VERSION,
        "name": program.name,
        "prefix": prefix,
        "sizes": {
            **{title: len(found) for title, found in arrays.items()},
            "constants": program.constants.size,
        },
        "routines": {r.name: {"arguments": list(r.arguments), "results": r.size}
                     for r in program.routines},
        **({"matrices": {m.routine.name: _matrix(m) for m in program.matrices}}
           if program.matrices else {}),
        **{
            title: [
                {
                    **_entry(quantity, k, has_start=title != "outputs"),
                    **(_tuning(k, tied) if title == "parameters" else {}),
                }
                for k, quantity in enumerate(found)
            ]
            for title, found in arrays.items()
        },
    }  # fmt: skip


def _matrix(matrix: SparseRoutine) -> dict[str, Any]:
    """Where the results of a routine stand in their matrix, column by column."""
    return {"shape": matrix.shape, "rows": matrix.rows, "starts": matrix.starts}


def _entry(quantity: Quantity, index: int, *, has_start: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": quantity.name,
        "unit": quantity.unit,
        "description": quantity.description,
        "role": quantity.role.value,
        "index": index,
    }
    if has_start:
        found["start"] = quantity.default
    for name, bound in (("lower", quantity.lower), ("upper", quantity.upper)):
        if math.isfinite(bound):
            found[name] = bound
    if quantity.above:
        found["lower_excluded"] = True
    if quantity.derivative_of:
        found["derivative_of"] = quantity.derivative_of
    if quantity.is_store:
        found["is_store"] = True
    return found


def _tuning(index: int, tied: dict[int, str]) -> dict[str, Any]:
    if index in tied:
        return {"tuning": "structural", "equal_to": tied[index]}
    return {"tuning": "tunable"}
