"""What happens on a curve of steady motions between two of its points."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from axletree.analysis.arclength import Curve, CurvePoint
from axletree.analysis.mode_tracking import Spectrum, crossing, matched
from axletree.analysis.newton import DEPENDENT
from axletree.analysis.steady_equations import LEAST_SLOPE

TOGETHER = 1e-5  # share of a step within which two things that happen are one
ON_IT = 1e-9  # of a test function, beside 1, where a point sits on what it should tell apart


class SpecialKind(enum.Enum):
    """What is special about a steady motion on a curve of them."""

    FOLD = "fold"  # the curve turns back in the value that is followed
    BRANCHING = "branch point"  # another curve of steady motions meets this one
    HOPF = "Hopf point"  # a swing begins to grow or to die out
    DIVERGENCE = "divergence"  # a mode that does not swing begins to grow or to die out


@dataclass(frozen=True)
class Event:
    """A special point of a curve, at a share of a step."""

    kind: SpecialKind
    at: CurvePoint
    length: float
    eigenvalue: complex | None  # [1/s], that is on the imaginary axis


class Chart:
    """How a curve looks from one of its points: regular as long as nothing branches off.

    With W a basis of what is normal to the tangent and C the inverse of the slopes J on it, the
    determinant of C J W is 1 there. With J of another point it is 0 where another curve meets
    this one, and negative beyond (Allgower and Georg 1990, section 8.1).
    """

    def __init__(self, point: CurvePoint) -> None:
        self._scales = point.scales
        slopes = point.slopes * point.scales
        self._sizes = np.maximum(np.abs(slopes).max(axis=1, initial=0.0), LEAST_SLOPE)
        _, sizes, Vt = np.linalg.svd(slopes / self._sizes[:, None])
        rank = int((sizes > DEPENDENT * sizes.max(initial=0.0)).sum())
        self._basis = Vt[:rank].T
        self._inverse = np.linalg.pinv(slopes / self._sizes[:, None] @ self._basis)

    def determinant(self, point: CurvePoint) -> float:
        slopes = point.slopes * self._scales / self._sizes[:, None]
        return float(np.linalg.det(self._inverse @ slopes @ self._basis))


@dataclass(frozen=True)
class Stretch:
    """A step of a curve: both ends, and the spectra there, matched with one another."""

    curve: Curve
    first: CurvePoint
    last: CurvePoint
    length: float
    spectra: tuple[Spectrum, Spectrum]
    spectrum: Callable[[CurvePoint], Spectrum]

    @property
    def is_blurred(self) -> bool:
        """Whether the last point sits on something that its two sides would tell apart."""
        before, after = self.spectra
        if len(before.values) != len(after.values):
            return False
        lost = [k for k in range(len(before.values)) if before.sign(k) and not after.sign(k)]
        along = [abs(end.tangent[-1] / end.scales[-1]) for end in (self.first, self.last)]
        folded = along[1] < ON_IT < along[0]
        return bool(lost) or folded or abs(Chart(self.first).determinant(self.last)) < ON_IT

    def events(self) -> list[Event]:
        """In the order of the curve."""
        found = [*self._folds(), *self._branchings()]
        for event in self._crossings():
            if all(abs(event.length - one.length) > TOGETHER * self.length for one in found):
                found.append(event)
        return sorted(found, key=lambda event: event.length)

    def _point(self, length: float) -> CurvePoint:
        if length == 0.0:
            return self.first
        if length == self.length:
            return self.last
        found = self.curve.step(self.first, length)
        if found is None:
            raise ArithmeticError
        return found

    def _folds(self) -> Iterator[Event]:
        if self.first.tangent[-1] * self.last.tangent[-1] < 0.0:
            yield from self._refined(SpecialKind.FOLD, lambda point: float(point.tangent[-1]))

    def _branchings(self) -> Iterator[Event]:
        chart = Chart(self.first)
        if chart.determinant(self.last) < 0.0:
            yield from self._refined(SpecialKind.BRANCHING, chart.determinant)

    def _refined(self, kind: SpecialKind, test: Callable[[CurvePoint], float]) -> Iterator[Event]:
        """Where a test function vanishes; by halves where it cannot be computed close by."""
        from scipy.optimize import brentq

        try:
            length = float(
                brentq(lambda s: test(self._point(s)), 0.0, self.length, xtol=1e-14, rtol=1e-13)
            )
            yield Event(kind, self._point(length), length, None)
        except ArithmeticError:
            ends = abs(test(self.first)), abs(test(self.last))
            nearer = self.first if ends[0] < ends[1] else self.last
            yield Event(kind, nearer, 0.0 if nearer is self.first else self.length, None)

    def _crossings(self) -> Iterator[Event]:
        before, after = self.spectra
        if len(before.values) != len(after.values):
            return
        ends = (0.0, before), (self.length, after)
        for mode in range(len(before.values)):
            signs = before.sign(mode), after.sign(mode)
            below = min(before.values[mode].imag, after.values[mode].imag) < 0.0
            if signs[0] * signs[1] >= 0 or below:
                continue
            try:
                found = crossing(lambda s: self.spectrum(self._point(s)), ends, mode)
                if found is None:
                    continue
                length, value = found
                kind = SpecialKind.HOPF if value.imag else SpecialKind.DIVERGENCE
                yield Event(kind, self._point(length), length, value)
            except ArithmeticError:
                continue


def follow(before: Spectrum | None, after: Spectrum) -> Spectrum:
    """The modes of a point in the order of those of the point before."""
    return after if before is None else matched(before, after)


def real_growth(spectrum: Spectrum) -> float:
    """The greatest real part [1/s], 0 where rounding alone makes it one; no modes: -inf."""
    parts = [
        0.0 if not spectrum.sign(k) else float(value.real)
        for k, value in enumerate(spectrum.values)
    ]
    return max(parts, default=-np.inf)
