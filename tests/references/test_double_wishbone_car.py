"""A car on double wishbones in every form and tree, against Newton's and Euler's equations.

The independent model has six speeds for each body and a row for each direction that a joint holds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.described_car import described_car, motion_outputs
from mechanisms.description import Mechanism
from mechanisms.double_wishbone_car import CORNERS, double_wishbone_car, turned_by_chassis
from mechanisms.solved import Solved, absolute_tree

import axletree as at
from axletree.expr import evaluate, symbol

REAR = ("rear_left", "rear_right")
TWO = ("front_left", "rear_right")  # one with a rack, one without
RACK = (0.012, -0.05, 0.4)  # m, m/s, m/s^2


@cache
def moving(corners: tuple[str, ...], seed: int) -> Mechanism:
    """In a state that is drawn: pose, travel of the wheels and all speeds that are free."""
    model = double_wishbone_car(corners, tyres=False)
    system = model.formulate(form="embedded")
    random = np.random.default_rng(seed)
    first = {f"free.{name}": 0.1 * random.normal() for name in ("x", "y", "yaw", "pitch", "roll")}
    first |= {f"free.{name}": random.normal() for name in ("vx", "vy", "vz", "wx", "wy", "wz")}
    for corner in corners:
        first[f"{corner}_lower.angle"] = 0.08 * random.normal()
        first[f"{corner}_lower.rate"] = random.normal()
        first[f"{corner}_axle.rate"] = 58.0 + random.normal()  # rad/s
    names = "", "_rate", "_acceleration"
    rack = {f"steering.position{n}": x for n, x in zip(names, RACK, strict=True)}
    state = system.state(first, inputs=rack)
    moved = system.outputs_at(state, motion_outputs(model), inputs=rack)
    return described_car(model, moved, RACK)[0]


def joint_coordinates(m: Mechanism) -> Any:
    return None


def absolute_coordinates(m: Mechanism) -> Any:
    return absolute_tree(m)


CASES: list[tuple[str, Any, Callable[[Mechanism], Any], tuple[str, ...]]] = [
    ("embedded", at.Embedded(), joint_coordinates, TWO),
    ("projected", at.Projected(), joint_coordinates, TWO),
    ("partition", at.Partition(newton_steps=1), joint_coordinates, TWO),
    ("absolute coordinates", at.Projected(), absolute_coordinates, TWO[:1]),
]


@pytest.mark.sampled(3)
@pytest.mark.validation("mechanisms")
@pytest.mark.slow
@pytest.mark.parametrize(("name", "form", "tree", "corners"), CASES)
@pytest.mark.parametrize("seed", [1, 2])
def test_accelerations_and_reactions_are_those_of_newton_and_euler(
    name: str, form: Any, tree: Any, corners: tuple[str, ...], seed: int, agrees: Agrees
) -> None:
    m = moving(corners, seed)
    found = Solved(m, tree(m), form=form)
    expected = m.accelerations()
    agrees(
        "car on double wishbones: accelerations of all bodies", found.accelerations(), expected,
        abs=1e-9 * np.abs(expected).max(), unit="m/s², rad/s²",
        source="Independent model, Newton and Euler in maximal coordinates",
        case=f"{name}, state {seed}",
    )  # fmt: skip
    wrenches, forces = m.reactions()
    largest = max(np.abs(x).max() for pair in wrenches for x in pair)
    for k, pair in enumerate(wrenches):
        for word, wanted in zip(("force", "moment"), pair, strict=True):
            names = [f"j{k}.reaction.{word}.{axis}" for axis in "xyz"]
            if m.joints[k].kind == "Free" or names[0] not in found.outputs:
                assert np.abs(wanted).max() < 1e-9 * largest
                continue
            given = found.value(found.outputs[n] for n in names)
            np.testing.assert_allclose(given, wanted, atol=1e-9 * largest, err_msg=f"{k} {word}")
    assert abs(forces[0]) > 1.0  # N: the rack is driven


# -- long runs -----------------------------------------------------------------------------


def driven_car() -> Any:
    """On tyres by the Magic Formula, at its design height, driven at the rear wheels."""
    model = double_wishbone_car()
    for name in REAR:
        model.add(at.JointTorque(f"{name}_drive", model[f"{name}_axle"]))
    return model.formulate(turned_by_chassis(), form="embedded")


def largest_gap(seconds: float) -> tuple[float, Any]:
    """Of all loops at the records of a drive with steering and speed that change, and the run."""
    car = driven_car()
    torque = "32 + 180*sin(0.2*t)"  # N m
    run = car.simulate(
        seconds, step=1e-3, method="semi-implicit-euler", outputs=(), record_interval=0.01,
        watch=False,
        initial={"free.vx": 18.0} | {f"{name}_axle.rate": 18.0 / 0.31 for name in CORNERS},
        parameters={f"{name}_spring.free_length": 0.577 for name in CORNERS},
        inputs={"steering.position": "0.003*sin(0.7*t)"}
        | {f"{name}_drive.torque": torque for name in REAR},
    )  # fmt: skip
    values: dict[Any, Any] = {q.symbol: q.default for q in (*car.parameters, *car.inputs)}
    values |= {q.symbol: run[q.name] for q in car.states}
    values[symbol("steering.position")] = 0.003 * np.sin(0.7 * run.time)
    gaps = evaluate([c.position for c in car.constraints], values)
    return max(float(np.abs(gap).max()) for gap in gaps), run


@pytest.mark.slow
def test_loops_stay_closed_while_the_car_drives() -> None:
    gap, run = largest_gap(10.0)
    assert gap < 1e-10  # m
    assert run.note == ""


@pytest.mark.long
@pytest.mark.shipped_flags
def test_loops_stay_closed_over_ten_minutes() -> None:
    """At 1 ms, one Newton step after each; the car goes round bends, faster and slower."""
    gap, run = largest_gap(600.0)
    speed = np.hypot(run["free.vx"], run["free.vy"])
    assert speed.min() > 3.0
    assert np.ptp(speed) > 8.0
    assert np.ptp(run["front_left_lower.angle"]) > 0.1  # rad
    assert gap < 1e-10  # m


def energy_drift(car: Any, seconds: float, step: float) -> tuple[float, float]:
    """Shares of the energy and of the angular momentum that a floating car gains or loses."""
    momentum = [f"momentum.angular.{axis}" for axis in "xyz"]
    run = car.simulate(
        seconds, step=step, method="rk4", outputs=["energy.total", *momentum],
        record_interval=0.05, watch=False,
        initial={f"free.w{axis}": w for axis, w in zip("xyz", (0.2, 0.1, 0.3), strict=True)}
        | {f"{name}_axle.rate": 5.0 for name in CORNERS}
        | {f"{name}_lower.angle": 0.05 for name in CORNERS},
        parameters={f"{name}_spring.damping": 0.0 for name in CORNERS},
    )  # fmt: skip
    energy = run["energy.total"]
    L = np.array([run[name] for name in momentum])
    off = np.abs(L - L[:, :1]).max() / np.linalg.norm(L[:, 0])
    assert np.ptp(run["front_left_lower.angle"]) > 0.1  # rad: the wheels swing on and on
    return float(np.ptp(energy) / energy[0]), float(off)


def floating_car() -> Any:
    """Without weight and damping, so that it keeps its energy and its angular momentum."""
    model = double_wishbone_car(tyres=False)
    model.gravity = (0.0, 0.0, 0.0)
    return model.formulate(turned_by_chassis(), form="embedded")


@pytest.mark.long
@pytest.mark.shipped_flags
def test_energy_over_ten_minutes() -> None:
    """What RK4 loses of swings falls with the fifth power of the step, and nothing else is lost."""
    car = floating_car()
    lost, turned = energy_drift(car, 600.0, 1e-3)
    assert lost < 1e-7
    assert turned < 1e-9
    coarse, _ = energy_drift(car, 60.0, 2e-3)
    fine, _ = energy_drift(car, 60.0, 1e-3)
    assert coarse / fine == pytest.approx(32.0, rel=0.1)
