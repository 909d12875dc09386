"""The dry clutch: a torque between two turning joints, against what they turn apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import maximum, minimum
from axletree.core.expr.expression import ONE
from axletree.library.contract import Component, Computed, Instant, JointLoad, Response, SetValued
from axletree.library.edge import Variable
from axletree.library.exchange import reaction_symbol
from axletree.library.fields import parameter
from axletree.library.joint_reference import turn_of, turning_joint
from axletree.library.signal import Signal, signal

FRICTION = Variable("friction", "N*m", "torque on the head of the driven joint about its axis")


@dataclass(frozen=True, eq=False)
class DryClutch(Component):
    """Carries up to ``capacity`` from one joint to another: it slips above it and locks below.

    The torque is set-valued: a method that solves for such forces ("complementarity") turns both
    joints at exactly one rate where the clutch is locked. For all other methods it is in
    proportion to the slip below ``slow_rate``.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("engine", "gearbox")]
    >>> shafts = [model.add(at.Revolute(f"{b.name}_shaft", model.ground, b)) for b in bodies]
    >>> clutch = model.add(at.DryClutch("clutch", *shafts, capacity="100 N*m"))
    >>> system = model.formulate()
    >>> rates = system.rhs(system.state({"engine_shaft.rate": 50.0}))  # it slips
    >>> print(f"{rates['gearbox_shaft.rate']:.1f} rad/s^2")
    100.0 rad/s^2
    """

    summary: ClassVar[str] = "a clutch between two turning joints; slips, or locks them together"

    name: str
    driving: Component = turning_joint("joint of the driving side")
    driven: Component = turning_joint("joint of the driven side, of like axis")
    capacity: Signal = signal("N*m", "greatest torque of the clutch, not negative")
    slow_rate: float = parameter(
        "rad/s", "slip below which the torque is in proportion to it", default=0.5, lower=0.0,
        above=True,
    )  # fmt: skip

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.driving)[0].name, turn_of(self.driven)[0].name)

    def respond(self, now: Instant) -> Response:
        ahead = now.travels[1].rate - now.travels[0].rate  # of the driven side
        capacity = self.signal("capacity")
        part = maximum(minimum(ahead / self.symbol("slow_rate"), 1.0), -1.0)
        driving, driven = self.measured_joints()
        friction = SetValued(
            FRICTION,
            velocity=ahead,
            lower=-capacity,
            upper=capacity,
            smooth=-capacity * part,
            joint_loads=(JointLoad(driven, ONE), JointLoad(driving, -ONE)),
        )
        carried = reaction_symbol(self.name, FRICTION)
        slip = Computed(
            "slip", "rad/s", "rate of the driving joint less that of the driven", -ahead
        )
        power = Computed("power", "W", "power of the clutch, never positive", carried * ahead)
        return Response(set_valued=(friction,), outputs=(*self.signal_outputs(), slip, power))
