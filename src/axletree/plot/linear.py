"""Figures of linear analyses: modes, root loci, Bode plots.

Modes stand as phasors, by name at one speed as a picture and a table, and against the speed of a
vehicle; root loci and branches of steady motions against what they are followed along; Bode plots
are of any linear system, and of a vehicle by its steering wheel.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.handling.steer_response import SteerResponse
from axletree.analysis.handling.straight_running import VehicleLocus
from axletree.analysis.linear.frequency_response import FrequencyResponse
from axletree.analysis.linear.linearisation import Linearisation
from axletree.analysis.linear.mode_shapes import ModeShape, NamedMode, mode_shapes
from axletree.analysis.linear.modes import NEUTRAL
from axletree.analysis.steady.continuation import SpecialKind, TrimBranch
from axletree.analysis.steady.problem import known_quantities
from axletree.analysis.steady.root_locus import RootLocus
from axletree.core.text_table import TextTable
from axletree.core.units import printed_unit
from axletree.metrics.findings import point
from axletree.plot.labels import draw_marks
from axletree.plot.panels import set_logarithmic
from axletree.plot.style import (
    BLUE,
    COLOURS,
    GREY,
    INK,
    PAPER,
    SMALL,
    VERMILION,
    blank_figure,
    colour,
    dash,
    hatch,
    in_style,
    in_words,
    label_axes,
    legend_below,
    marker,
    new_figure,
    panels_across,
    plotted_unit,
    shades,
    with_unit,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@in_style
def plot_frequency_response(response: FrequencyResponse, title: str = "") -> Figure:
    """Every output by every input; the unit of gains at the axis, or with each if they differ.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.linear import plot_frequency_response
    >>> linear = at.read_model("rlc-circuit").formulate().linearise(outputs=["inductor.current"])
    >>> figure = plot_frequency_response(linear.frequency_response([1.0, 100.0, 1000.0]))
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['output over input [A/V]', '[deg]']
    """
    figure, (gain, phase) = new_figure(
        1, 2, title or f"{in_words(response.system)}: frequency response"
    )
    pairs = [(output, entry) for output in response.outputs for entry in response.inputs]
    units = [response.unit(*pair) for pair in pairs]
    common = units[0] if len(set(units)) == 1 else ""
    for k, (output, entry) in enumerate(pairs):
        style, label = dash(k), f"{output} by {entry}"
        named = label if common else with_unit(label, units[k])
        gain.plot(response.frequencies, response.gain(output, entry), linestyle=style, label=named)
        degrees = np.degrees(response.phase(output, entry))
        phase.plot(response.frequencies, degrees, linestyle=style, label=label)
    label_axes(gain, "Gain", "frequency [Hz]", with_unit("output over input", common))
    label_axes(phase, "Phase", "frequency [Hz]", "[deg]")
    for axes, name in ((gain, "x"), (phase, "x"), (gain, "y")):
        set_logarithmic(axes, name)
    legend_below(figure, gain, columns=2)
    return figure


@in_style
def plot_steer_responses(responses: Sequence[SteerResponse], title: str) -> Figure:
    """Gains in decibels, and phases; a circle where a gain is 3 dB below the steady one.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.linear import plot_steer_responses
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> figure = plot_steer_responses(at.steer_responses(sedan, 20.0, [0.1, 1.0]), "sedan")
    >>> figure.axes[0].get_ylabel()
    'gain [dB of 1 (deg/s)/deg]'
    """
    figure, (yaw, side, yaw_phase, side_phase) = new_figure(2, 2, title)
    for k, one in enumerate(responses):
        style = {"linestyle": dash(k), "color": colour(k), "label": one.label}
        _draw_steer_response(
            yaw, yaw_phase, one.frequencies, one.yaw_rate, one.yaw_bandwidth, style
        )
        accelerated = np.radians(1.0) * one.lateral_acceleration
        _draw_steer_response(
            side, side_phase, one.frequencies, accelerated, one.acceleration_bandwidth, style
        )
    circle = {"color": GREY, "fillstyle": "none", "markersize": 6}
    yaw.plot([], [], "o", label="-3 dB (bandwidth)", **circle)
    label_axes(yaw, "Yaw rate", "frequency [Hz]", "gain [dB of 1 (deg/s)/deg]")
    label_axes(side, "Lateral acceleration", "frequency [Hz]", "gain [dB of 1 (m/s^2)/deg]")
    for axes, word in ((yaw_phase, "Yaw rate"), (side_phase, "Lateral acceleration")):
        label_axes(axes, f"{word}: phase", "frequency [Hz]", "[deg]")
    for axes in (yaw, side, yaw_phase, side_phase):
        set_logarithmic(axes, "x")
    legend_below(figure, yaw)
    return figure


def _draw_steer_response(
    gain: Any, phase: Any, f: np.ndarray, response: np.ndarray, width: float, style: dict[str, Any]
) -> None:
    levels = 20.0 * np.log10(np.abs(response))
    gain.plot(f, levels, **style)
    phase.plot(f, np.degrees(np.unwrap(np.angle(response))), **style)
    if np.isfinite(width):
        at = float(np.interp(np.log(width), np.log(f), levels))
        gain.plot(width, at, "o", color=style["color"], fillstyle="none", markersize=6)


# Modes as phasors: how much of each state is in a mode, and when in its swing.

_MOST_STATES = 6  # of a mode that are drawn
SIZE = 3.2  # inches of a mode
_ACROSS = 3
_HEADING = 0.35  # inches above the modes
_LINE = 0.2  # inches of a name below a mode


@in_style
def plot_modes(linear: Linearisation, modes: Sequence[int] = (), title: str = "") -> Figure:
    """Modes by their place in ``linear.modes``, all if none is named.

    The length of an arrow is the share that a state has in the mode, free of units; its angle is
    the phase of the state, from that of the state with the greatest share.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.linear import plot_modes
    >>> linear = at.read_model("pendulum").formulate().linearise({"pin.angle": 0.0})
    >>> plot_modes(linear).axes[0].get_title()
    '0 ± 3.84i 1/s, 0.611 Hz'
    """
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    shapes = mode_shapes(linear)
    chosen = [shapes[k] for k in (modes or range(len(shapes)))]
    across = min(len(chosen), _ACROSS)
    down = -(-len(chosen) // across)
    lines = max(min(len(shape.parts), _MOST_STATES) for shape in chosen)
    size = SIZE * across + 0.4, (SIZE + 0.36 + _LINE * lines) * down + _HEADING
    layout = ConstrainedLayoutEngine(rect=(0.0, 0.0, 1.0, 1.0 - _HEADING / size[1]))
    figure = blank_figure(*size, layout)
    figure.suptitle(title or f"{in_words(linear.system)}: modes")
    scale = max(abs(shape.eigenvalue) for shape in shapes)
    for k, shape in enumerate(chosen):
        axes = figure.add_subplot(down, across, k + 1, projection="polar")
        axes.set_title(_named(shape.eigenvalue, scale), loc="center", pad=24.0)
        _draw_shape(axes, shape)
    return figure


def _named(value: complex, scale: float) -> str:
    real = 0.0 if abs(value.real) < NEUTRAL * scale else value.real
    if not value.imag:
        return f"{real:.3g} 1/s"
    return f"{real:.3g} ± {value.imag:.3g}i 1/s, {value.imag / (2.0 * math.pi):.3g} Hz"


def _draw_shape(axes: Any, shape: ModeShape) -> None:
    for k, part in enumerate(shape.parts[:_MOST_STATES]):
        axes.annotate(
            "", xy=(part.phase, part.share), xytext=(0.0, 0.0),
            arrowprops={"arrowstyle": "-|>", "color": colour(k), "linewidth": 1.6,
                        "linestyle": dash(k), "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip
        label = f"{part.state} {100 * part.share:.0f} %"
        axes.plot([], [], color=colour(k), linestyle=dash(k), label=label)
    reach = max((part.share for part in shape.parts), default=1.0)
    axes.set_ylim(0.0, 1.05 * reach)
    axes.set_yticks(np.linspace(0.0, reach, 3)[1:], [])
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08))


# Ends of names of modes that are far away, and of the one in which the speed goes on.
UNSHOWN = (
    "wheel spin", "tyre lag", "steering", "swing", "slider", "axle", "speed", "brake",
    "wheel_loads",
)  # fmt: skip
_LEAST_SHARE = 0.03  # of a mode, of a motion that is listed by itself
_MOST_SHARES = 3  # that are named of a mode
_KMH = 3.6


@in_style
def plot_vehicle_locus(found: VehicleLocus, title: str = "") -> Figure:
    """Eigenvalues above the real axis, growth and frequency; modes of the wheels' spin, of lags, of
    the steering and of the mounts of brakes are far away and are left out.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.linear import plot_vehicle_locus
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> [axes.get_xlabel() for axes in plot_vehicle_locus(at.vehicle_locus(sedan, [10, 40])).axes]
    ['real part [1/s]', 'speed [km/h]', 'speed [km/h]']
    """
    locus = found.locus
    figure, (plane, growth, swing) = new_figure(1, 3, title or _vehicle_locus_title(found))
    speeds, columns = _KMH * locus.values, shown_locus(found)
    names = [name for name, _ in columns]
    for place, (name, values) in enumerate(columns):
        label = name if name not in names[:place] else None
        k = list(dict.fromkeys(names)).index(name)
        tint, shape = colour(k), marker(k)
        upper = np.where(values.imag > 0.0, values.imag, np.nan)
        plane.scatter(values.real, values.imag, s=np.linspace(3.0, 22.0, len(values)),
                      color=tint, marker=shape, linewidths=0)  # fmt: skip
        style = {"linestyle": dash(k), "color": tint, "marker": shape, "markersize": 4.0,
                 "markevery": -(-len(speeds) // 5)}  # fmt: skip
        growth.plot(speeds, values.real, label=label, **style)
        swing.plot(speeds, upper / (2.0 * np.pi), **style)
    _label_locus("Eigenvalues, larger with speed", "speed [km/h]", plane, growth, swing)
    _mark(found, plane, growth)
    legend_below(figure, growth, columns=5)
    return figure


@in_style
def plot_named_modes(modes: Sequence[NamedMode], title: str) -> Figure:
    """Eigenvalues above the real axis, and the motions in each mode by their shares.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.linear import plot_named_modes
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> figure = plot_named_modes(at.vehicle_modes(sedan, 20.0), "sedan at 20 m/s")
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['real part [1/s]', 'share [%]']
    """
    shown = shown_modes(modes)
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


def shown_modes(modes: Sequence[NamedMode]) -> list[NamedMode]:
    """Those that are not far away."""
    return [one for one in modes if not one.name.endswith(UNSHOWN)]


def _label_locus(title: str, along: str, plane: Any, growth: Any, swing: Any) -> None:
    """The complex plane, and real part and frequency over what a locus is along."""
    plane.axvline(0.0, color=GREY, linewidth=0.8)
    growth.axhline(0.0, color=GREY, linewidth=0.8)
    label_axes(plane, title, "real part [1/s]", "imaginary part [rad/s]")
    label_axes(growth, "Growth", along, "real part [1/s]")
    label_axes(swing, "Damped natural frequency", along, "[Hz]")


def _told(one: NamedMode) -> dict[str, float]:
    return {motion: share for motion, share in one.shares.items() if share >= _LEAST_SHARE}


def _in_words(one: NamedMode) -> str:
    mode = one.mode
    if not mode.swings:
        return f"{mode.eigenvalue.real:.3g} 1/s"
    return f"{mode.frequency:.3g} Hz, {mode.damping_ratio:.2f}"


def shown_locus(found: VehicleLocus) -> list[tuple[str, np.ndarray]]:
    """Columns with their names, the slowest first; of a pair the one above the real axis."""
    columns = zip(found.names, found.locus.eigenvalues.T, strict=True)
    shown = [(n, x) for n, x in columns if not n.endswith(UNSHOWN) and x.imag.sum() >= 0.0]
    return sorted(shown, key=lambda column: float(np.abs(column[1]).mean()))


def _mark(found: VehicleLocus, plane: Any, growth: Any) -> None:
    growth.margins(y=0.12)  # room for words above the axis
    for one in found.critical:
        red = {"color": VERMILION, "markersize": 6, "fillstyle": "none"}
        plane.plot(0.0, one.where.eigenvalue.imag, "o", **red)
        growth.plot(_KMH * one.speed, 0.0, "o", **red)
        growth.annotate(f"{_KMH * one.speed:.4g} km/h", (_KMH * one.speed, 0.0), fontsize=SMALL,
                        xytext=(4, 6), textcoords="offset points", color=VERMILION)  # fmt: skip


def _vehicle_locus_title(found: VehicleLocus) -> str:
    name = found.locus.system.replace("_", " ")
    critical = [f"{one.name} at {_KMH * one.speed:.4g} km/h" for one in found.critical]
    return f"{name}: modes over speed" + (f"; critical: {', '.join(critical)}" if critical else "")


def modes_table(modes: Sequence[NamedMode], title: str) -> TextTable:
    """A line for each mode; frequency and damping of those that swing."""
    heads = ("mode:", "real [1/s]", "frequency [Hz]", "damping ratio", "time to half or double [s]",
             "shares:")  # fmt: skip
    rows = []
    for one in modes:
        mode = one.mode
        swing = (f"{mode.frequency:.4g}", f"{mode.damping_ratio:.4g}") if mode.swings else ("", "")
        shares = list(one.shares.items())[:_MOST_SHARES]
        said = ", ".join(f"{motion} {100.0 * share:.0f} %" for motion, share in shares)
        rows.append((one.name, f"{mode.eigenvalue.real:.4g}", *swing,
                     f"{abs(mode.time_to_half):.3g}", said))  # fmt: skip
    return TextTable(title, heads, tuple(rows))


# A root locus: in the complex plane, and real and imaginary parts against what it is along.

_BEYOND = 3.0  # times the median distance from 0, farther than which the plane is not shown
_MOST_NAMED = 4  # critical values in a title


@in_style
def plot_root_locus(locus: RootLocus, title: str = "") -> Figure:
    """Colours tell the value; critical values are marked where real parts are 0.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.linear import plot_root_locus
    >>> system = at.read_model("pendulum").formulate()
    >>> locus = system.root_locus("rod.mass", [1.0, 2.0], {"pin.angle": 0})
    >>> [axes.get_xlabel() for axes in plot_root_locus(locus).axes[:2]]
    ['real part [1/s]', 'rod.mass [kg]']
    """
    figure, (plane, growth, swing) = new_figure(1, 3, title or _root_locus_title(locus))
    shade = shades(locus.values)
    colours = shade.to_rgba(locus.values)
    x_label = with_unit(locus.along, locus.unit)
    for branch in locus.eigenvalues.T:
        plane.scatter(branch.real, branch.imag, s=9, c=colours, linewidths=0)
        growth.plot(locus.values, branch.real, color=INK, linewidth=1.2)
        upper = np.where(branch.imag > 0.0, branch.imag, np.nan)
        swing.plot(locus.values, upper / (2.0 * np.pi), color=INK, linewidth=1.2)
    plane.set_xlim(*_limits(locus.eigenvalues.real))
    plane.set_ylim(*_limits(locus.eigenvalues.imag))
    _label_locus("Eigenvalues", x_label, plane, growth, swing)
    for k, critical in enumerate(locus.critical):
        place = 0.0, critical.eigenvalue.imag
        plane.plot(*place, "o", color=VERMILION, markersize=5, fillstyle="none")
        growth.plot(critical.value, 0.0, "o", color=VERMILION, markersize=5)
        growth.annotate(f"{critical.value:.4g}", (critical.value, 0.0), fontsize=SMALL,
                        xytext=(3, 16 if k % 2 else 5), textcoords="offset points",
                        color=VERMILION)  # fmt: skip
    # The bar's words are not those of the next panel.
    figure.set_layout_engine("constrained", w_pad=0.12)
    figure.colorbar(shade, ax=plane, pad=0.02, aspect=30, label=x_label)
    growth.set_ylim(*_limits(locus.eigenvalues.real))
    return figure


def _root_locus_title(locus: RootLocus) -> str:
    values = [f"{one.value:.5g}" for one in locus.critical[:_MOST_NAMED]]
    found = f"; critical at {', '.join(values)} {locus.unit}".rstrip() if values else ""
    return f"{in_words(locus.system)}: root locus along {locus.along}{found}"


def _limits(values: np.ndarray) -> tuple[float, float]:
    """All values, but for the farthest tenth where that is much farther than the rest."""
    sizes = np.abs(values).ravel()
    reach = float(sizes.max(initial=0.0))
    usual = float(np.quantile(sizes, 0.9)) if len(sizes) else 0.0
    if usual and reach > _BEYOND * usual:
        reach = _BEYOND * usual
    low = max(float(values.min(initial=0.0)), -reach)
    high = min(float(values.max(initial=0.0)), reach)
    margin = 0.06 * max(high - low, 1e-12)
    return low - margin, high + margin


# A curve of steady motions: quantities against what was followed, special points marked.

_LONGEST = 30  # letters of a line below a panel: what is followed may be an expression
_MARKS = {
    SpecialKind.FOLD: ("s", VERMILION),
    SpecialKind.BRANCHING: ("D", COLOURS[6]),
    SpecialKind.HOPF: ("o", COLOURS[4]),
    SpecialKind.DIVERGENCE: ("^", COLOURS[2]),
}


def plot_branch(branch: TrimBranch, names: Sequence[str], title: str = "") -> Figure:
    """One panel for each name: stable motions in a solid line, unstable ones in a broken one.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.linear import plot_branch
    >>> pendulum = at.read_model("pendulum")
    >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
    >>> branch = pendulum.formulate().trim().continued("motor.torque", 4.5, step=0.5)
    >>> plot_branch(branch, ["pin.angle"]).axes[0].get_xlabel()
    'motor.torque [N·m]'
    """
    heading = title or f"{in_words(branch.system)}: steady motions"
    figure, axes = panels_across(len(names), 3, heading)
    unit, along_factor = plotted_unit(branch.unit, float(np.abs(branch.values).max()))
    along = textwrap.fill(with_unit(branch.along, unit), _LONGEST, break_long_words=False)
    known = known_quantities(branch.points[0].system)
    for name, panel in zip(names, axes, strict=True):
        own = known[name][0].unit if name in known else ""
        shown, factor = plotted_unit(own, float(np.abs(branch[name]).max()))
        _draw_branch(panel, branch, name, _Scale(along_factor, factor, unit))
        label_axes(panel, name, along, f"[{shown}]" if shown else "")
    legend_below(figure, axes[0], columns=4)
    return figure


@dataclass(frozen=True)
class _Scale:
    """Factors from SI to the units of axes, and the unit of the horizontal one."""

    x: float
    y: float
    unit: str


def _draw_branch(axes: Any, branch: TrimBranch, name: str, scale: _Scale) -> None:
    values, course = scale.x * branch.values, scale.y * branch[name]
    for first, last, is_stable in _runs(branch.is_stable):
        part = slice(first, last + 1)
        axes.plot(
            values[part], course[part], color=BLUE, linewidth=1.5,
            linestyle="-" if is_stable else "--", label="stable" if is_stable else "unstable",
        )  # fmt: skip
    for special in branch.special:
        marker, colour = _MARKS[special.kind]
        x, y = scale.x * special.value, scale.y * special.state[name]
        place = printed_unit(f"{x:.4g} {scale.unit}".removesuffix(" 1").strip())
        axes.plot(x, y, marker, color=colour, markersize=5, linestyle="none",
                  label=f"{special.kind.value} at {place}")  # fmt: skip


def _runs(stable: np.ndarray) -> list[tuple[int, int, bool]]:
    """First and last points of stretches that are alike; each goes on to the first of the next."""
    starts = [0, *(np.flatnonzero(np.diff(stable)) + 1).tolist()]
    ends = [*starts[1:], len(stable) - 1]
    return [(a, b, bool(stable[a])) for a, b in zip(starts, ends, strict=True)]
