"""Axes for pictures of steady motions and their stability, in the style of plots over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH: Final = 11.0  # inches
HEIGHT: Final = 3.4  # inches of a row


def new_figure(rows: int, columns: int, title: str) -> tuple[Figure, list[Any]]:
    """A figure of its own, which needs no display, and its axes row by row."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, HEIGHT * rows + 0.4), layout="constrained")
    FigureCanvasAgg(figure)
    figure.suptitle(title, fontsize=12)
    return figure, figure.subplots(rows, columns, squeeze=False).ravel().tolist()


def label_axes(axes: Any, title: str, x_label: str, y_label: str) -> None:
    axes.set_title(title, fontsize=9, fontweight="bold", loc="left")
    axes.set_xlabel(x_label, fontsize=8)
    axes.set_ylabel(y_label, fontsize=8)
    axes.tick_params(labelsize=7.5)
    axes.grid(visible=True, alpha=0.3)


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
