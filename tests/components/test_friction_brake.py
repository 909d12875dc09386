"""The friction brake on a flywheel, against motions that are known by hand."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import axletree as at
from axletree.analysis.energy import audit_energy
from axletree.system.system import System

INERTIA, TORQUE = 2.0, 6.0  # kg m^2, N m


def flywheel(
    torque: object = TORQUE,
    load: object = 0.0,
    form: str = "projected",
    stiffness: float | None = None,
) -> System:
    model = at.Model("flywheel", gravity=(0.0, 0.0, 0.0))
    wheel = model.add(at.BodyOfRevolution("wheel", 5.0, INERTIA, 1.0, axis="y"))
    axle = model.add(at.Revolute("axle", model.ground, wheel, axis="y"))
    model.add(at.FrictionBrake("brake", axle, torque, slow_rate=0.1, stiffness=stiffness))
    if load:
        model.add(at.JointTorque("load", axle, torque=load))
    return model.formulate(form=form)


@pytest.mark.parametrize("first", [9.0, -9.0])
def test_it_stops_the_wheel_and_keeps_it(first: float) -> None:
    """At 9 rad/s, by 3 rad/s^2: at rest after 3 s, whichever way it turned."""
    run = flywheel().simulate(4.0, step=1e-3, initial={"axle.rate": first})
    rate, time = run["axle.rate"], run.time
    assert rate[time <= 2.5] == pytest.approx(np.sign(first) * (9.0 - 3.0 * time[time <= 2.5]))
    assert abs(rate[-1]) < 1e-10
    assert run["brake.power"].max() <= 0.0


def test_it_takes_all_of_the_energy() -> None:
    audit = audit_energy(flywheel(), 4.0, step=1e-3, initial={"axle.rate": 9.0})
    assert dict(audit.rows)["brake"] == pytest.approx(-0.5 * INERTIA * 9.0**2)


def test_the_audit_of_steps_that_are_solved_closes_with_them() -> None:
    """The wheel loses all of its energy; the sum of its work is of first order in the step."""
    system, misfits = flywheel(form="set-valued"), []
    for step in (4e-3, 2e-3):
        audit = audit_energy(
            system, 4.0, step=step, method="complementarity", initial={"axle.rate": 9.0}
        )
        assert audit.energy[-1] == pytest.approx(-0.5 * INERTIA * 9.0**2, rel=1e-12)
        misfits.append(audit.residual)
    assert misfits[0] < 0.2
    assert misfits[0] / misfits[1] == pytest.approx(2.0, rel=0.05)


def test_a_load_below_its_torque_creeps_and_one_above_it_drives() -> None:
    held = flywheel(load=3.0).simulate(3.0, step=1e-3)["axle.rate"]
    assert held[-1] == pytest.approx(0.1 * 3.0 / TORQUE)
    free = flywheel(load=10.0).simulate(3.0, step=1e-3)["axle.rate"]
    assert np.diff(free)[-1] == pytest.approx(1e-3 * (10.0 - TORQUE) / INERTIA)


def test_an_open_brake_does_nothing_and_may_close_later() -> None:
    run = flywheel("where(t < 1, 0, 6)").simulate(3.0, step=1e-3, initial={"axle.rate": 9.0})
    assert run["axle.rate"][run.time < 1.0] == pytest.approx(9.0)
    assert run["axle.rate"][-1] == pytest.approx(3.0, abs=5e-3)


# -- held by a stiffness ---------------------------------------------------------------------------
STIFFNESS, SPRINGBACK = 4e5, 5e-3  # N m/rad, s: with the inertia 276/s and 724/s, without a swing


@pytest.mark.parametrize("method", ["rk4", "semi-implicit-euler", "subdivided-rk45", "lsoda"])
def test_a_brake_with_a_stiffness_holds_a_load(method: str) -> None:
    """By any method, wound up by load over stiffness; nothing creeps."""
    system = flywheel(load=3.0, stiffness=STIFFNESS)
    run = system.simulate(0.5, step=1e-3, method=method)
    assert run["axle.angle"][-1] == pytest.approx(3.0 / STIFFNESS, rel=1e-5)
    assert run["brake.wind_up"][-1] == pytest.approx(3.0 / STIFFNESS, rel=1e-5)
    assert abs(run["axle.rate"][-1]) < 1e-9
    assert np.ptp(run["axle.angle"][-200:]) < 1e-9


def test_it_slides_under_a_load_above_its_torque_and_swings_by_no_more_than_it_is_wound_up() -> (
    None
):
    free = flywheel(load=10.0, stiffness=STIFFNESS).simulate(3.0, step=1e-3)
    assert np.diff(free["axle.rate"])[-1] == pytest.approx(1e-3 * (10.0 - TORQUE) / INERTIA)
    run = flywheel(stiffness=STIFFNESS).simulate(4.0, step=1e-3, initial={"axle.rate": 9.0})
    first, angle = run.time <= 2.5, run["axle.angle"]
    assert run["axle.rate"][first] == pytest.approx(9.0 - 3.0 * run.time[first], abs=1e-3)
    assert angle.max() == pytest.approx(9.0**2 / 6.0, abs=1e-3)
    assert 0.0 <= angle.max() - angle[-1] < TORQUE / STIFFNESS
    assert abs(run["axle.rate"][-1]) < 1e-12


def test_it_does_not_drift_under_a_load_that_swings() -> None:
    """Up to five sixths of its torque, fifty times: the joint comes back to where it was."""
    system = flywheel(load="2 + 3*sin(2*pi*10*t)", stiffness=STIFFNESS)
    angle = system.simulate(5.0, step=1e-3)["axle.angle"]
    assert np.ptp(angle[1000:]) == pytest.approx(6.0 / STIFFNESS, rel=0.1)
    assert np.abs(angle[1000::100] - angle[1000]).max() < 1e-6 / STIFFNESS


def test_it_makes_no_energy_however_its_torque_changes() -> None:
    """That of wheel and mount together, from one step to the next."""
    system = flywheel("3 + 3*sin(40*t)*sin(7*t)", stiffness=2e3)
    for first in (0.5, -0.02):
        run = system.simulate(
            2.0, step=1e-4, initial={"axle.rate": first}, outputs=["energy.total"]
        )
        energy = run["energy.total"]
        assert np.diff(energy).max() < 1e-12
        assert energy[-1] < 1e-4 * energy[0]


def test_its_audit_closes_with_what_the_mount_holds() -> None:
    audit = audit_energy(flywheel(load=3.0, stiffness=2e3), 4.0, step=1e-3)
    assert audit.energy[-1] - audit.energy[0] == pytest.approx(0.5 * 3.0**2 / 2e3, rel=1e-3)
    assert audit.residual < 1e-8


def test_solved_forces_hold_it_exactly_whatever_its_stiffness() -> None:
    """Nothing is stored; the wind-up is what a mount would have under that torque."""
    system = flywheel(load=3.0, form="set-valued", stiffness=2e3)
    run = system.simulate(1.0, step=1e-3, method="complementarity", outputs=["energy.total"])
    assert not run["axle.rate"].any()
    assert not run["axle.angle"].any()
    assert run["brake.wind_up"][-1] == pytest.approx(3.0 / 2e3)
    assert not run["energy.total"].any()


@pytest.mark.parametrize(
    ("load", "stiffness", "creeps"), [(3.0, None, True), (0.0, None, False), (3.0, 1e4, False)]
)
def test_a_brake_that_lets_creep_what_it_should_hold_is_named(
    load: float, stiffness: float | None, creeps: bool
) -> None:
    """With smooth methods and without a stiffness, for more than 5 s."""
    system = flywheel(load=load, stiffness=stiffness)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = system.simulate(7.0, step=1e-3, initial={"axle.rate": 1.0}, watch=False)
    assert ("brake: it does not hold its joint but lets it creep" in run.note) == creeps
    assert len(caught) == creeps
    held = flywheel(load=load, form="set-valued")
    run = held.simulate(7.0, step=1e-3, initial={"axle.rate": 1.0}, method="complementarity")
    assert run.note == ""
