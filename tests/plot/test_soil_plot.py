"""The picture of a wheel in soil: the right curves, and units on every axis."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import trapezoid

from axletree.core.errors import ModelError
from axletree.plot.figure_files import figure_bytes
from axletree.plot.wheels import plot_soil
from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.soil import listed_soil
from axletree.wheel.soils.wong_reece import WongReece

LAW = WongReece(listed_soil("lete-sand-wong", rebound=0.05), order=8)
WHEEL, LOAD = WheelInSoil(0.4, 0.25), 4000.0


def test_every_axis_has_a_unit_and_curves_are_named() -> None:
    figure = plot_soil(LAW, WHEEL, LOAD)
    labels = [a.get_xlabel() for a in figure.axes[:4]] + [a.get_ylabel() for a in figure.axes]
    assert all(label.endswith("]") for label in labels)
    assert figure.axes[0].get_legend_handles_labels()[1][0] == "i = \N{MINUS SIGN}0.3"
    assert figure.get_suptitle() == "lete-sand-wong: r = 400 mm, b = 250 mm, load 4 kN"


def test_the_stresses_shown_carry_the_load() -> None:
    """The trapezoidal rule over the curves of one slip."""
    figure = plot_soil(LAW, WHEEL, LOAD, slips=(0.2,))
    normal, shear = (axes.get_lines()[0].get_xydata() for axes in figure.axes[:2])
    theta = np.radians(normal[:, 0])
    up = 1e3 * (normal[:, 1] * np.cos(theta) + shear[:, 1] * np.sin(theta))
    carried = 0.4 * 0.25 * trapezoid(up, theta)
    assert carried == pytest.approx(LOAD, rel=1e-3)


def test_the_forces_shown_are_those_of_the_law() -> None:
    figure = plot_soil(LAW, WHEEL, LOAD)
    lines = {line.get_label(): line.get_xydata() for line in figure.axes[2].get_lines()}
    expected = LAW(LOAD, WheelInSoil(0.4, 0.25, 1.0))
    assert lines["gross traction"][-1, 1] == pytest.approx(expected.gross_traction / 1e3)
    assert lines["drawbar pull"][-1, 1] == pytest.approx(expected.drawbar_pull / 1e3)
    assert len(figure_bytes(figure, "png")) > 1000


@pytest.mark.parametrize("load", [0.0, -1.0, float("nan")])
def test_no_load_shows_nothing(load: float) -> None:
    with pytest.raises(ModelError, match="show nothing"):
        plot_soil(LAW, WHEEL, load)
