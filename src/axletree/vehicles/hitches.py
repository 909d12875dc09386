"""Hitches: how a trailer is joined to what tows it, by a ball or a fifth wheel.

By contract a hitch adds joints to a model. The joint that yaws has the name of the hitch in every
model, so that its angle is the articulation: positive where the trailer is turned to the left.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.bodies import MasslessBody
from axletree.components.brakes import FrictionBrake
from axletree.components.fields import Part, parameter, positive
from axletree.components.frames import Frame
from axletree.components.joints import Revolute
from axletree.components.motion_laws import XYZ, Axis
from axletree.components.signals import Constant
from axletree.components.springs import ActingSide, RotationalSpringDamper
from axletree.model.model import Model

_X, _Y, _Z = XYZ
SLOW_RATE = 0.02  # rad/s, of articulation, below which smooth friction is in proportion to it


@dataclass(frozen=True)
class Hitch(Part, ABC):
    """Where a trailer is joined to what tows it, and what resists its yaw."""

    couples_roll: ClassVar[bool] = False  # whether the trailer rolls with what tows it
    usual_share: ClassVar[tuple[float, float]]  # of a trailer's weight that such hitches carry

    position: float = parameter(
        "m", "on the towing unit, ahead of its body's centre of mass; negative behind"
    )
    height: float = positive("m", "above the ground")
    coupling: float = parameter("m", "on the trailer, ahead of its body's centre of mass")
    yaw_damping: float = parameter(
        "N*m*s/rad", "of a stabiliser, by the rate of articulation", default=0.0, lower=0.0
    )
    yaw_friction: float = parameter(
        "N*m", "of a stabiliser, dry, against articulation", default=0.0, lower=0.0
    )
    stop_angle: float | None = positive(
        "rad", "articulation at which the units touch; left out: never", default=None
    )
    stop_stiffness: float = positive("N*m/rad", "of what touches", default=2e6)
    stop_damping: float = parameter("N*m*s/rad", "likewise", default=2e4, lower=0.0)

    @abstractmethod
    def add(self, model: Model, name: str, tail: Frame, head: Frame) -> None:
        """Add it between a frame of the towing unit and one of the trailer.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.hitches import FifthWheel
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
        >>> from axletree.vehicles.hitches import BallHitch
        >>> stand = at.Model("stand")
        >>> caravan = stand.add(at.RigidBody("caravan", 900.0, (800.0, 1500.0, 1500.0))).main_frame
        >>> ball = BallHitch(position=0.0, height=0.4, coupling=4.0, yaw_damping=1000.0)
        >>> ball.add_planar(stand, "hitch", stand.ground.main_frame, caravan)
        >>> [part.name for part in stand]
        ['caravan', 'hitch', 'hitch_damper']
        """
        model.add(Revolute(name, tail, head, axis=_Z))
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
            model.add(RotationalSpringDamper(f"{name}_damper", joint, damping=self.yaw_damping))
        if self.yaw_friction:
            torque = Constant(self.yaw_friction)
            model.add(FrictionBrake(f"{name}_friction", joint, torque, slow_rate=SLOW_RATE))
        if self.stop_angle is None:
            return
        for word, angle, side in (
            ("left", self.stop_angle, ActingSide.ABOVE),
            ("right", -self.stop_angle, ActingSide.BELOW),
        ):
            stop = RotationalSpringDamper(
                f"{name}_{word}_stop", joint, self.stop_stiffness, self.stop_damping, angle,
                side=side,
            )  # fmt: skip
            model.add(stop)


@dataclass(frozen=True)
class BallHitch(Hitch):
    """The trailer yaws, pitches and rolls on it.

    Example:
    >>> from axletree.vehicles.hitches import BallHitch
    >>> ball = BallHitch(position="-3.6 m", height="40 cm", coupling="4 m", yaw_damping=1000.0)
    >>> ball.position, ball.coupling, ball.couples_roll  # m behind one centre of mass, m ahead
    (-3.6, 4.0, False)
    """

    summary: ClassVar[str] = "a ball: yaw, pitch and roll are free"
    usual_share: ClassVar[tuple[float, float]] = (0.02, 0.16)

    def add(self, model: Model, name: str, tail: Frame, head: Frame) -> None:
        turns = ((name, _Z), (f"{name}_pitch", _Y), (f"{name}_roll", _X))
        self._add_turns(model, tail, head, turns)
        self._add_resistance(model, name)


@dataclass(frozen=True)
class FifthWheel(Hitch):
    """A plate that pitches on the towing unit, and the kingpin of the trailer that turns in it.

    The trailer rolls with the towing unit as long as it is straight behind it. With a
    ``roll_stiffness`` there is a spring about x of the towing unit below the plate: what its frame
    and the plate give way.

    Example:
    >>> from axletree.vehicles.hitches import FifthWheel
    >>> plate = FifthWheel(position=-2.8, height=1.2, coupling=5.5, roll_stiffness="3 MN*m/rad")
    >>> plate.roll_stiffness, plate.couples_roll  # N m/rad
    (3000000.0, True)
    """

    summary: ClassVar[str] = "a fifth wheel: pitch and yaw are free, roll is rigid or a spring"
    couples_roll: ClassVar[bool] = True
    usual_share: ClassVar[tuple[float, float]] = (0.15, 0.55)

    roll_stiffness: float | None = positive(
        "N*m/rad", "about x of the towing unit; rigid without it", default=None
    )
    roll_damping: float = parameter(
        "N*m*s/rad", "likewise; only with a roll_stiffness", default=0.0, lower=0.0
    )

    def problems(self) -> list[str]:
        if self.roll_damping and self.roll_stiffness is None:
            return ["roll_damping needs a roll_stiffness; without it the hitch is rigid in roll"]
        return []

    def add(self, model: Model, name: str, tail: Frame, head: Frame) -> None:
        roll = f"{name}_roll"
        springs = ((roll, _X),) if self.roll_stiffness is not None else ()
        self._add_turns(model, tail, head, (*springs, (f"{name}_pitch", _Y), (name, _Z)))
        if self.roll_stiffness is not None:
            spring = RotationalSpringDamper(
                f"{roll}_stiffness", model[roll], self.roll_stiffness, self.roll_damping
            )
            model.add(spring)
        self._add_resistance(model, name)
