"""The free rigid body: Landau and Lifshitz, Mechanics, section 37.

With I1 < I2 < I3 and M^2 > 2 E I2 the angular velocity in the body's axes is made of the
elliptic functions cn, sn and dn of Jacobi, eq. (37.10).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from agreement import Agrees
from scipy.special import ellipj

import axletree as at
from axletree.components.motion_laws import Orientation, Speeds

I = np.array([0.02, 0.03, 0.04])  # noqa: E741 as in the source
W = np.array([0.8, 0.0, 2.5])  # [rad/s], body's axes, where sn is zero
VELOCITY = (0.3, -0.2, 0.1)  # [m/s], ground axes


def body(orientation: Orientation) -> Any:
    model = at.Model("free", gravity=(0.0, 0.0, 0.0))
    model.add(at.RigidBody("brick", 2.0, tuple(I), orientation=orientation, speeds=Speeds.BODY))
    return model.formulate()


def start() -> dict[str, float]:
    speeds = dict(zip(("brick.wx", "brick.wy", "brick.wz"), W, strict=True))
    return speeds | dict(zip(("brick.vx", "brick.vy", "brick.vz"), VELOCITY, strict=True))


def elliptic(time: np.ndarray) -> np.ndarray:
    energy, momentum = float(I @ W**2) / 2, float((I * W) @ (I * W))  # E and M^2
    I1, I2, I3 = I
    low, high = 2 * energy * I3 - momentum, momentum - 2 * energy * I1
    assert momentum > 2 * energy * I2
    tau = time * np.sqrt((I3 - I2) * high / (I1 * I2 * I3))
    k2 = (I2 - I1) * low / ((I3 - I2) * high)
    sn, cn, dn, _ = ellipj(tau, k2)
    return np.array(
        [
            np.sqrt(low / (I1 * (I3 - I1))) * cn,
            np.sqrt(low / (I2 * (I3 - I2))) * sn,
            np.sqrt(high / (I3 * (I3 - I1))) * dn,
        ]
    )


@pytest.mark.parametrize("orientation", [Orientation.QUATERNION, Orientation.EULER_312])
@pytest.mark.validation("mechanisms")
def test_angular_velocity_is_elliptic(orientation: Orientation, agrees: Agrees) -> None:
    run = body(orientation).simulate(20.0, step=1e-3, initial=start(), record_interval=0.05)
    found = np.array([run[f"brick.w{axis}"] for axis in "xyz"])
    agrees(
        "free body: angular velocity over 20 s", found, elliptic(run.time), abs=1e-10,
        unit="rad/s", case=f"orientation by {orientation.value}",
        source="Closed form, Jacobi's elliptic functions",
    )  # fmt: skip


@pytest.mark.validation("numerics")
def test_energy_and_momenta_over_100000_steps(agrees: Agrees) -> None:
    system = body(Orientation.QUATERNION)
    run = system.simulate(100.0, step=1e-3, initial=start(), record_interval=0.1)
    energy = float(I @ W**2) / 2 + 2.0 * float(np.dot(VELOCITY, VELOCITY)) / 2
    agrees(
        "free body, 100 000 steps: energy", run["energy.total"], energy, abs=1e-10, unit="J",
        source="Balance of energy, which is conserved",
    )  # fmt: skip
    for axis, velocity in zip("xyz", VELOCITY, strict=True):
        assert np.abs(run[f"momentum.linear.{axis}"] - 2.0 * velocity).max() < 1e-10
        angular = run[f"momentum.angular.{axis}"]
        # About the ground's origin, which the body leaves by 37 m: errors of place enter.
        assert np.abs(angular - angular[0]).max() < 5e-9
        assert np.abs(run[f"brick.position.{axis}"] - velocity * run.time).max() < 1e-7
    first = [run[f"momentum.angular.{axis}"][0] for axis in "xyz"]
    assert first == pytest.approx(list(I * W))
    quaternion = np.array([run[f"brick.e{k}"] for k in range(4)])
    assert np.abs((quaternion**2).sum(axis=0) - 1.0).max() < 1e-10
