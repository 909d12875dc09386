"""Formulas that are evaluated on numbers and called in equations, where many are made at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from axletree.core.expr import Expr, outline, symbols_of
from axletree.core.expr.evaluate import Evaluator
from axletree.library.soils.soil import Value


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
