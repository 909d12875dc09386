"""The differential."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import number
from axletree.library.contract import Component, Coupling
from axletree.library.edge import Variable
from axletree.library.fields import parameter
from axletree.library.joint_reference import turn_of, turning_joint

TORQUE = Variable("torque", "N*m", "torque on the head of the drive joint about its axis")


@dataclass(frozen=True, eq=False)
class Differential(Component):
    """An open differential: ``drive = ratio * (left + right) / 2``.

    Without masses of its own, it passes equal torques to left and right.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> bodies = [model.add(at.RigidBody(k, 1.0, (1, 1, 1))) for k in ("shaft", "left", "right")]
    >>> joints = [model.add(at.Revolute(f"{b.name}_joint", model.ground, b)) for b in bodies]
    >>> final = model.add(at.Differential("final", *joints, ratio=4.0))
    >>> state = model.formulate().state({"left_joint.rate": 9.0, "right_joint.rate": 11.0})
    >>> print(f"{state['shaft_joint.rate']:.1f} rad/s")
    40.0 rad/s
    """

    summary: ClassVar[str] = "one turning joint drives the mean of two others"

    name: str
    drive: Component = turning_joint("joint of the propeller shaft")
    left: Component = turning_joint("joint of the left half shaft")
    right: Component = turning_joint("joint of the right half shaft")
    ratio: float = parameter("1", "turns of the drive per mean turn of the half shafts")

    def problems(self) -> list[str]:
        found = []
        if self.ratio == 0.0:
            found.append("ratio must not be zero: the drive would be locked")
        if len({self.drive.name, self.left.name, self.right.name}) < 3:
            found.append("drive, left and right must be three different joints")
        return found

    def couplings(self) -> tuple[Coupling, ...]:
        drive, left, right = (turn_of(j)[0].name for j in (self.drive, self.left, self.right))
        half = -0.5 * self.symbol("ratio")
        return (Coupling(((drive, number(1.0)), (left, half), (right, half)), TORQUE),)
