"""A mechanism in a given state, described by plain numbers: what an oracle and a model share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from oracles.newton_euler import Body, Joint, Motion, NewtonEuler, Place, Row, Wrench

TURNING = ("Revolute", "Cylindrical", "Planar")  # joints with one angle
SLIDING = ("Prismatic", "Cylindrical", "PointOnLine")  # joints with one position


@dataclass(frozen=True)
class Spring:
    """A spring-damper between two points."""

    tail: Place
    head: Place
    stiffness: float
    damping: float
    free_length: float


@dataclass(frozen=True)
class Mount:
    """A bushing."""

    tail: Place
    head: Place
    stiffness: np.ndarray
    rotational_stiffness: np.ndarray
    damping: np.ndarray
    rotational_damping: np.ndarray


@dataclass(frozen=True)
class Push:
    """A load with six components along the axes of the head or the tail."""

    tail: Place
    head: Place
    force: np.ndarray
    moment: np.ndarray
    basis: str


@dataclass(frozen=True)
class JointSpring:
    """A spring-damper along the one freedom of a joint."""

    joint: int
    rotational: bool
    stiffness: float
    damping: float


@dataclass(frozen=True)
class JointEffort:
    """A force or a torque along the one freedom of a joint."""

    joint: int
    rotational: bool
    effort: float


@dataclass(frozen=True)
class Drive:
    """The one freedom of a joint follows a motion; its rate and acceleration now."""

    joint: int
    rotational: bool
    rate: float
    acceleration: float
    as_input: bool


@dataclass(frozen=True)
class Gear:
    """angle of a = ratio * angle of b."""

    a: int
    b: int
    ratio: float


@dataclass
class Mechanism:
    """Bodies, joints and loads, and the motion of all bodies at one instant."""

    gravity: np.ndarray
    bodies: list[Body] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    travels: list[tuple[float, float]] = field(default_factory=list)  # angle, position per joint
    options: list[dict[str, Any]] = field(default_factory=list)  # orientation and speeds per joint
    body_options: list[dict[str, Any]] = field(default_factory=list)
    loads: list[Spring | Mount | Push | JointSpring | JointEffort] = field(default_factory=list)
    drives: list[Drive] = field(default_factory=list)
    gears: list[Gear] = field(default_factory=list)
    motions: list[Motion] = field(default_factory=list)
    time: float = 0.0
    floating: bool = False  # nothing acts between it and the ground

    def oracle(self) -> NewtonEuler:
        return NewtonEuler(self.bodies, self.motions, self.gravity)

    # -- constraints -----------------------------------------------------------------------
    def rows(self) -> list[Row]:
        oracle = self.oracle()
        found = [row for joint in self.joints for row in oracle.rows(joint)]
        for drive in self.drives:
            along = oracle.turning if drive.rotational else oracle.sliding
            row = along(self.joints[drive.joint])
            found.append(Row(row.row, row.bias, drive.acceleration))
        for gear in self.gears:
            a, b = oracle.turning(self.joints[gear.a]), oracle.turning(self.joints[gear.b])
            found.append(Row(a.row - gear.ratio * b.row, a.bias - gear.ratio * b.bias))
        return found

    def jacobian(self) -> np.ndarray:
        return np.array([row.row for row in self.rows()]).reshape(-1, 6 * len(self.bodies))

    def wanted_rates(self) -> np.ndarray:
        """What the rows times the speeds must be: zero, but for the drives."""
        count = sum(len(self.oracle().rows(joint)) for joint in self.joints)
        return np.array([0.0] * count + [d.rate for d in self.drives] + [0.0] * len(self.gears))

    # -- loads -----------------------------------------------------------------------------
    def wrenches(self) -> list[Wrench]:
        return [self._wrench(load)[0] for load in self.loads]

    def power_lost_or_added(self) -> float:
        """Power of everything that has no potential, motion drives left out [W]."""
        return sum(self._wrench(load)[1] for load in self.loads)

    def _wrench(self, load: Any) -> tuple[Wrench, float]:
        if isinstance(load, Spring):
            return self._spring(load)
        if isinstance(load, Mount):
            return self._mount(load)
        if isinstance(load, Push):
            a, b = self.oracle().point(load.tail), self.oracle().point(load.head)
            R = a.R if load.basis == "tail" else b.R
            force, moment = R @ load.force, R @ load.moment
            carried = a.v + np.cross(a.w, b.x - a.x)
            power = force @ (b.v - carried) + moment @ (b.w - a.w)
            return Wrench(load.tail, load.head, force, moment), float(power)
        return self._along_joint(load)

    def _spring(self, load: Spring) -> tuple[Wrench, float]:
        a, b = self.oracle().point(load.tail), self.oracle().point(load.head)
        d = b.x - a.x
        length = float(np.linalg.norm(d))
        rate = float(d @ (b.v - a.v)) / length
        pull = load.stiffness * (length - load.free_length) + load.damping * rate
        lost = load.damping * rate**2
        return Wrench(load.tail, load.head, -pull * d / length, np.zeros(3)), -lost

    def _mount(self, load: Mount) -> tuple[Wrench, float]:
        a, b = self.oracle().point(load.tail), self.oracle().point(load.head)
        R = a.R.T @ b.R
        d, w = a.R.T @ (b.x - a.x), a.R.T @ (b.w - a.w)
        v = a.R.T @ (b.v - a.v - np.cross(a.w, b.x - a.x))
        phi = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        gradient = 0.5 * (np.trace(R) * np.eye(3) - R)  # of phi along the angular velocity
        damping_force, damping_moment = load.damping @ v, load.rotational_damping @ w
        force = -(load.stiffness @ d + damping_force)
        moment = -(gradient.T @ load.rotational_stiffness @ phi + damping_moment)
        lost = float(v @ damping_force + w @ damping_moment)
        return Wrench(load.tail, load.head, a.R @ force, a.R @ moment), -lost

    def _along_joint(self, load: JointSpring | JointEffort) -> tuple[Wrench, float]:
        joint = self.joints[load.joint]
        angle, position = self.travels[load.joint]
        along = self.oracle().turning if load.rotational else self.oracle().sliding
        rate = float(along(joint).row @ self.oracle().speeds())
        if isinstance(load, JointEffort):
            effort, power = load.effort, load.effort * rate
        else:
            travel = angle if load.rotational else position
            effort = -(load.stiffness * travel + load.damping * rate)
            power = -load.damping * rate**2
        axis = self.oracle().point(joint.tail).R @ joint.axis * effort
        zero = np.zeros(3)
        pair = (zero, axis) if load.rotational else (axis, zero)
        return Wrench(joint.tail, joint.head, *pair), power

    # -- answers ---------------------------------------------------------------------------
    def accelerations(self) -> np.ndarray:
        """Per body: acceleration of its origin and angular acceleration, ground axes."""
        oracle = self.oracle()
        solved, _ = oracle.solve(self.rows(), self.wrenches())
        return oracle.of_origins(solved).reshape(-1, 6)

    def reactions(self) -> tuple[list[tuple[np.ndarray, np.ndarray]], np.ndarray]:
        """Per joint force and moment on its head at the head's origin, tail axes; per drive
        the force or torque."""
        oracle = self.oracle()
        _, multipliers = oracle.solve(self.rows(), self.wrenches())
        found, first = [], 0
        for joint in self.joints:
            last = first + len(oracle.rows(joint))
            found.append(oracle.wrench_on_head(joint, multipliers[first:last]))
            first = last
        return found, multipliers[first : first + len(self.drives)]
