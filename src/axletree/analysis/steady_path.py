"""From a steady motion that is easily found to one in which given values are further off."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from axletree.analysis.arclength import Curve
from axletree.analysis.newton import Root
from axletree.analysis.steady_equations import LEAST_SLOPE, SteadyEquations, SteadyPoint


@dataclass(frozen=True)
class TargetPath:
    """The equations of a steady motion while targets go from what they are to what they are to be.

    The last unknown is the share of the way, 1 at the end.
    """

    equations: SteadyEquations
    origin: SteadyPoint
    misses: np.ndarray  # of the rows of the targets, at the origin

    def at(self, share: float) -> SteadyPoint:
        """What is not unknown at a share of the way."""
        return replace(self.origin, shifts=(1.0 - share) * self.misses)

    def residual(self, z: np.ndarray) -> np.ndarray:
        return self.equations.residual(z[:-1], self.at(float(z[-1])))

    def slopes(self, z: np.ndarray) -> np.ndarray:
        slopes = self.equations.slopes(z[:-1], self.at(float(z[-1])))
        by_share = np.append(np.zeros(len(slopes) - len(self.misses)), self.misses)
        return np.hstack([slopes, by_share[:, None]])

    def arrive(self, root: Root) -> tuple[SteadyPoint, float]:
        """From the root at the origin: the last point of the way, and its share.

        The way ends before where steady motions turn back.
        """
        start = np.append(root.unknowns, 0.0)
        arrived, last = Curve(self.residual, self.slopes, start, 1.0, LEAST_SLOPE).reach(1.0)
        if arrived is None:
            return self.equations.point(last.z[:-1], self.at(last.value)), last.value
        return self.equations.point(arrived, self.at(1.0)), 1.0
