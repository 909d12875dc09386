"""The car with trailer: Newton's and Euler's equations are those of Lot and Massaro 2017."""

from __future__ import annotations

from functools import cache

import pytest
from agreement import Agrees
from oracles.lot_massaro_equations import printed

from axletree.examples.car_and_trailer.mechanics import H_x, Mechanics, beta
from axletree.language import Equation
from axletree.language.expressions import folded

MENDED = {
    "21a": "the air drag is missing in print.",
    "22a": "printed with I_cxz for I_cxx in the term of the pitch rate.",
    "22b": "printed with differences of the loads, for sums, and without the air drag.",
    "24b": "printed with the pitch rate for the pitch acceleration.",
}


@cache
def mechanics(linearise_last: bool) -> Mechanics:
    return Mechanics(linearise_last)


@cache
def newton_and_euler(linearise_last: bool) -> tuple[Equation, ...]:
    """(21a) to (24c), in the order of the paper."""
    m = mechanics(linearise_last)
    return (
        *m.car.newton(),
        *m.car.euler(about=m.T_0.origin),
        *m.trailer.newton(in_frame=m.T_0),
        *m.trailer.euler(about=m.T_T.origin, in_frame=m.T_alpha),
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", printed())
@pytest.mark.validation("language")
def test_newton_and_euler_equations_are_the_papers(number: str, agrees: Agrees) -> None:
    derived = dict(zip(printed(), newton_and_euler(linearise_last=False), strict=True))[number]
    left, right = printed()[number]
    agrees.as_equations(
        f"car with trailer: {derived.name}", derived.says_the_same_as(left, right),
        source=f"Lot and Massaro 2017, eq. ({number})", note=MENDED.get(number, ""),
    )  # fmt: skip
    assert folded(derived.left - left) == 0
    assert not derived.says_the_same_as(left, right + H_x * beta)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("row", range(12))
def test_early_and_late_linearisation_agree(row: int) -> None:
    early, late = (newton_and_euler(last)[row] for last in (False, True))
    assert early.name == late.name
    assert folded(early.left - late.left) == 0
    assert folded(early.right - late.right) == 0


def test_the_names_tell_where_an_equation_comes_from() -> None:
    names = [e.name for e in newton_and_euler(linearise_last=False)]
    assert names[:4] == ["car, Newton, x", "car, Newton, y", "car, Newton, z", "car, Euler, x"]
    assert names[-1] == "trailer, Euler, z"
