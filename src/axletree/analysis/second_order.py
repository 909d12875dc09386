"""The second-order form of a linear system: masses, dampings and stiffnesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.tangent import LinearisationError
from axletree.core.registry import unknown_name

Matrix = NDArray[np.float64]

DECOUPLED = 1e-9  # share of its row that a coupling to other states may have and count as none


@dataclass(frozen=True)
class SecondOrder:
    """M q'' + C q' + K q = u."""

    coordinates: tuple[str, ...]  # q
    inputs: tuple[str, ...]  # u
    M: Matrix
    C: Matrix
    K: Matrix


def second_order(
    A: Matrix,
    B: Matrix,
    states: Sequence[str],
    inputs: Sequence[str],
    *,
    coordinates: Sequence[str],
    forces: Sequence[str],
) -> SecondOrder:
    """Of some coordinates among the states, each with one of the inputs.

    The speeds p that belong to them are those that their rates depend on, q' = N p + S q.
    With p' = P p + Q q + G u it follows that

        q'' = (N P N^-1 + S) q' + (N Q - N P N^-1 S) q + N G u,

    and M is the inverse of N G. No other state may act on q and p.
    """
    if len(forces) != len(coordinates):
        raise LinearisationError(
            f"{len(coordinates)} coordinates need as many inputs, got {len(forces)}: each "
            "input is the force or torque of one coordinate"
        )
    q = [_index("state", name, states) for name in coordinates]
    u = [_index("input", name, inputs) for name in forces]
    p = _speeds(A, states, q)
    N, S = A[np.ix_(q, p)], A[np.ix_(q, q)]
    over = N @ A[np.ix_(p, p)] @ np.linalg.inv(N)
    by_force = N @ B[np.ix_(p, u)]
    if np.linalg.matrix_rank(by_force) < len(q):
        raise LinearisationError(
            f"the inputs {', '.join(forces)} do not drive {', '.join(coordinates)} independently"
        )
    M: Matrix = np.asarray(np.linalg.inv(by_force), dtype=float)
    K = -M @ (N @ A[np.ix_(p, q)] - over @ S)
    return SecondOrder(tuple(coordinates), tuple(forces), M, -M @ (over + S), K)


def _index(kind: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise unknown_name(kind, name, names, "the linearisation")
    return list(names).index(name)


def _speeds(A: Matrix, states: Sequence[str], q: Sequence[int]) -> list[int]:
    """The states other than q that its rates depend on; with q they must go on by themselves."""
    others = [k for k in range(len(states)) if k not in set(q)]
    p = _seen(A, q, others)
    strange = [k for k in _seen(A, p, others) if k not in set(p)]
    if len(p) != len(q) or strange:
        listed = ", ".join(states[k] for k in (*p, *strange)) or "none"
        raise LinearisationError(
            f"{', '.join(states[k] for k in q)} do not go on by themselves: their rates, and "
            f"the rates of these, depend on {listed}; add coordinates, or keep other states"
        )
    return p


def _seen(A: Matrix, rows: Sequence[int], columns: Sequence[int]) -> list[int]:
    """The columns on which the rows depend."""
    sizes = np.abs(A[list(rows)]).max(axis=1, initial=0.0)
    shares = np.abs(A[np.ix_(rows, columns)]) / np.where(sizes > 0.0, sizes, 1.0)[:, None]
    return [k for k, share in zip(columns, shares.max(axis=0, initial=0.0), strict=True)
            if share > DECOUPLED]  # fmt: skip
