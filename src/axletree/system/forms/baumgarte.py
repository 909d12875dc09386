"""Second derivatives of the constraints with Baumgarte's stabilisation."""

from __future__ import annotations

from dataclasses import dataclass

from axletree.core.errors import FormulationError
from axletree.equations.equations import Equations
from axletree.system.forms.contract import ConstraintSolver, Form, Solution


@dataclass(frozen=True)
class Baumgarte(Form):
    """Violations decay like those of an oscillator (Morency 2007, eqs. 2.18 and 2.19).

    There is no best choice of the two constants; equal ones damp critically, with a time
    constant of 1 / alpha. Zero for both leaves the plain second derivative.

    Example:
    >>> import axletree as at
    >>> stable = at.Baumgarte(alpha=10.0, beta=10.0)  # 1/s
    >>> at.read_model("four-bar").formulate(form=stable).projection is None
    True
    """

    alpha: float = 20.0  # [1/s]
    beta: float = 20.0  # [1/s]

    def __post_init__(self) -> None:
        if not (self.alpha >= 0.0 and self.beta >= 0.0):
            raise FormulationError(
                "Baumgarte's alpha and beta must not be negative, "
                f"got {self.alpha:g} and {self.beta:g}"
            )

    @classmethod
    def oscillator(cls, damping_ratio: float, frequency: float) -> Baumgarte:
        """By damping ratio and natural frequency [rad/s] (Lot and Massaro 2017, eq. 44).

        Example:
        >>> import axletree as at
        >>> at.Baumgarte.oscillator(damping_ratio=0.5, frequency=20.0)  # alpha and beta [1/s]
        Baumgarte(alpha=10.0, beta=20.0)
        """
        return cls(alpha=damping_ratio * frequency, beta=frequency)

    def solve(self, equations: Equations, solver: ConstraintSolver) -> Solution:
        corrections = [
            c.velocity * (-2.0 * self.alpha) - c.position * self.beta**2 for c in solver.constraints
        ]
        return solver.accelerate(corrections).with_other_rates(equations)
