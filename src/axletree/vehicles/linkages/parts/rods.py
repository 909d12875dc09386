"""Rods with a ball at each end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import Part, optional_parameter, parameter, vector_parameter
from axletree.vehicles.linkages.linkage import Bar, Point


@dataclass(frozen=True)
class BallRod(Part):
    """A massless rod.

    Example:
    >>> from axletree.vehicles.linkages.parts.rods import BallRod
    >>> rod = BallRod(inner=(0.0, 0.3, 0.2), outer=(0.0, 0.7, 0.2))  # m
    >>> rod.bar("camber_link", ("body", "left_upright")).second
    'left_upright'
    """

    summary: ClassVar[str] = "a massless rod with a ball at each end"

    inner: Point = vector_parameter("m", "its end on the body")
    outer: Point = vector_parameter("m", "its end on what carries the wheel")
    stiffness: float | None = optional_parameter(
        "N/m", "along it, with its bushings, where these are modelled", lower=0.0, above=True
    )
    damping: float = parameter("N*s/m", "likewise", default=0.0, lower=0.0)

    def bar(self, name: str, links: tuple[str, str]) -> Bar:
        """Between two links, that of its inner end first."""
        return Bar(name, *links, (self.inner, self.outer), self.stiffness, self.damping)
