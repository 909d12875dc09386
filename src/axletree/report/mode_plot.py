"""Modes as phasors: how much of each state is in a mode, and when in its swing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.linearisation import Linearisation
from axletree.analysis.mode_shapes import ModeShape, mode_shapes
from axletree.analysis.mode_tracking import NEUTRAL
from axletree.core.plot_style import colour, dash, in_style
from axletree.report.analysis_axes import in_words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_STATES = 6  # of a mode that are drawn
SIZE = 3.2  # inches of a mode
ACROSS = 3
HEADING = 0.35  # inches above the modes
LINE = 0.2  # inches of a name below a mode


@in_style
def plot_modes(linear: Linearisation, modes: Sequence[int] = (), title: str = "") -> Figure:
    """Modes by their place in ``linear.modes``, all if none is named.

    The length of an arrow is the share that a state has in the mode, free of units; its angle is
    the phase of the state, from that of the state with the greatest share.

    Example:
    >>> import axletree as at
    >>> from axletree.report.mode_plot import plot_modes
    >>> linear = at.read_model("pendulum").formulate().linearise({"pin.angle": 0.0})
    >>> plot_modes(linear).axes[0].get_title()
    '0 ± 3.84i 1/s, 0.611 Hz'
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    shapes = mode_shapes(linear)
    chosen = [shapes[k] for k in (modes or range(len(shapes)))]
    across = min(len(chosen), ACROSS)
    down = -(-len(chosen) // across)
    lines = max(min(len(shape.parts), MOST_STATES) for shape in chosen)
    size = SIZE * across + 0.4, (SIZE + 0.36 + LINE * lines) * down + HEADING
    layout = ConstrainedLayoutEngine(rect=(0.0, 0.0, 1.0, 1.0 - HEADING / size[1]))
    figure = Figure(figsize=size, layout=layout)
    FigureCanvasAgg(figure)
    figure.suptitle(title or f"{in_words(linear.system)}: modes")
    scale = max(abs(shape.eigenvalue) for shape in shapes)
    for k, shape in enumerate(chosen):
        axes = figure.add_subplot(down, across, k + 1, projection="polar")
        axes.set_title(_named(shape.eigenvalue, scale), loc="center", pad=24.0)
        _draw(axes, shape)
    return figure


def _named(value: complex, scale: float) -> str:
    real = 0.0 if abs(value.real) < NEUTRAL * scale else value.real
    if not value.imag:
        return f"{real:.3g} 1/s"
    return f"{real:.3g} ± {value.imag:.3g}i 1/s, {value.imag / (2.0 * math.pi):.3g} Hz"


def _draw(axes: Any, shape: ModeShape) -> None:
    for k, part in enumerate(shape.parts[:MOST_STATES]):
        axes.annotate(
            "", xy=(part.phase, part.share), xytext=(0.0, 0.0),
            arrowprops={"arrowstyle": "-|>", "color": colour(k), "linewidth": 1.6,
                        "linestyle": dash(k), "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip
        axes.plot(
            [],
            [],
            color=colour(k),
            linestyle=dash(k),
            label=f"{part.state} {100 * part.share:.0f} %",
        )
    reach = max((part.share for part in shape.parts), default=1.0)
    axes.set_ylim(0.0, 1.05 * reach)
    axes.set_yticks(np.linspace(0.0, reach, 3)[1:], [])
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08))
