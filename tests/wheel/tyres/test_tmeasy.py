"""TMeasy at the points it is given by, between them, and in combination."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from agreement import Agrees

from axletree.core.errors import ModelError
from axletree.expr import evaluate, jacobian, symbol
from axletree.wheel.contract import Contact
from axletree.wheel.tyres.tmeasy import TMeasy

DATA: dict[str, Any] = dict(TMeasy.example)
LAW = TMeasy(**DATA)
FZN = DATA["nominal_load"]
RILL = "Closed form, Hirschberg, Rill and Weinfurter 2007"


def along(sx: float, Fz: float = FZN) -> float:
    """Fx at a slip over the speed of rolling."""
    return float(LAW(Contact(Fz, sx / (1.0 - sx), 0.0, forward_speed=10.0)).Fx)


def across(sy: float, Fz: float = FZN) -> float:
    """Fy at a slip over the speed of rolling, positive for a positive slip."""
    return float(LAW(Contact(Fz, 0.0, -math.atan(sy), forward_speed=10.0)).Fy)


@pytest.mark.validation("tyres")
@pytest.mark.parametrize(("load", "k"), [(1.0, 1), (2.0, 2)])
def test_passes_through_its_points(load: float, k: int, agrees: Agrees) -> None:
    for curve, axis in ((along, "x"), (across, "y")):
        for point in "MS":
            s, F = DATA[f"s{axis}{point}_{k}"], DATA[f"F{axis}{point}_{k}"]
            agrees(
                "TMeasy at the points that it is given by", [curve(x, load * FZN) for x in (s, -s)],
                [F, -F], rel=1e-12, unit="N", source=RILL,
                case=f"F{axis}{point} at {load:g} times the nominal load",
            )  # fmt: skip
        assert curve(0.95, load * FZN) == pytest.approx(DATA[f"F{axis}S_{k}"], rel=1e-12)


@pytest.mark.validation("tyres")
def test_values_by_hand(agrees: Agrees) -> None:
    # Half way to the greatest force: dF0 sM = 12600, over FM 4.0645161, so that
    # F = 6300 / (1 + 0.5 (0.5 + 2.0645161)) = 6300 / 2.2822581.
    agrees(
        "TMeasy half-way to its greatest force: Fy", across(0.09), 2760.424, rel=1e-6, unit="N",
        source=RILL,
    )  # fmt: skip
    # Half way from there to sliding the cubic is at the mean of both forces.
    agrees(
        "TMeasy half-way from there to sliding: Fx", along(0.5 * (0.11 + 0.4)), 3250.0,
        rel=1e-12, unit="N", source=RILL,
    )  # fmt: skip


def test_slopes_at_no_slip() -> None:
    S, alpha = symbol("S"), symbol("alpha")
    for load, k in ((1.0, 1), (2.0, 2)):
        forces = LAW(Contact(load * FZN, S, alpha))
        slopes = jacobian([forces.Fx, forces.Fy], [S, alpha])
        for place in (0.0, 1e-9):
            Kx = evaluate([slopes[0, 0]], {S: place, alpha: 0.0})[0]
            Ky = evaluate([slopes[1, 1]], {S: 0.0, alpha: place})[0]
            assert Kx == pytest.approx(DATA[f"dFx0_{k}"], rel=1e-6)
            assert Ky == pytest.approx(-DATA[f"dFy0_{k}"], rel=1e-6)


def test_is_smooth_where_its_pieces_meet() -> None:
    for curve, places in ((along, (0.11, 0.4)), (across, (0.18, 0.6))):
        for place in places:
            before = (curve(place) - curve(place - 1e-6)) / 1e-6
            after = (curve(place + 1e-6) - curve(place)) / 1e-6
            assert before == pytest.approx(0.0, abs=1.0)
            assert after == pytest.approx(0.0, abs=1.0)


def test_forces_follow_the_load_by_a_parabola_and_slips_by_a_line() -> None:
    # At 1.5 times the nominal load: F = 1.5 (2 F1 - F2/2 - 1.5 (F1 - F2/2)) and the mean slip.
    F = 1.5 * (2.0 * 3100.0 - 2700.0 - 1.5 * (3100.0 - 2700.0))
    assert across(0.19, 1.5 * FZN) == pytest.approx(F, rel=1e-12)
    assert across(0.1901, 1.5 * FZN) < F
    assert across(0.1899, 1.5 * FZN) < F


def test_beyond_its_data_forces_grow_with_the_load() -> None:
    assert across(0.2, 6.0 * FZN) == pytest.approx(3.0 * 5400.0, rel=1e-12)
    assert along(0.12, 1e3 * FZN) == pytest.approx(500.0 * 6500.0, rel=1e-12)
    # The trail over the contact length is that of twice the load, 0.15 at no slip.
    forces = LAW(Contact(4.0 * FZN, 0.0, 1e-9, forward_speed=10.0))
    L = 2.0 * math.sqrt(0.32 * 4.0 * 0.016)
    assert -forces.Mz / forces.Fy == pytest.approx(0.15 * L, rel=1e-6)
    assert forces.Mx == 0.0


@pytest.mark.parametrize("angle", np.linspace(0.1, 6.2, 9))
def test_combined_slip_stays_within_its_curves(angle: float) -> None:
    """FS joins both sliding forces by the direction of the force; no force passes the peaks."""
    far = LAW(Contact(FZN, 50.0 * math.cos(angle), math.atan(50.0 * math.sin(angle)), 0.0, 10.0))
    direction = math.atan2(abs(far.Fy), abs(far.Fx))
    radius = math.hypot(3200.0 * math.cos(direction), 3100.0 * math.sin(direction))
    assert math.hypot(far.Fx, far.Fy) == pytest.approx(radius, rel=1e-9)
    for size in np.linspace(0.0, 0.6, 61):
        S, t = size * math.cos(angle) * 0.9, size * math.sin(angle)
        forces = LAW(Contact(FZN, S, math.atan(t), forward_speed=10.0))
        assert math.hypot(forces.Fx, forces.Fy) <= 3300.0 * (1.0 + 1e-12)


def test_brakes_and_steers_less_at_once() -> None:
    both = LAW(Contact(FZN, -0.1, 0.15, forward_speed=10.0))
    assert abs(both.Fx) < abs(LAW(Contact(FZN, -0.1, 0.0, forward_speed=10.0)).Fx)
    assert abs(both.Fy) < abs(LAW(Contact(FZN, 0.0, 0.15, forward_speed=10.0)).Fy)


def test_equal_curves_give_one_curve_in_every_direction() -> None:
    same = {key: DATA[key.replace("x", "y")] for key in DATA if key[1:3] in ("Fx", "xM", "xS")}
    law = TMeasy(**{**DATA, **same})
    for s in (0.05, 0.18, 0.4, 0.7):
        sx, sy = s * math.cos(0.6), s * math.sin(0.6)
        S = sx / (1.0 - sx)
        forces = law(Contact(FZN, S, -math.atan(sy * (1.0 + S)), forward_speed=10.0))
        expected = across(s)
        assert (forces.Fx, forces.Fy) == pytest.approx(
            (expected * math.cos(0.6), expected * math.sin(0.6)), rel=1e-9
        )


@pytest.mark.validation("tyres")
def test_the_trail(agrees: Agrees) -> None:
    L = 2.0 * math.sqrt(0.32 * FZN / 200e3)

    def trail(sy: float) -> float:
        forces = LAW(Contact(FZN, 0.0, -math.atan(sy), forward_speed=10.0))
        return -float(forces.Mz / forces.Fy)

    assert trail(1e-9) == pytest.approx(0.18 * L, rel=1e-6)
    # s = 1/2 and w = 0.19 / 0.35: both approximations are at a half.
    agrees(
        "TMeasy half-way to the end of its trail: trail", trail(0.095), 0.09 * L, rel=1e-9,
        unit="m", source=RILL,
    )  # fmt: skip
    assert trail(0.19) == pytest.approx(0.0, abs=1e-12)
    # Half way from sy0 to syE: -(1 - w) 0.08 / 0.19 / 4.
    assert trail(0.27) == pytest.approx(-0.18 * L * (0.16 / 0.35) * (0.08 / 0.19) / 4.0, rel=1e-9)
    assert trail(0.35) == trail(0.8) == 0.0
    slope = [(trail(0.19 + side * 1e-6) - trail(0.19)) / (side * 1e-6) for side in (-1, 1)]
    assert slope[0] == pytest.approx(slope[1], rel=1e-3)


@pytest.mark.validation("tyres")
def test_camber(agrees: Agrees) -> None:
    # deflection 0.016 m, L = 2 sqrt(0.32 * 0.016), r_D = 0.32 - 0.016 / 3
    L, radius = 2.0 * math.sqrt(0.32 * 0.016), 0.32 - 0.016 / 3.0
    thrust = -70e3 / 3.0 * L * math.sin(0.05) / (2.0 * radius)
    for slip in (0.0, 1e-10):
        forces = LAW(Contact(FZN, slip, 0.0, 0.05, forward_speed=10.0))
        agrees(
            "TMeasy at a camber of 0.05 rad: Fy", forces.Fy, thrust, rel=1e-6, unit="N",
            source=RILL, case="no slip" if slip == 0.0 else "hardly any slip",
        )  # fmt: skip
    # A third of the side force of the slip at the ends, with the secant of the force.
    with_camber, without = (LAW(Contact(FZN, 0.0, -0.1, g)).Fy for g in (0.05, 0.0))
    secant = without / math.tan(0.1)
    assert with_camber - without == pytest.approx(thrust * secant / 70e3, rel=1e-9)


def test_a_locked_wheel_slides() -> None:
    forces = LAW(Contact(FZN, -1.0, 0.0, forward_speed=10.0))
    assert forces.Fx == pytest.approx(-3200.0)


def test_rolling_resistance() -> None:
    forces = LAW(Contact(FZN, 0.0, 0.0, spin_rate=20.0))
    assert forces.My == pytest.approx(-0.01 * (0.32 - 0.016 / 3.0) * FZN)
    assert LAW(Contact(FZN, 0.0, 0.0, spin_rate=0.0)).My == 0.0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"FxM_2": 14000.0}, "FxM_2 must be less than four times FxM_1"),
        ({"syM_2": 0.4}, "syM_2 must be less than twice syM_1"),
        ({"sxS_1": 0.1}, "sxS must be greater than sxM"),
        ({"syE_2": 0.2}, "syE must be greater than sy0"),
        ({"nominal_load": 0.0}, "nominal_load"),
    ],
)
def test_curves_that_cross_are_refused(change: dict[str, float], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        TMeasy(**{**DATA, **change})


class Vanishing(TMeasy):
    """As TMeasy is where parabolas through its points come to zero."""

    def forces(self, contact: Contact, p: Any) -> Any:
        return 1.0 / (contact.normal_load - contact.normal_load)


def test_a_load_at_which_its_slopes_are_zero() -> None:
    with pytest.raises(ModelError, match="Vanishing has no forces under a load of 9000 N"):
        Vanishing(**DATA)(Contact(9000.0, 0.5, 0.5, forward_speed=10.0))
