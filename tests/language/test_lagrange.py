"""Lagrange's equations in coordinates and in speeds of the base, against Newton's and SymPy's."""

from __future__ import annotations

from functools import cache

import pytest
from oracles.symbolic_equality import same
from sympy import cos, sin

from axletree.language import (
    POINT_MASS,
    TIME,
    Assembly,
    Body,
    Force,
    MovingBase,
    Torque,
    World,
    inertia,
    parameters,
    rate,
    rotation_x,
    rotation_z,
    translation,
    variables,
)

u, v, w, p, q, r = variables("u v w p q r")
x, y, s, psi, theta = variables("x y s psi theta")
x_1, x_2, angle_1, angle_2 = variables("x_1 x_2 angle_1 angle_2")
V, beta = variables("V beta")
m, n, h, a, k, c, L, g = parameters("m n h a k c L g")
A, B, C, D, F_x, F_y, F_z, M = parameters("A B C D F_x F_y F_z M")


@cache
def flier() -> Assembly:
    """A body off the base's origin, and a point that slides along the base; pushed and heavy."""
    moving = MovingBase((u, v, w), (p, q, r))
    world = World(gravity=variables("g_x g_y g_z"), moving=moving)  # which turns in the base
    hull = Body("hull", world.base.moved("hull", translation(a, 0, h)), m, inertia(A, B, C, xz=D))
    slider = Body("slider", world.base.moved("slider", translation(s, c)), n, POINT_MASS)
    push = Force("push", world.base.vector(F_x, F_y, F_z), hull.frame.point(y=L), hull)
    spring = Force("spring", world.base.vector(-k * s), slider.centre, slider, hull)
    return Assembly("flier", [hull, slider], [push, spring])


@pytest.mark.parametrize("number", range(6))
def test_a_base_that_moves_in_space(number: int) -> None:
    """Kirchhoff's form against Newton and Euler; Lot and Massaro 2017 have (28) in the plane."""
    speed = (u, v, w, p, q, r)[number]
    (lagrange,), (kane,) = flier().lagrange([speed]), flier().kane([speed])
    newton = (*flier().newton(), *flier().euler(flier().world.base.origin))[number]
    assert same(lagrange.left, newton.left)
    assert same(lagrange.right, newton.right)
    assert same(kane.residual, newton.residual)


def test_a_coordinate_in_a_base_that_moves() -> None:
    (lagrange,), (kane,) = flier().lagrange([s]), flier().kane([s])
    slider = Assembly("slider", flier().bodies[1:], flier().loads)
    newton = slider.newton()[0]
    assert same(lagrange.residual, newton.residual)
    assert same(kane.residual, newton.residual)
    assert lagrange.right == n * flier().world.gravity.xyz[0] - k * s


def plane(moving: MovingBase) -> Assembly:
    world = World(moving=moving)
    body = Body("body", world.base.moved("body", translation(a)), m, inertia(0, 0, C))
    return Assembly("body", [body], [Force("push", world.base.vector(F_x, F_y), body.centre, body)])


def test_speed_along_the_path_and_sideslip() -> None:
    """Other speeds than components: Newton's equations along the path and across."""
    slipping = plane(MovingBase((V * cos(beta), V * sin(beta), 0), (0, 0, r)))
    along, across, turning = slipping.lagrange([V, beta, r])
    x_axis, y_axis, _ = slipping.newton()
    assert same(along.residual, x_axis.residual * cos(beta) + y_axis.residual * sin(beta))
    sideways = y_axis.residual * cos(beta) - x_axis.residual * sin(beta)
    assert same(across.residual, V * sideways)
    assert same(turning.residual, slipping.euler(slipping.world.base.origin)[2].residual)
    for kane, lagrange in zip(slipping.kane([V, beta]), (along, across), strict=True):
        assert same(kane.residual, lagrange.residual)


def test_a_base_whose_velocities_are_rates_of_its_place() -> None:
    """Lagrange's equations in x, y, psi of the base are those of the same body in the ground."""
    place = translation(x, y) * rotation_z(psi)
    tracking = {e.left: e.right for e in MovingBase((u, v, 0), (0, 0, r)).tracking(place)}
    moving = plane(MovingBase((tracking[u], tracking[v], 0), (0, 0, tracking[r])))
    world = World()
    base = world.base.moved("A", place)
    body = Body("body", base.moved("body", translation(a)), m, inertia(0, 0, C))
    resting = Assembly("body", [body], [Force("p", base.vector(F_x, F_y), body.centre, body)])
    coordinates = [x, y, psi]
    for method in ("lagrange", "kane"):
        pairs = zip(
            getattr(moving, method)(coordinates), resting.lagrange(coordinates), strict=True
        )
        for one, other in pairs:
            assert same(one.residual, other.residual)


def test_one_speed_in_two_components() -> None:
    both = plane(MovingBase((v, v, 0), (0, 0, 0)))
    (lagrange,) = both.lagrange([v])
    assert lagrange.says_the_same_as(2 * m * rate(v), F_x + F_y)


def two_masses() -> Assembly:
    world = World()
    first = Body("first", world.base.moved("1", translation(x_1)), m, POINT_MASS)
    second = Body("second", world.base.moved("2", translation(x_2)), n, POINT_MASS)
    pull = world.base.vector(k * (x_2 - x_1 - L) + c * (rate(x_2) - rate(x_1)))
    spring = Force("spring", pull, first.centre, first, second, second.centre)
    return Assembly("masses", [first, second], [spring])


def test_a_spring_between_two_bodies() -> None:
    pull = k * (x_2 - x_1 - L) + c * (rate(x_2) - rate(x_1))
    expected = {x_1: (m * rate(x_1, 2), pull), x_2: (n * rate(x_2, 2), -pull)}
    masses = two_masses()
    for method in (masses.lagrange, masses.kane):
        for equation, sides in zip(method([x_1, x_2]), expected.values(), strict=True):
            assert equation.says_the_same_as(*sides)
    for body, sides in zip(masses.bodies, expected.values(), strict=True):
        assert Assembly(body.name, [body], masses.loads).newton()[0].says_the_same_as(*sides)
    assert masses.newton()[0].right == 0


def test_a_torque_between_two_bodies() -> None:
    world = World()
    rotor = Body("rotor", world.base.moved("1", rotation_z(angle_1)), m, inertia(A, A, B))
    relative = rotor.frame.moved("2", rotation_z(angle_2))
    stator = Body("stator", relative, n, inertia(A, A, C))
    motor = Torque("motor", world.base.vector(z=M), stator, rotor)
    whole = Assembly("motor", [rotor, stator], [motor])
    turned = B * rate(angle_1, 2) + C * (rate(angle_1, 2) + rate(angle_2, 2))
    for method in (whole.lagrange, whole.kane):
        together, relative_turn = method([angle_1, angle_2])
        assert together.says_the_same_as(turned, 0)
        assert relative_turn.says_the_same_as(C * (rate(angle_1, 2) + rate(angle_2, 2)), M)
    for body, sign in ((stator, 1), (rotor, -1)):
        euler = Assembly(body.name, [body], [motor]).euler(body.centre)[2]
        assert euler.right == sign * M


def test_a_bead_on_a_wire_that_is_turned_at_a_given_rate() -> None:
    """Frames may depend on time by themselves: s'' = omega^2 s, and the wire's side force."""
    (omega,) = parameters("omega")
    (side,) = variables("side")
    wire = World().base.moved("wire", rotation_z(omega * TIME))
    bead = Body("bead", wire.moved("bead", translation(s)), m, POINT_MASS)
    held = Force("wire", wire.vector(y=side), bead.centre, bead)
    assembly = Assembly("bead", [bead], [held])
    for method in (assembly.lagrange, assembly.kane):
        assert method([s])[0].says_the_same_as(m * rate(s, 2), m * omega**2 * s)
    along, across, _ = assembly.newton(in_frame=wire)
    assert along.says_the_same_as(m * rate(s, 2) - m * omega**2 * s)
    assert across.says_the_same_as(2 * m * omega * rate(s), side)


def test_generalised_forces_by_virtual_work() -> None:
    """A force at a point of a body that turns, and the weight."""
    world = World(gravity=(0, -g, 0))
    frame = world.base.moved("rod", rotation_z(psi), rotation_x(theta))
    body = Body("rod", frame.moved("centre", translation(L)), m, POINT_MASS)
    push = Force("push", world.base.vector(F_x, F_y, F_z), frame.point(0, a), body)
    assembly = Assembly("rod", [body], [push])
    place = frame.point(0, a).in_frame(world.base).xyz
    for coordinate in (psi, theta):
        work = F_x * place[0].diff(coordinate) + F_y * place[1].diff(coordinate)
        work += F_z * place[2].diff(coordinate) - m * g * (L * sin(psi)).diff(coordinate)
        assert same(assembly.generalised_force(coordinate), work)
        assert same(assembly.generalised_force(rate(coordinate)), work)
