"""Accelerations of bodies and forces in joints from Newton's and Euler's equations.

Maximal coordinates: the speeds are the velocity of each centre of mass and the angular
velocity of each body, both along the ground's axes. Joints are rows that are written by
hand below; the rates and the multipliers follow from one dense system. Plain NumPy, and
nothing of what it is an oracle for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

Array = np.ndarray
GROUND = -1  # as the number of a body
X, Y, Z = np.eye(3)


@dataclass(frozen=True)
class Body:
    mass: float
    inertia: Array  # about the centre of mass, body axes
    centre: Array  # of mass, from the body's origin, body axes


@dataclass(frozen=True)
class Place:
    """A frame on a body: position and axes in the body's."""

    body: int
    position: Array
    turn: Array  # R from the frame to the body


@dataclass(frozen=True)
class Joint:
    kind: str
    tail: Place
    head: Place
    axis: Array = field(default_factory=lambda: Z)
    second: Array = field(default_factory=lambda: X)  # of a universal joint, in the head
    length: float = 0.0  # of a rod


@dataclass(frozen=True)
class Motion:
    """Where a body is and how it moves: its origin and axes, along the ground's axes."""

    r: Array
    R: Array
    v: Array
    w: Array


@dataclass(frozen=True)
class Row:
    """One constraint at velocity level: row . speeds = rate; row . accelerations = -bias."""

    row: Array
    bias: float
    rate: float = 0.0


@dataclass(frozen=True)
class Wrench:
    """A force and a moment on the head at the head's origin; the tail gets the opposite there."""

    tail: Place
    head: Place
    force: Array  # along the ground's axes
    moment: Array


@dataclass(frozen=True)
class Point:
    """A frame in motion, along the ground's axes."""

    body: int
    arm: Array  # from the centre of mass of its body
    x: Array
    v: Array
    w: Array
    R: Array

    @property
    def centripetal(self) -> Array:
        return np.cross(self.w, np.cross(self.w, self.arm))


class NewtonEuler:
    """Bodies in given motion."""

    def __init__(self, bodies: Sequence[Body], motions: Sequence[Motion], gravity: Array) -> None:
        self.bodies, self.motions, self.gravity = bodies, motions, gravity
        self.size = 6 * len(bodies)

    def point(self, place: Place) -> Point:
        if place.body == GROUND:
            rest = np.zeros(3)
            return Point(GROUND, rest, place.position, rest, rest, place.turn)
        m, body = self.motions[place.body], self.bodies[place.body]
        offset = m.R @ place.position
        v = m.v + np.cross(m.w, offset)
        arm = offset - m.R @ body.centre
        return Point(place.body, arm, m.r + offset, v, m.w, m.R @ place.turn)

    # -- rows ------------------------------------------------------------------------------
    def _row(self, a: Point, b: Point, on_a: Sequence[Array], on_b: Sequence[Array]) -> Array:
        row = np.zeros(self.size)
        for point, parts in ((a, on_a), (b, on_b)):
            if point.body != GROUND:
                row[6 * point.body : 6 * point.body + 6] += np.concatenate(parts)
        return row

    def _held_along(self, a: Point, b: Point, direction: Array) -> Row:
        """The head's origin keeps its coordinate along a direction of the tail."""
        n, d, relative = a.R @ direction, b.x - a.x, b.v - a.v
        row = self._row(a, b, (-n, -np.cross(a.arm + d, n)), (n, np.cross(b.arm, n)))
        turned = np.cross(a.w, n)
        bias = n @ (b.centripetal - a.centripetal) + 2.0 * turned @ relative
        return Row(row, bias + np.cross(a.w, turned) @ d)

    def _normal(self, a: Point, b: Point, in_tail: Array, in_head: Array) -> Row:
        """A direction of the tail keeps its angle to a direction of the head."""
        u, h = a.R @ in_tail, b.R @ in_head
        zero, along = np.zeros(3), np.cross(h, u)
        row = self._row(a, b, (zero, -along), (zero, along))
        du, dh = np.cross(a.w, u), np.cross(b.w, h)
        return Row(row, np.cross(a.w, du) @ h + 2.0 * du @ dh + u @ np.cross(b.w, dh))

    def _distance(self, a: Point, b: Point) -> Row:
        d, relative = b.x - a.x, b.v - a.v
        row = self._row(a, b, (-d, -np.cross(a.arm, d)), (d, np.cross(b.arm, d)))
        return Row(row, d @ (b.centripetal - a.centripetal) + relative @ relative)

    def turning(self, joint: Joint) -> Row:
        """The rate of the angle about the joint's axis; hold it, drive it or gear it."""
        a, b = self.point(joint.tail), self.point(joint.head)
        u, zero = a.R @ joint.axis, np.zeros(3)
        row = self._row(a, b, (zero, -u), (zero, u))
        return Row(row, np.cross(a.w, u) @ (b.w - a.w))

    def sliding(self, joint: Joint) -> Row:
        """The rate of the position along the joint's axis."""
        return self._held_along(self.point(joint.tail), self.point(joint.head), joint.axis)

    def rows(self, joint: Joint) -> list[Row]:
        a, b = self.point(joint.tail), self.point(joint.head)
        if joint.kind == "Rod":
            return [self._distance(a, b)]
        n1, n2 = normals(joint.axis)
        held = {
            "Revolute": (X, Y, Z), "Spherical": (X, Y, Z), "Universal": (X, Y, Z),
            "Prismatic": (n1, n2), "Cylindrical": (n1, n2), "PointOnLine": (n1, n2),
            "Planar": (joint.axis,), "PointOnPlane": (joint.axis,), "Weld": (X, Y, Z), "Free": (),
        }[joint.kind]  # fmt: skip
        same_axis = ((n1, joint.axis), (n2, joint.axis))
        turned = {
            "Revolute": same_axis, "Cylindrical": same_axis, "Planar": same_axis,
            "Prismatic": ((X, Y), (Y, Z), (Z, X)), "Weld": ((X, Y), (Y, Z), (Z, X)),
            "Universal": ((joint.axis, joint.second),),
        }.get(joint.kind, ())  # fmt: skip
        rows = [self._held_along(a, b, direction) for direction in held]
        return rows + [self._normal(a, b, u, h) for u, h in turned]

    # -- solution --------------------------------------------------------------------------
    def speeds(self) -> Array:
        """Of all bodies: velocity of the centre of mass, angular velocity."""
        found = []
        for m, body in zip(self.motions, self.bodies, strict=True):
            found += [m.v + np.cross(m.w, m.R @ body.centre), m.w]
        return np.concatenate(found)

    def solve(self, rows: Sequence[Row], wrenches: Sequence[Wrench]) -> tuple[Array, Array]:
        """Accelerations of all bodies, in the order of ``speeds``, and a multiplier per row."""
        mass, force = self._inertia(), self._loads(wrenches)
        J = np.array([row.row for row in rows]).reshape(len(rows), self.size)
        wanted = np.array([row.rate - row.bias for row in rows])
        empty = np.zeros((len(rows), len(rows)))
        whole = np.block([[mass, -J.T], [J, empty]])
        solved = np.linalg.lstsq(whole, np.concatenate([force, wanted]), rcond=1e-13)[0]
        return solved[: self.size], solved[self.size :]

    def _inertia(self) -> Array:
        mass = np.zeros((self.size, self.size))
        for k, (body, m) in enumerate(zip(self.bodies, self.motions, strict=True)):
            mass[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = body.mass * np.eye(3)
            mass[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = m.R @ body.inertia @ m.R.T
        return mass

    def _loads(self, wrenches: Sequence[Wrench]) -> Array:
        force = np.zeros(self.size)
        for k, (body, m) in enumerate(zip(self.bodies, self.motions, strict=True)):
            momentum = m.R @ body.inertia @ m.R.T @ m.w
            force[6 * k : 6 * k + 3] = body.mass * self.gravity
            force[6 * k + 3 : 6 * k + 6] = -np.cross(m.w, momentum)
        for wrench in wrenches:
            at = self.point(wrench.head)
            for place, sign in ((wrench.head, 1.0), (wrench.tail, -1.0)):
                if place.body != GROUND:
                    m, body = self.motions[place.body], self.bodies[place.body]
                    arm = at.x - (m.r + m.R @ body.centre)
                    moment = wrench.moment + np.cross(arm, wrench.force)
                    k = 6 * place.body
                    force[k : k + 6] += sign * np.concatenate([wrench.force, moment])
        return force

    def of_origins(self, accelerations: Array) -> Array:
        """The same with the accelerations of the bodies' origins instead of centres of mass."""
        found = accelerations.copy()
        for k, (m, body) in enumerate(zip(self.motions, self.bodies, strict=True)):
            back = -m.R @ body.centre
            alpha = accelerations[6 * k + 3 : 6 * k + 6]
            swept = np.cross(alpha, back) + np.cross(m.w, np.cross(m.w, back))
            found[6 * k : 6 * k + 3] += swept
        return found

    def wrench_on_head(self, joint: Joint, multipliers: Array) -> tuple[Array, Array]:
        """Force and moment that a joint's rows put on its head at the head's origin, tail axes."""
        a, b = self.point(joint.tail), self.point(joint.head)
        total = np.zeros(self.size)
        for row, multiplier in zip(self.rows(joint), multipliers, strict=True):
            total += row.row * multiplier
        # Where the ground is the head, what acts on it is the opposite of what the tail gets.
        body, arm, sign = (
            (a.body, a.arm + b.x - a.x, -1.0) if b.body == GROUND else (b.body, b.arm, 1.0)
        )
        force = sign * total[6 * body : 6 * body + 3]
        moment = sign * total[6 * body + 3 : 6 * body + 6] - np.cross(arm, force)
        return a.R.T @ force, a.R.T @ moment


def normals(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors normal to an axis and to one another."""
    trial = np.eye(3)[int(np.argmin(np.abs(axis)))]
    n1 = np.cross(axis, trial)
    n1 /= np.linalg.norm(n1)
    return n1, np.cross(axis, n1)
