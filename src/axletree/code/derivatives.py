"""Derivatives of the rates and outputs of a system, as expressions for the routines of a program.

The rows of all of them are F = (xdot, y), the columns z = (x, u, p): states, inputs, and those
parameters that are asked for. ``w`` has a weight for each row, ``dz`` a change of each column.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from axletree.core.registry import refuse_unknown
from axletree.expr import Expr, directional_derivative, gradient, hessian, jacobian, symbol
from axletree.expr.quantity import Quantity
from axletree.system.system import System

MatrixEntries = dict[tuple[int, int], Expr]

_WEIGHT: Final = "weight of row {}"
_DIRECTION: Final = "direction in column {}"


@dataclass(frozen=True)
class SystemDerivatives:
    """What the derivatives of a system are formed from.

    Example:
    >>> import axletree as at
    >>> from axletree.code.derivatives import SystemDerivatives
    >>> pendulum = at.read_model("pendulum").formulate()
    >>> formed = SystemDerivatives.of(pendulum, outputs=[], parameters=["rod.mass"])
    >>> sorted(formed.full_jacobian()), sorted(formed.parameter_jacobian())
    ([(0, 1), (1, 0)], [(0, 0)])
    """

    rows: tuple[Expr, ...]
    variables: tuple[Quantity, ...]  # states and inputs
    parameters: tuple[Quantity, ...]

    @classmethod
    def of(
        cls, system: System, outputs: Sequence[Expr], parameters: Iterable[str] | None
    ) -> SystemDerivatives:
        """By the parameters of these names, or by all of them where there are None."""
        known = {quantity.name: quantity for quantity in system.parameters}
        chosen = list(known if parameters is None else dict.fromkeys(parameters))
        refuse_unknown("parameter", chosen, known, f"system {system.name!r}")
        return cls(
            rows=(*system.derivatives, *outputs),
            variables=(*system.states, *system.inputs, *system.unknown_forces),
            parameters=tuple(q for q in system.parameters if q.name in set(chosen)),
        )

    @cached_property
    def columns(self) -> list[Expr]:
        return [quantity.symbol for quantity in (*self.variables, *self.parameters)]

    @cached_property
    def weights(self) -> list[Expr]:
        return [symbol(_WEIGHT.format(k)) for k in range(len(self.rows))]

    @cached_property
    def directions(self) -> list[Expr]:
        return [symbol(_DIRECTION.format(k)) for k in range(len(self.columns))]

    def full_jacobian(self) -> MatrixEntries:
        """d F / d (x, u), column by column."""
        return by_column(jacobian(self.rows, [q.symbol for q in self.variables]))

    def parameter_jacobian(self) -> MatrixEntries:
        """d F / d p, column by column."""
        return by_column(jacobian(self.rows, [q.symbol for q in self.parameters]))

    def directional(self) -> list[Expr]:
        """d F / d z times dz."""
        return directional_derivative(
            self.rows, dict(zip(self.columns, self.directions, strict=True))
        )

    def adjoint(self) -> list[Expr]:
        """w times d F / d z."""
        return gradient(self.rows, self.weights, self.columns)

    def hessian(self) -> MatrixEntries:
        """d2 (w F) / d z d z, the lower triangle, column by column."""
        return by_column(hessian(self.rows, self.weights, self.columns))


def by_column(entries: Mapping[tuple[int, int], Expr]) -> MatrixEntries:
    """The structural nonzeros, column by column, as sparse matrices are stored."""
    return {key: entries[key] for key in sorted(entries, key=lambda ik: (ik[1], ik[0]))}
