"""Shapes of modes: the share of each state, free of units, and its phase."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axletree.analysis.linearisation import Linearisation

LEAST_SHARE = 0.02  # of a mode, of a state that is named


@dataclass(frozen=True)
class ModePart:
    """What a state does in a mode."""

    state: str
    share: float  # of all states in the mode, 0 to 1
    amplitude: float  # in the unit of the state, that of the state with the greatest share being 1
    phase: float  # [rad], -pi to pi, ahead of the state with the greatest share


@dataclass(frozen=True)
class ModeShape:
    """A real eigenvalue, or the one above the real axis of a pair, and its states."""

    eigenvalue: complex  # [1/s]
    parts: tuple[ModePart, ...]  # the greatest share first


def mode_shapes(linear: Linearisation) -> tuple[ModeShape, ...]:
    """In the order of ``linear.modes``, the fastest growing first.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.mode_shapes import mode_shapes
    >>> shapes = mode_shapes(at.read_model("pendulum").formulate().linearise({"pin.angle": 0.0}))
    >>> [(part.state, round(part.share, 3)) for part in shapes[0].parts]
    [('pin.rate', 0.5), ('pin.angle', 0.5)]
    """
    from scipy.linalg import eig

    from axletree.analysis.participation import participation

    if not len(linear.A):
        return ()
    values, shares = participation(linear.A)
    _, vectors = eig(linear.A)
    order = np.lexsort((-values.imag, -values.real))
    found = []
    for k in order:
        if values[k].imag >= 0.0:
            found.append(_shape(linear, complex(values[k]), shares[:, k], vectors[:, k]))
    return tuple(found)


def _shape(
    linear: Linearisation, value: complex, share: np.ndarray, vector: np.ndarray
) -> ModeShape:
    first = int(np.argmax(share))
    relative = vector / vector[first] if vector[first] else vector
    parts = [
        ModePart(linear.states[k], float(share[k]), float(abs(relative[k])),
                 float(np.angle(relative[k])))
        for k in np.argsort(-share)
        if share[k] >= LEAST_SHARE
    ]  # fmt: skip
    return ModeShape(value, tuple(parts))
