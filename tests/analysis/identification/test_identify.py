"""Identification against closed forms, known truths, and data that do not tell."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import axletree as at
from axletree.analysis.identification.evidence import whiteness
from axletree.analysis.identification.shooting import Shooting, StretchGrid
from axletree.analysis.identification.unknowns import IdentificationError
from axletree.analysis.measurements.measurement import Measurement
from axletree.cli.app import app
from axletree.expr import Table


def measurement(
    run: at.Trajectory,
    noise: Mapping[str, float],
    inputs: Mapping[str, np.ndarray] | None = None,
    seed: int = 0,
) -> Measurement:
    """Columns of a run with noise."""
    random = np.random.default_rng(seed)
    columns = {n: run[n] + s * random.standard_normal(len(run)) for n, s in noise.items()}
    units = {n: run.units[n] for n in noise} | {"steer.angle": "rad", "drive.torque": "N*m"}
    return Measurement("drive.csv", run.time, {**columns, **(inputs or {})}, units, {})


# -- a stone that falls: linear regression in closed form --------------------------------------
@cache
def stone() -> at.Model:
    model = at.Model("stone", gravity=(0.0, 0.0, -9.81))
    body = model.add(at.RigidBody("body", mass=2.0, inertia=(1.0, 1.0, 1.0)))
    model.add(at.Prismatic("way", model.ground, body, axis="z"))
    return model


def test_the_slope_of_a_straight_line_and_its_deviation_are_those_of_regression() -> None:
    """v = v0 + g t with noise: both in closed form."""
    noise = 0.02
    run = stone().formulate().simulate("2 s", step="10 ms", record_interval="20 ms")
    measured = measurement(run, {"way.speed": noise}, seed=3)
    found = at.identify(stone(), measured, ["gravity.z"], channels={"way.speed": noise})
    t = measured.time - measured.time.mean()
    slope = float(t @ measured["way.speed"] / (t @ t))
    # v0 is known beforehand to three times its size only, which shows in the seventh digit.
    assert found["gravity.z"] == pytest.approx(slope, rel=1e-5)
    assert found.deviations["gravity.z"] == pytest.approx(noise / np.sqrt(t @ t), rel=1e-4)
    assert found.is_white
    assert found.settled


def test_a_noise_that_is_not_given_is_found() -> None:
    run = stone().formulate().simulate("4 s", step="10 ms", record_interval="10 ms")
    found = at.identify(stone(), measurement(run, {"way.speed": 0.05}), ["gravity.z"])
    assert found.noise["way.speed"] == pytest.approx(0.05, rel=0.1)  # 400 values: 3.5 %


# -- a car in the plane ------------------------------------------------------------------------
CAR_NOISE = {"chassis.rate": 0.005, "chassis.vx": 0.05, "chassis.vy": 0.05}
SOUGHT = (
    "body.inertia.zz",
    "front_tyre.law.cornering_stiffness",
    "rear_tyre.law.cornering_stiffness",
)
TRUE = (2400.0, 110e3, 110e3)


@cache
def car() -> at.Model:
    return at.read_model("bicycle-car")


@cache
def car_drive() -> tuple[at.Trajectory, dict[str, np.ndarray]]:
    t = np.arange(401) * 0.01
    steering = np.radians(2.0) * np.sin(2.0 * np.pi * (0.4 * t + 0.2 * t**2))
    inputs = {"steer.angle": steering, "drive.torque": 0.0 * t}
    run = car().formulate().simulate(
        "4 s", step="5 ms", record_interval="10 ms", outputs=[],
        inputs={"steer.angle": Table.spline(t.tolist(), steering.tolist())},
    )  # fmt: skip
    return run, inputs


def car_data(seed: int = 1, noise: Mapping[str, float] = CAR_NOISE) -> Measurement:
    run, inputs = car_drive()
    return measurement(run, noise, inputs, seed)


def errors(found: at.Identification) -> np.ndarray:
    """Over the stated deviations."""
    return np.array(
        [(found[n] - x) / found.deviations[n] for n, x in zip(SOUGHT, TRUE, strict=True)]
    )


def test_derivatives_of_stretches_are_their_differences() -> None:
    system = car().formulate()
    shooting = Shooting(
        system.functions("f", "jacobian", outputs=["front_tyre.Fy"], by_parameters=SOUGHT[:1]),
        ["chassis.rate", "front_tyre.Fy"],
    )
    run, inputs = car_drive()
    table = Table.spline(run.time.tolist(), inputs["steer.angle"].tolist())
    half = np.linspace(0.0, 0.4, 161)
    u = np.zeros((161, 4))
    u[:, 0], u[:, 1] = table.evaluate(half), table.derivative().evaluate(half)
    u[:, 2] = table.derivative().derivative().evaluate(half)
    grid = StretchGrid(samples=40, length=20, steps=2, interval=0.01)
    starts = np.array([[run[q.name][k] for q in system.states] for k in (0, 20)])
    found = shooting.from_states(starts, u, np.array([2400.0]), grid)
    ends = np.array([[run[q.name][k] for q in system.states] for k in (20, 40)])
    assert np.abs(found.ends - ends).max() < 1e-8  # the run's own steps, which are as long
    for z in range(starts.shape[1] + 1):
        moved = []
        for sign in (-1.0, 1.0):
            x, p, size = starts.copy(), np.array([2400.0]), 1e-6  # next to a kink at no slip
            if z < starts.shape[1]:
                x[:, z] += sign * size
            else:
                size = 0.1
                p += sign * size
            moved.append(shooting.from_states(x, u, p, grid))
        for word in ("ends", "outputs"):
            high, low = (getattr(one, word) for one in (moved[1], moved[0]))
            slope = {"ends": found.end_slopes, "outputs": found.slopes}[word][..., z]
            difference = (high - low) / (2.0 * size)
            assert slope == pytest.approx(difference, rel=2e-5, abs=1e-6 * abs(difference).max())


def test_a_car_is_found_within_its_limits_from_a_good_and_from_a_bad_start() -> None:
    """From tyres with which it spins; both end in the same values."""
    good = at.identify(car(), car_data(), SOUGHT, channels=CAR_NOISE)
    far = {SOUGHT[0]: 1850.0, SOUGHT[1]: 250e3, SOUGHT[2]: 30e3}
    bad = at.identify(car(), car_data(), SOUGHT, channels=CAR_NOISE, start=far)
    assert np.abs(errors(good)).max() < 3.0
    assert good.settled
    assert bad.settled
    for name in SOUGHT:
        apart = abs(good[name] - bad[name])
        assert apart < 0.05 * good.deviations[name]


def test_several_records_and_the_value_without_noise() -> None:
    exact = dict.fromkeys(CAR_NOISE, 0.0)
    found = at.identify(
        car(), [car_data(1, exact), car_data(2, exact)], SOUGHT, channels=list(exact),
        start={SOUGHT[1]: 90e3},
    )  # fmt: skip
    for name, x in zip(SOUGHT, TRUE, strict=True):
        assert found[name] == pytest.approx(x, rel=1e-4)
    assert len(found.records) == 2


@pytest.mark.slow
def test_errors_over_many_seeds_are_as_large_as_stated() -> None:
    """Their squares over stated covariances are chi-square."""
    from scipy.stats import chi2

    total, seeds = 0.0, 40
    for seed in range(seeds):
        found = at.identify(car(), car_data(seed), SOUGHT, channels=CAR_NOISE)
        off = np.array([found[n] for n in SOUGHT]) - TRUE
        total += float(off @ np.linalg.solve(found.covariance, off))
    assert 0.005 < chi2.sf(total, 3 * seeds) < 0.995


def test_sensors_that_are_late_biased_and_scaled() -> None:
    run, inputs = car_drive()
    late = Table.spline(run.time.tolist(), run["chassis.rate"].tolist())
    columns = {
        "chassis.rate": 1.1 * late.evaluate(np.maximum(run.time - 0.03, 0.0)) + 0.02,
        "chassis.vy": run["chassis.vy"],
        **inputs,
    }
    units = {"chassis.rate": "rad/s", "chassis.vy": "m/s", "steer.angle": "rad"}
    measured = Measurement("drive.csv", run.time, columns, units | {"drive.torque": "N*m"}, {})
    names = [f"chassis.rate:{word}" for word in ("offset", "scale", "delay")]
    found = at.identify(
        car(), measured, [*names, SOUGHT[0]], channels={"chassis.rate": 1e-4, "chassis.vy": 1e-4}
    )
    assert found[names[0]] == pytest.approx(0.02, abs=1e-4)  # rad/s
    assert found[names[1]] == pytest.approx(1.1, rel=1e-3)
    assert found[names[2]] == pytest.approx(0.03, abs=1e-4)  # s
    assert found[SOUGHT[0]] == pytest.approx(TRUE[0], rel=1e-3)


def test_outliers_do_not_move_a_robust_fit() -> None:
    spoilt = car_data()
    columns = {name: values.copy() for name, values in spoilt.columns.items()}
    columns["chassis.rate"][7::25] += 0.2  # rad/s
    measured = Measurement("drive.csv", spoilt.time, columns, spoilt.units, {})
    plain = at.identify(car(), measured, SOUGHT, channels=CAR_NOISE)
    robust = at.identify(car(), measured, SOUGHT, channels=CAR_NOISE, loss=at.Loss.HUBER)
    assert np.abs(errors(robust)).max() < 3.0
    assert np.abs(errors(plain)).max() > 2.0 * np.abs(errors(robust)).max()


# -- what data do not tell ---------------------------------------------------------------------
def two_springs() -> at.Model:
    """A mass between two springs side by side, of which only the sum matters."""
    model = at.Model("springs", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.RigidBody("body", mass=2.0, inertia=(1.0, 1.0, 1.0)))
    way = model.add(at.Prismatic("way", model.ground, body, axis="x"))
    model.add(at.SlideSpringDamper("left", way, stiffness=30.0, damping=0.1))
    model.add(at.SlideSpringDamper("right", way, stiffness=50.0))
    model.start = {"way.position": 0.1}
    return model


def test_what_only_a_sum_tells_is_said() -> None:
    model = two_springs()
    run = model.formulate().simulate("5 s", step="5 ms", record_interval="20 ms")
    measured = measurement(run, {"way.position": 1e-3})
    found = at.identify(model, measured, ["left.stiffness", "right.stiffness", "left.damping"])
    (said,) = (text for text in found.undetermined if "apart" in text)
    assert "left.stiffness and right.stiffness" in said
    assert np.isinf(found.deviations["left.stiffness"])
    assert np.isfinite(found.deviations["left.damping"])
    assert found["left.stiffness"] + found["right.stiffness"] == pytest.approx(80.0, rel=1e-3)
    # With one of them held the other is told.
    alone = at.identify(model, measured, ["left.stiffness", "left.damping"])
    assert alone["left.stiffness"] == pytest.approx(
        30.0, abs=4.0 * alone.deviations["left.stiffness"]
    )


def test_a_model_that_is_too_simple_is_said_to_leave_something_out() -> None:
    """Data of a mass that is damped, and a model without a damper."""
    run = two_springs().formulate().simulate(
        "5 s", step="5 ms", record_interval="20 ms", parameters={"left.damping": 2.0}
    )  # fmt: skip
    measured = measurement(run, {"way.position": 1e-4})
    found = at.identify(two_springs(), measured, ["left.stiffness"])
    assert not found.is_white
    assert any("leaves something out" in text for text in found.remarks)
    least = np.sqrt(found.least_covariance[0, 0])
    assert found.deviations["left.stiffness"] > least


def test_a_value_at_its_bound_is_said() -> None:
    run = stone().formulate().simulate("2 s", step="10 ms", record_interval="20 ms")
    found = at.identify(stone(), measurement(run, {"way.speed": 0.01}), {"gravity.z": (-9.0, -5.0)})
    assert found["gravity.z"] == -9.0
    assert any("at its bound" in text for text in found.remarks)


def test_whiteness_is_rejected_as_often_as_its_level_says() -> None:
    random = np.random.default_rng(5)
    tests = [whiteness("a", random.standard_normal(500)) for _ in range(300)]
    rejected = np.mean([test.probability < 0.05 for test in tests])
    assert 0.02 < rejected < 0.09


# -- vehicles and files ------------------------------------------------------------------------
@cache
def sedan() -> at.Model:
    return at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})


def sedan_data(folder: Path) -> Path:
    names = ["vehicle.yaw_rate", "vehicle.lateral_acceleration", "vehicle.forward_speed",
             "driver.steering"]  # fmt: skip
    run = sedan().drive("sine-steer", speed="80 km/h", outputs=names, record_interval="20 ms")
    noise = {names[0]: 0.002, names[1]: 0.05, names[2]: 0.0, names[3]: 0.0}
    path = folder / "drive.csv"
    measurement(run, noise).trajectory.to_csv(path)
    return path


@pytest.mark.slow
def test_places_of_a_file_move_what_they_lead_to_and_are_written(tmp_path: Path) -> None:
    """A place and a parameter; the file reads back to the identified model."""
    data = sedan_data(tmp_path)
    place = "vehicle.axles.front.steering.ackermann"
    found = at.identify(
        sedan(), data, ["front_tyres.cornering_stiffness"],
        channels=["vehicle.yaw_rate", "vehicle.lateral_acceleration"], validate=data,
    )  # fmt: skip
    name = "front_tyres.cornering_stiffness"
    assert found[name] == pytest.approx(122679.27, abs=3.0 * found.deviations[name])
    assert found.validation[0]["vehicle.yaw_rate"].statistics.determination > 0.99
    with pytest.raises(IdentificationError, match="makes no difference to the parameters"):
        at.identify(sedan(), data, [place], channels=["vehicle.yaw_rate"])
    mass = at.identify(
        sedan(), data, ["vehicle.axles.front.position"], channels=["vehicle.yaw_rate"]
    )
    file = mass.write(tmp_path / "mine.yaml")
    again = at.read_model(file)
    assert again.described["vehicle"].fidelity.value == "linear"
    assert again.described["vehicle"].axles["front"].position == pytest.approx(
        mass["vehicle.axles.front.position"], rel=1e-9
    )
    assert (tmp_path / "mine.identification.json").is_file()


@pytest.mark.slow
def test_the_command_leaves_a_model_its_evidence_and_a_page(tmp_path: Path) -> None:
    words = ["identify", "sedan", str(sedan_data(tmp_path)), "--model", "linear",
             "-p", "vehicle.axles.front.position=1 m:1.8 m",
             "-p", "vehicle.yaw_rate:offset", "--fit", "vehicle.yaw_rate=0.002"]  # fmt: skip
    result = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert "vehicle.axles.front.position" in result.output
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {
        "values.csv",
        "identified.yaml",
        "identified.identification.json",
        "report.html",
    }
    wrong = CliRunner().invoke(app, [*words[:5], "-p", "body.mas", "-p", "a=1"])
    assert wrong.exit_code == 2
    assert "expected bounds such as" in wrong.output


def test_deviations_to_expect_are_in_proportion_to_the_noise() -> None:
    designs = [
        at.experiment_design(
            sedan(), ["pulse-steer", "sine-steer"], ["body.inertia.zz"],
            {"vehicle.yaw_rate": noise}, speed="80 km/h", interval="20 ms",
        )
        for noise in (0.002, 0.004)
    ]  # fmt: skip
    fine, coarse = (
        {one.manoeuvre: one.relative["body.inertia.zz"] for one in design.limits}
        for design in designs
    )
    assert fine[designs[0].best] == min(fine.values()) < 0.05
    for name in fine:
        assert coarse[name] == pytest.approx(2.0 * fine[name], rel=1e-3)
    with pytest.raises(IdentificationError, match="no manoeuvre"):
        at.experiment_design(sedan(), [], ["body.inertia.zz"], {"vehicle.yaw_rate": 0.1})


# -- what is refused ---------------------------------------------------------------------------
def test_all_problems_are_told_at_once() -> None:
    run = stone().formulate().simulate("2 s", step="10 ms", record_interval="20 ms")
    measured = measurement(run, {"way.speed": 0.01})
    with pytest.raises(IdentificationError) as caught:
        at.identify(
            stone(), measured, {"gravty.z": None, "way.speed:ofset": None, "gravity.z": (3, 1)},
            start={"body.mas": 3.0},
        )  # fmt: skip
    text = str(caught.value)
    for part in ("4 problems", "'gravity.z'", "'offset'", "nothing between them", "body.mas"):
        assert part in text


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"way.speed": np.full(101, 2.0)}, "throughout, and tells nothing"),
        ({"way.sped": np.arange(101.0)}, "has no channel that stone computes"),
    ],
)
def test_data_that_tell_nothing_are_refused(columns: dict[str, np.ndarray], message: str) -> None:
    measured = Measurement(
        "drive.csv", 0.02 * np.arange(101), columns, dict.fromkeys(columns, "m/s"), {}
    )
    with pytest.raises(IdentificationError, match=message):
        at.identify(stone(), measured, ["gravity.z"])


def test_records_that_are_too_short_and_systems_with_constraints_are_refused() -> None:
    run = stone().formulate().simulate("0.1 s", step="10 ms", record_interval="10 ms")
    with pytest.raises(IdentificationError, match="11 samples"):
        at.identify(stone(), measurement(run, {"way.speed": 0.01}), ["gravity.z"])
    bar = at.read_model("four-bar")
    run = bar.formulate().simulate("0.5 s", step="1 ms", record_interval="10 ms", outputs=[])
    channel = next(name for name in run.columns if name != "time")
    with pytest.raises(IdentificationError, match="constraints or unknown forces"):
        at.identify(bar, measurement(run, {channel: 0.01}), ["gravity.z"])


def test_inputs_that_are_not_measured_are_asked_for() -> None:
    measured = car_data()
    columns = {n: v for n, v in measured.columns.items() if n != "drive.torque"}
    rest = Measurement("drive.csv", measured.time, columns, measured.units, {})
    with pytest.raises(IdentificationError, match=r"drive\.torque.*--input drive\.torque=0"):
        at.identify(car(), rest, SOUGHT, channels=CAR_NOISE)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = at.identify(
            car(), rest, SOUGHT[:1], channels=CAR_NOISE, inputs={"drive.torque": 0.0}
        )
    assert found.settled
