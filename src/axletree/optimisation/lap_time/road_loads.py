"""What slopes, banking and vertical curvature ask of a car beside its track's centre line.

A car on a ribbon (``track``) at offset n, with heading error xi, goes on by
s' = V cos xi / (1 - n c) per second, and its body turns as the road does there (Perantoni and
Limebeer 2015, part 1, section 3; Limebeer and Massaro 2018, section 7.3; Lovato and Massaro 2022,
"A three-dimensional free-trajectory quasi-steady-state optimal-control method for minimum-lap-time
of race vehicles", Vehicle System Dynamics 60). Its tyres have to give, per mass,

    along:   V' + g (sin theta cos xi + cos theta sin phi sin xi + cos theta cos phi n t s' / V)
    across:  V^2 k + g (cos theta sin phi cos xi - sin theta sin xi)
    normal:  g cos theta cos phi + V^2 b,
             b = (v cos xi + 2 t sin xi) r + n t' r^2,   r = s' / V = cos xi / (1 - n c)

with slope theta, banking phi, twist t, its slope t', and vertical curvature v. Beside the centre
line a road that twists rises by n t along it: its slope, and its change, are the terms with n; they
are absent where roads are taken as planes at each place. Products of twist and offset of second
order, and the acceleration along the way in the normal direction, n t V', are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from axletree.expr import cos, sin
from axletree.expr.functions import Value
from axletree.model.model import STANDARD_GRAVITY

RELIEF_INPUTS: Final = {
    "slope": "rad", "banking": "rad", "twist": "rad/m", "twist_rate": "rad/m^2",
    "vertical_curvature": "1/m",
}  # fmt: skip
LEAST_LOAD: Final = 0.2  # of the weight, below which wheels are about to leave the ground


@dataclass(frozen=True)
class RoadLoads:
    """Accelerations [m/s^2] that gravity asks for, and the normal one by the square of the speed.

    Example:
    >>> import numpy as np
    >>> from axletree.optimisation.lap_time.road_loads import RoadLoads
    >>> bank = dict(slope=0.0, banking=-0.5, twist=0.0, twist_rate=0.0)  # rad; left is lower
    >>> loads = RoadLoads.at(bank | {"vertical_curvature": np.sin(0.5) / 50.0}, 0.0, 0.0, 0.0)
    >>> print(f"{loads.across:.2f} m/s^2, {loads.weight(20.0**2):.3f} of the weight")
    -4.70 m/s^2, 1.269 of the weight
    """

    along: Value
    across: Value
    normal: Value
    normal_by_square: Value  # 1/m

    @classmethod
    def at(
        cls, relief: dict[str, Value], offset: Value, heading_error: Value, curvature: Value
    ) -> RoadLoads:
        """By the columns of a track named in ``RELIEF_INPUTS``; ``curvature`` of its centre line.

        Example:
        >>> from axletree.optimisation.lap_time.road_loads import RELIEF_INPUTS, RoadLoads
        >>> flat = dict.fromkeys(RELIEF_INPUTS, 0.0)
        >>> RoadLoads.at(flat, 1.0, 0.1, 0.0).weight(400.0)  # of the weight
        1.0
        """
        theta, phi, twist = relief["slope"], relief["banking"], relief["twist"]
        n, xi, g = offset, heading_error, STANDARD_GRAVITY
        r = cos(xi) / (1.0 - n * curvature)
        level, rise = cos(theta) * cos(phi), cos(theta) * sin(phi)
        return cls(
            along=g * (sin(theta) * cos(xi) + rise * sin(xi) + level * n * twist * r),
            across=g * (rise * cos(xi) - sin(theta) * sin(xi)),
            normal=g * level,
            normal_by_square=(relief["vertical_curvature"] * cos(xi) + 2.0 * twist * sin(xi)) * r
            + n * relief["twist_rate"] * r * r,
        )  # fmt: skip

    def weight(self, square: Value) -> Value:
        """The share of its weight by which the car is pressed onto the road, by its V^2 [m^2/s^2].

        Example:
        >>> from axletree.optimisation.lap_time.road_loads import RELIEF_INPUTS, RoadLoads
        >>> crest = dict.fromkeys(RELIEF_INPUTS, 0.0) | {"vertical_curvature": -0.01}  # 1/m
        >>> print(f"{RoadLoads.at(crest, 0.0, 0.0, 0.0).weight(20.0**2):.3f}")  # 1 - 4 / g
        0.592
        """
        return (self.normal + self.normal_by_square * square) / STANDARD_GRAVITY
