"""Panels: what stands together, under which names, and what is worth a panel."""

from __future__ import annotations

import numpy as np
import pytest

from axletree.plot.panels import (
    MOST_CURVES,
    Panel,
    PanelCurve,
    automatic_panels,
    draw_panels,
    titled,
    without_zeros,
)

TIME = np.linspace(0.0, 1.0, 50)
WAVE = np.sin(7.0 * TIME)


def panels(columns: dict[str, np.ndarray], units: dict[str, str]) -> list[tuple[str, list[str]]]:
    found = automatic_panels(TIME, columns, units)
    return [(panel.title, [curve.label for curve in panel.curves]) for panel in found]


def test_signals_of_one_unit_stand_together() -> None:
    units = {"a.angle": "rad", "b.angle": "rad", "b.rate": "rad/s", "c.x": "m", "c.y": "m"}
    assert panels(dict.fromkeys(units, WAVE), units) == [
        ("angle", ["a", "b"]),
        ("b.rate", ["b.rate"]),
        ("c", ["x", "y"]),
    ]


def test_people_read_degrees_and_printed_units() -> None:
    columns = {"body.yaw": WAVE, "body.rate": WAVE, "wheel.spin": 60.0 * WAVE, "body.a": WAVE}
    units = dict(zip(columns, ("rad", "rad/s", "rad/s", "m/s^2"), strict=True))
    shown = automatic_panels(TIME, columns, units)
    found = {curve.label: panel.y_label for panel in shown for curve in panel.curves}
    assert found["body.yaw"] == "[deg]"
    assert found["body.rate"] == "[deg/s]"
    assert found["wheel.spin"] == "[rad/s]"  # it goes round and round
    assert shown[0].curves[0].y == pytest.approx(np.degrees(WAVE))
    assert draw_panels(shown).axes[-1].get_ylabel() == "[m/s²]"


def test_many_of_one_unit_are_told_apart_by_quantity_and_component() -> None:
    wheels = ("front_left", "front_right", "rear_left", "rear_right")
    names = ["body.x", "body.y", "body.z", *(f"{w}_strut.position" for w in wheels)]
    units = dict.fromkeys(names, "m")
    assert panels(dict.fromkeys(names, WAVE), units) == [
        ("body", ["x", "y", "z"]),
        ("strut.position", list(wheels)),
    ]


def test_crowds_are_divided_evenly() -> None:
    names = [f"b{k}.angle" for k in range(MOST_CURVES + 2)]
    found = panels(dict.fromkeys(names, WAVE), dict.fromkeys(names, "rad"))
    assert [len(labels) for _, labels in found] == [4, 4]
    assert sum((labels for _, labels in found), []) == [f"b{k}" for k in range(MOST_CURVES + 2)]


def test_a_small_wave_is_not_hidden_beside_a_large_one() -> None:
    columns = {"a.x": WAVE, "b.x": 1e-3 * WAVE, "c.x": 0.5 * WAVE}
    units = dict.fromkeys(columns, "m")
    assert panels(columns, units) == [("x", ["a", "c"]), ("b.x", ["b.x"])]


def test_small_waves_far_apart_have_panels_of_their_own() -> None:
    columns = {"a.x": WAVE, "b.x": 1000.0 + 0.5 * WAVE, "c.x": 2.0 + WAVE}
    units = dict.fromkeys(columns, "m")
    assert panels(columns, units) == [("x", ["a", "c"]), ("b.x", ["b.x"])]


def test_what_stands_still_stays_with_the_others() -> None:
    columns = {"a.x": WAVE, "b.x": np.zeros(50), "c.x": 1e-14 * WAVE, "d.x": np.full(50, 0.5)}
    assert panels(columns, dict.fromkeys(columns, "m")) == [("x", ["a", "b", "c", "d"])]


@pytest.mark.parametrize(
    ("names", "title", "labels"),
    [
        (["pin.angle"], "pin.angle", ["pin.angle"]),
        (["a.x", "b.y"], "", ["a.x", "b.y"]),
        (["left_front_wheel.w", "right_front_wheel.w"], "front_wheel.w", ["left", "right"]),
        (["wheel.w", "left_wheel.w"], "w", ["wheel", "left_wheel"]),
        (["a.b.x", "a.b.y"], "a", ["b.x", "b.y"]),
        (["v", "w"], "", ["v", "w"]),
    ],
)
def test_titles_hold_what_names_share(names: list[str], title: str, labels: list[str]) -> None:
    assert titled(names) == (title, labels)


def panel(values: np.ndarray, unit: str = "N", *, over_time: bool = True) -> Panel:
    return Panel("", "time [s]", f"[{unit}]", (PanelCurve("", TIME, values),), over_time)


def test_zeros_and_rounding_are_left_out() -> None:
    large, noise, small = panel(1e4 * WAVE), panel(1e-9 * WAVE), panel(1e-6 * WAVE)
    assert without_zeros([large, noise, panel(np.zeros(50)), small]) == [large, small]
    other_unit = panel(1e-9 * WAVE, "m")
    assert without_zeros([large, other_unit]) == [large, other_unit]
    straight = panel(np.zeros(50), over_time=False)
    assert without_zeros([straight]) == [straight]


def test_a_line_is_drawn_straight_and_not_as_its_rounding() -> None:
    levels = [np.full(50, 9.8) + 1e-13 * WAVE, 1e-15 * WAVE, WAVE]
    axes = draw_panels([panel(values) for values in levels]).axes
    heights = [high - low for low, high in (one.get_ylim() for one in axes[:3])]
    assert heights == pytest.approx([0.98, 2.0, 2.2], rel=0.05)


def test_legends_stand_outside_of_the_axes() -> None:
    curves = tuple(PanelCurve(f"curve {k}", TIME, WAVE + k) for k in range(6))
    figure = draw_panels([Panel("Six", "time [s]", "[m]", curves)] * 7)
    figure.canvas.draw()
    for axes in figure.axes[:7]:
        legend = axes.get_legend().get_window_extent()
        assert legend.y0 >= axes.get_window_extent().y1 - 1.0
    assert len(figure.axes) == 7


@pytest.mark.parametrize("count", [1, 2, 7])
def test_panels_with_all_their_words_stand_clear_of_one_another(count: int) -> None:
    curves = tuple(PanelCurve(f"curve {k}", TIME, -1.234e-4 * WAVE + 1e-3 * k) for k in range(6))
    panels = [Panel("Six", "time [s]", "quantity [m]", curves)] * count
    figure = draw_panels(panels, "title" if count > 1 else "")
    figure.canvas.draw()
    boxes = [axes.get_tightbbox() for axes in figure.axes]
    for k, box in enumerate(boxes):
        assert figure.bbox.x0 <= box.x0 < box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 < box.y1 <= figure.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[k + 1 :])


def test_nothing_to_draw_is_an_empty_figure() -> None:
    assert draw_panels([]).axes == []
