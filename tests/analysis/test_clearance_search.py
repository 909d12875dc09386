"""The search for room between cones, on passages whose best is known in closed form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.analysis import practice
from axletree.analysis.clearance_search import Passage, widest_passage
from axletree.code.backends.runnable import NoCompilerWarning
from axletree.core.arrays import FloatArray

NONE = np.zeros(1)  # rates


def test_the_middle_between_two_cones_is_found() -> None:
    """Clearances 1 - q and 3 q - 0.2, and q = 0.3 makes both 0.7."""
    chosen, found = widest_passage(
        lambda q: Passage(np.array([1.0 - q[0], 3.0 * q[0] - 0.2]), NONE), 1, 0.05, 5.0
    )
    assert found is not None
    assert chosen == pytest.approx([0.3], abs=1e-3)
    assert found.worth == pytest.approx(0.7, abs=1e-3)


def test_curved_clearances_are_followed_to_their_top() -> None:
    """min(1 - |q - a|^2, 1 - 4 |q - b|^2) is greatest on the line between a and b, at two thirds
    of the way to b."""
    a, b = np.array([0.4, -0.2]), np.array([-0.2, 0.4])

    def drive(q: FloatArray) -> Passage:
        return Passage(np.array([1 - np.sum((q - a) ** 2), 1 - 4 * np.sum((q - b) ** 2)]), NONE)

    chosen, found = widest_passage(drive, 2, 0.2, 5.0)
    assert found is not None
    assert chosen == pytest.approx(a + 2.0 / 3.0 * (b - a), abs=0.03)
    assert found.worth == pytest.approx(1.0 - 4.0 / 9.0 * 0.72, abs=3e-3)


@pytest.mark.parametrize(("quickest", "expected"), [(10.0, 0.7), (0.1, 0.1)])
def test_hands_keep_to_their_rates(quickest: float, expected: float) -> None:
    """With the rate q over the quickest: beyond 0.1 every gain costs more than it is worth."""

    def drive(q: FloatArray) -> Passage:
        return Passage(np.array([1.0 - q[0], 3.0 * q[0] - 0.2]), q / quickest)

    _, found = widest_passage(drive, 1, 0.05, 5.0)
    assert found is not None
    assert found.worth == pytest.approx(expected, abs=2e-3)


def test_what_is_enough_ends_the_search() -> None:
    runs: list[FloatArray] = []

    def drive(q: FloatArray) -> Passage | None:
        runs.append(q)
        return Passage(np.array([0.06 + q[0]]), NONE)

    chosen, _ = widest_passage(drive, 1, 0.1, 0.05)
    assert (len(runs), chosen.tolist()) == (1, [0.0])


def nowhere(_: FloatArray) -> None:
    """A run that does not end."""


def a_wall(q: FloatArray) -> Passage | None:
    """Better until the vehicle tips over."""
    return None if q[0] > 0.1 else Passage(np.array([q[0] - 0.05]), NONE)


@pytest.mark.parametrize(("drive", "least", "most"), [(nowhere, None, None), (a_wall, 0.0, 0.05)])
def test_runs_that_do_not_end_are_kept_away_from(
    drive: Callable[[FloatArray], Passage | None], least: float | None, most: float | None
) -> None:
    _, found = widest_passage(drive, 1, 1.0, 5.0)
    if least is None or most is None:
        assert found is None
    else:
        assert found is not None
        assert least < found.worth <= most


@pytest.mark.sampled(2)
@pytest.mark.slow
@pytest.mark.parametrize("further", [0.0, 600.0])
def test_a_laden_car_passes_as_a_light_one_does(further: float) -> None:
    """At a speed at which it hits a cone if the line is all that is practised."""
    plain: Any = {"vehicle": {"fidelity": "single-track"}}
    described: Any = at.read_model("sedan", plain).described["vehicle"]
    mass = described.body.mass + further
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track", "body": {"mass": mass}}})
    run = car.drive("iso-3888-2", speed="64 km/h")
    found = {one.name: one.value for one in run.findings}
    assert found["cones_hit"] == 0
    assert found["clearance"] > 0.02
    assert np.abs(run["driver.steering_rate"]).max() < np.radians(1020.0)


@pytest.mark.slow
def test_without_a_compiler_the_line_alone_is_practised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of runs by generated Python would take minutes; a warning says what is left out."""
    monkeypatch.setattr(practice, "find_compiler", lambda: None)
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    with pytest.warns(NoCompilerWarning, match="to follow the line alone"):
        run = car.drive("iso-3888-2", speed="64 km/h")
    assert {one.name: one.value for one in run.findings}["clearance"] < 0.05
