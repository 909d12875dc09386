"""What every function behind a call node can do, whatever it is made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from axletree.core.expr.count import OperationCount
from axletree.core.expr.expression import Expr, Operand, special

Matrix = Mapping[tuple[int, int], Operand]  # nonzero entries by (row, column)


class CalledFunction(ABC):
    """A function of several arguments and results; equal where its digest is.

    ``inputs`` and ``outputs`` are the names of arguments and results.
    """

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    digest: str

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, CalledFunction) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def operations(self) -> OperationCount:
        """What one call costs; a function whose inside is not known is one function."""
        return OperationCount(functions=1)

    @abstractmethod
    def evaluate(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """The results at floats, or point by point at arrays."""

    @abstractmethod
    def slopes(self, arguments: Sequence[Expr], active: Collection[int]) -> list[Matrix]:
        """Matrices whose product, the first leftmost, is the Jacobian at these arguments;
        columns other than the ``active`` ones are not asked for."""

    def at(self, arguments: Sequence[Expr]) -> tuple[Expr, ...]:
        """The results of a call, as nodes over the call."""
        return outputs_of(special("call", tuple(arguments), self), self)


def outputs_of(node: Expr, function: CalledFunction) -> tuple[Expr, ...]:
    """All outputs of a call node."""
    return tuple(special("output", (node,), str(k)) for k in range(len(function.outputs)))
