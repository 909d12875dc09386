"""Exact derivatives of findings against differences of findings, and against closed forms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from analysis.plain_car import SINGLE, bicycle_of, plain_file, plain_model

import axletree as at
from axletree.analysis.drive import drive_start, find_steer_amplitude
from axletree.analysis.steady.turning import described_vehicle, turning_of
from axletree.analysis.studies.run_sensitivity import run_sensitivity
from axletree.analysis.studies.sensitivity import SensitivityError, find_direction
from axletree.analysis.studies.turn_sensitivity import SteadyTurns, turn_sensitivity
from axletree.model.manoeuvre import Manoeuvre
from axletree.model_files.read import join_mappings
from axletree.system.system import System

STEP = {"step": 2e-3, "method": "rk4"}
MASS, RATIO = "vehicle.body.mass", "vehicle.axles.front.steering.ratio"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> str:
    return plain_file(tmp_path_factory.mktemp("plain"))


def differences(
    findings: Callable[[float], dict[str, float]], value: float, share: float = 2e-4
) -> dict[str, float]:
    """By central differences, extrapolated once."""
    h = share * value
    at_ = {k: findings(value + k * h) for k in (-2, -1, 1, 2)}
    return {
        name: (8.0 * (at_[1][name] - at_[-1][name]) - (at_[2][name] - at_[-2][name])) / (12.0 * h)
        for name in at_[1]
    }


def changed(key: str, text: str) -> dict[str, Any]:
    found: Any = text
    for word in reversed(key.split(".")):
        found = {word: found}
    found["vehicle"] = {**SINGLE["vehicle"], **found["vehicle"]}
    return dict(found)


def turned(system: System, manoeuvre: Any) -> Manoeuvre:
    """The manoeuvre with the angle that its level asks for, which stays where vehicles change."""
    plain = replace(manoeuvre, level=None)
    found: Any = find_steer_amplitude(system, manoeuvre, drive_start(system, plain, {}))
    return replace(plain, angle=found.angle)


@pytest.mark.slow
def test_derivatives_of_a_run(source: str) -> None:
    """Through parameters, and through the function of a steering."""
    name = "step-steer"
    found = run_sensitivity(source, name, ["body.mass", RATIO], changes=SINGLE, **STEP)
    assert not found.remarks
    base = at.read_model(source, SINGLE)
    system = base.formulate()
    driven = turned(system, base.manoeuvres[name])
    given = {**STEP, "record_interval": base.run.record_interval}

    def of_parameter(value: float) -> dict[str, float]:
        run = system.drive(driven, parameters={"body.mass": value}, **given)
        return {one.name: one.value for one in driven.findings(run)}

    def of_place(key: str) -> Callable[[float], dict[str, float]]:
        def findings(value: float) -> dict[str, float]:
            model = at.read_model(source, changed(key, repr(value)))
            same = replace(driven, metrics=model.manoeuvres[name].metrics)
            run = model.formulate().drive(same, **given)
            return {one.name: one.value for one in same.findings(run)}

        return findings

    for key, findings, value in (
        ("body.mass", of_parameter, 1200.0),
        (RATIO, of_place(RATIO), 16.0),
    ):
        expected = differences(findings, value)
        own = found.by[key]
        assert set(own) == set(expected)
        for finding, slope in expected.items():
            assert own[finding] == pytest.approx(slope, rel=2e-6, abs=1e-12), (key, finding)


@pytest.mark.slow
def test_derivatives_of_steady_turns(source: str) -> None:
    found = turn_sensitivity(source, [MASS, RATIO], changes=SINGLE)

    def findings(value: float) -> dict[str, float]:
        model = at.read_model(source, changed(MASS, repr(value)))
        turns = SteadyTurns(turning_of(model), 100 / 3.6, 4.0)
        return {one.name: one.value for one in turns.findings}

    for finding, slope in differences(findings, 1200.0).items():
        own = found.by[MASS][finding]
        assert own == pytest.approx(slope, rel=1e-6, abs=1e-10, nan_ok=True), finding
    # At one turn the road wheels stay as they are, and the steering wheel turns with its ratio.
    values = {one.name: one.value for one in found.findings}
    by_ratio = found.relative[RATIO]
    assert by_ratio["steering_angle"] == pytest.approx(1.0, rel=1e-8)
    assert by_ratio["yaw_rate_gain"] == pytest.approx(-1.0, rel=1e-8)
    for name in ("understeer_angle", "sideslip_angle", "yaw_natural_frequency"):
        assert values[name]
        assert by_ratio[name] == pytest.approx(0.0, abs=1e-8)


def test_derivative_of_the_understeer_gradient_in_closed_form(source: str) -> None:
    vehicle = described_vehicle(plain_model(Path(source).parent, SINGLE))
    found = turn_sensitivity(source, ["front_left_tyre.law.cornering_stiffness"], changes=SINGLE)
    # One of the two tyres of the front axle: K = m / L (b / C_f - a / C_r)
    bicycle = bicycle_of(vehicle, 5.0e4, 5.5e4)
    expected = -bicycle.m / (bicycle.a + bicycle.b) * bicycle.b / bicycle.C_f**2
    own = found.by["front_left_tyre.law.cornering_stiffness"]["understeer_gradient"]
    assert np.radians(own) == pytest.approx(expected, rel=2e-3)


@pytest.mark.slow
def test_derivatives_over_changes_of_gears() -> None:
    """A car that brakes through gears: the times at which they change depend on its mass."""
    steps = {"step": 1e-3, "method": "subdivided-rk45"}
    single = {"vehicle": {"fidelity": "single-track"}}
    found = run_sensitivity("sedan", "braking", ["body.mass"], changes=single, **steps)
    assert not found.remarks
    model = at.read_model("sedan", single)
    driven, system = model.manoeuvres["braking"], model.formulate()
    given = {**steps, "record_interval": model.run.record_interval}

    def findings(value: float) -> dict[str, float]:
        run = system.drive(driven, parameters={"body.mass": value}, **given)
        return {one.name: one.value for one in driven.findings(run)}

    expected, own = differences(findings, 1420.0), found.by["body.mass"]
    for name in ("stopping_distance", "stopping_time", "mean_fully_developed_deceleration"):
        assert own[name] == pytest.approx(expected[name], rel=1e-3), name


@pytest.mark.slow
def test_derivatives_of_a_drive_along_a_path(source: str) -> None:
    """The driver's own states begin at what keeps the speed, which goes by the parameter; what
    has been learnt of the vehicle as it is stays."""
    name = "iso-3888-1"
    changes = join_mappings(SINGLE, at.read_model(source, SINGLE).manoeuvre(name).changes)
    model = at.read_model(source, changes)
    system, manoeuvre = model.formulate(), model.manoeuvre(name)

    learnt = drive_start(system, manoeuvre, {}).parameters

    def findings(mass: float) -> dict[str, float]:
        interval = model.run.record_interval
        given = {"parameters": {**learnt, "body.mass": mass}, "record_interval": interval, **STEP}
        run = system.drive(manoeuvre, **given)
        return {one.name: one.value for one in manoeuvre.findings(run)}

    (column,) = run_sensitivity(source, name, ["body.mass"], changes=changes, **STEP).columns
    expected = differences(findings, column.value, 2e-5)  # a cone is near another
    for one in column.slopes[:2]:  # the others are counts
        assert one.slope == pytest.approx(expected[one.finding.name], rel=1e-6)
        assert one.slope != 0.0


def test_what_has_no_derivative(source: str) -> None:
    model = at.read_model(source, SINGLE)
    system = model.formulate()

    def by(name: str) -> None:
        find_direction(name, source, system, model, None, SINGLE)

    with pytest.raises(at.AxletreeError, match="body.mas"):
        by("body.mas")
    with pytest.raises(SensitivityError, match="default has to be written there"):
        by("vehicle.axles.front.tyre.damping")
    with pytest.raises(SensitivityError, match="expected a number"):
        by("vehicle.axles.front.tyre.law.type")
    with pytest.raises(SensitivityError, match="makes no difference"):
        by("vehicle.axles.front.suspension.damping")
    with pytest.raises(SensitivityError, match="name a parameter"):
        turn_sensitivity(source, [], changes=SINGLE)
    with pytest.raises(SensitivityError, match="set-valued"):
        run_sensitivity(source, "step-steer", ["body.mass"], changes=SINGLE,
                        method="complementarity")  # fmt: skip
