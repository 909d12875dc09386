"""Events of a batch: an output that crosses a level, when it first does so, and how often.

``"vehicle.roll > 3 deg"`` is where roll rises above the level, ``"chassis.vx < 10 km/h"`` where a
speed falls below it. A member that is beyond the level when it begins has not crossed it yet.
Crossings are looked for between instants that are recorded, by a straight line from one to the
next: what is over from one record to the next is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, to_si
from axletree.simulation.problem import SettingsError
from axletree.system.system import System

_CROSSING: Final = re.compile(r"\s*(\S+?)\s*([<>])\s*(\S.*?)\s*")
TIME_WORD, COUNT_WORD = "time", "count"

GivenEvents = Sequence[str] | Mapping[str, str]


@dataclass(frozen=True)
class Crossing:
    """A quantity that rises above a level in SI units, or falls below it."""

    label: str
    name: str
    level: float
    rises: bool

    @property
    def columns(self) -> tuple[str, str]:
        """Names of the first time [s], nan without one, and of the number of crossings."""
        return f"{self.label}.{TIME_WORD}", f"{self.label}.{COUNT_WORD}"

    def found_in(self, time: FloatArray, values: FloatArray) -> tuple[float, int]:
        """The same of the records of a single run.

        Example:
        >>> import numpy as np
        >>> from axletree.simulation.batch.crossings import Crossing
        >>> event = Crossing("slides", "chassis.rate", 0.5, rises=True)
        >>> event.found_in(np.arange(5.0), np.array([0.0, 1.0, 0.0, 1.0, 1.0]))  # s
        (0.5, 2)
        """
        beyond = (values - self.level) * (1.0 if self.rises else -1.0)
        (at,) = np.nonzero((beyond[:-1] <= 0.0) & (beyond[1:] > 0.0))
        if not len(at):
            return float("nan"), 0
        k = int(at[0])
        share = -beyond[k] / (beyond[k + 1] - beyond[k])
        return float(time[k] + share * (time[k + 1] - time[k])), len(at)


def read_crossings(given: GivenEvents, system: System) -> tuple[Crossing, ...]:
    """Events by labels, or each its own label; all mistakes in one error.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.batch.crossings import read_crossings
    >>> system = at.read_model("bicycle-car").formulate()
    >>> (event,) = read_crossings(["chassis.vx < 36 km/h"], system)
    >>> event.name, event.level, event.rises  # m/s
    ('chassis.vx', 10.0, False)
    """
    if isinstance(given, str):
        raise SettingsError(f"events is the text {given!r}; write [{given!r}], or a mapping")
    computed = [d.quantity for d in (*system.outputs, *system.intermediates)]
    known = {q.name: q.unit for q in (*system.inputs, *computed, *system.states)}
    pairs = given.items() if isinstance(given, Mapping) else [(text, text) for text in given]
    found, problems = [], []
    for label, text in pairs:
        match = _CROSSING.fullmatch(text)
        if match is None:
            problems.append(
                f"event {text!r}: expected NAME > LEVEL or NAME < LEVEL, such as "
                "'vehicle.roll > 3 deg'"
            )
        elif match[1] not in known:
            problems.append(
                str(unknown_name("quantity", match[1], known, f"system {system.name!r}"))
            )
        else:
            try:
                level = to_si(match[3], known[match[1]])
                found.append(Crossing(label, match[1], level, match[2] == ">"))
            except UnitError as error:
                problems.append(f"event {text!r}: {error}")
    if len({one.label for one in found}) < len(found):
        problems.append("an event stands twice")
    if problems:
        raise SettingsError(*problems)
    return tuple(found)


def with_crossed(names: Iterable[str], events: Iterable[Crossing]) -> tuple[str, ...]:
    """Names of outputs, and those that events look at."""
    return tuple(dict.fromkeys([*names, *(one.name for one in events)]))
