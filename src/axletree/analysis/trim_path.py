"""From a steady motion that is easily found to one in which held states are further off."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from axletree.analysis.arclength import Curve
from axletree.analysis.newton import Root, find_root
from axletree.analysis.trim_equations import TrimEquations


@dataclass(frozen=True)
class HeldPath:
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
        curve = Curve(self.residual, self.slopes, np.append(root.unknowns, 0.0), 1.0)
        arrived, last = curve.reach(1.0)
        if arrived is None:
            return None, last.value
        found = find_root(self.end.residual, self.end.slopes, arrived)
        return (found if found.converged else None), 1.0
