"""Every kind against distances of its bare points, and what all kinds have alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from oracles import suspension_points as bare
from vehicles.linkages.linkage_samples import BEAM_STEERING, PITMAN, POINTS, RODS, SAMPLES, SPRING

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.linkage import BODY, AxleLinkage, Bar, Link, Point, mirrored_point
from axletree.vehicles.linkages.positions import LinkageKinematics, UnreachableTravel
from axletree.vehicles.linkages.sides import AXLE_SIDES

SWEEP = 0.06  # m of travel to both sides
RACK = 0.05  # m
PITMAN_ANGLE = 0.2  # rad
AGREE = 1e-10  # m


def there_and_back(most: float, size: int = 5) -> FloatArray:
    """From zero to one end, and to the other."""
    return np.concatenate([np.linspace(0.0, most, size), np.linspace(0.0, -most, size)])


def corner_path(steer: float) -> list[FloatArray]:
    """Travel of the left wheel and steering: travel alone, steering alone, both."""
    halves = np.split(there_and_back(1.0), 2)
    ways = [(SWEEP, 0.0), (0.0, steer), (SWEEP, 0.7 * steer)]
    return [np.outer(half, way) for half in halves for way in ways]


def axle_path(steer: float = 0.0) -> list[FloatArray]:
    """Travel of both wheels and steering: heave, roll, one wheel, steering."""
    halves = np.split(there_and_back(1.0), 2)
    ways = [(SWEEP, SWEEP, 0.0), (SWEEP, -SWEEP, 0.0), (SWEEP, 0.0, 0.5 * steer), (0.0, 0.0, steer)]
    return [np.outer(half, way) for half in halves for way in ways]


def with_slow(names: Iterable[str]) -> list[Any]:
    """The beam with all that steers it has the most unknowns."""
    slow = pytest.mark.slow
    return [pytest.param(n, marks=slow) if n == "steered-beam" else n for n in names]


def kinematics(name: str, **other: Any) -> LinkageKinematics:
    return LinkageKinematics(SAMPLES[name](**other).linkage())


def probes(centre: Point) -> list[Point]:
    """Four points that fix a body."""
    return [centre, *(tuple(np.add(centre, 0.3 * e)) for e in np.eye(3))]  # type: ignore[list-item]


TRACK_ROD = bare.track_rod(PITMAN)
CORNERS: dict[str, tuple[bare.Equations, int, float]] = {
    "double-wishbone": (bare.double_wishbone(POINTS["double-wishbone"]), 6, RACK),
    "macpherson": (bare.macpherson(POINTS["macpherson"]), 6, RACK),
    "multi-link": (bare.multi_link(POINTS["multi-link"]), 6, RACK),
    "four-link": (
        bare.four_link(
            POINTS["four-link"],
            lambda r: bare.to_left(POINTS["four-link"]["tie_rod_inner"], r),
        ), 6, RACK,
    ),
    "four-link-by-pitman": (
        bare.four_link(
            POINTS["four-link"],
            lambda a: TRACK_ROD(float(a))(POINTS["four-link"]["tie_rod_inner"]),
        ), 6, PITMAN_ANGLE,
    ),
    "integral-link": (bare.integral_link(POINTS["integral-link"]), 7, 0.0),
}  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", CORNERS)
def test_corners_are_where_their_points_say(name: str) -> None:
    """Places of the left upright over travel and steering."""
    equations, unknowns, steer = CORNERS[name]
    linkage = kinematics(name)
    carrier = linkage.linkage.carriers["left"]
    for path in corner_path(steer):
        at = linkage.at(np.column_stack([path[:, :1], 0.3 * path[:, :1], path[:, 1:]]))
        found = bare.solve(equations, unknowns, path)
        for point in probes(carrier.centre):
            theirs = np.array([bare.pose(x[:6])(point) for x in found])
            np.testing.assert_allclose(at.point(carrier.link, point), theirs, rtol=0.0, atol=AGREE)


AXLES: dict[str, tuple[bare.Equations, int]] = {
    "four-link-axle": (bare.four_link_axle(POINTS["four-link-axle"]), 6),
    "panhard-axle": (bare.panhard_axle(POINTS["panhard-axle"], RODS), 6),
    "watt-axle": (bare.watt_axle(POINTS["watt-axle"], RODS), 7),
    "leaf-spring-axle": (bare.leaf_spring_axle(POINTS["leaf-spring-axle"], 1.3), 10),
    "steered-beam": (bare.steered_beam(POINTS["beam"], BEAM_STEERING), 12),
    "twist-beam": (bare.twist_beam(POINTS["twist-beam"]), 7),
}


def their_left_place(name: str, x: Any) -> bare.Place:
    if name == "steered-beam":
        return bare.knuckle(BEAM_STEERING, bare.pose(x[:6]), x[10])
    return bare.pose(x[:6])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", with_slow(AXLES))
def test_axles_are_where_their_points_say(name: str) -> None:
    """Places of what carries the left wheel in heave, roll and steering."""
    equations, unknowns = AXLES[name]
    linkage = kinematics(name)
    carrier = linkage.linkage.carriers["left"]
    for path in axle_path(PITMAN_ANGLE if linkage.inputs == 3 else 0.0):
        at = linkage.at(path)
        found = bare.solve(equations, unknowns, path)
        for point in probes(carrier.centre):
            theirs = np.array([their_left_place(name, x)(point) for x in found])
            np.testing.assert_allclose(at.point(carrier.link, point), theirs, rtol=0.0, atol=AGREE)


def mixed(linkage: LinkageKinematics, size: int = 7) -> FloatArray:
    """Inputs that are not alike on both sides."""
    spread = np.random.default_rng(3).uniform(-1.0, 1.0, (size, 3))
    return np.asarray(spread * [0.05, 0.05, 0.02 if linkage.inputs == 3 else 0.0])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SAMPLES)
def test_rates_are_slopes_of_positions(name: str) -> None:
    """Central differences of five points, whose own error is of the fourth order."""
    linkage = kinematics(name)
    carrier = linkage.linkage.carriers["left"]
    inputs, step = mixed(linkage, 3), 1e-3
    at = linkage.at(inputs)
    for k in range(linkage.inputs):
        moved = {n: linkage.at(inputs + n * step * np.eye(3)[k]) for n in (-2, -1, 1, 2)}
        for point in probes(carrier.centre):
            p = {n: one.point(carrier.link, point) for n, one in moved.items()}
            slope = (8.0 * (p[1] - p[-1]) - (p[2] - p[-2])) / (12.0 * step)
            rate = at.point_rate(carrier.link, point)[:, :, k]
            np.testing.assert_allclose(rate, slope, rtol=0.0, atol=3e-7)


@pytest.mark.parametrize("name", SAMPLES)
def test_wheels_are_at_the_heights_that_are_asked_for(name: str) -> None:
    linkage = kinematics(name)
    inputs = mixed(linkage)
    at = linkage.at(inputs)
    for k, carrier in enumerate(linkage.linkage.carriers.values()):
        height = at.point(carrier.link, carrier.centre)[:, 2] - carrier.centre[2]
        np.testing.assert_allclose(height, inputs[:, k], rtol=0.0, atol=1e-11)


# Panhard rods, rods of Watt's linkage and drag links are not alike on both sides.
MIRRORED = ("panhard-axle", "watt-axle", "steered-beam", "four-link-by-pitman")


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in MIRRORED])
def test_the_right_side_is_the_mirror_image(name: str) -> None:
    """With wheels exchanged and the rack moved to the other side."""
    linkage = kinematics(name)
    inputs = mixed(linkage)
    at, other = linkage.at(inputs), linkage.at(inputs[:, [1, 0, 2]] * [1.0, 1.0, -1.0])
    left, right = linkage.linkage.carriers["left"], linkage.linkage.carriers["right"]
    for point in probes(left.centre):
        there = other.point(right.link, mirrored_point(point)) * [1.0, -1.0, 1.0]
        np.testing.assert_allclose(at.point(left.link, point), there, rtol=0.0, atol=1e-10)


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "steered-beam"])
def test_points_of_the_right_side_may_be_given(name: str) -> None:
    """The mirrored ones give what no points give; others give another axle."""
    sample = SAMPLES[name]()
    given = bare.other_side(POINTS[name.removesuffix("-by-pitman")])
    same = SAMPLES[name](right_points=given)
    assert same.linkage() == sample.linkage()
    x, y, z = given["wheel_centre"]
    moved = SAMPLES[name](right_points={**given, "wheel_centre": (x + 0.01, y, z)})
    assert moved.linkage().carriers["right"].centre == (x + 0.01, y, z)
    assert moved.linkage().carriers["left"] == sample.linkage().carriers["left"]


@pytest.mark.parametrize("name", SAMPLES)
def test_links_have_masses_that_are_bodies(name: str) -> None:
    """No principal moment of inertia is above the sum of the others; both sides weigh the same."""
    linkage = SAMPLES[name]().linkage()
    for link in linkage.links:
        principal = np.linalg.eigvalsh(tensor(link))
        assert principal[0] > -1e-12
        assert principal[2] <= principal[0] + principal[1] + 1e-12
    sides = [
        sum(link.mass for link in linkage.links if link.name.startswith(side))
        for side in ("left", "right")
    ]
    assert sides[0] == pytest.approx(sides[1], rel=1e-12)


def tensor(link: Link) -> FloatArray:
    xx, yy, zz, xy, xz, yz = link.inertia
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


# -- what is wrong --------------------------------------------------------------------------


def refusal(make: Callable[[], Any]) -> str:
    with pytest.raises(ModelError) as caught:
        make()
    return str(caught.value)


def rods(count: int) -> dict[str, Any]:
    p = POINTS["multi-link"]
    given = {**p["rods"], "sixth": {"inner": (0.1, 0.3, 0.3), "outer": (0.0, 0.7, 0.31)}}
    return {**p, "rods": dict(list(given.items())[6 - count :] if count < 5 else given)}


@pytest.mark.parametrize("count", [4, 6])
def test_an_upright_has_five_rods(count: int) -> None:
    names = ", ".join(rods(count)["rods"])
    told = refusal(lambda: SAMPLES["multi-link"](points=rods(count)))
    assert told.startswith(
        f"MultiLink, points: rods: an upright is held by 5 rods, and there are {count}: {names}"
    )


def test_a_rod_that_is_taken_away_is_told_by_the_linkage() -> None:
    linkage = SAMPLES["multi-link"]().linkage()
    fewer = tuple(joint for joint in linkage.joints if joint.name != "left_rear_upper")
    told = refusal(lambda: LinkageKinematics(replace(linkage, joints=fewer), "front axle"))
    assert told.startswith("front axle: its joints do not hold the wheels")
    assert "a rod or a joint is missing" in told


def test_a_rod_too_many_takes_the_travel() -> None:
    linkage = SAMPLES["multi-link"]().linkage()
    more = SAMPLES["four-link"]().linkage()
    extra = next(joint for joint in more.joints if joint.name == "left_front_upper_link")
    held = replace(linkage, joints=(*linkage.joints, replace(extra, name="left_sixth")))
    told = refusal(lambda: LinkageKinematics(held, "front axle"))
    assert "too tightly" in told
    assert told.endswith("take a rod or a joint away")


def with_panhard_rod(height: float, **other: Any) -> AxleLinkage:
    """An axle on four links, and a level rod across."""
    linkage = SAMPLES["four-link-axle"](**other).linkage()
    ends = ((-0.1, 0.5, height), (-0.1, -0.5, height))
    return replace(linkage, joints=(*linkage.joints, Bar("panhard_rod", BODY, "axle", ends)))


def test_four_links_and_a_panhard_rod_do_not_roll() -> None:
    """Two freedoms, heave and roll, are left by four links; the fifth takes roll."""
    assert refusal(lambda: LinkageKinematics(with_panhard_rod(0.4), "rear axle")) == (
        "rear axle: its joints hold the wheels too tightly: they cannot go up and down one against "
        "the other (no roll freedom); take a rod or a joint away"
    )


def parallel_links() -> dict[str, Any]:
    """Four links along the vehicle: they hold one freedom twice where they stand level."""
    return {
        "wheel_centre": (0.0, 0.78, 0.36),
        "lower_link": {"inner": (0.6, 0.5, 0.3), "outer": (0.0, 0.5, 0.3)},
        "upper_link": {"inner": (0.35, 0.5, 0.5), "outer": (0.0, 0.5, 0.5)},
    }


def test_parallel_links_and_a_panhard_rod_lock_as_soon_as_they_move() -> None:
    """At design roll seems to be free: the links, level, hold yaw and pitch twice."""
    p = parallel_links()
    joined = with_panhard_rod(0.36)
    rods = [
        Bar(
            f"{side.name}_{name}",
            BODY,
            "axle",
            (side.of(p[name]["inner"]), side.of(p[name]["outer"])),
        )
        for side in AXLE_SIDES
        for name in ("lower_link", "upper_link")
    ]
    panhard = joined.joints[-1]
    told = refusal(lambda: LinkageKinematics(replace(joined, joints=(*rods, panhard)), "rear axle"))
    assert "one against the other (no roll freedom)" in told


def test_parallel_links_alone_do_not_hold_the_axle_sideways() -> None:
    told = refusal(lambda: SAMPLES["four-link-axle"](points=parallel_links()))
    assert "do not hold the wheels" in told


def test_a_link_without_length_is_named() -> None:
    p = POINTS["macpherson"]
    told = refusal(lambda: SAMPLES["macpherson"](points={**p, "tie_rod_outer": p["tie_rod_inner"]}))
    assert "left_tie_rod has no length: both of its points are at [-0.135, 0.33, 0.252] m" in told
    assert "right_tie_rod has no length" in told


def test_a_travel_out_of_reach_names_the_joint_that_stays_open() -> None:
    linkage = kinematics("four-link-by-pitman")
    with pytest.raises(UnreachableTravel, match=r"angle 171\.9 deg is beyond .*; .* stays open by"):
        linkage.at(np.array([[0.0, 0.0, 3.0]]))


def test_what_cannot_carry_the_spring_is_told() -> None:
    told = refusal(lambda: SAMPLES["macpherson"](spring_on="upper-arm"))
    assert told == (
        "Macpherson, spring_on: there is no upper-arm that could carry it; there are: upright, "
        "lower-arm"
    )


def test_springs_need_ends() -> None:
    told = refusal(lambda: SAMPLES["trailing-arm"](spring={"stiffness": 4e4}))
    assert "spring: needs 'lower' and 'upper', the points of its ends" in told
    told = refusal(lambda: SAMPLES["leaf-spring-axle"](spring=SPRING))
    assert "a leaf carries at its seat; leave 'lower' and 'upper' out" in told


def test_a_spring_link_is_named_where_it_carries() -> None:
    told = refusal(lambda: SAMPLES["multi-link"](spring_on="spring-link"))
    assert "spring-link and spring_rod belong together; give both" in told
    told = refusal(lambda: SAMPLES["multi-link"](toe_link="track"))
    assert "toe_link: track is not among the rods front_lower, rear_lower" in told


def test_points_that_look_wrong_are_noted() -> None:
    p = POINTS["macpherson"]
    odd = {**p, "tie_rod_inner": (-0.135, -0.33, 0.252), "lower_arm_front": (0.01, 0.37, -0.01)}
    notes = SAMPLES["macpherson"](points=odd).linkage().notes
    assert notes[:2] == (
        "left lower_arm_front is below the road, at z = -10 mm",
        "left tie_rod_inner is on the right, at y = -330 mm",
    )
    assert SAMPLES["macpherson"]().linkage().notes == ()
