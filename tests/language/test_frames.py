"""Frames, points and vectors: composition, projection and products, against SymPy's own frames."""

from __future__ import annotations

import pytest
import sympy
from oracles.symbolic_equality import same
from sympy.physics.mechanics import Point as SymPyPoint
from sympy.physics.mechanics import ReferenceFrame

from axletree.language import (
    World,
    parameters,
    rotation,
    rotation_x,
    rotation_y,
    rotation_z,
    translation,
    variables,
)
from axletree.language.transformations import axial, inverse, skew

x, y, z, psi, theta, phi = variables("x y z psi theta phi")
a, b, c = parameters("a b c")


@pytest.fixture
def world() -> World:
    return World()


def test_motions_follow_each_other_in_the_moved_axes(world: World) -> None:
    """Lot and Massaro 2017, eqs. (1), (2): T_i^k = T_i^j T_j^k."""
    first = world.base.moved("first", translation(x, y), rotation_z(psi))
    second = first.moved("second", translation(a), rotation_x(phi))
    at_once = world.base.moved(
        "at once", translation(x, y), rotation_z(psi), translation(a), rotation_x(phi)
    )
    assert same(second.matrix, at_once.matrix)
    assert same(second.relative_to(first), translation(a) * rotation_x(phi))
    T_0 = sympy.Matrix(
        [
            [sympy.cos(psi), -sympy.sin(psi), 0, x],
            [sympy.sin(psi), sympy.cos(psi), 0, y],
            [0, 0, 1, 0],
            [0, 0, 0, 1],
        ]
    )
    assert first.matrix == T_0


@pytest.mark.parametrize("axis", "xyz")
def test_turns_about_an_axis_are_sympys(axis: str) -> None:
    A = ReferenceFrame("A")
    B = A.orientnew("B", "Axis", [psi, getattr(A, axis)])
    assert same(rotation(axis, psi)[:3, :3], A.dcm(B))
    assert axial(skew(sympy.Matrix([a, b, c]))) == sympy.Matrix([a, b, c])


def test_the_way_back_is_the_inverse() -> None:
    T = translation(x, y, z) * rotation_z(psi) * rotation_y(theta) * rotation_x(phi)
    assert same(inverse(T) * T, sympy.eye(4))


def test_coordinates_in_another_frame(world: World) -> None:
    frame = world.base.moved("A", translation(x, y, z), rotation_z(psi), rotation_y(theta))
    other = world.base.moved("B", translation(a, b), rotation_x(phi))
    point = frame.point(a, b, c)
    direct = inverse(other.matrix) * frame.matrix * sympy.Matrix([a, b, c, 1])
    assert same(point.in_frame(other).xyz, direct[:3, :])
    assert same(point.in_frame(other).in_frame(frame).xyz, sympy.Matrix([a, b, c]))


def test_vectors_turn_and_are_not_shifted(world: World) -> None:
    frame = world.base.moved("A", translation(x, y, z), rotation_z(psi))
    assert same(
        frame.vector(a, b, c).in_frame(world.base).xyz,
        sympy.Matrix(
            [
                a * sympy.cos(psi) - b * sympy.sin(psi),
                a * sympy.sin(psi) + b * sympy.cos(psi),
                c,
            ]
        ),
    )


def test_products_of_vectors_in_different_frames(world: World) -> None:
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Body", [psi, theta, phi], "ZYX")
    frame = world.base.moved("A", rotation_z(psi), rotation_y(theta), rotation_x(phi))
    ours, other = frame.vector(a, b, c), world.base.vector(x, y, z)
    theirs, their_other = a * A.x + b * A.y + c * A.z, x * N.x + y * N.y + z * N.z
    assert same(ours.dot(other), theirs.dot(their_other))
    assert same(ours.cross(other).in_frame(world.base).xyz, theirs.cross(their_other).to_matrix(N))
    assert same((ours + other).xyz, (theirs + their_other).to_matrix(A))
    assert same((other - ours).xyz, (their_other - theirs).to_matrix(N))


def test_lengths_and_multiples(world: World) -> None:
    frame = world.base.moved("A", rotation_z(psi))
    vector = frame.vector(3, 0, 4)
    assert vector.norm() == 5
    assert (frame.vector(a * sympy.cos(psi), a * sympy.sin(psi)).norm()) == sympy.Abs(a)
    for twice in (2 * vector, vector * 2, -(vector * -2), vector / sympy.Rational(1, 2)):
        assert list(twice) == [6, 0, 8]
    assert list(a * vector) == [3 * a, 0, 4 * a]


def test_points_and_vectors_between_them(world: World) -> None:
    frame = world.base.moved("A", translation(x), rotation_z(psi))
    P, Q = frame.point(a, b), world.base.point(y, z, c)
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [psi, N.z])
    origin = SymPyPoint("O")
    their_P, their_Q = (
        origin.locatenew("P", x * N.x + a * A.x + b * A.y),
        origin.locatenew("Q", y * N.x + z * N.y + c * N.z),
    )
    assert same((P - Q).in_frame(world.base).xyz, their_P.pos_from(their_Q).to_matrix(N))
    assert same((Q + (P - Q)).in_frame(frame).xyz, P.xyz)
    assert same(((P - Q) + Q).in_frame(frame).xyz, P.xyz)
    assert same((Q + (P - Q) - P).xyz, sympy.zeros(3, 1))


def test_what_they_are_called_by(world: World) -> None:
    frame = world.base.moved("A", rotation_z(psi))
    assert repr(frame) == "frame 'A'"
    assert repr(frame.origin) == "the origin of 'A' (0, 0, 0) in 'A'"
    assert repr(frame.vector(a)) == "vector (a, 0, 0) in 'A'"
