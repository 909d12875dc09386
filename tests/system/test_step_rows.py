"""Rows of the set-valued form against the equations they come from, in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.code.lowering import lower
from axletree.equations.set_valued_forces import LAW_COLUMNS
from axletree.expr import Expr, evaluate, jacobian
from axletree.model.model import Model
from axletree.system.edit import with_smooth_forces
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.projected import Projected
from axletree.system.forms.set_valued import SetValuedForm
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
    free = (*system.inputs, *system.unknown_forces)
    values |= {q.symbol: float(generator.uniform(-1.0, 1.0)) for q in free}
    return values | {system.time.symbol: 0.3}


class Numbers:
    """The values of the rows of a system, taken apart."""

    def __init__(self, system: System, values: dict[Expr, float]) -> None:
        assert system.rows is not None
        m, n = len(system.rows.reactions), sum(q.role.value == "speed" for q in system.states)
        flat = np.array(evaluate(system.rows.values, values), dtype=float)
        parts = np.split(flat, np.cumsum([n, m * n, m * m, m, m, *([m] * (len(LAW_COLUMNS) - 1))]))
        self.n = n
        self.free, self.velocity, self.push = parts[0], parts[3], parts[4]
        self.columns, self.coupling = parts[1].reshape(m, n), parts[2].reshape(m, m)
        self.law = dict(zip(LAW_COLUMNS, parts[5:], strict=True))


@pytest.mark.parametrize("form", [Projected(), Baumgarte()])
def test_rows_are_what_the_equations_say(form: Any) -> None:
    system = cart().formulate(form=SetValuedForm(form))
    assert system.rows is not None
    values = values_of(system)
    found = Numbers(system, values)
    forces = np.array([values[q.symbol] for q in system.rows.reactions])
    rates = np.array(evaluate(system.derivatives, values), dtype=float)[: found.n]
    assert found.free + forces @ found.columns == pytest.approx(rates, rel=1e-9)
    # A, from the velocities themselves: the gap's rate and those of brake and clutch.
    speeds = [q.symbol for q in system.states[: found.n]]
    outputs = {d.quantity.name: d.expression for d in system.outputs}
    told = [outputs["A.rate"] if "A.rate" in outputs else speeds[0], -outputs["clutch.slip"]]
    slopes = jacobian(told, speeds)
    A = np.zeros((2, found.n))
    for (i, j), entry in slopes.items():
        A[i, j] = float(evaluate([entry], values)[0])
    assert found.coupling[:2] == pytest.approx(A @ found.columns.T, rel=1e-9, abs=1e-12)
    assert found.push[:2] == pytest.approx(A @ found.free, rel=1e-9)
    assert found.velocity[:2] == pytest.approx(evaluate(told, values))


def test_the_coupling_is_symmetric_and_no_force_gives_what_is_not_its_own() -> None:
    system = cart().formulate(form="set-valued")
    for seed in range(3):
        found = Numbers(system, values_of(system, seed))
        assert found.coupling == pytest.approx(found.coupling.T, rel=1e-12)
        least = np.linalg.eigvalsh(found.coupling).min()
        assert least > -1e-9 * np.abs(found.coupling).max()


def test_forces_move_nothing_that_constraints_hold() -> None:
    system = cart().formulate(form="set-valued")
    values = values_of(system)
    found = Numbers(system, values)
    for constraint in system.constraints:
        row = np.zeros(found.n)
        for j, entry in constraint.jacobian.items():
            row[j] = float(evaluate([entry], values)[0])
        assert found.columns @ row == pytest.approx(0.0, abs=1e-9)


def test_states_inputs_and_outputs_stay_and_forces_are_unknowns() -> None:
    smooth, system = cart().formulate(), cart().formulate(form="set-valued")
    wanted = ["brake.friction", "clutch.friction", "tip.normal_force"]
    wanted += ["tip.friction_force", "tip.side_force"]
    assert [q.name for q in system.unknown_forces] == wanted == list(smooth.smooth_forces)
    assert [q.name for q in lower(system).inputs] == [*(q.name for q in smooth.inputs), *wanted]
    for one in ("inputs", "states", "parameters"):
        assert [q.name for q in getattr(system, one)] == [q.name for q in getattr(smooth, one)]
    told = {d.quantity.name for d in smooth.outputs}
    assert told == {d.quantity.name for d in system.outputs}
    assert set(wanted) <= told
    assert smooth.rows is None
    assert smooth.unknown_forces == system.smooth_forces == ()


def test_only_bounds_that_depend_on_forces_are_asked_for_again() -> None:
    rows = cart().formulate(form="set-valued").rows
    assert rows is not None
    assert rows.following == (3, 4)
    assert rows.contacts == (False, False, True, False, False)
    assert rows.bounded_above == (True, True, False, True, True)
    assert rows.symmetric


def test_by_their_smooth_laws_the_forces_give_the_smooth_form() -> None:
    smooth, system = cart().formulate(), cart().formulate(form="set-valued")
    closed = with_smooth_forces(system)
    assert with_smooth_forces(smooth) is smooth
    assert with_smooth_forces(system) is closed
    assert closed.rows is None
    for seed in range(3):
        values = values_of(smooth, seed)
        for expected, found in (
            (smooth.derivatives, closed.derivatives),
            (smooth.projection, closed.projection),
            *(
                ([d.expression], [other.expression])
                for d in smooth.outputs
                for other in closed.outputs
                if d.quantity.name == other.quantity.name
            ),
        ):
            assert evaluate(expected or (), values) == pytest.approx(
                evaluate(found or (), values), rel=1e-9, abs=1e-9
            )


def test_analyses_of_either_form_take_the_smooth_laws() -> None:
    smooth, system = cart().formulate(), cart().formulate(form="set-valued")
    start = smooth.state({"A.rate": 0.5})
    assert system.state({"A.rate": 0.5}) == start
    assert system.rhs(start) == pytest.approx(smooth.rhs(start), rel=1e-9)
    assert pytest.approx(smooth.linearise(start).A, rel=1e-6, abs=1e-6) == system.linearise(start).A
    assert system.stable_step("rk4", start).step == pytest.approx(
        smooth.stable_step("rk4", start).step, rel=1e-6
    )


def test_a_method_and_a_form_that_do_not_go_together_are_refused() -> None:
    with pytest.raises(at.AxletreeError, match=r"brake\.friction, .* formulate .*set-valued"):
        cart().formulate().simulate(0.1, step=0.01, method="complementarity")
    with pytest.raises(at.AxletreeError, match=r"'rk4' needs .* and 2 more\); take method="):
        cart().formulate(form="set-valued").simulate(0.1, step=0.01, method="rk4")
    with pytest.raises(at.AxletreeError, match=r"'rk4' needs .* those of cart are unknowns"):
        cart().formulate(form="set-valued").drive(at.Coasting(speed=1.0))
    with pytest.raises(at.AxletreeError, match="got SetValuedForm"):
        SetValuedForm(SetValuedForm())


def test_a_model_without_such_forces_has_no_rows() -> None:
    model = at.Model("pendulum")
    arm = model.add(at.RigidBody("arm", 1.0, (0.1, 0.1, 0.1), (0.5, 0.0, 0.0)))
    model.add(at.Revolute("pin", model.ground, arm, axis="y"))
    assert model.formulate(form="set-valued").rows is None
