"""The linear equations of a linearly implicit step: (I - g A) k = r, with g = gamma h.

A stands for the Jacobian d xdot / d x. A mechanism without constraints has the speeds p, the
coordinates q and internal states z, with M dp/dt = b and dq/dt = H p. Of its Jacobian A has what
makes it stiff: the derivatives of the loads that are formulas, such as those of springs, dampers
and bushings. With D = dQ/dp and K = dQ/dq of these loads Q, elimination of the coordinates leaves

    (M - g D - g^2 K H) k_p = M r_p + g K r_q
    k_q = r_q + g H k_p,  k_z = r_z

as large as the speeds alone (Hairer and Wanner 1996, IV.7), and symmetric but for the
moments of the loads: one triangle is taken for both. What calls a function, such as the law of
a tyre, gyroscopic terms and what changes M are not in A, and are integrated as by an explicit
method. Of any other system A is the whole Jacobian.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from axletree.equations.equations import Equations
from axletree.equations.loads import LinkLoads, accumulate, link_loads
from axletree.expr import Expr, jacobian, ldl, symbol, topological_order
from axletree.expr.expression import ONE, ZERO
from axletree.expr.factorisation import least_fill_order, lu
from axletree.system.system import System

_RIGHT: Final = "right-hand side of row {}"
_Entries = dict[tuple[int, int], Expr]


@dataclass(frozen=True)
class StiffMatrix:
    """The solution k in symbols of g and of the right-hand side r.

    Example:
    >>> import axletree as at
    >>> from axletree.code.stiff_matrix import StiffMatrix
    >>> solved = StiffMatrix.of(at.read_model("pendulum").formulate())
    >>> len(solved.right), len(solved.solution)
    (2, 2)
    """

    step: Expr  # g
    right: tuple[Expr, ...]  # r
    solution: tuple[Expr, ...]  # k

    @classmethod
    def of(cls, system: System) -> StiffMatrix:
        """Reduced to the speeds where the system is a mechanism without constraints."""
        g = symbol("gamma h")
        right = tuple(symbol(_RIGHT.format(k)) for k in range(len(system.states)))
        source = system.source
        if source is None or not source.states_are_free or not source.speeds:
            return cls(g, right, tuple(_by_whole_jacobian(system, g, right)))
        return cls(g, right, tuple(_by_speeds(source, g, right)))


def _by_whole_jacobian(system: System, g: Expr, right: Sequence[Expr]) -> list[Expr]:
    size = len(system.states)
    A = jacobian(system.derivatives, [q.symbol for q in system.states])
    matrix = {place: -g * entry for place, entry in A.items()}
    for k in range(size):
        matrix[k, k] = ONE + matrix.get((k, k), ZERO)
    rows: list[dict[int, Expr]] = [{} for _ in range(size)]
    for i, j in matrix:
        rows[i][j] = rows[j][i] = ONE  # the pattern of both triangles
    return lu(matrix, size, [(k, k) for k in least_fill_order(rows)]).solve(right)


def _by_speeds(source: Equations, g: Expr, right: Sequence[Expr]) -> list[Expr]:
    n, m = len(source.speeds), len(source.coordinates)
    r_p, r_q = right[:n], right[n : n + m]
    speeds = [quantity.symbol for quantity in source.speeds]
    coordinates = [quantity.symbol for quantity in source.coordinates]
    Q = _smooth_efforts(source)
    D, K = jacobian(Q, speeds), jacobian(Q, coordinates)
    H = jacobian(source.coordinate_rates, speeds)
    M = source.dynamics.mass
    matrix = {**M}
    for (i, j), entry in [*_scaled(D, g), *_scaled(_product(K, H), g * g)]:
        if i >= j:
            matrix[i, j] = matrix.get((i, j), ZERO) - entry
    b = [ZERO] * n
    for (i, j), entry in M.items():
        b[i] = b[i] + entry * r_p[j]
        if i != j:
            b[j] = b[j] + entry * r_p[i]
    for (i, j), entry in K.items():
        b[i] = b[i] + g * entry * r_q[j]
    k_p = ldl(matrix, n).solve(b)
    k_q = list(r_q)
    for (i, j), entry in H.items():
        k_q[i] = k_q[i] + g * entry * k_p[j]
    return [*k_p, *k_q, *right[n + m :]]


def _smooth_efforts(source: Equations) -> tuple[Expr, ...]:
    """The loads that are formulas of the motion, projected on the speeds."""
    k = source.dynamics.kinematics
    loads = LinkLoads.none(k)
    for answer in source.answers:
        for load in answer.response.loads:
            nodes = topological_order([*load.force, *load.moment])
            if not any(node.operation == "call" for node in nodes):
                ends = load.tail.name, load.head.name
                loads.add(link_loads(k, ends, load.force, load.moment, load.basis))
    return accumulate(k, loads).efforts


def _scaled(entries: _Entries, factor: Expr) -> list[tuple[tuple[int, int], Expr]]:
    return [(place, factor * entry) for place, entry in entries.items()]


def _product(left: _Entries, right: _Entries) -> _Entries:
    by_row: dict[int, list[tuple[int, Expr]]] = {}
    for (i, j), entry in right.items():
        by_row.setdefault(i, []).append((j, entry))
    found: _Entries = {}
    for (i, k), entry in left.items():
        for j, other in by_row.get(k, ()):
            found[i, j] = found.get((i, j), ZERO) + entry * other
    return found
