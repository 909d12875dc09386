"""Wheels that fall on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import axletree as at
from axletree.components.fields import Parameters
from axletree.wheel.contract import Contact, Forces, TyreLaw

GRAVITY = 9.80665
RADIUS = 0.32
MASS = 20.0
VERTICALS: dict[str, Any] = {
    "linear": {"type": "linear", "stiffness": 1e5, "damping": 300.0},
    "tabulated": {
        "type": "tabulated",
        "force_at_deflection": {"x": [0.0, 0.02, 0.1], "y": [0.0, 2e3, 2e4]},
        "damping": 300.0,
    },
    "kelvin": {"type": "kelvin", "stiffness": 1e5, "damping": 300.0},
    "gehmann": {
        "type": "gehmann", "stiffness": 1e5, "series_stiffness": 1e5, "series_damping": 2e3,
    },
    "elasto": {"type": "elasto", "stiffness": 1e5, "damping": 300.0},
}  # fmt: skip
SHAPES: dict[str, Any] = {
    "disc": {"type": "disc"},
    "toroid": {"type": "toroid", "crown_radius": 0.1},
    "belted": {"type": "belted", "crown_radius": 0.2, "width": 0.18},
}


@dataclass(frozen=True)
class Ice(TyreLaw):
    """No friction at all."""

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        return Forces(0.0, 0.0, 0.0, 0.0, 0.0)


def falling(lean: float, law: Any, **parts: Any) -> Any:
    """A wheel in a fork that slides up and down a mast, its axle leaning by an angle [rad]."""
    model = at.Model("falling")
    fork = model.add(at.RigidBody("fork", 0.5 * MASS, (0.1, 0.1, 0.1)))
    model.add(at.Prismatic("mast", model.ground.point(0.0, 0.0, 0.0), fork, axis="z"))
    wheel = model.add(at.BodyOfRevolution("wheel", 0.5 * MASS, 1.0, 0.6, axis="y"))
    leaning = fork.frame("leaning", (0.0, 0.0, 0.0), [("x", lean)])
    axle = model.add(at.Revolute("axle", leaning, wheel, axis="y"))
    model.add(at.Tyre("tyre", axle, model.ground, RADIUS, law=law, **parts))
    return model


def flying(
    law: Any, tilt: Sequence[tuple[str, float]] = (), level: float = 0.0, **parts: Any
) -> Any:
    """A wheel by itself, its hub next to nothing; the road at a level [m] and tilted by turns."""
    model = at.Model("flying")
    hub = model.add(at.RigidBody("hub", 0.01, (1e-5, 1e-5, 1e-5)))
    model.add(at.Free("flight", model.ground, hub))
    wheel = model.add(at.BodyOfRevolution("wheel", MASS, 1.0, 0.6, axis="y"))
    axle = model.add(at.Revolute("axle", hub, wheel, axis="y"))
    road = model.ground.frame("road", (0.0, 0.0, level), list(tilt)) if tilt else model.ground
    model.add(at.Tyre("tyre", axle, road, RADIUS, law=law, **parts))
    return model


def peaks(height: np.ndarray) -> np.ndarray:
    """The local maxima of a course, the first value included."""
    inner = height[1:-1]
    top = (inner >= height[:-2]) & (inner > height[2:])
    return np.concatenate([height[:1], inner[top]])
