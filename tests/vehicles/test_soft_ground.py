"""Vehicles on soft ground: what they stand on, what they are able to, and what they do there."""

from __future__ import annotations

import math
import re
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.wheel_in_soil import adaptive_forces
from scipy.optimize import brentq
from typer.testing import CliRunner
from vehicles.test_vehicle import described, written

import axletree as at
from axletree.cli.app import app
from axletree.cli.options import vehicle_changes
from axletree.core.errors import ModelError
from axletree.model.model import Model
from axletree.model_files.read import join_mappings
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.soil_mobility import soil_mobility
from axletree.vehicles.statics import wheel_loads
from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.supports import FollowedSoilLoad

G, CAR = 9.80665, "compact-car"
SAND = {"type": "wong-reece", "soil": "lete-sand-wong", "order": 12}
LOAM = {"type": "wong-reece", "soil": "sandy-loam-michigan-23", "order": 2}
FIELD = {"type": "brixius", "cone_index": "800 kPa", "section_height": "140 mm"}
IN_LOAM, IN_FIELD = ("sedan", "van"), ("suv", "sports-car", "truck-4x2", "formula-student", CAR)
PLAIN = "14-dof"
STEP, SHOWN = 1e-2, 0.1  # s


def on_soil(law: Any, fidelity: str = PLAIN, **more: Any) -> dict[str, Any]:
    return {"vehicle": {"fidelity": fidelity, "soil": {"law": law, **more}}}


@cache
def model_of(name: str, manoeuvre: str = "") -> Model:
    """On ground by a cone index, or in loam; with what a manoeuvre changes."""
    changes = on_soil(LOAM if name in IN_LOAM else FIELD)
    model = at.read_model(name, changes)
    if not manoeuvre:
        return model
    return at.read_model(name, join_mappings(changes, model.manoeuvres[manoeuvre].changes))


@cache
def system_of(name: str, manoeuvre: str = "") -> System:
    return model_of(name, manoeuvre).formulate(form="set-valued")


def told(made: Any, run: at.Trajectory) -> dict[str, float]:
    return {finding.name: finding.value for finding in made.findings(run)}


def of_wheels(output: str) -> list[str]:
    return [f"{axle}_{side}_soil.{output}" for axle in ("front", "rear") for side in SIDES]


SIDES = ("left", "right")


# -- descriptions ----------------------------------------------------------------------------
def given(folder: Path, **changes: Any) -> Path:
    vehicle = described()
    for axle in vehicle["axles"].values():
        axle["wheel"]["width"] = 0.2
    return written(folder, vehicle=join_mappings(vehicle, changes))


def test_wheels_stand_on_soil_in_place_of_tyres(tmp_path: Path) -> None:
    bump = {"type": "ramp", "rise": 1.0, "length": 20.0, "edge": 5.0, "x": 9.0}
    own = {"rear": {"soil": {"law": {**SAND, "passes": 2}}}}
    model = at.read_model(given(tmp_path, soil={"law": SAND}, axles=own, road=bump))
    wheels = [part for part in model if isinstance(part, at.SoilWheel)]
    assert [wheel.name for wheel in wheels] == [
        f"{axle}_{side}_soil" for axle in ("front", "rear") for side in SIDES
    ]
    assert not any(isinstance(part, at.Tyre) for part in model)
    assert {(wheel.radius, wheel.width) for wheel in wheels} == {(0.31, 0.2)}
    assert [wheel.law.passes for wheel in wheels] == [1, 1, 2, 2]  # type: ignore[attr-defined]
    assert all(wheel.surface == at.Ramp(rise=1.0, length=20.0, edge=5.0, x=9.0) for wheel in wheels)
    assert (model.run.method, model.run.step) == ("complementarity", 1e-3)
    assert set(model.manoeuvres) == {"slope-start", "slope-stop", "hill-climb", "drawbar-pull"}


def test_what_carries_a_wheel_goes_by_its_law_and_by_the_fidelity(tmp_path: Path) -> None:
    def carried(law: Any, fidelity: str = PLAIN, **more: Any) -> at.SoilWheel:
        changes = on_soil(law, fidelity, **more)["vehicle"]
        wheel = at.read_model(given(tmp_path, **changes))["rear_left_soil"]
        assert isinstance(wheel, at.SoilWheel)
        return wheel

    assert carried(SAND).normal_force.is_of_law
    assert carried(FIELD).normal_force == at.YieldingGround(2e5, 200.0)  # as the tyre
    assert carried(FIELD, normal_force={"type": "linear", "stiffness": 9e4}).normal_force == (
        at.YieldingGround(9e4)
    )
    vehicle = at.read_model(given(tmp_path)).described["vehicle"]
    load = wheel_loads(vehicle)["rear"]  # type: ignore[arg-type]
    assert carried(SAND, "two-track-static").normal_force == at.GivenLoad(load)
    assert carried(SAND, "two-track").normal_force == FollowedSoilLoad("wheel_loads.rear_left")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"axles": {"rear": {"wheel": {"width": None}}}}, r"rear\.wheel: on soft ground it needs"),
        ({"posts": True}, "posts: they stand on a floor"),
        ({"fidelity": "linear"}, "soil: a linear model has linear tyres"),
        ({"soil": {"law": {"type": "wong-reece", "soil": "butter"}}}, "unknown part 'butter'"),
        ({"soil": {"low": SAND}}, "SoftGround has no 'low'"),
    ],
)
def test_what_does_not_go_together_is_said(
    changes: dict[str, Any], says: str, tmp_path: Path
) -> None:
    with pytest.raises(ModelError, match=says):
        at.read_model(given(tmp_path, **join_mappings({"soil": {"law": SAND}}, changes)))


def test_run_settings_of_a_file_lie_over_those_of_the_ground(tmp_path: Path) -> None:
    """A file that is based on one of the package says how long, and not by which method."""
    path = written(tmp_path, base="sedan", run={"duration": 7.0}, **on_soil(FIELD))
    run = at.read_model(path).run
    assert (run.duration, run.method, run.step) == (7.0, "complementarity", 1e-3)
    assert at.read_model("sedan").run.method == "subdivided-rk45"


# -- by hand ---------------------------------------------------------------------------------
def test_what_it_is_able_to_is_that_of_the_stresses() -> None:
    """Of the front-driven compact car, by adaptive integration under the static loads."""
    model = at.read_model("compact-car", on_soil(SAND))
    vehicle = model.described["vehicle"]
    sheet, able = data_sheet(vehicle), soil_mobility(vehicle)  # type: ignore[arg-type]
    law = model["front_left_soil"].law  # type: ignore[attr-defined]
    loads = wheel_loads(vehicle)  # type: ignore[arg-type]

    def sunk(load: float, slip: float) -> tuple[float, np.ndarray]:
        wheel = WheelInSoil(0.3, 0.175, slip=slip)
        z = brentq(lambda z: adaptive_forces(law.soil, z, wheel)[0] - load, 1e-3, 0.1, xtol=1e-8)
        return z, adaptive_forces(law.soil, z, wheel)

    for axle, load in loads.items():
        assert sheet[f"{axle} sinkage"] == pytest.approx(1e3 * sunk(load, 0.0)[0], rel=1e-4)
    driven = sunk(loads["front"], 0.5)[1]
    towed = [sunk(loads["rear"], slip)[1] for slip in (-0.06, -0.04, -0.02)]
    free = np.interp(0.0, [one[3] for one in towed], [one[1] - one[2] for one in towed])
    pull = 2.0 * (driven[1] - driven[2] + free)  # where rear wheels turn without torque
    assert able.pull[24] == pytest.approx(pull, abs=2.0)  # N, at a slip of 0.5
    assert able.traction[24] == pytest.approx(2.0 * driven[3], rel=1e-5)
    assert sheet["maximum drawbar pull on the soil"] == able.pull.max()
    assert math.sin(math.radians(sheet["gradeability on the soil"])) == pytest.approx(
        able.pull.max() / (vehicle.mass * G)  # type: ignore[attr-defined]
    )


# -- runs ------------------------------------------------------------------------------------
@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", [*IN_LOAM, *IN_FIELD])
def test_it_drives_off_uphill_stops_and_stays_parked_for_a_minute(name: str) -> None:
    """From the brakes with a throttle that its own numbers give; then no wheel moves by a bit."""
    start = model_of(name).manoeuvres["slope-start"]
    slope, drive = start.slope, start.drive  # type: ignore[attr-defined]
    assert slope > math.radians(0.5)
    where = {"gravity.x": -G * math.sin(slope), "gravity.z": -G * math.cos(slope)}
    pedals = {
        "driver.throttle": ([1.0, 2.0, 4.0, 5.0], [0.0, drive, drive, 0.0]),
        "driver.brake": ([0.0, 2.0, 2.5, 5.0, 5.5], [1.0, 1.0, 0.0, 0.0, 1.0]),
    }
    system = system_of(name)
    run = system.simulate(
        70.0, step=STEP, method="complementarity", inputs=pedals, parameters=where, outputs=(),
        record_interval=SHOWN,
    )  # fmt: skip
    assert run["chassis.vx"][40] > 0.05
    stands = run.time >= 10.0
    rates = [q.name for q in system.states if q.name.endswith("_axle.rate")]
    assert len(rates) == 4
    assert not any(run[rate][stands].any() for rate in rates)
    assert np.ptp(run["chassis.x"][stands]) < 1e-7  # what is left of swinging on springs
    assert not run["chassis.vx"][run.time >= 15.0].any()
    assert run.residual is not None
    assert run.residual.greatest < 1e-10


@pytest.mark.slow
def test_it_brakes_to_a_standstill_and_stays_where_it_is() -> None:
    made = model_of(CAR).manoeuvres["slope-stop"]
    run = system_of(CAR).drive(
        made, method="complementarity", step=STEP, outputs=of_wheels("forward_speed"),
        record_interval=SHOWN,
    )  # fmt: skip
    found = told(made, run)
    assert 1.0 < found["stop_time"] < 3.0
    assert 0.1 < found["braking_distance"] < 0.6
    stands = run.time >= 10.0
    assert run.time[-1] - 10.0 == pytest.approx(60.0)
    for speed in ("chassis.vx", *(name for name in run.states if name.endswith("_axle.rate"))):
        assert not run[speed][stands].any(), speed
    for speed in of_wheels("forward_speed"):
        assert np.abs(run[speed][stands]).max() < 1e-12, speed  # while springs come to rest
    assert np.ptp(run["chassis.x"][stands]) < 1e-9


def brixius(slip: float, load: float, wheel: Any) -> tuple[float, float]:
    """Thrust and motion resistance [N] (Peiret et al., eqs. 18 to 20, with p = 2 bar)."""
    diameter, length = 2.0 * wheel.radius, load / (wheel.width * 2e5)
    deflection = 0.5 * (diameter - math.sqrt(diameter**2 - length**2))
    number = 8e5 * wheel.width * diameter / load * (1.0 + 5.0 * deflection / 0.14)
    number /= 1.0 + 3.0 * wheel.width / diameter
    thrust = 0.88 * (1.0 - math.exp(-0.1 * number)) * (1.0 - math.exp(-7.5 * slip)) + 0.04
    resistance = 1.0 / number + 0.5 * slip / math.sqrt(number) + 0.04
    return load * thrust, load * resistance


@pytest.mark.slow
def test_its_pull_is_that_of_the_law_under_the_loads_it_has() -> None:
    made = model_of(CAR).manoeuvres["drawbar-pull"]
    wanted = [one for q in ("slip", "normal_force") for one in of_wheels(q)]
    run = system_of(CAR).drive(
        made, method="complementarity", step=STEP, outputs=wanted, record_interval=SHOWN
    )
    found = told(made, run)
    assert 10.0 < found["immobilisation_time"] < made.duration
    pulls = np.sum([run[name] for name in made.needed_outputs], axis=0)
    steady = np.abs(np.gradient(run["front_left_soil.slip"])) < 1e-3  # it is told at ends of steps
    moves = (run.time > 10.0) & (run.time < found["immobilisation_time"] - 1.0) & steady
    assert np.count_nonzero(moves) > 100
    for k in np.flatnonzero(moves)[::50]:
        expected = 0.0
        for soil in (f"{axle}_{side}_soil" for axle in ("front", "rear") for side in SIDES):
            slip, load = (float(run[f"{soil}.{q}"][k]) for q in ("slip", "normal_force"))
            thrust, resistance = brixius(abs(slip), load, model_of(CAR)[soil])
            expected += thrust - resistance if soil.startswith("front") else -resistance
        assert pulls[k] == pytest.approx(expected, rel=0.02)
    able = soil_mobility(model_of(CAR).described["vehicle"])  # type: ignore[arg-type]
    assert found["wheel_pull"] == pytest.approx(able.maximum_pull, rel=0.1)  # loads move


@pytest.mark.slow
def test_a_hill_is_climbed_until_the_pull_is_the_weight_along_it() -> None:
    """In steps of 5 ms: with 10 ms, ten times what is proposed on soil, some of the runs that
    differ by rounding alone are thrown off their wheels as they stall."""
    name, word = CAR, "hill-climb"
    made = model_of(name).manoeuvres[word]
    wanted = [*made.needed_outputs, *of_wheels("slip"), *of_wheels("drawbar_pull")]
    run = system_of(name, word).drive(
        made, method="complementarity", step=0.5 * STEP, outputs=wanted, record_interval=SHOWN
    )
    found = told(made, run)
    vehicle = model_of(name).described["vehicle"]
    able = soil_mobility(vehicle)  # type: ignore[arg-type]
    assert found["immobilisation_time"] < 50.0
    assert (
        1.0 < found["maximum_slope"] / able.steepest < 2.0
    )  # what is left of its speed carries it on
    assert abs(run["chassis.vx"][-1]) < 1e-3
    slope = np.mean([run[one][-1] for one in made.needed_outputs])
    pull = sum(run[one][-1] for one in of_wheels("drawbar_pull"))
    assert pull == pytest.approx(vehicle.mass * G * math.sin(slope), rel=0.02)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_soft_spot_slows_it_down() -> None:
    name, word = CAR, "soft-spot"
    made = model_of(name).manoeuvres[word]
    run = system_of(name, word).drive(
        made, method="complementarity", step=STEP, outputs=(), record_interval=SHOWN
    )
    found = told(made, run)
    before = run["chassis.x"] < 3.5  # the first wheels are 4 m from the spot
    assert run["chassis.vx"][before] == pytest.approx(made.speed, rel=1e-3)
    assert found["minimum_speed"] < 0.9 * made.speed


# -- the picture -----------------------------------------------------------------------------
def test_the_picture_of_the_page_can_be_drawn(pytestconfig: pytest.Config) -> None:
    """From records that are not computed."""
    drawn = runpy.run_path(
        str(pytestconfig.rootpath / "docs" / "making" / "make_soft_ground_picture.py")
    )
    outputs = ("rolling_speed", "slip", "sinkage")
    names = [f"{axle}_left_soil.{output}" for axle in ("front", "rear") for output in outputs]
    names += ["vehicle.forward_speed", "rear_drive.torque"]
    names += ["front_left_brake.friction", "rear_left_brake.friction"]
    time = np.linspace(0.0, 1.0, 5)
    run = Trajectory("sedan", time, dict.fromkeys(names, time), dict.fromkeys(names, "1"), ())
    figure = drawn["plot_stop_and_go"](run)
    assert [len(axes.lines) for axes in figure.axes] == [3, 2, 2, 3]
    assert all(re.fullmatch(r".+ \[.+\]", axes.get_ylabel()) for axes in figure.axes)


# -- the command -----------------------------------------------------------------------------
def test_the_command_knows_soils_by_name(tmp_path: Path) -> None:
    law = {"type": "wong-reece", "soil": "snow-us", "order": 8}
    assert vehicle_changes("full", "snow-us") == on_soil(law, "full")
    arguments = ["run", "sedan", "slope-start", "--soil", "butter", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert "unknown part 'butter'" in result.output
    assert not (tmp_path / "out").exists()
