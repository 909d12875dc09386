"""Hydraulic components: laws at an instant, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import FormulationError, ModelError
from axletree.expr import evaluate, symbol

PURE = at.HydraulicFluid(air_content=0.0)


def circuit(*components: Any) -> Any:
    model = at.Model("circuit", gravity=(0.0, 0.0, 0.0))
    for component in components:
        model.add(component)
    return model


def flow_at(valve: Any, name: str, pressures: dict[str, float], **inputs: float) -> float:
    """With pressure sources at its ports."""
    sources = [at.PressureSource(f"at_{k}", k, pressure=p) for k, p in pressures.items()]
    system = circuit(*sources, valve).formulate()
    given = {f"{valve.name}.{k}": v for k, v in inputs.items()}
    return float(system.outputs_at({}, inputs=given)[name])


@pytest.mark.parametrize("pressure", [-9e4, 0.0, 3e5, 2e7])
def test_bulk_modulus_is_that_of_the_mixture(pressure: float) -> None:
    """-V dp/dV of V = exp(-p / K) + a (p0 / P)^(1/n), by differences, to the order of the air."""
    fluid = at.HydraulicFluid(air_content=1e-4)
    p, p0, h = fluid.numbers, fluid.ambient_pressure, 10.0

    def volume(x: float) -> float:
        air = 1e-4 * (p0 / (x + p0)) ** (1.0 / 1.4)
        return math.exp(-x / fluid.bulk_modulus) + air

    slope = (volume(pressure - h) - volume(pressure + h)) / (2.0 * h)
    found = float(fluid.compressibility(pressure, p))
    assert found == pytest.approx(slope, rel=0.02)  # p / K, and the share of the air


@pytest.mark.parametrize("pressure", [-1.05e5, -9e4, 4e5, 2e7])
def test_energy_is_the_integral_of_pressure_over_bulk_modulus(pressure: float) -> None:
    fluid = at.HydraulicFluid(air_content=0.03)
    h = 1.0
    upper, lower = (float(fluid.energy_density(pressure + s * h, fluid.numbers)) for s in (1, -1))
    expected = pressure * float(fluid.compressibility(pressure, fluid.numbers))
    assert (upper - lower) / (2.0 * h) == pytest.approx(expected, rel=1e-6)
    assert float(fluid.energy_density(0.0, fluid.numbers)) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("exponent", [1.0, 1.3])
def test_energy_of_an_accumulator_is_that_of_its_gas(exponent: float) -> None:
    store = at.Accumulator("store", "a", 1e-3, 50e5, exponent, 1e-6, fluid=PURE)
    x = symbol("x")
    from axletree.components.contract import Instant

    now = Instant(across={"H1": x}, through={"H1": symbol("q")})
    values = {q.symbol: q.default for q in store.parameters()}
    h, at_pressure = 10.0, 80e5
    energy = store.respond(now).internal_energy
    up, down = (evaluate([energy], values | {x: at_pressure + s * h})[0] for s in (1, -1))
    (capacity,) = evaluate([store.network_terms(now).capacities["H1"]], values | {x: at_pressure})
    assert (up - down) / (2.0 * h) == pytest.approx(at_pressure * capacity, rel=1e-6)


def test_an_orifice_flows_both_ways() -> None:
    k = 0.611 * 2e-6 * math.sqrt(2.0 / 870.0)
    for drop in (5e6, -5e6):
        valve = at.Orifice("valve", "a", "ground", 2e-6, at.Input(1.0))
        found = flow_at(valve, "valve.flow", {"a": drop}, opening=0.25)
        assert found == pytest.approx(0.25 * k * math.copysign(math.sqrt(5e6), drop), rel=1e-5)
    assert flow_at(valve, "valve.flow", {"a": 5e6}, opening=0.0) == 0.0


def test_valves_close() -> None:
    rated = {"rated_flow": 1e-3, "rated_drop": 4e5}
    check = at.CheckValve("check", "a", "ground", **rated)
    assert flow_at(check, "check.flow", {"a": -1e7}) == 0.0
    assert flow_at(check, "check.flow", {"a": 4e5}) == pytest.approx(1e-3, rel=1e-3)
    relief = at.ReliefValve("relief", "a", "ground", 100e5, 20e5, 1e-3)
    assert flow_at(relief, "relief.flow", {"a": 99e5}) == 0.0
    assert flow_at(relief, "relief.flow", {"a": -99e5}) == 0.0


@pytest.mark.parametrize(
    ("load", "pilot", "wanted"),
    [
        (150e5, 0.0, 0.0),
        (150e5, 30e5, 1.0),
        (150e5, 70e5 / 3.0, 0.5),
        (220e5, 0.0, 0.5),
        (0.0, 0.0, 0.0),
    ],
)
def test_a_counterbalance_valve_opens_by_load_and_pilot(
    load: float, pilot: float, wanted: float
) -> None:
    given = {"rated_flow": 1e-3, "rated_drop": 10e5, "setting": 200e5, "pilot_ratio": 3.0}
    valve = at.CounterbalanceValve("v", "a", "b", pilot="x", **given)
    pressures = {"a": load, "b": 0.0, "x": pilot}
    assert flow_at(valve, "v.opening", pressures) == pytest.approx(wanted)
    expected = wanted * 1e-3 * math.sqrt(load / 10e5)
    assert flow_at(valve, "v.flow", pressures) == pytest.approx(expected, rel=1e-5)
    lifted = flow_at(valve, "v.flow", {"a": 0.0, "b": 10e5, "x": 0.0})
    assert lifted == pytest.approx(-1e-3, rel=1e-4)


@pytest.mark.parametrize("command", [0.0, 0.05, 0.6, -0.6, 1.0])
@pytest.mark.parametrize("centre", ["closed", "tandem", "float", "open"])
def test_a_directional_valve_joins_ports(command: float, centre: str) -> None:
    ports = {"supply": "p", "tank": "ground", "port_a": "a", "port_b": "b"}
    rated = {"rated_flow": 1e-3, "rated_drop": 5e5, "overlap": 0.1, "laminar_pressure": 1.0}
    valve = at.DirectionalValve("v", **ports, **rated, centre=centre)
    pressures = {"p": 100e5, "a": 30e5, "b": 50e5}
    found = {
        name: flow_at(valve, f"v.{name}", pressures, command=command)
        for name in ("flow_a", "flow_b", "supply_flow")
    }
    opened = max((abs(command) - 0.1) / 0.9, 0.0)
    joined = max(1.0 - abs(command) / 0.2, 0.0)

    def q(share: float, drop: float) -> float:
        return share * 1e-3 * math.sqrt(drop / 5e5)

    forth, back = (opened if command > 0 else 0.0), (opened if command < 0 else 0.0)
    drains = [max(way, joined) if centre in ("float", "open") else way for way in (back, forth)]
    assert found["flow_a"] == pytest.approx(q(forth, 70e5) - q(drains[0], 30e5), abs=1e-12)
    assert found["flow_b"] == pytest.approx(q(back, 50e5) - q(drains[1], 50e5), abs=1e-12)
    idle = q(joined, 100e5) if centre in ("tandem", "open") else 0.0
    supplied = q(forth, 70e5) + q(back, 50e5) + idle
    assert found["supply_flow"] == pytest.approx(supplied, abs=1e-12)


def test_a_spool_follows_with_a_lag() -> None:
    ports = {"supply": "p", "tank": "ground", "port_a": "a", "port_b": "b"}
    given = {"rated_flow": 1e-3, "rated_drop": 5e5, "time_constant": 0.05}
    sources = [at.PressureSource(f"at_{k}", k, pressure=1e6) for k in "pab"]
    valve = at.DirectionalValve("v", **ports, **given, command=0.7)
    run = circuit(*sources, valve).formulate().simulate(0.2, step=1e-3)
    assert run["v.spool"] == pytest.approx(0.7 * (1.0 - np.exp(-run.time / 0.05)), abs=1e-8)


def test_a_machine_gives_what_it_takes() -> None:
    model = circuit()
    rotor = model.add(at.RigidBody("rotor", 1.0, (0.1, 0.1, 0.1)))
    shaft = model.add(at.Revolute("shaft", model.ground, rotor))
    model.add(at.PressureSource("high", "a", pressure=9e6))
    motor = model.add(at.HydraulicMotor("motor", shaft, "a", "ground", 4e-6, fraction=at.Input(1)))
    state, half = {"shaft.angle": 0.0, "shaft.rate": 50.0}, {"motor.fraction": -0.5}
    found = model.formulate().outputs_at(state, inputs=half)
    assert found["motor.torque"] == pytest.approx(-0.5 * 4e-6 * 9e6)
    assert found["motor.flow"] == pytest.approx(-0.5 * 4e-6 * 50.0)
    assert found["motor.power"] == pytest.approx(found["motor.flow"] * 9e6)
    assert motor.edges()[0].name == "motor.R1"


@pytest.mark.parametrize("kind", ["between points", "slide"])
def test_a_cylinder_meets_its_ends(kind: str) -> None:
    """A push against a stop: k x = A p - dry friction has no part at rest."""
    model = circuit()
    mass = model.add(at.RigidBody("mass", 50.0, (1.0, 1.0, 1.0)))
    way = model.add(at.Prismatic("way", model.ground, mass))
    model.add(at.PressureSource("supply", "s", pressure=50e5))
    model.add(at.Orifice("throttle", "s", "a", 3e-6))
    size = {"piston_diameter": 0.04, "stroke": 0.2, "stop_stiffness": 5e6, "port_a": "a"}
    size |= {"viscous_friction": 2e3}
    if kind == "slide":
        model.add(at.SlideCylinder("ram", joint=way, retracted_position=0.3, **size))
    else:
        ends = {"tail": model.ground, "head": mass, "retracted_length": 0.3}
        model.add(at.HydraulicCylinder("ram", **ends, **size))
    model.start = {"way.position": 0.45, "ram.pressure_a": 1e5}
    run = model.formulate().simulate(2.0, step=1e-4, record_interval=1e-2)
    force = math.pi / 4.0 * 0.04**2 * 50e5
    assert run["way.position"][-1] == pytest.approx(0.5 + force / 5e6, rel=1e-5)
    assert run["ram.pressure_a"][-1] == pytest.approx(50e5, rel=1e-4)


def slide() -> Any:
    return at.Prismatic("way", at.Model().ground, at.RigidBody("mass", 1.0))


REFUSED = {
    "a valve at a node without a volume": (
        [at.PressureSource("s", "a", 1e6), at.Orifice("v", "a", "b", 1e-6),
         at.Orifice("w", "b", "ground", 1e-6)],
        "the flow of [vw] is a function of pressure, and that at b is not a state: put",
    ),
    "a valve behind a restriction": (
        [at.FlowSource("s", "ground", "a", 1e-4), at.LaminarRestriction("r", "a", "ground", 1e9),
         at.ReliefValve("v", "a", "ground", 1e6, 1e6, 1e-3)],
        "the flow of v is a function of pressure, and that at a is not a state",
    ),
    "two pressures": (
        [at.PressureSource("s", "a", 1e6), at.Tank("t", "a")],
        r"the pressure of t is given, but so is that of the loop it closes \(t, s\); put a laminar",
    ),
    "a volume at a pressure that changes": (
        [at.PressureSource("s", "a"), at.HydraulicVolume("v", "a", 1e-3)],
        "the volume v closes a loop with v, s: its pressure is not free; put a laminar-restriction",
    ),
    "a flow that has no way": (
        [at.FlowSource("s", "ground", "a", 1e-4)],
        "the flow of s is given, but it has no way to flow",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_circuits_without_a_solution_are_refused(case: str) -> None:
    parts, message = REFUSED[case]
    with pytest.raises(FormulationError, match=message):
        circuit(*parts).formulate()


def test_a_volume_at_a_pressure_that_never_changes_keeps_it() -> None:
    tank, line = at.Tank("t", "a", 1e5), at.HydraulicLine("l", "a", "b", 2.0, 0.01)
    source = at.PressureSource("s", "b", 3e5)
    run = circuit(tank, line, source).formulate().simulate(0.05, step=1e-4)
    assert run["l.flow"][-1] < 0.0
    assert run["t.flow"][-1] == pytest.approx(run["l.flow"][-1])


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: at.Tank("t", "ground"), "is an open tank already"),
        (lambda: at.HydraulicVolume("v", "ground", 1.0), "the open tank, whose pressure is given"),
        (lambda: at.Orifice("v", "a", "a", 1.0), "inlet and outlet are the same port, a"),
        (
            lambda: at.SlideCylinder(
                "c",
                joint=slide(),
                port_a="a",
                port_b="b",
                piston_diameter=0.04,
                rod_diameter=0.05,
                stroke=1.0,
            ),
            "rod_diameter 0.05 m is not below piston_diameter 0.04 m",
        ),
        (
            lambda: at.SlideCylinder(
                "c", joint=slide(), port_a="a", port_b="ground", piston_diameter=0.04, stroke=1.0
            ),
            "put a line or an orifice between it and the cylinder",
        ),
        (lambda: at.DirectionalValve("v", "a", "b", "c", "a", 1.0, 1.0), "a is named twice"),
        (lambda: at.HydraulicFluid(air_content=0.5), "must be at most 0.2"),
        (lambda: at.Accumulator("a", "x", "5 bar", 1e5), "a volume"),
    ],
)
def test_wrong_components_are_refused(made: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        made()


@pytest.mark.parametrize(("force", "behind"), [(100.0, 1750.0), (400.0, 3000.0 + 4000.0 / 5.0)])
def test_a_booster_runs_out(force: float, behind: float) -> None:
    """5 times 3.5 F up to 3 kN, then 3.5 F with no more help: p A; the pedal by what it gave."""
    size = {"diameter": 0.02, "pedal_ratio": 3.5, "boost": 5.0, "run_out": 3e3, "force": force}
    parts = [at.MasterCylinder("master", "a", "b", **size)]
    for k, soft in (("a", 3e-13), ("b", 1e-13)):
        parts.append(at.LaminarRestriction(f"line_{k}", k, f"wheel_{k}", 2e10))
        parts.append(at.ElasticVolume(f"calliper_{k}", f"wheel_{k}", soft))
    run = circuit(*parts).formulate().simulate(0.2, step=1e-3)
    area = math.pi / 4.0 * 0.02**2
    assert run["calliper_b.pressure"][-1] == pytest.approx(behind / area, rel=1e-9)
    given = run["calliper_a.content"][-1] + run["calliper_b.content"][-1]
    assert run["master.travel"][-1] == pytest.approx(3.5 * given / area, rel=1e-6)


def test_signals_follow_pressures_that_are_states() -> None:
    model = circuit(at.FlowSource("pump", "ground", "a", flow=1e-4))
    model.add(at.HydraulicVolume("one", "a", 1e-3))
    model.add(at.Orifice("drain", "a", "ground", 1e-6, opening="min(one.pressure/1e6, 1)"))
    system = model.formulate()
    drained = system.outputs_at({"one.pressure": 5e5})["drain.flow"]
    k = 0.611 * 1e-6 * math.sqrt(2.0 / 870.0)
    assert drained == pytest.approx(0.5 * k * math.sqrt(5e5), rel=1e-3)
    model.add(at.HydraulicVolume("two", "a", 2e-3))
    follower = at.Orifice("other", "a", "ground", 1e-6, opening="min(two.pressure/1e6, 1)")
    with pytest.raises(FormulationError, match="follows two.pressure, which is not a state"):
        model.extended(follower).formulate()
