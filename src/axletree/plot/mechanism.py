"""The mechanism at a few instants: bodies as lines and areas between their frames, wheels as
circles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from os.path import commonprefix
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from axletree.components.frames import GROUND, Frame
from axletree.model.model import Model
from axletree.plot.labels import side_of_line
from axletree.plot.style import COLOURS, GREY, INK, PAPER, blank_figure, colour, dash, in_style
from axletree.simulation.instant import state
from axletree.simulation.recomputed_outputs import outputs_along
from axletree.simulation.signals import InputSignal
from axletree.simulation.trajectory import Trajectory, thinned_records
from axletree.system.system import System
from axletree.wheel.wheel import wheels_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INSTANTS = 4
ICON_SIZE = 2.0  # inches
PANEL_WIDTH, PANEL_ALONE = 2.5, 5.2  # inches, of one that stands among others and of a single one
LEGEND_SAMPLE, LEGEND_LETTER = 0.7, 0.07  # inches of an entry: of its line, and of each letter
VIEWS = ((0, 2), (0, 1), (1, 2))  # axes to the right and up: side, top, front
_FLAT = 0.02  # a mechanism thinner than this part of its size is drawn in one view
FOLLOW = 4.0  # sizes of the mechanism that it may travel before the view follows it


@in_style
def draw_mechanism(poses: MechanismPoses) -> Figure:
    """A row of instants for each view that shows something; the paths of bodies are faint."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    views, chosen = _views(poses), _telling_instants(poses)
    width = PANEL_WIDTH if len(chosen) > 1 else PANEL_ALONE
    heights = [_panel_height(poses, view, chosen, width) for view in views]
    wide = width * len(chosen) + 0.6
    parts = mechanism_parts(poses)
    longest = max(len(part.name) for part in parts)
    columns = max(1, int(wide // (LEGEND_SAMPLE + LEGEND_LETTER * longest)))
    legend = 0.3 + 0.2 * ((len(parts) - 1) // columns)
    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12)
    figure = blank_figure(wide, sum(heights) + legend, layout)
    grid = figure.subplots(len(views), len(chosen), squeeze=False, height_ratios=heights)
    for row, view in zip(grid, views, strict=True):
        for axes, k in zip(row, chosen, strict=True):
            _draw_instant(axes, poses, parts, view, k)
            axes.set_title(f"t = {poses.time[k]:.3g} s")
        row[0].set_ylabel(f"{'xyz'[view[1]]} [m]")
    _name_parts(figure, parts, columns)
    return figure


@in_style
def draw_icon(poses: MechanismPoses) -> Figure:
    """The first instant alone, without axes and names, in the view in which most is seen."""
    figure = blank_figure(ICON_SIZE, ICON_SIZE)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    view = _views(poses)[0]
    if poses.wheels:  # the ground of a vehicle is where it is
        poses = replace(poses, fixed=poses.fixed[:0])
    _draw_instant(axes, poses, mechanism_parts(poses), view, 0)
    low, high = _limits(poses, view, 0)
    middle, half = 0.5 * (low + high), 0.5 * float((high - low).max())
    axes.set(xlim=(middle[0] - half, middle[0] + half), ylim=(middle[1] - half, middle[1] + half))
    axes.set_axis_off()
    return figure


def _telling_instants(poses: MechanismPoses) -> list[int]:
    """The first instant, then those that look least like the ones before; in order of time."""
    shapes = np.concatenate([p.reshape(len(p), -1) for p in poses.bodies.values()], axis=1)
    chosen = [0]
    gap = np.linalg.norm(shapes - shapes[0], axis=1)
    while len(chosen) < INSTANTS and gap.max() > 0.0:
        chosen.append(int(np.argmax(gap)))
        gap = np.minimum(gap, np.linalg.norm(shapes - shapes[chosen[-1]], axis=1))
    return sorted(chosen)


def _panel_height(
    poses: MechanismPoses, view: tuple[int, int], chosen: Sequence[int], width: float
) -> float:
    """As high as the drawing is for its width, within reason; titles and ticks on top."""
    spans = [high - low for low, high in (_limits(poses, view, k) for k in chosen)]
    ratio = max(float(span[1] / span[0]) for span in spans)
    return float(np.clip(width * ratio, 0.9, 3.2)) + 0.75


def _views(poses: MechanismPoses) -> Sequence[tuple[int, int]]:
    """The plane of a plane mechanism; side and top view of any other."""
    spread = np.ptp(poses.every_point, axis=0)
    thin = int(np.argmin(spread))
    if spread[thin] <= _FLAT * spread.max():
        return [view for view in VIEWS if thin not in view]
    return VIEWS[:2]


def _draw_instant(
    axes: Any, poses: MechanismPoses, parts: Sequence[MechanismPart], view: tuple[int, int], k: int
) -> None:
    for part in parts:
        main = part.paths[0][:, 0][:, view]
        axes.plot(main[:, 0], main[:, 1], color=part.colour, alpha=0.25, linewidth=1.0)
        for path in part.paths:
            _draw_body(axes, path[k][:, view], part, 6.0 if poses.wheels else 11.0)
    for wheel in poses.wheels:
        outline = _hull(wheel[k][:, view])
        axes.fill(*outline.T, facecolor=INK, alpha=0.25)
        axes.plot(*np.vstack([outline, outline[:1]]).T, color=INK, linewidth=3.0)
    for tie in poses.ties:
        axes.plot(*tie[k][:, view].T, color=GREY, linestyle=(0, (1, 1)), linewidth=1.4)
    if len(poses.fixed):
        axes.plot(*poses.fixed[:, view].T, marker="^", markersize=9, linestyle="", color=INK)
    axes.set_aspect("equal", adjustable="box")
    axes.set_xlabel(f"{'xyz'[view[0]]} [m]")
    axes.set(**dict(zip(("xlim", "ylim"), zip(*_limits(poses, view, k), strict=True), strict=True)))


def _draw_body(axes: Any, points: np.ndarray, part: MechanismPart, size: float) -> None:
    outline, tint = _hull(points), part.colour
    if len(outline) == 1:
        axes.plot(*outline.T, marker="s", markersize=size, color=tint, alpha=0.8)
    elif len(outline) == 2:
        axes.plot(*outline.T, color=tint, linestyle=part.dash, linewidth=4.0,
                  solid_capstyle="round", alpha=0.85)  # fmt: skip
    else:
        axes.fill(*outline.T, facecolor=tint, alpha=0.25)
        closed = np.vstack([outline, outline[:1]])
        axes.plot(*closed.T, color=tint, linestyle=part.dash, linewidth=2.0)
    if len(points) > 1:
        axes.plot(
            *points.T, marker="o", markersize=4, linestyle="", color=PAPER, markeredgecolor=tint
        )


def _hull(points: np.ndarray) -> np.ndarray:
    """The corners of the convex hull in order; two for a line, one for a point."""
    scale = float(np.ptp(points, axis=0).max()) or 1.0
    unique = np.unique(np.round(points / scale, 6), axis=0) * scale
    least = 1e-6 * scale**2
    if len(unique) < 3:
        return np.asarray(unique)

    def chain(ordered: Sequence[np.ndarray]) -> list[np.ndarray]:
        corners: list[np.ndarray] = []
        for point in ordered:
            while len(corners) > 1 and side_of_line(corners[-2], corners[-1], point) <= least:
                corners.pop()
            corners.append(point)
        return corners[:-1]

    return np.array(chain(list(unique)) + chain(list(unique[::-1])))


def _limits(poses: MechanismPoses, view: tuple[int, int], k: int) -> tuple[np.ndarray, np.ndarray]:
    """Of all instants, or around this one where the mechanism travels far."""
    every = poses.every_point[:, view]
    together = poses.together[:, :, view]
    size = float(np.ptp(together, axis=1).max())
    if size > 0.0 and np.ptp(every, axis=0).max() > FOLLOW * size:
        middle = 0.5 * (together[k].min(axis=0) + together[k].max(axis=0))
        return middle - 0.75 * size, middle + 0.75 * size
    pad = 0.08 * max(float(np.ptp(every, axis=0).max()), 1e-2)
    return every.min(axis=0) - pad, every.max(axis=0) + pad


def _name_parts(figure: Figure, parts: Sequence[MechanismPart], columns: int) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=part.colour, linestyle=part.dash, linewidth=4.0, label=part.name)
        for part in parts
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=columns)


# What is distinguished in a picture of a mechanism: bodies, or several that stay together.

_TOGETHER: Final = 0.02  # of the size of the mechanism, that main frames are apart at most


@dataclass(frozen=True, eq=False)
class MechanismPart:
    """Bodies at one place, in one colour and line; no two parts have both alike."""

    name: str
    paths: tuple[np.ndarray, ...]  # of each body: instants by frames by 3; the main frame first
    colour: str
    dash: Any


def mechanism_parts(poses: MechanismPoses) -> list[MechanismPart]:
    """Wheels have the first colours, as in plots and animations; other parts of a vehicle have the
    last ones."""
    near = _TOGETHER * float(np.ptp(poses.together, axis=1).max())
    groups = _groups(poses.bodies, near)
    turning = [k for wheel in poses.wheels if (k := _carrier(wheel, groups, near)) is not None]
    first = list(dict.fromkeys(turning))
    rest = [k for k in range(len(groups)) if k not in first]
    last = list(range(len(COLOURS) - 1, len(first) - 1, -1)) if first else []
    # After the last colour they begin again, with another line.
    free = [*last, *range(len(first) + len(last), len(first) + len(last) + len(rest))]
    number = dict(zip([*first, *rest], [*range(len(first)), *free], strict=False))
    return [
        MechanismPart(_named(list(group)), tuple(group.values()), colour(number[k]),
             dash(number[k] // len(COLOURS)))
        for k, group in enumerate(groups)
    ]  # fmt: skip


def _groups(bodies: Mapping[str, np.ndarray], near: float) -> list[dict[str, np.ndarray]]:
    """Bodies whose main frames stay near that of the first of them."""
    groups: list[dict[str, np.ndarray]] = []
    for name, path in bodies.items():
        for group in groups:
            first = next(iter(group.values()))
            if np.linalg.norm(first[:, 0] - path[:, 0], axis=1).max() <= near:
                group[name] = path
                break
        else:
            groups.append({name: path})
    return groups


def _carrier(
    wheel: np.ndarray, groups: Sequence[Mapping[str, np.ndarray]], near: float
) -> int | None:
    """The group at the centre of a wheel."""
    centre = wheel.mean(axis=1)
    firsts = [next(iter(group.values()))[:, 0] for group in groups]
    away = [float(np.linalg.norm(first - centre, axis=1).max()) for first in firsts]
    k = int(np.argmin(away))
    return k if away[k] <= near else None


def _named(names: Sequence[str]) -> str:
    """``front left: carrier, wheel``, of front_left_carrier and front_left_wheel."""
    words = [name.split("_") for name in names]
    shared = len(commonprefix([word[:-1] for word in words])) if len(words) > 1 else 0
    ends = ", ".join(" ".join(word[shared:]) for word in words)
    return f"{' '.join(words[0][:shared])}: {ends}" if shared else ends


PATH_POINTS = 800


@dataclass(frozen=True)
class MechanismPoses:
    """Points of bodies along a run [m, ground axes]."""

    time: np.ndarray
    bodies: Mapping[str, np.ndarray]  # instants by frames by 3; the main frame first
    fixed: np.ndarray  # frames of the ground that components are joined to
    ties: Sequence[np.ndarray]  # springs and other loads: instants by 2 by 3
    wheels: Sequence[np.ndarray] = ()  # circles: instants by corners by 3

    @property
    def together(self) -> np.ndarray:
        """What moves: instants by points by 3."""
        return np.concatenate([*self.bodies.values(), *self.wheels], axis=1)

    @property
    def every_point(self) -> np.ndarray:
        return np.concatenate([self.together.reshape(-1, 3), self.fixed])


def mechanism_poses(
    system: System,
    model: Model,
    run: Trajectory,
    *,
    inputs: Mapping[str, InputSignal],
    parameters: Mapping[str, float],
) -> MechanismPoses | None:
    """Where the frames of all moving bodies are; None if they all stay in one point."""
    known = {definition.quantity.name for definition in system.outputs}
    frames = [f for f in model.frames.values() if f"{f.body}.position.x" in known]
    bodies = list(dict.fromkeys(frame.body for frame in frames))
    if not bodies or not len(run):
        return None
    names = [name for body in bodies for name in pose_names(body)]
    records = thinned_records(run, (name for name in names if ".position." in name), PATH_POINTS)
    values = outputs_along(
        system, run, names, records.tolist(), inputs=inputs, parameters=parameters
    )
    places = {frame: _path(frame, values) for frame in frames}
    by_body = {
        body: np.stack([places[f] for f in frames if f.body == body], axis=1) for body in bodies
    }
    wheels = wheel_outlines(
        model, lambda body: _turns(body, values) if body in by_body else None, places, parameters
    )
    ties = _ties(model, places)
    poses = MechanismPoses(run.time[records], by_body, _fixed(model), ties, list(wheels.values()))
    return poses if np.ptp(poses.every_point, axis=0).max() > 1e-9 else None


def poses_at_start(system: System, model: Model) -> MechanismPoses | None:
    """Where they are at the start of the model."""
    return mechanism_poses(system, model, first_instant(system), inputs={}, parameters={})


def first_instant(system: System) -> Trajectory:
    """A run of one record, the start of the model.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.mechanism import first_instant
    >>> len(first_instant(at.read_model("pendulum").formulate()))
    1
    """
    states = state(system)
    columns = {name: np.array([value]) for name, value in states.items()}
    units = {quantity.name: quantity.unit for quantity in system.states}
    return Trajectory(system.name, np.zeros(1), columns, units, tuple(states))


def pose_names(body: str) -> list[str]:
    """The outputs that tell where a body is: its position, then its rotation matrix by rows.

    Example:
    >>> from axletree.plot.mechanism import pose_names
    >>> pose_names("rod")[::3]
    ['rod.position.x', 'rod.rotation.11', 'rod.rotation.21', 'rod.rotation.31']
    """
    position = [f"{body}.position.{axis}" for axis in "xyz"]
    return position + [f"{body}.rotation.{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]


def _path(frame: Frame, values: Mapping[str, np.ndarray]) -> np.ndarray:
    origin = np.stack([values[name] for name in pose_names(frame.body)[:3]], axis=1)
    return np.asarray(origin + _turns(frame.body, values) @ np.array(frame.position))


def _turns(body: str, values: Mapping[str, np.ndarray]) -> np.ndarray:
    """The rotation matrices of a body."""
    columns = np.stack([values[name] for name in pose_names(body)[3:]], axis=1)
    return columns.reshape(-1, 3, 3)


def _fixed(model: Model) -> np.ndarray:
    joined = {name for c in model for e in c.edges() for name in (e.tail, e.head)}
    frames = [f for f in model.ground.frames() if f.name in joined]
    return np.array([frame.position for frame in frames]).reshape(-1, 3)


def _ties(model: Model, places: Mapping[Frame, np.ndarray]) -> list[np.ndarray]:
    """Lines between the points of force elements; the ground's origin is no such point."""
    found = []
    for component in model:
        for pair in component.measures():
            ends = [places.get(frame) for frame in pair]
            count = next((len(end) for end in ends if end is not None), 0)
            if GROUND in pair or not count:
                continue
            full = [
                np.tile(np.array(frame.position), (count, 1)) if end is None else end
                for frame, end in zip(pair, ends, strict=True)
            ]
            found.append(np.stack(full, axis=1))
    return found


# Wheels as circles about the axles that carry them, for pictures of mechanisms.

_CORNERS = 32  # of a circle


def wheel_outlines(
    model: Model,
    turns: Callable[[str], np.ndarray | None],
    places: Mapping[Frame, np.ndarray],
    parameters: Mapping[str, float],
) -> dict[str, np.ndarray]:
    """By wheel: instants by corners by 3 [m, ground axes].

    ``turns`` gives the rotation matrices of a body along the run, ``places`` the paths of frames.
    """
    found = {}
    for wheel in wheels_of(model):
        rotations, centre = turns(wheel.carrier.body), places.get(wheel.carrier)
        if rotations is None or centre is None:
            continue
        circle = wheel.drawn_radius(parameters) * _circle(np.array(wheel.axis, dtype=float))
        in_body = circle @ np.array(wheel.carrier.turn, dtype=float).T
        found[wheel.name] = centre[:, None, :] + in_body @ rotations.transpose(0, 2, 1)
    return found


def _circle(axis: np.ndarray) -> np.ndarray:
    """Of radius 1, about the axis."""
    basis = np.linalg.svd(axis[None, :])[2][1:]  # the two directions across
    angles = np.linspace(0.0, 2.0 * np.pi, _CORNERS, endpoint=False)
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], axis=1) @ basis)
