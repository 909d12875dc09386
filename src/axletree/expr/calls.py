"""Calls: functions that stay calls in the generated code, such as a user's own tyre law.

A call is a node over its arguments; each of its results is an "output" node over the
call, with the result's index (as text) for data. What is called is an external function,
known by its C text, or a function of expressions (``outline``).

``CalledFunction`` is what every function behind a call node can do, whatever it is made of.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

import numpy as np

from axletree.core.errors import ExpressionError
from axletree.expr.expression import ZERO, Expr, Operand, as_expr, special
from axletree.expr.traversal import OperationCount

SparseMatrix = Mapping[tuple[int, int], Operand]  # nonzero entries by (row, column)


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
        >>> from axletree.expr import ExternalFunction
        >>> half = ExternalFunction("half", ("x",), ("y",), lambda x: (0.5 * x,), c_source="")
        >>> float(half.evaluate([3.0])[0])
        1.5
        """

    @abstractmethod
    def slopes(self, arguments: Sequence[Expr], active: Collection[int]) -> list[SparseMatrix]:
        """Matrices whose product, the first leftmost, is the Jacobian at these arguments;
        columns other than the ``active`` ones are not asked for.

        Example:
        >>> from axletree.expr import ExternalFunction, symbol
        >>> rule = {"c_source": "", "derivative": lambda arguments, outputs: [{(0, 0): 0.5}]}
        >>> half = ExternalFunction("half", ("x",), ("y",), lambda x: (0.5 * x,), **rule)
        >>> half.slopes([symbol("x")], active=[0])
        [{(0, 0): 0.5}]
        """

    def weighted_slopes(
        self, arguments: Sequence[Expr], active: Collection[int], weights: Sequence[Expr]
    ) -> dict[int, Expr]:
        """The derivative of a weighted sum of the results by the active arguments, if not 0.

        Example:
        >>> from axletree.expr import ExternalFunction, symbol
        >>> rule = {"c_source": "", "derivative": lambda arguments, outputs: [{(0, 0): 0.5}]}
        >>> half = ExternalFunction("half", ("x",), ("y",), lambda x: (0.5 * x,), **rule)
        >>> half.weighted_slopes([symbol("x")], active=[0], weights=[symbol("w")])
        {0: 0.5*w}
        """
        found = row_product(self.slopes(arguments, active), weights)
        return {k: found[k] for k in active if k in found}

    def curvature(
        self, arguments: Sequence[Expr], active: Collection[int], weights: Sequence[Expr]
    ) -> CallCurvature | None:
        """Slopes, and second derivatives of a weighted sum of the results, by active arguments.

        None where the function has no rule of its own for them: its slopes are differentiated.

        Example:
        >>> from axletree.expr import declared_function, symbol
        >>> tyre = declared_function("tyre", ("slip",), ("Fx",), slopes=True)
        >>> print(tyre.curvature([symbol("slip")], active=[0], weights=[symbol("w")]))
        None
        """
        return None

    def at(self, arguments: Sequence[Expr]) -> tuple[Expr, ...]:
        """The results of a call, as nodes over the call.

        Example:
        >>> from axletree.expr import declared_function, symbol
        >>> tyre = declared_function("tyre", ("slip",), ("Fx", "Fy"))
        >>> len(tyre.at([symbol("slip")]))
        2
        """
        return outputs_of(special("call", tuple(arguments), self), self)


@dataclass(frozen=True)
class CallCurvature:
    """``slopes`` as of a called function; second derivatives by pairs of arguments j <= k."""

    slopes: Sequence[SparseMatrix]
    second: SparseMatrix


def row_product(matrices: Iterable[SparseMatrix], weights: Sequence[Expr]) -> dict[int, Expr]:
    """The row of weights times the matrices, without zeros."""
    row = dict(enumerate(weights))
    for matrix in matrices:
        product: dict[int, Expr] = {}
        for (i, k), entry in matrix.items():
            if i in row:
                product[k] = product.get(k, ZERO) + row[i] * entry
        row = product
    return {k: entry for k, entry in row.items() if not entry.is_zero}


def outputs_of(node: Expr, function: CalledFunction) -> tuple[Expr, ...]:
    """All outputs of a call node."""
    return tuple(special("output", (node,), str(k)) for k in range(len(function.outputs)))


DerivativeRule = Callable[[Sequence[Expr], Sequence[Expr]], Sequence[SparseMatrix]]


@dataclass(frozen=True, eq=False)
class ExternalFunction(CalledFunction):
    """A function known by its name, its Python form and its C text.

    1. ``python(*arguments)`` takes one float for each input and returns one for each output.
    2. ``c_source`` is C99 that defines
       ``static void <name>(const double *input, double *output)``, in the order of
       ``inputs`` and ``outputs``; it keeps no state and allocates nothing.
    3. ``derivative(arguments, outputs)`` returns sparse matrices of expressions whose
       product, the first matrix leftmost, is the Jacobian d outputs / d inputs. Most
       functions return one matrix. ``slope_function`` is another way to say it: a function
       of the same inputs whose outputs are that Jacobian, row by row. Without either the
       function cannot be differentiated.
    4. A function is ``declared`` where its C text comes later, and may be exchanged.
    5. ``needs`` are C texts that stand before it, such as data; functions that need the same
       text share it.
    6. Where it ``takes_arrays``, ``python`` takes arrays of one shape as well as floats.
    7. ``cost`` is what one call computes, if that is known; it counts as one function else.

    Example:
    >>> from axletree.expr import ExternalFunction, call, evaluate, symbol
    >>> text = "static void twice(const double *i, double *o) { o[0] = 2.0 * i[0]; }"
    >>> twice = ExternalFunction("twice", ("x",), ("y",), lambda x: (2.0 * x,), text)
    >>> x = symbol("x")
    >>> evaluate(call(twice, x + 1.0), {x: 3.0})
    [8.0]
    """

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    python: Callable[..., tuple[float, ...]]
    c_source: str
    derivative: DerivativeRule | None = None
    slope_function: ExternalFunction | None = None
    declared: bool = False
    needs: tuple[str, ...] = ()
    takes_arrays: bool = False
    cost: OperationCount | None = None
    digest: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", self.name):
            raise ExpressionError(
                f"{self.name!r} cannot name an external function; expected a C identifier"
            )
        if not self.outputs:
            raise ExpressionError(f"the external function {self.name!r} has no outputs")
        texts = (*self.needs, self.c_source)
        slopes = self.slope_function.digest if self.slope_function else self.derivative is not None
        known = (self.name, self.inputs, self.outputs, *texts, slopes, self.declared)
        content = repr(known).encode()
        digest = hashlib.blake2b(content, digest_size=16).hexdigest()
        object.__setattr__(self, "digest", digest)

    @property
    def operations(self) -> OperationCount:
        return super().operations if self.cost is None else self.cost

    def evaluate(self, arguments: Sequence[Any]) -> tuple[Any, ...]:
        """The outputs at floats, or point by point at arrays."""
        if not any(np.ndim(a) for a in arguments):
            return self._values([float(a) for a in arguments])
        grid = np.broadcast_arrays(*arguments)
        if self.takes_arrays:
            return tuple(self.python(*grid))
        points = zip(*[a.ravel() for a in grid], strict=True)
        rows = [self._values([float(a) for a in point]) for point in points]
        return tuple(np.array(column).reshape(grid[0].shape) for column in zip(*rows, strict=True))

    def slopes(self, arguments: Sequence[Expr], active: Collection[int]) -> list[SparseMatrix]:
        if self.derivative is not None:
            return list(self.derivative(arguments, self.at(arguments)))
        if self.slope_function is None:
            raise ExpressionError(
                f"the external function {self.name!r} has no derivative rule; "
                "give it one, or use a method that needs no Jacobian"
            )
        entries = self.slope_function.at(arguments)
        width = len(self.inputs)
        return [{(i, k): entries[i * width + k] for i in range(len(self.outputs)) for k in active}]

    def _values(self, arguments: list[float]) -> tuple[np.float64, ...]:
        values = tuple(np.float64(v) for v in self.python(*arguments))
        if len(values) != len(self.outputs):
            raise ExpressionError(
                f"the external function {self.name!r} returned {len(values)} values; "
                f"expected {len(self.outputs)}: {', '.join(self.outputs)}"
            )
        return values


def filled_c_text(package: str, file: str, words: Mapping[str, object]) -> str:
    """The text of a C file of a package, with values in the place of words."""
    text = (files(package) / file).read_text(encoding="utf-8")
    for word, value in words.items():
        text = text.replace(word, str(value))
    return text


def without_text(name: str) -> str:
    """What is said of a function that is asked for before a C text defines it."""
    return (
        f"the function {name!r} is declared, but no C text defines it; give the file that does: "
        f"--function {name}=FILE, or in Python system.with_functions"
    )


def declared_function(
    name: str, inputs: tuple[str, ...], outputs: tuple[str, ...], *, slopes: bool = False
) -> ExternalFunction:
    """A function known by its signature; its C text comes later.

    With ``slopes`` the text defines ``<name>_slopes`` as well, whose outputs are the Jacobian.
    """

    def undefined(*arguments: float) -> tuple[float, ...]:
        raise ExpressionError(without_text(name))

    rows = tuple(f"d{output}_d{argument}" for output in outputs for argument in inputs)
    slope_function = declared_function(f"{name}_slopes", inputs, rows) if slopes else None
    return ExternalFunction(
        name, inputs, outputs, undefined, "", slope_function=slope_function, declared=True
    )


def call(function: CalledFunction, *arguments: Operand) -> tuple[Expr, ...]:
    """The outputs of the function at these arguments.

    Example:
    >>> from axletree.expr import call, declared_function, symbol
    >>> tyre = declared_function("tyre", ("load", "slip"), ("Fx", "Fy"))  # its C text comes later
    >>> len(call(tyre, symbol("load"), 0.1))
    2
    """
    if len(arguments) != len(function.inputs):
        raise ExpressionError(
            f"the function {function.name!r} got {len(arguments)} arguments; "
            f"expected {len(function.inputs)}: {', '.join(function.inputs)}"
        )
    return function.at([as_expr(a) for a in arguments])
