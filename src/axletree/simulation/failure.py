"""Runs that have to stop: what went wrong, when, to which quantity, and what to try."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axletree.core.quantity import Quantity


@dataclass(frozen=True)
class Failure:
    """Why a run stopped before its end."""

    message: str
    advice: str

    def __str__(self) -> str:
        return f"{self.message}; {self.advice}"


def bad_state(
    states: Sequence[Quantity],
    values: Sequence[float] | np.ndarray,
    last: Sequence[float] | np.ndarray,
    t: float,
    last_time: float,
    advice: str,
) -> Failure:
    """The first state that is not finite at t, with its value at the last good time."""
    bad = np.flatnonzero(~np.isfinite(np.asarray(values, dtype=float)))
    quantity, value = states[bad[0]], values[bad[0]]
    others = f" (and {len(bad) - 1} more states)" if len(bad) > 1 else ""
    return Failure(
        f"at t = {t:.9g} s the state {quantity.name!r}{others} became {value}; its last good "
        f"value was {float(last[bad[0]]):.9g} {quantity.unit} at t = {last_time:.9g} s",
        advice,
    )


def bad_output(outputs: Sequence[Quantity], values: np.ndarray, t: float) -> Failure:
    """The first output that is not finite at t."""
    index = int(np.flatnonzero(~np.isfinite(values))[0])
    return Failure(
        f"at t = {t:.9g} s the output {outputs[index].name!r} is {values[index]}, "
        "while all states are finite",
        "look for a division by zero, or a root or logarithm outside its domain, in this "
        "output, or leave it out by outputs=[...]",
    )
