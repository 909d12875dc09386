"""Courses with fewer points that look the same: what a picture can show of a long run."""

from __future__ import annotations

import numpy as np

MOST_POINTS = 4000  # of a curve; a picture is less than half as many pixels wide


def thinned(time: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last point, and of each stretch between the least and the greatest."""
    count = len(time)
    if count <= MOST_POINTS:
        return time, values
    length = -(-2 * count // MOST_POINTS)
    whole = count - count % length
    firsts = np.arange(0, whole, length)
    stretches = values[:whole].reshape(-1, length)
    kept = [firsts + stretches.argmin(axis=1), firsts + stretches.argmax(axis=1), [0, count - 1]]
    if whole < count:
        kept.append([whole + values[whole:].argmin(), whole + values[whole:].argmax()])
    indices = np.unique(np.concatenate(kept))
    return time[indices], values[indices]
