"""The report and every kind of plot in a browser: from a file, light, dark and on paper."""

from __future__ import annotations

import ast
import io
import runpy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from PIL import Image
from plot import plot_kinds
from plot.plot_kinds import driven, every_kind, pictures
from reports.headless_page import Page, chromium, headless_page
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import app
from axletree.plot.figure_files import write_figure
from axletree.plot.graph import draw_graph
from axletree.reports.page import templates
from axletree.reports.run_report import write_report

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
PLACES = """[...document.querySelectorAll("figure > *")].map((one) => {
  const box = one.getBoundingClientRect();
  return [box.left + scrollX, box.top + scrollY, box.right + scrollX, box.bottom + scrollY];
})"""
WINDOW, PHONE = (1100, 800), (400, 800)  # pixels
SMALLER = 0.4  # of a page, when its picture is taken to look for ink
LEAST_INK = 0.01  # of the pixels of a figure
GALLERY = """{% extends "page.html.jinja" %}
{% from "pieces.html.jinja" import drawing, image %}
{% block sections %}
{% for name, figure in figures.items() %}{{ drawing(figure, name) }}{% endfor %}
{% for name, figure in shaded.items() %}{{ image(figure | png, name) }}{% endfor %}
{% endblock %}"""
COLOUR = "getComputedStyle(document.querySelector(%r)).%s"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with headless_page(tmp_path_factory.mktemp("browser"), WINDOW) as made:
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


def first_colour(page: Page) -> float:
    """The brightness of the first curve of charts."""
    told = page.value("charts.colours[4]")
    return float(np.mean([int(told[k : k + 2], 16) for k in (1, 3, 5)]))


def overhang(page: Page, size: tuple[int, int]) -> int:
    """By how many pixels a page is wider than a window of this size."""
    shown = [{"width": w, "height": h, "deviceScaleFactor": 1, "mobile": False}
             for w, h in (size, WINDOW)]  # fmt: skip
    page.call("Emulation.setDeviceMetricsOverride", **shown[0])
    found = int(page.value("document.documentElement.scrollWidth - innerWidth"))
    page.call("Emulation.setDeviceMetricsOverride", **shown[1])
    return found


def ink(page: Page) -> list[float]:
    """Of each figure, the part of its pixels that has another colour than most have."""
    with Image.open(io.BytesIO(page.picture_of_all(SMALLER))) as picture:
        pixels = np.asarray(picture.convert("RGB"), dtype=np.int64)
    codes = pixels @ np.array([1 << 16, 1 << 8, 1])
    shares = []
    for place in page.value(PLACES):
        left, top, right, bottom = (round(SMALLER * x) for x in place)
        found = codes[top:bottom, left:right].ravel()
        _, counts = np.unique(found, return_counts=True)
        shares.append(1.0 - float(counts.max()) / len(found))
    return shares


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
    assert page.value("charts.charts.length") > 20
    assert page.value("document.documentElement.scrollWidth <= innerWidth")
    assert page.value(COVERED) == []
    first = page.value(PIXELS)
    assert len(set(first)) > 50, "the canvas is blank"
    page.value(f"""(() => {{ const slider = {FRAME}.document.getElementById("slider");
      slider.value = 3.0; slider.dispatchEvent(new Event("input")); }})()""")
    moved = page.value(PIXELS)
    # A roll of the mouse scrolls the report; it comes nearer to the car after a click on that.
    distances = []
    for kind in ("mouseWheel", "mousePressed", "mouseReleased", "mouseWheel"):
        given = {"button": "left", "clickCount": 1} if kind != "mouseWheel" else {"deltaY": -300}
        page.call("Input.dispatchMouseEvent", type=kind, x=550, y=500, **{"deltaX": 0} | given)
        distances.append(page.value(f"{FRAME}.animation.camera.distance"))
    assert distances[0] == distances[2] > distances[3]
    assert overhang(page, PHONE) == 0
    assert sum(a != b for a, b in zip(first, moved, strict=True)) > 0.02 * len(first)
    assert page.complaints() == []


def test_the_report_in_the_dark_and_on_paper(page: Page, report: Path) -> None:
    prefer(page, "light")
    opened(page, report)
    light = (brightness(page, "body", "backgroundColor"), first_colour(page))
    canvas = float(np.mean([value & 255 for value in page.value(PIXELS)]))
    prefer(page, "dark")
    opened(page, report)
    dark = (brightness(page, "body", "backgroundColor"), first_colour(page))
    assert dark[0] < 60.0 < 200.0 < light[0]
    assert dark[1] > light[1] + 20.0
    assert brightness(page, "body", "color") > 200.0
    assert float(np.mean([value & 255 for value in page.value(PIXELS)])) < 0.6 * canvas
    prefer(page, "dark", "print")
    assert brightness(page, "body", "backgroundColor") > 200.0
    assert page.value(COLOUR % ("iframe", "display")) == "none"
    page.value("window.dispatchEvent(new Event('beforeprint'))")
    assert first_colour(page) == light[1]
    page.value("window.dispatchEvent(new Event('afterprint'))")
    assert first_colour(page) == dark[1]
    prefer(page, "light")


def test_the_report_of_a_pendulum(page: Page, tmp_path: Path) -> None:
    model, system = at.read_model("pendulum"), shipped_system("pendulum")
    run = system.simulate(1.0, step=1e-2, outputs=[])
    opened(page, write_report(system, model, run, tmp_path))
    assert page.value(f"{FRAME}.animation.where('rod').length") == 3
    assert len(set(page.value(PIXELS))) > 20
    assert "mass" in page.value("document.body.innerText")


def test_every_kind_of_plot(page: Page, tmp_path: Path) -> None:
    """Words clear of one another in each, and none blank; what is shaded by points is a picture."""
    figures, shaded = every_kind(), pictures()
    file = tmp_path / "plots.html"
    text = (
        templates()
        .from_string(GALLERY)
        .render(title="Plots", contents=[], figures=figures, shaded=shaded)
    )
    file.write_text(text, encoding="utf-8")
    names = [*figures, *shaded]
    for scheme in ("light", "dark"):
        prefer(page, scheme)
        opened(page, file)
        widths = page.value(
            "[...document.querySelectorAll('figure > *')].map((one) => one.clientWidth)"
        )
        assert len(widths) == len(names)
        assert min(widths) > 300
        assert brightness(page, "figure img", "backgroundColor") == 255.0
        shares = dict(zip(names, ink(page), strict=True))
        assert {name: share for name, share in shares.items() if not LEAST_INK < share < 0.9} == {}
    assert page.value(COVERED) == []
    prefer(page, "light")


def test_no_kind_of_picture_is_left_out() -> None:
    """Every public function of the package that draws is among those above."""
    root = Path(at.__file__).parent
    drawing = [
        node.name
        for file in (*(root / "plot").rglob("*.py"), *(root / "reports").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Name)
        and node.returns.id == "Figure" and not node.name.startswith("_")
    ]  # fmt: skip
    assert len(drawing) > 20
    # What ``run.plot`` draws with, an instant of an animation, which is drawn as all are, and an
    # icon, which has no words and is looked at with its export.
    by_run = {"draw_panels", "plot_trajectory", "picture", "draw_icon"}
    assert set(drawing) - by_run - {"blank_figure"} - set(vars(plot_kinds)) == set()


def test_pages_and_files_that_commands_leave(page: Page, tmp_path: Path) -> None:
    asked = ["bench-tyre", "slim-advanced", "--bench", "bore-torque", "--pictures"]
    assert CliRunner().invoke(app, [*asked, "--out", str(tmp_path)]).exit_code == 0
    opened(page, tmp_path / "benches.html")
    assert "bore-torque" in page.value("document.querySelector('h2').textContent")
    assert page.value("document.documentElement.scrollWidth <= innerWidth")
    assert page.value("charts.charts.length") == 2
    assert overhang(page, PHONE) == 0
    system = shipped_system("pendulum")
    run = system.simulate(0.1, step=1e-2, outputs=[])
    film = at.animation(at.read_model("pendulum"), run, system=system)
    graph = system.source
    assert graph is not None
    draw = draw_graph(graph.graph, graph.trees)
    written = [write_figure(draw, tmp_path / "graph.svg")]
    written += [film.save(tmp_path / name) for name in ("animation.png", "animation.gif")]
    written += [tmp_path / "bore-torque.png"]
    shown = "".join(f'<figure><img src="{file.name}"></figure>' for file in written)
    (tmp_path / "all.html").write_text(f"<!DOCTYPE html>{shown}", encoding="utf-8")
    opened(page, tmp_path / "all.html")
    assert min(page.value("[...document.images].map((one) => one.naturalWidth)")) > 300
    assert min(ink(page)) > LEAST_INK


def test_the_pictures_of_the_documentation_are_made_like_this(report: Path, tmp_path: Path) -> None:
    docs = Path(__file__).parent.parent.parent / "docs"
    program = runpy.run_path(str(docs / "making" / "make_report_pictures.py"))
    _, _, step, run = driven()
    for path in program["pictures_of"](report, step, run, tmp_path):
        with Image.open(path) as picture:
            assert picture.size[0] >= 1100
            assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 200
