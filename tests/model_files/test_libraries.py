"""Files of folders that the user names, by ``$AXLETREE_PATH`` or ``--library``; no others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from typer.testing import CliRunner

import axletree as at
from axletree.catalogue import MODELS
from axletree.cli.app import app
from axletree.components.file_entries import LIBRARIES
from axletree.core.errors import ModelError
from axletree.core.yaml_document import resource
from axletree.model_files.included_files import _named_files, source_files

CAR = "name: mine\nbase: {}\n"
BASE = "base: sedan\nvehicle: {fidelity: linear, body: {mass: 1234}}\n"


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(LIBRARIES, "")
    for name in ("cars", "library", "secret"):
        (tmp_path / name).mkdir()
    (tmp_path / "library" / "light.yaml").write_text(BASE, encoding="utf-8")
    (tmp_path / "secret" / "light.yaml").write_text(BASE, encoding="utf-8")
    return tmp_path


def car(folders: Path, base: str) -> Path:
    path = folders / "cars" / "car.yaml"
    path.write_text(CAR.format(base), encoding="utf-8")
    return path


def mass(path: Path) -> float:
    return float(at.read_model(path).described["vehicle"].body.mass)


@pytest.mark.parametrize("absolute", [False, True])
def test_a_library_is_read_where_the_user_names_it(
    folders: Path, absolute: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = car(folders, f"{folders / 'library'}/light.yaml" if absolute else "light.yaml")
    with pytest.raises(ModelError, match="outside the folder|no such file"):
        at.read_model(path)
    monkeypatch.setenv(LIBRARIES, str(folders / "library"))
    assert mass(path) == 1234.0
    assert list(source_files(path))[:2] == ["car.yaml", "library/light.yaml"]


@pytest.mark.parametrize("missing", ["{}/no", "~nobody-at-all/no", "{}/cars/car.yaml"])
def test_a_library_that_is_not_there_is_warned_of(
    folders: Path, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once; the others are read all the same."""
    path, missing = car(folders, "light.yaml"), missing.format(folders)
    monkeypatch.setenv(LIBRARIES, os.pathsep.join([missing, str(folders / "library")]))
    with pytest.warns(UserWarning, match=rf"^\$AXLETREE_PATH names {missing}, where there is no"):
        assert mass(path) == 1234.0
    assert mass(path) == 1234.0
    monkeypatch.setenv(LIBRARIES, missing)
    with (
        pytest.warns(UserWarning, match="where there is no folder"),
        pytest.raises(ModelError, match="no such file"),
    ):
        at.read_model(path)


def test_what_is_beside_the_model_goes_before_a_library(
    folders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIBRARIES, str(folders / "library"))
    (folders / "cars" / "light.yaml").write_text(BASE.replace("1234", "999"), encoding="utf-8")
    assert mass(car(folders, "light.yaml")) == 999.0


@pytest.mark.parametrize("base", ["../secret/light.yaml", "{}/secret/light.yaml", "link.yaml"])
def test_a_model_reads_nowhere_else(
    folders: Path, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LIBRARIES, str(folders / "library"))
    (folders / "library" / "link.yaml").symlink_to(folders / "secret" / "light.yaml")
    with pytest.raises(ModelError, match=r"outside the folder|no such file"):
        at.read_model(car(folders, base.format(folders)))


def test_an_option_names_a_library_for_any_command(folders: Path) -> None:
    path, option = str(car(folders, "light.yaml")), ["--library", str(folders / "library")]
    for arguments in ([*option, "check", path], ["check", path, *option]):
        os.environ[LIBRARIES] = ""
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
    os.environ[LIBRARIES] = ""
    assert CliRunner().invoke(app, ["check", path]).exit_code == 2


def test_a_library_that_is_not_there_is_named(folders: Path) -> None:
    result = CliRunner().invoke(app, ["check", "sedan", "--library", str(folders / "nowhere")])
    assert result.exit_code == 2
    assert "there is no folder" in result.output
    assert "needs a folder" in CliRunner().invoke(app, ["check", "sedan", "--library"]).output


@pytest.mark.parametrize("name", MODELS)
def test_a_model_of_the_package_names_its_base_and_no_other_file(name: str) -> None:
    """What ``source_files`` reads off its lines is what the whole document says."""
    named, found = [name], []
    while named:
        file = resource(MODELS[named.pop()])
        found.append(file.name)
        document = YAML(typ="safe", pure=True).load(file.read_text(encoding="utf-8"))
        named += [word for word in _named_files(document) if word in MODELS]
    assert list(source_files(name)) == found
