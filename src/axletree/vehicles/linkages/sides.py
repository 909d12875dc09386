"""Two sides of an axle: what is given for the left one, mirrored or given for the right one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from axletree.components.fields import PIECE, PIECES, Part, part_fields
from axletree.vehicles.linkages.linkage import (
    AxleLinkage,
    Coil,
    HingeCoupling,
    Link,
    LinkJoint,
    Point,
    TorsionBar,
    WheelCarrier,
    mirrored_point,
)

_P = TypeVar("_P", bound=Part)
_VECTOR = "vector"


@dataclass(frozen=True)
class Side:
    """The left or the right one, with the sign of y there."""

    name: str
    sign: float

    def named(self, what: str) -> str:
        """The name of a link or a joint of this side."""
        return f"{self.name}_{what}"

    def of(self, point: Point) -> Point:
        """A point that is given for the left side."""
        return point if self.sign > 0.0 else mirrored_point(point)

    def points(self, left: _P, right: _P | None = None) -> _P:
        """Points of this side: those of the right one are mirrored if they are not given."""
        if self.sign > 0.0:
            return left
        return mirrored(left) if right is None else right


LEFT_SIDE: Final = Side("left", 1.0)
RIGHT_SIDE: Final = Side("right", -1.0)
AXLE_SIDES: Final = (LEFT_SIDE, RIGHT_SIDE)


def mirrored(part: _P) -> _P:
    """With all of its points on the other side of the vehicle.

    Example:
    >>> from axletree.vehicles.linkages.parts.rods import BallRod
    >>> from axletree.vehicles.linkages.sides import mirrored
    >>> mirrored(BallRod(inner=(0.0, 0.3, 0.2), outer=(0.0, 0.7, 0.2))).outer
    (0.0, -0.7, 0.2)
    """
    changed: dict[str, Any] = {}
    for name, kind in part_fields(part):
        held = getattr(part, name)
        if held is None:
            continue
        if kind.word == _VECTOR:
            changed[name] = mirrored_point(held)
        elif kind.word == PIECE:
            changed[name] = mirrored(held)
        elif kind.word == PIECES:
            changed[name] = {key: mirrored(one) for key, one in held.items()}
    made: _P = dataclasses.replace(part, **changed)  # type: ignore[type-var]
    return made


def named_points(part: Part) -> Iterator[tuple[str, Point]]:
    """Names and places of all points of a part and of the parts within it."""
    for name, kind in part_fields(part):
        held = getattr(part, name)
        if held is None:
            continue
        if kind.word == _VECTOR:
            yield name, held
        within = {PIECE: {"": held}, PIECES: held}.get(kind.word, {})
        for key, one in within.items():
            words = (name, key) if key else (name,)
            yield from ((" ".join((*words, own)), at) for own, at in named_points(one))


@dataclass(frozen=True)
class Pieces:
    """Some links and joints of a linkage, and what pushes between them."""

    links: tuple[Link, ...] = ()
    joints: tuple[LinkJoint, ...] = ()
    coils: tuple[Coil, ...] = ()
    bars: tuple[TorsionBar, ...] = ()
    couplings: tuple[HingeCoupling, ...] = ()

    def __add__(self, more: Pieces) -> Pieces:
        return Pieces(
            self.links + more.links, self.joints + more.joints, self.coils + more.coils,
            self.bars + more.bars, self.couplings + more.couplings,
        )  # fmt: skip

    def axle(
        self,
        carriers: Mapping[str, WheelCarrier],
        *,
        steers: bool = False,
        steering_hinge: str | None = None,
        notes: tuple[str, ...] = (),
    ) -> AxleLinkage:
        """The linkage that they make with the wheels on these carriers, by side."""
        return AxleLinkage(
            self.links, self.joints, carriers, self.coils, self.bars, steers, steering_hinge,
            notes, self.couplings,
        )  # fmt: skip
