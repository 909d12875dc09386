"""What is made of models, by content, once for all tests of a worker.

Tests, examples of docstrings, pages and commands read the same models and ask for the same
equations hundreds of times, and SymPy prints them in every report. A model whose name, gravity and
components are equal to the last bit has the same equations; what cannot be written down as bytes,
such as a law of a test's own, is formulated each time.
"""

from __future__ import annotations

import io
import os
import pickle
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from copy import copy
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, Final

from axletree.code import lowering
from axletree.code.backends import c as compiler
from axletree.core.registry import section
from axletree.equations import derivation
from axletree.model_files import read as reading
from axletree.system import assemble as assembly
from axletree.system import symbolic_equations as readable

# Of a model: what has no part in the equations.
_PROPOSED: Final = {
    "description", "start", "tree", "run", "plots", "manoeuvres", "left_out", "described",
}  # fmt: skip
_VARIABLES: Final = ("AXLETREE_CC", "CC", "AXLETREE_CACHE")
_KEPT: Final = 160  # of each kind: those that were asked for last


class _Cache:
    """Answers by key, each with what its key stands for, whose identity may be in the key."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, tuple[Any, object]] = OrderedDict()

    def answer(self, key: Hashable, made: Callable[[], Any], of: object = None) -> Any:
        if key not in self._answers:
            self._answers[key] = made(), of
            if len(self._answers) > _KEPT:
                self._answers.popitem(last=False)
        self._answers.move_to_end(key)
        return self._answers[key][0]


def remember() -> None:
    """From here on; before another module takes these functions by name."""
    reading.read_model = _read(reading.read_model)
    derivation.derive_equations = _derived(derivation.derive_equations)
    assembly.assemble = _assembled(assembly.assemble)
    lowering.lower = _lowered(lowering.lower)
    readable.symbolic_equations = _readable(readable.symbolic_equations)
    text = readable.SymbolicEquations.text
    readable.SymbolicEquations.text = _printed(text)  # type: ignore[method-assign]


class _Writer(pickle.Pickler):
    """Of a component its fields, and not what it has computed from them and keeps."""

    def reducer_override(self, thing: Any) -> Any:
        if is_dataclass(thing) and not isinstance(thing, type):
            return _Writer, (type(thing), *(getattr(thing, field.name) for field in fields(thing)))
        return NotImplemented


def _content(*parts: object) -> bytes | None:
    stream = io.BytesIO()
    try:
        _Writer(stream).dump(parts)
    except (pickle.PicklingError, AttributeError, TypeError):
        return None
    return stream.getvalue()


def _read(read_model: Any) -> Any:
    cache = _Cache()

    @wraps(read_model)
    def read(source: Any, changes: Any = None) -> Any:
        if source not in section("MODELS") or changes:
            return read_model(source, changes)
        return _another(cache.answer(source, lambda: read_model(source)))

    return read


def _another(model: Any) -> Any:
    """An equal model; what is in it does not change, but a model itself can be changed."""
    made = copy(model)
    vars(made).update({name: copy(x) for name, x in vars(model).items() if isinstance(x, dict)})
    return made


def _derived(derive_equations: Any) -> Any:
    cache = _Cache()

    @wraps(derive_equations)
    def derived(model: Any, tree: Any = None, **chosen: Any) -> Any:
        described = {name: x for name, x in vars(model).items() if name not in _PROPOSED}
        # Parameters that a manoeuvre changes stay in the equations.
        kept = [parameter.name for parameter in model.parameters]
        key = _content(described, kept, tree, chosen)
        # A caution is a warning each time.
        if key is None or any(part.cautions() for part in model):
            return derive_equations(model, tree, **chosen)
        return cache.answer(key, lambda: derive_equations(model, tree, **chosen))

    return derived


def _assembled(assemble: Any) -> Any:
    cache = _Cache()

    @wraps(assemble)
    def assembled(equations: Any, form: Any, start: Mapping[str, float]) -> Any:
        content = _content(form, dict(start))
        if content is None:
            return assemble(equations, form, start)
        key = id(equations), content
        return _one(cache.answer(key, lambda: assemble(equations, form, start), of=equations))

    return assembled


_SYSTEMS: Final = _Cache()


def _one(system: Any) -> Any:
    """One system for the same expressions, so that it is also compiled and linearised once.

    With another compiler, or with other flags, it is another one.
    """
    chosen = (compiler.FLAGS, *(os.environ.get(name) for name in _VARIABLES))
    key = type(system), _parts(system), chosen
    return _SYSTEMS.answer(key, lambda: copy(system), of=system)


def _parts(system: Any) -> tuple[int, ...]:
    return tuple(id(getattr(system, field.name)) for field in fields(system))


def _lowered(lower: Any) -> Any:
    cache = _Cache()

    @wraps(lower)
    def lowered(
        system: Any, outputs: Iterable[str] | None = None, extras: Collection[Any] = (), **how: Any
    ) -> Any:
        chosen = None if outputs is None else tuple(outputs)
        for word in ("by_parameters", "differentiated"):
            if how.get(word) is not None:
                how[word] = tuple(how[word])
        key = (
            _parts(system),
            chosen,
            frozenset(extras),
            tuple(sorted(how.items(), key=lambda one: one[0])),
        )
        return cache.answer(key, lambda: lower(system, chosen, extras, **how), of=system)

    return lowered


def _readable(symbolic_equations: Any) -> Any:
    cache = _Cache()

    @wraps(symbolic_equations)
    def written(system: Any, simplify: bool = False) -> Any:
        key = _parts(system), simplify
        return cache.answer(key, lambda: symbolic_equations(system, simplify), of=system)

    return written


def _printed(text: Any) -> Any:
    cache = _Cache()

    @wraps(text)
    def printed(equations: Any) -> Any:
        return cache.answer(id(equations), lambda: text(equations), of=equations)

    return printed
