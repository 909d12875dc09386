"""The page of every command in a browser: cursor, zoom, the run beside it, dark, printed."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.resources import files
from inspect import signature
from pathlib import Path

import numpy as np
import pytest
import typer
from reports.headless_page import Page, chromium, headless_page, wait_for
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import COMMANDS, app
from axletree.metrics.verdict import KEY_NUMBERS

no_browser = pytest.mark.skipif(
    chromium() is None, reason="no Chromium on the PATH: apt install chromium"
)
LOCAL = ("file:", "data:", "blob:", "about:")
ONE_TRACK = ["--model", "single-track"]
LINEAR = ["--model", "linear"]
COMMAND_LINES = {
    "run": ["run", "pendulum", "--duration", "1"],
    "compare": ["compare", "light=pendulum", "heavy=heavy.yaml"],
    "compare with a measurement": ["compare", "pendulum", "swing.csv"],
    "replay": ["replay", "sedan", "drive.csv", *ONE_TRACK],
    "ladder": ["ladder", "sedan", "step-steer", *ONE_TRACK, *LINEAR],
    "procedure": ["procedure", "sedan", "iso-21994", *ONE_TRACK],
    "cornering": ["cornering", "sedan", *ONE_TRACK],
    "g-g": ["g-g", "sedan", *ONE_TRACK, "--speed", "20", "--directions", "3"],
    "yaw-moment": ["yaw-moment", "sedan", *ONE_TRACK, "--lines", "3"],
    "modes": ["modes", "sedan", *LINEAR],
    "modes over speed": ["modes", "sedan", *LINEAR, "--speed", "10:30:3"],
    "frequency": ["frequency", "sedan", *LINEAR],
    "sensitivity": ["sensitivity", "sedan", "step-steer", *LINEAR, "-p", "body.mass"],
    "sweep": ["sweep", "sedan", "-m", "step-steer", *LINEAR, "-p", "body.mass=1400,1500"],
    "monte-carlo": [
        "monte-carlo",
        "bicycle-car",
        "step-steer",
        "-p",
        "body.mass=normal(1500,50)",
        "--of",
        "chassis.rate.final",
        "--members",
        "16",
    ],
    "sobol": [
        "sobol",
        "bicycle-car",
        "step-steer",
        "-p",
        "body.mass=normal(1500,50)",
        "-p",
        "body.front.x=normal(1.2,0.05)",
        "--of",
        "chassis.rate.final",
        "--count",
        "16",
    ],
    "optimise": [
        "optimise",
        "bicycle-car",
        "step-steer",
        "-p",
        "body.mass=1200:1800",
        "-g",
        "chassis.rate.rms",
        "--search",
        "gradient",
    ],
    "cycle": ["cycle", "electric-car", "trip.csv", "--model", "single-track"],
    "lap": ["lap", "sports-car", "lindenring", "--method", "centre-line"],
    "identify": ["identify", "pendulum", "swing.csv", "-p", "gravity.z", "--fit", "pin.angle"],
    "tyre fit": ["tyre", "fit", "rig.csv", "--law", "fiala"],
    "loads": ["loads", "four-bar"],
    "kc": ["kc", "double-wishbone-sports-car", "front"],
    "suspension fit": [
        "suspension",
        "fit",
        "double-wishbone-sports-car",
        "front",
        "toe.csv",
        "--free",
        "tie_rod_outer.z",
    ],
    "suspension sensitivity": [
        "suspension",
        "sensitivity",
        "double-wishbone-sports-car",
        "front",
        "--free",
        "tie_rod_outer.z",
    ],
    "suspension curves": ["suspension", "curves", "double-wishbone-sports-car", "front"],
    "bench-tyre": ["bench-tyre", "slim-advanced", "--bench", "bore-torque"],
}
WITHOUT_CHARTS = {"sensitivity", "suspension sensitivity"}  # bars, and tables
WITHOUT_VERDICT = {"run"}  # of a mechanism by itself, in no manoeuvre
VERDICT = """[...document.querySelectorAll("section.verdict")].map((one) =>
  [one.querySelector(".outcome").textContent, one.querySelectorAll("dl div, td.number").length])"""
FRAME = "document.querySelector('iframe').contentWindow"
FIRST = "charts.charts.find((one) => one.canvas.clientWidth > 0)"
# The red of the paper of a chart, at its lower left corner; of a copy, which is made to be read.
PAPER = f"""(() => {{
  {FIRST}.draw();
  const shown = {FIRST}.canvas, copy = document.createElement("canvas").getContext("2d",
    {{ willReadFrequently: true }});
  copy.drawImage(shown, 2, shown.height - 3, 1, 1, 0, 0, 1, 1);
  return copy.getImageData(0, 0, 1, 1).data[0];
}})()"""
# How far the proportions of charts on the sheet are from those that they are drawn in.
DISTORTION = """Math.max(0, ...charts.charts.map((one) => one.canvas)
  .filter((one) => one.clientWidth)
  .map((one) => Math.abs(one.clientWidth / one.clientHeight * one.height / one.width - 1)))"""
# Of tables that are wider than the sheet.
OVERHANGS = """[...document.querySelectorAll("body, .wide")]
  .map((one) => one.scrollWidth - one.clientWidth).filter((over) => over > 0)"""
# How many colours the picture of the run has.
STILL = """(() => {
  const shown = document.querySelector(".still canvas"), copy = document.createElement("canvas");
  const pen = copy.getContext("2d", { willReadFrequently: true });
  pen.drawImage(shown, 0, 0, 300, 150);
  return new Set(new Uint32Array(pen.getImageData(0, 0, 300, 150).data.buffer)).size;
})()"""
SHEET = 718  # px, the width of A4 between its margins


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model, measurements and the file of a rig."""
    folder = tmp_path_factory.mktemp("inputs")
    swing = at.read_model("pendulum").formulate().simulate(1.0, step=1e-2, outputs=[])
    swing.to_csv(folder / "swing.csv")
    text = (files("axletree.data") / "models" / "pendulum.yaml").read_text(encoding="utf-8")
    heavy = text.replace("mass: 1 kg", "mass: 3 kg")
    (folder / "heavy.yaml").write_text(heavy, encoding="utf-8")
    time = np.linspace(0.0, 2.0, 41)  # s
    columns = np.column_stack([time, 0.1 * np.sin(3.0 * time), np.full(41, 20.0)])
    heads = "time [s],driver.steering [rad],vehicle.forward_speed [m/s]"
    np.savetxt(folder / "drive.csv", columns, delimiter=",", header=heads, comments="")
    law, rows = at.Fiala(0.17, 95e3, 70e3, 0.01, 1.05, 0.6), ["alpha [deg],Fz [N],Fy [N]"]
    for load in (2000.0, 4000.0):  # N
        for angle in np.linspace(-8.0, 8.0, 17):  # deg
            contact = at.Contact(load, 0.0, np.radians(angle), forward_speed=16.7)
            rows.append(f"{angle},{load},{law(contact).Fy}")
    (folder / "rig.csv").write_text("\n".join(rows), encoding="utf-8")
    run = at.read_model("pendulum").formulate().simulate("4 s", step="1 ms", record_interval=0.02)
    run.to_csv(folder / "swing.csv")
    trip = "time [s],speed [km/h]\n0,0\n5,20\n10,20\n15,0\n20,0\n"
    (folder / "trip.csv").write_text(trip, encoding="utf-8")
    toe = "Wheel travel [mm],Toe [deg]\n-50,0.1\n0,0.05\n50,0\n"
    (folder / "toe.csv").write_text(toe, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with headless_page(tmp_path_factory.mktemp("browser"), (1100, 800)) as made:
        yield made


def test_every_command_with_a_page_is_tried() -> None:
    """Those that can leave it out have one."""
    functions: dict[str, Callable[..., None]] = {}
    for name, (place, _) in COMMANDS.items():
        module, _, attribute = place.partition(":")
        found = getattr(import_module(f"axletree.cli.{module}"), attribute)
        if isinstance(found, typer.Typer):
            for one in found.registered_commands:
                assert one.callback is not None
                functions[f"{name} {one.name or one.callback.__name__}"] = one.callback
        else:
            functions[name] = found
    leaves = {
        name
        for name, one in functions.items()
        if {"report", "no_report"} & set(signature(one).parameters)
    }
    assert {"run", "ladder", "compare", "suspension curves", "tyre fit"} <= leaves
    lines = COMMAND_LINES.values()
    tried = {line[0] for line in lines} | {" ".join(line[:2]) for line in lines}
    assert leaves <= tried


def look(page: Page, scheme: str, media: str = "") -> None:
    wanted = [{"name": "prefers-color-scheme", "value": scheme}]
    page.call("Emulation.setEmulatedMedia", media=media, features=wanted)


def middle_of_first(page: Page) -> tuple[float, float]:
    page.value(f"{FIRST}.canvas.scrollIntoView({{block: 'center'}})")
    left, top, width, height = page.value(
        f"(() => {{ const box = {FIRST}.canvas.getBoundingClientRect();"
        " return [box.left, box.top, box.width, box.height]; })()"
    )
    return left + 62 + 0.5 * (width - 80), top + 0.4 * height


def try_charts(page: Page) -> None:
    """Cursor, zoom and all of it again; the run in three dimensions where there is one."""
    x, y = middle_of_first(page)
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    low, high = page.value(f"{FIRST}.x")
    where = page.value(f"{FIRST}.cursor")
    assert low < where < high
    if page.value("Boolean(document.querySelector('iframe'))"):
        wait_for(
            lambda: abs(page.value(f"{FRAME}.animation.time") - page.value("charts.time")) < 1e-6
        )
        page.value(f"""(() => {{ const slider = {FRAME}.document.getElementById("slider");
          slider.value = 0.25; slider.dispatchEvent(new Event("input")); }})()""")
        wait_for(lambda: abs(page.value("charts.time") - 0.25) < 0.01)
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-300)
    wait_for(lambda: page.value(f"{FIRST}.x") != [low, high])
    page.value(f"{FIRST}.canvas.dispatchEvent(new MouseEvent('dblclick'))")
    assert page.value(f"{FIRST}.x") == [low, high]


def try_paper(page: Page) -> None:
    """Printed from a dark screen: light, within the sheet, in its proportions; a PDF of it."""
    page.value("window.dispatchEvent(new Event('beforeprint'))")  # before the sheet is laid out
    look(page, "dark", "print")
    page.value(f"document.body.style.width = '{SHEET}px'")
    assert page.value(OVERHANGS) == []
    if page.value("'charts' in window"):
        assert page.value(DISTORTION) < 0.02
        assert page.value(PAPER) > 240
    if page.value("Boolean(document.querySelector('iframe'))"):
        assert page.value("document.querySelector('.still canvas').clientWidth") > 300
        assert page.value(STILL) > 20
    page.value("document.body.style.width = ''")
    look(page, "dark")
    page.value("window.dispatchEvent(new Event('afterprint'))")
    assert page.value("document.querySelectorAll('.still').length") == 0
    printed = base64.b64decode(page.call("Page.printToPDF")["data"])
    assert 1 <= printed.count(b"/Type /Page\n") <= 12


def opened(page: Page, arguments: list[str], folder: Path) -> None:
    """The page that a command leaves."""
    result = CliRunner().invoke(app, [*arguments, "--out", str(folder)])
    assert result.exit_code == 0, result.output
    (written,) = folder.rglob("*.html")
    look(page, "light")
    page.events.clear()
    page.open(written.as_uri())


def noises(page: Page) -> list[str]:
    """What is complained of, and what was asked for beyond the machine."""
    return page.complaints() + [url for url in page.requests() if not url.startswith(LOCAL)]


@pytest.mark.sampled(3)
@pytest.mark.slow
@no_browser
@pytest.mark.parametrize("name", COMMAND_LINES)
def test_the_page_of_a_command(
    name: str, inputs: Path, page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(inputs)
    opened(page, COMMAND_LINES[name], tmp_path)
    assert page.value("document.documentElement.scrollWidth - innerWidth") <= 0
    verdicts = page.value(VERDICT)
    assert len(verdicts) == (name not in WITHOUT_VERDICT)
    for outcome, numbers in verdicts:
        assert outcome in {"Passed", "Failed", "No criterion"}
        assert 1 <= numbers <= KEY_NUMBERS
    if name not in WITHOUT_CHARTS:
        try_charts(page)
        light = page.value(PAPER)
        look(page, "dark")
        assert page.value(PAPER) < 80 < 240 < light
    try_paper(page)
    assert noises(page) == []


@pytest.mark.slow
@no_browser
def test_the_page_of_an_animation(page: Page, tmp_path: Path) -> None:
    opened(page, ["animate", "pendulum", "--duration", "1"], tmp_path)
    page.value("""(() => { const slider = document.getElementById("slider");
      slider.value = 0.25; slider.dispatchEvent(new Event("input")); })()""")
    assert page.value("animation.time") == pytest.approx(0.25, abs=0.01)
    assert page.value("document.getElementById('now').textContent") == "0.25 s"
    assert noises(page) == []
