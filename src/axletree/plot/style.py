"""How every plot looks: colours, lines, sizes of words, and units as they are written by hand.

Nothing else says so. Angles are read in degrees.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from axletree.core.units import printed_unit

P = ParamSpec("P")
R = TypeVar("R")

PAPER, INK, GREY, FAINT = "#ffffff", "#1b2733", "#69747f", "#dde2e7"
# After Okabe and Ito: readers who see few colours tell these apart, on light and dark paper.
COLOURS: Final = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5cc0", "#8a939c",
)  # fmt: skip
BLUE, VERMILION = COLOURS[:2]
# Lines differ as colours do, so that curves can be distinguished in grey print.
DASHES: Final = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (2, 1)))
MARKERS: Final = "osD^vP*X<>hd"
HATCHES: Final = ("", "///", "...", "xxx", "\\\\\\")  # of bars, likewise
WIDTH: Final = 10.0  # inches of a figure
SMALL: Final = 8.5  # points of letters, of what stands at curves and in legends

# The same colours on dark paper, in pages that follow what the reader's screen asks for.
DARK: Final = {
    PAPER: "#161c23", INK: "#e3e9ef", GREY: "#9aa6b3", FAINT: "#333d47",
    COLOURS[0]: "#4fa8e0", COLOURS[1]: "#ff8a3d", COLOURS[2]: "#2fc79a", COLOURS[3]: "#e39cc4",
    COLOURS[4]: "#f2b93b", COLOURS[5]: "#8accf2", COLOURS[6]: "#a58cf0", COLOURS[7]: "#aab4bd",
}  # fmt: skip

_SETTINGS: Final[dict[str, Any]] = {
    "font.size": 9.0,
    "figure.titlesize": 12.0,
    "figure.facecolor": PAPER,
    "text.color": INK,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # to look for what may be in the way takes a fifth of the time of drawing
    "axes.labelsize": 9.0,
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.8,
    "axes.facecolor": PAPER,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": FAINT,
    "grid.linewidth": 0.7,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "lines.linewidth": 1.6,
    "legend.fontsize": SMALL,
    "legend.title_fontsize": SMALL,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
}


def in_style(draw: Callable[P, R]) -> Callable[P, R]:
    """A function that draws, in this style."""

    @wraps(draw)
    def styled(*args: P.args, **given: P.kwargs) -> R:
        import matplotlib
        from cycler import cycler

        colours = {"axes.prop_cycle": cycler(color=COLOURS)}
        with matplotlib.rc_context({**_SETTINGS, **colours}):
            return draw(*args, **given)

    return styled


def colour(k: int) -> str:
    """Of the curve with this number, from 0."""
    return COLOURS[k % len(COLOURS)]


def dash(k: int) -> Any:
    """Likewise its line; with ``colour`` no two of 24 curves are alike."""
    return DASHES[k % len(DASHES)]


def marker(k: int) -> str:
    """Likewise its points."""
    return MARKERS[k % len(MARKERS)]


def hatch(k: int) -> str:
    """Of the bar with this number; with ``colour`` no two of 40 are alike."""
    return HATCHES[k % len(HATCHES)]


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
    >>> from axletree.plot.style import plotted_unit
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
    >>> from axletree.plot.style import plotted_label
    >>> plotted_label("torque [N*m]")
    'torque [N·m]'
    """
    return re.sub(r"\[[^\[\]]*\]", lambda found: printed_unit(found[0]), text)
