"""Positions of a linkage whose body is held: at given heights of the wheels and rack travel.

Each link has the position of its design origin r and a rotation R, so that a point that is at a at
design is at r + R a. Joints hold

    ball:    r1 + R1 a - r2 - R2 a = 0
    hinge:   ball at one end, and u . (R1^T R2 v) = 0 for v along it, u across it (two rows)
    bar:     (|r1 + R1 a - r2 - R2 b|^2 - L^2) / (2 L) = 0
    sleeve:  R2 n . (r1 + R1 a - r2 - R2 b) = 0 for n across the line (two rows)
    slide:   r2 - r1 across the direction, and the rotation of R1^T R2 (five rows)
    cross:   ball, and R1 u . R2 v = 0 for its axes (four rows)
    plane:   R2 n . (r1 + R1 a - r2 - R2 a) = 0 for its normal (one row)

and couplings the sum of angles of hinges times their factors, where the angle of a hinge with the
direction e, u across it and v = e x u is atan2(R1 v . R2 u, R1 u . R2 u), whose rate is that of
R1 e . (w2 - w1) as long as the hinge is closed.

Newton's method moves r by v and R by the rotation vector w: dr = v, dR = w x R. All positions
of a sweep are found at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.linkage import (
    BODY,
    RACK,
    AxleLinkage,
    Ball,
    Bar,
    Coil,
    Cross,
    Hinge,
    HingeCoupling,
    LinkJoint,
    Plane,
    Point,
    Sleeve,
    Slide,
)

_CLOSED = 1e-12  # [m or 1] a loop counts as closed below this
_MOST_ITERATIONS = 12  # of Newton's method on one step of a path
_LONGEST_STEP = 0.25  # share of the path from design to a target
_SHORTEST_STEP = 1e-3  # likewise, below which the path ends
_FIRST_WAY = 5e-3  # [m] of the wheels that a linkage has to reach from design
_SINGULAR = 1e-10  # share of the largest singular value that counts as zero


class UnreachableTravel(ModelError):
    """A linkage is asked for a wheel travel or a rack travel that it cannot take."""


@dataclass(frozen=True, eq=False)
class Positions:
    """N positions of a linkage, and their rates by each of its T inputs: the travel of the left
    wheel, of the right one, and that of the rack, or the angle of the hinge that steers, where
    there is one.
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

    def rotation(self, link: str) -> FloatArray:
        """From a link's axes to the body's, (N, 3, 3); at design these are the same."""
        if link == BODY:
            return np.broadcast_to(np.eye(3), (len(self.r), 3, 3))
        found: FloatArray = self.R[:, self.order[link]]
        return found

    def turn_rate(self, link: str) -> FloatArray:
        """The rotation of a link by the inputs, (N, 3, T) [rad]."""
        if link == BODY:
            return np.zeros((len(self.r), 3, self.w.shape[-1]))
        found: FloatArray = self.w[:, self.order[link]]
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
        self._rows += [
            _Rows(1, partial(_coupling, of=one, among=linkage)) for one in linkage.couplings
        ]
        self._names = [one.name for one in (*linkage.joints, *linkage.couplings)]
        self._targets = [
            partial(_coordinate, link=wheel.link, at=wheel.centre, axis=2)
            for wheel in (left, right)
        ]
        self._steers_by_angle = linkage.steering_hinge is not None
        if linkage.steering_hinge is not None:
            self._targets.append(partial(_hinge_angle, hinge=linkage.hinge(linkage.steering_hinge)))
        elif linkage.steers:
            self._targets.append(partial(_coordinate, link=RACK, at=(0.0, 0.0, 0.0), axis=1))
        self._check_freedoms()

    @property
    def inputs(self) -> int:
        """The number of its inputs."""
        return len(self._targets)

    @cached_property
    def design(self) -> Positions:
        """The one position with which all travels are zero."""
        size = len(self.order)
        return self._with_rates(np.zeros((1, size, 3)), np.tile(np.eye(3), (1, size, 1, 1)))

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
        steers = (
            ("angle", 180.0 / np.pi, "deg") if self._steers_by_angle else ("rack travel", 1e3, "mm")
        )
        kinds = (("left wheel travel", 1e3, "mm"), ("right wheel travel", 1e3, "mm"), steers)
        pairs = list(zip(kinds, asked.tolist(), strict=False))
        what = ", ".join(f"{name} {by * x:.4g} {unit}" for (name, by, unit), x in pairs)
        near = ", ".join(f"{by * reached * x:.4g} {unit}" for (_, by, unit), x in pairs)
        raise UnreachableTravel(
            f"{self.name}: {what} is beyond the reach of the linkage, which comes to {near}; "
            f"{self._worst(left)} stays open by {1e3 * np.abs(left).max():.3g} mm"
        )

    def _worst(self, left: FloatArray) -> str:
        counts = [row.count for row in self._rows]
        ends = np.cumsum(counts)
        k = int(np.searchsorted(ends, int(np.abs(left).argmax()), side="right"))
        return self._names[k] if k < len(counts) else "the target"

    def by_length(
        self, at: Positions, bar: str, held: Sequence[Coil]
    ) -> tuple[FloatArray, FloatArray]:
        """Velocities of the links' design origins and their angular velocities, (N, links, 3), as
        a bar lengthens by 1, with the lengths of these springs and the steering held.
        """
        state = _State(at.order, at.r, at.R)
        slopes = [row.of(state)[1] for row in self._rows]
        slopes += [target(state)[1] for target in self._targets[2:]]
        slopes += [
            _bar(state, Bar(coil.name, coil.first, coil.second, coil.ends))[1] for coil in held
        ]
        A = np.concatenate(slopes, axis=1)
        lengths = np.zeros((A.shape[1], 1))
        before = self._names.index(bar)
        lengths[sum(row.count for row in self._rows[:before])] = 1.0
        rates = _solved(A, np.tile(lengths, (len(A), 1, 1))).reshape(len(A), -1, 6)
        return rates[..., :3], rates[..., 3:]

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
        for k, target in enumerate(self._targets):
            value, slope = target(state)
            values.append(value - goal[:, k, None])
            slopes.append(slope)
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
        held, joints = _rank(A), A[: -self.inputs]
        if held < _rank(joints) + self.inputs:
            self._refuse_tight(joints, A[-self.inputs :])
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
        if _rank(joints) < len(joints):
            self._check_first_way()

    def _refuse_tight(self, joints: FloatArray, wheels: FloatArray) -> None:
        """Which ways of the wheels no motion that the joints allow has."""
        _, sizes, V = np.linalg.svd(joints)
        free = V[_rank(joints) :].T
        moves = wheels @ free
        ways = {
            "go up and down together": np.array([1.0, 1.0, 0.0]),
            "go up and down one against the other (no roll freedom)": np.array([1.0, -1.0, 0.0]),
            "be steered": np.array([0.0, 0.0, 1.0]),
        }
        lost = [
            word
            for word, way in ways.items()
            if np.any(way[: self.inputs]) and not _in_range(moves, way[: self.inputs])
        ]
        raise ModelError(
            f"{self.name}: its joints hold the wheels too tightly: they cannot "
            f"{' nor '.join(lost) or 'go up and down each by itself'}; take a rod or a "
            "joint away"
        )

    def _check_first_way(self) -> None:
        """Joints that hold the same twice at design may lock the linkage as soon as it moves."""
        ways = {
            "together": (1.0, 1.0, 0.0),
            "one against the other (no roll freedom)": (1.0, -1.0, 0.0),
        }
        for word, way in ways.items():
            try:
                self.at(_FIRST_WAY * np.array([way]))
            except UnreachableTravel as error:
                raise ModelError(
                    f"{self.name}: its joints hold the wheels too tightly: these cannot go up and "
                    f"down {word}; take a rod or a joint away ({error})"
                ) from None


def _solved(A: FloatArray, b: FloatArray) -> FloatArray:
    """The shortest solutions of a stack of A x = b; links may be free to spin about themselves."""
    if A.shape[1] == A.shape[2]:
        try:
            return np.asarray(np.linalg.solve(A, b))
        except np.linalg.LinAlgError:
            pass
    return np.asarray(np.linalg.pinv(A, rcond=_SINGULAR) @ b)


def _in_range(moves: FloatArray, way: FloatArray) -> bool:
    if not moves.size:
        return False
    nearest = moves @ np.linalg.lstsq(moves, way, rcond=1e-9)[0]
    return bool(np.abs(nearest - way).max() < 1e-6)


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

    def gap(self, joint: LinkJoint, ends: tuple[Point, Point]) -> tuple[FloatArray, FloatArray]:
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


def _rows_of(joint: LinkJoint) -> _Rows:
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
        case Cross():
            return _Rows(4, lambda s: _cross(s, joint))
        case Plane():
            return _Rows(1, lambda s: _plane(s, joint))


def _hinge(s: _State, joint: Hinge) -> _Residual:
    start, end = joint.ends
    along = _unit(np.subtract(end, start))
    rows = [s.gap(joint, (start, start))]
    rows += [s.product((joint.first, u), (joint.second, along)) for u in _across(along)]
    return _stacked(rows)


def _bar(s: _State, joint: Bar) -> _Residual:
    between = np.subtract(*joint.ends)
    length = np.sqrt((between * between).sum())  # of complex points, too
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


def _cross(s: _State, joint: Cross) -> _Residual:
    u, v = (_unit(np.array(axis)) for axis in joint.axes)
    ball = s.gap(joint, (joint.at, joint.at))
    return _stacked([ball, s.product((joint.first, u), (joint.second, v))])


def _plane(s: _State, joint: Plane) -> _Residual:
    gap, slope = s.gap(joint, (joint.at, joint.at))
    normal = s.rotation(joint.second) @ np.array(_unit(np.array(joint.normal)))
    turning = s.direction_slope(joint.second, normal)
    row = np.einsum("ni,nij->nj", normal, slope) + np.einsum("ni,nij->nj", gap, turning)
    return (normal * gap).sum(axis=1)[:, None], row[:, None]


def _coordinate(s: _State, link: str, at: Point, axis: int) -> _Residual:
    """How far a point of a link is from design along an axis of the body."""
    return s.point(link, at)[:, axis, None] - at[axis], s.slope(link, at)[:, axis, None]


def _hinge_angle(s: _State, hinge: Hinge) -> _Residual:
    e = _unit(np.subtract(hinge.ends[1], hinge.ends[0]))
    u = _across(e)[0]
    v = np.cross(e, u)
    turning = s.rotation(hinge.second) @ np.array(u)
    fixed = s.rotation(hinge.first)
    sine, cosine = (
        (turning * (fixed @ v)).sum(axis=1),
        (turning * (fixed @ np.array(u))).sum(axis=1),
    )
    slope = np.zeros((len(turning), 1, 6 * len(s.order)))
    for link, sign in ((hinge.second, 1.0), (hinge.first, -1.0)):
        if link != BODY:
            k = 6 * s.order[link] + 3
            slope[:, 0, k : k + 3] += sign * (fixed @ np.array(e))
    return np.arctan2(sine, cosine)[:, None], slope


def _coupling(s: _State, of: HingeCoupling, among: AxleLinkage) -> _Residual:
    found = [_hinge_angle(s, among.hinge(name)) for name in of.hinges]
    pairs = list(zip(of.factors, found, strict=True))
    value = np.sum([factor * angle for factor, (angle, _) in pairs], axis=0)
    return value, np.sum([factor * slope for factor, (_, slope) in pairs], axis=0)


def _stacked(rows: Sequence[_Residual]) -> _Residual:
    values, slopes = zip(*rows, strict=True)
    return np.concatenate(values, axis=1), np.concatenate(slopes, axis=1)


def _unit(v: FloatArray) -> Point:
    x, y, z = (v / np.sqrt((v * v).sum())).tolist()  # of complex vectors, too
    return (x, y, z)


def _across(along: Point) -> tuple[Point, Point]:
    """Two directions normal to one another and to this one."""
    least = np.eye(3)[int(np.argmin(np.abs(along)))]
    first = np.cross(along, least)
    return _unit(first), _unit(np.cross(along, first))
