"""What solved steps tell beside the states: whether they were solved, and how well.

A report is an array of C: an outcome, a mark for each input, and four numbers more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

# Places from the end.
LEFT: Final = -4  # the residual of this step
WORST: Final = -3  # the greatest of all steps so far
WHEN: Final = -2  # [s], the beginning of that step
POORLY: Final = -1  # how many steps so far have a poor one
FURTHER: Final = 4
POOR: Final = 0.1  # residual above which forces are not those of their laws, as in an impact
TOO_MANY: Final = 0.2  # share of such steps, more than which are no impacts


@dataclass(frozen=True)
class Residual:
    """How well the steps of a run were solved for set-valued forces.

    ``greatest`` is the largest velocity that no bound justifies over the terms that it is the sum
    of, after the step for which that is worst: rounding where problems are solved exactly.
    """

    greatest: float
    time: float  # [s], at which that step begins
    poor: int = 0  # steps with more than ``POOR``
    steps: int = 0  # of all

    @property
    def in_words(self) -> str:
        poor = f", above {POOR:g} in {self.poor} of {self.steps} steps" if self.poor else ""
        return f"{self.greatest:.1e} at most, at t = {self.time:.4g} s{poor}"

    @property
    def remark(self) -> str:
        """What is wrong with it; empty if nothing is."""
        if self.poor <= TOO_MANY * self.steps:
            return ""
        return (
            f"the set-valued forces are not solved for: the residual is {self.in_words}; take the "
            "method complementarity or a smaller step, and look for motions that are driven "
            "against rigid contacts"
        )


def empty_report(inputs: int) -> np.ndarray:
    """Before the first step."""
    return np.zeros(1 + inputs + FURTHER)


def residual_of(report: Sequence[float] | np.ndarray, steps: int) -> Residual:
    """What is left in a report at the end of a run of so many steps."""
    return Residual(float(report[WORST]), float(report[WHEN]), int(report[POORLY]), steps)
