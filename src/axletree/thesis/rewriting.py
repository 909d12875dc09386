"""Intermediate variables of components written otherwise, by SymPy within a budget of time."""

from __future__ import annotations

import enum
import multiprocessing
import signal
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any

from axletree.equations.equations import Equations
from axletree.equations.loads import LinkLoads
from axletree.expr import (
    Expr,
    evaluate,
    from_sympy,
    substitute,
    symbol,
    symbols_of,
    to_sympy,
    topological_order,
)
from axletree.expr.node import Node
from axletree.expr.traversal import rebuild

GOLDEN = 0.6180339887498949  # its multiples spread evenly over the unit interval
Rewrite = Callable[[Any], Any | None]  # of a SymPy expression; None leaves it as it was


@dataclass
class Rewriting:
    """Intermediate variables by the nodes that they were, and what could not be rewritten.

    Those before a variable stand in it by name while it is rewritten (Morency 2007, section
    4.5.4), so that it is no larger than in the computational sequence.
    """

    rewrite: Rewrite
    needed: Collection[Node]  # the others are left alone
    replaced: dict[Node, Expr] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    _known: dict[tuple[int, float], Any] = field(default_factory=dict)

    def add(self, component: str, variables: Sequence[tuple[str, Expr]]) -> None:
        """The intermediate variables of a component, in their order."""
        names: dict[Node, Expr] = {}
        values: dict[Expr, Expr] = {}
        for name, expression in variables:
            node = expression.node
            if not self._is_computed(node) or node in self.replaced:
                continue
            sign = 1.0 / expression.coefficient
            (short,) = with_nodes([expression], names)
            other = self._rewritten(short)
            if other is None:
                self.left.append(f"{component}.{name}")
                other = short
            own = symbol(f"{component}.{name} rewritten")
            (values[own],) = substitute([other], values)
            names[node] = own * sign
            self.replaced[node] = values[own] * sign

    def _is_computed(self, node: Node) -> bool:
        """In block 1: no state, and no result of a call."""
        return bool(node.operands) and node.operation != "output" and node in self.needed

    def _rewritten(self, expression: Expr) -> Expr | None:
        """Tyres of one kind have one expression up to names: it is rewritten once."""
        symbols = symbols_of([expression])
        key = _fingerprint(expression, symbols)
        plain = _plain_symbols(len(symbols))
        if key not in self._known:
            (form,) = to_sympy([expression], dict(zip(symbols, plain, strict=True)))
            self._known[key] = self.rewrite(form)
        if self._known[key] is None:
            return None
        return from_sympy([self._known[key]], dict(zip(plain, symbols, strict=True)))[0]


def rewrite_intermediates(equations: Equations, rewrite: Rewrite) -> tuple[Equations, list[str]]:
    """The same equations, and the names of the variables that were left as they were."""
    applied, following = equations.dynamics.applied, equations.dynamics.following
    rates = [state.rate for state in equations.internal]
    needed = [*applied.entries, *following.entries, *rates]
    work = Rewriting(rewrite, frozenset(topological_order(needed)))
    for answer in equations.answers:
        variables = [(c.suffix, c.expression) for c in answer.response.intermediates]
        work.add(answer.component, variables)
    dynamics = replace(
        equations.dynamics,
        applied=_loads(applied, work.replaced),
        following=_loads(following, work.replaced),
    )
    internal = tuple(
        replace(state, rate=rate)
        for state, rate in zip(equations.internal, with_nodes(rates, work.replaced), strict=True)
    )
    return replace(equations, dynamics=dynamics, internal=internal), work.left


def with_nodes(expressions: Sequence[Expr], replaced: Mapping[Node, Expr]) -> list[Expr]:
    """The expressions with whole nodes replaced."""
    built: dict[Node, Expr] = {}
    for node in topological_order(expressions):
        if node in replaced:
            built[node] = replaced[node]
        elif any(built[e.node] != Expr(1.0, e.node) for e in node.operands):
            operands = [built[e.node] * e.coefficient for e in node.operands]
            built[node] = rebuild(node.operation, operands, node.data)
        else:
            built[node] = Expr(1.0, node)
    return [built[e.node] * e.coefficient for e in expressions]


def _loads(loads: LinkLoads, replaced: Mapping[Node, Expr]) -> LinkLoads:
    return loads.with_entries(with_nodes(loads.entries, replaced))


def _fingerprint(expression: Expr, symbols: Sequence[Expr]) -> tuple[int, float]:
    """Equal for expressions that differ in the names of their symbols, not in their order."""
    values = {e: 0.3 + 0.6 * (k * GOLDEN % 1.0) for k, e in enumerate(symbols)}
    value = float(evaluate([expression], values)[0])
    return len(symbols), float(f"{value:.10e}")


def _plain_symbols(count: int) -> list[Any]:
    import sympy

    return [sympy.Symbol(f"x{k}") for k in range(count)]


# SymPy's ways to write an expression otherwise, each within a budget of time.
#
# Morency 2007 (section 4.7) tries Maple's ``simplify()`` and ``combine()`` on intermediate
# variables. SymPy's ``simplify`` is for the first; for the second products of sines and
# cosines become sums of multiple angles. SymPy cannot be stopped, so it works in a
# process of its own, which is ended when an expression takes too long.


class Manipulation(enum.StrEnum):
    """What is done with an expression."""

    NONE = "none"
    SIMPLIFY = "simplify"
    COMBINE = "combine"


class Manipulator:
    """Manipulates one expression after the other; None where the budget did not suffice.

    Budgets are of processor time, so that a busy machine gives the same results.
    """

    def __init__(self, budget: float, total: float) -> None:
        self._budget = budget  # s for one expression
        self._left = total  # s for all of them
        self._context = multiprocessing.get_context("spawn")
        self._process: Any = None
        self._pipe: Any = None

    def __enter__(self) -> Manipulator:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop()

    def apply(self, manipulation: Manipulation, expression: Any) -> Any | None:
        """The SymPy expression in its other form, or None."""
        if manipulation is Manipulation.NONE:
            return expression
        budget = min(self._budget, self._left)
        if budget <= 0.0:
            return None
        if self._pipe is None:
            self._start()
        self._pipe.send((manipulation, expression, budget))
        try:
            result, spent = self._pipe.recv()
        except EOFError:  # the process was ended
            self._left -= budget
            self._stop()
            return None
        self._left -= spent
        return result

    def _start(self) -> None:
        self._pipe, theirs = self._context.Pipe()
        self._process = self._context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.join()
            self._pipe.close()
        self._process = self._pipe = None


def _serve(pipe: Any) -> None:
    import sympy
    from sympy.simplify.fu import TR8

    forms: dict[Manipulation, Callable[[Any], Any]] = {
        Manipulation.SIMPLIFY: sympy.simplify,
        Manipulation.COMBINE: TR8,
    }
    while True:
        manipulation, expression, budget = pipe.recv()
        begin = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, budget)  # its signal ends the process
        result = forms[manipulation](expression)
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        pipe.send((result, time.process_time() - begin))
