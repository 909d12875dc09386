"""The names of the package: each leads to the object that its module defines."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import axletree
from axletree.catalogue import (
    BELTS,
    COMPONENTS,
    CONTACT_DYNAMICS,
    CONTACTS,
    LEVERS,
    NORMAL_FORCES,
    RIMS,
    ROLLING_RADII,
    SLIPS,
    TYRES,
)
from axletree.components.contract import Component
from axletree.components.fields import Part
from axletree.expr import symbol

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "name", [name for name in axletree.__all__ if name not in ("__version__", "TIME")]
)
def test_every_name_leads_to_an_object_of_that_name(name: str) -> None:
    assert getattr(axletree, name).__name__ == name


def test_time_is_the_symbol_that_expressions_of_time_are_written_in() -> None:
    assert symbol("time") == axletree.TIME


def test_every_component_of_the_catalogue_is_there() -> None:
    classes = [place.partition(":")[2] for place in COMPONENTS.values()]
    assert len(set(classes)) == len(COMPONENTS)
    assert all(issubclass(getattr(axletree, name), Component) for name in classes)


def test_every_part_of_a_tyre_is_there() -> None:
    moving = (RIMS, BELTS, CONTACT_DYNAMICS, LEVERS)
    sections = (CONTACTS, NORMAL_FORCES, SLIPS, ROLLING_RADII, TYRES, *moving)
    places = [place for section in sections for place in section.values()]
    classes = [place.partition(":")[2] for place in places]
    assert not set(classes) & {place.partition(":")[2] for place in COMPONENTS.values()}
    assert len(set(classes)) == len(places)
    assert all(issubclass(getattr(axletree, name), Part) for name in classes)


def tool(name: str) -> dict[str, Any]:
    """What a program of ``tools`` defines."""
    program = ROOT / "tools" / f"{name}.py"
    names: dict[str, Any] = {"__file__": str(program), "__name__": name}
    exec(compile(program.read_text(encoding="utf-8"), program, "exec"), names)
    return names


def test_every_dependency_has_a_lowest_version() -> None:
    """Those of extras with extras of their own too, as ``python-can[multicast]``."""
    found = tool("lowest_versions")["lowest_versions"]()
    assert {"numpy", "python-can", "gymnasium"} <= set(found)
    assert "mypy" not in found
    for name, version in found.items():
        assert re.fullmatch(r"[0-9]+(\.[0-9]+)*", version), name


def test_static_tools_see_the_same_names() -> None:
    """The stub beside the package is what ``tools/make_stub.py`` writes for its names."""
    expected = tool("make_stub")["stub_text"]()
    stub = Path(axletree.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    assert stub == expected, "python tools/make_stub.py writes it anew"


CHAIN = """
import axletree as at

reveal_type(at.read_model("sedan"))
reveal_type(at.read_model("sedan").formulate())
reveal_type(at.read_model("sedan").formulate().simulate("5 s", step=1e-3))
reveal_type(at.read_model("sedan").formulate().trim({"chassis.vx": 20.0}))
reveal_type(at.read_model("sedan").formulate().operations)
reveal_type(at.read_model("sedan").formulate().simulate("5 s")["chassis.vx"])
reveal_type(at.RigidBody("rod").mass)
reveal_type(at.TIME)
reveal_type(at.Model("own"))
reveal_type(at.__version__)
at.read_model("sedan").formulate().simulate(duration=[])
at.Revolut
"""
TYPES = [
    "axletree.model.model.Model",
    "axletree.system.system.System",
    "axletree.simulation.trajectory.Trajectory",
    "axletree.analysis.steady.result.Trim",
    "axletree.code.system_operations.Operations",
    "numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.float64]]",
    "float",
    "axletree.expr.expression.Expr",
    "axletree.model.model.Model",
    "str",
]


@pytest.mark.slow
def test_a_type_checker_follows_the_whole_flow(tmp_path: Path) -> None:
    (tmp_path / "chain.py").write_text(CHAIN, encoding="utf-8")
    settings = ["--config-file", str(ROOT / "pyproject.toml"), "--no-error-summary"]
    found = subprocess.run(
        [sys.executable, "-m", "mypy", *settings, str(tmp_path / "chain.py")],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    lines = [line.partition(".py:")[2].partition(": ")[2] for line in found.stdout.splitlines()]
    revealed = [line for line in lines if "Revealed type" in line]
    assert revealed == [f'note: Revealed type is "{text}"' for text in TYPES]
    errors = [line for line in lines if line.startswith("error")]
    assert len(errors) == 2, found.stdout
    assert "incompatible type" in errors[0]
    assert 'Module has no attribute "Revolut"' in errors[1]


def test_names_are_listed() -> None:
    assert {"Model", "RigidBody", "Revolute", "AxletreeError"} <= set(dir(axletree))


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(AttributeError, match="axletree has no attribute 'Revolut'"):
        axletree.Revolut  # noqa: B018
