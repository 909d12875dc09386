"""The wheel guide: energy, virtual work, geometry, and what it is refused for."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import axletree as at
from axletree.system.system import System

TRAVELS = [-0.1, 0.0, 0.1]
CURVES = {
    "left": [0.01, 0.0, -0.02],
    "forward": [0.005, 0.0, 0.01],
    "toe": [0.2, 0.0, -0.1],
    "camber": [-0.2, 0.0, 0.3],
    "caster": [-0.1, 0.0, 0.15],
}
CENTRE = (0.05, -0.1, 0.03)
STATIC = {"static_toe": 0.02, "static_camber": -0.03}


def guide(model: at.Model, tail: Any, head: Any) -> at.WheelGuide:
    curves = {name: {"x": TRAVELS, "y": y, "kind": "spline"} for name, y in CURVES.items()}
    added: at.WheelGuide = model.add(at.WheelGuide("guide", tail, head, **STATIC, **curves))
    return added


@cache
def free_body() -> System:
    """A free body that carries a carrier on a guide, and a wheel on that."""
    model = at.Model("suspended", gravity=(0.3, 0.2, -9.81))
    body = model.add(at.RigidBody("body", 100.0, (10.0, 20.0, 30.0), (0.1, 0.2, 0.05)))
    model.add(at.Free("chassis", model.ground, body))
    carrier = model.add(at.RigidBody("carrier", 12.0, (1.0, 1.5, 2.0), CENTRE))
    joint = guide(model, body.frame("hub", (0.5, 0.6, -0.2)), carrier)
    wheel = model.add(at.BodyOfRevolution("wheel", 20.0, 1.0, 0.6, axis="y"))
    model.add(at.Revolute("axle", carrier, wheel, axis="y"))
    model.add(at.SlideSpringDamper("spring", joint, stiffness=2e4))
    return model.formulate()


def energy_error(step: float) -> float:
    first = {"guide.travel": 0.03, "guide.speed": 0.4, "axle.rate": 20.0}
    first |= {"chassis.wx": 0.5, "chassis.wy": -0.3}
    # Too short a time for the travel to leave the part between two points.
    run = free_body().simulate(0.05, step=step, method="rk4", initial=first)
    assert run["guide.travel"].min() > 0.0
    assert np.ptp(run["guide.speed"]) > 0.1
    return float(np.ptp(run["energy.total"]))


def test_energy_is_kept_at_the_order_of_the_method() -> None:
    """Which it is only if partial velocities, bias and loads all belong to one motion."""
    errors = [energy_error(step) for step in (1.25e-3, 6.25e-4)]
    assert errors[1] < 1e-8
    assert errors[0] / errors[1] == pytest.approx(16.0, rel=0.15)


def place(travel: float) -> tuple[np.ndarray, Rotation]:
    """By SciPy: the carrier's origin and its turn in the tail."""
    values = {name: float(CubicSpline(TRAVELS, y)(travel)) for name, y in CURVES.items()}
    toe, camber = values["toe"] + STATIC["static_toe"], values["camber"] + STATIC["static_camber"]
    turn = Rotation.from_euler("ZXY", [toe, camber, values["caster"]])
    return np.array([values["forward"], values["left"], travel]), turn


def test_a_spring_along_the_travel_carries_what_virtual_work_says() -> None:
    gravity, mass, travel = np.array([1.0, 2.0, -9.81]), 12.0, 0.04
    model = at.Model("hung", gravity=tuple(gravity))
    carrier = model.add(at.RigidBody("carrier", mass, (1.0, 1.5, 2.0), CENTRE))
    joint = guide(model, model.ground, carrier)
    model.add(at.JointForce("jack", joint))
    system = model.formulate()

    def height(s: float) -> float:
        origin, turn = place(s)
        return float(gravity @ (origin + turn.apply(CENTRE)))

    slope = (height(travel + 1e-6) - height(travel - 1e-6)) / 2e-6
    held = {"jack.force": -mass * slope}
    run = system.simulate(
        1e-6, step=1e-7, initial={"guide.travel": travel}, inputs=held, method="rk4"
    )
    assert slope != pytest.approx(gravity[2], abs=0.1)  # the path is no vertical line
    assert abs(run["guide.speed"][-1]) < 1e-6 * abs(slope) * 1e-6


def test_it_carries_its_head_alone() -> None:
    model = at.Model("twice")
    carrier = model.add(at.RigidBody("carrier", 1.0, (1.0, 1.0, 1.0)))
    guide(model, model.ground, carrier)
    model.add(at.Weld("weld", model.ground, carrier))
    with pytest.raises(at.AxletreeError, match="guide turns as it slides"):
        model.formulate()


def test_without_curves_it_is_a_slide() -> None:
    model = at.Model("slide", gravity=(0.0, 0.0, -9.81))
    carrier = model.add(at.RigidBody("carrier", 2.0, (1.0, 1.0, 1.0)))
    joint = model.add(at.WheelGuide("guide", model.ground, carrier))
    model.add(at.SlideSpringDamper("spring", joint, stiffness=50.0))
    run = model.formulate().simulate(1.0, step=1e-3, method="rk4")
    expected = 2.0 * 9.81 / 50.0 * (math.cos(5.0) - 1.0)
    assert run["guide.travel"][-1] == pytest.approx(expected, rel=1e-9)
