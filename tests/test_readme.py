"""The README says only what is so: its Python runs, and its make targets and commands exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from axletree import catalogue
from axletree.cli.app import COMMANDS
from axletree.model_files.read import read_model

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SAMPLES = [text for language, text in BLOCKS if language == "python"]


@pytest.mark.parametrize("number", range(len(SAMPLES)))
def test_the_python_of_the_readme_runs(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "readme"}
    exec(compile(SAMPLES[number], "README.md", "exec"), names)
    assert {"at", "system"} & set(names)


@pytest.mark.parametrize("text", [text for language, text in BLOCKS if language == "yaml"])
def test_its_files_are_read(text: str, tmp_path: Path) -> None:
    path = tmp_path / "car.yaml"
    path.write_text(text, encoding="utf-8")
    model = read_model(path)
    assert len(model.components) > 1
    driven = re.findall(r"^axletree run car\.yaml (\S+)", README, re.MULTILINE)
    assert driven
    assert "vehicle" not in model.described or set(driven) <= set(model.manoeuvres)


def test_the_readme_has_a_sample() -> None:
    assert SAMPLES


def test_the_make_targets_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    mentioned = set(re.findall(r"\bmake (\w+)", README)) - {"and", "or"}
    assert {"demo", "test"} <= mentioned <= targets


def test_the_commands_exist() -> None:
    mentioned = set(re.findall(r"(?:^|`)axletree ([a-z]+(?:-[a-z]+)*)", README, re.MULTILINE))
    assert mentioned <= set(COMMANDS)
    assert "doctor" in mentioned


def test_the_links_lead_somewhere() -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", README)
    assert [target for target in targets if not (ROOT / target).exists()] == []


def test_it_counts_as_the_catalogue_does() -> None:
    told = {
        f"{len(catalogue.TYRES)} [tyre laws]",
        f"{len(catalogue.MANOEUVRES)} kinds of [manoeuvres]",
        f"{len(catalogue.SOILS) - 1} soils",  # the last is made of one's own numbers
    }
    assert [text for text in told if text not in README] == []
    assert (len(catalogue.VEHICLES), "[Twenty-five vehicles]" in README) == (25, True)
