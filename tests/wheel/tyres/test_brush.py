"""The brush model against Pacejka's closed forms and a contact of many single bristles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from agreement import Agrees

from axletree.expr import evaluate, jacobian, symbol
from axletree.wheel.contract import Contact
from axletree.wheel.tyres.brush import Brush

EVEN: dict[str, Any] = {
    "half_length": 0.05,
    "nominal_load": 4000.0,
    "tread_stiffness_x": 12e6,
    "tread_stiffness_y": 12e6,
    "friction_x": 0.9,
    "friction_y": 0.9,
}  # slip stiffness 2 c a^2 = 60 kN at the nominal load
UNEVEN = {**EVEN, "tread_stiffness_x": 18e6, "friction_x": 1.2}


def single_bristles(
    fields: dict[str, Any], Fz: float, sigma: np.ndarray, count: int = 200_000
) -> tuple[float, float, float]:
    """Fx, Fy, Mz of bristles that bend with the slip until friction times pressure is met."""
    a = fields["half_length"] * math.sqrt(Fz / fields["nominal_load"])
    x = a * (1.0 - (2.0 * np.arange(count) + 1.0) / count)  # from the leading edge
    pressure = 0.75 * Fz / a * (1.0 - (x / a) ** 2)
    stiffness = np.array([[fields["tread_stiffness_x"]], [fields["tread_stiffness_y"]]])
    friction = np.array([[fields["friction_x"]], [fields["friction_y"]]])
    bent = stiffness * sigma[:, None] * (a - x)
    adheres = np.hypot(*(bent / friction)) < pressure
    # Of all forces of the friction ellipse, the one that takes most power from the sliding.
    direction = friction**2 * sigma[:, None] / np.hypot(*(friction[:, 0] * sigma))
    force = np.where(adheres, bent, direction * pressure) * (2.0 * a / count)
    return float(force[0].sum()), float(force[1].sum()), float((x * force[1]).sum())


@pytest.mark.parametrize("fields", [EVEN, UNEVEN], ids=["even", "uneven"])
@pytest.mark.parametrize("Fz", [500.0, 4000.0, 9000.0])
@pytest.mark.parametrize(
    ("S", "alpha"), [(0.02, 0.01), (-0.03, 0.04), (0.0, -0.1), (0.2, 0.02), (-0.6, 0.1)]
)
def test_is_a_row_of_bristles(fields: dict[str, Any], Fz: float, S: float, alpha: float) -> None:
    forces = Brush(**fields)(Contact(Fz, S, alpha, forward_speed=10.0))
    sigma = np.array([S, -math.tan(alpha)]) / (1.0 + S)
    expected = single_bristles(fields, Fz, sigma)
    answers = np.array([forces.Fx, forces.Fy, forces.Mz])
    np.testing.assert_allclose(answers, expected, rtol=1e-7, atol=1e-5 * Fz)


@pytest.mark.validation("tyres")
def test_equal_stiffness_and_friction_are_pacejka_s(agrees: Agrees) -> None:
    law, Fz = Brush(**EVEN), 4000.0
    theta = 2.0 / 3.0 * 12e6 * 0.05**2 / (0.9 * Fz)
    for share in (0.1, 0.5, 0.9, 1.0, 1.7):
        sigma = share / theta
        forces = law(Contact(Fz, 0.0, math.atan(sigma), forward_speed=10.0))
        t = min(share, 1.0)
        Fy = -0.9 * Fz * (3.0 * t - 3.0 * t**2 + t**3)
        trail = 0.05 / 3.0 * (1.0 - t) ** 3 / (1.0 - t + t**2 / 3.0)
        agrees(
            "brush model: Fy", forces.Fy, Fy, rel=1e-12, unit="N",
            case=f"{share:g} of the slip of full sliding",
            source="Closed form, Pacejka 2012, brush model",
        )  # fmt: skip
        assert forces.Mz == pytest.approx(-trail * Fy, rel=1e-12, abs=1e-9)


def test_values_by_hand() -> None:
    # Half of the contact slides: sigma = 1/2 * 3 mu Fz / (2 c a^2) = 0.09.
    forces = Brush(**EVEN)(Contact(4000.0, 0.0, -math.atan(0.09), forward_speed=10.0))
    assert forces.Fy == pytest.approx(0.9 * 4000.0 * 7.0 / 8.0)
    assert forces.Mz == pytest.approx(-0.05 * 0.9 * 4000.0 / 16.0)  # -a mu Fz psi (1 - psi)^3
    # The same slip along: S / (1 + S) = 0.09.
    forces = Brush(**EVEN)(Contact(4000.0, 0.09 / 0.91, 0.0, forward_speed=10.0))
    assert forces.Fx == pytest.approx(0.9 * 4000.0 * 7.0 / 8.0)


def test_slopes_at_no_slip_and_the_trail_of_a_sixth() -> None:
    S, alpha = symbol("S"), symbol("alpha")
    forces = Brush(**UNEVEN)(Contact(4000.0, S, alpha, forward_speed=10.0))
    slopes = jacobian([forces.Fx, forces.Fy, forces.Mz], [S, alpha])
    values = evaluate([slopes[0, 0], slopes[1, 1], slopes[2, 1]], {S: 0.0, alpha: 0.0})
    assert values == pytest.approx([90e3, -60e3, 60e3 * 0.05 / 3.0], rel=1e-9)


def test_sliding_forces_lie_on_the_friction_ellipse() -> None:
    law = Brush(**UNEVEN)
    for alpha in np.linspace(-1.5, 1.5, 13):
        for S in (-1.0, -0.8, 3.0):
            forces = law(Contact(4000.0, S, float(alpha), forward_speed=10.0))
            on = (forces.Fx / (1.2 * 4000.0)) ** 2 + (forces.Fy / (0.9 * 4000.0)) ** 2
            assert on == pytest.approx(1.0, rel=1e-9)
            assert forces.Mz == pytest.approx(0.0, abs=1e-9)


def test_never_leaves_the_friction_ellipse() -> None:
    S, alpha = (a.ravel() for a in np.meshgrid(np.linspace(-0.9, 2.0, 59), np.linspace(-1, 1, 41)))
    forces = Brush(**UNEVEN)(Contact(4000.0, S, alpha, forward_speed=10.0))
    assert np.all((forces.Fx / 4800.0) ** 2 + (forces.Fy / 3600.0) ** 2 <= 1.0 + 1e-12)


def test_a_locked_wheel_drags_against_its_motion() -> None:
    forces = Brush(**EVEN)(Contact(4000.0, -1.0, 0.3, forward_speed=10.0))
    assert forces.Fx == pytest.approx(-3600.0 * math.cos(0.3), rel=1e-9)
    assert forces.Fy == pytest.approx(-3600.0 * math.sin(0.3), rel=1e-9)


def test_reverse_is_forwards_seen_from_behind() -> None:
    law = Brush(**UNEVEN, rolling_resistance=0.004)
    ahead = law(Contact(4000.0, 0.04, 0.03, forward_speed=10.0, spin_rate=30.0))
    back = law(Contact(4000.0, -0.04, 0.03, forward_speed=-10.0, spin_rate=-30.0))
    assert (back.Fx, back.Fy, back.My) == pytest.approx((-ahead.Fx, ahead.Fy, -ahead.My))


def test_rolling_resistance() -> None:
    forces = Brush(**EVEN, rolling_resistance=0.004)(Contact(3000.0, 0.0, 0.0, spin_rate=30.0))
    assert forces.My == pytest.approx(-12.0)
    assert forces.Mx == 0.0


def test_forces_grow_with_the_load_and_moments_with_its_power() -> None:
    one, four = (
        Brush(**UNEVEN)(Contact(Fz, 0.02, 0.03, forward_speed=10.0)) for Fz in (1000.0, 4000.0)
    )
    assert (four.Fx, four.Fy) == pytest.approx((4.0 * one.Fx, 4.0 * one.Fy))
    assert four.Mz == pytest.approx(8.0 * one.Mz)
