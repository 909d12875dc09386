"""Electrical networks: random ones against dense nodal analysis, storages that are tied, errors."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.nodal_analysis import Element, solve

import axletree as at
from axletree.core.errors import FormulationError
from axletree.expr import evaluate, symbol

KINDS = {
    "R": at.Resistor, "L": at.Inductor, "C": at.Capacitor, "V": at.VoltageSource,
    "I": at.CurrentSource,
}  # fmt: skip


def random_network(random: Random) -> tuple[list[Element], int]:
    """Any elements between any nodes; sources with a resistor in series or in parallel."""
    nodes = random.randint(2, 5)
    elements: list[Element] = []

    def add(kind: str, a: int, b: int) -> None:
        name = f"{kind.lower()}{len(elements)}"
        if random.random() < 0.5:
            a, b = b, a
        elements.append(Element(kind, name, a, b, random.uniform(0.5, 2.0)))

    pairs = [(random.randrange(k), k) for k in range(1, nodes)]
    pairs += [tuple(random.sample(range(nodes), 2)) for _ in range(random.randint(1, 5))]
    for a, b in pairs:
        kind = random.choice("RLCLCVI")
        if kind == "V":
            add("V", a, nodes)
            add("R", nodes, b)
            nodes += 1
            continue
        add(kind, a, b)
        if kind == "I":
            add("R", a, b)
    return elements, nodes


def build(elements: list[Element]) -> Any:
    model = at.Model("network")
    for e in elements:
        terminals = ("ground" if n == 0 else f"n{n}" for n in (e.positive, e.negative))
        model.add(KINDS[e.kind](e.name, *terminals, e.value))
    return model


def evaluated(system: Any, expressions: Any, states: dict[str, float]) -> np.ndarray:
    values = {symbol("time"): 0.0} | {q.symbol: q.default for q in system.parameters}
    values |= {symbol(name): value for name, value in states.items()}
    return np.array(evaluate(list(expressions), values), dtype=float)


@given(st.integers(0, 10**9))
@settings(max_examples=40)
def test_random_networks_agree_with_nodal_analysis(number: int) -> None:
    random = Random(number)
    elements, nodes = random_network(random)
    system = build(elements).formulate()
    names = [q.name for q in system.states]
    states = {name: random.uniform(-1.0, 1.0) for name in names}
    known = {name.split(".")[0]: value for name, value in states.items()}
    voltages, currents, rates = solve(elements, nodes, known)
    found = evaluated(system, system.derivatives, states)
    np.testing.assert_allclose(found, [rates[n.split(".")[0]] for n in names], atol=1e-8)
    outputs = {d.quantity.name: d.expression for d in system.outputs}
    for e in elements:
        expected = {"voltage": voltages[e.name], "current": currents[e.name]}
        for word, value in expected.items():
            if f"{e.name}.{word}" in outputs:
                got = evaluated(system, [outputs[f"{e.name}.{word}"]], states)[0]
                assert got == pytest.approx(value, abs=1e-8)


def test_two_capacitors_in_parallel_share_one_state() -> None:
    model = at.Model("parallel")
    model.add(at.CurrentSource("source", "ground", "a", 3.0))
    model.add(at.Capacitor("one", "a", "ground", 2.0))
    model.add(at.Capacitor("two", "ground", "a", 4.0))
    system = model.formulate()
    assert [q.name for q in system.states] == ["one.voltage"]
    assert evaluated(system, system.derivatives, {"one.voltage": 0.7})[0] == pytest.approx(0.5)
    two = next(d.expression for d in system.outputs if d.quantity.name == "two.current")
    assert evaluated(system, [two], {"one.voltage": 0.7})[0] == pytest.approx(-2.0)


def test_two_inductors_in_series_share_one_state() -> None:
    model = at.Model("series")
    model.add(at.VoltageSource("source", "a", "ground", 6.0))
    model.add(at.Inductor("one", "a", "b", 1.0))
    model.add(at.Inductor("two", "ground", "b", 2.0))
    system = model.formulate()
    assert len(system.states) == 1
    sign = 1.0 if system.states[0].name == "one.current" else -1.0
    rate = evaluated(system, system.derivatives, {system.states[0].name: 0.3})[0]
    assert rate == pytest.approx(sign * 2.0)


def add_all(model: Any, *parts: Any) -> Any:
    for part in parts:
        model.add(part)
    return model


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            [at.VoltageSource("u", "a", "ground", 1.0), at.VoltageSource("w", "a", "ground", 2.0)],
            r"the voltage of w is given, but so is that of the loop it closes \(w, u\)",
        ),
        (
            [at.VoltageSource("u", "a", "ground", 1.0), at.Capacitor("c", "a", "ground", 2.0)],
            r"the capacitor c closes a loop with c, u: its voltage is not free",
        ),
        (
            [at.CurrentSource("j", "a", "ground", 1.0), at.Inductor("l", "a", "ground", 2.0)],
            r"the inductor l is cut off by j: its current is not free",
        ),
        (
            [at.CurrentSource("j", "a", "ground", 1.0)],
            r"the current of j is given, but it has no way to flow: its cut holds nothing else",
        ),
    ],
)
def test_sources_that_contradict_one_another_are_refused(parts: Any, message: str) -> None:
    with pytest.raises(FormulationError, match=message):
        add_all(at.Model("wrong"), *parts).formulate()


def motor(inductance: float) -> Any:
    model = at.Model("drive")
    rotor = model.add(at.RigidBody("rotor", 1.0, (0.2, 0.2, 0.3)))
    axle = model.add(at.Revolute("axle", model.ground, rotor))
    model.add(at.RotationalSpringDamper("load", axle, stiffness=2.0, damping=0.4))
    model.add(at.VoltageSource("battery", "p", "ground", 12.0))
    machine = at.DCMachine("machine", axle, "p", "ground", 0.7, 1.5, inductance)
    return add_all(model, machine)


@pytest.mark.parametrize("inductance", [0.0, 0.05])
@pytest.mark.parametrize("tree", [None, ["rotor"]])
def test_energy_of_a_motor_is_balanced(inductance: float, tree: Any) -> None:
    """What the battery gives is stored in rotor, spring and winding, or lost as heat."""
    system = motor(inductance).formulate(tree=tree)
    speed, current = 3.0, 1.3
    values = {q.name: 0.0 for q in system.states}
    values |= {"axle.angle": 0.2} | ({} if tree is None else {"rotor.yaw": 0.2})
    values |= {"axle.rate": speed} if tree is None else {"rotor.yaw_rate": speed}
    if inductance:
        values["machine.current"] = current
    else:
        current = (12.0 - 0.7 * speed) / 1.5
    rates = dict(
        zip((q.name for q in system.states), evaluated(system, system.derivatives, values),
            strict=True)
    )  # fmt: skip
    acceleration = rates["axle.rate" if tree is None else "rotor.yaw_rate"]
    stored = 0.3 * speed * acceleration + 2.0 * 0.2 * speed
    stored += inductance * current * rates.get("machine.current", 0.0)
    lost = 1.5 * current**2 + 0.4 * speed**2
    assert stored + lost == pytest.approx(12.0 * current)
