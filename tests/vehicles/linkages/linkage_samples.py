"""One axle of each kind, with points that are not symmetric in any way that would hide an error."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from axletree.vehicles.linkages.corner import CornerSuspension
from axletree.vehicles.linkages.kinds.beam_axle import FourLinkAxle, PanhardAxle, WattAxle
from axletree.vehicles.linkages.kinds.double_wishbone import DoubleWishbone
from axletree.vehicles.linkages.kinds.four_link import FourLink
from axletree.vehicles.linkages.kinds.integral_link import IntegralLink
from axletree.vehicles.linkages.kinds.leaf_spring_axle import LeafSpringAxle
from axletree.vehicles.linkages.kinds.macpherson import Macpherson
from axletree.vehicles.linkages.kinds.multi_link import MultiLink
from axletree.vehicles.linkages.kinds.trailing_arms import SemiTrailingArm, TrailingArm
from axletree.vehicles.linkages.kinds.twist_beam import TwistBeam

POINTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "double-wishbone": {
        "wheel_centre": (0.0, 0.76, 0.31),
        "lower_arm_front": (0.15, 0.385, 0.193), "lower_arm_rear": (-0.2, 0.375, 0.207),
        "lower_ball_joint": (0.008, 0.71, 0.185),
        "upper_arm_front": (0.09, 0.47, 0.462), "upper_arm_rear": (-0.15, 0.465, 0.448),
        "upper_ball_joint": (-0.03, 0.665, 0.475),
        "tie_rod_inner": (-0.135, 0.335, 0.248), "tie_rod_outer": (-0.125, 0.68, 0.245),
    },
    "macpherson": {
        "wheel_centre": (0.0, 0.755, 0.3),
        "lower_arm_front": (0.01, 0.37, 0.19), "lower_arm_rear": (-0.29, 0.385, 0.2),
        "lower_ball_joint": (0.005, 0.725, 0.175),
        "strut_top": (-0.04, 0.585, 0.83), "strut_axis_point": (-0.01, 0.655, 0.42),
        "tie_rod_inner": (-0.135, 0.33, 0.252), "tie_rod_outer": (-0.13, 0.69, 0.25),
    },
    "multi-link": {
        "wheel_centre": (0.0, 0.76, 0.31),
        "rods": {
            "front_lower": {"inner": (0.3, 0.4, 0.2), "outer": (0.02, 0.7, 0.19)},
            "rear_lower": {"inner": (-0.1, 0.3, 0.21), "outer": (-0.05, 0.69, 0.2)},
            "front_upper": {"inner": (0.15, 0.45, 0.45), "outer": (0.01, 0.66, 0.46)},
            "rear_upper": {"inner": (-0.12, 0.44, 0.44), "outer": (-0.04, 0.67, 0.47)},
            "toe": {"inner": (-0.2, 0.36, 0.26), "outer": (-0.18, 0.7, 0.25)},
        },
    },
    "four-link": {
        "wheel_centre": (0.0, 0.76, 0.31),
        "lower_arm_front": (0.15, 0.385, 0.193), "lower_arm_rear": (-0.2, 0.375, 0.207),
        "lower_ball_joint": (0.008, 0.71, 0.185),
        "front_upper": {"inner": (0.09, 0.47, 0.462), "outer": (-0.01, 0.665, 0.475)},
        "rear_upper": {"inner": (-0.15, 0.465, 0.448), "outer": (-0.05, 0.66, 0.475)},
        "tie_rod_inner": (-0.135, 0.335, 0.248), "tie_rod_outer": (-0.125, 0.68, 0.245),
    },
    "integral-link": {
        "wheel_centre": (0.0, 0.78, 0.32),
        "lower_arm_front": (0.25, 0.42, 0.22), "lower_arm_rear": (-0.18, 0.36, 0.23),
        "lower_ball_joint": (-0.06, 0.72, 0.2),
        "integral_link": {"inner": (0.12, 0.7, 0.21), "outer": (0.11, 0.705, 0.34)},
        "upper_link": {"inner": (-0.05, 0.45, 0.46), "outer": (-0.02, 0.7, 0.47)},
        "tie_rod_inner": (-0.2, 0.4, 0.26), "tie_rod_outer": (-0.18, 0.72, 0.25),
    },
    "trailing-arm": {"wheel_centre": (0.0, 0.7, 0.3), "pivot": (0.4, 0.55, 0.32)},
    "semi-trailing-arm": {
        "wheel_centre": (0.0, 0.7, 0.3), "pivot_inner": (0.3, 0.2, 0.28),
        "pivot_outer": (0.4, 0.55, 0.3),
    },
    "twist-beam": {
        "wheel_centre": (0.0, 0.74, 0.3), "pivot": (0.42, 0.56, 0.32),
        "shear_centre": (0.25, 0.5, 0.34),
    },
    "four-link-axle": {
        "wheel_centre": (0.0, 0.78, 0.36),
        "lower_link": {"inner": (0.6, 0.45, 0.34), "outer": (0.0, 0.55, 0.28)},
        "upper_link": {"inner": (0.45, 0.45, 0.5), "outer": (-0.02, 0.12, 0.52)},
    },
    "panhard-axle": {
        "wheel_centre": (0.0, 0.78, 0.36),
        "lower_link": {"inner": (0.6, 0.45, 0.34), "outer": (0.0, 0.55, 0.28)},
    },
    "watt-axle": {
        "wheel_centre": (0.0, 0.78, 0.36),
        "lower_link": {"inner": (0.6, 0.45, 0.34), "outer": (0.0, 0.55, 0.28)},
    },
    "leaf-spring-axle": {
        "wheel_centre": (0.0, 0.8, 0.37), "front_eye": (0.6, 0.52, 0.4),
        "front_joint": (0.16, 0.52, 0.45), "rear_joint": (-0.16, 0.52, 0.45),
        "rear_eye": (-0.7, 0.52, 0.43), "shackle_on_body": (-0.74, 0.52, 0.55),
    },
    "beam": {
        "wheel_centre": (0.0, 1.0, 0.5), "front_eye": (0.75, 0.43, 0.5),
        "front_joint": (0.15, 0.43, 0.45), "rear_joint": (-0.15, 0.43, 0.45),
        "rear_eye": (-0.75, 0.43, 0.52), "shackle_on_body": (-0.78, 0.43, 0.66),
    },
}  # fmt: skip

SPRING: Final = {"stiffness": 4e4, "lower": (0.0, 0.5, 0.3), "upper": (0.0, 0.48, 0.65)}
RODS: Final[Mapping[str, Any]] = {
    "upper_link": {"inner": (0.5, 0.1, 0.5), "outer": (0.0, 0.12, 0.53)},
    "panhard_rod": {"inner": (-0.1, 0.5, 0.42), "outer": (-0.1, -0.5, 0.38)},
    "watt": {
        "pivot": (-0.1, 0.0, 0.36),
        "left_rod": {"inner": (-0.1, 0.5, 0.45), "outer": (-0.1, 0.01, 0.44)},
        "right_rod": {"inner": (-0.1, -0.5, 0.28), "outer": (-0.1, 0.0, 0.27)},
    },
}
PITMAN: Final[Mapping[str, Any]] = {
    "pitman_shaft": (-0.05, 0.36, 0.26), "shaft_point": (-0.07, 0.37, 0.4),
    "pitman_end": (-0.2, 0.34, 0.245),
}  # fmt: skip
BEAM_STEERING: Final[Mapping[str, Any]] = {
    "kingpin_lower": (0.0, 0.86, 0.4), "kingpin_upper": (-0.02, 0.83, 0.62),
    "tie_rod_end": (-0.22, 0.78, 0.45), "drag_link_end": (-0.06, 0.66, 0.68),
    "pitman_end": (0.85, 0.5, 0.66), "pitman_shaft": (0.85, 0.5, 0.92),
    "shaft_point": (0.85, 0.4, 0.92), "knuckle_mass": 25.0,
}  # fmt: skip

_ALL: Final[dict[str, Any]] = {"spring": SPRING, "upright_mass": 16.0}
_AXLE: Final[dict[str, Any]] = {**_ALL, "axle_mass": 60.0}
_LEAF: Final[dict[str, Any]] = {**_AXLE, "spring": {"stiffness": 4e4}}


def double_wishbone(**other: Any) -> DoubleWishbone:
    given: dict[str, Any] = {
        **_ALL, "points": POINTS["double-wishbone"], "steered": True,
        "spring": {"stiffness": 6e4, "lower": (-0.01, 0.59, 0.175), "upper": (-0.03, 0.52, 0.64)},
        "static_toe": math.radians(0.1), "static_camber": math.radians(-0.5),
    }  # fmt: skip
    return DoubleWishbone(**{**given, **other})


def macpherson(**other: Any) -> Macpherson:
    given: dict[str, Any] = {
        **_ALL, "points": POINTS["macpherson"], "spring": {"stiffness": 25e3}, "steered": True,
        "static_toe": math.radians(0.05), "static_camber": math.radians(-0.3),
    }  # fmt: skip
    return Macpherson(**{**given, **other})


def multi_link(**other: Any) -> MultiLink:
    given = {**_ALL, "points": POINTS["multi-link"], "toe_link": "toe", "steered": True}
    return MultiLink(**{**given, **other})


def four_link(**other: Any) -> FourLink:
    return FourLink(**{**_ALL, "points": POINTS["four-link"], "steered": True, **other})


def four_link_by_pitman(**other: Any) -> FourLink:
    return FourLink(**{**_ALL, "points": POINTS["four-link"], "pitman": PITMAN, **other})


def integral_link(**other: Any) -> IntegralLink:
    return IntegralLink(**{**_ALL, "points": POINTS["integral-link"], **other})


def trailing_arm(**other: Any) -> TrailingArm:
    return TrailingArm(**{**_ALL, "points": POINTS["trailing-arm"], **other})


def semi_trailing_arm(**other: Any) -> SemiTrailingArm:
    return SemiTrailingArm(**{**_ALL, "points": POINTS["semi-trailing-arm"], **other})


def twist_beam(**other: Any) -> TwistBeam:
    given = {**_ALL, "points": POINTS["twist-beam"], "torsion_stiffness": 3e3}
    return TwistBeam(**{**given, **other})


def four_link_axle(**other: Any) -> FourLinkAxle:
    return FourLinkAxle(**{**_AXLE, "points": POINTS["four-link-axle"], **other})


def panhard_axle(**other: Any) -> PanhardAxle:
    rods = {name: RODS[name] for name in ("upper_link", "panhard_rod")}
    return PanhardAxle(**{**_AXLE, "points": POINTS["panhard-axle"], **rods, **other})


def watt_axle(**other: Any) -> WattAxle:
    rods = {name: RODS[name] for name in ("upper_link", "watt")}
    return WattAxle(**{**_AXLE, "points": POINTS["watt-axle"], **rods, **other})


def leaf_spring_axle(**other: Any) -> LeafSpringAxle:
    given = {**_LEAF, "points": POINTS["leaf-spring-axle"], "front_share": 1.3}
    return LeafSpringAxle(**{**given, **other})


def steered_beam(**other: Any) -> LeafSpringAxle:
    given = {**_LEAF, "points": POINTS["beam"], "steering": BEAM_STEERING}
    return LeafSpringAxle(**{**given, **other})


SAMPLES: Final[Mapping[str, Callable[..., CornerSuspension]]] = {
    "double-wishbone": double_wishbone,
    "macpherson": macpherson,
    "multi-link": multi_link,
    "four-link": four_link,
    "four-link-by-pitman": four_link_by_pitman,
    "integral-link": integral_link,
    "trailing-arm": trailing_arm,
    "semi-trailing-arm": semi_trailing_arm,
    "twist-beam": twist_beam,
    "four-link-axle": four_link_axle,
    "panhard-axle": panhard_axle,
    "watt-axle": watt_axle,
    "leaf-spring-axle": leaf_spring_axle,
    "steered-beam": steered_beam,
}
