"""Actuators in a loop, against closed forms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.simulation.problem import SettingsError

STEER = "steer.angle"


class Asks:
    """For one angle from the beginning on."""

    def __init__(self, angle: float) -> None:
        self.angle = angle

    def reset(self) -> None:
        pass

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        return {STEER: self.angle}


def steered(actuator: at.Actuator, angle: float = 0.04, *more: at.ControlLoop) -> np.ndarray:
    """The level of the input from each step on, of 1 ms."""
    loop = at.ControlLoop(Asks(angle), "10 ms", sets=[STEER], actuators={STEER: actuator})
    run = shipped_system("bicycle-car").simulate(
        "0.2 s", step=1e-3, initial={"chassis.vx": 20.0}, outputs=[], controllers=[loop, *more]
    )
    return np.asarray(run[STEER][1:])


def test_a_lag_is_exact_at_the_steps() -> None:
    t = 1e-3 * np.arange(1, 201)
    assert steered(at.Actuator(lag="30 ms")) == pytest.approx(0.04 * (1.0 - np.exp(-t / 0.03)))


def test_a_rate_is_kept_to_and_limits_are() -> None:
    t = 1e-3 * np.arange(1, 201)
    found = steered(at.Actuator(rate="20 deg/s", upper="1.5 deg"))
    assert found == pytest.approx(np.minimum(np.radians(20.0) * t, np.radians(1.5)))


def test_a_delay_is_waited_for() -> None:
    found = steered(at.Actuator(delay="25 ms"))
    assert found[:25] == pytest.approx(np.zeros(25))
    assert found[25:] == pytest.approx(np.full(175, 0.04))


def test_one_input_has_one_actuator() -> None:
    other = at.ControlLoop(
        Asks(0.01), "10 ms", sets=[STEER], name="other", actuators={STEER: at.Actuator(lag=0.1)}
    )
    with pytest.raises(SettingsError, match="'Asks' and 'other' have different actuators"):
        steered(at.Actuator(lag=0.2), 0.04, other)


@pytest.mark.parametrize(("wrong", "message"), [
    ({"lag": -0.1}, "lag is -0.1 s; expected 0 or more"),
    ({"rate": 0.0}, "rate is 0; expected more than 0"),
    ({"rate": "3 m"}, "rad/s"),
    ({"delay": float("nan")}, "nan is not a finite number"),
    ({"lower": 2.0, "upper": 1.0}, "lower is above upper"),
])  # fmt: skip
def test_a_wrong_actuator_is_named(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        steered(at.Actuator(**wrong))
