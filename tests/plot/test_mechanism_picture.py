"""Pictures of mechanisms: bodies are where their states put them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.plot.mechanism import (
    INSTANTS,
    MechanismPoses,
    draw_mechanism,
    mechanism_poses,
    poses_at_start,
)


def poses_of(name: str, duration: float = 0.5, **settings: Any) -> tuple[Any, MechanismPoses]:
    model = at.read_model(name)
    system = shipped_system(name)
    run = system.simulate(duration, step=1e-3, inputs=model.run.inputs, outputs=[], **settings)
    poses = mechanism_poses(
        system,
        model,
        run,
        inputs=model.run.inputs,
        parameters=settings.get("parameters", {}),
    )
    assert poses is not None
    return run, poses


def test_the_rod_of_the_pendulum_hangs_on_its_pin() -> None:
    run, poses = poses_of("pendulum")
    rod = poses.bodies["rod"]
    assert rod[:, 1] == pytest.approx(np.zeros((len(rod), 3)), abs=1e-12)
    angle = np.interp(poses.time, run.time, run["pin.angle"])
    expected = np.stack([-0.5 * np.sin(angle), 0.0 * angle, -0.5 * np.cos(angle)], axis=1)
    assert rod[:, 0] == pytest.approx(expected, abs=1e-6)


def test_a_changed_parameter_changes_the_picture() -> None:
    _, poses = poses_of("pendulum", parameters={"rod.top.z": 0.25})
    lengths = np.linalg.norm(poses.bodies["rod"][:, 0], axis=1)
    assert lengths == pytest.approx(np.full(len(lengths), 0.25))


def test_joined_frames_coincide() -> None:
    _, poses = poses_of("slider-crank")
    pin, big_end = poses.bodies["crank"][:, 2], poses.bodies["rod"][:, 1]
    assert pin == pytest.approx(big_end, abs=1e-8)
    slider = poses.bodies["slider"][:, 0]
    assert slider[:, 1:] == pytest.approx(np.zeros((len(slider), 2)), abs=1e-8)


def test_prescribed_motions_follow_their_inputs() -> None:
    """A turned plate: its pose depends on an input, not on the states."""
    model = at.Model("plate")
    plate = model.add(at.RigidBody("plate", 1.0, (1.0, 1.0, 1.0)))
    corner = plate.point(1, 0, 0, "corner")
    hinge = model.add(at.Revolute("hinge", model.ground, plate, axis="z"))
    model.add(at.RotationDriver("turn", hinge))
    bob = model.add(at.RigidBody("bob", 1.0, (0.1, 0.1, 0.1)))
    model.add(at.Revolute("pin", corner, bob.point(0, 0, 0.5), axis="x"))
    system = model.formulate()
    inputs = {"turn.angle": 0.5}
    run = system.simulate(0.1, step=1e-3, inputs=inputs, outputs=[])
    poses = mechanism_poses(system, model, run, inputs=inputs, parameters={})
    assert poses is not None
    expected = [np.cos(0.5), np.sin(0.5), 0.0]
    assert poses.bodies["plate"][0, 1] == pytest.approx(expected)


def test_a_plane_mechanism_is_seen_from_the_side() -> None:
    _, poses = poses_of("slider-crank")
    axes = draw_mechanism(poses).axes
    assert len(axes) == INSTANTS
    assert {a.get_xlabel() for a in axes} == {"x [m]"}
    assert axes[0].get_ylabel() == "z [m]"


def test_a_spatial_mechanism_is_seen_from_two_sides() -> None:
    _, poses = poses_of("bricard")
    figure = draw_mechanism(poses)
    assert len(figure.axes) == 2 * INSTANTS
    assert figure.axes[INSTANTS].get_ylabel() == "y [m]"


def test_the_view_follows_what_drives_away() -> None:
    _, poses = poses_of("car-multibody", duration=1.0)
    first, *_, last = draw_mechanism(poses).axes[:INSTANTS]
    assert first.get_xlim()[1] < last.get_xlim()[0]


def test_instants_differ() -> None:
    """Over two whole periods equal times would show the same picture again and again."""
    _, poses = poses_of("pendulum", duration=3.0)
    titles = [axes.get_title(loc="left") for axes in draw_mechanism(poses).axes]
    assert titles[0] == "t = 0 s"
    assert len(set(titles)) == INSTANTS


@pytest.mark.parametrize("name", ["gyroscope", "rlc-circuit"])
def test_what_stays_in_one_point_has_no_picture(name: str) -> None:
    model = at.read_model(name)
    system = model.formulate()
    run = system.simulate(0.01, step=1e-3, inputs=model.run.inputs, outputs=[])
    assert mechanism_poses(system, model, run, inputs=model.run.inputs, parameters={}) is None


def test_springs_are_lines_between_their_points() -> None:
    model = at.Model("hung")
    bob = model.add(at.RigidBody("bob", 1.0, (0.1, 0.1, 0.1)))
    model.add(at.Prismatic("rail", model.ground, bob, axis="z"))
    hook = model.ground.point(0, 0, 1, "hook")
    model.add(at.SpringDamper("spring", hook, bob.point(0, 0, 0.1, "eye"), stiffness=50.0))
    system = model.formulate()
    run = system.simulate(0.1, step=1e-3)
    poses = mechanism_poses(system, model, run, inputs={}, parameters={})
    assert poses is not None
    (tie,) = poses.ties
    assert tie[:, 0] == pytest.approx(np.tile([0.0, 0.0, 1.0], (len(tie), 1)))
    heights = np.interp(poses.time, run.time, run["rail.position"]) + 0.1
    assert tie[:, 1, 2] == pytest.approx(heights)


@pytest.mark.parametrize(("name", "radius"), [("whipple-bicycle", 0.3), ("skidder", 0.94)])
def test_wheels_are_circles_about_their_axles(name: str, radius: float) -> None:
    poses = poses_at_start(shipped_system(name), at.read_model(name))
    assert poses is not None
    circle = poses.wheels[0][0]
    centre = circle.mean(axis=0)
    away = np.linalg.norm(circle - centre, axis=1)
    assert away == pytest.approx(np.full(len(circle), radius))
    assert circle[:, 2].min() == pytest.approx(0.0, abs=0.1)  # on the ground
    assert np.ptp(circle[:, 1]) < 1e-9  # upright and straight
    assert len(draw_mechanism(poses).axes) == (1 if name == "whipple-bicycle" else 2)
