"""What people see of models, systems, runs and their like in Python and in notebooks."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import axletree as at
from axletree.analysis.handling.g_g_diagram import Envelope, GGDiagram
from axletree.analysis.handling.yaw_moment import YawMomentDiagram
from axletree.analysis.kinematics_and_compliance.axle_in_vehicle import (
    linked_suspension,
    place_of,
    rig_of,
    vehicle_of,
)
from axletree.analysis.kinematics_and_compliance.hard_point_fit import fit_hard_points
from axletree.analysis.kinematics_and_compliance.point_sensitivity import point_sensitivity
from axletree.analysis.kinematics_and_compliance.tables import RigTable
from axletree.analysis.procedures.contract import ProcedureResult, ProcedureStage, StageRow
from axletree.analysis.studies.sensitivity import FindingSlope, Sensitivity, SensitivityColumn
from axletree.export.realtime.client import StepperLink
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
    assert shown[0].startswith("43 manoeuvres of 'sedan': coasting, ")
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


def test_analyses_of_vehicles_show_what_they_found() -> None:
    linear = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    angles, moments = np.linspace(-0.1, 0.1, 3), np.zeros((3, 3))
    slopes = dict.fromkeys(
        ("moment/sideslip", "lateral/sideslip", "moment/steering", "lateral/steering"), 1.0
    )
    given = "sedan", 20.0, 15e3, 2.5, 15.0, angles, angles  # m/s, N, m, 1, rad
    yaw_moments = YawMomentDiagram(*given, moments, moments, moments, slopes)
    envelope = Envelope(20.0, np.array([3.0, 0.0, -9.0]), np.array([0.0, 8.0, 0.0]), ())
    gain = Finding("gain", 0.4, "1/s", "yaw rate by steering angle")
    mass = SensitivityColumn("body.mass", 1500.0, "kg", (FindingSlope(gain, -1e-4, False),))
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    turns = at.cornering_curve(car, speed=20.0)
    found: dict[str, Any] = {
        "steady turns of sedan at 72 km/h: ": turns,
        "Performance envelope of sedan at 72 km/h": GGDiagram("sedan", (envelope,)),
        "Yaw moments of sedan at 72 km/h, 3 by 3 turns": yaw_moments,
        "Response to steering of sedan": at.steer_responses(linear, 20.0)[0],
        "sedan, turn: relative sensitivity": Sensitivity("sedan", "turn", (gain,), (mass,)),
    }
    for words, one in found.items():
        shown = repr(one)
        assert words in shown.splitlines()[0]
        assert 2 <= len(shown.splitlines()) < 16
        assert len(shown) < LONGEST
        assert "table" in tags(one._repr_html_())
    first = turns.findings[0]
    assert f"{first.description} {first.value:.4g} {first.unit}" in repr(turns)
    locus = repr(at.vehicle_locus(linear, [10.0, 20.0]))
    assert locus == "Modes of sedan from 36 km/h to 72 km/h: yaw-sideslip, speed"


def test_hard_points_and_the_rig_show_themselves_in_a_few_lines() -> None:
    rig = at.kinematics_and_compliance("double-wishbone-sports-car", "front")
    vehicle = vehicle_of(at.read_model("double-wishbone-sports-car"))
    suspension = linked_suspension(vehicle, "front")
    curves = suspension.sweep.curves(suspension.carried)
    target = RigTable(np.linspace(-0.05, 0.05, 5), {"toe": np.zeros(5)})  # m, rad
    fit = fit_hard_points(suspension, target, 0.33, free=["tie_rod_outer.z"])
    slopes = point_sensitivity(
        suspension, rig_of(vehicle, "front"), place_of(vehicle, "front"), ["tie_rod_outer.z"]
    )
    case = rig.axle.cases["parallel_travel"]
    several = rig, rig.axle, rig.axle.rig, case, rig["bump_steer"], vehicle, curves, fit, slopes
    shown = [repr(one) for one in several]
    assert max(map(len, shown)) < 400
    assert [text for text in shown if " at 0x" in text] == []
    assert "bump steer -4.127 deg/m" in shown[0]
    assert shown[3] == "Parallel wheel travel: 15 positions from -60 mm to 60 mm"
    assert shown[4] == "bump steer -4.1272 deg/m"
    assert shown[5] == "Vehicle of 1417 kg, links: axles front, rear"
    assert f"toe {np.degrees(fit.rms('toe', 1)):.4g} deg, was " in shown[7]
    assert "table" in tags(rig._repr_html_()) & tags(slopes._repr_html_())


def test_controllers_clients_and_programs_show_what_they_are() -> None:
    class Esc:
        def reset(self) -> None:
            pass

        def update(self, t: float, measured: Mapping[str, float]) -> Mapping[str, float]:
            return {}

    loop = at.ControlLoop(Esc(), "10 ms", reads={"r": "vehicle.yaw_rate"}, sets=["driver.brake"])
    assert repr(loop) == (
        "ControlLoop 'Esc', every 10 ms: reads vehicle.yaw_rate; sets driver.brake"
    )
    system = at.read_model("pendulum").formulate()
    assert repr(system.program()) == (
        "Program of 'pendulum': 2 states; routines constants, rhs, outputs"
    )
    link = StepperLink(system.stepper(step="1 ms", outputs=["energy.total"]))
    with at.RealTimeClient(link.channels, link) as client:
        assert repr(client) == "RealTimeClient over StepperLink: 0 inputs, 3 outputs"
        client.exchange()
        assert repr(client).endswith(", t = 0.001 s")


def test_loads_of_joints_show_the_largest() -> None:
    loads = at.joint_loads(at.read_model("pendulum").drive())
    largest = np.linalg.norm(loads["pin"].force, axis=1).max()
    assert repr(loads["pin"]) == f"Load of pin on rod from ground: up to {largest:.4g} N, 0 N*m"
    assert "largest force in a joint: pin at " in repr(loads)
    assert f"{largest:.4g} N" in repr(loads)
    assert len(repr(loads)) < 300
    assert "table" in tags(loads._repr_html_())


def test_an_agreement_of_many_channels_shows_the_first(tmp_path: Path) -> None:
    run = at.read_model("double-pendulum").formulate().simulate(0.2, step=0.01)
    found = at.agreement(run, at.read_measurement(run.to_csv(tmp_path / "out.csv")))
    assert repr(found).splitlines()[-1] == f"and {len(found.channels) - 8} more"
    assert found._repr_html_().count("<tr>") == len(found.channels) + 1


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
    assert "table" in tags(page)
    assert "rollover threshold" in page
    (content,) = re.findall(r'src="data:image/png;base64,([^"]+)"', page)
    with Image.open(io.BytesIO(base64.b64decode(content))) as picture:
        shown = np.asarray(picture.convert("RGB"), dtype=int)
    paint = (shown[..., 2] - shown[..., 0] > 80) & (shown[..., 1] < 180)
    assert 0.02 < paint.mean() < 0.3  # a body in blue


def test_a_notebook_shows_a_mechanism_and_its_run() -> None:
    model = at.read_model("pendulum")
    system = model.formulate()
    page = model._repr_html_()
    assert {"table", "svg"} <= tags(page)
    assert "--plot-0:" in page  # the colours of the drawing are set beside it
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
