"""The single pendulum of Morency 2007, eqs. (2.1)-(2.22), symbolically and as a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import sympy
from agreement import Agrees
from oracles import morency_pendulum as hand
from oracles.morency_pendulum import C, S, g, l, m, omega, same, theta
from scipy.integrate import solve_ivp

import axletree as at
from axletree.expr import Expr, evaluate, symbol, to_sympy
from axletree.expr.expression import ZERO
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.partition import Partition

MASS, LENGTH, GRAVITY = 1.7, 0.8, 9.81


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
    "plane.x": hand.x,
    "plane.y": hand.y,
    "plane.angle": theta,
    "plane.vx": hand.vx,
    "plane.vy": hand.vy,
    "plane.rate": omega,
    "pin.angle": theta,
    "pin.rate": omega,
}


def sympy_form(expressions: Sequence[Expr], **more: Any) -> sympy.Matrix:
    values = {symbol(name): value for name, value in (NAMES | more).items()}
    return sympy.Matrix(to_sympy(list(expressions), values))


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


@pytest.mark.validation("graphs")
def test_one_coordinate_gives_the_one_equation_222(agrees: Agrees) -> None:
    system = rod_on_a_pin().formulate()
    equations = system.source
    assert [q.name for q in system.states] == ["pin.rate", "pin.angle"]
    assert system.constraints == ()
    assert same(mass_matrix(equations), [hand.M_222])
    assert same(sympy_form(equations.dynamics.forcing), [hand.Q_222])
    agrees.as_equations(
        "pendulum in one coordinate: equation of motion",
        same(sympy_form(system.derivatives), sympy.Matrix([hand.ACCELERATION_222, omega])),
        source="Morency 2007, eq. (2.22)",
    )  # fmt: skip


@pytest.mark.validation("mechanisms")
def test_one_coordinate_runs_like_222(agrees: Agrees) -> None:
    system = rod_on_a_pin().formulate()
    run = system.simulate(3.0, step=1e-3, initial={"pin.angle": 2.0, "pin.rate": -0.5})

    def equation(t: float, s: np.ndarray) -> list[float]:
        return [s[1], -1.5 * GRAVITY / LENGTH * np.sin(s[0])]

    exact = solve_ivp(
        equation, (0, 3), [2.0, -0.5], "DOP853", t_eval=run.time, rtol=1e-12, atol=1e-13
    )
    agrees(
        "pendulum let go at 2 rad: angle over 3 s", run["pin.angle"], exact.y[0], abs=1e-8,
        unit="rad", source="Morency 2007, eq. (2.22), integrated by SciPy",
    )  # fmt: skip


# -- three coordinates ------------------------------------------------------------------


@pytest.mark.validation("graphs")
def test_dynamic_equations_21_to_23_in_the_form_212(three: Any, agrees: Agrees) -> None:
    equations = three.source
    assert [q.name for q in equations.coordinates] == ["plane.x", "plane.y", "plane.angle"]
    # As they stand, without simplification.
    assert mass_matrix(equations) == hand.M_212
    assert sympy_form(equations.dynamics.forcing) == hand.Q_212
    agrees.as_equations(
        "pendulum in three coordinates: masses, forces and reactions",
        same(-jacobian(three).T * sympy.Matrix([hand.Rx, hand.Ry]), hand.REACTIONS_212),
        source="Morency 2007, eqs. (2.1) to (2.3), (2.12)",
    )  # fmt: skip


def test_kinematic_transforms_24_to_26(three: Any) -> None:
    assert same(sympy_form(three.source.coordinate_rates), hand.SPEEDS)


@pytest.mark.validation("graphs")
def test_constraints_213_and_their_jacobian_217(three: Any, agrees: Agrees) -> None:
    assert [c.reaction.name for c in three.constraints] == ["pin.Fx", "pin.Fy"]
    positions = sympy_form([c.position for c in three.constraints])
    assert positions == hand.PHI_213
    assert jacobian(three) == hand.PHI_Q_217
    agrees.as_equations(
        "pendulum in three coordinates: constraints and their Jacobian",
        same(positions.jacobian([hand.x, hand.y, theta]), hand.PHI_Q_217),
        source="Morency 2007, eqs. (2.13), (2.17)",
    )  # fmt: skip


@pytest.mark.validation("graphs")
def test_rates_of_the_constraints_214_and_215(three: Any, agrees: Agrees) -> None:
    rates = sympy_form([c.velocity for c in three.constraints])
    assert same(rates, hand.PHI_Q_217 * hand.SPEEDS)
    agrees.as_equations(
        "pendulum in three coordinates: rates of the constraints",
        same(-sympy_form([c.bias for c in three.constraints]), hand.GAMMA_215),
        source="Morency 2007, eqs. (2.14), (2.15)",
    )  # fmt: skip


def test_degrees_of_freedom_27(three: Any) -> None:
    assert (len(three.source.coordinates), len(three.constraints)) == (3, 2)
    assert three.degrees_of_freedom == 1


@pytest.mark.validation("graphs")
def test_solved_form_218(three: Any, agrees: Agrees) -> None:
    accelerations, multipliers = hand.solved_218(hand.GAMMA_215)
    agrees.as_equations(
        "pendulum in three coordinates: solved accelerations",
        same(sympy_form(three.derivatives[:3]), accelerations),
        source="Morency 2007, eq. (2.18)",
    )  # fmt: skip
    outputs = {d.quantity.name: d.expression for d in three.outputs}
    reactions = sympy_form([outputs["pin.Fx"], outputs["pin.Fy"]])
    assert same(reactions, -multipliers)


@pytest.mark.validation("graphs")
def test_baumgarte_219(agrees: Agrees) -> None:
    system = with_plane().formulate(tree=["plane"], form=Baumgarte(3.0, 5.0))
    accelerations, _ = hand.solved_218(hand.gamma_219(3, 5))
    agrees.as_equations(
        "pendulum in three coordinates: accelerations stabilised after Baumgarte",
        same(sympy_form(system.derivatives[:3]), accelerations),
        source="Morency 2007, eq. (2.19)",
    )  # fmt: skip


@pytest.mark.validation("graphs")
def test_partition_220_and_221(agrees: Agrees) -> None:
    form = Partition(newton_steps=1, dependent=("plane.vx", "plane.vy"))
    system = with_plane().formulate(tree=["plane"], form=form)
    by_name = dict(zip((q.name for q in system.states), system.derivatives, strict=True))
    # u = theta, v = (x, y): whatever x and y are, theta follows (2.21), which is (2.22).
    agrees.as_equations(
        "pendulum in three coordinates: independent acceleration of the partitioned form",
        same(sympy_form([by_name["plane.rate"]]), sympy.Matrix([hand.ACCELERATION_222])),
        source="Morency 2007, eqs. (2.20), (2.21)",
    )  # fmt: skip
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
    alpha = hand.ACCELERATION_222
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
