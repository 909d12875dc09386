"""What a system gains over an interval, as a system of its own: for multiple shooting.

The classical Runge-Kutta method of order 4 goes through the interval in equal steps. Its stages
call one function of the equations, so that this is differentiated once.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from axletree.expr import Expr, outline, symbol
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.system.system import System, output

INTERVAL_LENGTH = "interval.length"
AT_END = ".at_end"  # after the name of an input: its value at the end of the interval


def increments(system: System, integrated: Iterable[str], steps: int) -> System:
    """States less those at the beginning of an interval, and integrals of outputs over it.

    Inputs go linearly from one value to another.

    Example:
    >>> from axletree.expr import symbol
    >>> from axletree.optimisation.dynamics import dynamics
    >>> from axletree.optimisation.shooting import increments
    >>> decay = dynamics("decay", {"x": -symbol("x")})
    >>> found = increments(decay, [], 1).functions("f")
    >>> found.f([1.0], [0.1]).round(8).tolist()  # exp(-0.1) - 1 = -0.09516258
    [-0.0951625]
    """
    chosen = {d.quantity.name: d.expression for d in system.outputs}
    names = list(integrated)
    states = [q.symbol for q in system.states]
    inputs = [q.symbol for q in system.inputs]
    ends = [symbol(f"{q.name}{AT_END}") for q in system.inputs]
    early = [q.symbol for q in system.parameters]
    rows = [*system.derivatives, *(chosen[name] for name in names)]
    h = symbol(INTERVAL_LENGTH) / steps

    def rates(x: list[Expr], part: float) -> list[Expr]:
        u = [(1.0 - part) * a + part * b for a, b in zip(inputs, ends, strict=True)]
        given = dict(zip([*states, *inputs], [*x, *u], strict=True))
        named = {f"row_{k}": row for k, row in enumerate(rows)}
        called = outline("right_hand_side", named, given, early)
        return list(called.values())

    count, gained = len(states), [0.0 * h for _ in rows]
    for k in range(steps):
        x = [a + b for a, b in zip(states, gained[:count], strict=True)]
        first = rates(x, k / steps)
        second = rates(_moved(x, first, 0.5 * h), (k + 0.5) / steps)
        third = rates(_moved(x, second, 0.5 * h), (k + 0.5) / steps)
        last = rates(_moved(x, third, h), (k + 1.0) / steps)
        gained = [
            total + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
            for total, a, b, c, d in zip(gained, first, second, third, last, strict=True)
        ]
    length = Quantity(INTERVAL_LENGTH, "1", "length of the interval", Role.INPUT)
    later = [replace(q, name=f"{q.name}{AT_END}", derivative_of="") for q in system.inputs]
    first_inputs = [replace(q, derivative_of="") for q in system.inputs]
    return replace(
        system,
        name=f"{system.name}_intervals",
        inputs=Quantities([*first_inputs, *later, length]),
        derivatives=tuple(gained[:count]),
        outputs=tuple(
            output(name, "1", "integral over the interval", one)
            for name, one in zip(names, gained[count:], strict=True)
        ),
        intermediates=(),
        projection=None,
        source=None,
        rows=None,
        edits=(),
    )


def _moved(x: list[Expr], rates: list[Expr], h: Expr) -> list[Expr]:
    return [a + h * b for a, b in zip(x, rates, strict=False)]
