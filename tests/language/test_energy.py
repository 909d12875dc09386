"""Energies, momenta and power: the theorems that tie them together."""

from __future__ import annotations

from functools import cache

import pytest
import sympy
from oracles.symbolic_equality import same

from axletree.language import (
    TIME,
    Assembly,
    Body,
    Force,
    LanguageError,
    MovingBase,
    Small,
    Torque,
    World,
    inertia,
    parameters,
    rate,
    rotation_x,
    rotation_y,
    rotation_z,
    translation,
    variables,
)

x, y, psi, theta, u, v, r, s, alpha, beta = variables("x y psi theta u v r s alpha beta")
m, n, g, a, b, k, c, F, M, A, B, C = parameters("m n g a b k c F M A B C")


@cache
def cart() -> Assembly:
    """A heavy cart on the ground that carries a tilting plate; driven, sprung and damped."""
    world = World(gravity=(0, 0, -g))
    wagon = Body("cart", world.base.moved("cart", translation(x, y)), n, inertia(0, 0, C))
    hinge = wagon.frame.moved("hinge", rotation_z(psi), rotation_x(theta))
    plate = Body("plate", hinge.moved("plate", translation(a, b)), m, inertia(A, B, A + B))
    push = Force("push", world.base.vector(F), wagon.frame.point(y=b), wagon)
    motor = Torque("motor", world.base.vector(z=M), plate, wagon)
    gap = plate.centre - wagon.centre
    spring = Force("spring", -gap * k, plate.centre, plate, wagon, wagon.centre)
    damper = Force("damper", plate.centre.velocity() * -c, plate.centre, plate)
    return Assembly("cart", [wagon, plate], [push, motor, spring, damper])


COORDINATES = (x, y, psi, theta)


def test_the_power_is_the_change_of_energy() -> None:
    """dT/dt + dV/dt = power, along the motions that obey Lagrange's equations.

    T is a square form, so the sum of q' times Lagrange's left sides is dT/dt.
    """
    energy = cart().kinetic_energy() + cart().potential_energy()
    equations = cart().lagrange(list(COORDINATES))
    along = sum(rate(q) * e.residual for q, e in zip(COORDINATES, equations, strict=True))
    assert same(energy.diff(TIME) - cart().power(), along)


def test_weight_is_the_slope_of_the_potential_energy() -> None:
    heavy = Assembly("heavy", cart().bodies)
    for q in COORDINATES:
        slope = heavy.potential_energy().diff(q)
        if q in (x, y):
            assert slope == 0
        assert same(heavy.generalised_force(q), -slope)


def test_momentum_theorems() -> None:
    """Newton's left side is dQ/dt, and Euler's about a fixed pole is dK/dt."""
    base = cart().world.base
    pole = base.point(a, b, 0)
    Q, K = cart().linear_momentum(), cart().angular_momentum(pole)
    centres = [body.centre.in_frame(base).xyz * body.mass for body in cart().bodies]
    assert same(Q.xyz, (centres[0] + centres[1]).diff(TIME))
    assert same(sympy.Matrix([e.left for e in cart().newton()]), Q.xyz.diff(TIME))
    assert same(sympy.Matrix([e.left for e in cart().euler(pole)]), K.xyz.diff(TIME))


def test_kinetic_energy_is_half_of_velocity_times_momentum() -> None:
    """Koenig: T = 1/2 sum of V . Q + omega . K about the centre."""
    total = sympy.Integer(0)
    for body in cart().bodies:
        alone = Assembly(body.name, [body])
        K = alone.angular_momentum(body.centre)
        total += body.centre.velocity().dot(alone.linear_momentum()) / 2
        total += body.frame.angular_velocity().dot(K) / 2
    assert same(total, cart().kinetic_energy())


def test_angular_momentum_about_another_pole() -> None:
    base = cart().world.base
    here, there = base.origin, base.point(a, b, x)
    Q = cart().linear_momentum()
    shift = (here - there).cross(Q)
    moved = cart().angular_momentum(here) + shift
    assert same(moved.xyz, cart().angular_momentum(there).xyz)


def test_energy_in_a_moving_base_is_that_relative_to_the_ground() -> None:
    world = World(moving=MovingBase((u, v, 0), (0, 0, r)))
    body = Body("body", world.base.moved("body", translation(s)), m, inertia(0, 0, C))
    T = Assembly("body", [body]).kinetic_energy()
    expected = m * ((u + rate(s)) ** 2 + (v + r * s) ** 2) / 2 + C * r**2 / 2
    assert same(T, expected)
    push = Force("push", world.base.vector(F, M), body.centre, body)
    power = Assembly("body", [body], [push]).power()
    assert same(power, F * (u + rate(s)) + M * (v + r * s))
    aside = Force("aside", world.base.vector(F, M), body.frame.point(a, b), body)
    power = Assembly("body", [body], [aside]).power()
    assert same(power, F * (u + rate(s) - r * b) + M * (v + r * (s + a)))


def test_products_of_inertia_stand_with_a_minus() -> None:
    tensor = inertia(1, 2, 3, xy=4, xz=5, yz=6)
    assert tensor == sympy.Matrix([[1, -4, -5], [-4, 2, -6], [-5, -6, 3]])


@pytest.mark.slow
def test_early_and_late_linearisation_agree_in_a_coordinate_that_is_not_small() -> None:
    """With a product of inertia and an offset, so that small velocities meet small places."""
    found = []
    for linearise_last in (False, True):
        world = World(
            moving=MovingBase((u, 0, 0), (0, 0, r)),
            small=Small((beta,), (rate(alpha),), (rate(r),)),
            linearise_last=linearise_last,
        )
        arm = world.base.moved("arm", translation(s), rotation_z(alpha), rotation_y(beta))
        body = Body("arm", arm.moved("centre", translation(a, 0, b)), m, inertia(A, B, C, xz=k))
        assembly = Assembly("arm", [body])
        found.append(assembly.lagrange([alpha, r, s]))
        bending, turning, along = found[-1]
        assert same(bending.residual, assembly.euler(arm.origin)[2].residual)
        assert same(turning.residual, assembly.euler(world.base.origin)[2].residual)
        assert same(along.residual, assembly.newton()[0].residual)
    for early, late in zip(*found, strict=True):
        assert same(early.residual, late.residual)
        assert early.left.has(beta)


def test_energy_with_small_variables_keeps_squares_of_velocities() -> None:
    world = World(small=Small((beta,)))
    frame = world.base.moved("body", rotation_z(alpha), rotation_x(beta))
    T = Assembly("body", [Body("body", frame, m, inertia(A, B, C))]).kinetic_energy()
    assert T.coeff(rate(beta), 2) == A / 2
    assert T.coeff(rate(alpha), 2).subs(beta, 0) == C / 2


def turntable(small: Small) -> Assembly:
    """A pendulum on an arm of a table that turns, with a second one at its end."""
    world = World(gravity=(0, 0, -g), moving=MovingBase(angular_velocity=(0, 0, r)), small=small)
    arm = world.base.moved("arm", translation(a), rotation_y(alpha), translation(z=-b))
    rod = Body("rod", arm, m, inertia(A, B, C))
    tip = arm.moved("tip", rotation_x(beta), translation(s, 0, -b))
    return Assembly("turntable", [rod, Body("tip", tip, n, inertia(A, A, B))])


@pytest.mark.parametrize("which", ["kinetic_energy", "potential_energy"])
def test_energies_have_all_terms_of_second_order(which: str) -> None:
    """Their slopes by small coordinates, too, are then right to the first order."""
    small = Small((alpha, beta))
    size = sympy.Symbol("size")
    whole = getattr(turntable(Small()), which)().xreplace({e: size * e for e in small.all})
    series = sum(whole.diff(size, order).subs(size, 0) / (1, 1, 2)[order] for order in range(3))
    found = getattr(turntable(small), which)()
    assert same(found, series)
    assert found.diff(alpha, 2) != 0


def test_weight_is_the_slope_of_the_potential_energy_in_what_is_small() -> None:
    early, last = turntable(Small((alpha, beta))), World(gravity=(0, 0, -g), linearise_last=True)
    swing = last.base.moved("swing", rotation_y(alpha), translation(z=-b))
    heavy = Assembly("heavy", [Body("bob", swing, m, inertia(0, 0, 0))])
    assert same(heavy.generalised_force(alpha), -heavy.potential_energy().diff(alpha))
    assert early.potential_energy().diff(beta, 2) == b * g * n


def damped(small: Small, linearise_last: bool) -> Assembly:
    """A plate that is carried along, with a damper and a preload at its corner."""
    moving = MovingBase((u, 0, 0))
    world = World(moving=moving, small=small, linearise_last=linearise_last)
    plate = Body("plate", world.base.moved("plate", rotation_y(alpha)), m, inertia(A, B, C))
    corner = plate.frame.point(a, 0, b)
    damper = Force("damper", world.base.vector(0, 0, -c * rate(alpha) - k), corner, plate)
    return Assembly("plate", [plate], [damper])


def test_the_power_of_a_damper_is_of_second_order() -> None:
    size = sympy.Symbol("size")
    small = Small((alpha,))
    whole = damped(Small(), False).power().xreplace({e: size * e for e in small.all})
    series = sum(whole.diff(size, order).subs(size, 0) / (1, 1, 2)[order] for order in range(3))
    found = damped(small, True).power()
    assert same(found, series)
    assert found.coeff(rate(alpha), 2) == a * c
    with pytest.raises(LanguageError, match="terms of the second order in what is small"):
        damped(small, False).power()


def test_a_power_of_first_order_is_known_early() -> None:
    world = World(moving=MovingBase((u, 0, 0)), small=Small((alpha,)))
    plate = Body("plate", world.base.moved("plate", rotation_y(alpha)), m, inertia(A, B, C))
    drag = Force("drag", world.base.vector(-F), plate.centre, plate)
    assert Assembly("plate", [plate], [drag]).power() == -F * u
