"""Slip that is held at zero, beside other effects of friction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.simulation.trajectory import Trajectory


def test_no_slip_with_rolling_resistance() -> None:
    """m dv/dt = -f_R m g of a cart whose wheel has no axial inertia to speak of."""
    law = at.ComposedFriction(
        "no-slip", rolling_resistance={"type": "constant", "coefficient": 0.02}
    )
    free, resisted = (freely_rolling(given) for given in (at.NoSlip(), law))
    assert np.ptp(free["hub.vx"]) < 1e-6
    slope = np.polyfit(resisted.time, resisted["hub.vx"], 1)[0]
    assert slope == pytest.approx(-0.02 * 9.80665, rel=3e-3)
    np.testing.assert_allclose(resisted["tyre.Fx"][-1], -0.02 * 30.0 * 9.80665, rtol=3e-3)


def test_no_slip_among_effects_is_the_ideal_wheel() -> None:
    """Of a leaning wheel in a curve, where no other effect is asked for."""
    ideal, composed = (
        freely_rolling(law, {"hub.roll": 0.2, "hub.wz": 0.3})
        for law in (at.NoSlip(), at.ComposedFriction("no-slip"))
    )
    assert np.abs(ideal["tyre.Fy"]).max() > 50.0
    for name in ("hub.x", "hub.y", "hub.roll", "tyre.Fx", "tyre.Fy"):
        np.testing.assert_allclose(composed[name], ideal[name], atol=1e-8)


def freely_rolling(law: Any, start: Mapping[str, float] | None = None) -> Trajectory:
    """A wheel by itself at 5 m/s; its shape and stiffness are those of a ready-made tyre."""
    model = at.Model("wheel")
    hub = model.add(at.RigidBody("hub", 30.0, (1.0, 1.0, 1.0), orientation="312", speeds="body"))
    wheel = model.add(at.BodyOfRevolution("wheel", 1e-3, 1e-5, 1e-5, axis="y"))
    axle = model.add(at.Revolute("axle", hub, wheel, axis="y"))
    fields = at.ready_tyre("belted-advanced", law=law, rim="none")
    model.add(at.Tyre("tyre", axle, model.ground, **fields))
    model.start = {"hub.z": 0.2466}
    system = model.formulate()
    rolls = system.trim(
        {"hub.vx": 5.0} | dict(start or {}), wheels=at.RollingWheels(deflection="0.3 mm")
    )
    return system.simulate(
        0.4, step=1e-4, initial=rolls.states, outputs=["tyre.Fx", "tyre.Fy", "tyre.Fz"]
    )
