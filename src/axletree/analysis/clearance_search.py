"""A search for the way between cones that leaves the most room, by linear programs about runs.

With q the numbers that may be chosen, c(q) the clearance of each cone and r(q) the rates of the
steering wheel over the quickest that hands can turn it, the search makes

    min c - PENALTY max(max |r| - 1, 0)

as great as it can. Differences of runs give the slopes of c and r, by which each linear program
looks for the best q within a region of trust; the run there says whether to trust it farther or
less (Fletcher and Sainz de la Maza 1989). Slopes are used again, with the change of the last step
taken in (Broyden 1965), as long as they foretell what a run shows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from axletree.core.arrays import FloatArray

PENALTY = 1.0  # m, for rates of twice what is possible
_FRESH = 10  # times that slopes are found by differences, one run for each number
_WIDER, _NARROWER, _LEAST = 1.5, 0.4, 0.02  # of the region of trust; the last, of its first size
_SMALL = 0.02  # of the trust, that differences are taken over
_GOOD, _POOR = 0.5, 0.25  # of the gain that was foretold
# A search ends that gains less by fresh slopes, in m and as a share of what a hit cone lacks.
_GAIN, _HOPE = 1e-3, 0.1
_PLAIN = 1e-3  # m, that a change of all numbers by their whole trust has to be worth
_BEYOND_ENOUGH = 0.05  # m, that a program may aim at beyond what is enough


@dataclass(frozen=True, eq=False)
class Passage:
    """What a run between cones came to."""

    clearances: FloatArray  # of each cone [m], negative where it is hit
    rates: FloatArray  # of the steering wheel, over the quickest that is possible

    @property
    def worth(self) -> float:
        """[m]"""
        excess = max(float(np.abs(self.rates).max()) - 1.0, 0.0)
        return float(self.clearances.min()) - PENALTY * excess


def widest_passage(
    drive: Callable[[FloatArray], Passage | None], count: int, trust: float, enough: float
) -> tuple[FloatArray, Passage | None]:
    """The best of ``count`` numbers from 0 on, and what it came to; None if 0 has no passage.

    ``drive`` makes a run with such numbers, or says that it has no passage by None. ``trust`` is
    the most that a number changes at first; a worth of ``enough`` [m] ends the search.
    """
    chosen = np.zeros(count)
    here = drive(chosen)
    if here is None or here.worth >= enough:
        return chosen, here
    search = _Search(drive, chosen, here, trust)
    while search.trust > _LEAST * trust and search.here.worth < enough and search.may_go_on():
        search.step(enough + _BEYOND_ENOUGH)
    return search.chosen, search.here


@dataclass(eq=False)
class _Search:
    drive: Callable[[FloatArray], Passage | None]
    chosen: FloatArray
    here: Passage
    trust: float
    slopes: FloatArray | None = None
    is_fresh: bool = False  # slopes are those of this very place
    worths: list[float] = field(default_factory=list)  # [m], where slopes were found by differences

    def may_go_on(self) -> bool:
        if self.slopes is not None or not self.worths:
            return True
        needed = max(_GAIN, -_HOPE * self.here.worth)
        return len(self.worths) < _FRESH and self.here.worth - self.worths[-1] >= needed

    def step(self, most: float) -> None:
        if self.slopes is None:
            self.slopes = _slopes(self.drive, self.chosen, self.here, _SMALL * self.trust)
            self.is_fresh = True
            self.worths.append(self.here.worth)
        change, foretold = _program(self.here, self.slopes, self.trust, most)
        there = self.drive(self.chosen + change)
        if there is None or there.worth <= self.here.worth:
            if self.is_fresh:
                self.trust *= _NARROWER
            else:
                self.slopes = None
            return
        share = (there.worth - self.here.worth) / max(foretold - self.here.worth, 1e-12)
        self.slopes = _updated(self.slopes, change, self.here, there) if share > _POOR else None
        self.chosen, self.here, self.is_fresh = self.chosen + change, there, False
        self.trust *= _WIDER if share > _GOOD else _NARROWER if share < _POOR else 1.0


def _slopes(
    drive: Callable[[FloatArray], Passage | None], chosen: FloatArray, here: Passage, small: float
) -> FloatArray:
    """Of clearances and rates, in rows, by each number; 0 by one whose change ends a passage."""
    values = np.concatenate([here.clearances, here.rates])
    found = np.zeros((len(values), len(chosen)))
    for k in range(len(chosen)):
        moved = chosen.copy()
        moved[k] += small
        there = drive(moved)
        if there is not None:
            found[:, k] = (np.concatenate([there.clearances, there.rates]) - values) / small
    return found


def _updated(slopes: FloatArray, change: FloatArray, here: Passage, there: Passage) -> FloatArray:
    """With the change of the last step (Broyden 1965, method 1)."""
    gained = np.concatenate([there.clearances - here.clearances, there.rates - here.rates])
    size = float(change @ change)
    return slopes + np.outer(gained - slopes @ change, change) / size if size else slopes


def _program(
    here: Passage, slopes: FloatArray, trust: float, most: float
) -> tuple[FloatArray, float]:
    """The change within the trust that is foretold to be worth the most, and that worth [m]."""
    from scipy.optimize import linprog

    cones, count = len(here.clearances), slopes.shape[1]
    by_cone, by_rate = slopes[:cones], slopes[cones:]
    one, none = np.ones((len(by_rate), 1)), np.zeros((len(by_rate), 1))
    # Unknown are what is added and what is taken away, the least clearance, and the excess.
    rows = np.block(
        [
            [-by_cone, by_cone, np.ones((cones, 1)), np.zeros((cones, 1))],
            [by_rate, -by_rate, none, -one],
            [-by_rate, by_rate, none, -one],
        ]
    )
    limits = np.concatenate([here.clearances, 1.0 - here.rates, 1.0 + here.rates])
    cost = np.concatenate([np.full(2 * count, _PLAIN / (trust * count)), [-1.0, PENALTY]])
    bounds = [(0.0, trust)] * (2 * count) + [(None, most), (0.0, None)]
    found = linprog(cost, rows, limits, bounds=bounds, method="highs")
    if found.x is None:  # numbers that no program can be made of
        return np.zeros(count), here.worth
    change = found.x[:count] - found.x[count : 2 * count]
    return np.asarray(change), float(found.x[-2] - PENALTY * found.x[-1])
