"""From one soil to another."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from axletree.core.errors import ModelError
from axletree.expr import directional_derivative, evaluate, symbol
from axletree.wheel.soils.cone_index_laws import Brixius
from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.layers import Border
from axletree.wheel.soils.wong_reece import WongReece

FIRM = WongReece("lete-sand-wong", order=6)
SOFT = WongReece("sandy-loam-hanamoto-32", order=6)
WHEEL = WheelInSoil(0.4, 0.25, 0.2, 0.05)
TYRE = Brixius(cone_index=400e3, section_height=0.14)


def placed(x: object, y: object = 0.0) -> WheelInSoil:
    return dataclasses.replace(WHEEL, x=x, y=y)


def test_away_from_the_line_there_is_one_soil() -> None:
    law = Border(FIRM, SOFT, x=10.0, transition=0.4)
    for x, own in ((9.7, FIRM), (10.3, SOFT)):
        found, expected = law(3000.0, placed(x)), own(3000.0, WHEEL)
        for item in dataclasses.fields(expected):
            one = getattr(found, item.name)
            assert one == pytest.approx(getattr(expected, item.name), rel=1e-13)


def test_on_the_line_each_has_half() -> None:
    law = Border(FIRM, SOFT, x=10.0)
    found = law.at_sinkage(0.02, placed(10.0), law.numbers)
    forces = [own.at_sinkage(0.02, WHEEL, own.numbers).normal_force for own in (FIRM, SOFT)]
    assert found.normal_force == pytest.approx(sum(forces) / 2.0, rel=1e-13)


def test_forces_pass_from_one_to_the_other_without_a_jump_or_a_corner() -> None:
    law = Border(FIRM, SOFT, x=10.0, transition=0.4)
    force = law.at_sinkage(0.02, placed(np.linspace(9.7, 10.3, 601)), law.numbers).normal_force
    assert np.all(np.diff(force) <= 1e-9)
    x = symbol("x")
    (slope,) = directional_derivative(
        [law.at_sinkage(0.02, placed(x), law.numbers).normal_force], {x: 1.0}
    )
    for edge in (9.8, 10.2):
        assert evaluate([slope], {x: edge}) == pytest.approx([0.0], abs=1e-6)


def test_a_line_may_lie_along_the_way() -> None:
    law = Border(FIRM, SOFT, heading=np.pi / 2.0)
    left, right = (law(3000.0, placed(5.0, y)).sinkage for y in (1.0, -1.0))
    assert left == SOFT(3000.0, WHEEL).sinkage
    assert right == FIRM(3000.0, WHEEL).sinkage


def test_a_soft_spot_is_two_borders() -> None:
    law = Border(FIRM, {"type": "border", "behind": SOFT, "ahead": FIRM, "x": 14.0}, x=10.0)
    sinkages = law(3000.0, placed(np.array([8.0, 12.0, 16.0]))).sinkage
    assert sinkages[0] == sinkages[2] < sinkages[1]
    assert law.numbers["ahead.behind.soil.cohesion"] == SOFT.soil.cohesion


def test_laws_of_the_cone_index_know_no_sinkage() -> None:
    law = Border(TYRE, FIRM)
    assert law(3000.0, placed(-1.0)).gross_traction == TYRE(3000.0, WHEEL).gross_traction
    with pytest.raises(ModelError, match="Brixius knows no sinkage"):
        law.at_sinkage(0.02, WHEEL, law.numbers)
