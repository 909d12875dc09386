"""Modes of a linear system: how they grow, how often they swing, which states take part.

``participation`` has the share of each state in each mode, ``eigenmodes`` the courses, too, and
``modes_of`` the modes; ``Spectrum`` and ``match_modes`` follow modes from one point of a parameter
to the next, ``find_stability_crossing`` finds where one becomes unstable by crossing the imaginary
axis, ``find_departures`` where modes leave it that lie on it, as those without damping do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from axletree.core.arrays import FloatArray

DEFECTIVE = 1e-12  # of left times right eigenvector, both of length one


def participation(matrix: FloatArray) -> tuple[np.ndarray, FloatArray, np.ndarray]:
    """Eigenvalues, in the column of each the share of every state, free of units; eigenvectors.

    Where modes coincide in value and direction, as those of a place and its speed do, left
    and right eigenvectors are normal to one another; then it is the share in the direction.
    """
    from scipy.linalg import eig

    values, left, right = eig(matrix, left=True)
    shares = np.abs(left * right)
    defective = shares.sum(axis=0) < DEFECTIVE
    shares[:, defective] = np.abs(right[:, defective]) ** 2
    return values, shares / shares.sum(axis=0), right


def growth_order(values: np.ndarray) -> np.ndarray:
    """The order of eigenvalues, the fastest growing first."""
    return np.lexsort((-values.imag, -values.real))


@dataclass(frozen=True)
class Eigenmode:
    """An eigenvalue [1/s] on or above the real axis, with the share and course of every state."""

    value: complex
    shares: FloatArray
    vector: np.ndarray


def eigenmodes(A: FloatArray) -> list[Eigenmode]:
    """The fastest growing first."""
    if not len(A):
        return []
    values, shares, vectors = participation(A)
    return [
        Eigenmode(complex(values[k]), shares[:, k], vectors[:, k])
        for k in growth_order(values)
        if values[k].imag >= 0.0
    ]


def leading_states(names: Sequence[str], shares: FloatArray) -> tuple[str, ...]:
    """The states that take most part in a mode, the first most."""
    return tuple(names[k] for k in np.argsort(-shares) if shares[k] > _LEAST_SHARE * shares.max())


_LEAST_SHARE = 0.1  # of the greatest, of a state that is named


@dataclass(frozen=True)
class Mode:
    """A real eigenvalue, or a conjugate pair, of which this one is above the real axis."""

    eigenvalue: complex  # [1/s]
    states: tuple[str, ...]  # those that take most part in it, the first most

    @property
    def is_stable(self) -> bool:
        return self.eigenvalue.real < 0.0

    @property
    def swings(self) -> bool:
        return self.eigenvalue.imag != 0.0

    @property
    def frequency(self) -> float:
        """[Hz] of a swing, as it is seen; 0 where nothing swings."""
        return self.eigenvalue.imag / (2.0 * math.pi)

    @property
    def damping_ratio(self) -> float:
        """1 and -1 where nothing swings, 0 where nothing dies out or grows."""
        size = abs(self.eigenvalue)
        return -self.eigenvalue.real / size if size else 0.0

    @property
    def time_to_half(self) -> float:
        """[s]; negative where the mode grows: until it has doubled."""
        rate = self.eigenvalue.real
        return -math.log(2.0) / rate if rate else math.inf


def modes_of(A: FloatArray, names: Sequence[str]) -> tuple[Mode, ...]:
    """All modes, the fastest growing first."""
    return tuple(Mode(one.value, leading_states(names, one.shares)) for one in eigenmodes(A))


NEUTRAL = 1e-7  # share of the greatest eigenvalue below which a real part counts as zero
_ROUNDING = 1e-16  # share of the greatest entry of a balanced matrix
ALIKE = 0.5  # weight of shapes beside that of values, where modes are matched


@dataclass(frozen=True)
class Spectrum:
    """Eigenvalues [1/s] and, in columns, eigenvectors of length 1."""

    values: np.ndarray
    vectors: np.ndarray

    @property
    def scale(self) -> float:
        return float(np.abs(self.values).max(initial=0.0))

    def value(self, k: int) -> complex:
        """Real where rounding alone makes it swing, as it does two modes that are neutral."""
        value = complex(self.values[k])
        return value if abs(value.imag) > NEUTRAL * self.scale else complex(value.real)

    def sign(self, k: int) -> int:
        """Of a real part; 0 where it is what rounding makes of a zero."""
        part = self.values[k].real
        return 0 if abs(part) <= NEUTRAL * max(self.scale, NEUTRAL) else int(np.sign(part))

    def mirrors(self, k: int) -> bool:
        """Whether a mode decays as fast as this one grows: two have parted from the axis."""
        image = -self.values[k].conjugate()
        return bool(np.abs(self.values - image).min() <= 0.1 * abs(self.values[k].real))

    def growing(self, limit: float) -> list[int]:
        """The modes that grow faster than this [1/s]."""
        return [int(k) for k in np.flatnonzero(self.values.real > limit)]


def spectrum_of(A: np.ndarray) -> Spectrum:
    """In states of one size: eigenvectors of the balanced matrix tell modes apart best."""
    from scipy.linalg import eig, matrix_balance

    if not len(A):
        return Spectrum(np.zeros(0, complex), np.zeros((0, 0), complex))
    balanced, _ = matrix_balance(A, permute=False)
    # What is less than the rounding of the greatest entry could as well be zero; as it is, it
    # would tie modes to one another that are alike for once, such as two that are neutral.
    cleared = np.where(np.abs(balanced) > _ROUNDING * np.abs(balanced).max(), balanced, 0.0)
    values, vectors = eig(cleared)
    return Spectrum(values, vectors / np.linalg.norm(vectors, axis=0))


def match_modes(before: Spectrum, after: Spectrum, expected: np.ndarray | None = None) -> Spectrum:
    """``after`` in the order of ``before``: modes nearest in value and shape.

    ``expected`` are the values that were extrapolated, if any.
    """
    from scipy.optimize import linear_sum_assignment

    if len(before.values) != len(after.values) or not len(after.values):
        return after
    near = before.values if expected is None else expected
    moved = np.abs(near[:, None] - after.values[None, :])
    size = np.maximum(np.abs(near)[:, None], np.abs(after.values)[None, :])
    alike = np.abs(before.vectors.conj().T @ after.vectors)
    cost = moved / np.maximum(size, 1e-3 * after.scale + 1e-300) + ALIKE * (1.0 - alike)
    _, order = linear_sum_assignment(cost)
    return Spectrum(after.values[order], after.vectors[:, order])


def find_stability_crossing(
    at: Callable[[float], Spectrum],
    ends: tuple[tuple[float, Spectrum], tuple[float, Spectrum]],
    mode: int,
) -> tuple[float, complex] | None:
    """Where a mode becomes unstable between two points: the value, and its eigenvalue there.

    ``mode`` is its place in the spectra at both ends. Those in between are matched with the
    nearest one that is known; None where the mode jumps over the axis.
    """
    from scipy.optimize import brentq

    known = dict(ends)
    (low, first), (high, last) = ends

    def part(value: float) -> float:
        if value not in known:
            below = max((v for v in known if v < value), default=low)
            above = min((v for v in known if v > value), default=high)
            share = (value - below) / (above - below)
            expected = (1.0 - share) * known[below].values + share * known[above].values
            known[value] = match_modes(known[below if share < 0.5 else above], at(value), expected)
        return float(known[value].values[mode].real)

    root = float(brentq(part, low, high, xtol=1e-13, rtol=1e-14))
    left = abs(part(root))
    spread = max(abs(first.values[mode].real), abs(last.values[mode].real))
    return (root, known[root].value(mode)) if left <= 1e-6 * spread else None


@dataclass(frozen=True)
class Departure:
    """Where a mode leaves the imaginary axis, on which it lies on one side."""

    value: float
    eigenvalue: complex  # [1/s] on the axis: 0, or that of a swing
    grows_above: bool
    meets: bool  # whether two modes meet on the axis and part from it


# Shares of the greatest eigenvalue that tell growth from what rounding makes of modes that meet:
# the cube root of the machine precision where three do; smaller ones where growth is slow.
_GROWTHS = (1e-5, 1e-6, NEUTRAL)
_NARROW = 1e-13  # share of an interval, within which a departure is found
_AS_ONE = 1e-7  # likewise, within which several are one

_Ends = tuple[tuple[float, Spectrum], tuple[float, Spectrum]]


def find_departures(at: Callable[[float], Spectrum], ends: _Ends) -> list[Departure]:
    """Where modes begin or cease to grow between two points, the lower one first.

    Modes without damping stay on the imaginary axis until two of them meet there; then one of the
    two grows with the square root of the distance from there. No real part changes its sign, so it
    is the number of growing modes that is halved in on, for a growth and for twice that: where
    there is none is a third of the way between the two before the first. A mode that meets none
    grows in proportion to the distance, and there is none as far before the first as the second is
    beyond it.
    """
    scale = max(spectrum.scale for _, spectrum in ends)
    for share in _GROWTHS:
        once, twice = (_changes(at, ends, limit * scale) for limit in (share, 2.0 * share))
        if once and len(once) == len(twice):
            places = zip(once, twice, strict=True)
            ways = ((a, (b.value - a.value) / (3.0 if a.meets else 1.0)) for a, b in places)
            return [replace(a, value=a.value - way) for a, way in ways]
        if once:
            return once
    return []


def _changes(at: Callable[[float], Spectrum], ends: _Ends, limit: float) -> list[Departure]:
    """Where the number of modes that grow faster than a limit [1/s] changes."""
    (low, first), (high, last) = ends
    width = max(_NARROW * (high - low), 4.0 * np.spacing(max(abs(low), abs(high))))
    found: list[Departure] = []
    pending = [(low, first, high, last)]
    while pending:
        a, before, b, after = pending.pop()
        counts = len(before.growing(limit)), len(after.growing(limit))
        if counts[0] == counts[1]:
            continue
        if b - a > width:
            middle = 0.5 * (a + b)
            between = at(middle)
            pending += [(middle, between, b, after), (a, before, middle, between)]
            continue
        grown = after if counts[1] > counts[0] else before
        slowest = min(grown.growing(limit), key=lambda k: float(grown.values[k].real))
        swing = abs(grown.values[slowest].imag)
        on_axis = complex(0.0, swing if swing > 10.0 * limit else 0.0)
        found.append(
            Departure(0.5 * (a + b), on_axis, counts[1] > counts[0], grown.mirrors(slowest))
        )
    return _without_rounding(found, _AS_ONE * (high - low))


def _without_rounding(found: Sequence[Departure], near: float) -> list[Departure]:
    """With one in the place of several that are near: rounding makes modes grow and cease to.

    What they come to together is left; nothing where as many begin as end.
    """
    groups: list[list[Departure]] = []
    for one in sorted(found, key=lambda departure: departure.value):
        if groups and one.value - groups[-1][-1].value <= near:
            groups[-1].append(one)
        else:
            groups.append([one])
    kept = []
    for group in groups:
        rising, falling = ([one for one in group if one.grows_above is up] for up in (True, False))
        most = max(rising, falling, key=len)
        if len(rising) != len(falling):
            kept.append(replace(most[0], value=float(np.mean([one.value for one in most]))))
    return kept
