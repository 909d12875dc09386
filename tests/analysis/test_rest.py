"""Starts at rest: where forces hold that are set-valued, and where a force jumps."""

from __future__ import annotations

import math

import numpy as np
import pytest

import axletree as at
from axletree.analysis.steady.problem import pose
from axletree.analysis.steady.settle import come_to_rest
from axletree.core.errors import TrimError
from axletree.system.system import System


def arm_on_a_spring(torque: float) -> System:
    """A rod of 2 kg and 1 m that a brake holds level, on a slide with a spring and a damper."""
    model = at.Model("arm")
    block = model.add(at.RigidBody("block", 3.0, (1.0, 1.0, 1.0)))
    lift = model.add(at.Prismatic("lift", model.ground, block, axis="z"))
    model.add(at.SlideSpringDamper("spring", lift, stiffness=500.0, damping=40.0))
    rod = model.add(at.RigidBody("rod", 2.0, (0.01, 0.2, 0.2)))
    pin = model.add(at.Revolute("pin", block, rod.point(-0.5, 0, 0), axis="y"))
    model.add(at.FrictionBrake("brake", pin, torque=torque))
    return model.formulate(form="set-valued")


def test_it_rests_where_a_brake_holds_against_the_weight() -> None:
    """At any angle: no balance of torques says at which."""
    found = come_to_rest(pose(arm_on_a_spring(30.0), {}))
    assert found.states["pin.angle"] == pytest.approx(0.0, abs=1e-12)
    assert found.states["pin.rate"] == found.states["lift.speed"] == 0.0
    assert found.states["lift.position"] == pytest.approx(-5.0 * 9.80665 / 500.0, abs=1e-6)
    assert found.residual < 1e-6


def test_a_brake_that_is_too_weak_lets_it_down_to_where_it_hangs() -> None:
    """The brake stops it where the weight has less of a lever than the torque."""
    found = come_to_rest(pose(arm_on_a_spring(2.0), {}))
    lever = 0.5 * math.cos(found.states["pin.angle"])
    assert found.states["pin.angle"] > 1.0
    assert abs(lever) * 2.0 * 9.80665 < 2.0


def test_where_a_force_jumps_through_zero_nothing_is_steady() -> None:
    """From -50 N to 70 N between two numbers that follow one another."""
    model = at.Model("jump")
    body = model.add(at.RigidBody("body", 1.0, (1.0, 1.0, 1.0)))
    track = model.add(at.Prismatic("track", model.ground, body, axis="x"))
    places = (0.0, 1.0, float(np.nextafter(1.0, 2.0)), 2.0)
    jump = at.Curve(places, (50.0, 50.0, -70.0, -70.0), "linear")
    model.add(at.TabulatedSlideSpringDamper("spring", track, force_at_position=jump))
    model.start = {"track.position": 1.0}
    with pytest.raises(TrimError, match=r"track\.speed changes by -50 m/s\^2"):
        model.formulate().trim()
