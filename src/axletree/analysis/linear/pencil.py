"""Eigenvalues of s E x = A x where E is singular: of differential-algebraic equations.

The infinite ones are not looked for and thrown away by their size; the equations are reduced
until none is left. Rows of E are compressed by orthogonal transformations to E = [E1; 0], and
the rows A2 of A beside the zeros are algebraic equations, A2 x = 0. They hold for every finite
eigenvector, so x = Z y with Z a basis of the null space of A2, and s E1 Z y = A1 Z y is a smaller
problem with

    det(s E - A) = c det(s E1 Z - A1 Z),

the same polynomial but for a factor. It is repeated until E is regular: once for each index of
the equations, three times where positions are held. Only ranks are decided in numbers, after
rows and columns were brought to one size; where no gap tells what counts as zero, that is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axletree.analysis.linear.jacobians import SymbolValues, slopes_of
from axletree.analysis.linear.modes import growth_order
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError
from axletree.expr.evaluation import evaluate_matrix
from axletree.expr.expression import ZERO
from axletree.system.system import ImplicitSystem

ZERO_SHARE = 1e-9  # singular values below this share of the greatest may be zeros
GAP = 1e3  # by which what counts as zero is smaller than what does not
_ROUNDING = 1e-14  # share of the greatest that is zero whatever else there is
MOST_PASSES = 20  # of scaling rows and columns


class PencilError(AxletreeError):
    """Equations without eigenvalues: a singular pencil, or ranks that numbers do not tell."""


@dataclass(frozen=True)
class Pencil:
    """The finite eigenvalues of s E x = A x with their eigenvectors in all variables.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.linear.pencil import solve_pencil
    >>> found = solve_pencil(np.diag([1.0, 0.0]), np.array([[-2.0, 1.0], [0.0, 1.0]]))
    >>> found.eigenvalues.real.round(9).tolist(), found.infinite, found.index  # 1/s
    ([-2.0], 1, 1)
    """

    variables: tuple[str, ...]
    eigenvalues: np.ndarray  # [1/s], the fastest growing first
    vectors: np.ndarray  # a column for each, of length 1
    infinite: int  # how many eigenvalues are infinite
    index: int  # of the differential-algebraic equations; 0 where E is regular


def solve_pencil(E: FloatArray, A: FloatArray, variables: Sequence[str] = ()) -> Pencil:
    """Finite generalised eigenvalues, s E x = A x (Lot and Massaro 2017, eq. 49).

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.linear.pencil import solve_pencil
    >>> found = solve_pencil(np.diag([1.0, 2.0]), np.array([[0.0, 1.0], [-8.0, 0.0]]))
    >>> found.eigenvalues.imag.round(9).tolist()  # rad/s: sqrt(8 / 2)
    [2.0, -2.0]
    """
    count = len(E)
    if E.shape != (count, count) or A.shape != E.shape:
        raise PencilError(
            f"a pencil has two square matrices of one size, got {E.shape} and {A.shape}"
        )
    names = tuple(variables) or tuple(f"x{k + 1}" for k in range(count))
    columns, E, A, per_second = _scaled(np.asarray(E, float), np.asarray(A, float))
    basis, index = np.eye(count), 0
    while len(E):
        U, sizes, _ = np.linalg.svd(E)
        rank = _rank(sizes, max(float(sizes[0]), np.abs(A).max(initial=0.0)), "the matrix of rates")
        if rank == len(E):
            break
        E, A, held = U[:, :rank].T @ E, U[:, :rank].T @ A, U[:, rank:].T @ A
        _, sizes, Vt = np.linalg.svd(held)
        if _rank(sizes, float(np.abs(held).max(initial=0.0)), "the algebraic rows") < len(held):
            raise PencilError(
                "the equations do not determine all variables: an algebraic equation follows from "
                f"the others, so that the pencil of {count} variables is singular whatever the "
                "eigenvalue; look for an equation that was written twice, or a variable that no "
                "equation has"
            )
        Z = Vt[len(held) :].T
        E, A, basis, index = E @ Z, A @ Z, basis @ Z, index + 1
    none = np.zeros(0, complex), np.zeros((0, 0), complex)
    values, vectors = np.linalg.eig(np.linalg.solve(E, A)) if len(E) else none
    full = columns[:, None] * (basis @ vectors)
    order = growth_order(values)
    lengths = np.linalg.norm(full, axis=0)
    return Pencil(
        names, (values * per_second)[order], (full / lengths)[:, order], count - len(values), index
    )


def _scaled(E: FloatArray, A: FloatArray) -> tuple[np.ndarray, FloatArray, FloatArray, float]:
    """Rows and columns brought to one size by powers of 2, and time to a unit of its own.

    Returns the factors of the columns, both matrices, and the unit of eigenvalues [1/s].
    """
    rows, columns = np.ones(len(E)), np.ones(len(E))
    for _ in range(MOST_PASSES):
        both = np.hypot(E, A / _per_second(E, A))
        factors = _powers(np.linalg.norm(both, axis=1))
        rows, E, A = rows * factors, E * factors[:, None], A * factors[:, None]
        factors = _powers(np.linalg.norm(both * factors[:, None], axis=0))
        columns, E, A = columns * factors, E * factors, A * factors
    per_second = _per_second(E, A)
    return columns, E, A / per_second, per_second


def _per_second(E: FloatArray, A: FloatArray) -> float:
    """The power of 2 nearest to the size of A beside that of E."""
    sizes_E, sizes_A = np.linalg.norm(E), np.linalg.norm(A)
    return 2.0 ** round(np.log2(sizes_A / sizes_E)) if sizes_E and sizes_A else 1.0


def _powers(sizes: np.ndarray) -> np.ndarray:
    """Powers of 2 that bring sizes to about one."""
    usable = np.where(sizes > 0.0, sizes, 1.0)
    return np.asarray(2.0 ** -np.round(np.log2(usable)))


def _rank(sizes: np.ndarray, of: float, what: str) -> int:
    """How many singular values are not zero; the widest gap below ``ZERO`` must say so."""
    if not len(sizes) or not of:
        return 0
    shares = np.append(np.maximum(sizes / of, _ROUNDING), _ROUNDING)
    candidates = [k for k in range(len(sizes) + 1) if shares[k] <= ZERO_SHARE]
    gaps = {k: (shares[k - 1] if k else 1.0) / shares[k] for k in candidates}
    rank = max(gaps, key=lambda k: (gaps[k], -k)) if gaps else len(sizes)
    if gaps and gaps[rank] < GAP:
        raise PencilError(
            f"the rank of {what} cannot be decided by its numbers: singular values "
            f"{', '.join(f'{s:.1e}' for s in shares[:-1] if s < GAP * ZERO_SHARE)} beside 1 fall "
            "without a gap; mend what is nearly singular in the model"
        )
    return rank


# The pencil of equations A(x) x' = B(x, u) at a state: small deviations from it.


def pencil_at(implicit: ImplicitSystem, values: SymbolValues, rates: np.ndarray) -> Pencil:
    """Eigenvalues of A0 s X = (B - A x'0)_x X (Lot and Massaro 2017, eqs. 47 to 49).

    ``values`` are those of all symbols, algebraic variables among them; ``rates`` those of the
    variables, 0 in a steady motion but for what drifts.
    """
    count = len(implicit.variables)
    symbols = [q.symbol for q in implicit.variables]
    E = evaluate_matrix(implicit.matrix, (count, count), values)
    rows = list(implicit.rates)
    for (i, j), entry in implicit.matrix.items():
        rows[i] = rows[i] - (entry * float(rates[j]) if rates[j] else ZERO)
    A = slopes_of(rows, symbols)(values)
    return solve_pencil(E, A, [q.name for q in implicit.variables])
