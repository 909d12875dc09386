"""Orientations that coordinates cannot describe: where a run can neither start nor go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.core.errors import InitialValueError
from axletree.library.edge import MotionLaw
from axletree.library.gimbal import Gimbal
from axletree.system.system import System

LEAST: Final = 1e-9  # rad between the first and the last axis, at the start
NEAR: Final = 0.1  # likewise: what may be the cause of a run that stops


@dataclass(frozen=True)
class Turns:
    """Three angles of a system that do not tell all motions apart everywhere."""

    component: str
    gimbal: Gimbal
    first: int  # the places of the first and the middle angle among the states
    middle: int

    def is_locked(self, states: Sequence[float] | np.ndarray, within: float) -> bool:
        """Whether the first and the last axis are in line within an angle [rad]."""
        return abs(self.gimbal.apart(float(states[self.middle]))) <= within

    def sentence(self, states: Sequence[float] | np.ndarray) -> str:
        """Where they are in line, next to these states, and what is wrong there."""
        return f"{self.component}: {self.gimbal.sentence(float(states[self.middle]))}"


def turns_of(system: System) -> tuple[Turns, ...]:
    """Every joint of the tree whose orientation is three angles."""
    if system.source is None:
        return ()
    place = {quantity.name: k for k, quantity in enumerate(system.states)}
    found = []
    for connection in system.source.dynamics.kinematics.links.rotations:
        law = connection.edge.law
        gimbal = law.gimbal if isinstance(law, MotionLaw) else None
        if gimbal is not None and connection.coordinates:
            first, middle, _ = (place[quantity.name] for quantity in connection.coordinates)
            found.append(Turns(connection.edge.component, gimbal, first, middle))
    return tuple(found)


def refuse_singular_start(system: System, states: np.ndarray) -> None:
    """There the equations divide by zero, in the kinematics or in the mass matrix."""
    for turns in turns_of(system):
        if turns.is_locked(states, LEAST):
            raise InitialValueError(
                f"{turns.sentence(states)}, so that a run cannot start there; start from another "
                "angle, or give it another orientation, such as 'quaternion', which has no such "
                "place"
            )
