"""How every plot looks: colours, lines, sizes of words, and units as they are written by hand.

Nothing else says so. Angles are read in degrees. At the end the axes of analyses: figures of steady
motions and their stability, in the style of plots over time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

import numpy as np

from axletree.core.units import printed_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_P = ParamSpec("_P")
_R = TypeVar("_R")

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
    "axes.titlesize": 10.0,
    "axes.labelsize": 9.0,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": SMALL,
    "legend.title_fontsize": SMALL,
    "text.parse_math": False,  # names of files and columns are no formulas, whatever they hold
    "text.color": INK,
    "axes.labelcolor": INK,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": GREY,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titley": 1.0,  # to look for what may be in the way takes a fifth of the time of drawing
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.6,
    "legend.frameon": False,
    "legend.handlelength": 2.6,
}


def in_style(draw: Callable[_P, _R]) -> Callable[_P, _R]:
    """A function that draws, in this style."""

    @wraps(draw)
    def styled(*args: _P.args, **given: _P.kwargs) -> _R:
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

    Pure numbers have a dash there.

    Example:
    >>> from axletree.plot.style import plotted_label
    >>> plotted_label("torque [N*m]")
    'torque [N·m]'
    >>> plotted_label("friction [1]"), plotted_label("state[1]")
    ('friction [-]', 'state[1]')
    """
    text = re.sub(r"(?<!\S)\[1\]", "[-]", text)
    return re.sub(r"\[[^\[\]]*\]", lambda found: printed_unit(found[0]), text)


_HEIGHT: Final = 3.4  # inches of a row


# Of a legend between the title of a panel and its axes.
LEGEND_ABOVE: Final[dict[str, Any]] = {
    "loc": "lower left", "bbox_to_anchor": (-0.01, 1.0), "borderpad": 0.1, "borderaxespad": 0.2,
    "labelspacing": 0.25, "columnspacing": 1.2,
}  # fmt: skip


@in_style
def blank_figure(width: float, height: float, layout: Any = None) -> Figure:
    """A figure of its own [inches], which needs no display and leaves pyplot's state alone."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout=layout)
    FigureCanvasAgg(figure)
    return figure


@in_style
def new_figure(
    rows: int, columns: int, title: str, size: tuple[float, float] | None = None
) -> tuple[Figure, list[Any]]:
    """A figure [inches] with a title, and its axes row by row."""
    figure = blank_figure(*(size or (WIDTH, _HEIGHT * rows + 0.4)), "constrained")
    figure.suptitle(title)
    return figure, figure.subplots(rows, columns, squeeze=False).ravel().tolist()


def panels_across(count: int, most: int, title: str) -> tuple[Figure, list[Any]]:
    """Likewise so many axes, ``most`` beside one another; the rest of the last row is empty."""
    columns = min(count, most)
    figure, axes = new_figure(-(-count // columns), columns, title)
    for unused in axes[count:]:
        unused.axis("off")
    return figure, axes[:count]


@in_style
def label_axes(axes: Any, title: str, x_label: str, y_label: str, pad: float | None = None) -> None:
    """With units as people write them; ``pad`` [points] is between title and axes."""
    axes.set_title(title, loc="left", pad=pad)
    axes.set_xlabel(plotted_label(x_label))
    axes.set_ylabel(plotted_label(y_label))
    axes.yaxis.get_offset_text().set(x=1.0, horizontalalignment="right")  # away from the title


@in_style
def legend_below(figure: Figure, axes: Any, columns: int = 6, title: str | None = None) -> None:
    """The curves of all panels, named once where none of them runs."""
    named = _named(axes)
    figure.legend(
        list(named.values()), list(named), loc="outside lower center", ncols=columns, title=title
    )


@in_style
def legend_above(axes: Any, columns: int = 2, title: str = "", twin: Any = None) -> None:
    """The curves of one panel, between its title and what they run in; and those of its twin."""
    named = _named(axes) | (_named(twin) if twin is not None else {})
    lines = -(-len(named) // columns) + (len(title.splitlines()) if title else 0)
    axes.legend(named.values(), named, ncols=columns, title=title or None, **LEGEND_ABOVE)
    axes.set_title(axes.get_title(loc="left"), loc="left", pad=7.0 + 11.2 * lines)


def _named(axes: Any) -> dict[str, Any]:
    """What stands for each curve in a legend, by its name."""
    handles, labels = axes.get_legend_handles_labels()
    return dict(zip(map(plotted_label, labels), handles, strict=True))


def in_words(name: str) -> str:
    """Of a system, for a title: ``sports car``, of sports_car."""
    return name.replace("_", " ")


def with_unit(name: str, unit: str) -> str:
    """``chassis.vx [m/s]``; an expression has no unit that is known."""
    return f"{name} [{unit}]" if unit else name


def shades(values: np.ndarray) -> Any:
    """From values to colours; the light end of the map is hard to see on white."""
    from matplotlib import colormaps
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    colours = ListedColormap(colormaps["viridis"](np.linspace(0.0, 0.88, 256)))
    low, high = float(values.min()), float(values.max())
    return ScalarMappable(Normalize(low, high if high > low else low + 1.0), colours)
