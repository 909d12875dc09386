"""What a rig measures of wheels: positions and their rates, the right wheel mirrored as a left one.

RigRates are exact; ``rate_of`` carries them through a formula by a complex step, h = 1e-30, which
has no subtraction and so no rounding of a difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from axletree.core.arrays import FloatArray

_STEP = 1e-30
_LEFT, _RIGHT, _RACK = 0, 1, 2  # inputs of rates: travel of the left and right wheel, rack


@dataclass(frozen=True, eq=False)
class WheelPoses:
    """Of one wheel at N positions, in axes with x forward, y outward, z up [m]."""

    wheel_centre: Any  # W (N, 3)
    spin_axis: Any  # s (N, 3), outward
    kingpin_lower: Any
    kingpin_upper: Any
    spring_length: Any  # (N,)
    damper_length: Any
    tyre_radius: float
    rates: tuple[dict[str, FloatArray], ...] = ()  # by own travel, the other's travel, rack
    angular: tuple[FloatArray, ...] = ()  # (N, 3) of the upright, likewise

    @classmethod
    def of(
        cls, values: FloatArray, rates: FloatArray, tyre_radius: float, side: float
    ) -> WheelPoses:
        """From rows of measured numbers; ``side`` is 1 on the left, -1 on the right."""
        inputs = [_LEFT, _RIGHT] if side > 0.0 else [_RIGHT, _LEFT]
        signed = [(k, 1.0) for k in inputs] + [(_RACK, side)] * (rates.shape[2] > _RACK)
        own = np.stack([rates[:, :, k] * sign for k, sign in signed], axis=2)
        return cls.seen(values, own, tyre_radius, side)

    @classmethod
    def seen(
        cls, values: FloatArray, rates: FloatArray, tyre_radius: float, side: float
    ) -> WheelPoses:
        """Likewise, with rates by inputs that are already those of a left wheel."""
        each = np.moveaxis(rates, 2, 0)
        found = tuple(_named(rate, side) for rate in each)
        turns = tuple(_turn(values, rate, side) for rate in each)
        return cls(**_named(values, side), tyre_radius=tyre_radius, rates=found, angular=turns)

    @property
    def contact(self) -> Any:
        """C, the lowest point of a thin disc of the tyre's radius."""
        up = np.array([0.0, 0.0, 1.0])
        down = -(up - self.spin_axis[:, 2:] * self.spin_axis)
        return self.wheel_centre + self.tyre_radius * down / norm(down)[:, None]

    def moved(self, along: int) -> WheelPoses:
        """With an infinitesimal, imaginary motion by an input."""
        rates = self.rates[along]
        moved = {name: getattr(self, name) + 1j * _STEP * rate for name, rate in rates.items()}
        rest = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in moved}
        return WheelPoses(**moved, **rest)

    def rate_of(self, quantity: Callable[[WheelPoses], Any], along: int = 0) -> FloatArray:
        """The derivative of a quantity by own travel (0), the other's (1) or rack (2)."""
        rate: FloatArray = np.imag(quantity(self.moved(along))) / _STEP
        return rate

    def point_velocity(self, point: FloatArray, along: int = 0) -> FloatArray:
        """Of points that are fixed to the upright, per unit of an input."""
        return self.rates[along]["wheel_centre"] + np.cross(
            self.angular[along], point - self.wheel_centre
        )


@dataclass(frozen=True, eq=False)
class AxlePoses:
    """Both wheels, each as a left wheel."""

    left: WheelPoses
    right: WheelPoses


def norm(v: Any) -> Any:
    """Length of vectors (N, 3), analytic in complex numbers, too."""
    return np.sqrt((v * v).sum(axis=1))


def _named(values: FloatArray, side: float) -> dict[str, FloatArray]:
    mirror = np.array([1.0, side, 1.0])
    return {
        "wheel_centre": values[:, 0:3] * mirror,
        "spin_axis": values[:, [4, 7, 10]] * side * mirror,  # column y of the hub's axes
        "kingpin_lower": values[:, 12:15] * mirror,
        "kingpin_upper": values[:, 15:18] * mirror,
        "spring_length": values[:, 18],
        "damper_length": values[:, 19],
    }


def _turn(values: FloatArray, rates: FloatArray, side: float) -> FloatArray:
    """Angular velocity of the upright from dR/dt R^T; mirrored, an axial vector."""
    R, dR = (x[:, 3:12].reshape(-1, 3, 3) for x in (values, rates))
    W = dR @ R.transpose(0, 2, 1)
    return np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=1) * [side, 1.0, side]
