"""Rockers, anti-roll bars and steering linkages that any kind takes."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from mechanisms.axle_model import rig_of_suspension
from scipy.spatial.transform import Rotation
from vehicles.linkages.linkage_samples import BEAM_STEERING, POINTS, SAMPLES

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.linkage import Coil, mirrored_point
from axletree.vehicles.linkages.parts.steering_linkage import TRACK_ROD, PitmanAndIdler
from axletree.vehicles.linkages.positions import LinkageKinematics, Positions
from axletree.vehicles.linkages.sides import RIGHT_SIDE, mirrored

ROCKER = {  # its axis runs along x; the rod and the spring stand across its arms
    "pivot": (0.0, 0.3, 0.55), "axis_point": (0.1, 0.3, 0.55),
    "rod_on_rocker": (0.0, 0.35, 0.62), "rod_on_link": (0.0, 0.63, 0.21),
}  # fmt: skip
ON_ROCKER = {"stiffness": 5e4, "lower": (0.0, 0.26, 0.63), "upper": (0.0, 0.05, 0.6)}
U_BAR = {"bearing": (0.2, 0.4, 0.25), "end": (0.0, 0.5, 0.25), "stiffness": 400.0}
HEAVE, ROLL = np.array([1.0, 1.0, 0.0]), np.array([1.0, -1.0, 0.0])


def wishbones(**other: Any) -> LinkageKinematics:
    return LinkageKinematics(SAMPLES["double-wishbone"](**other).linkage())


def design(linkage: LinkageKinematics) -> Positions:
    return linkage.at(np.zeros((1, 3)))


def coil_rate(linkage: LinkageKinematics, name: str, way: FloatArray) -> float:
    coil: Coil = next(one for one in linkage.linkage.coils if one.name == name)
    return float(design(linkage).length_rate((coil.first, coil.second), coil.ends)[0] @ way)


def lever(pivot: Any, end: Any, along: Any) -> float:
    """Of a force at a point about a pivot, in the plane of y and z."""
    arm, way = np.subtract(end, pivot), np.array(along) / np.linalg.norm(along)
    return float(arm[1] * way[2] - arm[2] * way[1])


def test_a_rocker_has_the_ratio_of_its_levers() -> None:
    """The spring shortens by the rod's push on the wheel times lever over lever."""
    linkage = wishbones(rocker=ROCKER, spring=ON_ROCKER)
    at, lower = design(linkage), ROCKER["rod_on_link"]
    rod = np.subtract(ROCKER["rod_on_rocker"], lower)
    push = at.point_rate("left_lower_arm", lower)[0, :, 0] @ rod / np.linalg.norm(rod)
    spring = np.subtract(ON_ROCKER["upper"], ON_ROCKER["lower"])
    turns = push / lever(ROCKER["pivot"], ROCKER["rod_on_rocker"], rod)
    shortens = turns * lever(ROCKER["pivot"], ON_ROCKER["lower"], spring)
    assert -coil_rate(linkage, "left_spring", HEAVE) == pytest.approx(shortens, rel=1e-12)
    assert abs(shortens) > 0.3


def test_a_rocker_leaves_the_wheels_where_they_are() -> None:
    plain, pushed = wishbones(), wishbones(rocker=ROCKER, spring=ON_ROCKER)
    inputs = np.array([[0.05, -0.04, 0.02]])
    for side in ("left", "right"):
        link = f"{side}_upright"
        one, other = (k.at(inputs).point(link, (0.0, 0.5, 0.3)) for k in (plain, pushed))
        np.testing.assert_allclose(one, other, rtol=0.0, atol=1e-11)


def test_a_third_spring_gives_in_heave_alone() -> None:
    third = {"stiffness": 2e4, "lower": (0.0, 0.33, 0.65), "upper": (0.0, -0.33, 0.65)}
    linkage = wishbones(rocker=ROCKER, spring=ON_ROCKER, third_spring=third)
    assert abs(coil_rate(linkage, "third_spring", HEAVE)) > 0.5
    assert coil_rate(linkage, "third_spring", ROLL) == pytest.approx(0.0, abs=1e-12)
    assert not next(c for c in linkage.linkage.coils if c.name == "third_spring").is_spring


def turn_between(linkage: LinkageKinematics, links: tuple[str, str], way: FloatArray) -> FloatArray:
    at = design(linkage)
    rates = [at.w[0, at.order[link]] @ way for link in links]
    return np.asarray(rates[1] - rates[0])


@pytest.mark.parametrize(
    ("on", "link_end"), [("lower-arm", (0.0, 0.55, 0.185)), ("upright", (0.0, 0.69, 0.3))]
)
def test_a_bar_twists_in_roll_alone(on: str, link_end: Any) -> None:
    """Its arms turn by what the drop link passes on, by their lever, to either side in roll."""
    linkage = wishbones(anti_roll_bar={**U_BAR, "on": on, "link_end": link_end})
    heave = turn_between(linkage, ("left_bar", "right_bar"), HEAVE)
    np.testing.assert_allclose(heave, 0.0, atol=1e-11)
    drop = np.subtract(U_BAR["end"], link_end)  # type: ignore[arg-type]
    along = drop / np.linalg.norm(drop)
    end = design(linkage).point_rate(f"left_{on.replace('-', '_')}", link_end)[0] @ ROLL
    arm = np.subtract(U_BAR["end"], U_BAR["bearing"])  # type: ignore[arg-type]
    angle = end @ along / (np.cross([0.0, 1.0, 0.0], arm) @ along)
    twist = turn_between(linkage, ("left_bar", "right_bar"), ROLL)
    np.testing.assert_allclose(twist, [0.0, -2.0 * angle, 0.0], atol=1e-9)
    assert abs(angle) > 1.0


def test_a_t_bar_swings_in_heave_and_twists_in_roll() -> None:
    """Upright drop links ahead of the foot are passed by; the stem twists about itself."""
    bar = {
        "foot": (0.1, 0.0, 0.45), "neck": (0.1, 0.0, 0.62), "end": (0.1, 0.12, 0.62),
        "on": "rocker", "link_end": (0.0, 0.33, 0.6), "stiffness": 300.0,
    }  # fmt: skip
    linkage = wishbones(rocker=ROCKER, spring=ON_ROCKER, t_bar=bar)
    heave = turn_between(linkage, ("t_bar_stem", "t_bar_head"), HEAVE)
    np.testing.assert_allclose(heave, 0.0, atol=1e-11)
    roll = turn_between(linkage, ("t_bar_stem", "t_bar_head"), ROLL)
    np.testing.assert_allclose(roll[:2], 0.0, atol=1e-11)
    assert abs(roll[2]) > 0.3
    swings = design(linkage).w[0, linkage.order["t_bar_stem"]]
    np.testing.assert_allclose(swings @ ROLL, 0.0, atol=1e-11)


def test_a_t_bar_is_part_of_a_model() -> None:
    """Names of links, joints, springs and bars are those of components, each once."""
    bar = {
        "foot": (0.1, 0.0, 0.45), "neck": (0.1, 0.0, 0.62), "end": (0.1, 0.12, 0.62),
        "on": "rocker", "link_end": (0.0, 0.33, 0.6), "stiffness": 300.0,
    }  # fmt: skip
    axle = SAMPLES["double-wishbone"](rocker=ROCKER, spring=ON_ROCKER, t_bar=bar)
    rig = rig_of_suspension("front", axle, 3500.0, axle.wheel_centre_height)
    assert rig.model["front_t_bar_neck"].name == "front_t_bar_neck"


@pytest.mark.slow
def test_a_drop_link_near_its_dead_centre_is_told() -> None:
    """In heave both drop links push the head of this T-bar from its sides."""
    bar = {
        "foot": (0.0, 0.0, 0.45), "neck": (0.0, 0.0, 0.62), "end": (0.0, 0.06, 0.62),
        "on": "rocker", "link_end": (-0.03, 0.3, 0.6), "stiffness": 300.0,
    }  # fmt: skip
    axle = SAMPLES["double-wishbone"](rocker=ROCKER, spring=ON_ROCKER, t_bar=bar)
    with pytest.raises(ModelError, match="near a dead centre"):
        axle.settled(3500.0).curves()


def test_what_needs_a_rocker_says_so() -> None:
    third = {"stiffness": 2e4, "lower": (0.0, 0.33, 0.65), "upper": (0.0, -0.33, 0.65)}
    with pytest.raises(ModelError, match="third_spring: stands between rockers; give a rocker"):
        SAMPLES["double-wishbone"](third_spring=third)
    with pytest.raises(ModelError, match="anti_roll_bar: on: there is no rocker that could carry"):
        SAMPLES["double-wishbone"](
            anti_roll_bar={**U_BAR, "on": "rocker", "link_end": (0.0, 0.5, 0.2)}
        )


def test_arms_of_one_length_lead_a_track_rod_on_a_circle() -> None:
    """Shafts that are parallel and arms that are, too, make a parallelogram: the rod does not turn,
    and its ends move as the pitman arm's end.
    """
    gear = {
        "pitman_shaft": (0.0, 0.38, 0.26), "shaft_point": (0.0, 0.38, 0.4),
        "pitman_end": (-0.2, 0.38, 0.26),
    }  # fmt: skip
    linkage = wishbones(steered=False, pitman=gear)
    angles = np.array([-0.3, -0.1, 0.2, 0.4])
    at = linkage.at(np.column_stack([0.0 * angles, 0.0 * angles, angles]))
    place = at.order[TRACK_ROD]
    np.testing.assert_allclose(at.R[:, place], np.tile(np.eye(3), (4, 1, 1)), atol=1e-11)
    expected = 0.2 * np.column_stack([1.0 - np.cos(angles), -np.sin(angles), 0.0 * angles])
    np.testing.assert_allclose(at.r[:, place], expected, rtol=0.0, atol=1e-11)


def test_a_rack_ahead_of_the_axle_steers_to_its_side_and_one_behind_to_the_other() -> None:
    """A rack that moves to the left turns a left wheel to the left by a tie rod ahead of it."""
    p = POINTS["double-wishbone"]
    ahead = {n: (-p[n][0], *p[n][1:]) for n in ("tie_rod_inner", "tie_rod_outer")}
    turns = []
    for points in (p, {**p, **ahead}):
        at = design(wishbones(points=points))
        turns.append(at.w[0, at.order["left_upright"], 2, 2])
    assert turns[0] < -5.0 < 5.0 < turns[1]  # rad/m about z


def test_a_beam_steers_both_wheels_by_one_drag_link() -> None:
    """Knuckles turn in the beam about their kingpins, and the tie rod turns the right one with the
    left one. Kingpins lean, so that the beam rolls a little where wheels are held in height.
    """
    linkage = LinkageKinematics(SAMPLES["steered-beam"]().linkage())
    rates = design(linkage)
    beam = rates.w[0, rates.order["axle"], :, 2]
    left, right = (rates.w[0, rates.order[f"{s}_knuckle"], :, 2] - beam for s in ("left", "right"))
    line = np.subtract(BEAM_STEERING["kingpin_upper"], BEAM_STEERING["kingpin_lower"])
    np.testing.assert_allclose(np.cross(left, line), 0.0, atol=1e-10)
    np.testing.assert_allclose(np.cross(right, line * [1.0, -1.0, 1.0]), 0.0, atol=1e-10)
    assert left[2] * right[2] > 0.0


def test_mirrored_parts_have_all_points_on_the_other_side() -> None:
    gear = PitmanAndIdler(
        pitman_shaft=(0.0, 0.4, 0.3), shaft_point=(0.0, 0.38, 0.4), pitman_end=(-0.2, 0.4, 0.3)
    )
    there = mirrored(gear)
    assert there.shaft_point == (0.0, -0.38, 0.4)
    assert there.idler_end is None
    assert mirrored(there) == gear
    assert RIGHT_SIDE.of(gear.pitman_end) == mirrored_point(gear.pitman_end)
    assert dataclasses.replace(gear) == gear


def test_a_pitman_arm_sways_the_tie_rods_end_about_its_shaft() -> None:
    """The joint of pitman arm and track rod goes round the shaft by the angle that is asked for."""
    linkage = LinkageKinematics(SAMPLES["four-link-by-pitman"]().linkage())
    gear = SAMPLES["four-link-by-pitman"]().pitman  # type: ignore[attr-defined]
    along = np.subtract(gear.shaft_point, gear.pitman_shaft)
    at = linkage.at(np.array([[0.02, -0.02, 0.15]]))
    turn = Rotation.from_rotvec(0.15 * along / np.linalg.norm(along))
    place = gear.pitman_shaft + turn.apply(np.subtract(gear.pitman_end, gear.pitman_shaft))
    for link in ("pitman_arm", TRACK_ROD):
        np.testing.assert_allclose(at.point(link, gear.pitman_end)[0], place, atol=1e-11)
