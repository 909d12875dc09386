"""A combustion engine with its clutch, by a map over speed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from axletree.core.expr import Expr, maximum
from axletree.core.expr.expression import ONE, ZERO
from axletree.library.curve import Curve, curve
from axletree.library.engine_map import held, map_problems
from axletree.library.fields import parameter
from axletree.library.power_sources.contract import PowerSource, opened, within_one


@dataclass(frozen=True)
class CombustionEngine(PowerSource):
    """With s the share of the fuel that burns: ``s full_load(w) - (1 - s) drag(w)``.

    Fuel goes from ``cut_off - droop`` to ``cut_off`` from all to none. Below the first speed of
    ``full_load`` the clutch slips: the engine passes on the torque of that speed, and of its drag
    less and less, none at rest. Beyond the last point of a curve its torque is held.

    Example:
    >>> import axletree as at
    >>> from axletree.library.power_sources.combustion_engine import CombustionEngine
    >>> engine = CombustionEngine(at.Curve((100.0, 600.0), (150.0, 150.0)), cut_off=650.0)
    >>> [float(engine.torque(1.0, speed, engine.numbers)) for speed in (300.0, 640.0)]  # N m
    [150.0, 75.0]
    """

    summary: ClassVar[str] = "a combustion engine by a map over speed; its clutch slips at rest"

    full_load: Curve = curve("rad/s", "N*m", "torque over speed at full throttle")
    cut_off: float = parameter(
        "rad/s", "speed at which there is no more fuel", lower=0.0, above=True
    )
    droop: float = parameter(
        "rad/s", "range of speed over which fuel is cut off", default=20.0, lower=0.0, above=True
    )
    drag: Curve | None = curve(
        "rad/s", "N*m", "torque against the turning over speed, without fuel", default=None
    )

    def problems(self) -> list[str]:
        found = map_problems(self.full_load, self.drag, "the clutch slips")
        if self.cut_off <= self.full_load.x[0]:
            found.append(
                f"cut_off {self.cut_off:g} rad/s is not above {self.full_load.x[0]:g} rad/s, the "
                "first speed of full_load"
            )
        return found

    def torque(self, throttle: Expr, speed: Expr, p: Any) -> Expr:
        lowest = self.full_load.x[0]
        turning = maximum(speed, lowest)
        fuel = opened(throttle) * within_one((p["cut_off"] - speed) / p["droop"])
        drag = ZERO
        if self.drag is not None:
            drag = held(self.drag, turning) * within_one(speed / lowest)
        return fuel * held(self.full_load, turning) - (ONE - fuel) * drag
