"""From the contact point to the wheel's centre (Andres 2009, section 3.8)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.library.part import Part
from axletree.library.tyres.contract import Forces
from axletree.library.tyres.patch import Patch
from axletree.library.tyres.wheel_loads import WheelLoads, loads_at


class Lever(Part, ABC):
    """Where on the wheel the forces of the contact act."""

    @abstractmethod
    def loads(self, patch: Patch, Fz: Expr, forces: Forces) -> WheelLoads:
        """At the wheel's centre in carrier components, from normal force [N] and law's forces.

        Example:
        >>> import axletree as at
        >>> from axletree.core.vectors import IDENTITY, NULL
        >>> from axletree.library.tyres.patch import WheelOnPlane
        >>> x, y, z = IDENTITY  # forward, left, up
        >>> wheel = WheelOnPlane(z, 0.3, x * 20.0, NULL, y, 66.0, 0.31)  # 0.3 m above the road
        >>> drives = at.Forces(Fx=1000.0, Fy=0.0, Mx=0.0, My=0.0, Mz=0.0)  # N
        >>> loads = at.RigidLever().loads(at.PlanarDisc().patch(wheel, {}), 4000.0, drives)
        >>> print(*loads.force, loads.torque)  # N, and N m about the axle
        1000 0 4000 -300
        """


@dataclass(frozen=True)
class RigidLever(Lever):
    """The forces act at the contact point: they turn the wheel.

    Example:
    >>> import axletree as at
    >>> at.read_model("quarter-car")["tyre"].lever  # unless another one is asked for
    RigidLever()
    """

    summary: ClassVar[str] = "forces act at the contact point"

    def loads(self, patch: Patch, Fz: Expr, forces: Forces) -> WheelLoads:
        return loads_at(patch, Fz, forces, patch.offset, patch.height)


@dataclass(frozen=True)
class NoLever(Lever):
    """The forces act at the wheel's centre: a slider that does not roll, for comparison.

    What they do work on is then not the velocity that slip is formed of, so that energy does
    not balance while the wheel spins.

    Example:
    >>> import axletree as at
    >>> slides = {"components": {"tyre": {"lever": "none"}}}
    >>> system = at.read_model("quarter-car", slides).formulate()
    >>> print(system.states[2].name, system.derivatives[2])  # rad/s^2: no force turns the wheel
    axle.rate 0
    """

    summary: ClassVar[str] = "none: forces act at the wheel's centre and do not turn it"

    def loads(self, patch: Patch, Fz: Expr, forces: Forces) -> WheelLoads:
        return loads_at(patch, Fz, forces, ZERO, ZERO)
