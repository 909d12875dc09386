"""``axletree doctor`` against the project file and the packages that are installed."""

from __future__ import annotations

import errno
import platform
import re
import shlex
import shutil
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from axletree.cli import doctor
from axletree.cli.app import app

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


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
    for for_contributors in ("dev", "docs", "cross-check"):
        del extras[for_contributors]
    first = {name: found[0] for name, found in extras.items()}
    assert first == {name: needed for name, (needed, _) in doctor.EXTRAS.items()}


def test_an_absent_extra_is_reported_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(doctor.EXTRAS, "cc", ("no-such-distribution", "a compiler"))
    result = CliRunner().invoke(app, ["doctor"])
    assert "absent; pip install 'axletree[cc]' adds a compiler" in result.stdout


def test_the_interpreter_is_reported(report: str) -> None:
    assert platform.python_version() in report


def test_a_compiler_that_works_passes_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("this machine has no C compiler")
    monkeypatch.setenv("AXLETREE_CC", compiler)
    result = CliRunner().invoke(app, ["doctor"])
    assert re.search(
        rf"^C compiler +{re.escape(compiler)}, found as \$AXLETREE_CC$", result.stdout, re.M
    )
    assert re.search(r"^compile test +passed", result.stdout, re.M)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("#!/bin/sh\necho cannot compile >&2; exit 1\n", "failed: cannot compile"),
        ("#!/bin/sh\nexit 0\n", "failed: what it made cannot be loaded"),
    ],
)
def test_a_compiler_that_does_not_work_is_found_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, message: str
) -> None:
    broken = tmp_path / "broken-cc"
    broken.write_text(script)
    broken.chmod(0o700)
    monkeypatch.setenv("AXLETREE_CC", shlex.quote(str(broken)))
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == doctor.EXIT_FAILED
    assert message in result.stdout
    assert "extra casadi" in result.stdout, "what comes after is still shown"


def test_a_compiler_that_is_not_there_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXLETREE_CC", "no-such-compiler")
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == doctor.EXIT_FAILED
    assert "there is no program 'no-such-compiler'" in result.stdout


def test_no_compiler_is_a_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AXLETREE_CC", "none")
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == 0
    assert "none: generated Python runs instead" in result.stdout
    assert "compile test" not in result.stdout


def test_the_cache_is_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path))
    (tmp_path / "some.so").write_bytes(bytes(2_500_000))
    result = CliRunner().invoke(app, ["doctor"])
    assert f"{tmp_path}: 2.5 MB" in result.stdout


def test_a_cache_that_cannot_be_written_is_found_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Full:
        def __init__(self, dir: Path) -> None:
            assert dir == tmp_path

        def __enter__(self) -> Full:
            return self

        def __exit__(self, *of: object) -> None:
            pass

        def write(self, content: bytes) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path))
    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", Full)
    result = CliRunner().invoke(app, ["doctor"])
    assert result.exit_code == doctor.EXIT_FAILED
    assert "nothing can be kept there: No space left on device" in result.stdout
