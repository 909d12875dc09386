"""Brakes and clutches that hold: against motions that are known by hand, in all solved forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import root_scalar

import axletree as at
from axletree.model.model import Model
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.embedding import Embedded
from axletree.system.forms.partition import Partition
from axletree.system.forms.projected import Projected
from axletree.system.forms.set_valued import SetValuedForm
from axletree.system.system import System

GRAVITY = 9.81
SOLVED = "complementarity"


def pendulum(torque: float, form: str = "set-valued") -> System:
    model = at.Model("pendulum", gravity=(0.0, 0.0, -GRAVITY))
    arm = model.add(at.RigidBody("arm", 1.5, (0.1, 0.2, 0.3), (0.7, 0.0, 0.0)))
    pin = model.add(at.Revolute("pin", model.ground, arm, axis="y"))
    model.add(at.FrictionBrake("brake", pin, torque=torque))
    return model.formulate(form=form)


def test_a_brake_holds_a_pendulum_for_a_minute() -> None:
    needed = 1.5 * GRAVITY * 0.7 * math.cos(0.3)
    run = pendulum(1.01 * needed).simulate(
        60.0, step=2e-3, method=SOLVED, initial={"pin.angle": 0.3}, record_interval=0.02
    )
    assert not run["pin.rate"].any()
    assert (run["pin.angle"] == 0.3).all()
    assert run["brake.friction"] == pytest.approx(-needed, rel=1e-12)
    assert not run["brake.power"].any()


def test_a_brake_that_is_too_weak_lets_go() -> None:
    needed = 1.5 * GRAVITY * 0.7 * math.cos(0.3)
    run = pendulum(0.9 * needed).simulate(0.1, step=1e-4, method=SOLVED, initial={"pin.angle": 0.3})
    inertia = 0.2 + 1.5 * 0.7**2
    assert run["brake.friction"] == pytest.approx(-0.9 * needed)
    assert run["pin.rate"][10] == pytest.approx(0.1 * needed / inertia * 1e-3, rel=1e-3)


def test_what_creeps_under_the_smooth_law_comes_to_rest() -> None:
    """The slower the rate up to which torque is in proportion, the nearer the two motions."""
    system, smooth = pendulum(14.0), pendulum(14.0, "projected")
    first = {"pin.angle": -1.0, "pin.rate": 4.0}
    held = system.simulate(0.8, step=1e-6, method=SOLVED, initial=first, record_interval=0.8)
    apart = []
    for slow in (0.02, 0.01, 0.005):
        run = smooth.simulate(
            0.8,
            method="radau",
            step=0.02,
            initial=first,
            parameters={"brake.slow_rate": slow},
            relative_tolerance=1e-9,
            absolute_tolerance=1e-11,
        )
        apart.append(abs(run["pin.angle"][-1] - held["pin.angle"][-1]))
    assert apart[-1] < 0.005
    assert np.array(apart[:-1]) / apart[1:] == pytest.approx([2.0, 2.0], abs=0.3)


def several_brakes() -> Model:
    model = at.Model("wheel", gravity=(0.0, 0.0, 0.0))
    wheel = model.add(at.BodyOfRevolution("wheel", 5.0, 2.0, 1.0, axis="y"))
    axle = model.add(at.Revolute("axle", model.ground, wheel, axis="y"))
    for name, torque in (("a", 6.0), ("b", 6.0), ("c", 1.0)):
        model.add(at.FrictionBrake(name, axle, torque=torque))
    model.add(at.JointTorque("load", axle, torque="8*t"))
    return model


def test_brakes_on_one_axle_share_the_load_with_the_least_norm() -> None:
    """Evenly, until the weakest has given all that it has; then the others share the rest."""
    run = several_brakes().formulate(form="set-valued").simulate(2.0, step=1e-2, method=SOLVED)
    needed = 8.0 * np.maximum(run.time - 1e-2, 0.0)  # of the step that ends at a record
    weak = np.minimum(needed / 3.0, 1.0)
    strong = np.minimum((needed - weak) / 2.0, 6.0)
    assert run["c.friction"] == pytest.approx(-weak, abs=1e-12)
    assert run["a.friction"] == pytest.approx(-strong, abs=1e-12)
    assert run["b.friction"] == pytest.approx(-strong, abs=1e-12)
    held = run.time < 13.0 / 8.0
    assert not run["axle.rate"][held].any()
    assert run["axle.rate"][-1] > 0.0


def clutch(capacity: Any) -> System:
    model = at.Model("driveline", gravity=(0.0, 0.0, 0.0))
    engine = model.add(at.BodyOfRevolution("engine", 5.0, 0.2, 0.1, axis="x"))
    car = model.add(at.BodyOfRevolution("car", 5.0, 1.5, 1.0, axis="x"))
    crank = model.add(at.Revolute("crank", model.ground, engine, axis="x"))
    shaft = model.add(at.Revolute("shaft", model.ground, car, axis="x"))
    model.add(at.DryClutch("clutch", crank, shaft, capacity=capacity))
    model.add(at.JointTorque("drive", crank, torque=10.0))
    return model.formulate(form="set-valued")


def test_a_clutch_slips_then_locks() -> None:
    """The speeds meet when 100 rad/s of slip are used up; then one torque turns both."""
    run = clutch(30.0).simulate(2.0, step=1e-4, method=SOLVED, initial={"crank.rate": 100.0})
    meet = 100.0 / ((30.0 - 10.0) / 0.2 + 30.0 / 1.5)
    slipping, locked = run.time < meet - 1e-3, run.time > meet + 1e-3
    assert run["clutch.friction"][slipping] == pytest.approx(30.0)
    assert run["clutch.friction"][locked] == pytest.approx(10.0 * 1.5 / 1.7)
    assert run["clutch.slip"][locked] == pytest.approx(0.0, abs=1e-12)
    assert run["clutch.power"].max() <= 1e-10
    speed = (0.2 * 100.0 + 10.0 * run.time[-1]) / 1.7  # all momentum is in both
    assert run["shaft.rate"][-1] == pytest.approx(speed, rel=1e-9)


def test_a_clutch_opens_again() -> None:
    run = clutch("where(t < 1, 30, 0)").simulate(2.0, step=1e-3, method=SOLVED)
    together, apart = run.time < 1.0, run.time > 1.0 + 2e-3
    assert run["clutch.slip"][together] == pytest.approx(0.0, abs=1e-12)
    assert not run["clutch.friction"][apart].any()
    assert np.diff(run["crank.rate"][apart]) == pytest.approx(1e-3 * 10.0 / 0.2)


def four_bar() -> Model:
    model = at.Model("four_bar", gravity=(0.0, 0.0, -GRAVITY))
    crank = model.add(at.RigidBody("crank", 1.0, (0.01,) * 3, (0.1, 0.0, 0.0)))
    coupler = model.add(at.RigidBody("coupler", 2.0, (0.05,) * 3, (0.25, 0.0, 0.0)))
    rocker = model.add(at.RigidBody("rocker", 1.5, (0.03,) * 3, (0.2, 0.0, 0.0)))
    first = model.add(at.Revolute("A", model.ground, crank, axis="y"))
    model.add(at.Revolute("B", crank.point(0.2, 0.0, 0.0), coupler, axis="y"))
    model.add(at.Revolute("C", coupler.point(0.5, 0.0, 0.0), rocker.point(0.4, 0.0, 0.0), axis="y"))
    last = model.add(at.Revolute("D", model.ground.point(0.5, 0.0, 0.0), rocker, axis="y"))
    model.add(at.FrictionBrake("brake", first, torque="where(t < 0.3, 0, 3)"))
    model.add(at.FrictionBrake("second", last, torque="where(t < 0.3, 0, 2)"))
    return model


@pytest.mark.sampled(2)
@pytest.mark.parametrize("form", [Projected(), Baumgarte(), Partition(), Embedded()])
def test_brakes_hold_a_closed_chain(form: Any) -> None:
    """Joints are constraints here, and one brake works on a joint of the cotree."""
    system = four_bar().formulate(form=SetValuedForm(form))
    assert len(system.constraints) == 2
    ends = []
    for step in (2e-4, 1e-4):
        run = system.simulate(1.5, step=step, method=SOLVED, initial={"A.angle": -1.0})
        assert run["A.rate"][-2000:] == pytest.approx(0.0, abs=1e-15)
        assert np.ptp(run["A.angle"][-2000:]) < 1e-14
        ends.append(run["A.angle"][-1])
    smooth = (
        four_bar()
        .formulate(form=form)
        .simulate(
            1.5,
            step=2e-4,
            initial={"A.angle": -1.0},
            parameters={"brake.slow_rate": 0.005, "second.slow_rate": 0.005},
        )
    )
    better = 2.0 * ends[1] - ends[0]  # of first order
    assert smooth["A.angle"][-1] == pytest.approx(better, abs=5e-3)


def heights(crank: float, rocker: float) -> tuple[float, float]:
    """The energy of gravity [J] and the angle of the rocker, from the lengths of the bars."""

    def misfit(angle: float) -> float:
        x = 0.5 + 0.4 * math.cos(angle) - 0.2 * math.cos(crank)
        z = -0.4 * math.sin(angle) + 0.2 * math.sin(crank)
        return x * x + z * z - 0.5**2

    angle = float(root_scalar(misfit, x0=rocker, x1=rocker + 1e-3, xtol=1e-14).root)
    moment = 1.0 * 0.1 * math.sin(crank) + 1.5 * 0.2 * math.sin(angle)
    moment += 2.0 * 0.5 * (0.2 * math.sin(crank) + 0.4 * math.sin(angle))
    return -GRAVITY * moment, angle


def test_the_forces_of_a_held_chain_balance_gravity() -> None:
    """Their work in a small motion of the chain is what gravity gains."""
    run = (
        four_bar()
        .formulate(form="set-valued")
        .simulate(1.5, step=1e-3, method=SOLVED, initial={"A.angle": -1.0})
    )
    crank, rocker = run["A.angle"][-1], run["D.angle"][-1]
    (low, before), (high, after) = (heights(crank + d, rocker) for d in (-1e-5, 1e-5))
    turned = (after - before) / 2e-5
    work = run["brake.friction"][-1] + run["second.friction"][-1] * turned
    assert work == pytest.approx((high - low) / 2e-5, rel=1e-5)
