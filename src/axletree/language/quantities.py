"""Variables, inputs and parameters with their units, values and sentences."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import sympy

from axletree.core.expr import Expr, symbols_of
from axletree.core.quantity import Quantity, Role
from axletree.core.units import parse_unit, to_si
from axletree.language.equation import Equation
from axletree.language.errors import LanguageError
from axletree.system.implicit import rate_symbol

NOT_SMALL: Final = (
    1.0  # rad or m: what no small displacement goes beyond, unless its bound is given
)


def name_of(item: Any) -> str:
    """The name of a variable, a parameter, or the name itself."""
    if isinstance(item, str):
        return item
    return str(item.func) if isinstance(item, sympy.Function) else str(item)


@dataclass(frozen=True)
class Labels:
    """What is known of variables beside the equations, by name."""

    units: Mapping[str, str] = field(default_factory=dict)
    descriptions: Mapping[str, str] = field(default_factory=dict)
    start: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        units: Mapping[Any, str] | None,
        descriptions: Mapping[Any, str] | None,
        start: Mapping[Any, Any] | None,
    ) -> Labels:
        by_name = {name_of(key): unit for key, unit in (units or {}).items()}
        for unit in by_name.values():
            parse_unit(unit)
        texts = {name_of(key): text for key, text in (descriptions or {}).items()}
        values = {
            name_of(key): to_si(value, expected=by_name.get(name_of(key), "1"))
            for key, value in (start or {}).items()
        }
        return cls(by_name, texts, values)

    def refuse_strangers(self, known: Sequence[str], small: Collection[str]) -> None:
        """What is said of names that the model does not have, ``small`` bounds among it."""
        said = {"units": self.units, "descriptions": self.descriptions, "start": self.start}
        for kind, names in {**said, "small": small}.items():
            strange = sorted(set(names) - set(known))
            if strange:
                raise LanguageError(
                    f"{kind} names {', '.join(strange)}, which is no variable, input or output of "
                    f"the model; it has {', '.join(known)}"
                )

    def quantity(self, name: str, role: Role, text: str, unit: str = "1") -> Quantity:
        return Quantity(
            name,
            self.units.get(name, unit),
            self.descriptions.get(name, text),
            role,
            self.start.get(name, 0.0),
        )


def small_bounds(
    given: Mapping[Any, float] | None, equations: Sequence[Equation], x: Sequence[sympy.Expr]
) -> dict[str, float]:
    """By name: those given, and ``NOT_SMALL`` of others that the equations take as small."""
    small = frozenset().union(*(equation.small for equation in equations))
    bounds = {name_of(item): NOT_SMALL for item in x if item in small}
    return bounds | {name_of(key): float(bound) for key, bound in (given or {}).items()}


def parameter_quantities(
    values: Mapping[Any, Any], used: Sequence[sympy.Symbol], model: str
) -> list[Quantity]:
    """The parameters that equations hold, in the order in which their values are given."""
    given = {name_of(key): value for key, value in values.items()}
    names = {str(symbol) for symbol in used}
    missing = sorted(names - set(given))
    if missing:
        raise LanguageError(
            f"{model}: no value is given for {', '.join(missing)}; parameters={{symbol: value}} "
            "takes them, or (value, unit, sentence). What changes in time is a function of t, "
            "and goes under states, algebraic or inputs"
        )
    return [_parameter(name, value) for name, value in given.items() if name in names]


def _parameter(name: str, given: Any) -> Quantity:
    parts = given if isinstance(given, tuple) else (given,)
    if not 1 <= len(parts) <= 3:
        raise LanguageError(
            f"parameter {name} is given as {given!r}; expected a value, or (value, unit, sentence)"
        )
    try:
        value = parts[0] if isinstance(parts[0], str) else float(parts[0])
    except TypeError:
        raise LanguageError(f"parameter {name} is {parts[0]!r}; expected a number") from None
    unit = parts[1] if len(parts) > 1 else "1"
    text = parts[2] if len(parts) > 2 else f"parameter {name}"
    return Quantity(name, unit, text, Role.PARAMETER, to_si(value, expected=unit))


def drifting(
    candidates: Sequence[Quantity], residuals: Sequence[Expr], outside: Sequence[Quantity]
) -> set[str]:
    """Of these variables, those that are only integrated: places on the ground, a heading.

    No equation holds such a variable, but for rates of others of its kind that come before.
    """
    holds = [set(symbols_of([residual])) for residual in residuals]
    rates = {rate_symbol(q): q.name for q in (*candidates, *outside)}
    moved = [{rates[s] for s in row if s in rates} for row in holds]
    found: set[str] = set()
    while True:
        more = {
            q.name
            for q in candidates
            if q.name not in found
            and all(
                q.symbol not in row or (own and own <= found)
                for row, own in zip(holds, moved, strict=True)
            )
        }
        if not more:
            return found
        found |= more
