"""Equations as they are collected: A(x) x' = B(x, u), A singular where some are algebraic.

Lot and Massaro 2017, eqs. (37) and (42).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from axletree.core.errors import FormulationError
from axletree.core.expr import Expr, symbol
from axletree.core.quantity import Quantity
from axletree.system.definition import Definition


def rate_symbol(variable: Quantity) -> Expr:
    """What stands for the rate of a variable in an output of an implicit system."""
    return symbol(f"d({variable.name})/dt")


@dataclass(frozen=True, eq=False)
class ImplicitSystem:
    """As many equations as variables; B may hold algebraic variables in any way.

    Entries of A and B are expressions over the symbols of ``time``, ``variables``, ``inputs``
    and ``parameters``, and of outputs over rates of variables, too (``rate_symbol``).

    Example:
    >>> from axletree.language import parameters, rate, state_space, variable
    >>> m, k, x = *parameters("m k"), variable("x")  # kg, N/m, m
    >>> cart = state_space("cart", [m * rate(x, 2) + k * x], [x], [], {m: 2.0, k: 50.0}).implicit()
    >>> [quantity.name for quantity in cart.variables], [str(entry) for entry in cart.rates]
    (['x', 'V_x'], ['V_x', '-x*k'])
    """

    name: str
    time: Quantity
    variables: tuple[Quantity, ...]  # x
    inputs: tuple[Quantity, ...]  # u
    parameters: tuple[Quantity, ...]
    matrix: Mapping[tuple[int, int], Expr]  # A, by (equation, variable); what is absent is 0
    rates: tuple[Expr, ...]  # B
    outputs: tuple[Definition, ...]
    equation_names: tuple[str, ...]
    small: Mapping[str, float] = field(default_factory=dict)  # bounds, by name of a variable

    def __post_init__(self) -> None:
        count = len(self.equation_names)
        if len(self.rates) != count:
            raise FormulationError(
                f"{self.name}: B has {len(self.rates)} entries, and {count} equations have names"
            )
        for i, j in self.matrix:
            if not (0 <= i < count and 0 <= j < len(self.variables)):
                raise FormulationError(
                    f"{self.name}: A has an entry at ({i}, {j}), which is outside of {count} "
                    f"equations and {len(self.variables)} variables"
                )
        quantities = (self.time, *self.variables, *self.inputs, *self.parameters)
        uses = Counter(quantity.name for quantity in quantities)
        twice = sorted(name for name, times in uses.items() if times > 1)
        if twice:
            raise FormulationError(
                f"{self.name}: {', '.join(twice)} stands for more than one of time, variables, "
                "inputs and parameters; give each a name of its own"
            )

    @cached_property
    def algebraic(self) -> tuple[int, ...]:
        """Indices of the variables whose rates no equation holds."""
        seen = {j for (_, j), entry in self.matrix.items() if not entry.is_zero}
        return tuple(j for j in range(len(self.variables)) if j not in seen)
