"""What ``axletree run`` leaves: equal records in all files, and what they follow from."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from typer.testing import CliRunner, Result

import axletree as at
from axletree import __version__
from axletree.catalogue import TRAJECTORY_FILES
from axletree.cli import run as run_results
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.core.errors import FullDiskError
from axletree.core.files import whole_folder
from axletree.reports import run_report
from axletree.reports.animation import animation
from axletree.simulation.formats import contract
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

SHORT = ("run", "pendulum", "--duration", "0.2", "--output", "energy.total")


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def told(folder: Path, *options: str) -> dict[str, Any]:
    """What a run writes of itself."""
    result = invoke(*SHORT, *options, "--out", folder)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
    return found


def test_every_kind_of_file_has_the_same_records(tmp_path: Path) -> None:
    told(tmp_path, "--format", "mdf4", "--format", "parquet,mat, csv")
    files = sorted(tmp_path.glob("run.*"))
    assert len(files) == len(TRAJECTORY_FILES)
    first, *others = [Trajectory.read(file) for file in files]
    assert first.units == {"pin.rate": "rad/s", "pin.angle": "rad", "energy.total": "J"}
    for run in others:
        assert run.units == first.units
        np.testing.assert_array_equal(run.time, first.time)
        for name in first.names:
            np.testing.assert_array_equal(run[name], first[name])
    told(tmp_path)  # none of the run before stays
    assert sorted(file.suffix for file in tmp_path.glob("run.*")) == [".csv", ".npz"]


def test_a_long_run_is_no_text_unless_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        run_results, "SHORT_TABLE", 100
    )  # values; 201 records of 4 columns have more
    told(tmp_path, "--no-report")
    assert sorted(file.name for file in tmp_path.glob("*.*")) == ["metrics.json", "run.npz"]
    told(tmp_path, "--no-report", "--format", "csv")
    assert sorted(file.suffix for file in tmp_path.glob("run.*")) == [".csv", ".npz"]


def test_without_a_report_none_of_an_earlier_run_stays(tmp_path: Path) -> None:
    told(tmp_path)
    assert (tmp_path / run_results._REPORT).is_file()
    told(tmp_path, "--no-report")
    assert not (tmp_path / run_results._REPORT).exists()


def test_names_of_files_are_those_of_the_report_and_the_animation() -> None:
    assert (run_results._REPORT, run_results._PICTURES) == (run_report.REPORT, run_report.PICTURES)
    assert run_results._PAGE == animation.PAGE


def test_results_are_told_before_the_report_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    monkeypatch.setattr(
        run_report, "write_report", lambda *_, **__: shown.append(capsys.readouterr().out)
    )
    main = typer.main.get_command(app)
    main.main([*SHORT, "--audit", "--out", str(tmp_path)], standalone_mode=False)
    assert "201 records of 3 quantities" in shown[0]
    assert "energy" in shown[0]
    assert "results:" not in shown[0]


def test_a_run_says_what_it_follows_from(tmp_path: Path) -> None:
    one, again = told(tmp_path / "one"), told(tmp_path / "again")
    assert one == again
    assert (one["manoeuvre"], one["complete"], one["metrics"]) == (None, True, {})
    assert one["versions"]["axletree"] == __version__
    assert {"numpy", "scipy", "python", "compiler", "machine"} <= one["versions"].keys()
    assert (tmp_path / "one" / "model" / "pendulum.yaml").is_file()
    heavy = told(tmp_path / "heavy", "--parameter", "rod.mass=2 kg")
    assert heavy["settings"]["parameters"] == {"rod.mass": 2.0}
    assert heavy["sha256"] != one["sha256"]
    assert heavy["model"] == one["model"]


def test_inputs_are_told_as_expressions_of_time(tmp_path: Path) -> None:
    result = invoke(
        "run", "bicycle-car", "coasting", "--duration", "0.1", "--output", "drive.torque",
        "--input", "drive.torque=20*sin(3*t)", "--out", tmp_path,
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    inputs = json.loads((tmp_path / "metrics.json").read_text())["inputs"]
    assert inputs["drive.torque"].replace(" ", "") == "20*sin(3*time)"


def test_a_missing_package_is_told_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contract, "find_spec", lambda _: None)
    monkeypatch.setattr(System, "simulate", lambda *_, **__: pytest.fail("the run was begun"))
    result = invoke(*SHORT, "--format", "mdf4", "--out", tmp_path)
    assert result.exit_code == EXIT_USER_ERROR
    assert "MDF4 files need the package asammdf, which is not installed" in result.output
    assert "pip install 'axletree[mdf]'" in result.output
    assert not list(tmp_path.iterdir())


def refuse_writing(monkeypatch: pytest.MonkeyPatch, folders: list[Path]) -> None:
    """No byte goes into files within some folders: their disk is full."""
    opened = Path.open

    def open_unless_full(self: Path, mode: str = "r", *others: Any, **named: Any) -> Any:
        if "w" in mode and any(folder in self.parents for folder in folders):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return opened(self, mode, *others, **named)

    monkeypatch.setattr(Path, "open", open_unless_full)


def test_a_run_on_a_full_disk_is_written_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full, free = tmp_path / "full", tmp_path / "free"
    for folder in (full, free):
        folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(free))
    refuse_writing(monkeypatch, [full])
    result = invoke(*SHORT, "--out", full / "run")
    assert result.exit_code == EXIT_USER_ERROR
    (written,) = free.iterdir()
    assert f"its disk is full; the results are in {written} instead" in result.output
    assert {"run.csv", "run.npz", "report.html"} <= {path.name for path in written.iterdir()}
    assert list(full.iterdir()) in ([], [full / "run"])


def test_a_run_that_no_disk_takes_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    refuse_writing(monkeypatch, [tmp_path])
    result = invoke(*SHORT, "--out", tmp_path / "run")
    assert result.exit_code == EXIT_USER_ERROR
    assert "no other folder takes the results" in result.output
    run = at.read_model("pendulum").formulate().simulate(0.1, step=0.1, outputs=[])
    says = f"No space left on device; there is space in {tmp_path}; the records are still in memory"
    with pytest.raises(FullDiskError, match=re.escape(says)):
        run.to_csv(tmp_path / "run.csv")


@pytest.mark.slow
@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
def test_who_is_stopped_while_results_are_written_keeps_the_earlier_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    folder = tmp_path / "results"
    told(folder, "--format", "mdf4")
    (folder / "notes.txt").write_text("mine")
    (folder / "model" / "notes.txt").write_text("mine, too")
    before = contents(folder)

    def stopped(*_: Any, **__: Any) -> None:
        raise stop

    with monkeypatch.context() as patched:
        patched.setattr(run_report, "write_report", stopped)  # after tables and metrics
        assert invoke(*SHORT, "--duration", "0.1", "--out", folder).exit_code != 0
    assert contents(folder) == before
    assert list(tmp_path.iterdir()) == [folder]
    told(folder)
    after = contents(folder)
    assert before.keys() - after.keys() == {"run.mf4"}
    assert after["notes.txt"] == b"mine"
    assert list(tmp_path.iterdir()) == [folder]


def contents(folder: Path) -> dict[str, bytes]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


@pytest.mark.parametrize(
    ("number", "end"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]
)
def test_what_ends_a_program_while_files_are_moved_waits_for_the_last(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
    end: type[BaseException],
) -> None:
    moved = os.replace

    def interrupted(source: Path, target: str) -> None:
        moved(source, target)
        signal.raise_signal(number)

    monkeypatch.setattr(os, "replace", interrupted)
    with ExitStack() as stack:
        made = stack.enter_context(whole_folder(tmp_path / "results"))
        for name in "ab":
            (made / name).write_text(name)
        with pytest.raises(end):
            stack.close()
    assert contents(tmp_path) == {"results/a": b"a", "results/b": b"b"}


def test_a_program_that_is_terminated_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as end, whole_folder(tmp_path / "results"):
        signal.raise_signal(signal.SIGTERM)
    assert end.value.code == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
