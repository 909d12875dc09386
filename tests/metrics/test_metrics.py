"""Metrics of runs whose answers are known in closed form."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from scipy.signal import lsim

from axletree import catalogue
from axletree.core.errors import ModelError
from axletree.core.registry import load
from axletree.metrics.acceleration_and_braking import (
    RoadLoad,
    SpeedGain,
    SplitBraking,
    Stopping,
    TurnBraking,
)
from axletree.metrics.contract import Metric
from axletree.metrics.findings import NO_BREAK, Finding, point, value_in_words
from axletree.metrics.ride import WD, WK, RideComfort, Weighting, weighted, weighted_rms
from axletree.metrics.steady_cornering import SteadyCornering, SteadyTurn
from axletree.metrics.steering_response import (
    RandomResponse,
    SteeringResponse,
    bandwidth,
    estimate_response,
)
from axletree.metrics.steering_transients import DwellStability, StepResponse
from axletree.metrics.vehicle_signals import falls_to, lateral_acceleration, reaches

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Made:
    """A run of columns by name, those of the driver and of the vehicle without their first word."""

    time: Array
    columns: dict[str, Array]

    def __getitem__(self, name: str) -> Array:
        return self.columns[name.partition(".")[2]] + np.zeros(len(self.time))

    def __contains__(self, name: object) -> bool:
        return str(name).partition(".")[2] in self.columns


def made(time: Array, **columns: Any) -> Made:
    return Made(time, columns)


def found(metric: Metric, run: Made) -> dict[str, float]:
    return {one.name: one.value for one in metric.findings(run)}


@pytest.mark.parametrize("word", catalogue.METRICS)
def test_every_metric_says_what_it_is_and_needs(word: str) -> None:
    kind = load("metric", word, catalogue.METRICS)
    assert issubclass(kind, Metric)
    assert kind.summary
    assert all(name.startswith(("driver.", "vehicle.")) for name in kind.needs)


def test_the_page_has_every_metric() -> None:
    page = Path(__file__).parent.parent.parent / "docs" / "how-to" / "vehicle-manoeuvres.md"
    table = page.read_text("utf-8").partition("## Metrics")[2]
    rows = re.findall(r"^\| `([a-z-]+)` \|", table, re.M)
    assert rows == ["type", *catalogue.METRICS]


GIVEN: dict[str, dict[str, Any]] = {
    "steady-cornering": {"wheelbase": 2.7, "ratio": 15.0},
    "road-load": {"mass": 1000.0},
    "ride-comfort": {"begin": 3.0},
    "rearward-amplification": {"last": "trailer"},
    "trailer-damping": {"trailer": "trailer"},
    "rollover": {"axles": ["rear"]},
    "wheel-loads": {"loads": ["tyre.load"], "travels": ["rear.travel"], "begin": 3.0},
    "post-response": {"posts": ["post.position"]},
}


@pytest.mark.parametrize("word", catalogue.METRICS)
def test_a_run_that_ends_early_or_goes_straight_on_is_no_trouble(word: str) -> None:
    """Straight on at a speed: what is not told is left out or nan, without a warning."""
    kind = load("metric", word, catalogue.METRICS)
    columns = dict.fromkeys((
        "steering", "throttle", "brake", "lateral_speed", "vertical_speed", "yaw_rate", "sideslip",
        "roll", "pitch", "x", "y", "heading", "travel", "position",
    ), 0.0) | {"forward_speed": 20.0, "load": 3e3, "Fz": 3e3}  # fmt: skip
    for end in (0.01, 2.0):
        run = made(np.arange(0.0, end + 0.005, 0.01), **columns)
        metric = kind(**GIVEN.get(word, {}))
        told = found(metric, run)
        assert all(one.traces for one in metric.diagrams(run))
        late = "begin" in GIVEN.get(word, {})
        assert all(math.isnan(value) for value in told.values()) or not late


# -- reading ------------------------------------------------------------
def test_lateral_acceleration_is_that_of_the_point() -> None:
    """On a circle at a speed that changes sideways: d/dt of v by hand, plus r u."""
    t = np.linspace(0.0, 2.0, 2001)
    run = made(t, lateral_speed=0.5 * np.sin(3.0 * t), yaw_rate=0.2 + 0.1 * t, forward_speed=20.0)
    expected = 1.5 * np.cos(3.0 * t) + (0.2 + 0.1 * t) * 20.0
    assert lateral_acceleration(run)[1:-1] == pytest.approx(expected[1:-1], abs=1e-5)


def test_levels_are_passed_between_records() -> None:
    t = np.array([0.0, 1.0, 2.0])
    assert reaches(t, np.array([0.0, 1.0, 5.0]), 2.0) == pytest.approx(1.25)
    assert falls_to(t, np.array([5.0, 1.0, 0.0]), 2.0) == pytest.approx(0.75)
    assert math.isnan(reaches(t, np.array([0.0, 1.0, 5.0]), 6.0))


@pytest.mark.parametrize(
    ("value", "digits", "words"),
    [(20563.6, 4, "20560"), (-77223.0, 3, "-77200"), (9999.6, 4, "10000"), (3.2e9, 4, "3.2e+09")],
)
def test_large_values_are_written_in_full(value: float, digits: int, words: str) -> None:
    assert value_in_words(value, "N*m", digits) == words


@pytest.mark.parametrize(
    ("value", "words"), [(6.85e-17, "0 deg"), (-1e-12, "0 deg"), (-2e-6, "-2e-06 deg")]
)
def test_round_off_is_printed_as_nothing(value: float, words: str) -> None:
    turn = Finding("turn", value, "deg", "change of the heading")
    assert turn.in_words == words
    assert turn.value == value
    assert point(0.0, 0.0, turn).words().replace(NO_BREAK, " ") == f"{turn.description} {words}"


# -- a step ------------------------------------------------------------
def test_a_step_through_an_oscillator_has_its_overshoot_and_times() -> None:
    """Overshoot exp(-pi D / sqrt(1 - D^2)), peak at pi / (w sqrt(1 - D^2)); a yaw rate alone."""
    damping, rate, gain, speed, wheel, begin = 0.5, 6.0, 0.4, 25.0, 0.8, 1.0
    t = np.arange(0.0, 8.0, 2e-3)
    s = np.maximum(t - begin, 0.0)
    damped = rate * math.sqrt(1.0 - damping**2)
    swing = np.cos(damped * s) + damping * rate / damped * np.sin(damped * s)
    share = 1.0 - np.exp(-damping * rate * s) * swing
    run = made(
        t, steering=wheel * (t >= begin), yaw_rate=gain * wheel * share, lateral_speed=0.0,
        forward_speed=speed, sideslip=-0.02 * share,
    )  # fmt: skip
    told = found(StepResponse(), run)
    assert told["yaw_rate_gain"] == pytest.approx(gain, rel=1e-5)
    expected = gain * speed * math.radians(1.0)
    assert told["lateral_acceleration_gain"] == pytest.approx(expected, rel=1e-5)
    over = 100.0 * math.exp(-math.pi * damping / math.sqrt(1.0 - damping**2))
    assert told["yaw_rate_overshoot"] == pytest.approx(over, rel=1e-3)
    assert told["yaw_rate_peak_time"] == pytest.approx(math.pi / damped, abs=2e-3)
    ninety = s[np.flatnonzero(share >= 0.9)[0]]
    assert told["yaw_rate_response_time"] == pytest.approx(ninety, abs=4e-3)
    assert told["lateral_acceleration_overshoot"] == pytest.approx(over, rel=1e-3)
    factor = math.degrees(0.02) * math.pi / damped
    assert told["tb_factor"] == pytest.approx(factor, rel=5e-3)


def test_a_step_without_overshoot_has_no_peak() -> None:
    t = np.arange(0.0, 8.0, 0.01)
    share = 1.0 - np.exp(-3.0 * np.maximum(t - 1.0, 0.0))
    run = made(
        t, steering=-0.5 * (t >= 1.0), yaw_rate=-0.2 * share, lateral_speed=0.0,
        forward_speed=20.0, sideslip=0.0,
    )  # fmt: skip
    told = found(StepResponse(), run)
    assert told["yaw_rate_gain"] == pytest.approx(0.4, rel=1e-6)
    assert told["yaw_rate_overshoot"] == 0.0
    assert math.isnan(told["yaw_rate_peak_time"])
    assert told["yaw_rate_response_time"] == pytest.approx(math.log(10.0) / 3.0, abs=0.01)


# -- steady cornering ------------------------------------------------------------
@pytest.mark.parametrize("gradient", [0.002, -0.001])
def test_gradients_are_those_that_a_ramp_is_made_of(gradient: float) -> None:
    """delta = L r / v + K a, while the speed falls: K is found, whatever the speed does."""
    wheelbase, ratio = 2.7, 15.0
    t = np.linspace(0.0, 20.0, 2001)
    a, v = 0.2 * t, 25.0 - 0.1 * t
    r = a / v
    wheel = ratio * (wheelbase * r / v + gradient * a)
    run = made(
        t, steering=wheel, yaw_rate=r, forward_speed=v, lateral_speed=0.0, sideslip=-0.003 * a,
        roll=0.008 * a,
    )  # fmt: skip
    told = found(SteadyCornering(wheelbase, ratio), run)
    assert told["understeer_gradient"] == pytest.approx(math.degrees(gradient), rel=1e-9)
    assert told["roll_gradient"] == pytest.approx(math.degrees(0.008), rel=1e-9)
    assert told["sideslip_gradient"] == pytest.approx(-math.degrees(0.003), rel=1e-9)
    name, other = "characteristic_speed", "critical_speed"
    name, other = (name, other) if gradient > 0.0 else (other, name)
    expected = 3.6 * math.sqrt(wheelbase / abs(gradient))  # km/h
    assert told[name] == pytest.approx(expected, rel=1e-9)
    assert math.isnan(told[other])
    used = (a >= 0.5) & (a <= 2.0)
    rise = float(np.polyfit(a[used], np.degrees(wheel[used]), 1)[0])
    assert told["steering_sensitivity"] == pytest.approx(1.0 / rise, rel=1e-6)


def test_a_turn_that_is_too_gentle_has_no_gradients() -> None:
    t = np.linspace(0.0, 1.0, 11)
    run = made(
        t, steering=0.0, yaw_rate=0.0, forward_speed=20.0, lateral_speed=0.0, sideslip=0.0, roll=0.0
    )
    told = found(SteadyCornering(2.7, 15.0), run)
    assert told.pop("maximum_lateral_acceleration") == 0.0
    assert all(math.isnan(value) for value in told.values())


def test_a_turn_is_told_by_the_means_of_its_end() -> None:
    """A circle of 50 m to the right at 10 m/s, 6 deg outward, after a second of something else."""
    t = np.arange(0.0, 6.0, 0.01)
    early, beta = t < 3.9, math.radians(6.0)
    wave = np.sin(2.0 * math.pi * t)  # whole periods in the last 2 s: no part of any mean
    run = made(
        t, steering=np.where(early, 0.3, -1.2 + 0.1 * wave), sideslip=np.where(early, 9.0, beta),
        roll=np.where(early, 9.0, 0.02 + 0.01 * wave), yaw_rate=np.where(early, 9.0, -0.2),
        forward_speed=10.0 * math.cos(beta), lateral_speed=10.0 * math.sin(beta),
    )  # fmt: skip
    told = found(SteadyTurn(over=1.99), run)
    assert told.pop("steady_speed") == pytest.approx(10.0)
    assert told.pop("steady_radius") == pytest.approx(50.0)
    assert told.pop("steady_lateral_acceleration") == pytest.approx(-2.0 * math.cos(beta))
    assert told.pop("steering_wheel_angle") == pytest.approx(-math.degrees(1.2))
    assert told.pop("steady_sideslip") == pytest.approx(6.0)
    assert told.pop("steady_roll") == pytest.approx(math.degrees(0.02))
    assert not told
    straight = found(SteadyTurn(), made(t, **{**run.columns, "yaw_rate": 0.0}))
    assert math.isnan(straight["steady_radius"])
    assert straight["steady_speed"] == pytest.approx(10.0)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"yaw_rate": 1.1}, "not steady"),  # spins slowly while it slides: 11 m/s^2 after 2
        ({"forward_speed": -1.0}, "not steady"),  # 9 m/s after 10
        ({"offset": 3.0}, "off the path"),
        ({}, ""),
    ],
)
def test_a_turn_that_ends_otherwise_is_not_told(changed: dict[str, float], why: str) -> None:
    """A circle at 10 m/s whose last second differs by a number, or not."""
    t = np.arange(0.0, 6.0, 0.01)
    first = {"forward_speed": 10.0, "yaw_rate": 0.2, "offset": 0.1, "lateral_speed": 0.0,
             "steering": 0.4, "sideslip": 0.0, "roll": 0.01}  # fmt: skip
    late = np.where(t > 5.0, 1.0, 0.0)
    columns = {name: value + changed.get(name, 0.0) * late for name, value in first.items()}
    told = SteadyTurn(offsets="driver.offset").findings(made(t, **columns))  # type: ignore[arg-type]
    assert len(told) == 6
    assert all(math.isnan(one.value) == bool(why) for one in told)
    assert all(one.description.endswith(f" ({why})") for one in told) or not why


# -- frequencies ------------------------------------------------------------
def sweep(t: Array) -> Array:
    octaves = math.log(50.0)
    tau = np.clip(t - 0.5, 0.0, 30.0)
    fade = np.minimum(tau, 1.0) * np.minimum(30.0 - tau, 1.0)
    return np.asarray(
        fade * np.sin(2.0 * math.pi * 0.1 * 30.0 / octaves * (np.exp(octaves / 30.0 * tau) - 1.0))
    )


def pulse(t: Array) -> Array:
    s = np.clip((t - 1.0) / 0.4, 0.0, 1.0)
    return np.asarray(0.5 * (1.0 - np.cos(2.0 * np.pi * s)))


@pytest.mark.parametrize("steering", [sweep, pulse])
def test_the_bandwidth_of_a_known_filter_is_found(steering: Callable[[Array], Array]) -> None:
    """First order: 3 dB at 1 / (2 pi T), here 1 Hz, whatever the steering is; gain 0.3 at 0 Hz."""
    corner, low = 1.0, 0.2
    t = np.arange(0.0, 34.0, 0.005)
    wheel = steering(t)
    _, yaw, _ = lsim(([0.3], [1.0 / (2.0 * math.pi * corner), 1.0]), wheel, t)
    run = made(t, steering=wheel, yaw_rate=yaw, lateral_speed=0.0, forward_speed=20.0)
    told = found(SteeringResponse(lowest=low), run)
    first = 0.3 / math.hypot(1.0, low / corner)
    assert told["yaw_rate_gain"] == pytest.approx(first, rel=1e-3)
    # 3 dB below the gain at the lowest frequency: 1 + f^2 = 2 (1 + low^2).
    expected = math.sqrt(2.0 * (1.0 + low**2) - 1.0)
    assert told["yaw_rate_bandwidth"] == pytest.approx(expected, rel=5e-3)
    assert told["lateral_acceleration_bandwidth"] == pytest.approx(expected, rel=5e-3)
    assert math.isnan(told["yaw_rate_peak_frequency"])


@pytest.mark.parametrize("weighting", [WK, WD])
def test_weighted_courses_are_those_of_the_state_space(weighting: Weighting) -> None:
    """Modes by recursion, of several runs in rows, against matrix exponentials of SciPy."""
    t = np.linspace(0.0, 5.0, 501)
    rows = np.random.default_rng(3).normal(size=(2, len(t)))
    felt = weighted(t, rows, weighting)
    for row, own in zip(rows, felt, strict=True):
        _, exact, _ = lsim(weighting.polynomials(), row, t)
        np.testing.assert_allclose(own, exact, rtol=0, atol=1e-12 * np.abs(exact).max())
        np.testing.assert_array_equal(own, weighted(t, row, weighting))


def test_coherence_is_the_share_that_steering_explains() -> None:
    """White steering S through a gain, with white noise N beside it: the response is the gain, and
    the coherence is gain^2 S / (gain^2 S + N) (Bendat and Piersol 2010, chapter 6)."""
    chance = np.random.default_rng(3)
    t = np.arange(0.0, 2000.0, 0.02)
    wheel, noise = chance.standard_normal((2, len(t)))
    run = made(t, steering=wheel, yaw_rate=0.3 * wheel + 0.1 * noise, lateral_speed=0.0,
               forward_speed=20.0)  # fmt: skip
    seen = estimate_response(run, 0.2, 3.0, 20.0)
    share = np.mean(seen.coherence["vehicle.yaw_rate"])
    assert share == pytest.approx(0.09 / (0.09 + 0.01), abs=0.01)
    assert np.mean(seen.response["vehicle.yaw_rate"]) == pytest.approx(0.3, abs=2e-3)
    told = found(RandomResponse(), run)
    assert 0.7 < told["coherence"] < share
    clean = made(t, steering=wheel, yaw_rate=0.3 * wheel, lateral_speed=0.0, forward_speed=20.0)
    assert found(RandomResponse(), clean)["coherence"] == pytest.approx(1.0, abs=1e-9)
    assert RandomResponse().findings(made(t, steering=0.0 * t, yaw_rate=0.0 * t)) == ()


def test_a_gain_that_stays_has_no_bandwidth() -> None:
    f = np.linspace(0.1, 3.0, 5)
    assert math.isnan(bandwidth(f, np.ones(5)))
    assert math.isnan(bandwidth(f, np.zeros(5)))
    assert bandwidth(f, 1.0 - 0.25 * (f - 0.1)) == pytest.approx(0.1 + 4 * (1 - math.sqrt(0.5)))


# -- braking ------------------------------------------------------------
def test_an_even_stop_is_the_school_formula() -> None:
    """v^2 / (2 a), v / a and a; the last decimetre per second takes v^2 / (2 a) = 0.6 mm."""
    v, a, begin = 27.0, 8.0, 1.0
    t = np.arange(0.0, 6.0, 0.01)
    speed = np.clip(v - a * (t - begin), 0.0, v)
    run = made(t, brake=(t > begin) * 0.5, forward_speed=speed, lateral_speed=0.0, heading=0.0)
    told = found(Stopping(), run)
    assert told["stopping_distance"] == pytest.approx(v * v / (2.0 * a), abs=2e-3)
    assert told["stopping_time"] == pytest.approx(v / a, abs=0.02)
    assert told["mean_fully_developed_deceleration"] == pytest.approx(a, rel=1e-4)
    assert told["first_speed"] == 3.6 * v
    moving = found(Stopping(), made(t[:200], **{k: c if np.isscalar(c) else c[:200]
                                               for k, c in run.columns.items()}))  # fmt: skip
    assert math.isnan(moving["stopping_distance"])


@pytest.mark.parametrize(("drift", "told"), [(0.1, True), (0.3, False)])
def test_what_stops_on_other_ground_tells_no_distance(drift: float, told: bool) -> None:
    """8 m/s^2 from 24 m/s in 3 s; a wheel 0.75 m to the right crosses y = 0 after 0.75 / drift."""
    t = np.arange(0.0, 6.0, 0.01)
    run = made(
        t, brake=(t > 1.0) * 1.0, forward_speed=np.clip(24.0 - 8.0 * (t - 1.0), 0.0, 24.0),
        lateral_speed=0.0, heading=0.0, yaw_rate=0.0, x=0.0, y=drift * np.clip(t - 1.0, 0.0, 3.0),
    )  # fmt: skip
    wheels = [[1.1, -0.75], [-1.4, -0.8]]
    stopped = found(Stopping(low_side=wheels), run)  # type: ignore[arg-type]
    assert math.isnan(stopped["stopping_distance"]) != told
    assert math.isnan(stopped["mean_fully_developed_deceleration"]) != told
    assert stopped["first_speed"] == pytest.approx(86.4)
    split = found(SplitBraking(low_side=wheels), run)  # type: ignore[arg-type]
    until = math.nan if told else 0.75 / drift
    assert split["time_on_low_side"] == pytest.approx(until, abs=1e-6, nan_ok=True)
    assert "time_on_low_side" not in found(SplitBraking(), run)
    with pytest.raises(ModelError, match="low_side: expected rows x, y, got rows of 3 numbers"):
        Stopping(low_side=[[1.0, 2.0, 3.0]])  # type: ignore[arg-type]


def test_braking_that_turns_in_has_a_ratio_above_one() -> None:
    t = np.arange(0.0, 6.0, 0.01)
    v = np.where(t <= 2.0, 20.0, 20.0 - 5.0 * (t - 2.0))
    turn = np.where(t <= 2.0, 1.0, 1.2)
    run = made(t, brake=(t > 2.0) * 0.4, forward_speed=v, yaw_rate=turn * v / 80.0,
               sideslip=np.where(t < 2.0, 0.0, 0.01 * np.minimum(t - 2.0, 1.0)))  # fmt: skip
    told = found(TurnBraking(), run)
    assert told["first_radius"] == pytest.approx(80.0, rel=1e-9)
    assert told["yaw_rate_ratio"] == pytest.approx(1.2, rel=1e-9)
    assert told["mean_deceleration"] == pytest.approx(5.0)
    assert told["sideslip_change"] == pytest.approx(math.degrees(0.01), rel=1e-9)


# -- speed ------------------------------------------------------------
def test_an_even_gain_of_speed() -> None:
    t = np.arange(0.0, 15.0, 0.01)
    speed = 3.0 + 2.5 * np.maximum(t - 1.0, 0.0)
    run = made(t, throttle=(t > 1.0) * 1.0, forward_speed=speed, lateral_speed=0.0)
    told = found(SpeedGain(), run)
    end = 100.0 / 3.6
    assert told["time_to_speed"] == pytest.approx((end - 3.0) / 2.5, abs=1e-9)
    assert told["distance_to_speed"] == pytest.approx((end**2 - 9.0) / 5.0, rel=1e-6)
    assert told["maximum_acceleration"] == pytest.approx(2.5)
    words = [one.description for one in SpeedGain().findings(run)]  # 3 m/s is 10.8 km/h
    assert words[:2] == ["time from 11 km/h to 100 km/h", "distance from 11 km/h to 100 km/h"]


def test_the_road_load_of_a_coasting_mass_is_found() -> None:
    """m dv/dt = -(f0 + f2 v^2) has v = sqrt(f0/f2) tan(c - sqrt(f0 f2)/m t)."""
    mass, f0, f2 = 1400.0, 150.0, 0.4
    t = np.arange(0.0, 60.0, 0.01)
    start = math.atan(28.0 * math.sqrt(f2 / f0))
    speed = math.sqrt(f0 / f2) * np.tan(start - math.sqrt(f0 * f2) / mass * t)
    told = found(RoadLoad(mass), made(t, forward_speed=speed))
    assert told["road_load_f0"] == pytest.approx(f0, rel=2e-3)
    assert told["road_load_f1"] == pytest.approx(0.0, abs=0.02)
    assert told["road_load_f2"] == pytest.approx(f2, rel=2e-3)
    # What happens below 5 m/s does not count.
    stops = np.where(t > 50.0, 0.0, speed)
    assert found(RoadLoad(mass, slowest=10.0), made(t, forward_speed=stops))[
        "road_load_f0"
    ] == pytest.approx(f0, rel=2e-2)


# -- sine with dwell ------------------------------------------------------------
@pytest.mark.parametrize(("decay", "stable"), [(4.0, 1.0), (0.3, 0.0)])
def test_a_yaw_rate_that_stays_is_not_stable(decay: float, stable: float) -> None:
    """Steering from 1 s to 3 s; after its end yaw rate decays from its second peak."""
    t = np.arange(0.0, 6.0, 0.005)
    during = (t > 1.0) & (t < 3.0)
    steering = np.where(during, np.sin(np.pi * (t - 1.0)), 0.0)
    yaw = np.where(during, 0.4 * np.sign(steering), 0.0)
    yaw = np.where(t >= 3.0, -0.4 * np.exp(-decay * (t - 3.0)), yaw)
    run = made(t, steering=steering, yaw_rate=yaw, x=0.0, y=2.0 * np.maximum(t - 1.0, 0.0),
               heading=0.0)  # fmt: skip
    told = found(DwellStability(), run)
    assert told["yaw_rate_ratio_1"] == pytest.approx(100.0 * math.exp(-decay), rel=0.03)
    assert told["yaw_rate_ratio_2"] == pytest.approx(100.0 * math.exp(-1.75 * decay), rel=0.03)
    assert told["lateral_displacement"] == pytest.approx(2.14, abs=0.02)
    assert (told["stable"], told["responsive"]) == (stable, 1.0)
    words = {one.name: one.in_words for one in DwellStability().findings(run)}
    assert (words["stable"], words["responsive"]) == ("yes" if stable else "no", "yes")
    short = slice(None, 800)  # 1 s after the end of steering: 1.75 s are not told
    cut = {name: x if np.isscalar(x) else x[short] for name, x in run.columns.items()}
    (judged,) = (one for one in DwellStability().findings(made(t[short], **cut))
                 if one.name == "stable")  # fmt: skip
    assert judged.in_words == "none"


# -- comfort ------------------------------------------------------------
@pytest.mark.validation("vehicles")
def test_the_weightings_are_those_of_the_standard(agrees: Agrees) -> None:
    """Factors of the table of ISO 2631-1, to a unit of its last decimal."""
    wk = {0.5: 0.418, 1: 0.482, 2: 0.531, 4: 0.967, 6.3: 1.054, 8: 1.036, 10: 0.988, 16: 0.768,
          31.5: 0.405}  # fmt: skip
    wd = {0.5: 0.853, 1: 1.011, 2: 0.890, 4: 0.512, 8: 0.253}
    for weighting, factors in ((WK, wk), (WD, wd)):
        agrees(
            "weightings of vibration", weighting.gain(np.array(list(factors))),
            list(factors.values()), abs=1e-3, case="W_k" if weighting is WK else "W_d",
            source="ISO 2631-1, factors of its table",
        )  # fmt: skip


def test_a_vibration_is_felt_by_its_weight() -> None:
    """A sine of 5 Hz: its amplitude over sqrt 2, times the weight there; from a speed, too."""
    t = np.arange(0.0, 20.0, 0.002)
    w = 2.0 * math.pi * 5.0
    weight = float(WK.gain(np.array([5.0]))[0])
    expected = 1.5 / math.sqrt(2.0) * weight
    assert weighted_rms(t, 1.5 * np.sin(w * t)) == pytest.approx(expected, rel=5e-3)
    still = dict.fromkeys(("forward_speed", "lateral_speed", "yaw_rate", "pitch", "roll"), 0.0)
    told = found(RideComfort(), made(t, vertical_speed=-1.5 / w * np.cos(w * t), **still))
    assert told["weighted_vertical_acceleration"] == pytest.approx(expected, rel=5e-3)
    assert told["vertical_acceleration"] == pytest.approx(1.5 / math.sqrt(2.0), rel=2e-3)
    for metric, place in ((RideComfort(), "centre of mass"), (RideComfort(ahead=0.5), "seat")):
        felt = metric.findings(made(t, vertical_speed=0.0, **still))[0]
        assert felt.description.startswith(f"Wk-weighted RMS vertical acceleration at the {place}")
