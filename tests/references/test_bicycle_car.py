"""The single-track car against the textbook's linear one (Riekert and Schunck 1940)."""

from __future__ import annotations

import math

import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system

from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

MASS, WHEELBASE = 1460.0 + 2 * 20.0, 2.7
AHEAD = 1.2 + 20.0 * (1.5 - 1.2) / MASS  # of the common centre of mass: the front axle
BEHIND = WHEELBASE - AHEAD
STIFFNESS = 110e3  # of both tyres
TRAIL = 0.2 / 3.0  # Fiala: a third of the tyre's width at small slip angles


@pytest.fixture(scope="module")
def car() -> System:
    return shipped_system("bicycle-car")


def turned(car: System, speed: float, angle: float, outputs: list[str]) -> Trajectory:
    """After a smooth step of the steering angle, rolling free."""
    rolling = {f"{axle}_axle.rate": speed / 0.3 for axle in ("front", "rear")}
    return car.simulate(
        8.0, step=1e-3, record_interval=0.1, initial={"chassis.vx": speed, **rolling},
        inputs={"steer.angle": f"{angle / 2}*(1+tanh(5*(t-1)))"}, outputs=outputs,
    )  # fmt: skip


@pytest.mark.parametrize("speed", [5.0, 10.0, 20.0, 30.0, 40.0])
@pytest.mark.validation("vehicles")
def test_steady_yaw_gain(car: System, speed: float, agrees: Agrees) -> None:
    """wz / delta = v / (L + K v^2) with K = m (b C_r - a C_f) / (L C_f C_r).

    The trail of a tyre moves its side force backwards: a shrinks and b grows by it.
    """
    angle = 1e-5
    run = turned(car, speed, angle, [])
    forward = math.hypot(run["chassis.vx"][-1], run["chassis.vy"][-1])
    lever = (BEHIND + TRAIL) - (AHEAD - TRAIL)
    K = MASS * lever / (WHEELBASE * STIFFNESS)
    expected = forward / (WHEELBASE + K * forward**2)
    agrees(
        f"single-track car at {speed:g} m/s: yaw gain", run["chassis.rate"][-1] / angle, expected,
        rel=2e-4, unit="1/s", source="Closed form, Riekert and Schunck 1940",
    )  # fmt: skip


@pytest.mark.validation("vehicles")
def test_side_forces_and_weights(car: System, agrees: Agrees) -> None:
    """Each axle carries its share of the weight, and of m v wz in a steady turn."""
    names = [f"{axle}_tyre.{force}" for axle in ("front", "rear") for force in ("Fy", "Fz")]
    run = turned(car, 20.0, 1e-3, [*names, "front_tyre.Mz", "rear_tyre.Mz"])
    end = {name: run[name][-1] for name in (*names, "front_tyre.Mz", "rear_tyre.Mz")}
    weight = MASS * 9.80665
    agrees(
        "single-track car: load of the front axle", end["front_tyre.Fz"],
        weight * BEHIND / WHEELBASE, rel=1e-4, unit="N", source="Closed form, statics",
    )  # fmt: skip
    assert end["rear_tyre.Fz"] == pytest.approx(weight * AHEAD / WHEELBASE, rel=1e-4)
    centrifugal = MASS * 20.0 * run["chassis.rate"][-1]
    agrees(
        "single-track car in a turn: sum of the side forces",
        end["front_tyre.Fy"] + end["rear_tyre.Fy"], centrifugal, rel=1e-3, unit="N",
        source="Closed form, centrifugal force",
    )  # fmt: skip
    moment = end["front_tyre.Fy"] * AHEAD - end["rear_tyre.Fy"] * BEHIND
    assert moment + end["front_tyre.Mz"] + end["rear_tyre.Mz"] == pytest.approx(
        0.0, abs=1e-3 * abs(moment)
    )


def test_friction_limits_the_turn(car: System) -> None:
    """However far it is steered, the tyres give no more than friction times weight."""
    run = turned(car, 20.0, 0.2, ["front_tyre.Fy", "rear_tyre.Fy"])
    peak = max(run["front_tyre.Fy"])
    assert peak > 0.8 * MASS * 9.80665 * BEHIND / WHEELBASE
    assert peak <= MASS * 9.80665 * BEHIND / WHEELBASE * 1.0001
