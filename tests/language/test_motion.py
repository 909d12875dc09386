"""Velocities and accelerations, against SymPy's own frames and points."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import sympy
from oracles.symbolic_equality import same
from sympy.physics.mechanics import Point as SymPyPoint
from sympy.physics.mechanics import ReferenceFrame

from axletree.language import (
    Frame,
    World,
    parameters,
    rate,
    rotation,
    rotation_x,
    rotation_z,
    translation,
    variables,
)

x, y, z, psi, theta, phi, s = variables("x y z psi theta phi s")
a, b, c = parameters("a b c")


class Both:
    """Three turns and a translation, here and in SymPy; and a point that slides in them."""

    def __init__(self, order: Sequence[str] = "zyx") -> None:
        turns = list(zip(order, (psi, theta, phi), strict=True))
        self.ours = World().base
        self.moved = self.ours.moved("A", translation(x, y, z), *(rotation(k, q) for k, q in turns))
        self.sliding = self.moved.point(s, b, c)
        self.N = ReferenceFrame("N")
        frame = self.N
        for k, (axis, angle) in enumerate(turns):
            frame = frame.orientnew(f"A{k}", "Axis", [angle, getattr(frame, axis)])
        self.A = frame
        self.O = SymPyPoint("O")
        self.O.set_vel(self.N, 0)
        centre = self.O.locatenew("C", x * self.N.x + y * self.N.y + z * self.N.z)
        self.P = centre.locatenew("P", s * self.A.x + b * self.A.y + c * self.A.z)
        centre.set_vel(self.N, centre.pos_from(self.O).dt(self.N))
        self.P.set_vel(self.A, rate(s) * self.A.x)
        self.P.v1pt_theory(centre, self.N, self.A)


@pytest.mark.parametrize("order", ["zyx", "zxz", "xyz", "yzx"])
def test_angular_velocity_and_acceleration_of_three_turns(order: str) -> None:
    both = Both(order)
    ours = both.moved.angular_velocity()
    theirs = both.A.ang_vel_in(both.N)
    assert same(ours.in_frame(both.moved).xyz, theirs.to_matrix(both.A))
    assert same(ours.xyz, theirs.to_matrix(both.N))
    assert same(both.moved.angular_acceleration().xyz, both.A.ang_acc_in(both.N).to_matrix(both.N))


def test_velocity_and_acceleration_of_a_point_that_slides_in_a_turning_frame() -> None:
    both = Both()
    assert same(both.sliding.velocity().xyz, both.P.vel(both.N).to_matrix(both.N))
    theirs = both.P.vel(both.N).dt(both.N)
    assert same(both.sliding.acceleration().xyz, theirs.to_matrix(both.N))
    assert same(both.sliding.velocity(both.moved).xyz, sympy.Matrix([rate(s), 0, 0]))
    assert same(both.sliding.acceleration(both.moved).xyz, sympy.Matrix([rate(s, 2), 0, 0]))


def test_coriolis_and_centrifugal_terms() -> None:
    disc = World().base.moved("disc", rotation_z(psi))
    bead = disc.point(s)
    expected = sympy.Matrix(
        [rate(s, 2) - s * rate(psi) ** 2, s * rate(psi, 2) + 2 * rate(s) * rate(psi), 0]
    )
    assert same(bead.acceleration().in_frame(disc).xyz, expected)


def two_frames() -> tuple[Frame, Frame, ReferenceFrame, ReferenceFrame]:
    base = World().base
    first = base.moved("first", translation(x), rotation_z(psi), rotation_x(phi))
    second = base.moved("second", translation(y=y), rotation_x(theta))
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Body", [psi, phi, 0], "ZXZ")
    return first, second, A, N.orientnew("B", "Axis", [theta, N.x])


def test_rates_seen_from_a_frame_that_turns_itself() -> None:
    first, second, A, B = two_frames()
    vector, theirs = first.vector(s, b, c), s * A.x + b * A.y + c * A.z
    seen = vector.derivative(second)
    assert seen.frame is second
    assert same(seen.xyz, theirs.dt(B).to_matrix(B))


def test_relative_angular_velocity_and_acceleration() -> None:
    first, second, A, B = two_frames()
    assert same(first.angular_velocity(second).xyz, A.ang_vel_in(B).to_matrix(B))
    backward = second.angular_velocity(first).in_frame(second)
    assert same(backward.xyz, -A.ang_vel_in(B).to_matrix(B))
    seen = first.angular_acceleration(second)
    assert same(seen.xyz, A.ang_vel_in(B).dt(B).to_matrix(B))


def test_velocity_relative_to_a_frame_with_a_moving_origin() -> None:
    first, second, _, _ = two_frames()
    point = first.point(s, b, c)
    placed = point.in_frame(second).xyz
    assert same(point.velocity(second).xyz, placed.diff(rate(s).variables[0]))
    around = point.velocity() - second.origin.velocity()
    turned = second.angular_velocity().cross(point - second.origin)
    assert same((around - turned).in_frame(second).xyz, point.velocity(second).xyz)
