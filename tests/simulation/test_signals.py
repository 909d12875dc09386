"""Prescribed motions by tables: what corners leave out is said."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import axletree as at
from axletree.code.backends import c_backend
from axletree.expr import Table
from axletree.system.system import System

TIMES = np.linspace(0.0, 1.0, 41)
HEIGHTS = 0.05 * np.sin(10.0 * TIMES)  # m


def lift(mass: float | None) -> System:
    """A body, or a carrier without mass, on a slide whose position is an input."""
    model = at.Model("lift")
    body = at.MasslessBody("cage") if mass is None else at.RigidBody("cage", mass, (1.0, 1.0, 1.0))
    slide = model.add(at.Prismatic("slide", model.ground, model.add(body), axis="z"))
    model.add(at.TranslationDriver("winch", slide))
    return model.formulate()


def test_a_motion_by_straight_lines_is_a_warning() -> None:
    with pytest.warns(UserWarning, match=r"'winch\.position' jumps in speed.*Table\.spline"):
        lift(2.0).simulate(1.0, step=1e-3, inputs={"winch.position": (TIMES, HEIGHTS)})


def test_a_motion_by_a_spline_is_none_and_its_force_is_right() -> None:
    table = Table.spline(TIMES, HEIGHTS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = lift(2.0).simulate(1.0, step=1e-3, inputs={"winch.position": table})
    middle = (run.time > 0.2) & (run.time < 0.8)
    expected = 2.0 * (9.80665 - 5.0 * np.sin(10.0 * run.time))
    np.testing.assert_allclose(run["winch.force"][middle], expected[middle], atol=0.1)


@pytest.mark.parametrize(
    ("mass", "times", "heights"),
    [(2.0, [0.0, 1.0], [0.0, 0.3]), (2.0, [-1.0, 2.0], [0.0, 0.3]), (None, TIMES, HEIGHTS)],
    ids=["corners at the ends", "no corners", "nothing that has mass"],
)
def test_where_no_force_is_left_out_there_is_no_warning(
    mass: float | None, times: list[float], heights: list[float]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lift(mass).simulate(1.0, step=1e-3, inputs={"winch.position": (times, heights)})


def test_runs_that_differ_by_the_size_of_an_input_share_their_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system, found = lift(2.0), []
    for height in (0.05, 0.08):
        inputs = {"winch.position": f"{height}*sin(10*t)"}
        run = system.simulate(1.0, step=1e-3, inputs=inputs, outputs=["winch.force"])
        expected = 2.0 * (9.80665 - 100.0 * height * np.sin(10.0 * run.time))
        np.testing.assert_allclose(run["winch.force"], expected, rtol=1e-12)
        found.append(run)
        # From here on nothing is to be compiled.
        monkeypatch.setattr(c_backend, "print_unit", lambda *_: pytest.fail("compiled anew"))
    assert found[0]["winch.force"][-1] != found[1]["winch.force"][-1]
