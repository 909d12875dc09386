"""What an animation shows is where bodies, wheels, forces and ground were."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_run, shipped_system
from PIL import Image
from reports.animated_runs import skidder_run, soil_bin_ride

import axletree as at
from axletree.reports.animation.bodies import hulls
from axletree.reports.animation.build import spread_of
from axletree.reports.animation.mesh import axes_along
from axletree.reports.animation.motion import AnimationError
from axletree.reports.animation.pictures import placed
from axletree.reports.animation.scene import Scene, quaternions, turned
from axletree.simulation.trajectory import Trajectory

SOURCE = Path(at.__file__).parent / "reports" / "animation"
LONGEST_FILE = 250  # lines


@cache
def skidder() -> tuple[Trajectory, Scene]:
    model, system, run = at.read_model("skidder"), shipped_system("skidder"), skidder_run()
    return run, at.animation(model, run, system=system, rate=100.0).scene


def vectors(run: Trajectory, name: str) -> np.ndarray:
    return np.stack([run[f"{name}.{axis}"] for axis in "xyz"], axis=1)


def turns(run: Trajectory, body: str) -> np.ndarray:
    columns = [run[f"{body}.rotation.{i}{j}"] for i in (1, 2, 3) for j in (1, 2, 3)]
    return np.stack(columns, axis=1).reshape(-1, 3, 3)


def test_quaternions_turn_as_matrices_do() -> None:
    random = np.random.default_rng(1)
    found = [np.linalg.qr(random.normal(size=(3, 3)))[0] for _ in range(200)]
    R = np.stack([q * np.sign(np.linalg.det(q)) for q in found])
    v = random.normal(size=(200, 3))
    q = quaternions(R)
    assert turned(q, v) == pytest.approx(np.einsum("tij,tj->ti", R, v), abs=1e-12)
    assert (np.sum(q[1:] * q[:-1], axis=1) >= 0.0).all()


@pytest.mark.parametrize("wheel", ["front_left", "rear_right"])
def test_a_wheels_mark_goes_where_its_body_carries_it(wheel: str) -> None:
    run, scene = skidder()
    assert scene.time == pytest.approx(run.time)
    actor = scene.actor(f"{wheel}_tyre")
    axis = np.array(actor.axis)
    mark = 0.8 * axes_along(axis)[:, 0]
    shown = np.stack([placed(actor, mark[None], k)[0] for k in range(len(scene.time))])
    body = f"{wheel}_wheel"
    carried = vectors(run, f"{body}.position") + turns(run, body) @ mark
    assert shown == pytest.approx(carried, abs=1e-9)
    # Whole turns are counted: the mark has gone around as often as the axle's rate says.
    rate = run[f"{wheel}_axle.rate"]
    angle = float(np.sum(0.5 * (rate[1:] + rate[:-1]) * np.diff(run.time)))
    assert actor.spin is not None
    assert actor.spin[-1] - actor.spin[0] == pytest.approx(angle, abs=1e-3)
    assert angle > 6.0 * np.pi / 2.0


def test_forces_are_what_changes_the_momentum() -> None:
    run, scene = skidder()
    momentum = vectors(run, "momentum.linear")
    change = (momentum[2:] - momentum[:-2]) / (run.time[2:] - run.time[:-2])[:, None]
    model = at.read_model("skidder")
    mass = sum(getattr(component, "mass", 0.0) for component in model)
    forces = np.sum([force.vector for force in scene.forces], axis=0)[1:-1]
    weight = mass * np.array(model.gravity)
    assert forces + weight == pytest.approx(change, abs=2e-3 * mass * 9.8)
    assert np.abs(forces[:, 1]).max() > 0.02 * mass * 9.8  # it does turn


def test_ground_is_where_wheels_touch_it() -> None:
    model, system, run = shipped_run("rolling-tyre")
    scene = at.animation(model, run, system=system).scene
    (ground,), (force,) = scene.grounds, scene.forces
    x, y = ground.x[:, 0], ground.y[0]
    place = force.point
    i = np.clip(np.searchsorted(x, place[:, 0]) - 1, 0, len(x) - 2)
    j = np.clip(np.searchsorted(y, place[:, 1]) - 1, 0, len(y) - 2)
    u = (place[:, 0] - x[i]) / (x[i + 1] - x[i])
    v = (place[:, 1] - y[j]) / (y[j + 1] - y[j])
    z = ground.z
    low, high = (1 - v) * z[i, j] + v * z[i, j + 1], (1 - v) * z[i + 1, j] + v * z[i + 1, j + 1]
    assert (1 - u) * low + u * high == pytest.approx(place[:, 2], abs=5e-3)
    assert np.ptp(ground.z) > 0.05
    assert len(ground.mesh.points) < 65536  # what indices of two bytes reach


def test_a_wheel_on_soil_stands_in_its_rut() -> None:
    """Ever deeper."""
    time = np.linspace(0.0, 2.0, 21)
    sunk = 0.01 + 0.01 * time
    scene = soil_bin_ride(sunk).scene
    (rut,) = scene.ruts
    assert rut.sinkage == pytest.approx(sunk, abs=1e-9)
    assert rut.floor[..., 2] == pytest.approx(np.repeat(-sunk[:, None], 2, axis=1), abs=1e-9)
    assert rut.top.mean(axis=1)[:, 0] == pytest.approx(0.5 * time)
    assert rut.top[:, :, 1] == pytest.approx(np.tile([-0.125, 0.125], (21, 1)))
    tyre = scene.actor("soil")
    lowest = [placed(tyre, tyre.pieces[0].mesh.points, k)[:, 2].min() for k in range(21)]
    assert lowest == pytest.approx(-sunk, abs=0.4 * (1.0 - np.cos(np.pi / 32.0)))  # of 32 corners
    shown = next(signal for signal in scene.signals if signal.label == "sinkage")
    assert (shown.unit, shown.owner) == ("mm", "soil")
    assert shown.values == pytest.approx(1e3 * sunk, abs=1e-6)


def test_a_path_and_its_cones_are_where_the_driver_has_them() -> None:
    path, model = at.Iso38881Path(width=2.0), at.Model("lanes")
    car = model.add(at.RigidBody("car", mass=1500.0, inertia=(500.0, 2000.0, 2000.0)))
    model.add(at.PathDriver("driver", model.ground, car, path, speed=20, wheelbase=2.7, ratio=16))
    system = model.formulate()
    run = system.simulate(0.02, step=0.01, outputs=[])
    scene = at.animation(model, run, system=system).scene
    line, *lanes = scene.lines
    assert line.points[:, :2] == pytest.approx(np.column_stack([path.line.x, path.line.y]))
    assert [lane.points[:, :2].tolist() for lane in lanes] == [
        lane.tolist() for lane in path.boundaries()
    ]
    cones = [piece.mesh.points for piece in scene.fixed if piece.colour != "plate"]
    middles = [0.5 * (points.min(axis=0) + points.max(axis=0)) for points in cones]
    expected = [(cone.x, cone.y, 0.25) for cone in path.cones()]
    assert np.array(middles) == pytest.approx(np.array(expected), abs=1e-9)


def test_an_eye_that_follows_goes_back_from_what_goes_apart() -> None:
    ends = np.array([[1.0, 1.0, 1.1, 10.0, 20.0], [0.0] * 5, [0.0] * 5]).T
    spread = spread_of(np.stack([np.zeros((5, 3)), ends], axis=1), 1.0)
    assert spread[:3].tolist() == [1.0, 1.0, 1.0]
    assert spread[4] == pytest.approx(2.0 * spread[3])
    # 0.7 rad from edge to edge, 1.75 sizes away: what goes apart is on the picture, and fills it.
    seen = 2.0 * 1.75 * spread[4] * np.tan(0.35) * 1040 / 660
    assert 20.0 < seen < 40.0


def test_a_light_tractor_has_its_own_wheels() -> None:
    carried = hulls(at.read_model("tractor-semitrailer"))
    assert {body: len(wheels) for body, wheels in carried.items()} == {
        "body": 4,
        "semitrailer_body": 6,
    }


def test_what_was_not_recorded_is_computed_again() -> None:
    model = at.read_model("pendulum")
    run = model.formulate().simulate(1.0, step=1e-2, outputs=[])
    scene = at.animation(model, run).scene
    angle = run["pin.angle"][np.searchsorted(run.time, scene.time - 1e-9)]
    place = np.stack([-0.5 * np.sin(angle), 0.0 * angle, -0.5 * np.cos(angle)], axis=1)
    assert scene.actor("rod").position == pytest.approx(place, abs=1e-9)
    assert (scene.main, scene.forces, scene.up) == ("rod", (), (0.0, 0.0, 1.0))
    # A rod of 1 m is drawn as long as its inertia says.
    points = scene.actor("rod").pieces[0].mesh.points
    assert points[:, 2].min() == pytest.approx(-0.5 * np.sqrt(12.0 * 0.083), rel=1e-6)


def page_data(text: str) -> dict[str, Any]:
    found = re.search(r'<script id="scene" type="application/json">(.*?)</script>', text, re.S)
    assert found is not None
    return dict(json.loads(found[1]))


def test_the_page_needs_nothing_else_and_holds_the_poses(tmp_path: Path) -> None:
    run, scene = skidder()
    model = at.read_model("skidder")
    written = at.animation(model, run, system=shipped_system("skidder"), title="</script> & <b>")
    text = written.save(tmp_path / "ride.html").read_text(encoding="utf-8")
    assert re.findall(r"https?:|//[a-z]+\.[a-z]|\bimport\b|@[A-Z]+@|src=|fetch\(", text) == []
    data = page_data(text)
    assert data["title"] == "</script> & <b>"
    assert r"\u003c/script\u003e" in text  # nothing within the data can end them or open a comment
    assert "<" not in re.search(r'type="application/json">(.*?)</script>', text, re.S)[1]
    body = next(actor for actor in data["actors"] if actor["name"] == "front_body")
    places = np.frombuffer(base64.b64decode(body["position"]), dtype="<f4").reshape(-1, 3)
    time = np.frombuffer(base64.b64decode(data["time"]), dtype="<f4")
    kept = np.searchsorted(run.time, time - 1e-5)
    assert places == pytest.approx(vectors(run, "front_body.position")[kept], rel=1e-6, abs=1e-6)
    assert written.embedded.startswith("<iframe title=")
    assert "</script>" not in written.embedded


def test_speeds_stand_beside_the_picture_in_km_h() -> None:
    model = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    run = model.drive("step-steer", speed="72 km/h")
    signals = {one.label: one for one in at.animation(model, run).scene.signals}
    assert (signals["forward speed"].unit, signals["forward speed"].values[0]) == ("km/h", 72.0)


def test_pictures_show_motion(tmp_path: Path) -> None:
    model = at.read_model("pendulum")
    run = model.formulate().simulate(0.2, step=1e-2, outputs=[])
    with Image.open(at.animation(model, run).save(tmp_path / "film.gif")) as film:
        assert film.n_frames == 4
        first = np.asarray(film.convert("RGB"), dtype=int)
        film.seek(3)
        last = np.asarray(film.convert("RGB"), dtype=int)
    assert np.count_nonzero(np.abs(last - first)) > 500
    with Image.open(at.animation(model, run).save(tmp_path / "a.png")) as picture:
        assert len(picture.convert("RGB").getcolors(1 << 22) or ()) > 20


def test_what_cannot_be_shown_says_why(tmp_path: Path) -> None:
    circuit = at.read_model("rlc-circuit")
    run = circuit.formulate().simulate(1e-3, step=1e-4)
    with pytest.raises(AnimationError, match="no body that moves"):
        at.animation(circuit, run)
    pendulum = at.read_model("pendulum")
    with pytest.raises(AnimationError, match="pin.rate is not among its columns"):
        at.animation(pendulum, run)
    swing = pendulum.formulate().simulate(0.1, step=1e-2)
    with pytest.raises(AnimationError, match="expected more than 0"):
        at.animation(pendulum, swing, rate=0.0)
    with pytest.raises(AnimationError, match=r"ends in .html, .png, .gif"):
        at.animation(pendulum, swing).save(tmp_path / "a.mp4")


def test_programs_of_the_page_are_short_enough_to_read() -> None:
    files = [path for path in SOURCE.iterdir() if path.suffix in (".js", ".css", ".html")]
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in files}
    assert len(lengths) >= 10
    assert {name: n for name, n in lengths.items() if n > LONGEST_FILE} == {}


def test_a_peak_between_the_shown_instants_is_shown() -> None:
    """A tyre that drops: a blow of some milliseconds, at five instants a second."""
    model, system, run = shipped_run("dropped-tyre")
    scene = at.animation(model, run, system=system, rate=5.0).scene
    (force,) = [np.linalg.norm(one.vector, axis=1) for one in scene.forces]
    assert force.max() == pytest.approx(run["tyre.Fz"].max(), rel=0.01)
    evenly = np.linspace(0, len(run) - 1, len(scene.time)).astype(int)
    assert run["tyre.Fz"][evenly].max() < 0.5 * force.max()
    assert len(scene.time) < 0.2 * len(run)


def test_a_peak_of_what_is_not_recorded_is_shown() -> None:
    """It is where a state is extreme, from which the force is computed again."""
    model, system, run = shipped_run("dropped-tyre")
    states = {name: run[name] for name in run.states}
    bare = replace(run, columns=states, units={name: run.units[name] for name in states})
    scene = at.animation(model, bare, system=system, rate=5.0).scene
    (force,) = [np.linalg.norm(one.vector, axis=1) for one in scene.forces]
    assert force.max() == pytest.approx(run["tyre.Fz"].max(), rel=0.05)
    assert len(scene.time) < 0.2 * len(run)
