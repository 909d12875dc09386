"""Axles by hard points, put together joint by joint: ``data/suspension`` with springs, bushings."""

from __future__ import annotations

from typing import Any

import numpy as np

from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Ball,
    Bar,
    Coil,
    Hinge,
    Link,
    Mount,
    Sleeve,
    Slide,
    WheelCarrier,
    mirrored_point,
    spin_axis,
)

DOUBLE_WISHBONE = {
    "wheel_centre": (0.0, 0.76, 0.31),
    "lower_arm_front": (0.15, 0.385, 0.193),
    "lower_arm_rear": (-0.2, 0.375, 0.207),
    "lower_ball_joint": (0.008, 0.71, 0.185),
    "upper_arm_front": (0.09, 0.47, 0.462),
    "upper_arm_rear": (-0.15, 0.465, 0.448),
    "upper_ball_joint": (-0.03, 0.665, 0.475),
    "tie_rod_inner": (-0.135, 0.335, 0.248),
    "tie_rod_outer": (-0.125, 0.68, 0.245),
    "spring_lower": (-0.01, 0.59, 0.175),
    "spring_upper": (-0.03, 0.52, 0.64),
}
MACPHERSON = {
    "wheel_centre": (0.0, 0.755, 0.3),
    "lower_arm_front": (0.01, 0.37, 0.19),
    "lower_arm_rear": (-0.29, 0.385, 0.2),
    "lower_ball_joint": (0.005, 0.725, 0.175),
    "strut_top": (-0.04, 0.585, 0.83),
    "strut_axis_point": (-0.01, 0.655, 0.42),
    "tie_rod_inner": (-0.135, 0.33, 0.252),
    "tie_rod_outer": (-0.13, 0.69, 0.25),
}


def arm_mount(axis: Any, scale: float = 1.0) -> Mount:
    """Softer along its axis, and about it."""
    radial, axial = 8e6 * scale, 2e6 * scale
    conical, torsional = 500.0 * scale, 40.0 * scale
    return Mount((radial, radial, axial), (conical, conical, torsional), axis=tuple(axis))


def _side(points: dict[str, Any], side: float) -> dict[str, Any]:
    return points if side > 0.0 else {k: mirrored_point(p) for k, p in points.items()}


def _arm(name: str, points: dict[str, Any], which: str, scale: float) -> Hinge:
    ends = (points[f"{which}_arm_front"], points[f"{which}_arm_rear"])
    mount = arm_mount(np.subtract(*ends), scale)
    return Hinge(f"{name}_{which}", BODY, f"{name}_{which}_arm", ends, (mount, mount))


def double_wishbone(*, bushings: float = 1.0, stiffness: float = 45e3) -> AxleLinkage:
    """``bushings`` multiplies the stiffnesses of all bushings."""
    links, joints, coils = [Link(RACK)], [Slide("rack_way", BODY, RACK, (0.0, 1.0, 0.0))], []
    carriers = {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        p = _side(DOUBLE_WISHBONE, sign)
        parts = ("lower_arm", "upper_arm", "upright")
        links += [Link(f"{side}_{part}") for part in parts]
        lower, upper, upright = (f"{side}_{part}" for part in parts)
        rod = (p["tie_rod_inner"], p["tie_rod_outer"])
        joints += [
            _arm(side, p, "lower", bushings),
            _arm(side, p, "upper", bushings),
            Ball(f"{side}_lower_ball", lower, upright, p["lower_ball_joint"]),
            Ball(f"{side}_upper_ball", upper, upright, p["upper_ball_joint"]),
            Bar(f"{side}_tie_rod", RACK, upright, rod, stiffness=2e7 * bushings),
        ]
        axis = spin_axis(sign, np.deg2rad(0.1), np.deg2rad(-0.5))
        kingpin = (p["lower_ball_joint"], p["upper_ball_joint"])
        carriers[side] = WheelCarrier(upright, p["wheel_centre"], axis, kingpin)
        ends = (p["spring_upper"], p["spring_lower"])
        coils.append(Coil(f"{side}_spring", BODY, lower, ends, stiffness, 3e3))
    return AxleLinkage(tuple(links), tuple(joints), carriers, tuple(coils), steers=True)


def macpherson(*, bushings: float = 1.0, stiffness: float = 28e3) -> AxleLinkage:
    links, joints, coils = [Link(RACK)], [Slide("rack_way", BODY, RACK, (0.0, 1.0, 0.0))], []
    carriers = {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        p = _side(MACPHERSON, sign)
        lower, upright = f"{side}_lower_arm", f"{side}_upright"
        links += [Link(lower), Link(upright)]
        top, foot = p["strut_top"], p["strut_axis_point"]
        soft = Mount((4e5 * bushings,) * 3, (100.0,) * 3, axis=(0.0, 0.0, 1.0))
        joints += [
            _arm(side, p, "lower", bushings),
            Ball(f"{side}_lower_ball", lower, upright, p["lower_ball_joint"]),
            Sleeve(f"{side}_strut", BODY, upright, top, foot, mount=soft),
            Bar(f"{side}_tie_rod", RACK, upright, (p["tie_rod_inner"], p["tie_rod_outer"])),
        ]
        axis = spin_axis(sign, np.deg2rad(0.05), np.deg2rad(-0.3))
        kingpin = (p["lower_ball_joint"], top)
        links_of = (upright, BODY)  # the top of the strut is the body's
        carriers[side] = WheelCarrier(
            upright, p["wheel_centre"], axis, kingpin, kingpin_links=links_of
        )
        coils.append(Coil(f"{side}_spring", BODY, upright, (top, foot), stiffness, 2e3))
    return AxleLinkage(tuple(links), tuple(joints), carriers, tuple(coils), steers=True)
