"""Constraints: equations between coordinates, and the forces that see to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy

from axletree.language.bodies import Load
from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.language.variables import is_variable
from axletree.language.world import World


@dataclass(frozen=True, eq=False)
class Constraint:
    """Expressions of coordinates that are zero, each with its multiplier.

    Lagrange's equations have -multiplier * slope of the expression (Lot and Massaro 2017,
    eq. 26); where ``loads`` are given, Newton's have these instead.
    """

    name: str
    world: World
    exact: tuple[sympy.Expr, ...]
    multipliers: tuple[sympy.Expr, ...]
    loads: tuple[Load, ...] = ()

    def __init__(
        self,
        name: str,
        world: World,
        equations: Sequence[sympy.Expr],
        multipliers: Sequence[sympy.Expr],
        loads: Sequence[Load] = (),
    ) -> None:
        exact = tuple(world.arisen(sympy.sympify(e)) for e in equations)
        if len(exact) != len(multipliers):
            raise LanguageError(
                f"constraint {name!r} has {len(exact)} equations and {len(multipliers)} "
                "multipliers; each equation has one"
            )
        for multiplier in multipliers:
            if not is_variable(multiplier):
                raise LanguageError(
                    f"the multiplier {multiplier} of constraint {name!r} depends on time: make it "
                    "by variables(...)"
                )
        for key, value in (
            ("name", name), ("world", world), ("exact", exact),
            ("multipliers", tuple(multipliers)), ("loads", tuple(loads)),
        ):  # fmt: skip
            object.__setattr__(self, key, value)

    @property
    def equations(self) -> tuple[sympy.Expr, ...]:
        """What is zero, to the first order in what is small."""
        return tuple(self.world.final(e) for e in self.exact)

    @property
    def printed(self) -> tuple[Equation, ...]:
        return tuple(
            Equation(f"{self.name}, {multiplier.func}", e, sympy.Integer(0))
            for e, multiplier in zip(self.equations, self.multipliers, strict=True)
        )
