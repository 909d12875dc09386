"""An equation with a name, as it is printed and as it is collected."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import sympy
from sympy.physics.vector.printing import vlatex

from axletree.language.readable import readable, written
from axletree.language.trigonometry import folded
from axletree.language.variables import Scalar, scalar


@dataclass(frozen=True)
class Equation:
    """left = right; the name says where it comes from: "car, Newton, y".

    ``small`` are the displacements that were taken as small when it was formed.

    Example:
    >>> from axletree.language import Equation, parameters, rate, variable
    >>> m, g, z = *parameters("m g"), variable("z")  # kg, m/s^2, m
    >>> fall = Equation("stone, Newton, z", m * rate(z, 2), -m * g)
    >>> print(fall, "|", fall.says_the_same_as(m * rate(z, 2) + m * g))
    m*z'' = -g*m | True
    """

    name: str
    left: sympy.Expr
    right: sympy.Expr
    small: frozenset[sympy.Expr] = field(default=frozenset(), compare=False, repr=False)

    def __post_init__(self) -> None:
        for side in ("left", "right"):
            whose = f"the {side} side of equation {self.name!r}"
            object.__setattr__(self, side, scalar(getattr(self, side), whose))

    @property
    def residual(self) -> sympy.Expr:
        """What is zero: left - right."""
        return self.left - self.right

    def readable(self) -> Equation:
        """The same with its terms gathered, to be printed.

        Example:
        >>> from axletree.language import Equation, parameters, rate, variable
        >>> m, M, z = *parameters("m M"), variable("z")  # kg, kg, m
        >>> print(Equation("both", m * rate(z, 2) + M * rate(z, 2), 0).readable())
        (M + m)*z'' = 0
        """
        return replace(self, left=readable(self.left), right=readable(self.right))

    def says_the_same_as(self, left: Scalar, right: Scalar = 0) -> bool:
        """Whether it equals left = right, or that with its signs turned, term by term.

        Example:
        >>> import sympy
        >>> from axletree.language import Equation, parameters, variables
        >>> L, (x, z, a) = parameters("L")[0], variables("x z a")  # m, m, rad
        >>> rod = Equation("rod", x**2 + z**2, L**2)
        >>> rod.says_the_same_as(L**2 * (sympy.sin(a) ** 2 + sympy.cos(a) ** 2), x**2 + z**2)
        True
        """
        other = sympy.sympify(left) - sympy.sympify(right)
        return any(folded(self.residual - sign * other) == 0 for sign in (1, -1))

    def latex(self) -> str:
        r"""Both sides as LaTeX, rates with dots.

        Example:
        >>> from axletree.language import Equation, parameters, rate, variable
        >>> m, g, z = *parameters("m g"), variable("z")  # kg, m/s^2, m
        >>> print(Equation("stone, Newton, z", m * rate(z, 2), -m * g).latex())
        m \ddot{z} = - g m
        """
        shown = self.readable()
        return f"{vlatex(shown.left)} = {vlatex(shown.right)}"

    def _repr_latex_(self) -> str:
        """What a notebook shows."""
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        return f"{written(self.left)} = {written(self.right)}"
