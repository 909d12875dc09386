"""Procedures of standards: every one of the catalogue is carried out, and what they find agrees
with linear theory, with the data sheet, and with an evaluation of their curves by hand."""

from __future__ import annotations

import cmath
import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import axletree as at
from axletree import catalogue
from axletree.analysis.procedures import (
    lane_change_speed,
    proving_ground,
    road_comfort,
    stability_control,
)
from axletree.analysis.procedures.contract import Procedure, ProcedureResult, worst_check
from axletree.cli.app import app
from axletree.code.backends import runnable
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import load
from axletree.metrics.acceleration_and_braking import HEADING, _turned
from axletree.metrics.verdict import Comparison, Criterion, VerdictOutcome
from axletree.simulation.simulate import FailedControllerError
from axletree.vehicles.linear_single_track import linear_single_track

PAGE = Path(__file__).parent.parent.parent / "docs" / "how-to" / "procedures.md"
SINGLE_TRACK: dict[str, Any] = {"vehicle": {"fidelity": "single-track"}}
LINEAR: dict[str, Any] = {"vehicle": {"fidelity": "linear"}}
QUICK = ("iso-7401", "iso-7975", "iso-9816", "iso-13674", "iso-21994")
g = 9.80665  # m/s^2


@pytest.mark.parametrize("word", catalogue.PROCEDURES)
def test_a_procedure_says_what_it_is(word: str) -> None:
    kind = load("procedure", word, catalogue.PROCEDURES)
    assert issubclass(kind, Procedure)
    assert dataclasses.is_dataclass(kind)
    assert kind.summary
    assert kind.standard
    assert isinstance(kind(), Procedure)  # every condition has that of the standard by default
    assert f"| `{word}` |" in PAGE.read_text(encoding="utf-8")


def check_result(result: ProcedureResult, word: str) -> None:
    assert result.name == word
    assert result.stages
    assert result.findings
    names = [one.name for one in result.findings]
    assert len(names) == len(set(names))
    assert not result.key or set(result.key) & set(names)
    assert all(math.isfinite(one.value) for one in result.verdict.numbers)
    for stage in result.stages:
        for row in stage.rows:
            assert row.findings
        for drawn in stage.diagrams:
            assert "[" in drawn.y_label or "[" in drawn.title
            assert all(len(trace.x) == len(trace.y) for trace in drawn.traces)
        if stage.rows:
            assert len(stage.table.rows) == len(stage.rows)
    assert result.verdict.outcome.value in str(result)


@pytest.mark.parametrize("word", QUICK)
def test_a_procedure_is_carried_out(word: str) -> None:
    said: list[str] = []
    car = at.read_model("sedan", SINGLE_TRACK)
    result = at.procedure(car, word, tell=said.append)
    check_result(result, word)
    assert said
    left, right = (
        [row for stage in result.stages for row in stage.rows if row.label == side]
        for side in ("left", "right")
    )
    for one, other in zip(left, right, strict=True):  # the car is the same on both sides
        pairs = zip(one.findings, other.findings, strict=True)
        assert all(abs(a.value) == pytest.approx(abs(b.value), rel=1e-4) for a, b in pairs)


def test_a_procedure_has_conditions_of_ones_own() -> None:
    car = at.read_model("sedan", SINGLE_TRACK)
    result = car.procedure(at.StoppingDistance(speed="50 km/h"))
    assert result.name == "iso-21994"
    # Nearly v^2 / (2 a) with the mean deceleration, and what the pedal takes to go down.
    a, v = result["mean_fully_developed_deceleration"], 50.0 / 3.6
    assert v * v / (2.0 * a) < result["stopping_distance"] < v * v / (2.0 * a) + 0.3 * v


def test_what_is_no_vehicle_is_refused() -> None:
    with pytest.raises(ModelError, match="not described as a vehicle"):
        at.procedure(at.read_model("pendulum"), "iso-7401")
    with pytest.raises(AxletreeError, match="did you mean 'iso-7401'"):
        at.procedure(at.read_model("sedan"), "iso-7402")
    with pytest.raises(AxletreeError, match="constant speed"):
        at.procedure(at.read_model("sedan", LINEAR), "iso-7975")


# Linear theory, written anew: the states are lateral speed and yaw rate.


class Bicycle:
    """m dv/dt + m u r = Fy; J dr/dt = Mz, with the data of the linear model."""

    def __init__(self, u: float) -> None:
        vehicle: Any = at.read_model("sedan").described["vehicle"]
        own = linear_single_track(vehicle)
        self.ratio = next(a.steering.ratio for a in vehicle.axles.values() if a.steering)
        front, rear = own.axles.values()
        Cf, Cr = front.stiffness, rear.stiffness
        a, b = front.position - front.trail - own.centre, own.centre + rear.trail - rear.position
        m, J = own.mass, own.yaw_inertia
        self.u = u
        self.A = np.array(
            [[-(Cf + Cr) / (m * u), (b * Cr - a * Cf) / (m * u) - u],
             [(b * Cr - a * Cf) / (J * u), -(a * a * Cf + b * b * Cr) / (J * u)]]
        )  # fmt: skip
        air: Any = own.air  # side force and moment, which turns away, by the sideslip v / u
        x, S = air.position - own.centre, air.side * u
        self.A[:, 0] += [-S / m, (-air.yaw * u - x * S) / J]
        self.B = np.array([Cf / m, a * Cf / J]) / self.ratio
        self.understeer = m / (a + b) * (b / Cf - a / Cr)

    def responses(self, s: complex) -> tuple[complex, complex]:
        """Yaw rate and lateral acceleration over the angle of the steering wheel."""
        v, r = np.linalg.solve(s * np.eye(2) - self.A, self.B.astype(complex))
        return r, s * v + self.u * r


def test_the_angle_of_the_slow_ramp_is_that_of_linear_theory() -> None:
    """A ramp is followed by G (angle - rate lag), and A is where that is 0.3 g."""
    result = at.procedure(at.read_model("sedan", LINEAR), "fmvss-126")
    bicycle, h = Bicycle(80.0 / 3.6), 1e-4
    G = bicycle.responses(0.0)[1].real
    slope = (bicycle.responses(h)[1].real - bicycle.responses(-h)[1].real) / (2.0 * h)
    expected = 0.3 * g / G - math.radians(13.5) * slope / G
    found = [row.findings[0].value for row in result.stages[0].rows]
    assert np.radians(found) == pytest.approx(expected, rel=2e-3)
    assert result["reference_angle"] == round(found[0], 1)
    # Nothing slides, so that it is stable, and it is responsive.
    assert result.verdict.outcome is VerdictOutcome.PASSED
    check_result(result, "fmvss-126")
    # The ratios, by hand from the curves: steering ends 1 s + 1 / 0.7 Hz + 0.5 s after the start.
    stage = result.stages[1]
    end = 1.0 + 1.0 / 0.7 + 0.5
    for trace, row in zip(stage.diagrams[0].traces, stage.rows, strict=True):
        late = trace.x > 1.0 + 0.5 / 0.7
        peak = trace.y[late].min()
        ratio = 100.0 * np.interp(end + 1.0, trace.x, trace.y) / peak
        shown = next(one.value for one in row.findings if one.name == "yaw_rate_ratio_1")
        assert shown == pytest.approx(ratio, abs=0.05)
        amplitude = row.findings[0].value
        first = trace.y[(trace.x > 1.0) & ~late].max()
        assert first / amplitude == pytest.approx(  # a linear car answers all amplitudes alike
            stage.diagrams[0].traces[0].y.max() / stage.rows[0].findings[0].value, rel=1e-3
        )


@pytest.mark.slow
def test_a_car_without_stability_control_spins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stability_control, "_LARGE", 0.0)  # deg: 6.5 A is enough
    result = at.procedure(at.read_model("sedan", SINGLE_TRACK), "fmvss-126")
    check_result(result, "fmvss-126")
    assert result.verdict.outcome is VerdictOutcome.FAILED
    outcomes = [check.outcome for check in result.checks]
    assert outcomes == [VerdictOutcome.FAILED, VerdictOutcome.FAILED, VerdictOutcome.PASSED]


@pytest.mark.parametrize(
    ("A", "final", "count"),
    [
        (30.0, 270.0, 16),  # 6.5 A is 195 deg, so that it goes on to 270 deg
        (41.0, 270.0, 12),  # 266.5 deg is a run, and the last one is 270 deg
        (44.0, 286.0, 11),  # 6.5 A, between 270 deg and 300 deg
        (60.0, 300.0, 8),  # 6.5 A would be 390 deg
    ],
)
def test_amplitudes_end_where_the_standard_says(A: float, final: float, count: int) -> None:
    listed = np.array(at.StabilityControl().amplitudes(A))
    assert listed[0] == 1.5 * A
    assert listed[-1] == final
    assert len(listed) == count
    assert np.diff(listed)[:-1] == pytest.approx(0.5 * A)
    assert 0.0 < listed[-1] - listed[-2] <= 0.5 * A + 1e-9


def test_an_unknown_value_decides_nothing() -> None:
    most = Criterion("ratio", "ratio", Comparison.AT_MOST, 35.0, "%")
    assert worst_check(most, [1.0, math.nan]).outcome is VerdictOutcome.UNDECIDED
    assert worst_check(most, [40.0, math.nan]).outcome is VerdictOutcome.FAILED
    assert worst_check(most, [1.0, 2.0]).value == 2.0
    assert worst_check(most, []).outcome is VerdictOutcome.UNDECIDED


def test_weave_and_step_are_those_of_linear_theory() -> None:
    car = at.read_model("sedan", LINEAR)
    result = car.procedure("iso-13674")
    w = 2.0 * math.pi * 0.2
    bicycle = Bicycle(100.0 / 3.6)
    yaw, side = bicycle.responses(1j * w)
    assert result["weave_yaw_rate_gain"] == pytest.approx(abs(yaw), rel=2e-3)
    assert result["weave_lag"] == pytest.approx(-cmath.phase(yaw) / w, abs=2e-3)
    assert result["weave_lateral_lag"] == pytest.approx(-cmath.phase(side) / w, abs=2e-3)
    # With angle a sin(x) and response sin(x - phi), both loops are ellipses.
    phi, wheel = -cmath.phase(side), math.degrees(1.0 / abs(side))  # deg for 1 m/s^2
    assert result["weave_hysteresis"] == pytest.approx(2.0 * wheel * math.sin(phi), rel=1e-2)
    assert result["weave_sensitivity"] == pytest.approx(math.cos(phi) / wheel, rel=1e-2)
    step = car.procedure("iso-7401")
    assert step["step_yaw_rate_gain"] == pytest.approx(bicycle.responses(0.0)[0].real, rel=1e-3)


@pytest.mark.long
def test_three_methods_find_the_understeer_of_the_data_sheet() -> None:
    result = at.procedure(at.read_model("sedan", SINGLE_TRACK), "iso-4138")
    check_result(result, "iso-4138")
    expected = math.degrees(Bicycle(1.0).understeer)
    for method in ("constant_radius", "constant_angle", "constant_speed"):
        assert result[f"understeer_{method}"] == pytest.approx(expected, rel=0.05)
    assert result["understeer_spread"] < 0.03 * expected


@pytest.mark.slow
def test_a_good_road_is_comfortable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(road_comfort, "_CLASSES", "a")
    car = at.read_model("sedan", {"vehicle": {"fidelity": "14-dof"}})
    result = car.procedure("iso-8608")
    check_result(result, "iso-8608")
    (row,) = result.stages[0].rows
    assert row.label == "class A, not uncomfortable"
    found = {one.name: one.value for one in row.findings}
    parts = ("vertical", "longitudinal", "lateral")
    squares = sum(found[f"weighted_{part}_acceleration"] ** 2 for part in parts)
    assert found["vibration_total_value"] == pytest.approx(math.sqrt(squares), rel=1e-6)
    values = (0.1, 0.4, 0.6, 1.0, 1.5, 3.0)  # m/s^2, one in each range of ISO 2631-1, annex C
    assert len({road_comfort.reaction(value) for value in values}) == len(values)


# The highest speed through a lane change.


class Pretended(lane_change_speed._Search):
    """Attempts by a rule of what passes at a speed, with what was learnt at one below."""

    def __init__(self, passes: Any, top: float = math.inf) -> None:
        super().__init__(None, None, None)  # type: ignore[arg-type]
        object.__setattr__(self, "passes", passes)
        object.__setattr__(self, "top", top)
        object.__setattr__(self, "asked", [])

    def begins(self, speed: float) -> bool:
        return bool(speed <= self.top)  # type: ignore[attr-defined]

    def _driven(self, speed: float, below: float | None) -> Any:
        self.asked.append(speed)  # type: ignore[attr-defined]
        made = dataclasses.make_dataclass("One", ["speed", "passed", "built_on"])
        return made(speed, self.passes(speed, below), below)  # type: ignore[attr-defined]

    def highest(self) -> float:
        self.scan(50.0, 1.0)
        return max(speed for speed, one in self.attempts.items() if one.passed)


@pytest.mark.parametrize("limit", [33.0, 47.0, 50.0, 63.0, 64.0, 69.0])
def test_the_search_ends_between_a_pass_and_a_failure(limit: float) -> None:
    search: Any = Pretended(lambda speed, below: speed <= limit)
    assert search.highest() == limit
    assert limit + 1.0 in search.attempts
    assert not search.attempts[limit + 1.0].passed
    assert len(search.asked) <= 13


def test_a_failure_between_passes_does_not_end_the_search() -> None:
    assert Pretended(lambda speed, below: speed <= 67.0 and speed != 60.0).highest() == 67.0


def test_what_fails_is_tried_again_with_what_was_learnt_since() -> None:
    """Above 60 km/h a speed passes only after one that is no more than 2 km/h lower."""

    def passes(speed: float, below: float | None) -> bool:
        return speed <= 60.0 or (speed <= 67.0 and below is not None and speed - below <= 2.0)

    assert Pretended(passes).highest() == 67.0


def test_a_speed_that_the_drive_cannot_keep_ends_the_search() -> None:
    search: Any = Pretended(lambda speed, below: True, top=57.0)
    assert search.highest() == 57.0
    assert max(search.asked) == 57.0


def test_where_nothing_passes_the_search_ends() -> None:
    search = Pretended(lambda speed, below: False)
    search.scan(50.0, 1.0)
    assert min(search.attempts) == 10.0


@pytest.mark.long
def test_grip_is_the_limit_and_not_the_driver() -> None:
    """Tyres at their limit at the speed that fails; with linear tyres, which have none, the same
    driver is much faster."""
    first = at.ObstacleAvoidance(first="55 km/h")
    found = at.procedure(at.read_model("sedan", SINGLE_TRACK), first)
    check_result(found, "iso-3888-2")
    assert 68.0 <= found["highest_speed"] <= 75.0
    assert found["failing_speed"] == found["highest_speed"] + 1.0
    assert 95.0 < found["grip_share"] < 115.0
    assert 80.0 < found["bound_share"] < 100.0
    linear = at.procedure(
        at.read_model("sedan", LINEAR), at.ObstacleAvoidance(first="75 km/h", resolution="5 km/h")
    )
    assert linear["highest_speed"] >= 85.0


@pytest.mark.long
def test_practice_brings_a_car_closer_to_its_path() -> None:
    car = at.read_model("sedan", SINGLE_TRACK)
    change: Any = car.manoeuvres["iso-3888-2"]
    assert change.practice > 0
    system = car.with_changes(change.changes).formulate()
    how: Any = {"method": car.run.method, "step": "2 ms", "speed": "60 km/h", "outputs": []}
    runs = [
        system.drive(one, **how)  # type: ignore[attr-defined]
        for one in (dataclasses.replace(change, practice=0), change)
    ]
    unpractised, practised = ({one.name: one.value for one in run.findings} for run in runs)
    assert practised["maximum_path_deviation"] < 0.6 * unpractised["maximum_path_deviation"]
    assert practised["clearance"] > 0.05
    assert practised["passed"]


@pytest.mark.slow
def test_a_heavier_car_of_ones_own_clears_the_obstacle_avoidance(tmp_path: Path) -> None:
    """With 530 kg more than the sedan, whose tyres it has, and stiffer springs."""
    (tmp_path / "heavy.yaml").write_text("""
base: sedan
vehicle:
  body: {mass: 1950 kg, centre_height: 58 cm}
  axles: {front: {suspension: {stiffness: 30 kN/m}}, rear: {suspension: {stiffness: 34 kN/m}}}
""")
    car = at.read_model(tmp_path / "heavy.yaml")
    run = car.drive("iso-3888-2", speed="50 km/h", watch=False)
    found = {one.name: one.value for one in run.findings}
    assert found["passed"] == 1.0
    assert found["cones_hit"] == 0.0
    assert found["clearance"] > 0.05  # m


# The command.


def test_the_command_leaves_a_page_a_table_and_a_verdict(tmp_path: Path) -> None:
    folder = tmp_path / "stop"
    command = ["procedure", "sedan", "iso-21994", "--model", "single-track", "--out", str(folder)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert "verdict: no criterion: sedan, ISO 21994" in done.output
    assert (folder / "report.html").is_file()
    assert (folder / "stops.csv").read_text(encoding="utf-8").count("\n") == 5
    content = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    assert content["verdict"]["outcome"] == "no criterion"
    assert content["metrics"]["stopping_distance"]["unit"] == "m"


def test_an_interrupt_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(proving_ground, "simulate", interrupted)
    folder = tmp_path / "stop"
    command = ["procedure", "sedan", "iso-21994", "--model", "single-track", "--out", str(folder)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 130
    assert not folder.exists()


def test_strict_tells_a_failure_by_its_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stability_control, "_LIGHT_WAY", 9.0)  # m, which no car comes to
    command = ["procedure", "sedan", "fmvss-126", "--model", "linear", "--strict", "--no-report"]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "dwell")])
    assert done.exit_code == 3, done.output
    assert "at least 9 m (FMVSS 126, S5.2.3): failed" in done.output


def test_without_a_compiler_a_warning_comes_before_the_runs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AXLETREE_CC", "none")
    runnable.warn_of_no_compiler.cache_clear()

    class Told(Exception):
        pass

    def stop(words: str) -> None:
        raise Told(words)

    car = at.read_model("sedan", SINGLE_TRACK)
    with pytest.warns(runnable.NoCompilerWarning, match="generated Python"), pytest.raises(Told):
        at.procedure(car, "iso-21994", tell=stop)
    runnable.warn_of_no_compiler.cache_clear()


def test_a_car_alike_on_both_sides_stops_without_a_turn() -> None:
    """Rounded numbers turn it by 1e-9 rad, which is not told as a heading."""
    time = np.linspace(0.0, 4.0, 401)
    drift = {1e-9: 0.0, 1e-5: math.degrees(1e-5)}
    for largest, told in drift.items():
        turned = _turned({HEADING: largest * np.sin(time)})  # type: ignore[arg-type]
        assert math.degrees(np.max(np.abs(turned))) == pytest.approx(told, rel=1e-3)


class Failing:
    """Leaves its input alone, and after a second does something that no controller may."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def reset(self) -> None:
        pass

    def update(self, t: float, measured: Any) -> Any:
        return self.answer() if t > 1.0 else {}


def no_signal() -> Any:
    raise ValueError("no signal")


def late() -> Any:
    while True:
        pass


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (no_signal, "raises ValueError: no signal"),
        (lambda: {"driver.clutch": math.nan}, "gives nan for 'driver.clutch'"),
        (late, "gives no answer within 0.05 s"),
    ],
)
def test_a_controller_that_fails_stops_a_procedure_without_a_verdict(
    answer: Any, words: str
) -> None:
    car = at.read_model("sedan", SINGLE_TRACK)
    loop = at.ControlLoop(Failing(answer), "10 ms", sets=["driver.clutch"], timeout="50 ms")
    with pytest.raises(FailedControllerError, match=f"^stop from 50 km/h: .*{words}") as failed:
        car.procedure(at.StoppingDistance(speed="50 km/h"), controllers=[loop])
    assert failed.value.trajectory.time[-1] == pytest.approx(1.01, abs=0.011)
