"""Formulas of soils that are evaluated on numbers and called in equations.

Many of them are made at once. The grip of a law is a call, too: wheels of one kind are calls of one
function. They are evaluated side by side, and what needs parameters alone is prepared once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from axletree.expr import Expr, as_expr, outline, symbols_of
from axletree.expr.evaluation import Evaluator
from axletree.expr.functions import Value
from axletree.wheel.bound_law import Placeholders, function_name
from axletree.wheel.soils.contract import SoilGrip, SoilLaw, WheelInSoil, grip_of


class Formula:
    """Named expressions in symbols; those that are ``early`` are known before the others."""

    def __init__(self, name: str, results: Mapping[str, Expr], early: Iterable[Expr]) -> None:
        self.name, self.results, self.early = name, dict(results), tuple(early)
        self.symbols = tuple(symbols_of(self.results.values()))
        self._evaluated = Evaluator(tuple(self.results.values()))

    def at(self, given: Mapping[Expr, Any]) -> dict[str, Value]:
        """The results at what is given for the symbols: numbers, arrays or expressions."""
        used = {key: given[key] for key in self.symbols}
        if any(isinstance(value, Expr) for value in used.values()):
            return dict(outline(self.name, self.results, used, self.early))
        return dict(zip(self.results, self._evaluated(used), strict=True))


def called_grip(
    law: SoilLaw,
    wheel: WheelInSoil,
    p: Mapping[str, Expr],
    *,
    sinkage: Expr | None,
    load: Expr | None,
) -> SoilGrip:
    """The grip at a sinkage [m], or under a load [N]."""
    own = Placeholders(f"{function_name(law)}_grip")
    values = {name: own.of(name, value) for name, value in p.items()}
    sizes = {name: own.of(f"wheel.{name}", getattr(wheel, name)) for name in ("radius", "width")}
    early = list(own.given)
    others = [item.name for item in dataclasses.fields(WheelInSoil) if item.name not in sizes]
    moving = {name: own.of(f"wheel.{name}", getattr(wheel, name)) for name in others}
    inside = WheelInSoil(**sizes, **moving)
    if sinkage is not None:
        found = law.grip_at_sinkage(own.of("sinkage", sinkage), inside, values)
    else:
        found = law.grip_under_load(own.of("load", load), inside, values)
    named = {name: as_expr(value) for name, value in found.flat().items()}
    return grip_of(outline(own.name, named, own.given, early))
