"""The report and every kind of plot in a browser: from a file, light, dark and on paper."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from PIL import Image
from report.headless_page import Page, chromium, headless_page
from report.plot_kinds import driven, every_kind

import axletree as at
from axletree.library.surfaces.bump import Bump
from axletree.report import page as html
from axletree.report.html import write_report
from axletree.report.surface_picture import Ground, draw_surface

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium() is None, reason="no Chromium on the PATH: apt install chromium"),
]
LOCAL = ("file:", "data:", "blob:", "about:")
FRAME = "document.querySelector('iframe').contentWindow"
# A coarse picture of the canvas in the frame.
PIXELS = f"""(() => {{
  const shown = {FRAME}.animation, gl = shown.painter.gl;
  shown.draw();
  const w = gl.drawingBufferWidth, h = gl.drawingBufferHeight;
  const all = new Uint8Array(4 * w * h), found = [];
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, all);
  for (let k = 0; k < all.length; k += 52) {{
    found.push((all[k] << 16) + (all[k + 1] << 8) + all[k + 2]);
  }}
  return found;
}})()"""
# Words of plots that lie on one another, by more than their empty edges.
COVERED = """(() => {
  const found = [];
  for (const svg of document.querySelectorAll("figure svg")) {
    const boxes = [...svg.querySelectorAll("text")]
      .map((one) => [one.textContent, one.getBoundingClientRect()])
      .filter(([word, box]) => word.trim() && box.width > 0);
    boxes.forEach(([word, a], k) => boxes.slice(k + 1).forEach(([other, b]) => {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 0.35 * Math.min(a.height, b.height)) found.push(`${word} | ${other}`);
    }));
  }
  return found;
})()"""
COLOUR = "getComputedStyle(document.querySelector(%r)).%s"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with headless_page(tmp_path_factory.mktemp("browser"), (1100, 800)) as made:
        yield made


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model, system, step, run = driven()
    return write_report(system, model, run, tmp_path_factory.mktemp("report"), manoeuvre=step)


def prefer(page: Page, scheme: str, media: str = "") -> None:
    wanted = [{"name": "prefers-color-scheme", "value": scheme}]
    page.call("Emulation.setEmulatedMedia", media=media, features=wanted)


def brightness(page: Page, element: str, what: str) -> float:
    """Of a colour such as rgb(1, 2, 3)."""
    told = page.value(COLOUR % (element, what))
    return float(np.mean([float(x) for x in told.strip("rgba()").split(",")[:3]]))


def opened(page: Page, file: Path) -> None:
    """Nothing is complained of, and nothing leaves the machine."""
    page.events.clear()
    page.open(file.as_uri())
    assert page.complaints() == []
    assert [url for url in page.requests() if not url.startswith(LOCAL)] == []


def test_the_report_of_a_vehicle(page: Page, report: Path) -> None:
    assert report.stat().st_size < 1.5e6
    prefer(page, "light")
    opened(page, report)
    text = page.value("document.body.innerText")
    for word in ("Data sheet", "understeer gradient", "yaw rate: response time", "versions"):
        assert word in text
    assert page.value("document.querySelectorAll('figure svg').length") >= 4
    assert page.value("document.documentElement.scrollWidth <= innerWidth")
    assert page.value(COVERED) == []
    first = page.value(PIXELS)
    assert len(set(first)) > 50, "the canvas is blank"
    page.value(f"""(() => {{ const slider = {FRAME}.document.getElementById("slider");
      slider.value = 3.0; slider.dispatchEvent(new Event("input")); }})()""")
    moved = page.value(PIXELS)
    assert sum(a != b for a, b in zip(first, moved, strict=True)) > 0.02 * len(first)
    assert page.complaints() == []


def test_the_report_in_the_dark_and_on_paper(page: Page, report: Path) -> None:
    curve = "figure svg [style*='stroke: var(--plot-4)']"
    prefer(page, "light")
    opened(page, report)
    light = (brightness(page, "body", "backgroundColor"), brightness(page, curve, "stroke"))
    canvas = float(np.mean([value & 255 for value in page.value(PIXELS)]))
    prefer(page, "dark")
    opened(page, report)
    dark = (brightness(page, "body", "backgroundColor"), brightness(page, curve, "stroke"))
    assert dark[0] < 60.0 < 200.0 < light[0]
    assert dark[1] > light[1] + 20.0
    assert brightness(page, "body", "color") > 200.0
    assert float(np.mean([value & 255 for value in page.value(PIXELS)])) < 0.6 * canvas
    prefer(page, "dark", "print")
    assert brightness(page, "body", "backgroundColor") > 200.0
    assert page.value(COLOUR % ("iframe", "display")) == "none"
    prefer(page, "light")


def test_the_report_of_a_pendulum(page: Page, tmp_path: Path) -> None:
    model, system = at.read_model("pendulum"), shipped_system("pendulum")
    run = system.simulate(1.0, step=1e-2, outputs=[])
    opened(page, write_report(system, model, run, tmp_path))
    assert page.value(f"{FRAME}.animation.where('rod').length") == 3
    assert len(set(page.value(PIXELS))) > 20
    assert "mass" in page.value("document.body.innerText")


def test_every_kind_of_plot(page: Page, tmp_path: Path) -> None:
    """Words clear of one another in each; what is shaded point by point is a picture."""
    figures = every_kind()
    parts = [html.drawing(figure, name) for name, figure in figures.items()]
    ground = draw_surface(Ground(Bump(0.1, 1.0, x=1.5), (0.0, 4.0), (-1.0, 1.0), "bump"))
    file = tmp_path / "plots.html"
    text = html.page("Plots", [*parts, html.image(ground, "ground")])
    file.write_text(text, encoding="utf-8")
    for scheme in ("light", "dark"):
        prefer(page, scheme)
        opened(page, file)
        widths = page.value(
            "[...document.querySelectorAll('figure > *')].map((one) => one.clientWidth)"
        )
        assert len(widths) == len(figures) + 1
        assert min(widths) > 300
        assert page.value("document.images[0].naturalWidth") > 300
        assert brightness(page, "figure img", "backgroundColor") == 255.0
    assert page.value(COVERED) == []
    prefer(page, "light")


def test_the_pictures_of_the_documentation_are_made_like_this(tmp_path: Path) -> None:
    docs = Path(__file__).parent.parent.parent / "docs"
    make = runpy.run_path(str(docs / "making" / "make_report_pictures.py"))["make_pictures"]
    for path in make(tmp_path, fidelity="single-track"):
        with Image.open(path) as picture:
            assert picture.size[0] >= 1100
            assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 200
