"""When and where in its records a run comes to a station of its path."""

from __future__ import annotations

import math

import numpy as np

from axletree.model.manoeuvres.findings import Column


def up_to(finish: float, station: Column) -> slice:
    """The records before a station [m] and the first one from there on."""
    done = np.flatnonzero(station >= finish)
    return slice(0, int(done[0]) + 1 if done.size else len(station))


def time_at(finish: float, time: Column, station: Column) -> float:
    """The time [s] at which a station [m] is reached; nan if it is not."""
    done = np.flatnonzero(station >= finish)
    if not done.size:
        return math.nan
    k = max(int(done[0]), 1)
    return float(np.interp(finish, station[k - 1 : k + 1], time[k - 1 : k + 1]))
