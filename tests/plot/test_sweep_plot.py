"""The plot of a sweep shows the numbers of its table."""

from __future__ import annotations

import numpy as np
import pytest

import axletree as at
from axletree.analysis.studies.sweep import PointOutcome, Sweep, SweepRow
from axletree.analysis.studies.sweep_plan import (
    SweepError,
    SweepPlan,
    Variation,
    VariedPlace,
    find_variation,
)
from axletree.core.registry import UnknownNameError
from axletree.metrics.findings import Finding
from axletree.plot.studies import plot_sweep

MASS = Variation("body.mass", VariedPlace.PARAMETER, (3.0, 1.0, 2.0), "kg")
LAW = Variation("law", VariedPlace.FILE, ("hard", "soft"), "", ("hard", "soft"), ("law",))


def found(*variations: Variation) -> Sweep:
    rows = []
    for point in SweepPlan("car", "", "turn", variations).points():
        mass = float(point.values["body.mass"])
        findings = (
            Finding("gain", mass**2 + (point.values.get("law") == "soft"), "1/s", "yaw gain"),
            Finding("speed", 20.0, "m/s", "speed"),
        )
        failed = PointOutcome(failure="lost") if mass == 2.0 else None
        rows.append(SweepRow(point, failed or PointOutcome(findings)))
    return Sweep("car", "turn", variations, tuple(rows))


def test_a_curve_is_sorted_and_has_a_gap_where_a_point_failed() -> None:
    (axes,) = plot_sweep(found(MASS)).axes  # the speed never changes
    (line,) = axes.get_lines()
    assert line.get_xdata().tolist() == [1.0, 2.0, 3.0]
    assert line.get_ydata()[[0, 2]].tolist() == [1.0, 9.0]
    assert np.isnan(line.get_ydata()[1])
    assert axes.get_title(loc="left") == "Yaw gain"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("body.mass [kg]", "[1/s]")
    chosen = plot_sweep(found(MASS), findings=["speed"]).axes
    assert [one.get_title(loc="left") for one in chosen] == ["Speed"]


def test_other_parameters_tell_curves_apart() -> None:
    figure = plot_sweep(found(LAW, MASS))
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["law = hard", "law = soft"]
    assert figure.axes[0].get_lines()[1].get_ydata()[0] == 2.0
    over_words = plot_sweep(found(LAW, MASS), along="law").axes[0]
    assert [text.get_text() for text in over_words.get_xticklabels()] == ["hard", "soft"]


def test_values_are_shown_in_the_unit_in_which_they_were_given() -> None:
    speed = find_variation("rod.mass", "900, 1200 g", at.read_model("pendulum"), None, None)
    assert (speed.values, speed.unit, speed.in_words(1)) == ((0.9, 1.2), "kg", "rod.mass = 1200 g")
    kmh = Variation("v", VariedPlace.MANOEUVRE, (60.0 / 3.6, 100.0 / 3.6), "m/s", given="km/h")
    figure = plot_sweep(found(MASS, kmh))
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["v = 60 km/h", "v = 100 km/h"]
    (axes,) = plot_sweep(found(kmh, MASS), along="v").axes
    assert axes.get_xlabel() == "v [km/h]"
    assert axes.get_lines()[0].get_xdata() == pytest.approx([60.0, 100.0])


def test_what_cannot_be_plotted_is_said() -> None:
    with pytest.raises(SweepError, match="does not vary 'mass'; it varies body.mass"):
        plot_sweep(found(MASS), along="mass")
    with pytest.raises(UnknownNameError, match="unknown finding 'gian' in the sweep; did you mean"):
        plot_sweep(found(MASS), findings=["gian"])
    many = Variation("k", VariedPlace.PARAMETER, tuple(float(k) for k in range(20)), "1")
    figure = plot_sweep(found(MASS, many))
    (legend,) = figure.legends
    assert legend.get_title().get_text() == "12 of 20 curves"
    words = [text.get_text() for text in legend.get_texts()]
    assert (len(words), words[0], words[-1]) == (12, "k = 0", "k = 19")
