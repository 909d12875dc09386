"""The limit of adhesion of car and trailer, on a curve of steady turns that goes on beyond it."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import Agrees
from language.reference import car_trailer
from language.reference.cornering import greatest_acceleration, hitched, solo, turns
from language.reference.parameters import TABLE_1

from axletree.examples.car_and_trailer import results

NOMINAL = car_trailer.nominal_reference_loads(TABLE_1)
BY_HAND = {False: solo(TABLE_1, NOMINAL), True: hitched(TABLE_1, NOMINAL)}
RADIUS = 100.0  # m


@pytest.mark.parametrize("trailer", [False, True], ids=["car", "hitched"])
@pytest.mark.validation("language")
def test_the_fold_is_where_the_acceleration_is_greatest(trailer: bool, agrees: Agrees) -> None:
    """Along the speed at one radius, against the greatest a_y over the slip of the rear axle."""
    branch = (
        results.system(trailer)
        .trim({"u": 20.0, "u/r": RADIUS}, ["delta"])
        .continued("u", 40.0, step=1.5, points=30)
    )
    (fold,) = branch.folds
    limit = greatest_acceleration(BY_HAND[trailer], RADIUS)
    agrees(
        f"{'car with trailer' if trailer else 'car'}, radius of 100 m: limit of adhesion",
        fold.state["u*r"], limit.acceleration, abs=1e-6, unit="m/s²",
        source="Lot and Massaro 2017, section 5.2, by an independent model",
    )  # fmt: skip
    assert fold.value == pytest.approx(limit.speed, abs=1e-5)
    assert fold.state["delta"] == pytest.approx(limit.steer, abs=1e-3)
    beyond = branch.values[fold.after + 1 :]
    assert (np.diff([fold.value, *beyond]) < 0.0).all()
    assert branch["u/r"] == pytest.approx(RADIUS, rel=1e-9)


@pytest.mark.parametrize("trailer", [False, True], ids=["car", "hitched"])
def test_the_speed_is_found_for_an_acceleration_and_a_radius(trailer: bool) -> None:
    """The speed is a parameter of these equations."""
    turn = {"u*r": 4.0, "u/r": RADIUS}
    found = results.system(trailer).trim(turn, find=["delta", "u"])
    *_, expected = turns(BY_HAND[trailer], RADIUS, [0.5, 1.5, 2.5, 4.0])
    assert found.parameters["u"] == pytest.approx(expected.speed, rel=1e-10)
    assert found.inputs["delta"] == pytest.approx(expected.steer, rel=1e-8)
    assert found["N_R1"] == pytest.approx(expected.loads[0], rel=1e-8)
