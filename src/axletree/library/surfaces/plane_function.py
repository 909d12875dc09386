"""Functions of a place in the plane that are looked up, with all their derivatives.

Such a function stays a call in the generated code. It is piecewise cubic along both axes, so
its derivatives are functions of the same kind, made when an equation asks for them.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from axletree.core.expr import Expr, ExternalFunction, call
from axletree.core.expr.called import Matrix
from axletree.library.surfaces.cubic_text import HIGHEST

Order = tuple[int, int]  # of differentiation by x and by y


class PlaneFunction(ABC):
    """A lookup; ``orders`` are the derivatives that its first function has for outputs."""

    orders: ClassVar[tuple[Order, ...]] = ((0, 0),)

    @property
    def is_stepped(self) -> bool:
        """Whether it changes in steps alone, so that all derivatives are 0."""
        return False

    @property
    @abstractmethod
    def name(self) -> str:
        """A C identifier that no other data has."""

    @property
    @abstractmethod
    def needs(self) -> tuple[str, ...]:
        """The C texts that its functions need."""

    @abstractmethod
    def text(self, name: str, orders: Sequence[Order]) -> str:
        """The C function of this name whose outputs are derivatives of these orders."""

    @abstractmethod
    def values(self, x: Any, y: Any, orders: Sequence[Order]) -> tuple[Any, ...]:
        """Derivatives at x, y [m], operation by operation what the C text does."""

    def at(self, x: Any, y: Any) -> tuple[Any, ...]:
        """The outputs of the first function at x, y [m]: floats, arrays or expressions."""
        if isinstance(x, Expr) or isinstance(y, Expr):
            return call(self.function, x, y)
        return self.values(x, y, self.orders)

    @functools.cached_property
    def function(self) -> ExternalFunction:
        return self.derivatives(self.orders)

    def derivatives(self, orders: tuple[Order, ...]) -> ExternalFunction:
        """The function of x and y [m] whose outputs are derivatives of these orders."""
        name = f"{self.name}_{max(m + n for m, n in orders)}"
        return ExternalFunction(
            name=name,
            inputs=("x", "y"),
            outputs=tuple("f" + m * "x" + n * "y" for m, n in orders),
            python=lambda x, y: self.values(x, y, orders),
            c_source=self.text(name, orders),
            derivative=lambda arguments, found: [self._slopes(orders, arguments, found)],
            needs=self.needs,
            takes_arrays=True,
        )

    def _slopes(
        self, orders: Sequence[Order], arguments: Sequence[Expr], found: Sequence[Expr]
    ) -> Matrix:
        """The derivatives of outputs: outputs themselves, or those of the next function."""
        if self.is_stepped:
            return {}
        known = dict(zip(orders, found, strict=True))
        entries: dict[tuple[int, int], Expr] = {}
        for row, (m, n) in enumerate(orders):
            for column, wanted in enumerate(((m + 1, n), (m, n + 1))):
                if max(wanted) > HIGHEST:
                    continue
                if wanted not in known:
                    degree = sum(wanted)
                    further = _higher(self, degree).at(arguments)
                    known |= dict(zip(_orders_of(degree), further, strict=True))
                entries[row, column] = known[wanted]
        return entries


def _orders_of(degree: int) -> tuple[Order, ...]:
    """All derivatives of one degree that are not 0 everywhere."""
    orders = [(degree - n, n) for n in range(degree + 1)]
    return tuple(order for order in orders if max(order) <= HIGHEST)


@functools.lru_cache(maxsize=64)
def _higher(function: PlaneFunction, degree: int) -> ExternalFunction:
    return function.derivatives(_orders_of(degree))
