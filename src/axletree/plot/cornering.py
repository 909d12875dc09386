"""Steady cornering: understeer curve, handling diagram, g-g diagram and yaw moments."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.handling.cornering_curve import CorneringCurve
from axletree.analysis.handling.g_g_diagram import GGDiagram
from axletree.analysis.handling.yaw_moment import YawMomentDiagram
from axletree.model.model import STANDARD_GRAVITY
from axletree.plot.style import (
    BLUE,
    GREY,
    PAPER,
    SMALL,
    VERMILION,
    dash,
    in_style,
    in_words,
    label_axes,
    legend_above,
    legend_below,
    marker,
    new_figure,
    shades,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LATERAL = "lateral acceleration [m/s^2]"
_SPEEDS = (40.0, 60.0, 80.0, 100.0, 150.0)  # km/h, of lines in a handling diagram
_SAME = 1e-3  # km/h
_NEAR = 0.12  # of the speed of a curve: lines of speeds so near to it are left out
MOST_CURVATURE = 0.15  # rad, wheelbase over radius, to which these lines go


@in_style
def plot_cornering(curve: CorneringCurve) -> Figure:
    """Angles, loads and pedal against lateral acceleration up to the limit.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.handling.cornering_curve import CorneringCurve
    >>> from axletree.analysis.handling.turn_branch import Ending
    >>> from axletree.plot.cornering import plot_cornering
    >>> names = "path.lateral path.sideslip steer.understeer steer.ackermann driver.steering"
    >>> names += " driver.effort vehicle.roll front_tyre.Fz"
    >>> turns = dict.fromkeys(names.split(), np.linspace(0.0, 8.0, 5))
    >>> given = "car", 20.0, None, 2.5, 15.0, ("front", "rear")  # m/s, radius, m, 1
    >>> plot_cornering(CorneringCurve(*given, turns, {}, {}, Ending.GRIP)).axes[4].get_ylabel()
    'force [kN]'
    """
    if curve.speed is not None:
        held = f"{3.6 * curve.speed:.4g} km/h"
    else:
        held = f"radius {abs(curve.radius or 0.0):.4g} m"
    figure, axes = new_figure(2, 3, f"{in_words(curve.vehicle)}: steady cornering, {held}")
    a, degrees = curve.lateral, math.degrees(1.0)
    wheel, beyond, slip, roll, loads, last = axes
    beyond_ackermann = {"color": BLUE, "label": "understeer angle"}
    ackermann = {"color": VERMILION, "linestyle": dash(1), "label": "wheelbase / radius"}
    beyond.plot(a, degrees * curve["steer.understeer"], **beyond_ackermann)
    beyond.plot(a, degrees * curve["steer.ackermann"], **ackermann)
    label_axes(beyond, "Road wheels", _LATERAL, "angle [deg]")
    legend_above(beyond, columns=1)
    tyres = [name for name in curve.columns if name.endswith("_tyre.Fz")]
    for k, name in enumerate(tyres):
        wheel_name = in_words(name.removesuffix("_tyre.Fz"))
        loads.plot(a, 1e-3 * curve[name], label=wheel_name, linestyle=dash(k))
    label_axes(loads, "Wheel loads", _LATERAL, "force [kN]")
    legend_above(loads)
    driven = ("Speed", "speed [km/h]", 3.6, "path.speed")
    if curve.speed is not None:
        driven = ("Throttle", "throttle [%]", 100.0, "driver.effort")
    for panel, (title, label, factor, column) in (
        (wheel, ("Steering wheel", "angle [deg]", degrees, "driver.steering")),
        (slip, ("Sideslip", "angle [deg]", degrees, "path.sideslip")),
        (roll, ("Roll", "angle [deg]", degrees, "vehicle.roll")),
        (last, driven),
    ):
        panel.plot(a, factor * curve[column], color=BLUE)
        label_axes(panel, title, _LATERAL, label)
    return figure


@in_style
def plot_handling(curve: CorneringCurve) -> Figure:
    """The handling diagram (Pacejka 2012, "Tire and Vehicle Dynamics", section 1.3).

    The curve is lateral acceleration over the difference of slip angles of first and last axle.
    Straight lines are wheelbase over radius at speeds. At one height the way from the line of a
    speed to the curve is the angle of the road wheels that this turn takes.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.handling.cornering_curve import CorneringCurve
    >>> from axletree.analysis.handling.turn_branch import Ending
    >>> from axletree.plot.cornering import plot_handling
    >>> names = "path.lateral", "front.slip_angle", "rear.slip_angle"
    >>> turns = dict.fromkeys(names, np.linspace(0.0, 8.0, 5))
    >>> given = "car", 20.0, None, 2.5, 15.0, ("front", "rear")  # m/s, radius, m, 1
    >>> plot_handling(CorneringCurve(*given, turns, {}, {}, Ending.GRIP)).axes[0].get_ylabel()
    'lateral acceleration [g]'
    """
    title = f"{in_words(curve.vehicle)}: handling diagram"
    figure, (panel,) = new_figure(1, 1, title, (9.0, 5.6))
    height = np.abs(curve.lateral) / STANDARD_GRAVITY
    side = float(np.sign(curve.lateral[-1]))
    across = side * np.degrees(curve.slip_difference)
    panel.plot(-across, height, color=BLUE, linewidth=1.8)
    top = 1.15 * float(height.max())
    for speed, x, y in speed_lines(curve, top):
        own = curve.speed is not None and abs(speed - 3.6 * curve.speed) < _SAME
        _speed_line(panel, speed, x, y, VERMILION if own else GREY)
    panel.axvline(0.0, color=GREY, linewidth=0.8)
    panel.set_ylim(0.0, top)
    label_axes(
        panel, "Curve: front less rear slip angle, positive to the left; lines: wheelbase / radius",
        "difference of slip angles | wheelbase / radius [deg]", "lateral acceleration [g]",
        pad=18.0,  # above the speeds
    )  # fmt: skip
    panel.xaxis.set_major_formatter(lambda x, _: f"{abs(x):g}")
    return figure


def speed_lines(curve: CorneringCurve, top: float) -> list[tuple[float, np.ndarray, np.ndarray]]:
    """Of a handling diagram up to the height ``top`` [g]: a speed [km/h], that of the curve first,
    and its line, wheelbase over radius [deg] and height [1]."""
    own = () if curve.speed is None else (round(3.6 * curve.speed, 6),)
    far = [speed for speed in _SPEEDS if all(abs(speed / one - 1.0) > _NEAR for one in own)]
    lines = []
    for speed in (*own, *far):
        v = speed / 3.6
        steep = v * v / (STANDARD_GRAVITY * curve.wheelbase)  # of height over wheelbase / radius
        end = min(MOST_CURVATURE, top / steep)
        lines.append((speed, np.array([0.0, np.degrees(end)]), np.array([0.0, end * steep])))
    return lines


def _speed_line(panel: Any, speed: float, x: np.ndarray, y: np.ndarray, colour: str) -> None:
    """With its speed at its end, above the axes or within them."""
    panel.plot(x, y, color=colour, linewidth=1.0)
    panel.annotate(f"{speed:.4g} km/h", (x[1], y[1]), fontsize=SMALL,
                   color=colour, xytext=(0, 3), textcoords="offset points", ha="center",
                   va="bottom", annotation_clip=False)  # fmt: skip


@in_style
def plot_g_g(diagram: GGDiagram) -> Figure:
    """Accelerations along the path over those across it, in g.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.handling.g_g_diagram import Envelope, GGDiagram
    >>> from axletree.plot.cornering import plot_g_g
    >>> envelope = Envelope(20.0, np.array([3.0, 0.0, -9.0]), np.array([0.0, 9.0, 0.0]), ())
    >>> plot_g_g(GGDiagram("sedan", (envelope,))).axes[0].get_ylabel()
    'longitudinal acceleration [g]'
    """
    title = f"{in_words(diagram.vehicle)}: performance envelope"
    figure, (panel,) = new_figure(1, 1, title, (8.0, 7.0))
    speeds = np.array([one.speed for one in diagram.envelopes])
    colours = shades(np.arange(max(len(speeds), 2))).to_rgba(np.arange(len(speeds)))
    for k, (one, colour) in enumerate(zip(diagram.envelopes, colours, strict=True)):
        x = np.append(one.lateral, one.lateral[0]) / STANDARD_GRAVITY
        y = np.append(one.along, one.along[0]) / STANDARD_GRAVITY
        panel.plot(x, y, color=colour, marker=marker(k), markersize=3.5, linewidth=1.3,
                   label=f"{3.6 * one.speed:.4g} km/h")  # fmt: skip
    dents = [(one.lateral[k], one.along[k]) for one in diagram.envelopes for k in one.dents]
    if dents:
        x, y = np.array(dents).T / STANDARD_GRAVITY
        panel.plot(x, y, color=VERMILION, marker="o", markersize=9.0, markerfacecolor="none",
                   linestyle="none", label="dent")  # fmt: skip
    panel.axhline(0.0, color=GREY, linewidth=0.9)
    panel.axvline(0.0, color=GREY, linewidth=0.9)
    panel.set_aspect("equal")
    panel.legend(loc="center", frameon=True, facecolor=PAPER, edgecolor="none", framealpha=1.0)
    label_axes(panel, "Limits of grip, drive and brakes",
               "lateral acceleration [g], to the left if positive",
               "longitudinal acceleration [g]")  # fmt: skip
    return figure


_SIDESLIP, _WHEELS = VERMILION, BLUE  # colours
_AWAY = 12.0  # points from the end of a line, outwards, to its angle
SHAPE = np.array([1.0, 0.5])  # of diagrams, to the right and up, of which outwards is reckoned
NAMED = 4  # every so many lines have their angle written at them


@in_style
def plot_yaw_moments(diagram: YawMomentDiagram) -> Figure:
    """C_N over lateral acceleration; turns that the vehicle makes by itself are at C_N = 0.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.handling.yaw_moment import YawMomentDiagram
    >>> from axletree.plot.cornering import plot_yaw_moments
    >>> moment, angles = np.array([[-3e3, 1e3], [-1e3, 3e3]]), np.array([-0.1, 0.1])  # N m, rad
    >>> given = "car", 20.0, 15e3, 2.5, 15.0, angles, angles  # m/s, N, m, 1
    >>> diagram = YawMomentDiagram(*given, moment / 1e3, moment, moment, {})
    >>> plot_yaw_moments(diagram).axes[0].get_xlabel()
    'lateral acceleration [g]'
    """
    title = f"{in_words(diagram.vehicle)}: yaw moment diagram at {3.6 * diagram.speed:.4g} km/h"
    figure, (panel,) = new_figure(1, 1, title, (9.0, 6.4))
    A, C = diagram.lateral / STANDARD_GRAVITY, diagram.coefficient
    for i, beta in enumerate(np.degrees(diagram.sideslip)):
        _angle_line(panel, A[i], C[i], _SIDESLIP, "sideslip angle", i, beta, len(C))
    for j, delta in enumerate(np.degrees(diagram.steering / diagram.ratio)):
        _angle_line(panel, A[:, j], C[:, j], _WHEELS, "road wheel angle", j, delta, len(C))
    panel.axhline(0.0, color=GREY, linewidth=0.9)
    panel.axvline(0.0, color=GREY, linewidth=0.9)
    legend_below(figure, panel)
    title = "$C_N$ = yaw moment / (weight · wheelbase)"
    label_axes(panel, title, "lateral acceleration [g]", "$C_N$ [1]")
    panel.set_title(title, loc="left").set_parse_math(True)
    panel.yaxis.label.set_parse_math(True)
    return figure


def _angle_line(
    panel: Any, x: np.ndarray, y: np.ndarray, colour: str, word: str, k: int, angle: float, n: int
) -> None:
    """With the angle written at the end where lines are further apart."""
    line = (0, (6, 2)) if colour == _SIDESLIP else "-"  # in grey print, too
    label = f"lines of constant {word} [deg]"
    panel.plot(x, y, color=colour, linestyle=line, linewidth=0.9, label=label)
    known = np.flatnonzero(np.isfinite(x))
    at_corner = k in (0, n - 1) and colour == _SIDESLIP  # where those of the wheels end, too
    if (k - n // 2) % NAMED or at_corner or not len(known):
        return
    end = known[-1] if k >= n // 2 else known[0]
    out = np.array([x[end], y[end]]) / SHAPE
    out = _AWAY * out / (np.linalg.norm(out) or 1.0)
    text = f"{angle + 0.0:.3g}°".replace("-", "\N{MINUS SIGN}")
    panel.annotate(text, (x[end], y[end]), fontsize=SMALL, color=colour, xytext=out,
                   textcoords="offset points", ha="center", va="center")  # fmt: skip
