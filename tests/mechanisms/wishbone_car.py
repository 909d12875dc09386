"""A free car with double wishbones on springs: loops that hang on a body which nothing holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import axletree as at

CORNERS = ("fl", "fr", "rl", "rr")


def wishbone_car(
    corners: Sequence[str] = CORNERS, *, orientation: str = "321", driven: bool = False
) -> Any:
    """Upper arm, lower arm, upright and tie rod at each corner, a rack in front.

    The wheels stand on vertical springs without grip. ``driven``: the rack follows an input.
    """
    model = at.Model("wishbones")
    chassis = model.add(at.RigidBody("chassis", 1200.0, (400.0, 1500.0, 1700.0)))
    model.add(at.Free("free", model.ground, chassis, orientation=orientation))
    rack = model.add(at.RigidBody("rack", 3.0, (0.1, 0.01, 0.1)))
    way = model.add(at.Prismatic("way", chassis.point(1.3, 0, -0.2, "rack"), rack, axis="y"))
    if driven:
        model.add(at.TranslationDriver("steering", way))
    for name in corners:
        x, y = (1.3 if name[0] == "f" else -1.3), (1.0 if name[1] == "l" else -1.0)
        front = rack.point(-0.12, 0.35 * y, 0, f"{name}_end")
        rear = chassis.point(x - 0.12, 0.35 * y, -0.2, f"{name}_tie")
        _add_corner(model, name, (x, y), front if name[0] == "f" else rear)
    return model


def _add_corner(model: Any, name: str, place: tuple[float, float], inner: Any) -> None:
    """Joints are named ``fl_low``, ``fl_high``, ``fl_ball``, ``fl_top`` and ``fl_rod``."""
    (x, s), chassis = place, model["chassis"]
    lower = model.add(at.RigidBody(f"{name}_lower", 6.0, (0.1, 0.1, 0.1)))
    upper = model.add(at.RigidBody(f"{name}_upper", 4.0, (0.05, 0.05, 0.05)))
    upright = model.add(at.RigidBody(f"{name}_upright", 30.0, (0.8, 1.0, 0.8)))
    low, high, dome = (
        chassis.point(x, y * s, z, f"{name}_{label}")
        for label, y, z in (("low", 0.35, -0.3), ("high", 0.45, -0.05), ("dome", 0.5, 0.2))
    )
    model.add(at.Revolute(f"{name}_low", low, lower.point(0, -0.2 * s, 0, "in"), axis="x"))
    model.add(at.Revolute(f"{name}_high", high, upper.point(0, -0.125 * s, 0, "in"), axis="x"))
    below, above = lower.point(0, 0.2 * s, 0, "out"), upper.point(0, 0.125 * s, 0, "out")
    model.add(at.Spherical(f"{name}_ball", below, upright.point(0, 0, -0.12, "low")))
    model.add(at.Spherical(f"{name}_top", above, upright.point(0, -0.05 * s, 0.13, "high")))
    model.add(at.Rod(f"{name}_rod", inner, upright.point(-0.12, 0, 0, "arm"), length=0.4))
    seat = lower.point(0, 0.1 * s, 0, "seat")
    strength = {"stiffness": 60e3, "damping": 4e3, "free_length": 0.6}
    model.add(at.SpringDamper(f"{name}_spring", dome, seat, **strength))
    foot = model.ground.point(x, 0.75 * s, 0.0, name)
    hub = upright.point(0, 0, 0, "hub")
    model.add(at.Bushing(f"{name}_tyre", foot, hub, stiffness=(0.0, 0.0, 200e3)))
