"""Magic Formula 5.2 worked by hand at the nominal load of the tyre of Morency 2007."""

from __future__ import annotations

import dataclasses
import math
from math import atan, cos, sin, sqrt, tan
from typing import Any

import numpy as np
import pytest
from agreement import Agrees

from axletree.core.errors import ModelError
from axletree.expr import (
    Expr,
    as_expr,
    count_operations,
    evaluate,
    jacobian,
    symbol,
    topological_order,
)
from axletree.wheel.contract import Contact, Forces
from axletree.wheel.tyres.magic_formula import MagicFormula52

INPUTS = (
    "normal_load",
    "longitudinal_slip",
    "slip_angle",
    "inclination",
    "forward_speed",
    "spin_rate",
)
ANSWERS = ("Fx", "Fy", "Mx", "My", "Mz")


def made(**changes: Any) -> MagicFormula52:
    return MagicFormula52(**{**MagicFormula52.example, **changes})


def rolling(slip: float = 0.0, angle: float = 0.0, lean: float = 0.0, **more: Any) -> Contact:
    state = {"normal_load": 4850.0, "forward_speed": 20.0, "spin_rate": 58.0, **more}
    return Contact(longitudinal_slip=slip, slip_angle=angle, inclination=lean, **state)


@pytest.mark.validation("tyres")
def test_longitudinal_force_by_hand(agrees: Agrees) -> None:
    """At 4850 N there is no load change; the slip is shifted to 0.05."""
    x = 22.303 / (1.6411 * 1.1739) * 0.05
    assert x == pytest.approx(0.5788515, abs=1e-7)
    E = 0.46403 * (1.0 + 3.7604e-05)
    inner = x - E * (x - atan(x))
    expected = 4850.0 * (1.1739 * sin(1.6411 * atan(inner)) - 8.8098e-06)
    found = made(RBX1=0.0)(rolling(slip=0.05 - 0.0012297))
    agrees(
        "Magic Formula 5.2, slip of 0.05: Fx", found.Fx, expected, rel=1e-12, unit="N",
        source="Closed form, tyre of Morency 2007 at its nominal load",
    )  # fmt: skip
    assert found.Fx == pytest.approx(4200.97, abs=0.01)


@pytest.mark.validation("tyres")
def test_lateral_force_by_hand(agrees: Agrees) -> None:
    """Without inclination, at a slip angle that the shift makes 0.04 rad."""
    stiffness = -21.92 * 4850.0 * sin(2.0 * atan(1.0 / 2.0012))
    y = stiffness / (1.3507 * 1.0489 * 4850.0) * 0.04
    E = min(-0.0074722 * (1.0 + 9.9935), 1.0)
    inner = y - E * (y - atan(y))
    expected = 4850.0 * (1.0489 * sin(1.3507 * atan(inner)) + 0.037318)
    found = made()(rolling(angle=0.04 - 0.0026747))
    agrees(
        "Magic Formula 5.2, slip angle of 0.04 rad: Fy", found.Fy, expected, rel=1e-12, unit="N",
        source="Closed form, tyre of Morency 2007 at its nominal load",
    )  # fmt: skip
    assert found.Fy == pytest.approx(-2790.96, abs=0.01)


def test_aligning_moment_by_hand() -> None:
    """Of slip angle alone: trail times force, residual moment; Fx is only its shift."""
    alpha = 0.03
    found = made(SSZ1=0.0, SSZ2=0.0, SSZ3=0.0)(rolling(angle=alpha))
    stiffness = -21.92 * 4850.0 * sin(2.0 * atan(1.0 / 2.0012))
    trail_angle = alpha + 0.0047326
    E = -1.5697 * (1.0 + 0.26711 * 2.0 / math.pi * atan(10.904 * 1.2136 * trail_angle))
    x = 10.904 * trail_angle
    trail = 0.344 * 0.093509 * cos(1.2136 * atan(x - E * (x - atan(x)))) * cos(alpha)
    free = alpha + 0.0026747 + 0.037318 * 4850.0 / stiffness
    residual = -0.0067783 * 4850.0 * 0.344 / sqrt(1.0 + (8.9846 * free) ** 2) * cos(alpha)
    assert trail == pytest.approx(0.0286819, abs=1e-7)
    assert residual == pytest.approx(-10.9008, abs=1e-4)
    assert found.Mz == pytest.approx(-trail * found.Fy + residual, rel=1e-12)
    assert found.Mz == pytest.approx(56.515, abs=0.001)


def test_the_two_small_moments_by_hand() -> None:
    law = made(QSX1=0.002, QSX2=0.5, QSX3=0.04, QSY2=0.1, QSY3=0.001, QSY4=0.0002)
    f = law(rolling(0.02, 0.03, 0.05))
    weight = 4850.0 * 0.344
    assert f.Mx == pytest.approx(weight * (0.002 - 0.5 * 0.05 + 0.04 * f.Fy / 4850.0), rel=1e-12)
    ratio = 20.0 / 16.6
    loss = 0.01 + 0.1 * f.Fx / 4850.0 + 0.001 * ratio + 0.0002 * ratio**4
    assert f.My == pytest.approx(-weight * loss, rel=1e-12)


def test_combined_slip_by_hand() -> None:
    """Weights of both forces at a slip of 0.1 and a slip angle of 0.1 rad, nominal load."""
    law, contact = made(), rolling(0.1, 0.1)
    pure = made(RBX1=0.0, RBY1=0.0, RVY1=0.0)(contact)
    both = law(contact)

    def weight(C: float, B: float, E: float, x: float, shift: float) -> float:
        at, zero = (B * v - E * (B * v - atan(B * v)) for v in (x + shift, shift))
        return cos(C * atan(at)) / cos(C * atan(zero))

    B = 13.276 * cos(atan(13.778 * 0.1))
    assert both.Fx / pure.Fx == pytest.approx(weight(1.2568, B, 0.65225, 0.1, 0.0050722), rel=1e-12)
    B = 7.1433 * cos(atan(9.1916 * (0.1 + 0.027856)))
    left = weight(1.0719, B, -0.27572, 0.1, 5.7448e-06)
    induced = 1.0489 * 4850.0 * -0.027825 * cos(atan(1.212)) * sin(1.9 * atan(-1.0704))
    assert both.Fy == pytest.approx(pure.Fy * left + induced, rel=1e-12)


def test_longitudinal_slip_acts_on_the_trail_like_slip_angle() -> None:
    """With no residual moment and arm, Mz/F'y depends on slip by the equivalent angle alone."""
    law = made(QDZ6=0.0, SSZ1=0.0, SSZ2=0.0, RBY1=0.0, RVY1=0.0, QEZ4=0.0, QHZ1=0.0)
    ratio = 22.303 / (21.92 * sin(2.0 * atan(1.0 / 2.0012)))
    slip, alpha = 0.05, 0.04
    combined = law(rolling(slip, alpha))
    same = math.atan(math.hypot(tan(alpha), ratio * slip))
    alone = law(rolling(0.0, same))
    trails = [f.Mz / f.Fy / cos(a) for f, a in ((combined, alpha), (alone, same))]
    assert trails[0] == pytest.approx(trails[1], rel=1e-12)


def test_rolling_backwards_is_rolling_forwards_seen_from_the_other_end() -> None:
    law = made(PVX1=0.01, PEX4=0.3)
    forwards = law(rolling(0.03, 0.05))
    backwards = law(rolling(-0.03, 0.05, forward_speed=-20.0, spin_rate=-58.0))
    assert backwards.Fx == pytest.approx(-forwards.Fx, rel=1e-12)
    assert backwards.Fy == pytest.approx(forwards.Fy, rel=1e-12)
    assert backwards.My == pytest.approx(-forwards.My, rel=1e-12)
    assert backwards.Mz == pytest.approx(-forwards.Mz, rel=1e-12)


def test_no_force_at_rest_and_in_the_air() -> None:
    still = made()(Contact(4850.0, 0.0, 0.0))
    assert dataclasses.astuple(still) == (0.0,) * 5
    lifted = made()(rolling(0.2, -0.3, 0.1, normal_load=0.0))
    assert dataclasses.astuple(lifted) == pytest.approx((0.0,) * 5, abs=1e-12)


def test_a_locked_wheel_is_dragged_against_its_motion() -> None:
    for speed in (20.0, -20.0):
        slip = -math.copysign(1.0, speed)
        f = made()(rolling(slip, 0.4, forward_speed=speed, spin_rate=0.0))
        assert f.Fx * speed < 0.0
        assert f.Fy < 0.0
        assert f.My == 0.0


@pytest.mark.validation("tyres")
def test_relaxation_lengths_of_morency(agrees: Agrees) -> None:
    """Morency 2007, table A.6, eqs. (3.27) and (3.28): Blat = 0.65 m near the nominal load."""
    law = made(PTX1=2.3657, PTX2=1.4112, PTX3=0.56626, PTY1=2.1439, PTY2=1.9829, PKY3=-0.90729)
    lengths = law.relaxation_lengths(rolling(), law.numbers)
    assert lengths.longitudinal == pytest.approx(2.3657 * 0.344, rel=1e-12)
    agrees(
        "lag of slip: relaxation length across", lengths.lateral,
        2.1439 * sin(2 * atan(1 / 1.9829)) * 0.344, rel=1e-12, unit="m",
        source="Morency 2007, eq. (3.28) and table A.6",
    )  # fmt: skip
    assert made(PTY2=0.0).relaxation_lengths(rolling(), made(PTY2=0.0).numbers).lateral == 0.0


def test_effective_radius() -> None:
    law = made(VERTICAL_STIFFNESS=3.04e5)
    sunk = 0.27 * atan(8.4) + 0.07
    found = law.effective_radius(rolling(), law.numbers)
    assert found == pytest.approx(0.344 - 4850.0 / 3.04e5 * sunk, rel=1e-12)


def expressions(law: MagicFormula52, p: dict[str, Any]) -> list[Expr]:
    forces: Forces = law.forces(Contact(**{name: symbol(name) for name in INPUTS}), p)
    return [as_expr(getattr(forces, name)) for name in ANSWERS]


def test_cost_with_numbers() -> None:
    """Morency 2007, table 5.3, has 84, 205, 23 and 46, without smooth signs at rest."""
    count = count_operations(expressions(made(), made().numbers))
    assert count.additions <= 83
    assert count.multiplications <= 137
    assert count.divisions <= 10
    assert count.functions <= 53


def test_cost_with_symbols() -> None:
    """What depends on coefficients alone is computed once and not counted here."""
    law = made()
    p = {name: symbol(f"p.{name}") if value else 0.0 for name, value in law.numbers.items()}
    found = expressions(law, p)
    total = count_operations(found)
    once = count_operations(independent(found, {name: symbol(name) for name in INPUTS}))
    assert total.additions - once.additions <= 83
    assert total.multiplications - once.multiplications <= 142
    assert total.divisions - once.divisions <= 10
    assert total.functions - once.functions <= 54


def independent(found: list[Expr], inputs: dict[str, Expr]) -> list[Expr]:
    varying = {e.node for e in inputs.values()}
    constant = []
    for node in topological_order(found):
        if any(operand.node in varying for operand in node.operands):
            varying.add(node)
        elif node not in varying and node.operands:
            constant.append(Expr(1.0, node))
    return constant


@pytest.mark.parametrize("load", [0.0, 1e-9, 4850.0])
@pytest.mark.parametrize("speed", [-3.0, 0.0, 1e-9, 20.0])
@pytest.mark.parametrize("slip", [-1.0, 0.0, 0.1])
def test_slopes_are_finite(load: float, speed: float, slip: float) -> None:
    law = made()
    variables = [symbol(name) for name in INPUTS]
    slopes = list(jacobian(expressions(law, law.numbers), variables).values())
    for angle in (0.0, -0.0026747, 0.2, math.pi / 2):
        point = dict(zip(variables, (load, slip, angle, 0.0, speed, speed / 0.34), strict=True))
        assert np.isfinite(np.array(evaluate(slopes, point), dtype=float)).all()


def test_all_problems_of_a_file_at_once() -> None:
    wrong = {**MagicFormula52.example, "PCX2": 1.0, "PKY6": -0.9, "LMUY": -1.0}
    del wrong["PKY1"], wrong["FNOMIN"]
    with pytest.raises(ModelError) as caught:
        MagicFormula52.from_coefficients(wrong)
    text = str(caught.value)
    assert len(caught.value.problems) == 5
    for expected in ("PCX2", "did you mean", "PKY6", "PKY1 is missing", "FNOMIN", "LMUY"):
        assert expected in text


def test_what_a_file_says_of_other_things_is_passed_over() -> None:
    file = {**MagicFormula52.example, "MASS": 9.0, "FITTYP": 6, "LFZ0": 0.9, "PPX1": 0.2, "QSX4": 0}
    assert MagicFormula52.from_coefficients(file) == made(LFZO=0.9)
