"""What a tyre tells its law of the tread, against the wheel as a rigid body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from mechanisms.tyre import RADIUS, Wheel, told, tyre_with
from scipy.spatial.transform import Rotation

from axletree.components.fields import Parameters
from axletree.wheel.contract import Contact, Forces, TyreLaw, with_velocities


@dataclass(frozen=True)
class Velocities(TyreLaw):
    """Tells velocities in place of forces."""

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        c = contact
        return Forces(c.sliding_speed, c.lateral_speed, c.radius, c.rolling_speed, c.bore_rate)


@dataclass(frozen=True)
class Deflection(TyreLaw):
    """Tells the deflection in place of a force."""

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        return Forces(contact.deflection, 0.0, 0.0, 0.0, contact.friction)


def wheels() -> list[Wheel]:
    random = np.random.default_rng(4)
    return [
        Wheel(
            velocity=random.normal(size=3) * 5.0,
            rate=float(random.normal()) * 20.0,
            height=0.28,
            turn=Rotation.from_euler("ZXY", random.uniform(-0.8, 0.8, 3)).as_matrix(),
            angular_velocity=random.normal(size=3),
        )
        for _ in range(6)
    ]


@pytest.mark.parametrize("wheel", wheels())
def test_velocities_are_those_of_the_wheels_points(wheel: Wheel) -> None:
    """Of the material point at the contact, of its motion about the centre, about the normal."""
    up = np.array([0.0, 0.0, 1.0])
    axis = wheel.turn @ [0.0, 1.0, 0.0]
    forward = np.cross(axis, up) / np.linalg.norm(np.cross(axis, up))
    left = np.cross(up, forward)
    cosine = np.linalg.norm(np.cross(axis, up))
    down = np.cross(axis, forward)  # in the wheel's plane
    point = down * (-wheel.height / cosine if down[2] > 0.0 else wheel.height / cosine)
    assert point[2] == pytest.approx(-wheel.height)
    spin = np.array(wheel.angular_velocity) + wheel.rate * axis
    velocity = np.array(wheel.velocity) + np.cross(spin, point)
    found = told(tyre_with(law=Velocities()), wheel)
    assert found["Fx"] == pytest.approx(velocity @ forward, abs=1e-9)
    assert found["Mz"] == pytest.approx(spin @ up, abs=1e-9)
    assert found["My"] == pytest.approx(found["spin_rate"] * found["loaded_radius"], abs=1e-9)
    assert found["Mx"] == RADIUS
    carrier = np.array(wheel.velocity) + np.cross(wheel.angular_velocity, point)
    assert found["Fy"] == pytest.approx(carrier @ left, abs=1e-9)


def test_deflection_is_unloaded_less_loaded_radius() -> None:
    found = told(tyre_with(law=Deflection()), Wheel((3.0, 0.0, 0.0), 10.0, 0.3))
    assert found["Fx"] == pytest.approx(RADIUS - 0.3)
    assert found["Mz"] == 1.0


def test_velocities_that_are_told_are_kept() -> None:
    contact = Contact(1.0, 0.1, 0.2, forward_speed=-4.0, sliding_speed=0.5)
    found = with_velocities(contact)
    assert found.sliding_speed == 0.5
    assert found.rolling_speed == -4.5
    assert found.lateral_speed == pytest.approx(np.tan(0.2) * 4.0)
