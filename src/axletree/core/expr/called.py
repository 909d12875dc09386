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
        """The results at floats, or point by point at arrays.

        Example:
        >>> from axletree.core.expr import ExternalFunction
        >>> half = ExternalFunction("half", ("x",), ("y",), lambda x: (0.5 * x,), c_source="")
        >>> float(half.evaluate([3.0])[0])
        1.5
        """

    @abstractmethod
    def slopes(self, arguments: Sequence[Expr], active: Collection[int]) -> list[Matrix]:
        """Matrices whose product, the first leftmost, is the Jacobian at these arguments;
        columns other than the ``active`` ones are not asked for.

        Example:
        >>> from axletree.core.expr import ExternalFunction, symbol
        >>> rule = {"c_source": "", "derivative": lambda arguments, outputs: [{(0, 0): 0.5}]}
        >>> half = ExternalFunction("half", ("x",), ("y",), lambda x: (0.5 * x,), **rule)
        >>> half.slopes([symbol("x")], active=[0])
        [{(0, 0): 0.5}]
        """

    def at(self, arguments: Sequence[Expr]) -> tuple[Expr, ...]:
        """The results of a call, as nodes over the call.

        Example:
        >>> from axletree.core.expr import declared_function, symbol
        >>> tyre = declared_function("tyre", ("slip",), ("Fx", "Fy"))
        >>> len(tyre.at([symbol("slip")]))
        2
        """
        return outputs_of(special("call", tuple(arguments), self), self)


def outputs_of(node: Expr, function: CalledFunction) -> tuple[Expr, ...]:
    """All outputs of a call node."""
    return tuple(special("output", (node,), str(k)) for k in range(len(function.outputs)))
