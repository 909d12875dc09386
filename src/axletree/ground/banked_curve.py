"""A banked curve between two straights."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.components.fields import parameter
from axletree.components.parts import Parameters
from axletree.expr import absolute, atan2, cos, logical_and, maximum, sign, sin, sqrt, tan, where
from axletree.expr.functions import Value
from axletree.ground.functions import smooth_step
from axletree.ground.surfaces import Surface, curvature_at, radius_of

_NEAR_CENTRE = 1e-6  # of the radius; there the road is far, and its direction has no meaning
_POINTS = 41  # along each part of the road in each direction, where curvature is looked for


@dataclass(frozen=True)
class BankedCurve(Surface):
    """A road that runs straight, turns along a circular arc and runs straight again.

    On the arc it is banked towards the centre by a constant angle, about its middle line,
    which stays at height 0. The bank grows from 0 along the last part of the straight before
    the arc, and goes back to 0 along the first part of the straight behind it. Beside the
    road the ground comes back to height 0.

    Example:
    >>> import math
    >>> import axletree as at
    >>> curve = at.BankedCurve(radius=100.0, angle="90 deg", bank="10 deg")  # to the left
    >>> x = y = 103.0 * math.sin(math.pi / 4)  # m from the centre, half way round
    >>> print(f"{float(curve.height(x, 100.0 - y, curve.numbers)):.3f} m")  # 3 m outside
    0.529 m
    """

    summary: ClassVar[str] = "a curve of constant bank between two straights"

    radius: float = parameter("m", "radius of the middle line; to the left if positive")
    angle: float = parameter(
        "rad", "angle that the arc turns", lower=0.0, above=True, upper=math.pi
    )  # fmt: skip
    bank: float = parameter(
        "rad", "bank of the arc; the inner side is low if positive",
        lower=-math.pi / 3.0, upper=math.pi / 3.0,
    )  # fmt: skip
    width: float = parameter("m", "width of the road", default=10.0, lower=0.0, above=True)
    transition: float = parameter(
        "m", "length along which the bank grows", default=30.0, lower=0.0, above=True
    )
    shoulder: float = parameter(
        "m", "width of the ground beside the road that leads back to height 0", default=5.0,
        lower=0.0, above=True,
    )  # fmt: skip
    x: float = parameter("m", "x of the start of the arc", default=0.0)
    y: float = parameter("m", "y of the start of the arc", default=0.0)
    heading: float = parameter(
        "rad", "direction of the straight before the arc, from the x axis to the left", default=0.0
    )

    def problems(self) -> list[str]:
        radius, half = abs(self.radius), 0.5 * self.width + self.shoulder
        if radius <= half:
            return [
                f"a road of half {self.width:g} m with a shoulder of {self.shoulder:g} m reaches "
                f"the centre of a curve of {radius:g} m; make the radius greater than {half:g} m"
            ]
        if self.transition > 0.5 * math.pi * radius:
            return [
                f"a transition of {self.transition:g} m is too long for a radius of {radius:g} m; "
                f"at most {0.5 * math.pi * radius:g} m"
            ]
        return []

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        distance, aside = self._road_place(x, y, p)
        arc = absolute(p["radius"]) * p["angle"]
        banked = smooth_step(distance / p["transition"] + 1.0)
        banked = banked * smooth_step((arc - distance) / p["transition"] + 1.0)
        off_road = smooth_step((absolute(aside) - 0.5 * p["width"]) / p["shoulder"])
        return -tan(p["bank"]) * aside * (1.0 - off_road) * banked

    def _road_place(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value]:
        """The distance along the middle line from the arc's beginning, and the distance from
        the line towards the centre [m]."""
        ahead, inward = self._from_start(x, y, p)
        radius = absolute(p["radius"])
        down = radius - inward  # from the centre towards the beginning of the arc
        squared = ahead * ahead + down * down
        off_centre = squared > (_NEAR_CENTRE * radius) * (_NEAR_CENTRE * radius)
        along_arc = radius * atan2(ahead, where(off_centre, down, radius))
        out = sqrt(maximum(squared, (_NEAR_CENTRE * radius) * (_NEAR_CENTRE * radius)))
        # The same two from the end of the arc.
        turn = cos(p["angle"]), sin(p["angle"])
        beyond = ahead * turn[0] - down * turn[1]
        down_there = ahead * turn[1] + down * turn[0]
        is_before = logical_and(ahead < 0.0, down > 0.0)
        is_behind = logical_and(beyond > 0.0, down_there > 0.0)
        distance = where(is_behind, radius * p["angle"] + beyond, along_arc)
        aside = radius - where(is_behind, down_there, out)
        return where(is_before, ahead, distance), where(is_before, inward, aside)

    def _from_start(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value]:
        """From the beginning of the arc, along the straight and towards the centre [m]."""
        c, s = cos(p["heading"]), sin(p["heading"])
        east, north = x - p["x"], y - p["y"]
        return c * east + s * north, sign(p["radius"]) * (c * north - s * east)

    @property
    def least_radius(self) -> float:
        return self._least_radius

    @functools.cached_property
    def _least_radius(self) -> float:
        """Looked for on the transition, on the arc and beside both."""
        half = 0.5 * self.width + self.shoulder
        beside = np.linspace(-half, half, 4 * _POINTS)
        radius = abs(self.radius)
        straight, aside = np.meshgrid(np.linspace(-self.transition, 0.0, _POINTS), beside)
        # The second half of the arc is the mirror image of the first.
        turned, inner = np.meshgrid(np.linspace(0.0, 0.5 * self.angle, 5), beside)
        ahead = np.append(straight, (radius - inner) * np.sin(turned))
        inward = np.append(aside, radius - (radius - inner) * np.cos(turned))
        c, s = math.cos(self.heading), math.sin(self.heading)
        left = math.copysign(1.0, self.radius) * inward
        x, y = self.x + c * ahead - s * left, self.y + s * ahead + c * left
        return radius_of(float(np.max(curvature_at(self, x, y))))
