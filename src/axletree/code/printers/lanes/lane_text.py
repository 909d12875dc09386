"""A program as C whose numbers are those of several vehicles, one in each lane of the machine.

Numbers are vectors of the compiler, so that sums and products are instructions of the machine;
comparisons give masks, by which values are picked. Elementary functions are of ``functions.c``,
inlined: a call of a library would clear all registers. Accuracies are those of
``docs/theory/lanes.md``, and held by tests.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Sequence
from typing import Final

from axletree.code.printers.c import SINGLE, VEHICLE_DIALECT, CNumber, program_text
from axletree.code.printers.dialect import packaged_text
from axletree.code.program import Program


class LaneNumber(enum.Enum):
    """The type of the numbers that vehicles are computed in."""

    DOUBLE = "double"
    FLOAT = "float"


_TYPES: Final = {number: packaged_text(__package__, f"{number.value}.h") for number in LaneNumber}
_LANES: Final = packaged_text(__package__, "types.h") + packaged_text(__package__, "functions.c")
_LIMITS: Final = {
    LaneNumber.DOUBLE: CNumber("double", "", sys.float_info.max),
    LaneNumber.FLOAT: SINGLE,
}


def lane_functions_text(number: LaneNumber) -> str:
    """The types of lanes and their elementary functions, ``axl_v_sin`` and so on."""
    return f"{_TYPES[number]}\n{_LANES}\n"


def print_lanes(
    program: Program, number: LaneNumber = LaneNumber.DOUBLE, more: Sequence[str] = ()
) -> str:
    """The C source of a program over lanes; its functions are ``model_rhs`` and so on.

    The program is one that was lowered without what is computed side by side.

    Example:
    >>> import axletree as at
    >>> from axletree.code.lowering import lower
    >>> from axletree.code.printers.lanes.lane_text import print_lanes
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> text = print_lanes(lower(pendulum, outputs=[], side_by_side=False))
    >>> next(line.strip() for line in text.splitlines() if "axl_v_sin(pin_angle)" in line)
    'xdot[0] = AXL_C(c, 0)*axl_v_sin(pin_angle);'
    """
    body = program_text(
        program, "model", VEHICLE_DIALECT, "axl_lookup", more=more, of_vehicles=True
    )
    _LIMITS[number].check_literals(body)
    return f"{lane_functions_text(number)}{body}"
