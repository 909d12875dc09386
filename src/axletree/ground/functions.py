"""Functions that ground is made of: smooth steps, and functions of a place that are looked up.

The small ones have continuous slopes. A function that is looked up stays a call in the generated
code. It is piecewise cubic along both axes, so its derivatives are functions of the same kind, made
when an equation asks for them; their cubics are written in C and in NumPy.
"""

from __future__ import annotations

import functools
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any, ClassVar, Final

import numpy as np

from axletree.expr import Expr, ExternalFunction, call, maximum, minimum
from axletree.expr.calls import SparseMatrix
from axletree.expr.functions import Value


def clamped(value: Value, low: Value, high: Value) -> Value:
    """The value, or the limit that it exceeds."""
    return minimum(maximum(value, low), high)


def smooth_step(value: Value) -> Value:
    """From 0 at 0 to 1 at 1, level at both and beyond: t^2 (3 - 2 t)."""
    t = clamped(value, 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def rounded_rise(distance: Value, length: Value) -> Value:
    """0 up to 0, from ``length`` on a slope of 1, a parabola between them."""
    start = clamped(distance, 0.0, length)
    return start * start / (2.0 * length) + maximum(distance, length) - length


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

    @staticmethod
    def _identifier(word: str, values: np.ndarray, *shape: object) -> str:
        """Of a kind of lookup with these values and what else tells it apart."""
        content = repr((values.shape, *shape)).encode() + np.ascontiguousarray(values).tobytes()
        return f"axl_{word}_{hashlib.blake2b(content, digest_size=8).hexdigest()}"

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
    ) -> SparseMatrix:
        """The derivatives of outputs: outputs themselves, or those of the next function."""
        if self.is_stepped:
            return {}
        known = dict(zip(orders, found, strict=True))
        entries: dict[tuple[int, int], Expr] = {}
        for row, (m, n) in enumerate(orders):
            for column, wanted in enumerate(((m + 1, n), (m, n + 1))):
                if max(wanted) > _HIGHEST:
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
    return tuple(order for order in orders if max(order) <= _HIGHEST)


@functools.lru_cache(maxsize=64)
def _higher(function: PlaneFunction, degree: int) -> ExternalFunction:
    return function.derivatives(_orders_of(degree))


_HIGHEST: Final = 3  # the order of differentiation up to which a cubic is not 0

# Coefficients of t^3, t^2, t and 1 for the value at 0, the value at 1, the slope at 0 and the
# slope at 1 (Andres 2009, eq. 5.2, where -2 is misprinted as -1).
_H: Final = ((2.0, -3.0, 0.0, 1.0), (-2.0, 3.0, 0.0, 0.0), (1.0, -2.0, 1.0, 0.0),
             (1.0, -1.0, 0.0, 0.0))  # fmt: skip


def c_text(name: str) -> str:
    """A C text of this folder."""
    return files(__package__).joinpath(f"{name}.c").read_text(encoding="utf-8")


def _all_orders() -> list[list[tuple[float, ...]]]:
    orders: list[list[tuple[float, ...]]] = [list(_H)]
    for _ in range(_HIGHEST):  # the first time it gives eq. (5.5)
        orders.append([(0.0, 3.0 * c[0], 2.0 * c[1], c[2]) for c in orders[-1]])
    return orders


_ROWS: Final = _all_orders()  # by order of differentiation, which of the four, power

_BRACES: Final = str.maketrans("[]()", "{}{}")
CUBICS: Final = c_text("cubics").replace(
    "ROWS", ",\n        ".join(str(order).translate(_BRACES) for order in _ROWS)
)


def cubics(t: Any, order: int, scale: Any) -> list[Any]:
    """The four cubics at t, differentiated, times a scale."""
    return [(((c[0] * t + c[1]) * t + c[2]) * t + c[3]) * scale for c in _ROWS[order]]


def scales(step: float) -> list[float]:
    """What derivatives by the place in a cell of this length are multiplied with, by order."""
    return [1.0 / step**order for order in range(_HIGHEST + 1)]


def data_text(name: str, values: np.ndarray) -> str:
    """A constant C array of this name."""
    texts = [repr(v) for v in values.ravel().tolist()]
    lines = [", ".join(texts[k : k + 4]) for k in range(0, len(texts), 4)]
    body = ",\n    ".join(lines)
    return f"static const double {name}[{len(texts)}] = {{\n    {body}\n}};\n"


def cubics_lines(
    orders: Iterable[int], array: str, local: str, inside: str, factors: Sequence[float]
) -> list[str]:
    """C lines that fill ``<array><order>`` with the cubics of each of these orders."""
    return [
        f"axl_cubics({local}, {m}, {f'{factors[m]!r} * {inside}' if m else '1.0'}, {array}{m});"
        for m in sorted(set(orders))
    ]


def arrays_text(orders: Sequence[tuple[int, int]]) -> str:
    """The C declaration of the arrays that the cubics of these orders go to."""
    names = [f"a{m}[4]" for m in sorted({m for m, _ in orders})]
    names += [f"b{n}[4]" for n in sorted({n for _, n in orders})]
    return f"double {', '.join(names)};"


def function_text(name: str, lines: Iterable[str]) -> str:
    """A C function of this name with these lines."""
    body = "".join(f"    {line}\n" for line in lines)
    return f"static void {name}(const double *input, double *output)\n{{\n{body}}}\n"
