"""The choices of tree and of solved form on the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from typer.testing import CliRunner, Result

from axletree.catalogue import FORMS
from axletree.cli.app import EXIT_USER_ERROR, app
from axletree.simulation.trajectory import Trajectory


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_a_tree_per_domain_gives_the_variables_of_both() -> None:
    trees = ("--tree", "translation=rod", "--tree", "rotation=pin")
    result = invoke("derive", "pendulum", *trees, "--equations-only")
    assert result.exit_code == 0, result.output
    assert "d(rod.x)/dt = rod.vx" in result.stdout
    assert "d(pin.angle)/dt = pin.rate" in result.stdout


def test_an_unknown_domain_is_named() -> None:
    result = invoke("derive", "pendulum", "--tree", "rotaton=pin", "--tree", "translation=pin")
    assert result.exit_code == EXIT_USER_ERROR
    assert "no 'rotaton' domain" in result.output


@pytest.mark.sampled(2)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_runs_the_slider_crank_alike(form: str, tmp_path: Path) -> None:
    settings = ("--duration", "0.2", "--step", "1e-4", "--output", "energy.total")
    result = invoke("run", "slider-crank", "--form", form, *settings, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    run = Trajectory.read(tmp_path / "run.npz")
    other = shipped_system("slider-crank").simulate(0.2, step=1e-4, outputs=[])
    assert np.abs(run["shaft.angle"] - other["shaft.angle"]).max() < 1e-8


def test_an_unknown_form_is_refused_with_the_list() -> None:
    result = invoke("run", "slider-crank", "--form", "baumgart")
    assert result.exit_code == EXIT_USER_ERROR
    assert "did you mean 'baumgarte'" in result.output


def test_forms_are_listed() -> None:
    result = invoke("list", "forms")
    assert result.exit_code == 0
    assert all(name in result.stdout for name in FORMS)
