"""The axis about which a wheel is steered.

Of a kingpin or two ball joints it is the line through both. A multi-link axle has none to be seen:
its wheel turns about the screw axis of the upright when the toe link's length changes with the
spring's length held. An upright whose design origin has the velocity v and which turns with w has,
for its position r,

    point on the axis:  r + w x v / w^2
    direction:          w, upward
"""

from __future__ import annotations

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.vehicles.linkages.positions import LinkageKinematics, Positions


def kingpin_axis(
    kinematics: LinkageKinematics, at: Positions, side: str
) -> tuple[FloatArray, FloatArray]:
    """A point of the kingpin's axis and its direction upward, (N, 3) each, in the body.

    Example:
    >>> import numpy as np
    >>> from axletree.vehicles.linkages.kinds.trailing_arms import TrailingArm
    >>> from axletree.vehicles.linkages.kingpin import kingpin_axis
    >>> from axletree.vehicles.linkages.positions import LinkageKinematics
    >>> arm = TrailingArm(
    ...     points={"wheel_centre": (0.0, 0.7, 0.3), "pivot": (0.4, 0.55, 0.32)},
    ...     pivot_width=0.2,
    ...     spring={"stiffness": 4e4, "lower": (0.0, 0.55, 0.3), "upper": (0.0, 0.55, 0.6)},
    ...     upright_mass=15.0,
    ... )
    >>> kinematics = LinkageKinematics(arm.linkage())
    >>> kingpin_axis(kinematics, kinematics.at(np.zeros((1, 2))), "left")
    Traceback (most recent call last):
    axletree.core.errors.ModelError: axle: its left wheel turns about no kingpin; it has none
    """
    carrier = kinematics.linkage.carriers[side]
    if carrier.kingpin is not None:
        links = carrier.kingpin_links or (carrier.link, carrier.link)
        lower, upper = map(at.point, links, carrier.kingpin)
        along = upper - lower
    elif carrier.toe_link is not None:
        springs = [coil for coil in kinematics.linkage.coils if coil.is_spring]
        v, w = kinematics.by_length(at, carrier.toe_link, springs)
        k = at.order[carrier.link]
        along = w[:, k]
        square = (along * along).sum(axis=1)[:, None]
        lower = at.r[:, k] + np.cross(along, v[:, k]) / square
    else:
        raise ModelError(f"{kinematics.name}: its {side} wheel turns about no kingpin; it has none")
    upward = np.where(along[:, 2:] < 0.0, -1.0, 1.0) / np.linalg.norm(along, axis=1)[:, None]
    return lower, upward * along
