"""Eigenvalues in straight running of the car with trailer from components and by hand.

Both are linearised where z, phi, mu and beta are zero. By hand products of two small variables
are left out, and of such a product as z v' a slope keeps z: elsewhere slopes differ by what z
is there. The car alone stands so. With the trailer of table 1 on its hitch it sinks, and the
trailer pitches by -0.023 rad, so in both the springs are set to carry the load of the hitch too:
the same forces act, in a level state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from agreement import Agrees
from examples.twins import HITCH_LOAD, P, Vehicle, by_hand, from_components, relative_distance
from language.reference import car_trailer
from language.reference.cornering import hitched, solo, straight
from language.reference.parameters import TABLE_1
from language.reference.stability import car_eigenvalues, pencil, projected_eigenvalues

from axletree.examples.car_and_trailer import components

SPEEDS = [5.0, 10.0, 20.0, 30.0, 50.0]  # [m/s]
LEVEL = {"x_t": -P["f_x"] - P["j_x"], "z_t": -P["h_t"]}


@pytest.mark.parametrize("u", SPEEDS)
def test_the_car(u: float) -> None:
    found, expected = (side(False).eigenvalues(u) for side in (from_components, by_hand))
    assert len(expected) == 12
    assert relative_distance(found, expected) < 1e-8


@pytest.mark.parametrize("u", SPEEDS)
def test_the_car_as_coded_in_numbers(u: float) -> None:
    coded = solo(TABLE_1, car_trailer.nominal_reference_loads(TABLE_1))
    expected = car_eigenvalues(*pencil(coded, straight(coded, u)))
    assert relative_distance(from_components(False).eigenvalues(u), expected) < 1e-8


@pytest.mark.parametrize("u", SPEEDS)
@pytest.mark.validation("language")
def test_the_car_with_trailer(u: float, agrees: Agrees) -> None:
    found, expected = (
        side(True, levelled=True).eigenvalues(u, **LEVEL) for side in (from_components, by_hand)
    )
    assert len(expected) == 16
    agrees(
        "car with trailer of components: greatest relative distance of 16 eigenvalues",
        relative_distance(found, expected), 0.0, abs=1e-8, case=f"{u:g} m/s",
        source="Another formulation, equations of Lot and Massaro 2017",
    )  # fmt: skip


def test_the_pencil_of_the_equations_as_they_are_written() -> None:
    """(49): 16 of the 29 eigenvalues are finite."""
    steady = by_hand(True, levelled=True).system.trim({"u": 20.0})
    assert steady.pencil.infinite == 13
    found = from_components(True, levelled=True).eigenvalues(20.0, **LEVEL)
    assert relative_distance(found, steady.pencil.eigenvalues) < 1e-8


@pytest.mark.parametrize("side", [from_components, by_hand])
def test_the_level_state_is_at_rest(side: Callable[..., Vehicle]) -> None:
    rates = side(True, levelled=True).rates(LEVEL)
    assert abs(rates["H_z"]) == pytest.approx(HITCH_LOAD)
    moving = {name: rate for name, rate in rates.items() if name[:2] not in ("N_", "H_", "X_")}
    assert max(map(abs, moving.values())) < 1e-9


def test_a_balanced_trailer_as_coded_in_numbers() -> None:
    """With its axle below its centre it does not weigh on the hitch, and nothing sinks."""
    balanced = replace(TABLE_1, a_3=0.0)
    loads = car_trailer.nominal_reference_loads(balanced)
    coded = hitched(balanced, loads)
    other = {**P, "a_3": 0.0, "N0_3": loads.trailer}
    system = components.car_with_trailer(other).formulate()
    composed = replace(from_components(True, levelled=True), system=system)
    for u in SPEEDS:
        expected = projected_eigenvalues(*pencil(coded, straight(coded, u)))
        assert relative_distance(composed.eigenvalues(u, **LEVEL), expected) < 1e-8


def test_elsewhere_the_truncation_tells() -> None:
    """A chassis that stands lower by z: half of it halves the distance of the eigenvalues."""
    distances = []
    for z in (2e-3, 1e-3):
        found, expected = (
            side(False).eigenvalues(20.0, z=z) for side in (from_components, by_hand)
        )
        distances.append(relative_distance(found, expected))
    assert distances[1] > 1e-5
    assert distances[0] / distances[1] == pytest.approx(2.0, abs=0.05)


def test_with_the_trailer_of_table_1_at_rest_the_third_digit_differs() -> None:
    """At z and mu of the rest by hand, about 8 mm and 8 mrad."""
    written = by_hand(True).system.trim({"u": 20.0})
    assert written["beta"] == pytest.approx(-0.02302, abs=1e-5)
    unloaded = {"front.sprung_load": P["m_c"] * P["g"] * P["a_2"] / (2 * (P["a_1"] + P["a_2"]))}
    unloaded |= {"rear.sprung_load": P["m_c"] * P["g"] * P["a_1"] / (2 * (P["a_1"] + P["a_2"]))}
    composed = replace(from_components(True, levelled=True), changed=unloaded)
    found = composed.eigenvalues(20.0, z=written["z"], mu=written["mu"])
    distance = relative_distance(found, written.eigenvalues)
    assert 5e-3 < distance < 1e-2
    assert np.max(found.real) < 0.0
