"""The axle whose tyres have no more forces, by what slips the more there."""

from __future__ import annotations

import numpy as np

from axletree.analysis.cornering.greatest import Summit
from axletree.analysis.cornering.steer_geometry import geometry_of, with_angles
from axletree.analysis.cornering.turning import Turning
from axletree.analysis.cornering.way import Ending

NEARBY = 1e-4  # change of the unknown that changes most, beside 1 and itself


def slipping_axle(turning: Turning, summit: Summit) -> str:
    """Its name, or an empty text where other things than grip end a way.

    Along the way accelerations stay at their greatest while slips change. Of each axle these are
    the slip angle in its middle, and the greatest change of rim speeds beside the path speed.
    """
    along = summit.tangent[:-1]
    size = float(np.abs(along / (1.0 + np.abs(summit.turn))).max())
    if summit.ending is not Ending.GRIP or not size:
        return ""
    turns = [summit.turn, summit.turn + NEARBY / size * along]
    vehicle = turning.of.vehicle
    told = with_angles(turning.told(turns), geometry_of(vehicle))
    changes = {}
    for name, axle in vehicle.axles.items():
        rates = [q for q in turning.names if q.startswith(f"{name}_") and q.endswith("_axle.rate")]
        rims = [axle.wheel.radius * np.diff(told[q])[0] / told["path.speed"][0] for q in rates]
        angle = np.diff(told[f"{name}.slip_angle"])[0]
        changes[name] = float(np.hypot(angle, np.abs(rims).max(initial=0.0)))
    return max(changes, key=lambda name: changes[name])
