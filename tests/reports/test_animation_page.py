"""The page of an animation in a browser: it opens from a file, draws, and obeys its slider."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from PIL import Image
from reports.animated_runs import skidder_run, soil_bin_ride
from reports.canvas_pixels import coarse_picture, coloured
from reports.headless_page import Page, chromium, headless_page

import axletree as at
from axletree.reports.animation.mesh import axes_along

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason="no Chromium on the PATH: apt install chromium"),
]

SLIDE = """(() => {
  const slider = document.getElementById("slider");
  slider.value = %s;
  slider.dispatchEvent(new Event("input"));
})()"""
FORCE, RUT = [194, 24, 91], [138, 109, 63]  # on light paper
CLICK = "document.getElementById('%s').click()"
STEER = 0.3  # rad/s


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    model, system = at.read_model("skidder"), shipped_system("skidder")
    folder = tmp_path_factory.mktemp("ride")
    return at.animation(model, skidder_run(), system=system).save(folder / "ride.html").as_uri()


@pytest.fixture(scope="module")
def soil_address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """0.5 m/s, ever deeper and ever more steered."""
    ride = soil_bin_ride(np.linspace(0.02, 0.06, 21), f"{STEER}*t")
    return ride.save(tmp_path_factory.mktemp("soil") / "ride.html").as_uri()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with headless_page(tmp_path_factory.mktemp("browser")) as made:
        yield made


def share_of_changes(before: list[Any], after: list[Any]) -> float:
    assert len(before) == len(after) > 1000
    return sum(a != b for a, b in zip(before, after, strict=True)) / len(before)


def test_the_page_opens_draws_and_obeys_its_slider(page: Page, address: str) -> None:
    page.events.clear()
    page.open(f"{address}#camera=fixed")
    first = coarse_picture(page)
    assert len(set(first)) > 50, "the canvas is blank"
    saved = page.value("document.getElementById('view').toDataURL()")
    assert len(saved) > 20_000, "what is saved or printed later is blank"
    place = page.value("animation.where('front_body')")
    page.value(SLIDE % 1.0)
    assert page.value("animation.time") == pytest.approx(1.0, abs=1e-3)
    assert page.value("document.getElementById('now').textContent") == "1.00 s"
    moved = page.value("animation.where('front_body')")
    assert moved[0] - place[0] > 5.0
    assert share_of_changes(first, coarse_picture(page)) > 0.02
    assert page.complaints() == []
    assert [url for url in page.requests() if not url.startswith(("file:", "about:"))] == []


def test_wheels_spin_and_steer_as_in_the_run(page: Page, soil_address: str) -> None:
    page.open(soil_address)
    mark = 0.4 * axes_along(np.array([0.0, 1.0, 0.0]))[:, 0]
    for t in (0.4, 1.3):
        page.value(f"animation.seek({t})")
        c, s = np.cos(1.5625 * t), np.sin(1.5625 * t)
        spun = np.array([c * mark[0] + s * mark[2], mark[1], c * mark[2] - s * mark[0]])
        c, s = np.cos(STEER * t), np.sin(STEER * t)
        steered = [c * spun[0] - s * spun[1], s * spun[0] + c * spun[1], spun[2]]
        centre = [0.5 * t, 0.0, 0.4 - (0.02 + 0.02 * t)]
        shown = page.value(f"animation.where('soil', {mark.tolist()})")
        assert shown == pytest.approx(np.add(centre, steered), abs=1e-5)
        axle = np.subtract(page.value("animation.where('soil', [0, 1, 0])"), centre)
        assert axle == pytest.approx([-s, c, 0.0], abs=1e-5)


def test_wheels_turn_in_the_picture(page: Page, address: str) -> None:
    """All but the spin of one wheel stays as it is: what changes is where that wheel is seen."""
    page.open(f"{address}#t=1")
    for tick in ("forces", "trails"):
        page.value(CLICK % tick)
    before = coarse_picture(page)
    wheel = "animation.scene.actors.find((actor) => actor.name === 'rear_right_tyre')"
    page.value(f"void {wheel}.spin.fill({wheel}.spin.at(-1))")
    turned = coarse_picture(page)
    page.value(f"void ({wheel}.pieces = [])")
    seen = [a != c or b != c for a, b, c in zip(before, turned, coarse_picture(page), strict=True)]
    changed = [a != b for a, b in zip(before, turned, strict=True)]
    assert sum(changed) > 0.1 * sum(seen) > 20
    assert not any(c and not s for c, s in zip(changed, seen, strict=True))


def test_forces_and_trails_are_drawn_where_they_are_asked_for(page: Page, address: str) -> None:
    page.open(f"{address}#theme=light&t=0")
    own = page.value("animation.theme.rgb(animation.scene.trails.at(-1).colour)")
    trail = [255.0 * x for x in own]
    first = coloured(page, trail)
    page.value("animation.seek(1)")
    assert coloured(page, trail) > 10 * first + 200
    page.value(CLICK % "trails")
    assert coloured(page, trail) < 20
    assert coloured(page, FORCE, 0.6) > 1000
    page.value(CLICK % "forces")
    assert coloured(page, FORCE, 0.6) == 0


def test_a_rut_is_cut_into_the_ground_where_the_wheel_has_been(
    page: Page, soil_address: str
) -> None:
    page.open(f"{soil_address}#theme=light&camera=fixed&t=0.2")
    first = coloured(page, RUT)
    page.value("animation.seek(2)")
    assert coloured(page, RUT) > 3 * first + 1000
    page.value("void (animation.grounds.ruts = [])")
    assert coloured(page, RUT) == 0


def test_bar_and_legend_leave_room_for_the_picture(page: Page, address: str) -> None:
    page.open(address)
    places = page.value("""[...document.querySelectorAll("#settings > *")].map((one) => {
      const box = one.getBoundingClientRect();
      return box.y + box.height / 2;
    })""")
    assert len(places) == 6
    assert np.ptp(places) < 4.0  # one row
    top = page.value("document.getElementById('key').getBoundingClientRect().top")
    assert 640 - top < 0.22 * 640


def test_numbers_beside_the_picture_are_those_of_the_run(page: Page, address: str) -> None:
    page.open(f"{address}#t=1.5")
    run, tables = skidder_run(), {}
    for table in ("signals", "wheels"):
        rows = f"[...document.getElementById('{table}').rows]"
        cells = page.value(f"{rows}.map((row) => [...row.cells].map((cell) => cell.textContent))")
        tables[table] = {row[0]: row[1:] for row in cells}
    k = int(np.argmin(np.abs(run.time - 1.5)))
    for label, (value, unit) in tables["signals"].items():
        (name,) = [n for n in run.names if n.replace("_", " ").replace(".", " ") == label]
        factor = 180.0 / np.pi if "°" in unit else 1.0
        assert float(value) == pytest.approx(factor * run[name][k], rel=2e-2, abs=0.02), name
    assert tables["wheels"][""] == ["force [kN]"]
    for wheel in ("front_left", "rear_right"):
        force = np.linalg.norm([run[f"{wheel}_tyre.{word}"][k] for word in ("Fx", "Fy", "Fz")])
        (told,) = tables["wheels"][f"{wheel.replace('_', ' ')} tyre"]
        assert float(told) == pytest.approx(1e-3 * force, rel=1e-2)


def test_keys_and_fingers_move_time_and_the_eye(page: Page, address: str) -> None:
    page.open(f"{address}#t=1")
    eye = "[animation.camera.azimuth, animation.camera.distance]"
    first = page.value(eye)
    for key, shift in (("ArrowRight", 0), ("ArrowRight", 8), ("+", 0)):
        page.call("Input.dispatchKeyEvent", type="keyDown", key=key, modifiers=shift)
    assert page.value("animation.time") == pytest.approx(1.0 + 2.0 / 100)
    turned = page.value(eye)
    assert turned[0] < first[0]
    assert turned[1] == pytest.approx(0.9 * first[1])
    for kind, gap in (("touchStart", 100), ("touchMove", 200), ("touchEnd", 0)):
        fingers = [{"x": 450 + k * gap, "y": 320, "id": k} for k in range(2 if gap else 0)]
        page.call("Input.dispatchTouchEvent", type=kind, touchPoints=fingers)
    assert page.value(eye)[1] == pytest.approx(0.5 * turned[1], rel=1e-2)


def test_the_camera_orbits_and_comes_nearer(page: Page, address: str) -> None:
    page.open(address)
    before = coarse_picture(page)
    for kind, x in (("mousePressed", 300), ("mouseMoved", 400), ("mouseReleased", 400)):
        held = {"button": "left", "buttons": 1, "clickCount": 1}
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=320, **held)
    turned = coarse_picture(page)
    assert share_of_changes(before, turned) > 0.05
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=400, y=320, deltaX=0, deltaY=-300)
    assert share_of_changes(turned, coarse_picture(page)) > 0.05


def test_play_goes_on_and_dark_is_dark(page: Page, address: str) -> None:
    page.open(f"{address}#theme=light")
    light = sum(value >> 16 for value in coarse_picture(page))
    page.value("document.getElementById('theme').click()")
    assert sum(value >> 16 for value in coarse_picture(page)) < 0.5 * light
    page.value("document.getElementById('play').click()")
    look = "const look = () => animation.time > 0 ? go() : requestAnimationFrame(look); look()"
    page.call("Runtime.evaluate", expression=f"new Promise((go) => {{ {look} }})",
              awaitPromise=True)  # fmt: skip
    assert page.value("animation.playing") is True
    assert page.value("animation.time") > 0.0


def test_without_webgl_the_page_says_so(page: Page, address: str) -> None:
    page.events.clear()
    script = "HTMLCanvasElement.prototype.getContext = () => null"
    made = page.call("Page.addScriptToEvaluateOnNewDocument", source=script)
    page.open(address)
    shown = page.value("document.getElementById('message').checkVisibility()")
    page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=made["identifier"])
    assert shown is True
    assert page.complaints() == []


def test_a_report_can_hold_the_page(page: Page, address: str, tmp_path: Path) -> None:
    model = at.read_model("pendulum")
    run = model.formulate().simulate(0.5, step=1e-2, outputs=[])
    file = tmp_path / "report.html"
    file.write_text(f"<!DOCTYPE html><p>{at.animation(model, run).embedded}", encoding="utf-8")
    page.events.clear()
    page.open(file.as_uri())
    frame = "document.querySelector('iframe').contentWindow"
    assert page.value(f"{frame}.animation.where('rod').length") == 3
    assert page.complaints() == []


def test_the_pictures_of_the_documentation_are_taken_like_this(
    address: str, tmp_path: Path
) -> None:
    docs = Path(__file__).parent.parent.parent / "docs"
    program = runpy.run_path(str(docs / "making" / "make_animation_pictures.py"))
    page, taken = Path(urlparse(address).path), tmp_path / "taken.png"
    program["photograph"](page, taken, program["SIZE"], "t=1&theme=dark")
    with Image.open(taken) as picture:
        assert picture.size[0] == 1040
        assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 200
