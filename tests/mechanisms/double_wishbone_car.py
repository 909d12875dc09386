"""A car of 17 bodies on four double wishbones by hard points, with tyres by the Magic Formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import axletree as at
from axletree.core.arrays import euclidean_norm, ordered_product

# Left front, axle axes: x forward, y left, z up, origin on the road under the wheel centres [m].
HARD_POINTS = {
    "wheel_centre": (0.0, 0.76, 0.31),
    "lower_arm_front": (0.15, 0.385, 0.193),
    "lower_arm_rear": (-0.2, 0.375, 0.207),
    "lower_ball_joint": (0.008, 0.71, 0.185),
    "upper_arm_front": (0.09, 0.47, 0.462),
    "upper_arm_rear": (-0.15, 0.465, 0.448),
    "upper_ball_joint": (-0.03, 0.665, 0.475),
    "tie_rod_inner": (-0.135, 0.335, 0.248),
    "tie_rod_outer": (-0.125, 0.68, 0.245),
    "spring_on_lower_arm": (-0.01, 0.59, 0.175),
    "spring_on_body": (-0.03, 0.52, 0.64),
}
TOE, CAMBER = np.deg2rad(0.1), np.deg2rad(-0.5)
WHEELBASE, FRONT_SHARE, CENTRE_HEIGHT = 2.7, 0.5, 0.55
CORNERS = ("front_left", "front_right", "rear_left", "rear_right")


class Corner(NamedTuple):
    """Hard points of a corner in the chassis' axes, whose origin is the centre of mass."""

    name: str
    side: float  # 1 left, -1 right
    points: dict[str, np.ndarray]

    def arm(self, which: str) -> tuple[np.ndarray, np.ndarray, float]:
        """Foot of the ball joint on the hinge, axes (x along it, y to the left), length."""
        front, rear, ball = (
            self.points[f"{which}_{end}"] for end in ("arm_front", "arm_rear", "ball_joint")
        )
        x = (front - rear) / euclidean_norm(front - rear)
        foot = rear + x * ordered_product(x, ball - rear)
        length = euclidean_norm(ball - foot)
        y = (ball - foot) / length * self.side
        return foot, np.column_stack([x, y, np.cross(x, y)]), length

    @property
    def upright_axes(self) -> np.ndarray:
        """z along the kingpin, from the lower to the upper ball joint."""
        z = self.points["upper_ball_joint"] - self.points["lower_ball_joint"]
        z /= euclidean_norm(z)
        x = np.cross([0.0, 1.0, 0.0], z)
        x /= euclidean_norm(x)
        return np.column_stack([x, np.cross(z, x), z])

    @property
    def hub_axes(self) -> np.ndarray:
        """y along the axle, to the left: toe-in and camber as they are set."""
        s = np.array([np.sin(TOE) * np.cos(CAMBER), np.cos(TOE) * np.cos(CAMBER), -np.sin(CAMBER)])
        y = s * [self.side, 1.0, self.side]
        x = np.cross(y, [0.0, 0.0, 1.0])
        x /= euclidean_norm(x)
        return np.column_stack([x, y, np.cross(x, y)])


def corner_of(name: str) -> Corner:
    front, left = name.startswith("front"), name.endswith("left")
    side = 1.0 if left else -1.0
    x = WHEELBASE * FRONT_SHARE if front else -WHEELBASE * (1.0 - FRONT_SHARE)
    shift = np.array([x, 0.0, -CENTRE_HEIGHT])
    points = {k: np.array(p) * [1.0, side, 1.0] + shift for k, p in HARD_POINTS.items()}
    return Corner(name, side, points)


def turns(R: np.ndarray) -> list[list[Any]]:
    z, y, x = math.atan2(R[1, 0], R[0, 0]), -math.asin(R[2, 0]), math.atan2(R[2, 1], R[2, 2])
    return [["z", z], ["y", y], ["x", x]]


def double_wishbone_car(
    names: Sequence[str] = CORNERS,
    *,
    tyres: bool = True,
    light_arms: bool = False,
    on_rig: bool = False,
) -> Any:
    """With these corners, all of them the car; ``light_arms``: the arms carry no mass;
    ``on_rig``: the chassis is fixed, front axle above the origin, and nothing drives the rack."""
    model = at.Model("double_wishbones")
    corners = [corner_of(name) for name in names]
    frames: dict[str, Any] = {"rack": {"position": [WHEELBASE * FRONT_SHARE, 0, -0.3]}}
    for corner in corners:
        for which in ("lower", "upper"):
            foot, axes, _ = corner.arm(which)
            frames[f"{corner.name}_{which}"] = {"position": [*foot], "turn": turns(axes)}
        frames[f"{corner.name}_dome"] = [*corner.points["spring_on_body"]]
        frames[f"{corner.name}_tie"] = [*corner.points["tie_rod_inner"]]
    chassis = model.add(at.RigidBody("chassis", 1200.0, (400.0, 1500.0, 1700.0), frames_at=frames))
    if on_rig:
        stand = model.ground.point(-WHEELBASE * FRONT_SHARE, 0.0, CENTRE_HEIGHT, "stand")
        model.add(at.Weld("held", stand, chassis))
    else:
        model.add(at.Free("free", model.ground, chassis))
        model.start = {"free.z": CENTRE_HEIGHT}
    rack = model.add(at.RigidBody("rack", 3.0, (0.1, 0.01, 0.1)))
    way = model.add(at.Prismatic("way", chassis.frame("rack"), rack, axis="y"))
    if not on_rig:
        model.add(at.TranslationDriver("steering", way))
    for corner in corners:
        _add_corner(model, corner, rack, tyres=tyres, light_arms=light_arms)
    return model


def turned_by_chassis(names: Sequence[str] = CORNERS) -> dict[str, list[str]]:
    """The tree in which the lower arms carry the uprights and the chassis turns them."""
    T, R = ["free", "steering"], ["free", "way"]
    for name in names:
        T += [f"{name}_{part}" for part in ("lower", "upper", "ball", "axle")]
        R += [f"{name}_{part}" for part in ("lower", "upper", "turn", "axle")]
    return {"translation": T, "rotation": R}


def _add_corner(model: Any, corner: Corner, rack: Any, *, tyres: bool, light_arms: bool) -> None:
    name, chassis, points = corner.name, model["chassis"], corner.points
    _, lower_axes, lower_length = corner.arm("lower")
    _, _, upper_length = corner.arm("upper")
    bodies = {}
    for which, mass, length in (("lower", 6.0, lower_length), ("upper", 4.0, upper_length)):
        inertia = (mass * length**2 / 3, mass * 0.01, mass * length**2 / 3)
        centre = (0.0, 0.5 * corner.side * length, 0.0)
        body = at.RigidBody(f"{name}_{which}_arm", mass, inertia, centre_of_mass=centre)
        bodies[which] = model.add(at.MasslessBody(f"{name}_{which}_arm") if light_arms else body)
        hinge = chassis.frame(f"{name}_{which}")
        model.add(at.Revolute(f"{name}_{which}", hinge, bodies[which], axis="x"))
    lower, upper, axes = bodies["lower"], bodies["upper"], corner.upright_axes
    ball = points["lower_ball_joint"]

    def on_upright(point: str) -> list[float]:
        return [0.0 if abs(x) < 1e-12 else x for x in ordered_product(axes.T, points[point] - ball)]

    hub = on_upright("wheel_centre")
    upright = model.add(
        at.RigidBody(
            f"{name}_upright",
            20.0,
            (0.3, 0.2, 0.25),
            centre_of_mass=hub,
            frames_at={
                "hub": {"position": hub, "turn": turns(ordered_product(axes.T, corner.hub_axes))}
            },
        )  # fmt: skip
    )
    below = lower.point(0, corner.side * lower_length, 0, "out")
    model.add(at.Spherical(f"{name}_ball", below, upright))
    model.add(
        at.Free(f"{name}_turn", chassis, upright)
    )  # holds nothing; its angles may be the tree's
    above = upper.point(0, corner.side * upper_length, 0, "out")
    top = upright.point(*on_upright("upper_ball_joint"), "top")
    model.add(at.Spherical(f"{name}_top", top, above))
    arm = upright.point(*on_upright("tie_rod_outer"), "arm")
    length = euclidean_norm(points["tie_rod_outer"] - points["tie_rod_inner"])
    inner = chassis.frame(f"{name}_tie")
    if name.startswith("front"):
        at_rack = points["tie_rod_inner"] - [WHEELBASE * FRONT_SHARE, 0, -0.3]
        inner = rack.point(*at_rack, f"{name}_end")
    model.add(at.Rod(f"{name}_rod", arm, inner, length=length))
    seat_place = ordered_product(
        lower_axes.T, points["spring_on_lower_arm"] - corner.arm("lower")[0]
    )
    seat = lower.point(*seat_place, "seat")
    strength = {"stiffness": 45e3, "damping": 4e3, "free_length": 0.64 if tyres else 0.47}
    model.add(at.SpringDamper(f"{name}_spring", chassis.frame(f"{name}_dome"), seat, **strength))
    wheel = model.add(at.BodyOfRevolution(f"{name}_wheel", 18.0, 1.0, 0.6, axis="y"))
    axle = at.Revolute(f"{name}_axle", upright.frame("hub"), wheel, axis="y")
    model.add(axle)
    if tyres:
        like = at.read_model("car")["front_left_tyre"]
        model.add(
            at.Tyre(
                f"{name}_tyre",
                axle,
                model.ground,
                0.32,
                normal_force=like.normal_force,
                law=like.law,
                slip=like.slip,
                rolling_radius=like.rolling_radius,
            )  # fmt: skip
        )
