"""The way of a newcomer, as the page on one's own car shows it: every command of it, in order."""

from __future__ import annotations

import json
import re
import runpy
import shlex
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from axletree.catalogue import VEHICLES
from axletree.cli.app import app
from axletree.simulation.trajectory import Trajectory

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "tutorials" / "own-car.md").read_text(encoding="utf-8")


def commands() -> list[list[str]]:
    blocks = re.findall(r"^```sh\n(.*?)^```$", PAGE, re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("axletree ")]


def numbers(text: str) -> dict[tuple[str, str], float]:
    """By name and unit, of lines such as ``wheelbase  2.6 m``."""
    rows = re.findall(r"^ *([a-z][\w :]+?)  +(-?[\d.]+) (\S+)$", text, re.M)
    return {(name, unit): float(value) for name, value, unit in rows}


@pytest.mark.slow
def test_the_page_leads_from_a_description_to_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    maker = runpy.run_path(str(DOCS / "making" / "make_own_car_picture.py"))
    Path("car.yaml").write_text(maker["described"](), encoding="utf-8")
    said = {}
    for command in commands():
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, (command, result.output)
        said[command[0]] = result.stdout
    assert {"doctor", "check", "run", "compare", "sweep"} <= said.keys()
    shown, printed = numbers(PAGE), numbers(said["check"] + said["run"])
    assert len(shown) == 15
    assert {name: printed[name] for name in shown} == pytest.approx(shown, rel=1e-2)
    folder = Path("out/car/iso-7401-step")
    files = re.findall(r"`([\w.]+\.\w+)`", PAGE.partition("The folder `out")[2].partition("##")[0])
    assert set(files) <= {path.name for path in folder.iterdir()}
    assert (folder / "model" / "car.yaml").read_bytes() == Path("car.yaml").read_bytes()
    run = Trajectory.read(folder / "run.mat")
    rate, wheel = run["vehicle.yaw_rate"], run["driver.steering"]
    told = json.loads((folder / "metrics.json").read_text())["metrics"]["yaw_rate_gain"]["value"]
    assert told == pytest.approx(np.mean(rate[run.time >= 5.0]) / wheel[-1], rel=1e-3)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert f'<td>steady yaw rate gain</td><td class="number">{told:.6g}</td>' in page
    table = Path("out/car/sweep-step-steer-single-track/table.csv").read_text().splitlines()
    assert len(table) == 1 + 5
    assert Path("car.png").read_bytes().startswith(b"\x89PNG")


def test_every_vehicle_of_the_package_has_a_row_with_its_source() -> None:
    page = (DOCS / "how-to" / "vehicles.md").read_text()
    head = page.partition("\n## ")[0]  # the table of the package comes first
    sources = dict(re.findall(r"^\| `([\w-]+)` \|.* \| (.+) \|$", head, re.M))
    assert sources.keys() == VEHICLES.keys()
    assert all("generic" in text or re.search(r"\d{4}", text) for text in sources.values())
