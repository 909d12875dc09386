"""How a path is driven: its pace, by limits of acceleration, and the driver who follows it.

The driver is part of the equations, as everything else is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from axletree.components.contract import BetweenFrames, Instant, NamedOutput, Response
from axletree.components.edges import Edge, Variable
from axletree.components.fields import Part, fixed_number, parameter, part, positive
from axletree.components.frames import Frame, frame
from axletree.components.signals import (
    Constant,
    Curve,
    Signal,
    curve,
    signal,
    table_through,
)
from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.expr import (
    Beyond,
    Expr,
    Value,
    atan,
    cos,
    interpolate,
    maximum,
    minimum,
    sin,
    sqrt,
    where,
)
from axletree.expr.quantity import Quantity, Role
from axletree.ground.paths import Path

_SLOWEST = 1.0  # m/s, below which looking ahead does not get shorter
CATCHING_UP = 5.0  # 1/s, by which the station comes to the foot of the normal
NEAREST = 0.2  # of the radius; the foot of the normal is not unique at the centre
_STEEPEST = 0.5  # of the way ahead; from farther off the line is approached at some 30 degrees

_STATES = (
    Variable("station", "m", "station: distance along the path"),
    Variable("steering", "rad", "angle of the steering wheel, left if positive"),
    Variable("steering_rate", "rad/s", "rate of the steering"),
    Variable("steering_acceleration", "rad/s^2", "second derivative of the steering"),
    Variable("throttle", "1", "position of the accelerator, from 0 to 1"),
    Variable("brake", "1", "position of the brake pedal, from 0 to 1"),
    Variable("effort", "1", "what keeps the speed: throttle, or brake if negative"),
)
_MOTION = {"steering_rate": "steering", "steering_acceleration": "steering_rate"}


@dataclass(frozen=True)
class _Beside:
    """Where a head is beside its path: at the foot of the normal, left if positive."""

    along: Expr  # [m] beyond the foot, which the station forgets
    offset: Expr  # [m]
    forward: Expr  # [m/s] along the path
    sideways: Expr  # [m/s] away from it
    speed: Expr  # [m/s]


@dataclass(frozen=True, eq=False)
class PathDriver(BetweenFrames):
    """Steering wheel and pedals in the hands of a driver, in place of driver controls.

    Other components follow ``driver.steering``, ``driver.throttle`` and ``driver.brake``, which
    are states here. With v the speed, e the offset to the left of the path, c the angle of the
    velocity to the left of it and k its curvature, the driver wants the curvature

        K = k - 2 / L^2 (e + L sin c),    L = v look_ahead,

    of which the first part is anticipation and the second compensation (Donges 1978); on its own
    the second brings a point back to a straight line with a damping ratio of 0.71. Anticipation
    makes up for the lags of hands and vehicle (``path_anticipation``). Hands turn the wheel to
    ``ratio (atan(wheelbase K) + (understeer + growth) v^2 K)`` by a lag and an oscillator. Speed is
    kept by a proportional and integral controller whose integral goes back where a pedal is at its
    end. ``speeds`` are not exceeded, here and ``braking_ahead``. From the path's ``release`` on the
    pedals are left alone. What the driver does not use is an input. Of the angle that is wanted the
    hands turn the wheel by what ``hands_off`` leaves: by nothing where a controller steers.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> car = model.add(at.RigidBody("car", mass=1500.0))
    >>> numbers = {"speed": "72 km/h", "wheelbase": 2.7, "ratio": 16}
    >>> driver = at.PathDriver("driver", model.ground, car, at.StraightPath(), **numbers)
    >>> driver.speed, driver.look_ahead * driver.speed  # m/s; m ahead
    (20.0, 20.0)
    """

    summary: ClassVar[str] = "follows a path with preview and keeps a speed"

    ground: Frame = frame("frame that the path lies in, z up")
    head: Frame = frame("frame of the vehicle that is led along the path")
    path: Path = part("PATHS", "line to follow")
    speed: float = positive("m/s", "speed to keep")
    wheelbase: float = positive("m", "wheelbase as the driver knows it")
    ratio: float = parameter("1", "steering wheel angle over road wheel angle")
    understeer: float = parameter(
        "s^2*rad/m",
        "understeer gradient: further road wheel angle per lateral acceleration",
        default=0.0,
        lower=0.0,
    )
    rear: float = parameter("m", "distance of the rear axle behind the head", default=0.0)
    tyre_lag: float = parameter(
        "m", "relaxation length of the lateral tyre forces", default=0.0, lower=0.0
    )
    response: float = parameter(
        "s^2/m", "lag of the vehicle by speed, as long as this is low", default=0.0, lower=0.0
    )
    keenness: float = parameter(
        "s^4/m^2", "loss of quick turns, by speed and frequency squared", default=0.0, lower=0.0
    )
    softening: Curve | None = curve(
        "m/s^2", "1", "slip angles over those of stiff tyres, by lateral acceleration", default=None
    )
    growth: Curve | None = curve(
        "m/s^2", "s^2*rad/m", "what adds to understeer, by lateral acceleration", default=None
    )
    hardest: float = positive("m/s^2", "maximum lateral acceleration expected", default=8.0)
    look_ahead: float = positive("s", "preview time to the target point", default=1.0)
    reaction: float = positive("s", "lag of the driver's hands", default=0.05)
    hand_rate: float = positive("rad/s", "natural frequency of arms and wheel", default=25.0)
    hand_damping: float = parameter("1", "damping ratio of them", default=0.7, lower=0.0)
    lock: float = positive("rad", "maximum steering wheel angle", default=8.0)
    gain: float = positive("s/m", "pedal by error of speed", default=0.3)
    reset: float = positive(
        "s", "time in which the integral comes up to the proportional part", default=3.0
    )
    foot: float = positive("s", "lag of the driver's foot", default=0.1)
    speeds: Curve | None = curve(
        "m", "m/s", "speed over station, where that is lower than the speed to keep", default=None
    )
    braking_ahead: float = parameter(
        "s", "preview time of lower speeds to brake for", default=0.4, lower=0.0
    )
    clutch: Signal = signal("1", "position of the clutch pedal, from 0 to 1")
    brake_pressure: Signal = signal("Pa", "pressure in the brake lines beside that of the pedal")
    correction: Signal = signal("1/m", "curvature that the driver has learnt to add")
    hands_off: Signal = signal(
        "1", "share of the steering that is left to a controller", default=Constant(0.0)
    )

    def problems(self) -> list[str]:
        return [] if self.ratio else ["ratio must not be zero"]

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def states(self) -> tuple[Variable, ...]:
        return _STATES

    def followed(self) -> tuple[Quantity, ...]:
        in_hand = (
            Quantity(
                f"{self.name}.{v.suffix}", v.unit, v.description, Role.STATE,
                derivative_of=f"{self.name}.{_MOTION[v.suffix]}" if v.suffix in _MOTION else "",
            )
            for v in _STATES[1:6]
        )  # fmt: skip
        return (*in_hand, *self.inputs())

    def inputs(self) -> tuple[Quantity, ...]:
        """With bounds of the share that is left to others."""
        left = f"{self.name}.hands_off"
        return tuple(
            replace(one, lower=0.0, upper=1.0) if one.name == left else one
            for one in super().inputs()
        )

    def respond(self, now: Instant) -> Response:
        station, steering, rate, acceleration, throttle, brake, effort = now.states
        beside = self._beside(now, station)
        bend = interpolate(self.path.line.curvatures, station)
        wanted = self._wanted_angle(station, beside) * (1.0 - self.signal("hands_off"))
        error = self._wanted_speed(station, beside) - beside.forward
        pedal = self.symbol("gain") * error + effort
        most = self._pressed(pedal, station)
        foot, w, lag = self.symbol("foot"), self.symbol("hand_rate"), self.symbol("reaction")
        damping = 2.0 * self.symbol("hand_damping") * w
        # (1 + lag d/dt) (w^2 + damping d/dt + d2/dt2) steering = w^2 wanted
        jerk = (w * w * (wanted - steering - lag * rate) - damping * (rate + lag * acceleration)
                - acceleration) / lag  # fmt: skip
        slope = self.symbol("gain") / self.symbol("reset")
        rates = (
            (beside.forward + CATCHING_UP * beside.along)
            / maximum(1.0 - bend * beside.offset, NEAREST),
            rate,
            acceleration,
            jerk,
            (maximum(most, 0.0) - throttle) / foot,
            (maximum(-most, 0.0) - brake) / foot,
            slope * error + (most - pedal) / foot,
        )
        outputs = (*self.signal_outputs(), *self._outputs(beside, wanted, error, bend))
        return Response(rates=rates, outputs=outputs)

    def _outputs(
        self, beside: _Beside, wanted: Expr, error: Expr, bend: Expr
    ) -> tuple[NamedOutput, ...]:
        return (
            NamedOutput("offset", "m", "of the head from the path, to the left", beside.offset),
            NamedOutput("wanted_steering", "rad", "angle that the hands turn to", wanted),
            NamedOutput("speed_error", "m/s", "what the speed along the path lacks", error),
            NamedOutput("curvature", "1/m", "that of the path beside the head", bend),
        )

    def _beside(self, now: Instant, station: Expr) -> _Beside:
        motion, line = now.motions[0], self.path.line
        places = (interpolate(table, station) for table in line.places)
        heading = interpolate(line.headings, station)
        cosine, sine = cos(heading), sin(heading)
        x, y = (here - there for here, there in zip(motion.displacement, places, strict=False))
        vx, vy, _ = motion.velocity
        return _Beside(
            along=x * cosine + y * sine,
            offset=y * cosine - x * sine,
            forward=vx * cosine + vy * sine,
            sideways=vy * cosine - vx * sine,
            speed=sqrt(maximum(vx * vx + vy * vy, _SLOWEST * _SLOWEST)),
        )

    def _wanted_speed(self, station: Expr, beside: _Beside) -> Value:
        """[m/s]"""
        kept: Expr = self.symbol("speed")
        if self.speeds is None:
            return kept
        x, y = self.speeds.x, self.speeds.y
        table = table_through(x, y, self.speeds.kind, Beyond.VALUE_HELD)
        ahead = station + beside.speed * self.symbol("braking_ahead")
        here, there = interpolate(table, station), interpolate(table, ahead)
        return minimum(minimum(here, there), kept)

    def _pressed(self, pedal: Expr, station: Expr) -> Value:
        """The targets of the pedals: within their travel, and zero once they are released."""
        within, release = _between(pedal, -1.0, 1.0), self.path.release
        return within if release is None else where(station < release, within, 0.0)

    def _wanted_angle(self, station: Expr, beside: _Beside) -> Value:
        """Of the steering wheel [rad]."""
        v = beside.speed
        ahead = v * self.symbol("look_ahead")
        away = _between(beside.offset / ahead, -_STEEPEST, _STEEPEST) + beside.sideways / v
        bend = curvature_ahead(self, station, v) - 2.0 / ahead * away + self.signal("correction")
        slips = self.symbol("understeer") + at_level(self, self.growth, v, 0.0)
        wheels = atan(self.symbol("wheelbase") * bend) + slips * v * v * bend
        lock = self.symbol("lock")
        return _between(self.symbol("ratio") * wheels, -lock, lock)


def _between(value: Expr, lower: Expr | float, upper: Expr | float) -> Value:
    return maximum(minimum(value, upper), lower)


# What a driver makes of a curve that comes, so that the vehicle is in it at the right time.
#
# Hands and vehicle answer a curve that comes at a frequency w late, by a time T, and less, by a
# factor 1 / (1 + c w^2). So the driver looks ahead by T and sees the curvature
#
#     k = k(T) + c / h^2 (2 k(T) - k(T - h) - k(T + h)),    h^2 = max(-2 c, (0.12 s)^2),
#     T = reaction + 2 hand_damping / hand_rate + S (response v / U + tyre_lag / v) - rear / v,
#     c = keenness v^2 / U - (rear / v)^2 / 2
#         + (reaction^2 + (4 hand_damping^2 - 2) / hand_rate^2) / 2,
#     U = 1 + understeer v^2 / wheelbase,
#
# for a slow vehicle turns about its rear axle, so that c is negative and what comes is smoothed,
# and
# a fast one swings. S is the softening of tyres:
# slip angles over those of stiff tyres, at 1 / sqrt(2) of the greatest lateral acceleration that
# the
# path asks for at the speed.

_BESIDE = 0.12  # s, at least, between places of a curve by which its change is seen


def curvature_ahead(driver: PathDriver, station: Expr, v: Expr) -> Value:
    """k [1/m] as it is seen at a station [m] and a speed [m/s]."""
    stiffer = 1.0 + driver.symbol("understeer") * v * v / driver.symbol("wheelbase")
    z, w, lag = (driver.symbol(name) for name in ("hand_damping", "hand_rate", "reaction"))
    early = driver.symbol("rear") / v
    late = lag + 2.0 * z / w - early
    late += at_level(driver, driver.softening, v, 1.0) * (
        driver.symbol("response") * v / stiffer + driver.symbol("tyre_lag") / v
    )
    less = driver.symbol("keenness") * v * v / stiffer
    less += 0.5 * (lag * lag + (4.0 * z * z - 2.0) / (w * w) - early * early)
    square = maximum(-2.0 * less, _BESIDE * _BESIDE)  # so that no place counts less than nothing
    apart = sqrt(square)
    curvatures = driver.path.line.curvatures
    before, there, after = (
        interpolate(curvatures, station + v * (late + k * apart)) for k in (-1.0, 0.0, 1.0)
    )
    return there + less / square * (2.0 * there - before - after)


def at_level(driver: PathDriver, points: Curve | None, v: Expr, missing: float) -> Expr | float:
    """A curve over lateral acceleration, where it counts for the path at a speed [m/s]."""
    if points is None:
        return missing
    table = table_through(points.x, points.y, points.kind, Beyond.VALUE_HELD)
    peak = float(np.abs(driver.path.line.curvature).max())
    level = minimum(v * v * peak, driver.symbol("hardest")) / math.sqrt(2.0)
    found: Expr = interpolate(table, level)
    return found


@dataclass(frozen=True)
class Pace(Part):
    """The fastest that limits of acceleration allow, as if every place were steady.

    Lateral acceleration v^2 k is at most ``lateral``. Along the path it is at most ``driving`` and
    at least -``braking`` where it is straight, and in a curve what an ellipse leaves:
    sqrt(1 - (v^2 k / lateral)^2) of that. With a ``share`` the limits are at most this share of
    what the vehicle itself holds at each speed, and may be left out.

    Example:
    >>> import numpy as np
    >>> from axletree.ground.path_driver import Pace
    >>> pace = Pace(lateral=8.0, driving=3.0, braking=9.0)  # m/s^2
    >>> pace.speeds(np.array([0.0, 1.0]), np.array([0.02, 0.02])).tolist()  # sqrt(8 / 0.02) m/s
    [20.0, 20.0]
    """

    summary: ClassVar[str] = "speeds along a path by limits of acceleration"

    lateral: float = fixed_number(
        "m/s^2", "maximum lateral acceleration; 0: a share", default=0.0, lower=0.0
    )
    driving: float = fixed_number(
        "m/s^2", "maximum acceleration; 0: a share", default=0.0, lower=0.0
    )
    braking: float = fixed_number(
        "m/s^2", "maximum deceleration; 0: a share", default=0.0, lower=0.0
    )
    share: float = fixed_number(
        "1", "share of what the vehicle holds by tyres, drive and brakes; 0: limits as given",
        default=0.0, lower=0.0, upper=1.0,
    )  # fmt: skip
    top: float = fixed_number("m/s", "maximum speed", default=60.0, lower=0.0, above=True)
    start: float = fixed_number(
        "m/s", "maximum speed at the first station; 0: what the limits allow", default=0.0,
        lower=0.0,
    )  # fmt: skip

    def problems(self) -> list[str]:
        limits = ("lateral", "driving", "braking")
        absent = [name for name in limits if not getattr(self, name)]
        if self.share or not absent:
            return []
        return [
            f"no {' and no '.join(absent)}; give limits in m/s^2, or a share of what the vehicle "
            "holds, such as share: 0.6"
        ]

    def speeds(
        self,
        station: FloatArray,
        curvature: FloatArray,
        first: float | None = None,
        last: float | None = None,
    ) -> FloatArray:
        """[m/s] at stations [m] of a line with curvatures [1/m]; at most ``first``, or else
        ``start``, at its beginning and ``last`` at its end. There is one pass forwards and one
        backwards.

        Example:
        >>> import numpy as np
        >>> from axletree.ground.path_driver import Pace
        >>> pace = Pace(lateral=8.0, driving=4.0, braking=9.0)  # m/s^2
        >>> pace.speeds(np.array([0.0, 50.0]), np.zeros(2), first=0.0).tolist()  # sqrt(2 * 4 * 50)
        [0.0, 20.0]
        """
        bend = np.abs(curvature)
        first = self.start or None if first is None else first
        squares = np.minimum(self._corner_squares(np.maximum(bend, 1e-9)), self.top**2)
        for place, speed in ((0, first), (-1, last)):
            if speed is not None:
                squares[place] = min(squares[place], speed * speed)
        steps = np.diff(station)
        for k in range(len(steps)):
            driving, _ = self._along(squares[k], bend[k])
            squares[k + 1] = min(squares[k + 1], squares[k] + 2.0 * steps[k] * driving)
        for k in reversed(range(len(steps))):
            _, braking = self._along(squares[k + 1], bend[k + 1])
            squares[k] = min(squares[k], squares[k + 1] + 2.0 * steps[k] * braking)
        return np.asarray(np.sqrt(squares))

    @property
    def hardest(self) -> float:
        """The maximum lateral acceleration at any speed [m/s^2]."""
        return self._own_limits()[0]

    def _corner_squares(self, bend: FloatArray) -> FloatArray:
        """Squares of the speeds [m^2/s^2] that curvatures [1/m] above 0 allow."""
        return self._own_limits()[0] / bend

    def _along(self, square: float, bend: float) -> tuple[float, float]:
        """Driving and braking [m/s^2] at the square of a speed [m^2/s^2] on a curvature [1/m]."""
        lateral, driving, braking = self._own_limits()
        used = square * bend / lateral
        left = float(np.sqrt(max(1.0 - used * used, 0.0)))
        return driving * left, braking * left

    def _own_limits(self) -> tuple[float, float, float]:
        if self.share:
            raise ModelError(
                f"pace: a share of {self.share:g} of what a vehicle holds, and no vehicle is "
                "known; take vehicles.performance_limits.own_pace(pace, vehicle), or limits in "
                "m/s^2"
            )
        return self.lateral, self.driving, self.braking


def time_along(station: FloatArray, speeds: FloatArray) -> FloatArray:
    """[s] from the first station on, with even gains of speed between two stations."""
    steps = 2.0 * np.diff(station) / (speeds[1:] + speeds[:-1])
    return np.concatenate([[0.0], np.cumsum(steps)])
