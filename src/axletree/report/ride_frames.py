"""What a picture or an animation of a drive needs: wheels, bodies, contact points, forces.

All of it is in the axes of the ground, at the instants that a run has recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.core.errors import AxletreeError
from axletree.library.bodies import BodyOfRevolution, RigidBody
from axletree.library.frame import GROUND
from axletree.library.surfaces.contract import Surface
from axletree.library.tyres.tyre import Tyre
from axletree.model.model import Model
from axletree.simulation.trajectory import Trajectory

AROUND = 49  # points of a wheel's circle


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
    >>> from axletree.report.ride_frames import ride_frames
    >>> model = at.read_model("rolling-tyre")
    >>> run = model.formulate().simulate(0.02, step=2e-3)
    >>> (wheel,) = ride_frames(model, run).wheels
    >>> print(wheel.name, wheel.radius, wheel.circle.shape)  # instants, points, x to z
    tyre 0.2469 (11, 49, 3)
    """
    tyres = [c for c in model if isinstance(c, Tyre) and c.road == GROUND]
    if not tyres:
        raise RideError(
            f"{model.name} has no tyre on the ground, so that there is no drive to show"
        )
    groups = _joined(model)
    vehicles = []
    for bodies in groups:
        wheels = [_wheel(tyre, model, run) for tyre in tyres if _wheel_body(tyre, model) in bodies]
        if wheels:
            name, centre = _heaviest(model, bodies, run, wheels)
            vehicles.append(VehicleFrames(name, centre, tuple(wheels)))
    return RideFrames(run.time, tuple(vehicles), tyres[0].surface)


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


def _wheel_body(tyre: Tyre, model: Model) -> str:
    return model.frames[tyre.axle.head].body


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


def _wheel(tyre: Tyre, model: Model, run: Trajectory) -> WheelFrames:
    head = model.frames[tyre.axle.head]
    position, R = _pose(run, head.body)
    centre = position + R @ np.array(head.position)
    axis = np.array(head.turn) @ np.array(tyre.axis)
    across = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = np.cross(axis, across)
    first /= np.linalg.norm(first)
    second = np.cross(axis, first)
    angles = np.linspace(0.0, 2.0 * np.pi, AROUND)[:, None]
    ring = tyre.unloaded_radius * (np.cos(angles) * first + np.sin(angles) * second)
    along, normal = _vectors(run, tyre.name, "forward"), _vectors(run, tyre.name, "normal")
    Fx, Fy, Fz = (column(run, f"{tyre.name}.{name}")[:, None] for name in ("Fx", "Fy", "Fz"))
    return WheelFrames(
        tyre.name,
        tyre.unloaded_radius,
        centre,
        centre[:, None, :] + np.einsum("tij,kj->tki", R, ring),
        _vectors(run, tyre.name, "contact_point"),
        Fx * along + Fy * np.cross(normal, along) + Fz * normal,
        Fz[:, 0],
    )


def _pose(run: Trajectory, body: str) -> tuple[np.ndarray, np.ndarray]:
    turns = [column(run, f"{body}.rotation.{i}{j}") for i in (1, 2, 3) for j in (1, 2, 3)]
    return _vectors(run, body, "position"), np.stack(turns, axis=1).reshape(-1, 3, 3)


def _vectors(run: Trajectory, owner: str, word: str) -> np.ndarray:
    return np.stack([column(run, f"{owner}.{word}.{axis}") for axis in "xyz"], axis=1)


def column(run: Trajectory, name: str) -> np.ndarray:
    """What was recorded under a name."""
    columns: Mapping[str, np.ndarray] = run.columns
    if name not in columns:
        raise RideError(
            f"the run has not recorded {name}; record all outputs (leave outputs out), or this one"
        )
    return columns[name]
