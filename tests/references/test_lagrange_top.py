"""The heavy symmetrical top with one point fixed: Goldstein, Classical Mechanics, section 5.7.

Euler angles 313 are precession, nutation (from the vertical) and spin. With I1 the inertia
about a line through the fixed point normal to the axis, I3 about the axis, and l the height
of the centre of mass: steady precession obeys m g l = W (I3 w3 - I1 W cos(theta)), and a top
that is let go with its axis at rest nods between u0 = cos(theta0) and the root u1 of
beta (1 - u^2) = a^2 (u0 - u), with a = I3 w3 / I1 and beta = 2 m g l / I1.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import Agrees

import axletree as at
from axletree.components.motion_laws import Orientation, Speeds

MASS, HEIGHT, G = 0.5, 0.08, 9.81
CENTRAL, I3 = 4e-4, 6e-4  # [kg m^2], about the centre of mass
I1 = CENTRAL + MASS * HEIGHT**2
THETA, W3 = 0.6, 150.0  # [rad], [rad/s]


def top(speeds: Speeds) -> Any:
    model = at.Model("top", gravity=(0.0, 0.0, -G))
    body = model.add(
        at.RigidBody("top", MASS, (CENTRAL, CENTRAL, I3), centre_of_mass=(0.0, 0.0, HEIGHT))
    )
    model.add(
        at.Spherical("tip", model.ground, body, orientation=Orientation.EULER_313, speeds=speeds)
    )
    return model.formulate()


def start(precession_rate: float, speeds: Speeds) -> dict[str, float]:
    """Nutation THETA at rest, spin such that the top turns about its axis at W3."""
    angles = {"tip.nutation": THETA}
    if speeds is Speeds.DERIVATIVES:
        spin = W3 - precession_rate * np.cos(THETA)
        return angles | {"tip.precession_rate": precession_rate, "tip.spin_rate": spin}
    return angles | {"tip.wy": precession_rate * np.sin(THETA), "tip.wz": W3}


def steady_rates() -> np.ndarray:
    return np.roots([I1 * np.cos(THETA), -I3 * W3, MASS * G * HEIGHT])


@pytest.mark.parametrize("speeds", list(Speeds))
@pytest.mark.parametrize("rate", steady_rates(), ids=["fast", "slow"])
@pytest.mark.validation("mechanisms")
def test_steady_precession(rate: float, speeds: Speeds, agrees: Agrees) -> None:
    run = top(speeds).simulate(1.0, step=2e-5, initial=start(rate, speeds), record_interval=1e-2)
    assert np.abs(run["tip.nutation"] - THETA).max() < 1e-9
    agrees(
        "heavy top: angle of steady precession over 1 s", run["tip.precession"], rate * run.time,
        abs=1e-7, unit="rad", case=f"{rate:.3g} rad/s, speeds: {speeds.value}",
        source="Goldstein, Classical Mechanics, section 5.7",
    )  # fmt: skip
    spin = (W3 - rate * np.cos(THETA)) * run.time
    assert np.abs(run["tip.spin"] - spin).max() < 1e-7


def lowest_cosine() -> float:
    a, beta, u0 = I3 * W3 / I1, 2 * MASS * G * HEIGHT / I1, np.cos(THETA)
    roots = np.roots([-beta, a**2, beta - a**2 * u0])
    return float(next(u for u in roots if -1.0 < u < 1.0))


@pytest.mark.parametrize("speeds", list(Speeds))
@pytest.mark.validation("mechanisms")
def test_nutation_between_its_bounds(speeds: Speeds, agrees: Agrees) -> None:
    run = top(speeds).simulate(1.0, step=2e-5, initial=start(0.0, speeds), record_interval=1e-4)
    cosine = np.cos(run["tip.nutation"])
    u0, u1 = np.cos(THETA), lowest_cosine()
    assert u0 - u1 > 1e-3
    assert cosine.max() == pytest.approx(u0, abs=1e-9)
    # Records of 0.1 ms see the turning point to second order in the step.
    agrees(
        "heavy top let go: cosine of the lowest nutation angle", cosine.min(), u1,
        abs=2e-4 * (u0 - u1), case=f"speeds: {speeds.value}",
        source="Goldstein, Classical Mechanics, section 5.7",
    )  # fmt: skip
    assert cosine.min() > u1 - 1e-9


@pytest.mark.parametrize("speeds", list(Speeds))
def test_three_integrals(speeds: Speeds) -> None:
    run = top(speeds).simulate(1.0, step=2e-5, initial=start(0.0, speeds), record_interval=1e-3)
    energy = run["energy.total"]
    vertical = run["momentum.angular.z"]
    axis = [run[f"top.rotation.{k}3"] for k in (1, 2, 3)]
    w3 = sum(run[f"top.angular_velocity.{k}"] * a for k, a in zip("xyz", axis, strict=True))
    exact = I3 * W3**2 / 2 + MASS * G * HEIGHT * np.cos(THETA)
    assert np.abs(energy - exact).max() < 1e-9
    assert np.abs(vertical - I3 * W3 * np.cos(THETA)).max() < 1e-10
    assert np.abs(w3 - W3).max() < 1e-8
