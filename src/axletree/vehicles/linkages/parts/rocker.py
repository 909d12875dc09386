"""A rocker that a pushrod or a pullrod turns, and on which the spring stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import Part, positive, vector_parameter
from axletree.vehicles.linkages.linkage import BODY, Bar, Hinge, Point, frame_link
from axletree.vehicles.linkages.sides import Pieces, Side


@dataclass(frozen=True, kw_only=True)
class Rocker(Part):
    """Of the left side; the right one is its mirror image. Whether its rod pushes or pulls follows
    from the points. The spring's lower end is then on the rocker.

    Example:
    >>> from axletree.vehicles.linkages.parts.rocker import Rocker
    >>> from axletree.vehicles.linkages.sides import LEFT_SIDE
    >>> rocker = Rocker(
    ...     pivot=(0.0, 0.25, 0.55),
    ...     axis_point=(0.1, 0.25, 0.55),
    ...     rod_on_rocker=(0.0, 0.3, 0.6),
    ...     rod_on_link=(0.0, 0.58, 0.2),
    ... )
    >>> [joint.name for joint in rocker.pieces(LEFT_SIDE, "left_lower_arm").joints]
    ['left_rocker_pivot', 'left_pushrod']
    """

    summary: ClassVar[str] = "a rocker with its pushrod or pullrod"

    pivot: Point = vector_parameter("m", "a point of its axis, which is fixed to the body")
    axis_point: Point = vector_parameter("m", "a second point of its axis")
    rod_on_rocker: Point = vector_parameter("m", "end of the pushrod or pullrod on the rocker")
    rod_on_link: Point = vector_parameter("m", "its end on the link that would carry the spring")
    mass: float = positive("kg", "of the rocker", default=0.5)

    def pieces(self, side: Side, link: str) -> Pieces:
        """With the rod to a link of this side."""
        pivot, end = side.of(self.pivot), side.of(self.rod_on_rocker)
        axis_point, name = side.of(self.axis_point), side.named("rocker")
        lines = ((pivot, axis_point), (pivot, end))
        return Pieces(
            links=(frame_link(name, self.mass, lines),),
            joints=(
                Hinge(f"{name}_pivot", BODY, name, (pivot, axis_point)),
                Bar(side.named("pushrod"), name, link, (end, side.of(self.rod_on_link))),
            ),
        )
