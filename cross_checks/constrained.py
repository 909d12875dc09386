"""A disc that rolls and a spatial loop, in Axletree and in Exudyn (Gerstmayr 2023).

Exudyn has every body in coordinates of its own, with Euler parameters, joints as constraints,
and integrates by the generalised-alpha method; Axletree has joint coordinates, and Runge-Kutta.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import axletree as at

Array = np.ndarray
GRAVITY = 9.81
STEPS_PER_SECOND = 10_000


@dataclass(frozen=True)
class Solid:
    """A body of Exudyn at the start, along the ground's axes."""

    mass: float
    inertia: tuple[float, float, float]
    position: Array
    rotation: Array
    velocity: Array
    angular_velocity: Array


class ExudynSystem:
    """Bodies, joints between their points, and positions over time."""

    def __init__(self) -> None:
        import exudyn

        self._exu = exudyn
        self._container = exudyn.SystemContainer()
        self._system = self._container.AddSystem()
        self._ground = self._system.CreateGround(referencePosition=[0, 0, 0])
        self._sensors: list[Any] = []

    def add(self, solid: Solid) -> Any:
        from exudyn.itemInterface import SensorBody
        from exudyn.rigidBodyUtilities import RigidBodyInertia

        inertia = RigidBodyInertia(mass=solid.mass, inertiaTensor=np.diag(solid.inertia))
        body = self._system.CreateRigidBody(
            inertia=inertia, referencePosition=list(solid.position),
            referenceRotationMatrix=solid.rotation, initialVelocity=list(solid.velocity),
            initialAngularVelocity=list(solid.angular_velocity), gravity=[0, 0, -GRAVITY],
            nodeType=self._exu.NodeType.RotationEulerParameters,
        )  # fmt: skip
        sensor = SensorBody(
            bodyNumber=body,
            storeInternal=True,
            outputVariableType=self._exu.OutputVariableType.Position,
        )
        self._sensors.append(self._system.AddSensor(sensor))
        return body

    def point(self, body: Any, place: Sequence[float]) -> Any:
        from exudyn.itemInterface import MarkerBodyRigid

        number = self._ground if body is None else body
        return self._system.AddMarker(MarkerBodyRigid(bodyNumber=number, localPosition=list(place)))

    def join(self, joint: Any) -> None:
        self._system.AddObject(joint)

    def run(self, duration: float) -> list[Array]:
        """Positions of all bodies, a hundred a second: columns x, y, z."""
        self._system.Assemble()
        settings = self._exu.SimulationSettings()
        integration = settings.timeIntegration
        integration.numberOfSteps = round(STEPS_PER_SECOND * duration)
        integration.endTime = duration
        integration.newton.useModifiedNewton = False
        integration.newton.relativeTolerance = 1e-10
        integration.newton.absoluteTolerance = 1e-12
        integration.generalizedAlpha.spectralRadius = 0.9
        integration.verboseMode = 0
        settings.solution.file.write = False
        settings.solution.sensors.writePeriod = 0.01
        self._system.SolveDynamic(settings)
        return [self._system.GetSensorStoredData(sensor)[:, 1:4] for sensor in self._sensors]


# -- A disc (Exudyn's ObjectJointRollingDisc) ---------------------------------------------------
MASS, RADIUS = 2.0, 0.3
AXIAL, TRANSVERSE = 0.5 * MASS * RADIUS**2, 0.25 * MASS * RADIUS**2
LEAN, LEANING, YAWING, SPINNING = 0.4, 0.2, 0.7, 9.0  # rad, rad/s


def disc_by_axletree(duration: float) -> Array:
    model = at.Model("disc", gravity=(0.0, 0.0, -GRAVITY))
    sled, post = model.add(at.MasslessBody("sled")), model.add(at.MasslessBody("post"))
    carrier = model.add(at.MasslessBody("carrier"))
    wheel = model.add(at.BodyOfRevolution("wheel", MASS, AXIAL, TRANSVERSE, axis="y"))
    model.add(at.Planar("place", model.ground, sled))
    model.add(at.Prismatic("lift", sled, post, axis="z"))
    model.add(at.Revolute("lean", post, carrier, axis="x"))
    axle = model.add(at.Revolute("axle", carrier, wheel, axis="y"))
    model.add(
        at.Tyre(
            "tyre", axle, model.ground, unloaded_radius=RADIUS, normal_force="none", law="no-slip"
        )
    )
    model.start = {"lift.position": RADIUS}
    start = {"lean.angle": LEAN, "lean.rate": LEANING, "place.rate": YAWING, "axle.rate": SPINNING}
    names = [f"wheel.position.{axis}" for axis in "xyz"]
    run = model.formulate().simulate(
        duration, step=1e-3, record_interval=0.01, initial=start, outputs=names
    )
    return np.array([run[name] for name in names]).T


def disc_by_exudyn(duration: float) -> Array:
    from exudyn.itemInterface import ObjectJointRollingDisc

    c, s = math.cos(LEAN), math.sin(LEAN)
    rotation = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    upwards = rotation[:, 2]  # in the plane of the disc
    turning = np.array([LEANING, 0.0, YAWING]) + SPINNING * rotation[:, 1]
    moving = RADIUS * np.cross(turning, upwards)
    system = ExudynSystem()
    place = np.array([0.0, 0.0, RADIUS * c])
    inertia = (TRANSVERSE, AXIAL, TRANSVERSE)
    body = system.add(Solid(MASS, inertia, place, rotation, moving, turning))
    points = [system.point(None, (0, 0, 0)), system.point(body, (0, 0, 0))]
    system.join(
        ObjectJointRollingDisc(
            markerNumbers=points, discRadius=RADIUS, discAxis=[0, 1, 0], planeNormal=[0, 0, 1]
        )
    )
    return system.run(duration)[0]


# -- A spatial loop: revolute, spherical, spherical, revolute ------------------------------------
CRANK, PIVOT, ROCKER = (0.3, 0.0, 0.0), (0.2, 1.0, 0.0), (0.0, 0.0, 0.5)  # m, at the start
COUPLER = tuple(p + r - c for p, r, c in zip(PIVOT, ROCKER, CRANK, strict=True))
MASSES = (2.0, 3.0, 4.0)
INERTIAS = ((0.01, 0.03, 0.03), (0.3, 0.05, 0.27), (0.1, 0.12, 0.02))


def loop_by_axletree(duration: float) -> list[Array]:
    model = at.Model("loop", gravity=(0.0, 0.0, -GRAVITY))
    ends = []
    names = ("crank", "coupler", "rocker")
    for name, mass, inertia, span in zip(
        names, MASSES, INERTIAS, (CRANK, COUPLER, ROCKER), strict=True
    ):
        body, half = model.add(at.RigidBody(name, mass, inertia)), np.array(span) / 2
        ends.append((body.point(*-half, "first"), body.point(*half, "last")))
    crank, coupler, rocker = ends
    model.add(at.Revolute("turn", model.ground, crank[0], axis="y"))
    model.add(at.Spherical("ball", crank[1], coupler[0]))
    model.add(at.Revolute("swing", model.ground.point(*PIVOT, "pivot"), rocker[0], axis="x"))
    model.add(at.Spherical("socket", coupler[1], rocker[1]))
    outputs = [f"{name}.position.{axis}" for name in names for axis in "xyz"]
    run = model.formulate().simulate(duration, step=1e-3, record_interval=0.01, outputs=outputs)
    return [np.array([run[f"{name}.position.{axis}"] for axis in "xyz"]).T for name in names]


def loop_by_exudyn(duration: float) -> list[Array]:
    from exudyn.itemInterface import ObjectJointGeneric, ObjectJointSpherical

    system, still = ExudynSystem(), np.zeros(3)
    crank, coupler, rocker = (np.array(span) for span in (CRANK, COUPLER, ROCKER))
    middles = (crank / 2, crank + coupler / 2, np.array(PIVOT) + rocker / 2)
    bodies = [
        system.add(Solid(mass, inertia, middle, np.eye(3), still, still))
        for mass, inertia, middle in zip(MASSES, INERTIAS, middles, strict=True)
    ]
    for body, place, start, free in (
        (bodies[0], (0, 0, 0), -crank / 2, 4), (bodies[2], PIVOT, -rocker / 2, 3),
    ):  # fmt: skip
        axes = [1, 1, 1, 1, 1, 1]
        axes[free] = 0  # rotations are the last three
        points = [system.point(None, place), system.point(body, start)]
        system.join(ObjectJointGeneric(markerNumbers=points, constrainedAxes=axes))
    for first, at_first, second, at_second in (
        (bodies[0], crank / 2, bodies[1], -coupler / 2),
        (bodies[1], coupler / 2, bodies[2], rocker / 2),
    ):
        points = [system.point(first, at_first), system.point(second, at_second)]
        system.join(ObjectJointSpherical(markerNumbers=points))
    return system.run(duration)
