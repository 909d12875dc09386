"""A drive in one picture: wheels, vehicles and forces at some instants, over the ground."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.core.plot_style import WIDTH, colour, in_style
from axletree.report.ride_frames import RideError, RideFrames, VehicleFrames, WheelFrames

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORCE = "#b03a5b"
GROUND_LINE = "#b9b3a6"
LINES = 13  # of the ground, across; along it they are as far apart
HEIGHTS = (1.2, 7.0)  # inches, least and greatest of the axes
FRAME = 0.9  # inches, for labels and legend
FAINTEST = 0.35  # opacity of the first instant; the last one has 1
MARGIN = 2.0  # radii of wheels around the path
ARROW = 2.5  # radii of wheels, of the longest force that is shown


@dataclass(frozen=True)
class View:
    """From where the drive is seen, without perspective.

    At azimuth 0 x goes to the right; at elevation 0 it is seen from the side, at 90 degrees
    from above.
    """

    azimuth: float = 0.0  # [rad], about z
    elevation: float = 0.0  # [rad], of the eye above the horizon

    def project(self, points: np.ndarray) -> np.ndarray:
        """To the right and up on the paper [m]; the last axis of points is x, y, z [m]."""
        right = np.array([math.cos(self.azimuth), math.sin(self.azimuth), 0.0])
        depth = np.array([-right[1], right[0], 0.0])
        up = depth * math.sin(self.elevation) + np.array([0.0, 0.0, math.cos(self.elevation)])
        return np.stack([points @ right, points @ up], axis=-1)

    @property
    def labels(self) -> tuple[str, str]:
        """What the axes of the paper are, in x, y, z of the ground: x, -y, 0.64 y + 0.76 z."""
        across, up = self.project(np.eye(3)).T
        return _sum_of_axes(across), _sum_of_axes(up)


def _sum_of_axes(parts: np.ndarray) -> str:
    """A direction by its parts along x, y and z; those that would be 0.00 are left out."""
    told = [(part, axis) for part, axis in zip(parts, "xyz", strict=True) if abs(part) >= 0.005]
    words: list[str] = []
    for part, axis in told:
        size = f"{abs(part):.2f}"
        sign = ("-" if part < 0.0 else "") if not words else (" - " if part < 0.0 else " + ")
        words.append(f"{sign}{axis}" if size == "1.00" else f"{sign}{size} {axis}")
    return "".join(words)


@in_style
def draw_ride(ride: RideFrames, instants: Sequence[float], view: View) -> Figure:
    """Vehicles at the instants [s], the later the darker, and their paths in between."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    if not instants:
        raise RideError("no instant was given; expected at least one")
    chosen = [int(np.argmin(np.abs(ride.time - instant))) for instant in instants]
    figure = Figure(layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    _draw_ground(axes, ride, view, chosen)
    strongest = max(float(_size(view.project(w.force[chosen])).max()) for w in ride.wheels)
    for tint, vehicle in zip(_colours(ride), ride.vehicles, strict=True):
        _draw_paths(axes, vehicle, view, tint, slice(min(chosen), max(chosen) + 1))
        for order, k in enumerate(chosen, start=1):
            opacity = FAINTEST + (1.0 - FAINTEST) * order / len(chosen)
            _draw_vehicle(axes, vehicle, view, k, tint, opacity)
            for wheel in vehicle.wheels:
                _draw_force(axes, wheel, view, k, strongest)
    _finish(figure, axes, ride, view, chosen, strongest)
    return figure


def _size(vectors: np.ndarray) -> np.ndarray:
    return np.asarray(np.linalg.norm(vectors, axis=-1))


def _colours(ride: RideFrames) -> list[str]:
    return [colour(k) for k in range(len(ride.vehicles))]


def _draw_ground(axes: Any, ride: RideFrames, view: View, chosen: Sequence[int]) -> None:
    """Lines over the ground under all that is shown."""
    margin = MARGIN * max(wheel.radius for wheel in ride.wheels)
    places = np.concatenate([w.contact[min(chosen) : max(chosen) + 1] for w in ride.wheels])
    low, high = places.min(axis=0) - margin, places.max(axis=0) + margin
    spacing = max(float((high - low)[:2].max()) / 60.0, float((high - low)[:2].min()) / LINES)
    xs = np.arange(low[0], high[0] + spacing, spacing)
    ys = np.arange(low[1], high[1] + spacing, spacing)
    fine_x, fine_y = np.linspace(xs[0], xs[-1], 400), np.linspace(ys[0], ys[-1], 200)
    grids = [(fine_x, np.full_like(fine_x, y)) for y in ys]
    grids += [(np.full_like(fine_y, x), fine_y) for x in xs] if view.elevation else []
    for x, y in grids:
        z = ride.surface.height(x, y, ride.surface.numbers)
        points = np.stack([x, y, np.broadcast_to(np.asarray(z, dtype=float), x.shape)], axis=-1)
        axes.plot(*view.project(points).T, color=GROUND_LINE, linewidth=0.5, zorder=1)


def _draw_paths(axes: Any, vehicle: VehicleFrames, view: View, tint: str, shown: slice) -> None:
    """Where wheels touched the ground, and the way of the vehicle's centre of mass."""
    for wheel in vehicle.wheels:
        touching = np.where(wheel.load[:, None] > 0.0, wheel.contact, np.nan)[shown]
        axes.plot(*view.project(touching).T, color=tint, linewidth=1.0, alpha=0.8, zorder=2)
    way = view.project(vehicle.centre[shown])
    axes.plot(*way.T, color=tint, linewidth=0.8, linestyle=(0, (4, 3)), alpha=0.7, zorder=2)


def _draw_vehicle(
    axes: Any, vehicle: VehicleFrames, view: View, k: int, tint: str, opacity: float
) -> None:
    centre = view.project(vehicle.centre[k])
    for wheel in vehicle.wheels:
        outline = view.project(wheel.circle[k])
        axes.fill(*outline.T, facecolor=tint, alpha=0.12 * opacity, zorder=3)
        axes.plot(*outline.T, color=tint, linewidth=1.3, alpha=opacity, zorder=4)
        spoke = np.stack([view.project(wheel.circle[k][0]), view.project(wheel.centre[k]), centre])
        axes.plot(*spoke.T, color=tint, linewidth=1.0, alpha=opacity, zorder=4)
    axes.plot(*centre, marker="o", markersize=4, color=tint, alpha=opacity, zorder=5)


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

    axes.set_aspect("equal")
    axes.autoscale_view()
    for label, text in zip((axes.set_xlabel, axes.set_ylabel), view.labels, strict=True):
        label(f"{text} [m]")
    handles = [
        Line2D([], [], color=tint, linewidth=3.0, label=vehicle.name)
        for tint, vehicle in zip(_colours(ride), ride.vehicles, strict=True)
    ]
    force = f"force of the ground, up to {strongest:.0f} N"
    handles.append(Line2D([], [], color=FORCE, linewidth=1.5, label=force))
    instants = ", ".join(f"{ride.time[k]:g}" for k in chosen)
    handles.append(Line2D([], [], linestyle="", label=f"at {instants} s"))
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    height = float(np.clip(WIDTH * (high - low) / (right - left), *HEIGHTS))
    figure.set_size_inches(WIDTH, height + FRAME)
