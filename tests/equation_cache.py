"""Equations, systems and programs by content, made once for all tests of a worker.

Tests, examples of docstrings, pages and commands read the same models and ask for the same
equations hundreds of times. A model whose name, gravity and components are equal to the last bit
has the same equations; what cannot be written down as bytes, such as a law of a test's own, is
formulated each time.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import fields
from functools import wraps
from typing import Any, Final

from axletree.code import lowering
from axletree.equations import formulate as formulation
from axletree.system import assemble as assembly

# Neither has a part in the equations.
_PROPOSED: Final = {
    "description", "start", "tree", "run", "plots", "manoeuvres", "left_out", "described",
}  # fmt: skip
_KEPT: Final = 48  # of each kind: what was asked for last


class _Cache:
    """Answers by key; an answer is kept with what its key stands for."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, tuple[Any, object]] = OrderedDict()

    def __contains__(self, key: Hashable) -> bool:
        return key in self._answers

    def answer(self, key: Hashable, made: Callable[[], Any], of: object = None) -> Any:
        if key not in self._answers:
            self._answers[key] = made(), of
            if len(self._answers) > _KEPT:
                self._answers.popitem(last=False)
        self._answers.move_to_end(key)
        return self._answers[key][0]


def remember() -> None:
    """From here on; before anything else takes these functions by name."""
    formulation.formulate = _formulated(formulation.formulate)
    assembly.assemble = _assembled(assembly.assemble)
    lowering.lower = _lowered(lowering.lower)


def _content(*parts: object) -> bytes | None:
    try:
        return pickle.dumps(parts)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None


def _formulated(formulate: Any) -> Any:
    cache = _Cache()

    @wraps(formulate)
    def formulated(model: Any, tree: Any = None) -> Any:
        described = {name: x for name, x in vars(model).items() if name not in _PROPOSED}
        key = _content(described, tree)
        # A caution is a warning each time.
        if key is None or any(part.cautions() for part in model):
            return formulate(model, tree)
        return cache.answer(key, lambda: formulate(model, tree))

    return formulated


def _assembled(assemble: Any) -> Any:
    cache = _Cache()

    @wraps(assemble)
    def assembled(equations: Any, form: Any, start: Mapping[str, float]) -> Any:
        content = _content(form, dict(start))
        if content is None:
            return assemble(equations, form, start)
        key = id(equations), content
        return cache.answer(key, lambda: assemble(equations, form, start), of=equations)

    return assembled


def _lowered(lower: Any) -> Any:
    cache = _Cache()

    @wraps(lower)
    def lowered(
        system: Any, outputs: Iterable[str] | None = None, extras: Collection[Any] = ()
    ) -> Any:
        chosen = None if outputs is None else tuple(outputs)
        same = tuple(id(getattr(system, field.name)) for field in fields(system))
        key = same, chosen, frozenset(extras)
        return cache.answer(key, lambda: lower(system, chosen, extras), of=system)

    return lowered
