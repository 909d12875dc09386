"""``axletree kc`` and ``axletree suspension``: what they say, what they leave, what they refuse."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from reports.chart_reader import chart_panels
from typer.testing import CliRunner

import axletree as at
from axletree.cli.app import app
from axletree.reports.rig_report import wheel_curves_findings
from axletree.vehicles.suspensions import Independent

CAR = "double-wishbone-sports-car"
FEW = ["--positions", "5"]


def called(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == code, result.output
    return result.output


def read_columns(path: Path) -> dict[str, np.ndarray]:
    heads, *rows = path.read_text().splitlines()
    values = np.array([[float(x) for x in row.split(",")] for row in rows]).T
    return dict(zip(heads.split(","), values, strict=True))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("kc")
    limits = made / "limits.csv"
    limits.write_text("metric,lower,upper\nbump_steer,-6,2\ncaster,7 deg,\n")
    text = called("kc", CAR, "front", "--targets", str(limits), "--out", str(made / "out"), *FEW)
    assert "caster 6.226 deg, at least 7 deg: failed" in text
    assert "bump steer -4.127 deg/m, at most 2 deg/m: passed" in text
    return made / "out"


def test_files_agree_with_the_analysis(folder):
    found = at.kinematics_and_compliance(CAR, "front")
    metrics = json.loads((folder / "metrics.json").read_text())["metrics"]
    assert metrics["caster"]["value"] == pytest.approx(found["caster"].left)
    assert metrics["caster"]["unit"] == "deg"
    table = read_columns(folder / "parallel_travel.csv")
    assert table["travel_left [m]"] == pytest.approx(np.linspace(-0.06, 0.06, 5))
    assert table["toe_left [rad]"][2] == pytest.approx(np.radians(0.05))
    assert {"roll.csv", "steering.csv", "table.csv"} <= {p.name for p in folder.iterdir()}


def test_page_has_all_cases_and_the_axle_in_motion(folder):
    page = (folder / "report.html").read_text(encoding="utf-8")
    panels = chart_panels(page)
    assert len(panels) == 12  # by title; cases share them
    for words in ("Roll at constant axle load", "Springs", "instant axis", "Caster"):
        assert words in page


def test_set_ups_over_one_another(tmp_path):
    source = at.__file__.replace("__init__.py", f"data/models/{CAR}.yaml")
    text = Path(source).read_text().replace("stiffness: 118 kN/m", "stiffness: 90 kN/m")
    (tmp_path / "soft.yaml").write_text(text)
    said = called(
        "kc", CAR, "front", "--beside", str(tmp_path / "soft.yaml"), "--out",
        str(tmp_path / "out"), *FEW,
    )  # fmt: skip
    assert "soft" in said.splitlines()[1]
    row = next(line for line in said.splitlines() if line.startswith("wheel rate  "))
    first, second = map(float, row.split()[2:4])
    assert first > 1.15 * second


def test_cases_of_the_set_up_that_has_bushings_are_shown(tmp_path):
    """Beside one of ideal joints, to which forces do nothing."""
    out = ["--beside", "five-link-sedan", "--out", str(tmp_path)]
    called("kc", CAR, "front", *out, *FEW)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    title = "kinematics and compliance, front axle, beside five-link-sedan"
    for words in (title, "Aligning compliance steer", "Lateral force, parallel"):
        assert words in page


def test_a_fit_leaves_points_that_can_be_read(tmp_path):
    target = tmp_path / "toe.csv"
    target.write_text("Wheel travel [mm],Toe [deg]\n-50,0.1\n0,0.05\n50,0\n")
    said = called(
        "suspension", "fit", CAR, "front", str(target), "--free", "tie_rod_outer.z", "--out",
        str(tmp_path / "out"),
    )  # fmt: skip
    assert "RMS difference of toe after" in said
    listed = called("suspension", "points", str(tmp_path / "out" / "points.csv"))
    points = yaml.safe_load(listed)["points"]
    assert points["lower_ball_joint"] == ["6 mm", "715 mm", "165 mm"]
    assert points["tie_rod_outer"][2] != "210 mm"
    curves = read_columns(tmp_path / "out" / "curves.csv")
    worst = {w: np.abs(curves[f"toe {w} [rad]"] - curves["toe target [rad]"]).max()
             for w in ("before", "after")}  # fmt: skip
    assert worst["after"] < 0.5 * worst["before"]


def test_sensitivities_are_differences_of_the_metric(tmp_path):
    called("suspension", "sensitivity", CAR, "front", "--free", "tie_rod_outer.z", "--out",
           str(tmp_path / "out"))  # fmt: skip
    rows = (tmp_path / "out" / "sensitivities.csv").read_text().splitlines()
    found = {row.split(",")[0]: float(row.split(",")[2]) for row in rows[2:]}
    assert found["bump steer"] == pytest.approx(1.06, rel=0.01)  # deg/m per mm
    assert found["caster"] == pytest.approx(0.0, abs=1e-6)


def numbers_on_top(folder: Path) -> str:
    page = (folder / "report.html").read_text(encoding="utf-8")
    return page.partition('<section class="verdict')[2].partition("</section>")[0]


def test_a_fit_has_what_is_left_on_top_and_says_what_holds_it_back(tmp_path):
    target = tmp_path / "toe.csv"
    target.write_text("Wheel travel [mm],Toe [deg]\n-50,0.1\n0,0.05\n50,0\n")
    called("suspension", "fit", CAR, "front", str(target), "--free", "tie_rod_inner.z", "--reach",
           "1 mm", "--out", str(tmp_path / "out"))  # fmt: skip
    top = numbers_on_top(tmp_path / "out")
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text())
    left = metrics["metrics"]["toe_rms_after"]["value"]
    assert f"{left:.4g}" in top
    assert (
        "1 coordinate of the front axle to curves of toe over wheel travel, 1 at the bound" in top
    )
    assert metrics["verdict"]["outcome"] == "no criterion"


def test_sensitivities_have_the_strongest_coordinates_on_top(tmp_path):
    called("suspension", "sensitivity", CAR, "front", "--free", "tie_rod_outer", "--out",
           str(tmp_path))  # fmt: skip
    _, heads, *rows = csv.reader((tmp_path / "sensitivities.csv").read_text().splitlines())
    row = next(row for row in rows if row[0] == "bump steer")
    slopes = dict(zip(heads[2:], map(float, row[2:]), strict=True))
    best = max(slopes, key=lambda name: abs(slopes[name]))
    assert best == "tie_rod_outer.z"
    assert "bump steer by tie_rod_outer.z" in numbers_on_top(tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.count('role="listitem"') == 3 * 5  # coordinates of each metric that matters


def test_curves_of_hard_points_have_a_page_with_the_slopes_of_the_rig(tmp_path):
    called("suspension", "curves", CAR, "front", "--out", str(tmp_path))
    suspension = at.read_model(CAR).described["vehicle"].axles["front"].suspension
    curves = suspension.sweep.curves(suspension.carried)
    found = {one.name: one.value for one in wheel_curves_findings(curves)}
    rig = at.kinematics_and_compliance(CAR, "front")
    assert {name: value for name, value in found.items() if name != "stiffness"} == pytest.approx(
        {name: rig[name].left for name in found if name != "stiffness"}, rel=1e-3
    )
    assert found["stiffness"] == pytest.approx(1e-3 * suspension.curves().stiffness, rel=1e-3)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert len(chart_panels(page)) == 6
    assert f"{found['bump_steer']:.4g}" in numbers_on_top(tmp_path)
    called("suspension", "curves", CAR, "front", "--no-report", "--out", str(tmp_path))
    assert not (tmp_path / "report.html").exists()


def test_a_table_of_a_rig_becomes_curves(folder):
    said = called("suspension", "curves", str(folder / "parallel_travel.csv"))
    fields = yaml.safe_load(said)
    strut = Independent("25 kN/m", mass="20 kg", **fields)
    table = read_columns(folder / "parallel_travel.csv")
    change = table["toe_left [rad]"] - table["toe_left [rad]"][2]
    assert strut.toe.table.evaluate(table["travel_left [m]"]) == pytest.approx(change, abs=1e-9)
    assert strut.static_camber == pytest.approx(np.radians(-1.5))


def test_compliances_of_a_rig_become_those_of_curves(tmp_path):
    """Of its own table at all travels, and of one with few columns in other units."""
    called("kc", "five-link-sedan", "rear", "--no-report", "--out", str(tmp_path), *FEW)
    found = at.kinematics_and_compliance("five-link-sedan", "rear")
    said = called("suspension", "curves", str(tmp_path / "parallel_travel.csv"))
    soft = Independent("25 kN/m", mass="20 kg", **yaml.safe_load(said)).compliance
    for word in ("aligning", "lateral", "braking"):
        metric = found[f"{word}_compliance_steer"].left
        own = getattr(soft, f"{word}_steer")
        assert np.degrees(1e3 * own) == pytest.approx(metric, rel=1e-6)
    head = (
        "Wheel travel [mm],Aligning compliance steer [deg/(kN*m)],Lateral compliance steer [deg/kN]"
    )
    other = tmp_path / "other.csv"
    other.write_text(f"{head}\n-50,-0.5,0.02\n0,-0.4,0.03\n50,-0.3,0.05\n")
    assert called("suspension", "curves", str(other)) == (
        "compliance: {aligning_steer: -0.4 deg/(kN*m), lateral_steer: 0.03 deg/kN}\n"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["kc", "sedan", "front"], "without hard points"),
        (["kc", CAR, "frnt"], "did you mean 'front'"),
        (["kc", "pendulum", "front"], "no vehicle by body and axles"),
        (["kc", CAR, "front", "--travel", "40 m"], "beyond the reach"),
        (["kc", CAR, "front", "--positions", "4"], "odd"),
        (["kc", CAR, "front", "--travel", "3 kg"], "m"),
        (["kc", CAR, "front", "--beside", CAR], "called"),
        (["suspension", "fit", CAR, "front", "none.csv"], "none.csv"),
        (["suspension", "sensitivity", CAR, "front", "--free", "tie_rod"], "tie_rod"),
    ],
)
def test_refusals(arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert words in called(*arguments, code=2)
    assert not list(tmp_path.rglob("*.csv"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bump_ster: [1, 2]\n", "did you mean 'bump_steer'"),
        ("bump_steer: [3, 2]\n", "above upper"),
        ("bump_steer: 3\n", "expected two limits"),
        ("bump_steer: [1 kg, 2]\n", "bump_steer.lower"),
    ],
)
def test_wrong_targets(text, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("limits.yaml").write_text(text)
    said = called("kc", CAR, "front", "--targets", "limits.yaml", code=2)
    assert words in said
    assert "limits.yaml, line 1" in said
