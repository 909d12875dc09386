"""The single pendulum of Morency 2007, eqs. (2.1)-(2.22): a uniform slender rod on a pin.

x points down, y to the right, theta turns the rod from x towards y, and the coordinates of
the centre of mass are x and y. The equations are compared symbolically.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import sympy
from scipy.integrate import solve_ivp

import axletree as at
from axletree.core.expr import Expr, evaluate, symbol, to_sympy
from axletree.core.expr.expression import ZERO
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.partition import Partition

MASS, LENGTH, GRAVITY = 1.7, 0.8, 9.81

m, l, g = sympy.symbols("m l g", positive=True)  # noqa: E741 as in the source
x, y, theta = sympy.symbols("x y theta")
vx, vy, omega, Rx, Ry = sympy.symbols("v_x v_y omega R_x R_y")
t = sympy.Symbol("t")  # tan(theta / 2)
S, C = sympy.sin(theta), sympy.cos(theta)

M_212 = sympy.diag(m, m, m * l**2 / 12)
Q_212 = sympy.Matrix([m * g, 0, 0])
PHI_213 = sympy.Matrix([x - l / 2 * C, y - l / 2 * S])
PHI_Q_217 = sympy.Matrix([[1, 0, l / 2 * S], [0, 1, -l / 2 * C]])
SPEEDS = sympy.Matrix([vx, vy, omega])
GAMMA_215 = -(PHI_Q_217 * SPEEDS).jacobian([x, y, theta]) * SPEEDS
ACCELERATION_222 = (-m * g * l / 2 * S) / (m / 3 * l**2)


def rod_on_a_pin() -> Any:
    model = at.Model("pendulum", gravity=(GRAVITY, 0.0, 0.0))
    inertia = MASS * LENGTH**2 / 12.0
    rod = model.add(at.RigidBody("rod", MASS, (0.0, inertia, inertia)))
    model.add(at.Revolute("pin", model.ground, rod.point(-LENGTH / 2, 0, 0, "end"), axis="z"))
    return model


def with_plane() -> Any:
    """The rod lies on a plane, too, so that x, y and theta may be its coordinates."""
    model = rod_on_a_pin()
    model.add(at.Planar("plane", model.ground, model["rod"], normal="z"))
    return model


NAMES: dict[str, Any] = {
    "rod.mass": m,
    "rod.inertia.yy": m * l**2 / 12,
    "rod.inertia.zz": m * l**2 / 12,
    "rod.end.x": -l / 2,
    "gravity.x": g,
    "plane.x": x,
    "plane.y": y,
    "plane.angle": theta,
    "plane.vx": vx,
    "plane.vy": vy,
    "plane.rate": omega,
    "pin.angle": theta,
    "pin.rate": omega,
}


def sympy_form(expressions: Sequence[Expr], **more: Any) -> sympy.Matrix:
    values = {symbol(name): value for name, value in (NAMES | more).items()}
    return sympy.Matrix(to_sympy(list(expressions), values))


def same(found: Any, expected: Any) -> bool:
    """Equal as functions: sine and cosine as rational functions of tan(theta / 2)."""
    rational = {S: 2 * t / (1 + t**2), C: (1 - t**2) / (1 + t**2)}
    first, second = (sympy.Matrix(a).subs(rational) for a in (found, expected))
    # Elements of the field are kept in lowest terms, so equal ones are identical.
    letters = first.free_symbols | second.free_symbols | {t}
    field = sympy.QQ.frac_field(*sorted(letters, key=str)).field
    pairs = zip(first, second, strict=True)
    return all(field.from_expr(a) == field.from_expr(b) for a, b in pairs)


def mass_matrix(equations: Any, **more: Any) -> sympy.Matrix:
    size = len(equations.speeds)
    lower = equations.dynamics.mass
    places = [(max(i, j), min(i, j)) for i in range(size) for j in range(size)]
    return sympy_form([lower.get(place, ZERO) for place in places], **more).reshape(size, size)


def jacobian(system: Any, **more: Any) -> sympy.Matrix:
    width = range(len(system.source.speeds))
    rows = [[c.jacobian.get(j, ZERO) for j in width] for c in system.constraints]
    return sympy.Matrix([list(sympy_form(row, **more)) for row in rows])


@pytest.fixture(scope="module")
def three() -> Any:
    """The system in x, y and theta, with the pin as chord."""
    return with_plane().formulate(tree=["plane"])


# -- one coordinate ---------------------------------------------------------------------


def test_one_coordinate_gives_the_one_equation_222() -> None:
    system = rod_on_a_pin().formulate()
    equations = system.source
    assert [q.name for q in system.states] == ["pin.rate", "pin.angle"]
    assert system.constraints == ()
    assert same(mass_matrix(equations), sympy.Matrix([m / 3 * l**2]))
    assert same(sympy_form(equations.dynamics.forcing), sympy.Matrix([-m * g * l / 2 * S]))
    assert same(sympy_form(system.derivatives), sympy.Matrix([ACCELERATION_222, omega]))


def test_one_coordinate_runs_like_222() -> None:
    system = rod_on_a_pin().formulate()
    run = system.simulate(3.0, step=1e-3, initial={"pin.angle": 2.0, "pin.rate": -0.5})

    def equation(t: float, s: np.ndarray) -> list[float]:
        return [s[1], -1.5 * GRAVITY / LENGTH * np.sin(s[0])]

    exact = solve_ivp(
        equation, (0, 3), [2.0, -0.5], "DOP853", t_eval=run.time, rtol=1e-12, atol=1e-13
    )
    assert np.abs(run["pin.angle"] - exact.y[0]).max() < 1e-8


# -- three coordinates ------------------------------------------------------------------


def test_dynamic_equations_21_to_23_in_the_form_212(three: Any) -> None:
    equations = three.source
    assert [q.name for q in equations.coordinates] == ["plane.x", "plane.y", "plane.angle"]
    # As they stand, without simplification.
    assert mass_matrix(equations) == M_212
    assert sympy_form(equations.dynamics.forcing) == Q_212
    reactions = sympy.Matrix([-Rx, -Ry, -Rx * l / 2 * S + Ry * l / 2 * C])
    assert same(-jacobian(three).T * sympy.Matrix([Rx, Ry]), reactions)


def test_kinematic_transforms_24_to_26(three: Any) -> None:
    assert same(sympy_form(three.source.coordinate_rates), SPEEDS)


def test_constraints_213_and_their_jacobian_217(three: Any) -> None:
    assert [c.reaction.name for c in three.constraints] == ["pin.Fx", "pin.Fy"]
    positions = sympy_form([c.position for c in three.constraints])
    assert positions == PHI_213
    assert jacobian(three) == PHI_Q_217
    assert same(positions.jacobian([x, y, theta]), PHI_Q_217)


def test_rates_of_the_constraints_214_and_215(three: Any) -> None:
    rates = sympy_form([c.velocity for c in three.constraints])
    assert same(rates, PHI_Q_217 * SPEEDS)
    assert same(-sympy_form([c.bias for c in three.constraints]), GAMMA_215)


def test_degrees_of_freedom_27(three: Any) -> None:
    assert (len(three.source.coordinates), len(three.constraints)) == (3, 2)
    assert three.degrees_of_freedom == 1


def solved_218(gamma: sympy.Matrix) -> tuple[sympy.Matrix, sympy.Matrix]:
    """Accelerations and multipliers of (2.18)."""
    top = M_212.row_join(PHI_Q_217.T)
    bottom = PHI_Q_217.row_join(sympy.zeros(2, 2))
    solved = top.col_join(bottom).LUsolve(Q_212.col_join(gamma))
    return solved[:3, :], solved[3:, :]


def test_solved_form_218(three: Any) -> None:
    accelerations, multipliers = solved_218(GAMMA_215)
    assert same(sympy_form(three.derivatives[:3]), accelerations)
    outputs = {d.quantity.name: d.expression for d in three.outputs}
    reactions = sympy_form([outputs["pin.Fx"], outputs["pin.Fy"]])
    assert same(reactions, -multipliers)


def test_baumgarte_219() -> None:
    alpha, beta = 3.0, 5.0
    system = with_plane().formulate(tree=["plane"], form=Baumgarte(alpha, beta))
    stabilised = GAMMA_215 - 2 * 3 * PHI_Q_217 * SPEEDS - 5**2 * PHI_213
    assert same(sympy_form(system.derivatives[:3]), solved_218(stabilised)[0])


def test_partition_220_and_221() -> None:
    form = Partition(newton_steps=1, dependent=("plane.vx", "plane.vy"))
    system = with_plane().formulate(tree=["plane"], form=form)
    by_name = dict(zip((q.name for q in system.states), system.derivatives, strict=True))
    # u = theta, v = (x, y): whatever x and y are, theta follows (2.21), which is (2.22).
    assert same(sympy_form([by_name["plane.rate"]]), sympy.Matrix([ACCELERATION_222]))
    assert system.projection is not None
    names = ("plane.vx", "plane.vy", "plane.rate", "plane.x", "plane.y", "plane.angle")
    off = dict(zip(names, (0.3, -0.2, 1.5, 0.1, 0.7, 0.4), strict=True))
    values = {symbol(name): value for name, value in off.items()}
    values[symbol("rod.end.x")] = -LENGTH / 2
    half, angle, rate = LENGTH / 2, off["plane.angle"], off["plane.rate"]
    down, right = half * np.cos(angle), half * np.sin(angle)
    expected = [-right * rate, down * rate, rate, down, right, angle]
    assert evaluate(system.projection, values) == pytest.approx(expected, abs=1e-15)


# -- absolute coordinates ---------------------------------------------------------------


def test_absolute_coordinates_have_six_equations_and_five_constraints() -> None:
    system = rod_on_a_pin().formulate(tree=["rod"])
    assert len(system.source.coordinates) == 6
    assert len(system.constraints) == 5
    assert system.redundant == ()
    assert system.degrees_of_freedom == 1


def test_absolute_coordinates_agree_with_222_on_the_constraints() -> None:
    system = rod_on_a_pin().formulate(tree=["rod"])
    planar: dict[str, Any] = {
        "rod.x": l / 2 * C,
        "rod.y": l / 2 * S,
        "rod.z": 0,
        "rod.yaw": theta,
        "rod.pitch": 0,
        "rod.roll": 0,
        "rod.vx": -l / 2 * S * omega,
        "rod.vy": l / 2 * C * omega,
        "rod.vz": 0,
        "rod.yaw_rate": omega,
        "rod.pitch_rate": 0,
        "rod.roll_rate": 0,
    }
    rows = system.constraints
    assert same(sympy_form([c.position for c in rows], **planar), sympy.zeros(5, 1))
    assert same(sympy_form([c.velocity for c in rows], **planar), sympy.zeros(5, 1))
    alpha = ACCELERATION_222
    rates = sympy.Matrix([
        -l / 2 * (S * alpha + C * omega**2),
        l / 2 * (C * alpha - S * omega**2),
        0,
        alpha,
        0,
        0,
    ])  # fmt: skip
    C_rows = jacobian(system, **planar)
    assert same(C_rows * rates, -sympy_form([c.bias for c in rows], **planar))
    # Of the reactions (2.1) and (2.2) give the forces in the plane; the rest is zero.
    held = {"pin.Fx": m * rates[0] - m * g, "pin.Fy": m * rates[1]}
    reactions = sympy.Matrix([held.get(c.reaction.name, 0) for c in rows])
    forcing = sympy_form(system.source.dynamics.forcing, **planar)
    assert same(mass_matrix(system.source, **planar) * rates, forcing + C_rows.T * reactions)


@pytest.mark.parametrize(
    "form", [None, Baumgarte(20.0, 20.0), Partition()], ids=["projected", "baumgarte", "partition"]
)
def test_every_choice_of_coordinates_runs_alike(form: Any) -> None:
    angle = rod_on_a_pin().formulate().simulate(2.0, step=1e-3, initial={"pin.angle": 1.0})
    plane = with_plane().formulate(tree=["plane"], form=form)
    found = plane.simulate(2.0, step=1e-3, initial={"plane.angle": 1.0})
    assert np.abs(found["plane.angle"] - angle["pin.angle"]).max() < 1e-8
    absolute = rod_on_a_pin().formulate(tree=["rod"], form=form)
    found = absolute.simulate(2.0, step=1e-3, initial={"rod.yaw": 1.0})
    assert np.abs(found["rod.yaw"] - angle["pin.angle"]).max() < 1e-8
