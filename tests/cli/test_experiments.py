"""``axletree monte-carlo``, ``sobol`` and ``optimise``: pages, tables, exit codes, mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from analysis.experiments.quarter_car import write_quarter_car
from typer.testing import CliRunner, Result

from axletree.cli.app import app
from axletree.code.backends.c import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="goes by lanes, which are compiled")
SHORT = ("--duration", "0.2", "--of", "way.position.rms", "--of", "way.speed.final")


def invoke(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(one) for one in arguments])


def test_tolerances_leave_a_page_and_tables(tmp_path: Path) -> None:
    car, out = write_quarter_car(tmp_path), tmp_path / "out"
    command = ("monte-carlo", car, "-p", "strut.damping=uniform(1,3 kN*s/m)", "-p",
               "strut.stiffness=normal(18,1 kN/m)", "-n", "32", *SHORT, "--out", out)  # fmt: skip
    told = invoke(*command, "--pictures")
    assert told.exit_code == 0, told.output
    assert "way.position.rms  m" in told.output
    assert "side by side in lanes" in told.output
    page = (out / "report.html").read_text()
    for words in ("Distributions", "What makes them differ", "strut.stiffness", "latin-hypercube"):
        assert words in page
    assert len((out / "table.csv").read_text().splitlines()) == 33
    metrics = json.loads((out / "metrics.json").read_text())
    assert "way.position.rms.p95" in json.dumps(metrics)
    for name in ("statistics.csv", "histograms.png", "scatter.png", "blocks"):
        assert (out / name).exists()
    assert invoke(*command, "--no-report").exit_code == 0


def test_shares_of_variance_leave_a_page(tmp_path: Path) -> None:
    car, out = write_quarter_car(tmp_path), tmp_path / "out"
    drawn = ("-p", "strut.damping=uniform(1,3 kN*s/m)", "-p", "strut.stiffness=normal(18,1 kN/m)")
    told = invoke("sobol", car, *drawn, "--count", "64", *SHORT, "--out", out)
    assert told.exit_code == 0, told.output
    assert "256 cars" in told.output
    assert "Total indices" in (out / "report.html").read_text()
    assert "finding,quantity,first order" in (out / "indices.csv").read_text()


def test_an_optimum_leaves_a_page_with_its_front(tmp_path: Path) -> None:
    pytest.importorskip("pymoo")
    car, out = write_quarter_car(tmp_path), tmp_path / "out"
    told = invoke("optimise", car, "-p", "strut.damping=1:6 kN*s/m", "-p",
                  "strut.stiffness=15:20 kN/m", "-g", "way.position.rms", "-g", "-way.speed.final",
                  "-l", "way.position.final <= 0.2", "--cars", "64", "--population", "16",
                  "--duration", "0.2", "--out", out, "--pictures")  # fmt: skip
    assert told.exit_code == 0, told.output
    assert "compromise" in told.output
    page = (out / "report.html").read_text()
    for words in ("Pareto front", "Limit: way.position.final", "Bounds"):
        assert words in page
    for name in ("front.csv", "front.png", "quantities.png", "search.png", "table.csv"):
        assert (out / name).exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["monte-carlo", "pendulum"], "nothing varies"),
        (["monte-carlo", "pendulum", "-p", "rod.mass"], "expected NAME=VALUE"),
        (["monte-carlo", "pendulum", "-p", "rod.mass=1:2"], "expected a distribution"),
        (["sobol", "pendulum", "-p", "rod.mass=normal(1,.1)", "--count", "3"], "a power of two"),
        (["optimise", "pendulum", "-p", "rod.mass=1:2"], "nothing is made small"),
        (["optimise", "pendulum", "-p", "rod.mass=1:2", "-g", "a", "-w", "1", "-w", "2"],
         "2 weights for 1 goals"),
        (["sweep", "pendulum", "-p", "rod.mass=1,2", "--scheduler", "nowhere"],
         "no scheduler answers"),
    ],
)  # fmt: skip
def test_a_mistake_is_a_message(arguments: list[str], says: str, tmp_path: Path) -> None:
    if "--scheduler" in arguments:
        pytest.importorskip("distributed")
    told = invoke(*arguments, "--out", tmp_path / "out")
    assert told.exit_code == 2
    assert says in told.output
    assert "Traceback" not in told.output
