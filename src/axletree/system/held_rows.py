"""Constraints differentiated until they hold what is to be found.

An equation among the variables alone, without rates and without algebraic variables, holds
places or speeds. Its derivative has to hold for it to stay so: the second one for places, the
first one for speeds (Lot and Massaro 2017, eq. 44).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axletree.core.errors import FormulationError
from axletree.core.expr import Expr, directional_derivative, jacobian, symbols_of
from axletree.core.expr.expression import ONE, ZERO
from axletree.core.quantity import Quantity, Role
from axletree.core.units import unit_of_rate
from axletree.system.block_solve import NamedEquation, Unknown
from axletree.system.implicit import ImplicitSystem

ORDERS = ("rate", "acceleration")  # suffixes of the derivatives of inputs
MOST = 2  # derivatives


@dataclass(frozen=True)
class HeldRow:
    """What is zero, its rate, and the derivative that is linear in rates yet to be found."""

    name: str
    position: Expr  # 0 where speeds are held
    velocity: Expr
    acceleration: Expr


class RateTable:
    """The rate of every symbol; derivatives of inputs become inputs where they are needed."""

    def __init__(self, implicit: ImplicitSystem, of_variables: Mapping[Expr, Expr]) -> None:
        self.implicit = implicit
        self.of_variables = of_variables
        self.inputs = list(implicit.inputs)  # and those that are added

    def derivative(self, expression: Expr, equation: str) -> Expr:
        rates = {self.implicit.time.symbol: ONE, **self.of_variables}
        present = set(symbols_of([expression]))
        for quantity in list(self.inputs):
            if quantity.symbol in present:
                rates[quantity.symbol] = self._input_rate(quantity, equation).symbol
        return directional_derivative([expression], rates)[0]

    def _input_rate(self, quantity: Quantity, equation: str) -> Quantity:
        for other in self.inputs:
            if other.derivative_of == quantity.name:
                return other
        order = 1 if quantity.derivative_of else 0
        if order and any(q.name == quantity.derivative_of and q.derivative_of for q in self.inputs):
            raise FormulationError(
                f"{self.implicit.name}: the derivatives of {equation!r} need the third derivative "
                f"of an input, that of {quantity.name}; make that input a state, with its rate as "
                "the input"
            )
        base = quantity.derivative_of or quantity.name
        rate = Quantity(
            f"{base}_{ORDERS[order]}",
            unit_of_rate(quantity.unit),
            f"derivative of the input {quantity.name}",
            Role.INPUT,
            derivative_of=quantity.name,
        )
        self.inputs.append(rate)
        return rate


def held_row(
    equation: NamedEquation, table: RateTable, open_unknowns: Sequence[Unknown]
) -> HeldRow:
    """The derivative of least order that holds an unknown of the open ones."""
    symbols = [unknown.symbol for unknown in open_unknowns]
    chain = [equation.residual]
    for _ in range(MOST):
        chain.append(table.derivative(chain[-1], equation.name))
        if jacobian(chain[-1:], symbols):
            position = chain[0] if len(chain) > MOST else ZERO
            return HeldRow(equation.name, position, chain[-2], chain[-1])
    names = ", ".join(unknown.name for unknown in open_unknowns)
    raise FormulationError(
        f"{table.implicit.name}: nothing sees to the constraint {equation.name!r}: neither it nor "
        f"its first two derivatives hold any of {names}; let the forces of the "
        "constraint act on the variables that it holds, or leave it out"
    )
