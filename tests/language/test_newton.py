"""Newton's and Euler's equations of bodies in general, against textbook forms."""

from __future__ import annotations

import pytest
import sympy
from oracles.symbolic_equality import same

from axletree.language import (
    POINT_MASS,
    Assembly,
    Body,
    Constraint,
    Force,
    LanguageError,
    MovingBase,
    Torque,
    World,
    inertia,
    parameters,
    rate,
    rotation_x,
    rotation_y,
    rotation_z,
    spherical,
    translation,
    variables,
)

x, y, z, psi, theta, phi, p, q, r = variables("x y z psi theta phi p q r")
m, m_2, g, L, a, b, k = parameters("m m_2 g L a b k")
A, B, C, M_x, M_y, M_z = parameters("A B C M_x M_y M_z")


def test_a_point_that_falls() -> None:
    world = World(gravity=(0, 0, -g))
    body = Body("stone", world.base.moved("stone", translation(x, y, z)), m, POINT_MASS)
    for equation, axis in zip(Assembly("stone", [body]).newton(), (x, y, z), strict=True):
        assert equation.says_the_same_as(m * rate(axis, 2), -m * g if axis == z else 0)


def test_eulers_equations_of_a_body_in_its_own_axes() -> None:
    """A p' + (C - B) q r = M_x and so on: Goldstein 2002, eq. (5.39)."""
    world = World(moving=MovingBase(angular_velocity=(p, q, r)))
    body = Body("body", world.base, m, (A, B, C))
    motor = Torque("motor", world.base.vector(M_x, M_y, M_z), body)
    found = Assembly("body", [body], [motor]).euler(world.base.origin)
    assert found[0].says_the_same_as(A * rate(p) + (C - B) * q * r, M_x)
    assert found[1].says_the_same_as(B * rate(q) + (A - C) * r * p, M_y)
    assert found[2].says_the_same_as(C * rate(r) + (B - A) * p * q, M_z)


def test_eulers_equations_with_angles_in_the_ground() -> None:
    """The same body by angles: I w' + w x I w, with w by SymPy's derivative of the turns."""
    frame = World().base.moved("body", rotation_z(psi), rotation_y(theta), rotation_x(phi))
    tensor = inertia(A, B, C, xz=a)
    body = Body("body", frame, m, tensor)
    found = Assembly("body", [body]).euler(frame.origin, in_frame=frame)
    R = (rotation_z(psi) * rotation_y(theta) * rotation_x(phi))[:3, :3]
    W = R.T * R.diff(rate(psi).variables[0])
    w = sympy.Matrix([W[2, 1], W[0, 2], W[1, 0]])
    expected = tensor * w.diff(rate(psi).variables[0]) + w.cross(tensor * w)
    assert same(sympy.Matrix([e.left for e in found]), expected)


def pendulum(hinged: bool) -> tuple[Assembly, Body, World]:
    world = World(gravity=(0, -g, 0))
    frame = world.base.moved("rod", rotation_z(theta), translation(y=-L))
    body = Body("rod", frame, m, inertia(0, 0, C))
    pivot = frame.point(y=L, name="pivot")
    joints = [spherical("pin", (body, pivot), (None, world.base.origin))] if hinged else []
    return Assembly("pendulum", [body], constraints=joints), body, world


def test_the_force_of_a_pin_to_the_ground() -> None:
    assembly, body, world = pendulum(hinged=True)
    turning = assembly.euler(world.base.origin)[2]
    assert turning.says_the_same_as((C + m * L**2) * rate(theta, 2), -m * g * L * sympy.sin(theta))
    about_centre = assembly.euler(body.centre)[2]
    along, across, _ = assembly.newton(in_frame=body.frame)
    force = sympy.Matrix(assembly.constraints[0].multipliers)
    R = rotation_z(theta)[:3, :3]
    assert same(along.left, m * L * rate(theta, 2))
    assert same(across.left, m * L * rate(theta) ** 2)
    weight = R.T * sympy.Matrix([0, -m * g, 0])
    assert same(along.right, (R.T * force + weight)[0])
    assert same(about_centre.right, -L * (R.T * force)[0])


def two_bodies() -> tuple[Body, Body, World]:
    world = World()
    first = Body("first", world.base.moved("1", translation(x, y)), m, inertia(0, 0, C))
    second = Body("second", first.frame.moved("2", rotation_z(psi), translation(a)), m_2,
                  inertia(0, 0, B))  # fmt: skip
    return first, second, world


def test_forces_between_bodies_act_on_each_and_not_on_both() -> None:
    first, second, world = two_bodies()
    gap = second.centre - first.centre
    spring = Force("spring", gap * k, first.centre, first, second, second.centre)
    motor = Torque("motor", world.base.vector(z=M_z), first, second)
    loads = [spring, motor]
    alone = [Assembly(body.name, [body], loads) for body in (first, second)]
    together = alone[0] + alone[1]
    newtons = [assembly.newton() for assembly in (*alone, together)]
    assert same(newtons[0][0].right, k * a * sympy.cos(psi))
    assert same(newtons[1][0].right, -k * a * sympy.cos(psi))
    assert [e.right for e in newtons[2]] == [0, 0, 0]
    eulers = [s.euler(world.base.origin) for s in (*alone, together)]
    assert same(eulers[0][2].right - eulers[1][2].right - 2 * M_z,
                2 * k * a * (x * sympy.sin(psi) - y * sympy.cos(psi)))  # fmt: skip
    assert [e.right for e in eulers[2]] == [0, 0, 0]
    assert repr(together) == "assembly 'first and second' of first, second"


def test_a_pair_of_forces_apart_keeps_its_moment() -> None:
    first, second, world = two_bodies()
    push = Force("push", world.base.vector(y=k), first.centre, first, second, second.centre)
    alone = [Assembly(body.name, [body], [push]) for body in (first, second)]
    moment = sum(s.euler(world.base.origin)[2].right for s in alone)
    both = (alone[0] + alone[1]).euler(world.base.origin)[2].right
    assert same(moment, both)
    assert same(both, -k * a * sympy.cos(psi))


def test_moments_about_a_pole_that_moves() -> None:
    """dK_A/dt + V_A x Q does not depend on how the pole comes to be where it is."""
    first, second, world = two_bodies()
    force = Force("push", world.base.vector(M_x, M_y), second.frame.point(b), second)
    assembly = Assembly("both", [first, second], [force])
    moving = second.frame.point(b, phi)
    here = moving.in_frame(world.base)
    for one, other in zip(assembly.euler(moving), assembly.euler(here), strict=True):
        assert same(one.residual, other.residual)
    about_centre, newton = assembly.euler(world.base.origin), assembly.newton()
    X, Y, _ = here.xyz
    shift = X * newton[1].residual - Y * newton[0].residual
    moved = assembly.euler(moving)[2].residual
    assert same(moved, about_centre[2].residual - shift)


def test_constraints_without_loads_are_not_left_out_in_silence() -> None:
    _, body, world = pendulum(hinged=False)
    (N,) = variables("N")
    floor = Constraint("floor", world, [theta], [N])
    with pytest.raises(LanguageError, match=r"constraint 'floor' tells no loads.*'rod'"):
        Assembly("rod", [body], constraints=[floor]).newton()
    with pytest.raises(LanguageError, match=r"constraint 'floor' tells no loads"):
        Assembly("rod", [body], constraints=[floor]).euler(world.base.origin)
