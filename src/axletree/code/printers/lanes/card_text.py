"""A program as CUDA: one vehicle to a thread, its states in registers.

The text is C that a compiler of CUDA takes as it is. It has both number types: who compiles it says
``-DAXL_FLOAT`` for 32 bits, ``-DAXL_CARD_FUNCTIONS`` for the elementary functions of the card's own
library in place of those of ``functions.c``, and ``-DAXL_TILE=64`` for so many vehicles to a block.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from axletree.code.called_functions import tables_and_functions
from axletree.code.printers.c import SINGLE, VEHICLE_DIALECT, program_text
from axletree.code.printers.dialect import packaged_text
from axletree.code.program import Program
from axletree.core.errors import ExportError
from axletree.expr import ExternalFunction

_WHOLE: Final = 1 << 30  # statements of a routine, which is not divided: parts hand over in memory


def print_card(program: Program, more: Sequence[str] = ()) -> str:
    """The CUDA source of a program that was lowered without what is computed side by side.

    Example:
    >>> import axletree as at
    >>> from axletree.code.lowering import lower
    >>> from axletree.code.printers.lanes.card_text import print_card
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> text = print_card(lower(pendulum, outputs=[], side_by_side=False))
    >>> next(line for line in text.splitlines() if "model_rhs(" in line)[:29]
    'AXL_DEVICE void model_rhs(axl'
    """
    by_hand = [f.name for f in tables_and_functions(program)[1] if isinstance(f, ExternalFunction)]
    if by_hand:
        raise ExportError(
            f"{', '.join(sorted(by_hand))}: known as C text alone, which is not for a card; use "
            "parts that are expressions (a law or a surface that is looked up in a grid is not)"
        )
    # Threads wait for one another's functions here, and chains side by side take registers: 5 %
    # slower in 64 bits and 17 % in 32.
    body = program_text(
        program, "model", VEHICLE_DIALECT, "axl_lookup", _WHOLE, more, of_vehicles=True,
        by_latency=False,
    )  # fmt: skip
    SINGLE.check_literals(body)
    for_card = re.sub(r"^(?:static )?void (?=model_)", "AXL_DEVICE void ", body, flags=re.M)
    for_card = re.sub(r"^static void (?=axl_step\()", "AXL_DEVICE void ", for_card, flags=re.M)
    for_card = re.sub(r"^static (?=(?:void|axl_real) axl_)", "AXL_CALLED ", for_card, flags=re.M)
    return f"{_head()}\n{for_card}"


def _head() -> str:
    file = {name: packaged_text(__package__, name) for name in _FILES}
    return "\n".join([
        "#ifdef AXL_FLOAT", file["float.h"], "#else", file["double.h"], "#endif",
        file["card.h"],
        "#ifdef AXL_CARD_FUNCTIONS", file["library.h"], "#else", file["functions.c"], "#endif",
    ])  # fmt: skip


_FILES: Final = ("double.h", "float.h", "card.h", "library.h", "functions.c")
