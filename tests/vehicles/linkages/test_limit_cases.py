"""Suspensions whose motion has a closed form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation
from vehicles.linkages.linkage_samples import POINTS, SAMPLES, SPRING

from axletree.core.arrays import FloatArray
from axletree.vehicles.linkages.kingpin import kingpin_axis
from axletree.vehicles.linkages.positions import LinkageKinematics, Positions

EXACT = 1e-11  # m or rad
TRAVELS = np.linspace(-0.06, 0.06, 7)


def kinematics(name: str, **other: Any) -> LinkageKinematics:
    return LinkageKinematics(SAMPLES[name](**other).linkage())


def both(linkage: LinkageKinematics, travels: FloatArray = TRAVELS) -> Positions:
    """With both wheels up."""
    inputs = np.zeros((len(travels), 3))
    inputs[:, :2] = travels[:, None]
    return linkage.at(inputs)


def left_wheel(linkage: LinkageKinematics, at: Positions) -> tuple[FloatArray, FloatArray]:
    """Its centre, and its axle as (0, 1, 0) at design."""
    carrier = linkage.linkage.carriers["left"]
    return at.point(carrier.link, carrier.centre), at.direction(carrier.link, (0.0, 1.0, 0.0))


def wishbones(lower: Any, upper: Any, wheel: Any) -> dict[str, Any]:
    """Arms in the plane of the axle, by (inner, outer) in y and z; the tie rod copies the lower."""
    (ly, lz), (oy, oz) = lower
    (uy, uz), (py, pz) = upper
    return {
        "wheel_centre": (0.0, *wheel),
        "lower_arm_front": (0.15, ly, lz), "lower_arm_rear": (-0.15, ly, lz),
        "lower_ball_joint": (0.0, oy, oz),
        "upper_arm_front": (0.1, uy, uz), "upper_arm_rear": (-0.1, uy, uz),
        "upper_ball_joint": (0.0, py, pz),
        "tie_rod_inner": (-0.12, ly, lz), "tie_rod_outer": (-0.12, oy, oz),
    }  # fmt: skip


def test_parallel_equal_wishbones_lead_the_wheel_on_an_arc_upright() -> None:
    """No camber, no toe, and an infinite swing arm."""
    points = wishbones(((0.4, 0.2), (0.72, 0.2)), ((0.38, 0.45), (0.70, 0.45)), (0.76, 0.31))
    linkage = kinematics("double-wishbone", points=points)
    at = both(linkage)
    centre, axle = left_wheel(linkage, at)
    np.testing.assert_allclose(axle, np.tile([0.0, 1.0, 0.0], (7, 1)), rtol=0.0, atol=EXACT)
    inward = 0.32 - np.sqrt(0.32**2 - TRAVELS**2)
    np.testing.assert_allclose(centre[:, 1], 0.76 - inward, rtol=0.0, atol=EXACT)
    turn = at.w[:, at.order["left_upright"]]
    np.testing.assert_allclose(turn[:, :, :2], 0.0, atol=1e-10)


def meeting(a: FloatArray, ra: float, b: FloatArray, rb: float) -> FloatArray:
    """The upper and outer of two points that have these distances from two points in a plane."""
    along = (b - a) / np.linalg.norm(b - a)
    d = float(np.linalg.norm(b - a))
    x = (d * d + ra * ra - rb * rb) / (2.0 * d)
    across = np.array([-along[1], along[0]])
    ends = [a + x * along + s * np.sqrt(ra * ra - x * x) * across for s in (1.0, -1.0)]
    return max(ends, key=lambda end: float(end[1]))


def test_wishbones_in_a_plane_are_a_four_bar() -> None:
    """By the angle of the lower arm: its end, then the upper ball joint on two circles."""
    lower, upper = ((0.36, 0.21), (0.71, 0.19)), ((0.46, 0.46), (0.66, 0.49))
    wheel = np.array([0.76, 0.31])
    linkage = kinematics("double-wishbone", points=wishbones(lower, upper, wheel))
    foot, ball = np.array(lower)
    inner, top = np.array(upper)
    radii = [float(np.linalg.norm(one)) for one in (ball - foot, top - inner, top - ball)]
    start = np.arctan2(*(ball - foot)[::-1])
    for angle in np.linspace(-0.15, 0.15, 7):
        low = foot + radii[0] * np.array([np.cos(start + angle), np.sin(start + angle)])
        high = meeting(inner, radii[1], low, radii[2])
        before, after = top - ball, high - low
        turned = np.arctan2(after[1], after[0]) - np.arctan2(before[1], before[0])
        c, s = np.cos(turned), np.sin(turned)
        centre = low + np.array([[c, -s], [s, c]]) @ (wheel - ball)
        at = both(linkage, np.array([centre[1] - wheel[1]]))
        found, axle = left_wheel(linkage, at)
        np.testing.assert_allclose(found[0], [0.0, *centre], rtol=0.0, atol=EXACT)
        np.testing.assert_allclose(axle[0], [0.0, c, s], rtol=0.0, atol=EXACT)


def test_a_strut_in_a_plane_is_a_swinging_slide() -> None:
    """With its ball joint on its axis it points from there to its top."""
    points = {
        "wheel_centre": (0.0, 0.75, 0.3),
        "lower_arm_front": (0.1, 0.36, 0.2), "lower_arm_rear": (-0.2, 0.36, 0.2),
        "lower_ball_joint": (0.0, 0.7, 0.18),
        "strut_top": (0.0, 0.6, 0.8), "strut_axis_point": (0.0, 0.65, 0.49),
        "tie_rod_inner": (-0.12, 0.36, 0.2), "tie_rod_outer": (-0.12, 0.7, 0.18),
    }  # fmt: skip
    linkage = kinematics("macpherson", points=points)
    foot, ball, top, wheel = (
        np.array(points[name][1:])
        for name in ("lower_arm_front", "lower_ball_joint", "strut_top", "wheel_centre")
    )
    radius, start = np.linalg.norm(ball - foot), np.arctan2(*(ball - foot)[::-1])
    for angle in np.linspace(-0.17, 0.17, 7):
        low = foot + radius * np.array([np.cos(start + angle), np.sin(start + angle)])
        turned = np.arctan2(*(top - low)[::-1]) - np.arctan2(*(top - ball)[::-1])
        c, s = np.cos(turned), np.sin(turned)
        centre = low + np.array([[c, -s], [s, c]]) @ (wheel - ball)
        at = both(linkage, np.array([centre[1] - wheel[1]]))
        found, axle = left_wheel(linkage, at)
        np.testing.assert_allclose(found[0], [0.0, *centre], rtol=0.0, atol=EXACT)
        np.testing.assert_allclose(axle[0], [0.0, c, s], rtol=0.0, atol=EXACT)


def test_a_trailing_arm_leads_on_a_circle_without_toe_or_camber() -> None:
    linkage = kinematics("trailing-arm")
    centre, axle = left_wheel(linkage, both(linkage))
    (x, _, z), (px, _, pz) = (POINTS["trailing-arm"][name] for name in ("wheel_centre", "pivot"))
    radius = np.hypot(px - x, pz - z)
    forward = px - np.sqrt(radius**2 - (z + TRAVELS - pz) ** 2)
    np.testing.assert_allclose(centre[:, 0], forward, rtol=0.0, atol=EXACT)
    np.testing.assert_allclose(axle, np.tile([0.0, 1.0, 0.0], (7, 1)), rtol=0.0, atol=EXACT)


def test_a_semi_trailing_arm_turns_about_its_hinge() -> None:
    p = {name: np.array(at) for name, at in POINTS["semi-trailing-arm"].items()}
    along = (p["pivot_outer"] - p["pivot_inner"]) / np.linalg.norm(
        p["pivot_outer"] - p["pivot_inner"]
    )
    linkage = kinematics("semi-trailing-arm")
    for angle in np.linspace(-0.12, 0.12, 5):
        turn = Rotation.from_rotvec(angle * along)
        place = p["pivot_inner"] + turn.apply(p["wheel_centre"] - p["pivot_inner"])
        at = both(linkage, np.array([place[2] - p["wheel_centre"][2]]))
        centre, axle = left_wheel(linkage, at)
        np.testing.assert_allclose(centre[0], place, rtol=0.0, atol=EXACT)
        np.testing.assert_allclose(axle[0], turn.apply([0.0, 1.0, 0.0]), rtol=0.0, atol=EXACT)


def test_a_twist_beam_is_a_trailing_arm_in_heave_and_a_semi_trailing_arm_in_roll() -> None:
    """In roll its arms turn about lines from their bearings to the middle of the shear centres."""
    linkage = kinematics("twist-beam")
    at = linkage.at(np.zeros((1, 2)))
    left = at.w[0, at.order["left_arm"]]
    heave, roll = left @ [1.0, 1.0], left @ [1.0, -1.0]
    np.testing.assert_allclose(heave / np.linalg.norm(heave), [0.0, 1.0, 0.0], atol=1e-12)
    p = {name: np.array(one) for name, one in POINTS["twist-beam"].items()}
    line = p["pivot"] - p["shear_centre"] * [1.0, 0.0, 1.0]
    np.testing.assert_allclose(np.cross(roll, line), 0.0, atol=1e-12)
    assert np.linalg.norm(roll) > 1.0  # rad/m: it does turn


# -- solid axles that only translate: three parallel links of one length, level ---------------

LENGTH = 0.55  # m, of the links along the vehicle


def three_links() -> dict[str, Any]:
    return {
        "points": {
            "wheel_centre": (0.0, 0.78, 0.36),
            "lower_link": {"inner": (LENGTH, 0.5, 0.3), "outer": (0.0, 0.5, 0.3)},
        },
        "upper_link": {"inner": (LENGTH, 0.0, 0.5), "outer": (0.0, 0.0, 0.5)},
    }


def moves(linkage: LinkageKinematics) -> FloatArray:
    """Of the axle; it does not turn."""
    at = both(linkage)
    k = at.order["axle"]
    np.testing.assert_allclose(at.R[:, k], np.tile(np.eye(3), (7, 1, 1)), rtol=0.0, atol=1e-10)
    return at.r[:, k]


def test_a_panhard_rod_leads_the_axle_on_an_arc() -> None:
    """Lengths are kept: (L - y)^2 + z^2 + x^2 = L^2 and (l - x)^2 + y^2 + z^2 = l^2."""
    rod = {"inner": (0.0, 0.45, 0.36), "outer": (0.0, -0.45, 0.36)}
    x, y, z = moves(kinematics("panhard-axle", panhard_rod=rod, **three_links())).T
    np.testing.assert_allclose(z, TRAVELS, rtol=0.0, atol=EXACT)
    np.testing.assert_allclose((0.9 - y) ** 2 + z**2 + x**2, 0.9**2, rtol=0.0, atol=EXACT)
    np.testing.assert_allclose((LENGTH - x) ** 2 + y**2 + z**2, LENGTH**2, rtol=0.0, atol=EXACT)
    assert y[0] == pytest.approx(TRAVELS[0] ** 2 / (2 * 0.9), rel=0.02)  # towards the body's end


def watt(rods: float, half: float) -> dict[str, Any]:
    """Level rods of a length, and a rocker that stands, of this half length."""
    return {
        "pivot": (0.0, 0.0, 0.36),
        "left_rod": {"inner": (0.0, rods, 0.36 + half), "outer": (0.0, 0.0, 0.36 + half)},
        "right_rod": {"inner": (0.0, -rods, 0.36 - half), "outer": (0.0, 0.0, 0.36 - half)},
    }


def test_watts_linkage_leads_the_axle_nearly_straight() -> None:
    """With a = L - r sin t and c = r (1 - cos t) for the rocker's angle t, in the plane of the rods
    (a + y)^2 + (z + c)^2 = L^2 - x^2 = (a - y)^2 + (z - c)^2, so that y = -z c / a and
    a^2 + c^2 + z^2 + y^2 + x^2 = L^2. Near the middle t = z^2 / (2 L r), and |y| = z^5 / (8 L^3 r).
    """
    L, r = 0.45, 0.08
    x, y, z = moves(kinematics("watt-axle", watt=watt(L, r), **three_links())).T

    def closed(t: float, k: int) -> tuple[float, float]:
        a, c = L - r * np.sin(t), r * (1.0 - np.cos(t))
        side = z[k] * c / a
        return side, a * a + c * c + z[k] ** 2 + side**2 + x[k] ** 2 - L * L

    for k in range(len(z)):
        t = brentq(lambda t, k=k: closed(t, k)[1], -1e-9, 1.0, xtol=1e-15)
        assert abs(y[k]) == pytest.approx(abs(closed(t, k)[0]), abs=EXACT)
    assert np.abs(y).max() == pytest.approx(0.06**5 / (8.0 * L**3 * r), rel=0.1)
    assert y[0] == pytest.approx(-y[-1], abs=EXACT)


# -- kingpins, leaves ------------------------------------------------------------------------


def test_five_rods_that_meet_in_pairs_are_double_wishbones() -> None:
    """Their virtual kingpin is then the line through both meeting points, at any travel."""
    p = POINTS["double-wishbone"]
    ends = {"lower": "lower_ball_joint", "upper": "upper_ball_joint"}
    rods = {
        f"{side}_{which}": {"inner": p[f"{which}_arm_{side}"], "outer": p[joint]}
        for which, joint in ends.items()
        for side in ("front", "rear")
    }
    rods["toe"] = {"inner": p["tie_rod_inner"], "outer": p["tie_rod_outer"]}
    points = {"wheel_centre": p["wheel_centre"], "rods": rods}
    on_joint = {**SPRING, "lower": p["lower_ball_joint"]}
    links = kinematics("multi-link", points=points, spring=on_joint)
    arms = kinematics("double-wishbone")
    inputs = np.array([[0.05, 0.01, 0.02], [-0.05, -0.02, 0.01], [0.0, 0.0, 0.0]])
    ours, theirs = links.at(inputs), arms.at(inputs)
    place, same = ours.order["left_upright"], theirs.order["left_upright"]
    np.testing.assert_allclose(ours.R[:, place], theirs.R[:, same], rtol=0.0, atol=EXACT)
    point, along = kingpin_axis(links, ours, "left")
    on_line, expected = kingpin_axis(arms, theirs, "left")
    np.testing.assert_allclose(along, expected, rtol=0.0, atol=1e-9)
    np.testing.assert_allclose(np.cross(point - on_line, expected), 0.0, atol=1e-9)


def test_a_spring_link_moves_as_its_rod() -> None:
    """A rod with a spring on it is a body, and leads as one without."""
    plain = kinematics("multi-link")
    link = kinematics("multi-link", spring_on="spring-link", spring_rod="rear_lower")
    inputs = np.array([[0.05, 0.01, 0.02], [-0.05, -0.02, 0.01]])
    one, other = plain.at(inputs), link.at(inputs)
    places = one.order["left_upright"], other.order["left_upright"]
    np.testing.assert_allclose(one.r[:, places[0]], other.r[:, places[1]], rtol=0.0, atol=EXACT)


def test_torsion_springs_of_a_level_leaf_carry_as_its_stiffness() -> None:
    """Of c = k a^2 / 2 at both joints with halves of a, at design; the shackle hangs upright."""
    a = 0.5
    points = {
        "wheel_centre": (0.0, 0.8, 0.37), "front_eye": (0.1 + a, 0.5, 0.4),
        "front_joint": (0.1, 0.5, 0.4), "rear_joint": (-0.1, 0.5, 0.4),
        "rear_eye": (-0.1 - a, 0.5, 0.4), "shackle_on_body": (-0.1 - a, 0.5, 0.52),
    }  # fmt: skip
    linkage = kinematics("leaf-spring-axle", points=points, front_share=1.0)
    at = linkage.at(np.zeros((1, 2)))
    turns = at.w[0] @ [1.0, 1.0]
    angles = turns[:, 1] - turns[at.order["axle"], 1]
    joints = [at.order[f"left_{half}_leaf"] for half in ("front", "rear")]
    assert turns[at.order["axle"]] == pytest.approx(np.zeros(3), abs=1e-12)
    k = 4e4  # N/m
    c = 0.5 * k * a * a
    assert sum(c * angles[joint] ** 2 for joint in joints) == pytest.approx(k, rel=1e-12)
