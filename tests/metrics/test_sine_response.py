"""One period of a sine of the steering wheel, against the linear single-track model by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import axletree as at
from axletree.metrics.steering_transients import SineResponse
from axletree.simulation.trajectory import Trajectory

MASS, INERTIA, FRONT, REAR = 1400.0, 2200.0, 1.1, 1.5  # kg, kg m^2, m, m
STIFF_FRONT, STIFF_REAR, SPEED, RATIO = 9e4, 11e4, 80.0 / 3.6, 16.0  # N/rad, N/rad, m/s
PERIOD, ANGLE = 2.0, 0.4  # s, rad of the steering wheel
W = 2.0 * math.pi / PERIOD

MATRIX = np.array([
    [-(STIFF_FRONT + STIFF_REAR) / (MASS * SPEED),
     -SPEED - (STIFF_FRONT * FRONT - STIFF_REAR * REAR) / (MASS * SPEED)],
    [-(STIFF_FRONT * FRONT - STIFF_REAR * REAR) / (INERTIA * SPEED),
     -(STIFF_FRONT * FRONT**2 + STIFF_REAR * REAR**2) / (INERTIA * SPEED)],
])  # fmt: skip
STEERED = np.array([STIFF_FRONT / MASS, STIFF_FRONT * FRONT / INERTIA]) / RATIO


def exact(t: float) -> tuple[float, float]:
    """Yaw rate and lateral acceleration while the wheel goes as ANGLE sin(W t), from rest.

    x = Im(z exp(i W t)) - exp(A t) Im(z) with z = (i W - A)^-1 b ANGLE.
    """
    z = np.linalg.solve(1j * W * np.eye(2) - MATRIX, STEERED * ANGLE)
    poles, vectors = np.linalg.eig(MATRIX)
    rings = vectors @ (np.exp(poles * t) * np.linalg.solve(vectors, z.imag.astype(complex)))
    state = (z * np.exp(1j * W * t)).imag - rings.real
    rate = MATRIX @ state + STEERED * ANGLE * math.sin(W * t)
    return float(state[1]), float(rate[0] + SPEED * state[1])


def summit(which: int, begin: float, end: float) -> tuple[float, float]:
    """Where the derivative of what is exact is zero, by central differences."""

    def slope(t: float) -> float:
        return exact(t + 1e-5)[which] - exact(t - 1e-5)[which]

    top = float(brentq(slope, begin, end, xtol=1e-9))
    return top, exact(top)[which]


def run_of(sign: float, interval: float = 0.01) -> Trajectory:
    """By an integrator of SciPy, with half a second of straight running before."""
    time = np.arange(0.0, 5.0, interval)

    def wheel(t: Any) -> Any:
        return sign * ANGLE * np.where((t > 0.5) & (t < 0.5 + PERIOD), np.sin(W * (t - 0.5)), 0.0)

    def rates(t: float, x: Any) -> Any:
        return MATRIX @ x + STEERED * float(wheel(t))

    x = solve_ivp(rates, (0.0, 5.0), [0.0, 0.0], t_eval=time, rtol=1e-9, atol=1e-12,
                  max_step=0.01).y  # fmt: skip
    columns = {
        "driver.steering": wheel(time), "vehicle.lateral_speed": x[0], "vehicle.yaw_rate": x[1],
        "vehicle.forward_speed": 0.0 * time + SPEED,
    }  # fmt: skip
    return Trajectory("car", time, columns, {}, ())


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_gains_and_lags_are_those_of_the_linear_single_track_model(sign: float) -> None:
    told = {one.name: one.value for one in SineResponse().findings(run_of(sign))}
    quarter = 0.25 * PERIOD
    for which, name, unit in ((0, "yaw_rate", 1.0), (1, "lateral_acceleration", math.degrees(1.0))):
        first, second = (summit(which, k * quarter, (k + 0.8) * quarter) for k in (1, 3))
        assert told[f"{name}_lag_first"] == pytest.approx(first[0] - quarter, abs=5e-4)
        assert told[f"{name}_lag_second"] == pytest.approx(second[0] - 3 * quarter, abs=5e-4)
        assert unit * told[f"{name}_gain"] == pytest.approx(-second[1] / ANGLE, rel=5e-4)
        assert 0.03 < told[f"{name}_lag_second"] < 0.3
    assert len(told) == 6


def test_each_number_is_marked_on_its_curve() -> None:
    run = run_of(-1.0)
    drawn = {one.title: one for one in SineResponse().diagrams(run)}
    assert list(drawn) == ["Steering wheel", "Yaw rate", "Lateral acceleration"]
    for title in ("Yaw rate", "Lateral acceleration"):
        gain, *lags = drawn[title].marks
        (trace,) = drawn[title].traces
        assert gain.y == pytest.approx(trace.y.max(), rel=1e-3)  # first to the right, then left
        assert trace.x[np.argmax(trace.y)] == pytest.approx(gain.x, abs=0.01)
        assert all(mark.x - mark.start == pytest.approx(mark.said.value) for mark in lags)
    steps = [mark.x for mark in drawn["Steering wheel"].marks]
    assert steps == pytest.approx([1.0, 2.0], abs=1e-3)


def test_a_wheel_that_goes_to_one_side_alone_tells_nothing() -> None:
    run = run_of(1.0)
    half = {name: np.where(run.time < 1.5, run[name], 0.0) for name in SineResponse.needs[:4]}
    assert SineResponse().findings(Trajectory("car", run.time, half, {}, ())) == ()


def test_the_sine_of_every_vehicle_is_measured() -> None:
    sine = at.read_model("sedan").manoeuvres["iso-7401-sine"]
    assert [type(metric) for metric in sine.metrics] == [SineResponse]
