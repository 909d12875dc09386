"""Words of marks stand clear of curves and of one another, and lines to them of other words."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from reports.made_runs import Made

from axletree.metrics.acceleration_and_braking import Stopping
from axletree.metrics.contract import Metric
from axletree.metrics.findings import Diagram, Trace, level, moment, point
from axletree.metrics.steering_transients import DwellStability
from axletree.plot.model_plots import diagram_panels
from axletree.plot.panels import draw_panels

TIME = np.linspace(0.0, 8.0, 1601)


def words_of(axes: Any) -> list[Any]:
    return [text for text in axes.texts if text.get_text()]


def box_of(text: Any) -> Any:
    return text.get_bbox_patch().get_window_extent()


def covers(box: Any, places: np.ndarray) -> bool:
    """Any of these places."""
    return bool(np.all((places > box.p0) & (places < box.p1), axis=1).any())


def dwell() -> tuple[Metric, Made]:
    """Both ratios and the limit that decides are within a second and 10 deg/s."""
    steering = np.where((TIME > 1.0) & (TIME < 2.93), np.sin(3.2 * (TIME - 1.0)), 0.0)
    times = np.append(1.0, np.arange(1.1, 4.3, 0.15))
    rates = [0.0, 4.2, 19.0, 28.7, 30.8, 24.9, 6.6, -22.9, -34.5, -35.7, -35.2, -34.4, -33.3,
             -31.5, -27.4, -23.4, -18.7, -12.4, -4.7, 0.6, 0.7, 0.1, 0.0]  # fmt: skip
    yaw = np.radians(np.interp(TIME, times, rates))
    return DwellStability(), Made(TIME, {"driver.steering": steering, "vehicle.yaw_rate": yaw})


def stop() -> tuple[Metric, Made]:
    """From 100 km/h with 9.5 m/s^2, which takes 0.2 s to build up."""
    since = np.maximum(TIME - 1.0, 0.0)
    slower = np.where(since < 0.2, 23.8 * since**2, 9.52 * (since - 0.1))
    pressed = np.where(TIME > 1.0, 1.0, 0.0)
    columns = {"driver.brake": pressed, "vehicle.forward_speed": np.maximum(27.78 - slower, 0.0)}
    return Stopping(), Made(TIME, columns)


@pytest.mark.parametrize("made", [dwell, stop])
def test_neither_words_nor_lines_to_them_cross_others(made: Any) -> None:
    metric, run = made()
    figure = draw_panels(diagram_panels(metric.diagrams(run)[:2]))
    figure.canvas.draw()
    axes = figure.axes[0]
    texts = words_of(axes)
    boxes = [box_of(text) for text in texts]
    for line in axes.get_lines():
        drawn = line.get_transform().transform(line.get_xydata())
        way = np.linspace(0.0, len(drawn) - 1.0, 4000)
        places = np.stack([np.interp(way, np.arange(len(drawn)), xy) for xy in drawn.T], axis=1)
        assert not any(covers(box, places) for box in boxes)
    for text, box in zip(texts, boxes, strict=True):
        end, centre = np.array(text.xy) * figure.dpi / 72.0, 0.5 * (box.p0 + box.p1)
        leader = np.linspace(end, centre, 200)
        assert not any(covers(other, leader) for other in boxes if other is not box)


def test_words_stand_within_the_axes_and_clear_of_one_another() -> None:
    """Ten marks in a heap on a curve that runs through it."""
    y = np.sin(3.0 * TIME)
    heap = [point(2.0 + 0.05 * k, math.sin(3.0 * (2.0 + 0.05 * k)), f"mark {k} of many in a heap")
            for k in range(8)]  # fmt: skip
    marks = (*heap, level(4.0, 0.5, "a level"), moment(3.0, 0.2, "a moment"))
    diagram = Diagram("Heap", "time [s]", "[m]", (Trace("", TIME, y),), marks)
    figure = draw_panels(diagram_panels([diagram]))
    figure.canvas.draw()
    axes = figure.axes[0]
    texts = words_of(axes)
    assert len(texts) == len(marks)
    boxes = [box_of(text) for text in texts]
    frame = axes.get_window_extent()
    assert all(frame.x0 - 1 <= b.x0 and b.x1 <= frame.x1 + 1 for b in boxes)
    assert all(frame.y0 - 1 <= b.y0 and b.y1 <= frame.y1 + 1 for b in boxes)
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_words_stand_beside_lines_and_not_on_them() -> None:
    """A level, a moment and a point in a wide panel: its words touch neither line nor curve."""
    marks = (level(3.0, 0.8, "a level with words"), moment(2.0, 0.3, "a moment with words"),
             point(4.0, 0.5, "a point with words"))  # fmt: skip
    diagram = Diagram("", "[s]", "[m]", (Trace("", TIME, TIME / 8.0),), marks)
    figure = draw_panels(diagram_panels([diagram]))
    figure.canvas.draw()
    axes = figure.axes[0]
    across, up = axes.transData.transform((2.0, 0.8))
    curve = axes.transData.transform(np.stack([TIME, TIME / 8.0], axis=1))
    for text in words_of(axes):
        box = box_of(text)
        assert not box.y0 < up < box.y1
        assert not box.x0 < across < box.x1
        assert not any(box.contains(*place) for place in curve)
        end = np.array(text.xy) * figure.dpi / 72.0  # of the line to the words
        centre = 0.5 * (box.p0 + box.p1)
        assert {"level": end[1] == pytest.approx(up), "moment": end[0] == pytest.approx(across),
                "point": True}[text.get_text().split()[1]]  # fmt: skip
        assert np.linalg.norm(end - centre) < box.width  # they are near
