"""Forces at rest that press against one another: named in the note of a run, and only these.

What two of them press with has a closed form where they hold one slide, or nearly one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from simulation.test_short_levers import ACROSS, BLOCK, Guide, held_by

import axletree as at
from axletree.components.contract import Instant, JointLoad, Response, reaction_symbol
from axletree.simulation import self_stress
from axletree.simulation.complementarity import LEVER
from axletree.system.system import System

WEIGHT = 30.0  # N
EXACT, SWEEPS = "complementarity", "complementarity-sweeps"


class Jammed(Guide):
    """A guide that jams: across the slide it has a part of its own friction."""

    summary: ClassVar[str] = "a guide with a load that follows its friction"

    def respond(self, now: Instant) -> Response:
        plain = super().respond(now)
        friction = reaction_symbol(self.name, plain.set_valued[0].reaction)
        return replace(plain, joint_loads=(JointLoad(self.measured_joints()[1], 0.2 * friction),))


@cache
def hanging(guides: int, kind: type[Guide] = Guide) -> System:
    """A body of 30 N along its slide, held by guides; across it rests on a stiff spring."""
    model = at.Model("hanging", gravity=(10.0, 0.0, 0.0))
    bed = model.add(at.RigidBody("bed", WEIGHT / 10.0 - 1.0, (1.0, 1.0, 1.0)))
    block = model.add(at.RigidBody("block", 1.0, (1.0, 1.0, 1.0)))
    x = model.add(at.Prismatic("x", model.ground, bed, axis="x"))
    y = model.add(at.Prismatic("y", bed, block, axis="y"))
    model.add(at.SlideSpringDamper("spring", y, stiffness=1e3, damping=1e2))
    for number in range(guides):
        model.add(kind(f"guide_{number}", x, y, lever=0.0, bound=100.0))
    return model.formulate(form="set-valued")


def run_of(system: System, method: str, **other: Any) -> at.Trajectory:
    return system.simulate(0.5, step=5e-3, method=method, watch=False, **other)


@pytest.mark.parametrize("guides", [1, 2, 3])
def test_what_is_shared_by_least_norm_needs_no_word(guides: int) -> None:
    run = run_of(hanging(guides), EXACT)
    assert run.note == ""
    for number in range(guides):
        assert run[f"guide_{number}.force"] == pytest.approx(-WEIGHT / guides, rel=1e-9)


def test_sweeps_say_which_forces_they_did_not_share() -> None:
    """The first row of the sweep takes all: half of it more than its share."""
    with pytest.warns(UserWarning, match="press against one another"):
        run = run_of(hanging(2), SWEEPS)
    assert run["guide_0.force"][-1] == pytest.approx(-WEIGHT, rel=1e-6)
    assert run["guide_1.force"][-1] == pytest.approx(0.0, abs=1e-6)
    assert "guide_0.force" in run.note
    assert "guide_1.force" in run.note
    assert f"with up to {WEIGHT / 2.0:.3g} N;" in run.note
    assert "take method='complementarity'" in run.note
    assert run_of(hanging(1), SWEEPS).note == ""


def test_forces_that_are_not_recorded_are_not_spoken_of() -> None:
    assert run_of(hanging(2), SWEEPS, outputs=["guide_0.force"]).note == ""


def test_loads_that_follow_forces_leave_their_sharing_open_and_say_so() -> None:
    """Lemke's method ends with one of many solutions."""
    system = hanging(2, Jammed)
    assert system.rows is not None
    assert not system.rows.symmetric
    with pytest.warns(UserWarning, match="press against one another"):
        run = run_of(system, EXACT)
    forces = run["guide_0.force"], run["guide_1.force"]
    assert np.abs(forces[0] - forces[1])[-1] > 0.1 * WEIGHT
    assert "guide_0.force" in run.note
    assert "guide_1.force" in run.note
    assert "loads depend on these forces" in run.note


def test_a_motion_that_is_held_by_a_short_lever_alone_is_said_to_be() -> None:
    """Rest has one answer, m g / (2 lever) against one another, and it is told how much."""
    lever = 0.6 * LEVER
    run = held_by(-lever, lever, duration=0.5, spring=False)
    assert "press against one another" in run.note
    found = re.search(r"with up to ([0-9.e+]+) N", run.note)
    assert found is not None
    assert float(found[1]) == pytest.approx(BLOCK * ACROSS / (2.0 * lever), rel=5e-3)
    assert "see less than 2 %" in run.note


def test_a_lever_that_is_long_enough_needs_no_word() -> None:
    assert held_by(-1.6 * LEVER, 1.6 * LEVER, duration=0.5, spring=False).note == ""


def test_what_is_left_to_springs_needs_no_word() -> None:
    assert held_by(-1e-3, 1e-3, duration=0.5).note == ""


@pytest.mark.sampled(3)
@pytest.mark.filterwarnings("ignore:.*press against one another")
@pytest.mark.parametrize("factor", [0.3, 3.0])
@pytest.mark.parametrize(
    "number", ["_PRESSED", "_LASTS", "_EXACTLY", "_MOST_RECORDS", "_INSIDE", "_AT_REST"]
)
def test_no_word_depends_on_the_numbers_that_are_chosen(
    number: str, factor: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said of runs that press, and of those that do not, over a decade of each."""
    own = getattr(self_stress, number)
    monkeypatch.setattr(self_stress, number, type(own)(factor * own))
    for method, speaks in ((EXACT, False), (SWEEPS, True)):
        assert bool(run_of(hanging(2), method).note) == speaks
    for lever, speaks in ((0.6 * LEVER, True), (1.6 * LEVER, False)):
        run = held_by(-lever, lever, duration=0.5, spring=False)
        assert bool(run.note) == speaks
    assert held_by(-1e-3, 1e-3, duration=0.5).note == ""


WHEELS = ("front_left", "front_right", "rear_left", "rear_right")


def stopped_car(roll: float) -> at.Trajectory:
    """The car on soil, braked from 1 m/s while it rolls [rad/s]."""
    system = shipped_system("car-on-soil", "set-valued")
    start = {"chassis.vx": 1.0, "chassis.wx": roll}
    brakes = {f"{wheel}_brake.torque": 800.0 for wheel in WHEELS}
    return system.simulate(
        2.5, step=2e-3, method=EXACT, inputs=brakes, initial=start, watch=False,
        record_interval=1e-2,
    )  # fmt: skip


@pytest.mark.long
def test_a_car_that_stops_while_it_rolls_names_the_forces_that_keep_it_so() -> None:
    """Its struts carry the roll, and they are no rows: wheels at rest hold it by millimetres."""
    assert stopped_car(0.0).note == ""
    run = stopped_car(1e-2)
    assert "press against one another" in run.note
    side = np.array([run[f"{wheel}_soil.side_force"][-1] for wheel in WHEELS])
    against = 0.5 * (np.abs(side).sum() - abs(side.sum()))
    assert 50.0 < against < 2e3
    assert "_soil." in run.note
