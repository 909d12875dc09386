"""A curve of steady motions, and what is special on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from axletree.analysis.bifurcations import SpecialKind
from axletree.analysis.steady_motion import SteadyState


@dataclass(frozen=True)
class SpecialPoint:
    """A fold, a bifurcation or a change of stability.

    Example:
    >>> import axletree as at
    >>> pendulum = at.read_model("pendulum")
    >>> motor = pendulum.add(at.JointTorque("motor", pendulum["pin"]))
    >>> branch = pendulum.formulate().continue_steady(along="motor.torque", to=6, step=0.5)
    >>> print(f"{branch.folds[0].value:.4f} N m")  # no more: m g l, with the rod level
    4.9033 N m
    """

    kind: SpecialKind
    value: float  # of what was followed, SI
    state: SteadyState
    eigenvalue: complex | None  # [1/s], that is on the imaginary axis there
    after: int  # the point of the branch before it


@dataclass(frozen=True)
class Branch:
    """A curve of steady motions; ``branch["chassis.vy"]`` is a quantity along it.

    Example:
    >>> import axletree as at
    >>> system = at.read_model("pendulum").formulate()
    >>> branch = system.continue_steady({"pin.angle": 0}, along="gravity.z", to=5, step=4)
    >>> branch.is_stable.tolist(), len(branch.folds)
    ([True, True, True, False, False], 0)
    """

    system: str
    along: str
    unit: str
    points: tuple[SteadyState, ...] = field(repr=False)
    values: np.ndarray  # of what was followed, SI
    growth: np.ndarray  # [1/s], the greatest real part of an eigenvalue at each point
    special: tuple[SpecialPoint, ...]  # in the order of the curve
    ended: str  # why

    def __getitem__(self, name: str) -> np.ndarray:
        return np.array([point[name] for point in self.points])

    @cached_property
    def is_stable(self) -> np.ndarray:
        """At each point: whether no mode grows."""
        return np.asarray(self.growth <= 0.0)

    @property
    def folds(self) -> tuple[SpecialPoint, ...]:
        """Where the curve turns back."""
        return tuple(s for s in self.special if s.kind is SpecialKind.FOLD)

    @property
    def bifurcations(self) -> tuple[SpecialPoint, ...]:
        """All that is special but folds."""
        return tuple(s for s in self.special if s.kind is not SpecialKind.FOLD)
