"""What is known of a steady motion: values of states, inputs, outputs, parameters, expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from axletree.core.errors import AxletreeError, ExpressionError
from axletree.core.expr import Expr, parse_expression, symbol
from axletree.core.quantity import Quantity
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, to_si
from axletree.system.system import System

Values = Mapping[str, float | str]


_NUMBER = re.compile(r"^\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?")  # what stands before a unit


class SteadyStateError(AxletreeError):
    """No steady motion was found, or what is asked for makes no sense."""


@dataclass(frozen=True)
class Target:
    """A value that a function of the state is to have; the value is a symbol of its own."""

    name: str  # as it was given: a name, or the text of an expression
    expression: Expr
    unit: str  # "" of an expression
    value: float  # SI

    @property
    def symbol(self) -> Expr:
        return symbol(f"given {self.name}")

    @property
    def row(self) -> Expr:
        """What vanishes: a quotient is given by its parts, for running straight has no radius."""
        factor, node = self.expression.coefficient, self.expression.node
        if node.operation == "inv":
            return factor - self.symbol * node.operands[0]
        if node.operation == "mul":
            for below, above in (node.operands, node.operands[::-1]):
                if below.node.operation == "inv":
                    factor *= below.coefficient
                    return above * factor - self.symbol * below.node.operands[0]
        return self.expression - self.symbol


@dataclass(frozen=True)
class Given:
    """What was given, by what becomes of it; all values in SI units."""

    targets: tuple[Target, ...]  # states, outputs and expressions: equations
    inputs: Mapping[str, float]
    parameters: Mapping[str, float]

    @property
    def values(self) -> dict[str, float]:
        targets = {target.name: target.value for target in self.targets}
        return {**targets, **self.inputs, **self.parameters}


def read_given(system: System, given: Values) -> Given:
    """Names in the order states, inputs, parameters, outputs; any other text is an expression."""
    known = known_quantities(system)
    inputs = {q.name for q in system.inputs}
    parameters = {q.name for q in system.parameters}
    targets, levels, constants = [], {}, {}
    for name, value in given.items():
        quantity = known[name][0] if name in known else None
        number = in_si(name, value, quantity)
        if name in inputs:
            levels[name] = number
        elif name in parameters:
            constants[name] = number
        else:
            expression = expression_of(system, name)
            targets.append(Target(name, expression, quantity.unit if quantity else "", number))
    return Given(tuple(targets), levels, constants)


def known_quantities(system: System) -> dict[str, tuple[Quantity, Expr]]:
    """Everything that has a name in a system, with its expression."""
    found = {d.quantity.name: (d.quantity, d.expression) for d in system.outputs}
    for q in (*system.parameters, *system.inputs, *system.states):
        found[q.name] = q, q.symbol
    return found


def expression_of(system: System, text: str) -> Expr:
    """Of a name, or of a text such as ``chassis.vx*chassis.wz``."""
    known = known_quantities(system)
    if text in known:
        return known[text][1]
    if all(letter.isalnum() or letter in "._" for letter in text):
        raise unknown_name("quantity", text, known, f"system {system.name!r}")
    try:
        return parse_expression(text, {name: e for name, (_, e) in known.items()})
    except ExpressionError as error:
        raise SteadyStateError(f"{text!r} is no expression of {system.name}: {error}") from None


def in_si(name: str, value: float | str, quantity: Quantity | None) -> float:
    """In the unit of a quantity; an expression takes any unit that a text carries."""
    expected = "1"
    if quantity is not None:
        expected = quantity.unit
    elif isinstance(value, str):
        expected = _NUMBER.sub("", value).strip() or "1"
    try:
        return to_si(value, expected=expected)
    except UnitError as error:
        raise SteadyStateError(f"{name}: {error}") from None
