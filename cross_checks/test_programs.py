"""Axletree against four other programs; ``make cross-check`` installs and runs them.

What is not installed is skipped and named. The page ``docs/reference/cross-checks.md`` is written
from what these find.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import version
from random import Random

import numpy as np
import pytest
import trees
from agreement import Agrees
from constrained import disc_by_axletree, disc_by_exudyn, loop_by_axletree, loop_by_exudyn

# What is imported, what is installed, what is asked.
PROGRAMS = {
    "Pinocchio": ("pinocchio", "pin", trees.by_pinocchio),
    "MuJoCo": ("mujoco", "mujoco", trees.by_mujoco),
    "Drake": ("pydrake", "drake", trees.by_drake),
}
TREES: dict[str, Callable[[], Sequence[trees.Link]]] = {
    "chain of five bodies with axes of any direction": lambda: trees.chain(5, Random(11)),
    "multibody part of the car of Morency 2007": lambda: trees.car(0.1),
    "multibody part of the skidder of Morency 2007": trees.skidder,
}
STATES = 5


def named_version(package: str) -> str:
    return ".".join(version(package).split(".")[:2])


@pytest.mark.validation("mechanisms")
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("tree", TREES)
def test_rates_of_speeds(tree: str, program: str, agrees: Agrees) -> None:
    module, package, ask = PROGRAMS[program]
    pytest.importorskip(module, reason=f"{program} is not installed")
    links, random = TREES[tree](), Random(5)
    states = [trees.random_state(links, random) for _ in range(STATES)]
    found = np.array([trees.by_axletree(links, state) for state in states])
    expected = np.array([ask(links, state) for state in states])
    agrees(
        f"{tree}: rates of speeds at random states", found, expected,
        abs=1e-11 * np.abs(expected).max(), unit="m/s², rad/s²",
        source=f"{program}, {named_version(package)}",
    )  # fmt: skip


@pytest.mark.validation("mechanisms")
def test_a_rolling_disc(agrees: Agrees) -> None:
    pytest.importorskip("exudyn", reason="Exudyn is not installed")
    agrees(
        "rolling disc: place of its centre over 1 s", disc_by_axletree(1.0), disc_by_exudyn(1.0),
        abs=1e-6, unit="m", source=f"Exudyn, {named_version('exudyn')}, ObjectJointRollingDisc",
    )  # fmt: skip


@pytest.mark.validation("mechanisms")
def test_a_spatial_loop(agrees: Agrees) -> None:
    pytest.importorskip("exudyn", reason="Exudyn is not installed")
    agrees(
        "spatial four-bar, with two revolute and two spherical joints: places of bodies over 1 s",
        loop_by_axletree(1.0), loop_by_exudyn(1.0), abs=2e-6, unit="m",
        source=f"Exudyn, {named_version('exudyn')}, index-2 constraints",
    )  # fmt: skip
