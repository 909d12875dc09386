"""Stanley: the front axle steers along the path, and towards it by how far it is off it.

With the offset e of the middle of the front axle to the left of the path, the heading p of the path
over that of the vehicle, the speed v, the yaw rate r and that of the path, v k by its curvature k,

    d = p - atan(gain e / (soft + v)) + K_f v (v k) + damping (v k - r)                          (1)

is the angle of the wheels (Hoffmann et al. 2007, section III). Of wheels that roll without slip the
first two let the offset fall by e' = -v sin(atan(gain e / (soft + v))): at the rate gain v / (soft
+ v), as long as it is small. The third is the slip angle of the front axle in a steady turn, of
the mass m_f that it carries and the cornering stiffness C_f, K_f = m_f / C_f, by which the vehicle
has to turn its wheels beyond the direction that it wants to go; the fourth damps the yaw rate. The
delay of the steering has no term here.

    Hoffmann, G. M.; Tomlin, C. J.; Montemerlo, M.; Thrun, S.: Autonomous Automobile Trajectory
    Tracking for Off-Road Driving. American Control Conference 2007.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.fields import parameter, positive
from axletree.controllers.contract import proposed_interval
from axletree.controllers.path_following import BesidePath, PathFollower
from axletree.expr import Expr, Value, atan, maximum
from axletree.metrics.vehicle_signals import FORWARD_SPEED, HEADING, YAW_RATE, X, Y


@dataclass(frozen=True)
class StanleyController(PathFollower):
    """Steers by heading and offset of the front axle.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> stanley = at.StanleyController.of(car, at.StraightPath())
    >>> stanley.ahead, stanley.gain  # m, 1/s
    (1.37, 2.5)
    """

    word: ClassVar[str] = "stanley"
    summary: ClassVar[str] = "Stanley: steers by heading and offset of the front axle"
    sees: ClassVar[tuple[str, ...]] = (X, Y, HEADING, FORWARD_SPEED, YAW_RATE)

    interval: float = proposed_interval(0.01)
    gain: float = positive("1/s", "rate at which an offset falls", default=2.5)
    soft: float = positive("m/s", "by which the gain is softer at low speeds", default=1.0)
    slip_share: float = parameter("1", "share of the slip angle that is added", default=1.0)
    damping: float = parameter("s", "angle by error of the yaw rate", default=0.1, lower=0.0)

    @property
    def ahead(self) -> float:
        """Of the front axle [m]."""
        return self.vehicle.front

    def wheel_angle(
        self, beside: BesidePath, seen: Mapping[str, Expr], p: Mapping[str, Value]
    ) -> Value:
        v = maximum(seen[FORWARD_SPEED], 0.0)
        turns = v * beside.curvature
        towards = beside.heading - atan(p["gain"] * beside.offset / (p["soft"] + v))
        slip = p["slip_share"] * self.vehicle.front_slip * v * turns
        return towards + slip + p["damping"] * (turns - seen[YAW_RATE])  # (1)
