"""Steps of vehicles on a card as CUDA text, and its layout as data."""

from __future__ import annotations

from typing import Any, Final

from axletree.code.layout import program_layout
from axletree.code.printers.c import c_definitions
from axletree.code.printers.dialect import packaged_text
from axletree.code.printers.lanes.card_text import print_card
from axletree.code.program import Program
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.loops import step_numbers

_KERNELS: Final = packaged_text(__package__, "kernels.c")
_UNUSED: Final = ("MOST_ACROSS", "MOST_PER_STEP", "NEAR_SINGULAR", "PI", "LOOKS_ALWAYS", "SOLVED")
CARD_LAYOUT_VERSION: Final = 1


def card_source(program: Program, method: FixedStep) -> str:
    """The CUDA text that steps vehicles of a program, one to a thread.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.batch.card_code import card_source
    >>> from axletree.simulation.batch.lane_code import lane_program
    >>> from axletree.simulation.integrators import RK4
    >>> program = lane_program(at.read_model("pendulum").formulate(), RK4, ())
    >>> "AXL_KERNEL axl_advance(" in card_source(program, RK4)
    True
    """
    found = step_numbers(program, method.c_step)
    numbers = {name: value for name, value in found.items() if name not in _UNUSED}
    numbers |= {"NPARAMETERS": len(program.parameters), "NCONSTANTS": program.constants.size}
    for name in ("NY", "NU", "NPARAMETERS", "NCONSTANTS"):
        numbers[f"{name}_ARRAY"] = max(int(str(numbers[name])), 1)
    return print_card(program, [c_definitions(numbers), _KERNELS, method.c_step])


def card_layout(program: Program, method: FixedStep) -> dict[str, Any]:
    """The layout of the program, with the method: what a program on the card has to know."""
    layout = program_layout(program)
    return {**layout, "card": {"version": CARD_LAYOUT_VERSION, "method": method.name}}
