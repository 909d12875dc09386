"""The friction brake: a torque that is against the turning of a joint, whichever way it turns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr, maximum, minimum
from axletree.core.expr.expression import ONE
from axletree.library.contract import Component, Computed, Instant, JointLoad, Response, SetValued
from axletree.library.edge import Variable
from axletree.library.exchange import reaction_symbol
from axletree.library.fields import parameter
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.signal import Signal, signal

FRICTION = Variable("friction", "N*m", "torque on the head about the axis")


@dataclass(frozen=True, eq=False)
class FrictionBrake(Component):
    """A brake that takes up to ``torque`` and never drives: it can hold a wheel locked.

    The torque is set-valued: a method that solves for such forces ("complementarity") holds the
    joint at rest. For all other methods it is in proportion to the rate below ``slow_rate``, so
    that they can pass through rest; a wheel that is held against a load below ``torque`` then
    creeps at less than that.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> brake = model.add(at.FrictionBrake("brake", model["pin"], torque="5 N*m"))
    >>> rates = model.formulate().rhs({"pin.angle": 0.0, "pin.rate": 2.0})
    >>> print(f"{rates['pin.rate']:.3f} rad/s^2")  # -5 / 0.333
    -15.015 rad/s^2
    """

    summary: ClassVar[str] = "a brake about the axis of a turning joint; locks, and never drives"

    name: str
    joint: Component = turning_joint("joint that is braked")
    torque: Signal = signal("N*m", "greatest torque of the brake, not negative")
    slow_rate: float = parameter(
        "rad/s", "rate below which the torque is in proportion to it", default=0.5, lower=0.0,
        above=True,
    )  # fmt: skip

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        rate, torque = now.travels[0].rate, self.signal("torque")
        taken = reaction_symbol(self.name, FRICTION)
        moment = Computed(FRICTION.suffix, FRICTION.unit, FRICTION.description, taken)
        power = Computed("power", "W", "power of the brake, never positive", taken * rate)
        friction = brake_friction(self.measured_joints()[0], rate, torque, self.symbol("slow_rate"))
        return Response(set_valued=(friction,), outputs=(*self.signal_outputs(), moment, power))


def brake_friction(axle: str, rate: Expr, torque: Expr, slow_rate: Expr) -> SetValued:
    """Dry friction about an axle at a rate [rad/s], up to a torque [N m]."""
    part = maximum(minimum(rate / slow_rate, 1.0), -1.0)
    return SetValued(
        FRICTION,
        velocity=rate,
        lower=-torque,
        upper=torque,
        smooth=-torque * part,
        joint_loads=(JointLoad(axle, ONE),),
    )
