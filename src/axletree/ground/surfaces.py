"""The contract of surfaces: height, slopes and friction of the ground at a place.

1. A surface is a frozen dataclass whose fields come from ``components.fields``; x, y and the
   height z are in the axes of the tyre's road frame, z up [m].
2. ``height(x, y, p)`` is written once with the functions of ``expr``: it answers in kind
   to floats, arrays and expressions. ``p`` holds the parameters by name: the numbers of the
   surface, or symbols that stand for them.
3. The height is continuous and has continuous slopes wherever the surface does not say
   otherwise. It is finite everywhere: a wheel may leave the road.
4. ``slopes`` are the exact derivatives of the height, and ``normal`` follows from them.
   Whoever defines them otherwise, for speed, tests one against the other.
5. ``least_radius`` bounds the radius of curvature from below. A wheel that meets the ground
   at one point needs a tyre that is well smaller than that.

The members here are analytic: flat ground; ramp, step, bump and sine, which change along a straight
line and are level across it; the round hill; and the sum of several.
"""

from __future__ import annotations

import functools
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any, ClassVar

import numpy as np

from axletree.components.fields import Parameters, Part, parameter, part, parts, positive, within
from axletree.expr import Expr, Value, as_expr, evaluate, jacobian, number, sqrt, symbol, tan, where
from axletree.expr.functions import absolute, atan2, cos, logical_and, maximum, minimum, sign, sin
from axletree.expr.traversal import substitute, symbols_of
from axletree.ground.friction_maps import FrictionMap, NoFrictionMap
from axletree.ground.functions import clamped, rounded_rise, smooth_step

_PLACE = (symbol("surface.x"), symbol("surface.y"))  # the place that formulas are derived at


@dataclass(frozen=True, kw_only=True)
class Surface(Part, ABC):
    """A shape of the ground, and how slippery it is where.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.components.fields import parameter
    >>> from axletree.ground.surfaces import Surface
    >>> @dataclass(frozen=True)
    ... class Bowl(Surface):
    ...     radius: float = parameter("m", "radius of curvature at its bottom", lower=1.0)
    ...
    ...     def height(self, x, y, p):
    ...         return (x * x + y * y) / (2.0 * p["radius"])
    ...
    ...     @property
    ...     def least_radius(self):
    ...         return self.radius
    >>> bowl = Bowl(radius="40 m")
    >>> [float(slope) for slope in bowl.slopes(2.0, -1.0, bowl.numbers)]  # x / 40, y / 40
    [0.05, -0.025]
    """

    friction_map: FrictionMap = part(
        "FRICTION_MAPS", "how friction differs from place to place", default=NoFrictionMap
    )

    @abstractmethod
    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        """z [m] at x, y [m].

        Example:
        >>> import axletree as at
        >>> hill = at.Hill(rise=2.0, radius=10.0)  # m
        >>> [round(hill.height(x, 0.0, hill.numbers), 4) for x in (0.0, 5.0, 10.0)]  # m
        [2.0, 0.8438, 0.0]
        """

    def slopes(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value]:
        """dz/dx and dz/dy [1] at x, y [m].

        Example:
        >>> import axletree as at
        >>> ramp = at.Ramp(rise=1.0, length=10.0, edge=1.0, heading="90 deg")  # m, to the left
        >>> [round(float(slope), 4) for slope in ramp.slopes(0.0, 5.0, ramp.numbers)]
        [0.0, 0.1111]
        """
        entries = jacobian([as_expr(self.height(*_PLACE, p))], _PLACE)
        along, across = (entries.get((0, k), number(0.0)) for k in range(2))
        first, second = at_place([along, across], x, y)
        return first, second

    def normal(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value, Value]:
        """The unit vector that points out of the ground at x, y [m], in the axes of the road frame
        (Andres 2009, eq. 5.7).

        Example:
        >>> import axletree as at
        >>> ramp = at.Ramp(rise=3.0, length=5.0, edge=1.0)  # m: up by 3 on 4 between its edges
        >>> x, y, z = ramp.normal(2.5, 0.0, ramp.numbers)
        >>> print(f"{x:.1f} along x, {z:.1f} up")
        -0.6 along x, 0.8 up
        """
        along, across = self.slopes(x, y, p)
        length = sqrt(1.0 + along * along + across * across)
        return -along / length, -across / length, 1.0 / length

    def friction(self, x: Value, y: Value, p: Parameters) -> Value:
        """The factor on friction [1] at x, y [m].

        Example:
        >>> import axletree as at
        >>> road = at.Flat(friction_map=at.SplitFriction(left=0.2, right=1.0))
        >>> [round(float(road.friction(5.0, y, road.numbers)), 3) for y in (1.0, -1.0)]
        [0.2, 1.0]
        """
        return self.friction_map.factor_at(x, y, within(p, "friction_map"))

    @property
    @abstractmethod
    def least_radius(self) -> float:
        """The smallest radius of curvature [m], infinite where the ground is flat."""

    def cautions(self) -> list[str]:
        """What is allowed, but may not be what is meant; a model warns of it.

        Example:
        >>> import axletree as at
        >>> corners, size = ((0.0, 0.1), (0.0, 0.3)), {"length_x": 4.0, "length_y": 4.0}  # m
        >>> ground = at.Bicubic(heights=corners, outside="zero", **size)
        >>> ground.cautions()[0].partition(":")[0]
        'the ground jumps by up to 0.3 m at the border of its grid'
        """
        return []


def at_place(expressions: list[Expr], x: Value, y: Value) -> list[Value]:
    """Formulas in the symbols of ``PLACE``, at x, y [m], in kind."""
    place = dict(zip(_PLACE, (x, y), strict=True))
    open_symbols = set(symbols_of(expressions)) - set(_PLACE)
    if open_symbols or isinstance(x, Expr) or isinstance(y, Expr):
        return list(substitute(expressions, place))
    return list(evaluate(expressions, place))


# Curvature of surfaces, for the bound on it that every surface states.
#
# The bound is the largest second derivative of the height in any direction. It is the largest
# curvature where the ground is level, and above it on a slope, where the same second derivative
# bends the ground less. Those of surfaces that are added do not exceed their sum.


def hessian_norm(zxx: Any, zxy: Any, zyy: Any) -> Any:
    """The largest second derivative in any direction, from those along x and y [1/m]."""
    mean, half = (zxx + zyy) / 2.0, (zxx - zyy) / 2.0
    return np.abs(mean) + np.sqrt(half * half + zxy * zxy)


def curvature_at(surface: Surface, x: Any, y: Any) -> Any:
    """The largest second derivative of the height in any direction [1/m] at x, y [m]."""
    slopes = [as_expr(slope) for slope in surface.slopes(*_PLACE, surface.numbers)]
    second = jacobian(slopes, _PLACE)
    wanted = [second.get(place, number(0.0)) for place in ((0, 0), (0, 1), (1, 1))]
    found = evaluate(wanted, dict(zip(_PLACE, (np.asarray(x), np.asarray(y)), strict=True)))
    return hessian_norm(*found)


def radius_of(curvature: float) -> float:
    """The radius [m] of a curvature [1/m]."""
    return 1.0 / curvature if curvature > 0.0 else math.inf


@dataclass(frozen=True)
class Flat(Surface):
    """The xy plane of the road frame.

    Example:
    >>> import axletree as at
    >>> at.Flat().height(3.0, 1.0, {})  # m
    0.0
    """

    summary: ClassVar[str] = "the xy plane of the road frame"

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        return 0.0

    def slopes(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value]:
        return 0.0, 0.0

    @property
    def least_radius(self) -> float:
        return math.inf


@dataclass(frozen=True, kw_only=True)
class AlongLine(Surface):
    """A surface whose height depends on the distance along a line alone."""

    x: float = parameter("m", "x of its start", default=0.0)
    y: float = parameter("m", "y of its start", default=0.0)
    heading: float = parameter(
        "rad", "direction of the line, from the x axis to the left", default=0.0
    )

    @abstractmethod
    def profile(self, distance: Value, p: Parameters) -> Value:
        """z [m] from the distance [m] along the line.

        Example:
        >>> import axletree as at
        >>> kerb = at.Step(x=10.0, rise="10 cm", length=0.5)  # m
        >>> [round(kerb.profile(d, kerb.numbers), 3) for d in (0.0, 0.25, 0.5)]  # from its foot
        [0.0, 0.05, 0.1]
        """

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        direction = cos(p["heading"]), sin(p["heading"])
        return self.profile((x - p["x"]) * direction[0] + (y - p["y"]) * direction[1], p)


@dataclass(frozen=True)
class Ramp(AlongLine):
    """A constant slope between two levels, its two edges rounded by parabolas.

    The slope between the edges is rise / (length - edge).

    Example:
    >>> import axletree as at
    >>> ramp = at.Ramp(rise=1.0, length=10.0, edge=1.0)  # m
    >>> print(f"{float(ramp.slopes(5.0, 0.0, ramp.numbers)[0]):.4f}")  # 1 / (10 - 1)
    0.1111
    """

    summary: ClassVar[str] = "a ramp of constant slope with rounded edges"

    rise: float = parameter("m", "height of the new level above the old one")
    length: float = positive("m", "length along the line, edges included")
    edge: float = positive("m", "length of each rounded edge")

    def problems(self) -> list[str]:
        if 2.0 * self.edge > self.length:
            return [f"two edges of {self.edge:g} m are longer than the ramp of {self.length:g} m"]
        return []

    def profile(self, distance: Value, p: Parameters) -> Value:
        straight = p["length"] - p["edge"]
        lower = rounded_rise(distance, p["edge"])
        return p["rise"] / straight * (lower - rounded_rise(distance - straight, p["edge"]))

    @property
    def least_radius(self) -> float:
        return radius_of(abs(self.rise) / ((self.length - self.edge) * self.edge))


class CosineFlank(AlongLine):
    """Waves of a cosine from a level on, whose fields are a rise and a length."""

    phase: ClassVar[float]  # [rad], at the end
    rise: float
    length: float

    def profile(self, distance: Value, p: Parameters) -> Value:
        part = clamped(distance / p["length"], 0.0, 1.0)
        return 0.5 * p["rise"] * (1.0 - cos(self.phase * part))

    @property
    def least_radius(self) -> float:
        return radius_of(0.5 * abs(self.rise) * (self.phase / self.length) ** 2)


@dataclass(frozen=True)
class Step(CosineFlank):
    """Half a wave of the cosine from one level to another.

    A sharp edge meets a wheel at more than one point; the length keeps the flank as flat as
    a wheel's one contact point needs.

    Example:
    >>> import axletree as at
    >>> kerb = at.Step(x=10.0, rise="10 cm", length=0.5)  # m
    >>> print(f"{float(kerb.height(10.25, 0.0, kerb.numbers)):.3f} m")  # half way up
    0.050 m
    """

    summary: ClassVar[str] = "a step up or down, or a kerb, with a rounded flank"
    phase: ClassVar[float] = math.pi

    rise: float = parameter("m", "height of the new level above the old one")
    length: float = positive("m", "length of the flank along the line")


@dataclass(frozen=True)
class Bump(CosineFlank):
    """A full wave of the cosine, level at both ends: z = rise (1 - cos(2 pi s / length)) / 2.

    Example:
    >>> import axletree as at
    >>> bump = at.Bump(x=10.0, rise="8 cm", length=4.0)  # m
    >>> print(f"{float(bump.height(12.0, 0.0, bump.numbers)):.3f} m")  # in its middle
    0.080 m
    """

    summary: ClassVar[str] = "a speed bump across the road, or a dip: one wave of a cosine"
    phase: ClassVar[float] = 2.0 * math.pi

    rise: float = parameter("m", "height of the crest; a dip if negative")
    length: float = positive("m", "length along the line")


@dataclass(frozen=True)
class Sine(AlongLine):
    """z = amplitude sin(2 pi s / wavelength + phase), everywhere; several of them add up in a
    sum.

    Example:
    >>> import axletree as at
    >>> waves = at.Sine(amplitude="3 cm", wavelength=8.0)  # m
    >>> print(f"{float(waves.height(2.0, 0.0, waves.numbers)):.3f} m")  # at a quarter of a wave
    0.030 m
    """

    summary: ClassVar[str] = "sine waves of one length and direction"

    amplitude: float = parameter("m", "height of a crest above the middle")
    wavelength: float = positive("m", "distance between two crests")
    phase: float = parameter("rad", "phase where it begins", default=0.0)

    def profile(self, distance: Value, p: Parameters) -> Value:
        return p["amplitude"] * sin(2.0 * math.pi * distance / p["wavelength"] + p["phase"])

    @property
    def least_radius(self) -> float:
        return radius_of(abs(self.amplitude) * (2.0 * math.pi / self.wavelength) ** 2)


@dataclass(frozen=True)
class Hill(Surface):
    """z = rise (1 - r^2 / radius^2)^3 within the radius, level outside.

    Example:
    >>> import axletree as at
    >>> hill = at.Hill(rise=2.0, radius=10.0)  # m
    >>> print(f"{float(hill.height(5.0, 0.0, hill.numbers)):.5f} m")  # 2 * 0.75^3
    0.84375 m
    """

    summary: ClassVar[str] = "a round hill, or a pothole"

    rise: float = parameter("m", "height in the middle; a pothole if negative")
    radius: float = positive("m", "distance from the middle to the rim")
    x: float = parameter("m", "x of the middle", default=0.0)
    y: float = parameter("m", "y of the middle", default=0.0)

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        aside_x, aside_y = (x - p["x"]) / p["radius"], (y - p["y"]) / p["radius"]
        inside = 1.0 - minimum(aside_x * aside_x + aside_y * aside_y, 1.0)
        return p["rise"] * inside * inside * inside

    @property
    def least_radius(self) -> float:
        return radius_of(6.0 * abs(self.rise) / self.radius**2)  # in the middle


@dataclass(frozen=True)
class SurfaceSum(Surface):
    """Heights add up, and factors on friction multiply.

    Example:
    >>> import axletree as at
    >>> both = at.SurfaceSum(surfaces=(at.Sine(amplitude=0.03, wavelength=8.0), at.Flat()))
    >>> print(f"{float(both.height(2.0, 0.0, both.numbers)):.3f} m")
    0.030 m
    """

    summary: ClassVar[str] = "several surfaces, their heights added"

    surfaces: tuple[Surface, ...] = parts("SURFACES", "surfaces to add")

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        places = enumerate(self.surfaces, start=1)
        return reduce(add, (s.height(x, y, within(p, f"surfaces.{k}")) for k, s in places))

    def slopes(self, x: Value, y: Value, p: Parameters) -> tuple[Value, Value]:
        places = enumerate(self.surfaces, start=1)
        found = [s.slopes(x, y, within(p, f"surfaces.{k}")) for k, s in places]
        return reduce(add, (first for first, _ in found)), reduce(add, (last for _, last in found))

    def friction(self, x: Value, y: Value, p: Parameters) -> Value:
        factor = super().friction(x, y, p)
        for k, surface in enumerate(self.surfaces, start=1):
            factor = factor * surface.friction(x, y, within(p, f"surfaces.{k}"))
        return factor

    @property
    def least_radius(self) -> float:
        return radius_of(sum(1.0 / surface.least_radius for surface in self.surfaces))

    def cautions(self) -> list[str]:
        return [text for surface in self.surfaces for text in surface.cautions()]


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
    angle: float = positive("rad", "angle that the arc turns", upper=math.pi)
    bank: float = parameter(
        "rad", "bank of the arc; the inner side is low if positive",
        lower=-math.pi / 3.0, upper=math.pi / 3.0,
    )  # fmt: skip
    width: float = positive("m", "width of the road", default=10.0)
    transition: float = positive("m", "length along which the bank grows", default=30.0)
    shoulder: float = positive(
        "m", "width of the ground beside the road that leads back to height 0", default=5.0
    )
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

    @functools.cached_property
    def least_radius(self) -> float:
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
