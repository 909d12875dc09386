"""Electrical elements and the DC machine: directions, laws, and no power lost in the transducer."""

from __future__ import annotations

import pytest

from axletree.components.contract import Instant, Travel
from axletree.components.edges import NetworkLaw, NetworkRole
from axletree.components.electrical import (
    Capacitor,
    CurrentSource,
    DCMachine,
    ElectricalGround,
    Inductor,
    Resistor,
    TwoTerminal,
    VoltageSource,
)
from axletree.components.frames import Frame
from axletree.components.joints import Revolute
from axletree.expr import evaluate, number, symbol

SHAFT = Revolute("shaft", Frame("stator", ""), Frame("rotor", ""))
ELEMENTS = [
    (Resistor("e", "p", "n", 3.0), NetworkRole.DISSIPATION, "resistance"),
    (Inductor("e", "p", "n", 3.0), NetworkRole.THROUGH_STORAGE, "inductance"),
    (Capacitor("e", "p", "n", 3.0), NetworkRole.ACROSS_STORAGE, "capacitance"),
    (VoltageSource("e", "p", "n", "3*t"), NetworkRole.ACROSS_SOURCE, "voltage"),
    (CurrentSource("e", "p", "n"), NetworkRole.THROUGH_SOURCE, "current"),
]


@pytest.mark.parametrize(("element", "role", "name"), ELEMENTS)
def test_elements_run_from_positive_to_negative(
    element: TwoTerminal, role: NetworkRole, name: str
) -> None:
    (edge,) = element.edges()
    assert (edge.tail, edge.head, edge.name) == ("p", "n", "e.E1")
    law = edge.law
    assert isinstance(law, NetworkLaw)
    assert law.role is role
    if role in (NetworkRole.ACROSS_SOURCE, NetworkRole.THROUGH_SOURCE):
        assert law.value == element.signal(name)
        assert law.coefficient.is_zero
    else:
        assert law.coefficient == symbol(f"e.{name}")


@pytest.mark.parametrize(
    ("element", "wanted"),
    [
        (ELEMENTS[0][0], ["voltage", "current", "power"]),
        (ELEMENTS[1][0], ["voltage", "power"]),  # the current is a state
        (ELEMENTS[2][0], ["current", "power"]),  # the voltage is a state
        (ELEMENTS[3][0], ["voltage", "current", "power"]),
        (ELEMENTS[4][0], ["voltage", "power"]),  # the current is an input
    ],
)
def test_outputs_are_what_has_no_name_yet(element: TwoTerminal, wanted: list[str]) -> None:
    v, i = symbol("v"), symbol("i")
    outputs = element.respond(Instant(through={"E1": i}, across={"E1": v})).outputs
    assert [c.suffix for c in outputs] == wanted
    expected = {"voltage": v, "current": i, "power": v * i}
    assert [c.expression for c in outputs] == [expected[name] for name in wanted]


def test_ground_is_a_voltage_of_zero() -> None:
    (edge,) = ElectricalGround("g", "minus").edges()
    assert (edge.tail, edge.head) == ("minus", "ground")
    assert isinstance(edge.law, NetworkLaw)
    assert edge.law.role is NetworkRole.ACROSS_SOURCE
    assert edge.law.value.is_zero


def test_a_machine_is_a_series_of_edges() -> None:
    machine = DCMachine("m", SHAFT, "p", "n", 0.2, 3.0, 0.01)
    turn, *series = machine.edges()
    assert (turn.label, turn.tail, turn.head) == ("R1", SHAFT.tail.name, SHAFT.head.name)
    nodes = [(edge.label, edge.tail, edge.head) for edge in series]
    assert nodes == [("E1", "p", "m.1"), ("E2", "m.1", "m.2"), ("E3", "m.2", "n")]
    short = DCMachine("m", SHAFT, "p", "n", 0.2, 3.0)
    nodes = [(edge.label, edge.tail, edge.head) for edge in short.edges()[1:]]
    assert nodes == [("E1", "p", "m.1"), ("E3", "m.1", "n")]


@pytest.mark.parametrize("inductance", [0.0, 0.01])
def test_a_machine_loses_no_power_in_its_transducer(inductance: float) -> None:
    machine = DCMachine("m", SHAFT, "p", "n", 0.2, 3.0, inductance)
    rate, current = symbol("rate"), symbol("i")
    travels = [Travel(number(0.0), rate)]
    voltage = machine.across_sources(Instant(travels=travels))["E3"]
    now = Instant(travels=travels, through={"E1": current, "E2": current, "E3": current})
    response = machine.respond(now)
    (load,) = response.joint_loads
    assert load.joint == "shaft.R1"
    assert load.effort == symbol("m.torque_constant") * current
    outputs = {c.suffix: c.expression for c in response.outputs}
    assert outputs.get("current") == (None if inductance else current)
    values = {rate: 7.0, current: -3.0, symbol("m.torque_constant"): 0.2}
    powers = evaluate([load.effort * rate, voltage * current, outputs["power"]], values)
    assert powers == pytest.approx([-4.2, -4.2, -4.2])
