"""What a step of one length computes: tableaus, rules, and the lines that they come to.

An integrator is described here and printed by ``printers.steps``, for every language alike:

1. ``Tableau``: the coefficients of a Runge-Kutta method, as books print them;
2. ``Rates`` and ``Move``: the two kinds of lines that a step consists of;
3. ``runge_kutta`` and ``SEMI_IMPLICIT``: the lines of a tableau, and those of a rule.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd
from typing import Final, Self

_ZERO: Final = Fraction(0)
_ONE: Final = Fraction(1)


@dataclass(frozen=True)
class Tableau:
    """A Butcher tableau of an explicit method; the fractions are exact.

    Stage i has the slope k_i = f(t + c_i h, x + h sum_j a_ij k_j), and the step ends at
    x + h sum_i b_i k_i. ``embedded`` holds the weights of a second solution, of lower order;
    the difference of the two is an estimate of the error.

    Example:
    >>> from axletree.code.step_rules import Tableau
    >>> midpoint = Tableau.of("0 |", "1/2 | 1/2", "| 0 1")
    >>> [str(c) for c in midpoint.nodes], midpoint.row(1, 3)
    (['0', '1/2'], (Fraction(1, 2), Fraction(0, 1), Fraction(0, 1)))
    """

    nodes: tuple[Fraction, ...]  # c
    rows: tuple[tuple[Fraction, ...], ...]  # a, as far as it is given; zeros follow
    weights: tuple[Fraction, ...]  # b
    embedded: tuple[Fraction, ...] = ()

    @classmethod
    def of(cls, *lines: str) -> Self:
        """From the lines of a tableau: node | row for every stage, then | weights.

        Example:
        >>> from axletree.code.step_rules import Tableau
        >>> Tableau.of("0 |", "1 | 1", "| 1/2 1/2").weights  # Heun's method
        (Fraction(1, 2), Fraction(1, 2))
        """
        nodes, rows, ends = [], [], []
        for line in lines:
            node, _, row = line.partition("|")
            values = tuple(Fraction(text) for text in row.split())
            if node.strip():
                nodes.append(Fraction(node))
                rows.append(values)
            else:
                ends.append(values)
        return cls(tuple(nodes), tuple(rows), *ends)

    @property
    def stages(self) -> int:
        """Evaluations in a step."""
        return len(self.nodes)

    def row(self, stage: int, length: int) -> tuple[Fraction, ...]:
        """The coefficients of a stage, zeros included.

        Example:
        >>> from axletree.code.step_rules import CLASSICAL
        >>> [str(a) for a in CLASSICAL.row(2, 4)]
        ['0', '1/2', '0', '0']
        """
        given = self.rows[stage]
        return (*given, *[_ZERO] * (length - len(given)))

    @property
    def error(self) -> tuple[Fraction, ...]:
        """The weights of the solution less those of the embedded one."""
        return tuple(b - e for b, e in zip(self.weights, self.embedded, strict=True))

    @property
    def has_last_stage_at_end(self) -> bool:
        """Whether the last slope is that of the step's end, and so the first of the next step."""
        last = self.row(self.stages - 1, self.stages)
        return last == self.weights and self.nodes[-1] == _ONE

    @property
    def has_whole_multiples(self) -> bool:
        """Whether every row consists of whole multiples of one of 1, 1/2, 1/3 and so on."""
        return all(unit_fraction(row) is not None for row in (*self.rows, self.weights))


def unit_fraction(weights: tuple[Fraction, ...]) -> Fraction | None:
    """The largest number of which all weights are whole multiples, if that is 1/n."""
    present = [w for w in weights if w]
    if not present:
        return _ONE
    below = reduce(lambda a, b: a * b // gcd(a, b), (w.denominator for w in present))
    above = reduce(gcd, (abs(w.numerator) * below // w.denominator for w in present))
    largest = Fraction(above, below)
    return largest if largest.numerator == 1 else None


class StatePart(enum.Enum):
    """Of the states."""

    ALL = "all"
    SPEEDS = "speeds"
    OTHERS = "all but the speeds"


@dataclass(frozen=True)
class Rates:
    """``result``: the derivatives of a part of the states at t + ``at`` h, with the states ``of``.

    Those of the other states stand on those of the speeds, which are computed before them at
    the same time: what does not depend on the speeds is taken from there.
    """

    result: str
    of: str = "x"
    at: Fraction = _ZERO
    part: StatePart = StatePart.ALL


@dataclass(frozen=True)
class Move:
    """``result``: a part of the states x moved by h times a sum of weighted slopes.

    The weights are written as whole multiples of a fraction 1/n that stands before them, or
    else as decimals.
    """

    result: str
    slopes: Mapping[str, Fraction]  # weights of slopes, by name
    whole: bool = True
    part: StatePart = StatePart.ALL


StepLine = Rates | Move


def runge_kutta(tableau: Tableau) -> tuple[StepLine, ...]:
    """The lines of a step: k1, k2 and so on, at z between, and the move of x at the end.

    Example:
    >>> from axletree.code.step_rules import Tableau, runge_kutta
    >>> lines = runge_kutta(Tableau.of("0 |", "1/2 | 1/2", "| 0 1"))  # the midpoint rule
    >>> [line.result for line in lines]
    ['k1', 'z', 'k2', 'x']
    """
    lines: list[StepLine] = []
    whole = tableau.has_whole_multiples
    for stage, node in enumerate(tableau.nodes):
        slopes = weighted_slopes(tableau.rows[stage])
        if slopes:
            lines.append(Move("z", slopes, whole))
        lines.append(Rates(f"k{stage + 1}", "z" if slopes else "x", node))
    return (*lines, Move("x", weighted_slopes(tableau.weights), whole))


def weighted_slopes(weights: tuple[Fraction, ...]) -> dict[str, Fraction]:
    """The weights of k1, k2 and so on that are not zero."""
    return {f"k{j}": weight for j, weight in enumerate(weights, start=1) if weight}


# x(t + h) = x(t) + h f(t, x(t)) (Euler 1768).
FORWARD_EULER: Final = Tableau.of(
    "0 |",
    "  | 1",
)
# Kutta 1901, the classical method of order 4.
CLASSICAL: Final = Tableau.of(
    "0   |",
    "1/2 | 1/2",
    "1/2 | 0   1/2",
    "1   | 0   0   1",
    "    | 1/6 1/3 1/3 1/6",
)
# Dormand and Prince 1980, table 2: order 5, with an embedded solution of order 4.
DORMAND_PRINCE: Final = Tableau.of(
    "0    |",
    "1/5  | 1/5",
    "3/10 | 3/40       9/40",
    "4/5  | 44/45      -56/15      32/9",
    "8/9  | 19372/6561 -25360/2187 64448/6561 -212/729",
    "1    | 9017/3168  -355/33     46732/5247 49/176  -5103/18656",
    "1    | 35/384     0           500/1113   125/192 -2187/6784    11/84",
    "     | 35/384     0           500/1113   125/192 -2187/6784    11/84    0",
    "     | 5179/57600 0           7571/16695 393/640 -92097/339200 187/2100 1/40",
)
# Speeds first, then all other states with the new speeds:
#
#     p(t + h) = p(t) + h pdot(t, p(t), z(t))
#     z(t + h) = z(t) + h zdot(t, p(t + h), z(t))
#
# z holds coordinates and the internal states of components. For a conservative mechanism the
# method is symplectic: the energy error stays bounded. A lag that a speed drives, and that in
# turn drives the speed, such as the slip of a tyre and the spin of its wheel, is an
# oscillation too, and stays stable at steps at which explicit Euler's method is not.
SEMI_IMPLICIT: Final = (
    Rates("pdot", part=StatePart.SPEEDS),
    Move("x", {"pdot": _ONE}, part=StatePart.SPEEDS),
    Rates("zdot", part=StatePart.OTHERS),
    Move("x", {"zdot": _ONE}, part=StatePart.OTHERS),
)
