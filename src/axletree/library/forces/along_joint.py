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
        """The torque against the angle [rad], which grows at a rate [rad/s]."""

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
        """The force against the position [m], which grows at a rate [m/s]."""

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
