"""The torque converter of a drive on flywheels: stall, a published curve, lock-up, what is lost."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.analysis.energy import audit_energy
from axletree.components.power_sources import ConstantTorque
from axletree.components.torque_converters import EngineConverter
from axletree.core.errors import ModelError
from axletree.simulation.trajectory import Trajectory

GEAR, FINAL, EFFICIENCY, TORQUE = 2.5, 4.0, 0.9, 200.0
ENGINE = {
    "type": "engine", "cut_off": 700.0,
    "full_load": {"x": [80.0, 700.0], "y": [TORQUE, TORQUE], "kind": "linear"},
}  # fmt: skip


def published() -> EngineConverter:
    """That of the automatic sedan, whose points are of Kotwicki's curve."""
    vehicle = at.read_model("automatic-sedan").described["vehicle"]
    found = vehicle.axles["rear"].drive.converter
    assert isinstance(found, EngineConverter)
    return found


def converter(**changes: Any) -> dict[str, Any]:
    own = published()
    return {
        "type": "torque-converter", "capacity": own.capacity, "torque_ratio": own.torque_ratio,
        "inertia": 0.2, "idle_rate": 80.0, **changes,
    }  # fmt: skip


def settled(
    turbine: float, throttle: float = 1.0, clutch: float = 0.0, **changes: Any
) -> Trajectory:
    """After 3 s at wheels of an inertia that nothing turns faster, which turn the turbine."""
    model = at.Model("stand", gravity=(0, 0, 0))
    wheels = [model.add(at.RigidBody(n, 1.0, (1e9,) * 3)) for n in ("left", "right")]
    axles = [model.add(at.Revolute(f"{w.name}_axle", model.ground, w)) for w in wheels]
    model.add(
        at.AxleDrive(
            "drive", *axles, ENGINE, gears=[GEAR], final_drive=FINAL, efficiency=EFFICIENCY,
            throttle=throttle, clutch=clutch, converter=converter(**changes),
        )
    )  # fmt: skip
    rate = turbine / (GEAR * FINAL)
    start = {"left_axle.rate": rate, "right_axle.rate": rate, "drive.engine_rate": 85.0}
    return model.formulate().simulate("3 s", step="2 ms", initial=start)


def kotwicki(pump: float, turbine: float) -> tuple[float, float]:
    """Torques of pump and turbine [N m] at speeds [rad/s]: Kotwicki (SAE 820393, 1982), in the
    numbers of Cho and Hedrick (1989)."""
    if turbine < 0.9 * pump:
        on_pump = 3.4325 * pump**2 + 2.2210 * pump * turbine - 4.6041 * turbine**2
        on_turbine = 5.7656 * pump**2 + 0.3107 * pump * turbine - 5.4323 * turbine**2
        return 1e-3 * on_pump, 1e-3 * on_turbine
    both = -6.7644 * pump**2 + 32.0084 * pump * turbine - 25.2441 * turbine**2
    return 1e-3 * both, 1e-3 * both


def test_against_wheels_that_stand_the_engine_comes_to_its_stall_speed() -> None:
    """K = w / sqrt(T): with K^2 = 1 / k(0) of the published curve, w = K sqrt(T)."""
    run = settled(turbine=0.0)
    K = 1.0 / math.sqrt(3.4325e-3)
    assert run["drive.engine_rate"][-1] == pytest.approx(K * math.sqrt(TORQUE), rel=1e-3)
    ratio = 5.7656 / 3.4325
    gears = GEAR * FINAL * EFFICIENCY
    assert run["drive.torque"][-1] == pytest.approx(ratio * TORQUE * gears, rel=1e-3)
    assert run["drive.converter_losses"][-1] == pytest.approx(
        TORQUE * run["drive.engine_rate"][-1], rel=1e-6
    )


def published_pump_rate(turbine: float) -> float:
    """At which the pump takes the engine's torque [rad/s]: the root of a quadratic, on one of the
    two branches of the curve."""

    def roots(a: float, b: float, c: float) -> list[float]:
        mixed, rest = b * turbine, c * turbine**2 - 1e3 * TORQUE
        inner = mixed**2 - 4.0 * a * rest
        signs = (-1.0, 1.0) if inner >= 0.0 else ()
        return [(-mixed + sign * math.sqrt(inner)) / (2.0 * a) for sign in signs]

    slow = [w for w in roots(3.4325, 2.2210, -4.6041) if 0.0 <= turbine < 0.9 * w]
    fast = [w for w in roots(-6.7644, 32.0084, -25.2441) if 0.9 * w <= turbine < w]
    (found,) = [*slow, *fast]
    return found


@pytest.mark.parametrize("turbine", [40.0, 100.0, 170.0, 230.0, 330.0])
def test_the_engine_finds_the_speed_that_the_published_curve_has(turbine: float) -> None:
    run, pump = settled(turbine), published_pump_rate(turbine)
    torque, on_turbine = kotwicki(pump, turbine)
    assert torque == pytest.approx(TORQUE, rel=1e-9)
    assert run["drive.engine_rate"][-1] == pytest.approx(pump, rel=4e-3)
    assert run["drive.turbine_torque"][-1] == pytest.approx(on_turbine, rel=8e-3)
    assert run["drive.speed_ratio"][-1] == pytest.approx(turbine / pump, rel=4e-3)


def test_a_clutch_that_bridges_it_passes_the_torque_at_a_slip() -> None:
    """In steady motion what pump and clutch take is the engine's torque, and beyond the coupling
    point the gears have as much: its slip is lost, and nothing else."""
    locks = {"lock_up_torque": 400.0, "lock_up_rate": 150.0, "lock_up_gear": 1}
    run = settled(300.0, **locks, lock_up_slip=20.0)
    assert run["drive.lock_up"][-1] == 1.0
    engine, slip = run["drive.engine_rate"][-1], run["drive.engine_rate"][-1] - 300.0
    pump, _ = kotwicki(engine, 300.0)
    assert 400.0 * slip / 20.0 + pump == pytest.approx(TORQUE, rel=3e-3)
    assert run["drive.turbine_torque"][-1] == pytest.approx(TORQUE, rel=1e-6)
    assert run["drive.converter_losses"][-1] == pytest.approx(TORQUE * slip, rel=1e-5)
    open_one = settled(300.0)
    assert slip < 0.25 * (open_one["drive.engine_rate"][-1] - 300.0)
    below = settled(100.0, **locks)
    assert below["drive.lock_up"][-1] == 0.0


def test_with_the_pedal_released_the_engine_idles_and_the_gears_creep() -> None:
    """Between idle_rate and droop above it, where the governor's share of the torque is that of the
    pump: s T = k(0) w^2 with s = (80 + 10 - w) / 10, a root of a quadratic."""
    run = settled(0.0, throttle=0.0)
    k = 3.4325e-3
    slope = TORQUE / 10.0
    rate = (-slope + math.sqrt(slope**2 + 4.0 * k * 90.0 * slope)) / (2.0 * k)
    assert 80.0 < rate < 90.0
    assert run["drive.engine_rate"][-1] == pytest.approx(rate, rel=1e-4)
    assert run["drive.torque"][-1] > 100.0
    neutral = settled(0.0, throttle=0.0, clutch=1.0)
    assert neutral["drive.torque"][-1] == 0.0
    assert neutral["drive.engine_rate"][-1] == pytest.approx(90.0, abs=0.1)


def test_faster_wheels_drive_the_pump_as_a_coupling() -> None:
    run = settled(400.0, throttle=0.0)
    assert run["drive.turbine_torque"][-1] < 0.0
    assert run["drive.torque"][-1] < 0.0
    assert run["drive.converter_losses"][-1] > 0.0


def test_energy_is_that_of_engine_gears_oil_and_wheels() -> None:
    """The audit of the package, with the engine's own energy, to the error of the steps."""
    model = at.Model("stand", gravity=(0, 0, 0))
    wheels = [model.add(at.RigidBody(n, 1.0, (20.0,) * 3)) for n in ("left", "right")]
    axles = [model.add(at.Revolute(f"{w.name}_axle", model.ground, w)) for w in wheels]
    locks = {"lock_up_torque": 300.0, "lock_up_rate": 150.0}
    drive = {"gears": [3.0, 1.8], "shift_rate": 300.0, "shift_time": 0.5, "final_drive": 4.0}
    model.add(
        at.AxleDrive(
            "drive", *axles, ENGINE, efficiency=EFFICIENCY, share=0.5, throttle=1.0,
            converter=converter(**locks), **drive,
        )
    )  # fmt: skip
    start = {"drive.engine_rate": 85.0}
    audit = audit_energy(model.formulate(), "4 s", step="1 ms", method="rk4", initial=start)
    assert audit.residual < 1e-7 * audit.flow
    run = model.formulate().simulate("4 s", step="1 ms", initial=start)
    assert run["drive.gear"][-1] == pytest.approx(1.8)
    stored = 0.5 * 0.5 * 0.2 * (run["drive.engine_rate"] ** 2 - 85.0**2)
    sums = {
        name: np.trapezoid(run[f"drive.{name}"], run.time)
        for name in ("engine_power", "converter_losses", "gear_losses", "power")
    }
    left = sums["engine_power"] - sums["converter_losses"] - sums["gear_losses"] - sums["power"]
    assert left == pytest.approx(stored[-1], abs=2e-4 * sums["engine_power"])
    assert min(run["drive.converter_losses"]) > -1e-9
    assert min(run["drive.gear_losses"]) > -1e-9


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"inertia": 0.0}, "inertia: 0 kg"),
        ({"lock_up_rate": 150.0}, "lock_up_rate needs lock_up_torque"),
        ({"lock_up_torque": 150.0}, "lock_up_torque needs lock_up_rate"),
        ({"idle_rate": 695.0}, "idle_rate 695 rad/s with its droop is not below the cut_off"),
        ({"torque_ratio": [[0.0, 3.0], [1.0, 2.0]]}, "times its power"),
        ({"capacity": [[0.0, 3e-3], [1.0, 1e-3]]}, "capacity is not 0 at a speed ratio of 1"),
        ({"capacity": [[0.2, 3e-3], [1.0, 0.0]]}, "capacity goes from 0.2 to 1; expected 0 to 1"),
        ({"lock_up_gear": 0}, "lock_up_gear"),
        ({"stall_speed": 2000.0}, "stall_speed"),
    ],
)
def test_what_makes_no_converter_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        settled(0.0, **changes)


def test_motors_have_none() -> None:
    axles = [at.Revolute(n, at.Model().ground, at.RigidBody(f"{n}_w", 1.0)) for n in "ab"]
    with pytest.raises(ModelError, match="ConstantTorque is none"):
        at.AxleDrive("drive", *axles, ConstantTorque(100.0), converter=converter())
    motors = {"rear": {"drive": {"converter": converter()}}}
    with pytest.raises(ModelError, match="TractionMotor is none"):
        at.read_model("electric-car", {"vehicle": {"axles": motors}})


def test_gears_behind_it_change_once_under_full_torque() -> None:
    """A power shift never interrupts the torque, and no gear is taken again; without a time for it
    gears are refused, which would change to and fro."""
    off = {"driver.throttle": ([0.0, 1.0, 1.3], [0.0, 0.0, 0.6]),
           "driver.brake": ([0.0, 1.0, 1.2], [0.5, 0.5, 0.0])}  # fmt: skip
    car = at.read_model("automatic-sedan", {"vehicle": {"fidelity": "single-track"}})
    away = at.Coasting(speed=0.0, forward="chassis.vx", duration=8.0, inputs=off)
    run = car.drive(away, outputs=["rear_drive.gear", "rear_drive.turbine_torque"])
    assert run["rear_drive.gear"][-1] < 2.2
    assert np.diff(run["rear_drive.gear"]).max() <= 1e-9
    assert run["rear_drive.turbine_torque"][run.time > 1.0].min() > 0.0
    drive = {"converter": converter(), "gears": [3.0, 2.0], "shift_rate": 300.0}
    axles = [at.Revolute(n, at.Model().ground, at.RigidBody(f"{n}_w", 1.0)) for n in "ab"]
    with pytest.raises(ModelError, match="gears behind a converter need a shift_time"):
        at.AxleDrive("drive", *axles, ENGINE, **drive)
    with pytest.raises(ModelError, match="power_shift needs a shift_time"):
        at.AxleDrive("drive", *axles, ENGINE, power_shift=True)


def test_a_power_shift_passes_the_whole_torque_while_the_ratio_goes_over() -> None:
    """A constant torque at wheels: 100 N m times the ratio at every instant of 0.5 s."""
    model = at.Model("stand", gravity=(0, 0, 0))
    wheels = [model.add(at.RigidBody(n, 1.0, (400.0,) * 3)) for n in ("left", "right")]
    axles = [model.add(at.Revolute(w.name + "_axle", model.ground, w)) for w in wheels]
    shifts = {"gears": [3.0, 2.0], "shift_rate": 300.0, "shift_time": 0.5, "power_shift": True}
    model.add(at.AxleDrive("drive", *axles, ConstantTorque(100.0), throttle=1.0, **shifts))
    start = {"left_axle.rate": 97.0, "right_axle.rate": 97.0}
    run = model.formulate().simulate("20 s", step="2 ms", initial=start)
    gear = run["drive.gear"]
    assert run["drive.torque"] == pytest.approx(100.0 * gear)
    assert (gear[0], gear[-1]) == (pytest.approx(3.0), pytest.approx(2.0))
    over = (gear < 2.95) & (gear > 2.05)
    assert np.ptp(run.time[over]) == pytest.approx(0.9 * 0.5, rel=0.05)
