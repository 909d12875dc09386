"""From a steady motion that is easily found to the one asked for: what is given goes from what it
is at an origin to what it is to be.

The last unknown is the share of the way, followed by its arclength.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from axletree.analysis.steady.arclength import SolutionCurve
from axletree.analysis.steady.equations import LEAST_SLOPE, SteadyEquations, SteadyPoint
from axletree.analysis.steady.newton import Root


@dataclass(frozen=True)
class Homotopy:
    """The equations of a steady motion while states that are held and other targets are moved."""

    equations: SteadyEquations
    origin: SteadyPoint

    @cached_property
    def misses(self) -> np.ndarray:
        """By how much what is given is off at the origin."""
        return self.equations.misses(self.origin)

    @cached_property
    def way(self) -> np.ndarray:
        """How far states have to go: those held."""
        way = np.zeros(len(self.origin.states))
        for k, j in self.equations.problem.held.items():
            way[k] = -self.misses[j]
        return way

    def at(self, share: float) -> SteadyPoint:
        """What is not unknown at a share of the way, 1 at its end."""
        return self.origin._replace(shifts=(1.0 - share) * self.misses)

    def residual(self, z: np.ndarray) -> np.ndarray:
        return self.equations.residual(z[:-1], self.at(float(z[-1])))

    def slopes(self, z: np.ndarray) -> np.ndarray:
        slopes = self.equations.slopes(z[:-1], self.at(float(z[-1])), self.way)
        rows = self.equations.problem.rows
        slopes[len(slopes) - len(rows) :, -1] += self.misses[rows]
        return slopes

    def arrive(self, root: Root) -> tuple[SteadyPoint, float]:
        """From the root at the origin: the last point of the way, and its share.

        The way ends before where the branch of steady motions turns back.
        """
        start = np.append(root.unknowns, 0.0)
        curve = SolutionCurve(self.residual, self.slopes, start, 1.0, LEAST_SLOPE)
        arrived, last = curve.reach(1.0)
        if arrived is None:
            return self.equations.point(last.z[:-1], self.at(last.value)), last.value
        return self.equations.point(arrived, self.at(1.0)), 1.0
