"""Every kind of suspension by hard points on the rig, beside its own sweep."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from vehicles.linkages import linkage_samples

from axletree.analysis.kinematics_and_compliance.load_cases import RigRanges
from axletree.analysis.kinematics_and_compliance.measured_axle import measure_axle
from axletree.analysis.kinematics_and_compliance.metrics import measured_metrics
from axletree.analysis.kinematics_and_compliance.rig import AxleRig, Pads, RigPlan
from axletree.vehicles.linkages.positions import LinkageKinematics

LOAD = 4000.0  # N
KINDS = (
    "double_wishbone", "macpherson", "multi_link", "four_link", "four_link_by_pitman",
    "integral_link", "trailing_arm", "semi_trailing_arm", "twist_beam", "four_link_axle",
    "panhard_axle", "watt_axle", "leaf_spring_axle", "steered_beam",
)  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", KINDS)
def test_roll_centre_is_that_of_the_sweep(kind):
    """``AxleSweep`` has it by the motion of both wheel centres and their lean, and leaves out that
    the static camber shifts the contacts: by some tenths of a percent."""
    suspension = getattr(linkage_samples, kind)()
    linkage = suspension.in_axle
    radius = linkage.carriers["left"].centre[2]
    ranges = RigRanges(travel=0.03, roll=0.02, rack=0.02, steering_arm=0.2, positions=5)
    axle = measure_axle(AxleRig(linkage, radius, LOAD), ranges=ranges)
    found = {m.name: m for m in measured_metrics(axle)}
    track = float(np.subtract(*(c.centre[1] for c in linkage.carriers.values())))
    height = 1e3 * suspension.roll_centre(track, radius)
    assert found["roll_centre_height"].left == pytest.approx(height, rel=4e-3, abs=0.02)


@pytest.mark.parametrize("kind", KINDS)
def test_loads_are_the_virtual_work_of_springs(kind):
    """Both loads times the rise of their contacts are what springs give by the closure's own rates:
    sum of N dz_C = - sum of F dl, in parallel travel, in which bars do not twist."""
    linkage = getattr(linkage_samples, kind)().in_axle
    rig = AxleRig(linkage, linkage.carriers["left"].centre[2], LOAD)
    z = np.array([-0.02, 0.0, 0.02])
    inputs = np.stack([z, z, 0.0 * z], axis=1)
    closed = LinkageKinematics(linkage).at(inputs)
    springs = [coil for coil in linkage.coils if coil.is_spring]
    lengths = [closed.length((c.first, c.second), c.ends) for c in springs]
    rates = [closed.length_rate((c.first, c.second), c.ends)[:, :2].sum(axis=1) for c in springs]
    at = rig.solve(replace(RigPlan.at_design(3), heights=inputs[:, :2]))
    poses = rig.poses(at, rig.rates(at, Pads.CENTRES))
    work = sum(
        load * wheel.in_travel(1.0).point_velocity(wheel.contact)[:, 2]
        for load, wheel in zip(at.loads.T, (poses.left, poses.right), strict=True)
    )
    assert at.loads[1] == pytest.approx(LOAD, rel=1e-9)
    force = work[1] / -sum(rate[1] for rate in rates)  # of each spring at design: alike
    expected = 0.0
    for coil, length, rate in zip(springs, lengths, rates, strict=True):
        expected = expected - (force - coil.stiffness * (length - length[1])) * rate
    assert work == pytest.approx(expected, rel=1e-8)
