"""What holds the links of an axle on a rig: ideal joints, bushings, rods that give, springs.

An element has rows e of a pose, with slopes B by the motion of its links. An ideal joint holds
e = 0 by reactions; an elastic one has the forces f(e), which do work as gradients of an energy:
the generalised force is B^T f. Bushings measure displacement and rotation as the component
``bushing`` of a model does: both in the axes of the first link, rotation as the sine of the angle
times the axis. What holds at design is taken up by a preload f(0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from axletree.components.signals import Curve
from axletree.components.springs import BUSHING_FORCES, BUSHING_MOMENTS
from axletree.core.arrays import FloatArray
from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Ball,
    Bar,
    Coil,
    Cross,
    Hinge,
    LinkJoint,
    Mount,
    Point,
)
from axletree.vehicles.linkages.positions import _across, _rows_of, _State, _unit

_STEP = 1e-30  # of complex steps, which have no rounding of a difference


@dataclass(frozen=True, eq=False)
class Element:
    """Rows between one or two links that move."""

    name: str
    links: tuple[str, ...]
    of: Callable[[_State], tuple[Any, Any]]
    count: int
    stiffness: FloatArray | None = None  # by rows; none: an ideal joint
    beyond: Callable[[Any], Any] | None = None  # force beside the stiffness, by rows
    is_preloaded: bool = False  # holds a share of the loads at design

    @property
    def is_ideal(self) -> bool:
        return self.stiffness is None

    @property
    def stiffness_at_design(self) -> FloatArray:
        """With the slopes of what is beside the stiffness."""
        assert self.stiffness is not None
        if self.beyond is None:
            return self.stiffness
        slopes = self.beyond(1j * _STEP * np.eye(self.count)).imag / _STEP
        return np.asarray(self.stiffness + slopes.T)

    def at(self, r: FloatArray, R: FloatArray, force: FloatArray) -> ElementState:
        """At N poses of its links: ``force`` (N, rows) are reactions, or preloads."""
        N, n = len(r), len(self.links)
        moves = np.eye(6 * n)
        turn = 1j * _STEP * _crossing(moves.reshape(6 * n, n, 6)[..., 3:])
        shift = 1j * _STEP * moves.reshape(6 * n, n, 6)[..., :3]
        moved_r = (r[:, None] + shift).reshape(-1, n, 3)
        moved_R = (R[:, None] + turn @ R[:, None]).reshape(-1, n, 3, 3)
        state = _State({name: k for k, name in enumerate(self.links)}, moved_r, moved_R)
        values, slopes = self.of(state)
        loads = np.repeat(force, 6 * n, axis=0) + self._elastic(values)
        gradient = np.einsum("nki,nk->ni", slopes, loads).reshape(N, 6 * n, 6 * n)
        first = slice(None, None, 6 * n)
        return ElementState(
            values[first].real, slopes[first].real, loads[first].real, gradient[:, 0].real,
            np.swapaxes(gradient.imag, 1, 2) / _STEP,
        )  # fmt: skip

    def _elastic(self, values: Any) -> Any:
        if self.stiffness is None:
            return 0.0
        force = values @ self.stiffness.T
        return force if self.beyond is None else force + self.beyond(values)


@dataclass(frozen=True, eq=False)
class ElementState:
    """Of an element at N poses."""

    values: FloatArray  # e (N, rows)
    slopes: FloatArray  # B (N, rows, 6 links)
    forces: FloatArray  # f (N, rows)
    gradient: FloatArray  # B^T f (N, 6 links)
    hessian: FloatArray  # of that by motion


def elements_of(linkage: AxleLinkage, *, elastic: bool) -> Iterator[Element]:
    """Of a linkage, with its bushings if it is to be ``elastic``, else with ideal joints."""
    for joint in linkage.joints:
        yield from (_soft_joint(joint) if elastic else ()) or _ideal_joint(joint)
    for coil in linkage.coils:
        length = float(np.linalg.norm(np.subtract(*coil.ends)))
        yield Element(
            coil.name, _moving(coil.first, coil.second), partial(_length, coil, length), 1,
            np.array([[coil.stiffness]]), partial(_stops, coil), is_preloaded=coil.is_spring,
        )  # fmt: skip
    for bar in linkage.bars:
        signs = (1.0, -1.0)[: len(bar.hinges)]
        links, rows = _angles_of(linkage, bar.hinges, signs)
        yield Element(bar.name, links, rows, 1, np.array([[bar.stiffness]]))
    for coupling in linkage.couplings:
        links, rows = _angles_of(linkage, coupling.hinges, coupling.factors)
        yield Element(coupling.name, links, rows, 1)


def steering_element(linkage: AxleLinkage) -> Element | None:
    """The travel of the rack, or the angle of the hinge that steers in its place."""
    if not linkage.steers:
        return None
    if linkage.steering_hinge is not None:
        links, rows = _angles_of(linkage, (linkage.steering_hinge,), (1.0,))
        return Element("steering", links, rows, 1)
    return Element("steering", (RACK,), _rack_travel, 1)


def _moving(*links: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(link for link in links if link != BODY))


def _ideal_joint(joint: LinkJoint) -> list[Element]:
    rows = _rows_of(joint)
    return [Element(joint.name, _moving(joint.first, joint.second), rows.of, rows.count)]


def _soft_joint(joint: LinkJoint) -> list[Element]:
    """Bushings in its place, or nothing where it has none."""
    links = _moving(joint.first, joint.second)
    match joint:
        case Ball(mount=Mount() as mount) | Cross(mount=Mount() as mount):
            return [_bushing(joint.name, joint, joint.at, mount)]
        case Hinge(mounts=(first, second)):
            ends = zip(("front", "rear"), joint.ends, (first, second), strict=True)
            return [_bushing(f"{joint.name}_{end}", joint, at, one) for end, at, one in ends]
        case Bar(stiffness=float() as stiffness):
            length = float(np.linalg.norm(np.subtract(*joint.ends)))
            rows = partial(_length, joint, length)
            return [Element(joint.name, links, rows, 1, np.array([[stiffness]]), is_preloaded=True)]
    return []


def _bushing(name: str, joint: LinkJoint, at: Point, mount: Mount) -> Element:
    x, y, z = (_unit(axis) for axis in mount.axes.T)
    K = np.diag([*mount.stiffness, *mount.rotational_stiffness]).astype(float)
    links = _moving(joint.first, joint.second)
    rows = partial(_mount, joint, at, (x, y, z))
    curves = [mount.curves.get(name) for name in (*BUSHING_FORCES, *BUSHING_MOMENTS)]
    more = partial(_by_curves, curves) if any(curves) else None
    return Element(name, links, rows, 6, K, more, is_preloaded=True)


def _by_curves(curves: Sequence[Curve | None], e: Any) -> Any:
    """Forces of curves by rows; a complex step goes along their slopes."""
    found = np.zeros_like(e)
    for k, points in enumerate(curves):
        if points is not None:
            table, x = points.table, e[..., k]
            slope = table.derivative().evaluate(x.real)
            found[..., k] = table.evaluate(x.real) + 1j * x.imag * slope
    return found


# Rows.


def _length(of: Bar | Coil, design: float, s: _State) -> tuple[Any, Any]:
    """Its length above that at design."""
    gap = s.point(of.first, of.ends[0]) - s.point(of.second, of.ends[1])
    slope = s.slope(of.first, of.ends[0]) - s.slope(of.second, of.ends[1])
    length = np.sqrt((gap * gap).sum(axis=1))
    return length[:, None] - design, np.einsum("ni,nij->nj", gap / length[:, None], slope)[:, None]


def _mount(
    joint: LinkJoint, at: Point, axes: tuple[Point, Point, Point], s: _State
) -> tuple[Any, Any]:
    """Displacement of the second link and its rotation, in the bushing's axes on the first."""
    gap, slope = s.gap(joint, (at, at))
    values, slopes = [], []
    for axis in axes:
        u = s.rotation(joint.first) @ np.array(axis)
        turning = s.direction_slope(joint.first, u)
        values.append(-(u * gap).sum(axis=1))
        slopes.append(-np.einsum("ni,nij->nj", u, slope) - np.einsum("ni,nij->nj", gap, turning))
    for i, j in ((1, 2), (2, 0), (0, 1)):
        one, done = s.product((joint.first, axes[j]), (joint.second, axes[i]))
        two, dtwo = s.product((joint.first, axes[i]), (joint.second, axes[j]))
        values.append(0.5 * (one - two)[:, 0])
        slopes.append(0.5 * (done - dtwo)[:, 0])
    return np.stack(values, axis=1), np.stack(slopes, axis=1)


def _rack_travel(s: _State) -> tuple[Any, Any]:
    origin = (0.0, 0.0, 0.0)
    return s.point(RACK, origin)[:, 1:2], s.slope(RACK, origin)[:, 1:2]


def _angles_of(
    linkage: AxleLinkage, names: Sequence[str], factors: Sequence[float]
) -> tuple[tuple[str, ...], Callable[[_State], tuple[Any, Any]]]:
    """The sum of angles of hinges, each times a factor; the links that move in it."""
    hinges = [linkage.hinge(name) for name in names]
    links = _moving(*(link for hinge in hinges for link in (hinge.first, hinge.second)))
    return links, partial(_angles, hinges, factors)


def _angles(hinges: Sequence[Hinge], factors: Sequence[float], s: _State) -> tuple[Any, Any]:
    found = [_angle(hinge, s) for hinge in hinges]
    value = sum(factor * angle for factor, (angle, _) in zip(factors, found, strict=True))
    slope = sum(factor * rate for factor, (_, rate) in zip(factors, found, strict=True))
    return np.asarray(value)[:, None], np.asarray(slope)[:, None]


def _angle(hinge: Hinge, s: _State) -> tuple[Any, Any]:
    u, v = _across(_unit(np.subtract(hinge.ends[1], hinge.ends[0])))
    c, dc = s.product((hinge.first, u), (hinge.second, u))
    d, dd = s.product((hinge.first, v), (hinge.second, u))
    c, d, dc, dd = c[:, 0], d[:, 0], dc[:, 0], dd[:, 0]
    slope = (c[:, None] * dd - d[:, None] * dc) / (c * c + d * d)[:, None]
    return np.arctan(d / c), slope  # less than a right angle from design


def _stops(coil: Coil, e: Any) -> Any:
    """Tension by which stops add to a spring, at its length above that at design."""
    force = 0.0 * e
    for clearance, sign in ((coil.bump_clearance, -1.0), (coil.rebound_clearance, 1.0)):
        if clearance is not None:
            beyond = sign * e - clearance
            force = force + np.where(beyond.real > 0.0, sign * coil.stop_stiffness * beyond, 0.0)
    return force


def _crossing(w: Any) -> Any:
    """The matrix of w x."""
    K = np.zeros((*w.shape[:-1], 3, 3), w.dtype)
    K[..., 2, 1], K[..., 0, 2], K[..., 1, 0] = w[..., 0], w[..., 1], w[..., 2]
    return K - np.swapaxes(K, -1, -2)
