"""The weld: two frames of two bodies made one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.vectors import Matrix
from axletree.library.edge import RotationLaw, TranslationLaw
from axletree.library.fields import structure, vector_parameter
from axletree.library.joints.joint import Joint
from axletree.library.motion.rotation import FixedTurn
from axletree.library.motion.translation import FixedOffset
from axletree.library.placement import Turn, turn_matrix


def _checked_turn(value: Any) -> tuple[Any, ...]:
    turn_matrix(value)
    return tuple(tuple(item) for item in value)


@dataclass(frozen=True, eq=False)
class Weld(Joint):
    """A rigid arm between two bodies: the head stands fixed in the tail.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> cart, box = (model.add(at.RigidBody(name, mass=2.0)) for name in ("cart", "box"))  # kg
    >>> way = model.add(at.Prismatic("way", model.ground, cart))
    >>> arm = model.add(at.Weld("arm", cart, box, offset=(1.0, 0.0, 0.0)))  # m
    >>> push = model.add(at.JointForce("push", way))
    >>> print(model.formulate().derivatives[0])  # of way.speed, m/s^2
    push.force/(box.mass + cart.mass)
    """

    summary: ClassVar[str] = "rigid arm between two bodies"

    offset: tuple[float, ...] = vector_parameter(
        "m", "position of the head in the tail", default=(0.0, 0.0, 0.0)
    )
    turn: tuple[Any, ...] = structure(
        "turns",
        "rotations [axis, angle] from tail to head, one after another",
        _checked_turn,
        default=(),
    )

    def translation(self) -> TranslationLaw:
        return FixedOffset(self.vector("offset"))

    def rotation(self) -> RotationLaw:
        matrix: Turn = turn_matrix(self.turn)
        return FixedTurn(Matrix(matrix))
