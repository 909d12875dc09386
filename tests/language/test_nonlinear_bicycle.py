"""Large angles: Whipple's bicycle by the language, against the benchmark and by its energy."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from language.reference.nonlinear_bicycle import NAMES, VALUES, NonlinearBicycle

from axletree.system.forms.projected import Projected
from axletree.system.system import System

# Meijaard et al. 2007, table 2, at 5 m/s.
PUBLISHED = (
    -14.07838969279822,
    -0.77534188219585 - 4.46486771378823j,
    -0.77534188219585 + 4.46486771378823j,
    -0.32286642900409,
)


@cache
def bicycle() -> System:
    numbers = dict(zip(NAMES.split(), VALUES, strict=True))
    return NonlinearBicycle(numbers).space().system(Projected())


@pytest.mark.slow
def test_its_eigenvalues_are_the_published_ones() -> None:
    state = bicycle().state({"V_x": 5.0, "lean": 0.0, "steer": 0.0})
    values = bicycle().linearise(state).eigenvalues
    for published in PUBLISHED:
        assert np.abs(values - published).min() < 1e-9


@pytest.mark.slow
def test_it_keeps_its_energy_while_it_falls_and_steers() -> None:
    """But for the error of a method of order 4, a sixteenth of which is left at half the step."""
    start = {"V_x": 3.0, "lean": 0.5, "steer": -0.4, "V_lean": 0.3, "V_steer": 1.0}
    changes = []
    for step in (5e-4, 2.5e-4):
        run = bicycle().simulate(0.5, initial=start, step=step)
        changes.append(np.abs(run["energy"] / run["energy"][0] - 1.0).max())
    assert changes[0] < 5e-8
    assert changes[1] < changes[0] / 14.0
    assert run["lean"][-1] > 1.2  # rad: it has fallen
