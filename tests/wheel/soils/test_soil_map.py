"""Ground that differs from place to place."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import axletree as at
from axletree.core.errors import ModelError
from axletree.expr import directional_derivative, evaluate, symbol
from axletree.wheel.soils.contract import SoilLaw, WheelInSoil
from axletree.wheel.soils.layers import Border

FIRM, SOFT = at.WongReece("lete-sand-wong", order=6), at.WongReece("dry-sand-lll", order=6)
HARD = at.Paved(at.Fiala(**at.Fiala.example), 2e5)
CONE = at.Brixius(4e5, section_height=0.14)
SPOT = {"type": "rectangle", "law": SOFT, "x": 10.0, "y": 1.0, "length": 4.0, "width": 1.0}
WHEEL = WheelInSoil(0.4, 0.25, 0.2, lateral_slip=0.05)


def placed(x: object, y: object = 0.0) -> WheelInSoil:
    return dataclasses.replace(WHEEL, x=x, y=y)


def test_within_a_patch_is_its_law_and_outside_the_other() -> None:
    law = at.SoilMap(FIRM, [SPOT])
    for place, own in (((10, 1), SOFT), ((8.2, 0.7), SOFT), ((10, 0), FIRM), ((7.7, 1), FIRM)):
        found, expected = law(3000.0, placed(*place)), own(3000.0, WHEEL)
        for item in dataclasses.fields(expected):
            one = getattr(found, item.name)
            assert one == pytest.approx(getattr(expected, item.name), rel=1e-12), item.name


def test_a_patch_may_lie_aslant() -> None:
    law = at.SoilMap(FIRM, [{**SPOT, "heading": math.pi / 2.0}])
    soft, firm = (law(3000.0, placed(*place)).sinkage for place in ((10, 2.7), (11, 1.0)))
    assert soft == SOFT(3000.0, WHEEL).sinkage
    assert firm == FIRM(3000.0, WHEEL).sinkage


def test_later_patches_lie_over_those_before() -> None:
    law = at.SoilMap(SOFT, [SPOT, {**SPOT, "law": FIRM, "length": 1.0}])
    found = [law(3000.0, placed(x, 1.0)).sinkage for x in (9.0, 10.0)]
    assert found == [SOFT(3000.0, WHEEL).sinkage, FIRM(3000.0, WHEEL).sinkage]


def test_an_edge_is_a_border() -> None:
    """In the middle of a long side."""
    over = at.SoilMap(FIRM, [SPOT])
    line = Border(FIRM, SOFT, x=8.0)
    for x in (7.92, 8.0, 8.06):
        found = over.grip_at_sinkage(0.03, placed(x, 1.0), over.numbers).flat()
        expected = line.grip_at_sinkage(0.03, placed(x, 1.0), line.numbers).flat()
        assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("law", [at.SoilMap(HARD, [SPOT]), Border(HARD, FIRM, 8.0, 0.5, 0.7)])
def test_edges_push_by_the_slope_of_what_is_stored(law: SoilLaw) -> None:
    """Exactly, along both axes: else height could be gained for nothing."""
    x, y = symbol("x"), symbol("y")
    grip = law.grip_at_sinkage(0.03, placed(x, y), law.numbers)
    stored = grip.forces.stored_energy
    pushes = []
    for place in ((8.03, 0.52), (7.95, 0.55), (8.0, 0.5)):
        at_place = dict(zip((x, y), place, strict=True))
        for axis, push in ((x, grip.edge_x), (y, grip.edge_y)):
            slope = directional_derivative([stored], {axis: 1.0})
            found, expected = evaluate([push, *slope], at_place)
            assert found == pytest.approx(-expected, rel=1e-9, abs=1e-9)
            pushes.append(abs(found))
    assert max(pushes) > 10.0


def test_under_a_load_no_edge_pushes() -> None:
    law = Border(HARD, FIRM, 8.0)
    found = law.grip_under_load(3000.0, placed(np.array([7.95, 8.0])), law.numbers)
    assert not np.any(found.edge_x)
    assert not np.any(found.edge_y)


def test_laws_of_the_cone_index_know_no_sinkage() -> None:
    law = at.SoilMap(CONE, [SPOT])
    assert not law.knows_sinkage
    assert law(3000.0, placed(0.0)).gross_traction == CONE(3000.0, WHEEL).gross_traction
    with pytest.raises(ModelError, match="Brixius knows no sinkage"):
        law.at_sinkage(0.02, WHEEL, law.numbers)


def test_what_is_no_patch_is_refused() -> None:
    with pytest.raises(ModelError, match="rectangle needs 'law'"):
        at.SoilMap(FIRM, [{"type": "rectangle", "length": 1.0, "width": 1.0}])
