"""The car on double wishbones with bushings at all inner joints: 66 degrees of freedom, stiff.

Each arm is free in the chassis but for bushings at its front and its rear hinge point, and each
tie rod is a body with a bushing at its inner end. Ball joints at the uprights are ideal, so that
the mechanism is a tree: chassis, upright, and from there both arms, tie rod and wheel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mechanisms.double_wishbone_car import (
    CENTRE_HEIGHT,
    CORNERS,
    FRONT_SHARE,
    WHEELBASE,
    Corner,
    corner_of,
    turns,
)

import axletree as at
from axletree.core.arrays import euclidean_norm, ordered_product

RADIAL, AXIAL = 8e6, 2e6  # stiffness of a bushing across and along the hinge [N/m]
CONICAL, TORSIONAL = 500.0, 40.0  # moment per angle across and about the hinge [N m/rad]
LOSS = 3e-4  # damping over stiffness [s]
MASSES = {"lower": 6.0, "upper": 4.0, "rod": 1.0}  # kg


@dataclass(frozen=True)
class Options:
    """``stiffness`` multiplies that of all bushings, but for what leaves hinges and ends of rods
    free to turn; ``ideal``: joints in their place, with the moments of that about them;
    ``light_rods``: tie rods without mass, of which the force along them is left."""

    tyres: bool = True
    stiffness: float = 1.0
    ideal: bool = False
    light_rods: bool = False
    surface: Any = None


def bushed_wishbone_car(names: Sequence[str] = CORNERS, **options: Any) -> Any:
    """With these corners, all of them the car; the options are those of ``Options``."""
    chosen = Options(**options)
    model = at.Model("bushed_wishbones")
    corners = [corner_of(name) for name in names]
    frames: dict[str, Any] = {"rack": {"position": [WHEELBASE * FRONT_SHARE, 0, -0.3]}}
    for corner in corners:
        for which in ("lower", "upper"):
            _, axes, _ = corner.arm(which)
            for end in ("front", "rear"):
                place = [*corner.points[f"{which}_arm_{end}"]]
                frames[f"{corner.name}_{which}_{end}"] = {"position": place, "turn": turns(axes)}
        ball = [*corner.points["lower_ball_joint"]]
        frames[f"{corner.name}_kingpin"] = {"position": ball, "turn": turns(corner.upright_axes)}
        frames[f"{corner.name}_dome"] = [*corner.points["spring_on_body"]]
        frames[f"{corner.name}_tie"] = {
            "position": [*corner.points["tie_rod_inner"]], "turn": turns(_rod_axes(corner))
        }  # fmt: skip
    chassis = model.add(at.RigidBody("chassis", 1200.0, (400.0, 1500.0, 1700.0), frames_at=frames))
    model.add(at.Free("free", model.ground, chassis))
    model.start = {"free.z": CENTRE_HEIGHT}
    rack_frames = {
        f"{c.name}_end": {
            "position": [*(c.points["tie_rod_inner"] - [WHEELBASE * FRONT_SHARE, 0, -0.3])],
            "turn": turns(_rod_axes(c)),
        }
        for c in corners
    }
    rack = model.add(at.RigidBody("rack", 3.0, (0.1, 0.01, 0.1), frames_at=rack_frames))
    way = model.add(at.Prismatic("way", chassis.frame("rack"), rack, axis="y"))
    model.add(at.TranslationDriver("steering", way))
    for corner in corners:
        _add_corner(model, corner, rack, chosen)
    return model


def _rod_axes(corner: Corner) -> np.ndarray:
    """x forward, y along the tie rod to the left."""
    y = (corner.points["tie_rod_outer"] - corner.points["tie_rod_inner"]) * corner.side
    y /= euclidean_norm(y)
    z = np.cross([1.0, 0.0, 0.0], y)
    z /= euclidean_norm(z)
    return np.column_stack([np.cross(y, z), y, z])


def _bushing(name: str, tail: Any, head: Any, options: Options, *, hinge: bool) -> at.Bushing:
    """Of a hinge about x, softer along and about it; or of the end of a rod along y."""
    along, scale = (0, options.stiffness) if hinge else (1, 1.0)
    K = [RADIAL * options.stiffness] * 3
    if hinge:
        K[along] = AXIAL * options.stiffness
    H = [CONICAL * scale] * 3
    H[along] = TORSIONAL
    # Damping grows as the root of stiffness: the damping ratio stays.
    C = [LOSS / options.stiffness**0.5 * k for k in K]
    D = [LOSS / (1.0 if axis == along else scale**0.5) * k for axis, k in enumerate(H)]
    if options.ideal:
        kept = [0.0 if hinge and axis != along else 1.0 for axis in range(3)]
        K = C = [0.0] * 3
        H, D = ([a * b for a, b in zip(values, kept, strict=True)] for values in (H, D))
    return at.Bushing(name, tail, head, K, H, damping=C, rotational_damping=D)


def _add_corner(model: Any, corner: Corner, rack: Any, options: Options) -> None:
    name, chassis, points = corner.name, model["chassis"], corner.points
    bodies = {}
    for which in ("lower", "upper"):
        _, axes, length = corner.arm(which)
        ball = points[f"{which}_ball_joint"]  # the origin of the arm
        mass = MASSES[which]
        inertia = (mass * length**2 / 3, mass * 0.01, mass * length**2 / 3)
        ends = {
            e: [*(ordered_product(axes.T, points[f"{which}_arm_{e}"] - ball))]
            for e in ("front", "rear")
        }
        if which == "lower":
            ends["seat"] = [*(ordered_product(axes.T, points["spring_on_lower_arm"] - ball))]
        bodies[which] = model.add(
            at.RigidBody(
                f"{name}_{which}_arm",
                mass,
                inertia,
                centre_of_mass=(0.0, -0.5 * corner.side * length, 0.0),
                frames_at=ends,
            )
        )
        for end in ("front", "rear"):
            tail = chassis.frame(f"{name}_{which}_{end}")
            head = bodies[which].frame(end)
            bushing = f"{name}_{which}_{end}"
            model.add(_bushing(bushing, tail, head, options, hinge=True))
            if options.ideal and end == "front":
                model.add(at.Revolute(f"{name}_{which}_hinge", tail, head, axis="x"))
    _add_upright(model, corner, bodies, rack, options)
    seat = bodies["lower"].frame("seat")
    strength = {"stiffness": 45e3, "damping": 4e3, "free_length": 0.582 if options.tyres else 0.47}
    model.add(at.SpringDamper(f"{name}_spring", chassis.frame(f"{name}_dome"), seat, **strength))
    wheel = model.add(at.BodyOfRevolution(f"{name}_wheel", 18.0, 1.0, 0.6, axis="y"))
    hub = model[f"{name}_upright"].frame("hub")
    axle = model.add(at.Revolute(f"{name}_axle", hub, wheel, axis="y"))
    if options.tyres:
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
                **({} if options.surface is None else {"surface": options.surface}),
            )
        )


def _add_upright(
    model: Any, corner: Corner, arms: dict[str, Any], rack: Any, options: Options
) -> None:
    """The upright, free in the chassis, with both arms and the tie rod on it."""
    name, chassis, points, axes = corner.name, model["chassis"], corner.points, corner.upright_axes
    ball = points["lower_ball_joint"]

    def on_upright(point: str) -> list[float]:
        return [0.0 if abs(x) < 1e-12 else x for x in ordered_product(axes.T, points[point] - ball)]

    _, lower_axes, _ = corner.arm("lower")
    _, upper_axes, _ = corner.arm("upper")
    rod_axes = _rod_axes(corner)
    hub = on_upright("wheel_centre")
    upright = model.add(
        at.RigidBody(
            f"{name}_upright",
            20.0,
            (0.3, 0.2, 0.25),
            centre_of_mass=hub,
            frames_at={
                "hub": {"position": hub, "turn": turns(ordered_product(axes.T, corner.hub_axes))},
                "top": {
                    "position": on_upright("upper_ball_joint"),
                    "turn": turns(ordered_product(axes.T, upper_axes)),
                },
                "arm": {
                    "position": on_upright("tie_rod_outer"),
                    "turn": turns(ordered_product(axes.T, rod_axes)),
                },
                "ball": {
                    "position": [0.0, 0.0, 0.0],
                    "turn": turns(ordered_product(axes.T, lower_axes)),
                },
            },
        )
    )
    lower, upper = arms["lower"], arms["upper"]
    model.add(at.Free(f"{name}_place", chassis.frame(f"{name}_kingpin"), upright))
    model.add(at.Spherical(f"{name}_ball", upright.frame("ball"), lower))
    model.add(at.Spherical(f"{name}_top", upright.frame("top"), upper))
    length = euclidean_norm(points["tie_rod_outer"] - points["tie_rod_inner"])
    inner = rack.frame(f"{name}_end") if name.startswith("front") else chassis.frame(f"{name}_tie")
    if options.light_rods:
        along = {"stiffness": RADIAL, "damping": LOSS * RADIAL, "free_length": length}
        model.add(at.SpringDamper(f"{name}_rod", inner, upright.frame("arm"), **along))
        return
    mass = MASSES["rod"]
    rod = model.add(
        at.RigidBody(
            f"{name}_rod",
            mass,
            (mass * length**2 / 3, mass * 1e-4, mass * length**2 / 3),
            centre_of_mass=(0.0, -0.5 * corner.side * length, 0.0),
            frames_at={"inner": [0.0, -corner.side * length, 0.0]},
        )
    )
    model.add(
        at.Universal(f"{name}_rod_end", upright.frame("arm"), rod, first_axis="x", second_axis="z")
    )
    end = rod.frame("inner")
    model.add(_bushing(f"{name}_rod_bushing", inner, end, options, hinge=False))
    if options.ideal:
        model.add(at.Spherical(f"{name}_rod_inner", inner, end))
