"""Couplings of shafts on flywheels, against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import ModelError
from axletree.simulation.trajectory import Trajectory

CAPACITY = at.Curve((0.0, 0.5, 0.8, 1.0), (2e-3, 2.1e-3, 1.6e-3, 0.0))
RATIO = at.Curve((0.0, 0.85, 1.0), (2.1, 1.0, 1.0), "linear")


def shafts(*inertias: float) -> tuple[at.Model, list[Any]]:
    """Flywheels on bearings, a, b and so on."""
    model = at.Model("stand", gravity=(0, 0, 0))
    bodies = [
        model.add(at.RigidBody(name, 1.0, (J, J, J)))
        for name, J in zip("abc", inertias, strict=False)
    ]
    return model, [model.add(at.Revolute(f"{b.name}_shaft", model.ground, b)) for b in bodies]


def converter(model: at.Model, joints: list[Any]) -> at.TorqueConverter:
    oil = at.TorqueConverter("oil", *joints, capacity=CAPACITY, torque_ratio=RATIO)
    model.add(oil)
    return oil


def told(system: Any, name: str, **rates: float) -> float:
    state = system.state({f"{shaft}_shaft.rate": rate for shaft, rate in rates.items()})
    return float(system.outputs_at(state)[name])


def test_a_stalled_converter_holds_the_engine_at_its_stall_speed() -> None:
    """Against a turbine that is held, a torque M turns the pump at sqrt(M / k(0))."""
    model, joints = shafts(0.2, 1e9)
    converter(model, joints)
    model.add(at.JointTorque("engine", joints[0], torque=180.0))
    run = model.formulate().simulate("3 s", step="1 ms")
    assert run["a_shaft.rate"][-1] == pytest.approx(math.sqrt(180.0 / 2e-3), rel=1e-6)
    assert run["oil.turbine_torque"][-1] == pytest.approx(2.1 * 180.0, rel=1e-6)


@pytest.mark.parametrize("turbine", [0.0, 60.0, 130.0, 200.0, 260.0, -80.0])
def test_a_converter_follows_its_characteristic_and_makes_no_power(turbine: float) -> None:
    model, joints = shafts(0.2, 0.2)
    converter(model, joints)
    system = model.formulate()
    n = turbine / 200.0
    if turbine <= 200.0:
        torque = float(CAPACITY.table.evaluate(max(n, 0.0))) * 200.0**2
        on_turbine = torque * float(np.interp(n, RATIO.x, RATIO.y))
    else:
        torque = on_turbine = -float(CAPACITY.table.evaluate(1.0 / n)) * turbine**2
    assert told(system, "oil.pump_torque", a=200.0, b=turbine) == pytest.approx(torque)
    assert told(system, "oil.turbine_torque", a=200.0, b=turbine) == pytest.approx(on_turbine)
    assert told(system, "oil.power", a=200.0, b=turbine) <= 0.0


def test_a_converter_is_at_rest_at_rest_and_is_refused_where_it_makes_power() -> None:
    model, joints = shafts(0.2, 0.2)
    converter(model, joints)
    assert set(model.formulate().rhs(model.formulate().state()).values()) == {0.0}
    with pytest.raises(ModelError, match="times its power"):
        at.TorqueConverter("oil", *joints, capacity=CAPACITY,
                           torque_ratio=at.Curve((0.0, 1.0), (3.0, 2.0)))  # fmt: skip
    with pytest.raises(ModelError, match="capacity is not 0 at a speed ratio of 1"):
        at.TorqueConverter("oil", *joints, capacity=at.Curve((0.0, 1.0), (2e-3, 1e-3)),
                           torque_ratio=RATIO)  # fmt: skip


def test_a_viscous_coupling_brings_two_flywheels_together_by_an_exponential() -> None:
    model, joints = shafts(2.0, 6.0)
    model.add(at.ViscousCoupling("fluid", *joints, coefficient=3.0))
    run = model.formulate().simulate("1 s", step="10 ms", initial={"a_shaft.rate": 40.0})
    slip = 40.0 * np.exp(-3.0 * (1.0 / 2.0 + 1.0 / 6.0) * run.time)
    assert run["fluid.slip"] == pytest.approx(slip, rel=1e-7)
    momentum = 2.0 * run["a_shaft.rate"] + 6.0 * run["b_shaft.rate"]
    assert momentum == pytest.approx(80.0)


def test_a_fluid_that_thins_follows_the_power_of_the_slip() -> None:
    """J ds/dt = -c s^m: s^(1 - m) falls in proportion to time, where s is above the slow rate."""
    model, joints = shafts(2.0, 1e9)
    model.add(at.ViscousCoupling("fluid", *joints, coefficient=30.0, exponent=0.5, slow_rate=1e-3))
    run = model.formulate().simulate("0.3 s", step="2 ms", initial={"a_shaft.rate": 40.0})
    expected = (math.sqrt(40.0) - 0.5 * 30.0 / 2.0 * run.time) ** 2
    assert run["fluid.slip"] == pytest.approx(expected, rel=1e-6)


def test_a_planetary_gear_divides_torque_by_its_teeth() -> None:
    """Willis: with the carrier driven, ring and sun have i : 1 of the torque, at any speeds."""
    model, joints = shafts(3.0, 3.0, 0.5)
    model.add(at.PlanetaryGear("centre", *joints, ratio=1.5))
    model.add(at.JointTorque("drive", joints[2], torque=100.0))
    system = model.formulate()
    rates = system.rhs(system.state({"a_shaft.rate": 30.0, "b_shaft.rate": 5.0}))
    sun, ring = 3.0 * rates["a_shaft.rate"], 3.0 * rates["b_shaft.rate"]
    assert ring / sun == pytest.approx(1.5)
    assert rates["c_shaft.rate"] == pytest.approx(
        (rates["a_shaft.rate"] + 1.5 * rates["b_shaft.rate"]) / 2.5
    )
    # 100 N m turn the carrier and what both have by their levers
    assert 0.5 * rates["c_shaft.rate"] + (sun + ring) == pytest.approx(100.0)


def test_a_shaft_swings_at_the_frequency_of_two_flywheels() -> None:
    """w^2 = k (1 / J_1 + i^2 / J_2), which linear theory has of the twist a - i b."""
    model, joints = shafts(0.3, 4.0)
    model.add(at.TorsionalShaft("shaft", *joints, stiffness=5e3, ratio=3.0))
    run = model.formulate().simulate("0.2 s", step="0.2 ms", initial={"a_shaft.angle": 0.01})
    w = math.sqrt(5e3 * (1.0 / 0.3 + 9.0 / 4.0))
    assert run["shaft.twist"] == pytest.approx(0.01 * np.cos(w * run.time), abs=1e-7)


def test_a_shaft_passes_nothing_within_its_backlash() -> None:
    model, joints = shafts(1.0, 1.0)
    model.add(at.TorsionalShaft("shaft", *joints, stiffness=1e3, damping=20.0, backlash=0.04))
    system = model.formulate()

    def torque(twist: float, rate: float = 0.0) -> float:
        state = system.state({"a_shaft.angle": twist, "a_shaft.rate": rate})
        return float(system.outputs_at(state)["shaft.torque"])

    assert torque(0.019, 5.0) == torque(-0.019) == 0.0
    assert torque(0.03) == pytest.approx(10.0)
    assert torque(-0.05) == pytest.approx(-30.0)
    assert torque(0.03, -50.0) == pytest.approx(0.0)  # teeth part, and do not pull


def shifted(dual: bool, method: str = "complementarity") -> Trajectory:
    """From second to third gear at 1 s, without torque at the engine."""
    model, joints = shafts(0.2, 40.0)
    box = {"ratios": [4.0, 2.0, 1.5], "capacity": 60.0, "dual_clutch": dual, "opening": 0.1,
           "closing": 0.2,
           "gear": at.TimeTable((0.0, 1.0, 1.001), (2.0, 2.0, 3.0), "linear")}  # fmt: skip
    model.add(at.ShiftedGearbox("box", *joints, **box))
    system = (
        model.formulate(form="set-valued") if method == "complementarity" else model.formulate()
    )
    first = {"a_shaft.rate": 200.0, "b_shaft.rate": 100.0, "box.engaged_2": 1.0}
    return system.simulate("2 s", step="1 ms", method=method, initial=first)


@pytest.mark.parametrize("dual", [False, True])
def test_a_shift_brings_both_shafts_to_the_next_ratio_as_an_inelastic_blow_does(dual: bool) -> None:
    """The impulse of one clutch alone: J_b w_b + i J_a w_a is kept. Of two that overlap, the one
    that opens drags the shafts away from that, and what is left of it closes nearby."""
    run = shifted(dual)
    Ja, Jb, i = 0.2, 40.0, 1.5
    kept = (Jb * 100.0 + i * Ja * 200.0) / (Jb + i * i * Ja)
    assert run["a_shaft.rate"][-1] == pytest.approx(i * run["b_shaft.rate"][-1], rel=1e-9)
    close = 1e-6 if not dual else 2e-2
    assert run["b_shaft.rate"][-1] == pytest.approx(kept, rel=close)


def test_one_clutch_interrupts_the_torque_for_its_time_and_two_do_not() -> None:
    """No clutch carries anything from the end of opening to the beginning of closing; of two, one
    always does."""
    single, dual = shifted(False), shifted(True)

    def carried(run: Trajectory, k: int) -> np.ndarray:
        return np.clip((run[f"box.engaged_{k}"] - 0.02) / 0.96, 0.0, 1.0)

    none = single.time[(carried(single, 2) == 0.0) & (carried(single, 3) == 0.0)]
    assert none[0] == pytest.approx(1.0 + 0.1, abs=0.02)
    assert none[-1] - none[0] < 0.03
    closed = single.time[carried(single, 3) == 1.0][0]
    assert closed == pytest.approx(1.0 + 0.1 + 0.2, abs=0.06)
    assert np.minimum(carried(single, 2), carried(single, 3)).max() == 0.0
    assert (carried(dual, 2) + carried(dual, 3)).min() > 0.3
    assert single["box.power"].min() < 0.0
    assert single["box.power"].max() < 1e-6


def test_a_gearbox_in_neutral_passes_nothing() -> None:
    model, joints = shafts(0.2, 40.0)
    model.add(at.ShiftedGearbox("box", *joints, ratios=[4.0, 2.0], capacity=60.0, gear=0.0))
    rates = model.formulate().rhs(model.formulate().state({"a_shaft.rate": 90.0}))
    assert rates["a_shaft.rate"] == rates["b_shaft.rate"] == 0.0
    with pytest.raises(ModelError, match="expected ratios other than 0"):
        at.ShiftedGearbox("box", *joints, ratios=[4.0, 0.0], capacity=60.0)


def test_an_axle_coupling_passes_torque_from_the_faster_axle_without_making_power() -> None:
    model = at.Model("stand", gravity=(0, 0, 0))
    names = ("fl", "fr", "rl", "rr")
    wheels = [model.add(at.RigidBody(n, 1.0, (1, 1, 1))) for n in names]
    axles = [model.add(at.Revolute(f"{w.name}_axle", model.ground, w)) for w in wheels]
    model.add(at.AxleCoupling("coupling", *axles, viscous=8.0, capacity=at.Input(0.0), ratio=3.0))
    system = model.formulate()
    state = system.state({"fl_axle.rate": 12.0, "fr_axle.rate": 8.0, "rl_axle.rate": 9.0})
    slip = 3.0 * (10.0 - 4.5)
    free = system.rhs(state)
    assert free["rl_axle.rate"] == pytest.approx(0.5 * 3.0 * 8.0 * slip)
    assert free["fl_axle.rate"] == pytest.approx(-0.5 * 3.0 * 8.0 * slip)
    held = system.rhs(state, inputs={"coupling.capacity": 20.0})
    assert held["rr_axle.rate"] == pytest.approx(0.5 * 3.0 * (8.0 * slip + 20.0))
    power = system.outputs_at(state, inputs={"coupling.capacity": 20.0})["coupling.power"]
    assert power == pytest.approx(-(8.0 * slip + 20.0) * slip)


@pytest.mark.parametrize("gear", [3, -1, 1.5])
def test_a_gear_that_a_gearbox_has_not_is_refused(gear: float) -> None:
    _, joints = shafts(1.0, 1.0)
    with pytest.raises(ModelError, match=r"is none of its gears: expected 0, none, to 2"):
        at.ShiftedGearbox("box", *joints, ratios=[2.0, 1.0], capacity=50.0, gear=gear)


def test_a_run_says_where_a_gear_is_asked_for_that_is_not_there() -> None:
    model, joints = shafts(0.2, 4.0)
    asked = at.TimeTable((0.0, 0.2, 0.201), (1.0, 1.0, 3.0), "linear")
    model.add(at.ShiftedGearbox("box", *joints, ratios=[2.0, 1.0], capacity=50.0, gear=asked))
    with pytest.warns(UserWarning, match="a gear is asked for that it has not"):
        model.formulate().simulate("0.5 s", step="1 ms", initial={"box.engaged_1": 1.0})


def test_friction_below_nothing_is_refused() -> None:
    _, joints = shafts(1.0, 1.0, 1.0)
    with pytest.raises(ModelError, match="capacity -5 N m is below 0"):
        at.DryClutch("clutch", *joints[:2], capacity=-5.0)
    with pytest.raises(ModelError, match="driving and driven are both a_shaft"):
        at.DryClutch("clutch", joints[0], joints[0], capacity=5.0)
    with pytest.raises(ModelError, match="two of its joints are the same"):
        at.AxleCoupling("coupling", *joints, joints[0], viscous=3.0)
