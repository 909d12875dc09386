"""Positions of a linkage whose body is held: at given heights of the wheels and rack travel.

Each link has the position of its design origin r and a rotation R, so that a point that is at a at
design is at r + R a. Joints hold

    ball:    r1 + R1 a - r2 - R2 a = 0
    hinge:   ball at one end, and u . (R1^T R2 v) = 0 for v along it, u across it (two rows)
    bar:     (|r1 + R1 a - r2 - R2 b|^2 - L^2) / (2 L) = 0
    sleeve:  R2 n . (r1 + R1 a - r2 - R2 b) = 0 for n across the line (two rows)
    slide:   r2 - r1 across the direction, and the rotation of R1^T R2 (five rows)

and Newton's method moves r by v and R by the rotation vector w: dr = v, dR = w x R. All positions
of a sweep are found at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Ball,
    Bar,
    Hinge,
    Joint,
    Point,
    Sleeve,
    Slide,
)

_CLOSED = 1e-12  # [m or 1] a loop counts as closed below this
_MOST_ITERATIONS = 12  # of Newton's method on one step of a path
_LONGEST_STEP = 0.25  # share of the path from design to a target
_SHORTEST_STEP = 1e-3  # likewise, below which the path ends
_SINGULAR = 1e-10  # share of the largest singular value that counts as zero


class UnreachableTravel(ModelError):
    """A linkage is asked for a wheel travel or a rack travel that it cannot take."""


@dataclass(frozen=True, eq=False)
class Positions:
    """N positions of a linkage, and their rates by each of its T inputs: the travel of the left
    wheel, of the right one, and that of the rack where there is one.
    """

    order: dict[str, int]  # of links
    r: FloatArray  # (N, links, 3) [m]
    R: FloatArray  # (N, links, 3, 3)
    v: FloatArray  # (N, links, 3, T), of the design origin, by inputs
    w: FloatArray  # (N, links, 3, T) [rad], likewise of rotation

    def point(self, link: str, at: Point) -> FloatArray:
        """Where a point of a link is, (N, 3) [m]."""
        if link == BODY:
            return np.broadcast_to(np.array(at), (len(self.r), 3))
        k = self.order[link]
        found: FloatArray = self.r[:, k] + self.R[:, k] @ np.array(at)
        return found

    def point_rate(self, link: str, at: Point) -> FloatArray:
        """How it moves by the inputs, (N, 3, T)."""
        if link == BODY:
            return np.zeros((len(self.r), 3, self.v.shape[-1]))
        k = self.order[link]
        arm = self.R[:, k] @ np.array(at)
        moved: FloatArray = self.v[:, k] + np.cross(self.w[:, k], arm[:, :, None], axis=1)
        return moved

    def direction(self, link: str, along: Point) -> FloatArray:
        """A direction that is fixed to a link, (N, 3)."""
        if link == BODY:
            return np.broadcast_to(np.array(along), (len(self.r), 3))
        found: FloatArray = self.R[:, self.order[link]] @ np.array(along)
        return found

    def length(self, links: tuple[str, str], ends: tuple[Point, Point]) -> FloatArray:
        """Between points of two links, (N,) [m]."""
        between = self.point(links[1], ends[1]) - self.point(links[0], ends[0])
        return np.asarray(np.linalg.norm(between, axis=1))

    def length_rate(self, links: tuple[str, str], ends: tuple[Point, Point]) -> FloatArray:
        """Its rates by the inputs, (N, T)."""
        between = self.point(links[1], ends[1]) - self.point(links[0], ends[0])
        along = between / np.linalg.norm(between, axis=1)[:, None]
        rate = self.point_rate(links[1], ends[1]) - self.point_rate(links[0], ends[0])
        return np.asarray(np.einsum("ni,nit->nt", along, rate))


class LinkageKinematics:
    """A linkage, closed at any wheel travel and rack travel that it reaches."""

    def __init__(self, linkage: AxleLinkage, name: str = "axle") -> None:
        self.linkage, self.name = linkage, name
        self.order = {link: k for k, link in enumerate(linkage.moving())}
        self._rows = [_rows_of(joint) for joint in linkage.joints]
        left, right = linkage.carriers["left"], linkage.carriers["right"]
        self._targets = [(left.link, left.centre, 2), (right.link, right.centre, 2)]
        if linkage.steers:
            self._targets.append((RACK, (0.0, 0.0, 0.0), 1))
        self._check_freedoms()

    @property
    def inputs(self) -> int:
        """The number of its inputs."""
        return len(self._targets)

    def at(self, inputs: FloatArray) -> Positions:
        """Positions at travels of the left wheel, the right wheel and the rack, (N, T) [m].

        Each is led from design along a straight path; where a path ends the error says how far it
        came and which joint stops it.
        """
        goal = np.asarray(inputs, dtype=float)[:, : self.inputs]
        N, L = len(goal), len(self.order)
        r, R = np.zeros((N, L, 3)), np.tile(np.eye(3), (N, L, 1, 1))
        reached, step = np.zeros(N), np.full(N, _LONGEST_STEP)
        left = np.zeros((N, 0))
        while (open_ := np.flatnonzero((reached < 1.0) & (step >= _SHORTEST_STEP))).size:
            ahead = np.minimum(reached[open_] + step[open_], 1.0)
            r_new, R_new, off = self._newton(r[open_], R[open_], ahead[:, None] * goal[open_])
            closed = np.abs(off).max(axis=1) <= _CLOSED
            good, bad = open_[closed], open_[~closed]
            r[good], R[good], reached[good] = r_new[closed], R_new[closed], ahead[closed]
            step[good] = np.minimum(2.0 * step[good], _LONGEST_STEP)
            step[bad] /= 2.0
            left = off[~closed] if bad.size else left
        if (stuck := np.flatnonzero(reached < 1.0)).size:
            worst = int(stuck[np.argmin(reached[stuck])])
            self._refuse(goal[worst], reached[worst], left[-1])
        return self._with_rates(r, R)

    def _refuse(self, asked: FloatArray, reached: float, left: FloatArray) -> None:
        names = ("left wheel travel", "right wheel travel", "rack travel")
        what = ", ".join(f"{n} {1e3 * x:.4g} mm" for n, x in zip(names, asked, strict=False))
        near = ", ".join(f"{1e3 * reached * x:.4g} mm" for x in asked)
        raise UnreachableTravel(
            f"{self.name}: {what} is beyond the reach of the linkage, which comes to {near}; "
            f"{self._worst(left)} stays open by {1e3 * np.abs(left).max():.3g} mm"
        )

    def _worst(self, left: FloatArray) -> str:
        counts = [row.count for row in self._rows]
        ends = np.cumsum(counts)
        k = int(np.searchsorted(ends, int(np.abs(left).argmax()), side="right"))
        return self.linkage.joints[k].name if k < len(counts) else "the target"

    # -- one step --------------------------------------------------------------------------
    def _newton(
        self, r: FloatArray, R: FloatArray, goal: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        left, slopes = self._residuals(r, R, goal)
        for _ in range(_MOST_ITERATIONS):
            if np.abs(left).max(initial=0.0) <= 0.01 * _CLOSED:
                break
            move = -_solved(slopes, left[..., None])[..., 0]
            change = move.reshape(len(r), -1, 6)
            r, R = r + change[..., :3], _turned(R, change[..., 3:])
            left, slopes = self._residuals(r, R, goal)
        return r, R, left

    def _residuals(
        self, r: FloatArray, R: FloatArray, goal: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """(N, rows) and slopes (N, rows, 6 links) by v and w of each link."""
        state = _State(self.order, r, R)
        found = [row.of(state) for row in self._rows]
        values = [value for value, _ in found]
        slopes = [slope for _, slope in found]
        for k, (link, at, axis) in enumerate(self._targets):
            place, slope = state.point(link, at), state.slope(link, at)
            values.append(place[:, axis, None] - at[axis] - goal[:, k, None])
            slopes.append(slope[:, axis, None])
        return np.concatenate(values, axis=1), np.concatenate(slopes, axis=1)

    def _with_rates(self, r: FloatArray, R: FloatArray) -> Positions:
        N, T = len(r), self.inputs
        _, slopes = self._residuals(r, R, np.zeros((N, T)))
        unit = np.zeros((slopes.shape[1], T))
        unit[-T:] = np.eye(T)
        rates = _solved(slopes, np.tile(unit, (N, 1, 1))).reshape(N, -1, 6, T)
        return Positions(self.order, r, R, rates[:, :, :3], rates[:, :, 3:])

    def _check_freedoms(self) -> None:
        """Each input can be asked for alone, and together they hold the wheels."""
        L = len(self.order)
        r, R = np.zeros((1, L, 3)), np.eye(3)[None, None].repeat(L, axis=1)
        left, slopes = self._residuals(r, R, np.zeros((1, self.inputs)))
        if np.abs(left).max(initial=0.0) > 1e-9:
            joint = self._worst(left[0])
            raise ModelError(
                f"{self.name}: {joint} is open by {1e3 * np.abs(left).max():.3g} mm at design"
            )
        A = slopes[0]
        held = _rank(A)
        if held < _rank(A[: -self.inputs]) + self.inputs:
            raise ModelError(
                f"{self.name}: its joints hold the wheels too tightly: they cannot go up and down "
                "each by itself; take a joint away, or give it bushings"
            )
        state = _State(self.order, r, R)
        wheels = [
            state.slope(carrier.link, point)[0]
            for carrier in self.linkage.carriers.values()
            for point in _three_points(carrier.centre)
        ]
        if _rank(np.vstack([A, *wheels])) > held:
            raise ModelError(
                f"{self.name}: its joints do not hold the wheels: at given heights and rack travel "
                "they can still move; a rod or a joint is missing"
            )


def _solved(A: FloatArray, b: FloatArray) -> FloatArray:
    """The shortest solutions of a stack of A x = b; links may be free to spin about themselves."""
    if A.shape[1] == A.shape[2]:
        try:
            return np.asarray(np.linalg.solve(A, b))
        except np.linalg.LinAlgError:
            pass
    return np.asarray(np.linalg.pinv(A, rcond=_SINGULAR) @ b)


def _three_points(centre: Point) -> Iterable[Point]:
    x, y, z = centre
    return (x, y, z), (x + 0.1, y, z), (x, y, z + 0.1)


def _rank(A: FloatArray) -> int:
    return int(np.linalg.matrix_rank(A, tol=1e-9 * max(1.0, float(np.abs(A).max(initial=0.0)))))


def _turned(R: FloatArray, w: FloatArray) -> FloatArray:
    """exp(w) R by Rodrigues' formula."""
    angle = np.linalg.norm(w, axis=-1)[..., None, None]
    K = _crossing(w)
    near = angle < 1e-8
    safe = np.where(near, 1.0, angle)
    a = np.where(near, 1.0, np.sin(safe) / safe)
    b = np.where(near, 0.5, (1.0 - np.cos(safe)) / safe**2)
    turned: FloatArray = (np.eye(3) + a * K + b * K @ K) @ R
    return turned


def _crossing(w: FloatArray) -> FloatArray:
    """The matrix of w x, (..., 3, 3)."""
    K = np.zeros((*w.shape[:-1], 3, 3), w.dtype)
    K[..., 2, 1], K[..., 0, 2], K[..., 1, 0] = w[..., 0], w[..., 1], w[..., 2]
    return K - np.swapaxes(K, -1, -2)


@dataclass(frozen=True, eq=False)
class _State:
    """Where links are, with slopes by their motion; complex numbers give rates of slopes."""

    order: dict[str, int]
    r: FloatArray
    R: FloatArray

    def rotation(self, link: str) -> FloatArray:
        if link == BODY:
            return np.broadcast_to(np.eye(3), (len(self.r), 3, 3))
        return np.asarray(self.R[:, self.order[link]])

    def point(self, link: str, at: Point) -> FloatArray:
        if link == BODY:
            return np.broadcast_to(np.array(at), (len(self.r), 3))
        return np.asarray(self.r[:, self.order[link]] + self.rotation(link) @ np.array(at))

    def slope(self, link: str, at: Point) -> FloatArray:
        """Of a point, (N, 3, 6 links)."""
        found = np.zeros((len(self.r), 3, 6 * len(self.order)), self.r.dtype)
        if link != BODY:
            k = 6 * self.order[link]
            found[:, :, k : k + 3] = np.eye(3)
            found[:, :, k + 3 : k + 6] = -_crossing(self.rotation(link) @ np.array(at))
        return found

    def direction_slope(self, link: str, along: FloatArray) -> FloatArray:
        """Of a direction d (N, 3) that turns with a link: dd = w x d."""
        found = np.zeros((len(self.r), 3, 6 * len(self.order)), self.r.dtype)
        if link != BODY:
            k = 6 * self.order[link] + 3
            found[:, :, k : k + 3] = -_crossing(along)
        return found

    def gap(self, joint: Joint, ends: tuple[Point, Point]) -> tuple[FloatArray, FloatArray]:
        """From a point of the second link to one of the first, (N, 3), with slopes."""
        apart = self.point(joint.first, ends[0]) - self.point(joint.second, ends[1])
        return apart, self.slope(joint.first, ends[0]) - self.slope(joint.second, ends[1])

    def product(
        self, first: tuple[str, Point], second: tuple[str, Point]
    ) -> tuple[FloatArray, FloatArray]:
        """u . v of directions fixed to two links, (N, 1), with slopes."""
        u, v = (self.rotation(link) @ np.array(d) for link, d in (first, second))
        du, dv = self.direction_slope(first[0], u), self.direction_slope(second[0], v)
        slope = np.einsum("ni,nij->nj", u, dv) + np.einsum("ni,nij->nj", v, du)
        return (u * v).sum(axis=1)[:, None], slope[:, None]


_Residual = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class _Rows:
    """What a joint holds."""

    count: int
    of: Callable[[_State], _Residual]


def _rows_of(joint: Joint) -> _Rows:
    match joint:
        case Ball():
            return _Rows(3, lambda s: s.gap(joint, (joint.at, joint.at)))
        case Hinge():
            return _Rows(5, lambda s: _hinge(s, joint))
        case Bar():
            return _Rows(1, lambda s: _bar(s, joint))
        case Sleeve():
            return _Rows(2, lambda s: _sleeve(s, joint))
        case Slide():
            return _Rows(5, lambda s: _slide(s, joint))


def _hinge(s: _State, joint: Hinge) -> _Residual:
    start, end = joint.ends
    along = _unit(np.subtract(end, start))
    rows = [s.gap(joint, (start, start))]
    rows += [s.product((joint.first, u), (joint.second, along)) for u in _across(along)]
    return _stacked(rows)


def _bar(s: _State, joint: Bar) -> _Residual:
    length = float(np.linalg.norm(np.subtract(*joint.ends)))
    gap, slope = s.gap(joint, joint.ends)
    value = ((gap * gap).sum(axis=1) - length**2) / (2.0 * length)
    return value[:, None], np.einsum("ni,nij->nj", gap, slope)[:, None] / length


def _sleeve(s: _State, joint: Sleeve) -> _Residual:
    along = _unit(np.subtract(joint.along, joint.at))
    gap, slope = s.gap(joint, (joint.at, joint.at))
    rows = []
    for n in _across(along):
        across = s.rotation(joint.second) @ np.array(n)
        turning = s.direction_slope(joint.second, across)
        row = np.einsum("ni,nij->nj", across, slope) + np.einsum("ni,nij->nj", gap, turning)
        rows.append(((across * gap).sum(axis=1)[:, None], row[:, None]))
    return _stacked(rows)


def _slide(s: _State, joint: Slide) -> _Residual:
    along = _unit(np.array(joint.direction))
    across = _across(along)
    gap, slope = s.gap(joint, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
    rows = []
    for n in across:
        fixed = s.rotation(joint.first) @ np.array(n)
        turning = s.direction_slope(joint.first, fixed)
        row = np.einsum("ni,nij->nj", fixed, slope) + np.einsum("ni,nij->nj", gap, turning)
        rows.append(((fixed * gap).sum(axis=1)[:, None], row[:, None]))
    pairs = ((across[0], across[1]), (across[0], along), (across[1], along))
    rows += [s.product((joint.first, u), (joint.second, v)) for u, v in pairs]
    return _stacked(rows)


def _stacked(rows: Sequence[_Residual]) -> _Residual:
    values, slopes = zip(*rows, strict=True)
    return np.concatenate(values, axis=1), np.concatenate(slopes, axis=1)


def _unit(v: FloatArray) -> Point:
    x, y, z = (v / np.linalg.norm(v)).tolist()
    return (x, y, z)


def _across(along: Point) -> tuple[Point, Point]:
    """Two directions normal to one another and to this one."""
    least = np.eye(3)[int(np.argmin(np.abs(along)))]
    first = np.cross(along, least)
    return _unit(first), _unit(np.cross(along, first))
