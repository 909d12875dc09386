"""``axletree studio``: what it begins with, and what it refuses."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from axletree.cli.app import EXIT_USER_ERROR, app


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sedam"], "neither a model file nor a name"),
        (["missing.yaml"], "there is no such file"),
        (["."], "write --folder . to work in it"),
        (["sedan", "--folder", "missing"], "missing is no folder"),
        (["sedan", "--port", "70000"], "port 70000 cannot be used"),
        (["--folder", "inner", "car.yaml"], "car.yaml is not in the folder inner"),
        (["binary.yaml"], "no text in UTF-8"),
    ],
)
def test_what_cannot_be_opened_is_told(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "car.yaml").write_text("base: sedan\n")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "inner").mkdir()
    result = CliRunner().invoke(app, ["studio", "--no-browser", *words])
    assert result.exit_code == EXIT_USER_ERROR, result.output
    assert said in result.stderr


def test_a_port_that_is_taken_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = CliRunner().invoke(app, ["studio", "--no-browser", "--port", port])
    assert result.exit_code == EXIT_USER_ERROR
    assert "try another --port" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_it_says_its_address_and_ends_when_it_is_told(ending: int, tmp_path: Path) -> None:
    """A name of the catalogue begins a file that is not written until it is saved."""
    command = [sys.executable, "-m", "axletree", "studio", "sedan", "--no-browser"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        line = started.stdout.readline()
        assert line.startswith("studio: http://127.0.0.1:")
        assert line.endswith("/#my-sedan.yaml\n")
        started.send_signal(ending)
        assert started.wait(60) == 0
    assert list(tmp_path.iterdir()) == []
