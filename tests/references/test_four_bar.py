"""The plane four-bar linkage: Freudenstein's equation and its closed solution.

K1 cos(d) - K2 cos(a) + K3 = cos(a - d) between crank angle a and rocker angle d, with
K1 = g/r, K2 = g/s, K3 = (r^2 - c^2 + s^2 + g^2) / (2 r s): Freudenstein 1955; Norton,
Design of Machinery, eqs. (4.8) and (6.18). Here r is the crank, c the coupler, s the rocker
and g the ground.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import Agrees

import axletree as at

CRANK, COUPLER, ROCKER, GROUND = 0.3, 0.9, 0.7, 1.0  # [m]; the crank turns fully (Grashof)
SPEED = 4.0  # of the crank [rad/s]


def four_bar(gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)) -> Any:
    """Four revolutes in space: three of their constraints are redundant."""
    model = at.Model("four_bar", gravity=gravity)
    bodies = {}
    for name, length in (("crank", CRANK), ("coupler", COUPLER), ("rocker", ROCKER)):
        inertia = length**2 / 12
        bodies[name] = model.add(at.RigidBody(name, 1.0, (0.1 * inertia, inertia, inertia)))
        bodies[name].point(-length / 2, 0, 0, "start")
        bodies[name].point(length / 2, 0, 0, "end")
    crank, coupler, rocker = bodies.values()
    model.add(at.Revolute("a", model.ground, crank.frame("start"), axis="z"))
    model.add(at.Revolute("b", crank.frame("end"), coupler.frame("start"), axis="z"))
    model.add(at.Revolute("c", coupler.frame("end"), rocker.frame("end"), axis="z"))
    pivot = model.ground.point(GROUND, 0, 0, "pivot")
    model.add(at.Revolute("d", pivot, rocker.frame("start"), axis="z"))
    joints = {"a.angle": 1.0, "b.angle": -0.5, "d.angle": 1.7}
    model.start = joints | {"crank.yaw": 1.0, "coupler.yaw": 0.5, "rocker.yaw": 1.7}
    return model


def rocker_angle(a: np.ndarray) -> np.ndarray:
    """The open solution of Freudenstein's equation."""
    K1, K2 = GROUND / CRANK, GROUND / ROCKER
    K3 = (CRANK**2 - COUPLER**2 + ROCKER**2 + GROUND**2) / (2 * CRANK * ROCKER)
    A = np.cos(a) - K1 - K2 * np.cos(a) + K3
    B = -2.0 * np.sin(a)
    C = K1 - (K2 + 1.0) * np.cos(a) + K3
    return 2.0 * np.arctan2(-B - np.sqrt(B**2 - 4 * A * C), 2 * A)


def rocker_rate(a: np.ndarray, d: np.ndarray) -> np.ndarray:
    x = GROUND + ROCKER * np.cos(d) - CRANK * np.cos(a)
    y = ROCKER * np.sin(d) - CRANK * np.sin(a)
    b = np.arctan2(y, x)
    return CRANK * SPEED * np.sin(a - b) / (ROCKER * np.sin(d - b))


BRANCHES = {"translation": ["a", "b", "d"], "rotation": ["motor", "b", "d"]}
BODIES = ["crank", "coupler", "rocker"]


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(None, id="least"),
        pytest.param(BRANCHES, id="two branches"),
        pytest.param(BODIES, id="absolute", marks=pytest.mark.slow),
    ],
)
@pytest.mark.validation("mechanisms")
def test_driven_linkage_follows_freudenstein(tree: Any, agrees: Agrees) -> None:
    model = four_bar()
    model.add(at.RotationDriver("motor", model["a"], angle=f"1 + {SPEED}*t"))
    run = model.formulate(tree=tree).simulate(2.0, step=1e-3)
    a = 1.0 + SPEED * run.time
    d = rocker_angle(a)
    end = GROUND + ROCKER / 2 * np.cos(d)
    assert np.abs(run["rocker.position.x"] - end).max() < 1e-9
    assert np.abs(run["rocker.position.y"] - ROCKER / 2 * np.sin(d)).max() < 1e-9
    chosen = "least tree" if tree is None else "two trees" if tree is BRANCHES else "bodies as tree"
    agrees(
        "four-bar linkage: speed of the rocker over 2 s", run["rocker.angular_velocity.z"],
        rocker_rate(a, d), abs=1e-8, unit="rad/s", case=chosen,
        source="Closed form, Freudenstein 1955",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("tree", "redundant"),
    [
        pytest.param(["a", "b", "d"], 0, id="joint"),
        pytest.param(BODIES, 3, id="absolute", marks=pytest.mark.slow),
    ],
)
def test_free_linkage_has_one_freedom_and_keeps_its_energy(tree: Any, redundant: int) -> None:
    system = four_bar().formulate(tree=tree)
    assert system.degrees_of_freedom == 1
    assert len(system.redundant) == redundant
    start = {"a.rate": 6.0} if redundant == 0 else {"crank.yaw_rate": 6.0}
    run = system.simulate(2.0, step=1e-3, initial=start)
    energy = run["energy.total"]
    assert np.ptp(run["energy.kinetic"]) > 1.0
    assert np.abs(energy - energy[0]).max() < 1e-5


def test_driver_brings_in_the_power_that_the_energy_gains() -> None:
    model = four_bar()
    model.add(at.RotationDriver("motor", model["a"], angle=f"1 + {SPEED}*t"))
    run = model.formulate().simulate(1.0, step=1e-3)
    power = run["motor.torque"] * SPEED
    energy = run["energy.total"]
    gained = (energy[2:] - energy[:-2]) / 2e-3
    assert np.abs(power[1:-1] - gained).max() < 1e-3 * np.abs(power).max()
