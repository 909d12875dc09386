"""A drive in one picture: wheels, vehicles and forces at some instants, over the ground.

What is drawn (``ride_frames``) is in the axes of the ground, at the instants that a run has
recorded; it is seen without perspective.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from axletree.components.bodies import BodyOfRevolution, RigidBody
from axletree.components.frames import GROUND
from axletree.core.errors import AxletreeError
from axletree.ground.surfaces import Surface
from axletree.model.model import Model
from axletree.plot.mechanism import pose_names
from axletree.plot.style import (
    GREY,
    LEGEND_ABOVE,
    SMALL,
    WIDTH,
    blank_figure,
    colour,
    in_style,
    in_words,
    marker,
)
from axletree.simulation.trajectory import Trajectory
from axletree.wheel.wheel import Wheel, wheels_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FORCE = "#b03a5b"
HEIGHTS = (1.2, 7.0)  # inches, least and greatest of the axes
_LEFT, _RIGHT, _BELOW, _ABOVE = 0.8, 0.14, 0.52, 0.34  # inches about the axes
FAINTEST = 0.35  # opacity of the first instant; the last one has 1
_ARROW = 2.5  # radii of wheels, of the longest force that is shown


@in_style
def draw_ride(ride: RideFrames, instants: Sequence[float], view: RideView) -> Figure:
    """Vehicles at the instants [s], the later the darker, and their paths in between.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.plot.ride import RideFrames, VehicleFrames, WheelFrames
    >>> from axletree.plot.ride import draw_ride
    >>> from axletree.plot.ride import RideView
    >>> time, angle = np.array([0.0, 1.0]), np.linspace(0.0, 2 * np.pi, 49)  # s, rad
    >>> hub = np.array([[0.0, 0.0, 0.3], [2.0, 0.0, 0.3]])  # m, at both instants
    >>> rim = 0.3 * np.array([np.cos(angle), 0 * angle, np.sin(angle)]).T  # m
    >>> up = np.array([[0.0, 0.0, 900.0], [0.0, 0.0, 900.0]])  # N
    >>> wheel = WheelFrames("tyre", 0.3, hub, hub[:, None] + rim, hub * (1, 1, 0), up, up[:, 2])
    >>> ride = RideFrames(time, (VehicleFrames("cart", hub, (wheel,)),), at.Flat())
    >>> draw_ride(ride, [0.0, 1.0], RideView()).axes[0].get_xlabel()
    'x [m]'
    """
    if not instants:
        raise RideError("no instant was given; expected at least one")
    chosen = [int(np.argmin(np.abs(ride.time - instant))) for instant in instants]
    figure = blank_figure(WIDTH, WIDTH)  # its height follows from what is drawn
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    draw_ground(axes, ride, view, chosen)
    forces = np.stack([view.project(wheel.force[chosen]) for wheel in ride.wheels])
    strongest = float(np.linalg.norm(forces, axis=-1).max())
    for n, vehicle in enumerate(ride.vehicles):
        _draw_paths(axes, vehicle, view, colour(n), slice(min(chosen), max(chosen) + 1))
        for order, k in enumerate(chosen, start=1):
            opacity = FAINTEST + (1.0 - FAINTEST) * order / len(chosen)
            _draw_vehicle(axes, vehicle, view, k, n, opacity)
            for wheel in vehicle.wheels:
                _draw_force(axes, wheel, view, k, strongest)
    _name_what_is_drawn(axes, ride, chosen, strongest)
    _fit_axes(figure, axes, view)
    return figure


def _draw_paths(axes: Any, vehicle: VehicleFrames, view: RideView, tint: str, shown: slice) -> None:
    """Where wheels touched the ground, and the way of the vehicle's centre of mass."""
    for wheel in vehicle.wheels:
        touching = np.where(wheel.load[:, None] > 0.0, wheel.contact, np.nan)[shown]
        axes.plot(*view.project(touching).T, color=tint, linewidth=1.0, alpha=0.8, zorder=2)
    way = view.project(vehicle.centre[shown])
    axes.plot(*way.T, color=tint, linewidth=0.8, linestyle=(0, (4, 3)), alpha=0.7, zorder=2)


def _draw_vehicle(
    axes: Any, vehicle: VehicleFrames, view: RideView, k: int, n: int, opacity: float
) -> None:
    """At an instant; its number tells it apart, in grey print by the mark at its centre."""
    centre, tint = view.project(vehicle.centre[k]), colour(n)
    for wheel in vehicle.wheels:
        outline = view.project(wheel.circle[k])
        axes.fill(*outline.T, facecolor=tint, alpha=0.12 * opacity, zorder=3)
        axes.plot(*outline.T, color=tint, linewidth=1.3, alpha=opacity, zorder=4)
        spoke = np.stack([view.project(wheel.circle[k][0]), view.project(wheel.centre[k]), centre])
        axes.plot(*spoke.T, color=tint, linewidth=1.0, alpha=opacity, zorder=4)
    axes.plot(*centre, marker=marker(n), markersize=4.5, color=tint, alpha=opacity, zorder=5)


def _draw_force(axes: Any, wheel: WheelFrames, view: RideView, k: int, strongest: float) -> None:
    if not wheel.load[k] > 0.0:
        return
    reach = wheel.force[k] * (_ARROW * wheel.radius / strongest)
    foot, tip = view.project(wheel.contact[k]), view.project(wheel.contact[k] + reach)
    arrow = {
        "arrowstyle": "-|>,head_width=0.15,head_length=0.3", "color": _FORCE, "linewidth": 1.0,
        "shrinkA": 0, "shrinkB": 0,
    }  # fmt: skip
    axes.annotate("", tip, foot, arrowprops=arrow, zorder=6)


def _name_what_is_drawn(
    axes: Any, ride: RideFrames, chosen: Sequence[int], strongest: float
) -> None:
    from matplotlib.lines import Line2D

    names = [in_words(vehicle.name) for vehicle in ride.vehicles]
    handles = [
        Line2D([], [], color=colour(n), marker=marker(n), linewidth=1.3, label=name)
        for n, name in enumerate(names)
    ]
    force = f"ground force, up to {strongest:.0f} N"
    handles.append(Line2D([], [], color=_FORCE, linewidth=1.5, marker=">", ms=4, label=force))
    wide = {**LEGEND_ABOVE, "borderaxespad": 0.4, "columnspacing": 2.0}
    axes.legend(handles=handles, ncols=len(handles), **wide)
    instants = ", ".join(f"{ride.time[k]:g}" for k in chosen)
    axes.set_title(f"at {instants} s", loc="right", fontsize=SMALL, fontweight="normal")


def _fit_axes(figure: Figure, axes: Any, view: RideView) -> None:
    """In one scale both ways, as large as the paper is wide."""
    axes.autoscale_view()
    if view.labels is None:  # the numbers of the mesh are those of the picture
        axes.set_axis_off()
    else:
        axes.set_xlabel(f"{view.labels[0]} [m]")
        axes.set_ylabel(f"{view.labels[1]} [m]")
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    wide = WIDTH - _LEFT - _RIGHT
    drawn = float(np.clip(wide * (high - low) / (right - left), *HEIGHTS))
    height = drawn + _BELOW + _ABOVE
    figure.set_size_inches(WIDTH, height)
    axes.set_position((_LEFT / WIDTH, _BELOW / height, wide / WIDTH, drawn / height))
    axes.set_aspect("equal", adjustable="datalim")


_AROUND = 49  # points of a wheel's circle


class RideError(AxletreeError):
    """A drive that cannot be shown."""


@dataclass(frozen=True)
class WheelFrames:
    """A wheel along a run; rows are instants."""

    name: str  # of the tyre
    radius: float  # [m], unloaded
    centre: np.ndarray  # [m]
    circle: np.ndarray  # instants by points by 3 [m], the wheel's unloaded circle
    contact: np.ndarray  # [m], the contact point, or the place below a wheel in the air
    force: np.ndarray  # [N], of the ground on the tyre
    load: np.ndarray  # Fz [N]


@dataclass(frozen=True)
class VehicleFrames:
    """What is joined together: its heaviest body, and its wheels."""

    name: str  # of the body
    centre: np.ndarray  # [m], its centre of mass
    wheels: tuple[WheelFrames, ...]


@dataclass(frozen=True)
class RideFrames:
    """All vehicles of a model along a run, and the ground."""

    time: np.ndarray  # [s]
    vehicles: tuple[VehicleFrames, ...]
    surface: Surface

    @property
    def wheels(self) -> tuple[WheelFrames, ...]:
        return tuple(wheel for vehicle in self.vehicles for wheel in vehicle.wheels)


def ride_frames(model: Model, run: Trajectory) -> RideFrames:
    """From a run that has recorded all outputs, or those of bodies and tyres.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.ride import ride_frames
    >>> model = at.read_model("rolling-tyre")
    >>> run = model.formulate().simulate(0.02, step=2e-3)
    >>> (wheel,) = ride_frames(model, run).wheels
    >>> print(wheel.name, wheel.radius, wheel.circle.shape)  # instants, points, x to z
    tyre 0.2469 (11, 49, 3)
    """
    shown = [w for w in wheels_of(model) if w.road == GROUND and w.outputs.contact_frame]
    if not shown:
        raise RideError(
            f"{model.name} has no wheel on the ground that tells where it touches it, so that "
            "there is no drive to show; expected a tyre, or a wheel with a contact point as output"
        )
    vehicles = []
    for bodies in _joined(model):
        wheels = [_wheel(wheel, run) for wheel in shown if wheel.rim_frame.body in bodies]
        if wheels:
            name, centre = _heaviest(model, bodies, run, wheels)
            vehicles.append(VehicleFrames(name, centre, tuple(wheels)))
    return RideFrames(run.time, tuple(vehicles), shown[0].surface)


def _joined(model: Model) -> list[set[str]]:
    """Names of bodies that joints connect, the ground left out."""
    bodies = {frame.name: frame.body for frame in model.frames.values()}
    groups = [{name} for name in dict.fromkeys(bodies.values()) if name != GROUND.body]
    for component in model:
        for edge in component.edges():
            ends = {bodies.get(edge.tail), bodies.get(edge.head)}
            touched = [group for group in groups if group & ends]
            if GROUND.body not in ends and len(touched) == 2:
                groups = [group for group in groups if group not in touched]
                groups.append(touched[0] | touched[1])
    return groups


def _heaviest(
    model: Model, bodies: set[str], run: Trajectory, wheels: Sequence[WheelFrames]
) -> tuple[str, np.ndarray]:
    """The heaviest body and the course of its centre of mass; a wheel by itself is its own."""
    heavy = [c for c in model if isinstance(c, RigidBody | BodyOfRevolution) and c.name in bodies]
    if not heavy:
        return wheels[0].name, wheels[0].centre
    body = max(heavy, key=lambda c: c.mass)
    position, R = _pose(run, body.name)
    offset = body.centre_of_mass if isinstance(body, RigidBody) else (0.0, 0.0, 0.0)
    return body.name, position + R @ np.array(offset)


def _wheel(wheel: Wheel, run: Trajectory) -> WheelFrames:
    head, radius = wheel.rim_frame, wheel.drawn_radius({})
    position, R = _pose(run, head.body)
    centre = position + R @ np.array(head.position)
    axis = np.array(head.turn) @ np.array(wheel.axis)
    across = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = np.cross(axis, across)
    first /= np.linalg.norm(first)
    second = np.cross(axis, first)
    angles = np.linspace(0.0, 2.0 * np.pi, _AROUND)[:, None]
    ring = radius * (np.cos(angles) * first + np.sin(angles) * second)
    frame = np.stack([column(run, name) for name in wheel.contact_names()], axis=1)
    point, along, normal = frame[:, 0:3], frame[:, 3:6], frame[:, 6:9]
    forces = [column(run, name)[:, None] for name in wheel.force_names(run)]
    pairs = zip(forces, (normal, along, np.cross(normal, along)), strict=False)
    force = sum((size * direction for size, direction in pairs), np.zeros_like(point))
    circle = centre[:, None, :] + np.einsum("tij,kj->tki", R, ring)
    return WheelFrames(wheel.name, radius, centre, circle, point, force, forces[0][:, 0])


def _pose(run: Trajectory, body: str) -> tuple[np.ndarray, np.ndarray]:
    values = np.stack([column(run, name) for name in pose_names(body)], axis=1)
    return values[:, :3], values[:, 3:].reshape(-1, 3, 3)


def column(run: Trajectory, name: str) -> np.ndarray:
    """What was recorded under a name."""
    if name not in run.columns:
        raise RideError(
            f"the run has not recorded {name}; record all outputs (leave outputs out), or this one"
        )
    return run.columns[name]


# The ground under a drive: its profile from the side, its mesh with numbers from elsewhere.

_LINE: Final = "#b9b3a6"
_LINES: Final = 13  # at most, of the mesh across; along it they are as far apart
_MOST: Final = 60  # lines along it
ROUND: Final = (1.0, 2.0, 5.0, 10.0)  # times powers of ten: distances between lines
_MARGIN: Final = 2.0  # radii of wheels around the path
NUMBERS: Final = 10  # at most, along the longer side
EVERY: Final = (1, 2, 5, 10)  # so many lines one of them has its number
_AWAY: Final = 4.0  # points between the mesh and its numbers; axes have their names at four of it

_Points = np.ndarray
_Edge = Callable[[float], _Points]  # of the mesh, by a number along it


def draw_ground(axes: Any, ride: RideFrames, view: RideView, chosen: Sequence[int]) -> None:
    """Under all that is shown. From above there is nothing to see but a plan, which axes have."""
    low, high = _limits(ride, chosen)
    if view.labels is None:
        _draw_mesh(axes, ride, view, low, high)
    elif view.labels[1].endswith("z"):
        along = 0 if view.labels[0].endswith("x") else 1
        fine = np.linspace(low[along], high[along], 400)
        for depth in np.linspace(low[1 - along], high[1 - along], _LINES):
            across = np.full(400, depth)
            x, y = (across, fine) if along else (fine, across)
            _draw_line(axes, ride, view, x, y, 0.8)


def _limits(ride: RideFrames, chosen: Sequence[int]) -> tuple[_Points, _Points]:
    margin = _MARGIN * max(wheel.radius for wheel in ride.wheels)
    places = np.concatenate([w.contact[min(chosen) : max(chosen) + 1] for w in ride.wheels])
    return places.min(axis=0)[:2] - margin, places.max(axis=0)[:2] + margin


def _draw_mesh(axes: Any, ride: RideFrames, view: RideView, low: _Points, high: _Points) -> None:
    sides = high - low
    spacing = _rounded(max(float(sides.max()) / _MOST, float(sides.min()) / _LINES))
    first, last = np.floor(low / spacing), np.ceil(high / spacing)
    xs, ys = (spacing * np.arange(a, b + 1) for a, b in zip(first, last, strict=True))
    fine_x, fine_y = np.linspace(xs[0], xs[-1], 400), np.linspace(ys[0], ys[-1], 200)
    for y in ys:
        _draw_line(axes, ride, view, fine_x, np.full_like(fine_x, y), 0.5)
    for x in xs:
        _draw_line(axes, ride, view, np.full_like(fine_y, x), fine_y, 0.5)

    count = max(len(xs), len(ys)) / NUMBERS
    step = spacing * next(n for n in EVERY if n >= count or n == EVERY[-1])
    for name, lines, across in (("x", xs, ys), ("y", ys, xs)):
        edges = [partial(_place_on_ground, ride, view, name, float(end)) for end in across[[0, -1]]]
        centre = _place_on_ground(ride, view, name, float(across.mean()), float(lines.mean()))
        _number(axes, name, lines, step, centre, edges)


def _place_on_ground(
    ride: RideFrames, view: RideView, name: str, across: float, along: float
) -> _Points:
    """On the paper, of a point of the ground by its number along the axis of this name."""
    x, y = (along, across) if name == "x" else (across, along)
    return np.asarray(view.project(_on_ground(ride, np.array([x]), np.array([y])))[0])


def _number(
    axes: Any, name: str, lines: _Points, step: float, centre: _Points, edges: Sequence[_Edge]
) -> None:
    """At that edge which is lower on the paper, or at the right one; with the name of the axis."""
    middles = [edge(float(lines.mean())) for edge in edges]
    level = abs(middles[1][1] - middles[0][1]) < 1e-6
    k = int(np.argmax([m[0] for m in middles]) if level else np.argmin([m[1] for m in middles]))
    edge, middle = edges[k], middles[k]
    along = edge(float(lines[-1])) - edge(float(lines[0]))
    out = np.array([along[1], -along[0]]) / np.linalg.norm(along)
    out = out if out @ (middle - centre) > 0.0 else -out
    aside = "center" if abs(out[0]) < 0.5 else "left" if out[0] > 0.0 else "right"
    upright = "center" if abs(out[1]) < 0.5 else "bottom" if out[1] > 0.0 else "top"
    words = {"textcoords": "offset points", "ha": aside, "va": upright, "fontsize": SMALL}
    ticks = step * np.arange(math.ceil(lines[0] / step), math.floor(lines[-1] / step) + 1)
    for tick in ticks:
        text = f"{tick + 0.0:.6g}".replace("-", "\N{MINUS SIGN}")
        axes.annotate(text, edge(float(tick)), xytext=_AWAY * out, color=GREY, **words)
    axes.annotate(f"{name} [m]", middle, xytext=4.0 * _AWAY * out, **words)


def _draw_line(
    axes: Any, ride: RideFrames, view: RideView, x: _Points, y: _Points, width: float
) -> None:
    points = view.project(_on_ground(ride, x, y))
    axes.plot(*points.T, color=_LINE, linewidth=width, zorder=1)


def _on_ground(ride: RideFrames, x: _Points, y: _Points) -> _Points:
    z = ride.surface.height(x, y, ride.surface.numbers)
    return np.stack([x, y, np.broadcast_to(np.asarray(z, dtype=float), x.shape)], axis=-1)


def _rounded(distance: float) -> float:
    """The next greater round one."""
    power = 10.0 ** math.floor(math.log10(distance))
    return next(f * power for f in ROUND if f * power >= distance * (1.0 - 1e-9))


_NOTHING = 5e-3  # of 1, the part of an axis that is not seen


@dataclass(frozen=True)
class RideView:
    """At azimuth 0 x goes to the right; at elevation 0 a drive is seen from the side, at 90 degrees
    from above. Both are in rad.

    Example:
    >>> from axletree.plot.ride import RideView
    >>> RideView().labels  # from the side
    ('x', 'z')
    """

    azimuth: float = 0.0  # [rad], about z
    elevation: float = 0.0  # [rad], of the eye above the horizon

    def project(self, points: np.ndarray) -> np.ndarray:
        """To the right and up on the paper [m]; the last axis of points is x, y, z [m].

        Example:
        >>> import math
        >>> import numpy as np
        >>> from axletree.plot.ride import RideView
        >>> above = RideView(elevation=math.radians(90.0))
        >>> above.project(np.array([3.0, 2.0, 1.0])).round(6).tolist()  # m
        [3.0, 2.0]
        """
        right = np.array([math.cos(self.azimuth), math.sin(self.azimuth), 0.0])
        depth = np.array([-right[1], right[0], 0.0])
        up = depth * math.sin(self.elevation) + np.array([0.0, 0.0, math.cos(self.elevation)])
        return np.stack([points @ right, points @ up], axis=-1)

    @property
    def labels(self) -> tuple[str, str] | None:
        """The axes of the ground that go right and up on the paper, such as x and z, y and -x;
        None where the view is oblique, so that no axis is one of the paper.
        """
        right, up = (_axis(parts) for parts in self.project(np.eye(3)).T)
        return (right, up) if right and up else None


def _axis(parts: np.ndarray) -> str:
    """The name of a direction by its parts along x, y and z; empty if it is along none of them."""
    seen = np.flatnonzero(np.abs(parts) >= _NOTHING)
    if len(seen) != 1:
        return ""
    return ("-" if parts[seen[0]] < 0.0 else "") + "xyz"[seen[0]]
