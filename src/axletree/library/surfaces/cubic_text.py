"""Cubics between two values and slopes, in C and in NumPy, with their derivatives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

HIGHEST: Final = 3  # the order of differentiation up to which a cubic is not 0

# Coefficients of t^3, t^2, t and 1 for the value at 0, the value at 1, the slope at 0 and the
# slope at 1 (Andres 2009, eq. 5.2, where -2 is misprinted as -1).
_H: Final = ((2.0, -3.0, 0.0, 1.0), (-2.0, 3.0, 0.0, 0.0), (1.0, -2.0, 1.0, 0.0),
             (1.0, -1.0, 0.0, 0.0))  # fmt: skip


def _all_orders() -> list[list[tuple[float, ...]]]:
    orders: list[list[tuple[float, ...]]] = [list(_H)]
    for _ in range(HIGHEST):  # the first time it gives eq. (5.5)
        orders.append([(0.0, 3.0 * c[0], 2.0 * c[1], c[2]) for c in orders[-1]])
    return orders


_ROWS: Final = _all_orders()  # by order of differentiation, which of the four, power

CUBICS: Final = """\
static void axl_cubics(double t, int order, double scale, double *basis)
{
    static const double rows[4][4][4] = {
        ROWS
    };
    int k;
    for (k = 0; k < 4; ++k) {
        const double *c = rows[order][k];
        basis[k] = (((c[0] * t + c[1]) * t + c[2]) * t + c[3]) * scale;
    }
}
""".replace(
    "ROWS", ",\n        ".join(str(o).translate(str.maketrans("[]()", "{}{}")) for o in _ROWS)
)


def cubics(t: Any, order: int, scale: Any) -> list[Any]:
    """The four cubics at t, differentiated, times a scale."""
    return [(((c[0] * t + c[1]) * t + c[2]) * t + c[3]) * scale for c in _ROWS[order]]


def scales(step: float) -> list[float]:
    """What derivatives by the place in a cell of this length are multiplied with, by order."""
    return [1.0 / step**order for order in range(HIGHEST + 1)]


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
