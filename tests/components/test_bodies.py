"""Bodies: inertia about centres and frames, points, frames and their symbols."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from axletree.components.bodies import BodyOfRevolution, RigidBody
from axletree.components.contract import Component
from axletree.core.errors import ModelError
from axletree.expr import evaluate

TENSOR = (2.0, 2.5, 3.0, 0.1, -0.2, 0.3)


def tensor_of(body: Component) -> np.ndarray:
    (inertia,) = body.inertias()
    numbers = {q.symbol: q.default for q in body.parameters()}
    for frame in body.frames():
        numbers |= {q.symbol: q.default for q in frame.parameters}
    entries = [entry for row in inertia.tensor for entry in row]
    return np.array(evaluate(entries, numbers)).reshape(3, 3)


def matrix(xx: float, yy: float, zz: float, xy: float, xz: float, yz: float) -> np.ndarray:
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def test_inertia_about_the_centre_of_mass() -> None:
    body = RigidBody("body", "2 t", TENSOR, centre_of_mass=(0.1, 0, 0))
    assert tensor_of(body) == pytest.approx(matrix(*TENSOR))
    assert body.mass == 2000.0
    assert tensor_of(RigidBody("body", 1.0, (1, 2, 3))) == pytest.approx(np.diag([1, 2, 3]))


def test_each_element_of_the_inertia_says_what_it_is() -> None:
    said = {q.name: q.description for q in RigidBody("body", 1.0, TENSOR).parameters()}
    origin = "(centre of mass, or inertia_frame)"
    product = "of the inertia matrix, minus the product of inertia"
    for axis in "xyz":
        assert said[f"body.inertia.{axis}{axis}"] == f"inertia about {axis} {origin}"
    for pair in ("xy", "xz", "yz"):
        assert said[f"body.inertia.{pair}"] == f"element {pair} {product} {origin}"


def test_inertia_about_a_frame_is_moved_to_the_centre() -> None:
    """Steiner backwards: put the mass at its centre and see the given tensor again."""
    turn = [["z", 0.4], ["x", -0.3]]
    place = {"end": {"position": (0.1, 0.2, -0.3), "turn": turn}}
    body = RigidBody("body", 1.5, TENSOR, (0.2, -0.1, 0.1), inertia_frame="end", frames_at=place)
    R = Rotation.from_euler("ZX", [0.4, -0.3]).as_matrix()  # from frame to body axes
    r = R.T @ (np.array([0.2, -0.1, 0.1]) - np.array([0.1, 0.2, -0.3]))
    about_end = R.T @ tensor_of(body) @ R + 1.5 * ((r @ r) * np.eye(3) - np.outer(r, r))
    assert about_end == pytest.approx(matrix(*TENSOR))


@pytest.mark.parametrize(("axis", "index"), [("x", 0), ("-y", 1), ((0, 0, 3), 2)])
def test_a_body_of_revolution_says_about_which_axis(axis: object, index: int) -> None:
    body = BodyOfRevolution("disc", 1.0, 2.0, 1.2, axis)
    wanted = [1.2, 1.2, 1.2]
    wanted[index] = 2.0
    assert tensor_of(body) == pytest.approx(np.diag(wanted))
    assert body.inertias()[0].axis_of_revolution == index


def test_zero_parameters_leave_the_equations() -> None:
    body = RigidBody("body", 1.0, (1, 2, 3), centre_of_mass=(0, 0.5, 0))
    names = [q.name for q in body.parameters()]
    assert names == ["body.mass", "body.inertia.xx", "body.inertia.yy", "body.inertia.zz",
                     "body.centre_of_mass.y"]  # fmt: skip
    assert [c.is_zero for c in body.vector("centre_of_mass")] == [True, False, True]


def test_points_are_found_again() -> None:
    body = RigidBody("body", 1.0)
    first = body.point(0, 0, 1)
    assert body.point(0, 0, 1) is first
    assert body.point(0, 0, 2) != first
    named = body.point(0, 0, 1, "end")
    assert named.name == "body.end"
    assert body.frame("end") is named
    assert [f.name for f in body.frames()] == ["body", "body.point1", "body.point2", "body.end"]


def test_a_point_is_not_a_turned_frame() -> None:
    body = RigidBody("body", 1.0)
    turned = body.frame("hub", (0, 0, 1), [("x", 0.5)])
    assert body.point(0, 0, 1) != turned


def test_a_point_of_its_own_avoids_taken_names() -> None:
    body = RigidBody("body", 1.0, frames_at={"point2": (1, 0, 0)})
    assert body.point(2, 0, 0).label == "point3"


def test_frames_turn_one_after_another() -> None:
    body = RigidBody("body", 1.0)
    frame = body.frame("hub", (0, 0, "100 mm"), [("z", "90 deg"), ("x", 0.5)])
    wanted = Rotation.from_euler("ZX", [np.pi / 2, 0.5]).as_matrix()
    assert np.array(frame.turn) == pytest.approx(wanted)
    assert frame.turn[0][0] == 0.0  # a quarter turn is exact
    assert frame.position == (0.0, 0.0, 0.1)
    assert [q.name for q in frame.parameters] == ["body.hub.z"]
    assert [c.is_zero for c in frame.offset] == [True, True, False]


def test_every_frame_hangs_on_its_body_by_an_arm() -> None:
    body = RigidBody("body", 1.0, frames_at={"end": (1, 0, 0), "top": (0, 1, 0)})
    edges = {edge.label: (edge.tail, edge.head) for edge in body.edges()}
    assert edges["T1"] == edges["R1"] == ("ground", "body")
    assert edges["T2"] == edges["R2"] == ("body", "body.end")
    assert edges["T3"] == edges["R3"] == ("body", "body.top")
    dimensions = [edge.law.dimension for edge in body.edges()]
    assert dimensions == [3, 3, 0, 0, 0, 0]


@pytest.mark.parametrize(
    "axes",
    [
        [(2, 0, 0), (0, 1, 0), (0, 0, 1)],  # no unit vector
        [(1, 0.1, 0), (0, 1, 0), (0, 0, 1)],  # no right angle
        [(1, 0, 0), (0, 1, 0), (0, 0, -1)],  # left-handed
        [(1, 0, 0), (0, float("nan"), 0), (0, 0, 1)],
        [(1, 0, 0), (0, 1, 0)],
        "xyz",
    ],
)
def test_axes_of_a_frame_that_are_none(axes: Any) -> None:
    """Turned by such a matrix a body would grow or be its mirror image."""
    with pytest.raises(ModelError, match="expected .*axes"):
        RigidBody("body", 1.0).frame_with_axes("seat", (0, 0, 0), axes)
