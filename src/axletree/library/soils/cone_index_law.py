"""What laws of the cone index have in common: ratios of force to load by a mobility number."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from axletree.core.expr import absolute, maximum, minimum, sqrt, tanh, where
from axletree.library.fields import parameter
from axletree.library.soils.contract import SoilLaw, Wheel
from axletree.library.soils.forces import SoilForces
from axletree.library.soils.grip import Grip
from axletree.library.soils.mobility_numbers import wes_clay_number, wheel_numeric
from axletree.library.soils.soil import Parameters, Value

TRANSITION = 2e-3
SMALLEST_SQUARE = 1e-24  # of a slip; below it a root would have no slope
SMALLEST_DRIFT = 1e-9  # slip without slip along; below it a wheel goes straight
LEAST_LOAD = 1e-3  # [N], of a mobility number


def transition_slip() -> Any:
    """A field of these laws."""
    return parameter(
        "1", "slip within which thrust changes its direction", default=TRANSITION, lower=0.0,
        above=True,
    )  # fmt: skip


@dataclass(frozen=True)
class ConeIndexLaw(SoilLaw, ABC):
    """Ratios of thrust and motion resistance to the load, of |slip|.

    Measured with driven wheels on the straight. A braked wheel has the thrust ratio of |i| against
    its travel, and one that drifts has that of the size of its slip, along and across, against the
    direction in which it slides.

    Thrust has a value at no slip where it jumps from one direction to the other: the ratio there is
    a bound. Here it passes through zero within a few times ``transition``; laws that hold a wheel
    at rest take ``thrust_ratio`` for their bounds, that of slip 1 where nothing turns or moves.
    """

    cone_index: float = parameter(
        "Pa", "resistance of the soil to a penetrometer, c_i", lower=0.0, above=True
    )

    @abstractmethod
    def mobility_number(self, load: Value, wheel: Wheel, p: Parameters) -> Value:
        """The number [1] that both ratios go by, under a load [N] that is not zero.

        Example:
        >>> import axletree as at
        >>> from axletree.core.expr import symbol
        >>> from axletree.library.soils.contract import Wheel
        >>> field, wheel = at.WismerLuth("700 kPa"), Wheel(radius=0.7, width=0.45)  # m
        >>> print(field.mobility_number(symbol("W"), wheel, {"cone_index": symbol("c_i")}))
        0.63*c_i/W
        """

    @abstractmethod
    def thrust_ratio(self, slip: Value, mobility: Value) -> Value:
        """The greatest gross traction over the load [1] at a size of slip from 0 to 1.

        Example:
        >>> import axletree as at
        >>> field = at.WismerLuth("700 kPa")
        >>> [round(field.thrust_ratio(slip, 30.0), 3) for slip in (0.0, 0.1, 0.5)]
        [0.0, 0.445, 0.742]
        """

    @abstractmethod
    def resistance_ratio(self, slip: Value, mobility: Value) -> Value:
        """The motion resistance over the load [1] at a size of slip from 0 to 1.

        Example:
        >>> import axletree as at
        >>> from axletree.core.expr import symbol
        >>> print(at.WismerLuth("700 kPa").resistance_ratio(symbol("i"), symbol("C_n")))
        1.2/C_n + 0.04
        """

    @abstractmethod
    def thrust_slope(self, slip: Value, mobility: Value) -> Value:
        """The slope of the thrust ratio against the size of slip [1].

        Example:
        >>> import axletree as at
        >>> print(f"{at.WismerLuth('700 kPa').thrust_slope(0.0, 30.0):.2f}")  # 0.75 * 0.3 * 30
        6.75
        """

    @abstractmethod
    def relative_deflection(self, load: Value, wheel: Wheel, p: Parameters) -> Value:
        """Of the tyre under a load [N], over its section height [1].

        Example:
        >>> import axletree as at
        >>> from axletree.library.soils.contract import Wheel
        >>> field, wheel = at.Brixius("700 kPa", section_height=0.3), Wheel(0.7, 0.45)  # m
        >>> print(f"{field.relative_deflection(15e3, wheel, field.numbers):.4f}")
        0.0166
        """

    def compared_by(self, load: Value, wheel: Wheel, p: Parameters) -> Mapping[str, Value]:
        load = maximum(load, LEAST_LOAD)
        own = load, p["cone_index"], 2.0 * wheel.radius, wheel.width
        deflection = self.relative_deflection(load, wheel, p)
        return {
            "wheel_numeric": wheel_numeric(*own),
            "clay_number": wes_clay_number(*own, deflection),
        }

    def grip_under_load(self, load: Value, wheel: Wheel, p: Parameters) -> Grip:
        forces = self.under_load(load, wheel, p)
        load = maximum(load, 0.0)
        mobility = self.mobility_number(maximum(load, LEAST_LOAD), wheel, p)
        along, across = absolute(wheel.clipped_slip), wheel.slip_across
        size = sqrt(maximum(along * along + across * across, SMALLEST_SQUARE))
        counted = minimum(size, 1.0)
        # Of a wheel that only drifts there is none; one that does not has all, without slip too.
        cosine = where(size > SMALLEST_DRIFT, along / size, 1.0)
        thrust, greatest = (load * self.thrust_ratio(i, mobility) for i in (counted, 1.0))
        aside = where(size > SMALLEST_DRIFT, across / size, 0.0)
        slope = where(size < 1.0, load * self.thrust_slope(counted, mobility), 0.0)
        return Grip(
            forces,
            thrust=thrust * cosine,
            rolling_thrust=0.0,
            free_moment=0.0,
            thrust_slope=slope * cosine * cosine + thrust / size * aside * aside,
            greatest_thrust=greatest,
            side_stiffness=thrust * tanh(size / p["transition"]) / size,
            greatest_side_force=greatest,
            mobility_number=mobility,
        )

    def under_load(self, load: Value, wheel: Wheel, p: Parameters) -> SoilForces:
        load = maximum(load, 0.0)
        mobility = self.mobility_number(maximum(load, LEAST_LOAD), wheel, p)
        along, across = wheel.clipped_slip, wheel.slip_across
        size = sqrt(maximum(along * along + across * across, SMALLEST_SQUARE))
        counted = minimum(size, 1.0)
        thrust = load * self.thrust_ratio(counted, mobility) * tanh(size / p["transition"]) / size
        traction = thrust * along
        resistance = load * self.resistance_ratio(absolute(along), mobility)
        return SoilForces(
            sinkage=0.0,
            entry_angle=0.0,
            peak_angle=0.0,
            exit_angle=0.0,
            normal_force=load,
            gross_traction=traction,
            compaction_resistance=resistance,
            rolling_moment=0.0,
            lateral_force=-(thrust * across),
            torque=wheel.radius * traction,  # Peiret et al., eq. (15)
        )
