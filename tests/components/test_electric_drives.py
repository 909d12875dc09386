"""Traction motors on two flywheels: maps, bounds, heat and losses against numbers by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.components.electric_drives import (
    EfficiencyMap,
    HybridShaft,
    Inverter,
    LossPolynomial,
    LumpedHeat,
    TractionMotor,
)
from axletree.components.engines import CombustionEngine
from axletree.components.fuel_maps import ConsumptionMap, WillansLine
from axletree.components.power_sources import ConstantTorque, ShaftInstant
from axletree.core.errors import ModelError
from axletree.expr import number
from axletree.system.system import System

TORQUE = at.Curve((0.0, 300.0, 600.0, 900.0), (300.0, 300.0, 150.0, 100.0), "linear")
LOSSES = LossPolynomial(copper=0.02, iron=2.0, windage=1e-7, constant=30.0)
INVERTER = Inverter(torque_per_current=0.6, voltage_drop=1.2, resistance=3e-3, standby=80.0)
MOTOR = TractionMotor(TORQUE, LOSSES, INVERTER, regeneration=25.0)


def lost(torque: float, speed: float) -> float:
    current = abs(torque) / 0.6
    w = abs(speed)
    motor = 0.02 * torque**2 + 2.0 * w + 1e-7 * w**3 + 30.0
    return motor + 80.0 + 1.2 * current + 3e-3 * current**2


def turned(source: Any, speed: float, throttle: float = 0.0, **more: Any) -> dict[str, float]:
    """What a source answers in numbers."""
    given = {name: number(value) for name, value in more.items()}
    now = ShaftInstant(number(throttle), number(speed), **given)
    found = source.turned(now, source.numbers)
    told = {one.suffix: float(one.expression) for one in found.outputs}
    return {"torque": float(found.torque), "taken": float(found.electrical_power), **told}


@pytest.mark.parametrize("throttle", [-0.3, 0.0, 0.4, 1.0, 1.3])
@pytest.mark.parametrize("speed", [-40.0, 0.0, 5.0, 200.0, 450.0, 905.0, 1000.0])
def test_a_motor_follows_its_map_and_takes_what_it_gives_and_loses(
    speed: float, throttle: float
) -> None:
    """In reverse, at rest, fading, on both sides of the corner, at its end and beyond."""
    peak = np.interp(abs(speed), TORQUE.x, TORQUE.y) * np.clip((918.0 - abs(speed)) / 18.0, 0, 1)
    fades = np.clip(speed / 15.0, 0.0, 1.0)
    pedal = min(throttle, 1.0)
    asked = pedal * peak - (1.0 - pedal) * 25.0 * fades
    expected = np.clip(asked, -peak * fades, peak)
    found = turned(MOTOR, speed, throttle)
    assert found["torque"] == pytest.approx(expected, abs=1e-9)
    assert found["taken"] == pytest.approx(expected * speed + lost(expected, speed), abs=1e-9)
    parts = found["mechanical_power"] + found["motor_losses"] + found["inverter_losses"]
    assert parts == pytest.approx(found["electrical_power"], abs=1e-9)


@pytest.mark.parametrize("speed", [0.0, 3.0, 100.0, 500.0, 850.0])
@pytest.mark.parametrize("limit", [0.0, 500.0, 8e3, 40e3])
def test_no_motor_asks_more_of_its_battery_than_it_allows(speed: float, limit: float) -> None:
    limits = {"drawable": limit, "chargeable": limit}
    driven = turned(MOTOR, speed, 1.0, **limits)
    idle = lost(0.0, speed) * min(limit / 1000.0, 1.0)
    assert driven["taken"] <= max(limit, idle) + 1e-9
    braked = turned(MOTOR, speed, 0.0, braking=400.0, **limits)
    assert braked["taken"] >= -limit - 1e-9
    assert braked["torque"] <= 0.0
    if limit == 40e3 and speed == 500.0:  # not by asking for nothing
        assert driven["taken"] > 0.9 * limit
        assert braked["taken"] < -0.8 * limit


def test_a_controller_commands_within_the_bounds_of_motor_and_clutch() -> None:
    assert turned(MOTOR, 200.0, 0.0, command=80.0)["torque"] == pytest.approx(80.0 - 25.0)
    assert turned(MOTOR, 200.0, 1.0, command=80.0)["torque"] == pytest.approx(300.0)
    assert turned(MOTOR, 200.0, 0.0, command=-900.0)["torque"] == pytest.approx(-300.0)
    assert turned(MOTOR, 200.0, 1.0, engaged=0.25)["torque"] == pytest.approx(75.0)


def test_an_efficiency_map_returns_what_was_measured_and_is_finite_at_rest() -> None:
    speeds, torques = [100.0, 300.0, 900.0], [10.0, 100.0, 300.0]
    efficiency = [[0.80, 0.86, 0.80], [0.85, 0.93, 0.91], [0.86, 0.95, 0.96]]
    measured = EfficiencyMap(speeds=speeds, torques=torques, efficiency=efficiency)
    for w, row in zip(speeds, efficiency, strict=True):
        for T, e in zip(torques, row, strict=True):
            assert measured.power(T, w, {}) == pytest.approx(T * w * (1.0 / e - 1.0))
    assert measured.power(0.0, 0.0, {}) == pytest.approx(10.0 * 100.0 * 0.25)
    middle = 0.5 * (measured.power(100.0, 300.0, {}) + measured.power(300.0, 300.0, {}))
    assert measured.power(200.0, 300.0, {}) == pytest.approx(middle)


@pytest.mark.parametrize(
    ("efficiency", "told"),
    [
        ([[0.8, 0.9]], "a row for each of 2 speeds"),
        ([[0.8, 1.2], [0.8, 0.9]], "up to 1"),
        ([[0.5, 0.95], [0.8, 0.9]], "losses that do not fall"),
    ],
)
def test_a_map_that_cannot_be_is_refused(efficiency: list[list[float]], told: str) -> None:
    with pytest.raises(ModelError, match=told):
        EfficiencyMap(speeds=[100.0, 200.0], torques=[10.0, 40.0], efficiency=efficiency)


def test_all_that_is_wrong_with_heat_and_torque_is_told() -> None:
    with pytest.raises(ModelError, match="do not rise"):
        LumpedHeat(30e3, 60.0, coolant=400.0, derating=390.0, greatest=450.0)
    with pytest.raises(ModelError, match="none below 0"):
        TractionMotor(at.Curve((0.0, 100.0), (10.0, -5.0)), LOSSES)


# On flywheels.


def stand(source: Any, inertia: float = 50.0, **fields: Any) -> tuple[at.Model, Any]:
    model = at.Model("stand", gravity=(0, 0, 0))
    names = ("left", "right")
    wheels = [model.add(at.RigidBody(n, 10.0, (inertia,) * 3)) for n in names]
    axles = [model.add(at.Revolute(f"{w.name}_axle", model.ground, w, axis="y")) for w in wheels]
    return model, model.add(at.AxleDrive("drive", *axles, source, **fields))


def system_of(source: Any, **fields: Any) -> System:
    return stand(source, **fields)[0].formulate()


def test_the_heat_of_a_motor_settles_with_its_time_constant() -> None:
    """C dh/dt = P - G (h - h_0) at a constant loss: an exponential of C / G = 20 s."""
    heat = LumpedHeat(
        capacity=2e3, conductance=100.0, coolant=330.0, derating=400.0, greatest=450.0
    )
    motor = TractionMotor(TORQUE, LossPolynomial(copper=0.0, constant=3000.0), heat=heat)
    system = system_of(motor)
    run = system.simulate("30 s", step="20 ms", record_interval="1 s")
    expected = 330.0 + 30.0 * (1.0 - np.exp(-run.time / 20.0))
    assert run["drive.temperature"] == pytest.approx(expected, abs=1e-7)


def test_a_hot_motor_has_less_torque_and_says_since_when() -> None:
    heat = LumpedHeat(2e3, 20.0, coolant=330.0, derating=350.0, greatest=370.0)
    motor = TractionMotor(TORQUE, LossPolynomial(copper=0.02), heat=heat)
    system = system_of(motor, inertia=1e6)
    with pytest.warns(match=r"from t = .* s on drive: the motor is hotter"):
        run = system.simulate("200 s", step="50 ms", inputs={"drive.throttle": 1.0})
    h, torque = run["drive.temperature"], run["drive.motor_torque"]
    assert torque == pytest.approx(300.0 * np.clip((370.0 - h) / 20.0, 0.0, 1.0), rel=1e-9)
    # what is cooled is what is lost, 0.02 (300 d)^2 = 20 (h - 330), with h = 370 - 20 d
    d = (-400.0 + math.sqrt(400.0**2 + 4.0 * 1800.0 * 800.0)) / (2.0 * 1800.0)
    assert torque[-1] == pytest.approx(300.0 * d, rel=1e-4)


def test_gears_take_their_share_of_torque_that_drives_and_that_brakes() -> None:
    motor = TractionMotor(TORQUE, LossPolynomial(copper=0.0), slow_rate=1.0)
    gears = {"final_drive": 8.0, "efficiency": 0.9, "braking": at.Input(0.0)}
    system = system_of(motor, **gears)
    turning = {"left_axle.rate": 20.0, "right_axle.rate": 20.0}
    driven = system.outputs_at(system.state(turning), inputs={"drive.throttle": 1.0})
    assert driven["drive.torque"] == pytest.approx(8.0 * 0.9 * 300.0)
    assert driven["drive.gear_losses"] == pytest.approx(0.1 * 300.0 * 160.0)
    braked = system.outputs_at(system.state(turning | {"drive.regeneration": 720.0}))
    assert braked["drive.torque"] == pytest.approx(-720.0)  # as brakes have counted on
    assert braked["drive.motor_torque"] == pytest.approx(-720.0 / 8.0 * 0.9)
    assert braked["drive.gear_losses"] == pytest.approx(0.1 * 720.0 * 20.0)


def test_a_motor_takes_its_part_of_braking_behind_its_lag() -> None:
    motor = TractionMotor(TORQUE, LossPolynomial(copper=0.0), lag=0.05)
    system = system_of(motor, final_drive=8.0, braking=at.Input(0.0), inertia=1e6)
    start = {"left_axle.rate": 40.0, "right_axle.rate": 40.0}
    run = system.simulate("0.3 s", step="1 ms", initial=start, inputs={"drive.braking": 600.0})
    expected = 600.0 * (1.0 - np.exp(-run.time / 0.05))
    assert run["drive.regeneration"] == pytest.approx(expected, abs=1e-5)
    assert run["drive.torque"] == pytest.approx(-expected, abs=1e-5)


def test_engine_and_motor_on_one_shaft_add_up() -> None:
    both = HybridShaft(ConstantTorque(200.0), MOTOR, assist=0.5)
    found = turned(both, 200.0, 0.8)
    alone = turned(MOTOR, 200.0, 0.4)
    assert found["torque"] == pytest.approx(160.0 + alone["torque"])
    assert found["engine_torque"] == pytest.approx(160.0)
    assert found["taken"] == pytest.approx(alone["taken"])
    with pytest.raises(ModelError, match="it does not recuperate"):
        HybridShaft(ConstantTorque(200.0), ConstantTorque(10.0))


def test_an_engine_and_a_motor_drive_the_same_crankshaft() -> None:
    """A hybrid by components: what both have on one joint, the battery that gives, the fuel."""
    model = at.Model("hybrid", gravity=(0, 0, 0))
    crank = model.add(at.RigidBody("crank", 10.0, (0.4,) * 3))
    shaft = model.add(at.Revolute("shaft", model.ground, crank, axis="x"))
    load, drag = at.Curve((100.0, 600.0), (150.0, 150.0)), at.Curve((100.0, 600.0), (20.0, 20.0))
    burns = WillansLine(efficiency=0.4)
    engine = at.Engine(
        "engine", shaft, load, 650.0, 20.0, drag=drag, throttle=0.5, consumption=burns
    )
    model.add(engine)
    plain = TractionMotor(TORQUE, LossPolynomial(copper=0.02))
    model.add(at.WheelDrive("motor", shaft, plain, throttle=0.2, battery="pack"))
    voltage = at.Curve((0.0, 1.0), (300.0, 400.0))
    model.add(at.Battery("pack", voltage, 3600.0, 0.1, 9e4, drive=model["motor"]))
    system = model.formulate()
    state = system.state({"shaft.rate": 200.0})
    by_engine, by_motor = 0.5 * 150.0 - 0.5 * 20.0, 0.2 * 300.0
    assert system.rhs(state)["shaft.rate"] == pytest.approx((by_engine + by_motor) / 0.4)
    found = system.outputs_at(state)
    assert found["pack.power"] == pytest.approx(by_motor * 200.0 + 0.02 * by_motor**2)
    assert found["engine.fuel_power"] == pytest.approx((by_engine + 20.0) * 200.0 / 0.4)


def test_a_drive_refuses_what_its_source_does_not_have() -> None:
    with pytest.raises(ModelError, match="takes no power from one"):
        stand(ConstantTorque(100.0), battery="pack")
    with pytest.raises(ModelError, match="is of a motor that recuperates"):
        stand(ConstantTorque(100.0), braking=at.Input(0.0))
    with pytest.raises(ModelError, match="needs a battery"):
        stand(MOTOR, battery_share=0.5)


# Fuel.


def engine(fuel: Any) -> CombustionEngine:
    load, drag = at.Curve((100.0, 600.0), (200.0, 200.0)), at.Curve((100.0, 600.0), (20.0, 20.0))
    return CombustionEngine(load, cut_off=620.0, drag=drag, fuel=fuel)


def test_an_engine_burns_by_the_line_of_willans() -> None:
    """Guzzella and Sciarretta 2013, section 3.1.3: heat = (T + D) w / e."""
    burning = engine(WillansLine(efficiency=0.4, heating_value=40e6))
    half = turned(burning, 300.0, 0.5)
    assert half["torque"] == pytest.approx(0.5 * 200.0 - 0.5 * 20.0)
    assert half["fuel_power"] == pytest.approx((90.0 + 20.0) * 300.0 / 0.4)
    assert half["fuel_rate"] == pytest.approx(half["fuel_power"] / 40e6)
    assert turned(burning, 300.0, 0.0)["fuel_rate"] == 0.0  # cut off on the overrun
    idle = 20.0 * 100.0 / 0.4
    assert turned(burning, 0.0, 0.0)["fuel_power"] == pytest.approx(idle)
    assert turned(burning, 300.0, 0.5, engaged=0.0)["fuel_power"] == pytest.approx(idle)


def test_two_drives_of_one_engine_have_their_shares_of_its_fuel() -> None:
    burning = engine(WillansLine(efficiency=0.4))
    turning = {"left_axle.rate": 60.0, "right_axle.rate": 60.0}
    found = []
    for share in (1.0, 0.3):
        system = system_of(burning, final_drive=5.0, share=share)
        told = system.outputs_at(system.state(turning), inputs={"drive.throttle": 0.5})
        found.append(told["drive.fuel_power"])
    assert found[0] == pytest.approx((90.0 + 20.0) * 300.0 / 0.4)
    assert found[1] == pytest.approx(0.3 * found[0])


def test_an_engine_burns_what_a_map_of_its_consumption_has() -> None:
    points = {"speeds": [100.0, 300.0, 600.0], "torques": [50.0, 110.0, 200.0]}
    table = [[300.0, 260.0, 250.0], [280.0, 240.0, 235.0], [320.0, 270.0, 260.0]]
    fuel = ConsumptionMap(consumption=table, **points)
    assert turned(engine(fuel), 300.0, 1.0)["fuel_rate"] == pytest.approx(
        235.0 / 3.6e9 * 200.0 * 300.0
    )
    rate = [fuel.rate(0.0, T, 300.0, fuel.numbers) for T in (0.0, 50.0, 110.0)]
    assert rate[1] - rate[0] == pytest.approx((rate[2] - rate[1]) * 50.0 / 60.0)
    assert rate[0] > 0.0
