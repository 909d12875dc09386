"""Hydraulic circuits against closed forms, their electrical analogues, and balances of power."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from scipy.optimize import brentq

import axletree as at
from axletree.analysis.energy import audit_energy

K = 1.6e9  # Pa
PURE = at.HydraulicFluid(bulk_modulus=K, air_content=0.0)


def circuit(*components: Any) -> Any:
    model = at.Model("circuit", gravity=(0.0, 0.0, 0.0))
    for component in components:
        model.add(component)
    return model


def table(**given: Any) -> tuple[Any, Any]:
    """A mass of 300 kg on a slide."""
    model = at.Model("table", gravity=(0.0, 0.0, 0.0))
    mass = model.add(at.RigidBody("mass", 300.0, (1.0, 1.0, 1.0)))
    return model, model.add(at.Prismatic("way", model.ground, mass))


@pytest.mark.validation("mechanisms")
def test_a_line_and_a_volume_are_a_series_circuit(agrees: Agrees) -> None:
    """R = 128 mu l / (pi d^4), L = rho l / A, C = V / K: the same trajectory as by charge."""
    length, d, volume, step = 3.0, 6e-3, 1e-3, 2e5
    area = math.pi * d**2 / 4.0
    rho, nu = PURE.density, PURE.viscosity
    hydraulic = circuit(
        at.PressureSource("source", "a", pressure=step),
        at.HydraulicLine("line", "a", "b", length, d, compliance=False, fluid=PURE),
        at.HydraulicVolume("store", "b", volume, fluid=PURE),
    ).formulate()
    electrical = circuit(
        at.VoltageSource("source", "a", "ground", voltage=step),
        at.Resistor("wire", "a", "b", resistance=128.0 * rho * nu * length / (math.pi * d**4)),
        at.Inductor("coil", "b", "c", inductance=rho * length / area),
        at.Capacitor("store", "c", "ground", capacitance=volume / K),
    ).formulate()
    ours, theirs = (
        s.simulate(0.2, step=1e-4, record_interval=1e-3) for s in (hydraulic, electrical)
    )
    assert 1.5 * step < ours["store.pressure"].max() < 2.0 * step  # it swings
    agrees(
        "line and volume as inductor and capacitor: pressure", ours["store.pressure"],
        theirs["store.voltage"], abs=1e-9 * step, unit="Pa", source="Electrical analogue",
    )  # fmt: skip
    assert ours["line.flow"] == pytest.approx(theirs["coil.current"], rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("exponent", [1.0, 1.4], ids=["isothermal", "adiabatic"])
@pytest.mark.validation("mechanisms")
def test_filling_an_accumulator(exponent: float, agrees: Agrees) -> None:
    """V0 (1 - (Pc / P)^(1/n)) + Voil (p - pc) / K = Q t."""
    charge, flow, oil, ambient = 40e5, 2e-4, 1e-6, PURE.ambient_pressure
    system = circuit(
        at.FlowSource("pump", "ground", "a", flow=flow),
        at.Accumulator("store", "a", 1e-3, charge, exponent, oil, fluid=PURE),
    ).formulate()
    run = system.simulate(3.0, step=1e-3, initial={"store.pressure": charge * (1.0 + 1e-9)})
    p, t = run["store.pressure"], run.time
    content = 1e-3 * (1.0 - ((charge + ambient) / (p + ambient)) ** (1.0 / exponent))
    assert content == pytest.approx(flow * t - oil * (p - charge) / K, abs=1e-12)

    def left(x: float, at_time: float) -> float:
        taken = 1.0 - ((charge + ambient) / (x + ambient)) ** (1.0 / exponent)
        return 1e-3 * taken + oil * (x - charge) / K - flow * at_time

    expected = [brentq(left, 0.9 * charge, 1e8, (at_time,), 1e-6) for at_time in t[::500]]
    agrees(
        "accumulator filled at a constant flow: pressure", p[::500], np.array(expected), rel=1e-7,
        unit="Pa", case=f"n = {exponent:g}", source="Closed form, polytropic charge",
    )  # fmt: skip
    assert run["store.content"] == pytest.approx(content, abs=1e-15)


@pytest.mark.validation("mechanisms")
def test_a_volume_that_an_orifice_empties(agrees: Agrees) -> None:
    """V / K dp/dt = -k sqrt(p): the root of the pressure falls in a straight line."""
    area, volume, p0 = 1e-6, 2e-2, 100e5
    system = circuit(
        at.HydraulicVolume("vessel", "a", volume, fluid=PURE),
        at.Orifice("hole", "a", "ground", area, laminar_pressure=1.0, fluid=PURE),
    ).formulate()
    k = 0.611 * area * math.sqrt(2.0 / PURE.density)
    empty = 2.0 * volume * math.sqrt(p0) / (k * K)
    run = system.simulate(0.9 * empty, step=empty / 2000, initial={"vessel.pressure": p0})
    agrees(
        "vessel emptied by an orifice: pressure", run["vessel.pressure"],
        p0 * (1.0 - run.time / empty) ** 2, rel=1e-8, unit="Pa",
        source="Closed form, sqrt(p) falls in a straight line",
    )  # fmt: skip


def test_an_orifice_is_laminar_at_rest() -> None:
    """Its slope there is k / sqrt(pl), so that what is left fades exponentially."""
    area, volume, pl = 1e-6, 1e-3, 1e5
    system = circuit(
        at.HydraulicVolume("vessel", "a", volume, fluid=PURE),
        at.Orifice("hole", "a", "ground", area, laminar_pressure=pl, fluid=PURE),
    ).formulate()
    k = 0.611 * area * math.sqrt(2.0 / PURE.density)
    (pole,) = np.linalg.eigvals(system.linearise().A)
    assert pole == pytest.approx(-k * K / (volume * math.sqrt(pl)), rel=1e-12)


@pytest.mark.validation("mechanisms")
def test_a_pump_against_a_relief_valve(agrees: Agrees) -> None:
    """D w = G p + Qr (p - pc) / (pf - pc) sqrt(p / pf), solved by itself."""
    D, rate, leak, cracks, full, rated = 5e-6, 150.0, 1e-12, 150e5, 170e5, 1e-3
    model = circuit()
    rotor = model.add(at.RigidBody("rotor", 1.0, (0.1, 0.1, 0.1)))
    shaft = model.add(at.Revolute("shaft", model.ground, rotor))
    model.add(at.RotationDriver("motor", shaft, angle=f"{rate}*t"))
    model.add(at.HydraulicPump("pump", shaft, "ground", "a", D, leakage=leak))
    model.add(at.HydraulicVolume("hose", "a", 1e-3, fluid=PURE))
    model.add(at.ReliefValve("valve", "a", "ground", cracks, full - cracks, rated))
    run = model.formulate().simulate(0.5, step=1e-4, initial={"hose.pressure": cracks})

    def left(p: float) -> float:
        return D * rate - leak * p - rated * (p - cracks) / (full - cracks) * math.sqrt(p / full)

    expected = brentq(left, cracks, full)
    agrees(
        "pump against a relief valve: pressure", run["hose.pressure"][-1], expected, rel=1e-6,
        unit="Pa", source="Root of the balance of flows",
    )  # fmt: skip
    assert run["pump.torque"][-1] == pytest.approx(-D * expected, rel=1e-6)
    heat = run["valve.power"][-1] + leak * expected**2
    assert heat == pytest.approx(-run["pump.torque"][-1] * rate, rel=1e-6)


@pytest.mark.validation("mechanisms")
def test_a_mass_on_trapped_oil(agrees: Agrees) -> None:
    """w^2 = K / m (A^2 / VA + B^2 / VB); Merritt 1967, eq. (6-34), where both sides are alike."""
    model, way = table()
    D, d, stroke, dead, x = 0.05, 0.03, 0.4, 2e-5, 0.15
    size = {"piston_diameter": D, "rod_diameter": d, "stroke": stroke, "dead_volume": dead}
    ends = {"joint": way, "port_a": "a", "port_b": "b", "fluid": PURE}
    model.add(at.SlideCylinder("ram", **ends, **size))
    state = {"way.position": x, "ram.pressure_a": 2e6, "ram.pressure_b": 2e6 * D**2 / (D**2 - d**2)}
    poles = np.linalg.eigvals(model.formulate().linearise(state).A)
    A, B = math.pi / 4.0 * D**2, math.pi / 4.0 * (D**2 - d**2)
    w = math.sqrt(K / 300.0 * (A**2 / (dead + A * x) + B**2 / (dead + B * (stroke - x))))
    agrees(
        "mass on trapped oil: natural frequency", np.abs(poles).max(), w, rel=1e-9, unit="rad/s",
        source="Closed form, Merritt 1967, section 6-1",
    )  # fmt: skip


def test_a_line_closed_at_one_end_rings_as_a_ladder() -> None:
    """2 sin((2k - 1) pi / 4n) / sqrt(LC), near the quarter waves of c = sqrt(K / rho)."""
    length, n = 10.0, 8
    thin = at.HydraulicFluid(bulk_modulus=K, air_content=0.0, viscosity=1e-12)
    line = at.HydraulicLine("line", "a", "ground", length, 0.02, segments=n, fluid=thin)
    poles = np.linalg.eigvals(circuit(line).formulate().linearise().A)
    found = np.sort(poles.imag[poles.imag > 0.0])
    c = math.sqrt(K / thin.density)
    k = np.arange(1, n + 1)
    assert found == pytest.approx(2.0 * c * n / length * np.sin((2 * k - 1) * np.pi / (4 * n)))
    assert found[0] == pytest.approx(0.5 * np.pi * c / length, rel=2e-3)


@pytest.mark.parametrize("inertance", [True, False])
@pytest.mark.parametrize("reynolds", [300.0, 20000.0])
def test_friction_of_a_line(inertance: bool, reynolds: float) -> None:
    """Darcy and Weisbach with 64 / Re, and with 0.3164 Re^(-1/4)."""
    length, d = 4.0, 8e-3
    nu, rho = PURE.viscosity, PURE.density
    speed = reynolds * nu / d
    flow = speed * math.pi * d**2 / 4.0
    factor = 64.0 / reynolds if reynolds < 1187 else 0.3164 * reynolds**-0.25
    drop = factor * length / d * rho * speed**2 / 2.0
    system = circuit(
        at.PressureSource("source", "a", pressure=drop),
        at.HydraulicLine("line", "a", "ground", length, d, inertance=inertance, fluid=PURE),
    ).formulate()
    if inertance:
        assert system.rhs({"line.flow": flow})["line.flow"] == pytest.approx(0.0, abs=1e-12)
        assert system.rhs({"line.flow": -flow})["line.flow"] > 0.0
    else:
        assert system.outputs_at({})["line.flow"] == pytest.approx(flow, rel=1e-12)


def press() -> Any:
    """A pump, a valve, a cylinder with a mass, an accumulator: all that stores, loses and works."""
    model, way = table()
    rotor = model.add(at.RigidBody("rotor", 1.0, (0.1, 0.1, 0.1)))
    shaft = model.add(at.Revolute("shaft", model.ground, rotor))
    model.add(at.JointTorque("motor", shaft, torque=60.0))
    air = at.HydraulicFluid()
    model.add(at.HydraulicPump("pump", shaft, "ground", "p", 5e-6, leakage=1e-12, drag=0.01))
    model.add(at.HydraulicVolume("block", "p", 2e-4, fluid=air))
    model.add(at.Accumulator("store", "p", 1e-3, 50e5))
    model.add(at.ReliefValve("relief", "p", "ground", 90e5, 20e5, 1e-3))
    ports = {"supply": "p", "tank": "ground", "port_a": "a", "port_b": "b"}
    model.add(
        at.DirectionalValve("valve", **ports, rated_flow=5e-4, rated_drop=5e5, command="sin(9*t)")
    )
    model.add(at.HydraulicLine("hose", "a", "c", 2.0, 0.01, wall_modulus=5e8))
    size = {"piston_diameter": 0.05, "rod_diameter": 0.03, "stroke": 0.4, "leakage": 1e-13}
    model.add(
        at.SlideCylinder("ram", joint=way, port_a="c", port_b="b", viscous_friction=2e4, **size)
    )
    model.start = {"way.position": 0.2, "block.pressure": 60e5}
    return model


def test_power_of_a_press_is_balanced() -> None:
    """What the motor gives is heat and motion; storages keep what they take."""
    system = press().formulate()
    audit = audit_energy(system, 0.3, step=1e-3)
    assert audit.relative_residual < 1e-8
    added = dict(audit.rows)
    work = added["motor"]
    assert work > 100.0
    stored = {share.component: share.stored[-1] for share in audit.shares}
    for name in ("block", "store"):
        assert abs(added[name]) < 1e-6 * work, name
    assert abs(stored["store"]) > 0.1 * work
    losses = [added[name] for name in ("pump", "relief", "valve", "hose", "ram")]
    assert all(loss <= 0.0 for loss in losses)


def test_what_tied_volumes_share_is_told_of_each() -> None:
    system = press().formulate()
    names = {q.name for q in system.states}
    tied = {"block.pressure", "store.pressure"}
    assert len(tied & names) == 1
    assert tied - names <= {d.quantity.name for d in system.outputs}
    run = system.simulate(0.01, step=1e-4)
    assert run["block.pressure"] == pytest.approx(run["store.pressure"], rel=1e-14)


def test_cavitation_is_told() -> None:
    system = circuit(
        at.FlowSource("pump", "a", "ground", flow=1e-5),
        at.HydraulicVolume("block", "a", 1e-3, fluid=PURE),
    ).formulate()
    with pytest.warns(UserWarning, match="block: its absolute pressure falls below"):
        run = system.simulate(0.01, step=1e-4)
    assert "cavitation_pressure" in run.note


def test_air_keeps_the_pressure_above_zero() -> None:
    """A volume that is drawn from expands its air: V a (p0 / P)^(1/n) grows by what is drawn."""
    fluid = at.HydraulicFluid(air_content=0.01, air_exponent=1.2, cavitation_pressure=0.0)
    system = circuit(
        at.FlowSource("pump", "a", "ground", flow=1e-5),
        at.HydraulicVolume("block", "a", 1e-3, fluid=fluid),
    ).formulate()
    run = system.simulate(4.0, step=1e-3)
    P = run["block.pressure"] + fluid.ambient_pressure
    assert P.min() > 0.0
    grown = 1e-3 * 0.01 * ((fluid.ambient_pressure / P) ** (1.0 / 1.2) - 1.0)
    grown -= 1e-3 * run["block.pressure"] / fluid.bulk_modulus
    assert grown == pytest.approx(1e-5 * run.time, abs=1e-11)


def test_derivatives_are_those_of_the_rates() -> None:
    """The Jacobian of the press against differences of its rates."""
    system = press().formulate()
    x = np.array([q.default for q in system.states]) + 0.0
    scale = {"Pa": 60e5, "m^3/s": 2e-4, "m": 0.2, "m/s": 0.1, "rad": 1.0, "rad/s": 100.0}
    x = np.array([0.9 * scale[q.unit] for q in system.states])
    names = [q.name for q in system.states]

    def rates(values: np.ndarray) -> np.ndarray:
        found = system.rhs(dict(zip(names, values, strict=True)), time=0.1)
        return np.array([found[name] for name in names])

    A = system.linearise(dict(zip(names, x, strict=True)), time=0.1).A
    for k, name in enumerate(names):
        h = 1e-5 * scale[system.states[k].unit]
        step = np.eye(len(x))[k] * h
        slope = (rates(x + step) - rates(x - step)) / (2.0 * h)
        assert A[:, k] == pytest.approx(slope, rel=1e-4, abs=1e-5 * np.abs(slope).max()), name


@pytest.mark.validation("vehicles")
def test_the_skidder_folds_as_fast_as_its_pump_delivers(agrees: Agrees) -> None:
    """Both sides that turn it to the left take the flow: areas by speeds from the geometry."""
    skidder = at.read_model("hydraulic-skidder")
    run = skidder.formulate().simulate(
        2.6, step=1e-3, method="row3", record_interval=0.05, inputs=skidder.run.inputs
    )
    angle, rate = run["hinge.angle"], run["hinge.rate"]
    front, rear = (0.35, 0.4), (-0.6, 0.4)  # m, of the left pins from the hinge

    def length(turn: np.ndarray, side: float) -> np.ndarray:
        c, s = np.cos(turn), np.sin(turn)
        x, y = front[0] * c - side * front[1] * s, front[0] * s + side * front[1] * c
        return np.hypot(x - rear[0], y - side * rear[1])

    h = 1e-6
    left, right = ((length(angle + h, s) - length(angle - h, s)) / (2.0 * h) for s in (1.0, -1.0))
    assert run["left_cylinder.speed"] == pytest.approx(left * rate, abs=1e-7)
    A, B = math.pi / 4.0 * 0.1**2, math.pi / 4.0 * (0.1**2 - 0.05**2)
    steady = run.time > 2.2
    agrees(
        "skidder steered by cylinders: rate of the hinge", rate[steady],
        (run["steering.flow_a"] / (A * right - B * left))[steady], rel=5e-3, unit="rad/s",
        source="Flow over areas times lever arms, oil taken as rigid",
    )  # fmt: skip
    assert rate[steady].min() > 0.2


@pytest.mark.validation("mechanisms")
def test_the_crane_holds_and_lifts_what_statics_say(agrees: Agrees) -> None:
    """The moment of boom and load over the arm and the area; raised by the flow over the area."""
    crane = at.read_model("crane")
    run = crane.formulate().simulate(
        4.5, step=5e-4, method="row3", record_interval=0.01, inputs=crane.run.inputs, watch=False
    )
    area = math.pi / 4.0 * 0.08**2
    angle = run["pivot.angle"]
    c, s = np.cos(angle), np.sin(angle)
    eye = np.array([1.6 * c + 0.15 * s, 1.6 * s - 0.15 * c])
    along = eye - np.array([[0.4], [-1.4]])
    along /= np.hypot(*along)
    arm = eye[0] * along[1] - eye[1] * along[0]
    needed = 9.80665 * (600.0 * 2.8 + 500.0 * 6.0) * c / arm
    rest = run.time < 1.0
    agrees(
        "crane at rest: pressure below the piston", run["cylinder.pressure_a"][rest],
        (needed / area)[rest], rel=1e-3, unit="Pa", source="Statics by hand",
    )  # fmt: skip
    late = run.time > 3.0
    mean = run["cylinder.force"][late].mean()
    assert mean == pytest.approx(needed[late].mean(), rel=0.03)  # it still swings, and speeds up
    speed = run["valve.flow_a"][late].mean() / area
    assert run["cylinder.speed"][late].mean() == pytest.approx(speed, rel=0.01)


def test_a_counterbalance_valve_keeps_the_load_from_running_away() -> None:
    """Lowered, side B stays under pressure; without the valve the load sucks it empty."""
    crane = at.read_model("crane")
    system = crane.formulate()
    down = "-0.5*min(max(2*(t - 0.2), 0), 1)"
    given = {"step": 5e-4, "method": "row3", "inputs": {"valve.command": down}, "watch": False}
    kept = system.simulate(1.5, **given)
    late = kept.time > 1.0
    assert kept["cylinder.pressure_b"][late].min() > 10e5
    flow = 157.0 * 4.2e-6 / (math.pi / 4.0 * (0.08**2 - 0.05**2))
    assert -kept["cylinder.speed"][late].mean() == pytest.approx(flow, rel=0.03)
    with pytest.warns(UserWarning, match="cavitation_pressure"):
        loose = system.simulate(1.5, **given, parameters={"counterbalance.setting": 1e5})
    assert loose["cylinder.pressure_b"].min() < 0.0


def test_a_soft_volume_behind_a_restriction_is_a_capacitor_behind_a_resistor() -> None:
    """p = P (1 - exp(-t / (R c))), and what has flowed in is c p."""
    R, c, supply = 2e10, 3e-13, 80e5
    run = (
        circuit(
            at.PressureSource("source", "a", pressure=supply),
            at.LaminarRestriction("line", "a", "b", R),
            at.ElasticVolume("calliper", "b", c),
        )
        .formulate()
        .simulate(0.03, step=1e-4)
    )
    expected = supply * (1.0 - np.exp(-run.time / (R * c)))
    assert run["calliper.pressure"] == pytest.approx(expected, rel=1e-7, abs=1.0)
    assert run["calliper.content"] == pytest.approx(c * expected, rel=1e-7, abs=1e-12)
    assert run["line.flow"] == pytest.approx((supply - expected) / R, rel=1e-6, abs=1e-11)


def test_slack_is_taken_up_before_the_pressure_rises() -> None:
    """At a constant flow c p + s (1 - exp(-p / p0)) = Q t, solved by itself."""
    c, slack, at_pressure, flow = 3e-13, 4e-7, 2e5, 5e-6
    run = (
        circuit(
            at.FlowSource("pump", "ground", "a", flow=flow),
            at.ElasticVolume("calliper", "a", c, slack_volume=slack, slack_pressure=at_pressure),
        )
        .formulate()
        .simulate(0.3, step=2e-4, method="rk4")
    )

    def left(p: float, time: float) -> float:
        return c * p + slack * -math.expm1(-p / at_pressure) - flow * time

    shown = slice(50, None, 150)
    expected = [brentq(left, 0.0, 1e8, (time,), 1e-6) for time in run.time[shown]]
    assert run["calliper.pressure"][shown] == pytest.approx(expected, rel=1e-6)
    assert run["calliper.content"] == pytest.approx(flow * run.time, rel=1e-7, abs=1e-15)


def test_an_electric_pump_stalls_and_runs_dry_in_straight_lines() -> None:
    """Below the suction pressure an inlet empties exponentially: V / K dp/dt = -Q p / ps."""
    rated, suction, stall, volume = 1e-5, 5e4, 2e7, 1e-3
    sized = {"rated_flow": rated, "suction_pressure": suction, "stall_pressure": stall}
    for rise, share in ((0.0, 1.0), (1.7e7, 1.0), (1.9e7, 0.5), (2e7, 0.0), (2.5e7, 0.0)):
        system = circuit(
            at.PressureSource("low", "a", pressure=1e5),
            at.PressureSource("high", "b", pressure=1e5 + rise),
            at.ElectricPump("pump", "a", "b", **sized, command=0.8),
        ).formulate()
        found = system.outputs_at({})
        assert found["pump.flow"] == pytest.approx(0.8 * rated * share, abs=1e-18)
        assert found["pump.power"] == pytest.approx(-0.8 * rated * share * rise, abs=1e-9)
    model = circuit(
        at.HydraulicVolume("sump", "a", volume, fluid=PURE),
        at.ElectricPump("pump", "a", "ground", **sized, command=1.0),
    )
    first = 0.9 * suction
    run = model.formulate().simulate(5e-3, step=1e-5, initial={"sump.pressure": first})
    rate = rated * K / (volume * suction)
    assert run["sump.pressure"] == pytest.approx(first * np.exp(-rate * run.time), rel=1e-8)


def test_a_motor_comes_to_the_speed_at_which_drag_takes_its_torque() -> None:
    """w = D p / b (1 - exp(-b t / J)); it takes D w, and G p through its gap."""
    D, G, b, J, supply = 20e-6, 2e-12, 0.5, 0.8, 90e5
    model = circuit(at.PressureSource("supply", "a", pressure=supply))
    drum = model.add(at.RigidBody("drum", 9.0, (J, J, J)))
    shaft = model.add(at.Revolute("shaft", model.ground, drum))
    model.add(at.HydraulicMotor("motor", shaft, "a", "ground", D, leakage=G, drag=b))
    run = model.formulate().simulate(4.0, step=2e-3)
    rate = D * supply / b * (1.0 - np.exp(-b * run.time / J))
    assert run["shaft.rate"] == pytest.approx(rate, rel=1e-8, abs=1e-6)
    assert run["motor.flow"] == pytest.approx(D * rate + G * supply, rel=1e-7)
    losses = supply * run["motor.flow"] - run["motor.power"]  # of gap and drag
    assert losses == pytest.approx(G * supply**2 + b * rate**2, rel=1e-6)


@pytest.mark.parametrize(("drop", "opened"), [(1e4, 0.0), (3e4, 0.25), (6e4, 1.0), (9e5, 1.0)])
def test_a_check_valve_opens_over_its_range(drop: float, opened: float) -> None:
    """In proportion from the cracking pressure on, and flows as rated where it is open."""
    sized = {"rated_flow": 1e-3, "rated_drop": 4e5, "laminar_pressure": 1.0}
    valve = at.CheckValve("v", "a", "ground", cracking_pressure=2e4, opening_range=4e4, **sized)
    supply = at.PressureSource("supply", "a", pressure=drop)
    found = circuit(supply, valve).formulate().outputs_at({})["v.flow"]
    assert found == pytest.approx(opened * 1e-3 * math.sqrt(drop / 4e5), rel=1e-6, abs=1e-15)
