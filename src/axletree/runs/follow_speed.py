"""Speeds over time: pedals that follow them are part of the equations, steering is an input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from axletree.expr import as_expr
from axletree.metrics.vehicle_signals import BRAKE, THROTTLE
from axletree.model.manoeuvre import DrivenSignal, Manoeuvre

_DRIVER: Final = "driver"
WANTED_SPEED: Final = f"{_DRIVER}.speed"
PEDAL_EFFORT: Final = f"{_DRIVER}.effort"


@dataclass(frozen=True, kw_only=True)
class FollowSpeed(Manoeuvre):
    """The input ``driver.speed`` is followed by throttle and brake; left out, ``speed`` is kept.

    Example:
    >>> import axletree as at
    >>> faster = at.FollowSpeed(speed=20.0, inputs={"driver.speed": "20 + 0.5*t"})  # m/s
    >>> faster.changes, float(at.FollowSpeed(speed=20.0).signals["driver.speed"])  # m/s
    ({'vehicle': {'driver': {'speed': 20.0}}}, 20.0)
    """

    summary: ClassVar[str] = "a speed over time, by pedals in the equations, with any steering"
    driver: ClassVar[str] = _DRIVER

    def own_signals(self) -> dict[str, DrivenSignal]:
        return {} if WANTED_SPEED in self.inputs else {WANTED_SPEED: as_expr(self.speed)}

    @property
    def changes(self) -> dict[str, Any]:
        changed = super().changes.get("vehicle", {})
        return {"vehicle": {**changed, "driver": {"speed": self.speed}}}

    def first_states(self, levels: Mapping[str, float]) -> dict[str, float]:
        """The driver's foot as it keeps the speed."""
        found = {name: levels[name] for name in (THROTTLE, BRAKE)}
        return {**found, PEDAL_EFFORT: found[THROTTLE] - found[BRAKE]}

    def problems(self) -> list[str]:
        found = [] if self.speed else ["a speed above 0 is followed"]
        return [*super().problems(), *found]
