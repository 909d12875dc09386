"""The three-wheeler: three supports are statically determinate, so that loads follow by hand."""

from __future__ import annotations

import math

import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system

from axletree.expr.quantity import Role
from axletree.system.system import System

GRAVITY = 9.80665
WHEELS = ("front", "left", "right")
MASSES = {"body": 320.0, "driver": 80.0} | {
    f"{wheel}_{part}": mass
    for wheel in WHEELS
    for part, mass in (("upright", 5.0), ("wheel", 10.0))
}
LOADS = [f"{wheel}_tyre.Fz" for wheel in WHEELS]


@pytest.fixture(scope="module")
def three_wheeler() -> System:
    return shipped_system("three-wheeler")


@pytest.mark.validation("vehicles")
def test_standing_loads_balance_the_weights(three_wheeler: System, agrees: Agrees) -> None:
    at_rest = {q.name: 0.0 for q in three_wheeler.states if q.role in (Role.SPEED, Role.STATE)}
    places = [f"{name}.position.{k}" for name in MASSES for k in "xy"]
    seen = [f"{w}_tyre.{k}" for w in WHEELS for k in ("loaded_radius", "inclination")]
    run = three_wheeler.simulate(
        20.0, step=1e-3, initial=at_rest, inputs={"steer.angle": 0.0},
        outputs=[*LOADS, *places, *seen],
    )  # fmt: skip
    end = {name: float(run[name][-1]) for name in (*LOADS, *places, *seen)}
    front, left, right = (end[name] for name in LOADS)
    total = sum(MASSES.values()) * GRAVITY
    agrees(
        "three-wheeler at rest: load of all tyres", front + left + right, total,
        rel=1e-6, unit="N", source="Closed form, weight",
    )  # fmt: skip
    # Level ground and level body: moments about the rear axle.
    by_hand = (320.0 * 0.55 + 80.0 * 0.65) / 1.8 * GRAVITY + 15.0 * GRAVITY
    agrees(
        "three-wheeler at rest: load of the front tyre", front, by_hand,
        rel=1e-3, unit="N", source="Closed form, moments about the rear axle",
    )  # fmt: skip
    # The driver's side sinks: moments about the road's x axis where the bodies have come to.
    weights = sum(m * GRAVITY * end[f"{name}.position.y"] for name, m in MASSES.items())
    carried = sum(
        end[f"{w}_tyre.Fz"]
        * (
            end[f"{w}_wheel.position.y"]
            + end[f"{w}_tyre.loaded_radius"] * math.sin(end[f"{w}_tyre.inclination"])
        )
        for w in WHEELS
    )
    agrees(
        "three-wheeler with its driver on one side: moment of the loads about the road's x axis",
        carried, weights, abs=1e-5 * total, unit="N m", source="Closed form, moment of the weights",
    )  # fmt: skip
    assert left - right > 80.0 * GRAVITY * 0.2 / 0.6


@pytest.mark.validation("vehicles")
def test_load_transfer_in_a_steady_turn(three_wheeler: System, agrees: Agrees) -> None:
    """The rear wheels alone hold it upright: (F_out - F_in) t/2 = m a h, and more.

    Wheels that turn with the vehicle as they spin lean on it outwards with I Omega wz each;
    the roll angle carries the weight outwards and multiplies both.
    """
    found, lateral, precession = [], [], []
    for angle in (0.01, -0.01):
        run = three_wheeler.simulate(
            6.0, step=1e-3, outputs=LOADS,
            inputs={"steer.angle": f"{angle / 2}*(1+tanh(3*(t-1.5)))"},
        )  # fmt: skip
        found.append(run["right_tyre.Fz"][-1] - run["left_tyre.Fz"][-1])
        lateral.append(run["chassis.vx"][-1] * run["chassis.wz"][-1])
        spins = sum(run[f"{wheel}_axle.rate"][-1] for wheel in WHEELS)
        precession.append(0.4 * spins * run["chassis.wz"][-1])
    transfer = 0.5 * (found[0] - found[1])
    acceleration = 0.5 * (lateral[0] - lateral[1])
    gyroscopic = 0.5 * (precession[0] - precession[1])
    sprung, unsprung = 320.0 * 0.5 + 80.0 * 0.65, 45.0 * 0.27  # masses times heights
    stiffness = 2 * 0.6**2 / (1 / 20e3 + 1 / 120e3)
    swing = 1.0 / (1.0 - (sprung + unsprung) * GRAVITY / stiffness)
    moment = (sprung + unsprung) * acceleration + gyroscopic
    agrees(
        "three-wheeler in a steady turn: moment of the load transfer",
        transfer * 0.6, moment * swing, rel=0.005, unit="N m",
        source="Closed form, inertia, spin of the wheels and roll",
    )  # fmt: skip


def test_its_inner_wheel_lifts_before_the_tyres_slide(three_wheeler: System) -> None:
    """To the right, away from the driver: the wheel without him lifts first."""
    lifted, held = (
        three_wheeler.simulate(
            2.0,
            step=1e-3,
            outputs=LOADS,
            inputs={"steer.angle": f"{side}*0.055*(1+tanh(5*(t-0.5)))"},
        )
        for side in (-1, 1)
    )
    assert min(lifted["right_tyre.Fz"]) == 0.0
    assert min(held["left_tyre.Fz"]) > 0.0
    friction = 0.9 * GRAVITY
    assert max(abs(lifted["chassis.vx"] * lifted["chassis.wz"])) < friction
