"""The planar joint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.edge import RotationLaw, TranslationLaw, Variable
from axletree.library.fields import axis
from axletree.library.joints.joint import Joint
from axletree.library.joints.revolute import ANGLE, RATE
from axletree.library.motion.rotation import AboutAxes
from axletree.library.motion.translation import AlongAxes, normals


@dataclass(frozen=True, eq=False)
class Planar(Joint):
    """A plate on a table: two positions in a plane of the tail and an angle about its normal.

    Example:
    >>> import axletree as at
    >>> model = at.Model()
    >>> plate = model.add(at.RigidBody("plate", mass=1.0, inertia=(0.1, 0.1, 0.1)))
    >>> table = model.add(at.Planar("table", model.ground, plate))
    >>> [f"{state.name} [{state.unit}]" for state in model.formulate().states[3:]]
    ['table.x [m]', 'table.y [m]', 'table.angle [rad]']
    """

    summary: ClassVar[str] = "plate on a table: two positions and an angle"

    normal: tuple[float, float, float] = axis(
        "normal of the plane, the same in both frames", default="z"
    )

    def translation(self) -> TranslationLaw:
        return in_plane(self.normal)

    def rotation(self) -> RotationLaw:
        return AboutAxes((self.normal,), (ANGLE,), (RATE,))


def in_plane(normal: tuple[float, float, float]) -> AlongAxes:
    """Free in the plane through the tail's origin with this normal."""
    letters = ("x", "y") if normal == (0.0, 0.0, 1.0) else ("first", "second")
    positions = tuple(Variable(k, "m", f"{k} position of the head in the plane") for k in letters)
    speeds = tuple(
        Variable(f"v{k}" if len(k) == 1 else f"{k}_speed", "m/s", f"rate of the {k} position")
        for k in letters
    )
    return AlongAxes(normals((normal,)), positions, speeds)
