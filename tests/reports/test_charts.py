"""Charts of a report in a browser: cursor, zoom, legend, copies, and the animation beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from plot.plot_kinds import driven
from reports.headless_page import Page, chromium, headless_page, wait_for

from axletree.plot.panels import Panel, PanelCurve
from axletree.reports.charts.chart_data import ChartPage
from axletree.reports.run_report import write_report
from axletree.simulation.trajectory import Trajectory

FRAME = "document.querySelector('iframe').contentWindow"
OF = "charts.charts.find((one) => one.panel.title === %r)"


def test_columns_stand_once_and_long_ones_keep_their_peaks() -> None:
    time = np.linspace(0.0, 1.0, 50_001)  # s
    force = np.where(time == time[31_234], 11e3, 0.0)  # N
    page = ChartPage(curves=4)
    curves = (PanelCurve("a", time, force), PanelCurve("b", time, force))
    (panel,) = page.data([Panel("Force", "time [s]", "[N]", curves)])
    assert panel["curves"][0]["y"] == panel["curves"][1]["y"]
    assert len(page.columns) == 2
    assert page.most_points == 4000
    assert ChartPage(curves=100_000).most_points == 300


def test_numbers_beyond_single_precision_are_kept() -> None:
    page = ChartPage(curves=1)
    far = PanelCurve("", np.array([0.0, 1.0]), np.array([0.0, 1e100]))
    page.data([Panel("Blown up", "time [s]", "[m]", (far,))])
    assert [precision for precision, _ in page.columns] == ["single", "double"]


@pytest.fixture(scope="module")
def run() -> Trajectory:
    return driven()[3]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if chromium() is None:
        pytest.skip("no Chromium on the PATH: apt install chromium")
    model, system, step, run = driven()
    report = write_report(system, model, run, tmp_path_factory.mktemp("report"), manoeuvre=step)
    with headless_page(tmp_path_factory.mktemp("browser"), (1100, 800)) as made:
        made.open(report.as_uri())
        yield made
        assert made.complaints() == []


def chart(title: str) -> str:
    return OF % title


def place(page: Page, title: str, across: float = 0.5) -> tuple[float, float]:
    """A point within the axes of a chart, in pixels of the window, which it is scrolled into."""
    page.value(f"{chart(title)}.canvas.scrollIntoView({{block: 'center'}})")
    left, top, width, height = page.value(
        f"(() => {{ const box = {chart(title)}.canvas.getBoundingClientRect();"
        " return [box.left, box.top, box.width, box.height]; })()"
    )
    return left + 62 + across * (width - 80), top + 0.4 * height


def mouse(page: Page, kind: str, at: tuple[float, float], **given: Any) -> None:
    page.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], **given)


@pytest.mark.slow
def test_the_cursor_reads_values_and_moves_the_car(page: Page, run: Trajectory) -> None:
    low, high = page.value(f"{chart('Yaw rate')}.x")
    there = low + 0.25 * (high - low)
    mouse(page, "mouseMoved", place(page, "Yaw rate", across=0.25))
    wait_for(lambda: abs(page.value("charts.time") - there) < 0.02 * (high - low))
    now = page.value("charts.time")
    told = float(page.value(f"{chart('Yaw rate')}.values[0].textContent"))
    expected = np.interp(now, run.time, run["vehicle.yaw_rate", "deg/s"])
    assert told == pytest.approx(expected, abs=0.01)
    others = page.value("charts.charts.filter((one) => one.panel.time).map((one) => one.cursor)")
    assert set(others) == {now}
    wait_for(lambda: abs(page.value(f"{FRAME}.animation.time") - now) < 1e-6)


@pytest.mark.slow
def test_the_slider_of_the_animation_moves_the_cursor(page: Page) -> None:
    page.value(f"""(() => {{ const slider = {FRAME}.document.getElementById("slider");
      slider.value = 2.5; slider.dispatchEvent(new Event("input")); }})()""")
    wait_for(lambda: abs(page.value("charts.time") - 2.5) < 0.01)


@pytest.mark.slow
def test_a_wheel_zooms_after_a_click_and_two_clicks_show_all(page: Page) -> None:
    whole = page.value(f"{chart('Yaw rate')}.whole.x")
    at = place(page, "Yaw rate")
    for kind in ("mousePressed", "mouseReleased"):
        mouse(page, kind, at, button="left", clickCount=1)
    mouse(page, "mouseWheel", at, deltaX=0, deltaY=-300)
    wait_for(lambda: page.value(f"{chart('Yaw rate')}.x") != whole)
    near = page.value(f"{chart('Yaw rate')}.x")
    assert near[1] - near[0] < 0.8 * (whole[1] - whole[0])
    assert page.value(f"{chart('Sideslip angle')}.x") == near  # time is one for all
    page.value(f"{chart('Yaw rate')}.canvas.dispatchEvent(new MouseEvent('dblclick'))")
    assert page.value(f"{chart('Yaw rate')}.x") == whole


@pytest.mark.slow
def test_a_drag_moves_and_a_box_is_taken(page: Page) -> None:
    whole = page.value(f"{chart('Yaw rate')}.x")
    for shift, moved in ((0, True), (8, False)):
        a, b = place(page, "Yaw rate", 0.3), place(page, "Yaw rate", 0.6)
        mouse(page, "mousePressed", a, button="left", clickCount=1, modifiers=shift)
        mouse(page, "mouseMoved", (b[0], b[1] + 30), button="left", modifiers=shift)
        mouse(page, "mouseReleased", (b[0], b[1] + 30), button="left", modifiers=shift)
        low, high = page.value(f"{chart('Yaw rate')}.x")
        wide = whole[1] - whole[0]
        if moved:
            assert (low, high) == pytest.approx([x - 0.3 * wide for x in whole], abs=0.01 * wide)
        else:
            assert high - low == pytest.approx(0.3 * wide, abs=0.01 * wide)
        page.value(f"charts.reset({chart('Yaw rate')})")


@pytest.mark.slow
def test_curves_are_switched_off(page: Page) -> None:
    title = page.value("charts.charts.find((one) => one.panel.curves.length > 3).panel.title")
    first = f"{chart(title)}.legend.querySelector('button')"
    page.value(f"{chart(title)}.canvas.scrollIntoView()")
    page.value(f"{chart(title)}.draw()")
    before = page.value(f"{chart(title)}.canvas.toDataURL()")
    page.value(f"{first}.click()")
    assert page.value(f"{first}.getAttribute('aria-pressed')") == "false"
    assert page.value(f"{chart(title)}.canvas.toDataURL()") != before
    page.value(f"{first}.click()")
    assert page.value(f"{chart(title)}.canvas.toDataURL()") == before


@pytest.mark.slow
def test_copies_are_numbers_and_pictures(page: Page, run: Trajectory) -> None:
    page.value("""navigator.clipboard.writeText = (text) => {
      window.copied = text; return Promise.resolve(); }""")
    button = "%s.figure.querySelector('.tools button:nth-child(%d)').click()"
    page.value(button % (chart("Yaw rate"), 4))
    wait_for(lambda: bool(page.value("window.copied || ''")))
    heading, *rows = page.value("window.copied").splitlines()
    assert heading == "time [s],Yaw rate [deg/s]"
    numbers = np.array([[float(cell) for cell in row.split(",")] for row in rows])
    expected = np.interp(numbers[:, 0], run.time, run["vehicle.yaw_rate", "deg/s"])
    np.testing.assert_allclose(numbers[:, 1], expected, atol=1e-5)
    page.value("window.copied = ''")
    page.value(button % (chart("Yaw rate"), 3))
    wait_for(lambda: bool(page.value("window.copied || ''")))
    parsed = "new DOMParser().parseFromString(window.copied, 'image/svg+xml')"
    assert page.value(f"{parsed}.querySelectorAll('polyline').length") > 5


@pytest.mark.slow
def test_keys_move_the_cursor(page: Page) -> None:
    page.value(f"{chart('Yaw rate')}.canvas.focus()")
    page.value("charts.setTime(1.0)")
    page.call("Input.dispatchKeyEvent", type="keyDown", key="ArrowRight")
    low, high = page.value(f"{chart('Yaw rate')}.x")
    assert page.value("charts.time") == pytest.approx(1.0 + (high - low) / 200)
