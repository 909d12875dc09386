"""What steady motions refuse: outputs of what drifts, names that are no list."""

from __future__ import annotations

import pytest

from axletree.analysis.linear.tangent import LinearisationError
from axletree.core.errors import AxletreeError
from axletree.language import parameters, rate, state_space, variables
from axletree.simulation.problem import SettingsError
from axletree.system.system import System


@pytest.fixture(scope="module")
def cart() -> System:
    """m x'' + c x' = F: its place drifts."""
    x, F = variables("x F")
    m, c = parameters("m c")
    row = m * rate(x, 2) + c * rate(x) - F
    return state_space("cart", [row], [x], [F], {m: 2.0, c: 4.0}).system()


def test_an_output_of_what_drifts_is_refused_by_name(cart: System) -> None:
    steady = cart.trim({"F": 8.0})
    assert steady["V_x"] == pytest.approx(2.0)
    assert steady.linearise(["V_x"]).C.tolist() == [[1.0]]
    with pytest.raises(LinearisationError, match=r"output 'x' depends on x, which drifts"):
        steady.linearise(["x"])


def test_a_name_is_no_list_of_names(cart: System) -> None:
    with pytest.raises(AxletreeError, match=r"find is 'F'; .*; write \['F'\]"):
        cart.trim({"V_x": 2.0}, find="F")


def test_an_unknown_state_of_a_system_by_hand_is_not_sought_in_a_tree(cart: System) -> None:
    with pytest.raises(SettingsError) as caught:
        cart.simulate(1.0, step=0.1, initial={"y": 1.0})
    assert "tree" not in str(caught.value)
    assert "x" in str(caught.value)
