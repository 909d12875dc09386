"""The contract of belts: how the tread is carried by the rim (Andres 2009, section 3.10).

1. ``carry`` says how the belt moves over the road, from the patch that the rim would have with
   a rigid belt: contact, slip and forces are then those of the belt.
2. ``answer`` says what the rim gets of the forces on the belt, and the rates of the states.
3. Velocities among the states are those in the road, along axes that turn with the wheel, for
   a component knows no accelerations: the road must not accelerate.
4. Forces and velocities are dual by construction: what the contact does on the belt goes to
   the rim, into ``energy``, or into dampers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.core.vectors import Vector
from axletree.library.edge import Variable
from axletree.library.part import Part
from axletree.library.tyres.patch import Patch
from axletree.library.tyres.wheel_loads import WheelLoads


@dataclass(frozen=True)
class BeltAnswer:
    """What the rim gets, and what the belt does."""

    loads: WheelLoads
    rates: tuple[Expr, ...] = ()
    energy: Expr = ZERO  # [J], stored in the belt


class Belt(Part, ABC):
    """A belt on a rim."""

    needs_flat_ground: ClassVar[bool] = False
    moves_vertically: ClassVar[bool] = False  # whether its height is a state of its own

    def states(self) -> tuple[Variable, ...]:
        """What changes in the belt by itself; none of a belt that does not.

        Example:
        >>> import axletree as at
        >>> [f"{state.suffix} [{state.unit}]" for state in at.QuadBelt().states()[:3]]
        ['belt_x [m]', 'belt_z [m]', 'belt_twist [rad]']
        """
        return ()

    @abstractmethod
    def carry(self, rim: Patch, states: Sequence[Expr], p: Any) -> Patch:
        """The patch of the belt, from that of the rim, states and parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.core.vectors import IDENTITY, NULL
        >>> from axletree.library.tyres.patch import WheelOnPlane
        >>> (x, y, z), belt = IDENTITY, at.TorsionBelt()
        >>> rolls = WheelOnPlane(z, 0.3, x * 20.0, NULL, y, 66.0, 0.31)  # 20 m/s, 66 rad/s
        >>> tread = belt.carry(at.PlanarDisc().patch(rolls, {}), (0.0, 60.0), belt.numbers)
        >>> print(tread.sliding_speed(0.3))  # m/s: 20 - 60 * 0.3
        2
        """

    @abstractmethod
    def answer(self, rim: Patch, load: WheelLoads, states: Sequence[Expr], p: Any) -> BeltAnswer:
        """From what the contact exerts at the belt's centre; vectors in carrier components.

        Example:
        >>> import axletree as at
        >>> from axletree.core.vectors import IDENTITY, NULL
        >>> from axletree.library.tyres.patch import WheelOnPlane
        >>> from axletree.library.tyres.wheel_loads import WheelLoads
        >>> (x, y, z), belt = IDENTITY, at.TorsionBelt(stiffness=2e5)  # N m/rad
        >>> rim = at.PlanarDisc().patch(WheelOnPlane(z, 0.3, x * 20.0, NULL, y, 66.0, 0.31), {})
        >>> brakes = WheelLoads(x * -1000.0, y * 300.0, 300.0)  # N, N m, N m about the axle
        >>> print(belt.answer(rim, brakes, (0.001, 66.0), belt.numbers).loads.torque)  # 2e5 * 0.001
        200
        """


def gyroscopic(rim: Patch, momentum: Expr) -> Vector:
    """The moment [N m] that turns the axis of a ring with this momentum [N m s] about it."""
    return rim.wheel.angular_velocity.cross(rim.wheel.axis) * momentum
