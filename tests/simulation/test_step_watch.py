"""Runs with too large a step say so, propose one that holds, and others are not suspected."""

from __future__ import annotations

import math
import re
import runpy
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import app
from axletree.cli.run import EXIT_UNRELIABLE
from axletree.simulation import step_watch
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.loops import CLoop
from axletree.simulation.recording import Failure, Recording, StepError, StepPlan
from axletree.simulation.simulate import load_integrator
from axletree.simulation.step_watch import UNTRUSTED, signal_errors
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

TOO_LARGE = "is too large"
LARGE, SMALL = 0.05, 0.01  # of a state's range: what has to be told, and what must not be
CAMPAIGN = Path(__file__).parents[2] / "docs" / "making" / "make_step_watch.py"


def shipped(name: str) -> tuple[System, dict[str, Any]]:
    """The system of a model of the package, and its own inputs."""
    model = at.read_model(name)
    return model.formulate(), {"inputs": model.run.inputs}


def told(system: System, span: float, **settings: Any) -> Trajectory:
    """A run that has to be warned of."""
    with pytest.warns(UserWarning, match=TOO_LARGE) as caught:
        run = system.simulate(span, **settings)
    assert TOO_LARGE in run.note
    assert run.complete
    assert any(run.note in str(one.message) for one in caught)
    return run


def true_error(system: System, run: Trajectory, span: float, **settings: Any) -> float:
    """Of the worst state over its range, by a run of a much smaller step."""
    exact = system.simulate(span, **settings, watch=False)
    every = (len(exact) - 1) // (len(run) - 1)
    columns = ({name: one[name] for name in run.states} for one in (run, exact))
    found, given = columns
    given = {name: values[::every] for name, values in given.items()}
    return max(signal_errors(found, given, run.units).values())


def proposed_step(note: str) -> float:
    found = re.search(r"a step of (\S+) s holds", note)
    assert found is not None, note
    return float(found[1])


NAMED: Mapping[str, tuple[str, float, dict[str, Any]]] = {
    "pendulum at 0.3 s": ("pendulum", 9.0, {"step": 0.3}),
    "pendulum at 1 s": ("pendulum", 10.0, {"step": 1.0}),
    "andrews-squeezer": ("andrews-squeezer", 0.03, {"step": 1e-3}),
    "quarter-car": ("quarter-car", 5.0, {"step": 0.05, "record_interval": 0.05}),
}


@pytest.mark.parametrize("case", NAMED)
def test_shipped_models_at_nonsensical_steps_are_told(case: str) -> None:
    name, span, settings = NAMED[case]
    system, given = shipped(name)
    run = told(system, span, **settings, **given)
    step = proposed_step(run.note)
    better = {**settings, "step": step, **given}
    interval = settings["step"]
    holds = system.simulate(span, **{**better, "record_interval": interval})
    assert holds.note == ""
    finest = {**better, "step": step / 16.0, "record_interval": interval}
    assert true_error(system, holds, span, **finest) < SMALL
    assert true_error(system, run, span, **finest) > LARGE


def test_a_stiff_spring_that_rk4_damps_away_is_told(oscillator: System) -> None:
    """1 kg on 1e6 N/m at 1 ms: stable, and nothing is left of a motion that never ends."""
    given = {"parameters": {"spring.frequency": 1000.0}}
    run = told(oscillator, 1.0, step=1e-3, **given)
    assert abs(run["mass.position"][-1]) < 0.1
    assert proposed_step(run.note) < 2e-4


def test_explicit_euler_that_grows_without_end_is_told(oscillator: System) -> None:
    given = {"parameters": {"spring.frequency": 1000.0}, "method": "explicit-euler"}
    run = told(oscillator, 1.0, step=1e-3, **given)
    assert np.abs(run["mass.position"]).max() > 1e149
    assert "no step down to" in run.note
    assert "error control" in run.note
    assert "right to" not in run.note  # its last values are not what its first ones are judged by


def test_a_step_beyond_the_search_is_estimated_by_the_order(oscillator: System) -> None:
    run = told(oscillator, 20.0, step=0.02, method="explicit-euler", outputs=[])
    found = re.search(r"a step of about (\S+) s should hold", run.note)
    assert found is not None, run.note
    # Amplitudes grow by w^2 h t / 2, twice the error over the range from -1 to 1.
    assert 0.5 < float(found[1]) / (0.02 / (2.0**2 * 20.0 / 2.0)) < 2.0


def test_a_step_that_only_its_double_survives_is_told(
    oscillator: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run with half the step that stops confirms nothing."""
    alone = FixedStep.integrate

    def stopped(method: FixedStep, problem: Any, chunk: int | None = None) -> Any:
        recording = alone(method, problem, chunk)
        failure = Failure("mass.speed is lost", "") if problem.step < 0.5 else None
        return replace(recording, failure=failure)

    monkeypatch.setattr(FixedStep, "integrate", stopped)
    with pytest.warns(UserWarning, match=r"is in doubt, .* stops: mass\.speed is lost"):
        oscillator.simulate(20.0, step=0.5)


@pytest.mark.parametrize("step", [5e-3, 2e-3])
def test_a_chaotic_motion_is_told_where_it_is_off(step: float) -> None:
    system, given = shipped("double-pendulum")
    told(system, 20.0, step=step, **given)


def test_a_run_that_is_right_for_most_of_its_time_says_until_when() -> None:
    """By a method with error control."""
    system, given = shipped("double-pendulum")
    run = told(system, 20.0, step=2.5e-3, **given)
    found = re.search(r"all signals are right to 1 % until t = (\S+) s", run.note)
    assert found is not None, run.note
    exact = system.simulate(
        20.0, method="dop853", record_interval=2.5e-3, outputs=[], **given,
        relative_tolerance=1e-11, absolute_tolerance=1e-11,
    )  # fmt: skip
    last = int(np.searchsorted(run.time, float(found[1])))

    def error(first: int, end: int) -> float:
        parts = ({name: one[name][first:end] for name in run.states} for one in (run, exact))
        return max(signal_errors(*parts, run.units).values())

    assert error(0, last - 20) < SMALL < LARGE < error(0, len(run))


@pytest.mark.parametrize("method", ["explicit-euler", "semi-implicit-euler", "rk4"])
@pytest.mark.parametrize("angle", [5e-2, 0.2, 0.5])
def test_errors_of_an_oscillation_are_told_by_the_rule(
    oscillator: System, method: str, angle: float
) -> None:
    """Over 40 rad, in steps of these angles [rad] and less: the exact motion is known."""
    for step in angle / 2.0 * np.array([1.0, 0.1, 0.01, 0.001]):
        if method == "rk4" and step < 1e-3:
            continue
        span = step * round(20.0 / step)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = oscillator.simulate(span, step=float(step), method=method, outputs=[])
        phase = 2.0 * run.time
        off = np.abs(run["mass.position"] - np.cos(phase)) / 2.0
        error = max(off.max(), (np.abs(run["mass.speed"] + 2.0 * np.sin(phase)) / 4.0).max())
        if not SMALL <= error <= LARGE:
            assert (TOO_LARGE in run.note) == (error > LARGE), (step, error)


@pytest.mark.parametrize(
    "model", ["slider-crank", pytest.param("bicycle-car", marks=pytest.mark.slow)]
)
def test_a_sample_of_models_and_manoeuvres_keeps_the_rule(
    campaign: dict[str, Any], model: str
) -> None:
    """What ``make step-watch`` does with all of them."""
    cases = list(campaign["cases_of"](model))
    assert [str(case) for case in cases if case.missed or case.false] == []
    assert any(case.told for case in cases)
    assert not all(case.told for case in cases)


def test_the_watch_changes_nothing_of_a_run_and_can_be_left_out(oscillator: System) -> None:
    settings = {"step": 0.5, "method": "explicit-euler"}
    run = told(oscillator, 20.0, **settings)
    alone = oscillator.simulate(20.0, **settings, watch=False)
    assert alone.note == ""
    assert all((run[name] == alone[name]).all() for name in alone.names)


def test_loops_in_python_and_in_c_come_to_the_same_verdict(
    oscillator: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = told(oscillator, 20.0, step=0.5).note
    monkeypatch.setenv("AXLETREE_CC", "none")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert oscillator.simulate(20.0, step=0.5).note == note


def test_a_step_that_divides_itself_is_not_suspected_at_a_blow() -> None:
    """A tyre that lands, in parts of steps."""
    system, given = shipped("quarter-car")
    run = system.simulate(2.0, step=5e-3, method="subdivided-rk45", **given)
    assert run.note == ""


def test_an_animation_says_so() -> None:
    model = at.read_model("pendulum")
    system = model.formulate()
    run = told(system, 9.0, step=0.3)
    assert TOO_LARGE in at.animation(model, run, system=system).scene.note
    right = system.simulate(1.0, step=1e-3)
    assert at.animation(model, right, system=system).scene.note == ""


def test_samples_take_less_than_two_per_cent_of_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = 0
    alone = CLoop.steps_from

    def counted(loop: CLoop, times: Any, starts: Any, h: float, count: int) -> Any:
        nonlocal taken
        taken += count * len(starts)
        return alone(loop, times, starts, h, count)

    monkeypatch.setattr(CLoop, "steps_from", counted)
    system, given = shipped("bicycle-car")
    run = system.simulate(10.0, step=1e-3, record_interval=0.02, **given)
    assert run.note == ""
    assert 0 < taken < 0.02 * run.steps


def test_a_blow_between_samples_is_seen(
    oscillator: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A force of a few steps, between all records that samples are taken at."""
    times, forces = np.array([0.0, 7.3, 7.31, 7.33, 7.34, 10.0]), np.array([0, 0, 1, 1, 0, 0]) * 2e3
    estimates = []
    alone = step_watch.sampled_error

    def kept(*given: Any) -> Any:
        found = alone(*given)
        estimates.append(found.share)
        return found

    monkeypatch.setattr(step_watch, "sampled_error", kept)
    settings = {"inputs": {"motor.force": (times, forces)}, "initial": {"mass.position": 0.0}}
    oscillator.simulate(10.0, step=1e-3, method="semi-implicit-euler", **settings)
    assert estimates[0] > 1e-4


def test_a_blow_that_is_over_after_three_records_is_found_in_a_run_of_thousands(
    oscillator: System,
) -> None:
    """Blows of less than two steps, there and back, between the records that samples are chosen by.

    Steps see the tips of both, and make the speed between them a third too large.
    """
    blow = np.array([0.0, 1.5e-3, 3e-3])
    times = 55.1205 + np.concatenate([blow, 0.06 + blow])
    forces = 1.2e4 * np.array([0, 1, 0, 0, -1, 0])
    settings: dict[str, Any] = {"inputs": {"motor.force": (times, forces)}, "outputs": []}
    settings |= {"parameters": {"spring.frequency": 0.1}, "initial": {"mass.position": 100.0}}
    settings |= {"method": "semi-implicit-euler", "record_interval": 0.02}
    run = told(oscillator, 60.0, step=2e-3, **settings)
    assert true_error(oscillator, run, 60.0, step=1e-4, **settings) > LARGE


def test_steps_in_parts_that_are_in_doubt_are_held_against_coarser_ones(
    oscillator: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At half the steps, with the tolerances of the other length: not at twice, as a finer run."""
    asked = []
    alone = FixedStep.integrate

    def kept(method: FixedStep, problem: Any, chunk: int | None = None) -> Any:
        asked.append(problem)
        return alone(method, problem, chunk)

    monkeypatch.setattr(FixedStep, "integrate", kept)
    monkeypatch.setattr(step_watch, "sampled_error", lambda *_: StepError(0.5, "mass.speed"))
    run = oscillator.simulate(20.0, step=0.01, method="subdivided-rk45", outputs=[])
    assert run.note == ""
    assert run.step_error is not None
    assert run.step_error.confirmed
    assert run.step_error.further > 0.0
    assert run.step_error.in_words.endswith("% of its steps")
    first, second = asked
    assert second.step == 2.0 * first.step
    assert second.tolerances.relative == pytest.approx(2.0**5 * first.tolerances.relative)
    error = np.abs(run["mass.position"] - np.cos(2.0 * run.time)).max() / 2.0
    assert error < run.step_error.share < UNTRUSTED


def test_one_tangent_is_enough_for_a_short_run_of_many_states() -> None:
    """More would take longer than all else that a run of so few steps is sampled with."""
    taken = []

    class Loop:
        def steps_from(self, times: Any, starts: Any, h: float, count: int) -> Any:
            taken.append(len(starts))
            return np.array(starts)

    for count in (1000, 10_000):
        rows, states = 101, 40
        time, moving = np.linspace(0.0, 1.0, rows), np.arange(states)
        recording = Recording(time, np.outer(time, np.ones(states)), np.zeros((rows, 0)), ())
        plan = StepPlan(1.0 / count, count, count // (rows - 1))
        samples = step_watch._Samples(
            Loop(), 1, plan, recording, 1, moving, np.ones(states), np.ones(0), averages=True
        )
        samples.tangents(samples._rows_of_tangents())
    assert taken == [states + 1, 2 * (states + 1)]


@pytest.mark.parametrize(
    ("tangent", "grows"),
    [
        ([[1.0, 1e-3], [0.0, 1.0]], False),  # a position, and the speed that carries it away
        ([[1.0, 1e-3], [-1e-3, 1.0 - 1e-3]], False),  # a damped oscillation
        ([[1.0, 1e-3], [1e-3, 1.0]], True),  # a pendulum that stands upright, for ten seconds
        ([[1.0, 1.0], [1.0, 1.0]], True),  # beyond all numbers
    ],
)
def test_growth_is_told_from_drift(tangent: list[list[float]], grows: bool) -> None:
    """By powers; eigenvalues say so, too."""
    given, count = np.array([tangent]), 10_000
    sources = step_watch._Sources(np.zeros(1), np.ones(1), np.ones((2, 1)), alike=1)
    with np.errstate(all="ignore"):
        assert step_watch._Carried(given, sources, count).grows == grows
    largest = np.abs(np.linalg.eigvals(given)).max()
    assert (count * math.log(largest) > 1e-3) == grows


@pytest.fixture(scope="module")
def campaign() -> dict[str, Any]:
    return runpy.run_path(str(CAMPAIGN))


def test_some_runs_of_the_campaign_leave_what_is_found_of_the_others(
    campaign: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, file = campaign["main"], tmp_path / "step-watch.json"
    monkeypatch.setitem(main.__globals__, "FOUND", file)
    monkeypatch.setitem(main.__globals__, "PAGE", tmp_path / "step-watch.md")
    monkeypatch.setitem(main.__globals__, "EXACT", tmp_path)
    case = campaign["Case"](
        "bricard", "its own run", "rk4", 1e-3, True, 0.06, "hinge.rate", 0.0, "", False, False,
        0.0, 1e-4, "hinge.rate",
    )  # fmt: skip
    old = campaign["Findings"]("earlier", (case,))
    campaign["write_findings"](file, {"bricard/its own run": old})
    assert campaign["main"](["--processes", "1", "pendulum"]) == 1  # for the other is missed
    found = campaign["read_findings"](file)
    assert found["bricard/its own run"] == old
    assert len(found["pendulum/its own run"].cases) == 4
    page = (tmp_path / "step-watch.md").read_text(encoding="utf-8")
    assert "1 of the 2 runs were judged by an earlier watch" in page
    assert "`andrews-squeezer`" in page.partition("Not run for this page:")[2]
    assert str(case) in page.partition("Runs that break the rule:")[2]


def test_the_page_is_of_what_was_found(campaign: dict[str, Any]) -> None:
    cases = campaign["cases_in"](campaign["read_findings"](campaign["FOUND"]))
    page = campaign["PAGE"].read_text(encoding="utf-8")
    assert campaign["row"]("all", cases) in page
    assert campaign["row"]("all", [case for case in cases if case.proposed]) in page
    assert [str(case) for case in cases if case.missed or case.false] == []


def test_the_report_says_so_on_top_and_strict_by_its_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = ["run", "pendulum", "--step", "0.5", "--out", "wrong"]
    warnings.simplefilter("always")  # as the command has it; pytest sets it back
    lenient = CliRunner().invoke(app, wrong)
    assert lenient.exit_code == 0
    assert TOO_LARGE in lenient.stderr
    page = (tmp_path / "wrong" / "report.html").read_text(encoding="utf-8")
    top = page[: page.index("<h2")]
    assert "Do not rely on this run" in top
    assert TOO_LARGE in top
    assert CliRunner().invoke(app, [*wrong, "--strict"]).exit_code == EXIT_UNRELIABLE
    right = ["run", "pendulum", "--out", "right", "--strict"]
    assert CliRunner().invoke(app, right).exit_code == 0


SPRING = """\
name: stiff_spring
components:
  body: {type: rigid-body, mass: 1 kg, inertia: [1, 1, 1]}
  guide: {type: prismatic, tail: ground, head: body, axis: x}
  spring: {type: slide-spring-damper, joint: guide, stiffness: 1e6 N/m}
start: {guide.position: 1}
"""
COMMANDS: Mapping[str, list[str]] = {
    "a stiff spring by rk4": ["spring.yaml", "--duration", "1", "--step", "1e-3"],
    "a stiff spring by Euler": [
        "spring.yaml", "--duration", "0.9", "--step", "1e-3", "--method", "explicit-euler"
    ],
    "pendulum at 0.3 s": ["pendulum", "--duration", "9", "--step", "0.3"],
    "pendulum at 1 s": ["pendulum", "--step", "1"],
    "andrews-squeezer": ["andrews-squeezer", "--step", "1e-3"],
    "quarter-car": ["quarter-car", "--step", "0.05", "--record-interval", "0.05"],
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("case", COMMANDS)
def test_strict_commands_end_with_exit_code_3(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("spring.yaml").write_text(SPRING, encoding="utf-8")
    warnings.simplefilter("always")
    done = CliRunner().invoke(app, ["run", *COMMANDS[case], "--out", "out", "--strict"])
    assert done.exit_code == EXIT_UNRELIABLE, done.output
    assert TOO_LARGE in done.stderr


def test_the_estimate_is_told_with_runs_that_are_right(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["run", "quarter-car", "--duration", "1", "--out", "out"])
    told = r"error of the steps: (?:below )?(\S+) % of the range of (\S+), by samples"
    found = re.search(told, done.stdout)
    assert found is not None, done.stdout
    assert float(found[1]) < 1e-3
    page = Path("out", "report.html").read_text(encoding="utf-8")
    assert f"{found[1]} % of the range of {found[2]}" in page


def damped(ratio: float, frequency: float) -> System:
    """A mass between a spring and a damper that is let go."""
    model = at.Model("damped")
    body = model.add(at.RigidBody("body", 1.0, (1.0, 1.0, 1.0)))
    guide = model.add(at.Prismatic("guide", model.ground, body, axis=(1.0, 0.0, 0.0)))
    model.add(
        at.SlideSpringDamper(
            "spring", guide, stiffness=frequency**2, damping=2.0 * ratio * frequency,
            free_position=0.0,
        )
    )  # fmt: skip
    return model.formulate()


def true_error_of_damped(run: Trajectory, ratio: float, frequency: float) -> float:
    """By the closed form of a motion that is let go at 1 m."""
    roots = frequency * (-ratio + np.array([1, -1]) * np.emath.sqrt(ratio**2 - 1.0))
    weights = np.array([-roots[1], roots[0]]) / (roots[0] - roots[1])
    motion = (weights * np.exp(np.outer(run.time, roots))).sum(axis=1).real
    speed = (weights * roots * np.exp(np.outer(run.time, roots))).sum(axis=1).real
    exact = {"guide.position": motion, "guide.speed": speed}
    found = {name: run[name] for name in exact}
    return max(signal_errors(found, exact, run.units).values())


@pytest.mark.parametrize(("ratio", "frequency"), [(0.3, 20.0), (0.7, 50.0), (2.0, 20.0)])
@pytest.mark.parametrize("method", ["explicit-euler", "semi-implicit-euler"])
def test_samples_tell_errors_that_fade(method: str, ratio: float, frequency: float) -> None:
    """Errors of order 1 of a motion that dies out, against its closed form, within a factor of 3.

    If all errors of steps stayed, there would be ten times as much in the long run.
    """
    system = damped(ratio, frequency)
    run = system.simulate(
        20.0, step=5e-4, method=method, initial={"guide.position": 1.0}, outputs=[],
        record_interval=5e-3,
    )  # fmt: skip
    true = true_error_of_damped(run, ratio, frequency)
    assert run.step_error is not None
    assert true / 3.0 < run.step_error.share < 3.0 * true


@pytest.mark.parametrize("ratio", [0.3, 0.5, 0.7])
def test_what_dies_out_at_the_beginning_of_a_long_run_needs_no_second_run(ratio: float) -> None:
    """Samples are chosen by every 48th record, which has next to nothing of the range of speeds."""
    system = damped(ratio, 50.0)
    run = system.simulate(
        60.0, step=5e-4, method="semi-implicit-euler", initial={"guide.position": 1.0},
        outputs=[], record_interval=5e-3,
    )  # fmt: skip
    assert run.step_error is not None
    assert not run.step_error.confirmed
    assert run.step_error.further == 0.0
    true = true_error_of_damped(run, ratio, 50.0)
    assert true / 2.0 < run.step_error.share < 2.0 * true


def test_an_output_that_is_wrong_is_told_though_states_are_right() -> None:
    """The force of a tyre in a blow, beside motions that hardly feel how it goes."""
    system, given = shipped("motor-driven-slider-crank")
    settings = {"step": 5e-4, "record_interval": 5e-3, **given}
    run = told(system, 3.0, **settings, outputs=["die.force"])
    assert run.step_error is not None
    assert run.step_error.signal == "die.force"


def test_a_violated_constraint_is_not_judged_by_its_own_size() -> None:
    """By Baumgarte's form the slider leaves its way at 4e-7 m/s, where it goes along at 8 m/s."""
    system = at.read_model("slider-crank").formulate(form="baumgarte")
    run = system.simulate(2.0, step=1e-3, outputs=["slider.velocity.x", "slider.velocity.z"])
    assert np.ptp(run["slider.velocity.x"]) > 8.0
    assert 1e-7 < np.ptp(run["slider.velocity.z"]) < 1e-6
    assert run.note == ""


def test_what_is_zero_in_one_run_alone_is_off() -> None:
    time = np.linspace(0.0, 6.0, 50)
    large, units = np.cos(time), {"large": "m", "small": "m"}
    for size, least, most in ((4e-7, 0.0, 0.0), (4e-6, 1.0, 5.0)):
        run, exact = ({"large": large, "small": part * np.sin(time)} for part in (size, 0.0))
        assert least <= signal_errors(run, exact, units)["small"] <= most


def test_what_nothing_moves_in_has_no_error(oscillator: System) -> None:
    run = oscillator.simulate(
        1.0, step=1e-2, initial={"mass.position": 0.0, "mass.speed": 0.0}, outputs=[]
    )
    assert run.step_error is not None
    assert run.step_error.in_words == "none, for nothing moves"


def test_a_run_without_the_watch_says_that_its_step_was_not_judged(oscillator: System) -> None:
    run = oscillator.simulate(1.0, step=1e-2, watch=False)
    assert run.step_error is not None
    assert not run.step_error.judged
    assert run.step_error.in_words == "not judged: the watch was left out"
    assert run.note == ""
    assert oscillator.simulate(1.0, method="dop853").step_error is None  # which has error control


def test_a_method_of_ones_own_is_not_judged(oscillator: System) -> None:
    class Mine:
        name, description = "mine", "takes steps of its own"

        def integrate(self, problem: Any) -> Any:
            return load_integrator("rk4").integrate(problem)

    found = oscillator.simulate(1.0, step=1e-2, method=Mine()).step_error
    assert found is not None
    assert found.in_words == "not judged: 'mine' is no method of Axletree"


def test_doubts_stay_where_further_runs_are_left_out(
    oscillator: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doubt is told, and nothing but the run itself is integrated."""
    asked = []
    alone = FixedStep.integrate

    def kept(method: FixedStep, problem: Any, chunk: int | None = None) -> Any:
        asked.append(problem)
        return alone(method, problem, chunk)

    monkeypatch.setattr(FixedStep, "integrate", kept)
    with pytest.warns(UserWarning, match="in doubt: samples of steps estimate that mass"):
        run = oscillator.simulate(60.0, step=0.5, method="rk4", outputs=[], further_runs=False)
    assert len(asked) == 1
    assert run.step_error is not None
    assert not run.step_error.confirmed
    assert run.step_error.in_words.endswith("which are in doubt: further runs were left out")
    assert "compare with a run of half of it" in run.note
    sure = oscillator.simulate(6.0, step=0.01, outputs=[], further_runs=False)
    assert sure.note == ""
    assert sure.step_error is not None
    assert sure.step_error.undecided == ""
