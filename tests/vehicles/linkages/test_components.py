"""Axles as components of a model against their linkages in maximal coordinates."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from mechanisms.axle_model import rig_of_suspension
from vehicles.linkages.design_values import DOUBLE_WISHBONE, MACPHERSON
from vehicles.linkages.linkage_samples import SAMPLES

from axletree.analysis.kinematics_and_compliance.axle import AxleOnRig
from axletree.analysis.kinematics_and_compliance.characteristics import CHARACTERISTICS
from axletree.analysis.kinematics_and_compliance.linkage import Linkage
from axletree.analysis.kinematics_and_compliance.poses import WheelPoses
from axletree.components.springs import SpringDamper
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.linkages.positions import Positions

CARRIED = 3500.0  # N
# Travel of both wheels and of the rack, or angle of the pitman arm [m, rad].
TRAVEL = np.array([[0.03, -0.02, 0.02], [0.03, 0.03, -0.01], [-0.03, 0.02, 0.0]])
MIRROR = np.array([1.0, -1.0, 1.0])


def on_rig(suspension: LinkedSuspension) -> AxleOnRig:
    radius = suspension.wheel_centre_height
    return rig_of_suspension("front", suspension, CARRIED, radius)


@functools.cache
def rig(name: str) -> tuple[LinkedSuspension, Linkage]:
    suspension = SAMPLES[name]()
    return suspension, Linkage(on_rig(suspension))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_model_stands_where_its_linkage_does(name: str) -> None:
    """Wheel centres and spin axes at travels and steering, of the model's own coordinates, and of
    links in maximal coordinates, to 1e-10."""
    suspension, held = rig(name)
    poses, at = held.poses(held.coordinates(TRAVEL)), suspension.kinematics.at(TRAVEL)
    for side, wheel, mirror in (("left", poses.left, 1.0), ("right", poses.right, MIRROR)):
        assert_same(suspension, at, side, wheel, mirror)


def assert_same(
    suspension: LinkedSuspension, at: Positions, side: str, wheel: WheelPoses, mirror: object
) -> None:
    carrier = suspension.kinematics.linkage.carriers[side]
    centre = mirror * at.point(carrier.link, carrier.centre)
    axis = mirror * at.direction(carrier.link, carrier.spin_axis)
    np.testing.assert_allclose(wheel.wheel_centre, centre, rtol=0.0, atol=1e-10)
    outward = axis * np.sign(axis[:, 1])[:, None]
    np.testing.assert_allclose(wheel.spin_axis, outward, rtol=0.0, atol=1e-10)


@pytest.mark.parametrize(
    ("name", "values"), [("double-wishbone", DOUBLE_WISHBONE), ("macpherson", MACPHERSON)]
)
def test_a_model_has_the_design_values(name: str, values: dict[str, float]) -> None:
    """Those of an independent solver, on the rig, to 1e-8."""
    held = rig(name)[1]
    left = held.poses(held.design[None]).left
    found = {c.name: float(c.of(left)[0]) for c in CHARACTERISTICS if c.name in values}
    assert len(found) > 18
    assert found == pytest.approx({k: values[k] for k in found}, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_model_begins_at_design(name: str) -> None:
    """Its loops are closed where all of its coordinates are zero."""
    held = rig(name)[1]
    assert np.abs(held.design).max() < 1e-9


@pytest.mark.parametrize("name", ["double-wishbone", "watt-axle", "leaf-spring-axle"])
def test_springs_carry_what_stands_on_them(name: str) -> None:
    """As both wheels go up, the work of what they carry is what springs and links take up."""
    suspension = SAMPLES[name]()
    model, linkage = on_rig(suspension).model, suspension.kinematics.linkage
    step = 1e-4  # m
    up, down = (suspension.kinematics.at(np.array([[z, z, 0.0]])) for z in (step, -step))
    work = 0.0
    for coil in linkage.coils:
        spring = model[f"front_{coil.name}"]
        assert isinstance(spring, SpringDamper)
        ends, links = coil.ends, (coil.first, coil.second)
        push = spring.stiffness * (spring.free_length - np.linalg.norm(np.subtract(*ends)))
        work += push * float(down.length(links, ends)[0] - up.length(links, ends)[0])
    for link in linkage.links:
        rise = up.point(link.name, link.centre) - down.point(link.name, link.centre)
        work += 9.80665 * link.mass * float(rise[0, 2])
    weight = 2.0 * CARRIED + 9.80665 * suspension.unsprung_mass
    assert work / (2.0 * step) == pytest.approx(weight, rel=1e-6)
