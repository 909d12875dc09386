"""The friction brake on a flywheel, against motions that are known by hand."""

from __future__ import annotations

import numpy as np
import pytest

import axletree as at
from axletree.analysis.energy import audit_energy
from axletree.system.system import System

INERTIA, TORQUE = 2.0, 6.0  # kg m^2, N m


def flywheel(torque: object = TORQUE, load: float = 0.0, form: str = "projected") -> System:
    model = at.Model("flywheel", gravity=(0.0, 0.0, 0.0))
    wheel = model.add(at.BodyOfRevolution("wheel", 5.0, INERTIA, 1.0, axis="y"))
    axle = model.add(at.Revolute("axle", model.ground, wheel, axis="y"))
    model.add(at.FrictionBrake("brake", axle, torque=torque, slow_rate=0.1))
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
