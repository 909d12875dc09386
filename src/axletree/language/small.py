"""Small variables: expressions keep what is of first order in them, as they arise.

Lot and Massaro 2017, section 2.3. Where a place is small its velocity and its acceleration are
taken as small, too, and where a velocity is small its acceleration is, as in eq. (12).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import sympy
from sympy.core.function import AppliedUndef

from axletree.language.errors import LanguageError
from axletree.language.trigonometry import folded
from axletree.language.variables import Scalar, is_rate, is_variable, rate


@dataclass(frozen=True)
class Small:
    """What is declared small; ``velocities`` may name rates, ``rate(alpha)``, or speeds, ``v``."""

    displacements: tuple[sympy.Expr, ...] = ()
    velocities: tuple[sympy.Expr, ...] = ()
    accelerations: tuple[sympy.Expr, ...] = field(default=())

    def __post_init__(self) -> None:
        for kind in ("displacements", "velocities", "accelerations"):
            object.__setattr__(self, kind, tuple(getattr(self, kind)))
        for item in self.displacements:
            if not is_variable(item):
                raise LanguageError(
                    f"a small displacement is a variable, such as phi, and {item} is none; "
                    "rates go under velocities and accelerations"
                )
        for item in (*self.velocities, *self.accelerations):
            if not is_variable(item) and not is_rate(item):
                raise LanguageError(
                    f"{item} is neither a variable nor the rate of one; declare the variables "
                    "that it consists of"
                )

    @cached_property
    def places(self) -> frozenset[sympy.Expr]:
        return frozenset(self.displacements)

    @cached_property
    def all(self) -> tuple[sympy.Expr, ...]:
        """sigma, eq. (12): places, then velocities, then accelerations."""
        speeds = (*(rate(q) for q in self.displacements), *self.velocities)
        sigma = (*self.displacements, *speeds, *(rate(p) for p in speeds), *self.accelerations)
        return tuple(dict.fromkeys(sigma))

    def first_order(self, expression: Scalar) -> sympy.Expr:
        """The expression without what is of second order in all that is small."""
        return truncated(expression, self.all)

    def first_order_in_places(self, expression: Scalar) -> sympy.Expr:
        """Likewise, in small displacements alone; products with small velocities stay.

        Energies and virtual work are built of these: their slopes by a velocity, or by a
        place that is not small, are then right to the first order.
        """
        return truncated(expression, self.displacements)


def truncated(expression: Scalar, small: Iterable[sympy.Expr]) -> sympy.Expr:
    """f(0) + f'(0) s: the terms of order 0 and 1 in the small ones (eq. 11)."""
    whole = sympy.sympify(expression)
    rates = whole.atoms(sympy.Derivative)
    present = (whole.atoms(AppliedUndef) | rates).intersection(small)
    if not present:
        return folded(whole)
    scale = sympy.Dummy("epsilon")
    stand_ins = {s: _stand_in(s) for s in present | rates}
    scaled = whole.xreplace({s: scale * x if s in present else x for s, x in stand_ins.items()})
    back = {x: s for s, x in stand_ins.items()}
    constant, slope = scaled.xreplace({scale: 0}), scaled.diff(scale).xreplace({scale: 0})
    total = folded(constant + slope)
    if total.has(sympy.nan, sympy.zoo, sympy.oo):
        names = ", ".join(sorted(str(s) for s in present))
        raise LanguageError(
            f"{_shortened(whole)} has no value where what is small is zero ({names}), so it "
            "cannot be taken to the first order; declare fewer variables small"
        )
    return total.xreplace(back)


def _stand_in(varying: sympy.Expr) -> sympy.Symbol:
    """A symbol for a variable or a rate: the rate of a small variable need not be small."""
    return sympy.Symbol(f"stand-in<{varying}>", real=True)


def _shortened(expression: sympy.Expr) -> str:
    text = str(expression)
    return text if len(text) < 80 else f"{text[:76]} ..."
