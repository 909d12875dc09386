"""What the arrays of a program hold, and what its routines do, in words for comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from axletree.code.identifier import comment_text
from axletree.code.program import Program, SparseRoutine
from axletree.core.quantity import Quantity

TITLES = {"x": "states", "u": "inputs", "p": "parameters", "y": "outputs"}


def quantities_of(program: Program) -> dict[str, tuple[Quantity, ...]]:
    """By array."""
    return {
        "x": program.states,
        "u": program.inputs,
        "p": program.parameters,
        "y": program.outputs,
    }


def described(quantity: Quantity) -> str:
    """Name, unit and sentence."""
    text = f"{quantity.name} [{quantity.unit}] {quantity.description}"
    return comment_text(text).rstrip()


def array_lines(array: str, quantities: Sequence[Quantity]) -> Iterator[str]:
    """The entries of an array, counted from 1."""
    yield f"{array}: {len(quantities)} {TITLES[array]}"
    for k, quantity in enumerate(quantities, start=1):
        yield f"  {array}({k})  {described(quantity)}"


def purposes(program: Program, first: int = 1) -> dict[str, str]:
    """What each routine computes, by its name; arrays count from ``first``."""
    return {
        "constants": "What depends on parameters alone; call it first, and after p has changed.",
        "rhs": "The derivatives of the states.",
        "outputs": "The outputs.",
        "project": "The states moved onto their constraints.",
        "later_rates": "The derivatives of all states but the speeds.",
        "rows": "What a step with set-valued forces is solved from.",
        "bounds": "Those bounds of set-valued forces that depend on such forces.",
        "jacobian": _entries("d xdot / d x", program.jacobian, first),
        "input_jacobian": _entries("d xdot / d u", program.input_jacobian, first),
    }


def _entries(title: str, matrix: SparseRoutine | None, first: int) -> str:
    if matrix is None:
        return ""
    places = zip(matrix.rows, matrix.columns, strict=True)
    listed = " ".join(f"({i + first},{k + first})" for i, k in places)
    return f"Nonzeros of {title} at (row, column): {listed}"
