"""Plots in model files: read, refused with reasons, written, and resolved for shipped models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import models_in_stages, shipped_system

import axletree as at
from axletree.core.errors import ModelError
from axletree.core.registry import section
from axletree.model.model import Plot
from axletree.plot.model_plots import ShownRun, plot_panels

MODEL = """\
components:
  rod: {type: rigid-body, mass: 1, inertia: [1, 1, 1]}
  pin: {type: revolute, tail: ground, head: rod, axis: y}
plots:
"""


def read(tmp_path: Path, plots: str) -> tuple[Plot, ...]:
    path = tmp_path / "model.yaml"
    path.write_text(MODEL + "".join(f"  {line}\n" for line in plots.splitlines()))
    return at.read_model(path).plots


def test_a_name_a_list_and_a_mapping(tmp_path: Path) -> None:
    plots = read(
        tmp_path,
        "Angle: pin.angle\n"
        "Both: [pin.angle, pin.rate]\n"
        "Path: {x: rod.position.x, y: rod.position.z}\n"
        "In degrees: {y: '*.angle', unit: deg}\n",
    )
    assert plots == (
        Plot("Angle", ("pin.angle",)),
        Plot("Both", ("pin.angle", "pin.rate")),
        Plot("Path", ("rod.position.z",), "rod.position.x"),
        Plot("In degrees", ("*.angle",), unit="deg"),
    )


@pytest.mark.parametrize(
    ("plots", "place", "message"),
    [
        ("Angle: pn.angle", "line 5, plots.Angle.y", "did you mean 'pin'?"),
        ("Angle: '*_pin.angle'", "line 5, plots.Angle.y", "unknown owner '*_pin'"),
        ("Angle: 5", "line 5, plots.Angle.y", "expected a quantity as component.quantity, got 5"),
        ("Angle: angle", "line 5, plots.Angle.y", "component.quantity, got 'angle'"),
        ("Angle: {x: pin.angle}", "line 5, plots.Angle", "the key 'y' is missing"),
        ("Angle: {y: pin.angle, z: 1}", "line 5, plots.Angle.z", "unknown key 'z' in a plot"),
        ("Angle: {y: pin.angle, unit: degg}", "line 5, plots.Angle.unit", "degg"),
        ("Angle: {y: pin.angle, x: 'rod.*'}", "line 5, plots.Angle.x", "expected one quantity"),
        ("[pin.angle]", "line 4, plots", "expected plots by title"),
    ],
)
def test_mistakes_are_told_with_their_lines(
    tmp_path: Path, plots: str, place: str, message: str
) -> None:
    with pytest.raises(ModelError) as error:
        read(tmp_path, plots)
    (text,) = error.value.problems
    assert place in text
    assert message in text


def test_a_component_with_a_problem_of_its_own_is_no_second_problem(tmp_path: Path) -> None:
    path = tmp_path / "model.yaml"
    path.write_text(MODEL.replace("mass: 1", "mass: -1") + "  Speed: rod.velocity.x\n")
    with pytest.raises(ModelError) as error:
        at.read_model(path)
    assert all("plots" not in text for text in error.value.problems)


def test_plots_are_written_as_they_are_read(tmp_path: Path) -> None:
    model = at.read_model("car")
    at.write_model(model, tmp_path / "car.yaml")
    assert at.read_model(tmp_path / "car.yaml").plots == model.plots
    assert len(model.plots) > 10


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", models_in_stages(section("MODELS")))
def test_plots_of_shipped_models_show_what_they_name(name: str) -> None:
    model = at.read_model(name)
    if not model.plots:
        return
    system = shipped_system(name)
    computed = (d.quantity for d in (*system.outputs, *system.intermediates))
    names = [q.name for q in (*system.states, *system.inputs, *computed)]
    assert [plot.unmatched(names) for plot in model.plots] == [[]] * len(model.plots)


TIME = np.linspace(0.0, 1.0, 5)


def shown(**columns: tuple[float, str]) -> ShownRun:
    values = {name.replace("__", "."): level * TIME for name, (level, _) in columns.items()}
    units = {name.replace("__", "."): unit for name, (_, unit) in columns.items()}
    return ShownRun(TIME, values, units)


def test_units_of_plots() -> None:
    run = shown(a__angle=(np.pi, "rad"), b__angle=(1.0, "rad"), c__x=(2.0, "m"))
    plot = Plot("Angles", ("*.angle",), unit="deg")
    (panel,) = plot_panels([plot], {"run": run})
    assert panel.y_label == "[deg]"
    assert [curve.label for curve in panel.curves] == ["a", "b"]
    assert panel.curves[0].y[-1] == pytest.approx(180.0)
    (panel,) = plot_panels([Plot("Way", ("c.x",), unit="deg")], {"run": run})
    assert (panel.y_label, panel.curves[0].y[-1]) == ("[m]", 2.0)


def test_paths_have_one_scale_where_they_can_be_read() -> None:
    run = shown(c__x=(100.0, "m"), c__y=(30.0, "m"), c__z=(0.5, "m"), c__v=(1.0, "m/s"))
    plots = [Plot(name, (f"c.{name}",), "c.x") for name in "yzv"]
    panels = plot_panels(plots, {"run": run})
    assert [panel.is_plan for panel in panels] == [True, False, False]
    assert panels[0].x_label == "x [m]"
    assert panels[0].y_label == "y [m]"
    assert [panel.over_time for panel in panels] == [False] * 3


def test_runs_are_compared_by_their_names() -> None:
    runs = {"one": shown(a__x=(1.0, "m"), b__x=(2.0, "m")), "two": shown(a__x=(3.0, "m"))}
    single, several = plot_panels([Plot("A", ("a.x",)), Plot("All", ("*.x",))], runs)
    assert [curve.label for curve in single.curves] == ["one", "two"]
    assert [curve.label for curve in several.curves] == ["a, one", "b, one", "two"]
    assert plot_panels([Plot("None", ("c.x",))], runs) == []
