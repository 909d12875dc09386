"""From the speeds of a wheel to its slip and back to forces in its axes, in both directions.

Numbers of equations are those of Peiret et al. The slip of a wheel at rest is not defined; here it
fades with the speed (7), so that a standing wheel creeps under a load. Where it shall stand, forces
are set-valued and this is not used.
"""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.expr import absolute, exp, maximum, minimum, where
from axletree.library.soils.forces import SoilForces
from axletree.library.soils.soil import Value

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
    >>> from axletree.library.soils.motion import soil_motion
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
    >>> from axletree.library.soils.contract import Wheel
    >>> from axletree.library.soils.motion import soil_motion, wheel_forces
    >>> soil = at.WismerLuth(cone_index="700 kPa")(15e3, Wheel(0.7, 0.45, slip=0.2))  # N, m, m
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
