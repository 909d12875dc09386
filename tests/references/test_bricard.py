"""Bricard's mechanism: six hinges in space that move although the count says they do not.

The links lie on six edges of a cube, each hinge normal to the two links it joins. Bricard
1927; the one freedom of the closed form is that of Chen, You and Tarnai 2005, threefold
symmetric with a twist of 90 degrees: cos(s) + cos(t) + cos(s) cos(t) = 0 between the angles
of neighbouring hinges.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import Agrees

import axletree as at
from axletree.system.forms.baumgarte import Baumgarte
from axletree.system.forms.partition import Partition

CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1), (0, 0, 1)]
AXES = "yzxyzx"  # of the hinges in these corners


def bricard() -> Any:
    """Five slender bars of 1 kg and 1 m; the sixth edge is the ground. Gravity along -y."""
    model = at.Model("bricard", gravity=(0.0, -9.81, 0.0))
    corners = np.array(CORNERS, dtype=float)
    tail: Any = model.ground
    for k in range(5):
        middle, along = (corners[k] + corners[k + 1]) / 2, corners[k + 1] - corners[k]
        inertia = tuple((1.0 - np.abs(along)) / 12 + 1e-3)
        body = model.add(at.RigidBody(f"bar{k}", 1.0, inertia))
        start, end = corners[k] - middle, corners[k + 1] - middle
        model.add(at.Revolute(f"hinge{k}", tail, body.point(*start, "start"), axis=AXES[k]))
        tail = body.point(*end, "end")
    last = model.ground.point(*corners[5], "last")
    model.add(at.Revolute("hinge5", tail, last, axis=AXES[5]))
    return model


@pytest.fixture(scope="module")
def system() -> Any:
    return bricard().formulate()


@pytest.mark.validation("mechanisms")
def test_one_freedom_with_one_redundant_constraint(system: Any, agrees: Agrees) -> None:
    assert len(system.source.speeds) == 5
    assert len(system.source.constraints) == 5
    agrees(
        "Bricard's mechanism: degrees of freedom", system.degrees_of_freedom, 1, abs=0,
        source="Bricard 1927, against 0 by the count of joints",
    )  # fmt: skip
    assert len(system.redundant) == 1
    assert system.redundant[0].startswith("hinge5.")


@pytest.fixture(scope="module")
def run(system: Any) -> Any:
    return system.simulate(5.0, step=1e-3, record_interval=1e-2)


@pytest.mark.validation("mechanisms")
def test_energy_is_kept(run: Any, agrees: Agrees) -> None:
    energy = run["energy.total"]
    assert run["energy.kinetic"].max() > 5.0
    agrees(
        "Bricard's mechanism: energy over 5 s", energy, energy[0], abs=1e-5, unit="J",
        source="Balance of energy, which is conserved",
    )  # fmt: skip


def test_loop_stays_closed_also_along_the_redundant_constraint(run: Any) -> None:
    """The tip of the last bar stays on the ground's corner, and the hinge's axis on x."""
    place = [run[f"bar4.position.{axis}"] for axis in "xyz"]
    R = np.array([[run[f"bar4.rotation.{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)])
    tip = np.einsum("ijt,j->it", R, [0.0, -0.5, 0.0]) + place
    assert np.abs(tip - np.array([[0.0], [0.0], [1.0]])).max() < 1e-9
    assert np.abs(R[0, 0] - 1.0).max() < 1e-9


@pytest.mark.validation("mechanisms")
def test_angles_follow_the_closed_form(run: Any, agrees: Agrees) -> None:
    """Our angles count from the cube, those of the closed form from links in line.

    They differ by a right angle, and by the sense of the axes, in which the signs here lie.
    """
    q = np.array([run[f"hinge{k}.angle"] for k in range(5)])
    cosine_s, cosine_t = np.sin(q[0]), -np.sin(q[1])
    assert np.ptp(cosine_s) > 1.0
    assert np.abs(np.sin(q[2]) + cosine_s).max() < 1e-9
    assert np.abs(np.sin(q[4]) + cosine_s).max() < 1e-9
    assert np.abs(np.sin(q[3]) - cosine_t).max() < 1e-9
    agrees(
        "Bricard's mechanism: relation of neighbouring angles over 5 s",
        cosine_s + cosine_t + cosine_s * cosine_t, 0.0, abs=1e-9,
        source="Closed form, Chen, You and Tarnai 2005",
    )  # fmt: skip


@pytest.mark.parametrize("form", [Baumgarte(), Partition()], ids=["baumgarte", "partition"])
def test_other_forms_run_alike(run: Any, form: Any) -> None:
    other = bricard().formulate(form=form).simulate(1.0, step=1e-3, record_interval=1e-2)
    assert np.abs(other["hinge0.angle"] - run["hinge0.angle"][: len(other.time)]).max() < 1e-5
