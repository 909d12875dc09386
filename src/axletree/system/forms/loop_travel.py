"""The travel of local loops: configurations in which they are closed, around the assembled one.

From the assembled configuration each joint of a loop is moved both ways along the motions that the
constraints allow, in short steps, each followed by Newton's steps back onto the constraints. A way
ends at the limit of the travel, or where the mechanism itself comes near a dead centre.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.equations.articulated_bodies.aggregates import Aggregate
from axletree.equations.constraints import Constraint
from axletree.expr import Expr, jacobian, substitute
from axletree.expr.evaluation import Evaluator
from axletree.system.mechanism import CLOSED, Mechanism, measured_travels

_REACH: Final = 0.8  # [rad], of the joint of a loop that moves most
METRE: Final = 4.0  # [rad/m]: what slides counts as a hinge with an arm of 0.25 m
_STEP: Final = 0.05  # [rad]
_NEWTON_STEPS: Final = 3
_NEAR_LIMIT: Final = 0.1  # of the independence of constraints at the assembly
_STILL: Final = 0.05  # of a speed: what moves less along a direction does not lead it


@dataclass(frozen=True)
class LoopTravel:
    """Matrices of a loop's constraints over its speeds, in closed configurations.

    The first is that of the assembly. Columns of speeds in m/s are those of speeds in rad/s.
    """

    matrices: FloatArray  # by configuration, constraint and speed

    def determination(self, columns: Sequence[int]) -> FloatArray:
        """How well these speeds follow from the others in each configuration, from 0 to 1.

        0 is a dead centre of the choice; where the mechanism itself has one is no matter of it.
        """
        scale = np.linalg.norm(self.matrices, axis=2, keepdims=True)
        rows = self.matrices / np.where(scale > 0.0, scale, 1.0)
        own = np.linalg.svd(rows[:, :, list(columns)], compute_uv=False)[:, -1]
        best = np.linalg.svd(rows, compute_uv=False)[:, -1]
        return np.asarray(own / np.maximum(best, 1e-12))


def loop_travel(
    mechanism: Mechanism,
    q: np.ndarray,
    constraints: Sequence[Constraint],
    aggregate: Aggregate,
) -> LoopTravel:
    """Of one loop; ``constraints`` are all that are independent, ``q`` closes them."""
    walk = _Walk(mechanism, [constraints[i] for i in aggregate.constraints], aggregate.speeds)
    C = walk.matrices(q[None, :])
    found = [C]
    ways = _directions(C[0])
    limit = _NEAR_LIMIT * _least_singular(C)[0]
    places = np.repeat(q[None, :], len(ways), axis=0)
    for _ in range(round(_REACH / _STEP)):
        if not len(ways):
            break
        C = walk.matrices(places)
        ways = _along(C, ways)
        places, closed = walk.closed(places + walk.moves(places, _STEP * ways))
        C = walk.matrices(places)
        going = closed & (np.abs(ways).max(axis=1) > 0.0) & (_least_singular(C) > limit)
        places, ways = places[going], ways[going]
        found.append(C[going])
    return LoopTravel(np.concatenate(found))


class _Walk:
    """Constraints of a loop and the motion along its speeds as functions of many numbers."""

    def __init__(
        self, mechanism: Mechanism, own: Sequence[Constraint], speeds: Sequence[int]
    ) -> None:
        equations = mechanism.equations
        self._values = mechanism.at(np.zeros(len(equations.coordinates)))
        self._q = [x.symbol for x in equations.coordinates]
        variables = [equations.speeds[j] for j in speeds]
        self._weights = np.array([1.0 / METRE if x.unit == "m/s" else 1.0 for x in variables])
        rows = {(i, speeds.index(j)): e for i, c in enumerate(own) for j, e in c.jacobian.items()}
        rates = jacobian(equations.coordinate_rates, [x.symbol for x in variables])
        self._shapes = (len(own), len(speeds)), (len(self._q), len(speeds))
        self._places = list(rows), list(rates)
        self._matrices = Evaluator(list(rows.values())), Evaluator(list(rates.values()))
        positions = substitute([c.position for c in own], measured_travels(equations))
        self._gaps = Evaluator(positions)

    def _at(self, places: np.ndarray) -> dict[Expr, float | np.ndarray]:
        return self._values | dict(zip(self._q, places.T, strict=True))

    def _matrix(self, which: int, places: np.ndarray) -> np.ndarray:
        full = np.zeros((len(places), *self._shapes[which]))
        with np.errstate(all="ignore"):
            found = self._matrices[which](self._at(places))
        for (i, j), entry in zip(self._places[which], found, strict=True):
            full[:, i, j] = entry
        return np.asarray(np.where(np.isfinite(full), full, 0.0))

    def matrices(self, places: np.ndarray) -> np.ndarray:
        """C over the speeds, all as if in rad/s."""
        return np.asarray(self._matrix(0, places) * self._weights)

    def moves(self, places: np.ndarray, along: np.ndarray) -> np.ndarray:
        """Changes of the coordinates along the speeds."""
        return np.asarray(np.einsum("kij,kj->ki", self._matrix(1, places), along * self._weights))

    def closed(self, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Moved back onto the constraints, and which of them satisfy these."""
        for _ in range(_NEWTON_STEPS):
            back = np.linalg.pinv(self.matrices(places), rcond=1e-9)
            places = places - self.moves(places, np.einsum("kij,kj->ki", back, self.gaps(places)))
        return places, np.abs(self.gaps(places)).max(axis=1, initial=0.0) < 1e3 * CLOSED

    def gaps(self, places: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            found = self._gaps(self._at(places))
        gaps = np.array([np.broadcast_to(gap, len(places)) for gap in found]).T
        return np.where(np.isfinite(gaps), gaps, 1.0)


def _directions(C: np.ndarray) -> np.ndarray:
    """Each speed moved both ways with the others following, those that lead alike once."""
    allowed = np.eye(C.shape[1]) - np.linalg.pinv(C, rcond=1e-9) @ C
    found: list[np.ndarray] = []
    for column in allowed:
        length = np.linalg.norm(column)
        if length > _STILL and all(abs(column @ f) < 0.99 * length for f in found):
            found.append(column / length)
    return np.array([sign * f for f in found for sign in (1.0, -1.0)]).reshape(-1, C.shape[1])


def _along(C: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """Directions as the constraints allow them, the largest speed 1."""
    back = np.linalg.pinv(C, rcond=1e-9)
    lost = np.einsum("kij,kj->ki", back, np.einsum("kij,kj->ki", C, ways))
    left = ways - lost
    largest = np.abs(left).max(axis=1, keepdims=True)
    return np.where(largest > _STILL, left / np.maximum(largest, _STILL), 0.0)


def _least_singular(C: np.ndarray) -> np.ndarray:
    scale = np.linalg.norm(C, axis=2, keepdims=True)
    rows = C / np.where(scale > 0.0, scale, 1.0)
    return np.asarray(np.linalg.svd(rows, compute_uv=False)[:, -1])
