"""Metrics of trailers on runs whose answers are known in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from axletree.core.errors import ModelError
from axletree.metrics.contract import Metric
from axletree.metrics.trains import RearwardAmplification, TrailerDamping
from axletree.metrics.wheel_loads import Rollover

TIME = np.arange(0.0, 12.0, 0.01)


@dataclass(frozen=True)
class Made:
    """A run of columns by name; what is not given is 0."""

    columns: dict[str, Any]
    time: np.ndarray[Any, Any]

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        return np.asarray(self.columns.get(name, 0.0) + np.zeros(len(self.time)))

    def __contains__(self, name: object) -> bool:
        return name in self.columns


def found(metric: Metric, **columns: Any) -> dict[str, float]:
    run = Made({name.replace("__", "."): column for name, column in columns.items()}, TIME)
    return {one.name: one.value for one in metric.findings(run)}


@pytest.mark.parametrize("growth", [-0.7, -0.05, 0.2])
def test_the_damping_ratio_of_a_swing_about_a_turn(growth: float) -> None:
    """exp(growth t) sin(w t) about a rate that does not die away."""
    swing = 0.1 + np.exp(growth * TIME) * np.sin(4.0 * TIME)
    told = found(
        TrailerDamping(trailer="caravan"), caravan__yaw_rate=swing + 0.3, vehicle__yaw_rate=0.3,
        driver__steering=np.where((TIME > 1.0) & (TIME < 1.4), 0.2, 0.0),
    )  # fmt: skip
    assert told["damping_ratio"] == pytest.approx(-growth / math.hypot(growth, 4.0), rel=2e-3)
    assert told["articulation_frequency"] == pytest.approx(2.0 / math.pi, rel=2e-3)


def test_a_swing_that_is_over_at_once_has_no_damping_ratio() -> None:
    told = found(
        TrailerDamping(trailer="caravan"), caravan__yaw_rate=np.exp(-3.0 * TIME),
        driver__steering=np.where(TIME < 0.5, 0.2, 0.0),
    )  # fmt: skip
    assert math.isnan(told["damping_ratio"])


def test_rearward_amplification_is_the_ratio_of_peaks() -> None:
    """Lateral acceleration is dv/dt + r u, at the front axle with v + r x."""
    yaw, more = 0.1 * np.sin(2.0 * TIME), 0.16 * np.sin(2.0 * TIME - 1.0)
    told = found(
        RearwardAmplification(last="last", ahead=1.5),
        vehicle__yaw_rate=yaw, vehicle__forward_speed=20.0,
        last__yaw_rate=more, last__forward_speed=20.0, last__lateral_speed=0.3 * np.sin(2.0 * TIME),
    )  # fmt: skip
    first = 0.1 * math.hypot(20.0, 1.5 * 2.0)
    last = abs(complex(0.16 * 20.0, 0.0) + 0.6j * np.exp(1j))
    assert told["first_lateral_acceleration"] == pytest.approx(first, rel=1e-3)
    assert told["rearward_amplification"] == pytest.approx(last / first, rel=1e-3)
    assert told["yaw_rate_amplification"] == pytest.approx(1.6, rel=1e-3)


def test_load_moves_from_one_side_to_the_other_until_wheels_lift() -> None:
    moved = 900.0 * np.sin(TIME)
    columns = {
        "a_left_tyre__Fz": 1000.0 - moved, "a_right_tyre__Fz": 1000.0 + moved,
        "b_left_tyre__Fz": np.maximum(500.0 - moved, 0.0),
        "b_right_tyre__Fz": np.maximum(500.0 + moved, 0.0),
    }  # fmt: skip
    told = found(Rollover(axles=["a", "b"]), **columns)
    assert told["load_transfer_ratio"] == pytest.approx((1800.0 + 1400.0) / 3400.0, rel=1e-3)
    assert told["wheels_lifted"] == 2.0
    assert told["minimum_wheel_load"] == 0.0
    alone = found(Rollover(axles=["a"]), **columns)
    assert alone["load_transfer_ratio"] == pytest.approx(0.9, rel=1e-4)
    assert alone["minimum_wheel_load"] == pytest.approx(10.0, rel=1e-3)


@pytest.mark.parametrize("axles", [[], "front", ["front axle"], 3])
def test_axles_that_have_no_names(axles: Any) -> None:
    with pytest.raises(ModelError, match="axles: .*(expected a list of names|valid name)"):
        Rollover(axles=axles)
