"""A vehicle that pulls a load which rises."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.core.expr import Table
from axletree.library.fields import parameter
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs, forward_state
from axletree.model.manoeuvres.findings import STILL, Columns, Finding, first_record
from axletree.model.manoeuvres.ramped import ramped


@dataclass(frozen=True, kw_only=True)
class DrawbarPull(Manoeuvre):
    """A force that rises in a straight line, until the vehicle no longer advances.

    Slow enough, it passes through steady states. Held below what can be pulled, it stays.
    """

    summary: ClassVar[str] = "a pull that rises until the vehicle no longer advances"

    forward: str = forward_state()
    loads: tuple[str, ...] = driven_inputs("N", "inputs that follow the force")
    force: float = parameter("N", "force that each comes to, against the travel if negative")
    begin: float = parameter("s", "time at which it sets in", default=1.0, lower=0.0)
    rise: float = parameter("s", "time to the whole force", default=60.0, lower=0.0, above=True)
    duration: float = parameter("s", "length of the run", default=60.0, lower=0.0, above=True)

    def own_signals(self) -> dict[str, Signal]:
        return dict.fromkeys(self.loads, self._course)

    @property
    def _course(self) -> Table:
        return ramped(self.begin, self.rise, 0.0, self.force)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        stands = first_record((run[self.forward] < STILL) & (run.time > self.begin))
        last = len(run.time) - 1 if stands is None else stands
        pull = np.abs(self._course.evaluate(run.time[: last + 1]) * len(self.loads))
        at = math.nan if stands is None else float(run.time[stands])
        return (
            Finding("greatest_pull", float(np.max(pull)), "N", "force up to which it advances"),
            Finding("immobile", at, "s", "time at which it no longer advances"),
        )
