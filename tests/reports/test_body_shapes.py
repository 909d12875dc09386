"""Bodies of vehicles: whole surfaces, as large as the model says, open where wheels are."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import axletree as at
from axletree.live_pages.scene_recipe import scene_recipe
from axletree.plot.mechanism import first_instant
from axletree.reports.animation.animation import animation_text
from axletree.reports.animation.body_shapes import (
    BodyKind,
    BodyMeasures,
    body_shape,
    drawn_out,
    triangulated,
)
from axletree.reports.animation.pictures import draw_instants
from axletree.reports.animation.rover_shape import RoverMeasures, rover_shape
from axletree.reports.animation.scene import Scene
from axletree.simulation.stepper.step_program import own_start


def measures(kind: BodyKind) -> BodyMeasures:
    """Of usual vehicles [m, kg]."""
    length, width, height, mass = {
        BodyKind.CAR: (4.3, 1.8, 0.86, 1400.0),
        BodyKind.SUV: (4.2, 1.9, 1.07, 1800.0),
        BodyKind.VAN: (5.2, 1.9, 1.34, 1700.0),
        BodyKind.TRUCK: (6.3, 2.4, 1.43, 5200.0),
        BodyKind.RACING_CAR: (2.2, 1.4, 0.55, 185.0),
        BodyKind.TRAILER: (4.3, 2.2, 1.47, 1280.0),
    }[kind]
    radius = 0.5 if kind is BodyKind.TRUCK else 0.31
    low = np.array([-0.5 * length, -0.5 * width, -0.3])
    places = (-0.1,) if kind is BodyKind.TRAILER else (0.32 * length, -0.32 * length)
    return BodyMeasures(
        low, low + [length, width, height], tuple((x, -0.25, radius) for x in places),
        -0.25 - radius, mass, towed=kind is BodyKind.TRAILER,
    )  # fmt: skip


@pytest.mark.parametrize("kind", BodyKind)
def test_a_body_is_of_its_kind_and_size(kind: BodyKind) -> None:
    given = measures(kind)
    assert given.kind is kind
    points = np.concatenate([piece.mesh.points for piece in body_shape(given)])
    assert points[:, 2].min() > given.ground
    width = given.high[1] - given.low[1]
    assert 0.85 * width < np.ptp(points[:, 1]) <= 1.2 * width
    length = given.high[0] - given.low[0]
    assert 0.9 * length < np.ptp(points[:, 0]) < 1.8 * length
    np.testing.assert_allclose(points[:, 1].min(), -points[:, 1].max(), atol=1e-9)


@pytest.mark.parametrize("kind", [BodyKind.CAR, BodyKind.SUV, BodyKind.VAN, BodyKind.TRAILER])
def test_wheels_are_seen_from_the_side(kind: BodyKind) -> None:
    """No triangle of the painted side covers a wheel's disc."""
    given = measures(kind)
    mesh = body_shape(given)[0].mesh
    side = mesh.points[:, 1].max()
    faces = [t for t in mesh.triangles if np.allclose(mesh.points[t][:, 1], side)]
    for x, z, r in given.wheels:
        angles = np.linspace(0.0, 2.0 * np.pi, 60)
        for share in (0.0, 0.5, 0.99):
            places = np.column_stack(
                [x + share * r * np.cos(angles), z + share * r * np.sin(angles)]
            )
            assert not any(_covers(mesh.points[t][:, [0, 2]], p) for t in faces for p in places)


def _covers(corners: np.ndarray, place: np.ndarray) -> bool:
    edges = np.roll(corners, -1, axis=0) - corners
    to = place - corners
    crosses = edges[:, 0] * to[:, 1] - edges[:, 1] * to[:, 0]
    return bool((crosses > 1e-9).all() or (crosses < -1e-9).all())


def test_triangles_have_the_area_of_the_polygon() -> None:
    """A comb, which has many corners that point inwards."""
    corners = [(0.0, 0.0), (9.0, 0.0)]
    for k in range(9, 0, -1):
        corners += [(float(k), 2.0), (k - 0.5, 0.3)]
    ring = np.array([*corners, (0.0, 2.0)])
    parts = [ring[list(trio)] for trio in triangulated(ring)]
    x, z = ring.T
    whole = 0.5 * float(np.sum(x * np.roll(z, -1) - np.roll(x, -1) * z))
    areas = [
        0.5 * abs(float(np.cross(*np.pad(p[1:] - p[0], ((0, 0), (0, 1)))[:, :3])[2])) for p in parts
    ]
    assert len(parts) == len(ring) - 2
    assert sum(areas) == pytest.approx(whole, rel=1e-12)
    turned = triangulated(ring[::-1])
    assert len(turned) == len(ring) - 2


def test_what_is_drawn_out_is_closed() -> None:
    """Every edge belongs to two triangles; a volume by the divergence theorem."""
    mesh = drawn_out([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)], 0.5, 1e-9)
    edges = Counter(
        frozenset((t[i], t[(i + 1) % 3])) for t in mesh.triangles.tolist() for i in range(3)
    )
    assert set(edges.values()) == {2}
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    volume = float(np.einsum("ti,ti->t", a, np.cross(b, c)).sum()) / 6.0
    assert abs(volume) == pytest.approx(2.0, rel=1e-6)


def drawn(model: at.Model) -> Scene:
    """At its first instant."""
    system = model.formulate()
    return at.animation(model, first_instant(system), system=system).scene


@pytest.mark.parametrize(
    ("name", "fidelity", "pieces", "opacity"),
    [
        ("sedan", "full", 5, 1.0),
        ("double-wishbone-sports-car", "links", 5, 0.3),  # one sees the links
        ("sedan", "single-track", 1, 0.3),  # its wheels are in the middle
    ],
)
def test_runs_show_cars_as_cars(name: str, fidelity: str, pieces: int, opacity: float) -> None:
    model = at.read_model(name, {"vehicle": {"fidelity": fidelity}})
    scene = drawn(model)
    body = next(actor for actor in scene.actors if actor.name == "body")
    assert len([piece for piece in body.pieces if piece.opacity == opacity]) == pieces


def test_a_window_on_a_wall_is_drawn_whole(tmp_path: Path) -> None:
    """As much of it is seen as where the wall is left out; the window of the other side is not."""
    scene = drawn(at.read_model("car-with-caravan"))
    caravan = next(actor for actor in scene.actors if actor.name == "caravan_body")
    body, window, *_ = caravan.pieces
    near = window.mesh.points[:, 1] < 0.0  # the view is from the right
    keeps = near[window.mesh.triangles].all(axis=1)
    one_side = replace(window, mesh=replace(window.mesh, triangles=window.mesh.triangles[keeps]))
    seen = []
    for pieces in ((body, window), (one_side,)):
        alone = replace(scene, actors=(replace(caravan, pieces=pieces),))
        draw_instants(alone, [0]).savefig(tmp_path / "a.png", dpi=200)
        with Image.open(tmp_path / "a.png") as picture:
            shown = np.asarray(picture.convert("RGB"), dtype=int)
        shown = shown[len(shown) // 6 :]  # below the title
        dark = (shown.sum(axis=2) < 250) & (shown[..., 2] > shown[..., 0])
        seen.append(np.count_nonzero(dark))
    assert seen[0] == pytest.approx(seen[1], rel=0.02)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("sedan", {"body": "car"}), ("formula-student", {"body": "racing car"}),
     ("car-with-caravan", {"body": "car", "caravan_body": "trailer"})],
)  # fmt: skip
def test_vehicles_of_the_package(name: str, kinds: dict[str, str]) -> None:
    model = at.read_model(name)
    system = model.formulate()
    recipe = scene_recipe(model, system, own_start(system), {}, name)
    shaped = [recipe.scene.actors[k] for k in recipe.moves["hulls"]]
    assert [actor.name for actor in shaped] == list(kinds)
    for actor in shaped:
        assert all(piece.opacity == 1.0 for piece in actor.pieces)
        paint = actor.pieces[0].colour
        assert (paint == "floor") == (kinds[actor.name] == "trailer")


def test_head_lamps_are_bright_on_light_and_on_dark_paper() -> None:
    """The marks of wheels, whose white they had, are dark on dark paper."""
    lamps = re.findall(r'lamp: "#(..)(..)(..)"', animation_text("theme.js"))
    assert len(lamps) == 2
    assert all(int(part, 16) > 200 for lamp in lamps for part in lamp)


@pytest.mark.parametrize("name", ["motorcycle", "whipple-bicycle"])
def test_two_wheels_in_line_carry_who_rides_them(name: str) -> None:
    """Between the wheels' outsides, symmetric but for pipe and cranks, above the ground, as high as
    a person who sits there; the fork ends at the front wheel's axle."""
    model = at.read_model(name)
    run = model.formulate().simulate(1e-6, step=1e-6, watch=False)
    scene = at.animation(model, run).scene
    shown = {actor.name: actor for actor in scene.actors}
    wheels = [shown["rear_tyre"], shown["front_tyre"]]
    frame = shown["chassis" if name == "motorcycle" else "rear_frame"]
    points = frame.position[0] + np.concatenate([piece.mesh.points for piece in frame.pieces])
    assert 0.0 < points[:, 2].min() < 0.5
    assert 1.4 < points[:, 2].max() < 2.1  # m
    assert 0.3 < np.ptp(points[:, 1]) < 1.0
    assert wheels[0].position[0, 0] - 0.4 < points[:, 0].min()
    assert points[:, 0].max() < wheels[1].position[0, 0] + 0.4
    fork = shown["legs" if name == "motorcycle" else "fork"]
    ends = fork.position[0] + np.concatenate([piece.mesh.points for piece in fork.pieces])
    lowest = ends[ends[:, 2].argmin()]
    assert np.hypot(*(lowest - wheels[1].position[0])[[0, 2]]) < 0.08


def test_a_light_body_on_six_wheels_is_a_rover() -> None:
    low, high = np.array([-0.6, -0.5, -0.2]), np.array([0.6, 0.5, 0.3])  # m
    shown = rover_shape(RoverMeasures(low, high, 0.3, 0.9))
    points = np.concatenate([piece.mesh.points for piece in shown])
    assert points[:, 2].max() == pytest.approx(0.3 + (2.1 + 0.32) * 0.3)  # the mast
    assert np.abs(points[:, 1]).max() == pytest.approx(0.7 * 0.9)  # panels, not beyond the wheels
    assert shown[0].mesh.points[:, 2].min() == pytest.approx(0.05)  # wheels are seen below it
