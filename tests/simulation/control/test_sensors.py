"""Sensors in a loop: what arrives, and when, beside what the run records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.simulation.problem import SettingsError
from axletree.simulation.trajectory import Trajectory

STEER, RATE = "steer.angle", "chassis.rate"


class Recorder:
    """Keeps what it sees, and leaves the wheel where it is."""

    def reset(self) -> None:
        self.seen: list[float] = []

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        self.seen.append(measured[RATE])
        return {}


def seen_by(sensor: at.Sensor, interval: str = "10 ms") -> tuple[np.ndarray, Trajectory]:
    recorder = Recorder()
    system = shipped_system("bicycle-car")
    sets = next(q.name for q in system.inputs if not q.derivative_of and q.name != STEER)
    loop = at.ControlLoop(recorder, interval, reads=[RATE], sets=[sets], sensors={RATE: sensor})
    run = system.simulate(
        "0.5 s", step=1e-3, initial={"chassis.vx": 20.0}, outputs=[],
        inputs={STEER: "0.02*sin(12*t)"}, controllers=[loop],
    )  # fmt: skip
    return np.array(recorder.seen), run


def test_a_delay_brings_what_was_then() -> None:
    seen, run = seen_by(at.Sensor(delay="25 ms", interval="5 ms"))
    expected = [run[RATE][max(10 * k - 25, 0)] for k in range(50)]
    assert seen == pytest.approx(expected, abs=1e-15)


def test_samples_stand_until_the_next() -> None:
    seen, run = seen_by(at.Sensor(interval="40 ms"))
    assert seen == pytest.approx([run[RATE][40 * (k // 4)] for k in range(50)], abs=1e-15)


def test_bias_resolution_and_range() -> None:
    seen, run = seen_by(at.Sensor(bias=0.013, resolution=0.02, lower=-0.05, upper="0.05 rad/s"))
    true = run[RATE][::10][:50]
    assert np.max(np.abs(true)) > 0.05
    assert seen == pytest.approx(0.02 * np.round(np.clip(true + 0.013, -0.05, 0.05) / 0.02))


def test_noise_has_its_deviation_and_its_seed() -> None:
    first, run = seen_by(at.Sensor(noise=0.004, seed=5), "1 ms")
    again, _ = seen_by(at.Sensor(noise=0.004, seed=5), "1 ms")
    other, _ = seen_by(at.Sensor(noise=0.004, seed=6), "1 ms")
    assert np.array_equal(first, again)
    off, off_other = first - run[RATE][:500], other - run[RATE][:500]
    # Of 500 samples the deviation is known to 1 / sqrt(1000), the mean to 1 / sqrt(500).
    assert np.std(off) == pytest.approx(0.004, rel=4.0 / np.sqrt(1000.0))
    assert abs(np.mean(off)) < 4.0 * 0.004 / np.sqrt(500.0)
    for pairs in ((off[1:], off[:-1]), (off, off_other)):  # no memory, nothing in common
        assert abs(np.corrcoef(*pairs)[0, 1]) < 4.0 / np.sqrt(500.0)


def test_two_sensors_of_one_seed_have_noise_of_their_own() -> None:
    signals = [at.Sensor(noise=1.0).signal(name, "rad/s") for name in ("left", "right")]
    for signal in signals:
        signal.take(0.0, 0.0)
    assert signals[0].newest(0.0) != signals[1].newest(0.0)


@pytest.mark.parametrize(("wrong", "message"), [
    ({"delay": -1.0}, "delay is -1; expected 0 or more"),
    ({"noise": float("nan")}, "nan is not a finite number"),
    ({"bias": "3 kg"}, "kg"),
    ({"bias": float("inf")}, "inf is not a finite number"),
    ({"lower": 1.0, "upper": 0.0}, "lower is above upper"),
    ({"seed": 0.5}, "seed is 0.5"),
    ({"interval": "2.5 ms"}, "no whole number of steps"),
    ({"interval": 0.0}, "interval is 0 s"),
])  # fmt: skip
def test_a_wrong_sensor_is_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        seen_by(at.Sensor(**wrong))
