"""``axletree linearise``: modes on one screen."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner, Result

from axletree.cli.app import EXIT_USER_ERROR, app


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["linearise", *arguments])


def test_the_modes_of_a_bicycle() -> None:
    result = invoke("whipple-bicycle", "--speed", "18 km/h")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "whipple_bicycle: 5 independent states"
    first = [line.split()[0] for line in lines[2:]]
    assert [float(word) for word in first] == pytest.approx(
        [0.0, -0.322866, -0.775342, -14.0784], rel=1e-5
    )
    assert "-0.775342 +- 4.46487i   0.7106 Hz    0.1711  steer.angle" in result.stdout


def test_coordinates_that_drift_are_shown_on_request() -> None:
    result = invoke("whipple-bicycle", "--speed", "5", "--drifting")
    assert result.stdout.startswith("whipple_bicycle: 10 independent states")
    assert "rear_frame.x" in result.stdout
    assert all(len(line.split()) >= 2 for line in result.stdout.splitlines()[2:])


def test_another_value_of_a_parameter() -> None:
    """A body of three times the mass on the same springs swings more slowly."""
    usual, heavy = (
        re.findall(r"([\d.]+) Hz", invoke("quarter-car", *more).stdout)
        for more in ((), ("--parameter", "body.mass=900 kg"))
    )
    assert float(heavy[0]) < 0.7 * float(usual[0])


def test_a_state_that_does_not_exist() -> None:
    result = invoke("pendulum", "--hold", "pin.speed=3")
    assert result.exit_code == EXIT_USER_ERROR
    assert "pin.speed" in result.stderr
