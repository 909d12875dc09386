"""What surfaces have in common that change along a straight line and are level across it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from axletree.core.expr import cos, sin
from axletree.library.fields import parameter
from axletree.library.surfaces.contract import Parameters, Surface, Value


@dataclass(frozen=True, kw_only=True)
class AlongLine(Surface):
    """A surface whose height depends on the distance along a line alone."""

    x: float = parameter("m", "x of the place where it begins", default=0.0)
    y: float = parameter("m", "y of the place where it begins", default=0.0)
    heading: float = parameter(
        "rad", "direction of the line, from the x axis to the left", default=0.0
    )

    @abstractmethod
    def profile(self, distance: Value, p: Parameters) -> Value:
        """z [m] from the distance [m] along the line.

        Example:
        >>> import axletree as at
        >>> kerb = at.Step(x=10.0, rise="10 cm", length=0.5)  # m
        >>> [round(kerb.profile(d, kerb.numbers), 3) for d in (0.0, 0.25, 0.5)]  # from its foot
        [0.0, 0.05, 0.1]
        """

    def height(self, x: Value, y: Value, p: Parameters) -> Value:
        direction = cos(p["heading"]), sin(p["heading"])
        return self.profile((x - p["x"]) * direction[0] + (y - p["y"]) * direction[1], p)
