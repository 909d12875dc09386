"""Constraints of one's own: between velocities, and those that cannot be."""

from __future__ import annotations

import math

import pytest
import sympy
from oracles.symbolic_equality import same
from sympy import cos, sin

from axletree.language import (
    POINT_MASS,
    Assembly,
    Body,
    Constraint,
    Force,
    LanguageError,
    MovingBase,
    Small,
    Torque,
    World,
    inertia,
    parameters,
    rate,
    rotation_y,
    rotation_z,
    state_space,
    translation,
    variables,
)

x, y, psi, theta, f_x, f_y, drive, steer = variables("x y psi theta f_x f_y drive steer")
u, v, r, f = variables("u v r f")
m, R, A, J, a = parameters("m R A J a")


def coin(with_loads: bool) -> Assembly:
    """A wheel that stays upright and rolls; the ground's force on it is (-f_x, -f_y)."""
    world = World()
    upright = world.base.moved("upright", translation(x, y, R), rotation_z(psi))
    wheel = Body("wheel", upright.moved("wheel", rotation_y(theta)), m, inertia(J, A, J))
    torques = [
        Torque("drive", upright.vector(y=drive), wheel),
        Torque("steer", upright.vector(z=steer), wheel),
    ]
    speed = R * rate(theta)
    rolling = [rate(x) - speed * cos(psi), sympy.Eq(rate(y), speed * sin(psi))]
    ground = Force("ground", world.base.vector(-f_x, -f_y), upright.point(z=-R), wheel)
    rolls = Constraint("rolls", world, rolling, [f_x, f_y], [ground] if with_loads else [])
    return Assembly("coin", [wheel], torques, [rolls])


def test_multipliers_of_rolling_do_the_work_of_the_ground() -> None:
    """Slopes by rates (d'Alembert's principle), against the force put where the wheel touches."""
    bare, told = coin(with_loads=False), coin(with_loads=True)
    coordinates = [x, y, psi, theta]
    wanted = told.lagrange(coordinates)
    for found in (bare.lagrange(coordinates), bare.kane([rate(q) for q in coordinates])):
        for equation, expected in zip(found, wanted, strict=True):
            assert same(equation.left, expected.left)
            assert same(equation.right, expected.right)
    newton = told.newton()
    assert all(same(e.residual, n.residual) for e, n in zip(wanted[:2], newton[:2], strict=True))


def test_a_coin_runs_as_its_torques_say() -> None:
    """theta'' = drive / (A + m R^2), and a steady turn of radius R theta' / psi'."""
    assembly = coin(with_loads=False)
    space = state_space(
        "coin",
        assembly.lagrange([x, y, psi, theta]),
        states=[x, y, psi, theta],
        inputs=[drive, steer],
        parameters={m: 2.0, R: 0.3, A: 0.09, J: 0.05},
        constraints=assembly.constraints,
    )
    system = space.system()
    run = system.simulate(3.0, step=1e-3, inputs={"drive": 0.27})
    assert run["V_theta"][-1] == pytest.approx(3.0, rel=1e-9)
    assert run["x"][-1] == pytest.approx(0.3 * 4.5, rel=1e-9)
    rolling = {"V_theta": 4.0, "V_psi": 0.5, "V_x": 1.2, "V_y": 0.0}
    turn = system.simulate(math.pi, step=math.pi / 4000, initial=rolling)
    assert turn["x"][-1] == pytest.approx(1.2 / 0.5, rel=1e-9)
    assert turn["y"][-1] == pytest.approx(1.2 / 0.5, rel=1e-9)


def sleigh(**choices: object) -> Assembly:
    """Chaplygin's: a blade under the base's origin, the mass a ahead of it."""
    world = World(moving=MovingBase((u, v, 0), (0, 0, r)), **choices)  # type: ignore[arg-type]
    body = Body("sleigh", world.base.moved("sleigh", translation(a)), m, inertia(0, 0, J))
    blade = Constraint("blade", world, [v], [f])
    return Assembly("sleigh", [body], constraints=[blade])


def test_a_blade_holds_a_speed_of_the_base() -> None:
    """Chaplygin's sleigh: u' = a r^2, (J + m a^2) r' = -m a u r, and the force of the blade."""
    along, across, turning = sleigh().lagrange([u, v, r])
    assert along.says_the_same_as(m * (rate(u) - r * v - a * r**2))
    assert across.says_the_same_as(m * (rate(v) + u * r + a * rate(r)), -f)
    assert turning.says_the_same_as((J + m * a**2) * rate(r) + m * a * (rate(v) + u * r))
    assert sleigh().kane([v])[0].says_the_same_as(across.left, across.right)


def test_a_slope_by_a_small_velocity_lacks_terms() -> None:
    small = Small(velocities=(v,))
    with pytest.raises(LanguageError, match=r"Lagrange's equation in v lacks terms"):
        sleigh(small=small).lagrange([v])
    (across,) = sleigh(small=small, linearise_last=True).lagrange([v])
    assert across.says_the_same_as(m * (rate(v) + u * r + a * rate(r)), -f)


def test_a_force_in_a_small_coordinate_lacks_terms() -> None:
    """A pendulum's -m g a sin(theta) has no slope where cos(theta) is 1."""
    (g,) = parameters("g")
    for last, wanted in ((True, -m * g * a * theta), (False, 0)):
        world = World(gravity=(0, 0, -g), small=Small(displacements=(theta,)), linearise_last=last)
        arm = world.base.moved("arm", rotation_y(theta), translation(z=-a))
        pendulum = Assembly("pendulum", [Body("bob", arm, m, POINT_MASS)])
        assert same(pendulum.generalised_force(theta, terms_may_be_lost=True), wanted)
    with pytest.raises(LanguageError, match="the generalised force in theta lacks terms"):
        pendulum.generalised_force(theta)


@pytest.mark.parametrize(
    ("equation", "words"),
    [
        (sympy.Eq(x**2 + 1, 0), "constraint 'held' is False whatever the variables are"),
        (rate(x, 2) - 1, r"constraint 'held' holds Derivative\(x\(t\), \(t, 2\)\)"),
        (rate(x) ** 2 - 1, r"Derivative\(x\(t\), t\) to another power than 1"),
        (rate(x) * rate(y), r"Derivative\(x\(t\), t\)\*Derivative\(y\(t\), t\) to another power"),
        (sympy.sin(rate(x)), r"Derivative\(x\(t\), t\) to another power than 1"),
    ],
)
def test_constraints_that_cannot_be(equation: sympy.Expr, words: str) -> None:
    with pytest.raises(LanguageError, match=words):
        Constraint("held", World(), [equation], [f])
