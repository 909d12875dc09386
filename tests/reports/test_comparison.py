"""Runs side by side: what they share, how far they lie apart, what they came to."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from axletree.analysis.studies.comparison import (
    ComparedRun,
    ComparisonError,
    comparison_table,
    distance,
    distance_table,
    read_result,
    shared_quantities,
)
from axletree.cli.comparison import short_names
from axletree.core.registry import UnknownNameError
from axletree.metrics.findings import Finding
from axletree.plot.figure_files import figure_svg
from axletree.plot.studies import plot_comparison
from axletree.simulation.trajectory import Trajectory


def run(step: float, rate: float, *more: str) -> Trajectory:
    """x = rate t^2 at instants that differ by the step."""
    time = np.arange(0.0, 2.0 + step / 2, step)
    columns = {"cart.x": rate * time**2, "cart.zero": 0.0 * time, **dict.fromkeys(more, time)}
    return Trajectory("cart", time, columns, dict.fromkeys(columns, "m"), ("cart.x",))


def finding(value: float) -> Finding:
    return Finding("way", value, "m", "way to the stop")


A = ComparedRun("a", run(0.5, 1.0, "cart.only"), (finding(50.0),))
B = ComparedRun("b", run(0.25, 1.5), (finding(45.0), Finding("c", math.nan, "1", "cones hit")))


def test_quantities_that_all_runs_have_are_compared() -> None:
    assert shared_quantities([A, B]) == ["cart.x", "cart.zero"]
    assert shared_quantities([A, B], ["*.x"]) == ["cart.x"]
    with pytest.raises(UnknownNameError, match="unknown quantity 'cart.only'"):
        shared_quantities([A, B], ["cart.only"])


def test_the_motion_of_vehicles_is_what_they_share() -> None:
    names = ("vehicle.yaw_rate", "driver.steering", "driver.steering_rate")
    cars = [ComparedRun(label, run(0.5, 1.0, *names)) for label in "ab"]
    assert shared_quantities(cars) == ["vehicle.yaw_rate", "driver.steering"]


def test_the_distance_is_between_lines_that_join_records() -> None:
    assert distance(A.run, B.run, "cart.x") == pytest.approx(6.0 - 4.0)
    # At 1.75 s the line of a lies above its parabola: (2.25 + 4) / 2 - 1.75^2.
    assert distance(A.run, run(0.25, 1.0), "cart.x") == pytest.approx(0.0625)
    (row, _) = distance_table([A, B], ["cart.x", "cart.zero"]).rows
    assert row == ("cart.x", "2 (33.3 %)", "m")


def test_findings_stand_side_by_side() -> None:
    table = comparison_table([A, B])
    assert table is not None
    assert table.headings == ("finding", "a", "b", "unit", "b, change")
    assert table.rows[0] == ("way to the stop", "50", "45", "m", "-10.00 %")
    assert table.rows[1] == ("cones hit", "none", "none", "", "")
    assert comparison_table([ComparedRun("c", A.run)]) is None


def test_a_folder_is_read_with_its_metrics(tmp_path: Path) -> None:
    A.run.to_npz(tmp_path / "run.npz")
    row = {"value": 50.0, "unit": "m", "description": "way to the stop"}
    metrics = {"metrics": {"way": row, "none": {**row, "value": None}}}
    (tmp_path / "metrics.json").write_text(json.dumps(metrics))
    found = read_result(tmp_path, "mine")
    assert found.findings[0] == finding(50.0)
    assert math.isnan(found.findings[1].value)
    assert found.run["cart.x"].tolist() == A.run["cart.x"].tolist()
    (tmp_path / "metrics.json").write_text("{}")
    with pytest.raises(ComparisonError, match="has no metrics that can be read"):
        read_result(tmp_path, "mine")
    with pytest.raises(ComparisonError, match=r"has no results of a run; expected one of run\.npz"):
        read_result(tmp_path / "none", "mine")


def test_each_panel_has_a_curve_for_each_run() -> None:
    (axes,) = plot_comparison([A, B], ["cart.x", "cart.zero"]).axes  # zeros are left out
    assert [line.get_label() for line in axes.get_lines()] == ["a", "b"]
    assert axes.get_lines()[1].get_ydata()[-1] == pytest.approx(6.0)
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("time [s]", "[m]")
    cars = [ComparedRun(label, run(0.5, 1.0, "vehicle.x", "vehicle.y")) for label in "ab"]
    (plan,) = plot_comparison(cars, ["vehicle.x", "vehicle.y"]).axes
    assert (plan.get_xlabel(), plan.get_ylabel()) == ("vehicle.x [m]", "vehicle.y [m]")


@pytest.mark.parametrize(
    ("folders", "names"),
    [
        (["out/car/step", "out/van/step"], ["car", "van"]),
        (["out/car/step", "out/car/ramp"], ["step", "ramp"]),
        (["out/car", "out/car/ramp"], ["car", "ramp"]),
        (["out/car", "out/car/car"], ["car", "car/car"]),
        (["out/car"], ["car"]),
    ],
)
def test_labels_are_what_tells_folders_apart(folders: list[str], names: list[str]) -> None:
    assert short_names(folders) == names


@pytest.mark.parametrize("label", ["a$\\frac$b", "_old", "\u6f22 \u2028 \"'&<b>"])
def test_the_name_of_a_run_is_drawn_as_it_is(label: str) -> None:
    """It is that of a folder: no formula, and in the legend though it begins with an underscore."""
    time, columns = np.array([0.0, 1.0]), {"$\\x{$": np.array([1.0, 2.0])}
    run = Trajectory("cart", time, columns, {"$\\x{$": "m"}, ())
    figure = plot_comparison([ComparedRun(label, run), ComparedRun("b", run)], ["$\\x{$"])
    assert len(figure_svg(figure)) > 1000
    (axes,) = figure.axes
    assert [text.get_text().strip() for text in axes.get_legend().get_texts()] == [label, "b"]
