"""A tyre on top of the language: an object of one's own, as section 3.3 builds it.

In eq. (31) B is the stiffness and C the shape factor, so the force is sin(C atan(B slip)).
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

from axletree.language import Body, Equation, Force, Frame, Point, parameters, rate
from axletree.language.variables import Scalar


@dataclass(frozen=True, eq=False)
class Tyre:
    """A lateral force that follows slip and load after the way of its relaxation length."""

    name: str  # "R1"
    axle: str  # "1": the index of its parameters
    wheel: Frame  # x along the wheel, z down
    contact: Point
    body: Body  # that it carries
    Y: sympy.Expr  # [N], lateral force, a state
    N: Scalar  # [N], load
    X: Scalar = 0  # [N], driving force

    @property
    def force(self) -> Force:
        """(X, Y, -N) on the body."""
        vector = self.wheel.vector(self.X, self.Y, -self.N)
        return Force(f"tyre {self.name}", vector, self.contact, self.body)

    @property
    def velocity(self) -> tuple[sympy.Expr, sympy.Expr]:
        """V_Cx, V_Cy [m/s] of the contact point along the wheel and across, eq. (33)."""
        V_x, V_y, _ = self.contact.velocity().in_frame(self.wheel)
        return V_x, V_y

    @property
    def slip(self) -> sympy.Expr:
        """lambda [rad], eq. (32)."""
        V_x, V_y = self.velocity
        return -sympy.atan(V_y / V_x)

    @property
    def steady_force(self) -> sympy.Expr:
        """Y_0 [N], eq. (31)."""
        B, C, D, load, N_0 = self._parameters("B C D load N0")
        shape = D * sympy.sin(C * sympy.atan(B * self.slip))
        return shape * (1 + load * (1 - self.N / N_0)) * self.N

    @property
    def relaxation(self) -> Equation:
        """Eq. (35)."""
        (sigma,) = self._parameters("sigma")
        V_x, _ = self.velocity
        left, right = sigma * rate(self.Y), V_x * (self.steady_force - self.Y)
        return Equation(f"tyre {self.name}, relaxation", left, right)

    def _parameters(self, names: str) -> tuple[sympy.Symbol, ...]:
        return parameters(" ".join(f"{name}_{self.axle}" for name in names.split()))
