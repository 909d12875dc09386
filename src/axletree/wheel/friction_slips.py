"""Slip of composed friction: from the velocity at which the tread slides to friction coefficients.

No slip, dry friction along and in the direction of sliding, Rill's friction by slip, and the
combined one, by the sliding velocity at low speed and by slip at high speed. ``Sliding``,
``FrictionCoefficients`` and ``FrictionGrip`` are what the effects of friction hand to one another.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.fields import Parameters, Part, Relation, parameter, positive
from axletree.expr import Value, absolute, exp, log, maximum, minimum, sqrt, where
from axletree.wheel.slip import SMALLEST_SQUARE


class FrictionSlip(Part, ABC):
    """A relation between sliding and friction: it opposes the sliding velocity."""

    holds_longitudinal: ClassVar[bool] = False  # whether slip along is held at zero
    holds_lateral: ClassVar[bool] = False  # whether side slip is held at zero in place of a force

    @abstractmethod
    def coefficients(self, sliding: Sliding, p: Parameters) -> FrictionCoefficients:
        """Forces over the load at a nominal load on a nominal surface; ``p`` has the parameters by
        name.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.friction_slips import Sliding
        >>> friction = at.DryFriction(peak_friction=1.0, sliding_friction=0.8)
        >>> brakes = Sliding(longitudinal_speed=5.0, lateral_speed=0.0, rolling_speed=15.0)  # m/s
        >>> friction.coefficients(brakes, friction.numbers).longitudinal
        -0.8
        """


def _peak_relations(prefix: str, *measures: str) -> tuple[Relation, ...]:
    """Of each measure of sliding: the peak comes before full sliding, and is the greater one."""
    places = [
        Relation(f"{prefix}adhesion_{m}", below=({f"{prefix}full_sliding_{m}": 1.0},))
        for m in measures
    ]
    friction = Relation(f"{prefix}sliding_friction", below=({f"{prefix}peak_friction": 1.0},))
    return (*places, friction)


def peak_problems(slip: FrictionSlip, *prefixes: str) -> list[str]:
    """What is wrong with the peak of each curve, whose names of parameters begin alike."""
    found = []
    for prefix in prefixes:
        names = f"{prefix}peak_friction", f"{prefix}sliding_friction"
        peak, sliding = (getattr(slip, name) for name in names)
        if peak < sliding:
            found.append(
                f"{names[0]}, {peak:g}, is the greatest friction and must be at least "
                f"{names[1]}, {sliding:g}"
            )
    return found


# What the effects of friction tell one another. ISO W axes: x forward, y left, z up.
#
# Andres 2009 has y up, and wheels that roll towards -e_Long at a positive spin. Formulas from
# there
# are converted once, here in words and in each file in its formula:
#
#     V_Ex = -v_SlipLong    Fx = -f_Long    Mx = -t_Long    gamma = -phi (lean to the right)
#     V_Py = v_Lat          Fy = f_Lat      My = t_Lat      Mz = t_N
#     Omega R = v_RotLong
#
# With absolute values where these are for one rolling direction, all effects hold for both.


@dataclass(frozen=True)
class Sliding:
    """How the tread moves over the road."""

    longitudinal_speed: Value  # V_Ex [m/s], + forward
    lateral_speed: Value  # V_Py and what camber adds to it [m/s], + to the left
    rolling_speed: Value  # Omega R [m/s], + when rolling forward


@dataclass(frozen=True)
class FrictionCoefficients:
    """What a sliding velocity gives: forces over the load, and where the tread adheres."""

    longitudinal: Value  # Fx / Fz [1]
    lateral: Value  # Fy / Fz [1]
    adhesion_speed: Value  # v_Ad [m/s], greater than 0: the sliding speed of greatest friction
    full_sliding_speed: Value  # v_Sl [m/s], greater than v_Ad: from it on, friction is constant


@dataclass(frozen=True)
class FrictionGrip:
    """The forces of sliding, and what the moments need of it."""

    sliding: Sliding
    Fx: Value  # [N]
    Fy: Value  # [N]
    adhesion_speed: Value  # v_Ad [m/s]
    full_sliding_speed: Value  # v_Sl [m/s]
    factor: Value  # [1], on every friction coefficient: influence of load and of the surface


@dataclass(frozen=True)
class HeldSlip(FrictionSlip):
    """Both sliding velocities are held at zero by reactions, which friction does not limit.

    Andres 2009, eqs. (3.17, 3.18). There v_Ad is zero, and rolling resistance would jump at
    rest; here it has a value for the effects that ask for it.

    Example:
    >>> import axletree as at
    >>> law = at.ComposedFriction(at.HeldSlip())
    >>> law.holds_lateral, law.holds_longitudinal
    (True, True)
    """

    summary: ClassVar[str] = "no slip along and across"
    holds_longitudinal: ClassVar[bool] = True
    holds_lateral: ClassVar[bool] = True

    adhesion_speed: float = positive("m/s", "v_Ad, below which other effects fade", default=0.3)

    def coefficients(self, sliding: Sliding, p: Parameters) -> FrictionCoefficients:
        return FrictionCoefficients(0.0, 0.0, p["adhesion_speed"], p["adhesion_speed"])


@dataclass(frozen=True)
class SpeedCurve(FrictionSlip, ABC):
    """One curve for all directions (Andres 2009, eqs. 3.20 to 3.26).

    The slope at rest is in proportion to the peak; Andres fixes it at 2 / v_Adhesion, which is
    the same for a peak of 1. The curve is well behaved whether the wheel rolls or not, and
    right for a narrow range of rolling speeds.
    """

    relations = _peak_relations("", "speed")

    adhesion_speed: float = positive("m/s", "sliding speed of the peak, v_Adhesion", default=0.3)
    full_sliding_speed: float = parameter(
        "m/s", "speed from which friction is that of sliding, v_Slide", default=1.0, lower=0.0
    )
    peak_friction: float = positive("1", "greatest friction coefficient, mu_max", default=1.0)
    sliding_friction: float = parameter(
        "1", "friction coefficient of full sliding, mu_min", default=0.6, lower=0.0
    )
    steepness: float = positive(
        "1", "slope at rest over peak_friction / adhesion_speed", default=2.0
    )

    def problems(self) -> list[str]:
        found = []
        if self.full_sliding_speed <= self.adhesion_speed:
            found.append("full_sliding_speed must be greater than adhesion_speed")
        return [*found, *peak_problems(self, "")]


def curve_of(p: Parameters) -> PeakedCurve:
    """The curve of a SpeedCurve with these parameters."""
    return PeakedCurve(
        slope=p["steepness"] * p["peak_friction"] / p["adhesion_speed"],
        peak_slip=p["adhesion_speed"],
        peak=p["peak_friction"],
        sliding_slip=p["full_sliding_speed"],
        sliding=p["sliding_friction"],
    )


# The curve of a friction that rises to a peak and falls off to that of sliding.
#
# Andres 2009, eqs. (3.20) to (3.22), after Rill 2007: a broken rational function up to the peak, a
# cubic down to full sliding, then a constant. In the second branch of (3.20) sigma is read as
# tau; as printed the curve would jump where full sliding begins.


@dataclass(frozen=True)
class PeakedCurve:
    """A friction coefficient or a force against slip or a sliding speed, whose unit is [s]."""

    slope: Value  # at 0, of the unit of the peak over [s]
    peak_slip: Value  # [s], of the peak
    peak: Value
    sliding_slip: Value  # [s], from which all slides
    sliding: Value

    def secant(self, s: Value) -> Value:
        """The curve over s, for s of at least 0; at 0 it is the slope."""
        sigma = minimum(s / self.peak_slip, 1.0)
        shape = self.slope * self.peak_slip / self.peak - 2.0
        rising = self.slope / (1.0 + sigma * (sigma + shape))
        tau = (s - self.peak_slip) / (self.sliding_slip - self.peak_slip)
        tau = minimum(maximum(tau, 0.0), 1.0)
        falling = self.peak - (self.peak - self.sliding) * tau * tau * (3.0 - 2.0 * tau)
        return where(s < self.peak_slip, rising, falling / maximum(s, self.peak_slip))


@dataclass(frozen=True)
class LongitudinalDryFriction(SpeedCurve):
    """Friction of the longitudinal sliding speed, without side slip.

    Andres 2009, eqs. (3.18) to (3.28), with the sign of (3.27). The lateral force is the
    reaction that holds the side slip at zero; friction does not limit it.

    Example:
    >>> import axletree as at
    >>> friction = at.LongitudinalDryFriction(sliding_friction=0.8)
    >>> locked = at.Contact(4000.0, -1.0, 0.0, forward_speed=20.0)  # N, 1, rad, m/s
    >>> print(f"{at.ComposedFriction(friction)(locked).Fx:.0f} N")  # -0.8 * 4000
    -3200 N
    """

    summary: ClassVar[str] = "dry friction along, no slip across"
    holds_lateral: ClassVar[bool] = True

    def coefficients(self, sliding: Sliding, p: Parameters) -> FrictionCoefficients:
        x = sliding.longitudinal_speed
        along = -curve_of(p).secant(absolute(x)) * x
        return FrictionCoefficients(along, 0.0, p["adhesion_speed"], p["full_sliding_speed"])


@dataclass(frozen=True)
class DryFriction(SpeedCurve):
    """Friction by the size of the sliding velocity, against its direction.

    Andres 2009, eqs. (3.27) to (3.30); the curve is (3.20).

    Example:
    >>> import axletree as at
    >>> friction = at.DryFriction(peak_friction=1.0, sliding_friction=0.8)
    >>> locked = at.Contact(4000.0, -1.0, 0.0, forward_speed=20.0)  # N, 1, rad, m/s
    >>> print(f"{at.ComposedFriction(friction)(locked).Fx:.0f} N")  # -0.8 * 4000
    -3200 N
    """

    summary: ClassVar[str] = "dry friction, by the sliding velocity"

    def coefficients(self, sliding: Sliding, p: Parameters) -> FrictionCoefficients:
        x, y = sliding.longitudinal_speed, sliding.lateral_speed
        secant = curve_of(p).secant(sqrt(maximum(x * x + y * y, SMALLEST_SQUARE)))
        return FrictionCoefficients(
            -secant * x, -secant * y, p["adhesion_speed"], p["full_sliding_speed"]
        )


def _speed(text: str, default: float) -> Any:
    return positive("m/s", text, default=default)


def _ratio(text: str, default: float) -> Any:
    return positive("1", text, default=default)


def _friction(text: str, default: float) -> Any:
    return positive("1", f"friction coefficient {text}", default=default)


@dataclass(frozen=True)
class RillFriction(FrictionSlip):
    """Friction by slip, with curves of their own along and across.

    Andres 2009, eqs. (3.8) to (3.10) and (3.31) to (3.37), after Rill 2007, with the slips of full
    sliding in (3.32) and a force against the sliding in (3.37). Slip is over |Omega R|, and
    below ``lowest_speed`` over that. Stiffness goes with one over it: Andres has 1e-6 m/s, at
    which no fixed step follows a wheel that stops; 0.5 m/s asks for some 0.1 ms.

    Example:
    >>> import axletree as at
    >>> friction = at.RillFriction(longitudinal_sliding_friction=0.7)
    >>> locked = at.Contact(4000.0, -1.0, 0.0, forward_speed=20.0)
    >>> print(f"{at.ComposedFriction(friction)(locked).Fx:.0f} N")
    -2800 N
    """

    summary: ClassVar[str] = "by slip, along and across"
    relations = (*_peak_relations("longitudinal_", "slip"), *_peak_relations("lateral_", "slip"))

    longitudinal_adhesion_slip: float = _ratio("slip of the peak, s_LongAdhesion", 0.15)
    longitudinal_full_sliding_slip: float = parameter(
        "1", "slip from which all slides, s_LongSlide", default=0.4, lower=0.0
    )
    longitudinal_peak_friction: float = _ratio("greatest friction coefficient, mu_LongMax", 1.0)
    longitudinal_sliding_friction: float = positive(
        "1", "friction coefficient of full sliding, mu_LongMin", default=0.9
    )
    lateral_adhesion_slip: float = _ratio("slip of the peak, s_LatAdhesion", 0.15)
    lateral_full_sliding_slip: float = parameter(
        "1", "slip from which all slides, s_LatSlide", default=0.4, lower=0.0
    )
    lateral_peak_friction: float = _ratio("greatest friction coefficient, mu_LatMax", 1.0)
    lateral_sliding_friction: float = _ratio("friction coefficient of full sliding, mu_LatMin", 0.6)
    steepness: float = _ratio("slope at no slip over peak_friction / adhesion_slip", 5.0)
    lowest_speed: float = positive(
        "m/s", "rolling speed below which slip is as if rolling at it, v_RotMin", default=0.5
    )

    def problems(self) -> list[str]:
        found = [
            f"{axis}_full_sliding_slip must exceed {axis}_adhesion_slip"
            for axis in ("longitudinal", "lateral")
            if getattr(self, f"{axis}_full_sliding_slip") <= getattr(self, f"{axis}_adhesion_slip")
        ]
        return [*found, *peak_problems(self, "longitudinal_", "lateral_")]

    def coefficients(self, sliding: Sliding, p: Parameters) -> FrictionCoefficients:
        rolling = maximum(absolute(sliding.rolling_speed), p["lowest_speed"])

        def curve(cos2: Value, sin2: Value) -> PeakedCurve:
            def point(name: str) -> Value:
                return between(p[f"longitudinal_{name}"], p[f"lateral_{name}"], cos2, sin2)

            def slope(axis: str) -> Value:
                return p["steepness"] * p[f"{axis}_peak_friction"] / p[f"{axis}_adhesion_slip"]

            initial = between(slope("longitudinal"), slope("lateral"), cos2, sin2)  # (3.35)
            # Against the sliding speed, not slip: the same curve, without a second division.
            return PeakedCurve(
                slope=initial / rolling,
                peak_slip=point("adhesion_slip") * rolling,  # (3.31)
                peak=point("peak_friction"),  # (3.33)
                sliding_slip=point("full_sliding_slip") * rolling,  # (3.32)
                sliding=point("sliding_friction"),  # (3.34)
            )

        return directional_coefficients(sliding, curve)


@dataclass(frozen=True)
class CombinedFriction(FrictionSlip):
    """Dry friction and friction by slip, with a soft transition between them.

    Andres 2009, section 3.5.2.5, after Zimmer and Otter 2009: adhesion ends at the sliding speed
    v_Ad, the soft maximum (3.38) of a speed and of a slip times |Omega R|, and likewise for
    full sliding; speeds, slips and coefficients follow the direction of sliding as in (3.31)
    to (3.34). The slope at rest is in proportion to the peak over v_Ad, so that the curve
    keeps its shape at all speeds.

    Example:
    >>> import axletree as at
    >>> friction = at.CombinedFriction(longitudinal_sliding_friction=0.7)
    >>> locked = at.Contact(4000.0, -1.0, 0.0, forward_speed=20.0)
    >>> print(f"{at.ComposedFriction(friction)(locked).Fx:.0f} N")
    -2800 N
    """

    summary: ClassVar[str] = "by sliding velocity when slow, by slip when fast; along and across"
    relations = (
        *_peak_relations("longitudinal_", "speed", "slip"),
        *_peak_relations("lateral_", "speed", "slip"),
    )

    longitudinal_adhesion_speed: float = _speed("sliding speed of the peak, v_LongAdhesion", 0.3)
    longitudinal_full_sliding_speed: float = _speed("speed of full sliding, v_LongSlide", 1.0)
    longitudinal_adhesion_slip: float = _ratio("slip of the peak, s_LongAdhesion", 0.15)
    longitudinal_full_sliding_slip: float = _ratio("slip of full sliding, s_LongSlide", 0.4)
    longitudinal_peak_friction: float = _friction("at the peak, mu_LongMax", 1.0)
    longitudinal_sliding_friction: float = _friction("of full sliding, mu_LongMin", 0.6)
    lateral_adhesion_speed: float = _speed("sliding speed of the peak, v_LatAdhesion", 0.4)
    lateral_full_sliding_speed: float = _speed("speed of full sliding, v_LatSlide", 1.2)
    lateral_adhesion_slip: float = _ratio("slip of the peak, s_LatAdhesion", 0.2)
    lateral_full_sliding_slip: float = _ratio("slip of full sliding, s_LatSlide", 0.5)
    lateral_peak_friction: float = _friction("at the peak, mu_LatMax", 1.0)
    lateral_sliding_friction: float = _friction("of full sliding, mu_LatMin", 0.6)
    steepness: float = positive("1", "slope at rest over peak friction / v_Ad", default=2.0)
    tolerance: float = positive("m/s", "width of the transition, tol", default=0.1)

    def problems(self) -> list[str]:
        pairs = [
            (f"{axis}_full_sliding_{measure}", f"{axis}_adhesion_{measure}")
            for axis in ("longitudinal", "lateral")
            for measure in ("speed", "slip")
        ]
        found = [
            f"{full_sliding} must be greater than {adhesion}"
            for full_sliding, adhesion in pairs
            if getattr(self, full_sliding) <= getattr(self, adhesion)
        ]
        return [*found, *peak_problems(self, "longitudinal_", "lateral_")]

    def coefficients(self, sliding: Sliding, p: Parameters) -> FrictionCoefficients:
        rolling = absolute(sliding.rolling_speed)

        def curve(cos2: Value, sin2: Value) -> PeakedCurve:
            def point(name: str) -> Value:
                return between(p[f"longitudinal_{name}"], p[f"lateral_{name}"], cos2, sin2)

            def speed(name: str) -> Value:
                slow, fast = point(f"{name}_speed"), point(f"{name}_slip") * rolling
                return soft_maximum(slow, fast, p["tolerance"])

            adhesion, peak = speed("adhesion"), point("peak_friction")
            return PeakedCurve(
                slope=p["steepness"] * peak / adhesion,
                peak_slip=adhesion,
                peak=peak,
                sliding_slip=speed("full_sliding"),
                sliding=point("sliding_friction"),
            )

        return directional_coefficients(sliding, curve)


# Friction that differs along and across: its curve follows the direction of sliding.
#
# Andres 2009, eqs. (3.31) to (3.35), after Rill 2007: each point of the curve lies between that
# of x
# and that of y as on an ellipse. The angle in them is read as that of the slip vector; with the
# slip angle, as printed, pure side slip would have the curve of longitudinal slip.


# From the squares of cosine and sine of the direction to friction against sliding speed.
DirectionalCurve = Callable[[Value, Value], PeakedCurve]


def between(along: Value, across: Value, cos2: Value, sin2: Value) -> Value:
    """Of values along and across, that in a direction, on an ellipse."""
    return sqrt(along * along * cos2 + across * across * sin2)


def directional_coefficients(sliding: Sliding, curve: DirectionalCurve) -> FrictionCoefficients:
    """Friction against the sliding velocity; at rest, each axis has the slope of its own curve."""
    x, y = sliding.longitudinal_speed, sliding.lateral_speed
    square = x * x + y * y
    slides = square > SMALLEST_SQUARE
    squared_speed = where(slides, square, 1.0)
    sin2 = where(slides, y * y, 0.0) / squared_speed
    here = curve(1.0 - sin2, sin2)
    secant = here.secant(sqrt(squared_speed))
    return FrictionCoefficients(
        longitudinal=-where(slides, secant, curve(1.0, 0.0).slope) * x,
        lateral=-where(slides, secant, curve(0.0, 1.0).slope) * y,
        adhesion_speed=here.peak_slip,
        full_sliding_speed=here.sliding_slip,
    )


def soft_maximum(left: Value, right: Value, tolerance: Value) -> Value:
    """tolerance log(exp(left / tolerance) + exp(right / tolerance)): Andres 2009, eq. (3.38).

    In the form that cannot overflow. It exceeds the greater of both by tolerance log(2) where
    they are equal, and by nothing far from there.
    """
    gap = absolute(left - right) / tolerance
    return maximum(left, right) + tolerance * log(1.0 + exp(-gap))
