"""``axletree list`` against the catalogue itself."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from axletree import catalogue
from axletree.cli.app import app
from axletree.cli.model_files import Kind


def listed(*arguments: str) -> list[str]:
    result = CliRunner().invoke(app, ["list", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_every_section_of_the_catalogue_is_shown() -> None:
    sections = {name for name, value in vars(catalogue).items() if isinstance(value, dict)}
    assert {kind.name for kind in Kind} == {name for name in sections if name.isupper()}
    assert [line for line in listed() if line.endswith(":")] == [f"{kind}:" for kind in Kind]


@pytest.mark.parametrize("kind", list(Kind))
def test_every_entry_has_a_line_with_a_description(kind: Kind) -> None:
    title, *lines = listed(kind.value)
    assert title == f"{kind}:"
    assert [line.split()[0] for line in lines] == list(getattr(catalogue, kind.name))
    assert all(len(line.split()) > 1 for line in lines)


def test_an_unknown_section_is_refused() -> None:
    result = CliRunner().invoke(app, ["list", "bodies"])
    assert result.exit_code == 2
    assert "components" in result.stderr
