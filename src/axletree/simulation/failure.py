"""Runs that have to stop: what went wrong, when, to which quantity, and what to try."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.quantity import Quantity

RUN_AWAY: Final = 1e30  # in any unit: no state of a machine is so large, but a diverging one is


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


def bad_output(
    outputs: Sequence[Quantity],
    values: np.ndarray,
    t: float,
    states: Sequence[Quantity],
    x: Sequence[float] | np.ndarray,
    advice: str,
) -> Failure:
    """The first output that is not finite at t; if states have run away, the farthest of them."""
    index = int(np.flatnonzero(~np.isfinite(values))[0])
    found = f"at t = {t:.9g} s the output {outputs[index].name!r} is {values[index]}"
    k = int(np.argmax(np.abs(x))) if len(x) else 0
    if len(x) and abs(x[k]) > RUN_AWAY:
        state = states[k]
        return Failure(f"{found}, for {state.name!r} has grown to {x[k]:.3g} {state.unit}", advice)
    return Failure(
        f"{found}, while all states are finite",
        "look for a division by zero, such as by a mass or a length of 0, or a root or logarithm "
        "outside its domain; if nothing but this output is wrong, leave it out by outputs=[...]",
    )
