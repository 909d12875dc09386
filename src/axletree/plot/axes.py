"""Axes for pictures of steady motions and their stability, in the style of plots over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from axletree.plot.style import WIDTH, in_style, plotted_label

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_HEIGHT: Final = 3.4  # inches of a row


@in_style
def new_figure(rows: int, columns: int, title: str) -> tuple[Figure, list[Any]]:
    """A figure of its own, which needs no display, and its axes row by row."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, _HEIGHT * rows + 0.4), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title)
    return figure, figure.subplots(rows, columns, squeeze=False).ravel().tolist()


@in_style
def label_axes(axes: Any, title: str, x_label: str, y_label: str) -> None:
    axes.set_title(title, loc="left")
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
    axes.legend(
        named.values(), named, loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=columns,
        borderpad=0.1, borderaxespad=0.2, labelspacing=0.25, columnspacing=1.2, title=title or None,
    )  # fmt: skip
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
    return ScalarMappable(Normalize(float(values.min()), float(values.max())), colours)
