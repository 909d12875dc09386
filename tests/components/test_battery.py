"""The traction battery against closed forms: constant power, limits, energy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.components.electric_drives import LossPolynomial, TractionMotor
from axletree.core.errors import ModelError
from axletree.system.system import System

EVEN = at.Curve((0.0, 1.0), (350.0, 350.0), "linear")
RISING = at.Curve((0.0, 1.0), (300.0, 400.0), "linear")


def battery(voltage: at.Curve = RISING, **fields: Any) -> at.Battery:
    known = {"capacity": 3600.0, "resistance": 0.1, "discharge_power": 90e3, "lag": 0.1}
    return at.Battery("pack", voltage, **known | fields)


def alone(pack: at.Battery) -> System:
    model = at.Model("stand")
    model.add(pack)
    return model.formulate()


@pytest.mark.parametrize("power", [20e3, -20e3, 0.0])
def test_a_constant_power_takes_a_constant_current_of_an_even_voltage(power: float) -> None:
    """R i^2 - U i + P = 0, and dq/dt = -i / Q."""
    current = 350.0 / 0.2 - math.sqrt((350.0 / 0.2) ** 2 - power / 0.1)
    system = alone(battery(EVEN, initial_charge=0.6, auxiliary=power))
    run = system.simulate("10 s", step="20 ms", record_interval="1 s")
    assert run["pack.current"] == pytest.approx(current, rel=1e-12)
    assert run["pack.state_of_charge"] == pytest.approx(0.6 - current * run.time / 3600.0)
    assert run["pack.voltage"] == pytest.approx(350.0 - 0.1 * current)
    assert run["pack.losses"] == pytest.approx(0.1 * current**2)


def test_without_resistance_a_rising_voltage_empties_as_a_capacitor_does() -> None:
    """Q (U0 + k q) dq/dt = -P: the energy falls in proportion to time, q by a square root."""
    system = alone(battery(resistance=1e-9, initial_charge=0.9, auxiliary=10e3))
    run = system.simulate("60 s", step="20 ms", record_interval="10 s")
    start = 300.0 * 0.9 + 50.0 * 0.81
    left = start - 10e3 * run.time / 3600.0
    expected = -3.0 + np.sqrt(9.0 + left / 50.0)
    assert run["pack.state_of_charge"] == pytest.approx(expected, rel=1e-8)


def test_the_energy_that_leaves_the_store_is_power_and_heat() -> None:
    system = alone(battery(initial_charge=0.7, auxiliary=3e4 * at.TIME - 1e5))
    run = system.simulate("6 s", step="10 ms", record_interval="10 ms")
    gone = run["pack.energy"][0] - run["pack.energy"]
    rate = run["pack.chemical_power"]
    steps = np.concatenate([[0.0], np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(run.time))])
    assert gone == pytest.approx(steps, abs=2.0)  # J of 3e5: the trapezia of the second sum
    closes = run["pack.chemical_power"] - run["pack.power"] - run["pack.losses"]
    assert np.abs(closes).max() < 1e-9 * np.abs(rate).max()


def test_more_than_its_resistance_lets_through_is_a_shortfall_that_is_told() -> None:
    """At most U^2 / (4 R) = 306 kW."""
    system = alone(battery(EVEN, initial_charge=0.6, auxiliary=400e3))
    with pytest.warns(match="counted as shortfall"):
        run = system.simulate("1 s", step="10 ms")
    most = 350.0**2 / 0.4
    assert run["pack.power"][0] == pytest.approx(most, rel=1e-5)
    assert run["pack.shortfall"][0] == pytest.approx(400e3 - most, rel=1e-4)


def test_an_empty_battery_says_so_and_stays_finite() -> None:
    system = alone(battery(EVEN, initial_charge=0.06, auxiliary=100e3))
    with pytest.warns(match=r"from t = .* s on pack: the battery is empty"):
        run = system.simulate("20 s", step="20 ms")
    assert np.isfinite(run["pack.current"]).all()
    assert 0.0 <= run["pack.state_of_charge"][-1] < 0.005  # auxiliaries are switched off
    assert run["pack.discharge_limit"][-1] == pytest.approx(0.0, abs=1e-6)


def test_limits_fall_near_both_ends_and_by_voltages() -> None:
    pack = battery(charge_power=50e3, lowest_voltage=330.0, highest_voltage=395.0)
    assert pack.limits_at(0.5) == (pytest.approx(330.0 * 20.0 / 0.1), pytest.approx(50e3))
    assert pack.limits_at(0.065)[0] == 0.0  # 306.5 V without current are less than 330 V
    assert pack.limits_at(0.9425)[1] == pytest.approx(395.0 * (395.0 - 394.25) / 0.1)
    assert battery().limits_at(0.065) == (pytest.approx(45e3), pytest.approx(90e3))
    assert battery().limits_at(0.985)[1] == pytest.approx(45e3)


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(ModelError) as found:
        at.Battery("pack", at.Curve((0.2, 0.8), (0.0, 400.0)), 100.0, 0.1, 1e4,
                   lowest_charge=0.5, highest_charge=0.5)  # fmt: skip
    text = str(found.value)
    assert "expected more than 0" in text
    assert "from 0, empty, to 1, full" in text
    assert "closer than twice the margin" in text


# With drives.


def driven(battery_fields: dict[str, Any], **motor: Any) -> tuple[at.Model, at.Battery]:
    model = at.Model("stand", gravity=(0, 0, 0))
    wheels = [model.add(at.RigidBody(n, 10.0, (60,) * 3)) for n in ("left", "right")]
    axles = [model.add(at.Revolute(f"{w.name}_axle", model.ground, w, axis="y")) for w in wheels]
    torque = at.Curve((0.0, 300.0, 900.0), (300.0, 300.0, 100.0), "linear")
    source = TractionMotor(torque, LossPolynomial(copper=0.02, iron=1.0), **motor)
    for axle, side in zip(axles, ("left", "right"), strict=True):
        shared = {"battery": "pack", "battery_share": 0.5, "braking": at.Input(0.0)}
        model.add(at.WheelDrive(f"{side}_drive", axle, source, final_drive=5.0, **shared))
    pack = battery(**battery_fields, drive=model["left_drive"], second_drive=model["right_drive"])
    return model, model.add(pack)


def test_a_battery_gives_what_its_drives_take() -> None:
    model, _ = driven({"initial_charge": 0.5, "auxiliary": 800.0})
    inputs = {"left_drive.throttle": 1.0, "right_drive.throttle": ([0, 2, 2.1], [1, 1, 0])}
    inputs |= {"right_drive.braking": ([0, 2.5, 2.6], [0, 0, 400])}
    run = model.formulate().simulate("4 s", step="1 ms", inputs=inputs)
    drives = run["left_drive.electrical_power"] + run["right_drive.electrical_power"]
    assert run["pack.power"] == pytest.approx(drives + 800.0, rel=1e-12, abs=1e-7)
    assert drives.max() <= run["pack.discharge_limit"].max() + 1e-6
    assert run["right_drive.electrical_power"][-1] < 0.0


def test_an_empty_battery_gives_no_torque_and_a_full_one_takes_none_back() -> None:
    model, _ = driven({"initial_charge": 0.05})
    with pytest.warns(match="the battery is empty"):
        run = model.formulate().simulate("0.5 s", step="1 ms", inputs={"left_drive.throttle": 1.0})
    assert np.abs(run["left_drive.motor_torque"]).max() == 0.0
    model, _ = driven({"initial_charge": 1.0})
    start = {"left_axle.rate": 60.0, "right_axle.rate": 60.0}
    with pytest.warns(match="the battery is full"):
        run = model.formulate().simulate(
            "0.5 s", step="1 ms", initial=start, inputs={"left_drive.braking": 300.0}
        )
    assert run["pack.power"].min() > -1e-6  # it brakes by no more than its own losses
    assert run["left_drive.motor_torque"].min() < 0.0


def test_drives_and_battery_have_to_name_one_another() -> None:
    model, pack = driven({})
    with pytest.raises(ModelError, match="names pack; expected battery: other"):
        at.Battery("other", EVEN, 3600.0, 0.1, 1e4, drive=model["left_drive"])
    with pytest.raises(ModelError, match="left_drive is given twice"):
        at.Battery("pack", EVEN, 3600.0, 0.1, 1e4, drive=pack.drive, second_drive=pack.drive)
