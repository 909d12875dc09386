"""Anti-roll bars by their links: a bar that runs across the vehicle, and the T of racing cars.

``UBar``   two halves turn on the body about one line, with a torsion spring between them; a drop
           link joins the arm of each half to its side
``TBar``   a stem is hinged to the body and carries a head across it; the stem twists where the
           sides move one against the other, and swings where they move together
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import Part, chosen, parameter, positive, vector_parameter
from axletree.vehicles.linkages.linkage import (
    BODY,
    Bar,
    Hinge,
    Point,
    TorsionBar,
    frame_link,
    mirrored_point,
)
from axletree.vehicles.linkages.parts.seats import Seat
from axletree.vehicles.linkages.sides import AXLE_SIDES, Pieces, Side


@dataclass(frozen=True, kw_only=True)
class DropLinks(Part):
    """By its left drop link; the right one is its mirror image."""

    end: Point = vector_parameter("m", "upper end of the left drop link, on the bar")
    link_end: Point = vector_parameter("m", "lower end of the left drop link")
    on: Seat = chosen(Seat.LOWER_ARM, "link that carries the lower end")
    stiffness: float = positive("N*m/rad", "of the bar, about the line that it twists about")
    damping: float = parameter("N*m*s/rad", "likewise", default=0.0, lower=0.0)
    mass: float = positive("kg", "of the bar", default=3.0)

    def drop_link(self, side: Side, bar: str, link: str) -> Bar:
        """From the bar to a link of a side."""
        ends = (side.of(self.end), side.of(self.link_end))
        return Bar(side.named("drop_link"), bar, link, ends)


@dataclass(frozen=True, kw_only=True)
class UBar(DropLinks):
    """A bar across the vehicle, bent to an arm at each end.

    Example:
    >>> from axletree.vehicles.linkages.parts.anti_roll_bar import UBar
    >>> bar = UBar(
    ...     bearing=(0.2, 0.4, 0.25),
    ...     end=(0.0, 0.5, 0.25),
    ...     link_end=(0.0, 0.52, 0.18),
    ...     stiffness=400.0,
    ... )
    >>> bar.pieces({"left": "left_lower_arm", "right": "right_lower_arm"}).bars[0].hinges
    ('left_bar_bearing', 'right_bar_bearing')
    """

    summary: ClassVar[str] = "anti-roll bar across the vehicle, with drop links"

    bearing: Point = vector_parameter("m", "bearing of its left half; the right one is across")

    def pieces(self, links: dict[str, str]) -> Pieces:
        """With drop links to these links, by side."""
        # Both halves turn about one line in one sense, so that their angles are equal in heave.
        line = (mirrored_point(self.bearing), self.bearing)
        found = Pieces()
        for side in AXLE_SIDES:
            half, start = side.named("bar"), side.of(self.bearing)
            middle = (start[0], 0.0, start[2])
            lines = ((middle, start), (start, side.of(self.end)))
            found += Pieces(
                links=(frame_link(half, 0.5 * self.mass, lines),),
                joints=(
                    Hinge(f"{half}_bearing", BODY, half, line),
                    self.drop_link(side, half, links[side.name]),
                ),
            )
        hinges = ("left_bar_bearing", "right_bar_bearing")
        spring = TorsionBar("anti_roll_bar", hinges, self.stiffness, self.damping)
        return found + Pieces(bars=(spring,))


@dataclass(frozen=True, kw_only=True)
class TBar(DropLinks):
    """A stem in the middle of the vehicle that carries a head across it.

    Example:
    >>> from axletree.vehicles.linkages.parts.anti_roll_bar import TBar
    >>> bar = TBar(
    ...     foot=(0.1, 0.0, 0.4),
    ...     neck=(0.1, 0.0, 0.6),
    ...     end=(0.1, 0.1, 0.6),
    ...     link_end=(0.0, 0.12, 0.6),
    ...     on="rocker",
    ...     stiffness=300.0,
    ... )
    >>> bar.pieces({"left": "left_rocker", "right": "right_rocker"}).bars[0].hinges
    ('t_bar_neck',)
    """

    summary: ClassVar[str] = "anti-roll bar in the form of a T, with drop links"

    foot: Point = vector_parameter("m", "where its stem swings on the body, about y")
    neck: Point = vector_parameter("m", "where its stem carries the head")

    def pieces(self, links: dict[str, str]) -> Pieces:
        """With drop links to these links, by side."""
        x, y, z = self.foot
        head_lines = [(self.neck, side.of(self.end)) for side in AXLE_SIDES]
        drops = [self.drop_link(side, "t_bar_head", links[side.name]) for side in AXLE_SIDES]
        return Pieces(
            links=(
                frame_link("t_bar_stem", 0.5 * self.mass, [(self.foot, self.neck)]),
                frame_link("t_bar_head", 0.5 * self.mass, head_lines),
            ),
            joints=(
                Hinge("t_bar_foot", BODY, "t_bar_stem", (self.foot, (x, y + 0.1, z))),
                Hinge("t_bar_neck", "t_bar_stem", "t_bar_head", (self.foot, self.neck)),
                *drops,
            ),
            bars=(TorsionBar("t_bar", ("t_bar_neck",), self.stiffness, self.damping),),
        )
