"""Rolling balls: on a turntable, whose centre circles at 2/7 of its rate, and down a slope."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees

import axletree as at
from axletree.components.frames import Frame
from axletree.model.model import Model

MASS, RADIUS, GRAVITY = 0.4, 0.05, 9.81
TABLE = 3.0  # rad/s, of the turntable


def ball_on(model: Model, road: Frame, inertia: float, orientation: str = "quaternion") -> Model:
    """``inertia`` over m r^2."""
    moment = inertia * MASS * RADIUS**2
    ball = model.add(
        at.RigidBody("ball", mass=MASS, inertia=(moment,) * 3, orientation=orientation)
    )
    model.add(at.RollingSphere("contact", centre=ball.main_frame, road=road, radius=RADIUS))
    return model


def turntable(inertia: float) -> Model:
    model = at.Model("turntable", gravity=(0.0, 0.0, -GRAVITY))
    plate = model.add(at.MasslessBody("plate"))
    pin = model.add(at.Revolute("pin", model.ground, plate, axis="z"))
    model.add(at.RotationDriver("motor", pin, angle=f"{TABLE}*t"))
    model.start = {"ball.z": RADIUS, "ball.x": 0.3}
    return ball_on(model, plate.main_frame, inertia)


@pytest.mark.parametrize("inertia", [2.0 / 5.0, 2.0 / 3.0])
@pytest.mark.validation("mechanisms")
def test_on_a_turntable_the_centre_goes_round_a_circle(inertia: float, agrees: Agrees) -> None:
    """Its rate is k / (1 + k) of the table's with k = I / (m r^2): 2/7 for a solid ball.

    m v' = F, I w' = -r z x F and v - r w x z = Omega z x r give v' = k / (1 + k) Omega z x v.
    """
    system = turntable(inertia).formulate()
    rate = inertia / (1.0 + inertia) * TABLE
    period = 2.0 * math.pi / rate
    first = np.array([0.1, -0.25])
    run = system.simulate(
        period, step=period / 4000, initial={"ball.vx": first[0], "ball.vy": first[1]},
        outputs=["contact.Fx", "contact.Fy", "contact.Fz"],
    )  # fmt: skip
    turn = rate * run.time
    vx = first[0] * np.cos(turn) - first[1] * np.sin(turn)
    vy = first[0] * np.sin(turn) + first[1] * np.cos(turn)
    agrees(
        "ball on a turntable: speed over a round", run["ball.vx"], vx, abs=1e-9, unit="m/s",
        case=f"inertia of {inertia:.2g} m r²",
        source="Closed form, a circle at 2/7 or 2/5 of the table's rate",
    )  # fmt: skip
    assert run["ball.vy"] == pytest.approx(vy, abs=1e-9)
    assert [run["ball.x"][-1], run["ball.y"][-1]] == pytest.approx([0.3, 0.0], abs=1e-9)
    assert np.abs(run["ball.z"] - RADIUS).max() < 1e-12
    assert run["contact.Fz"] == pytest.approx(MASS * GRAVITY, rel=1e-9)
    # The forces are in the axes of the table.
    along = MASS * rate * (-vy * np.cos(TABLE * run.time) + vx * np.sin(TABLE * run.time))
    assert run["contact.Fx"] == pytest.approx(along, abs=1e-8)


@pytest.mark.parametrize("orientation", ["quaternion", "321", "313"])
@pytest.mark.validation("mechanisms")
def test_down_a_slope(orientation: str, agrees: Agrees) -> None:
    """The acceleration is g sin(slope) / (1 + k); the reaction is k of it times the mass."""
    slope, inertia = 0.3, 2.0 / 5.0
    model = at.Model("slope", gravity=(0.0, 0.0, -GRAVITY))
    road = model.ground.frame("slope", (1.0, 2.0, 3.0), [("y", slope)])
    model = ball_on(model, road, inertia, orientation)
    normal = np.array([math.sin(slope), 0.0, math.cos(slope)])
    place = np.array([1.0, 2.0, 3.0]) + RADIUS * normal
    model.start = dict(zip(["ball.x", "ball.y", "ball.z"], place, strict=True))
    if orientation == "313":
        model.start |= {"ball.nutation": 1.0}
    run = model.formulate().simulate(
        0.5, step=1e-3, outputs=["contact.Fx", "contact.Fz", "energy.total"]
    )
    acceleration = GRAVITY * math.sin(slope) / (1.0 + inertia)
    down = np.array([math.cos(slope), 0.0, -math.sin(slope)])
    way = 0.5 * acceleration * run.time**2
    for axis, letter in enumerate("xyz"):
        assert run[f"ball.{letter}"] == pytest.approx(place[axis] + way * down[axis], abs=1e-8)
    agrees(
        "ball down a slope: force along the slope", run["contact.Fx"],
        -inertia * MASS * acceleration, rel=1e-7, unit="N", case=f"orientation by {orientation}",
        source="Closed form, rolling",
    )  # fmt: skip
    assert run["contact.Fz"] == pytest.approx(MASS * GRAVITY * math.cos(slope), rel=1e-9)
    energy = run["energy.total"]
    assert np.ptp(energy) < 1e-10 * MASS * GRAVITY
