"""A drive along a path, by a driver who is part of the equations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from axletree.library.fields import parameter, structure
from axletree.library.part import part
from axletree.library.paths.contract import Path, least_clearance
from axletree.model.manoeuvres.contract import Manoeuvre, Signal
from axletree.model.manoeuvres.findings import Columns, Finding
from axletree.model.manoeuvres.told_outputs import TOLD

DRIVER = "driver"
PLACE = ("vehicle.x", "vehicle.y", "vehicle.heading")
SPAN_STEP = 0.1  # s; runs are whole numbers of steps


@dataclass(frozen=True, kw_only=True)
class FollowPath(Manoeuvre):
    """A vehicle is led along a path at its speed, and passes the cones of the path or does not.

    The model has to be read with the driver who knows the path: ``changes`` says how.
    """

    summary: ClassVar[str] = "along a path at constant speed, by a driver in the equations"
    driver: ClassVar[str] = DRIVER

    path: Path = part("PATHS", "line to follow")
    duration: float = parameter(
        "s", "length of the run; 0: what the path takes at the speed", default=0.0, lower=0.0
    )
    width: float = parameter("m", "width of the vehicle", default=1.8, lower=0.0)
    ahead: float = parameter(
        "m", "from the centre of the body's mass to the front end", default=2.0, lower=0.0
    )
    behind: float = parameter("m", "from there to the rear end", default=2.2, lower=0.0)
    place: tuple[str, ...] = structure(
        TOLD, "outputs for x, y and heading of the body, and for the offset from the path", tuple,
        (*PLACE, f"{DRIVER}.offset"),
    )  # fmt: skip

    def own_signals(self) -> dict[str, Signal]:
        return {}

    def own_parameters(self) -> dict[str, float]:
        return {f"{DRIVER}.speed": self.speed}

    @property
    def changes(self) -> dict[str, Any]:
        changed = super().changes.get("vehicle", {})
        return {"vehicle": {**changed, "driver": {"path": self.path, "speed": self.speed}}}

    @property
    def span(self) -> float:
        if self.duration:
            return self.duration
        return SPAN_STEP * math.ceil(self.path.line.length / self.speed / SPAN_STEP)

    def first_states(self, levels: Mapping[str, float]) -> dict[str, float]:
        """The driver's foot as it keeps the speed."""
        found = {f"{DRIVER}.{name}": levels[f"{DRIVER}.{name}"] for name in ("throttle", "brake")}
        return {**found, f"{DRIVER}.effort": found[f"{DRIVER}.throttle"]}

    def problems(self) -> list[str]:
        slow = [] if self.speed else ["a path is followed at a speed above 0"]
        return [*super().problems(), *slow]

    def own_findings(self, run: Columns) -> tuple[Finding, ...]:
        x, y, heading, offset = (run[name] for name in self.place)
        farthest = float(np.abs(offset).max())
        found = [Finding("offset", farthest, "m", "farthest from the path")]
        cones = self.path.cones()
        if cones:
            near = least_clearance(cones, x, y, heading, (self.ahead, self.behind, self.width))
            passed = bool((near >= 0.0).all())  # not where one was not reached
            least = float(np.nanmin(near)) if np.isfinite(near).any() else math.nan
            hit = int((~(near >= 0.0)).sum())
            found += [
                Finding("clearance", least, "m", "least distance from a cone, negative if hit"),
                Finding("cones", hit, "1", "cones hit or not passed"),
                Finding("passed", float(passed), "1", "passed between all cones: 1, or 0"),
            ]
        return tuple(found)
