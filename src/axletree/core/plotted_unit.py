"""What people read off plots: angles in degrees, and units as they are written by hand."""

from __future__ import annotations

import math
import re
from typing import Final

from axletree.core.unit_text import printed_unit

# Of each unit that which is plotted, and the greatest value of which it is: what goes round and
# round, such as a wheel, is read in radians by the second.
_IN_DEGREES: Final = {
    "rad": ("deg", math.inf),
    "rad/s": ("deg/s", 10.0),
    "rad/s^2": ("deg/s^2", 100.0),
}


def plotted_unit(unit: str, greatest: float = 0.0) -> tuple[str, float]:
    """The unit of an axis for values in SI up to ``greatest``, and the factor to it.

    Example:
    >>> from axletree.core.plotted_unit import plotted_unit
    >>> plotted_unit("rad/s", 0.2)[0], plotted_unit("rad/s", 60.0)[0], plotted_unit("N")[0]
    ('deg/s', 'rad/s', 'N')
    """
    plotted, most = _IN_DEGREES.get(unit, (unit, math.inf))
    if plotted == unit or greatest > most:
        return unit, 1.0
    return plotted, 180.0 / math.pi


def plotted_label(text: str) -> str:
    """What stands at an axis or in a legend, with what is in brackets as a printed unit.

    Example:
    >>> from axletree.core.plotted_unit import plotted_label
    >>> plotted_label("torque [N*m]")
    'torque [N·m]'
    """
    return re.sub(r"\[[^\[\]]*\]", lambda found: printed_unit(found[0]), text)
