"""A wheel on a carriage whose slip is swept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from axletree.core.expr import log, maximum, minimum, where
from axletree.library.fields import parameter
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import Manoeuvre, Signal, driven_inputs
from axletree.model.manoeuvres.diagram import Diagram, Trace, by_name, point
from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.told_outputs import told_outputs


@dataclass(frozen=True, kw_only=True)
class SlipSweep(Manoeuvre):
    """A carriage at the speed, and a wheel on it that turns so that slip changes evenly.

    Slip is 1 - v / (omega r) when driven and omega r / v - 1 when braked (Peiret et al., eqs. 5
    and 6). Both motions are prescribed, whatever forces they take.

    Example:
    >>> import axletree as at
    >>> inputs = {"carriages": ["carriage.position"], "wheels": ["motor.angle"]}
    >>> sweep = at.SlipSweep(speed=0.5, radius=0.4, first=-0.2, last=0.6, **inputs)  # m/s, m
    >>> [round(float(sweep.slip(time)), 3) for time in (0.0, 10.0, 20.0)]  # at times in s
    [-0.2, 0.2, 0.6]
    """

    summary: ClassVar[str] = "a wheel on a carriage, its slip swept from braking to driving"
    prescribes_speed: ClassVar[bool] = True

    carriages: tuple[str, ...] = driven_inputs("m", "inputs that follow the way of the carriage")
    wheels: tuple[str, ...] = driven_inputs("rad", "inputs that follow the angle of the wheel")
    radius: float = parameter("m", "radius of the wheel", lower=0.0, above=True)
    first: float = parameter("1", "slip at the start", default=-0.5, lower=-1.0, upper=0.99)
    last: float = parameter("1", "slip at the end", default=0.8, lower=-1.0, upper=0.99)
    begin: float = parameter("s", "time at which it begins to change", default=0.0, lower=0.0)
    sweep: float = parameter("s", "time from the first to the last", default=20.0, lower=0.0,
                             above=True)  # fmt: skip
    pulls: tuple[str, ...] = told_outputs("N", "drawbar pulls, of whose sum the greatest is told")
    duration: float = parameter("s", "length of the run", default=20.0, lower=0.0, above=True)

    def problems(self) -> list[str]:
        if self.first == self.last:
            return [f"first and last are both a slip of {self.last:g}; there is nothing to sweep"]
        return super().problems()

    def slip(self, time: Any) -> Any:
        """Slip [1] at a time [s]: floats, arrays and expressions.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> fields = {"carriages": ["carriage.position"], "wheels": ["motor.angle"], "radius": 0.4}
        >>> sweep = at.SlipSweep(speed=0.5, first=0.0, last=0.5, begin=5.0, sweep=10.0, **fields)
        >>> sweep.slip(np.array([0.0, 10.0, 20.0])).tolist()
        [0.0, 0.25, 0.5]
        """
        share = maximum(minimum((time - self.begin) * (1.0 / self.sweep), 1.0), 0.0)
        return self.first + (self.last - self.first) * share

    def own_signals(self) -> dict[str, Signal]:
        """The angle is the integral of the rate v / r times the ratio of ``_ratio``."""
        per_slip = self.sweep / (self.last - self.first)
        turned = (
            _ratio(self.first) * minimum(TIME, self.begin)
            + per_slip * (_ratio_integral(self.slip(TIME)) - _ratio_integral(self.first))
            + _ratio(self.last) * maximum(TIME - (self.begin + self.sweep), 0.0)
        )
        way = dict.fromkeys(self.carriages, self.speed * TIME)
        return {**way, **dict.fromkeys(self.wheels, self.speed / self.radius * turned)}

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        if not self.pulls:
            return ()
        pull = np.sum([run[name] for name in self.pulls], axis=0)
        swept = np.where(run.time >= self.begin, pull, -np.inf)
        top = int(np.argmax(swept))
        slip = float(self.slip(run.time)[top])
        return (
            Finding("greatest_pull", float(pull[top]), "N", "greatest drawbar pull"),
            Finding("slip_at_greatest_pull", slip, "1", "slip at which it is greatest"),
        )

    def own_diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.own_findings(run))
        if not found:
            return ()
        pull, swept = np.sum([run[name] for name in self.pulls], axis=0), run.time >= self.begin
        most, slip = found["greatest_pull"], found["slip_at_greatest_pull"]
        trace = Trace("", np.asarray(self.slip(run.time))[swept], pull[swept])
        marks = (point(slip.value, most.value, most), point(slip.value, most.value, slip))
        return (Diagram("Drawbar pull", "slip [1]", "[N]", (trace,), marks),)


def _ratio(slip: float) -> float:
    """omega r / v [1]."""
    return 1.0 / (1.0 - slip) if slip > 0.0 else 1.0 + slip


def _ratio_integral(slip: Any) -> Any:
    """The integral of the ratio over slip, from 0."""
    driven, braked = maximum(slip, 0.0), minimum(slip, 0.0)
    return where(slip > 0.0, -log(1.0 - driven), braked + 0.5 * braked * braked)
