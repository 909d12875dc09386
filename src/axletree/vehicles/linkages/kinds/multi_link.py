"""Five rods between body and upright, each with a ball at both ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.components.fields import (
    VALID_NAME,
    Part,
    named_pieces,
    piece,
    positive,
    structure,
    vector_parameter,
)
from axletree.core.arrays import euclidean_norm
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.corner import TieRodSuspension
from axletree.vehicles.linkages.linkage import (
    BODY,
    Ball,
    Cross,
    Link,
    LinkJoint,
    Point,
    WheelCarrier,
    frame_link,
    rod_link,
)
from axletree.vehicles.linkages.parts.rods import BallRod
from axletree.vehicles.linkages.parts.seats import Seat
from axletree.vehicles.linkages.sides import Pieces, Side

_RODS = 5  # leave an upright one of its six freedoms


def _checked_rod(value: object) -> str:
    if isinstance(value, str) and VALID_NAME.fullmatch(value):
        return value
    raise ModelError(f"expected the name of a rod, got {value!r}")


@dataclass(frozen=True, kw_only=True)
class MultiLinkPoints(Part):
    """Of one side, in the axle's axes."""

    wheel_centre: Point = vector_parameter("m", "the wheel's centre")
    rods: Mapping[str, BallRod] = named_pieces(BallRod, "the five rods by name")


@dataclass(frozen=True, kw_only=True)
class MultiLink(TieRodSuspension):
    """One of the rods is the toe link: a rack moves its inner end if the axle is steered, and its
    length sets toe. The spring stands on the upright, or on a rod that is named.

    Example:
    >>> from axletree.vehicles.linkages.kinds.multi_link import MultiLink
    >>> axle = MultiLink(
    ...     points={
    ...         "wheel_centre": (0.0, 0.76, 0.31),
    ...         "rods": {
    ...             "front_lower": {"inner": (0.3, 0.4, 0.2), "outer": (0.02, 0.7, 0.19)},
    ...             "rear_lower": {"inner": (-0.1, 0.3, 0.21), "outer": (-0.05, 0.69, 0.2)},
    ...             "front_upper": {"inner": (0.15, 0.45, 0.45), "outer": (0.01, 0.66, 0.46)},
    ...             "rear_upper": {"inner": (-0.12, 0.44, 0.44), "outer": (-0.04, 0.67, 0.47)},
    ...             "toe": {"inner": (-0.2, 0.36, 0.26), "outer": (-0.18, 0.7, 0.25)},
    ...         },
    ...     },
    ...     toe_link="toe",
    ...     upright_mass="16 kg",
    ...     spring={"stiffness": 6e4, "lower": (-0.06, 0.65, 0.2), "upper": (-0.06, 0.6, 0.6)},
    ... )
    >>> axle.linkage().carriers["left"].toe_link
    'left_toe'
    """

    summary: ClassVar[str] = "five rods, by hard points"
    seats: ClassVar[tuple[Seat, ...]] = (Seat.UPRIGHT, Seat.SPRING_LINK)

    points: MultiLinkPoints = piece(MultiLinkPoints, "hard points of the left side")
    right_points: MultiLinkPoints | None = piece(
        MultiLinkPoints, "those of the right side; left out: mirrored", default=None
    )
    toe_link: str = structure("name", "the rod that sets toe, and that a rack moves", _checked_rod)
    spring_rod: str | None = structure(
        "name", "the rod that is the spring link", lambda x: x if x is None else _checked_rod(x),
        default=None,
    )  # fmt: skip
    spring_rod_mass: float = positive("kg", "of this rod", default=3.0)

    def problems(self) -> list[str]:
        found = []
        for name, points in (("points", self.points), ("right_points", self.right_points)):
            if points is None:
                continue
            rods = list(points.rods)
            if len(rods) != _RODS:
                found.append(
                    f"{name}: rods: an upright is held by {_RODS} rods, and there are {len(rods)}: "
                    f"{', '.join(rods)}"
                )
            for field, rod in (("toe_link", self.toe_link), ("spring_rod", self.spring_rod)):
                if rod is not None and rod not in rods:
                    found.append(f"{field}: {rod} is not among the rods {', '.join(rods)}")
        if (self.spring_rod is None) == (self._seat() is Seat.SPRING_LINK):
            found.append("spring_on: spring-link and spring_rod belong together; give both")
        if self.spring_rod is not None and self.spring_rod == self.toe_link and self._steers():
            found.append("spring_rod: the toe link of a steered wheel cannot carry the spring")
        return list(dict.fromkeys(found)) or super().problems()

    def _corner(self, side: Side) -> tuple[Pieces, WheelCarrier]:
        p = side.points(self.points, self.right_points)
        upright, lines = side.named("upright"), [(p.wheel_centre, r.outer) for r in p.rods.values()]
        pieces = Pieces(links=(frame_link(upright, self.upright_mass, lines),))
        for name, rod in p.rods.items():
            if name == self.spring_rod:
                pieces += self._spring_link(side, rod)
                continue
            base = self._tie_rod_base() if name == self.toe_link else BODY
            pieces += Pieces(joints=(rod.bar(side.named(name), (base, upright)),))
        toe = side.named(self.toe_link)
        return pieces, self._carrier(side, upright, p.wheel_centre, toe_link=toe)

    def _spring_link(self, side: Side, rod: BallRod) -> Pieces:
        """It has a cross on the body in place of a ball, so that it does not turn about itself."""
        name, upright = Seat.SPRING_LINK.link(side.name), side.named("upright")
        link: Link = rod_link(name, self.spring_rod_mass, (rod.inner, rod.outer))
        joints: tuple[LinkJoint, ...] = (
            Cross(f"{name}_inner", BODY, name, rod.inner, _cross_axes(rod)),
            Ball(f"{name}_outer", name, upright, rod.outer),
        )
        return Pieces(links=(link,), joints=joints)


def _cross_axes(rod: BallRod) -> tuple[Point, Point]:
    """Both across the rod, the first one level."""
    along = np.subtract(rod.outer, rod.inner)
    level = np.cross(
        (0.0, 0.0, 1.0) if abs(along[2]) < np.abs(along).max() else (1.0, 0.0, 0.0), along
    )
    a, b = (v / max(euclidean_norm(v), 1e-9) for v in (level, np.cross(along, level)))
    return (float(a[0]), float(a[1]), float(a[2])), (float(b[0]), float(b[1]), float(b[2]))
