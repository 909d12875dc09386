"""Friction by place, energy and work of tyres: limits that do not bind change nothing, those that
do are worth what their multipliers say."""

from __future__ import annotations

import numpy as np
import pytest
from optimisation.lap_samples import given_envelope

import axletree as at
from axletree.core.errors import ModelError
from axletree.expr import evaluate, symbol
from axletree.optimisation.lap_time.envelope import CarEnvelope
from axletree.optimisation.lap_time.free_line import free_line_lap, free_line_solution
from axletree.optimisation.lap_time.lap_limits import LapLimits, LapWork, TrackFriction
from axletree.optimisation.lap_time.quasi_steady import quasi_steady_lap
from axletree.optimisation.lap_time.result import TimedLap
from axletree.optimisation.solution import OptimalSolution

TURN = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
OVAL = np.column_stack([90.0 * np.cos(TURN), 45.0 * np.sin(TURN)])
TRACK = at.Track.through("oval", OVAL, 4.0, 4.0, smoothing=0.0, spacing=5.0)


@pytest.fixture(scope="module")
def envelope() -> CarEnvelope:
    pytest.importorskip("casadi")
    return given_envelope()


def lap(envelope: CarEnvelope, **limits: object) -> TimedLap:
    start = quasi_steady_lap(envelope, TRACK, "centre-line")
    return free_line_lap(envelope, TRACK, start, LapLimits(**limits))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def free(envelope: CarEnvelope) -> TimedLap:
    return lap(envelope)


@pytest.mark.parametrize("name", ["energy", "tyre_energy"])
def test_a_limit_that_is_not_reached_changes_nothing(
    envelope: CarEnvelope, free: TimedLap, name: str
) -> None:
    found = lap(envelope, **{name: 1e8})
    assert found.time == pytest.approx(free.time, abs=1e-4)
    assert found.sensitivities[name] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("name", ["energy", pytest.param("tyre_energy", marks=pytest.mark.slow)])
def test_a_limit_is_worth_its_multiplier(envelope: CarEnvelope, name: str) -> None:
    """Nine tenths of what the free lap uses; the slope against a difference of the costs."""
    start = quasi_steady_lap(envelope, TRACK, "centre-line")

    def solved(most: float) -> OptimalSolution:
        limits = LapLimits(**{name: most})
        return free_line_solution(envelope, TRACK, start, limits)

    most = float(solved(1e8)[name][-1])
    low, middle, high = (solved(share * most) for share in (0.898, 0.9, 0.902))
    assert middle[name][-1] == pytest.approx(0.9 * most, rel=1e-6)
    slope = (high.cost - low.cost) / (0.004 * most)
    assert slope < 0.0
    (found,) = middle.sensitivities([f"{name}_limit"]).values()
    assert found == pytest.approx(slope, rel=0.005)


def test_the_work_of_a_lap_is_what_its_accelerations_say(envelope: CarEnvelope) -> None:
    """From the columns: the mass times what pushes against drag and inertia, over the line."""
    found = lap(envelope, energy=1e8)
    work = LapWork.of(envelope.pace.vehicle)
    push = found["acceleration"] + work.drag * found["speed"] ** 2
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(found["x"]), np.diff(found["y"])))])
    expected = work.mass * np.trapezoid(np.maximum(push, 0.0), way)
    assert found["energy"][-1] == pytest.approx(expected, rel=0.01)


@pytest.mark.slow
def test_a_battery_that_just_holds_the_drag(envelope: CarEnvelope) -> None:
    """With little energy the car drives round at a steady speed: W = m drag v^2 L."""
    found = lap(envelope, energy=4.0e4)
    work = LapWork.of(envelope.pace.vehicle)
    length = float(np.sum(np.hypot(np.diff(found["x"]), np.diff(found["y"]))))
    steady = np.sqrt(4.0e4 / (work.mass * work.drag * length))
    assert np.ptp(found["speed"]) < 0.15 * steady
    # The smooth beginning of pushing leaves it a little below.
    assert length / found.time == pytest.approx(steady, rel=0.05)


def test_factors_across_a_track_are_those_of_the_map(envelope: CarEnvelope) -> None:
    """Uniform ones exactly; of a linear change the spline keeps the values."""
    uniform = TrackFriction(TRACK, at.UniformFriction(factor=0.6), 1.9)
    n = symbol("n")
    names = {name: symbol(name) for name in uniform.given}
    expression = uniform.factor(n, names)
    s = np.array([12.0])
    values = {names[name]: float(one(s)[0]) for name, one in uniform.given.items()}
    for offset in (-4.0, -0.3, 2.2, 4.0):
        (found,) = evaluate([expression], {**values, n: offset})
        assert found == pytest.approx(0.6, rel=1e-5)
    linear = {
        names[name]: 0.5 + 0.05 * one for name, one in zip(names, uniform.offsets, strict=True)
    }
    (found,) = evaluate([expression], {**linear, n: 1.234})
    assert found == pytest.approx(0.5 + 0.05 * 1.234, rel=1e-5)


def test_a_map_of_ones_changes_nothing(envelope: CarEnvelope, free: TimedLap) -> None:
    found = lap(envelope, friction=at.UniformFriction(factor=1.0))
    assert found.time == pytest.approx(free.time, abs=2e-3)


@pytest.mark.slow
def test_half_the_friction_is_half_the_acceleration(envelope: CarEnvelope) -> None:
    """Where grip limits, as of a car whose drive has plenty: times go by sqrt(1 / friction)."""
    dry = lap(envelope, friction=at.UniformFriction(factor=1.0))
    wet = lap(envelope, friction=at.UniformFriction(factor=0.5))
    assert wet["lateral_acceleration"].max() == pytest.approx(
        0.5 * dry["lateral_acceleration"].max(), rel=0.08
    )
    assert wet.time > 1.25 * dry.time


@pytest.mark.slow
def test_the_line_goes_where_there_is_grip(envelope: CarEnvelope) -> None:
    """Ice beyond the middle of the oval's upper side: the car goes by its inside."""
    ice = at.FrictionCells(factors=((1.0, 0.3),), length_x=60.0, length_y=20.0, x=-30.0, y=35.0,
                           transition=0.5)  # fmt: skip
    dry, iced = (lap(envelope, friction=one) for one in (at.UniformFriction(factor=1.0), ice))
    top = [one["y"][np.argmin(np.abs(one["x"]) + 1e3 * (one["y"] < 0.0))] for one in (dry, iced)]
    assert top[1] < top[0] - 1.0
    assert iced.time > dry.time


def test_bad_limits_are_named() -> None:
    with pytest.raises(ModelError, match="energy is -1 J; a lap needs more than 0"):
        LapLimits(energy=-1.0)
    with pytest.raises(ModelError, match="are limits of a free line"):
        at.lap("van", TRACK, method="centre-line", energy=1e6)
