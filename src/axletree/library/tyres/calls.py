"""Slip and law of a tyre as calls: four tyres of one kind are four calls of one function.

A formula is evaluated once on symbols of its own; the function that it gives is called at
what the tyre knows. Tyres of one kind have the same function, whatever their parameters are,
as long as the same of them are 0.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from axletree.core.expr import Expr, as_expr, outline, symbol
from axletree.library.part import Part
from axletree.library.tyres.contract import (
    Contact,
    Forces,
    Parameters,
    RelaxationLengths,
    TyreLaw,
)
from axletree.library.tyres.slip import Rolling, Slip, SlipState

_T = TypeVar("_T", Contact, Rolling)


class Placeholders:
    """Symbols of a function, and what they stand for in this tyre; numbers stay numbers."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.given: dict[Expr, Expr] = {}

    def of(self, name: str, value: Any) -> Any:
        is_number = not isinstance(value, Expr) or value.is_number
        return value if is_number else self.variable(name, value)

    def variable(self, name: str, value: Expr) -> Expr:
        """A symbol for whatever it is, to take derivatives by."""
        placeholder = symbol(f"{self.name}.{name}")
        self.given[placeholder] = value
        return placeholder

    def of_all(self, place: str, values: Mapping[str, Any]) -> dict[str, Any]:
        """Of several values by name, which share a place."""
        return {name: self.of(f"{place}.{name}", value) for name, value in values.items()}

    def of_fields(self, known: _T) -> _T:
        values = {f.name: getattr(known, f.name) for f in dataclasses.fields(known)}
        return type(known)(**{name: self.of(name, value) for name, value in values.items()})


def called_forces(law: TyreLaw, contact: Contact, parameters: Mapping[str, Expr]) -> Forces:
    """The answer of a law."""
    return Forces(**_answer(function_name(law), law.forces, contact, parameters))


def called_lengths(
    law: TyreLaw, contact: Contact, parameters: Mapping[str, Expr]
) -> RelaxationLengths:
    """The relaxation lengths of a law that has them."""
    name = f"{function_name(law)}_lengths"
    return RelaxationLengths(**_answer(name, law.relaxation_lengths, contact, parameters))


def _answer(
    name: str,
    formula: Callable[[Contact, Parameters], Any],
    contact: Contact,
    parameters: Mapping[str, Expr],
) -> dict[str, Expr]:
    """The fields of what a law's formula gives, by one call."""
    own = Placeholders(name)
    values = {key: own.of(key, value) for key, value in parameters.items()}
    early = list(own.given)
    found = formula(own.of_fields(contact), values)
    named = {f.name: as_expr(getattr(found, f.name)) for f in dataclasses.fields(found)}
    return outline(own.name, named, own.given, early)


def called_slip(
    slip: Slip, rolling: Rolling, states: Sequence[Expr], parameters: Mapping[str, Expr]
) -> SlipState:
    """The answer of a slip."""
    own = Placeholders(function_name(slip))
    values = {name: own.of(name, value) for name, value in parameters.items()}
    early = list(own.given)
    lagged = [own.of(f"q{k}", q) for k, q in enumerate(states, start=1)]
    found = slip.slip(own.of_fields(rolling), lagged, values)
    rates = {f"rate{k}": as_expr(rate) for k, rate in enumerate(found.rates, start=1)}
    named = {"longitudinal": as_expr(found.longitudinal), "angle": as_expr(found.angle), **rates}
    answer = outline(own.name, named, own.given, early)
    return SlipState(answer["longitudinal"], answer["angle"], tuple(answer[key] for key in rates))


def function_name(part: Part) -> str:
    """MagicFormula52 is magic_formula_52."""
    return re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "_", type(part).__name__).lower()
