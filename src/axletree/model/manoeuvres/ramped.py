"""From one level to another in a straight line."""

from __future__ import annotations

from axletree.core.expr import Beyond, Table


def ramped(begin: float, rise: float, first: float, last: float) -> Table:
    """``first`` up to the time ``begin`` [s], ``last`` from ``rise`` [s] later on."""
    return Table.linear([begin, begin + rise], [first, last], Beyond.VALUE_HELD)
