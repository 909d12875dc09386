"""The articulated forestry skidder (Morency 2007, section 5.4 and appendix A.2).

The numbers of the manoeuvres are those of an independent model with the same data
(``oracles/thesis_vehicles.py``); figures 5.19 and 5.21 show the same to the eye, but for the
pitch angle of the braking stop.
"""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.expr import directional_derivative, evaluate
from axletree.expr.quantity import Role
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

CORNERS = ("front_left", "front_right", "rear_left", "rear_right")
WORK = [f"{corner}_{part}.power" for corner in CORNERS for part in ("tyre", "brake")]
MASS = 2 * 7280 + 4 * 557
HEIGHT = 1.403775  # of the bodies' centres of mass
RADIUS = HEIGHT - 0.5461  # loaded


@pytest.fixture(scope="module")
def skidder() -> System:
    return shipped_system("skidder")


@pytest.fixture(scope="module")
def braking(skidder: System) -> Trajectory:
    """20 kN m on each wheel from 2.5 s to 3.5 s, straight ahead (figure 5.20)."""
    times, torque = [0.0, 2.0, 2.5, 3.5, 4.0, 10.0], [0.0, 0.0, -20e3, -20e3, 0.0, 0.0]
    return skidder.simulate(
        10.0, step=1e-3, initial={"chassis.wz": 0.0}, outputs=["energy.total", *WORK],
        inputs={f"{corner}_brake.torque": (times, torque) for corner in CORNERS},
    )  # fmt: skip


@pytest.mark.validation("graphs")
def test_it_has_20_states(skidder: System, agrees: Agrees) -> None:
    """10 speeds and 10 coordinates, and no constraint (section 5.4.1)."""
    agrees(
        "skidder: degrees of freedom and states",
        [skidder.degrees_of_freedom, len(skidder.states)], [10, 20], abs=0,
        source="Morency 2007, section 5.4.1",
    )  # fmt: skip
    assert skidder.constraints == ()


@pytest.mark.validation("vehicles")
def test_it_stands_where_its_tyres_carry_it(skidder: System, agrees: Agrees) -> None:
    at_rest = {q.name: 0.0 for q in skidder.states if q.role is Role.SPEED}
    run = skidder.simulate(10.0, step=1e-3, initial=at_rest, outputs=[])
    sunk = 9.80665 * MASS / (4 * 500e3)
    agrees(
        "standing skidder: height", run["chassis.z"][-1], 0.94 - sunk + 0.5461, abs=1e-6, unit="m",
        source="Closed form, statics",
    )  # fmt: skip
    assert run["chassis.z"][-1] == pytest.approx(1.403783, abs=1e-6)
    assert abs(run["chassis.vx"][-1]) < 1e-6


@pytest.mark.validation("vehicles")
def test_the_sine_steer_is_a_wide_lane_change(skidder: System, agrees: Agrees) -> None:
    """5 degrees over 10 s at 10 m/s: to the left and straight again (figure 5.19)."""
    angle = at.read_model("skidder").run.inputs["articulation.angle"]
    fine, coarse = (
        skidder.simulate(
            10.0, step=1e-3, record_interval=0.01, inputs={"articulation.angle": angle},
            method=method, outputs=[],
        )
        for method in ("rk4", "explicit-euler")
    )  # fmt: skip
    place = [fine["chassis.x"][-1], fine["chassis.y"][-1]]
    agrees(
        "skidder, 5 degrees of sine steer at 10 m/s: place after 10 s", place,
        [92.8291346, 25.683142], rel=1e-6, unit="m",
        source="Morency 2007, figure 5.19, by an independent model",
    )  # fmt: skip
    agrees(
        "skidder, 5 degrees of sine steer at 10 m/s: greatest yaw rate",
        max(abs(fine["chassis.wz"])), 0.170084457, rel=1e-6, unit="rad/s",
        source="Morency 2007, figure 5.19, by an independent model",
    )  # fmt: skip
    # Explicit Euler has converged at this step, as section 5.4.2 says.
    assert coarse["chassis.y"][-1] == pytest.approx(fine["chassis.y"][-1], rel=2e-3)


@pytest.mark.validation("vehicles")
def test_yaw_rate_of_a_held_articulation(skidder: System, agrees: Agrees) -> None:
    """Slowly, wheels roll without slip angle: both axles are lines to the centre of the turn.

    By geometry v = wz (a + b cos(theta)) / sin(theta) with a and b from the joint to the axles.
    """
    theta, reach = math.radians(5.0), 1.227 + 0.5
    run = skidder.simulate(
        30.0, step=1e-3, initial={"chassis.vx": 1.0, "chassis.wz": 0.0}
        | {f"{corner}_axle.rate": 1.0 / RADIUS for corner in CORNERS},
        inputs={"articulation.angle": "pi/72*(1+tanh(t-6))"}, outputs=[],
    )  # fmt: skip
    curvature = run["chassis.wz"][-1] / run["chassis.vx"][-1]
    agrees(
        "skidder, slow and articulated by 5 degrees: curvature of its path", curvature,
        math.sin(theta) / (reach + reach * math.cos(theta)), rel=0.01, unit="1/m",
        source="Closed form, both axles point to the centre of the turn",
    )  # fmt: skip


@pytest.mark.validation("vehicles")
def test_braking_slows_it_and_lowers_its_nose(braking: Trajectory, agrees: Agrees) -> None:
    agrees(
        "skidder braked with 20 kN m on each wheel: speed thereafter", braking["chassis.vx"][-1],
        2.22088462, rel=1e-6, unit="m/s",
        source="Morency 2007, figure 5.21, by an independent model",
    )  # fmt: skip
    agrees(
        "skidder braked with 20 kN m on each wheel: greatest pitch angle",
        math.degrees(max(braking["chassis.pitch"])), 1.27012339, rel=1e-6, unit="deg",
        source="Independent model, by Kane's equations and automatic differentiation",
        note="figure 5.21 of Morency 2007 shows another pitch angle; statics give 1.16 degrees, "
        "about which both models swing.",
    )  # fmt: skip
    assert max(abs(braking["chassis.y"])) < 1e-9


def test_pitch_under_braking_swings_about_what_statics_give(braking: Trajectory) -> None:
    """d'Alembert: m a h and the wheels' spin against four vertical springs."""
    inertia = MASS + 4 * 225 / RADIUS**2
    deceleration = 4 * 20e3 / RADIUS / inertia
    moment = deceleration * (2 * 7280 * HEIGHT + 4 * 557 * RADIUS + 4 * 225 / RADIUS)
    static = moment / (4 * 500e3 * (1.227 + 0.5) ** 2)
    assert math.degrees(static) == pytest.approx(1.16, abs=0.005)
    held = (braking.time > 2.6) & (braking.time < 3.5)
    pitch = braking["chassis.pitch"][held]
    assert 0.5 * (max(pitch) + min(pitch)) == pytest.approx(static, rel=0.03)


@pytest.mark.validation("numerics")
def test_energy_changes_by_what_tyres_and_brakes_do_over_a_stop(
    braking: Trajectory, agrees: Agrees
) -> None:
    """Simpson's rule over pairs of steps, the corners of the torque at their ends."""
    power = sum(braking[name] for name in WORK)
    pairs = (power[0:-2:2] + 4.0 * power[1:-1:2] + power[2::2]) * (1e-3 / 3.0)
    work = np.concatenate([[0.0], np.cumsum(pairs)])
    gained = braking["energy.total"][::2] - braking["energy.total"][0]
    assert np.abs(gained).max() > 5e5  # a stop from 10 m/s
    agrees(
        "skidder braked to a stop: change of energy", gained, work,
        abs=1e-8 * np.abs(gained).max(), unit="J",
        source="Balance of energy, work of tyres and brakes",
    )  # fmt: skip


def test_energy_changes_by_what_tyres_brakes_and_articulation_do(skidder: System) -> None:
    """At random states."""
    outputs = {d.quantity.name: d.expression for d in skidder.outputs}
    inputs = {q.name: q.symbol for q in skidder.inputs}
    rates = dict(zip((q.symbol for q in skidder.states), skidder.derivatives, strict=True))
    rates |= {inputs[q.derivative_of]: q.symbol for q in skidder.inputs if q.derivative_of}
    gain = directional_derivative([outputs["energy.total"]], rates)[0]
    turning = outputs["articulation.torque"] * inputs["articulation.angle_rate"]
    random = Random(5)
    for _ in range(5):
        values = {q.symbol: q.default for q in skidder.parameters}
        values |= {q.symbol: q.default + random.uniform(-0.1, 0.1) for q in skidder.states}
        values |= {q.symbol: random.uniform(-0.1, 0.1) for q in skidder.inputs}
        works = [*(outputs[name] for name in WORK), turning]
        found, *powers = (float(v) for v in evaluate([gain, *works], values))
        assert found == pytest.approx(sum(powers), rel=1e-9)
