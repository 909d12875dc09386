"""The page of an animation in a browser: it opens from a file, draws, and obeys its slider."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from PIL import Image
from report.headless_page import Page, chromium, headless_page

import axletree as at

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason="no Chromium on the PATH: apt install chromium"),
]

# Pixels as one text of hexadecimal numbers would be long: a coarse picture of the canvas is enough.
PIXELS = """(() => {
  animation.draw();
  const gl = animation.painter.gl, w = gl.drawingBufferWidth, h = gl.drawingBufferHeight;
  const all = new Uint8Array(4 * w * h), found = [];
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, all);
  for (let y = 0; y < h; y += 4) {
    for (let x = 0; x < w; x += 4) {
      const k = 4 * (y * w + x);
      found.push((all[k] << 16) + (all[k + 1] << 8) + all[k + 2]);
    }
  }
  return found;
})()"""
SLIDE = """(() => {
  const slider = document.getElementById("slider");
  slider.value = %s;
  slider.dispatchEvent(new Event("input"));
})()"""


@cache
def driven() -> at.Trajectory:
    model, system = at.read_model("skidder"), shipped_system("skidder")
    return system.simulate(2.0, step=model.run.step, inputs=model.run.inputs, record_interval=0.01)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    model, system = at.read_model("skidder"), shipped_system("skidder")
    folder = tmp_path_factory.mktemp("ride")
    return at.animation(model, driven(), system=system).save(folder / "ride.html").as_uri()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with headless_page(tmp_path_factory.mktemp("browser")) as made:
        yield made


def share_of_changes(before: list[Any], after: list[Any]) -> float:
    assert len(before) == len(after) > 1000
    return sum(a != b for a, b in zip(before, after, strict=True)) / len(before)


def test_the_page_opens_draws_and_obeys_its_slider(page: Page, address: str) -> None:
    page.events.clear()
    page.open(f"{address}#camera=stay")
    first = page.value(PIXELS)
    assert len(set(first)) > 50, "the canvas is blank"
    saved = page.value("document.getElementById('view').toDataURL()")
    assert len(saved) > 20_000, "what is saved or printed later is blank"
    place = page.value("animation.where('front_body')")
    page.value(SLIDE % 1.0)
    assert page.value("animation.time") == pytest.approx(1.0, abs=1e-3)
    assert page.value("document.getElementById('now').textContent") == "1.00 s"
    moved = page.value("animation.where('front_body')")
    assert moved[0] - place[0] > 5.0
    assert share_of_changes(first, page.value(PIXELS)) > 0.02
    assert page.complaints() == []
    assert [url for url in page.requests() if not url.startswith(("file:", "about:"))] == []


def test_wheels_turn_in_the_picture(page: Page, address: str) -> None:
    """A camera that goes along sees no other motion near the wheel than its turning."""
    page.open(f"{address}#camera=ride&t=1")
    before = page.value(PIXELS)
    page.value("animation.seek(1.02)")
    assert 0.0 < share_of_changes(before, page.value(PIXELS)) < 0.9


def test_numbers_beside_the_picture_are_those_of_the_run(page: Page, address: str) -> None:
    page.open(f"{address}#t=1.5")
    run, tables = driven(), {}
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
    before = page.value(PIXELS)
    for kind, x in (("mousePressed", 300), ("mouseMoved", 400), ("mouseReleased", 400)):
        held = {"button": "left", "buttons": 1, "clickCount": 1}
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=320, **held)
    turned = page.value(PIXELS)
    assert share_of_changes(before, turned) > 0.05
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=400, y=320, deltaX=0, deltaY=-300)
    assert share_of_changes(turned, page.value(PIXELS)) > 0.05


def test_play_goes_on_and_dark_is_dark(page: Page, address: str) -> None:
    page.open(f"{address}#theme=light")
    light = sum(value >> 16 for value in page.value(PIXELS))
    page.value("document.getElementById('theme').click()")
    assert sum(value >> 16 for value in page.value(PIXELS)) < 0.5 * light
    page.value("document.getElementById('play').click()")
    page.call("Runtime.evaluate", expression="new Promise((go) => setTimeout(go, 400))",
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
