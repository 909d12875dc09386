"""Slip: from velocities at the contact to longitudinal slip and slip angle.

Kinematic slip follows the velocities at once; lagged slip lets forces build up as the
tyre rolls. Numbers of equations and figures are those of Morency 2007.

Theoretical slip, with respect to the speed of rolling, is what the brush model and TMeasy take.
The effective rolling radius, which slip refers to, comes by three methods.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import RangeLimit
from axletree.components.edges import Variable
from axletree.components.fields import Part, field_of, parameter, positive
from axletree.expr import (
    Expr,
    absolute,
    as_expr,
    atan,
    exp,
    logical_and,
    maximum,
    minimum,
    tan,
    where,
)
from axletree.expr.functions import Value
from axletree.wheel.contract import Contact

# Of the nominal load. Relaxation lengths vanish with the load of a lifted wheel, and the lag
# becomes too stiff for steps of 1 ms long before: at 1 % of the load of a car it is 2 mm.
_LEAST_LOAD = 0.1

# What a lag is for: wheels that roll faster than this [m/s], or slip less than this [1], which is
# about where tyres have their greatest forces.
LEAST_ROLLING = 0.5
HELD_SLIP = 0.2

Q1 = Variable("q1", "1", "lagged longitudinal slip")
Q2 = Variable("q2", "1", "lagged lateral slip, the tangent of the slip angle")


@dataclass(frozen=True)
class Rolling:
    """What slip is formed from, ISO axes."""

    sliding_speed: Expr  # V_Ex [m/s]
    lateral_speed: Expr  # V_Py [m/s]
    rolling_speed_E: Expr  # V*_Ex [m/s]
    rolling_speed_P: Expr  # V*_Px [m/s]
    normal_load: Expr  # Fz [N]
    inclination: Expr  # gamma [rad]
    longitudinal_length: Expr | None = None  # [m], of the law, for a slip that takes them
    lateral_length: Expr | None = None


@dataclass(frozen=True)
class SlipState:
    """Slip as a tyre law takes it, and the rates of the states it rests on."""

    longitudinal: Expr  # S [1]
    angle: Expr  # alpha [rad]
    rates: tuple[Expr, ...] = ()


class Slip(Part, ABC):
    """A way from velocities to slip."""

    takes_lengths: ClassVar[bool] = False  # whether it needs the relaxation lengths of the law

    def states(self) -> tuple[Variable, ...]:
        """What slip lags by; none where it does not.

        Example:
        >>> import axletree as at
        >>> [f"{state.suffix}: {state.description}" for state in at.ConstantLag(0.2, 0.5).states()]
        ['q1: lagged longitudinal slip', 'q2: lagged lateral slip, the tangent of the slip angle']
        """
        return ()

    def limits(self, rolling: Rolling, states: Any) -> tuple[RangeLimit, ...]:
        """Where it leaves its range.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.slip import Rolling
        >>> at.KinematicSlip().limits(Rolling(0.0, 0.0, 20.0, 20.0, 4000.0, 0.0), ())
        ()
        """
        return ()

    @abstractmethod
    def slip(self, rolling: Rolling, states: Any, p: Any) -> SlipState:
        """Slip and rates, from velocities, states and parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.slip import Rolling
        >>> locked = Rolling(20.0, 0.0, 20.0, 20.0, 4000.0, 0.0)  # slides at all of its 20 m/s
        >>> at.KinematicSlip().slip(locked, (), {"lowest_speed": 0.5}).longitudinal  # 1
        -1.0
        """


@dataclass(frozen=True)
class KinematicSlip(Slip):
    """Slip by its definition (3.20, 3.21), its divisor kept from zero.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.slip import Rolling
    >>> slip = at.KinematicSlip()
    >>> moving = Rolling(-2.0, 1.0, 20.0, 20.0, 4000.0, 0.0)  # V_Ex, V_Py, V*_Ex, V*_Px, Fz, gamma
    >>> found = slip.slip(moving, (), slip.numbers)
    >>> float(found.longitudinal), round(float(found.angle), 4)  # 1, rad
    (0.1, 0.05)
    """

    summary: ClassVar[str] = "by definition, at once"

    lowest_speed: float = positive(
        "m/s", "below it slip is as if rolling at this speed", default=0.5
    )

    def slip(self, rolling: Rolling, states: Any, p: Any) -> SlipState:
        lowest = p["lowest_speed"]
        along = maximum(absolute(rolling.rolling_speed_E), lowest)
        across = maximum(absolute(rolling.rolling_speed_P), lowest)
        return SlipState(-rolling.sliding_speed / along, atan(rolling.lateral_speed / across))


class LaggedSlip(Slip, ABC):
    """First-order lag over relaxation lengths (3.22 to 3.25), limited at low speed (fig. 3.5).

    It is for wheels that roll. At rest lagged slip is a spring that no friction limits, and it
    stays as it is while the load changes: forces may then do more work than was put in.
    """

    def states(self) -> tuple[Variable, ...]:
        return (Q1, Q2)

    def limits(self, rolling: Rolling, states: Any) -> tuple[RangeLimit, ...]:
        """Slip that friction does not hold, on a wheel that does not roll, and slip against the
        sliding, whose force drives the wheel where it slides to.

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.slip import Rolling
        >>> stands = Rolling(0.0, 0.0, 0.0, 0.0, 4000.0, 0.0)
        >>> lag = at.ConstantLag(0.2, 0.5)
        >>> standing, _ = lag.limits(stands, (-1.0, 0.0))  # left by locked wheels
        >>> float(standing.excess) > 0.0
        True
        >>> spins = Rolling(-8.0, 0.0, 28.0, 20.0, 4000.0, 0.0)  # its slip is 0.29
        >>> _, against = lag.limits(spins, (-0.5, 0.0))  # braked until now
        >>> float(against.excess) > 0.0
        True
        """
        q1, q2 = states
        speed = absolute(rolling.rolling_speed_P)
        slip = maximum(absolute(q1), absolute(q2)) - HELD_SLIP
        text = (
            f"the slip that lags is more than {HELD_SLIP:g} on a wheel that rolls slower than "
            f"{LEAST_ROLLING:g} m/s, where the lag may give back more energy than it took; take "
            "slip: {type: carcass, ...}, which does not"
        )
        standing = RangeLimit(minimum(slip, LEAST_ROLLING - speed), text)
        return (standing, RangeLimit(_against_sliding(rolling, q1, q2), _AGAINST_SLIDING))

    @abstractmethod
    def lengths(self, rolling: Rolling, p: Any) -> tuple[Any, Any]:
        """B_long and B_lat [m].

        Example:
        >>> import axletree as at
        >>> from axletree.wheel.slip import Rolling
        >>> lifts = Rolling(0.0, 0.0, 20.0, 20.0, 40.0, 0.0, 0.3, 0.005)  # lengths of the law last
        >>> at.LawLag().lengths(lifts, {"shortest_length": 0.02})  # m
        (0.3, 0.02)
        """

    def slip(self, rolling: Rolling, states: Any, p: Any) -> SlipState:
        q1, q2 = states
        along, across = self.lengths(rolling, p)
        speed_E, speed_P = absolute(rolling.rolling_speed_E), absolute(rolling.rolling_speed_P)
        rate1 = -(rolling.sliding_speed + q1 * speed_E) / along  # (3.22)
        rate2 = (rolling.lateral_speed - q2 * speed_P) / across  # (3.23)
        low = p["low_speed"]
        rates = (
            _limited(rate1, q1, speed_E, low, p["greatest_slip"]),
            _limited(rate2, q2, speed_P, low, p["greatest_lateral_slip"]),
        )
        return SlipState(q1, atan(q2), rates)  # (3.24), (3.25)


_AGAINST_SLIDING = (
    f"the slip that lags is more than {HELD_SLIP:g} while the wheel slides the other way by as "
    "much, where its forces drive the sliding and make energy; take slip: {type: carcass, ...}, "
    "which does not"
)


def _against_sliding(rolling: Rolling, q1: Any, q2: Any) -> Value:
    """Above 0 where lagged slip and slip by definition are both large, of opposite signs."""
    along = maximum(absolute(rolling.rolling_speed_E), LEAST_ROLLING)
    across = maximum(absolute(rolling.rolling_speed_P), LEAST_ROLLING)
    pairs = ((q1, -rolling.sliding_speed / along), (q2, rolling.lateral_speed / across))
    excess = [
        minimum(minimum(absolute(q), absolute(slip)) - HELD_SLIP, -q * slip) for q, slip in pairs
    ]
    return maximum(*excess)


def _limited(rate: Expr, q: Expr, speed: Expr, low_speed: Any, greatest: Any) -> Value:
    """A slip that is large stops growing while the wheel hardly rolls (figure 3.5)."""
    if as_expr(low_speed).is_zero:
        return rate
    growing = logical_and(absolute(q) > greatest, rate * q > 0.0)
    return where(logical_and(speed < low_speed, growing), 0.0, rate)


@dataclass(frozen=True)
class ConstantLag(LaggedSlip):
    """Relaxation lengths that do not change.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.slip import Rolling
    >>> lag = at.ConstantLag(longitudinal_length=0.2, lateral_length=0.5)  # m
    >>> moving = Rolling(-2.0, 1.0, 20.0, 20.0, 4000.0, 0.0)  # V_Ex, V_Py, V*_Ex, V*_Px, Fz, gamma
    >>> [float(rate) for rate in lag.slip(moving, (0.0, 0.0), lag.numbers).rates]  # 1/s
    [10.0, 2.0]
    """

    summary: ClassVar[str] = "lagged over constant relaxation lengths"

    longitudinal_length: float = positive("m", "B_long, relaxation length")
    lateral_length: float = positive("m", "B_lat, relaxation length")
    low_speed: float = parameter(
        "m/s", "speed below which slip is limited; 0 for never", default=2.5, lower=0.0
    )
    greatest_slip: float = parameter("1", "longitudinal slip kept at low speed", default=1.0)
    greatest_lateral_slip: float = parameter("1", "lateral slip kept at low speed", default=1.0)

    def lengths(self, rolling: Rolling, p: Any) -> tuple[Any, Any]:
        return p["longitudinal_length"], p["lateral_length"]


@dataclass(frozen=True)
class LawLag(LaggedSlip):
    """Relaxation lengths as the law has them: those of a property file of the Magic Formula.

    Example:
    >>> import axletree as at
    >>> lag = at.LawLag()
    >>> lag.takes_lengths, lag.shortest_length  # m
    (True, 0.02)
    """

    summary: ClassVar[str] = "lagged over the relaxation lengths of the law"
    takes_lengths: ClassVar[bool] = True

    shortest_length: float = positive(
        "m", "length at low load, below which none falls", default=0.02
    )
    low_speed: float = field_of(ConstantLag, "low_speed")
    greatest_slip: float = parameter("1", "longitudinal slip kept at low speed", default=1.0)
    greatest_lateral_slip: float = parameter("1", "lateral slip kept at low speed", default=1.0)

    def lengths(self, rolling: Rolling, p: Any) -> tuple[Any, Any]:
        given = (rolling.longitudinal_length, rolling.lateral_length)
        along, across = (maximum(length, p["shortest_length"]) for length in given)
        return along, across


@dataclass(frozen=True)
class StretchedString(LaggedSlip):
    """Relaxation lengths that follow the load (Morency 2007, 3.26 to 3.28).

    In (3.28) as printed a factor Fz0 stands before the sine, which would make a moment of
    a length; it is left out here. The sign of PTx3 in (3.27) is as printed.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.slip import Rolling
    >>> string = at.StretchedString(4000.0, 0.3, 2.0, 0.0, 0.0, 1.5, 1.0, 0.0)
    >>> loaded = Rolling(0.0, 0.0, 20.0, 20.0, 4000.0, 0.0)
    >>> [round(float(length), 6) for length in string.lengths(loaded, string.numbers)]  # m
    [0.6, 0.45]
    """

    summary: ClassVar[str] = "lagged over lengths that follow load and inclination"

    Fz0: float = positive("N", "nominal load")
    R0: float = positive("m", "unloaded radius")
    PTx1: float = parameter("1", "longitudinal length at nominal load over radius")
    PTx2: float = parameter("1", "its variation with load")
    PTx3: float = parameter("1", "its exponential variation with load")
    PTy1: float = parameter("1", "peak of the lateral length over radius")
    PTy2: float = positive("1", "load at that peak over nominal load")
    PKy3: float = parameter("1", "variation of the lateral length with inclination")
    LSkappa: float = parameter("1", "scale of the longitudinal length", default=1.0)
    LSalpha: float = parameter("1", "scale of the lateral length", default=1.0)
    LFz0: float = parameter("1", "scale of the nominal load", default=1.0)
    low_speed: float = field_of(ConstantLag, "low_speed")
    greatest_slip: float = parameter("1", "longitudinal slip kept at low speed", default=1.0)
    greatest_lateral_slip: float = parameter("1", "lateral slip kept at low speed", default=1.0)

    def lengths(self, rolling: Rolling, p: Any) -> tuple[Any, Any]:
        load = maximum(rolling.normal_load, _LEAST_LOAD * p["Fz0"]) / p["Fz0"]
        # (3.27) with dFz = load - 1 (3.26) put in: what is constant stands by itself.
        growth = (p["PTx1"] - p["PTx2"]) + p["PTx2"] * load
        scale = p["LSkappa"] * p["R0"] * exp(-p["PTx3"])
        along = scale * load * growth * exp(p["PTx3"] * load)
        peak = p["PTy1"] * p["R0"] * p["LFz0"] * p["LSalpha"]
        ratio = load / (p["PTy2"] * p["LFz0"])
        leaning = 1.0 - p["PKy3"] * absolute(rolling.inclination)
        # sin(2 atan(x)) = 2 / (x + 1/x): the same, without the functions.
        across = (2.0 * peak) * leaning / (ratio + 1.0 / ratio)  # (3.28)
        return along, across


SLOWEST_ROLLING = 1e-9  # rolling speed over forward speed; a slower wheel counts as locked


def theoretical_slip(contact: Contact) -> tuple[Value, Value]:
    """The sliding velocity, reversed, over the speed of rolling |Omega R|, ISO W axes.

    Pacejka 2012, section 3.2.3: sigma_x = S / (1 + S), sigma_y = -tan(alpha) / (1 + S).
    S counts sliding over the forward speed without its sign (Morency 2007, eq. 3.20), so
    that rolling over forward speed is 1 + S forwards and 1 - S in reverse. Between the
    two, at a forward speed of 0, the slip is S itself. A wheel that is about to lock keeps
    the direction of its sliding, at a large finite size.
    """
    S = contact.longitudinal_slip
    rolling = absolute(1.0 + heading(contact) * S)
    speed = maximum(rolling, SLOWEST_ROLLING)
    return S / speed, -tan(contact.slip_angle) / speed


SLOW_TRAVEL = 0.1  # m/s
SLOW_SPIN = 0.1  # rad/s
# Of slips [1], sliding speeds [m/s] and lengths [m]: below it they have no direction, and the root
# of a sum of squares would have no slope.
SMALLEST_SQUARE = 1e-24


def direction(speed: Value, slow: float) -> Value:
    """-1 or 1, in proportion to the speed below ``slow``: a sign that an integrator can pass."""
    return speed / maximum(absolute(speed), slow)


def heading(contact: Contact) -> Value:
    """From 1, forwards, to -1, backwards: the sign of what has a front and a back, the trail.

    Half a turn about the normal takes a tyre that rolls backwards to one that rolls forwards: slip,
    slip angle and inclination change their signs, and a moment about the normal does not. At rest
    there is no trail.

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.slip import heading
    >>> [heading(at.Contact(4000.0, 0.0, 0.0, forward_speed=v)) for v in (20.0, 0.0, -3.0)]  # m/s
    [1.0, 0.0, -1.0]
    """
    return direction(contact.forward_speed, SLOW_TRAVEL)


# The effective rolling radius, by three methods. Equation numbers are those of Morency 2007.


class RollingRadius(Part, ABC):
    """A method for the radius at which a free wheel rolls."""

    @abstractmethod
    def radius(self, unloaded: Value, loaded: Value, p: Any) -> Value:
        """R_eff [m] from the unloaded and the loaded radius [m] and parameters by name.

        Example:
        >>> import axletree as at
        >>> rolling = at.SaturatingRadius(nominal_deflection=0.02, B=8.4, D=0.27, F=0.07)
        >>> [round(float(rolling.radius(0.31, R, rolling.numbers)), 4) for R in (0.31, 0.30, 0.28)]
        [0.31, 0.3021, 0.2998]
        """


@dataclass(frozen=True)
class LoadedRadius(RollingRadius):
    """R_eff is the loaded radius.

    Example:
    >>> import axletree as at
    >>> at.LoadedRadius().radius(0.31, 0.29, {})  # m
    0.29
    """

    summary: ClassVar[str] = "the loaded radius"

    def radius(self, unloaded: Value, loaded: Value, p: Any) -> Value:
        return loaded


@dataclass(frozen=True)
class UnloadedRadius(RollingRadius):
    """R_eff is the unloaded radius.

    Example:
    >>> import axletree as at
    >>> at.UnloadedRadius().radius(0.31, 0.29, {})  # m
    0.31
    """

    summary: ClassVar[str] = "the unloaded radius"

    def radius(self, unloaded: Value, loaded: Value, p: Any) -> Value:
        return unloaded


@dataclass(frozen=True)
class SaturatingRadius(RollingRadius):
    """R_eff falls with load and levels off (3.12, 3.13).

    Example:
    >>> import axletree as at
    >>> rolling = at.SaturatingRadius(nominal_deflection=0.02, B=8.4, D=0.27, F=0.07)
    >>> print(f"{float(rolling.radius(0.31, 0.29, rolling.numbers)):.4f} m")
    0.3008 m
    """

    summary: ClassVar[str] = "falls with load and levels off (Adams and Pacejka)"

    nominal_deflection: float = positive("m", "deflection at the nominal load")
    B: float = parameter("1", "how fast the radius falls at low load", lower=0.0)
    D: float = parameter("1", "how far it falls", lower=0.0)
    F: float = parameter("1", "how fast it falls at high load", lower=0.0)

    def radius(self, unloaded: Value, loaded: Value, p: Any) -> Value:
        rho, nominal = unloaded - loaded, p["nominal_deflection"]  # (3.12)
        return unloaded - (nominal * p["D"] * atan(p["B"] / nominal * rho) + p["F"] * rho)
