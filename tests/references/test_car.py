"""The multibody part of the 14-DOF car (Morency 2007, appendix A.1), forces as inputs.

Operation counts are exact numbers. The bounds are what the design asks for; the counts
reached are asserted beside them, so that any change of the equations shows.
"""

from __future__ import annotations

import dataclasses
from random import Random

import pytest
from mechanisms.shipped_run import shipped_system
from oracles.naive_projection import naive_rates

import axletree as at
from axletree.code.lowering import lower
from axletree.expr import OperationCount, evaluate, symbols_of
from axletree.expr.quantity import Role
from axletree.system.system import System

MOST_ADDITIONS, MOST_MULTIPLICATIONS = 215, 260


@pytest.fixture(scope="module")
def car() -> System:
    return shipped_system("car-multibody")


def test_it_has_fourteen_degrees_of_freedom_and_no_constraint(car: System) -> None:
    assert car.degrees_of_freedom == 14
    assert car.constraints == ()
    assert car.redundant == ()
    assert len(car.states) == 28


def test_operations_per_step(car: System) -> None:
    rhs = lower(car, outputs=()).rhs.operations
    assert rhs.additions <= MOST_ADDITIONS
    assert rhs.multiplications <= MOST_MULTIPLICATIONS
    assert rhs == OperationCount(additions=210, multiplications=247, divisions=4, functions=10)


def test_operations_of_the_accelerations_alone(car: System) -> None:
    speeds = car.source.speeds if car.source else ()
    zero = car.derivatives[0] * 0.0
    alone = (*car.derivatives[: len(speeds)], *[zero] * (len(car.states) - len(speeds)))
    rhs = lower(dataclasses.replace(car, derivatives=alone), outputs=()).rhs.operations
    assert rhs == OperationCount(additions=197, multiplications=222, divisions=3, functions=8)


def test_the_recursion_agrees_with_projecting_every_body_on_every_speed(car: System) -> None:
    naive = naive_rates(at.read_model("car-multibody"))
    known = {q.symbol: q.default for q in car.parameters}
    random = Random(14)
    for symbol in symbols_of([*naive, *car.derivatives]):
        known.setdefault(symbol, random.uniform(-1.0, 1.0))
    expected = evaluate(naive, known)
    found = evaluate(car.derivatives[: len(naive)], known)
    assert found == pytest.approx(expected, rel=1e-11, abs=1e-11)


def test_no_spin_angle_enters_the_equations(car: System) -> None:
    names = {symbol.name for symbol in symbols_of(car.derivatives)}
    assert not [name for name in names if name.endswith("axle.angle")]


def test_at_rest_on_its_wheels_nothing_accelerates(car: System) -> None:
    """Struts and wheel loads that carry the weight: every acceleration vanishes."""
    parameters = {q.name: q.default for q in car.parameters}
    gravity = -parameters["gravity.z"]
    masses = {name: value for name, value in parameters.items() if name.endswith(".mass")}
    corners = ("front_left", "front_right", "rear_left", "rear_right")
    front = parameters["body.front_left.x"]
    rear = -parameters["body.rear_left.x"]
    share = {"front": rear / (front + rear) / 2.0, "rear": front / (front + rear) / 2.0}
    inputs = {}
    for corner in corners:
        strut = share[corner.partition("_")[0]] * masses["body.mass"] * gravity
        unsprung = masses[f"{corner}_mass.mass"] + masses[f"{corner}_wheel.mass"]
        inputs[f"{corner}_spring.force"] = strut
        inputs[f"{corner}_tyre.Fz"] = strut + unsprung * gravity
    at_rest = {q.name: 0.0 for q in car.states if q.role is Role.SPEED}
    rates = car.rhs(car.state(at_rest), inputs=inputs)
    assert max(abs(rate) for rate in rates.values()) < 1e-9


def test_pushing_all_wheels_changes_the_momentum_of_the_whole_car(car: System) -> None:
    corners = ("front_left", "front_right", "rear_left", "rear_right")
    push = 1000.0
    inputs = {f"{corner}_tyre.Fx": push for corner in corners}
    values = {q.symbol: 0.0 for q in (*car.states, *car.inputs, car.time)}
    values |= {q.symbol: q.default for q in car.parameters}
    values |= {q.symbol: inputs[q.name] for q in car.inputs if q.name in inputs}
    outputs = {d.quantity.name: d.expression for d in car.outputs}
    rates = [float(r) for r in evaluate(car.derivatives, values)]
    momentum = outputs["momentum.linear.x"]
    step = 1e-6

    def momentum_after(time: float) -> float:
        moved = {
            q.symbol: values[q.symbol] + time * rate
            for q, rate in zip(car.states, rates, strict=True)
        }
        return float(evaluate([momentum], values | moved)[0])

    slope = (momentum_after(step) - momentum_after(-step)) / (2.0 * step)
    assert slope == pytest.approx(4.0 * push, rel=1e-6)
