"""A base that moves, against the same motion described in the ground."""

from __future__ import annotations

import pytest
import sympy
from oracles.symbolic_equality import same
from sympy.physics.mechanics import Point as SymPyPoint
from sympy.physics.mechanics import ReferenceFrame

from axletree.language import (
    TIME,
    Assembly,
    Body,
    Force,
    LanguageError,
    MovingBase,
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

u, v, w, p, q, r = variables("u v w p q r")
x, y, z, psi, theta, phi = variables("x y z psi theta phi")
m, I_z, h, a, F_x, F_y, g = parameters("m I_z h a F_x F_y g")
PLANE = MovingBase(velocity=(u, v, 0), angular_velocity=(0, 0, r))
SPACE = MovingBase((u, v, w), (p, q, r))
PLACE = translation(x, y) * rotation_z(psi)
ATTITUDE = rotation_z(psi) * rotation_y(theta) * rotation_x(phi)


def test_velocity_matrix() -> None:
    """Lot and Massaro 2017, eq. (8), with 0 for 1 in its corner."""
    assert sympy.Matrix([[0, -r, q, u], [r, 0, -p, v], [-q, p, 0, w], [0, 0, 0, 0]]) == SPACE.W


def test_velocity_and_acceleration_of_the_unsprung_mass() -> None:
    """V_U and A_U, below eq. (8)."""
    U = World(moving=PLANE).base.point(0, 0, -h)
    assert list(U.velocity()) == [u, v, 0]
    assert list(U.acceleration()) == [rate(u) - v * r, rate(v) + u * r, 0]


def test_the_rule_of_derivatives_by_the_matrix() -> None:
    """Eqs. (6), (7), for points and, twice over, for vectors."""
    base = World(moving=SPACE).base
    A = sympy.Matrix([x, y, z, 1])
    V = SPACE.W * A + A.diff(TIME)
    point = base.point(x, y, z)
    assert same(point.velocity().xyz, V[:3, :])
    assert V[3] == 0
    assert same(point.acceleration().xyz, (SPACE.W * V + V.diff(TIME))[:3, :])
    assert same(base.vector(x).derivative().xyz, sympy.Matrix([rate(x), r * x, -q * x]))


def test_a_resting_base_adds_nothing() -> None:
    assert sympy.zeros(4) == World().moving.W
    assert list(World().base.point(x).acceleration()) == [rate(x, 2), 0, 0]


def test_motion_seen_from_the_base_itself() -> None:
    base = World(moving=SPACE).base
    assert list(base.point(x, y).velocity(base)) == [rate(x), rate(y), 0]
    turned = base.moved("A", rotation_z(psi))
    assert list(turned.angular_velocity()) == [p, q, r + rate(psi)]
    assert list(turned.angular_velocity(base)) == [0, 0, rate(psi)]


def test_tracking_and_path_in_the_plane() -> None:
    """Eqs. (4), (5)."""
    tracking = PLANE.tracking(PLACE)
    c, s = sympy.cos(psi), sympy.sin(psi)
    expected = [(u, rate(x) * c + rate(y) * s), (v, -rate(x) * s + rate(y) * c), (r, rate(psi))]
    for equation, (left, right) in zip(tracking, expected, strict=True):
        assert equation.says_the_same_as(left, right)
    path = PLANE.path(PLACE)
    rates = {e.left: e.right for e in path}
    assert same(rates[rate(x)], u * c - v * s)
    assert same(rates[rate(y)], u * s + v * c)
    assert rates[rate(psi)] == r


def test_tracking_in_space() -> None:
    """Six speeds and angles of yaw, pitch and roll, against SymPy's frames."""
    tracking = {e.left: e.right for e in SPACE.tracking(translation(x, y, z) * ATTITUDE)}
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Body", [psi, theta, phi], "ZYX")
    turning = A.ang_vel_in(N).to_matrix(A)
    moving = (rate(x) * N.x + rate(y) * N.y + rate(z) * N.z).to_matrix(A)
    assert same(sympy.Matrix([tracking[s] for s in (p, q, r)]), turning)
    assert same(sympy.Matrix([tracking[s] for s in (u, v, w)]), moving)


def test_path_in_space() -> None:
    """The rates of the angles are the known ones: psi' = (q sin(phi) + r cos(phi))/cos(theta)."""
    rates = {e.left: e.right for e in SPACE.path(translation(x, y, z) * ATTITUDE)}
    assert set(rates) == {rate(s) for s in (x, y, z, psi, theta, phi)}
    assert same(rates[rate(psi)] * sympy.cos(theta), q * sympy.sin(phi) + r * sympy.cos(phi))
    assert same(rates[rate(theta)], q * sympy.cos(phi) - r * sympy.sin(phi))
    assert same(rates[rate(phi)] - rates[rate(psi)] * sympy.sin(theta), p)
    ground = ATTITUDE[:3, :3] * sympy.Matrix([u, v, w])
    assert same(sympy.Matrix([rates[rate(s)] for s in (x, y, z)]), ground)


def test_places_that_cannot_have_the_velocities() -> None:
    with pytest.raises(LanguageError, match=r"moves with v\(t\), which no rate.*one more"):
        PLANE.tracking(translation(x))
    with pytest.raises(LanguageError, match=r"rates .*x\(t\).*z\(t\).* do not follow"):
        PLANE.path(translation(x * z, y) * rotation_z(psi))


def test_acceleration_in_space_is_that_in_the_ground() -> None:
    """With u to r put in by their tracking equations."""
    moving = World(moving=SPACE).base.point(a, 0, h).acceleration()
    speeds = {e.left: e.right for e in SPACE.tracking(translation(x, y, z) * ATTITUDE)}
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Body", [psi, theta, phi], "ZYX")
    origin = SymPyPoint("O")
    P = origin.locatenew("P", x * N.x + y * N.y + z * N.z + a * A.x + h * A.z)
    theirs = P.pos_from(origin).dt(N).dt(N).to_matrix(A)
    assert same(moving.xyz.subs(speeds).doit(), theirs)


def plane_body(world: World, frame_is_base: bool) -> Assembly:
    frame = world.base
    if not frame_is_base:
        frame = frame.moved("A", PLACE)
    body = Body("body", frame.moved("centre", translation(h)), m, inertia(0, 0, I_z))
    return Assembly("body", [body], [Force("push", frame.vector(F_x, F_y), frame.point(a), body)])


def test_equations_in_a_moving_base_are_those_in_the_ground() -> None:
    moving = plane_body(World(moving=PLANE), frame_is_base=True)
    ground = plane_body(World(), frame_is_base=False)
    speeds = {e.left: e.right for e in PLANE.tracking(PLACE)}
    frame = ground.loads[0].at.frame
    pole, resting_pole = moving.world.base.origin, frame.origin
    pairs = zip(
        moving.newton() + moving.euler(pole),
        ground.newton(frame) + ground.euler(resting_pole, frame),
        strict=True,
    )
    for a_moving, a_resting in pairs:
        assert same(a_moving.residual.subs(speeds).doit(), a_resting.residual)


def test_gravity_that_turns_in_the_base() -> None:
    """A base that pitches: gravity is given in its axes, and weight follows."""
    base = MovingBase(angular_velocity=(0, rate(theta), 0))
    down = (-g * sympy.sin(theta), 0, g * sympy.cos(theta))
    world = World(gravity=down, moving=base)
    body = Body("bob", world.base.moved("bob", translation(z=h)), m, inertia(0, I_z, 0))
    euler = Assembly("pendulum", [body]).euler(world.base.origin)[1]
    assert euler.says_the_same_as((I_z + m * h**2) * rate(theta, 2), -m * g * h * sympy.sin(theta))


@pytest.mark.parametrize(
    ("gravity", "angular_velocity"),
    [
        ((0, 0, g), (p, q, r)),
        ((0, 0, g), (rate(theta), 0, 0)),
        ((g, 0, g), (0, 0, r)),  # on a slope, and the base yaws
        ((g * sympy.sin(theta), 0, g * sympy.cos(theta)), (0, rate(theta), 0)),  # the wrong sign
    ],
)
def test_gravity_that_the_base_takes_along_is_warned_of(
    gravity: tuple[sympy.Expr, ...], angular_velocity: tuple[sympy.Expr, ...]
) -> None:
    with pytest.warns(UserWarning, match="does not stand still in the ground"):
        World(gravity=gravity, moving=MovingBase(angular_velocity=angular_velocity))


def test_gravity_that_may_stand_still_is_not_warned_of() -> None:
    World(gravity=(0, 0, g), moving=MovingBase((u, v, 0), (0, 0, r)))
    World(gravity=(0, g * sympy.sin(theta), 0), moving=MovingBase(angular_velocity=(p, q, r)))
    World(moving=MovingBase(angular_velocity=(p, q, r)))


def test_a_velocity_of_the_base_is_linear_in_rates() -> None:
    with pytest.raises(LanguageError, match=r"Derivative\(psi\(t\), t\).*to another power than 1"):
        MovingBase((rate(theta) * rate(psi), 0, 0))


def test_speeds_are_the_variables_of_the_velocities() -> None:
    assert SPACE.speeds == (u, v, w, p, q, r)
    assert MovingBase((a, v, 0), (0, 0, r)).speeds == (v, r)
    by_sideslip = MovingBase((u * sympy.cos(phi), u * sympy.sin(phi), 0), (0, 0, r))
    assert by_sideslip.speeds == (phi, u, r)
    assert MovingBase((rate(x) * sympy.cos(psi), 0, 0), (0, 0, rate(psi))).speeds == ()
