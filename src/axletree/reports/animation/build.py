"""From a model and a run to a scene, with the numbers that stand beside the picture."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from axletree.components.bodies import RigidBody
from axletree.components.frames import GROUND
from axletree.core.units import printed_unit
from axletree.metrics.vehicle_signals import FORWARD_SPEED
from axletree.model.model import Model
from axletree.plot.style import plotted_unit
from axletree.reports.animation.bodies import body_actors, masses, slides
from axletree.reports.animation.ground import grounds, path_marks, plates
from axletree.reports.animation.mesh import frustum
from axletree.reports.animation.motion import (
    AnimationError,
    BodyPoint,
    BodyPoses,
    RunValues,
    body_poses,
)
from axletree.reports.animation.scene import (
    Actor,
    GroundMesh,
    Scene,
    ShownLine,
    ShownPiece,
    ShownSignal,
    ShownTie,
    turned,
)
from axletree.reports.animation.wheels import ShownWheel, shown_wheels
from axletree.simulation.trajectory import Trajectory
from axletree.wheel.wheel import Wheel

MARGIN = 2.5  # sizes of what moves, of uneven ground around the ways of wheels
ROOM = 1.25  # sizes of what moves that a camera sees beside one another
FLAT = 0.02  # what is thinner than this part of its size moves in a plane
FROM_ABOVE = 1.45  # [rad], just short of straight down


def build_scene(model: Model, courses: RunValues, title: str = "") -> Scene:
    """All that can be shown of a run."""
    poses = body_poses(model, courses)
    wheels = shown_wheels(model, poses)
    bodies = body_actors(model, poses, _first_size(model, poses))
    actors = (*bodies, *(wheel.actor for wheel in wheels), *plates(model, wheels, poses))
    if not actors:
        raise AnimationError(f"{model.name} has no body with a shape that can be drawn")
    main = _main(model, bodies) if bodies else wheels[0].actor
    up, seen = _up(model, courses), _seen(actors)
    size = _size(seen, travels=bool(wheels))
    lines, cones = path_marks(model, poses, wheels)
    return Scene(
        title or model.name.replace("_", " "),
        courses.time - courses.time[0] if courses.time[0] < 0 else courses.time,
        up, size, main.name, actors, _focus(seen, travels=bool(wheels)),
        forces=tuple(wheel.force for wheel in wheels if wheel.force is not None),
        trails=_trails(model, main, bodies, wheels),
        lines=lines,
        ties=_ties(model, poses),
        ruts=tuple(wheel.rut for wheel in wheels if wheel.rut is not None),
        grounds=tuple(grounds(wheels, poses, MARGIN * size)) or _floor(seen, up, size),
        fixed=(*(() if wheels else _fixed(model, size)), *cones),
        signals=shown_signals(model, courses, wheels),
        view=_view(poses, wheels, up),
        note=_note(courses.run),
        spread=spread_of(seen, size) if wheels else None,
    )  # fmt: skip


def _note(run: Trajectory) -> str:
    if not run.complete:
        return f"The run ended early: {run.note}"
    return f"Do not rely on this run: {run.note}" if run.note else ""


def _first_size(model: Model, poses: BodyPoses) -> float:
    """How far apart the frames of the model are in its first pose [m]."""
    frames = [f for f in model.frames.values() if f.body in poses]
    spread = np.ptp(np.stack([poses.place(frame)[0] for frame in frames]), axis=0)
    return float(np.linalg.norm(spread)) or 1.0


def _seen(actors: Sequence[Actor]) -> np.ndarray:
    """Corners of a box around all that moves: instants by 2 by 3 [m]."""
    low, high = [], []
    for actor in actors:
        points = np.concatenate([piece.mesh.points for piece in actor.pieces])
        ends = np.array(list(itertools.product(*zip(points.min(0), points.max(0), strict=True))))
        places = np.stack([actor.position + turned(actor.rotation, end) for end in ends])
        low.append(places.min(axis=0))
        high.append(places.max(axis=0))
    return np.stack([np.min(low, axis=0), np.max(high, axis=0)], axis=1)


def _size(seen: np.ndarray, *, travels: bool) -> float:
    """Of what moves, at most instants; of what stays in its place, all of its ways [m]."""
    if travels:
        return float(np.median(np.linalg.norm(seen[:, 1] - seen[:, 0], axis=1)))
    return float(np.linalg.norm(seen[:, 1].max(axis=0) - seen[:, 0].min(axis=0)))


def spread_of(seen: np.ndarray, size: float) -> np.ndarray:
    """From 1 on: of what goes apart, such as two bicycles, no camera loses sight."""
    widths = np.linalg.norm(seen[:, 1] - seen[:, 0], axis=1)
    return np.asarray(np.maximum(1.0, widths / (ROOM * size)))


def _focus(seen: np.ndarray, *, travels: bool) -> np.ndarray:
    """Where the camera looks."""
    if travels:
        return np.asarray(seen.mean(axis=1))
    middle = 0.5 * (seen[:, 0].min(axis=0) + seen[:, 1].max(axis=0))
    return np.tile(middle, (len(seen), 1))


def _main(model: Model, bodies: Sequence[Actor]) -> Actor:
    mass = masses(model)
    named = [actor for actor in bodies if actor.name in ("body", "chassis")]
    return named[0] if named else max(bodies, key=lambda actor: mass.get(actor.name, 0.0))


def _up(model: Model, courses: RunValues) -> tuple[float, ...]:
    quantities = zip(model.gravity_quantities, model.gravity, strict=True)
    gravity = np.array([courses.number(q.name, own) for q, own in quantities])
    size = float(np.linalg.norm(gravity))
    return tuple((-gravity / size).tolist()) if size > 0.0 else (0.0, 0.0, 1.0)


def _trails(
    model: Model, main: Actor, bodies: Sequence[Actor], wheels: Sequence[ShownWheel]
) -> tuple[ShownLine, ...]:
    """The ways of the wheels and of the body that is followed; without wheels, of all bodies."""
    if not wheels:
        return tuple(ShownLine(a.name, a.colour, _centre(model, a)) for a in bodies)
    ways = [ShownLine(w.component.name, w.actor.colour, w.contact) for w in wheels if w.rut is None]
    return (ShownLine(main.name, main.colour, _centre(model, main)), *ways)


def _centre(model: Model, actor: Actor) -> np.ndarray:
    """The way of the centre of mass [m]."""
    body = model[actor.name]
    offset = body.centre_of_mass if isinstance(body, RigidBody) else (0.0, 0.0, 0.0)
    return np.asarray(actor.position + turned(actor.rotation, offset))


def _ties(model: Model, poses: BodyPoses) -> tuple[ShownTie, ...]:
    pairs = tie_ends(model, poses)
    return tuple(ShownTie(start.way(poses), end.way(poses)) for start, end in pairs)


def tie_ends(model: Model, poses: BodyPoses) -> list[tuple[BodyPoint, BodyPoint]]:
    """Between which points there are springs and other force elements, and telescopes.

    The ground's origin is no such point.
    """
    found = []
    for component in model:
        if isinstance(component, Wheel):
            continue
        for pair in component.measures():
            if GROUND in pair or not all(frame.body in poses for frame in pair):
                continue
            start, end = (BodyPoint(f.body, poses.courses.offset(f)) for f in pair)
            found.append((start, end))
    return [*found, *slides(model, poses)]


def _fixed(model: Model, size: float) -> list[ShownPiece]:
    """Feet where joints are on the ground."""
    used = {name for c in model for e in c.edges() for name in (e.tail, e.head)}
    r, found = 0.03 * size, []
    for frame in model.ground.frames():
        if frame.name in used:
            foot = frustum(
                ((-r, r), (-r, r), -2.0 * r), ((-0.3 * r, 0.3 * r), (-0.3 * r, 0.3 * r), 0.0)
            )
            found.append(ShownPiece(foot.placed(np.eye(3), frame.position), "plate"))
    return found


def _floor(seen: np.ndarray, up: Sequence[float], size: float) -> tuple[GroundMesh, ...]:
    """A level plane below everything, where there is no ground."""
    if up[2] < 0.9:
        return ()
    low, high = seen.reshape(-1, 3).min(axis=0) - size, seen.reshape(-1, 3).max(axis=0) + size
    x, y = np.meshgrid((low[0], high[0]), (low[1], high[1]), indexing="ij")
    level = float(seen[..., 2].min()) - 0.05 * size
    return (GroundMesh("", "floor", x, y, np.full_like(x, level), endless=True),)


def _view(
    poses: BodyPoses, wheels: Sequence[ShownWheel], up: Sequence[float]
) -> tuple[float, float]:
    """Across the plane of a plane mechanism, from behind and aside of what drives."""
    if wheels:
        return (-2.3, 0.35)
    points = np.concatenate([p for body, p in poses.position.items() if body != GROUND.body])
    spread = np.ptp(points, axis=0)
    thin = int(np.argmin(spread))
    if spread[thin] > FLAT * spread.max() or spread.max() == 0.0:
        return (-0.9, 0.35)
    if abs(up[thin]) > 0.9:
        return (-np.pi / 2.0, FROM_ABOVE)
    return (-np.pi / 2.0 + 0.35 if thin == 1 else 0.35, 0.2)


_MOST = 6
KILO = 1e3  # N, of the largest force, from which on they are shown in kN
OF_VEHICLE = (
    "forward_speed", "lateral_acceleration", "yaw_rate", "sideslip", "roll", "pitch",
)  # fmt: skip


def shown_signals(
    model: Model, courses: RunValues, wheels: Sequence[ShownWheel]
) -> tuple[ShownSignal, ...]:
    """Of the whole, then of each wheel: how hard the ground pushes, how deep it has sunk."""
    units, names = _units(courses), panel_names(model, courses)
    values = courses.values(names) if names else {}
    found = [_signal(name, values[name], units[name]) for name in names]
    sizes = {w.component.name: np.linalg.norm(w.force.vector, axis=1) for w in wheels if w.force}
    greatest = max((float(size.max()) for size in sizes.values()), default=0.0)
    unit, newtons = ("kN", 1e3) if greatest >= KILO else ("N", 1.0)
    for wheel in wheels:
        owner = wheel.component.name, wheel.actor.colour
        if wheel.force is not None:
            found.append(ShownSignal("force", unit, sizes[owner[0]] / newtons, *owner))
        if wheel.rut is not None:
            found.append(ShownSignal("sinkage", "mm", 1e3 * wheel.rut.sinkage, *owner))
    return tuple(found)


def _units(courses: RunValues) -> dict[str, str]:
    system = courses.system
    computed = (d.quantity for d in (*system.outputs, *system.intermediates))
    own = {q.name: q.unit for q in (*system.states, *computed)}
    return own | dict(courses.run.units)


def panel_names(model: Model, courses: RunValues) -> list[str]:
    """The signals of the whole that are traced beside the scene."""
    units = _units(courses)
    sensed = [f"vehicle.{word}" for word in OF_VEHICLE if courses.has(f"vehicle.{word}")]
    if sensed:
        return sensed
    plotted = [(plot.matches(sorted(units)) or [""])[0] for plot in model.plots]
    known = [name for name in dict.fromkeys(plotted) if name and courses.has(name)]
    if known:
        return known[:_MOST]
    states = [q.name for q in courses.system.states if not q.derivative_of]
    angles = [name for name in states if not name.endswith(("rate", "speed"))]
    return (angles or states)[:_MOST]


def _signal(name: str, values: np.ndarray, unit: str) -> ShownSignal:
    values = np.nan_to_num(np.asarray(values, dtype=float))
    shown, factor = plotted_unit(unit, float(np.abs(values).max(initial=0.0)))
    if name == FORWARD_SPEED:
        shown, factor = "km/h", 3.6
    shown = "" if shown == "1" else printed_unit(shown.replace("deg", "°"))
    label = name.removeprefix("vehicle.").replace("_", " ").replace(".", " ")
    return ShownSignal(label, shown, values * factor)
