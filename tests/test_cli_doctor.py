"""``axletree doctor`` against the project file and the packages that are installed."""

from __future__ import annotations

import platform
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from axletree.cli import doctor
from axletree.cli.app import app

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]


@pytest.fixture
def report() -> str:
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 0, result.output
    return result.stdout


def distributions(requirements: list[str]) -> list[str]:
    return [re.split(r"[<>=!~;\[ ]", requirement)[0] for requirement in requirements]


def test_every_requirement_is_reported_with_its_version(report: str) -> None:
    assert sorted(doctor.REQUIRED) == sorted(distributions(PROJECT["dependencies"]))
    for distribution in doctor.REQUIRED:
        version = re.escape(metadata.version(distribution))
        assert re.search(rf"^{re.escape(distribution)} +{version}$", report, re.MULTILINE)


def test_every_extra_is_reported() -> None:
    extras = {
        name: distributions(needs) for name, needs in PROJECT["optional-dependencies"].items()
    }
    del extras["dev"]
    assert extras == {name: [needed] for name, (needed, _) in doctor.EXTRAS.items()}


def test_an_absent_extra_is_reported_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(doctor.EXTRAS, "cc", ("no-such-distribution", "a compiler"))
    result = CliRunner().invoke(app, ["doctor"])
    assert "absent; pip install 'axletree[cc]' adds a compiler" in result.stdout


def test_the_interpreter_is_reported(report: str) -> None:
    assert platform.python_version() in report
