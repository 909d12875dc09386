"""A wheel that rolls by itself: its carrier has no mass and keeps its forward axis level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import axletree as at
from axletree.components.frames import Frame
from axletree.model.model import Model

GRAVITY = 9.81


@dataclass(frozen=True)
class Disc:
    """Of mass m and radius r; inertias over m r^2."""

    mass: float = 2.0
    radius: float = 0.3
    axial: float = 0.5
    transverse: float = 0.25

    @property
    def moments(self) -> tuple[float, float]:
        """About the axis and about a diameter [kg m^2]."""
        unit = self.mass * self.radius**2
        return self.axial * unit, self.transverse * unit


HOOP = Disc(axial=1.0, transverse=0.5)


def rolling_disc(
    disc: Disc,
    *,
    turn: list[tuple[str, float]] | None = None,
    belt_speed: float = 0.0,
    **parts: Any,
) -> Model:
    """On the ground, on a slope through its origin with all coordinates, or on a belt along x."""
    model = at.Model("disc", gravity=(0.0, 0.0, -GRAVITY))
    origin: Frame = model.ground.main_frame
    if turn is not None:
        origin = model.ground.frame("slope", (0.0, 0.0, 0.0), turn)
    road = origin
    if belt_speed:
        belt = model.add(at.MasslessBody("belt"))
        rollers = model.add(at.Prismatic("rollers", model.ground, belt, axis="x"))
        model.add(at.TranslationDriver("drive", rollers, position=f"{belt_speed}*t"))
        road = belt.main_frame
    sled, post = model.add(at.MasslessBody("sled")), model.add(at.MasslessBody("post"))
    carrier = model.add(at.MasslessBody("carrier"))
    axial, transverse = disc.moments
    wheel = model.add(
        at.BodyOfRevolution(
            "wheel", mass=disc.mass, axial_inertia=axial, transverse_inertia=transverse, axis="y"
        )
    )
    model.add(at.Planar("place", origin, sled))
    model.add(at.Prismatic("lift", sled, post, axis="z"))
    model.add(at.Revolute("lean", post, carrier, axis="x"))
    axle = model.add(at.Revolute("axle", carrier, wheel, axis="y"))
    given = {"unloaded_radius": disc.radius, "normal_force": "none", "law": "no-slip"}
    model.add(at.Tyre("tyre", axle, road, **{**given, **parts}))
    model.start = {"lift.position": disc.radius}
    return model
