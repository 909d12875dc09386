"""The drive of an axle on two flywheels: maps, gears and differentials against numbers by hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.components.contract import Instant, Travel
from axletree.components.frames import Frame
from axletree.core.errors import ModelError
from axletree.expr import evaluate, symbol
from axletree.system.system import System

SPEEDS, TORQUES, DRAG = [100.0, 300.0, 600.0], [120.0, 180.0, 140.0], [15.0, 25.0, 45.0]
ENGINE = {
    "type": "engine", "cut_off": 620.0, "droop": 40.0,
    "full_load": {"x": SPEEDS, "y": TORQUES, "kind": "linear"},
    "drag": {"x": SPEEDS, "y": DRAG, "kind": "linear"},
}  # fmt: skip
MOTOR = {
    "type": "electric-motor", "full_torque": 250.0, "full_power": 1e5, "cut_off": 1000.0,
    "regeneration": 60.0,
}  # fmt: skip
GEARS, FINAL, SHIFT = [3.5, 2.0, 1.2], 4.0, 550.0


def wheel(name: str) -> at.Revolute:
    return at.Revolute(name, Frame("ground", ""), Frame(f"{name}_body", ""), axis="y")


def told(
    rate: float, throttle: float, pressed: float = 0.0, **fields: Any
) -> dict[str, float]:  # fmt: skip
    """The outputs of a drive whose wheels turn at one rate [rad/s]."""
    drive = at.AxleDrive("drive", wheel("left"), wheel("right"), **fields)
    turning = Travel(symbol("angle"), symbol("rate"))
    outputs = drive.respond(Instant([], [turning, turning], [])).outputs
    values = {q.symbol: q.default for q in drive.parameters()}
    values |= {symbol("rate"): rate, symbol("drive.throttle"): throttle}
    values |= {symbol("drive.clutch"): pressed}
    found = evaluate([output.expression for output in outputs], values)
    return {output.suffix: float(value) for output, value in zip(outputs, found, strict=True)}


def engine_by_hand(speed: float, throttle: float) -> float:
    fuel = min(throttle, 1.0) * min(max((620.0 - speed) / 40.0, 0.0), 1.0)
    turning = max(speed, SPEEDS[0])
    drag = np.interp(turning, SPEEDS, DRAG) * min(max(speed / SPEEDS[0], 0.0), 1.0)
    return float(fuel * np.interp(turning, SPEEDS, TORQUES) - (1.0 - fuel) * drag)


@pytest.mark.parametrize("throttle", [-0.2, 0.0, 0.3, 1.0, 1.4])
@pytest.mark.parametrize("rate", [-3.0, 0.0, 4.0, 20.0, 39.2, 39.4, 60.0, 70.0, 120.0, 140.0])
def test_an_engine_follows_its_map_in_the_gear_that_the_speed_asks_for(
    rate: float, throttle: float
) -> None:
    """Backward, at rest, with a slipping clutch, on both sides of a shift, in the cut-off."""
    drive = {"source": ENGINE, "gears": GEARS, "shift_rate": SHIFT, "final_drive": FINAL}
    found = told(rate, throttle, **drive, share=0.4, efficiency=0.9)
    gear = gear_by_hand(rate, SHIFT)
    torque = engine_by_hand(gear * FINAL * rate, throttle)
    expected = 0.4 * gear * FINAL * torque * (0.9 if torque > 0.0 else 1.0)
    assert found["gear"] == pytest.approx(gear, rel=1e-12)
    assert found["speed"] == pytest.approx(gear * FINAL * rate)
    assert found["torque"] == pytest.approx(expected, abs=1e-9)
    assert found["power"] == pytest.approx(expected * rate, abs=1e-9)


def gear_by_hand(rate: float, shift: float) -> float:
    """The next gear takes over from 98 % of the rate to 102 %."""
    steps = zip(GEARS, GEARS[1:], strict=False)
    taken = ((a - b) * np.clip((a * FINAL * rate / shift - 0.98) / 0.04, 0, 1) for a, b in steps)
    return GEARS[0] - float(sum(taken))


def test_gears_change_earlier_with_less_throttle_and_torque_never_jumps() -> None:
    """So that a vehicle whose next gear is too weak stays between both, and does not hunt."""
    drive = {"source": ENGINE, "gears": GEARS, "shift_rate": SHIFT, "final_drive": FINAL}
    drive |= {"cruise_rate": 250.0}
    for throttle, shift in ((0.0, 250.0), (0.5, 400.0), (1.0, SHIFT)):
        for rate in (10.0, 17.9, 28.6, 39.3, 60.0):
            found = told(rate, throttle, **drive)["gear"]
            assert found == pytest.approx(gear_by_hand(rate, shift), rel=1e-12)
    rates = np.linspace(35.0, 45.0, 101)
    torques = np.array([told(rate, 1.0, **drive)["torque"] for rate in rates])
    assert np.ptp(torques) > 700.0
    assert np.abs(np.diff(torques)).max() < 0.1 * np.ptp(torques)


def test_a_clutch_that_is_pressed_takes_the_drive_off() -> None:
    drive = {"source": ENGINE, "final_drive": FINAL}
    whole = told(60.0, 0.0, **drive)["torque"]
    assert whole < 0.0
    assert told(60.0, 0.0, 0.25, **drive)["torque"] == pytest.approx(0.75 * whole)
    assert told(60.0, 0.0, 1.0, **drive)["torque"] == 0.0


def test_a_motor_has_its_torque_up_to_its_power_and_brakes_when_released() -> None:
    drive = {"source": MOTOR, "final_drive": 10.0}
    assert told(0.0, 1.0, **drive)["torque"] == pytest.approx(2500.0)
    assert told(39.9, 0.5, **drive)["torque"] == pytest.approx(10.0 * (0.5 * 250.0 - 0.5 * 60.0))
    assert told(80.0, 1.0, **drive)["power"] == pytest.approx(1e5)
    assert told(95.0, 1.0, **drive)["power"] == pytest.approx(0.5e5)  # half of it is cut off
    assert told(100.0, 1.0, **drive)["power"] == pytest.approx(0.0, abs=1e-6)
    assert told(20.0, 0.0, **drive)["torque"] == pytest.approx(-600.0)
    assert told(80.0, 0.0, **drive)["torque"] == pytest.approx(-600.0 * 40.0 / 80.0)
    assert told(0.0, 0.0, **drive)["torque"] == 0.0


# -- differentials --------------------------------------------------------------------------------
@cache
def rig(word: str, **numbers: float) -> System:
    """Two flywheels of 2 kg m^2; the left one is loaded."""
    model = at.Model("rig", gravity=(0.0, 0.0, 0.0))
    joints = []
    for name in ("left", "right"):
        body = model.add(at.BodyOfRevolution(f"{name}_wheel", 20.0, 2.0, 1.0, axis="y"))
        joints.append(model.add(at.Revolute(name, model.ground, body, axis="y")))
    model.add(at.JointTorque("load", joints[0], torque=-100.0))
    source, differential = {"type": "constant-torque", "full_torque": 400.0}, {"type": word}
    model.add(at.AxleDrive("drive", *joints, source, {**differential, **numbers}, throttle=1.0))
    return model.formulate(form="projected" if word == "locked" else "set-valued")


def rates(word: str, **numbers: float) -> np.ndarray:
    """Of left and right [rad/s] after one second."""
    method = "rk4" if word == "locked" else "complementarity"
    run = rig(word, **numbers).simulate(1.0, step=1e-3, method=method)
    return np.array([run["left.rate"][-1], run["right.rate"][-1]])


@pytest.mark.parametrize(
    ("word", "numbers", "expected"),
    [
        ("open", {}, [50.0, 100.0]),
        ("locked", {}, [75.0, 75.0]),
        ("limited-slip", {"preload": 20.0}, [60.0, 90.0]),
        ("limited-slip", {"preload": 10.0, "drive_locking": 0.025}, [60.0, 90.0]),
        ("limited-slip", {"coast_locking": 0.4}, [50.0, 100.0]),
        ("limited-slip", {"preload": 60.0}, [75.0, 75.0]),
    ],
)
def test_differentials_share_out_the_torque(
    word: str, numbers: dict[str, float], expected: list[float]
) -> None:
    """By impulse: (200 -+ passed - load) / 2 for a second, or one rate for both."""
    assert rates(word, **numbers) == pytest.approx(np.array(expected), rel=1e-3)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"gears": [1.0, 2.0]}, "ratios above 0 that fall, first gear first"),
        ({"gears": [3.0, 2.0]}, "2 gears need a shift_rate"),
        ({"gears": "3"}, "expected a list of ratios"),
        ({"share": 1.2}, "share: 1.2 is not allowed, it must be at most 1"),
        ({"differential": "limited-slip"}, "without preload, drive_locking and coast_locking"),
        ({"source": {**ENGINE, "full_load": [[0, 1], [9, 1]]}}, "full_load begins at 0 rad/s"),
        ({"source": {**ENGINE, "full_load": [[1, -1], [9, 1]]}}, "has a torque of -1 N m"),
        ({"source": {**ENGINE, "cut_off": 50.0}}, "cut_off 50 rad/s is not above 100 rad/s"),
    ],
)
def test_what_makes_no_drive_is_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        at.AxleDrive("drive", wheel("left"), wheel("right"), **{"source": MOTOR, **fields})


def test_an_elastic_driver_stays_behind_by_the_load_over_its_stiffness() -> None:
    model = at.Model("rig", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.BodyOfRevolution("disc", 1.0, 0.02, 0.02, axis="z"))
    pin = model.add(at.Revolute("pin", model.ground, body, axis="z"))
    model.add(at.JointTorque("load", pin, torque=-3.0))
    model.add(at.ElasticRotationDriver("motor", pin, 200.0, "0.1 + 0.5*t", 2.0))
    run = model.formulate().simulate(2.0, step=1e-3, method="rk4")
    assert run["pin.angle"][-1] == pytest.approx(1.1 - 3.0 / 200.0, abs=1e-6)
    assert run["motor.twist"][-1] == pytest.approx(3.0 / 200.0, abs=1e-6)
    assert run["motor.power"][-1] == pytest.approx(3.0 * 0.5, abs=1e-4)


def test_a_change_of_gear_that_takes_time_interrupts_the_torque_for_0_6_of_it() -> None:
    """None for 0.4 of the time, and a ramp over 0.2 of it on both sides."""
    model = at.Model("stand", gravity=(0, 0, 0))
    wheels = [model.add(at.RigidBody(n, 1.0, (400.0,) * 3)) for n in ("left", "right")]
    axles = [model.add(at.Revolute(w.name + "_axle", model.ground, w)) for w in wheels]
    source = {"type": "constant-torque", "full_torque": 100.0}
    fields = {"gears": [3.0, 2.0], "shift_rate": 300.0, "shift_time": 0.5, "throttle": 1.0}
    model.add(at.AxleDrive("drive", *axles, source, **fields))
    start = {"left_axle.rate": 97.0, "right_axle.rate": 97.0}
    run = model.formulate().simulate("20 s", step="2 ms", initial=start)
    torque, gear = run["drive.torque"], run["drive.gear"]
    assert (torque[0], gear[0]) == (pytest.approx(300.0), pytest.approx(3.0))
    assert (torque[-1], gear[-1]) == (pytest.approx(200.0), pytest.approx(2.0))
    lost = float(np.trapezoid(1.0 - torque / (100.0 * gear), run.time))
    assert lost == pytest.approx(0.6 * 0.5, rel=0.03)
    assert run.time[torque == 0.0].size * 2e-3 == pytest.approx(0.4 * 0.5, abs=0.01)
    moving = np.diff(run["drive.shifted_1"])
    assert moving.min() > -1e-9  # it is not turned back


def test_a_gear_is_taken_again_below_80_percent_of_the_speed_at_which_it_was_left() -> None:
    source = {"type": "constant-torque", "full_torque": 100.0}
    fields = {"gears": [3.0, 2.0], "shift_rate": 300.0, "shift_time": 0.2}
    drive = at.AxleDrive("drive", wheel("left"), wheel("right"), source, **fields)

    def rate(wheels: float, shifted: float) -> float:
        turning = Travel(symbol("angle"), symbol("rate"))
        (found,) = drive.respond(Instant((), [turning, turning], [symbol("shifted")])).rates
        values = {q.symbol: q.default for q in drive.parameters()}
        values |= {symbol("rate"): wheels, symbol("shifted"): shifted}
        return float(evaluate([found], values)[0])

    assert rate(95.0, 0.0) == rate(95.0, 1.0) == 0.0  # either gear stays
    assert rate(103.0, 0.0) == pytest.approx(1.0 / 0.2)
    assert rate(77.0, 1.0) == pytest.approx(-1.0 / 0.2)
