"""SymPy's ways to write an expression otherwise, each within a budget of time.

Morency 2007 (section 4.7) tries Maple's ``simplify()`` and ``combine()`` on intermediate
variables. SymPy's ``simplify`` is for the first; for the second products of sines and
cosines become sums of multiple angles. SymPy cannot be told to stop, so it works in a
process of its own, which is ended when an expression takes too long.
"""

from __future__ import annotations

import enum
import multiprocessing
import signal
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any


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
