"""Rows of opened systems against the equations they come from, in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.equations.set_valued_forces import LAW_COLUMNS
from axletree.expr import Expr, evaluate, jacobian
from axletree.model.model import Model
from axletree.system.assemble import open_system
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.projected import Projected
from axletree.system.system import System


def cart() -> Model:
    """A cart on two wheels of a closed chain, with a brake, a clutch and a contact."""
    model = at.Model("cart")
    crank = model.add(at.RigidBody("crank", 1.0, (0.01,) * 3, (0.1, 0.02, 0.0)))
    coupler = model.add(at.RigidBody("coupler", 2.0, (0.05,) * 3, (0.25, 0.0, 0.1)))
    rocker = model.add(at.RigidBody("rocker", 1.5, (0.03,) * 3, (0.2, 0.0, 0.0)))
    first = model.add(at.Revolute("A", model.ground, crank, axis="y"))
    model.add(at.Revolute("B", crank.point(0.2, 0.0, 0.0), coupler, axis="y"))
    tip = rocker.point(0.4, 0.0, 0.0)
    model.add(at.Revolute("C", coupler.point(0.5, 0.0, 0.0), tip, axis="y"))
    last = model.add(at.Revolute("D", model.ground.point(0.5, 0.0, 0.0), rocker, axis="y"))
    model.add(at.FrictionBrake("brake", first, torque=3.0))
    model.add(at.DryClutch("clutch", first, last, capacity=2.0))
    model.add(at.PointContact("tip", tip, model.ground, friction=0.4, restitution=0.3))
    return model


def values_of(system: System, seed: int = 1) -> dict[Expr, float]:
    generator = np.random.default_rng(seed)
    values = {q.symbol: float(q.default) for q in system.parameters}
    values |= {q.symbol: float(generator.uniform(-1.0, 1.0)) for q in system.states}
    values |= {q.symbol: float(generator.uniform(-1.0, 1.0)) for q in system.inputs}
    return values | {system.time.symbol: 0.3}


class Numbers:
    """The values of the rows of an opened system, taken apart."""

    def __init__(self, opened: System, values: dict[Expr, float]) -> None:
        assert opened.rows is not None
        m, n = len(opened.rows.reactions), sum(q.role.value == "speed" for q in opened.states)
        flat = np.array(evaluate(opened.rows.values, values), dtype=float)
        parts = np.split(flat, np.cumsum([n, m * n, m * m, m, m, *([m] * (len(LAW_COLUMNS) - 1))]))
        self.n = n
        self.free, self.velocity, self.push = parts[0], parts[3], parts[4]
        self.columns, self.coupling = parts[1].reshape(m, n), parts[2].reshape(m, m)
        self.law = dict(zip(LAW_COLUMNS, parts[5:], strict=True))


@pytest.mark.parametrize("form", [Projected(), Baumgarte()])
def test_rows_are_what_the_equations_say(form: Any) -> None:
    opened = open_system(cart().formulate(form=form))
    assert opened.rows is not None
    values = values_of(opened)
    found = Numbers(opened, values)
    forces = np.array([values[q.symbol] for q in opened.rows.reactions])
    rates = np.array(evaluate(opened.derivatives, values), dtype=float)[: found.n]
    assert found.free + forces @ found.columns == pytest.approx(rates, rel=1e-9)
    # A, from the velocities themselves: the gap's rate and those of brake and clutch.
    speeds = [q.symbol for q in opened.states[: found.n]]
    outputs = {d.quantity.name: d.expression for d in opened.outputs}
    told = [outputs["A.rate"] if "A.rate" in outputs else speeds[0], -outputs["clutch.slip"]]
    slopes = jacobian(told, speeds)
    A = np.zeros((2, found.n))
    for (i, j), entry in slopes.items():
        A[i, j] = float(evaluate([entry], values)[0])
    assert found.coupling[:2] == pytest.approx(A @ found.columns.T, rel=1e-9, abs=1e-12)
    assert found.push[:2] == pytest.approx(A @ found.free, rel=1e-9)
    assert found.velocity[:2] == pytest.approx(evaluate(told, values))


def test_the_coupling_is_symmetric_and_no_force_gives_what_is_not_its_own() -> None:
    opened = open_system(cart().formulate())
    for seed in range(3):
        found = Numbers(opened, values_of(opened, seed))
        assert found.coupling == pytest.approx(found.coupling.T, rel=1e-12)
        least = np.linalg.eigvalsh(found.coupling).min()
        assert least > -1e-9 * np.abs(found.coupling).max()


def test_forces_move_nothing_that_constraints_hold() -> None:
    opened = open_system(cart().formulate())
    values = values_of(opened)
    found = Numbers(opened, values)
    for constraint in opened.constraints:
        row = np.zeros(found.n)
        for j, entry in constraint.jacobian.items():
            row[j] = float(evaluate([entry], values)[0])
        assert found.columns @ row == pytest.approx(0.0, abs=1e-9)


def test_states_inputs_and_outputs_stay_and_forces_come_last() -> None:
    system = cart().formulate()
    opened = open_system(system)
    names = [q.name for q in opened.inputs]
    wanted = ["brake.friction", "clutch.friction", "tip.normal_force"]
    wanted += ["tip.friction_force", "tip.side_force"]
    assert names == [*(q.name for q in system.inputs), *wanted]
    assert [q.name for q in opened.states] == [q.name for q in system.states]
    told = {d.quantity.name for d in system.outputs}
    assert told == {d.quantity.name for d in opened.outputs}
    assert set(wanted) <= told
    assert system.rows is None
    assert opened.opened is None


def test_only_bounds_that_depend_on_forces_are_asked_for_again() -> None:
    rows = open_system(cart().formulate()).rows
    assert rows is not None
    assert rows.following == (3, 4)
    assert rows.contacts == (False, False, True, False, False)
    assert rows.bounded_above == (True, True, False, True, True)
    assert rows.symmetric


def test_the_smooth_system_has_its_forces_put_in() -> None:
    """Rates of the smooth system are those of the opened one at its own smooth forces."""
    system = cart().formulate()
    opened = open_system(system)
    values = values_of(opened, seed=4)
    smooth = {d.quantity.name: d.expression for d in system.outputs}
    assert opened.rows is not None
    forces = {q.symbol: float(evaluate([smooth[q.name]], values)[0]) for q in opened.rows.reactions}
    at_forces = evaluate(opened.derivatives, values | forces)
    assert evaluate(system.derivatives, values) == pytest.approx(at_forces, rel=1e-9)


def test_a_model_without_such_forces_has_nothing_to_open() -> None:
    model = at.Model("pendulum")
    arm = model.add(at.RigidBody("arm", 1.0, (0.1, 0.1, 0.1), (0.5, 0.0, 0.0)))
    model.add(at.Revolute("pin", model.ground, arm, axis="y"))
    with pytest.raises(at.AxletreeError, match="no set-valued forces"):
        open_system(model.formulate())
