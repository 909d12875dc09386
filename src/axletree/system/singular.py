"""Orientations from which no run can start: coordinates that do not tell all motions apart."""

from __future__ import annotations

import numpy as np

from axletree.core.errors import InitialValueError
from axletree.library.edge import MotionLaw
from axletree.system.system import System


def refuse_singular_start(system: System, states: np.ndarray) -> None:
    """There the equations divide by zero, in the kinematics or in the mass matrix."""
    if system.source is None:
        return
    value = dict(zip((q.name for q in system.states), states.tolist(), strict=True))
    for connection in system.source.dynamics.kinematics.links.rotations:
        law = connection.edge.law
        own = [value[quantity.name] for quantity in connection.coordinates]
        found = law.singular(own) if own and isinstance(law, MotionLaw) else ""
        if found:
            raise InitialValueError(
                f"{connection.edge.component}: {found}, so that a run cannot start there; start "
                "from another angle, or give it another orientation, such as 'quaternion', which "
                "has no such place"
            )
