"""Toe and camber by rods and shims: what is asked for stands, nothing stretches but what may."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from vehicles.linkages.linkage_samples import SAMPLES

import axletree as at
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.linkage import AxleLinkage, Bar, Hinge, Point, spin_axis
from axletree.vehicles.linkages.positions import LinkageKinematics

TOE, CAMBER = np.radians(0.4), np.radians(-1.6)
CASES: dict[str, tuple[str, str]] = {
    "double-wishbone": ("tie_rod", "upper_arm_bearings"),
    "macpherson": ("tie_rod", "strut"),
    "multi-link": ("toe", "front_upper"),
    "integral-link": ("tie_rod", "upper_link"),
    "four-link-by-pitman": ("tie_rod", "lower_arm_bearings"),
}


def aligned(name: str, **other: Any) -> AxleLinkage:
    toe, camber = CASES[name]
    by = {"toe_by": toe, "camber_by": camber}
    return SAMPLES[name](alignment=by, static_toe=TOE, static_camber=CAMBER, **other).linkage()


def drawn(name: str) -> AxleLinkage:
    return SAMPLES[name](static_toe=0.0, static_camber=0.0).linkage()


def length(bar: Any) -> float:
    return float(np.linalg.norm(np.subtract(*bar.ends)))


@pytest.mark.parametrize("name", CASES)
def test_wheels_stand_as_they_are_asked_to(name: str) -> None:
    """At their heights, with toe and camber of both sides, as mirror images where the axle is."""
    found, before = aligned(name), drawn(name)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        carrier = found.carriers[side]
        assert carrier.spin_axis == pytest.approx(spin_axis(sign, TOE, CAMBER), abs=1e-12)
        assert carrier.centre[2] == pytest.approx(before.carriers[side].centre[2], abs=1e-12)
    LinkageKinematics(found)  # its joints are closed


@pytest.mark.parametrize("name", CASES)
def test_nothing_stretches_but_what_is_adjusted(name: str) -> None:
    """Rods keep their lengths and points of a link their distances; ends on the body stay."""
    found, before = aligned(name), drawn(name)
    adjusted = {f"{side}_{by}" for side in ("left", "right") for by in CASES[name]}
    for new, old in zip(found.joints, before.joints, strict=True):
        if isinstance(old, Bar) and old.name not in adjusted:
            assert length(new) == pytest.approx(length(old), abs=1e-12)
        if isinstance(old, Bar) and old.name in adjusted:
            assert abs(length(new) - length(old)) > 1e-5
            if old.first == "body":
                assert new.ends[0] == old.ends[0]  # type: ignore[union-attr]
        if isinstance(old, Hinge):
            way = np.subtract(new.ends, old.ends)  # type: ignore[union-attr]
            moves = old.name in adjusted
            assert (np.abs(way).max() > 1e-5) == moves
            assert way[0] == pytest.approx(way[1], abs=1e-12)
            assert way[:, [0, 2]] == pytest.approx(0.0, abs=1e-12)
    for link in ("left_upright", "right_lower_arm"):
        ends = [np.array(points_on(one, link)) for one in (found, before)]
        for k in range(len(ends[0])):
            apart = [np.linalg.norm(one - one[k], axis=1) for one in ends]
            assert apart[0] == pytest.approx(apart[1], abs=1e-12)


def points_on(linkage: AxleLinkage, link: str) -> list[Point]:
    """Of ball joints and ends of rods."""
    found: list[Point] = []
    for joint in linkage.joints:
        places = getattr(joint, "ends", None) or (getattr(joint, "at", None),) * 2
        if not isinstance(joint, Hinge) and places[0] is not None:
            found += [at for one, at in zip((joint.first, joint.second), places, strict=True)
                      if one == link and type(joint).__name__ in ("Bar", "Ball")]  # fmt: skip
    return found or [(0.0, 0.0, 0.0)]


def test_a_tie_rod_that_turns_a_wheel_by_little_is_longer_by_its_lever() -> None:
    """Toe by the rod's length is the inverse of its rate: that of the wheel's steering by rack
    travel at held height, to first order in the angle."""
    small = 1e-5  # rad
    found = SAMPLES["double-wishbone"](
        alignment={"toe_by": "tie_rod"}, static_toe=small, static_camber=0.0
    ).linkage()
    before = drawn("double-wishbone")
    rods = [next(j for j in one.joints if j.name == "left_tie_rod") for one in (found, before)]
    longer = length(rods[0]) - length(rods[1])
    kinematics = LinkageKinematics(before)
    axis = kinematics.design.turn_rate("left_upright")[0, :, 2]  # by rack travel
    toe_by_rack = float(np.cross(axis, [0.0, 1.0, 0.0])[0])
    ends = before.joints[-1].ends if before.joints[-1].name == "left_tie_rod" else rods[1].ends  # type: ignore[union-attr]
    along = np.subtract(ends[1], ends[0])
    by_rack = along[1] / np.linalg.norm(along)  # what a rod gains where its inner end goes left
    assert longer == pytest.approx(small / toe_by_rack * by_rack, rel=1e-3)


def test_a_vehicle_says_what_is_adjusted() -> None:
    """Its toe and camber stand, and its tie rods steer as long as they now are."""
    given = {"alignment": {"toe_by": "tie_rod", "camber_by": "upper_arm_bearings"}}
    changes = {"vehicle": {"axles": {"front": {"suspension": given}}}}
    car = at.read_model("double-wishbone-sports-car", changes)
    found = at.kinematics_and_compliance(car, "front")
    plain = at.kinematics_and_compliance("double-wishbone-sports-car", "front")
    for name in ("toe", "camber"):
        assert found[name].left == pytest.approx(plain[name].left, abs=1e-9)
        assert found[name].right == pytest.approx(plain[name].right, abs=1e-9)
    assert found["kingpin_inclination"].left != pytest.approx(plain["kingpin_inclination"].left)


def test_shims_alone_change_toe_too() -> None:
    """Curves and data sheet have the toe that is left, not that of the hub."""
    axle = SAMPLES["double-wishbone"](
        alignment={"camber_by": "upper_arm_bearings"}, static_toe=0.0, static_camber=CAMBER
    )
    x, y, z = axle.linkage().carriers["left"].spin_axis
    assert -np.arcsin(z) == pytest.approx(CAMBER, abs=1e-12)
    assert abs(x / y) > 1e-3
    assert axle.static_angles.toe == pytest.approx(np.arctan(x / y), abs=1e-12)
    assert axle.curves().static_angles == axle.static_angles
    assert axle.static_angles.camber == pytest.approx(CAMBER, abs=1e-12)


MISTAKES = [
    ({}, "give toe_by or camber_by"),
    ({"toe_by": "tie_rod", "camber_by": "tie_rod"}, "one cannot set two angles"),
    ({"toe_by": "tie_rods"}, "alignment: unknown joint 'tie_rods' in this axle; did you mean"),
    ({"toe_by": "lower_ball_joint"}, "is neither a rod nor a joint on the body"),
]


@pytest.mark.parametrize(("given", "words"), MISTAKES, ids=[words for _, words in MISTAKES])
def test_mistakes_are_told(given: dict[str, str], words: str) -> None:
    with pytest.raises(ModelError) as caught:
        SAMPLES["double-wishbone"](alignment=given)
    assert words in str(caught.value)


def test_what_cannot_set_an_angle_is_told() -> None:
    with pytest.raises(ModelError, match="are out of reach of what is adjusted"):
        SAMPLES["double-wishbone"](
            alignment={"camber_by": "upper_arm_bearings"}, static_camber=np.radians(-30.0)
        )
