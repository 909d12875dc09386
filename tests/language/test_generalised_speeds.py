"""Kane's equations in speeds of one's own, with and without something held."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import sympy
from oracles.symbolic_equality import same
from sympy.physics.mechanics import KanesMethod, ReferenceFrame, RigidBody
from sympy.physics.mechanics import Point as SymPyPoint
from sympy.physics.mechanics import inertia as dyadic

from axletree.language import (
    Assembly,
    Body,
    Constraint,
    GeneralisedSpeeds,
    LanguageError,
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

psi, theta, phi, x, y, u_1, u_2, u_3 = variables("psi theta phi x y u_1 u_2 u_3")
A, B, C, m, M, R, g = parameters("A B C m M R g")


def test_eulers_equations_of_a_body_that_yaws_and_leans() -> None:
    """In components of the angular velocity along its own axes; a part of Euler's equations."""
    world = World()
    frame = world.base.moved("body", rotation_z(psi), rotation_x(theta))
    body = Body("body", frame, m, inertia(A, B, C))
    torque = Torque("torque", frame.vector(M), body)
    omega = frame.angular_velocity().in_frame(frame).exact
    speeds = {u_1: omega[0], u_2: omega[2]}
    first, _ = Assembly("body", [body], [torque]).kane(speeds)
    sideways = u_2 * sympy.tan(theta)
    wanted = A * rate(u_1) - (B - C) * sideways * u_2 - M
    assert sympy.simplify(first.residual - wanted) == 0


def test_rates_of_the_coordinates_follow_from_the_speeds() -> None:
    speeds = {u_1: rate(x) * sympy.cos(psi) + rate(y) * sympy.sin(psi), u_2: rate(psi)}
    sideways = -rate(x) * sympy.sin(psi) + rate(y) * sympy.cos(psi)
    found = GeneralisedSpeeds.of(speeds, [sideways]).kinematics()
    values = {e.left: e.right for e in found}
    assert same(values[rate(x)], u_1 * sympy.cos(psi))
    assert same(values[rate(y)], u_1 * sympy.sin(psi))
    assert values[rate(psi)] == u_2


@pytest.mark.slow
def test_a_disc_that_rolls_has_the_equations_of_sympys_method() -> None:
    """Three speeds of five coordinates, and no reactions."""
    frame = World(gravity=(0, 0, -g)).base.moved("yaw", translation(x, y), rotation_z(psi))
    lean = frame.moved("lean", rotation_x(theta))
    disc = Body(
        "disc",
        lean.moved("disc", translation(z=R), rotation_y(phi)),
        m,
        inertia(m * R**2 / 4, m * R**2 / 2, m * R**2 / 4),
    )
    contact_to_centre = disc.centre - lean.origin
    slip = disc.centre.velocity() - disc.frame.angular_velocity().cross(
        contact_to_centre.in_frame(frame.world.base)
    )
    along = slip.in_frame(frame).exact
    omega = disc.frame.angular_velocity().in_frame(lean).exact
    speeds = dict(zip((u_1, u_2, u_3), omega, strict=True))
    mine = Assembly("disc", [disc]).kane(speeds, constraints=[along[0], along[1]])
    theirs = sympys_disc()
    scale = theirs.jacobian([rate(u) for u in (u_1, u_2, u_3)])
    own = sympy.Matrix([e.residual for e in mine])
    ratio = sympy.simplify(own.jacobian([rate(u) for u in (u_1, u_2, u_3)]) * scale.inv())
    assert ratio == -sympy.eye(3)
    assert sympy.simplify(own + theirs) == sympy.zeros(3, 1)


def sympys_disc() -> sympy.Matrix:
    """F_r + F*_r of the rolling disc in the same speeds, by KanesMethod."""
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [psi, N.z])
    L = Y.orientnew("L", "Axis", [theta, Y.x])
    omega = u_1 * L.x + u_2 * L.y + u_3 * L.z
    D = L.orientnew("D", "Axis", [phi, L.y])
    rates = D.ang_vel_in(N)
    kinematic = [rates.dot(axis) - u for axis, u in zip(L, (u_1, u_2, u_3), strict=True)]
    D.set_ang_vel(N, omega)
    contact = SymPyPoint("contact")
    contact.set_vel(N, 0)
    centre = contact.locatenew("centre", R * L.z)
    solved = sympy.solve(kinematic, [rate(q) for q in (psi, theta, phi)])
    centre.set_vel(N, omega.cross(R * L.z))
    L.set_ang_vel(N, L.ang_vel_in(N).subs(solved))
    tensor = dyadic(L, m * R**2 / 4, m * R**2 / 2, m * R**2 / 4)
    body = RigidBody("disc", centre, D, m, (tensor, centre))
    method = KanesMethod(N, [psi, theta, phi], [u_1, u_2, u_3], kinematic)
    forcing, inertial = method.kanes_equations([body], [(centre, -m * g * N.z)])
    return sympy.simplify(forcing + inertial)


def test_reactions_of_what_is_held_drop_out() -> None:
    """A sleigh with its blade as a constraint with a multiplier, which then is nowhere."""
    (blade,) = variables("blade")
    world = World()
    frame = world.base.moved("sleigh", translation(x, y), rotation_z(psi))
    body = Body("sleigh", frame, m, inertia(0, 0, C))
    sideways = -rate(x) * sympy.sin(psi) + rate(y) * sympy.cos(psi)
    held = Constraint("blade", world, [sideways], [blade])
    speeds = {u_1: rate(x) * sympy.cos(psi) + rate(y) * sympy.sin(psi), u_2: rate(psi)}
    first, second = Assembly("sleigh", [body], (), [held]).kane(speeds, constraints=[sideways])
    assert same(first.residual, m * rate(u_1))
    assert same(second.residual, C * rate(u_2))


def test_mistakes_are_told() -> None:
    world = World()
    body = Body("body", world.base.moved("body", translation(x, y)), m, inertia(0, 0, C))
    one = Assembly("body", [body])
    with pytest.raises(LanguageError, match="1 speeds and 0 combinations .* 2 coordinates, x"):
        one.kane({u_1: rate(x) + rate(y)})
    with pytest.raises(LanguageError, match="some of them say the same"):
        one.kane({u_1: rate(x) + rate(y), u_2: 2 * rate(x) + 2 * rate(y)})
    with pytest.raises(LanguageError, match="is no variable that could be a speed"):
        one.kane({m: rate(x), u_2: rate(y)})
    with pytest.raises(LanguageError, match="speeds of one's own"):
        one.kane([x], constraints=[rate(y)])
    with pytest.raises(LanguageError, match=r"\*Derivative\(y\(t\), t\) to another power than 1"):
        one.kane({u_1: rate(x) * rate(y), u_2: rate(y)})
    with pytest.raises(LanguageError, match="to another power than 1"):
        one.kane({u_1: rate(x)}, constraints=[rate(x) * rate(y)])


def pendulum_on_a_cart(small: Small, linearise_last: bool = True) -> Assembly:
    """A cart on a slope, and a heavy rod on it that swings."""
    world = World(gravity=(g, 0, -g), small=small, linearise_last=linearise_last)
    cart = Body("cart", world.base.moved("cart", translation(x)), M, inertia(0, 0, 0))
    rod = cart.frame.moved("rod", rotation_y(theta), translation(z=-R))
    return Assembly("cart", [cart, Body("rod", rod, m, inertia(A, B, C))])


SPEEDS = {
    u_1: rate(x) * (1 + theta) + rate(theta),
    u_2: rate(theta) * sympy.cos(theta) + theta * rate(x),
}


def first_order_of(expression: sympy.Expr, small: Sequence[sympy.Expr]) -> sympy.Expr:
    """By SymPy's own series in a common size of all that is small."""
    size = sympy.Symbol("size")
    sized = expression.xreplace({s: size * s for s in small})
    return (sized + sized.diff(size)).subs(size, 0)


def test_speeds_of_ones_own_are_linearised_last() -> None:
    """With a cart that may be fast: u_2 is not small where it is, and vanishes with theta."""
    exact = pendulum_on_a_cart(Small()).kane(SPEEDS)
    found = pendulum_on_a_cart(Small((theta,))).kane(SPEEDS)
    for whole, cut in zip(exact, found, strict=True):
        wanted = first_order_of(whole.residual, [theta, u_2, rate(u_2)])
        assert same(cut.residual, wanted)
        assert cut.small == {theta}


def test_a_speed_of_what_is_small_is_small() -> None:
    exact = pendulum_on_a_cart(Small()).kane({u_1: rate(x), u_2: rate(theta) * sympy.cos(theta)})
    small = Small((theta,), (rate(x),))
    found = pendulum_on_a_cart(small).kane({u_1: rate(x), u_2: rate(theta) * sympy.cos(theta)})
    for whole, cut in zip(exact, found, strict=True):
        wanted = first_order_of(whole.residual, [theta, u_1, u_2, rate(u_1), rate(u_2)])
        assert same(cut.residual, wanted)


def test_a_speed_that_is_singular_where_the_small_is_zero_is_refused() -> None:
    with pytest.raises(LanguageError, match="has no value, or no slope"):
        pendulum_on_a_cart(Small((theta,))).kane({u_1: rate(x), u_2: rate(theta) * theta})
