"""A steering wheel that is free to turn: torques move it, and the road turns it back.

With the inertia J and the damping C of wheel and column, the torque M of hands or of a motor, and
the angles k_i of the kingpins, which are held to d_i(a) by springs of the stiffness c and dampers
of the damping b, the angle a follows from

    J a'' = M - C a' - sum_i (c (d_i(a) - k_i) + b (d_i' - k_i')) d(d_i)/da,                     (1)

so that what the springs take from the steering wheel's power they give to the kingpins, or keep.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from axletree.components.contract import Component, Instant, NamedOutput, Response
from axletree.components.drivers import bounded_controls
from axletree.components.edges import Edge, Variable
from axletree.components.fields import parameter, positive
from axletree.components.joints import OnJoints, turning_joint
from axletree.components.signals import Signal, motion, signal
from axletree.expr.quantity import Quantity, Role

_TURNED = (
    Variable("steering", "rad", "angle of the steering wheel, left if positive"),
    Variable("steering_rate", "rad/s", "rate of the steering"),
)


@dataclass(frozen=True, eq=False)
class FreeSteeringWheel(OnJoints):
    """Steering torque and pedals, in place of driver controls, whose wheel has an angle.

    It follows kingpins that are turned through springs by ``left_angle`` and ``right_angle``, and
    feels these springs; ``left_slope`` and ``right_slope`` are their derivatives by its angle.

    Example:
    >>> import axletree as at
    >>> controls = {"steering_torque": True}
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "two-track", "controls": controls}})
    >>> held = car.formulate().trim({"chassis.vx": 20.0}, ["driver.throttle"])
    >>> print(f"{held['driver.steering']:.3f} rad")
    0.000 rad
    """

    summary: ClassVar[str] = "a steering wheel that torques turn, and pedals"

    left: Component = turning_joint("left kingpin")
    right: Component = turning_joint("right kingpin")
    stiffness: float = positive("N*m/rad", "of the spring at each kingpin")
    left_angle: Signal = motion("rad", "angle that the left kingpin is turned to")
    right_angle: Signal = motion("rad", "angle that the right kingpin is turned to")
    left_slope: Signal = signal("1", "of this angle by that of the steering wheel")
    right_slope: Signal = signal("1", "likewise")
    kingpin_damping: float = parameter("N*m*s/rad", "of the damper there", default=0.0, lower=0.0)
    inertia: float = positive("kg*m^2", "of the steering wheel and its column", default=0.04)
    damping: float = parameter("N*m*s/rad", "of the steering wheel", default=0.6, lower=0.0)
    steering_torque: Signal = signal("N*m", "torque on the steering wheel, left if positive")
    throttle: Signal = signal("1", "position of the accelerator, from 0 to 1")
    brake: Signal = signal("1", "position of the brake pedal, from 0 to 1")
    clutch: Signal = signal("1", "position of the clutch pedal, from 0 to 1")
    brake_pressure: Signal = signal("Pa", "pressure in the brake lines beside that of the pedal")

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def inputs(self) -> tuple[Quantity, ...]:
        """With the travel of the pedals."""
        return bounded_controls(super().inputs(), self.name)

    def states(self) -> tuple[Variable, ...]:
        return _TURNED

    def followed(self) -> tuple[Quantity, ...]:
        angle, rate = (
            Quantity(f"{self.name}.{v.suffix}", v.unit, v.description, Role.STATE) for v in _TURNED
        )
        return (angle, replace(rate, derivative_of=angle.name), *self.inputs())

    def respond(self, now: Instant) -> Response:
        _, rate = now.states
        felt = self.symbol("damping") * rate
        for side, own in zip(("left", "right"), now.travels, strict=True):
            wanted = self.course(f"{side}_angle")
            torque = self.symbol("stiffness") * (wanted.value - own.travel)
            torque += self.symbol("kingpin_damping") * (wanted.rate - own.rate)
            felt += torque * self.signal(f"{side}_slope")
        turned = self.signal("steering_torque")
        outputs = (
            *self.signal_outputs(),
            NamedOutput("felt_torque", "N*m", "by which the steering wheel is held", felt),
            NamedOutput("steering_power", "W", "power of the torque on it", turned * rate),
        )
        return Response(rates=(rate, (turned - felt) / self.symbol("inertia")), outputs=outputs)
