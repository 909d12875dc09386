"""The balance of a run's energy: what each component brought in, and what does not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Course = NDArray[np.float64]

BALANCED: Final = 1e-8  # of the flow; what is more asks for an explanation


@dataclass(frozen=True)
class Share:
    """What one component did to the energy of a model over a run."""

    component: str
    work: Course  # [J] done on the rest of the model since the start
    stored: Course  # [J] by which the energy in its springs, capacitors, inductors has grown

    @property
    def added(self) -> Course:
        """[J] brought into the model; negative for what became heat, or left it."""
        return self.work + self.stored


@dataclass(frozen=True)
class EnergyAudit:
    """The balance of a run, at its records."""

    time: Course  # [s]
    kinetic: Course  # [J] by which kinetic energy has grown since the start
    gravity: Course  # [J] likewise, energy in the field of gravity
    shares: tuple[Share, ...]  # of the components that exert something
    unknown: tuple[str, ...] = ()  # drivers whose effort the equations do not determine
    fine_misfit: float | None = None  # over the flow, of the same run in parts of steps, if known

    @property
    def energy(self) -> Course:
        """[J] by which everything that the model stores has grown."""
        stored = sum((share.stored for share in self.shares), np.zeros_like(self.time))
        return self.kinetic + self.gravity + stored

    @property
    def added(self) -> Course:
        """[J] that all components have brought in."""
        return sum((share.added for share in self.shares), np.zeros_like(self.time))

    @property
    def misfit(self) -> float:
        """[J], the largest that the two differ by at any record."""
        return float(np.abs(self.energy - self.added).max(initial=0.0))

    @property
    def flow(self) -> float:
        """[J] that changed place: half of all changes from record to record, for what leaves
        one place enters another."""
        places = [self.kinetic, self.gravity]
        for share in self.shares:
            places += [share.added, share.stored]
        return 0.5 * float(sum(np.abs(np.diff(place)).sum() for place in places))

    @property
    def relative_misfit(self) -> float:
        """The misfit over the flow."""
        return self.misfit / self.flow if self.flow else 0.0

    @property
    def rows(self) -> tuple[tuple[str, float], ...]:
        """What each component brought in until the end [J], by size."""
        ends = [(share.component, float(share.added[-1])) for share in self.shares]
        return tuple(sorted(ends, key=lambda row: -abs(row[1])))

    @property
    def verdict(self) -> str:
        """One sentence on the balance as a whole."""
        found = (
            f"The energy changed by {self.energy[-1]:.6g} J, the components brought in "
            f"{self.added[-1]:.6g} J; at no record do the two differ by more than "
            f"{self.misfit:.2g} J, which is {self.relative_misfit:.1e} of the "
            f"{self.flow:.4g} J that flowed."
        )
        if self.fine_misfit is not None:
            cause = "the rest is" if self.fine_misfit < BALANCED else "not all of it is"
            found += f" In parts of steps it is {self.fine_misfit:.1e}: {cause} error of the steps."
        if self.unknown:
            found += f" The work of {', '.join(self.unknown)} is missing: it is not determined."
        return found

    def __str__(self) -> str:
        width = max((len(name) for name, _ in self.rows), default=0)
        lines = [f"{name:<{width}}  {value:14.6g} J" for name, value in self.rows]
        return "\n".join([*lines, self.verdict])
