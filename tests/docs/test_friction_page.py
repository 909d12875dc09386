"""The page on friction: every effect has its row, and its own effect is one file and one line."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import axletree as at
from axletree import catalogue
from axletree.core.registry import load
from axletree.model_files.schema import model_schema

PAGE = Path(__file__).parent.parent.parent / "docs" / "theory" / "friction.md"
SECTIONS = (
    "FRICTION_SLIPS",
    "ROLLING_RESISTANCES",
    "BORE_TORQUES",
    "CAMBER_EFFECTS",
    "LOAD_INFLUENCES",
    "OVERTURNING_TORQUES",
    "ALIGNING_TORQUES",
)
MODEL = """
ground: {frames: {axle: [0, 0, 0.29]}}  # 10 mm less than the tyre's radius: a load of 1 kN
components:
  cart: {type: rigid-body, mass: 400 kg, inertia: [1, 1, 1]}
  rail: {type: prismatic, tail: ground.axle, head: cart, axis: x}
  wheel:
    {type: body-of-revolution, mass: 28 kg, axial_inertia: 1.56, transverse_inertia: 0.78, axis: y}
  axle: {type: revolute, tail: cart, head: wheel, axis: y}
  tyre:
    type: tyre
    joint: axle
    road: ground
    unloaded_radius: 0.3
    normal_force: {type: linear, stiffness: 100 kN/m}
    law: {type: composed, slip: dry, rolling_resistance: {type: quadratic, growth: 4e-6}}
"""


def text() -> str:
    return PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("title", SECTIONS)
def test_it_has_every_effect(title: str) -> None:
    """A row for each, in the order and words of the catalogue."""
    section = getattr(catalogue, title)
    rows = re.findall(r"^\| `([^`]+)`(?: \(default\))? \| `(\w+)` \| (.+) \|$", text(), re.M)
    kinds = {name: load("effect", name, section) for name in section}
    expected = [(name, kind.__name__, kind.summary) for name, kind in kinds.items()]
    assert [row for row in rows if row in expected] == expected


def test_an_effect_of_ones_own_is_one_file_and_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file and the line as the page has them, the file under another package."""
    file = re.search(r"^```python\n(from dataclasses.*?)^```$", text(), re.M | re.S)
    line = re.search(r'^    "(quadratic)": "[\w.]+:(\w+)",$', text(), re.M)
    assert file is not None
    assert line is not None
    (tmp_path / "own_effect.py").write_text(file[1])
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own_effect", raising=False)
    monkeypatch.setitem(catalogue.ROLLING_RESISTANCES, line[1], f"own_effect:{line[2]}")

    path = tmp_path / "cart.yaml"
    path.write_text(MODEL)
    model = at.read_model(path)
    assert model["tyre"].law.rolling_resistance.growth == 4e-6
    assert "ROLLING_RESISTANCES.quadratic" in model_schema()["$defs"]
    at.write_model(model, tmp_path / "again.yaml")
    assert at.read_model(tmp_path / "again.yaml")["tyre"].law == model["tyre"].law

    system = model.formulate()
    assert "tyre.law.rolling_resistance.growth" in {q.name for q in system.parameters}
    start = {"rail.speed": 30.0, "axle.rate": 30.0 / 0.29}
    run = system.simulate(0.01, step=1e-3, initial=start, outputs=["tyre.My"])
    assert run["tyre.My"][0] == pytest.approx(-(0.01 + 4e-6 * 30.0**2) * 1000.0 * 0.3)
