"""A live page in a real browser: driven by keys, it moves as the model does, and asks for nothing.

A browser is needed, and the compiler of the extra ``cc``.
"""

from __future__ import annotations

import csv
import importlib.util
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reports.headless_page import Page, chromium, headless_page, wait_for
from typer.testing import CliRunner

import axletree as at
from axletree.analysis.kinematics_and_compliance.axle_in_vehicle import linked_suspension
from axletree.analysis.steady_start import steady_start
from axletree.cli.app import app
from axletree.cli.lap import lap_table
from axletree.core.errors import CompilerError
from axletree.live_pages.live_controls import live_sliders, with_levers
from axletree.live_pages.live_courses import live_courses
from axletree.live_pages.live_page import LivePage, shown_outputs
from axletree.model.model import Model
from axletree.optimisation.lap_time.result import LAP_UNITS, TimedLap
from axletree.optimisation.lap_time.track import Track
from axletree.reports.results import write_columns
from axletree.simulation.problem import SettingsError
from axletree.simulation.stepper.shaping import HoldInput
from axletree.simulation.stepper.stepper import system_stepper

needs_zig = pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="ziglang (extra cc) is not installed"
)
needs_browser = pytest.mark.skipif(chromium() is None, reason="Chromium is not installed")
LARGEST = 3_000_000  # bytes, of a page
# Frames of 1/60 s: keys that go down and up, as (frame, key, down).
SLALOM = (
    (5, "ArrowUp", True), (40, "ArrowLeft", True), (75, "ArrowLeft", False),
    (80, "ArrowRight", True), (130, "ArrowRight", False), (135, "a", True), (160, "a", False),
    (165, "ArrowUp", False), (170, "ArrowDown", True),
    (60, "e", True), (61, "e", True), (120, "q", True),
)  # fmt: skip
FRAMES = 200


@dataclass(frozen=True)
class Opened:
    """A live page in a browser, and the model that it shows."""

    model: Model
    made: LivePage
    page: Page
    file: Path

    def value(self, expression: str) -> Any:
        return self.page.value(expression)

    def restart(self) -> None:
        self.value("live.stop(); live.choose(''); live.setup.clear(); live.gears.hold(0)")
        self.value("live.restart('80 km/h')")


def ring_lap() -> TimedLap:
    """To the left around 100 m at 20 m/s, 2 m outside of the middle."""
    turn = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
    points = np.column_stack([300.0 + 100.0 * np.cos(turn), 100.0 * np.sin(turn)])
    track = Track.through("ring", points, left=4.0, right=5.0, smoothing=1e-4)
    offset = np.full(len(track.station), -2.0)
    x, y = track.places(track.station, offset)
    columns = {"station": track.station, "time": 1.02 * track.station / 20.0, "x": x, "y": y}
    return TimedLap("hare", "by_hand", track, columns)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    model = with_levers(at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}}))
    made = at.live(model, speeds=["80 km/h"], manoeuvres=["iso-3888-1"], laps=[ring_lap()])
    folder = tmp_path_factory.mktemp("live")
    file = made.save(folder / "car.html")
    with headless_page(folder / "browser", (1280, 760)) as page:
        page.open(file.as_uri())
        wait_for(lambda: bool(page.value("!!window.live")))
        # Time is that of frames on a busy machine, too.
        page.value("live.drive.budget = live.drive.catchingUp = Infinity")
        yield Opened(model, made, page, file)


pytestmark = pytest.mark.filterwarnings("ignore:there is no C compiler")


def drive_by_keys(opened: Opened) -> dict[str, Any]:
    """Frame by frame, as a browser calls them; returns what was set and where it led to."""
    opened.restart()
    opened.value(
        f"""live.draw = () => {{}}; // pictures take a browser without a card long
        for (let k = 0; k < {FRAMES}; k++) {{
          for (const [frame, key, down] of {json.dumps(SLALOM)}) {{
            if (frame === k) {{
              const kind = down ? "keydown" : "keyup";
              window.dispatchEvent(new KeyboardEvent(kind, {{ key }}));
              live.running = false; // frames are those of this test
            }}
          }}
          live.frame(1 / 60);
        }}
        live.pedals.held.clear();
        delete live.draw;
        live.draw();"""
    )
    return dict(
        opened.value(
            "({ ...live.drive.recording(), time: live.drive.time, rows: live.drive.rows })"
        )
    )


@needs_zig
@needs_browser
def test_it_drives_as_the_model_does(opened: Opened) -> None:
    """The same values set before the same steps lead a stepper of C to the same records."""
    found = drive_by_keys(opened)
    columns = opened.value("live.drive.columns")
    system = opened.model.formulate()
    start = steady_start(system, {"speed": "80 km/h"}, None, "80 km/h")
    own = system_stepper(system, step=1e-3, starts=[start], start="80 km/h", outputs=[
        name for name in columns if name in {d.quantity.name for d in system.outputs}
    ])  # fmt: skip
    own.shape("rear_drive.selected", HoldInput())
    rows, orders, done = [], found["orders"], 0
    assert found["steps"] == pytest.approx(FRAMES / 60 / 1e-3, abs=1)
    keyed = {"driver.steering", "driver.throttle", "driver.brake", "rear_drive.selected"}
    assert {name for _, name, _ in orders} == keyed
    lever = [value for _, name, value in orders if name == "rear_drive.selected"]
    assert np.diff(lever).tolist() == [1.0, -1.0]  # two gears up from the one in use, one down
    rows.append([own.time, *(own[name] for name in columns)])
    for step in range(found["steps"]):
        while done < len(orders) and orders[done][0] == step:
            own[orders[done][1]] = orders[done][2]
            done += 1
        own.advance(steps=1)
        if (step + 1) % 10 == 0:
            rows.append([own.time, *(own[name] for name in columns)])
    expected, table = np.array(rows), np.array(found["rows"])
    assert table.shape == expected.shape
    scale = np.maximum(np.abs(expected).max(axis=0), 1e-3)
    assert float((np.abs(table - expected) / scale).max()) < 1e-9
    rates = table[:, 1 + columns.index("vehicle.yaw_rate")]
    assert rates.max() > 0.1  # rad/s, to the left
    assert rates.min() < -0.1


@needs_zig
@needs_browser
def test_a_drive_is_replayed_bit_for_bit(opened: Opened) -> None:
    found = drive_by_keys(opened)
    opened.value(
        f"""live.stop();
        live.draw = () => {{}};
        live.drive.replay({json.dumps({k: v for k, v in found.items() if k != "rows"})});
        while (live.drive.replaying) live.frame(1 / 75);
        delete live.draw;"""
    )
    again = opened.value("live.drive.rows")
    assert again[: len(found["rows"])] == found["rows"]


@needs_zig
@needs_browser
def test_bodies_and_forces_are_where_an_animation_has_them(opened: Opened) -> None:
    drive_by_keys(opened)
    states = opened.value(
        "Object.fromEntries(live.data.layout.states.map("
        "({ name }) => [name, live.stepper.get(name)]))"
    )
    inputs = opened.value(
        "Object.fromEntries(live.drive.columns.filter((n) => n.startsWith('driver.'))"
        ".map((n) => [n, live.stepper.get(n)]))"
    )
    run = opened.model.formulate().simulate(
        1e-9, step=1e-9, method="rk4", initial=states, inputs=inputs, watch=False
    )
    scene = at.animation(opened.model, run).scene
    shown = opened.value(
        "live.scene.actors.map((a) => ({ name: a.name, p: [...a.position], q: [...a.rotation] }))"
    )
    assert [one["name"] for one in shown] == [actor.name for actor in scene.actors]
    for one, actor in zip(shown, scene.actors, strict=True):
        np.testing.assert_allclose(one["p"], actor.position[0], rtol=1e-6, atol=2e-5)
        q, own = np.array(one["q"]), _spun(actor)
        assert abs(abs(float(q @ own)) - 1.0) < 1e-6, one["name"]
    arrows = opened.value("live.scene.forces.map((f) => [f.name, [...f.point], [...f.vector]])")
    for (name, point, vector), force in zip(arrows, scene.forces, strict=True):
        assert name == force.name
        np.testing.assert_allclose(point, force.point[0], rtol=1e-6, atol=2e-5)
        np.testing.assert_allclose(vector, force.vector[0], rtol=2e-3, atol=2.0)


def _spun(actor: Any) -> np.ndarray:
    """The quaternion of an actor with its spin."""
    w, x, y, z = actor.rotation[0]
    if actor.spin is None:
        return np.array([w, x, y, z])
    half = 0.5 * float(actor.spin[0])
    a, (b, c, d) = math.cos(half), math.sin(half) * np.array(actor.axis)
    return np.array([
        w * a - x * b - y * c - z * d, w * b + x * a + y * d - z * c,
        w * c - x * d + y * a + z * b, w * d + x * c - y * b + z * a,
    ])  # fmt: skip


@needs_zig
@needs_browser
def test_a_manoeuvre_is_shown_as_its_driver_drives_it(opened: Opened) -> None:
    """Near to the run, whose steps and inputs are others; a key takes over."""
    opened.restart()
    opened.value(
        """live.draw = () => {};
        document.getElementById('manoeuvre').value = 'iso-3888-1';
        document.getElementById('manoeuvre').dispatchEvent(new Event('change'));
        live.stop();
        while (live.drive.time < 9) live.frame(0.02);
        delete live.draw;"""
    )
    run = opened.model.drive("iso-3888-1")
    columns, rows = opened.value("live.drive.columns"), opened.value("live.drive.rows")
    table = {name: np.array([row[1 + k] for row in rows]) for k, name in enumerate(columns)}
    time = np.array([row[0] for row in rows])
    x, y = (np.interp(time, run.time, run[f"vehicle.{axis}"]) for axis in "xy")
    apart = np.hypot(table["vehicle.x"] - x, table["vehicle.y"] - y)
    assert float(apart.max()) < 0.1  # m, of a way of 200 m with 3.5 m aside
    assert float(np.ptp(table["vehicle.y"])) > 3.0
    assert opened.value("live.course.inWords(0)") == "no cones hit of 62"
    opened.restart()
    opened.value(
        """live.draw = () => {};
        document.getElementById('manoeuvre').dispatchEvent(new Event('change'));
        live.stop();
        while (live.drive.time < 3) live.frame(0.02);
        window.before = live.stepper.get('driver.steering');
        live.pedals.press('ArrowUp', true);
        live.frame(0.02);
        live.pedals.held.clear();
        delete live.draw;"""
    )
    assert opened.value("live.drive.replaying") is False
    assert opened.value("Math.abs(live.pedals.wanted.steering - before) < 0.3")
    opened.value("document.getElementById('manoeuvre').value = ''")


@needs_zig
@needs_browser
def test_set_ups_are_changed_while_it_drives(opened: Opened) -> None:
    opened.restart()
    mass = opened.value("live.stepper.get('body.mass')")
    opened.value("document.getElementById('search').value = 'body mass'; live.setup.fill()")
    opened.value(
        """const range = document.querySelector('#sliders input');
        range.value = Math.log2(1.2); range.dispatchEvent(new Event('input'));"""
    )
    assert opened.value("live.stepper.get('body.mass')") == pytest.approx(1.2 * mass, rel=4e-3)
    heavy = opened.value("live.stepper.get('body.mass')")
    opened.value("live.frame(0.05); live.setup.change()")
    assert opened.value("live.stepper.get('body.mass')") == mass
    assert opened.value("document.getElementById('setup').textContent") == "Set-up B"
    opened.value(
        "window.dispatchEvent(new KeyboardEvent('keydown', { key: 'b' })); live.frame(0.05)"
    )
    assert opened.value("live.stepper.get('body.mass')") == heavy
    # It is part of the drive that is replayed.
    names = {order[1] for order in opened.value("live.drive.recording().orders")}
    assert "body.mass" in names
    opened.value("document.getElementById('search').value = ''")


@needs_zig
@needs_browser
def test_the_understeer_curve_is_that_of_steady_cornering(opened: Opened) -> None:
    """Solved in the module by its exact Jacobian, and here by differences, another predictor and
    another decomposition."""
    opened.restart()
    opened.value("document.getElementById('of-handling').open = true; live.handling.update()")
    curve = at.cornering_curve(opened.model, "80 km/h")
    steady, wheel = curve["path.lateral"], curve["driver.steering"]
    lateral, angle = np.array(opened.value("live.handling.curves.A")).T
    top = int(lateral.argmax())
    assert top >= 28  # turns up to the limit
    np.testing.assert_allclose(lateral[top], steady.max(), rtol=1e-3)  # its points stand elsewhere
    for a, angle_there in zip(steady[2:-8:4], wheel[2:-8:4], strict=True):
        found = opened.value(
            f"live.handling.trim('80 km/h'), live.handling.turn(0, 1, {a / 9.80665}) "
            "&& live.handling.rows.get('driver.steering')"
        )
        assert found == pytest.approx(angle_there, rel=1e-7)
    # Once the browser has compiled it: measured on a busy machine, where 3 ms are usual.
    assert opened.value("live.handling.update(), live.handling.cost") < 100.0
    print(f"understeer curve in {opened.value('live.handling.cost'):.1f} ms")
    grip = "live.setup.groups.forEach((g, k) => { if (/law F[xy][MS]/.test(g.label)) %s; })"
    opened.value("live.setup.change('B');" + grip % "live.setup.scale(k, 0.6)")
    opened.value("live.handling.update(); live.handling.draw()")
    slippery = np.array(opened.value("live.handling.curves.B"))[:, 0].max()
    # A little more than the forces are scaled by: less load goes over, which tyres lose force by.
    assert 0.6 * lateral.max() < slippery < 0.67 * lateral.max()
    opened.value("live.setup.clear(); live.setup.change('A')")
    opened.restart()


@needs_zig
@needs_browser
def test_a_start_is_the_trim_of_what_sliders_say(opened: Opened) -> None:
    """The steady motion of the changed vehicle, found here by ``trim``; a drive that begins in it
    is replayed from there."""
    opened.restart()
    opened.value(
        """live.setup.scale(live.setup.groups.findIndex((g) => g.label === 'body mass'), 1.5);
        live.restart('80 km/h');"""
    )
    mass = opened.value("live.stepper.get('body.mass')")
    found = at.trim(opened.model, speed="80 km/h", parameters={"body.mass": mass})
    assert opened.value("live.stepper.get('driver.throttle')") == pytest.approx(
        found.inputs["driver.throttle"], rel=1e-9
    )
    for name in ("front_left_axle.rate", "wheel_loads.rear_left", "chassis.vx"):
        own = opened.value(f"live.stepper.get('{name}')")
        assert own == pytest.approx(found.states[name], rel=1e-9), name
    opened.value("live.drive.advance(2000)")
    assert opened.value("live.stepper.get('vehicle.forward_speed')") == pytest.approx(
        80 / 3.6, rel=1e-8
    )
    first = opened.value("live.drive.rows")
    opened.value(
        """const kept = live.drive.recording();
        live.setup.clear(); live.restart(); live.drive.advance(100);
        live.drive.replay(kept); live.drive.advance(2000)"""
    )
    assert opened.value("live.drive.rows") == first
    opened.value("live.setup.clear()")
    # Where it is not kept the page says so.
    opened.value("live.stepper.set('air.drag', 100); live.restart('80 km/h')")
    assert "no steady motion at 80 km/h is found" in opened.value(
        "document.getElementById('message').textContent"
    )
    opened.value(
        "live.stepper.set('air.drag', live.drive.made[live.stepper.found('air.drag').index])"
    )
    opened.restart()


@needs_zig
@needs_browser
def test_cones_fall_and_laps_are_timed(opened: Opened) -> None:
    opened.restart()
    opened.value("live.choose('slalom')")
    assert opened.value("live.course.inWords(0)") == "no cones hit of 8"
    x, y = opened.value("live.course.given.cones[2]")
    width = opened.value("live.course.given.size[0]")
    opened.value(f"live.course.pass(1, {x}, {y + 0.6 * width}, 0)")
    assert opened.value("live.course.hit.size") == 0
    opened.value(f"live.course.pass(1, {x}, {y + 0.4 * width}, 0)")
    assert opened.value("live.course.inWords(0)") == "1 cone hit of 8"
    opened.value("live.choose('race-track')")
    opened.value(
        """for (const [time, past] of [[0, -5], [1, 5], [30, 200], [60, -2], [61, 6]]) {
          const [x, y, heading] = live.course.given.start;
          live.course.pass(time, x + past * Math.cos(heading), y + past * Math.sin(heading), 0);
        }"""
    )
    # Crossed at 0.5 s and at 60.25 s, by straight lines between the instants.
    assert opened.value("live.course.laps") == [pytest.approx(59.75)]
    opened.restart()


@needs_zig
@needs_browser
def test_a_ghost_is_where_the_attempt_before_was(opened: Opened) -> None:
    first = drive_by_keys(opened)
    there = opened.value("live.live.main.p")
    opened.restart()
    opened.value(
        """live.draw = () => {};
        for (let k = 0; k < 50; k++) live.frame(1 / 60);
        delete live.draw;"""
    )
    early = opened.value("live.ghost.at(live.drive.time).p")
    kept = opened.value("live.ghost.before.map((one) => [one.time, one.p[0], one.p[1]])")
    time, x, y = np.array(kept).T
    now = opened.value("live.drive.time")
    assert early[:2] == [pytest.approx(np.interp(now, time, v), abs=1e-9) for v in (x, y)]
    assert opened.value(f"live.ghost.at({first['time']}).p") == pytest.approx(there)
    assert opened.value(f"live.ghost.at({first['time'] + 1.0})") is None
    opened.value("live.draw()")
    # On a circuit a lap is an attempt.
    opened.value("live.choose('race-track'); live.course.begun = 5; live.ghost.begin(5)")
    assert opened.value("live.ghost.poses.length") == 0
    opened.restart()


@needs_zig
@needs_browser
def test_a_lap_of_optimisation_is_a_ghost_on_its_track(opened: Opened, tmp_path: Path) -> None:
    """A circle of 102 m, entered at the origin along x: places in closed form; ``lap.csv`` of the
    command has the same in the axes of the track."""
    opened.value("live.choose('lap of ring')")
    assert opened.value("live.ghost.chosen") == "hare, by_hand, 32.04 s"
    level, begun = opened.value("[live.live.main.p[2], live.drive.time]")
    for time in (0.0, 4.0, 17.3):
        angle = time * 20.0 / 102.0
        pose = opened.value(f"live.ghost.at({begun + time})")
        middle = (102.0 * math.sin(angle), 100.0 - 102.0 * math.cos(angle), level)
        np.testing.assert_allclose(pose["p"], middle, atol=0.03)  # the spline, 0.1 s of chords
        ahead = opened.value(
            f"(({{ q: [w, x, y, z] }}) => 2 * Math.atan2(z, w))({json.dumps(pose)})"
        )
        assert math.remainder(ahead - angle, 2.0 * math.pi) == pytest.approx(0.0, abs=5e-3)
    edges = opened.value("live.course.given.lines.map(({ name }) => name)")
    assert edges == ["hare", "left edge", "right edge"]
    known = opened.value("live.ghost.at(live.drive.time + 9)")
    write_columns(tmp_path / "lap.csv", lap_table(ring_lap()), LAP_UNITS)
    text = (tmp_path / "lap.csv").read_text(encoding="utf-8")
    assert text.startswith("station [m],time [s],x [m],y [m],heading [rad]\n")
    opened.value(f"live.openGhost('lap.csv', {json.dumps(text)})")
    assert opened.value("live.ghost.chosen") == "lap.csv"
    found = opened.value("live.ghost.at(live.drive.time + 9)")
    for word in "pq":  # the line begins 2 m beside the middle of the track, which is the origin
        np.testing.assert_allclose(found[word], known[word], atol=0.02)
    # Without its track it begins where the page does.
    opened.value(
        f"""const courses = live.data.courses; live.data.courses = []; live.course = null;
        live.openGhost('lap.csv', {json.dumps(text)});
        live.data.courses = courses"""
    )
    begun = opened.value("live.ghost.shown[0]")
    np.testing.assert_allclose(begun["p"][:2], 0.0, atol=1e-9)
    np.testing.assert_allclose(begun["q"], opened.value("live.ghost.level.q"), atol=1e-9)
    assert opened.value("live.ghost.at(live.drive.time + 33)") is None
    opened.value("live.draw(); live.race('')")
    assert opened.value("live.ghost.at(live.drive.time)") is None
    opened.value("live.race('last attempt')")
    opened.restart()


@needs_zig
@needs_browser
def test_a_drive_of_a_file_is_a_ghost_and_so_is_a_record_of_it(opened: Opened) -> None:
    """Driven again beside the page's own drive, which stays as it is."""
    drive_by_keys(opened)
    places = "['x', 'y'].map((word) => 1 + live.drive.columns.indexOf(`vehicle.${word}`))"
    drive, record, rows = opened.value(
        "[JSON.stringify(live.drive.recording()), live.drive.csv(), live.drive.rows"
        f".map((row) => [row[0], ...{places}.map((k) => row[k])])]"
    )
    opened.restart()
    of_run = record.replace("vehicle.x", "chassis.x").replace("vehicle.y ", "chassis.y ")
    of_run = of_run.replace("vehicle.heading", "chassis.yaw")
    assert of_run.count("chassis.") == 3
    for name, text in (
        ("yesterday.drive.json", drive), ("yesterday.csv", record), ("run.csv", of_run),
    ):  # fmt: skip
        opened.value(f"live.openGhost({json.dumps(name)}, {json.dumps(text)})")
        assert opened.value("document.getElementById('ghost').value") == name
        for time, x, y in rows[:: len(rows) // 5]:
            pose = opened.value(f"live.ghost.at(live.drive.time + {time})")
            assert pose["p"][:2] == pytest.approx([x, y], abs=2e-5), (name, time)
    assert opened.value("live.drive.steps") == 0
    said = opened.value(
        "(() => { try { live.openGhost('a.csv', 'time [s],speed\\n0,1\\n'); return ''; }"
        " catch (error) { return error.message; } })()"
    )
    assert "vehicle.x [m], vehicle.y [m], vehicle.heading [rad]" in said
    opened.value("live.race('last attempt')")
    opened.restart()


@needs_zig
@needs_browser
def test_its_record_is_a_measurement(opened: Opened, tmp_path: Path) -> None:
    drive_by_keys(opened)
    assert opened.value("live.drive.changedParameters()") == []
    file = tmp_path / "drive.csv"
    file.write_text(opened.value("live.drive.csv()"), encoding="utf-8")
    read = at.read_measurement(file)
    rows, columns = opened.value("live.drive.rows"), opened.value("live.drive.columns")
    place = 1 + columns.index("vehicle.yaw_rate")
    np.testing.assert_allclose(read["vehicle.yaw_rate"], [row[place] for row in rows], rtol=1e-12)
    opened.model.replay(read).to_npz(tmp_path / "run" / "run.npz")
    words = ["compare", tmp_path / "run", file, "--no-report", "--out", tmp_path / "out"]
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    with (tmp_path / "out" / "agreement.csv").open(encoding="utf-8") as table:
        next(table)  # the title
        told = {row["quantity"]: row["normalised RMS"] for row in csv.DictReader(table)}
    print(told)
    for name in ("yaw_rate", "lateral_acceleration", "forward_speed"):
        assert 0.0 < float(told[f"vehicle.{name}"].rstrip(" %")) < 1.0, name


@needs_zig
@needs_browser
def test_a_run_that_ends_says_why(opened: Opened) -> None:
    opened.restart()
    opened.value("live.drive.set('rear_left_wheel.axial_inertia', 1e-310); live.frame(0.1)")
    text = opened.value("document.getElementById('message').textContent")
    assert "The run has ended: a state is not finite after a step" in text
    assert opened.value("document.getElementById('message').hidden") is False
    opened.restart()
    opened.value(
        "live.stepper.set('rear_left_wheel.axial_inertia', live.data.layout.parameters.find("
        "(one) => one.name === 'rear_left_wheel.axial_inertia').start)"
    )
    opened.restart()
    assert opened.value("document.getElementById('message').hidden") is True


@needs_zig
@needs_browser
def test_the_pad_and_the_help_at_speed(opened: Opened) -> None:
    opened.restart()
    opened.value("live.draw = () => {}; live.pedals.touch(-1, -0.5)")
    opened.value("for (let k = 0; k < 120; k++) live.frame(1 / 60)")
    assert opened.value("live.stepper.get('driver.throttle')") == pytest.approx(0.5)
    gentle = opened.value("live.pedals.wanted.steering")
    assert 0.0 < gentle < opened.value("live.pedals.most") / 2
    opened.value("live.pedals.help = false; for (let k = 0; k < 120; k++) live.frame(1 / 60)")
    assert opened.value("live.pedals.wanted.steering") == opened.value("live.pedals.most")
    opened.value("live.pedals.help = true; live.pedals.release(); delete live.draw")
    opened.restart()


@needs_zig
@needs_browser
def test_gears_are_held_by_keys_paddles_and_buttons(opened: Opened) -> None:
    opened.restart()
    lever = "[live.stepper.get('rear_drive.selected'), live.stepper.get('rear_drive.gear')]"
    ratios = opened.value("live.gears.drives[0].ratios")
    assert opened.value(lever)[0] == 0.0
    opened.value("live.draw = () => {}; document.getElementById('automatic').click()")
    held = int(opened.value(lever)[0])
    opened.value("live.frame(1 / 60)")
    assert opened.value(lever) == [held, ratios[held - 1]]  # the one that was in use
    opened.value("document.getElementById('gear-down').click(); live.frame(1 / 60)")
    assert opened.value(lever) == [held - 1, ratios[held - 2]]
    by_paddles = opened.value(
        """(() => {
          const buttons = Array.from({ length: 8 }, () => ({ value: 0 })), found = [];
          const pad = { connected: true, axes: [0], buttons }, value = () => [pad];
          Object.defineProperty(navigator, 'getGamepads', { value, configurable: true });
          for (const [k, pressed] of [[5, 1], [5, 1], [5, 0], [5, 1], [4, 1]]) {
            buttons[k].value = pressed;
            live.frame(1 / 60);
            found.push(live.gears.held);
          }
          delete navigator.getGamepads;
          return found;
        })()"""
    )
    assert by_paddles == [held, held, held, held + 1, held]  # once for each press
    opened.value("for (let k = 0; k < 9; k++) live.gears.shift(1); live.frame(1 / 60)")
    assert opened.value(lever) == [len(ratios), ratios[-1]]
    opened.value("delete live.draw; live.shown = 0; live.draw()")
    assert opened.value("document.getElementById('gear').textContent") == "gear 6, held"
    opened.value("live.restart('80 km/h')")
    assert opened.value(lever)[0] == len(ratios)  # held over a start
    opened.value("document.getElementById('automatic').click(); live.pedals.paddles = [0, 0]")
    assert opened.value(lever)[0] == 0.0
    opened.restart()


@needs_zig
@needs_browser
def test_time_passes_more_slowly_than_the_clock_where_steps_take_too_long(opened: Opened) -> None:
    opened.restart()
    opened.value(
        """live.draw = () => {}; live.drive.budget = 0; live.running = true;
        for (let k = 0; k < 100; k++) live.frame(1 / 60);
        delete live.draw; live.shown = 0; live.draw(); live.running = false"""
    )
    assert opened.value("live.drive.steps") == 0
    assert "slow motion, 0.01 of the clock" in opened.value(
        "document.getElementById('cost').textContent"
    )
    opened.value("live.drive.budget = Infinity; live.pace = 1")
    opened.restart()


@needs_zig
@needs_browser
def test_a_late_picture_does_not_hold_up_the_next_one(opened: Opened) -> None:
    """Steps of a thirtieth of a second are taken in any case, those of the rest for 1 ms."""
    opened.restart()
    another = "new live.drive.constructor(live.stepper, live.data.controls, [])"
    assert opened.value(f"{another}.catchingUp") == 1
    opened.restart()
    assert opened.value("live.drive.pass(0.08)") == 80
    opened.value("live.drive.catchingUp = 0")
    assert opened.value("[0.08, 1 / 60, 0.08].map((dt) => live.drive.pass(dt))") == [40, 16, 40]
    opened.value("live.drive.catchingUp = Infinity")
    opened.restart()


@needs_zig
@needs_browser
def test_a_gamepad_steers_and_shakes(opened: Opened) -> None:
    """A stick to the left, a trigger; it shakes where tyres use nearly all friction."""
    opened.restart()
    found = opened.value(
        """(() => {
          const shakes = [], buttons = Array.from({ length: 8 }, () => ({ value: 0 }));
          const vibrationActuator = { playEffect: (kind, how) => shakes.push([kind, how]) };
          const pad = { connected: true, axes: [-0.5], buttons, vibrationActuator };
          const value = () => [pad];
          Object.defineProperty(navigator, 'getGamepads', { value, configurable: true });
          buttons[7].value = 0.25;
          live.pedals.update(1 / 60, 0, 0.5);
          const calm = shakes.length, { steering, throttle } = live.pedals.wanted;
          live.pedals.update(1 / 60, 0, 0.97);
          pad.axes[0] = 0.03; // where a stick rests
          live.pedals.update(1 / 60, 0, 0);
          const rest = live.pedals.wanted.steering;
          delete navigator.getGamepads;
          return { steering, throttle, calm, shakes, rest, most: live.pedals.most };
        })()"""
    )
    assert found["steering"] == 0.5 * found["most"]
    assert found["throttle"] == 0.25
    assert found["calm"] == 0
    assert [kind for kind, _ in found["shakes"]] == ["dual-rumble"]
    assert abs(found["rest"]) == 0.0
    opened.restart()


@needs_zig
@needs_browser
def test_below_the_first_gear_there_is_reverse_for_who_is_slow(opened: Opened) -> None:
    opened.restart()
    lever = "[live.gears.held, live.gears.backward, live.stepper.get('driver.reverse')]"
    opened.value(
        "live.draw = () => {}; for (let k = 0; k < 9; k++) live.gears.shift(-1, live.speed)"
    )
    assert opened.value(lever) == [1, False, 0]  # at 80 km/h
    opened.value("live.gears.switch(true); live.restart('own')")  # at rest
    opened.value(
        """live.gears.shift(-1, live.speed);
        live.pedals.press('ArrowUp', true);
        for (let k = 0; k < 60; k++) live.frame(1 / 60);"""
    )
    assert opened.value(lever) == [0, True, 1]
    assert opened.value("live.stepper.get('rear_drive.gear')") < 0.0
    assert opened.value("live.speed") < -1.0
    assert opened.value("document.getElementById('gear').textContent") == "reverse"
    opened.value("live.gears.shift(1); live.pedals.held.clear(); delete live.draw")
    assert opened.value(lever) == [0, False, 0]
    opened.restart()


@needs_zig
@needs_browser
def test_everything_is_reached_by_keys_and_has_a_name(opened: Opened) -> None:
    opened.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    nameless = opened.value(
        """[...document.querySelectorAll('button, input, select, summary')]
          .filter((one) => !one.id.startsWith('meter') && (one.tabIndex < 0 ||
            !(one.getAttribute('aria-label') || one.title || one.labels?.length
              || one.textContent.trim() || one.placeholder)))
          .map((one) => one.outerHTML)"""
    )
    assert nameless == []
    opened.restart()
    opened.value("document.body.focus()")
    for key, code in ((" ", 32), ("c", 67), ("b", 66), ("b", 66), ("r", 82)):
        for kind in ("keyDown", "keyUp"):
            opened.page.call(
                "Input.dispatchKeyEvent", type=kind, key=key, text=key, windowsVirtualKeyCode=code
            )
    assert opened.value("live.running") is True
    assert opened.value("live.view") == "cockpit"
    opened.value("live.stop(); live.use('chase')")
    opened.restart()


@needs_zig
@needs_browser
def test_it_asks_for_nothing_and_fits_screens(opened: Opened) -> None:
    page = opened.page
    assert opened.made.size < LARGEST
    for width, height in ((390, 800), (1280, 760), (2200, 1200)):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        page.call("Emulation.setDeviceMetricsOverride", **metrics)
        opened.value("live.resize(); live.frame(1 / 60)")
        inside = opened.value(
            """['run', 'restart', 'start', 'course', 'camera', 'csv'].every((id) => {
              const box = document.getElementById(id).getBoundingClientRect();
              return box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
            })"""
        )
        assert inside, (width, height)
    for theme in ("dark", "light"):
        opened.value(f"live.theme.use('{theme}')")
        assert opened.value("document.documentElement.dataset.theme") == theme
    for camera in ("cockpit", "free", "chase"):
        opened.value(f"live.use('{camera}')")
    assert page.requests() == [opened.file.as_uri()]
    print(opened.value("document.getElementById('cost').textContent"))
    assert page.complaints() == []


CUT = """[...document.querySelectorAll('body *')].filter((one) => {
  const box = one.getBoundingClientRect(), { display } = getComputedStyle(one);
  if (!box.width || ['OPTION', 'SCRIPT'].includes(one.tagName)) return false;
  const holds = !['CANVAS', 'SELECT', 'INPUT'].includes(one.tagName) && display !== 'inline';
  return box.left < -0.5 || box.right > innerWidth + 0.5
    || (holds && one.scrollWidth > one.clientWidth + 1);
}).map((one) => `${one.tagName} ${one.textContent.slice(0, 40)}`)"""


@needs_zig
@needs_browser
def test_nothing_is_cut_on_a_phone(opened: Opened) -> None:
    """With all that folds unfolded, and the names of a truck's tyres and of a bicycle's frame."""
    opened.restart()
    phone = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    opened.page.call("Emulation.setDeviceMetricsOverride", **phone)
    opened.value(
        """{ const long = {
          '#wheel-rows th': 'semitrailer second left',
          '#numbers th': 'rear tyre contact point y', '#sliders label':
          'semitrailer second tyre law FyMz friction factor of the left side 1.00 (100 %)',
        };
        window.renamed = [];
        document.querySelectorAll('details').forEach((one) => { one.open = true; });
        live.resize(); live.frame(1 / 60);
        for (const [place, text] of Object.entries(long)) {
          for (const one of document.querySelectorAll(place)) {
            const name = [...one.childNodes].find((node) => node.nodeType === 3);
            renamed.push([name, name.data]);
            name.data = text;
          }
        } }"""
    )
    assert opened.value(CUT) == []
    meters = opened.value(
        """['meters', 'of-gears'].map((id) => {
          const box = document.getElementById(id).getBoundingClientRect();
          return box.bottom <= document.getElementById('left').getBoundingClientRect().bottom;
        })"""
    )
    assert meters == [True, True]  # however many numbers there are
    opened.value("for (const [name, text] of renamed) name.data = text;")
    desk = {"width": 1280, "height": 760, "deviceScaleFactor": 1, "mobile": False}
    opened.page.call("Emulation.setDeviceMetricsOverride", **desk)
    opened.value("live.resize()")


def test_wrong_calls_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    model = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    with pytest.raises(SettingsError, match="step is '1 s'; expected a time from"):
        at.live(model, step="1 s")
    with pytest.raises(SettingsError, match="steps of 50 ms are too long for the page: sedan: at"):
        at.live(at.read_model("sedan"), step="50 ms", speeds=["80 km/h"])
    with pytest.raises(SettingsError, match="cannot begin at 900 km/h"):
        at.live(model, speeds=["900 km/h"])
    with pytest.raises(SettingsError, match="'four-post' cannot be shown in a live page"):
        at.live(at.read_model("sedan"), manoeuvres=["four-post"])
    with pytest.raises(SettingsError, match="'iso-8608-b' cannot be shown .* another ground"):
        at.live(at.read_model("sedan"), manoeuvres=["iso-8608-b"])
    with pytest.raises(at.AxletreeError, match="did you mean 'iso-3888-2' or 'iso-3888-1'"):
        at.live(model, manoeuvres=["iso-3888"])
    with pytest.raises(SettingsError, match="no vehicle by body and axles"):
        at.live(at.read_model("pendulum"), speeds=[10.0])
    with pytest.raises(SettingsError, match=r"'body\.mass' is -3\.0 kg"):
        at.live(model, speeds=[20.0], parameters={"body.mass": -3.0})
    monkeypatch.setattr("axletree.export.wasm.has_ziglang", lambda: False)
    with pytest.raises(CompilerError, match="pip install"):
        at.live(at.read_model("pendulum"))


@needs_zig
def test_the_command_writes_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["live", "pendulum"])
    assert result.exit_code == 0, result.output
    assert "pendulum.html" in result.output
    assert "<title>pendulum</title>" in (tmp_path / "pendulum.html").read_text(encoding="utf-8")
    wrong = CliRunner().invoke(app, ["live", "pendulum", "--out", "page.txt"])
    assert wrong.exit_code == 2
    assert "expected a name in .html" in wrong.output


@needs_zig
def test_a_run_leaves_one_beside_its_results(tmp_path: Path) -> None:
    words = ["run", "sedan", "iso-7401-step", "--model", "single-track", "--live", "--no-report"]
    result = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert '"name":"iso-7401-step","course":""' in (tmp_path / "out" / "live.html").read_text()


@needs_zig
@needs_browser
@pytest.mark.slow
def test_hard_points_move_the_travel_of_a_model_by_curves(tmp_path: Path) -> None:
    """Camber at 20 mm as the sweep of the suspension has it; a bearing 10 % higher changes it, and
    nothing that is driven."""
    car = at.read_model("macpherson-compact-car", {"vehicle": {"fidelity": "two-track"}})
    file = at.live(car, speeds=["50 km/h"]).save(tmp_path / "car.html")
    suspension = linked_suspension(car.described["vehicle"], "front")
    curves = suspension.sweep.curves(suspension.carried)
    with headless_page(tmp_path / "browser", (900, 700)) as page:
        page.open(file.as_uri())
        wait_for(lambda: bool(page.value("!!window.live")))
        page.value("live.stop(); live.travel.update()")
        found = page.value("live.travel.curves.A['front.camber']")
        travel, camber = np.array(found).T
        assert len(travel) == 25
        expected = np.interp(travel, curves.travel, curves.camber)
        inside = (travel > curves.travel[0]) & (travel < curves.travel[-1])
        assert inside.sum() > 10
        np.testing.assert_allclose(camber[inside], expected[inside], atol=2e-5)
        page.value("live.setup.change('B')")
        names = "live.setup.groups.map((one) => one.names)"
        point = "body.front_left_lower_arm_bearings.z"
        assert point not in page.value("live.data.layout.parameters.map(({ name }) => name)")
        page.value(f"live.setup.scale({names}.findIndex((one) => one.includes('{point}')), 1.1)")
        page.value("live.travel.update()")
        changed = np.array(page.value("live.travel.curves.B['front.camber']"))[:, 1]
        assert 1e-4 < np.abs(changed - camber).max() < 0.1
        assert page.value("live.travel.curves.A['front.camber']") == found
        assert page.value("live.drive.orders") == []
        assert "move them here alone" in page.value(
            "document.getElementById('travel-text').textContent"
        )


@needs_zig
@pytest.mark.slow
def test_a_lap_leaves_a_page_of_its_track(tmp_path: Path) -> None:
    words = ["lap", "sedan", "lindenring", "--method", "centre-line", "--model", "single-track"]
    result = CliRunner().invoke(
        app, [*words, "--live", "--no-report", "--out", str(tmp_path / "o")]
    )
    assert result.exit_code == 0, result.output
    text = (tmp_path / "o" / "live.html").read_text()
    assert re.search(r'"name":"sedan, centre-line, \d+\.\d\d s","course":"lap of lindenring"', text)
    assert f"live page: {tmp_path / 'o' / 'live.html'}" in result.output.replace("\n", "")


def test_sliders_join_sides() -> None:
    model = at.read_model("sedan")
    parameters = model.formulate().parameters
    groups = live_sliders(parameters, [q.default for q in parameters])
    names = [name for group in groups for name in group["names"]]
    assert len(names) == len(set(names))
    assert set(names) == {q.name for q in parameters if q.default != 0.0}
    front = next(g for g in groups if "front_left_spring.stiffness" in g["names"])
    assert front["names"] == ["front_left_spring.stiffness", "front_right_spring.stiffness"]
    assert front["usual"]


def test_courses_are_those_of_the_manoeuvres() -> None:
    courses = {course["name"]: course for course in live_courses(at.read_model("sedan"))}
    assert {"iso-3888-1", "iso-3888-2", "slalom", "skid-pad", "race-track"} <= set(courses)
    assert len(courses["iso-3888-1"]["cones"]) == 62
    assert "start" in courses["race-track"]
    assert not any(name.startswith("iso-8608") for name in courses)  # straight, and nothing to hit


def test_what_is_shown_beside_the_picture() -> None:
    sedan, quarter = at.read_model("sedan"), at.read_model("quarter-car")
    shown = shown_outputs(sedan, sedan.formulate())
    assert shown[:2] == ["vehicle.forward_speed", "vehicle.yaw_rate"]
    assert "front_left_tyre.slip_angle" in shown
    names = {d.quantity.name for d in quarter.formulate().outputs}
    assert set(shown_outputs(quarter, quarter.formulate())) <= names


@needs_zig
@needs_browser
def test_wheels_leave_marks_where_they_slide_and_ruts_in_soil(opened: Opened) -> None:
    opened.restart()
    counts = opened.value(
        """(() => {
          const { marks } = live, found = [marks.ways.map((way) => way.soft)];
          marks.ways[0].soft = true; // as if it were on soil
          marks.ways.forEach((way) => { way.points.length = 0; way.last = [-9, -9, 0]; });
          marks.add([true, true]);
          found.push(marks.ways.map((way) => way.points.length));
          marks.ways[0].soft = false;
          return found;
        })()"""
    )
    assert counts == [4 * [False], [0, 1, 0, 0]]  # the sedan's road is hard
    assert opened.value("live.grounds.ruts.length") == 0
    opened.value(
        """const depths = live.ruts.depth; // as if its left wheels were on soil
        live.ruts.depth = (name) => (name.includes('left') ? 0.05 + 0.001 * live.drive.time : null);
        live.restart('80 km/h');
        for (let k = 0; k < 30; k++) live.frame(1 / 60);"""
    )
    time, x = opened.value("[live.drive.time, live.live.contacts[0].point[0]]")
    cut = opened.value(
        """live.grounds.ruts.map(({ data }) => ['top', 'floor'].map((word) => (
          Array.from({ length: live.ruts.count }, (_, k) => (
            [...data[word].slice(6 * k, 6 * k + 6)])))))"""
    )
    assert len(cut) == 2
    top, floor = np.array(cut[0])
    assert top[-1, 0] == pytest.approx(x, abs=1e-5)  # it reaches to where the wheel is
    np.testing.assert_allclose((top - floor)[-1, [2, 5]], 0.05 + 0.001 * time, atol=1e-6)
    width = opened.value("live.live.contacts[0].width")
    np.testing.assert_allclose(top[:, 4] - top[:, 1], width, atol=1e-6)
    gaps = np.diff(top[:, 0])
    assert gaps.min() >= 0.0
    assert gaps.max() < 0.5  # m, of a frame at 80 km/h
    # Older ones are forgotten where there is no more room.
    opened.value(
        "while (live.ruts.count < 3000) live.ruts.count += 1;"
        "live.ruts.last = [[9, 9, 9], [9, 9, 9]];"
        "live.frame(1 / 60)"
    )
    assert opened.value("live.ruts.count") == 1501
    opened.value("live.ruts.depth = depths")
    opened.restart()
    assert opened.page.complaints() == []


@needs_zig
@needs_browser
def test_from_the_cockpit_the_road_is_seen(opened: Opened) -> None:
    seen = opened.value(
        """['cockpit', 'chase'].map((view) => {
          live.use(view);
          const hull = live.scene.actors[live.data.moves.hulls[0]];
          return [live.actors.shown.forces, hull.pieces[0].opacity,
                  document.getElementById('camera').value];
        })"""
    )
    assert seen == [[False, 0.25, "cockpit"], [True, 1, "chase"]]
