"""What moves the inner ends of tie rods.

``rack``             slides in the body along y
``PitmanAndIdler``   a pitman arm, which a recirculating-ball gear turns, and an idler arm carry a
                     track rod between them; the input is the pitman arm's angle
``BeamSteering``     of a beam axle, by drag link and tie rod; the input is the same
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from axletree.components.fields import Part, positive, vector_parameter
from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    Bar,
    Hinge,
    Link,
    Point,
    Sleeve,
    Slide,
    frame_link,
    mirrored_point,
)
from axletree.vehicles.linkages.sides import AXLE_SIDES, LEFT_SIDE, Pieces, Side

PITMAN: Final = "pitman_shaft"  # the hinge whose angle steers
TRACK_ROD: Final = "track_rod"
_ACROSS = (0.0, 1.0, 0.0)


def rack() -> Pieces:
    """A rack that slides along y."""
    return Pieces(links=(Link(RACK),), joints=(Slide("rack_way", BODY, RACK, _ACROSS),))


@dataclass(frozen=True, kw_only=True)
class PitmanAndIdler(Part):
    """A recirculating-ball gear's pitman arm with idler arm and track rod.

    The pitman arm stands on the left; the idler arm is its mirror image if it is not given. The
    track rod is hinged to the pitman arm, about a line along the pitman's shaft, and slides along
    such a line in the idler arm, so that it does not turn about itself.

    Example:
    >>> from axletree.vehicles.linkages.parts.steering_linkage import PitmanAndIdler
    >>> gear = PitmanAndIdler(
    ...     pitman_shaft=(-0.2, 0.4, 0.3),
    ...     shaft_point=(-0.2, 0.4, 0.4),
    ...     pitman_end=(-0.35, 0.4, 0.3),
    ... )
    >>> [link.name for link in gear.pieces().links]
    ['pitman_arm', 'idler_arm', 'track_rod']
    """

    summary: ClassVar[str] = "pitman arm, idler arm and track rod"

    pitman_shaft: Point = vector_parameter("m", "a point of the pitman arm's axis")
    shaft_point: Point = vector_parameter("m", "a second point of it, further up")
    pitman_end: Point = vector_parameter("m", "the pitman arm's end, on the track rod")
    idler_pivot: Point | None = vector_parameter(
        "m", "a point of the idler arm's axis, which is parallel or mirrored", default=None
    )
    idler_end: Point | None = vector_parameter("m", "the idler arm's end", default=None)
    arm_mass: float = positive("kg", "of each arm", default=1.0)
    rod_mass: float = positive("kg", "of the track rod", default=2.0)

    def pieces(self) -> Pieces:
        """Arms and track rod."""
        pivot = self.idler_pivot or mirrored_point(self.pitman_shaft)
        end = self.idler_end or mirrored_point(self.pitman_end)
        along = mirrored_point(_between(self.pitman_shaft, self.shaft_point))
        shaft = _between(self.pitman_shaft, self.shaft_point)
        return Pieces(
            links=(
                frame_link("pitman_arm", self.arm_mass, [(self.pitman_shaft, self.pitman_end)]),
                frame_link("idler_arm", self.arm_mass, [(pivot, end)]),
                frame_link(TRACK_ROD, self.rod_mass, [(self.pitman_end, end)]),
            ),
            joints=(
                Hinge(PITMAN, BODY, "pitman_arm", (self.pitman_shaft, self.shaft_point)),
                Hinge("idler_shaft", BODY, "idler_arm", (pivot, _moved(pivot, along))),
                Hinge(
                    "pitman_joint", "pitman_arm", TRACK_ROD,
                    (self.pitman_end, _moved(self.pitman_end, shaft)),
                ),
                Sleeve("idler_joint", "idler_arm", TRACK_ROD, end, _moved(end, shaft)),
            ),
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class BeamSteering(Part):
    """Steering of a beam axle: knuckles on kingpins, a tie rod between them, and a drag link from
    the pitman arm to the left knuckle.

    Example:
    >>> from axletree.vehicles.linkages.parts.steering_linkage import BeamSteering
    >>> steering = BeamSteering(
    ...     kingpin_lower=(0.0, 0.85, 0.42),
    ...     kingpin_upper=(-0.01, 0.83, 0.62),
    ...     tie_rod_end=(-0.2, 0.8, 0.45),
    ...     drag_link_end=(0.0, 0.75, 0.7),
    ...     pitman_end=(-0.9, 0.6, 0.7),
    ...     pitman_shaft=(-0.9, 0.6, 0.95),
    ...     shaft_point=(-0.9, 0.5, 0.95),
    ...     knuckle_mass="25 kg",
    ... )
    >>> [joint.name for joint in steering.rods().joints]
    ['tie_rod', 'pitman_shaft', 'drag_link']
    """

    summary: ClassVar[str] = "kingpins, tie rod, drag link and pitman arm of a beam axle"

    kingpin_lower: Point = vector_parameter("m", "lower end of the left kingpin")
    kingpin_upper: Point = vector_parameter("m", "upper end of the left kingpin")
    tie_rod_end: Point = vector_parameter("m", "the tie rod's end on the left knuckle")
    drag_link_end: Point = vector_parameter("m", "the drag link's end on the left knuckle")
    pitman_end: Point = vector_parameter("m", "its end on the pitman arm")
    pitman_shaft: Point = vector_parameter("m", "a point of the pitman arm's axis")
    shaft_point: Point = vector_parameter("m", "a second point of it")
    knuckle_mass: float = positive("kg", "of each knuckle, without hub and brake")
    pitman_mass: float = positive("kg", "of the pitman arm", default=3.0)

    def knuckle(self, side: Side, hub_mass: float, wheel_centre: Point) -> Pieces:
        """With the hub, on the kingpin of a side."""
        lower, upper = self.kingpin(side)
        middle = _moved(lower, _scaled(_between(lower, upper), 0.5))
        ends = [wheel_centre, side.of(self.tie_rod_end)]
        ends += [self.drag_link_end] if side is LEFT_SIDE else []
        lines = [(lower, upper), *((middle, end) for end in ends)]
        name = side.named("knuckle")
        return Pieces(
            links=(frame_link(name, self.knuckle_mass + hub_mass, lines),),
            joints=(Hinge(side.named("kingpin"), "axle", name, (lower, upper)),),
        )

    def kingpin(self, side: Side) -> tuple[Point, Point]:
        """Its ends, the lower one first."""
        return side.of(self.kingpin_lower), side.of(self.kingpin_upper)

    def rods(self) -> Pieces:
        """Tie rod, pitman arm and drag link."""
        left, right = (side.named("knuckle") for side in AXLE_SIDES)
        tie = (self.tie_rod_end, mirrored_point(self.tie_rod_end))
        arm = [(self.pitman_shaft, self.pitman_end)]
        return Pieces(
            links=(frame_link("pitman_arm", self.pitman_mass, arm),),
            joints=(
                Bar("tie_rod", left, right, tie),
                Hinge(PITMAN, BODY, "pitman_arm", (self.pitman_shaft, self.shaft_point)),
                Bar("drag_link", "pitman_arm", left, (self.pitman_end, self.drag_link_end)),
            ),
        )


def _between(a: Point, b: Point) -> Point:
    return (b[0] - a[0], b[1] - a[1], b[2] - a[2])


def _moved(a: Point, by: Point) -> Point:
    return (a[0] + by[0], a[1] + by[1], a[2] + by[2])


def _scaled(a: Point, factor: float) -> Point:
    return (factor * a[0], factor * a[1], factor * a[2])
