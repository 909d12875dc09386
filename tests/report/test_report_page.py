"""The report and every kind of plot in a browser: from a file, light, dark and on paper."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from report.headless_page import Page, chromium, headless_page

import axletree as at
from axletree.analysis.ladder import drive_ladder
from axletree.analysis.sensitivity.result import FindingSlope, Sensitivity, SensitivityColumn
from axletree.analysis.tyre_characteristics import sweep
from axletree.analysis.tyre_fit import fit_tyre
from axletree.analysis.vehicle_frequency import steer_responses
from axletree.analysis.vehicle_locus import vehicle_locus, vehicle_modes
from axletree.library.soils.contract import Wheel
from axletree.library.soils.wong_reece import WongReece
from axletree.library.surfaces.bump import Bump
from axletree.model.benches.contract import Carpet
from axletree.model.manoeuvres.findings import Finding
from axletree.model.tyre_data import TyreData
from axletree.report import page as html
from axletree.report.branch_plot import plot_branch
from axletree.report.carpet_plot import draw_carpet
from axletree.report.comparison import Compared
from axletree.report.comparison_plot import plot_comparison
from axletree.report.cornering_plot import plot_cornering, plot_handling
from axletree.report.frequency_plot import plot_frequency_response
from axletree.report.g_g_plot import plot_g_g
from axletree.report.graph_picture import draw_graph
from axletree.report.html import write_report
from axletree.report.ladder_plot import plot_ladder
from axletree.report.mode_plot import plot_modes
from axletree.report.plot_panels import Shown
from axletree.report.root_locus_plot import plot_root_locus
from axletree.report.sensitivity_plot import plot_sensitivity
from axletree.report.soil_plot import plot_soil
from axletree.report.surface_picture import Ground, draw_surface
from axletree.report.sweep_plot import plot_sweep
from axletree.report.tyre_fit_plot import plot_fit
from axletree.report.tyre_plot import plot_tyre
from axletree.report.vehicle_frequency_plot import plot_steer_responses
from axletree.report.vehicle_locus_plot import plot_named_modes, plot_vehicle_locus
from axletree.report.yaw_moment_plot import plot_yaw_moments
from axletree.vehicles.vehicle import Fidelity

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


@functools.cache
def driven() -> tuple[at.Model, at.System, Any, at.Trajectory]:
    model = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    system, step = model.formulate(), model.manoeuvres["iso-7401-step"]
    return model, system, step, system.drive(step, record_interval="10 ms")


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
    figures = {**of_mechanisms(), **of_tyres_and_grounds(), **of_vehicles()}
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


def of_mechanisms() -> dict[str, Any]:
    pendulum = at.read_model("pendulum")
    pendulum.add(at.JointTorque("motor", pendulum["pin"]))
    system = pendulum.formulate()
    branch = system.continue_steady(along="motor.torque", to=4.5, step=0.5)
    linear = system.linearise(outputs=["pin.angle"])
    run = system.simulate(0.5, step=1e-2)
    source = system.source
    assert source is not None
    return {
        "branch": plot_branch(branch, ["pin.angle", "motor.torque"]),
        "modes": plot_modes(linear),
        "locus": plot_root_locus(system.root_locus("rod.mass", [1.0, 2.0], {"pin.angle": 0})),
        "frequency": plot_frequency_response(linear.frequency_response([0.5, 1.0, 2.0])),
        "graph": draw_graph(source.graph, source.trees),
        "comparison": plot_comparison([Compared("one", run), Compared("two", run)], ["pin.angle"]),
        "sweep": plot_sweep(at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)),
    }


def of_tyres_and_grounds() -> dict[str, Any]:
    law, angle = at.LinearTyre(9e4, 8e4), np.tile(np.linspace(-0.2, 0.2, 21), 2)
    load, none = np.repeat([2000.0, 4000.0], 21), np.zeros(42)
    data = TyreData(load, none, angle, none, {"Fy": sweep(law, load, none, angle).Fy})
    over = Shown(angle, {"angle": np.degrees(angle[:21]), "Fy": 1e3 * angle[:21]},
                 {"angle": "deg", "Fy": "N"})  # fmt: skip
    carpet = Carpet("angle", "Fy", {"1 kN": 1e3, "2 kN": 2e3}, "normal load", "N")
    sand = WongReece("lete-sand-wong")
    return {
        "tyre": plot_tyre({"linear": law}),
        "fit": plot_fit(fit_tyre(law, data), data, "fit"),
        "carpet": draw_carpet(carpet, {"1 kN": over, "2 kN": over}),
        "soil": plot_soil(sand, Wheel(0.4, 0.25), 4000.0, slips=(0.1,)),
    }


def of_vehicles() -> dict[str, Any]:
    model, *_ = driven()
    linear = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    curve = at.cornering_curve(model, "100 km/h")
    gain = Finding("gain", 0.4, "1/s", "yaw rate by steering angle")
    mass = SensitivityColumn("body.mass", 1500.0, "kg", (FindingSlope(gain, -1e-4, False),))
    return {
        "cornering": plot_cornering(curve),
        "handling": plot_handling(curve),
        "named modes": plot_named_modes(vehicle_modes(linear, 25.0), "modes"),
        "named locus": plot_vehicle_locus(vehicle_locus(linear, [20.0, 25.0, 30.0])),
        "responses": plot_steer_responses(steer_responses(linear, 25.0), "responses"),
        "ladder": plot_ladder(drive_ladder("sedan", "step-steer", "20 m/s", [Fidelity.LINEAR])),
        "yaw moments": plot_yaw_moments(at.yaw_moment_diagram(model, "100 km/h", lines=5)),
        "g-g": plot_g_g(at.g_g_diagram(model, ["60 km/h"], directions=5)),
        "sensitivity": plot_sensitivity(Sensitivity("car", "turn", (gain,), (mass,))),
    }
