"""Carpet plots: curves of the levels, shifted, and lines of equal x between them."""

from __future__ import annotations

import numpy as np

from axletree.plot.model_plots import ShownRun
from axletree.plot.wheels import SHIFT, draw_carpet
from axletree.runs.bench_contract import Carpet


def shown(slope: float) -> ShownRun:
    x = np.linspace(10.0, -10.0, 41)  # a sweep may fall
    columns = {"tyre.slip_angle": x, "tyre.Fy": -slope * x}
    return ShownRun(np.arange(41.0), columns, {"tyre.slip_angle": "deg", "tyre.Fy": "N"})


def test_levels_are_shifted_by_their_order_and_joined_at_round_values() -> None:
    levels = {"3 kN": 3000.0, "1 kN": 1000.0}  # sorted by their values, not as they come
    carpet = Carpet("tyre.slip_angle", "tyre.Fy", levels, "normal load", "N")
    figure = draw_carpet(carpet, {"1 kN": shown(10.0), "3 kN": shown(30.0)}, "Sweep")
    (axes,) = figure.axes
    first, second, *joined = axes.lines
    assert first.get_xdata()[[0, -1]].tolist() == [-10.0, 10.0]
    assert second.get_xdata()[[0, -1]].tolist() == [-10.0 + SHIFT * 20.0, 10.0 + SHIFT * 20.0]
    assert second.get_ydata()[0] == 300.0
    for line in joined:
        x, y = line.get_xdata(), line.get_ydata()
        assert x[1] - x[0] == SHIFT * 20.0
        assert y.tolist() == [-10.0 * x[0], -30.0 * x[0]]
        assert x[0] == round(x[0], 6)
    assert len(joined) > 4
    assert {text.get_text() for text in axes.texts} > {"1 kN", "3 kN", "0"}
    assert "normal load" in axes.get_xlabel()
