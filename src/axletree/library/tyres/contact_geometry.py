"""The shape by which a tyre meets the road."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, maximum, minimum, sqrt
from axletree.core.expr.expression import ZERO
from axletree.library.fields import choice, parameter
from axletree.library.part import Part
from axletree.library.tyres.cross_section import CrossSection, PressedSection, RoundSection
from axletree.library.tyres.patch import Patch, WheelOnPlane, find_patch

LEAST_AREA = 1e-12  # m^2, of length times length: the root of 0 has no slope


class Deflection(enum.Enum):
    """In which direction a tyre is deflected."""

    WHEEL_PLANE = "wheel-plane"  # towards the wheel's centre, as in Morency 2007
    NORMAL = "normal"  # along the road's normal, as in Andres 2009: conservative as it leans


@dataclass(frozen=True, kw_only=True)
class ContactGeometry(Part, ABC):
    """A shape of the tyre."""

    deflects: Deflection = choice(
        Deflection, "direction in which the tyre is deflected", default=Deflection.WHEEL_PLANE
    )

    @abstractmethod
    def shape(self, p: Any) -> CrossSection:
        """The cross-section, from parameters by name; deflected in the wheel plane.

        Example:
        >>> import axletree as at
        >>> at.Toroid(crown_radius=0.06).shape({"crown_radius": 0.05})  # m
        RoundSection(crown=0.05)
        """

    @abstractmethod
    def size(self, deflection: Expr, unloaded_radius: Expr, p: Any) -> tuple[Expr, Expr]:
        """Length and width of the patch [m], from the deflection and the radius [m].

        Example:
        >>> import axletree as at
        >>> from axletree.core.expr import symbol
        >>> print(at.PlanarDisc().size(symbol("rho"), symbol("R"), {})[0])
        sqrt(max(8*R*rho, 1e-12))
        """

    def radius_problems(self, unloaded_radius: float) -> list[str]:
        """What does not go with a tyre of this radius [m].

        Example:
        >>> import axletree as at
        >>> at.Toroid(crown_radius=0.3).radius_problems(0.25)
        ['the crown_radius of the contact must be less than the unloaded_radius']
        """
        return []

    def _section(self, unloaded_radius: Expr, p: Any) -> CrossSection:
        """The cross-section of a tyre of this radius [m]."""
        shape = self.shape(p)
        pressed = self.deflects is Deflection.NORMAL
        return PressedSection(shape, unloaded_radius) if pressed else shape

    def patch(self, wheel: WheelOnPlane, p: Any) -> Patch:
        """From a wheel on a plane and parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.core.vectors import IDENTITY, NULL
        >>> from axletree.library.tyres.patch import WheelOnPlane
        >>> x, y, z = IDENTITY  # forward, left, up
        >>> wheel = WheelOnPlane(z, 0.25, x * 20.0, NULL, y, 60.0, 0.3125)  # m, m/s, rad/s, m
        >>> patch = at.PlanarDisc().patch(wheel, {})
        >>> print(patch.deflection, patch.sliding_speed(0.25))  # m, m/s: 20 - 60 * 0.25
        0.0625 5
        """
        return find_patch(wheel, self._section(wheel.unloaded_radius, p))


@dataclass(frozen=True)
class PlanarDisc(ContactGeometry):
    """A thin disc, as in Morency 2007, section 3.5. Its patch is a line (Andres 2009, eq. 3.65).

    Example:
    >>> import axletree as at
    >>> length, width = at.PlanarDisc().size(0.02, 0.3, {})  # deflection, radius [m]
    >>> print(f"{float(length):.4f} m")  # 2 sqrt(2 * 0.3 * 0.02)
    0.2191 m
    """

    summary: ClassVar[str] = "a thin disc"

    def shape(self, p: Any) -> CrossSection:
        return RoundSection()

    def size(self, deflection: Expr, unloaded_radius: Expr, p: Any) -> tuple[Expr, Expr]:
        return chord(unloaded_radius, deflection), ZERO


@dataclass(frozen=True)
class Toroid(ContactGeometry):
    """A torus, as Blundell and Harty 2004 have it: the contact moves over the crown with the lean.

    The unloaded radius is that of the crown's top. A leaning wheel is higher than a disc
    by (1 - cos(gamma)) r_c and rolls on a circle that is smaller by as much. The patch is that
    of Andres 2009, eqs. (3.70, 3.71), its width the chord of the crown and not of the wheel.

    Example:
    >>> import axletree as at
    >>> torus = at.Toroid(crown_radius="60 mm")
    >>> length, width = torus.size(0.01, 0.3, torus.numbers)  # deflection, radius [m]
    >>> print(f"{float(length):.4f} m, {float(width):.4f} m")
    0.1549 m, 0.0693 m
    """

    summary: ClassVar[str] = "a torus: the contact point moves over the crown as the wheel leans"

    crown_radius: float = parameter("m", "radius of the tyre's cross-section, r_c", lower=0.0)

    def shape(self, p: Any) -> CrossSection:
        return RoundSection(p["crown_radius"])

    def size(self, deflection: Expr, unloaded_radius: Expr, p: Any) -> tuple[Expr, Expr]:
        crown = p["crown_radius"]
        width: Expr = minimum(chord(crown, deflection), 2.0 * crown)
        return chord(unloaded_radius, deflection), width

    def radius_problems(self, unloaded_radius: float) -> list[str]:
        if self.crown_radius < unloaded_radius:
            return []
        return ["the crown_radius of the contact must be less than the unloaded_radius"]


def chord(radius: Expr, depth: Expr) -> Expr:
    """Of a circle pressed in by a small depth [m]; almost nothing in the air."""
    length: Expr = sqrt(maximum(8.0 * radius * depth, LEAST_AREA))
    return length
