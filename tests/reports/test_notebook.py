"""What people see of models, systems, runs and their like in Python and in notebooks."""

from __future__ import annotations

from html.parser import HTMLParser

import numpy as np
import pytest

import axletree as at
from axletree.analysis.procedures.contract import ProcedureResult, ProcedureStage, StageRow
from axletree.metrics.findings import Finding
from axletree.vehicles.vehicle import Fidelity

LONGEST = 1500  # characters of a few lines


class Tags(HTMLParser):
    """Opened and closed elements balance."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.add(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(text: str) -> set[str]:
    parser = Tags()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return parser.seen


@pytest.fixture(scope="module")
def sedan() -> at.Model:
    return at.read_model("sedan")


def test_what_is_shown_is_a_few_lines(sedan: at.Model) -> None:
    system = sedan.formulate()
    run = system.simulate(0.01, step=1e-3, watch=False)
    shown = [repr(thing) for thing in (sedan, system, run, *sedan)]
    assert max(map(len, shown)) < LONGEST
    assert "50 components" in shown[0]
    assert f"{len(system.states)} states: chassis.vx" in shown[1]
    assert "11 records" in shown[2]
    assert "0 s to 0.01 s" in shown[2]


def test_what_has_many_entries_shows_their_names(sedan: at.Model) -> None:
    system, angle = sedan.formulate(), Finding("A", 30.0, "deg", "angle")
    row = StageRow("left", (angle,))
    stage = ProcedureStage("Steer", "80 km/h", (row,), (angle,))
    result = ProcedureResult("fmvss-126", "FMVSS 126", "sedan", (stage,))
    shown = [repr(one) for one in (sedan.manoeuvres, system.parameters, result)]
    assert max(map(len, shown)) < LONGEST
    assert shown[0].startswith("42 manoeuvres of 'sedan': coasting, ")
    assert shown[1].startswith(f"{len(system.parameters)} quantities: gravity.z [m/s^2], ")
    assert shown[2].splitlines() == [
        "no criterion: sedan, FMVSS 126", "  angle 30 deg", "  stages: Steer (1 run)",
    ]  # fmt: skip
    assert repr(system.outputs[0]) == "chassis.vx_dot [m/s/s]"
    assert "table" in tags(result._repr_html_())
    with pytest.raises(at.AxletreeError, match="unknown finding 'B' in fmvss-126"):
        result["B"]


def test_analyses_show_themselves_in_a_few_lines(sedan: at.Model) -> None:
    linear = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    ladder = at.drive_ladder("sedan", "step-steer", fidelities=[Fidelity.LINEAR])
    found = [linear.formulate().linearise(), at.vehicle_modes(linear, 20.0), ladder]
    assert max(len(repr(one)) for one in found) < 1500
    assert "table" in tags(ladder._repr_html_())
    with pytest.raises(at.AxletreeError, match="unknown model 'full' in the ladder of sedan"):
        ladder["full"]
    assert "_placed" not in repr(sedan["body"])


def test_a_component_shows_what_it_is_given_and_no_defaults(sedan: at.Model) -> None:
    shown = repr(sedan["front_left_tyre"])
    assert shown.startswith("Tyre('front_left_tyre', joint=front_left_axle, road=ground, ")
    assert "law=TMeasy(...)" in shown
    assert "contact_steps" not in shown


def test_a_trim_shows_what_was_given_and_found() -> None:
    car = at.read_model("bicycle-car")
    shown = repr(at.trim(car, speed="72 km/h"))
    assert "given: chassis.vx = 20 m/s" in shown
    assert "coasting" not in shown  # nothing slows this car down
    assert tags(at.trim(car, speed="72 km/h")._repr_html_()) == {
        "table",
        "caption",
        "tr",
        "th",
        "td",
    }


def test_a_sweep_shows_its_points() -> None:
    found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
    assert "2 points" in repr(found)
    assert "varied: rod.mass (2 values)" in repr(found)
    assert found._repr_html_().count("<tr>") == 3  # with the headings


def test_equations_are_typeset() -> None:
    text = at.read_model("pendulum").formulate().equations()._repr_latex_()
    assert text.startswith("$$\n\\begin{aligned}")


def test_a_notebook_shows_a_car_as_a_table_with_its_picture() -> None:
    page = at.read_model("compact-car")._repr_html_()
    assert {"table", "svg", "path"} <= tags(page)
    assert "rollover threshold" in page
    assert "--plot-0:" in page  # the colours of the drawing are set beside it


def test_a_notebook_shows_a_mechanism_and_its_run() -> None:
    model = at.read_model("pendulum")
    system = model.formulate()
    assert {"table", "svg"} <= tags(model._repr_html_())
    assert "pin.angle" in system._repr_html_()
    assert {"svg"} <= tags(system.simulate(1.0, step=0.1)._repr_html_())


def test_text_of_a_file_is_no_part_of_a_page() -> None:
    model = at.Model("cart")
    model.description = "<script>alert(1)</script>"
    model.add(at.RigidBody("cart", mass=1.0, inertia=(1.0, 1.0, 1.0)))
    assert "script" not in tags(model._repr_html_())


def test_a_model_that_is_not_put_together_yet_says_what_is_missing() -> None:
    model = at.Model("cart")
    model.add(at.RigidBody("cart", mass=1.0))
    assert "the mass matrix of cart is singular" in model._repr_html_()


def test_a_run_has_its_findings() -> None:
    run = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}}).drive("iso-7401-step")
    found = {one.description: one.value for one in run.findings}
    assert found["steady-state lateral acceleration"] == pytest.approx(4.0, rel=1e-2)
    assert "findings: " in repr(run)
    assert "Findings" in run._repr_html_()


def test_a_column_in_another_unit_and_at_an_instant() -> None:
    run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
    np.testing.assert_allclose(run["pin.angle", "deg"], np.degrees(run["pin.angle"]), rtol=1e-15)
    np.testing.assert_array_equal(run["time", "ms"], 1e3 * run.time)
    assert run.at(0.3)["pin.angle"] == pytest.approx(run["pin.angle"][3], rel=1e-14)
    half = run.between("0.2 s", 0.5)
    np.testing.assert_array_equal(half["pin.rate"], run["pin.rate"][2:6])
    assert half.final_state["pin.rate"] == run["pin.rate"][5]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda run: run["pin.angle", "m"], "'m' is a unit of a length"),
        (lambda run: run["pin.angel", "deg"], "did you mean 'pin.angle'"),
        (lambda run: run["pin.angle", "pin.rate"], "one column at a time"),
        (lambda run: run.at("2 s"), "its records go from 0 s to 1 s"),
        (lambda run: run.between(2.0, 3.0), "its records go from 0 s to 1 s"),
        (lambda run: run.between("1 m", 3.0), "is a length"),
    ],
)
def test_what_a_run_does_not_have_is_told(wrong: object, message: str) -> None:
    run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
    with pytest.raises(at.AxletreeError, match=message):
        wrong(run)  # type: ignore[operator]


def test_a_run_as_a_dataset_with_units() -> None:
    xarray = pytest.importorskip("xarray")
    run = at.read_model("pendulum").formulate().simulate(1.0, step=0.1)
    made = run.to_xarray()
    assert isinstance(made, xarray.Dataset)
    np.testing.assert_array_equal(made["pin.rate"].values, run["pin.rate"])
    assert made["pin.rate"].attrs["units"] == "rad/s"
    assert made["time"].attrs["units"] == "s"


def test_quantities_have_names() -> None:
    system = at.read_model("pendulum").formulate()
    assert system.parameters["rod.mass"].default == 1.0
    assert system.states["pin.angle"] is system.states[1]
    assert "rod.mass" in system.parameters
    assert system.parameters[0] in system.parameters
    with pytest.raises(at.AxletreeError, match="did you mean 'rod.mass'"):
        system.parameters["rod.mas"]
