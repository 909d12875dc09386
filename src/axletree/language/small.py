"""Small variables: expressions keep what is of first order in them, as they arise.

Lot and Massaro 2017, section 2.3. Where a place is small its velocity and its acceleration are
taken as small, too, and where a velocity is small its acceleration is, as in eq. (12).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import sympy

from axletree.language.errors import LanguageError
from axletree.language.truncation import truncated
from axletree.language.variables import Scalar, is_rate, is_variable, rate


@dataclass(frozen=True)
class Small:
    """What is declared small.

    ``velocities`` are rates, ``rate(alpha)``, or speeds of a moving base, ``v``; likewise
    ``accelerations`` are ``rate(alpha, 2)``, or ``rate(r)`` of a speed.

    Example:
    >>> import sympy
    >>> from axletree.language import Small, variables
    >>> roll, x = variables("roll x")  # rad, m
    >>> Small((roll,)).first_order(x * sympy.sin(roll) + x * sympy.cos(roll) + roll**2)
    roll(t)*x(t) + x(t)
    """

    displacements: tuple[sympy.Expr, ...] = ()
    velocities: tuple[sympy.Expr, ...] = ()
    accelerations: tuple[sympy.Expr, ...] = ()

    def __post_init__(self) -> None:
        declared: dict[sympy.Expr, str] = {}
        for kind, orders in (("displacements", 0), ("velocities", 1), ("accelerations", 2)):
            given = getattr(self, kind)
            items = tuple(given) if isinstance(given, Iterable) else (given,)
            object.__setattr__(self, kind, items)
            for item in items:
                _refuse_other_than(item, kind, orders)
                if item in declared:
                    raise LanguageError(
                        f"{item} is declared small twice: among {declared[item]} and {kind}; "
                        "once is enough, and what follows of its rates is known"
                    )
                declared[item] = kind

    @cached_property
    def places(self) -> frozenset[sympy.Expr]:
        """The coordinates that are small, without velocities and accelerations."""
        return frozenset(self.displacements)

    @cached_property
    def all(self) -> tuple[sympy.Expr, ...]:
        """sigma, eq. (12): places, then velocities, then accelerations."""
        speeds = (*(rate(q) for q in self.displacements), *self.velocities)
        sigma = (*self.displacements, *speeds, *(rate(p) for p in speeds), *self.accelerations)
        return tuple(dict.fromkeys(sigma))

    def first_order(self, expression: Scalar) -> sympy.Expr:
        """The expression without what is of second order in all that is small.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, rate, variable, written
        >>> roll = variable("roll")  # rad
        >>> written(Small((roll,)).first_order(sympy.sin(roll) + roll * rate(roll)))
        'roll'
        """
        return truncated(expression, self.all)

    def first_order_in_places(self, expression: Scalar) -> sympy.Expr:
        """Likewise, in small displacements alone; products with small velocities stay.

        Energies and virtual work are built of these: their slopes by a velocity, or by a
        place that is not small, are then right to the first order.

        Example:
        >>> import sympy
        >>> from axletree.language import Small, rate, variable, written
        >>> roll = variable("roll")  # rad
        >>> written(Small((roll,)).first_order_in_places(sympy.sin(roll) + roll * rate(roll)))
        "roll*roll' + roll"
        """
        return truncated(expression, self.displacements)


def _refuse_other_than(item: object, kind: str, highest_order: int) -> None:
    """A displacement is no rate, a velocity none of second order, and neither is a sum."""
    if not is_variable(item) and not is_rate(item):
        raise LanguageError(
            f"{item} is declared among small {kind}, but is neither a variable nor the rate of "
            "one; declare the variables that it consists of"
        )
    order = item.derivative_count if isinstance(item, sympy.Derivative) else 0
    if order > highest_order:
        wanted = "velocities" if order == 1 else "accelerations"
        raise LanguageError(f"{item} is declared among small {kind}; it goes under {wanted}")
