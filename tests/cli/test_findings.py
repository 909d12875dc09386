"""``axletree run`` tells what a manoeuvre is driven for, and records what that takes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from axletree.cli.app import app
from axletree.simulation.trajectory import Trajectory

SLEDGE = """\
gravity: [0, 0, -10]
components:
  sledge: {type: rigid-body, mass: 10 kg, inertia: [1, 1, 1]}
  track: {type: prismatic, tail: ground, head: sledge, axis: x}
  drag: {type: slide-spring-damper, joint: track, damping: 20 N*s/m}
  push: {type: joint-force, joint: track}
run: {duration: 1 s, step: 1 ms, outputs: []}
manoeuvres:
  climb:
    {type: hill-climb, slope: 30 deg, speed: 2 m/s, forward: track.speed, drives: push.force,
     drive: 50, rise: 1 s, slopes: [sledge.rotation.13], duration: 10 s}
  pull:
    {type: drawbar-pull, speed: 1 m/s, forward: track.speed, driven_by: push.force,
     loads: push.force, force: 0}
"""


def test_a_hill_climb_tells_its_slope(tmp_path: Path) -> None:
    """50 N hold 10 kg on 30 degrees: it comes to rest, and does not advance."""
    path = tmp_path / "sledge.yaml"
    path.write_text(SLEDGE.partition("  pull:")[0], encoding="utf-8")
    result = CliRunner().invoke(app, ["run", str(path), "climb", "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    told = re.compile("steepest|maximum distance|time of")
    lines = [line for line in result.stdout.splitlines() if told.match(line)]
    slope, way, immobile = (re.findall(r"(\S+) (rad|m|s)$", line)[0] for line in lines)
    assert slope == ("0.5236", "rad")
    assert float(way[0]) > 0.1
    assert immobile[1] == "s"
    run = Trajectory.read(tmp_path / "out" / "run.npz")
    assert "sledge.rotation.13" in run
    assert run["track.speed"][-1] == pytest.approx(0.0, abs=1e-6)


def test_what_a_step_costs_and_how_well_it_is_solved_is_told(tmp_path: Path) -> None:
    braked = (
        SLEDGE.partition("run:")[0]
        + """\
  disc: {type: rigid-body, mass: 1 kg, inertia: [1, 1, 1]}
  axle: {type: revolute, tail: sledge, head: disc, axis: y}
  brake: {type: friction-brake, joint: axle, torque: 2}
run: {duration: 1 s, step: 10 ms, outputs: [], method: complementarity-sweeps}
"""
    )
    path = tmp_path / "sledge.yaml"
    path.write_text(braked, encoding="utf-8")
    result = CliRunner().invoke(app, ["run", str(path), "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    assert re.search(r"^100 steps, [0-9.]+ us per step on average$", result.stdout, re.M)
    # Nothing turns: the first sweep has the whole answer.
    line = "residual of the set-valued forces: 0.0e+00 at most, at t = 0 s"
    assert line in result.stdout.splitlines()
    assert "residual of set-valued forces" in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_an_input_is_told_one_thing(tmp_path: Path) -> None:
    path = tmp_path / "sledge.yaml"
    path.write_text(SLEDGE, encoding="utf-8")
    result = CliRunner().invoke(app, ["run", str(path), "climb", "--out", str(tmp_path / "out")])
    assert result.exit_code != 0
    assert "two signals are given for the input push.force" in result.output
