"""The engine: torque by a map over speed, a throttle and a governor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr, absolute, maximum, minimum
from axletree.core.expr.expression import ONE, ZERO
from axletree.library.contract import Component, Computed, Instant, JointLoad, Response
from axletree.library.curve import Curve, curve
from axletree.library.engine_map import held, map_problems
from axletree.library.fields import parameter
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.signal import Signal, signal


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
        torque = fuel * held(self.full_load, speed) - (ONE - fuel) * self._dragging(speed)
        return Response(
            joint_loads=(JointLoad(self.measured_joints()[0], torque),),
            outputs=(
                *self.signal_outputs(),
                Computed("torque", "N*m", "torque on the crankshaft", torque),
                Computed("power", "W", "power of the torque", torque * speed),
                Computed("speed", "rad/s", "speed of the crankshaft in the block", speed),
                Computed("fuel", "1", "share of the fuel that burns", fuel),
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
        size = held(self.drag, absolute(speed))
        against: Expr = size * maximum(minimum(speed / self.symbol("slow_rate"), 1.0), -1.0)
        return against


def _within_one(share: Expr) -> Expr:
    within: Expr = maximum(minimum(share, 1.0), 0.0)
    return within
