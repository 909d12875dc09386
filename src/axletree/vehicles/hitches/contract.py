"""The contract of hitches: how a trailer is joined to what tows it.

A hitch adds joints to a model. The joint that yaws has the name of the hitch in every model, so
that its angle is the articulation: positive where the trailer is turned to the left.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.library.bodies import MasslessBody
from axletree.library.drivers.friction_brake import FrictionBrake
from axletree.library.fields import optional_parameter, parameter
from axletree.library.forces.characteristic import Side
from axletree.library.forces.rotational_spring_damper import RotationalSpringDamper
from axletree.library.frame import Frame
from axletree.library.joints.revolute import Revolute
from axletree.library.motion.translation import XYZ, Axis
from axletree.library.part import Part
from axletree.library.signal import Constant
from axletree.model.model import Model

X, Y, Z = XYZ
SLOW_RATE = 0.02  # rad/s, of articulation, below which smooth friction is in proportion to it


@dataclass(frozen=True)
class Hitch(Part, ABC):
    """Where a trailer is joined to what tows it, and what resists its yaw."""

    couples_roll: ClassVar[bool] = False  # whether the trailer rolls with what tows it
    usual_share: ClassVar[tuple[float, float]]  # of a trailer's weight that such hitches carry

    position: float = parameter(
        "m", "on the towing unit, ahead of its body's centre of mass; negative behind"
    )
    height: float = parameter("m", "above the ground", lower=0.0, above=True)
    coupling: float = parameter("m", "on the trailer, ahead of its body's centre of mass")
    yaw_damping: float = parameter(
        "N*m*s/rad", "of a stabiliser, by the rate of articulation", default=0.0, lower=0.0
    )
    yaw_friction: float = parameter(
        "N*m", "of a stabiliser, dry, against articulation", default=0.0, lower=0.0
    )
    stop_angle: float | None = optional_parameter(
        "rad", "articulation at which the units touch; left out: never", lower=0.0, above=True
    )
    stop_stiffness: float = parameter(
        "N*m/rad", "of what touches", default=2e6, lower=0.0, above=True
    )
    stop_damping: float = parameter("N*m*s/rad", "likewise", default=2e4, lower=0.0)

    @abstractmethod
    def add(self, model: Model, name: str, tail: Frame, head: Frame) -> None:
        """Add it between a frame of the towing unit and one of the trailer.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.hitches.fifth_wheel import FifthWheel
        >>> stand = at.Model("stand")
        >>> trailer = stand.add(at.RigidBody("trailer", 9e3, (1e4, 9e4, 9e4))).main_frame
        >>> hitch = FifthWheel(position=0.0, height=1.1, coupling=5.0)  # m
        >>> hitch.add(stand, "kingpin", stand.ground.main_frame, trailer)
        >>> [part.name for part in stand if isinstance(part, at.Revolute)]
        ['kingpin_pitch', 'kingpin']
        """

    def add_planar(self, model: Model, name: str, tail: Frame, head: Frame) -> None:
        """Likewise where both move in one plane.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.hitches.ball import BallHitch
        >>> stand = at.Model("stand")
        >>> caravan = stand.add(at.RigidBody("caravan", 900.0, (800.0, 1500.0, 1500.0))).main_frame
        >>> ball = BallHitch(position=0.0, height=0.4, coupling=4.0, yaw_damping=1000.0)
        >>> ball.add_planar(stand, "hitch", stand.ground.main_frame, caravan)
        >>> [part.name for part in stand]
        ['caravan', 'hitch', 'hitch_damper']
        """
        model.add(Revolute(name, tail, head, axis=Z))
        self._add_resistance(model, name)

    def _add_turns(
        self, model: Model, tail: Frame, head: Frame, turns: Sequence[tuple[str, Axis]]
    ) -> None:
        """Joints one after another, each by its name and its axis in what comes before it."""
        for name, axis in turns[:-1]:
            between = model.add(MasslessBody(f"{name}_part")).main_frame
            model.add(Revolute(name, tail, between, axis=axis))
            tail = between
        name, axis = turns[-1]
        model.add(Revolute(name, tail, head, axis=axis))

    def _add_resistance(self, model: Model, name: str) -> None:
        joint = model[name]
        if self.yaw_damping:
            damper = RotationalSpringDamper(f"{name}_damper", joint, damping=self.yaw_damping)
            model.add(damper)
        if self.yaw_friction:
            torque = Constant(self.yaw_friction)
            model.add(FrictionBrake(f"{name}_friction", joint, torque, slow_rate=SLOW_RATE))
        if self.stop_angle is None:
            return
        for word, angle, side in (
            ("left", self.stop_angle, Side.ABOVE),
            ("right", -self.stop_angle, Side.BELOW),
        ):
            stop = RotationalSpringDamper(
                f"{name}_{word}_stop", joint, self.stop_stiffness, self.stop_damping, angle,
                side=side,
            )  # fmt: skip
            model.add(stop)
