"""A law bound to a tyre: with its parameters' symbols, mirrored where sides differ, as a call.

Slip and law of a tyre are calls: four tyres of one kind are four calls of one function. A formula
is evaluated once on symbols of its own; the function that it gives is called at what the tyre
knows. Tyres of one kind have the same function, whatever their parameters are, as long as the same
of them are 0. Laws that know one friction are taken to ground that has another by similarity.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from axletree.components.contract import RangeLimit
from axletree.components.fields import Parameters, Part
from axletree.expr import ONE, Expr, Value, as_expr, atan, maximum, outline, symbol, tan
from axletree.wheel.axis_systems import Signs, with_signs
from axletree.wheel.contract import Contact, Forces, RelaxationLengths, TyreLaw
from axletree.wheel.slip import Rolling, Slip, SlipState


@dataclass(frozen=True)
class SecantForces:
    """What a law gives at a slip, and at the same without its part along or across."""

    now: Forces
    undriven: Forces  # without slip along; Fx and My
    straight: Forces  # without slip across; Fy, Mx and Mz


@dataclass(frozen=True)
class BoundLaw:
    """What the law does not ask for costs nothing."""

    law: TyreLaw
    signs: Signs
    parameters: Mapping[str, Expr]
    pressure: Expr | None  # [Pa]

    def forces(self, contact: Contact) -> Forces:
        """The law's answer, in the tyre's own axes."""
        found = called_forces(self._law_on(contact), self._seen(contact), self.parameters)
        return with_signs(found, self.signs)

    def secants(self, contact: Contact) -> SecantForces:
        """The answers at a slip and without either part of it, by one call."""
        found = called_secants(self._law_on(contact), self._seen(contact), self.parameters)
        turned = {word: with_signs(forces, self.signs) for word, forces in vars(found).items()}
        return SecantForces(**turned)

    def _seen(self, contact: Contact) -> Contact:
        """As the law sees it."""
        return with_signs(replace(contact, inflation_pressure=self.pressure), self.signs)

    def _law_on(self, contact: Contact) -> TyreLaw:
        usual = self.law.knows_friction or as_expr(contact.friction) == ONE
        return self.law if usual else BySimilarity(self.law)

    def limits(self, contact: Contact) -> tuple[RangeLimit, ...]:
        """Where the law leaves its range."""
        return self.law.limits(self._seen(contact), self.parameters)

    def with_lengths(self, rolling: Rolling) -> Rolling:
        """With the law's relaxation lengths."""
        contact = Contact(
            rolling.normal_load, 0.0, 0.0, rolling.inclination, rolling.rolling_speed_P
        )
        found = called_lengths(self.law, self._seen(contact), self.parameters)
        return replace(
            rolling, longitudinal_length=found.longitudinal, lateral_length=found.lateral
        )


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


def called_secants(law: TyreLaw, contact: Contact, parameters: Mapping[str, Expr]) -> SecantForces:
    """The answers of a law from which secants along and across follow."""

    def formula(at: Contact, p: Parameters) -> _TenForces:
        now = law.forces(at, p)
        undriven = law.forces(replace(at, longitudinal_slip=0.0, sliding_speed=0.0), p)
        straight = law.forces(replace(at, slip_angle=0.0, lateral_speed=0.0), p)
        apart = (undriven.Fx, undriven.My, straight.Fy, straight.Mx, straight.Mz)
        return _TenForces(now.Fx, now.Fy, now.Mx, now.My, now.Mz, *apart)

    told = _answer(f"{function_name(law)}_secants", formula, contact, parameters)
    now = Forces(**{f.name: told[f.name] for f in dataclasses.fields(Forces)})
    undriven = replace(now, Fx=told["undriven_Fx"], My=told["undriven_My"])
    across = {word: told[f"straight_{word}"] for word in ("Fy", "Mx", "Mz")}
    return SecantForces(now, undriven, replace(now, **across))


@dataclass(frozen=True)
class _TenForces:
    Fx: Value
    Fy: Value
    Mx: Value
    My: Value
    Mz: Value
    undriven_Fx: Value
    undriven_My: Value
    straight_Fy: Value
    straight_Mx: Value
    straight_Mz: Value


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


LEAST_FRICTION = 0.01  # of the law's own: slip is divided by it


@dataclass(frozen=True)
class BySimilarity(TyreLaw):
    """The law's curves made lower and narrower alike (Pacejka 2012, section 4.2).

    With a share f of the friction F(s) becomes f F(s / f): the greatest force is f times the
    law's, and small slip gives the same force as before. Moments that come of the load alone,
    Mx and My, stay.
    """

    law: TyreLaw

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        share = maximum(contact.friction, LEAST_FRICTION)
        told = replace(
            contact,
            longitudinal_slip=contact.longitudinal_slip / share,
            slip_angle=atan(tan(contact.slip_angle) / share),
        )
        f = self.law.forces(told, p)
        return replace(f, Fx=f.Fx * share, Fy=f.Fy * share, Mz=f.Mz * share)
