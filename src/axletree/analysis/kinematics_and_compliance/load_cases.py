"""What a rig does with an axle: the cases of its tests, each one quantity over a range."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace

import numpy as np

from axletree.analysis.kinematics_and_compliance.rig import Pads, RigPlan
from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError

_MOST_POSITIONS = 1001


@dataclass(frozen=True)
class RigRanges:
    """How far each case goes, to both sides of design.

    Example:
    >>> from axletree.analysis.kinematics_and_compliance.load_cases import RigRanges
    >>> RigRanges(travel=0.08).travel  # m
    0.08
    """

    travel: float = 0.06  # [m] of the wheel centres
    roll: float = float(np.radians(3.0))  # [rad]
    rack: float = 0.06  # [m]
    steering_arm: float = float(np.radians(30.0))  # [rad], where it steers in place of a rack
    lateral: float = 3000.0  # [N] at each contact
    longitudinal: float = 3000.0  # [N]
    torque: float = 100.0  # [N m] about the vertical through each contact
    positions: int = 15  # of each case, odd

    def __post_init__(self) -> None:
        problems = [
            f"{field.name}: found {getattr(self, field.name)!r}, expected a number above 0"
            for field in fields(self)
            if not 0.0 < getattr(self, field.name) < np.inf
        ]
        if not problems and not 3 <= self.positions <= _MOST_POSITIONS:
            problems.append(f"positions: expected 3 to {_MOST_POSITIONS}, found {self.positions}")
        if not problems and self.positions % 2 == 0:
            problems.append(f"positions: {self.positions} leave out design; take an odd number")
        if problems:
            raise ModelError(problems)


@dataclass(frozen=True)
class LoadCase:
    """One quantity over a range; what it does to the plan of a rig."""

    name: str
    title: str
    label: str  # of the quantity
    unit: str  # SI
    shown_unit: str
    range_name: str  # of the field of the ranges that says how far it goes
    applied: Callable[[RigPlan, FloatArray], RigPlan]
    is_force: bool = False  # does nothing to an axle of rigid parts
    is_steered: bool = False

    def plan(self, ranges: RigRanges) -> tuple[FloatArray, RigPlan]:
        """Values of the quantity, and the positions of the rig."""
        greatest = getattr(ranges, self.range_name)
        values = np.linspace(-greatest, greatest, ranges.positions)
        return values, self.applied(RigPlan.at_design(len(values)), values)


def _heights(signs: tuple[float, float]) -> Callable[[RigPlan, FloatArray], RigPlan]:
    return lambda plan, x: replace(plan, heights=np.outer(x, signs))


def _roll(plan: RigPlan, x: FloatArray) -> RigPlan:
    return replace(plan, roll=x, pads=np.full(len(x), int(Pads.ROLL)))


def _load(
    name: str, axis: int, signs: tuple[float, float], *, is_driven: bool = False
) -> Callable[[RigPlan, FloatArray], RigPlan]:
    """Forces or torques at both contacts, whose heights stay."""

    def applied(plan: RigPlan, x: FloatArray) -> RigPlan:
        loads = np.zeros((len(x), 2, 3))
        loads[:, :, axis] = np.outer(x, signs)
        held = np.full(len(x), int(Pads.CONTACTS))
        driven = np.full(len(x), is_driven)
        return replace(plan, pads=held, is_driven=driven, **{name: loads})

    return applied


_BOTH, _AGAINST = (1.0, 1.0), (1.0, -1.0)

STEERING_ARM = LoadCase(
    "steering", "Steering", "angle of the steering arm", "rad", "deg", "steering_arm",
    lambda plan, x: replace(plan, rack=x), is_steered=True,
)  # fmt: skip
LOAD_CASES = (
    LoadCase(
        "parallel_travel", "Parallel wheel travel", "travel of both wheels, bump positive", "m",
        "mm", "travel", _heights(_BOTH),
    ),
    LoadCase(
        "opposite_travel", "Opposite wheel travel", "travel of the left wheel, bump positive", "m",
        "mm", "travel", _heights(_AGAINST),
    ),
    LoadCase(
        "roll", "Roll at constant axle load", "roll of the body to the right", "rad", "deg",
        "roll", _roll,
    ),
    LoadCase(
        "steering", "Steering", "rack travel, to the left positive", "m", "mm", "rack",
        lambda plan, x: replace(plan, rack=x), is_steered=True,
    ),
    LoadCase(
        "lateral_parallel", "Lateral force, parallel", "force to the left on each wheel", "N", "kN",
        "lateral", _load("force", 1, _BOTH), is_force=True,
    ),
    LoadCase(
        "lateral_opposite", "Lateral force, opposite", "force outward on each wheel", "N", "kN",
        "lateral", _load("force", 1, _AGAINST), is_force=True,
    ),
    LoadCase(
        "braking", "Longitudinal force, torque at the upright", "force forward on each wheel", "N",
        "kN", "longitudinal", _load("force", 0, _BOTH), is_force=True,
    ),
    LoadCase(
        "driving", "Longitudinal force, torque at the shaft", "force forward on each wheel", "N",
        "kN", "longitudinal", _load("force", 0, _BOTH, is_driven=True), is_force=True,
    ),
    LoadCase(
        "aligning_parallel", "Aligning torque, in phase", "torque to the left on each wheel", "N*m",
        "N*m", "torque", _load("torque", 2, _BOTH), is_force=True,
    ),
    LoadCase(
        "aligning_opposite", "Aligning torque, against one another",
        "torque to the left on the left wheel", "N*m", "N*m", "torque",
        _load("torque", 2, _AGAINST), is_force=True,
    ),
)  # fmt: skip
