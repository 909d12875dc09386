"""Pages of comparisons and analyses in a browser: cursor, zoom, dark, print, nothing fetched."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from reports.chart_reader import chart_panels
from reports.headless_page import PATIENCE, Page, chromium, headless_page

import axletree as at
from axletree.analysis.procedures.contract import ProcedureResult, ProcedureStage, StageRow
from axletree.core.text_table import TextTable
from axletree.metrics.findings import Finding
from axletree.metrics.verdict import Check, Comparison, Criterion, Verdict
from axletree.plot.model_plots import ShownRun, wheel_panels
from axletree.plot.panels import Panel, PanelCurve
from axletree.reports.analysis_report import PageSection, ShareBar, write_analysis_page
from axletree.reports.analysis_sections import locus_sections, modes_sections
from axletree.reports.comparison_report import Overlaid, overlay_sections
from axletree.reports.procedure_sections import procedure_sections

LOCAL = ("file:", "data:", "blob:", "about:")
TIME = np.linspace(0.0, 4.0, 401)  # s
LIMIT = Criterion("ratio", "yaw rate ratio <after 1 s>", Comparison.AT_MOST, 35.0, "%", "FMVSS 126")
in_browser = pytest.mark.skipif(chromium() is None, reason="no Chromium on the PATH")


def overlaid() -> list[Overlaid]:
    units = {"vehicle.yaw_rate": "rad/s", "vehicle.roll": "rad", "rest": "m"}
    made = []
    for label, lag in (("simulated", 0.0), ("measured", 0.1)):
        yaw = 0.2 * np.sin(TIME - lag)
        columns = {"vehicle.yaw_rate": yaw, "vehicle.roll": 0.1 * np.cos(TIME), "rest": 1e-13 * yaw}
        made.append(Overlaid(label, TIME, columns, units, is_points=label == "measured"))
    return made


def test_what_differs_stands_beside_its_difference_and_what_is_equal_apart() -> None:
    differing, equal = overlay_sections(overlaid(), ["vehicle.yaw_rate", "vehicle.roll", "rest"])
    assert [panel.title for panel in differing.panels] == [
        "vehicle.yaw_rate", "vehicle.yaw_rate: difference from simulated",
    ]  # fmt: skip
    assert [panel.title for panel in equal.panels] == ["vehicle.roll", "rest"]
    assert equal.is_folded
    gap = differing.panels[1].curves[0].y
    # sin(t - d) - sin(t) = -2 sin(d/2) cos(t - d/2), by the sum of angles
    exact = -0.4 * math.sin(0.05) * np.cos(TIME - 0.05)
    np.testing.assert_allclose(gap, np.degrees(exact), atol=1e-9)
    (row,) = differing.tables[0].rows
    assert float(row[2]) == pytest.approx(math.degrees(exact[np.argmax(np.abs(exact))]), rel=5e-3)
    assert float(row[5]) == pytest.approx(math.degrees(np.sqrt(np.mean(exact**2))), rel=5e-3)


def test_noise_is_equal_at_every_tolerance() -> None:
    for tolerance in (0.0, 1e-3):
        sections = overlay_sections(overlaid(), ["rest"], tolerance=tolerance)
        assert [section.title for section in sections][-1] == "Equal quantities"
        assert not sections[0].tables


def test_runs_of_other_steps_and_lengths_are_compared_where_both_are() -> None:
    """A straight line is met exactly, however it is sampled."""
    lines = [
        Overlaid("a", TIME, {"x": 3.0 * TIME}, {"x": "m"}),
        Overlaid("b", TIME[50:300:7], {"x": 3.0 * TIME[50:300:7] + 0.5}, {"x": "m"}),
    ]
    (differing,) = overlay_sections(lines, ["x"], axis="distance along the path [m]")
    curve = differing.panels[1].curves[0]
    np.testing.assert_allclose(curve.y, 0.5, atol=1e-12)
    assert curve.x[0] == TIME[50]
    assert differing.panels[0].x_label == "distance along the path [m]"


def test_friction_used_and_load_transfer_follow_from_forces() -> None:
    """A car of 8 kN that turns: by the sums of forces and moments."""
    ones, transfer = np.ones(3), np.array([0.0, 500.0, 2000.0])  # N, of an axle
    columns = {}
    for axle in ("front", "rear"):
        for side, sign in (("left", -1.0), ("right", 1.0)):
            load = 2000.0 * ones + sign * transfer
            columns |= {f"{axle}_{side}_tyre.Fz": load, f"{axle}_{side}_tyre.Fx": 0.3 * load}
            columns |= {f"{axle}_{side}_tyre.Fy": 0.4 * load}
    panels = {one.title: one for one in wheel_panels(ShownRun(np.arange(3.0), columns, {}))}
    used = {curve.label: curve.y for curve in panels["Friction used, |F| / Fz"].curves}
    np.testing.assert_allclose(used["rear right"], 0.5)  # 3, 4, 5
    np.testing.assert_allclose(used["rear left"], [0.5, 0.5, np.nan])  # in the air
    for curve in panels["Load transfer to the right"].curves:
        np.testing.assert_allclose(curve.y, transfer)
    assert sum(curve.y for curve in panels["Load of axles"].curves).tolist() == [8e3] * 3


@pytest.mark.slow
def test_modes_of_a_page_are_those_of_the_linear_car() -> None:
    """Eigenvalues of the matrix in closed form: those of the bicycle model."""
    sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    modes = at.vehicle_modes(sedan, 20.0)
    (section,) = modes_sections(modes, TextTable("", ("mode:",), ()))
    (points,) = section.panels[0].curves
    expected = [one.eigenvalue for one in modes if one.name == "yaw-sideslip"]
    assert expected[0] in points.x + 1j * points.y
    (locus,) = locus_sections(at.vehicle_locus(sedan, [10.0, 20.0, 30.0]))
    growth = next(panel for panel in locus.panels if panel.title == "Growth")
    assert growth.curves[0].x.tolist() == pytest.approx([36.0, 72.0, 108.0])
    assert expected[0].real in [pytest.approx(curve.y[1]) for curve in growth.curves]


def written(folder: Path) -> Path:
    """A page with all that one may have."""
    gap = np.array([0.0, 1.0, np.nan, 2.0, 3.0])
    speed = np.linspace(10.0, 40.0, 31)
    gain = PanelCurve("car", speed, speed / (2.7 + 3e-3 * speed**2))
    panels = [
        Panel("Gain", "speed [m/s]", "[1/s]", (gain,), over_time=False),
        Panel("Lag", "speed [m/s]", "[s]", (PanelCurve("", speed, 1 / speed),), over_time=False),
        Panel("Points", "x [m]", "y [m]", (PanelCurve("cones", gap, gap, is_points=True),
              PanelCurve("broken", gap, gap)), over_time=False, is_plan=True),
    ]  # fmt: skip
    bars = [
        ShareBar("gain", "mass", -0.4, "-0.400 %/%"),
        ShareBar("gain", "track", 0.2, "+0.200 %/%"),
    ]
    table = TextTable("Points", ("name:", "value"), tuple((f"p{k}", str(k)) for k in range(60)))
    sections = [
        *overlay_sections(overlaid(), ["vehicle.yaw_rate", "vehicle.roll"]),
        PageSection("Speeds", panels, [table], ["A note & more."], bars=bars),
    ]
    verdict = Verdict("a <test>", (Check(LIMIT, 40.0),), (Finding("g", 0.21234, "1/s", "gain"),))
    path = folder / "report.html"
    return write_analysis_page(
        path, "All & more", sections, verdict=verdict, settings={"speed": "80 km/h"}
    )


def test_units_are_raised_and_numbers_stand_to_the_right_beside_empty_cells(tmp_path: Path) -> None:
    rows = (("speed", "", "m/s^2", "2*3^4"), ("bounce", "1.27", "N*m", "a^2"))
    table = TextTable("Modes", ("mode:", "gain [m/s^2]", "unit:", "term:"), rows)
    written = write_analysis_page(tmp_path / "a.html", "t", [PageSection("s", tables=[table])])
    text = written.read_text("utf-8")
    assert '<th class="number">gain [m/s²]</th>' in text
    assert '<td class="number">1.27</td>' in text
    assert "<td>m/s²</td>" in text
    assert "<td>N·m</td>" in text
    assert "<td>2*3^4</td>" in text  # no unit


def test_numbers_with_their_units_stand_to_the_right(tmp_path: Path) -> None:
    rows = (("speed", "10.0 ms", "4 words"), ("gain", "4 m/s^2", "5 more"), ("none", "", "6 yet"))
    table = TextTable("Modes", ("mode:", "found", "said:"), rows)
    written = write_analysis_page(tmp_path / "a.html", "t", [PageSection("s", tables=[table])])
    text = written.read_text("utf-8")
    assert '<td class="number">4 m/s²</td>' in text
    assert '<td class="number">10.0 ms</td>' in text
    assert "<td>4 words</td>" in text


def test_sentences_in_tables_have_room_on_a_phone(tmp_path: Path) -> None:
    """Where a table is wider than the window, it scrolls; its words do not become a pile."""
    words = "atan(-k_x/k_z) of the upward kingpin k; + top rearward"
    table = TextTable("Wheels", ("metric:", "value", "said:"), (("caster", "7.4652", words),))
    written = write_analysis_page(tmp_path / "a.html", "t", [PageSection("s", tables=[table])])
    text = written.read_text("utf-8")
    assert f'<td class="long">{words}</td>' in text
    assert "<td>caster</td>" in text
    assert re.search(r"@media screen \{[^@]*td\.long \{ min-width: 1\d", text)


def test_a_table_of_few_runs_stands_upright() -> None:
    """Nine columns do not fit on a page beside one another; two do."""
    numbers = tuple(Finding(f"n{k}", float(k), "s", f"number {k}") for k in range(9))
    rows = tuple(StageRow(side, numbers) for side in ("left", "right"))
    result = ProcedureResult("", "ISO 7401", "sedan", (ProcedureStage("Step", "", rows),))
    (section,) = procedure_sections(result)
    assert section.tables[0].headings == ("run", "left", "right")
    assert section.tables[0].rows[3] == ("number 3 [s]", "3", "3")


def test_the_text_of_a_page_is_escaped_and_its_verdict_stands_first(tmp_path: Path) -> None:
    text = written(tmp_path).read_text(encoding="utf-8")
    assert "<test>" not in text
    assert "A note &amp; more." in text
    assert text.index("Failed") < text.index("FMVSS 126") < text.index("<nav>")
    assert "0.2123 1/s" in text
    assert 'margin-left: 0.0%; width: 50.0%' in text  # the longest, to the left  # fmt: skip
    assert chart_panels(text)["Points"]["curves"][0]["points"]
    assert len(text) < 2e6


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with headless_page(tmp_path_factory.mktemp("browser"), (1100, 800)) as made:
        made.open(written(tmp_path_factory.mktemp("page")).as_uri())
        yield made
        assert made.complaints() == []
        assert [url for url in made.requests() if not url.startswith(LOCAL)] == []


def chart(title: str) -> str:
    return f"charts.charts.find((one) => one.panel.title === {title!r})"


def at_middle(page: Page, title: str, kind: str, **given: Any) -> None:
    page.value(f"{chart(title)}.canvas.scrollIntoView({{block: 'center'}})")
    left, top, width, height = page.value(
        f"(() => {{ const box = {chart(title)}.canvas.getBoundingClientRect();"
        " return [box.left, box.top, box.width, box.height]; })()"
    )
    x, y = left + 62 + 0.5 * (width - 80), top + 0.4 * height
    page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **given)


@pytest.mark.slow
@in_browser
def test_cursor_and_zoom_are_one_for_charts_over_the_same_quantity(page: Page) -> None:
    at_middle(page, "Gain", "mouseMoved")
    assert page.value(f"{chart('Gain')}.cursor") == pytest.approx(25.0, abs=0.2)
    assert page.value(f"{chart('Lag')}.cursor") == page.value(f"{chart('Gain')}.cursor")
    told = float(page.value(f"{chart('Gain')}.values[0].textContent"))
    assert told == pytest.approx(25.0 / (2.7 + 3e-3 * 625.0), rel=1e-2)
    assert page.value(f"{chart('vehicle.yaw_rate')}.cursor") is None
    for kind in ("mousePressed", "mouseReleased"):
        at_middle(page, "Gain", kind, button="left", clickCount=1)
    at_middle(page, "Gain", "mouseWheel", deltaX=0, deltaY=-300)
    near = page.value(f"{chart('Gain')}.x")
    assert near[1] - near[0] < 25.0
    assert page.value(f"{chart('Lag')}.x") == near
    page.value(f"charts.reset({chart('Gain')})")
    assert page.value(f"{chart('Lag')}.x") == [10.0, 40.0]
    page.value(f"charts.point({chart('vehicle.yaw_rate')}, 2.0)")
    other = chart("vehicle.yaw_rate: difference from simulated")
    assert page.value(f"{other}.cursor") == 2.0


@pytest.mark.slow
@in_browser
def test_the_legend_of_a_single_curve_is_its_value_at_the_cursor(page: Page) -> None:
    shown = f"getComputedStyle({chart('Lag')}.legend.querySelector('button')).visibility"
    seen = []
    for where in ("undefined", "20.0"):
        page.value(f"(() => {{ const one = {chart('Lag')}; one.cursor = {where}; one.draw(); }})()")
        seen.append(page.value(shown))
    assert seen == ["hidden", "visible"]


@pytest.mark.slow
@in_browser
def test_a_gap_breaks_a_line_and_points_are_dots(page: Page) -> None:
    page.value("""navigator.clipboard.writeText = (text) => {
      window.copied = text; return Promise.resolve(); }""")
    page.value(f"{chart('Points')}.figure.querySelector('.tools button:nth-child(3)').click()")
    end = time.monotonic() + PATIENCE
    while not page.value("window.copied || ''") and time.monotonic() < end:
        time.sleep(0.02)
    drawn = page.value("window.copied").partition("<g ")[2]  # within the axes
    assert drawn.count("<polyline") == 2
    assert drawn.count("<circle") == 4


@pytest.mark.slow
@in_browser
def test_the_number_of_a_mark_is_whole_at_the_edges_and_gone_out_of_view(page: Page) -> None:
    """Its circle, of a radius of 8 pixels, relative to the axes [pixels]."""
    left, right, far = page.value(
        """(() => {
      const chart = CHART, { x, y } = chart.scales(), found = [];
      const pen = { dot: (a, b, r) => { if (r === 8) found.push([a, b]); }, line() {}, words() {} };
      const [x0, x1] = chart.x, [y0, y1] = chart.y;
      chart.paintMark(pen, { kind: "level", x: x0, y: y0 }, 0, x, y);
      chart.paintMark(pen, { kind: "point", x: x1, y: y1 }, 1, x, y);
      chart.paintMark(pen, { kind: "point", x: 2 * x1 - x0, y: y1 }, 2, x, y);
      return found.map(([a, b]) => [a - x.first, x.last - a, y.first - b, b - y.last]);
    })()""".replace("CHART", chart("Gain"))
    )
    assert min(left) == min(right) == 8.0
    assert far[1] < -8.0


@pytest.mark.slow
@in_browser
def test_an_analysis_in_the_dark_on_paper_and_on_a_telephone(page: Page) -> None:
    colour = "getComputedStyle(document.querySelector('.verdict .outcome')).color"
    found = {}
    for scheme, media in (("light", ""), ("dark", ""), ("dark", "print")):
        wanted = [{"name": "prefers-color-scheme", "value": scheme}]
        page.call("Emulation.setEmulatedMedia", media=media, features=wanted)
        found[scheme, media] = page.value(colour)
    assert found["light", ""] == found["dark", "print"] != found["dark", ""]
    page.call("Emulation.setEmulatedMedia", media="", features=[])
    small = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.call("Emulation.setDeviceMetricsOverride", **small)
    assert page.value("document.documentElement.scrollWidth <= innerWidth")
    page.call("Emulation.setDeviceMetricsOverride", **{**small, "width": 1100})
