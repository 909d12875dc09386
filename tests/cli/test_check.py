"""``axletree check`` of models by components: masses, places and loads against those by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from axletree.cli.app import EXIT_USER_ERROR, app


def checked(*arguments: str) -> tuple[str, dict[str, float]]:
    """What it prints, and the numbers by name."""
    result = CliRunner().invoke(app, ["check", *arguments])
    assert result.exit_code == 0, result.output
    rows = re.findall(r"^  (\S.*?) {2,}(\S+) \S+$", result.stdout, re.M)
    return result.stdout, {name: float(value) for name, value in rows}


def test_the_benchmark_bicycle_has_its_printed_masses() -> None:
    """Meijaard et al. 2007, table 1: rear wheel, rear frame with rider, fork, front wheel."""
    masses = {2.0: (0.0, 0.3), 85.0: (0.3, 0.9), 4.0: (0.9, 0.7), 3.0: (1.02, 0.35)}
    text, found = checked("whipple-bicycle")
    assert found["mass"] == pytest.approx(94.0)
    for axis, place in (("x", 0), ("z", 1)):
        moment = sum(mass * at[place] for mass, at in masses.items())
        assert found[f"{axis} of the centre of mass"] == pytest.approx(moment / 94.0, rel=1e-3)
    assert "manoeuvres: steer-pulse, lean-pulse" in text


def test_wheels_of_the_skidder_carry_it() -> None:
    _, found = checked("skidder")
    mass = 2 * 7280.0 + 4 * 557.0
    assert found["mass"] == pytest.approx(mass, rel=1e-3)
    loads = [value for name, value in found.items() if name.startswith("initial load of")]
    assert len(loads) == 4
    assert sum(loads) == pytest.approx(mass * 9.80665, rel=1e-3)


def test_a_picture_is_drawn_where_it_is_asked_for(tmp_path: Path) -> None:
    text, found = checked("motorcycle", "--picture", str(tmp_path / "motorcycle.png"))
    assert found["mass"] == pytest.approx(235 + 8 + 15 + 10 + 7 + 12)
    assert (tmp_path / "motorcycle.png").read_bytes().startswith(b"\x89PNG")
    assert f"picture: {tmp_path / 'motorcycle.png'}" in text
    circuit, numbers = checked("rlc-circuit", "--picture", str(tmp_path / "circuit.png"))
    assert "no picture: nothing in the model has a position" in circuit
    assert not numbers
    assert not (tmp_path / "circuit.png").exists()


def test_a_picture_of_another_kind_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["check", "pendulum", "--picture", str(tmp_path / "a.doc")])
    assert result.exit_code == EXIT_USER_ERROR
    assert "expected a name that ends in .svg, .png, .pdf" in result.output
