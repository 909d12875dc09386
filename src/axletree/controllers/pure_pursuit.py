"""Pure pursuit: the rear axle drives a circular arc to a point ahead on the path (Coulter 1992).

With the look-ahead distance l, within which the goal is the point of the path that is so far from
the middle of the rear axle, and the place y of it to the left of the vehicle's x axis, the arc
through both that begins along this axis has the curvature 2 y / l^2 (Coulter, equation 3 of section
2.2). Wheels of a vehicle with the wheelbase L that rolls without slip follow it at the angle

    d = atan(2 L y / l^2),  l = v look_ahead, within a shortest and a longest distance.          (1)

The goal is where |C(s) - P| = l, by Newton's steps ds = (l - |C - P|) / (|C - P|)' from the foot of
the normal and sqrt(l^2 - e^2) on. Slip angles of tyres are not in the law: in a turn a vehicle is
off its path by what they take, as the page of controllers says in closed form.

    Coulter, R. C.: Implementation of the Pure Pursuit Path Tracking Algorithm. CMU-RI-TR-92-01,
    Carnegie Mellon University 1992.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import positive
from axletree.controllers.contract import limited, proposed_interval
from axletree.controllers.path_following import BesidePath, PathFollower
from axletree.expr import Expr, Value, atan, cos, interpolate, maximum, sin, sqrt
from axletree.metrics.vehicle_signals import FORWARD_SPEED, HEADING

_STEPS = 3  # of Newton, to the goal
_LEAST_RATE = 0.3  # by which the distance of the goal grows along the path, at least


@dataclass(frozen=True)
class PurePursuitController(PathFollower):
    """Steers the rear axle to a point ahead on a path.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> at.PurePursuitController.of(car, at.StraightPath(), look_ahead="0.8 s").look_ahead
    0.8
    """

    word: ClassVar[str] = "pure-pursuit"
    summary: ClassVar[str] = "pure pursuit: steers along an arc to a point ahead on a path"

    interval: float = proposed_interval(0.01)
    look_ahead: float = positive("s", "time to the goal", default=0.4)
    nearest: float = positive("m", "shortest distance of the goal", default=4.0)
    farthest: float = positive("m", "longest distance of the goal", default=40.0)

    def problems(self) -> list[str]:
        if self.nearest > self.farthest:
            return [
                *super().problems(),
                f"nearest is {self.nearest:g} m; expected no more than farthest, "
                f"{self.farthest:g} m",
            ]
        return super().problems()

    @property
    def ahead(self) -> float:
        """Of the rear axle [m]: it is behind."""
        return self.vehicle.rear

    def wheel_angle(
        self, beside: BesidePath, seen: Mapping[str, Expr], p: Mapping[str, Value]
    ) -> Value:
        away = limited(seen[FORWARD_SPEED] * p["look_ahead"], p["nearest"], p["farthest"])
        x, y, distance = self._goal(beside, away)
        heading = seen[HEADING]
        left = y * cos(heading) - x * sin(heading)
        return atan(2.0 * self.vehicle.wheelbase * left / (distance * distance))  # (1)

    def _goal(self, beside: BesidePath, away: Value) -> tuple[Expr, Expr, Value]:
        """From the rear axle [m], and its distance, which is that wanted once it is found."""
        e = limited(beside.offset, -0.9 * away, 0.9 * away)
        s = beside.station + sqrt(away * away - e * e)
        for _ in range(_STEPS):
            x, y, distance = self._to(beside, s)
            heading = interpolate(self.tables.heading, s)
            grows = (x * cos(heading) + y * sin(heading)) / distance
            s = maximum(s + (away - distance) / maximum(grows, _LEAST_RATE), beside.station)
        return self._to(beside, s)

    def _to(self, beside: BesidePath, s: Expr) -> tuple[Expr, Expr, Value]:
        x = interpolate(self.tables.x, s) - beside.x
        y = interpolate(self.tables.y, s) - beside.y
        return x, y, maximum(sqrt(x * x + y * y), 1e-3)
