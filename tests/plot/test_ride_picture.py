"""What is shown of a drive is where wheels, bodies and forces were."""

from __future__ import annotations

import math

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_run

import axletree as at
from axletree.plot.figure_files import figure_bytes
from axletree.plot.ride import RideError, RideFrames, RideView, draw_ride, ride_frames

G = 9.80665


def ride(name: str) -> RideFrames:
    model, _, run = shipped_run(name)
    return ride_frames(model, run)


def test_vehicles_are_what_is_joined_together() -> None:
    bicycles = ride("bicycles-geometry")
    assert {v.name: sorted(w.name for w in v.wheels) for v in bicycles.vehicles} == {
        "slim_frame": ["slim_front_tyre", "slim_rear_tyre"],
        "belted_frame": ["belted_front_tyre", "belted_rear_tyre"],
    }
    car = ride("drifting-car")
    assert [(v.name, len(v.wheels)) for v in car.vehicles] == [("body", 4)]


def test_circles_are_those_of_the_wheels() -> None:
    frames = ride("bicycles-geometry")
    wheel = next(w for w in frames.wheels if w.name == "slim_rear_tyre")
    away = wheel.circle - wheel.centre[:, None, :]
    assert np.linalg.norm(away, axis=2) == pytest.approx(0.3)
    assert wheel.circle[..., 2].min(axis=1) == pytest.approx(0.0, abs=2e-3)  # of 48 corners
    nearest = np.linalg.norm(wheel.circle - wheel.contact[:, None, :], axis=2).min(axis=1)
    assert nearest.max() < 0.3 * math.pi / 48 * 1.01


def test_forces_carry_the_weight_and_turn_the_vehicle() -> None:
    """Mass times acceleration is the sum of the forces and the weight, in ground axes."""
    model, _, run = shipped_run("drifting-car")
    frames = ride_frames(model, run)
    total = sum(wheel.force for wheel in frames.wheels)
    assert total[run.time > 29.0][:, 2] == pytest.approx(1100.0 * G, rel=1e-3)
    turning = (run.time > 21.0) & (run.time < 21.9)
    for axis, name in enumerate("xy"):
        momentum = run[f"momentum.linear.{name}"]
        rate = np.gradient(momentum, run.time)
        assert rate[turning] == pytest.approx(total[turning][:, axis], rel=2e-3, abs=2.0)
    assert np.hypot(*total[turning].T[:2]).min() > 2000.0


def test_a_view_from_above_keeps_x_and_y() -> None:
    points = np.array([[1.0, 2.0, 3.0]])
    assert RideView(0.0, math.pi / 2).project(points)[0] == pytest.approx([1.0, 2.0])
    assert RideView().project(points)[0] == pytest.approx([1.0, 3.0])
    assert RideView(math.pi / 2).project(points)[0] == pytest.approx([2.0, 3.0])


@pytest.mark.parametrize(
    ("view", "labels"),
    [
        (RideView(), ("x", "z")),
        (RideView(math.pi / 2), ("y", "z")),
        (RideView(0.0, math.pi / 2), ("x", "y")),
        (RideView(math.pi / 2, math.pi / 2), ("y", "-x")),
        (RideView(0.0, 0.7), None),
        (RideView(-0.4, 0.4), None),
    ],
)
def test_axes_say_what_they_are(view: RideView, labels: tuple[str, str] | None) -> None:
    assert view.labels == labels


def test_every_axis_has_a_unit_and_the_ground_is_drawn() -> None:
    (axes,) = draw_ride(ride("rolling-tyre"), [0.0, 1.0], RideView()).axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x [m]", "z [m]")
    figure = draw_ride(ride("rolling-tyre"), [0.0, 1.0, 2.0], RideView(-0.4, 0.4))
    (axes,) = figure.axes
    assert len(axes.lines) > 20
    assert figure_bytes(figure, "png")[:4] == b"\x89PNG"


def test_numbers_of_an_oblique_view_stand_where_the_ground_is() -> None:
    frames, view = ride("rolling-tyre"), RideView(-0.4, 0.4)
    (axes,) = draw_ride(frames, [0.0, 1.0, 2.0], view).axes
    words = {text.get_text().replace("\N{MINUS SIGN}", "-"): text.xy for text in axes.texts}
    assert not axes.axison
    assert {"x [m]", "y [m]"} <= set(words)
    # The only places on the paper at which an x and a y of the mesh can be are its lines.
    meshes = [line.get_xydata() for line in axes.lines if line.get_linewidth() == 0.5]
    numbers = [place for word, place in words.items() if word and not word.endswith("[m]")]
    assert len(numbers) > 6
    for place in numbers:
        ends = np.concatenate([mesh[[0, -1]] for mesh in meshes])
        assert np.linalg.norm(ends - place, axis=1).min() < 1e-9


def test_what_is_missing_is_named() -> None:
    model = at.read_model("rolling-tyre")
    run = model.formulate().simulate(0.01, step=1e-3, outputs=["tyre.Fz"])
    with pytest.raises(RideError, match=r"has not recorded wheel.position.x"):
        ride_frames(model, run)
    pendulum = at.read_model("pendulum")
    with pytest.raises(RideError, match="pendulum has no wheel"):
        ride_frames(pendulum, pendulum.formulate().simulate(0.01, step=1e-3))
    with pytest.raises(RideError, match="no instant"):
        draw_ride(ride("rolling-tyre"), [], RideView())
