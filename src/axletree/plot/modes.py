"""Modes: as phasors, by name at one speed as a picture and a table, and against the speed of a
vehicle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.handling.straight_running import VehicleLocus
from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.linear.mode_shapes import ModeShape, NamedMode, mode_shapes
from axletree.analysis.linear.modes import NEUTRAL
from axletree.core.text_table import TextTable
from axletree.model.findings import point
from axletree.plot.axes import in_words, label_axes, legend_below, new_figure
from axletree.plot.labels import draw_marks
from axletree.plot.style import (
    GREY,
    INK,
    PAPER,
    SMALL,
    VERMILION,
    colour,
    dash,
    hatch,
    in_style,
    marker,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Modes as phasors: how much of each state is in a mode, and when in its swing.

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
    >>> from axletree.plot.modes import plot_modes
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


# Ends of names of modes that are far away, and of the one in which the speed goes on.
UNSHOWN = ("wheel spin", "tyre lag", "steering", "swing", "slider", "axle", "speed")
LEAST_SHARE = 0.03  # of a mode, of a motion that is listed by itself
MOST_SHARES = 3  # that are named of a mode
KMH = 3.6


@in_style
def plot_vehicle_locus(found: VehicleLocus, title: str = "") -> Figure:
    """Eigenvalues above the real axis, growth and frequency; modes of the wheels' spin, of lags and
    of the steering are far away and are left out.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.modes import plot_vehicle_locus
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> [axes.get_xlabel() for axes in plot_vehicle_locus(at.vehicle_locus(sedan, [10, 40])).axes]
    ['real part [1/s]', 'speed [km/h]', 'speed [km/h]']
    """
    locus = found.locus
    figure, (plane, growth, swing) = new_figure(1, 3, title or _title(found))
    speeds, columns = KMH * locus.values, _shown(found)
    styles = {name: _style(k) for k, name in enumerate(dict.fromkeys(n for n, _ in columns))}
    labelled: set[str] = set()
    for name, values in columns:
        (tint, dashes, shape), label = styles[name], None if name in labelled else name
        labelled.add(name)
        upper = np.where(values.imag > 0.0, values.imag, np.nan)
        plane.scatter(values.real, values.imag, s=np.linspace(3.0, 22.0, len(values)),
                      color=tint, marker=shape, linewidths=0)  # fmt: skip
        style = {"linestyle": dashes, "color": tint, "marker": shape, "markersize": 4.0,
                 "markevery": -(-len(speeds) // 5)}  # fmt: skip
        growth.plot(speeds, values.real, label=label, **style)
        swing.plot(speeds, upper / (2.0 * np.pi), **style)
    _mark(found, plane, growth)
    label_axes(plane, "Eigenvalues, larger with speed", "real part [1/s]",
               "imaginary part [rad/s]")  # fmt: skip
    label_axes(growth, "Growth", "speed [km/h]", "real part [1/s]")
    label_axes(swing, "Damped natural frequency", "speed [km/h]", "[Hz]")
    legend_below(figure, growth, columns=5)
    return figure


@in_style
def plot_named_modes(modes: Sequence[NamedMode], title: str) -> Figure:
    """Eigenvalues above the real axis, and the motions in each mode by their shares.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.modes import plot_named_modes
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> figure = plot_named_modes(at.vehicle_modes(sedan, 20.0), "sedan at 20 m/s")
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['real part [1/s]', 'share [%]']
    """
    shown = [one for one in modes if not one.name.endswith(UNSHOWN)]
    figure, (plane, bars) = new_figure(1, 2, title)
    motions = list(dict.fromkeys(m for one in shown for m in _told(one)))
    marks = []
    # Colours are motions; modes have numbers, which are the same in both halves.
    heads = [f"{one.name}, {_in_words(one)}  ({k})" for k, one in enumerate(shown, start=1)]
    for k, one in enumerate(shown, start=1):
        plane.plot(one.eigenvalue.real, one.eigenvalue.imag, "o", color=INK, markersize=3.5)
        marks.append(point(one.eigenvalue.real, one.eigenvalue.imag, str(k)))
    left = np.zeros(len(shown))
    for k, motion in enumerate(motions):
        widths = np.array([100.0 * _told(one).get(motion, 0.0) for one in shown])
        style = {"color": colour(k), "hatch": hatch(k), "label": motion}
        bars.barh(range(len(shown)), widths, left=left, height=0.7, edgecolor=PAPER, **style)
        left += widths
    bars.set_yticks(range(len(shown)), heads)
    bars.invert_yaxis()
    bars.set_xlim(0.0, 100.0)
    plane.axvline(0.0, color=GREY, linewidth=0.8)
    label_axes(plane, "Eigenvalues, numbered by mode", "real part [1/s]",
               "imaginary part [rad/s]")  # fmt: skip
    label_axes(bars, "Mode shapes by share of motion", "share [%]", "")
    bars.grid(visible=False)
    legend_below(figure, bars)
    figure.draw_without_rendering()  # words find their places when axes have theirs
    figure.set_layout_engine("none")
    draw_marks(plane, "", marks)
    return figure


def _told(one: NamedMode) -> dict[str, float]:
    return {motion: share for motion, share in one.shares.items() if share >= LEAST_SHARE}


def _in_words(one: NamedMode) -> str:
    mode = one.mode
    if not mode.swings:
        return f"{mode.eigenvalue.real:.3g} 1/s"
    return f"{mode.frequency:.3g} Hz, {mode.damping_ratio:.2f}"


def _shown(found: VehicleLocus) -> list[tuple[str, np.ndarray]]:
    """Columns with their names, the slowest first; of a pair the one above the real axis."""
    columns = []
    for name, values in zip(found.names, found.locus.eigenvalues.T, strict=True):
        if not name.endswith(UNSHOWN) and values.imag.sum() >= 0.0:
            columns.append((name, values))
    return sorted(columns, key=lambda column: float(np.abs(column[1]).mean()))


def _style(k: int) -> tuple[str, Any, str]:
    """Colour, line and marker."""
    return colour(k), dash(k), marker(k)


def _mark(found: VehicleLocus, plane: Any, growth: Any) -> None:
    plane.axvline(0.0, color=GREY, linewidth=0.8)
    growth.axhline(0.0, color=GREY, linewidth=0.8)
    growth.margins(y=0.12)  # room for words above the axis
    for one in found.critical:
        red = {"color": VERMILION, "markersize": 6, "fillstyle": "none"}
        plane.plot(0.0, one.where.eigenvalue.imag, "o", **red)
        growth.plot(KMH * one.speed, 0.0, "o", **red)
        growth.annotate(f"{KMH * one.speed:.4g} km/h", (KMH * one.speed, 0.0), fontsize=SMALL,
                        xytext=(4, 6), textcoords="offset points", color=VERMILION)  # fmt: skip


def _title(found: VehicleLocus) -> str:
    name = found.locus.system.replace("_", " ")
    critical = [f"{one.name} at {KMH * one.speed:.4g} km/h" for one in found.critical]
    return f"{name}: modes over speed" + (f"; critical: {', '.join(critical)}" if critical else "")


def modes_table(modes: Sequence[NamedMode], title: str) -> TextTable:
    """A line for each mode; frequency and damping of those that swing."""
    heads = ("mode:", "real [1/s]", "frequency [Hz]", "damping ratio", "time to half or double [s]",
             "shares:")  # fmt: skip
    rows = []
    for one in modes:
        mode = one.mode
        swing = (f"{mode.frequency:.4g}", f"{mode.damping_ratio:.4g}") if mode.swings else ("", "")
        shares = list(one.shares.items())[:MOST_SHARES]
        said = ", ".join(f"{motion} {100.0 * share:.0f} %" for motion, share in shares)
        rows.append((one.name, f"{mode.eigenvalue.real:.4g}", *swing,
                     f"{abs(mode.time_to_half):.3g}", said))  # fmt: skip
    return TextTable(title, heads, tuple(rows))
