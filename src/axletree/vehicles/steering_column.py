"""A steering column with two universal joints, by its points, and what its forks do to the angle.

A universal joint whose shafts lie at the angle beta, with its driving fork turned by g from the
plane of both shafts, turns the driven shaft by h with

    tan h = tan g / cos beta,   dh/dg = cos beta / (cos^2 beta cos^2 g + sin^2 g)   ... (1)

(Schmelz, Seherr-Thoss and Aucktor 1992), from 1 / cos beta with the fork in the plane down to
cos beta across it. The driven fork is across the driving one: with g = h = 0 across the plane.
The second joint's driving fork is at phase from the first one's driven fork, and its plane is
turned by what the points say. Two joints of one angle whose planes are one cancel if the forks of
the shaft between them are in one plane, phase 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from axletree.components.fields import Part, parameter, vector_parameter
from axletree.expr import atan2, cos, sin

_STEEPEST = math.radians(60.0)


@dataclass(frozen=True, kw_only=True)
class SteeringColumn(Part):
    """Points in any axes that do not turn with the column; only directions count.

    Example:
    >>> from axletree.vehicles.steering_column import SteeringColumn
    >>> column = SteeringColumn(
    ...     wheel=(0.0, 0.4, 0.9),
    ...     upper_joint=("500 mm", "400 mm", "700 mm"),
    ...     lower_joint=("750 mm", "350 mm", "450 mm"),
    ...     gear=("850 mm", "300 mm", "400 mm"),
    ... )
    >>> print([f"{57.29578 * angle:.1f} deg" for angle in column.angles])
    ['24.5 deg', '23.8 deg']
    >>> print(f"{column.slope(0.0):.3f} straight ahead, {column.slope(1.5707963):.3f} a quarter on")
    1.153 straight ahead, 0.862 a quarter on
    """

    summary: ClassVar[str] = "a steering column with two universal joints"

    wheel: tuple[float, ...] = vector_parameter("m", "the steering wheel's centre")
    upper_joint: tuple[float, ...] = vector_parameter("m", "centre of the upper joint")
    lower_joint: tuple[float, ...] = vector_parameter("m", "centre of the lower joint")
    gear: tuple[float, ...] = vector_parameter("m", "a point of the pinion's axis")
    fork_angle: float = parameter(
        "rad", "of the upper joint's driving fork from the plane of its shafts, straight ahead",
        default=0.0,
    )  # fmt: skip
    phase: float = parameter("rad", "between both forks of the shaft in the middle", default=0.0)

    def problems(self) -> list[str]:
        points = (self.wheel, self.upper_joint, self.lower_joint, self.gear)
        names = ("wheel", "upper_joint", "lower_joint", "gear")
        for k in range(3):
            if math.dist(points[k], points[k + 1]) < 1e-6:
                return [f"{names[k]} and {names[k + 1]} are one point; a shaft has a direction"]
        found = []
        for name, angle in zip(("upper_joint", "lower_joint"), self.angles, strict=True):
            if angle > _STEEPEST:
                found.append(
                    f"{name}: its shafts are at {math.degrees(angle):.3g} deg; universal joints "
                    f"go to some {math.degrees(_STEEPEST):.0f} deg"
                )
        return found

    @property
    def _directions(self) -> list[Any]:
        points = np.array([self.wheel, self.upper_joint, self.lower_joint, self.gear])
        along = np.diff(points, axis=0)
        return list(along / np.linalg.norm(along, axis=1)[:, None])

    @property
    def angles(self) -> tuple[float, float]:
        """Between the shafts of each joint [rad]."""
        a, b, c = self._directions
        first, second = (float(math.acos(min(u @ v, 1.0))) for u, v in ((a, b), (b, c)))
        return first, second

    @property
    def plane_angle(self) -> float:
        """From the plane of the upper joint's shafts to that of the lower one's, about the shaft
        between them [rad]."""
        a, b, c = self._directions
        first, second = np.cross(a, b), np.cross(b, c)
        if min(np.linalg.norm(first), np.linalg.norm(second)) < 1e-9:
            return 0.0
        return float(math.atan2(np.cross(first, second) @ b, first @ second))

    @property
    def _starts(self) -> tuple[float, float]:
        """Angles of both driving forks from the planes of their joints, straight ahead [rad]."""
        driven = _turned(self.fork_angle, self.angles[0]) + 0.5 * math.pi
        return self.fork_angle, driven + self.phase - self.plane_angle

    def pinion_angle(self, hand: Any) -> Any:
        """By the angle of the steering wheel [rad], a number or an expression; 0 for 0.

        Example:
        >>> from axletree.vehicles.steering_column import SteeringColumn
        >>> straight = SteeringColumn(
        ...     wheel=(0, 0, 1), upper_joint=(0, 0, 0.8), lower_joint=(0, 0, 0.4), gear=(0, 0, 0)
        ... )
        >>> print(f"{straight.pinion_angle(7.0):.1f} rad")
        7.0 rad
        """
        (a, b), (first, second) = self._starts, self.angles
        ahead, leads = _lead(a, first), _lead(hand + a, first)
        last = _lead(leads + hand + (b - ahead), second)
        return last + leads + hand - (ahead + _lead(b, second))

    def slope(self, hand: Any) -> Any:
        """Of that angle by the steering wheel's.

        Example:
        >>> from axletree.vehicles.steering_column import SteeringColumn
        >>> points = {"lower_joint": (1, 0, -1), "gear": (2, 0, -2)}
        >>> bent = SteeringColumn(wheel=(0, 0, 1), upper_joint=(0, 0, 0), **points)
        >>> print(f"{bent.slope(0.0)**2:.3f}")  # one joint at 45 deg: 1 / cos^2
        2.000
        """
        (a, b), (first, second) = self._starts, self.angles
        middle = hand + _lead(a + hand, first)
        return _gain(a + hand, first) * _gain(middle + (b - _lead(a, first)), second)

    def hand_angle(self, pinion: float) -> float:
        """Of the steering wheel by that of the pinion [rad], by Newton's method.

        Example:
        >>> from axletree.vehicles.steering_column import SteeringColumn
        >>> bent = SteeringColumn(
        ...     wheel=(0, 0, 1), upper_joint=(0, 0, 0.5), lower_joint=(0.3, 0, 0.2), gear=(1, 0, 0)
        ... )
        >>> print(f"{bent.hand_angle(bent.pinion_angle(5.0)):.9f} rad")
        5.000000000 rad
        """
        hand = pinion
        for _ in range(_MOST_STEPS):
            left = float(self.pinion_angle(hand)) - pinion
            if abs(left) < _CLOSE:
                break
            hand -= left / float(self.slope(hand)) if abs(left) < _NEAR else left
        return hand

    @property
    def fluctuation(self) -> float:
        """Of the ratio over a turn: the greatest less the least, by their mean."""
        slopes = np.asarray(self.slope(np.linspace(0.0, 2.0 * np.pi, _SAMPLES)))
        return float(2.0 * (slopes.max() - slopes.min()) / (slopes.max() + slopes.min()))


_MOST_STEPS, _CLOSE, _NEAR, _SAMPLES = 60, 1e-12, 0.05, 3601  # 1, rad, rad, 1


def _lead(g: Any, beta: float) -> Any:
    """h - g of (1), without jumps over any number of turns: tan(h - g) = k sin 2g / (1 - k cos 2g)
    with k = tan^2(beta / 2)."""
    k = math.tan(0.5 * beta) ** 2
    return atan2(k * sin(2.0 * g), 1.0 - k * cos(2.0 * g))


def _gain(g: Any, beta: float) -> Any:
    """dh/dg of (1) by the double angle."""
    square = math.cos(beta) ** 2
    return 2.0 * math.cos(beta) / (1.0 + square - (1.0 - square) * cos(2.0 * g))


def _turned(g: float, beta: float) -> float:
    return float(g + _lead(g, beta))
