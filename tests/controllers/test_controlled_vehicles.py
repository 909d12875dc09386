"""Reference controllers in vehicles: what they change, and what they leave as it is."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import app
from axletree.metrics.steering_transients import DwellStability
from axletree.simulation.trajectory import Trajectory

TORQUES = [f"{a}_{s}_modulator.torque" for a in ("front", "rear") for s in ("left", "right")]


def dwell(car: str, degrees: float, controllers: Any = ()) -> Trajectory:
    model = at.read_model(car)
    metric = DwellStability(way=1.83, begin_angle=math.radians(5.0))
    swerve = replace(
        model.manoeuvres["sine-with-dwell"], speed=80.0 / 3.6, duration=6.5,
        amplitude=math.radians(degrees), metrics=(metric,),
    )  # fmt: skip
    return model.drive(swerve, controllers=controllers, watch=False)


def found(run: Trajectory) -> dict[str, float]:
    return {one.name: one.value for one in run.findings}


@pytest.mark.slow
def test_stability_control_keeps_the_sedan_from_spinning() -> None:
    """FMVSS 126 S5.2 at 120 deg: 35 % and 20 % of the peak yaw rate, 1.83 m aside."""
    without, within = found(dwell("sedan", 120.0)), found(dwell("sedan", 120.0, ["esc"]))
    assert without["yaw_rate_ratio_1"] > 90.0
    assert within["yaw_rate_ratio_1"] < 35.0
    assert within["yaw_rate_ratio_2"] < 20.0
    assert 1.83 < within["lateral_displacement"] < without["lateral_displacement"]


@pytest.mark.slow
def test_no_brake_comes_on_more_often_than_three_times_a_second() -> None:
    """The rate that is stated of stability control, in its hardest run."""
    run = dwell("sedan", 270.0, ["esc"])
    for name in TORQUES:
        on = np.asarray(run[name]) > 1.0
        onsets = np.flatnonzero(on[1:] & ~on[:-1])
        window = 1.0 / (run.time[1] - run.time[0])
        most = max((int(np.sum((onsets >= k) & (onsets < k + window))) for k in onsets), default=0)
        assert most <= 3, name


@pytest.mark.slow
def test_stability_control_leaves_a_gentle_drive_as_it_is() -> None:
    plain = at.read_model("sedan").drive("step-steer", speed="80 km/h")
    driven = at.read_model("sedan").drive("step-steer", speed="80 km/h", controllers=["esc"])
    assert not any(np.any(driven[name]) for name in TORQUES)
    name = "vehicle.yaw_rate"
    assert driven[name] == pytest.approx(plain[name], abs=1e-9)


def stop(controls: dict[str, bool], controllers: Any) -> Trajectory:
    road = {"type": "flat", "friction_map": {"type": "uniform", "factor": 0.6}}
    model = at.read_model("sedan", {"vehicle": {"road": road, "controls": controls}})
    braking = replace(model.manoeuvres["braking"], speed=60.0 / 3.6, pedal=1.0, duration=5.0)
    return model.drive(braking, controllers=controllers, watch=False)


@pytest.mark.slow
def test_an_anti_lock_system_stops_shorter_than_locked_wheels() -> None:
    """On a wet road; a share goes down and up no more than 20 times a second, as is stated."""
    locked, free = stop({"anti_lock": False}, ()), stop({}, ["abs"])
    moves = np.asarray(free["chassis.vx"]) > 3.0
    assert np.min(np.asarray(free["front_left_axle.rate"])[moves]) > 0.5 * 3.0 / 0.325
    braked = locked.time > 1.6
    assert np.min(np.abs(np.asarray(locked["front_left_axle.rate"])[braked])) < 0.5
    ratio = found(free)["stopping_distance"] / found(locked)["stopping_distance"]
    assert 0.8 < ratio < 0.95
    share = np.diff(np.asarray(free["front_left_modulator.share"]))
    signs = np.sign(share[np.abs(share) > 1e-6])
    turns = int(np.sum(signs[1:] != signs[:-1]))
    assert turns / found(free)["stopping_time"] <= 2 * 20.0


@pytest.mark.slow
def test_objects_words_and_loops_are_driven_together() -> None:
    class Bell:
        def reset(self) -> None:
            self.rung = 0

        def update(self, t: float, measured: dict[str, float]) -> dict[str, float]:
            self.rung += 1
            return {}

    bell, model = Bell(), at.read_model("sedan")
    own = at.CruiseController.of(model.described["vehicle"], speed="85 km/h")
    loop = at.ControlLoop(bell, "50 ms", reads=["vehicle.yaw_rate"], sets=["driver.clutch"])
    rolls = replace(model.manoeuvres["coasting"], speed=80.0 / 3.6, duration=6.0)
    run = model.drive(rolls, controllers=[own, loop, "tcs"])
    assert bell.rung == 120
    assert run["vehicle.forward_speed"][-1] == pytest.approx(85.0 / 3.6, abs=0.3)
    assert model.described["vehicle"].controls.groups == ()  # its file is as it was


def test_the_command_line_lists_them_and_knows_their_words(tmp_path: Path) -> None:
    listed = CliRunner().invoke(app, ["list", "controllers"])
    assert "stability control: yaw rate and sideslip" in listed.output
    wrong = CliRunner().invoke(app, ["run", "sedan", "step-steer", "--controller", "ecs"])
    assert wrong.exit_code != 0
    assert "esc" in wrong.output + str(wrong.exception)


@pytest.mark.slow
def test_a_run_of_the_command_line_has_them(tmp_path: Path) -> None:
    arguments = ["run", "sedan", "step-steer", "--duration", "2", "--speed", "60km/h",
                 "--controller", "esc", "--controller", "abs", "--no-report"]  # fmt: skip
    done = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    written = next(tmp_path.rglob("*.csv")).read_text(encoding="utf-8").partition("\n")[0]
    assert "front_left_modulator.share" in written


@pytest.mark.slow
def test_torque_vectoring_takes_the_understeer_that_is_asked_for() -> None:
    """The sedan understeers; with motors it comes nearer to v d / L, that of a neutral car."""
    rates = []
    for controllers in ((), ("torque-vectoring",)):
        run = at.read_model("sedan").drive("step-steer", speed="80 km/h", controllers=controllers)
        neutral = run["chassis.vx"][-1] * run["driver.steering"][-1] / 15.0 / 2.85
        rates.append(float(run["vehicle.yaw_rate"][-1] / neutral))
    assert rates[0] < rates[1] - 0.05
    assert rates[1] < 1.0


@pytest.mark.slow
def test_skyhook_dampers_quieten_the_body_on_a_rough_road() -> None:
    model = at.read_model("sedan")
    rough = replace(model.manoeuvres["iso-8608-c"], duration=8.0)
    plain, damped = (found(model.drive(rough, controllers=c)) for c in ((), ("skyhook",)))
    for name in ("vertical_acceleration", "suspension_travel"):
        assert damped[name] < 0.97 * plain[name]
