"""Bushings at any joint: against the direct stiffness method, ideal joints, a mirror."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from analysis.kinematics_and_compliance.stiffness_method import Springs
from vehicles.linkages.bushed_samples import RUBBER, bushed
from vehicles.linkages.linkage_samples import SAMPLES

import axletree as at
from axletree.analysis.kinematics_and_compliance.rig import AxleRig, Pads, RigPlan
from axletree.core.errors import ModelError
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.linkages.components import place_linkage
from axletree.vehicles.linkages.corner import CornerSuspension
from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Ball,
    Coil,
    Link,
    WheelCarrier,
)
from axletree.vehicles.linkages.parts.mounts import JointBushing, elastic_linkage
from axletree.vehicles.suspensions import AxlePlace

LOAD = 4000.0  # N


def rig_of(linkage: AxleLinkage, load: float = 0.0) -> AxleRig:
    return AxleRig(linkage, linkage.carriers["left"].centre[2], load, elastic=True)


@pytest.mark.parametrize("name", SAMPLES)
def test_compliance_is_that_of_the_stiffness_method(name: str) -> None:
    """Of an axle without load, whose geometry does not stiffen it; and it is symmetric."""
    linkage = bushed(name).linkage()
    rig = rig_of(linkage)
    found = rig.compliance(rig.solve(RigPlan.at_design(1)))[0]
    expected = Springs(elastic_linkage(linkage)).compliance(linkage, rig.tyre_radius)
    assert np.abs(found - expected).max() < 1e-7 * np.abs(expected).max()
    assert np.abs(found - found.T).max() < 1e-9 * np.abs(found).max()


@pytest.mark.parametrize("name", ["double-wishbone", "macpherson", "multi-link"])
def test_stiff_bushings_are_ideal_joints(name: str) -> None:
    """What is left in toe in bump goes with the inverse of the stiffness, where turning is free."""
    plan = replace(RigPlan.at_design(1), heights=np.array([[0.03, 0.03]]))

    def place(rig: AxleRig) -> Any:
        at, carrier = rig.solve(plan), rig.carriers[0]
        points = ((0.0, 0.0, 0.0), carrier.centre, (0.0, 0.0, 1.0))
        return np.array([rig.point(at, carrier.link, point)[0] for point in points])

    ideal = AxleRig(SAMPLES[name]().linkage(), 0.3, LOAD)
    off = []
    for stiffness in (1e8, 1e9):
        given = {
            key: {"stiffness": [stiffness] * 3, "rotational_stiffness": [0.1] * 3}
            for key in bushed(name).bushings
        }
        soft = AxleRig(bushed(name, bushings=given).linkage(), 0.3, LOAD, elastic=True)
        off.append(np.abs(place(soft) - place(ideal)).max())
    assert off[1] < 2e-5
    assert off[0] / off[1] == pytest.approx(10.0, rel=0.3)


def test_links_weigh_the_same_with_rods_of_their_own() -> None:
    """And so they do about any point: the rods' masses are where they count as rigid."""
    for name in ("double-wishbone", "macpherson", "multi-link"):
        soft = bushed(name).linkage()
        rods = elastic_linkage(soft)
        weights = [
            sum(link.mass for link in one.links if link.name != RACK) for one in (soft, rods)
        ]
        assert weights[1] == pytest.approx(weights[0], rel=1e-12)
        upright = next(link for link in rods.links if link.name == "left_upright")
        plain = next(
            link for link in SAMPLES[name]().linkage().links if link.name == "left_upright"
        )
        assert upright.mass == pytest.approx(plain.mass, rel=1e-12)
        assert upright.centre == pytest.approx(plain.centre, abs=1e-12)
        assert upright.inertia == pytest.approx(plain.inertia, abs=1e-12)


def test_a_rack_whose_rods_give_has_a_mass() -> None:
    """Without one nothing would say how it moves: neither its rods nor the torsion bar hold it."""
    rigid = SAMPLES["double-wishbone"]().linkage()
    for place in ("tie_rod_inner", "tie_rod_outer"):
        soft = SAMPLES["double-wishbone"](bushings={place: RUBBER}).linkage()
        racks = {link.name: link for link in elastic_linkage(soft).links}
        assert racks[RACK].mass > 1.0
        assert racks[RACK].centre == pytest.approx((-0.135, 0.0, 0.248))
    along = {"tie_rod": {"stiffness": [0.0, 0.0, 2e7]}}
    soft = SAMPLES["double-wishbone"](bushings=along).linkage()
    assert next(k for k in elastic_linkage(soft).links if k.name == RACK).mass > 1.0
    assert next(k for k in elastic_linkage(rigid).links if k.name == RACK).mass == 0.0


@pytest.mark.long
def test_a_sedan_holds_a_turn_in_its_bushings() -> None:
    """With all joints ideal it needs nearly the same angle of the steering wheel; the tie rods,
    which give, take what the gear puts on the rack."""
    found = []
    for fidelity in ("bushings", "links"):
        car = at.read_model("five-link-sedan", {"vehicle": {"fidelity": fidelity}})
        found.append(at.trim(car, speed="80 km/h", lateral_acceleration=3.0))
    soft, rigid = found
    assert soft["driver.steering"] == pytest.approx(rigid["driver.steering"], rel=0.06)
    assert soft["driver.steering"] != pytest.approx(rigid["driver.steering"], rel=0.005)
    hands = [turn["front_steer.hand_torque"] for turn in found]
    assert hands[0] == pytest.approx(hands[1], rel=0.03)


# Curves and stops, in closed form.


def on_one_mount(bushing: JointBushing) -> AxleLinkage:
    """Uprights that hang on the body by one bushing each, at the wheel centre."""
    links, joints, carriers, coils = [], [], {}, []
    for side, y in (("left", 0.8), ("right", -0.8)):
        name, centre = f"{side}_upright", (0.0, y, 0.3)
        links.append(Link(name))
        mount = bushing.mount((0.0, 0.0, 1.0), np.sign(y))
        joints.append(Ball(f"{side}_mount", BODY, name, centre, mount))
        carriers[side] = WheelCarrier(name, centre, (0.0, 1.0, 0.0))
        ends = ((0.0, y, 0.9), (0.0, y, 0.3))
        coils.append(Coil(f"{side}_spring", BODY, name, ends, 1.0))
    return AxleLinkage(tuple(links), tuple(joints), carriers, tuple(coils))


def sideways(linkage: AxleLinkage, forces: Any) -> Any:
    """Of both wheel centres to the left, by forces to the left on both [m]."""
    rig = rig_of(linkage)
    N = len(forces)
    plan = replace(RigPlan.at_design(N), pads=np.full(N, int(Pads.LOADS)))
    plan.force[:, :, 1] = np.asarray(forces)[:, None]
    at = rig.solve(plan)
    return np.stack([rig.point(at, c.link, c.centre)[:, 1] - c.centre[1] for c in rig.carriers], 1)


STIFF = {"stiffness": (1e7, 0.0, 1e7), "rotational_stiffness": (1e9, 1e9, 1e9)}


def test_a_curve_takes_the_place_of_a_stiffness() -> None:
    """1 kN/mm to the first millimetre, 5 kN/mm beyond; the other way 2 and 8."""
    x, y = (-0.002, -0.001, 0.0, 0.001, 0.002), (-10e3, -2e3, 0.0, 1e3, 6e3)
    rubber = JointBushing(**STIFF, force_y={"x": x, "y": y, "kind": "linear"})
    found = sideways(on_one_mount(rubber), (500.0, 3500.0, -1000.0, -6000.0))
    left = [0.0005, 0.0015, -0.0005, -0.0015]
    assert found[:, 0] == pytest.approx(left, abs=2e-8)  # it turns a little, too
    # In the mirror the same bushing is given by forces the other way.
    right = [0.00025, 0.001 + 1.5e-3 / 8.0, -0.001, -0.002]
    assert found[:, 1] == pytest.approx(right, abs=2e-8)


def test_a_stop_adds_its_stiffness() -> None:
    rubber = JointBushing(
        stiffness=(1e7, 1e6, 1e7), rotational_stiffness=(1e9, 1e9, 1e9),
        clearance=(0.1, 0.002, 0.1), stop_stiffness=9e6,
    )  # fmt: skip
    found = sideways(on_one_mount(rubber), (1000.0, 2000.0, 7000.0, -12000.0))
    expected = [0.001, 0.002, 0.0025, -0.003]
    assert found[:, 0] == pytest.approx(expected, abs=2e-8)
    assert found[:, 1] == pytest.approx(expected, abs=2e-8)


def test_both_sides_are_mirror_images() -> None:
    """With curves that are not alike both ways and axes of its own; far from design."""
    rubber = {
        "stiffness": (0.0, 0.0, 2e6), "rotational_stiffness": (300.0, 0.0, 50.0),
        "axis": (0.9, 0.2, 0.1), "across": (0.1, 1.0, 0.3),
        "force_x": [[-0.002, -9e3], [0, 0], [0.002, 20e3]],
        "force_y": [[-0.002, -30e3], [0, 0], [0.002, 12e3]],
        "moment_y": [[-0.2, -50], [0, 0], [0.2, 90]],
    }  # fmt: skip
    soft = SAMPLES["double-wishbone"](
        bushings={"lower_arm_bearings": rubber, "upper_ball_joint": {**rubber, "axis": (0, 0.2, 1)}}
    )
    rig = rig_of(soft.linkage(), LOAD)
    plan = replace(RigPlan.at_design(1), heights=np.array([[0.03, 0.03]]))
    plan.force[0] = [[900.0, 1500.0, 0.0], [900.0, -1500.0, 0.0]]
    found = rig.solve(plan)
    points = [
        [rig.point(found, c.link, (x, np.sign(c.centre[1]) * y, z))[0] for c in rig.carriers]
        for x, y, z in ((0.0, 0.0, 0.0), (0.2, 0.5, 0.1), (0.0, 0.7, 0.9))
    ]
    for left, right in points:
        assert right == pytest.approx(left * [1.0, -1.0, 1.0], abs=1e-11)
    assert np.abs(points[1][0] - [0.2, 0.5, 0.1]).max() > 0.01


# As components.


def places_of_model(suspension: CornerSuspension, force: float) -> Any:
    """Of the left hub's origin and of what its axes are, at rest under a force rearward [N]."""
    model = at.Model("axle")
    body = model.add(at.RigidBody("body", 1000.0, (400.0, 1000.0, 1000.0)))
    model.add(at.Weld("holds", model.ground, body))
    _, y, z = suspension.linkage().carriers["left"].centre
    place = AxlePlace("front", body, x=0.0, z=z, track=2.0 * y, carried=LOAD)
    hubs = place_linkage(model, place, suspension, bushings=True).hubs
    up = LOAD + 0.5 * STANDARD_GRAVITY * suspension.unsprung_mass
    for side, hub in hubs.items():
        given = dict.fromkeys(("Fy", "Mx", "My", "Mz"), 0.0)
        load = {"Fx": -force, "Fz": up, **given, "basis": "tail"}
        model.add(at.LoadDriver(f"{side}_load", model.ground, hub, **load))
    for axis, far in zip("xyz", -1e3 * np.eye(3), strict=True):
        tail = model.ground.point(*far, f"far_{axis}")
        model.add(at.SpringDamper(f"gauge_{axis}", tail, hubs["left"], damping=1e-9))
    rest = model.formulate().trim()
    return np.array([rest[f"gauge_{axis}.length"] for axis in "xyz"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["double-wishbone", "macpherson", "multi-link"])
def test_a_model_gives_as_the_rig_does(name: str) -> None:
    """The hub goes rearward by a force on it, and aside. The model sinks in its bushings before, by
    some tenths of a millimetre, which is what is left."""
    suspension = bushed(name, steered=False, static_toe=0.0, static_camber=0.0)
    force = 400.0
    ends = [places_of_model(suspension, s * force) for s in (1.0, -1.0)]
    found = (ends[0] - ends[1]) / (2.0 * force)
    rig = rig_of(suspension.linkage(), LOAD)
    C = rig.compliance(rig.solve(RigPlan.at_design(1)))[0]
    lift = np.array([0.0, 0.0, rig.tyre_radius])
    load = np.zeros(12)
    for first in (0, 6):
        load[first : first + 3] = -1.0, 0.0, 0.0
        load[first + 3 : first + 6] = np.cross(lift, load[first : first + 3])
    moved = C @ load
    expected = moved[:3] + np.cross(moved[3:6], lift)
    assert found[:2] == pytest.approx(expected[:2], abs=0.01 * np.abs(expected).max())


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"tie_rod_end": RUBBER}, "unknown joint 'tie_rod_end' in this axle; did you mean"),
    ({"tie_rod": RUBBER}, "a rod by its own name gives along itself alone"),
    ({"tie_rod": {"stiffness": [0, 0, 2e7]}, "tie_rod_inner": RUBBER}, "give the whole rod, or"),
    ({"tie_rod_inner": {"stiffness": [1e6, 1e6, 1e6]}}, "left_tie_rod could turn about itself"),
    ({"lower_arm_bearings_front": RUBBER}, "the other end of left_lower_arm_bearings needs"),
    ({"upper_ball_joint": {"stiffness": [1e6, -1e6, 1e6]}}, "has a negative entry"),
    ({"upper_ball_joint": {}}, "it has neither stiffness nor curve"),
    (
        {"upper_ball_joint": {"stiffness": [1e6, 0, 0], "force_x": [[-1, -1], [1, 1]]}},
        "there is a stiffness of 1e+06, too",
    ),
    ({"upper_ball_joint": {"force_x": [[0, 5], [1, 9]]}}, "it is not zero where the bushing is"),
    ({"upper_ball_joint": {**RUBBER, "axis": [0, 0, 0]}}, "axis: it has no direction"),
    ({"upper_ball_joint": {**RUBBER, "axis": [1, 0, 0], "across": [2, 0, 0]}}, "across: it is"),
    ({"upper_ball_joint": {**RUBBER, "clearance": [0.01, 0, 0.01]}}, "clearance: 0 m; expected"),
]


@pytest.mark.parametrize(("given", "words"), MISTAKES, ids=[words for _, words in MISTAKES])
def test_mistakes_are_told(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ModelError) as caught:
        SAMPLES["double-wishbone"](bushings=given)
    assert words in str(caught.value)


def test_what_steers_or_twists_stays_a_hinge() -> None:
    with pytest.raises(ModelError, match="pitman_shaft turns a spring or steers"):
        SAMPLES["steered-beam"](bushings={"pitman_shaft": RUBBER})
    with pytest.raises(ModelError, match="has bushings already; give them once"):
        SAMPLES["double-wishbone"](
            bushings={"lower_arm_bearings": RUBBER},
            lower_arm_bushings={"radial": 1e7, "axial": 1e6},
        )
