"""The rack and pinion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import number
from axletree.library.contract import Component, Coupling
from axletree.library.edge import Variable
from axletree.library.fields import parameter
from axletree.library.joint_reference import slide_of, sliding_joint, turn_of, turning_joint

FORCE = Variable("force", "N", "force on the rack along the axis of its joint")


@dataclass(frozen=True, eq=False)
class RackAndPinion(Component):
    """A turning and a sliding joint: ``position = radius * angle``.

    Position and angle count from where the teeth are set.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> pinion = model.add(at.RigidBody("pinion", 1.0, (0.1, 0.1, 0.1)))
    >>> turn = model.add(at.Revolute("turn", model.ground, pinion, axis="z"))
    >>> slide = model.add(at.Prismatic("slide", model.ground, model.add(at.RigidBody("rack", 2.0))))
    >>> teeth = model.add(at.RackAndPinion("teeth", turn, slide, radius="20 mm"))
    >>> print(f"{model.formulate().state({'turn.rate': 3.0})['slide.speed']:.3f} m/s")
    0.060 m/s
    """

    summary: ClassVar[str] = "a turning and a sliding joint that move together"

    name: str
    pinion: Component = turning_joint("joint of the pinion")
    rack: Component = sliding_joint("joint of the rack")
    radius: float = parameter(
        "m", "travel of the rack per radian; negative where it runs the other way"
    )

    def problems(self) -> list[str]:
        return ["radius must not be zero: the rack would be locked"] if self.radius == 0.0 else []

    def couplings(self) -> tuple[Coupling, ...]:
        pinion, rack = turn_of(self.pinion)[0].name, slide_of(self.rack)[0].name
        return (Coupling(((rack, number(1.0)), (pinion, -self.symbol("radius"))), FORCE),)
