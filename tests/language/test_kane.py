"""Kane's and Lagrange's equations, against SymPy's KanesMethod and LagrangesMethod."""

from __future__ import annotations

from functools import cache

import sympy
from oracles.symbolic_equality import same
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Lagrangian,
    Particle,
    ReferenceFrame,
    RigidBody,
)
from sympy.physics.mechanics import Point as SymPyPoint
from sympy.physics.mechanics import inertia as dyadic

from axletree.language import (
    POINT_MASS,
    Assembly,
    Body,
    Force,
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

q_1, q_2, psi, theta, phi, u_1, u_2, u_3 = variables("q_1 q_2 psi theta phi u_1 u_2 u_3")
m, n, L, g, F, M, A, C, h = parameters("m n L g F M A C h")


@cache
def double_pendulum() -> Assembly:
    """Two points on rods, in absolute angles; a force on the lower, a torque between the rods."""
    world = World(gravity=(g, 0, 0))
    upper_rod = world.base.moved("upper", rotation_z(q_1))
    upper = Body("upper", upper_rod.moved("bob 1", translation(L)), m, POINT_MASS)
    hung = world.base.moved("hung", translation(*upper.frame.origin.in_frame(world.base).xyz))
    lower_rod = hung.moved("lower", rotation_z(q_2))
    lower = Body("lower", lower_rod.moved("bob 2", translation(h)), n, POINT_MASS)
    push = Force("push", world.base.vector(y=F), lower.centre, lower)
    motor = Torque("motor", world.base.vector(z=M), lower, upper)
    return Assembly("double pendulum", [upper, lower], [push, motor])


def sympys_double_pendulum() -> tuple[ReferenceFrame, SymPyPoint, list[Particle], list]:
    N = ReferenceFrame("N")
    rods = [N.orientnew(f"R{k}", "Axis", [q, N.z]) for k, q in enumerate((q_1, q_2))]
    for rod, q in zip(rods, (q_1, q_2), strict=True):
        rod.set_ang_vel(N, rate(q) * N.z)
    O = SymPyPoint("O")  # noqa: E741
    O.set_vel(N, 0)
    P_1 = O.locatenew("P1", L * rods[0].x)
    P_2 = P_1.locatenew("P2", h * rods[1].x)
    P_1.v2pt_theory(O, N, rods[0])
    P_2.v2pt_theory(P_1, N, rods[1])
    loads = [(P_1, m * g * N.x), (P_2, n * g * N.x + F * N.y), (rods[0], -M * N.z)]
    return N, O, [Particle("1", P_1, m), Particle("2", P_2, n)], [*loads, (rods[1], M * N.z)]


def test_the_double_pendulum_is_sympys_by_lagrange() -> None:
    N, _, particles, loads = sympys_double_pendulum()
    theirs = LagrangesMethod(Lagrangian(N, *particles), [q_1, q_2], forcelist=loads, frame=N)
    rows = theirs.form_lagranges_equations()
    for equation, row in zip(double_pendulum().lagrange([q_1, q_2]), rows, strict=True):
        assert same(equation.residual, row)


def test_the_double_pendulum_is_sympys_by_kane() -> None:
    N, _, particles, loads = sympys_double_pendulum()
    rates = {rate(q_1): u_1, rate(q_2): u_2}
    theirs = KanesMethod(N, [q_1, q_2], [u_1, u_2], kd_eqs=[u - dq for dq, u in rates.items()])
    fr, fr_star = theirs.kanes_equations(particles, loads)
    back = {u: dq for dq, u in rates.items()}
    rows = (fr + fr_star).xreplace({rate(u): rate(dq) for dq, u in rates.items()}).xreplace(back)
    for equation, row in zip(double_pendulum().kane([rate(q_1), rate(q_2)]), rows, strict=True):
        assert same(equation.residual, -row)


def test_kane_is_lagrange_on_the_double_pendulum() -> None:
    pairs = zip(double_pendulum().kane([q_1, q_2]), double_pendulum().lagrange([q_1, q_2]),
                strict=True)  # fmt: skip
    for kane, lagrange in pairs:
        assert same(kane.left, lagrange.left)
        assert same(kane.right, lagrange.right)


@cache
def top() -> Assembly:
    """A heavy symmetrical top: precession, nutation, spin; the tip is fixed."""
    world = World(gravity=(0, 0, -g))
    frame = world.base.moved("top", rotation_z(psi), rotation_x(theta), rotation_z(phi))
    body = Body("top", frame.moved("centre", translation(z=h)), m, inertia(A, A, C))
    return Assembly("top", [body])


def test_kane_is_lagrange_on_a_spinning_top() -> None:
    angles = [psi, theta, phi]
    for kane, lagrange in zip(top().kane(angles), top().lagrange(angles), strict=True):
        assert same(kane.residual, lagrange.residual)


def test_the_energy_of_a_top_is_goldsteins() -> None:
    """Goldstein 2002, eq. (5.52), with I_1 = A + m h^2 and I_3 = C."""
    tilting = rate(theta) ** 2 + rate(psi) ** 2 * sympy.sin(theta) ** 2
    spinning = rate(phi) + rate(psi) * sympy.cos(theta)
    T = (A + m * h**2) * tilting / 2 + C * spinning**2 / 2
    assert same(top().kinetic_energy(), T)
    assert same(top().potential_energy(), m * g * h * sympy.cos(theta))


def test_the_top_is_sympys_by_kane() -> None:
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Body", [psi, theta, phi], "ZXZ")
    tip = SymPyPoint("tip")
    tip.set_vel(N, 0)
    centre = tip.locatenew("centre", h * B.z)
    centre.v2pt_theory(tip, N, B)
    body = RigidBody("top", centre, B, m, (dyadic(B, A, A, C), centre))
    names = dict(zip((psi, theta, phi), (u_1, u_2, u_3), strict=True))
    theirs = KanesMethod(
        N, list(names), list(names.values()), kd_eqs=[u - rate(q) for q, u in names.items()]
    )
    fr, fr_star = theirs.kanes_equations([body], [(centre, -m * g * N.z)])
    rows = (fr + fr_star).xreplace({rate(u): rate(q, 2) for q, u in names.items()})
    rows = rows.xreplace({u: rate(q) for q, u in names.items()})
    for equation, row in zip(top().kane(list(names)), rows, strict=True):
        assert same(equation.residual, -row)
