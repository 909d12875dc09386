"""Toe and camber as a workshop sets them: by the length of rods, and by shims at the body.

The points are drawn with the hub straight; then, with the wheels at their heights, the length of a
rod or the place of a joint along y is left open and toe and camber are asked for instead. All links
turn a little, and where they then are is the design.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from axletree.components.fields import VALID_NAME, Part, structure
from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.core.registry import unknown_name
from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Bar,
    Cross,
    Hinge,
    Link,
    LinkJoint,
    Plane,
    Point,
    Sleeve,
    Slide,
    WheelCarrier,
    spin_axis,
)
from axletree.vehicles.linkages.positions import (
    _coupling,
    _hinge_angle,
    _rows_of,
    _solved,
    _State,
    _turned,
)
from axletree.vehicles.linkages.sides import AXLE_SIDES

_ACROSS = (0.0, 1.0, 0.0)
_CLOSED, _MOST_STEPS = 1e-13, 30


def _checked_joint(value: object) -> str | None:
    if value is None or (isinstance(value, str) and VALID_NAME.fullmatch(value)):
        return value
    raise ModelError(f"expected the name of a rod or a joint, got {value!r}")


@dataclass(frozen=True, kw_only=True)
class Alignment(Part):
    """What is adjusted; without it, the hub has toe and camber and the points stay.

    An angle that nothing is named for is the hub's, and goes where the other takes it: shims alone
    change toe, too.

    Example:
    >>> from axletree.vehicles.linkages.alignment import Alignment
    >>> Alignment(toe_by="tie_rod", camber_by="upper_arm_bearings").camber_by
    'upper_arm_bearings'
    """

    summary: ClassVar[str] = "rods and shims that set toe and camber"

    toe_by: str | None = structure(
        "name", "the rod whose length sets static_toe, as tie_rod", _checked_joint, default=None
    )
    camber_by: str | None = structure(
        "name", "the rod whose length sets static_camber, or the joint on the body that shims move "
        "along y, as upper_arm_bearings or strut", _checked_joint, default=None,
    )  # fmt: skip

    def problems(self) -> list[str]:
        if self.toe_by is None and self.camber_by is None:
            return ["give toe_by or camber_by"]
        if self.toe_by == self.camber_by:
            return [f"toe_by and camber_by are both {self.toe_by}; one cannot set two angles"]
        return []

    def hub(self, toe: float, camber: float) -> tuple[float, float]:
        """Toe and camber that the hub itself has [rad]."""
        return (0.0 if self.toe_by else toe), (0.0 if self.camber_by else camber)

    def aligned(self, linkage: AxleLinkage, toe: float, camber: float) -> AxleLinkage:
        """With its wheels at toe-in and camber [rad]."""
        opened = _Opened(linkage, [one for one in (self.toe_by, self.camber_by) if one])
        targets = [t for t, by in ((0, self.toe_by), (1, self.camber_by)) if by]
        opened.solve(targets, toe, camber)
        return opened.redrawn()


class _Opened:
    """A linkage whose adjusted rods have no length, and whose shims slide along y."""

    def __init__(self, linkage: AxleLinkage, adjusted: list[str]) -> None:
        self.linkage = linkage
        self.shims: dict[str, str] = {}  # the link of a shim by the joint that it moves
        self.joints: list[LinkJoint] = []
        names = {side.named(name) for side in AXLE_SIDES for name in adjusted}
        for joint in linkage.joints:
            if joint.name not in names:
                self.joints.append(joint)
            elif isinstance(joint, Hinge | Sleeve) and joint.first == BODY:
                shim = f"{joint.name}_shim"
                self.shims[joint.name] = shim
                self.joints += [replace(joint, first=shim), Slide(shim, BODY, shim, _ACROSS)]
            elif not isinstance(joint, Bar):
                raise ModelError(
                    f"alignment: {joint.name} is neither a rod nor a joint on the body"
                )
        found = {joint.name for joint in linkage.joints}
        for name in adjusted:
            if not {side.named(name) for side in AXLE_SIDES} <= found:
                known = [n.removeprefix("left_") for n in found if n.startswith("left_")]
                raise ModelError(f"alignment: {unknown_name('joint', name, known, 'this axle')}")
        links = [*linkage.moving(), *self.shims.values()]
        self.order = {link: k for k, link in enumerate(links)}
        self.r = np.zeros((1, len(links), 3))
        self.R = np.tile(np.eye(3), (1, len(links), 1, 1))

    # -- closing it ------------------------------------------------------------------------
    def solve(self, targets: list[int], toe: float, camber: float) -> None:
        """Newton's method on the joints, the heights of the wheels, toe and camber."""
        for _ in range(_MOST_STEPS):
            left, slopes = self._equations(targets, toe, camber)
            if np.abs(left).max() < _CLOSED:
                return
            move = -_solved(slopes[None], left[None, :, None])[0, :, 0].reshape(-1, 6)
            self.r = self.r + move[None, :, :3]
            self.R = _turned(self.R, move[None, :, 3:])
            if not np.isfinite(self.r).all() or np.abs(self.r).max() > 1.0:
                break
        raise ModelError(
            f"alignment: toe {np.degrees(toe):.3g} deg and camber {np.degrees(camber):.3g} deg are "
            "out of reach of what is adjusted; name a rod or a joint that turns the wheel so"
        )

    def _equations(
        self, targets: list[int], toe: float, camber: float
    ) -> tuple[FloatArray, FloatArray]:
        state = _State(self.order, self.r, self.R)
        rows = [_rows_of(joint).of(state) for joint in self.joints]
        for side in AXLE_SIDES:
            carrier = self.linkage.carriers[side.name]
            at, s = carrier.centre, np.array(carrier.spin_axis)
            height = state.point(carrier.link, at)[:, 2:3] - at[2]
            rows.append((height, state.slope(carrier.link, at)[:, 2:3]))
            axis = state.rotation(carrier.link) @ s
            turning = state.direction_slope(carrier.link, axis)
            wanted = np.array(spin_axis(side.sign, toe, camber))
            # Across the axis that is wanted: in the road's plane toe, upward camber.
            across = np.cross(wanted, [0.0, 0.0, 1.0])
            for target in targets:
                d = across / np.linalg.norm(across) if target == 0 else np.array([0.0, 0.0, 1.0])
                value = axis @ d - wanted @ d
                rows.append((value[:, None], np.einsum("i,nij->nj", d, turning)[:, None]))
        rows += [_coupling(state, one, self.linkage) for one in self.linkage.couplings]
        if self.linkage.steering_hinge is not None:
            rows.append(_hinge_angle(state, self.linkage.hinge(self.linkage.steering_hinge)))
        elif self.linkage.steers:
            rack = (0.0, 0.0, 0.0)
            rows.append((state.point(RACK, rack)[:, 1:2], state.slope(RACK, rack)[:, 1:2]))
        values, slopes = zip(*rows, strict=True)
        return np.concatenate(values, axis=1)[0], np.concatenate(slopes, axis=1)[0]

    # -- where it then is --------------------------------------------------------------------
    def _moved(self, link: str, at: Point) -> Point:
        if link == BODY:
            return self._of_shim(at)
        k = self.order[link]
        x, y, z = (self.r[0, k] + self.R[0, k] @ np.array(at)).tolist()
        return (x, y, z)

    def _of_shim(self, at: Point) -> Point:
        """A point of the body, which moves if a shim moves the joint there."""
        for joint in self.linkage.joints:
            held: tuple[Point, ...] = joint.ends if isinstance(joint, Hinge) else ()
            held = (joint.at,) if isinstance(joint, Sleeve) else held
            if joint.name in self.shims and at in held:
                way = self.r[0, self.order[self.shims[joint.name]], 1]
                return (at[0], at[1] + float(way), at[2])
        return at

    def _turned(self, link: str, along: Point) -> Point:
        if link == BODY:
            return along
        x, y, z = (self.R[0, self.order[link]] @ np.array(along)).tolist()
        return (x, y, z)

    def redrawn(self) -> AxleLinkage:
        """The linkage as it then stands, with its rods as long as they are."""
        old = self.linkage
        coils = tuple(
            replace(c, ends=(self._moved(c.first, c.ends[0]), self._moved(c.second, c.ends[1])))
            for c in old.coils
        )
        return replace(
            old, links=tuple(map(self._link, old.links)),
            joints=tuple(map(self._joint, old.joints)), coils=coils,
            carriers={side: self._carrier(one) for side, one in old.carriers.items()},
        )  # fmt: skip

    def _link(self, link: Link) -> Link:
        if not link.mass:
            return link
        R = self.R[0, self.order[link.name]]
        xx, yy, zz, xy, xz, yz = link.inertia
        J = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        a, b, c, d, e, f = J[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist()
        return Link(link.name, link.mass, self._moved(link.name, link.centre), (a, b, c, d, e, f))

    def _joint(self, joint: LinkJoint) -> LinkJoint:
        first, second = joint.first, joint.second
        other = first if second == BODY else second
        changed: Mapping[str, Any]
        match joint:
            case Hinge():
                changed = {"ends": tuple(self._moved(other, end) for end in joint.ends)}
            case Bar():
                changed = {"ends": tuple(map(self._moved, (first, second), joint.ends))}
            case Sleeve():
                at, along = self._moved(first, joint.at), self._moved(second, joint.along)
                changed = {"at": at, "along": along}
            case Slide():
                changed = {}
            case Cross():
                axes = tuple(map(self._turned, (first, second), joint.axes))
                changed = {"at": self._moved(other, joint.at), "axes": axes}
            case Plane():
                normal = self._turned(second, joint.normal)
                changed = {"at": self._moved(first, joint.at), "normal": normal}
            case _:
                changed = {"at": self._moved(other, joint.at)}
        return replace(joint, **changed)

    def _carrier(self, carrier: WheelCarrier) -> WheelCarrier:
        links = carrier.kingpin_links or (carrier.link, carrier.link)
        kingpin = carrier.kingpin
        if kingpin is not None:
            kingpin = (self._moved(links[0], kingpin[0]), self._moved(links[1], kingpin[1]))
        return replace(
            carrier, centre=self._moved(carrier.link, carrier.centre), kingpin=kingpin,
            spin_axis=self._turned(carrier.link, carrier.spin_axis),
        )  # fmt: skip
