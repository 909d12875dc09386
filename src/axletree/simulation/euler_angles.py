"""Orientations that three angles cannot describe: where a run can neither start nor go on.

Where the first and the last of three axes come in line, the rates of their angles have no
bound. A motion that comes near such a place turns these angles by up to half a turn within
a few steps; a motion exactly through it goes on as if nothing were there. A step that does
neither has lost the orientation, and nothing in the numbers shows it later. So the start is
checked, and steps are watched.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.components.edges import Gimbal, MotionLaw
from axletree.core.errors import InitialValueError
from axletree.expr.quantity import Quantity
from axletree.simulation.recording import Failure
from axletree.system.system import System

SMALLEST_SINE: Final = 1e-9  # rad between the first and the last axis, at the start
NEAR_SINGULAR: Final = 0.1  # likewise: what may be the cause of a run that stops


@dataclass(frozen=True)
class EulerAngles:
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


def euler_angles_of(system: System) -> tuple[EulerAngles, ...]:
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
            found.append(EulerAngles(connection.edge.component, gimbal, first, middle))
    return tuple(found)


def check_start_orientation(system: System, states: np.ndarray) -> None:
    """There the equations divide by zero, in the kinematics or in the mass matrix."""
    for turns in euler_angles_of(system):
        if turns.is_locked(states, SMALLEST_SINE):
            raise InitialValueError(
                f"{turns.sentence(states)}, so that a run cannot start there; start from another "
                "angle, or give it another orientation, such as 'quaternion', which has no such "
                "place"
            )


StateValues = Sequence[float] | np.ndarray

MOST_PER_STEP: Final = 0.5  # rad that the first angle may turn in a step near such a place
MOST_ACROSS: Final = 1e-4  # rad likewise in a step that passes it: there a motion is in a plane

_OTHER_ANGLES: Final = (
    "give it another orientation, such as 'quaternion', which has no such place, or take much "
    "smaller steps"
)


def angle_places(turns: Sequence[EulerAngles]) -> np.ndarray:
    """What the watch in C looks at: places of first and middle angle, whether axes repeat."""
    rows = [(three.first, three.middle, int(three.gimbal.repeated)) for three in turns]
    return np.array(rows or [(0, 0, 0)], np.int64)


def first_lost(
    turns: Sequence[EulerAngles], before: StateValues, after: StateValues
) -> EulerAngles | None:
    """The first three angles whose orientation a step has lost; as in C."""
    return next((three for three in turns if _is_lost(three, before, after)), None)


def _is_lost(three: EulerAngles, before: StateValues, after: StateValues) -> bool:
    turned = abs(after[three.first] - before[three.first])
    middle, shift = after[three.middle], 0.0 if three.gimbal.repeated else 0.5
    here, there = (math.floor(x / math.pi + shift) for x in (middle, before[three.middle]))
    if turned > MOST_ACROSS and here != there:
        return True
    return bool(turned > MOST_PER_STEP and abs(three.gimbal.apart(middle)) < NEAR_SINGULAR)


def lost_orientation(
    turns: Sequence[EulerAngles],
    states: Sequence[Quantity],
    before: StateValues,
    after: StateValues,
    t: float,
) -> Failure:
    """The failure of a step to t after which orientation is lost."""
    three = first_lost(turns, before, after)
    assert three is not None
    turned = after[three.first] - before[three.first]
    return Failure(
        f"at t = {t:.9g} s {states[three.first].name!r} turned by {turned:.3g} rad in one step, "
        f"near where it is not defined: {three.sentence(after)}",
        _OTHER_ANGLES,
    )


def with_cause(failure: Failure, turns: Sequence[EulerAngles], last: StateValues) -> Failure:
    """The failure with its likely cause, where the last good states were near such a place."""
    near = [three for three in turns if three.is_locked(last, NEAR_SINGULAR)]
    if not near:
        return failure
    place = near[0].sentence(last)
    return Failure(f"{failure.message}, near where {place}", _OTHER_ANGLES)
