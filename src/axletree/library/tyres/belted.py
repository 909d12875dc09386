"""A tyre with a tread and edges (Andres 2009, section 3.6.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, minimum
from axletree.library.fields import choice, parameter
from axletree.library.tyres.contact_geometry import ContactGeometry, Deflection, chord
from axletree.library.tyres.cross_section import CrossSection, EdgedSection


@dataclass(frozen=True, kw_only=True)
class Belted(ContactGeometry):
    """A tread that is an arc across, between two edges that the tyre stands on in a large lean.

    The unloaded radius is that of the crown's top, d + r in (3.82); the edges have the radius
    rRim + height = d + sqrt(r^2 - width^2 / 4). From the inclination asin(width / (2 r)) on the
    tyre stands on an edge (3.73, 3.83), and the contact point passes there without a jump.
    Length and width of the patch are the chords of wheel and tread. As printed, (3.78) and
    (3.79) take another radius and no bound that a tread has.

    Example:
    >>> import axletree as at
    >>> tread = at.Belted(crown_radius="0.3 m", width="0.2 m")
    >>> length, width = tread.size(0.02, 0.3, tread.numbers)  # deflection, radius [m]
    >>> print(f"{float(length):.4f} m, {float(width):.4f} m")
    0.2191 m, 0.2000 m
    """

    summary: ClassVar[str] = "a tread that is an arc across, and edges beside it"

    crown_radius: float = parameter("m", "radius of the tread across, r", lower=0.0, above=True)
    width: float = parameter("m", "width of the tread", lower=0.0, above=True)
    deflects: Deflection = choice(
        Deflection, "direction in which the tyre is deflected", default=Deflection.NORMAL
    )

    def problems(self) -> list[str]:
        if self.width <= 2.0 * self.crown_radius:
            return []
        return ["the width of the tread must not exceed twice its crown_radius"]

    def radius_problems(self, unloaded_radius: float) -> list[str]:
        half = 0.5 * self.width
        drop = self.crown_radius - math.sqrt(self.crown_radius**2 - half**2)
        if drop < unloaded_radius:
            return []
        return [
            f"the edges of the tread lie {drop:g} m below its crown, no less than the "
            "unloaded_radius; take a larger crown_radius or a smaller width"
        ]

    def shape(self, p: Any) -> CrossSection:
        return EdgedSection(p["crown_radius"], 0.5 * p["width"] / p["crown_radius"])

    def size(self, deflection: Expr, unloaded_radius: Expr, p: Any) -> tuple[Expr, Expr]:
        width: Expr = minimum(chord(p["crown_radius"], deflection), p["width"])
        return chord(unloaded_radius, deflection), width
