"""From a steady motion that is easily found to the one asked for: homotopies of held states and of
targets.

The last unknown is the share of the way, followed by its arclength. Both classes are one idea,
over the two kinds of equations.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from axletree.analysis.steady.arclength import SolutionCurve
from axletree.analysis.steady.equations import (
    LEAST_SLOPE,
    SteadyEquations,
    SteadyPoint,
    TrimEquations,
)
from axletree.analysis.steady.newton import Root, find_root


@dataclass(frozen=True)
class HeldStateHomotopy:
    """The equations of a trim while held states go from an origin to where they are to be.

    The last unknown is the share of the way, 1 at the end.
    """

    end: TrimEquations
    origin: np.ndarray  # states; those held count

    @property
    def way(self) -> np.ndarray:
        """How far states have to go: those held."""
        way = np.zeros(len(self.origin))
        held = list(self.end.held)
        way[held] = (self.end.problem.states - self.origin)[held]
        return way

    def at(self, share: float) -> TrimEquations:
        states = self.end.problem.states - (1.0 - share) * self.way
        return replace(self.end, problem=replace(self.end.problem, states=states))

    def residual(self, unknowns: np.ndarray) -> np.ndarray:
        return self.at(float(unknowns[-1])).residual(unknowns[:-1])

    def slopes(self, unknowns: np.ndarray) -> np.ndarray:
        return self.at(float(unknowns[-1])).slopes(unknowns[:-1], self.way)

    def arrive(self, root: Root) -> tuple[Root | None, float]:
        """The root at the end, from that at the origin; and the share to which there are roots.

        The way ends before where the branch of roots turns back.
        """
        curve = SolutionCurve(self.residual, self.slopes, np.append(root.unknowns, 0.0), 1.0)
        arrived, last = curve.reach(1.0)
        if arrived is None:
            return None, last.value
        found = find_root(self.end.residual, self.end.slopes, arrived)
        return (found if found.converged else None), 1.0


@dataclass(frozen=True)
class TargetHomotopy:
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
        arrived, last = SolutionCurve(self.residual, self.slopes, start, 1.0, LEAST_SLOPE).reach(
            1.0
        )
        if arrived is None:
            return self.equations.point(last.z[:-1], self.at(last.value)), last.value
        return self.equations.point(arrived, self.at(1.0)), 1.0
