"""The header of a printed program: what its arrays hold, in which unit, and its functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from axletree.code.c import signature
from axletree.code.identifier import comment_text
from axletree.code.layout import purposes
from axletree.code.program import Program
from axletree.core.quantity import Quantity


def print_header(program: Program, prefix: str = "model") -> str:
    """The text of ``<prefix>.h``."""
    guard = f"{prefix.upper()}_H"
    lines = [
        f"/* {comment_text(program.name)}: layout of the arrays. All values in SI units.",
        "",
        *_layout("x", "states", program.states),
        *_layout("u", "inputs", program.inputs),
        *_layout("p", "parameters", program.parameters),
        *_layout("y", "outputs", program.outputs),
        f"   c: {program.constants.size} constants, computed once from p by {prefix}_constants",
        "*/",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "enum {",
        *(f"    {prefix.upper()}_{name} = {size}," for name, size in _sizes(program)),
        "};",
        "",
        *_functions(program, prefix),
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)


def _sizes(program: Program) -> Iterator[tuple[str, int]]:
    yield "STATES", len(program.states)
    yield "INPUTS", len(program.inputs)
    yield "PARAMETERS", len(program.parameters)
    yield "OUTPUTS", len(program.outputs)
    yield "CONSTANTS", program.constants.size
    if program.jacobian is not None:
        yield "JACOBIAN_ENTRIES", program.jacobian.routine.size
    if program.input_jacobian is not None:
        yield "INPUT_JACOBIAN_ENTRIES", program.input_jacobian.routine.size


def _layout(array: str, title: str, quantities: Sequence[Quantity]) -> Iterator[str]:
    yield f"   {array}: {len(quantities)} {title}"
    width = max((len(q.name) for q in quantities), default=0)
    for k, quantity in enumerate(quantities):
        name = comment_text(quantity.name).ljust(width)
        text = f"{name} [{comment_text(quantity.unit)}] {comment_text(quantity.description)}"
        yield f"     {array}[{k}]  {text.rstrip()}"
    yield ""


def _functions(program: Program, prefix: str) -> Iterator[str]:
    notes = purposes(program, first=0)
    notes["project"] = f"{notes['project'].rstrip('.')}; xnew must not be x."
    for routine in program.routines:
        yield f"/* {notes[routine.name]}"
        yield f"   {comment_text(str(routine.operations))}. */"
        yield f"{signature(routine, prefix)};"
