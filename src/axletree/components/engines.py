"""Combustion engines by maps of torque over speed, with fuel and without: as a source of power of a
drive, and as a component of its own on its crankshaft.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.components.contract import Component, Instant, JointLoad, NamedOutput, Response
from axletree.components.fields import field_of, parameter, part, positive, within
from axletree.components.fuel_maps import FuelMap
from axletree.components.joints import OnJoints, turning_joint
from axletree.components.power_sources import (
    PowerSource,
    ShaftInstant,
    ShaftResponse,
    throttle_opening,
    within_one,
)
from axletree.components.signals import Curve, Signal, curve, signal, table_through
from axletree.expr import (
    ONE,
    ZERO,
    Beyond,
    Expr,
    Value,
    absolute,
    as_expr,
    interpolate,
    maximum,
    minimum,
    number,
)


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
    cut_off: float = positive("rad/s", "speed at which there is no more fuel")
    droop: float = positive("rad/s", "range of speed over which fuel is cut off", default=20.0)
    drag: Curve | None = curve(
        "rad/s", "N*m", "torque against the turning over speed, without fuel", default=None
    )
    fuel: FuelMap | None = part("FUEL_MAPS", "what it burns; left out: not known", default=None)

    def problems(self) -> list[str]:
        found = map_problems(self.full_load, self.drag, "the clutch slips")
        if self.cut_off <= self.full_load.x[0]:
            found.append(
                f"cut_off {self.cut_off:g} rad/s is not above {self.full_load.x[0]:g} rad/s, the "
                "first speed of full_load"
            )
        return found

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Value:
        lowest = self.full_load.x[0]
        turning = maximum(speed, lowest)
        fuel = self._fuel(throttle, speed, p)
        drag = ZERO
        if self.drag is not None:
            drag = torque_at(self.drag, turning) * within_one(speed / lowest)
        return fuel * torque_at(self.full_load, turning) - (ONE - fuel) * drag

    def _fuel(self, throttle: Expr, speed: Expr, p: Any) -> Value:
        """The share s."""
        return throttle_opening(throttle) * within_one((p["cut_off"] - speed) / p["droop"])

    def turned(self, now: ShaftInstant, p: Any) -> ShaftResponse:
        """With what it burns: below its first speed, and with the clutch pedal down, it idles at
        that speed, against its own drag; with the throttle closed above it burns nothing."""
        found = super().turned(now, p)
        if self.fuel is None:
            return found
        lowest, own = number(self.full_load.x[0]), within(p, "fuel")
        turning = maximum(now.speed, lowest)
        share = within_one(self._fuel(now.throttle, now.speed, p))
        drag = torque_at(self.drag, as_expr(turning)) if self.drag is not None else ZERO
        idling = torque_at(self.drag, lowest) if self.drag is not None else ZERO
        whole = share * (torque_at(self.full_load, as_expr(turning)) + drag)
        least = idling * (ONE - within_one(now.speed / lowest))
        burned = maximum(whole, least)
        driving = self.fuel.rate(burned, burned - drag, turning, own)
        driving = driving * within_one(burned / (0.02 * max(self.full_load.y)))  # none cut off
        idle = self.fuel.rate(idling, ZERO, lowest, own)
        rate = as_expr(now.engaged * driving + (ONE - now.engaged) * idle)
        outputs = (
            NamedOutput("fuel_rate", "kg/s", "fuel that burns", rate),
            NamedOutput("fuel_power", "W", "heat of that fuel", rate * own["heating_value"]),
        )
        return replace(found, outputs=outputs)


@dataclass(frozen=True, eq=False)
class Engine(OnJoints):
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

    joint: Component = turning_joint("joint of the crankshaft, from engine block to crankshaft")
    full_load: Curve = curve("rad/s", "N*m", "torque over speed at full throttle")
    cut_off: float = positive("rad/s", "speed at which there is no more fuel")
    droop: float = positive("rad/s", "range of speed over which the governor opens or closes")
    drag: Curve | None = field_of(CombustionEngine, "drag")
    throttle: Signal = signal("1", "throttle from 0, closed, to 1")
    idle_rate: float = parameter(
        "rad/s", "speed at which the governor gives all fuel; 0 for none", default=0.0, lower=0.0
    )
    slow_rate: float = positive(
        "rad/s", "speed below which drag is in proportion to it", default=1.0
    )
    consumption: FuelMap | None = field_of(CombustionEngine, "fuel")

    def problems(self) -> list[str]:
        below = "fuel burns in proportion to the speed"
        found = map_problems(self.full_load, self.drag, below)
        if self.idle_rate > self.cut_off:
            found.append(f"idle_rate {self.idle_rate:g} rad/s is above cut_off {self.cut_off:g}")
        return found

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
                *self._burning(fuel, speed),
            ),
        )

    def _burning(self, fuel: Expr, speed: Expr) -> tuple[NamedOutput, ...]:
        """What it burns, if that is known."""
        if self.consumption is None:
            return ()
        p, forward = self.numbers_of("consumption"), maximum(speed, 0.0)
        drag = torque_at(self.drag, as_expr(forward)) if self.drag is not None else ZERO
        burned = fuel * (torque_at(self.full_load, as_expr(forward)) + drag)
        found = self.consumption.rate(burned, burned - drag, forward, p)
        rate = as_expr(found * within_one(burned / (0.02 * max(self.full_load.y))))
        return (
            NamedOutput("fuel_rate", "kg/s", "fuel that burns", rate),
            NamedOutput("fuel_power", "W", "heat of that fuel", rate * p["heating_value"]),
        )

    def _fuel(self, speed: Expr) -> Value:
        droop = self.symbol("droop")
        fuel = within_one(self.signal("throttle"))
        if self.idle_rate:
            short = (self.symbol("idle_rate") + droop - speed) / droop
            fuel = maximum(fuel, within_one(short))
        fuel = minimum(fuel, within_one((self.symbol("cut_off") - speed) / droop))
        return fuel * within_one(speed / self.full_load.x[0])

    def _dragging(self, speed: Expr) -> Value:
        if self.drag is None:
            return ZERO
        size = torque_at(self.drag, absolute(speed))
        return size * maximum(minimum(speed / self.symbol("slow_rate"), 1.0), -1.0)


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
