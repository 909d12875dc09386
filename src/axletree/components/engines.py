"""Engines and motors: the contract of power sources, its members, and the engine as a component.

A power source gives the torque of a shaft over its speed and a throttle. Maps of engines are torque
over speed with fuel and without.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.components.contract import Component
from axletree.components.curves import Curve, curve, table_through
from axletree.components.exchange import Instant, JointLoad, NamedOutput, Response
from axletree.components.fields import parameter
from axletree.components.joints import turn_of, turning_joint
from axletree.components.parts import Part
from axletree.components.signals import Signal, signal
from axletree.expr import ONE, ZERO, Beyond, Expr, absolute, interpolate, maximum, minimum


class PowerSource(Part, ABC):
    """Engine or motor without inertia: its torque is a function of speed and throttle.

    A throttle above 1 is as one of 1. One below 0 continues the line to 0 and brakes: a search for
    a steady motion that passes there finds its way back.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.components.fields import parameter
    >>> from axletree.components.engines import PowerSource, throttle_opening
    >>> @dataclass(frozen=True)
    ... class Series(PowerSource):
    ...     stall_torque: float = parameter("N*m", "torque at rest", lower=0.0)
    ...     half_speed: float = parameter("rad/s", "speed at half of it", lower=0.0, above=True)
    ...
    ...     def torque(self, throttle, speed, p):
    ...         return opened(throttle) * p["stall_torque"] / (1.0 + speed / p["half_speed"])
    >>> motor = Series("400 N*m", half_speed="50 rad/s")
    >>> float(motor.torque(1.0, 150.0, motor.numbers))  # N m
    100.0
    """

    @abstractmethod
    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        """[N m], driving if positive, from a throttle of 0 to 1 and the shaft's speed [rad/s];
        ``p`` has the parameters by name.

        Example:
        >>> from axletree.components.engines import ConstantTorque
        >>> motor = ConstantTorque("200 N*m")
        >>> [float(motor.torque(throttle, 80.0, motor.numbers)) for throttle in (0.25, 1.0, 1.2)]
        [50.0, 200.0, 200.0]
        """


def throttle_opening(throttle: Expr) -> Expr:
    """The throttle, at most 1."""
    most: Expr = minimum(throttle, 1.0)
    return most


def within_one(share: Expr) -> Expr:
    """A share, kept between 0 and 1."""
    kept: Expr = maximum(minimum(share, 1.0), 0.0)
    return kept


@dataclass(frozen=True)
class ConstantTorque(PowerSource):
    """A source without a map.

    Example:
    >>> from axletree.components.engines import ConstantTorque
    >>> source = ConstantTorque("200 N*m")
    >>> float(source.torque(0.5, 300.0, source.numbers))  # N m at half throttle and 300 rad/s
    100.0
    """

    summary: ClassVar[str] = "a torque in proportion to the throttle, at any speed"

    full_torque: float = parameter("N*m", "torque at full throttle", lower=0.0, above=True)

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        driving: Expr = p["full_torque"] * throttle_opening(throttle)
        return driving


@dataclass(frozen=True)
class CombustionEngine(PowerSource):
    """With s the share of the fuel that burns: ``s full_load(w) - (1 - s) drag(w)``.

    Fuel goes from ``cut_off - droop`` to ``cut_off`` from all to none. Below the first speed of
    ``full_load`` the clutch slips: the engine passes on the torque of that speed, and of its drag
    less and less, none at rest. Beyond the last point of a curve its torque is held.

    Example:
    >>> import axletree as at
    >>> from axletree.components.engines import CombustionEngine
    >>> engine = CombustionEngine(at.Curve((100.0, 600.0), (150.0, 150.0)), cut_off=650.0)
    >>> [float(engine.torque(1.0, speed, engine.numbers)) for speed in (300.0, 640.0)]  # N m
    [150.0, 75.0]
    """

    summary: ClassVar[str] = "a combustion engine by a map over speed; its clutch slips at rest"

    full_load: Curve = curve("rad/s", "N*m", "torque over speed at full throttle")
    cut_off: float = parameter(
        "rad/s", "speed at which there is no more fuel", lower=0.0, above=True
    )
    droop: float = parameter(
        "rad/s", "range of speed over which fuel is cut off", default=20.0, lower=0.0, above=True
    )
    drag: Curve | None = curve(
        "rad/s", "N*m", "torque against the turning over speed, without fuel", default=None
    )

    def problems(self) -> list[str]:
        found = map_problems(self.full_load, self.drag, "the clutch slips")
        if self.cut_off <= self.full_load.x[0]:
            found.append(
                f"cut_off {self.cut_off:g} rad/s is not above {self.full_load.x[0]:g} rad/s, the "
                "first speed of full_load"
            )
        return found

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        lowest = self.full_load.x[0]
        turning = maximum(speed, lowest)
        fuel = throttle_opening(throttle) * within_one((p["cut_off"] - speed) / p["droop"])
        drag = ZERO
        if self.drag is not None:
            drag = torque_at(self.drag, turning) * within_one(speed / lowest)
        return fuel * torque_at(self.full_load, turning) - (ONE - fuel) * drag


FADING = 0.02  # of the greatest speed: where regeneration fades towards rest


@dataclass(frozen=True)
class ElectricMotor(PowerSource):
    """``full_torque`` up to the speed at which it takes ``full_power``, and that power from there.

    The torque goes to nothing over the last tenth below ``cut_off``. With the pedal released it
    brakes by ``regeneration``, likewise within the power, and less and less towards rest.

    Example:
    >>> from axletree.components.engines import ElectricMotor
    >>> motor = ElectricMotor("300 N*m", full_power="90 kW", cut_off=1500.0)
    >>> [float(motor.torque(1.0, speed, motor.numbers)) for speed in (100.0, 600.0)]  # N m
    [300.0, 150.0]
    """

    summary: ClassVar[str] = "an electric motor: maximum torque, power and speed"

    full_torque: float = parameter("N*m", "maximum torque", lower=0.0, above=True)
    full_power: float = parameter("W", "maximum power", lower=0.0, above=True)
    cut_off: float = parameter("rad/s", "maximum speed", lower=0.0, above=True)
    regeneration: float = parameter(
        "N*m", "torque against the turning with the pedal released", default=0.0, lower=0.0
    )

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        pedal = throttle_opening(throttle)
        corner = p["full_power"] / p["full_torque"]
        within_power = corner / maximum(speed, corner)
        driving: Expr = pedal * p["full_torque"] * within_power
        driving = driving * within_one((p["cut_off"] - speed) / (0.1 * p["cut_off"]))
        slow = minimum(maximum(speed / (FADING * p["cut_off"]), 0.0), 1.0)
        braking: Expr = (ONE - pedal) * p["regeneration"] * within_power * slow
        return driving - braking


@dataclass(frozen=True, eq=False)
class Engine(Component):
    """A combustion engine on the joint of its crankshaft, which it drives towards positive angles.

    With s the share of the fuel that burns and w the speed, the torque is
    ``s full_load(w) - (1 - s) drag(w)``.

    1. s is the throttle, between 0 and 1.
    2. The governor opens it below ``idle_rate + droop``, in proportion to the speed and wholly at
       ``idle_rate``; and closes it from ``cut_off - droop`` on, wholly at ``cut_off``. Without an
       ``idle_rate`` nothing keeps the engine from stalling.
    3. Beyond the points of a curve the torque of its end is held. Below the first point of
       ``full_load`` fuel burns in proportion to the speed: none at rest, and none in an engine that
       is turned backward.
    4. Drag is against the turning either way, in proportion to the speed below ``slow_rate``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> crank = model.add(at.RigidBody("crank", mass=10.0, inertia=(0.2, 0.1, 0.1)))
    >>> shaft = model.add(at.Revolute("shaft", model.ground, crank, axis="x"))
    >>> torque = at.Curve((100.0, 600.0), (150.0, 150.0))  # rad/s, N m
    >>> engine = model.add(at.Engine("engine", shaft, torque, 650.0, 20.0, throttle=0.5))
    >>> rates = model.formulate().rhs({"shaft.angle": 0.0, "shaft.rate": 300.0})
    >>> print(f"{rates['shaft.rate']:.1f} rad/s^2")  # 0.5 * 150 / 0.2
    375.0 rad/s^2
    """

    summary: ClassVar[str] = "combustion engine: torque over speed, throttle and governor"

    name: str
    joint: Component = turning_joint("joint of the crankshaft, from engine block to crankshaft")
    full_load: Curve = curve("rad/s", "N*m", "torque over speed at full throttle")
    cut_off: float = parameter(
        "rad/s", "speed at which there is no more fuel", lower=0.0, above=True
    )
    droop: float = parameter(
        "rad/s", "range of speed over which the governor opens or closes", lower=0.0, above=True
    )
    drag: Curve | None = curve(
        "rad/s", "N*m", "torque against the turning over speed, without fuel", default=None
    )
    throttle: Signal = signal("1", "throttle from 0, closed, to 1")
    idle_rate: float = parameter(
        "rad/s", "speed at which the governor gives all fuel; 0 for none", default=0.0, lower=0.0
    )
    slow_rate: float = parameter(
        "rad/s", "speed below which drag is in proportion to it", default=1.0, lower=0.0, above=True
    )

    def problems(self) -> list[str]:
        below = "fuel burns in proportion to the speed"
        found = map_problems(self.full_load, self.drag, below)
        if self.idle_rate > self.cut_off:
            found.append(f"idle_rate {self.idle_rate:g} rad/s is above cut_off {self.cut_off:g}")
        return found

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        speed = now.travels[0].rate
        fuel = self._fuel(speed)
        torque = fuel * torque_at(self.full_load, speed) - (ONE - fuel) * self._dragging(speed)
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], torque),),
            outputs=(
                *self.signal_outputs(),
                NamedOutput("torque", "N*m", "torque on the crankshaft", torque),
                NamedOutput("power", "W", "power of the torque", torque * speed),
                NamedOutput("speed", "rad/s", "speed of the crankshaft in the block", speed),
                NamedOutput("fuel", "1", "share of the fuel that burns", fuel),
            ),
        )

    def _fuel(self, speed: Expr) -> Expr:
        droop = self.symbol("droop")
        fuel = _within_one(self.signal("throttle"))
        if self.idle_rate:
            short = (self.symbol("idle_rate") + droop - speed) / droop
            fuel = maximum(fuel, _within_one(short))
        fuel = minimum(fuel, _within_one((self.symbol("cut_off") - speed) / droop))
        burnt: Expr = fuel * _within_one(speed / self.full_load.x[0])
        return burnt

    def _dragging(self, speed: Expr) -> Expr:
        if self.drag is None:
            return ZERO
        size = torque_at(self.drag, absolute(speed))
        against: Expr = size * maximum(minimum(speed / self.symbol("slow_rate"), 1.0), -1.0)
        return against


def _within_one(share: Expr) -> Expr:
    within: Expr = maximum(minimum(share, 1.0), 0.0)
    return within


def torque_at(points: Curve, speed: Expr) -> Expr:
    """The torque [N m] of a curve at a speed [rad/s]; beyond its ends that of the ends."""
    return interpolate(table_through(points.x, points.y, points.kind, Beyond.VALUE_HELD), speed)


def map_problems(full_load: Curve, drag: Curve | None, below: str) -> list[str]:
    """What keeps curves from being those of an engine; ``below`` says what the first speed is."""
    found = []
    for name, points in (("full_load", full_load), ("drag", drag)):
        if points is not None and min(points.y) < 0.0:
            found.append(f"{name} has a torque of {min(points.y):g} N m; expected none below 0")
    if full_load.x[0] <= 0.0:
        found.append(
            f"full_load begins at {full_load.x[0]:g} rad/s; expected a first speed above 0, below "
            f"which {below}"
        )
    return found
