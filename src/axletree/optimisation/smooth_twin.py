"""A system without corners, for solvers that take second derivatives: its smooth twin.

Each corner is rounded over a part of the magnitude that its operands have, where the system is
expected to be: with e = fraction * magnitude,

    |x|       = sqrt(x^2 + e^2),            sign x = x / sqrt(x^2 + e^2),
    max(a, b) = (a + b + |a - b|) / 2,      a < b  = (1 + sign(b - a)) / 2,
    where(c, a, b) = c a + (1 - c) b,

and a table of straight lines becomes the cubic through its points. One e for all would be nothing
to a force and everything to a slip. The fraction is a parameter: as it goes to 0 the twin becomes
the system, but for its tables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import FormulationError
from axletree.expr import (
    Expr,
    ExpressionFunction,
    Node,
    Table,
    interpolate,
    number,
    sqrt,
    symbol,
    topological_order,
)
from axletree.expr.evaluation import Evaluator
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.expr.traversal import dependent_nodes, rebuild
from axletree.system.edit import expressions_of, map_expressions
from axletree.system.system import System

FRACTION: Final = "smooth_twin.fraction"
_USUAL: Final = 0.02
_CORNERS: Final = ("abs", "sign", "min", "max", "lt", "le")
_SHARE: Final = 0.9  # of the samples, above which a magnitude is an outlier


def smooth_twin(system: System, samples: Mapping[str, FloatArray]) -> System:
    """The twin, by values of states and inputs (by name, as many of each) of where it will be.

    Example:
    >>> import numpy as np
    >>> from axletree.expr import absolute, symbol
    >>> from axletree.optimisation.dynamics import dynamics
    >>> from axletree.optimisation.smooth_twin import FRACTION, smooth_twin
    >>> drag = dynamics("drag", {"v [m/s]": -absolute(symbol("v")) * symbol("v")})
    >>> twin = smooth_twin(drag, {"v": np.linspace(-10.0, 10.0, 21)})  # m/s
    >>> rates = [twin.rhs({"v": 2.0}, parameters={FRACTION: e})["v"] for e in (0.1, 0.01, 1e-6)]
    >>> [round(rate, 3) for rate in rates]  # m/s^2
    [-4.386, -4.004, -4.0]
    """
    listed = {q.name: q for q in (*system.states, *system.inputs)}
    count = max((len(values) for values in samples.values()), default=1)
    values: dict[Expr, Any] = {q.symbol: q.default for q in system.parameters}
    values |= {q.symbol: np.full(count, q.default) for q in listed.values()}
    values |= {listed[name].symbol: np.asarray(one, dtype=float) for name, one in samples.items()}
    values[system.time.symbol] = 0.0
    moving = [q.symbol for q in listed.values()]
    fraction = Quantity(
        FRACTION, "1", "part of its operands' magnitude over which a corner is rounded",
        Role.PARAMETER, _USUAL, lower=0.0,
    )  # fmt: skip
    twin = map_expressions(
        replace(system, projection=None, source=None),
        lambda found: _rounded(found, values, moving, fraction.symbol),
    )
    return replace(twin, parameters=Quantities([*twin.parameters, fraction]), edits=())


def corner_count(system: System) -> int:
    """How many corners it has.

    Example:
    >>> import axletree as at
    >>> from axletree.optimisation.smooth_twin import corner_count
    >>> corner_count(at.read_model("pendulum").formulate())
    0
    """
    found, seen = 0, set()
    pending = [topological_order(expressions_of(system))]
    while pending:
        for node in pending.pop():
            found += node.operation in _CORNERS
            law = node.data
            if isinstance(law, ExpressionFunction) and law.digest not in seen:
                seen.add(law.digest)
                pending.append(topological_order(law.expressions))
    return found


@dataclass(frozen=True)
class _Sampled:
    """Magnitudes of expressions over samples."""

    values: Mapping[Expr, Any]

    def magnitudes(self, expressions: Sequence[Expr]) -> list[float]:
        return [_magnitude(value) for value in self.all(expressions)]

    def all(self, expressions: Sequence[Expr]) -> list[Any]:
        if not expressions:
            return []
        return Evaluator(expressions)(self.values)


def _magnitude(value: Any) -> float:
    sizes = np.abs(np.atleast_1d(np.asarray(value, dtype=float)))
    sizes = sizes[np.isfinite(sizes)]
    return float(np.quantile(sizes, _SHARE)) if sizes.size else 0.0


def _rounded(
    expressions: Sequence[Expr],
    values: Mapping[Expr, Any],
    moving: Sequence[Expr],
    fraction: Expr,
) -> list[Expr]:
    order = topological_order(expressions)
    varies = dependent_nodes(order, moving)
    sampled = _Sampled(values)
    corners = [n for n in order if n.operation in _CORNERS and n in varies]
    apart = [_apart(node) for node in corners]
    widths = dict(zip(corners, sampled.magnitudes(apart), strict=True))
    functions = _functions(order, sampled, fraction)
    built: dict[Node, Expr] = {}
    called: dict[Node, tuple[Expr, ...]] = {}

    def operand(e: Expr) -> Expr:
        return built[e.node] * e.coefficient

    for node in order:
        if node.operation == "call" and node in functions:
            arguments = [operand(e) for e in node.operands]
            called[node] = functions[node].at([*arguments, fraction])
        elif node.operation == "output" and node.operands[0].node in called:
            built[node] = called[node.operands[0].node][int(cast(str, node.data))]
        else:
            operands = [operand(e) for e in node.operands if e.node in built]
            built[node] = _smooth(node, operands, widths.get(node), node in varies, fraction)
    return [operand(e) for e in expressions]


def _apart(node: Node) -> Expr:
    """What is 0 at the corner of a node."""
    first = node.operands[0]
    return first if len(node.operands) == 1 else first - node.operands[1]


def _smooth(
    node: Node, operands: list[Expr], width: float | None, varies: bool, fraction: Expr
) -> Expr:
    if width is not None and width > 0.0:
        first = operands[0]
        x = first if len(operands) == 1 else first - operands[1]
        size: Expr = sqrt(x * x + (width * fraction) * (width * fraction))
        if node.operation == "abs":
            return size
        if node.operation == "sign":
            return x / size
        if node.operation in ("lt", "le"):
            return 0.5 * (1.0 - x / size)
        half = 0.5 * (first + operands[1])
        return half + 0.5 * size if node.operation == "max" else half - 0.5 * size
    if node.operation == "where" and varies:
        condition, if_true, if_false = operands
        return if_false + condition * (if_true - if_false)
    if node.operation == "table":
        return interpolate(_cubic(cast(Table, node.data)), operands[0])
    if not node.operands:
        return Expr(1.0, node) if node.operation != "one" else number(1.0)
    return rebuild(node.operation, operands, node.data)


def _cubic(table: Table) -> Table:
    """Through the points of a table of straight lines."""
    if len(table.coefficients[0]) > 2 or len(table.breakpoints) < 3:
        return table
    x = list(table.breakpoints)
    return Table.smooth(x, [float(table.evaluate(one)) for one in x])


def _functions(
    order: Sequence[Node], sampled: _Sampled, fraction: Expr
) -> dict[Node, ExpressionFunction]:
    """Of every call, the function with its own corners rounded, one for all calls of it."""
    calls: dict[ExpressionFunction, list[Node]] = {}
    for node in order:
        if node.operation != "call":
            continue
        if not isinstance(node.data, ExpressionFunction):
            name = getattr(node.data, "name", "a function")
            raise FormulationError(f"{name} is a function in C, whose corners are not known")
        calls.setdefault(node.data, []).append(node)
    found: dict[Node, ExpressionFunction] = {}
    for function, nodes in calls.items():
        columns: list[list[Any]] = [[] for _ in function.arguments]
        for node in nodes:
            for column, value in zip(columns, sampled.all(list(node.operands)), strict=True):
                column.append(value)
        size = max((np.size(v) for column in columns for v in column), default=1)
        pooled = {
            argument: np.concatenate([np.broadcast_to(v, (size,)) for v in column])
            for argument, column in zip(function.arguments, columns, strict=True)
        }
        own = symbol(f"{function.name}.twin_fraction")
        moving = function.arguments[: function.varying]
        body = _rounded(function.expressions, pooled, moving, own)
        smooth = ExpressionFunction(
            f"{function.name}_smooth", (*function.arguments, own), function.outputs, tuple(body),
            function.varying,
        )  # fmt: skip
        found |= dict.fromkeys(nodes, smooth)
    return found
