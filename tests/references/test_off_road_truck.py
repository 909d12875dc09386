"""The truck of 47 bodies on soft ground, by a drive of half a minute with everything in it.

It starts at full throttle, changes gears at 5 s (Peiret et al., section 4.2), runs steadily, turns
to the left from 14 s on, and brakes to a stop at 20 s. What is held against it is found from the
printed laws by hand, with the numbers of the model file.
"""

from __future__ import annotations

import math
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from scipy.optimize import brentq

import axletree as at
from axletree.model.model import Model
from axletree.system.system import System

pytestmark = pytest.mark.long

WHEELS = [f"{end}_{side}" for end in ("front", "rear") for side in ("left", "right")]
OUTPUTS = [
    *(f"{wheel}_soil.{name}" for wheel in WHEELS for name in (
        "normal_force", "traction", "resistance", "slip", "power",
    )),
    *("engine.torque", "engine.power", "energy.kinetic"),
    *(f"{clutch}_clutch.{name}" for clutch in ("start", "first", "second") for name in (
        "slip", "friction",
    )),
]  # fmt: skip
STEADY, TURNS, BRAKES, END = 13.98, 14.0, 20.0, 35.0  # s
STEERED = 1.2  # rad, at the steering wheel
RADIUS, WIDTH, HEIGHT, PRESSURE, CONE_INDEX = 0.5, 0.36, 0.25, 2.5e5, 8e5
FIRST, SECOND, FINAL = 1.6 * 3.5, 1.6 * 2.635, 2.7 * 2.1
WHEELBASE = 3.25
RPM = math.pi / 30.0
PICTURE = Path(__file__).parent.parent.parent / "docs" / "making" / "make_truck_picture.py"


@cache
def truck() -> tuple[Model, System]:
    model = at.read_model("off-road-truck")
    return model, model.formulate(form="set-valued")


def driven(duration: float, step: float) -> at.Trajectory:
    """The run of the model, with turning and braking after it."""
    model, system = truck()
    inputs: dict[str, Any] = dict(model.run.inputs)
    inputs["engine.throttle"] = f"where(t < {BRAKES}, 1, 0)"
    inputs["start_clutch.capacity"] = f"where(t < {BRAKES}, 400*min(t, 1), 0)"
    inputs["steer.angle"] = f"{STEERED / 2.0}*(1 - cos(pi*max(0, min(t - {TURNS}, 1))))"
    inputs |= {f"{wheel}_brake.torque": f"where(t < {BRAKES}, 0, 6000)" for wheel in WHEELS}
    return system.simulate(
        duration, step=step, method="complementarity", inputs=inputs, outputs=OUTPUTS,
        record_interval=0.02,
    )  # fmt: skip


@cache
def drive() -> at.Trajectory:
    model, _ = truck()
    assert model.run.method == "complementarity"
    assert model.run.step is not None
    return driven(END, model.run.step)


def at_time(run: at.Trajectory, name: str, time: float) -> float:
    return float(run[name][round(time / 0.02)])


# -- by hand ---------------------------------------------------------------------------------
def engine_torque(speed: float) -> float:
    """At full throttle, by the map and the governor [N m]."""
    speeds = np.array([600.0, 1000.0, 1500.0, 2000.0, 2500.0, 2900.0]) * RPM
    fuel = min(max((2800.0 * RPM - speed) / (300.0 * RPM), 0.0), 1.0)
    drag = np.interp(speed, [0.0, 3000.0 * RPM], [25.0, 60.0])
    full = np.interp(speed, speeds, [150.0, 200.0, 220.0, 212.0, 190.0, 165.0])
    return float(fuel * full - (1.0 - fuel) * drag)


def mobility(load: float) -> float:
    length, diameter = load / (WIDTH * PRESSURE), 2.0 * RADIUS
    deflection = 0.5 * (diameter - math.sqrt(diameter**2 - length**2))
    yielding = (1.0 + 5.0 * deflection / HEIGHT) / (1.0 + 3.0 * WIDTH / diameter)
    return CONE_INDEX * WIDTH * diameter / load * yielding


def slip_for(thrust: float, load: float) -> float:
    """Peiret et al., eq. (19), the other way round."""
    strength = 0.88 * (1.0 - math.exp(-0.1 * mobility(load)))
    return -math.log(1.0 - (thrust / load - 0.04) / strength) / 7.5


def resistance(slip: float, load: float) -> float:
    return load * (1.0 / mobility(load) + 0.5 * slip / math.sqrt(mobility(load)) + 0.04)


def steady_speed(loads: dict[str, float]) -> tuple[float, float]:
    """Speeds of engine [rad/s] and truck [m/s] at which thrust is resistance, under these loads."""

    def thrust(engine: float) -> float:  # of one of the two wheels, which share the torque
        return engine_torque(engine) * SECOND * FINAL / (2.0 * RADIUS)

    def misfit(engine: float) -> float:
        slips = {name: slip_for(thrust(engine), loads[name]) for name in WHEELS[2:]}
        resisted = sum(resistance(slips.get(name, 0.0), loads[name]) for name in WHEELS)
        return 2.0 * thrust(engine) - resisted

    engine = brentq(misfit, 2400.0 * RPM, 2780.0 * RPM, xtol=1e-12)
    slips = [slip_for(thrust(engine), loads[name]) for name in WHEELS[2:]]
    mean = sum(1.0 / (1.0 - slip) for slip in slips) / 2.0  # rolling over forward speed
    return engine, engine / (SECOND * FINAL) * RADIUS / mean


# -- the vehicle -----------------------------------------------------------------------------
@pytest.mark.validation("soils")
def test_it_has_the_bodies_and_the_weight_that_it_should(agrees: Agrees) -> None:
    bodies = [c for c in truck()[0] if isinstance(c, at.RigidBody | at.BodyOfRevolution)]
    agrees(
        "truck on soil: bodies", len(bodies), 47, abs=0, source="Peiret et al., section 4.2"
    )  # fmt: skip
    run = drive()
    carried = sum(at_time(run, f"{wheel}_soil.normal_force", STEADY) for wheel in WHEELS)
    agrees(
        "truck on soil: sum of the wheel loads", carried,
        9.80665 * sum(body.mass for body in bodies), rel=1e-4, unit="N",
        source="Closed form, weight",
    )  # fmt: skip


def test_it_stands_in_balance_before_the_clutch_grips() -> None:
    """For a tenth of a second, in which what is out of balance by g would fall by 49 mm."""
    run = drive()
    assert np.ptp(run["chassis.z"][run.time < 0.11]) < 2e-5
    assert np.abs(run["chassis.vx"][run.time < 0.05]).max() < 2e-3


# -- gears -----------------------------------------------------------------------------------
@pytest.mark.validation("soils")
def test_gears_are_changed_by_clutches_that_lock(agrees: Agrees) -> None:
    run = drive()
    for begin, end, expected, locked in (
        (2.0, 5.0, FIRST, "first"),
        (6.0, STEADY, SECOND, "second"),
    ):
        within = (run.time >= begin) & (run.time <= end)
        output = run["output_bearing.rate"][within]
        agrees(
            f"truck on soil: speed of the engine in the {locked} gear",
            run["crankshaft_bearing.rate"][within], expected * output, rel=1e-7, unit="rad/s",
            source="Closed form, ratio of the gear times the speed of its output",
        )  # fmt: skip
        for clutch in ("start", locked):
            assert np.abs(run[f"{clutch}_clutch.slip"][within]).max() < 1e-6
    assert at_time(run, "second_clutch.slip", STEADY) == pytest.approx(0.0, abs=1e-11)
    assert at_time(run, "start_clutch.slip", STEADY) == pytest.approx(0.0, abs=1e-11)
    changed = run.time > 5.11
    assert not run["first_clutch.friction"][changed].any()
    assert not run["second_clutch.friction"][run.time < 5.0].any()


def test_no_clutch_gives_power() -> None:
    run = drive()
    for clutch in ("start", "first", "second"):
        power = run[f"{clutch}_clutch.friction"] * run[f"{clutch}_clutch.slip"]
        assert power.min() > -1e-3


# -- steady state ----------------------------------------------------------------------------
@pytest.mark.validation("soils")
def test_its_steady_speed_is_that_of_the_laws(agrees: Agrees) -> None:
    run = drive()
    loads = {wheel: at_time(run, f"{wheel}_soil.normal_force", STEADY) for wheel in WHEELS}
    engine, speed = steady_speed(loads)
    assert at_time(run, "crankshaft_bearing.rate", STEADY) == pytest.approx(engine, rel=1e-4)
    agrees(
        "truck on soil: steady speed", at_time(run, "chassis.vx", STEADY), speed, rel=1e-3,
        unit="m/s", source="Peiret et al., eqs. (18) to (20), solved by hand",
    )  # fmt: skip
    assert speed * 3.6 == pytest.approx(19.1, abs=0.05)
    agrees(
        "truck on soil: steady speed", 3.6 * at_time(run, "chassis.vx", STEADY), 19.1, abs=0.05,
        unit="km/h", source="Peiret et al., section 4.2",
        note="the data of their truck are not printed. Those here are generic and of its size: "
        "it is the size that agrees.",
    )  # fmt: skip
    assert at_time(run, "chassis.vx", 10.0) == pytest.approx(speed, rel=3e-3)


@pytest.mark.validation("soils")
def test_torque_thrust_and_power_balance(agrees: Agrees) -> None:
    run = drive()
    torque = at_time(run, "engine.torque", STEADY)
    assert torque == pytest.approx(
        engine_torque(at_time(run, "crankshaft_bearing.rate", STEADY)), rel=1e-9
    )
    thrust = [at_time(run, f"{wheel}_soil.traction", STEADY) for wheel in WHEELS]
    assert thrust[:2] == pytest.approx([0.0, 0.0], abs=0.1)  # rolling freely
    assert thrust[2:] == pytest.approx([torque * SECOND * FINAL / (2.0 * RADIUS)] * 2, rel=1e-4)
    resisted = sum(at_time(run, f"{wheel}_soil.resistance", STEADY) for wheel in WHEELS)
    agrees(
        "truck on soil, steady: thrust of all wheels", sum(thrust), resisted, rel=1e-3, unit="N",
        source="Closed form, balance of thrust and resistance",
    )  # fmt: skip
    lost = sum(at_time(run, f"{wheel}_soil.power", STEADY) for wheel in WHEELS)
    agrees(
        "truck on soil, steady: power of the engine", at_time(run, "engine.power", STEADY), -lost,
        rel=1e-3, unit="W", source="Balance of energy, power that the soil takes",
    )  # fmt: skip


def test_slip_and_resistance_of_the_driven_wheels_are_those_of_their_thrust_and_load() -> None:
    run = drive()
    for wheel in WHEELS[2:]:
        load, thrust = (
            at_time(run, f"{wheel}_soil.{name}", STEADY) for name in ("normal_force", "traction")
        )
        slip = slip_for(thrust, load)
        assert at_time(run, f"{wheel}_soil.slip", STEADY) == pytest.approx(slip, rel=1e-4)
        found = at_time(run, f"{wheel}_soil.resistance", STEADY)
        assert found == pytest.approx(resistance(slip, load), rel=1e-4)


@pytest.mark.validation("numerics")
def test_halving_the_step_halves_the_error(agrees: Agrees) -> None:
    ends = [driven(3.0, step)["chassis.vx"][-1] for step in (4e-3, 2e-3, 1e-3)]
    changes = np.abs(np.diff(ends))
    agrees(
        "truck on soil: change of the speed after 3 s, over that at half the steps",
        changes[0] / changes[1], 2.0, abs=0.3, source="Peiret et al., order one",
    )  # fmt: skip
    assert changes[1] < 2e-3 * ends[-1]


# -- steering and stopping -------------------------------------------------------------------
def test_the_steering_turns_it_to_the_left() -> None:
    """The wheels turn as the linkage says, and the truck as its wheels do."""
    run, time = drive(), BRAKES - 0.5
    inner, outer = (at_time(run, f"{side}_kingpin.angle", time) for side in ("left", "right"))
    pitman = 0.25 * math.sin(0.055 * STEERED)  # way of its ball
    assert 0.5 * (inner + outer) == pytest.approx(math.asin(pitman / 0.18), rel=0.03)
    assert inner > outer > 0.0
    yaw = at_time(run, "chassis.vx", time) * math.tan(0.5 * (inner + outer)) / WHEELBASE
    assert at_time(run, "chassis.wz", time) == pytest.approx(yaw, rel=0.03)


@pytest.mark.validation("soils")
def test_it_stops_on_its_brakes_and_stays(agrees: Agrees) -> None:
    run = drive()
    stands = run.time > BRAKES + 8.0
    agrees(
        "truck on soil, braked to a stop: speeds of the wheels from then on",
        [run[f"{wheel}_hub.rate"][stands] for wheel in WHEELS], 0.0, abs=1e-12, unit="rad/s",
        source="Peiret et al., zero speed at rest",
    )  # fmt: skip
    for wheel in WHEELS:
        assert np.ptp(run[f"{wheel}_hub.angle"][stands]) == 0.0
    for name in ("chassis.x", "chassis.y", "chassis.z", "chassis.yaw"):
        assert np.ptp(run[name][stands]) < 1e-7, name
    idle = at_time(run, "crankshaft_bearing.rate", END)
    assert 600.0 * RPM < idle < 900.0 * RPM  # its engine goes on


def test_the_picture_of_the_page_can_be_drawn(tmp_path: Path) -> None:
    made = runpy.run_path(str(PICTURE))
    path = made["write_figure"](made["plot_drive"](drive()), tmp_path / "truck-on-soil.png")
    assert path.stat().st_size > 1000
