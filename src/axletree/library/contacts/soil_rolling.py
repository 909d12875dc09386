"""How a wheel moves over soft ground: directions, speeds, slip, sinkage.

Numbers of equations are those of Peiret et al. The ground under the wheel is the plane that
touches it there, and what acts on the rim acts at the wheel's lowest point. Everything is resolved
in the carrier's axes.
"""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import Expr, absolute, maximum, minimum, sign, where
from axletree.core.expr.expression import ZERO
from axletree.core.vectors import Matrix, Vector
from axletree.library.soils.contract import Wheel
from axletree.library.soils.motion import soil_motion
from axletree.library.tyres.ground import Place
from axletree.library.tyres.patch import Patch

LEAST_SPEED = 1e-6  # m/s; a slower wheel is at rest, though struts above it may still settle
STEEPEST_DRIFT = 1e3  # of the sideways speed over the greater of travel and rolling


@dataclass(frozen=True)
class SoilRolling:
    """A wheel on the plane under it."""

    patch: Patch
    place: Place
    radius: Expr  # r [m]
    width: Expr  # b [m]
    rise: Expr  # [1], of the ground with the way ahead: the sine of its slope
    R_carrier_road: Matrix

    @property
    def forward(self) -> Vector:
        return self.patch.x_C

    @property
    def axis(self) -> Vector:
        return self.patch.wheel.axis

    @property
    def travel(self) -> Expr:
        """v_x [m/s]."""
        return self.patch.centre_speed

    @property
    def turning(self) -> Expr:
        """omega [rad/s]."""
        return self.patch.turning

    @property
    def rolling(self) -> Expr:
        """omega r [m/s]."""
        return self.turning * self.radius

    @property
    def sliding(self) -> Expr:
        """v_t [m/s]."""
        return self.travel - self.rolling

    @property
    def below(self) -> Expr:
        """[m], of the lowest point below the centre, along the normal."""
        return self.radius * self.patch.cos_inclination

    @property
    def aside(self) -> Expr:
        """[m], of the lowest point to the left of the centre."""
        return self.radius * self.patch.sin_inclination

    @property
    def drift(self) -> Expr:
        """v_y [m/s] of the lowest point."""
        wheel = self.patch.wheel
        return wheel.velocity.dot(self.patch.y_C) + self.below * self.patch.lean_rate

    @property
    def climb(self) -> Expr:
        """[m/s], of the lowest point along the normal."""
        return self.patch.climb + self.aside * self.patch.lean_rate

    @property
    def sinkage(self) -> Expr:
        """z [m]."""
        return self.below - self.patch.height

    @property
    def greatest_speed(self) -> Expr:
        """|v_max| [m/s] (6); of a wheel that does not roll a small part of its drift."""
        along = maximum(absolute(self.travel), absolute(self.rolling))
        speed: Expr = maximum(along, absolute(self.drift) / STEEPEST_DRIFT)
        return speed

    @property
    def at_rest(self) -> Expr:
        rests: Expr = self.greatest_speed <= LEAST_SPEED
        return rests

    @property
    def is_driven(self) -> Expr:
        driven: Expr = absolute(self.rolling) >= absolute(self.travel)
        return driven

    @property
    def slip(self) -> Expr:
        """|i| from 0 to 1 (5, 6); 0 at rest."""
        ratio = absolute(self.sliding) / maximum(self.greatest_speed, LEAST_SPEED)
        slip: Expr = where(self.at_rest, ZERO, minimum(ratio, 1.0))
        return slip

    @property
    def signed_slip(self) -> Expr:
        """i, negative when braked."""
        slip: Expr = where(self.is_driven, self.slip, -self.slip)
        return slip

    @property
    def direction(self) -> Expr:
        """Of rolling, or of travel if that is faster: 1 forward, -1 in reverse, 0 at rest."""
        direction: Expr = sign(where(self.is_driven, self.rolling, self.travel))
        return direction

    @property
    def wheel(self) -> Wheel:
        """As laws see it over a step; at rest without slip."""
        across = self.drift / maximum(self.greatest_speed, LEAST_SPEED)
        return self._wheel(self.signed_slip, where(self.at_rest, ZERO, across))

    def fading_wheel(self, lowest_speed: Expr) -> tuple[Wheel, Expr]:
        """With slip that fades below a speed [m/s] (7), and the direction, which does too."""
        motion = soil_motion(self.rolling, self.travel, self.drift, lowest_speed)
        return self._wheel(motion.slip, motion.lateral_slip), motion.direction

    def _wheel(self, slip: Expr, across: Expr) -> Wheel:
        place, lean = self.place, self.patch.inclination
        speed = self.greatest_speed
        return Wheel(self.radius, self.width, slip, 0.0, across, place.x, place.y, lean, speed)
