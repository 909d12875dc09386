"""The engine on a flywheel, against torques and speeds that follow from its map by hand."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from scipy.optimize import brentq

import axletree as at
from axletree.core.errors import ModelError
from axletree.system.system import System

INERTIA = 0.5  # kg m^2
SPEEDS, TORQUES = [60.0, 150.0, 260.0, 300.0], [150.0, 220.0, 190.0, 160.0]  # rad/s, N m
DRAG = ([0.0, 300.0], [20.0, 60.0])
CUT_OFF, DROOP, IDLE = 290.0, 30.0, 70.0


@cache
def engine(idle: float = IDLE) -> System:
    model = at.Model("bench", gravity=(0.0, 0.0, 0.0))
    crankshaft = model.add(at.BodyOfRevolution("crankshaft", 30.0, INERTIA, 1.0, axis="x"))
    bearing = model.add(at.Revolute("bearing", model.ground, crankshaft, axis="x"))
    model.add(
        at.Engine(
            "engine",
            bearing,
            full_load={"x": SPEEDS, "y": TORQUES, "kind": "linear"},
            cut_off=CUT_OFF,
            droop=DROOP,
            drag={"x": DRAG[0], "y": DRAG[1], "kind": "linear"},
            idle_rate=idle,
        )
    )
    model.add(at.JointTorque("load", bearing))
    return model.formulate()


def share(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def torque_by_hand(speed: float, throttle: float, idle: float = IDLE) -> float:
    fuel = share(throttle)
    if idle:
        fuel = max(fuel, share((idle + DROOP - speed) / DROOP))
    fuel = min(fuel, share((CUT_OFF - speed) / DROOP)) * share(speed / SPEEDS[0])
    drag = np.interp(abs(speed), *DRAG) * max(min(speed, 1.0), -1.0)
    return float(fuel * np.interp(speed, SPEEDS, TORQUES) - (1.0 - fuel) * drag)


@pytest.mark.parametrize("throttle", [-0.5, 0.0, 0.4, 1.0, 3.0])
@pytest.mark.parametrize("idle", [IDLE, 0.0])
def test_torque_and_power_follow_the_map_the_throttle_and_the_governor(
    throttle: float, idle: float
) -> None:
    """Backward, at rest, below the map, in it, in the droop, and far beyond."""
    for speed in (-400.0, -0.5, 0.0, 0.5, 30.0, 80.0, 110.0, 200.0, 270.0, 285.0, 299.0, 1e5):
        run = engine(idle).simulate(
            1e-3, step=1e-3, initial={"bearing.rate": speed}, inputs={"engine.throttle": throttle}
        )
        expected = torque_by_hand(speed, throttle, idle)
        assert run["engine.torque"][0] == pytest.approx(expected, rel=1e-12, abs=1e-12)
        assert run["engine.power"][0] == pytest.approx(expected * speed, rel=1e-12, abs=1e-9)
        assert run["engine.speed"][0] == speed


@pytest.mark.parametrize(("throttle", "load"), [(0.0, 0.0), (1.0, -120.0), (0.3, -30.0)])
def test_it_settles_where_its_torque_is_the_load(throttle: float, load: float) -> None:
    """At idle; on the droop of the governor; at part throttle."""
    run = engine().simulate(
        90.0, step=5e-3, initial={"bearing.rate": 100.0},
        inputs={"engine.throttle": throttle, "load.torque": load}, record_interval=1.0,
    )  # fmt: skip
    low, high = (IDLE, IDLE + DROOP) if throttle == 0.0 else (150.0, CUT_OFF)
    settled = brentq(lambda w: torque_by_hand(w, throttle) + load, low, high, xtol=1e-12)
    assert run["bearing.rate"][-1] == pytest.approx(settled, rel=1e-6)


def test_it_runs_up_as_the_map_says() -> None:
    """From 60 to 150 rad/s torque is a straight line, so that speed is an exponential."""
    run = engine().simulate(
        0.2, step=1e-3, initial={"bearing.rate": 60.0}, inputs={"engine.throttle": 1.0}
    )
    slope = (TORQUES[1] - TORQUES[0]) / (SPEEDS[1] - SPEEDS[0])
    gained = TORQUES[0] / slope * math.expm1(slope / INERTIA * 0.2)
    assert run["bearing.rate"][-1] == pytest.approx(60.0 + gained, rel=1e-9)


def test_without_an_idle_rate_a_closed_throttle_stalls_it() -> None:
    closed = {"engine.throttle": 0.0}
    run = engine(0.0).simulate(20.0, step=1e-3, initial={"bearing.rate": 100.0}, inputs=closed)
    assert abs(run["bearing.rate"][-1]) < 1e-9
    assert run["engine.power"].max() <= 0.0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"full_load": [[60, 100], [200, -5]]}, "full_load has a torque of -5 N m"),
        ({"full_load": [[0, 100], [200, 150]]}, "full_load begins at 0 rad/s; expected a first"),
        ({"drag": [[0, 10], [300, -1]]}, "drag has a torque of -1 N m"),
        ({"idle_rate": "3000 rpm"}, "idle_rate 314.159 rad/s is above cut_off 290"),
        ({"droop": 0.0}, "0 rad/s is not allowed, it must be greater than 0"),
    ],
)
def test_values_that_make_no_engine_are_refused(wrong: dict[str, object], message: str) -> None:
    model = at.Model("bench")
    crankshaft = model.add(at.BodyOfRevolution("crankshaft", 30.0, INERTIA, 1.0, axis="x"))
    bearing = model.add(at.Revolute("bearing", model.ground, crankshaft, axis="x"))
    given = {"full_load": [[60, 100], [200, 150]], "cut_off": CUT_OFF, "droop": DROOP}
    with pytest.raises(ModelError, match=message):
        at.Engine("engine", bearing, **(given | wrong))
