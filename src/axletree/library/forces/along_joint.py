"""What acts along the freedom of a joint."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from axletree.core.expr import Expr
from axletree.library.contract import Component, Computed, Instant, JointLoad, Response
from axletree.library.forces.characteristic import Pull
from axletree.library.joint_reference import slide_of, sliding_joint, turn_of, turning_joint


@dataclass(frozen=True, eq=False)
class AboutTurn(Component):
    """A massless element that works on the angle of a joint."""

    name: str
    joint: Component = turning_joint("joint whose angle it works on")

    @abstractmethod
    def pull(self, angle: Expr, rate: Expr) -> Pull:
        """The torque [N m] against the angle [rad], which grows at a rate [rad/s].

        Example:
        >>> import axletree as at
        >>> from axletree.core.expr import symbol
        >>> pin = at.read_model("pendulum")["pin"]
        >>> spring = at.RotationalSpringDamper("spring", pin, stiffness="40 N*m/rad")
        >>> print(spring.pull(symbol("angle"), symbol("rate")).energy)  # J
        0.5*angle*angle*spring.stiffness
        """

    def measured_joints(self) -> tuple[str, ...]:
        return (turn_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        travel = now.travels[0]
        pull = self.pull(travel.travel, travel.rate)
        effort = Computed("torque", "N*m", "torque on the head about the axis", -pull.effort)
        return _response(self.measured_joints()[0], effort, pull.energy, travel.rate)


@dataclass(frozen=True, eq=False)
class AlongSlide(Component):
    """A massless element that works on the position of a joint."""

    name: str
    joint: Component = sliding_joint("joint whose position it works on")

    @abstractmethod
    def pull(self, position: Expr, rate: Expr) -> Pull:
        """The force [N] against the position [m], which grows at a rate [m/s].

        Example:
        >>> import axletree as at
        >>> from axletree.core.expr import symbol
        >>> guide = at.Prismatic("guide", at.Model().ground, at.RigidBody("wheel", 40.0))
        >>> strut = at.SlideSpringDamper("strut", guide, stiffness=2e4, damping=1500.0)
        >>> print(strut.pull(symbol("position"), symbol("rate")).effort)
        position*strut.stiffness + rate*strut.damping
        """

    def measured_joints(self) -> tuple[str, ...]:
        return (slide_of(self.joint)[0].name,)

    def respond(self, now: Instant) -> Response:
        travel = now.travels[0]
        pull = self.pull(travel.travel, travel.rate)
        effort = Computed("force", "N", "force on the head along the axis", -pull.effort)
        return _response(self.measured_joints()[0], effort, pull.energy, travel.rate)


def _response(joint: str, effort: Computed, energy: Expr, rate: Expr) -> Response:
    """What drives the travel of a joint up, with the energy it stores and its power."""
    power = Computed("power", "W", "power delivered to the bodies", effort.expression * rate)
    return Response(
        joint_loads=(JointLoad(joint, effort.expression),),
        potential_energy=energy,
        outputs=(effort, power),
    )
