"""Gradients of many members: those of single runs to the last bit, whatever the threads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.code.backends.c import find_compiler
from axletree.core.errors import AxletreeError, SimulationError
from axletree.system.system import System

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")


@pytest.mark.parametrize("threads", [1, 3])
def test_gradients_are_those_of_single_runs(threads: int) -> None:
    """Parameters, first states, levels and courses of their own."""
    system = shipped_system("bicycle-car")
    masses, speeds = np.linspace(1300.0, 1700.0, 5), np.linspace(15.0, 25.0, 5)  # kg, m/s
    times, rows = np.array([0.0, 0.4]), np.linspace(0.01, 0.05, 10).reshape(5, 2)
    run: dict[str, Any] = {
        "step": 2e-3, "end": {"chassis.rate": 1.0, "front_tyre.Fy": 1e-3},
        "integral": "chassis.vy",
    }  # fmt: skip
    found = system.batch_gradients(
        0.3, parameters={"body.mass": masses}, initial={"chassis.vx": speeds, "chassis.vy": 0.1},
        inputs={"steer.angle": (times, rows)}, threads=threads, **run,
    )  # fmt: skip
    assert len(found) == 5
    assert found.finished.all()
    for k in range(5):
        one = system.run_gradient(
            0.3, parameters={"body.mass": masses[k]}, inputs={"steer.angle": (times, rows[k])},
            initial={"chassis.vx": speeds[k], "chassis.vy": 0.1}, **run,
        )  # fmt: skip
        assert found["value"][k] == one.value
        for every in (one.by_parameters, one.by_states, one.by_inputs):
            assert [found[f"by {name}"][k] for name in every] == [*every.values()]


def test_units_and_drawn_members() -> None:
    """The integral of a pendulum's energy is in proportion to its mass."""
    masses = {"rod.mass": at.Uniform("1 kg", "3 kg")}
    found = shipped_system("pendulum").batch_gradients(
        0.2, step=1e-3, integral="energy.total", parameters=masses, members=4, seed=3
    )
    np.testing.assert_allclose(found["by rod.mass"] * found["rod.mass"], found["value"], rtol=1e-12)
    assert found.units["by rod.mass"] == "J*s/(kg)"
    assert len(found.to_pandas()) == 4
    assert "4 members" in repr(found)


def test_a_member_that_fails_disturbs_no_other(oscillator: System) -> None:
    run: dict[str, Any] = {"step": 1e-2, "end": "mass.speed"}
    found = oscillator.batch_gradients(9.0, parameters={"spring.frequency": [1.0, 1e3, 2.0]}, **run)
    assert [*found.failures] == [1]
    assert 0.0 < found.failures[1].time < 9.0
    assert found.finished.tolist() == [True, False, True]
    assert np.isnan(found["value"]).tolist() == [False, True, False]
    alone = oscillator.run_gradient(9.0, parameters={"spring.frequency": 2.0}, **run)
    assert found["by spring.frequency"][2] == alone.by_parameters["spring.frequency"]
    with pytest.raises(SimulationError, match="all members failed"):
        oscillator.batch_gradients(9.0, parameters={"spring.frequency": [999.0, 1e3]}, **run)
    for wrong, word in (
        ({"threads": 0}, "threads is 0"), ({"method": "row4"}, "no adjoint"), ({"end": "u"}, "'u'"),
        ({"sampling": "grid"}, "grid"),
    ):  # fmt: skip
        given = {**run, "parameters": {"spring.frequency": [1.0, 2.0]}, **wrong}
        with pytest.raises(AxletreeError, match=word):
            oscillator.batch_gradients(0.1, **given)
    with pytest.raises(SimulationError, match="'by ' with a parameter"):
        found["by colour"]
