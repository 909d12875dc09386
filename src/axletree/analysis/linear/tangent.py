"""Small changes of a state that its constraints allow.

Positions that are held tie coordinates to one another, velocities that are held tie speeds; a
unit quaternion keeps its length, and a measured travel follows its joint. What is left may be
chosen: the changes of all states follow from those of the states that are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from axletree.analysis.linear.jacobians import Slopes, SymbolValues, slopes_of
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError
from axletree.expr.quantity import Role
from axletree.system.consistent_states import places_and_speeds
from axletree.system.mechanism import independent_columns, measured_travels
from axletree.system.system import System


class LinearisationError(AxletreeError):
    """A question that has no answer: states that cannot be kept, or values that are missing."""


@dataclass(frozen=True)
class Tangent:
    """dx = E dy + F du, of all states x, the kept ones y and the inputs u."""

    kept: tuple[int, ...]
    E: FloatArray
    F: FloatArray


def tangent(system: System, values: SymbolValues, keep: Collection[int]) -> Tangent:
    """At a state that satisfies the constraints; ``keep`` are indices of states to be kept."""
    count = len(system.states)
    of_places, of_rates = (slopes(values) for slopes in _row_slopes(system))
    of_places = np.vstack([of_places, _quaternion_rows(system, values)])
    speeds = _speeds(system)
    others = [k for k in range(count) if k not in set(speeds)]
    dependent = _dependent(system, of_places, others, keep)
    dependent += _dependent(system, of_rates, speeds, keep)
    kept = tuple(k for k in range(count) if k not in set(dependent))
    E, F = np.zeros((count, len(kept))), np.zeros((count, len(system.inputs)))
    E[list(kept), range(len(kept))] = 1.0
    if dependent:
        G = np.vstack([of_places, of_rates])
        E[dependent] = np.linalg.solve(G[:, dependent], -G[:, list(kept)])
        F[dependent] = np.linalg.solve(G[:, dependent], -G[:, count:])
    return Tangent(kept, E, F)


def _speeds(system: System) -> list[int]:
    """What rates of constraints tie; by hand these may be other states, too, such as voltages."""
    speeds = [k for k, q in enumerate(system.states) if q.role is Role.SPEED]
    if system.source is None:
        return sorted({*speeds, *places_and_speeds(system.constraints, system.states)[1]})
    return speeds


@lru_cache(maxsize=8)
def _row_slopes(system: System) -> tuple[Slopes, Slopes]:
    """Of what stays zero: in coordinates and travels, then in speeds."""
    symbols = [q.symbol for q in (*system.states, *system.inputs)]
    places = [c.position for c in system.constraints if c.is_holonomic]
    if system.source is not None:
        places += [travel - start for travel, start in measured_travels(system.source).items()]
    return slopes_of(places, symbols), slopes_of([c.velocity for c in system.constraints], symbols)


def _quaternion_rows(system: System, values: SymbolValues) -> FloatArray:
    """A row for each orientation with more coordinates than speeds: no speed changes its length."""
    width = len(system.states) + len(system.inputs)
    rows: list[np.ndarray] = []
    source = system.source
    if source is None:
        return np.zeros((0, width))
    index = {q.name: k for k, q in enumerate(system.states)}
    rates = dict(zip((q.name for q in source.coordinates), source.coordinate_rates, strict=True))
    for connection in source.dynamics.kinematics.links.rotations:
        names = [q.name for q in connection.coordinates]
        if len(names) > len(connection.speeds):
            own = slopes_of([rates[n] for n in names], [q.symbol for q in connection.speeds])
            U, _, _ = np.linalg.svd(own(values))
            for normal in U[:, len(connection.speeds) :].T:
                row = np.zeros(width)
                row[[index[n] for n in names]] = normal
                rows.append(row)
    return np.array(rows).reshape(-1, width)


def _dependent(
    system: System, rows: FloatArray, columns: Sequence[int], keep: Collection[int]
) -> list[int]:
    """As many of the columns as there are rows, none that is to be kept."""
    free = [k for k in columns if k not in set(keep)]
    chosen = independent_columns(rows[:, free]) if free else []
    if len(chosen) < len(rows):
        wanted = ", ".join(system.states[k].name for k in columns if k in set(keep))
        raise LinearisationError(
            f"{system.name} cannot keep {wanted or 'its states'}: the constraints tie them to one "
            "another, or are dependent in this state; keep fewer, or take another state"
        )
    return [free[k] for k in chosen]
