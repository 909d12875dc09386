"""Findings on their curves: marks stand where the run says, with its numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest

from axletree import catalogue
from axletree.core.registry import load
from axletree.ground.lane_changes import Iso38881Path
from axletree.ground.paths import SlalomPath
from axletree.metrics.acceleration_and_braking import RoadLoad, SpeedGain, Stopping
from axletree.metrics.contract import Metric
from axletree.metrics.findings import Diagram, Finding, Mark, MarkKind, Trace, point, span
from axletree.metrics.steady_cornering import SteadyCornering
from axletree.metrics.steering_response import SteeringResponse
from axletree.metrics.steering_transients import DwellStability, StepResponse
from axletree.metrics.trains import TrailerDamping
from axletree.plot.model_plots import diagram_panels
from axletree.plot.panels import draw_panels
from axletree.runs.follow_path import cone_diagram

TIME = np.linspace(0.0, 8.0, 1601)


@dataclass(frozen=True)
class Made:
    """A run of columns by their names; all others are 0."""

    time: np.ndarray
    columns: dict[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns.get(name, np.zeros_like(self.time))

    def __contains__(self, name: object) -> bool:
        return name in self.columns


def marks_of(metric: Metric, run: Made) -> dict[str, tuple[Diagram, Mark]]:
    """By the names of the findings that they say."""
    return {
        mark.said.name: (diagram, mark)
        for diagram in metric.diagrams(run)
        for mark in diagram.marks
        if isinstance(mark.said, Finding)
    }


def curve_at(diagram: Diagram, x: float) -> float:
    return float(np.interp(x, diagram.traces[0].x, diagram.traces[0].y))


@pytest.mark.parametrize("word", catalogue.METRICS)
def test_every_metric_has_diagrams(word: str) -> None:
    assert load("metric", word, catalogue.METRICS)._drawn is not Metric._drawn


def test_a_step_response_is_marked_where_it_is_reached() -> None:
    """Yaw rate 1 - exp(-w t) (cos w t + sin w t) has its peak at pi / w, of 1 + exp(-pi)."""
    begin, w = 1.0, 4.0
    since = np.maximum(TIME - begin, 0.0)
    yaw = 1.0 - np.exp(-w * since) * (np.cos(w * since) + np.sin(w * since))
    steering = np.where(since > 0.0, 1.0, 0.0)
    columns = {"driver.steering": steering, "vehicle.yaw_rate": 0.1 * yaw,
               "vehicle.forward_speed": np.full_like(TIME, 20.0)}  # fmt: skip
    found = marks_of(StepResponse(), Made(TIME, columns))
    diagram, reached = found["yaw_rate_response_time"]
    assert isinstance(reached.said, Finding)
    assert reached.x - reached.start == pytest.approx(reached.said.value, abs=1e-12)
    steady = math.degrees(0.1)
    assert curve_at(diagram, reached.x) == pytest.approx(0.9 * steady, rel=1e-4)
    assert found["yaw_rate_gain"][1].y == pytest.approx(steady, rel=1e-6)
    top = found["yaw_rate_overshoot"][1]
    assert top.x == pytest.approx(begin + math.pi / w, abs=5e-3)
    assert top.y == pytest.approx(steady * (1.0 + math.exp(-math.pi)), rel=1e-4)


def test_a_stop_is_marked_at_its_distance() -> None:
    """From 20 m/s with 5 m/s^2: 40 m; 80 % and 10 % of the speed are at 36 % and 99 % of it."""
    speed = np.maximum(20.0 - 5.0 * np.maximum(TIME - 1.0, 0.0), 0.0)
    columns = {"driver.brake": np.where(TIME > 1.0, 1.0, 0.0), "vehicle.forward_speed": speed}
    found = marks_of(Stopping(), Made(TIME, columns))
    way = found["stopping_distance"][1]
    assert (way.start, way.x) == pytest.approx((0.0, 40.0), abs=0.02)
    mean = found["mean_fully_developed_deceleration"][1]
    assert (mean.start, mean.x) == pytest.approx((14.4, 39.6), abs=0.02)
    stands = found["stopping_time"][1]
    assert (stands.start, stands.x) == pytest.approx((1.0, 4.98), abs=0.01)


def test_the_understeer_gradient_is_the_slope_of_the_line() -> None:
    """Of road wheels that turn by L / R + K a, with K of 0.2 deg/(m/s^2)."""
    v, L, K, ratio = 20.0, 2.7, math.radians(0.2), 15.0
    side = 0.5 * TIME
    wheels = L * side / v**2 + K * side
    columns = {"vehicle.forward_speed": np.full_like(TIME, v), "vehicle.yaw_rate": side / v,
               "driver.steering": ratio * wheels}  # fmt: skip
    diagram, mark = marks_of(SteadyCornering(L, ratio), Made(TIME, columns))["understeer_gradient"]
    line = diagram.traces[1]
    assert line.is_guide
    assert np.ptp(line.y) / np.ptp(line.x) == pytest.approx(0.2, rel=1e-6)
    assert mark.words().endswith("0.2\N{NO-BREAK SPACE}deg/(m/s²)")
    assert np.interp(mark.x, line.x, line.y) == pytest.approx(mark.y, rel=1e-9)


def test_a_bandwidth_is_marked_at_3_decibels() -> None:
    """Of a lag of the first order with 1 Hz, by a pulse; the gain at 0.1 Hz is nearly 1."""
    time = np.linspace(0.0, 40.0, 40_001)
    steering = np.where(time < 1.0, np.sin(np.pi * np.clip(time, 0.0, 1.0)) ** 2, 0.0)
    step, yaw = time[1] - time[0], np.zeros_like(time)
    for k in range(1, len(time)):
        decay = math.exp(-2.0 * math.pi * step)
        yaw[k] = decay * yaw[k - 1] + (1.0 - decay) * 0.5 * (steering[k] + steering[k - 1])
    run = Made(time, {"driver.steering": steering, "vehicle.yaw_rate": yaw,
                      "vehicle.forward_speed": np.ones_like(time)})  # fmt: skip
    metric = SteeringResponse(lowest=0.1, highest=1.9)
    diagram, mark = marks_of(metric, run)["yaw_rate_bandwidth"]
    assert diagram.is_logarithmic
    assert mark.x == pytest.approx(math.sqrt(1.0 + 2.0 * 0.1**2), rel=2e-3)
    assert curve_at(diagram, mark.x) == pytest.approx(-3.0103, abs=2e-3)
    assert mark.y == pytest.approx(-3.0103, abs=1e-4)


def test_a_sine_with_dwell_is_marked_after_its_end() -> None:
    """Steering from 1 s to 3 s, reversed at 2 s; the yaw rate falls from 1 at its end."""
    steering = np.where((TIME > 1.0) & (TIME < 3.0), np.sin(np.pi * (TIME - 1.0)), 0.0)
    yaw = np.where(TIME < 2.0, 0.0, -np.exp(-np.maximum(TIME - 3.0, 0.0)))
    run = Made(TIME, {"driver.steering": steering, "vehicle.yaw_rate": yaw})
    found = marks_of(DwellStability(), run)
    for name, wait in (("yaw_rate_ratio_1", 1.0), ("yaw_rate_ratio_2", 1.75)):
        diagram, mark = found[name]
        assert mark.x == pytest.approx(3.0 + wait, abs=0.01)
        assert mark.y == pytest.approx(-math.degrees(math.exp(-wait)), rel=0.01)
    limits = [trace.y[0] for trace in diagram.traces if trace.is_guide]
    assert limits == pytest.approx([-0.35 * 57.2958, -0.2 * 57.2958], rel=1e-4)


def test_a_speed_is_marked_when_it_is_reached() -> None:
    speed = 4.0 * np.maximum(TIME - 1.0, 0.0)
    run = Made(TIME, {"driver.throttle": np.where(TIME > 1.0, 1.0, 0.0),
                      "vehicle.forward_speed": speed})  # fmt: skip
    found = marks_of(SpeedGain(speed=20.0), run)
    assert found["time_to_speed"][1].x == pytest.approx(6.0, abs=0.01)
    assert found["distance_to_speed"][1].x == pytest.approx(50.0, abs=0.1)
    assert found["time_to_speed"][1].y == pytest.approx(72.0)


def test_a_road_load_is_the_curve_through_the_run() -> None:
    speed = 30.0 / (1.0 + 0.02 * TIME)  # what falls with its square: f2 = 1000 * 0.02 / 30
    diagram, mark = marks_of(RoadLoad(1000.0), Made(TIME, {"vehicle.forward_speed": speed}))[
        "road_load_f2"
    ]
    assert isinstance(mark.said, Finding)
    assert mark.said.value == pytest.approx(1000.0 * 0.02 / 30.0, rel=1e-3)
    fitted = diagram.traces[1]
    assert np.interp(25.0, fitted.x, fitted.y) == pytest.approx(mark.said.value * 625.0, rel=1e-3)


def test_an_envelope_touches_the_swing_that_it_is_of() -> None:
    w, damping = 4.0, 0.1
    since = np.maximum(TIME - 1.0, 0.0)
    rate = np.exp(-damping * w * since) * np.sin(w * math.sqrt(1.0 - damping**2) * since)
    run = Made(TIME, {"driver.steering": np.where(np.abs(TIME - 0.9) < 0.05, 1.0, 0.0),
                      "caravan.yaw_rate": 0.1 * rate})  # fmt: skip
    diagram, mark = marks_of(TrailerDamping("caravan"), run)["damping_ratio"]
    upper = diagram.traces[1]
    beyond = np.interp(TIME, upper.x, upper.y, left=np.inf, right=np.inf) - np.abs(
        diagram.traces[0].y
    )
    assert -0.02 < beyond.min() < 0.02  # deg/s, of a swing of 4
    assert mark.is_known


def test_what_a_run_does_not_tell_has_no_mark() -> None:
    unknown = Finding("none", math.nan, "s", "nothing")
    assert not point(1.0, 1.0, unknown).is_known
    assert not span(math.nan, 1.0, 1.0, "no beginning").is_known
    panels = diagram_panels([Diagram("", "[s]", "[m]", (Trace("", TIME, TIME),),
                                     (point(1.0, 1.0, unknown),))])  # fmt: skip
    assert not list(draw_panels(panels).axes[0].texts)


def test_what_is_read_at_one_place_is_said_together() -> None:
    marks = (point(1.0, 0.0, "first"), point(1.0, 0.0, "second"))
    diagram = Diagram("", "[s]", "[m]", (Trace("", TIME, 0.0 * TIME),), marks)
    texts = [text.get_text() for text in draw_panels(diagram_panels([diagram])).axes[0].texts]
    assert texts == ["first\nsecond"]


def test_a_title_is_not_said_again() -> None:
    found = Finding("yaw_rate_overshoot", 4.25, "%", "yaw rate: overshoot")
    mark = Mark(MarkKind.POINT, 0.0, 0.0, found)
    assert mark.words("Yaw rate") == "overshoot 4.25\N{NO-BREAK SPACE}%"
    assert mark.words("Roll").startswith("yaw rate: overshoot")


def test_a_number_is_read_in_the_unit_of_its_axis() -> None:
    speed, dose = (Finding("", 20.0, unit, "it is") for unit in ("m/s", "m/s^1.75"))
    words = {unit: point(0.0, 0.0, speed).words("", ["s", unit]) for unit in ("km/h", "m", "m/s")}
    assert [text.split()[-2:] for text in words.values()] == [
        ["72", "km/h"], ["20", "m/s"], ["20", "m/s"],
    ]  # fmt: skip
    assert point(0.0, 0.0, dose).words("", ["s", "dB"]).endswith("m/s¹·⁷⁵")


def test_what_has_died_away_is_nothing() -> None:
    left = Finding("", -5.6e-4, "%", "yaw rate")
    assert (left.in_words, left.value) == ("0 %", -5.6e-4)
    assert point(0.0, 0.0, left).words().split()[-2:] == ["0", "%"]
    assert point(0.0, 0.0, replace(left, value=-2e-3)).words().split()[-2:] == ["-0.002", "%"]


def test_a_curve_is_broken_where_no_cones_are() -> None:
    """Three lanes with cones every 2.5 m, of 15, 25 and 30 m; the least distance is in the second.
    Cones of a slalom are as far from one another everywhere."""
    cones = Iso38881Path(width=1.8).cones()
    near = np.array([0.3 + 0.001 * abs(cone.x - 100.0) for cone in cones])
    least = {"clearance": Finding("clearance", 0.3, "m", "least distance")}
    diagram = cone_diagram(cones, {"vehicle": near}, {"vehicle": 1.8}, least)
    for trace in diagram.traces:
        assert trace.x[np.isnan(trace.y)].tolist() == [95.0, 145.0]
        assert len(trace.y) == len(cones) / 2 + 2
    assert (diagram.marks[0].x, diagram.marks[0].y) == (100.0, 0.3)
    row = SlalomPath().cones()
    slalom = cone_diagram(row, {"vehicle": np.ones(len(row))}, {"vehicle": 1.8}, {})
    assert all(np.isfinite(trace.y).all() for trace in slalom.traces)
