"""Gears: the weights of coupled travels, against motions that a gear allows."""

from __future__ import annotations

import pytest

from axletree.components.contract import Component
from axletree.components.differentials import Differential
from axletree.components.frames import Frame
from axletree.components.gears import GearPair, RackAndPinion
from axletree.components.joints import Cylindrical, Revolute
from axletree.expr import evaluate

BASE = Frame("base", "")
ONE, TWO, THREE = (Revolute(name, BASE, Frame(f"{name}_gear", "")) for name in ("a", "b", "c"))
RACK = Cylindrical("rack", BASE, Frame("bar", ""))


@pytest.mark.parametrize(
    ("transmission", "travels"),
    [
        (GearPair("g", ONE, TWO, -2.5), {"a.R1": -5.0, "b.R1": 2.0}),
        (RackAndPinion("g", ONE, RACK, 0.02), {"a.R1": 10.0, "rack.T1": 0.2}),
        (Differential("g", ONE, TWO, THREE, 4.0), {"a.R1": 4.0, "b.R1": 1.0, "c.R1": 1.0}),
        (Differential("g", ONE, TWO, THREE, 4.0), {"a.R1": 0.0, "b.R1": 3.0, "c.R1": -3.0}),
        (Differential("g", ONE, TWO, THREE, 4.0), {"a.R1": 6.0, "b.R1": 3.0, "c.R1": 0.0}),
    ],
)
def test_the_weighted_sum_of_travels_is_constant(
    transmission: Component, travels: dict[str, float]
) -> None:
    (coupling,) = transmission.couplings()
    assert {joint for joint, _ in coupling.terms} == set(travels)
    values = {q.symbol: q.default for q in transmission.parameters()}
    weights = evaluate([weight for _, weight in coupling.terms], values)
    total = sum(
        weight * travels[joint] for (joint, _), weight in zip(coupling.terms, weights, strict=True)
    )
    assert total == pytest.approx(0.0, abs=1e-12)
    assert transmission.references() == tuple(
        {"a": ONE, "b": TWO, "c": THREE, "rack": RACK}[joint.partition(".")[0]] for joint in travels
    )


def test_the_ratio_stays_a_parameter() -> None:
    (coupling,) = GearPair("g", ONE, TWO, -2.5).couplings()
    assert [q.name for q in GearPair("g", ONE, TWO, -2.5).parameters()] == ["g.ratio"]
    assert coupling.reaction.unit == "N*m"
    assert coupling.terms[0][1] == 1.0
    assert not coupling.terms[1][1].is_number
