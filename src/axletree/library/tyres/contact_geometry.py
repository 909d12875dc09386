"""The shape by which a tyre meets a planar road."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.core.vectors import Vector
from axletree.library.contract import RelativeMotion
from axletree.library.fields import parameter
from axletree.library.part import Part
from axletree.library.tyres.patch import Patch, find_patch


class ContactGeometry(Part, ABC):
    """A shape of the tyre."""

    @abstractmethod
    def patch(self, motion: RelativeMotion, axis: Vector, rate: Expr, p: Any) -> Patch:
        """From the motion of the carrier in the road, the wheel's axis in it, the rate of the
        axle [rad/s] and parameters by name."""


@dataclass(frozen=True)
class PlanarDisc(ContactGeometry):
    """A thin disc, as in Morency 2007, section 3.5."""

    summary: ClassVar[str] = "a thin disc"

    def patch(self, motion: RelativeMotion, axis: Vector, rate: Expr, p: Any) -> Patch:
        return find_patch(motion, axis, rate)


@dataclass(frozen=True)
class Toroid(ContactGeometry):
    """A torus, as Blundell and Harty 2004 have it: the contact moves over the crown with the lean.

    The unloaded radius is that of the crown's top. A leaning wheel is higher than a disc
    by (1 - cos(gamma)) r_c and rolls on a circle that is smaller by as much.
    """

    summary: ClassVar[str] = "a torus: the contact point moves over the crown as the wheel leans"

    crown_radius: float = parameter("m", "radius of the tyre's cross-section, r_c", lower=0.0)

    def patch(self, motion: RelativeMotion, axis: Vector, rate: Expr, p: Any) -> Patch:
        return find_patch(motion, axis, rate, p["crown_radius"])
