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
        """At the wheel's centre, from the normal force [N] and the law's forces."""


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
