"""The pencil of equations A(x) x' = B(x, u) at a state: small deviations from it."""

from __future__ import annotations

import numpy as np

from axletree.analysis.pencil import Pencil, solve_pencil
from axletree.analysis.slopes import Values, slopes_of
from axletree.core.expr import evaluate
from axletree.core.expr.expression import ZERO
from axletree.system.implicit import ImplicitSystem


def pencil_at(implicit: ImplicitSystem, values: Values, rates: np.ndarray) -> Pencil:
    """Eigenvalues of A0 s X = (B - A x'0)_x X (Lot and Massaro 2017, eqs. 47 to 49).

    ``values`` are those of all symbols, algebraic variables among them; ``rates`` those of the
    variables, 0 in a steady motion but for what drifts.
    """
    count = len(implicit.variables)
    symbols = [q.symbol for q in implicit.variables]
    entries = evaluate(list(implicit.matrix.values()), values)
    E = np.zeros((count, count))
    for place, value in zip(implicit.matrix, entries, strict=True):
        E[place] = value
    rows = list(implicit.rates)
    for (i, j), entry in implicit.matrix.items():
        rows[i] = rows[i] - (entry * float(rates[j]) if rates[j] else ZERO)
    A = slopes_of(rows, symbols)(values)
    return solve_pencil(E, A, [q.name for q in implicit.variables])
