"""Modes of a linear system: how they grow, how often they swing, what takes part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.participation import participation

LEAST_SHARE = 0.1  # of the greatest, of a state that is named


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


def modes_of(A: NDArray[np.float64], names: Sequence[str]) -> tuple[Mode, ...]:
    """All modes, the fastest growing first."""
    values, shares = participation(A)
    order = np.lexsort((-values.imag, -values.real))
    found = []
    for k in order:
        if values[k].imag >= 0.0:
            share = shares[:, k]
            parts = [int(i) for i in np.argsort(-share) if share[i] > LEAST_SHARE * share.max()]
            found.append(Mode(complex(values[k]), tuple(names[i] for i in parts)))
    return tuple(found)
