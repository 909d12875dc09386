"""The rig against the independent solver's values, a second closure, a second static solver."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pytest
from analysis.kinematics_and_compliance.static_solver import contact_at_design, equilibrium
from mechanisms.hard_point_axle import DOUBLE_WISHBONE, double_wishbone, macpherson

from axletree.analysis.kinematics_and_compliance.characteristics import CHARACTERISTICS, toe
from axletree.analysis.kinematics_and_compliance.rig import AxleRig, Pads, RigError, RigPlan
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.linkage import (
    BODY,
    AxleLinkage,
    Bar,
    Coil,
    Link,
    Slide,
    WheelCarrier,
)
from axletree.vehicles.linkages.positions import LinkageKinematics

LOAD = 4000.0  # N
# Values at design of data/suspension, from an independent solver.
DESIGN = {
    "double_wishbone": {
        "toe": 0.0017453292519943294, "camber": -0.008726646259971648,
        "dtoe_dz": -0.04291800815108147, "dcamber_dz": -0.46607835772290557,
        "dtoe_drack": 8.052631592082633, "dcamber_drack": -1.0220133529175837,
        "roll_centre_height": 0.09636611586217536, "front_view_ic_y": -1.3881386661398578,
        "front_view_ic_z": 0.2717661703295648, "side_view_ic_x": -3.1179353155272906,
        "side_view_ic_z": 0.29725214090934315, "tan_brake": 0.09510396399210747,
        "tan_drive": -0.004088557907911892, "caster": 0.13029215972909317,
        "kpi": 0.1539446644583497, "trail": 0.032276950149136285, "scrub": 0.023943859556305642,
        "hub_trail": -0.008258177812191675, "hub_offset": 0.06941107067520362,
        "spring_length": 0.47066442397954833, "motion_ratio": 0.604416720436909,
    },
    "macpherson": {
        "toe": 0.0008726646259971649, "camber": -0.005235987755982988,
        "dtoe_dz": -0.1101921646358053, "dcamber_dz": -0.3027439087709619,
        "dtoe_drack": 7.73708433833322, "dcamber_drack": -0.5220166141842869,
        "roll_centre_height": 0.07169566689414592, "front_view_ic_y": -2.549856326723649,
        "front_view_ic_z": 0.3133339228678016, "side_view_ic_x": -5.488133401844842,
        "side_view_ic_z": 0.3500941262590614, "tan_brake": 0.06358853009536221,
        "tan_drive": 0.009127716582512768, "caster": 0.06859450345427459,
        "kpi": 0.21057195683620386, "trail": 0.01701615080812538, "scrub": -0.005847764248623543,
        "hub_trail": -0.0035382894938097726, "hub_offset": 0.056720666589221806,
        "spring_length": 0.41701318923986086, "motion_ratio": 0.9573728737897631,
    },
}  # fmt: skip
KINDS = {"double_wishbone": (double_wishbone, 0.31), "macpherson": (macpherson, 0.3)}


@functools.cache
def rig(kind: str, *, elastic: bool = False, bushings: float = 1.0) -> AxleRig:
    make, radius = KINDS[kind]
    return AxleRig(make(bushings=bushings), radius, LOAD, elastic=elastic, name=kind)


def at_design(axle: AxleRig):
    return axle.solve(RigPlan.at_design(1))


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("kind", KINDS)
def test_values_at_design(kind, side):
    axle = rig(kind)
    at = at_design(axle)
    wheel = getattr(axle.poses(at, axle.rates(at, Pads.CENTRES)), side)
    found = {c.name: float(c.of(wheel)[0]) for c in CHARACTERISTICS}
    assert found == pytest.approx(DESIGN[kind], rel=1e-8, abs=0.0)


@pytest.mark.parametrize("kind", KINDS)
def test_positions_and_rates_are_those_of_the_closure(kind):
    """``LinkageKinematics`` closes the joints alone, without forces."""
    axle = rig(kind)
    inputs = np.random.default_rng(3).uniform(-0.05, 0.05, (8, 3))
    plan = replace(RigPlan.at_design(8), heights=inputs[:, :2], rack=inputs[:, 2])
    at = axle.solve(plan)
    closed = LinkageKinematics(axle.linkage).at(inputs)
    rates = axle.rates(at, Pads.CENTRES)
    for carrier in axle.carriers:
        places = ((0.0, 0.0, 0.0), carrier.centre, (0.1, 0.2, 0.3))
        for place in places:
            found = axle.point(at, carrier.link, place)
            assert found == pytest.approx(closed.point(carrier.link, place), abs=1e-10)
            moved = axle.point_rate(at, rates, carrier.link, place)
            assert moved == pytest.approx(closed.point_rate(carrier.link, place), abs=1e-9)


def test_loads_are_the_virtual_work_of_springs():
    """With ideal joints N dz_C = -F dl along any travel."""
    axle = rig("double_wishbone")
    z = np.linspace(-0.05, 0.05, 5)
    at = axle.solve(replace(RigPlan.at_design(5), heights=np.stack([z, -z], axis=1)))
    by_contact = axle.rates(at, Pads.CONTACTS)
    _, rate = axle._length(at, by_contact, axle.coils_of(0)[0])
    length, _ = axle._length(at, by_contact, axle.coils_of(0)[0])
    _, at_rest = axle._length(at_design(axle), axle.rates(at_design(axle), Pads.CONTACTS),
                              axle.coils_of(0)[0])  # fmt: skip
    force_at_design = LOAD / -at_rest[0, 0, 0]
    force = force_at_design - 45e3 * (length[:, 0] - length[2, 0])
    assert at.loads[:, 0] == pytest.approx(-force * rate[:, 0, 0], rel=1e-9)


def _preloads(axle: AxleRig):
    return {e.name: p for e, p in zip(axle.elements, axle._preload, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("extra", [-1000.0, 1500.0])
def test_vertical_loads_against_energy(extra):
    """Large displacements, with the loads of the pads held."""
    axle = rig("double_wishbone", elastic=True)
    plan = replace(
        RigPlan.at_design(1), heights=np.full((1, 2), extra), pads=np.array([int(Pads.LOADS)])
    )
    at = axle.solve(plan)
    other = equilibrium(LOAD + extra, _preloads(axle))
    for place in ("wheel_centre", "tie_rod_outer", "upper_ball_joint"):
        found = axle.point(at, "left_upright", DOUBLE_WISHBONE[place])[0]
        expected = other.point("upright", np.array(DOUBLE_WISHBONE[place]))
        assert found == pytest.approx(expected, abs=1e-9)
    assert abs(found[2] - DOUBLE_WISHBONE["upper_ball_joint"][2]) > 0.04


@pytest.mark.parametrize("axis", range(6))
def test_compliance_against_energy(axis):
    axle = rig("double_wishbone", elastic=True)
    preloads, contact = _preloads(axle), contact_at_design()
    size = 20.0 if axis < 3 else 2.0
    ends = []
    for sign in (1.0, -1.0):
        load = np.zeros(6)
        load[axis] = sign * size
        pose = equilibrium(LOAD, preloads, load[:3], load[3:])
        S = 0.5 * (pose.R["upright"] - pose.R["upright"].T)
        turned = np.array([S[2, 1], S[0, 2], S[1, 0]])
        ends.append(np.concatenate([pose.point("upright", contact), turned]))
    expected = (ends[0] - ends[1]) / (2.0 * size)
    found = axle.compliance(at_design(axle))[0, :6, axis]
    assert found == pytest.approx(expected, rel=2e-5, abs=1e-5 * np.abs(expected).max())


@pytest.mark.parametrize("kind", KINDS)
def test_compliance_is_symmetric(kind):
    axle = rig(kind, elastic=True)
    C = axle.compliance(at_design(axle))[0]
    assert np.abs(C - C.T).max() < 1e-12 * np.abs(C).max()
    assert np.linalg.eigvalsh(0.5 * (C + C.T)).min() > -1e-12 * np.abs(C).max()


@pytest.mark.parametrize("held", [Pads.CENTRES, Pads.CONTACTS])
def test_rates_are_differences(held):
    """By all loads and by travel and rack, away from design."""
    axle = rig("macpherson", elastic=True)
    base = replace(
        RigPlan.at_design(1), heights=np.array([[0.02, -0.01]]), rack=np.array([0.01]),
        pads=np.array([int(held)]), force=np.array([[[300.0, -500.0, 0.0], [0.0, 800.0, 0.0]]]),
    )  # fmt: skip
    at = axle.solve(base)
    rates = axle.rates(at, held, np.eye(12))
    inputs = [("heights", (0, 0), 4e-5), ("heights", (0, 1), 4e-5), ("rack", (0,), 4e-5)]
    for side in (0, 1):
        inputs += [("force", (0, side, k), 1.0) for k in range(3)]
        inputs += [("torque", (0, side, k), 1.0) for k in range(3)]
    for column, (name, where, step) in enumerate(inputs):
        ends = []
        for sign in (1.0, -1.0):
            moved = getattr(base, name).copy()
            moved[where] += sign * step
            ends.append(axle.solve(replace(base, **{name: moved})))
        for link in ("left_upright", "right_lower_arm"):
            place = (0.1, 0.5, 0.3)
            slope = (axle.point(ends[0], link, place) - axle.point(ends[1], link, place)) / step / 2
            found = axle.point_rate(at, rates, link, place)[..., column]
            assert found == pytest.approx(slope, rel=1e-5, abs=1e-6 * np.abs(slope).max() + 2e-12)


def test_bushings_tend_to_ideal_joints():
    """Toe in bump comes nearer to that of ideal joints as bushings stiffen."""
    plan = replace(RigPlan.at_design(1), heights=np.array([[0.04, 0.04]]))

    def toe_at(axle):
        at = axle.solve(plan)
        return float(toe(axle.poses(at, axle.rates(at, Pads.CENTRES)).left)[0])

    ideal = toe_at(rig("macpherson"))
    apart = [toe_at(rig("macpherson", elastic=True, bushings=s)) - ideal for s in (100.0, 200.0)]
    assert abs(apart[1]) < abs(apart[0])


def vertical_guides(stiffness: float = 30e3, half_track: float = 0.8) -> AxleLinkage:
    """Uprights that slide straight up, on springs straight up: all is known in closed form."""
    carriers, links, joints, coils = {}, [], [], []
    for side, y in (("left", half_track), ("right", -half_track)):
        links.append(Link(f"{side}_upright"))
        joints.append(Slide(f"{side}_guide", BODY, f"{side}_upright", (0.0, 0.0, 1.0)))
        carriers[side] = WheelCarrier(f"{side}_upright", (0.0, y, 0.3), (0.0, 1.0, 0.0))
        ends = ((0.0, y, 0.9), (0.0, y, 0.4))
        coils.append(Coil(f"{side}_spring", BODY, f"{side}_upright", ends, stiffness))
    return AxleLinkage(tuple(links), tuple(joints), carriers, tuple(coils))


def test_vertical_guides_in_closed_form():
    axle = AxleRig(vertical_guides(), 0.3, LOAD)
    z = np.array([-0.03, 0.0, 0.05])
    at = axle.solve(replace(RigPlan.at_design(3), heights=np.stack([z, 0.0 * z], axis=1)))
    assert at.loads[:, 0] == pytest.approx(LOAD + 30e3 * z, rel=1e-12)
    assert at.loads[:, 1] == pytest.approx(LOAD, rel=1e-12)
    # The road leans by phi: guides go up by y tan(phi), loads along the road's normal are
    # 1 / cos(phi) times those along the guides, and their sum stays.
    phi = np.array([-0.04, 0.0, 0.05])
    rolled = axle.solve(replace(RigPlan.at_design(3), roll=phi, pads=np.full(3, int(Pads.ROLL))))
    difference = rolled.loads[:, 1] - rolled.loads[:, 0]
    assert difference == pytest.approx(2 * 0.8 * 30e3 * np.tan(phi) * _lean(phi), rel=1e-9)
    assert rolled.loads.sum(axis=1) == pytest.approx(2 * LOAD, rel=1e-12)


def _lean(phi):
    """Discs stand level in the body, so that their lowest points shift alike on both sides."""
    return 1.0 / np.cos(phi)


def test_stops_add_their_stiffness():
    linkage = vertical_guides()
    coils = tuple(
        replace(c, bump_clearance=0.02, rebound_clearance=0.03, stop_stiffness=1e5)
        for c in linkage.coils
    )
    axle = AxleRig(replace(linkage, coils=coils), 0.3, LOAD)
    z = np.array([-0.05, 0.01, 0.05])
    at = axle.solve(replace(RigPlan.at_design(3), heights=np.stack([z, z], axis=1)))
    expected = LOAD + 30e3 * z + np.array([-1e5 * 0.02, 0.0, 1e5 * 0.03])
    assert at.loads[:, 0] == pytest.approx(expected, rel=1e-12)


def test_out_of_reach_says_how_far_it_comes():
    plan = replace(RigPlan.at_design(1), heights=np.array([[0.6, 0.0]]))
    with pytest.raises(RigError, match=r"left wheel 600 mm is beyond .* comes to .* %"):
        rig("double_wishbone").solve(plan)


def test_a_wheel_that_nothing_holds_is_refused():
    linkage = double_wishbone()
    joints = tuple(j for j in linkage.joints if j.name != "left_tie_rod")
    with pytest.raises(ModelError, match="do not hold the wheels"):
        AxleRig(replace(linkage, joints=joints), 0.31, LOAD)


def test_an_axle_without_springs_carries_nothing():
    linkage = double_wishbone()
    assert any(isinstance(j, Bar) for j in linkage.joints)
    axle = AxleRig(replace(linkage, coils=()), 0.31, LOAD)
    at = axle.solve(replace(RigPlan.at_design(1), heights=np.array([[0.03, 0.03]])))
    assert at.loads == pytest.approx(0.0, abs=1e-6)
