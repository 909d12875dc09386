"""What soil has to offer a wheel over a step: forces at its slip, their slopes and their limits.

Set-valued forces take these apart so that each does work against one velocity and never drives:

1. Thrust beyond that of rolling, F_t - B, against the sliding v_t = v_x - omega r. B is what shear
   makes of a wheel that rolls without slip, whose rim moves forward in the soil all the same.
2. What is left of the resistance, F_c - B, against the travel v_x.
3. The moment of rolling without slip, r B and its own rolling moment, against the turning omega.
4. The side force against the drift v_y.

Together they are the law's forces. What T_rr is more than without slip goes with the thrust.

Tyres push without any slip, too, and turn about the normal and the way ahead. These act on no
velocity of their own and are loads that fade at rest.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from axletree.library.soils.forces import SoilForces
from axletree.library.soils.soil import Value


@dataclass(frozen=True)
class Grip:
    """Of a wheel that travels forward: sizes, none negative but those of ``forces`` and pushes."""

    forces: SoilForces  # where they jump with the slip, smoothed
    thrust: Value  # |F_t - B| [N]
    rolling_thrust: Value  # B [N], not more than the compaction resistance
    free_moment: Value  # T_rr of rolling without slip [N m]
    thrust_slope: Value  # of |F_t - B| against |i| [N]
    greatest_thrust: Value  # of |F_t - B| in full slip, as the wheel slips now [N]
    side_stiffness: Value  # side force over lateral slip [N]
    greatest_side_force: Value  # [N]
    mobility_number: Value = 0.0  # [1], of laws by the cone index
    forward_push: Value = 0.0  # [N], of tyres without slip, either sign; not in the thrust
    side_push: Value = 0.0  # [N], of tyres without drift: conicity, camber; to the left
    edge_x: Value = 0.0  # [N], along x and y of the ground where laws differ: the slope of U
    edge_y: Value = 0.0

    @property
    def net_resistance(self) -> Value:
        """F_c - B [N]."""
        return self.forces.compaction_resistance - self.rolling_thrust

    @property
    def slip_moment(self) -> Value:
        """T_rr beyond that without slip [N m]."""
        return self.forces.rolling_moment - self.free_moment

    def flat(self) -> dict[str, Value]:
        """All values by name; those of the forces as ``forces.name``."""
        own = {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
        forces: SoilForces = own.pop("forces")
        inner = {
            f"forces.{item.name}": getattr(forces, item.name)
            for item in dataclasses.fields(SoilForces)
        }
        return inner | own


def grip_of(values: dict[str, Value]) -> Grip:
    """The other way round."""
    forces = {name[7:]: value for name, value in values.items() if name.startswith("forces.")}
    own = {name: value for name, value in values.items() if not name.startswith("forces.")}
    return Grip(SoilForces(**forces), **own)
