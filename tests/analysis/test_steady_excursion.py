"""Steady motions in which a variable is larger than it was declared to be."""

from __future__ import annotations

import pytest

from axletree.language.state_space import state_space
from axletree.language.variables import parameters, rate, variables
from axletree.system.system import System

x, y, u = variables("x y u")
(k,) = parameters("k")


def spring() -> System:
    """x = u/k and y = 2 x at rest, both small up to 0.2 m."""
    equations = [rate(x, 2) + rate(x) + k * x - u, rate(y) + y - 2 * x]
    units = {x: "m", y: "m"}
    return state_space(
        "spring", equations, [x, y], [u], {k: 5.0}, units=units, small={x: 0.2, y: 0.2}
    ).system()


@pytest.mark.parametrize("push", [-3.0, 3.0])
def test_a_steady_motion_beyond_its_bounds_warns_by_name(push: float) -> None:
    assert spring().trim({"u": 0.4})["y"] == pytest.approx(0.16)
    with pytest.warns(UserWarning, match="in this steady motion x is larger than the 0.2 m.*y the"):
        spring().trim({"u": push})
    with pytest.warns(UserWarning, match="motion y is larger than the 0.2 m .* goes up to 0.24;"):
        spring().trim({"u": 0.6})


def test_a_curve_and_a_locus_say_from_where_on() -> None:
    """y = 0.4 u passes 0.2 at u = 0.5, and x at 1."""
    with pytest.warns(UserWarning, match="from u = 0.6 on y is larger .* goes up to 0.4; the eq"):
        spring().trim({"u": 0.0}).continued("u", 1.0, step=0.2)
    with pytest.warns(UserWarning, match="from u = 1 on y is larger .* goes up to 0.8, as do x"):
        spring().root_locus("u", [0.0, 1.0, 2.0])
    spring().trim({"u": 0.0}).continued("u", 0.4, step=0.2)
