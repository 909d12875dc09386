"""The expression engines beside one another, on the multibody part of the 14-DOF car.

    python benchmarks/engines.py [page.md]

The equations are formed once; then each engine gets them node by node, removes common
subexpressions, differentiates by the states, and does so again with the result. Counts
follow the rules of ``count_operations``; parameters are symbolic and nothing is hoisted.
Times are of one run on one machine, so only their ratios mean anything. An engine that is
not installed is left out.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines_count import casadi_count, tree_count

import axletree as at
from axletree.equations.derivation import derive_equations
from axletree.expr import (
    Expr,
    OperationCount,
    count_operations,
    jacobian,
    symbols_of,
    to_casadi,
    to_sympy,
    topological_order,
)
from axletree.expr.simplification import regroup, share_pairs


@dataclass(frozen=True)
class Problem:
    """The derivatives of all states, and the states."""

    expressions: list[Expr]
    states: list[Expr]
    inputs: list[Expr]


@dataclass(frozen=True)
class Row:
    """What one engine made of the problem; times in seconds."""

    engine: str
    equations: OperationCount
    equations_time: float
    jacobian: OperationCount
    jacobian_time: float


def problem() -> Problem:
    equations = derive_equations(at.read_model("car-multibody"))
    quantities = (*equations.speeds, *equations.coordinates)
    return Problem(
        [*equations.dynamics.free_rates, *equations.coordinate_rates],
        [q.symbol for q in quantities],
        [q.symbol for q in equations.inputs],
    )


def timed(job: Callable[[], Any]) -> tuple[Any, float]:
    """The result, and the least time of up to three runs; a slow job runs once."""
    times: list[float] = []
    result = None
    while len(times) < 3 and sum(times) < 1.0:
        result = None  # nodes that are alive would be found again, not built
        start = time.perf_counter()
        result = job()
        times.append(time.perf_counter() - start)
    return result, min(times)


# -- the engines ---------------------------------------------------------------------------


def own(given: Problem) -> Row:
    count, first = timed(lambda: count_operations(given.expressions))
    slopes, second = timed(lambda: jacobian(given.expressions, given.states))
    return Row("own graph", count, first, count_operations(slopes.values()), second)


def own_condensed(given: Problem) -> Row:
    """With the passes that a system takes before it becomes a program."""
    late = [*given.states, *given.inputs]

    def condensed(expressions: Iterable[Expr]) -> list[Expr]:
        return regroup(share_pairs(regroup(list(expressions), late)), late)

    short, first = timed(lambda: condensed(given.expressions))
    slopes, second = timed(lambda: condensed(jacobian(short, given.states).values()))
    return Row(
        "own graph, condensed", count_operations(short), first, count_operations(slopes), second
    )


def casadi_sx(given: Problem) -> Row:
    import casadi

    symbols = {s: casadi.SX.sym(s.name) for s in symbols_of([*given.expressions, *given.states])}
    states = casadi.vertcat(*[symbols[s] for s in given.states])
    column = casadi.vertcat(*to_casadi(given.expressions, symbols))

    def count(expression: Any) -> OperationCount:
        return casadi_count(casadi, casadi.Function("f", list(symbols.values()), [expression]))

    short, first = timed(lambda: casadi.cse(column))
    slopes, second = timed(lambda: casadi.cse(casadi.jacobian(short, states)))
    return Row("CasADi SX", count(short), first, count(slopes), second)


def sympy_engine(given: Problem) -> Row:
    import sympy

    converted, states = to_sympy(given.expressions), to_sympy(given.states)

    def short(expressions: list[Any]) -> list[Any]:
        replaced, reduced = sympy.cse(expressions)
        return [e for _, e in replaced] + list(reduced)

    pieces, first = timed(lambda: short(converted))
    derived, second = timed(
        lambda: short([d for e in converted for s in states if (d := e.diff(s)) != 0])
    )
    return Row("SymPy", tree_count(pieces), first, tree_count(derived), second)


def symengine_engine(given: Problem) -> Row:
    import symengine

    symbols = {s: symengine.Symbol(s.name) for s in symbols_of([*given.expressions, *given.states])}
    converted = to_symengine(symengine, given.expressions, symbols)
    states = [symbols[s] for s in given.states]

    def short(expressions: list[Any]) -> list[Any]:
        replaced, reduced = symengine.cse(expressions)
        return [e for _, e in replaced] + list(reduced)

    pieces, first = timed(lambda: short(converted))
    derived, second = timed(
        lambda: short([d for e in converted for s in states if (d := e.diff(s)) != 0])
    )
    return Row("SymEngine", tree_count(pieces), first, tree_count(derived), second)


def to_symengine(symengine: Any, expressions: list[Expr], symbols: dict[Expr, Any]) -> list[Any]:
    """Node by node; the car's multibody part needs arithmetic, sine and cosine alone."""
    known: dict[Any, Any] = {s.node: value for s, value in symbols.items()}
    builders: dict[str, Callable[..., Any]] = {
        "one": lambda: symengine.Integer(1),
        "add": lambda a, b: a + b,
        "mul": lambda a, b: a * b,
        "inv": lambda a: 1 / a,
    }

    def scaled(e: Expr) -> Any:
        c = e.coefficient
        return known[e.node] * (symengine.Integer(int(c)) if c.is_integer() else c)

    for node in topological_order(expressions):
        if node not in known:
            build = builders.get(node.operation) or getattr(symengine, node.operation)
            known[node] = build(*[scaled(e) for e in node.operands])
    return [scaled(e) for e in expressions]


# -- the page ------------------------------------------------------------------------------

ENGINES = (own, own_condensed, casadi_sx, symengine_engine, sympy_engine)


def page(rows: list[Row]) -> str:
    base = rows[0]
    lines = [
        "# Expression engines on the car's multibody part",
        "",
        "Additions / multiplications / divisions / functions after each engine's own removal of",
        "common subexpressions; the Jacobian is that of all state derivatives by all states.",
        "Times are ratios to that of the own graph's Jacobian, from one run. Written by",
        "`python benchmarks/engines.py benchmarks/engines.md`.",
        "",
        "| engine | equations | time | Jacobian | time |",
        "|---|---|---|---|---|",
    ]
    for row in rows:
        cells = (
            row.engine,
            short_text(row.equations),
            ratio(row.equations_time, base.jacobian_time),
            short_text(row.jacobian),
            ratio(row.jacobian_time, base.jacobian_time),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def ratio(spent: float, unit: float) -> str:
    return f"{spent / unit:.0f}" if spent > 10 * unit else f"{spent / unit:.2g}"


def short_text(count: OperationCount) -> str:
    return f"{count.additions} / {count.multiplications} / {count.divisions} / {count.functions}"


def main() -> None:
    given = problem()
    rows = []
    for engine in ENGINES:
        try:
            rows.append(engine(given))
        except ImportError as error:
            print(f"left out: {error}", file=sys.stderr)
    text = page(rows)
    print(text)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
