"""ROS2: its stability against closed forms, its order, and the same steps by a stepper."""

from __future__ import annotations

import math

import numpy as np
import pytest

import axletree as at
from axletree.code.implicit_stages import ROS2

GAMMA = ROS2.gamma


def oscillator(stiffness: float, damping: float) -> at.Model:
    """1 kg on a spring along x, displaced by 1 m."""
    model = at.Model("oscillator", gravity=(0.0, 0.0, 0.0))
    block = model.add(at.RigidBody("block", 1.0, (1.0, 1.0, 1.0)))
    model.add(at.Prismatic("way", model.ground, block, axis="x"))
    mount = {"stiffness": (stiffness, 0.0, 0.0), "damping": (damping, 0.0, 0.0)}
    model.add(at.Bushing("mount", model.ground, block, **mount))
    model.start = {"way.position": 1.0}
    return model


def growth(z: complex) -> complex:
    """R(z) of ROS2 (Hairer and Wanner 1996, IV.7)."""
    return (1.0 + (1.0 - 2.0 * GAMMA) * z) / (1.0 - GAMMA * z) ** 2


@pytest.mark.parametrize(("stiffness", "damping"), [(1e4, 20.0), (1e8, 0.0), (1e10, 4e5)])
def test_a_step_of_an_oscillator_is_that_of_the_stability_function(
    stiffness: float, damping: float
) -> None:
    h = 1e-3
    decay, swing = 0.5 * damping, complex(stiffness - 0.25 * damping**2) ** 0.5
    first, second = -decay + 1j * swing, -decay - 1j * swing
    # x = a exp(first t) + b exp(second t) with x = 1 and no speed at first
    a, b = -second / (first - second), first / (first - second)
    expected = (a * growth(first * h) + b * growth(second * h)).real
    run = oscillator(stiffness, damping).formulate().simulate(h, step=h, method="ros2")
    assert run["way.position"][-1] == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_gamma_makes_it_l_stable() -> None:
    assert abs(growth(-1e12)) < 1e-11
    assert max(abs(growth(1j * 10.0**k)) for k in range(-3, 9)) <= 1.0 + 1e-12
    assert math.isclose(2.0 * GAMMA * (2.0 - GAMMA), 1.0)  # order 2: gamma^2 - 2 gamma + 1/2 = 0


@pytest.mark.parametrize("name", ["quarter-car", "four-bar"])
def test_it_has_order_2_with_and_without_constraints(name: str) -> None:
    system, duration = at.read_model(name).formulate(), 0.5
    exact = system.simulate(duration, step=1.25e-4, method="rk4", outputs=[], watch=False)
    moving = [q.name for q in system.states if np.ptp(exact[q.name]) > 1e-6]
    assert moving

    def error(step: float) -> float:
        run = system.simulate(duration, step=step, method="ros2", outputs=[], watch=False)
        ranges = {name: np.ptp(exact[name]) for name in moving}
        return max(abs(run[name][-1] - exact[name][-1]) / ranges[name] for name in moving)

    coarse, fine = error(2e-3), error(1e-3)
    assert fine < 2e-4
    assert math.log2(coarse / fine) == pytest.approx(2.0, abs=0.1)


def test_a_stepper_takes_the_same_steps() -> None:
    system = at.read_model("four-bar").formulate()
    run = system.simulate(0.1, step=1e-3, method="ros2", outputs=[], watch=False)
    with system.stepper(step=1e-3, method="ros2", outputs=[]) as stepper:
        stepper.advance(steps=100)
        assert [stepper[q.name] for q in system.states] == [run[q.name][-1] for q in system.states]
