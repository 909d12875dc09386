"""A drive in one picture: wheels, vehicles and forces at some instants, over the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.core.plot_style import SMALL, WIDTH, colour, in_style, marker
from axletree.report.ride_frames import RideError, RideFrames, VehicleFrames, WheelFrames
from axletree.report.ride_ground import draw_ground
from axletree.report.ride_view import View

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORCE = "#b03a5b"
HEIGHTS = (1.2, 7.0)  # inches, least and greatest of the axes
LEFT, RIGHT, BELOW, ABOVE = 0.8, 0.14, 0.52, 0.34  # inches about the axes
FAINTEST = 0.35  # opacity of the first instant; the last one has 1
ARROW = 2.5  # radii of wheels, of the longest force that is shown


@in_style
def draw_ride(ride: RideFrames, instants: Sequence[float], view: View) -> Figure:
    """Vehicles at the instants [s], the later the darker, and their paths in between.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.report.ride_frames import RideFrames, VehicleFrames, WheelFrames
    >>> from axletree.report.ride_picture import draw_ride
    >>> from axletree.report.ride_view import View
    >>> time, angle = np.array([0.0, 1.0]), np.linspace(0.0, 2 * np.pi, 49)  # s, rad
    >>> hub = np.array([[0.0, 0.0, 0.3], [2.0, 0.0, 0.3]])  # m, at both instants
    >>> rim = 0.3 * np.array([np.cos(angle), 0 * angle, np.sin(angle)]).T  # m
    >>> up = np.array([[0.0, 0.0, 900.0], [0.0, 0.0, 900.0]])  # N
    >>> wheel = WheelFrames("tyre", 0.3, hub, hub[:, None] + rim, hub * (1, 1, 0), up, up[:, 2])
    >>> ride = RideFrames(time, (VehicleFrames("cart", hub, (wheel,)),), at.Flat())
    >>> draw_ride(ride, [0.0, 1.0], View()).axes[0].get_xlabel()
    'x [m]'
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if not instants:
        raise RideError("no instant was given; expected at least one")
    chosen = [int(np.argmin(np.abs(ride.time - instant))) for instant in instants]
    figure = Figure()
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    draw_ground(axes, ride, view, chosen)
    strongest = max(float(_size(view.project(w.force[chosen])).max()) for w in ride.wheels)
    for n, vehicle in enumerate(ride.vehicles):
        look = _Look(colour(n), marker(n))
        _draw_paths(axes, vehicle, view, look.colour, slice(min(chosen), max(chosen) + 1))
        for order, k in enumerate(chosen, start=1):
            opacity = FAINTEST + (1.0 - FAINTEST) * order / len(chosen)
            _draw_vehicle(axes, vehicle, view, k, look, opacity)
            for wheel in vehicle.wheels:
                _draw_force(axes, wheel, view, k, strongest)
    _finish(figure, axes, ride, view, chosen, strongest)
    return figure


def _size(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(vectors, axis=-1))


@dataclass(frozen=True)
class _Look:
    """What tells a vehicle apart, in grey print by its centre."""

    colour: str
    marker: str


def _draw_paths(axes: Any, vehicle: VehicleFrames, view: View, tint: str, shown: slice) -> None:
    """Where wheels touched the ground, and the way of the vehicle's centre of mass."""
    for wheel in vehicle.wheels:
        touching = np.where(wheel.load[:, None] > 0.0, wheel.contact, np.nan)[shown]
        axes.plot(*view.project(touching).T, color=tint, linewidth=1.0, alpha=0.8, zorder=2)
    way = view.project(vehicle.centre[shown])
    axes.plot(*way.T, color=tint, linewidth=0.8, linestyle=(0, (4, 3)), alpha=0.7, zorder=2)


def _draw_vehicle(
    axes: Any, vehicle: VehicleFrames, view: View, k: int, look: _Look, opacity: float
) -> None:
    centre, tint = view.project(vehicle.centre[k]), look.colour
    for wheel in vehicle.wheels:
        outline = view.project(wheel.circle[k])
        axes.fill(*outline.T, facecolor=tint, alpha=0.12 * opacity, zorder=3)
        axes.plot(*outline.T, color=tint, linewidth=1.3, alpha=opacity, zorder=4)
        spoke = np.stack([view.project(wheel.circle[k][0]), view.project(wheel.centre[k]), centre])
        axes.plot(*spoke.T, color=tint, linewidth=1.0, alpha=opacity, zorder=4)
    axes.plot(*centre, marker=look.marker, markersize=4.5, color=tint, alpha=opacity, zorder=5)


def _draw_force(axes: Any, wheel: WheelFrames, view: View, k: int, strongest: float) -> None:
    if not wheel.load[k] > 0.0:
        return
    reach = wheel.force[k] * (ARROW * wheel.radius / strongest)
    foot, tip = view.project(wheel.contact[k]), view.project(wheel.contact[k] + reach)
    arrow = {
        "arrowstyle": "-|>,head_width=0.15,head_length=0.3", "color": FORCE, "linewidth": 1.0,
        "shrinkA": 0, "shrinkB": 0,
    }  # fmt: skip
    axes.annotate("", tip, foot, arrowprops=arrow, zorder=6)


def _finish(
    figure: Figure,
    axes: Any,
    ride: RideFrames,
    view: View,
    chosen: Sequence[int],
    strongest: float,
) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D(
            [],
            [],
            color=colour(n),
            marker=marker(n),
            linewidth=1.3,
            label=vehicle.name.replace("_", " "),
        )
        for n, vehicle in enumerate(ride.vehicles)
    ]
    force = f"force of the ground, up to {strongest:.0f} N"
    handles.append(Line2D([], [], color=FORCE, linewidth=1.5, marker=">", ms=4, label=force))
    axes.legend(
        handles=handles, ncols=len(handles), loc="lower left", bbox_to_anchor=(-0.01, 1.0),
        borderpad=0.1, borderaxespad=0.4,
    )  # fmt: skip
    instants = ", ".join(f"{ride.time[k]:g}" for k in chosen)
    axes.set_title(f"at {instants} s", loc="right", fontsize=SMALL, fontweight="normal")
    _place(figure, axes, view)


def _place(figure: Figure, axes: Any, view: View) -> None:
    """In one scale both ways, as large as the paper is wide."""
    axes.autoscale_view()
    if view.labels is None:  # the numbers of the mesh are those of the picture
        axes.set_axis_off()
    else:
        axes.set_xlabel(f"{view.labels[0]} [m]")
        axes.set_ylabel(f"{view.labels[1]} [m]")
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    wide = WIDTH - LEFT - RIGHT
    drawn = float(np.clip(wide * (high - low) / (right - left), *HEIGHTS))
    height = drawn + BELOW + ABOVE
    figure.set_size_inches(WIDTH, height)
    axes.set_position((LEFT / WIDTH, BELOW / height, wide / WIDTH, drawn / height))
    axes.set_aspect("equal", adjustable="datalim")
