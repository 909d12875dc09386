"""What a step is solved with: the law's forces taken apart, their slopes and their limits."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache

import numpy as np
import pytest

from axletree.wheel.soils.cone_index_laws import Brixius, WismerLuth
from axletree.wheel.soils.contract import SoilForces, SoilGrip, SoilLaw, WheelInSoil, grip_of
from axletree.wheel.soils.paved import Paved
from axletree.wheel.soils.soil import soil_records
from axletree.wheel.soils.wong_reece import WongReece
from axletree.wheel.tyres.fiala import Fiala
from axletree.wheel.tyres.magic_formula import MagicFormula62

SLIPS = np.array([-1.0, -0.6, -0.2, -0.03, -1e-4, 0.0, 1e-4, 0.03, 0.2, 0.6, 1.0])
LATERAL = (0.0, 0.2, -0.2, 5.0)
SINKAGE, LOAD = 0.03, 3000.0
CONE = {
    "brixius": Brixius(cone_index=4e5, section_height=0.14),
    "wismer-luth": WismerLuth(cone_index=4e5),
}
PAVED = {
    "fiala": Paved(Fiala(**Fiala.example), 2e5),
    "magic-formula": Paved(MagicFormula62(**MagicFormula62.example), 2e5),
}
SIZES = [item.name for item in fields(SoilGrip) if not item.name.endswith(("forces", "push"))]


@cache
def law_of(soil: str) -> SoilLaw:
    return {**CONE, **PAVED}.get(soil) or WongReece(soil, order=8)


def wheel(lateral: float, slip: object = SLIPS) -> WheelInSoil:
    return WheelInSoil(0.4, 0.25, slip, lateral_slip=lateral)


def grip(name: str, lateral: float, slip: object = SLIPS) -> SoilGrip:
    law = law_of(name)
    if law.knows_sinkage:
        return law.grip_at_sinkage(SINKAGE, wheel(lateral, slip), law.numbers)
    return law.grip_under_load(LOAD, wheel(lateral, slip), law.numbers)


def forces(name: str, lateral: float) -> SoilForces:
    law = law_of(name)
    if law.knows_sinkage:
        return law.at_sinkage(SINKAGE, wheel(lateral), law.numbers)
    return law.under_load(LOAD, wheel(lateral), law.numbers)


LAWS = [*soil_records(), *CONE, *PAVED]


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("lateral", LATERAL)
def test_it_has_the_forces_of_the_law(name: str, lateral: float) -> None:
    found, expected = grip(name, lateral).forces, forces(name, lateral)
    scale = np.max(np.abs(expected.normal_force))
    for item in fields(SoilForces):
        one, other = getattr(found, item.name), getattr(expected, item.name)
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9 * scale), item.name


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("lateral", LATERAL)
def test_its_sizes_are_finite_and_none_is_negative(name: str, lateral: float) -> None:
    found = grip(name, lateral)
    for size in SIZES:
        value = np.asarray(getattr(found, size), float)
        assert np.all(np.isfinite(value)), size
        assert np.all(value >= -1e-9), size
    assert np.all(np.asarray(found.net_resistance) >= 0.0)
    assert np.all(np.asarray(found.greatest_thrust) >= np.asarray(found.thrust) * (1 - 1e-12))


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("lateral", LATERAL)
def test_its_parts_add_up_to_the_forces(name: str, lateral: float) -> None:
    """But where thrust of a law by the cone index jumps, and where that of snow would drive.

    Of a light wheel on snow the thrust without slip is more than the resistance.
    """
    found = grip(name, lateral)
    sign = np.where(SLIPS < 0.0, -1.0, 1.0)
    traction = found.rolling_thrust + found.forward_push + sign * found.thrust
    smooth = np.abs(SLIPS) > (0.1 if name in CONE or name.startswith("snow") else -1.0)
    scale = np.max(np.abs(found.greatest_thrust))
    expected = found.forces.gross_traction
    assert traction[smooth] == pytest.approx(expected[smooth], rel=1e-8, abs=1e-8 * scale)
    side = found.side_push - found.side_stiffness * lateral
    assert side == pytest.approx(found.forces.lateral_force, rel=1e-9, abs=1e-6)
    moment = found.free_moment + found.slip_moment
    assert moment == pytest.approx(found.forces.rolling_moment, rel=1e-9, abs=1e-9 * scale)


@pytest.mark.parametrize("name", [*soil_records(), *PAVED])
def test_without_slip_there_is_no_thrust_but_on_snow(name: str) -> None:
    """There it is a bound, as that of laws by the cone index."""
    found = grip(name, 0.0, np.array([0.0]))
    sheared = found.forces.gross_traction - found.forward_push
    driving = np.maximum(sheared - found.forces.compaction_resistance, 0.0)
    assert not driving.any() or name.startswith("snow")
    assert found.thrust == pytest.approx(driving, abs=1e-9 * np.max(found.greatest_thrust))
    assert found.slip_moment == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("name", [*CONE, *PAVED])
@pytest.mark.parametrize("lateral", [0.0, 0.2])
def test_the_slope_is_that_of_the_thrust(name: str, lateral: float) -> None:
    """Where thrust grows, and no steeper than the line from zero."""
    step, middle = 1e-6, np.array([-0.6, -0.2, -0.03, 0.03, 0.2, 0.6])
    thrusts = [grip(name, lateral, middle + sign * step).thrust for sign in (1.0, -1.0)]
    slope = np.sign(middle) * (thrusts[0] - thrusts[1]) / (2.0 * step)
    found = grip(name, lateral, middle)
    secant = found.thrust / np.abs(middle)
    expected = np.clip(slope, 0.0, secant)
    assert found.thrust_slope == pytest.approx(expected, rel=1e-5, abs=1e-3)


@pytest.mark.parametrize("name", CONE)
def test_a_small_drift_hardly_changes_the_slope_of_a_wheel_that_hardly_slips(name: str) -> None:
    """Without slip Brixius has a thrust of 0.04 of the load, which a drift turns: the slope of
    that alone, 0.04 / slip, is 20 times what the thrust grows by, and no wheel slips as another."""
    slips, straight = np.array([1e-6, 1e-5, 1e-4, 1e-3]), grip(name, 0.0, 0.0)
    first = straight.thrust / (straight.greatest_thrust - straight.thrust)  # 0.05, of Brixius
    for drift in (1e-6, 1e-5, 1e-4):
        found = grip(name, drift, slips)
        assert np.all(found.thrust_slope <= (1.0 + first) * straight.thrust_slope * (1.0 + 1e-9))
        assert np.all(found.thrust_slope >= 0.99 * straight.thrust_slope)
        # The tangent, taken odd, has the thrust at the slip, and dry friction that is not negative.
        assert np.all(found.thrust_slope * slips <= found.thrust * (1.0 + 1e-12))


@pytest.mark.parametrize("name", [*list(soil_records())[::4]])
def test_slopes_of_stresses_are_those_of_a_peak_that_stays(name: str) -> None:
    """Pressures are taken as they are: with c_2 = 0 they do not change with the slip."""
    law = WongReece({"type": name, "peak_slope": 0.0}, order=20)
    step, middle = 1e-6, np.array([-0.5, -0.1, 0.03, 0.2, 0.6])
    for lateral in (0.0, 0.2):
        near = [
            law.grip_at_sinkage(SINKAGE, wheel(lateral, middle + sign * step), law.numbers)
            for sign in (1.0, -1.0)
        ]
        tractions = [one.forces.gross_traction - one.rolling_thrust for one in near]
        slope = (tractions[0] - tractions[1]) / (2.0 * step)
        found = law.grip_at_sinkage(SINKAGE, wheel(lateral, middle), law.numbers)
        expected = np.clip(slope, 0.0, found.thrust / np.abs(middle))
        scale = np.max(found.thrust)
        assert found.thrust_slope == pytest.approx(expected, rel=2e-3, abs=1e-4 * scale)


@pytest.mark.parametrize("name", [*list(soil_records())[::4]])
def test_the_greatest_thrust_of_stresses_is_that_of_full_slip(name: str) -> None:
    """Spinning on the spot, or locked; with c_2 = 0, so that pressures stay."""
    law = WongReece({"type": name, "peak_slope": 0.0}, order=20)
    found = law.grip_at_sinkage(SINKAGE, wheel(0.0, np.array([-0.2, 0.0, 0.2])), law.numbers)
    full = law.grip_at_sinkage(SINKAGE, wheel(0.0, np.array([-1.0, 1.0, 1.0])), law.numbers)
    assert found.greatest_thrust == pytest.approx(full.thrust, rel=1e-3)
    assert found.greatest_thrust[1:] == pytest.approx(full.thrust[1:], rel=1e-9)


@pytest.mark.parametrize("name", ["dry-sand-lll", "heavy-clay-wes-25", "fiala"])
def test_under_a_load_it_is_that_of_the_sinkage(name: str) -> None:
    law, moving = law_of(name), wheel(0.1, 0.15)
    found = law.grip_under_load(LOAD, moving, law.numbers)
    assert found.forces.normal_force == pytest.approx(LOAD, rel=1e-6)
    expected = law.grip_at_sinkage(found.forces.sinkage, moving, law.numbers)
    for key, value in found.flat().items():
        assert value == pytest.approx(expected.flat()[key], rel=1e-9), key


def test_values_by_name_are_the_same_grip() -> None:
    found = replace(grip("lete-sand-wong", 0.1, 0.2), edge_x=3.0, side_push=-4.0)
    assert grip_of(found.flat()) == found
