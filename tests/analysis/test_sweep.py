"""Sweeps of a pendulum: the same numbers however they are run, and nothing lost on the way."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import signal
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.analysis.studies import sweep as driver
from axletree.analysis.studies.sweep import PointOutcome, Sweep, SweepFolder, run_point
from axletree.analysis.studies.sweep_plan import (
    SweepError,
    SweepPlan,
    SweepPoint,
    model_fingerprint,
)

G = 9.80665
GRID = {"rod.mass": "1 kg:2 kg:3", "start.pin.angle": "10,20 deg"}
SHORT = {"duration": 0.5, "outputs": ["energy.total", "pin.angle"]}


def swept(grid: Mapping[str, Any] = GRID, **settings: Any) -> Sweep:
    return at.sweep("pendulum", grid, **{"workers": 2, **SHORT, **settings})


@cache
def known() -> Sweep:
    return swept()


def test_every_point_of_the_grid_is_run_with_its_values() -> None:
    found = known()
    assert found["rod.mass"].tolist() == [1.0, 1.0, 1.5, 1.5, 2.0, 2.0]
    assert found["start.pin.angle"].tolist() == [10.0, 20.0] * 3
    fall = 0.5 * np.cos(np.radians(found["start.pin.angle"]))  # of the centre below the hinge
    assert found["energy.total.minimum"] == pytest.approx(-found["rod.mass"] * G * fall, rel=1e-9)
    assert found["pin.angle.maximum"] == pytest.approx(np.radians([10.0, 20.0] * 3), rel=1e-12)
    assert [one.unit for one in found.findings[:4]] == ["J", "J", "J", "rad"]
    assert found.complete
    assert found.failures == {}


def test_a_point_is_the_run_that_one_makes_by_hand() -> None:
    model = at.read_model("pendulum", {"start": {"pin.angle": "20 deg"}})
    run = model.formulate().simulate(0.5, step=1e-3, parameters={"rod.mass": 1.5})
    assert known()["pin.angle.final"][3] == run["pin.angle"][-1]


def test_order_and_workers_do_not_change_a_bit() -> None:
    turned = {"start.pin.angle": ["20 deg", "10 deg"], "rod.mass": [2.0, 1.0, 1.5]}
    other = swept(turned, workers=1)
    for name in ("energy.total.final", "pin.angle.final"):
        by_values = {frozenset(row.point.values.items()): row.finding(name) for row in other.rows}
        mine = {frozenset(row.point.values.items()): row.finding(name) for row in known().rows}
        assert by_values == mine


# -- interrupted, continued ---------------------------------------------------------------------
def test_ctrl_c_keeps_what_is_done_and_the_next_sweep_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, written = SweepFolder.write, []

    def interrupted(self: SweepFolder, values: Mapping[str, Any], outcome: PointOutcome) -> None:
        if len(written) == 2:
            raise KeyboardInterrupt
        written.append(values)
        write(self, values, outcome)

    monkeypatch.setattr(SweepFolder, "write", interrupted)
    part = swept(folder=tmp_path)
    assert not part.complete
    assert sum(row.outcome is not None for row in part.rows) == 2
    assert multiprocessing.active_children() == []
    monkeypatch.setattr(SweepFolder, "write", write)
    whole = swept(folder=tmp_path)
    assert (whole.complete, whole.reused) == (True, 2)
    assert whole["pin.angle.final"].tolist() == known()["pin.angle.final"].tolist()


def test_points_that_are_there_are_not_run_again(tmp_path: Path) -> None:
    swept(folder=tmp_path)
    files = sorted((tmp_path / "points").iterdir())
    assert len(files) == 6
    marked = json.loads(files[0].read_text())
    marked["findings"][0]["value"] = 123.0
    files[0].write_text(json.dumps(marked))
    files[1].write_text("{")  # of no use
    finer = swept({**GRID, "rod.mass": "1:2:5"}, folder=tmp_path)
    assert finer.reused == 5
    place = [row.point.values for row in finer.rows].index(marked["values"])
    assert finer["energy.total.minimum"][place] == 123.0
    assert swept(folder=tmp_path, restart=True).reused == 0


def test_a_changed_model_is_not_mixed_with_old_results(tmp_path: Path) -> None:
    (tmp_path / "rod.yaml").write_text("base: pendulum\nstart: {pin.angle: 0.1}\n")
    (tmp_path / "own.yaml").write_text("base: rod.yaml\n")
    settings: dict[str, Any] = {**SHORT, "folder": tmp_path / "out"}
    model, grid = tmp_path / "own.yaml", {"rod.mass": "1,2"}
    at.sweep(model, grid, **settings)
    (tmp_path / "rod.yaml").write_text("base: pendulum\nstart: {pin.angle: 0.2}\n")
    with pytest.raises(SweepError, match=r"the model, or a file that it names changed since"):
        at.sweep(model, grid, **settings)
    with pytest.raises(SweepError, match=r"and the settings of the run changed since"):
        at.sweep(model, grid, **{**settings, "duration": 0.4})
    again = at.sweep(model, grid, **settings, restart=True)
    assert again["pin.angle.maximum"] == pytest.approx([0.2, 0.2], rel=1e-12)


def test_files_that_a_model_names_are_part_of_it(tmp_path: Path) -> None:
    text = "components:\n  tyre: {type: tyre, like: mine.yaml}\n"
    (tmp_path / "car.yaml").write_text(text)
    (tmp_path / "mine.yaml").write_text("like: older.yaml\n")
    (tmp_path / "older.yaml").write_text("unloaded_radius: 0.3\n")
    before = model_fingerprint(str(tmp_path / "car.yaml"))
    assert model_fingerprint(str(tmp_path / "car.yaml")) == before
    (tmp_path / "older.yaml").write_text("unloaded_radius: 0.31\n")
    assert model_fingerprint(str(tmp_path / "car.yaml")) != before


# -- failures -----------------------------------------------------------------------------------
def test_a_point_that_fails_is_told_and_the_others_are_kept(tmp_path: Path) -> None:
    found = swept({"rod.mass": [1.0, -1.0, 2.0]}, folder=tmp_path)
    (words,) = found.failures
    assert words == "rod.mass = -1 kg"
    assert "expected a value greater than 0" in found.failures[words]
    assert np.isnan(found["pin.angle.final"]).tolist() == [False, True, False]
    lines = found.to_csv(tmp_path / "table.csv").read_text().splitlines()
    assert lines[0].startswith("rod.mass [kg],energy.total.minimum [J],")
    assert lines[2].startswith("-1.0,,,,,,,parameter 'rod.mass' is -1.0 kg")
    assert float(lines[1].split(",")[1]) == found["energy.total.minimum"][0]
    content = json.loads(found.to_json(tmp_path / "table.json").read_text())
    assert content["points"][1]["findings"]["pin.angle.final"] is None
    assert content["points"][2]["findings"]["pin.angle.final"] == found["pin.angle.final"][2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="what is patched reaches forked processes only")
def test_a_process_that_dies_loses_its_point_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def deadly(plan: SweepPlan, point: SweepPoint) -> PointOutcome:
        if point.values["rod.mass"] == 1.5:
            os.kill(os.getpid(), signal.SIGKILL)
        return run_point(plan, point)

    monkeypatch.setattr(driver, "run_point", deadly)
    found = swept({"rod.mass": "1:2:5"})
    assert found.failures == {"rod.mass = 1.5 kg": "its process ended without a result (SIGKILL)"}
    assert np.isnan(found["pin.angle.final"]).sum() == 1


# -- manoeuvres ---------------------------------------------------------------------------------
def test_numbers_of_a_manoeuvre_vary_and_open_what_they_need() -> None:
    """Uphill the car loses g sin(slope) for each second, less what its wheels give back."""
    grid = {"manoeuvre.slope": [0.0, 0.05], "manoeuvre.speed": "36, 72 km/h"}
    found = at.sweep("bicycle-car", grid, "coasting", duration=1.0, outputs=["chassis.vx"])
    assert found.failures == {}
    share = 1500.0 / (1500.0 + 2 * 2.0 / 0.3**2)
    lost = found["manoeuvre.speed"] - found["chassis.vx.final"]
    expected = share * G * np.sin(found["manoeuvre.slope"])
    assert lost == pytest.approx(expected, rel=2e-3, abs=1e-6)


# -- wrong inputs -------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("grid", "says"),
    [
        ({}, "nothing varies"),
        ({"rod.mas": "1:2:3"}, "unknown parameter 'rod.mas' in pendulum; did you mean 'rod.mass'"),
        ({"stone.mass": "1,2"}, r"Names that end in mass: rod.mass; or give a place in its file"),
        ({"rod.mass": "1:2"}, "no range FIRST:LAST:COUNT"),
        ({"rod.mass": "1:2:0"}, "0 points; a range has two or more"),
        ({"rod.mass": "1:2:many"}, "'many' points"),
        ({"rod.mass": "1:two:3"}, "'two' is no number"),
        ({"rod.mass": "1,,2"}, "a value is missing"),
        ({"rod.mass": [1.0, "1 kg"]}, "the value 1.0 stands twice"),
        ({"rod.mass": []}, "a value is missing"),
        ({"rod.mass": [None]}, "expected numbers or texts, got None"),
        ({"rod.mass": "1,2 m"}, "is a length"),
        ({"rod.mass": [math.nan, 1.0]}, "nan"),
        ({"rod.mass": "1:2:1000", "gravity.z": "1:2:1000"}, "1000000 points; at most 100000"),
        ({"components.rd.mass": "1,2"}, "unknown key 'rd' in components; did you mean 'rod'"),
        ({"components.rod.mass.of": "1,2"}, "components.rod.mass is '1 kg' and has no keys"),
        ({"manoeuvre.speed": "1,2"}, "the model's own run is no manoeuvre"),
    ],
)
def test_what_cannot_be_swept_is_refused(grid: dict[str, Any], says: str) -> None:
    with pytest.raises(SweepError, match=says):
        swept(grid)


def test_a_number_that_the_manoeuvre_does_not_have_is_refused() -> None:
    with pytest.raises(
        SweepError, match="unknown number 'sped' in the Coasting; did you mean 'spee"
    ):
        at.sweep("bicycle-car", {"manoeuvre.sped": "1,2"}, "coasting")
    with pytest.raises(at.AxletreeError, match="unknown manoeuvre 'coastin'"):
        at.sweep("bicycle-car", {"body.mass": "1,2"}, "coastin")
    with pytest.raises(SweepError, match="0 workers"):
        at.sweep("pendulum", GRID, workers=0)
