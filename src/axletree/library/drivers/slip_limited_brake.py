"""The slip-limited brake: one that gives way before its wheel locks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr, maximum, minimum
from axletree.core.expr.expression import ONE
from axletree.library.contract import Component, Computed, Instant, Response
from axletree.library.drivers.friction_brake import FRICTION, brake_friction
from axletree.library.edge import Edge
from axletree.library.exchange import reaction_symbol
from axletree.library.fields import parameter
from axletree.library.frame import Frame, frame
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.signal import Signal, signal


@dataclass(frozen=True, eq=False)
class SlipLimitedBrake(Component):
    """A friction brake whose torque falls as its wheel slips: an ideal anti-lock system.

    With the speed v of the hub along its x axis and the rate w of the wheel, the slip is
    ``(v - radius w) / max(v, low_speed)``. The torque is whole up to ``slip_limit`` and none from
    ``slip_limit + slip_range`` on, without delay and without pulses. Below ``low_speed`` slip is
    small by this definition, and the brake can lock the wheel and hold it.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> hub, wheel = (model.add(at.RigidBody(name, 9.0, (1, 1, 1))) for name in ("hub", "wheel"))
    >>> way = model.add(at.Prismatic("way", model.ground, hub))
    >>> axle = model.add(at.Revolute("axle", hub, wheel, axis="y"))
    >>> place = {"ground": model.ground, "hub": hub, "radius": 0.3, "slip_limit": 0.1}
    >>> brake = model.add(at.SlipLimitedBrake("brake", axle, torque="900 N*m", **place))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"way.speed": 30.0, "axle.rate": 85.0}))  # a slip of 0.15
    >>> print(f"{rates['axle.rate']:.1f} rad/s^2")  # half the torque is left
    -450.0 rad/s^2
    """

    summary: ClassVar[str] = "a brake that gives way before its wheel locks"

    name: str
    joint: Component = turning_joint("joint that is braked")
    ground: Frame = frame("frame that the hub moves over")
    hub: Frame = frame("frame that carries the wheel, x forward")
    radius: float = parameter("m", "rolling radius of the wheel", lower=0.0, above=True)
    slip_limit: float = parameter(
        "1", "slip from which on the torque falls", lower=0.0, upper=1.0, above=True
    )
    torque: Signal = signal("N*m", "greatest torque of the brake, not negative")
    slip_range: float = parameter(
        "1", "range of slip over which the torque falls", default=0.1, lower=0.0, above=True
    )
    low_speed: float = parameter(
        "m/s", "speed below which slip is as if at this speed", default=3.0, lower=0.0, above=True
    )
    slow_rate: float = parameter(
        "rad/s", "rate below which the torque is in proportion to it", default=0.5, lower=0.0,
        above=True,
    )  # fmt: skip

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        return ((self.ground, self.hub),)

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        rate = now.travels[0].rate
        over = (self._governing_slip(now) - self.symbol("slip_limit")) / self.symbol("slip_range")
        torque = self.signal("torque") * maximum(minimum(ONE - over, 1.0), 0.0)
        taken = reaction_symbol(self.name, FRICTION)
        friction = brake_friction(self.measured_joints()[0], rate, torque, self.symbol("slow_rate"))
        outputs = (
            Computed("slip", "1", "slip of the braked wheel", self._slip(now, 0)),
            Computed("limited_torque", "N*m", "greatest torque that the slip leaves", torque),
            Computed(FRICTION.suffix, FRICTION.unit, FRICTION.description, taken),
            Computed("power", "W", "power of the brake, never positive", taken * rate),
        )
        return Response(set_valued=(friction,), outputs=(*self.signal_outputs(), *outputs))

    def _governing_slip(self, now: Instant) -> Expr:
        """The slip that the torque falls with."""
        return self._slip(now, 0)

    def _slip(self, now: Instant, wheel: int) -> Expr:
        """That of a wheel, by its place among hubs and joints that are measured."""
        speed, rate = now.motions[wheel].velocity_head[0], now.travels[wheel].rate
        slip: Expr = (speed - self.symbol("radius") * rate) / maximum(
            speed, self.symbol("low_speed")
        )
        return slip
