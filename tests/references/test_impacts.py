"""Bodies that meet a plane: a ball that bounces, a ladder that slides, a box that falls."""

from __future__ import annotations

import math

import numpy as np
import pytest
from agreement import Agrees

import axletree as at
from axletree.system.system import System

GRAVITY = 9.81


def ball(restitution: float) -> System:
    model = at.Model("ball", gravity=(0.0, 0.0, -GRAVITY))
    body = model.add(at.RigidBody("ball", 1.0, (0.1, 0.1, 0.1)))
    model.add(at.PointContact("contact", body, model.ground, restitution=restitution))
    return model.formulate(form="set-valued")


def drop(restitution: float, duration: float, step: float) -> at.Trajectory:
    return ball(restitution).simulate(
        duration,
        step=step,
        method="complementarity",
        initial={"ball.z": 1.0},
        outputs=["contact.normal_force", "contact.gap", "energy.kinetic"],
        watch=False,
    )


def bounces(run: at.Trajectory) -> np.ndarray:
    """Indices of the last records before the ball goes up."""
    speed = run["ball.vz"]
    return np.flatnonzero((speed[:-1] < 0.0) & (speed[1:] > 0.0))


@pytest.mark.validation("soils")
def test_a_ball_bounces_when_and_as_high_as_newtons_law_says(agrees: Agrees) -> None:
    """After each impact 0.8 of the speed is left; errors fall with the step."""
    e, fall = 0.8, math.sqrt(2.0 / GRAVITY)
    exact = [fall, fall * (1.0 + 2.0 * e), fall * (1.0 + 2.0 * e + 2.0 * e**2)]
    heights = [e**2, e**4]
    for step in (4e-3, 1e-3, 2.5e-4):
        run = drop(e, 2.0, step)
        at_impact = bounces(run)
        agrees(
            f"bouncing ball at steps of {1e3 * step:g} ms: times of impacts",
            run.time[at_impact[:3]], exact, abs=2.0 * step, unit="s",
            source="Closed form, Newton's law of impact",
        )  # fmt: skip
        tops = [run["ball.z"][a:b].max() for a, b in zip(at_impact, at_impact[1:3], strict=False)]
        agrees(
            f"bouncing ball at steps of {1e3 * step:g} ms: heights", tops, heights,
            abs=3.0 * step, unit="m", source="Closed form, Newton's law of impact",
        )  # fmt: skip
        before, after = run["ball.vz"][at_impact], run["ball.vz"][at_impact + 1]
        assert after == pytest.approx(-e * before, rel=1e-12)
        assert run["contact.gap"].min() >= 0.0


@pytest.mark.validation("soils")
def test_a_bouncing_ball_comes_to_rest_in_finite_time(agrees: Agrees) -> None:
    """The bounces end at 9 times the first fall, infinitely many of them; then it stands."""
    run = drop(0.8, 6.0, 1e-3)
    over = run.time > 9.0 * math.sqrt(2.0 / GRAVITY) + 0.1
    assert over.any()
    agrees(
        "bouncing ball after infinitely many bounces: speed", run["ball.vz"][over], 0.0, abs=0.0,
        unit="m/s", source="Closed form, at rest after 9 times the first fall",
    )  # fmt: skip
    assert np.ptp(run["ball.z"][over]) == 0.0
    assert 0.0 <= run["ball.z"][-1] < 1e-3
    assert run["contact.normal_force"][over] == pytest.approx(GRAVITY, rel=1e-12)


def test_an_elastic_ball_keeps_its_height() -> None:
    run = drop(1.0, 20.0, 1e-3)
    late = run.time > 10.0
    assert run["ball.z"][late].max() == pytest.approx(1.0, abs=5e-3)


def test_a_ball_without_restitution_lands_and_stays() -> None:
    run = drop(0.0, 1.0, 3.125e-3)
    landed = run.time > math.sqrt(2.0 / GRAVITY) + 0.01
    assert not run["ball.vz"][landed].any()
    assert run["ball.z"][landed] == pytest.approx(0.0, abs=1e-16)
    assert np.ptp(run["ball.z"][landed]) == 0.0


@pytest.mark.parametrize("restitution", [0.0, 0.5, 1.0])
def test_the_contact_does_no_work_on_the_ball_but_takes_some(restitution: float) -> None:
    """The work of a force over a step is that on the mean of the two velocities."""
    run = drop(restitution, 3.0, 1e-3)
    force, speed = run["contact.normal_force"][1:], run["ball.vz"]
    work = 1e-3 * force * 0.5 * (speed[1:] + speed[:-1])
    assert (work <= 1e-12).all()
    lost = (
        run["energy.kinetic"][1:]
        - run["energy.kinetic"][:-1]
        - 1e-3 * -GRAVITY * 0.5 * (speed[1:] + speed[:-1])
    )
    assert work == pytest.approx(lost, abs=1e-12)


HALF, WEIGHT = 1.0, 2.0  # m of half the ladder, kg


def ladder(step: float, lean: float) -> at.Trajectory:
    """Smooth floor and wall; ``lean`` is the angle [rad] from the vertical at first."""
    model = at.Model("ladder", gravity=(0.0, 0.0, -GRAVITY))
    inertia = WEIGHT * (2.0 * HALF) ** 2 / 12.0
    bar = model.add(at.RigidBody("bar", WEIGHT, (inertia,) * 3))
    model.add(at.Planar("plane", model.ground, bar, normal="y"))
    wall = model.ground.frame("wall", (0.0, 0.0, 0.0), [("y", math.pi / 2)])
    model.add(at.PointContact("floor", bar.point(0.0, 0.0, -HALF), model.ground))
    model.add(at.PointContact("side", bar.point(0.0, 0.0, HALF), wall))
    first = {
        "plane.angle": -lean,
        "plane.first": HALF * math.sin(lean),
        "plane.second": HALF * math.cos(lean),
    }
    return model.formulate(form="set-valued").simulate(
        1.1, step=step, method="complementarity", initial=first
    )


@pytest.mark.validation("soils")
def test_a_ladder_leaves_the_wall_where_it_must(agrees: Agrees) -> None:
    """At two thirds of the height it began at, with a speed along the floor that it then keeps.

    From m g l (cos a - cos b) = 2/3 m l^2 b'^2 and a force of the wall that is zero.
    """
    lean = 0.3
    leaves = math.acos(2.0 / 3.0 * math.cos(lean))
    speed = 2.0 / 3.0 * math.cos(lean) * math.sqrt(0.5 * GRAVITY * HALF * math.cos(lean))
    for step in (4e-3, 1e-3, 2.5e-4):
        run = ladder(step, lean)
        off = int(np.argmax(run["side.normal_force"] <= 0.0))
        assert not run["side.normal_force"][off:].any()
        agrees(
            f"ladder at steps of {1e3 * step:g} ms: angle at which it leaves the wall",
            -run["plane.angle"][off], leaves, abs=6.0 * step, unit="rad",
            source="Closed form, energy and a force of the wall that is zero",
        )  # fmt: skip
        agrees(
            f"ladder at steps of {1e3 * step:g} ms: its speed along the floor thereafter",
            run["bar.velocity.x"][off:], speed, rel=5.0 * step, unit="m/s",
            source="Closed form, energy and a force of the wall that is zero",
        )  # fmt: skip


@pytest.mark.validation("numerics")
def test_a_ladder_does_not_sink_into_the_floor(agrees: Agrees) -> None:
    """What it sinks by falls with the square of the step, though its foot turns about nothing."""
    depths = [-ladder(step, 0.3)["floor.gap"].min() for step in (4e-3, 2e-3, 1e-3)]
    assert depths[-1] < 1e-4
    agrees(
        "ladder: order in the step of the depth it sinks into the floor",
        np.log2(np.array(depths[:-1]) / depths[1:]), [2.0, 2.0], abs=0.1,
        source="Theory of the method",
    )  # fmt: skip


def box(friction: float) -> System:
    """Four corners on a plane: the normal forces are redundant, and so is friction."""
    model = at.Model("box", gravity=(GRAVITY * math.sin(0.3), 0.0, -GRAVITY * math.cos(0.3)))
    body = model.add(at.RigidBody("box", 10.0, (0.5, 0.6, 0.7)))
    for index, (x, y) in enumerate(((0.3, 0.3), (0.3, -0.3), (-0.3, 0.3), (-0.3, -0.3))):
        corner = body.point(x, y, -0.4)
        model.add(at.PointContact(f"corner{index}", corner, model.ground, friction=friction))
    model.start = {"box.z": 0.4}
    return model.formulate(form="set-valued")


@pytest.mark.validation("soils")
def test_a_box_stands_on_four_corners(agrees: Agrees) -> None:
    run = box(0.5).simulate(2.0, step=1e-3, method="complementarity")
    for state in ("vx", "vy", "vz", "roll_rate", "pitch_rate", "yaw_rate"):
        assert not run[f"box.{state}"].any()
    normal = np.array([run[f"corner{k}.normal_force"][-1] for k in range(4)])
    rubbed = np.array([run[f"corner{k}.friction_force"][-1] for k in range(4)])
    weight = 10.0 * GRAVITY
    agrees(
        "box on four corners on a slope: sum of the normal forces", normal.sum(),
        weight * math.cos(0.3), rel=1e-6, unit="N", source="Closed form, statics",
    )  # fmt: skip
    assert rubbed.sum() == pytest.approx(-weight * math.sin(0.3))
    # Of all splits the least: both sides alike, and downhill what the moment asks for.
    assert normal[0] == pytest.approx(normal[1])
    assert normal[2] == pytest.approx(normal[3])
    moment = 0.3 * (normal[:2].sum() - normal[2:].sum())
    agrees(
        "box on four corners on a slope: moment of the normal forces", moment,
        0.4 * weight * math.sin(0.3), rel=1e-6, unit="N m", source="Closed form, statics",
    )  # fmt: skip


def test_a_box_that_slides_and_turns_stops_and_loses_energy_all_the_time() -> None:
    first = {"box.vx": 1.0, "box.vy": 0.5, "box.yaw_rate": 3.0}
    run = box(0.5).simulate(2.0, step=1e-3, method="complementarity", initial=first)
    assert run["box.vx"][-1] == run["box.yaw_rate"][-1] == 0.0
    assert abs(run["box.yaw"][-1]) > 0.3
    assert (np.diff(run["energy.total"]) <= 1e-10).all()
