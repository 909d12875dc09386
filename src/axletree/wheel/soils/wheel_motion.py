"""How a wheel moves over soft ground: directions, speeds, slip, sinkage."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.expr import ZERO, Expr, Value, absolute, exp, maximum, minimum, sign, where
from axletree.expr.vectors import Matrix, Vector
from axletree.wheel.contact_geometry import Patch
from axletree.wheel.ground_plane import GroundPoint
from axletree.wheel.soils.contract import SoilForces, WheelInSoil

# How a wheel moves over soft ground: directions, speeds, slip, sinkage.
#
# Numbers of equations are those of Peiret et al. The ground under the wheel is the plane that
# touches it there, and what acts on the rim acts at the wheel's lowest point. Everything is
# resolved
# in the carrier's axes.

_LEAST_SPEED = 1e-6  # m/s; a slower wheel is at rest, though struts above it may still settle
STEEPEST_DRIFT = 1e3  # of the sideways speed over the greater of travel and rolling


@dataclass(frozen=True)
class SoilRolling:
    """A wheel on the plane under it."""

    patch: Patch
    place: GroundPoint
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
    def greatest_speed(self) -> Value:
        """|v_max| [m/s] (6); of a wheel that does not roll a small part of its drift."""
        along = maximum(absolute(self.travel), absolute(self.rolling))
        return maximum(along, absolute(self.drift) / STEEPEST_DRIFT)

    @property
    def at_rest(self) -> Value:
        return self.greatest_speed <= _LEAST_SPEED

    @property
    def is_driven(self) -> Value:
        return absolute(self.rolling) >= absolute(self.travel)

    @property
    def slip(self) -> Value:
        """|i| from 0 to 1 (5, 6); 0 at rest."""
        ratio = absolute(self.sliding) / maximum(self.greatest_speed, _LEAST_SPEED)
        return where(self.at_rest, ZERO, minimum(ratio, 1.0))

    @property
    def signed_slip(self) -> Value:
        """i, negative when braked."""
        return where(self.is_driven, self.slip, -self.slip)

    @property
    def direction(self) -> Value:
        """Of rolling, or of travel if that is faster: 1 forward, -1 in reverse, 0 at rest."""
        return sign(where(self.is_driven, self.rolling, self.travel))

    @property
    def wheel(self) -> WheelInSoil:
        """As laws see it over a step; at rest without slip."""
        across = self.drift / maximum(self.greatest_speed, _LEAST_SPEED)
        return self._wheel(self.signed_slip, where(self.at_rest, ZERO, across))

    def fading_wheel(self, lowest_speed: Expr) -> tuple[WheelInSoil, Expr]:
        """With slip that fades below a speed [m/s] (7), and the direction, which does too."""
        motion = soil_motion(self.rolling, self.travel, self.drift, lowest_speed)
        return self._wheel(motion.slip, motion.lateral_slip), motion.direction

    def _wheel(self, slip: Expr, across: Expr) -> WheelInSoil:
        place, lean = self.place, self.patch.inclination
        speed = self.greatest_speed
        return WheelInSoil(
            self.radius, self.width, slip, 0.0, across, place.x, place.y, lean, speed
        )


# From the speeds of a wheel to its slip and back to forces in its axes, in both directions.
#
# Numbers of equations are those of Peiret et al. The slip of a wheel at rest is not defined; here
# it
# fades with the speed (7), so that a standing wheel creeps under a load. Where it shall stand,
# forces
# are set-valued and this is not used.

_TINY = 1e-12  # [m/s]; a greater speed than this has a direction


@dataclass(frozen=True)
class SoilMotion:
    """How a wheel moves, as soil laws see it."""

    slip: Value  # i_s [1], from -1 to 1
    lateral_slip: Value  # v_y / |v_max| [1]
    direction: Value  # [1], of travel: 1 forward, -1 in reverse, and between near rest


@dataclass(frozen=True)
class WheelForces:
    """What the soil exerts at the lowest point of the wheel: x forward, y left, z up."""

    Fx: Value  # [N]
    Fy: Value  # [N]
    Fz: Value  # [N]
    My: Value  # [N m], about the axle's direction, positive when it turns the wheel forward


def soil_motion(
    rolling_speed: Value, forward_speed: Value, lateral_speed: Value, lowest_speed: Value
) -> SoilMotion:
    """Slip (5, 6) of omega r, v_x and v_y [m/s], which fades below ``lowest_speed`` (7).

    Example:
    >>> from axletree.wheel.soils.wheel_motion import soil_motion
    >>> back = soil_motion(-2.0, -1.5, 0.1, lowest_speed=0.05)  # m/s: driven in reverse
    >>> back.slip, back.lateral_slip, back.direction
    (0.25, 0.05, -1.0)
    """
    driven = absolute(rolling_speed) >= absolute(forward_speed)
    greater = where(driven, rolling_speed, forward_speed)  # v_max
    ratio = greater / lowest_speed
    fade = 1.0 - exp(-minimum(ratio * ratio, 700.0))
    safe = where(greater < 0.0, minimum(greater, -_TINY), maximum(greater, _TINY))
    slip = fade * (rolling_speed - forward_speed) / safe
    return SoilMotion(
        slip=maximum(minimum(slip, 1.0), -1.0),
        lateral_slip=fade * lateral_speed / absolute(safe),
        direction=where(greater < 0.0, -fade, fade),
    )


def wheel_forces(forces: SoilForces, radius: Value, motion: SoilMotion) -> WheelForces:
    """Forces at the lowest point of a wheel that travels in either direction.

    About the axle they make the moment -T = -(r F_t + T_rr), in reverse T. At the lowest point,
    where F_t - F_c acts, there remains -(T_rr + r F_c).

    Example:
    >>> import axletree as at
    >>> from axletree.wheel.soils.contract import WheelInSoil
    >>> from axletree.wheel.soils.wheel_motion import soil_motion, wheel_forces
    >>> soil = at.WismerLuth(cone_index="700 kPa")(15e3, WheelInSoil(0.7, 0.45, slip=0.2))  # N, m
    >>> for rolling, forward in ((2.0, 1.6), (-2.0, -1.6)):  # m/s
    ...     forces = wheel_forces(soil, 0.7, soil_motion(rolling, forward, 0.0, 0.05))
    ...     print(f"{forces.Fx:.0f} N, {forces.My:.0f} N m")
    8110 N, -849 N m
    -8110 N, 849 N m
    """
    back = forces.rolling_moment + radius * forces.compaction_resistance
    return WheelForces(
        Fx=motion.direction * forces.drawbar_pull,
        Fy=forces.lateral_force,
        Fz=forces.normal_force,
        My=-(motion.direction * back),
    )
