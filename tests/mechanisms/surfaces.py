"""One surface of each kind, with the ground on which it is anything but flat."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from axletree.ground.friction_maps import (
    FrictionCells,
    FrictionMap,
    NoFrictionMap,
    SplitFriction,
    UniformFriction,
)
from axletree.ground.grid_surfaces import Bicubic
from axletree.ground.random_road import RandomRoad
from axletree.ground.surfaces import (
    BankedCurve,
    Bump,
    Flat,
    Hill,
    Ramp,
    Sine,
    Step,
    Surface,
    SurfaceSum,
)

HEIGHTS = np.random.default_rng(3).uniform(-0.2, 0.2, (5, 4))


@dataclass(frozen=True)
class Sample:
    """A surface, and corners of the ground to look at [m]."""

    surface: Surface
    first: tuple[float, float]
    last: tuple[float, float]
    # How much the true radius of curvature may exceed the bound, for slopes and for sampling.
    slack: float = 1.05

    def points(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Random places in the ground and a little beside it."""
        generator = np.random.default_rng(11)
        unit = generator.uniform(-0.1, 1.1, (2, count))
        x, y = np.array(self.first)[:, None] + unit * np.subtract(self.last, self.first)[:, None]
        return x, y

    def call(self, name: str, x: Any, y: Any) -> Any:
        """A method of the surface with its own numbers."""
        return getattr(self.surface, name)(x, y, self.surface.numbers)


SAMPLES = {
    "flat": Sample(Flat(), (-1.0, -1.0), (1.0, 1.0)),
    "bump": Sample(Bump(0.1, 2.0, x=1.0, y=0.5, heading=0.3), (0.0, -2.0), (4.0, 2.0)),
    "step": Sample(Step(-0.15, 0.8, x=1.0, heading=-0.4), (0.0, -1.0), (3.0, 1.0)),
    "ramp": Sample(Ramp(0.5, 4.0, 1.0, x=-1.0, heading=0.1), (-2.0, -1.0), (4.0, 1.0)),
    "sine": Sample(Sine(0.05, 3.0, phase=0.7, heading=1.0), (-3.0, -3.0), (3.0, 3.0)),
    "hill": Sample(Hill(-0.06, 0.7, x=0.2, y=-0.3), (-0.6, -1.1), (1.0, 0.5)),
    "banked-curve": Sample(
        BankedCurve(-25.0, math.radians(100.0), 0.15, 6.0, 10.0, 4.0, 2.0, 1.0, 0.5),
        (-15.0, -35.0), (40.0, 15.0), 1.15,
    ),
    "bicubic": Sample(
        Bicubic(HEIGHTS, 8.0, 3.0, x=-4.0, y=-1.0, slope_rule="central"),
        (-4.0, -1.0), (4.0, 2.0), 1.4,
    ),
    "random-road": Sample(
        RandomRoad("D", length=12.0, width=1.5, longest=6.0, shortest=2.0, lead_in=3.0),
        (-1.0, -1.0), (16.0, 1.0), 2.0,
    ),
    "sum": Sample(
        SurfaceSum((Sine(0.05, 3.0), Sine(0.02, 2.0, heading=1.0), Hill(0.1, 1.0))),
        (-2.0, -2.0), (2.0, 2.0), 1.5,
    ),
}  # fmt: skip

FRICTION_SAMPLES: dict[str, FrictionMap] = {
    "none": NoFrictionMap(),
    "uniform": UniformFriction(0.3),
    "split": SplitFriction(0.2, 0.9, x=0.1, y=0.2, heading=0.4, transition=0.5),
    "cells": FrictionCells([[0.0, 1.0, 0.5], [0.2, 0.4, 0.8]], 2.0, 3.0, -1.0, -1.5, 0.4),
}
