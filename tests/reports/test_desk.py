"""``at.check``, ``at.compare`` and ``run.report``: in Python what the commands do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import axletree as at
from axletree.analysis.drive import drive_start
from axletree.cli.app import app
from axletree.reports.run_report import write_report
from axletree.simulation.recomputed_outputs import RunFacts


def test_a_check_is_what_the_command_prints() -> None:
    printed = CliRunner().invoke(app, ["check", "compact-car"]).output
    checked = at.check("compact-car")
    assert repr(checked) == printed.rstrip("\n")
    assert checked["mass"] == pytest.approx(sum(i.mass for i in _inertias("compact-car")), rel=1e-9)
    with pytest.raises(at.AxletreeError, match="did you mean 'mass'"):
        checked["masss"]


def _inertias(name: str) -> list[at.RigidBody]:
    return [one for one in at.read_model(name) if hasattr(one, "mass")]


def test_a_model_is_checked_as_its_file_is() -> None:
    assert repr(at.check(at.read_model("pendulum"))) == repr(at.check("pendulum"))


def test_what_the_command_takes_a_name_for_python_does(tmp_path: Path) -> None:
    """A name or a file, or the model that it is read as, with the same results."""
    linear, planar = tmp_path / "linear.yaml", tmp_path / "planar.yaml"
    linear.write_text("base: sedan\nvehicle: {fidelity: linear}\n", encoding="utf-8")
    planar.write_text("base: sedan\nvehicle: {fidelity: single-track}\n", encoding="utf-8")
    pairs: list[tuple[Callable[[Any], object], str | Path]] = [
        (lambda of: at.trim(of, speed=20.0, lateral_acceleration=2.0).states, planar),
        (lambda of: [one.value for one in at.cornering_curve(of, 20.0).findings][:2], planar),
        (lambda of: [one.eigenvalue for one in at.vehicle_modes(of, 20.0)], linear),
        (lambda of: at.vehicle_locus(of, [10.0, 20.0]).names, str(linear)),
        (lambda of: at.steer_responses(of, 20.0, [1.0, 2.0])[0].yaw_gain, str(linear)),
        (lambda of: at.write_fmu(of, tmp_path / "a.fmu", platforms=()).read_bytes(), "pendulum"),
    ]
    for ask, source in pairs:
        assert ask(source) == ask(at.read_model(source))
    with pytest.raises(at.AxletreeError, match="did you mean 'sedan'"):
        at.vehicle_modes("sedn", 20.0)


def test_a_run_is_held_against_the_file_of_a_measurement(tmp_path: Path) -> None:
    run = at.read_model("pendulum").formulate().simulate(1.0, step=0.01, watch=False)
    path = run.to_csv(tmp_path / "measured.csv")
    one, other = at.agreement(run, str(path)), at.agreement(run, at.read_measurement(path))
    assert repr(one) == repr(other)


def test_runs_are_compared(tmp_path: Path) -> None:
    pendulum = at.read_model("pendulum").formulate()
    runs = {f"{h} s": pendulum.simulate(1.0, step=h, watch=False) for h in (0.1, 0.01)}
    found = at.compare(runs, ["pin.angle"], tolerance="1 %")
    assert "pin.angle" in repr(found)
    assert found._repr_html_().startswith("<")
    assert found.report(tmp_path / "page.html").stat().st_size > 10_000
    with pytest.raises(at.AxletreeError, match="one run alone"):
        at.compare({"a": runs["0.1 s"]})
    with pytest.raises(at.AxletreeError, match="expected a mapping by name"):
        at.compare(list(runs.values()))  # type: ignore[arg-type]
    with pytest.raises(at.AxletreeError, match=r"pin\.angel"):
        at.compare(runs, ["pin.angel"])


def test_a_run_of_a_model_writes_its_report(tmp_path: Path) -> None:
    model = at.read_model("bicycle-car")
    run = model.drive("step-steer", parameters={"body.mass": "1.4 t"})
    page = run.report(tmp_path / "results")
    system, step = model.formulate(), model.manoeuvres["step-steer"]
    start = drive_start(system, step, {"body.mass": 1400.0})
    facts = RunFacts(start.inputs, {"body.mass": 1400.0})
    other = write_report(system, model, run, tmp_path, facts=facts, manoeuvre=step)
    assert page.read_text(encoding="utf-8") == other.read_text(encoding="utf-8")
    with pytest.raises(at.AxletreeError, match="not driven by a model"):
        system.drive(model.manoeuvres["coasting"], step="10 ms").report(tmp_path)
