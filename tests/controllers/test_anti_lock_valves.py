"""The anti-lock system on the valves of brake lines: pressures, oil, and how far a stop takes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.controllers.brake_valves import BrakeValves
from axletree.expr import evaluate
from axletree.simulation.trajectory import Trajectory
from axletree.vehicles.brake_lines import BrakeLines

WHEELS = [f"{axle}_{side}" for axle in ("front", "rear") for side in ("left", "right")]
CIRCUITS = ("primary", "secondary")
SPEED, FRICTION, ONSET = 12.0, 0.3, 1.0  # m/s, of dry ground, s


def car(**changes: Any) -> at.Model:
    road = {"type": "flat", "friction_map": {"type": "uniform", "factor": FRICTION}}
    lines = {"brake_lines": {"layout": "diagonal"}, "controls": {"anti_lock": False}}
    return at.read_model(
        "compact-car", {"vehicle": {"fidelity": "two-track", "road": road, **lines, **changes}}
    )


def stop(*controllers: str) -> Trajectory:
    model = car()
    braking = replace(model.manoeuvres["braking"], speed=SPEED, pedal=1.0, duration=6.5, metrics=())
    flows = [f"{one}.flow" for one in (*(f"{c}_master" for c in CIRCUITS), *_volumes())]
    kept = [*flows, *(f"{one}.content" for one in _volumes()), "primary_master.pressure"]
    return model.drive(
        braking, step=1e-3, record_interval=1e-3, controllers=controllers, outputs=kept, watch=False
    )


def _volumes() -> list[str]:
    return [*(f"{w}_calliper" for w in WHEELS), *(f"{c}_accumulator" for c in CIRCUITS)]


def stopping_distance(run: Trajectory) -> float:
    speed = np.hypot(run["chassis.vx"], run["chassis.vy"])
    moves = (run.time >= ONSET) & (np.arange(len(speed)) <= int(np.argmax(speed < 0.3)))
    assert speed.min() < 0.3
    return float(np.trapezoid(speed[moves], run.time[moves]))


@pytest.fixture(scope="module")
def regulated() -> Trajectory:
    return stop("abs")


def test_it_stops_shorter_than_locked_wheels(regulated: Trajectory) -> None:
    """Sliding wheels have 86 % of the greatest grip; the valves leave a part of the rest."""
    locked = stop()
    moves = regulated["chassis.vx"] > 4.0  # m/s
    assert np.min(regulated["front_left_axle.rate"][moves]) * 0.28 > 0.7 * 4.0
    late = (locked.time > 2.5) & (locked["chassis.vx"] > 4.0)
    assert np.max(locked["front_left_axle.rate"][late]) < 1.0  # rad/s
    ratio = stopping_distance(regulated) / stopping_distance(locked)
    assert 0.86 < ratio < 0.95


def test_pressures_stay_between_nothing_and_the_master_cylinder(regulated: Trajectory) -> None:
    master = np.asarray(regulated["primary_master.pressure"])
    for wheel in WHEELS:
        pressure = np.asarray(regulated[f"{wheel}_calliper.pressure"])
        assert pressure.min() > -1e3  # Pa
        assert np.max(pressure - master) < 5e4  # Pa, by which a check valve opens
        assert np.median(pressure[(regulated.time > 2.0) & (regulated.time < 3.0)]) < 0.5e7
        for valve in ("inlet", "outlet"):
            opening = regulated[f"{wheel}_{valve}.opening"]
            assert np.min(opening) >= 0.0
            assert np.max(opening) <= 1.0
        shut = np.minimum(regulated[f"{wheel}_inlet.opening"], regulated[f"{wheel}_outlet.opening"])
        assert np.max(shut) == 0.0  # never both open
    assert np.max(regulated["primary_accumulator.pressure"]) < 20e5  # the pumps keep up


def test_no_oil_is_lost(regulated: Trajectory) -> None:
    """What the master cylinder has delivered is in callipers and accumulators: at each instant by
    flows, and over the run by contents."""
    delivered = sum(np.asarray(regulated[f"{c}_master.flow"]) for c in CIRCUITS)
    taken = sum(np.asarray(regulated[f"{one}.flow"]) for one in _volumes())
    assert np.max(np.abs(delivered - taken)) < 1e-9 * np.max(np.abs(delivered))
    content = sum(np.asarray(regulated[f"{one}.content"]) for one in _volumes())
    total = np.trapezoid(delivered, regulated.time)
    assert total == pytest.approx(content[-1] - content[0], abs=0.03 * np.max(content))


def test_an_opening_brings_a_calliper_to_the_pressure_that_is_wanted() -> None:
    """On the bench, without slack, where the root of what is missing falls in a straight line."""
    bench = at.read_model("brake-bench").formulate()
    valves, h = BrakeValves.of(BrakeLines()), 0.01  # s
    master = bench.simulate("1.01 s", step="1 ms")["master.pressure"][-1]
    before, wanted = 0.3 * master, 0.35 * master
    inlet, outlet = evaluate(list(valves.openings(before, wanted, master, 0.0, h)), {})
    assert 0.0 < inlet < 1.0
    assert outlet == 0.0
    run = bench.simulate(
        h, step="0.1 ms", start="1 s", initial={"front_left_calliper.pressure": before},
        inputs={"front_left_inlet.opening": inlet, "front_left_outlet.opening": 0.0},
        parameters={"front_left_calliper.slack_volume": 1e-15},
    )  # fmt: skip
    assert run["front_left_calliper.pressure"][-1] == pytest.approx(wanted, rel=3e-3)


def test_it_is_a_part_of_steps_and_needs_no_modulators() -> None:
    system = car().formulate()
    own = at.AntiLockController.of(car().described["vehicle"])
    (law,) = system.with_controllers([own]).sampled
    names = {one.name for one in law.commands}
    assert {"front_left_inlet.opening", "rear_right_outlet.opening"} < names
    assert {"primary_return.command", "secondary_return.command"} < names
    assert not any("modulator" in name for name in names)


def test_modulators_beside_valves_are_refused_with_the_reason() -> None:
    with pytest.raises(at.AxletreeError, match="no pressure beyond that of the pedal"):
        car().drive("braking", controllers=["abs", "esc"])
