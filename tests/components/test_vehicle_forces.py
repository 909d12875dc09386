"""Anti-roll bars and the air, against numbers by hand."""

from __future__ import annotations

import math

import pytest

import axletree as at


def test_a_bar_adds_its_rate_times_the_square_of_the_track_to_the_roll_stiffness() -> None:
    """Of a beam that rolls between two hubs which stay where they are."""
    track, spring, bar = 1.4, 9e3, 4e3
    model = at.Model("rolling", gravity=(0.0, 0.0, 0.0))
    beam = model.add(at.RigidBody("beam", 100.0, (250.0, 200.0, 300.0)))
    model.add(at.Revolute("roll", model.ground, beam, axis="x"))
    guides = []
    for name, y in (("left", track / 2), ("right", -track / 2)):
        hub = model.add(at.RigidBody(f"{name}_hub", 1.0, (1.0, 1.0, 1.0)))
        guides.append(model.add(at.Prismatic(name, beam.point(0.0, y, 0.0), hub, axis="z")))
        model.add(at.SlideSpringDamper(f"{name}_spring", guides[-1], stiffness=spring))
    model.add(at.AntiRollBar("bar", *guides, stiffness=bar))
    system = model.formulate()
    angle = 1e-3
    first = {"roll.angle": angle, "left.position": -angle * track / 2}
    first |= {"right.position": angle * track / 2}
    run = system.simulate(1e-3, step=1e-3, initial=first, method="rk4")
    assert run["bar.force"][0] == pytest.approx(-bar * angle * track)
    stiffness = spring * track**2 / 2 + bar * track**2
    assert run["energy.potential"][0] == pytest.approx(0.5 * stiffness * angle**2)


def body_in_air(**wind: float) -> at.Trajectory:
    model = at.Model("air", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.RigidBody("body", 1000.0, (100.0, 200.0, 300.0)))
    model.add(at.Free("chassis", model.ground, body))
    model.add(
        at.Aerodynamics(
            "air",
            model.ground,
            body,
            area=2.0,
            drag=0.3,
            lift=-0.1,
            side=1.5,
            yaw_moment=0.2,
            length=2.5,
            pitch_moment=0.05,
            roll_moment=-0.1,
            **wind,
        )  # fmt: skip
    )
    first = {"chassis.vx": 30.0}
    return model.formulate().simulate(10.0, step=1e-2, initial=first, method="rk4")


def test_the_air_slows_a_body_as_its_drag_alone_would() -> None:
    """v(t) = v0 / (1 + v0 k t) with k = rho A C_D / 2 m, while it does not turn."""
    run = body_in_air()
    force = 0.5 * 1.225 * 2.0 * 30.0**2
    assert run["air.drag_force"][0] == pytest.approx(force * 0.3, rel=1e-7)
    assert run["air.lift_force"][0] == pytest.approx(-force * 0.1, rel=1e-7)
    assert run["air.side_force"][0] == 0.0
    assert run["air.power"][0] == pytest.approx(-force * 0.3 * 30.0, rel=1e-7)


def test_wind_from_the_right_pushes_to_the_left() -> None:
    run = body_in_air(wind_y=10.0)
    square, beta = 30.0**2 + 10.0**2, math.atan(10.0 / 30.0)
    pushed = 0.5 * 1.225 * 2.0 * square
    assert run["air.side_force"][0] == pytest.approx(pushed * 1.5 * beta, rel=1e-4)
    assert run["air.drag_force"][0] == pytest.approx(pushed * 0.3 * math.cos(beta), rel=1e-4)
    assert run["chassis.vy"][1] > 0.0


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_a_linear_axle_acts_behind_where_it_goes(way: float) -> None:
    """Forward and in reverse: against the drift, and its trail turns it into the direction of
    travel, by -trail Fy forward and by the opposite in reverse."""
    stiffness, trail, u, v, angle = 8e4, 0.05, 20.0, 0.4, 0.01  # N/rad, m, m/s, m/s, rad
    model = at.Model("axle", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.RigidBody("body", 1000.0, (1.0, 1.0, 1.0)))
    model.add(at.Planar("plane", model.ground, body))
    model.add(at.LinearAxle("axle", model.ground, body, stiffness, trail, angle=angle))
    system = model.formulate()
    state = system.state({"plane.vx": way * u, "plane.vy": v})
    found = system.outputs_at(state)
    side = -stiffness * (v - way * u * angle) / u
    assert found["axle.Fy"] == pytest.approx(side)
    assert found["axle.Mz"] == pytest.approx(-way * trail * side)
    assert system.rhs(state)["plane.vy"] == pytest.approx(side / 1000.0)
