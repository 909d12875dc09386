"""Laws of the cone index against numbers worked out by hand, and the steady state of a wheel."""

from __future__ import annotations

import numpy as np
import pytest
from agreement import Agrees
from scipy.optimize import fsolve

from axletree.core.errors import ModelError
from axletree.expr import directional_derivative, evaluate, symbol
from axletree.wheel.soils.cone_index_laws import (
    Brixius,
    ConeIndexLaw,
    WismerLuth,
    pressure_deflection,
)
from axletree.wheel.soils.contract import WheelInSoil
from axletree.wheel.soils.layers import Border
from axletree.wheel.soils.wong_reece import WongReece

# The quarter vehicle of Peiret et al., table 1, with the load of one wheel.
LAW = Brixius(cone_index=400e3, section_height=0.14, inflation_pressure=2e5)
RADIUS, WIDTH, LOAD = 0.381, 0.2, 2452.5
LAWS = (LAW, WismerLuth(cone_index=400e3))


def wheel(slip: object = 0.0, slip_angle: object = 0.0) -> WheelInSoil:
    return WheelInSoil(RADIUS, WIDTH, slip, slip_angle)


@pytest.mark.parametrize(
    ("load", "deflection", "mobility"),
    [(2452.5, 0.0012353, 14.519912), (9810.0, 0.020273, 5.99375)],
)
@pytest.mark.validation("soils")
def test_deflection_and_mobility_number(
    load: float, deflection: float, mobility: float, agrees: Agrees
) -> None:
    found = LAW.deflection(load, wheel(), LAW.numbers)
    assert found == pytest.approx(deflection, rel=5e-5)
    patch = 2.0 * np.sqrt(2.0 * RADIUS * found - found**2)
    assert patch * WIDTH * 2e5 == pytest.approx(load, rel=1e-12)
    agrees(
        f"mobility number of Brixius at {load:g} N",
        LAW.mobility_number(load, wheel(), LAW.numbers), mobility, rel=1e-6,
        source="Peiret et al., eq. (18) and table 1, by hand",
    )  # fmt: skip


@pytest.mark.parametrize(("load", "mobility"), [(9810.0, 6.95319), (2452.5, 27.81274)])
def test_mobility_number_at_a_given_deflection(load: float, mobility: float) -> None:
    law = Brixius(cone_index=400e3, section_height=0.14, deflection_ratio=0.2)
    assert law.mobility_number(load, wheel(), law.numbers) == pytest.approx(mobility, rel=1e-6)


@pytest.mark.validation("soils")
def test_steady_state_of_the_quarter_vehicle(agrees: Agrees) -> None:
    """Torque 600 N m, pull of 500 N s/m: T = r F_t and F_t = F_c + F_p."""

    def balance(state: np.ndarray) -> list[float]:
        speed, rate = state
        forces = LAW(LOAD, wheel(1.0 - speed / (rate * RADIUS)))
        return [
            600.0 - forces.torque,
            float(forces.gross_traction - forces.compaction_resistance - 500.0 * speed),
        ]

    speed, rate = fsolve(balance, [2.0, 8.0], xtol=1e-13)
    slip = 1.0 - speed / (rate * RADIUS)
    forces = LAW(LOAD, wheel(slip))
    for name, unit, found, known in (
        ("speed", "m/s", speed, 2.423505),
        ("rate of the wheel", "rad/s", rate, 9.066965),
        ("slip", "", slip, 0.298452),
    ):
        agrees(
            f"quarter vehicle on soil, 600 N m, law of Brixius alone: {name}", found, known,
            abs=5e-7, unit=unit, source="Peiret et al., eqs. (18) to (20), with table 1, by hand",
        )  # fmt: skip
    assert forces.gross_traction == pytest.approx(1574.803, abs=5e-4)
    assert forces.compaction_resistance == pytest.approx(363.050, abs=5e-4)
    assert forces.drawbar_pull == pytest.approx(1211.753, abs=5e-4)


@pytest.mark.validation("soils")
def test_a_whole_vehicle_on_one_wheel_does_not_start(agrees: Agrees) -> None:
    """600 N m give 1574.80 N; motion resistance without slip is 2029.1 N."""
    forces = LAW(9810.0, wheel(0.0))
    agrees(
        "whole vehicle on one wheel: resistance at rest", forces.compaction_resistance, 2029.1,
        abs=0.05, unit="N", source="Peiret et al., eq. (20), with table 1, by hand",
    )  # fmt: skip
    assert forces.compaction_resistance * RADIUS == pytest.approx(773.0, abs=0.5)


@pytest.mark.parametrize("law", LAWS)
def test_thrust_is_a_bound_of_the_size_of_slip(law: ConeIndexLaw) -> None:
    """mu(|i|): braking is driving in a mirror; the bound at rest is that of slip 1."""
    slips = np.linspace(0.01, 1.0, 60)
    driven, braked = law(LOAD, wheel(slips)), law(LOAD, wheel(-slips))
    np.testing.assert_allclose(driven.gross_traction, -braked.gross_traction, rtol=1e-14)
    np.testing.assert_allclose(driven.compaction_resistance, braked.compaction_resistance)
    mobility = law.mobility_number(LOAD, wheel(), law.numbers)
    bound = law.thrust_ratio(1.0, mobility)
    assert np.all(driven.gross_traction <= bound * LOAD)
    assert driven.gross_traction[-1] == pytest.approx(bound * LOAD, rel=1e-14)
    assert np.all(np.diff(driven.gross_traction) > 0.0)
    assert 0.4 < bound < 0.92


def test_brixius_by_hand() -> None:
    assert LAW.thrust_ratio(0.0, 20.0) == pytest.approx(0.04)
    expected = 0.88 * (1.0 - np.exp(-2.0)) * (1.0 - np.exp(-1.5)) + 0.04
    assert LAW.thrust_ratio(0.2, 20.0) == pytest.approx(expected, rel=1e-14)
    assert LAW.resistance_ratio(0.2, 25.0) == pytest.approx(0.04 + 0.02 + 0.04, rel=1e-14)


def test_wismer_and_luth_by_hand() -> None:
    """C_n = 400 kPa 0.2 m 0.762 m / 2452.5 N = 24.856; 0.75 (1 - exp(-0.3 C_n i))."""
    law = WismerLuth(cone_index=400e3)
    number = law.mobility_number(LOAD, wheel(), law.numbers)
    assert number == pytest.approx(24.8563, abs=5e-5)
    forces = law(LOAD, wheel(0.2))
    assert forces.gross_traction / LOAD == pytest.approx(0.75 * (1.0 - np.exp(-0.06 * number)))
    assert forces.compaction_resistance / LOAD == pytest.approx(1.2 / number + 0.04)


@pytest.mark.parametrize("law", LAWS)
def test_nothing_is_singular(law: ConeIndexLaw) -> None:
    load, slip, angle = symbol("load"), symbol("slip"), symbol("angle")
    forces = law.under_load(load, wheel(slip, angle), law.numbers)
    expressions = [forces.gross_traction, forces.compaction_resistance, forces.lateral_force]
    slopes = [
        rate
        for variable in (load, slip, angle)
        for rate in directional_derivative(expressions, {variable: 1.0})
    ]
    for point in (
        (0.0, 0.0, 0.0),
        (-5.0, 0.2, 0.1),
        (3e3, 0.0, 0.0),
        (3e3, -1.0, 0.0),
        (1e9, 2, 1),
    ):
        given = dict(zip((load, slip, angle), point, strict=True))
        assert np.all(np.isfinite(evaluate([*expressions, *slopes], given)))
        if point[0] <= 0.0:
            assert evaluate(expressions, given) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("law", LAWS)
def test_side_force_is_odd_and_shares_the_thrust(law: ConeIndexLaw) -> None:
    angles = np.linspace(0.0, 1.2, 30)
    left, right = law(LOAD, wheel(0.1, -angles)), law(LOAD, wheel(0.1, angles))
    np.testing.assert_allclose(left.lateral_force, -right.lateral_force, rtol=1e-14)
    mobility = law.mobility_number(LOAD, wheel(), law.numbers)
    both = np.hypot(right.gross_traction, right.lateral_force)
    size = np.minimum(np.hypot(0.1, 0.9 * np.tan(angles)), 1.0)
    np.testing.assert_allclose(both, LOAD * law.thrust_ratio(size, mobility), rtol=1e-12)


def test_a_flat_tyre_has_a_deflection_too() -> None:
    assert np.isfinite(pressure_deflection(1e6, 2e5, 0.762, 0.2))
    assert pressure_deflection(0.0, 2e5, 0.762, 0.2) == 0.0


def test_a_soil_without_strength_is_refused() -> None:
    with pytest.raises(ModelError, match="cone_index: 0 Pa is not allowed"):
        Brixius(cone_index=0.0, section_height=0.14)


def test_numbers_that_wheels_are_compared_by() -> None:
    """Those of the tyre that gives by 0.008824 of its section, and none of rigid wheels."""
    found = LAW.compared_by(2452.5, wheel(), LAW.numbers)
    numeric = 4e5 * 0.2 * 0.762 / 2452.5
    clay = numeric * 0.008824**0.5 / (1.0 + 0.2 / (2.0 * 0.762))
    assert found["wheel_numeric"] == pytest.approx(numeric)
    assert found["clay_number"] == pytest.approx(clay, rel=1e-4)
    weak = Brixius(cone_index=1e5, section_height=0.14)
    border = Border(LAW, weak)
    on_the_line = border.compared_by(2452.5, wheel(), border.numbers)
    assert on_the_line["wheel_numeric"] == pytest.approx(numeric * 0.625)
    other = Border(LAW, WongReece("dry-sand-lll"))
    assert not other.compared_by(2452.5, wheel(), other.numbers)


@pytest.mark.parametrize("name", ["slip", "radius", "x"])
def test_numbers_that_are_none_are_refused(name: str) -> None:
    with pytest.raises(ModelError, match=f"wheel, {name}: nan is not finite"):
        WheelInSoil(**{"radius": 0.4, "width": 0.2, name: float("nan")})
    with pytest.raises(ModelError, match="load: inf is not finite"):
        LAW(float("inf"), wheel())
    for size in (-0.2, 0.0, np.array([0.2, 0.0])):
        with pytest.raises(ModelError, match=r"wheel, width: .* m is not allowed"):
            WheelInSoil(0.4, size)
