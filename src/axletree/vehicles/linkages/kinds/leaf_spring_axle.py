"""A solid axle on leaf springs, each as three links: its front half, the seat on the axle, its rear
half, which hangs on a shackle.

The halves turn on the seat about lines across the vehicle. The front eye turns in the body and may
slide along y, as the leaf twists; the middle between the seats stays in the middle of the vehicle,
as both leaves are equally stiff sideways. Wind-up is that of rest: of torsion springs c_i between
the halves and the seats, which hold the beam in pitch together, the sum of moments is zero, and so
is that of the angles by which the halves turn on the seats, each times its c_i.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import piece, positive, vector_parameter
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.kinds.beam_axle import BeamAxle, BeamPoints
from axletree.vehicles.linkages.linkage import (
    BODY,
    Bar,
    Coupling,
    Hinge,
    Plane,
    Point,
    Sleeve,
    rod_link,
)
from axletree.vehicles.linkages.sides import BOTH_SIDES, Pieces, Side

_SPRING_HEIGHT = 1.0  # [m] of a spring that stands for a leaf; its force stays upright


@dataclass(frozen=True, kw_only=True)
class LeafSpringPoints(BeamPoints):
    """Of one side, in the axle's axes; the joints of the halves are not where the leaf is
    clamped, but where its halves, as rigid links, turn on the seat.
    """

    front_eye: Point = vector_parameter("m", "the leaf's front eye on the body")
    front_joint: Point = vector_parameter("m", "joint of front half and seat")
    rear_joint: Point = vector_parameter("m", "joint of rear half and seat")
    rear_eye: Point = vector_parameter("m", "the leaf's rear eye, on the shackle")
    shackle_on_body: Point = vector_parameter("m", "the shackle's bearing on the body")


@dataclass(frozen=True, kw_only=True)
class LeafSpringAxle(BeamAxle):
    """The spring's stiffness is that of a leaf at its seat; its ends are left out.

    Example:
    >>> from axletree.vehicles.linkages.kinds.leaf_spring_axle import LeafSpringAxle
    >>> axle = LeafSpringAxle(
    ...     points={
    ...         "wheel_centre": (0.0, 0.8, 0.37), "front_eye": (0.65, 0.52, 0.42),
    ...         "front_joint": (0.16, 0.52, 0.45), "rear_joint": (-0.16, 0.52, 0.45),
    ...         "rear_eye": (-0.65, 0.52, 0.42), "shackle_on_body": (-0.68, 0.52, 0.54),
    ...     },
    ...     spring={"stiffness": 4e4}, axle_mass="90 kg", upright_mass="18 kg",
    ... )
    >>> len(axle.linkage().couplings[0].hinges)
    4
    """

    summary: ClassVar[str] = "a solid axle on leaf springs, by hard points"

    points: LeafSpringPoints = piece(LeafSpringPoints, "hard points of the left side")
    right_points: LeafSpringPoints | None = piece(
        LeafSpringPoints, "those of the right side; left out: mirrored", default=None
    )
    front_share: float = positive(
        "1", "torsion stiffness of the front half's joint by that of the rear half's", default=1.0
    )
    leaf_mass: float = positive("kg", "of each half of a leaf", default=8.0)

    def _guides(self) -> Pieces:
        left, right = (one.points(self.points, self.right_points) for one in BOTH_SIDES)
        seats = zip(
            left.front_joint, left.rear_joint, right.front_joint, right.rear_joint, strict=True
        )
        x, y, z = (0.25 * sum(four) for four in seats)
        found = Pieces(joints=(Plane("seats_middle", "axle", BODY, (x, y, z), (0.0, 1.0, 0.0)),))
        for side in BOTH_SIDES:
            found += self._leaf(side)
        ends = [("front", self.front_share), ("rear", 1.0)]
        pairs = [(f"{s.name}_{end}_joint", by) for s in BOTH_SIDES for end, by in ends]
        hinges, factors = zip(*pairs, strict=True)
        return found + Pieces(couplings=(Coupling("wind_up", hinges, factors),))

    def _leaf(self, side: Side) -> Pieces:
        p = side.points(self.points, self.right_points)
        front, rear = side.named("front_leaf"), side.named("rear_leaf")
        x, y, z = p.front_eye
        return Pieces(
            links=(
                rod_link(front, self.leaf_mass, (p.front_joint, p.front_eye)),
                rod_link(rear, self.leaf_mass, (p.rear_joint, p.rear_eye)),
            ),
            joints=(
                Hinge(side.named("front_joint"), "axle", front, _across(p.front_joint)),
                Hinge(side.named("rear_joint"), "axle", rear, _across(p.rear_joint)),
                Sleeve(side.named("front_eye"), front, BODY, p.front_eye, (x, y + 0.1, z)),
                Bar(side.named("shackle"), BODY, rear, (p.shackle_on_body, p.rear_eye)),
            ),
        )

    def _spring_ends(self, side: Side) -> tuple[Point, Point]:
        if self.spring.lower is not None or self.spring.upper is not None:
            raise ModelError("spring: a leaf carries at its seat; leave 'lower' and 'upper' out")
        p = side.points(self.points, self.right_points)
        x, y, z = (0.5 * (a + b) for a, b in zip(p.front_joint, p.rear_joint, strict=True))
        return (x, y, z + _SPRING_HEIGHT), (x, y, z)


def _across(point: Point) -> tuple[Point, Point]:
    x, y, z = point
    return (x, y, z), (x, y + 0.1, z)
