"""Arguments of public functions: their kinds are checked before anything is done with them.

What a signature says of an argument is taken by its word: a number, a text, a mapping, a class. An
annotation that says more than that, or a name that only type checkers know, is not looked at; and
what may be a number or a text is a quantity, whose messages ``units`` has.
"""

from __future__ import annotations

import inspect
import numbers
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Union, get_args, get_origin

import numpy as np

from axletree.core.errors import AxletreeError
from axletree.core.problems import shown


class ArgumentError(AxletreeError, TypeError):
    """Arguments of a kind that a function does not take; names all of them."""


def check_arguments(function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Refuse arguments, by name, of another kind than the signature of the function says.

    Example:
    >>> from axletree.core.arguments import ArgumentError, check_arguments
    >>> def double(speed: float) -> float:
    ...     check_arguments(double, locals())
    ...     return 2.0 * speed
    >>> double(2.0)
    4.0
    >>> try:
    ...     double([2.0])
    ... except ArgumentError as error:
    ...     print(error)
    double: speed is [2.0]; expected a number
    """
    problems = [
        f"{name} is {shown(given[name])}; expected {test.told_of(given[name])}"
        for name, test in _tests(function).items()
        if not test.passes(given[name])
    ]
    if problems:
        raise ArgumentError(f"{function.__name__}: {'; '.join(problems)}")


_WORDS: Final[Mapping[Any, str]] = {
    str: "a text", float: "a number", int: "a whole number", bool: "True or False",
    Mapping: "a mapping", Sequence: "a list", Iterable: "a list", Path: "a path",
    Callable: "a function", type(None): "None",
}  # fmt: skip
_LISTS: Final = (Sequence, Iterable, list, tuple)
_NO_LISTS: Final = (str, bytes, Mapping)  # though they can be gone through


@dataclass(frozen=True)
class _Kind:
    """One of those that an argument may be; of mappings and lists also whether of texts."""

    base: type
    of_texts: bool

    def fits(self, value: Any) -> bool:
        truth = isinstance(value, (bool, np.bool_))
        if self.base in (bool, float, int):
            number = {bool: object, float: numbers.Real, int: numbers.Integral}[self.base]
            return truth is (self.base is bool) and isinstance(value, number)
        if self.base in _LISTS:
            fits = isinstance(value, Iterable) and not isinstance(value, _NO_LISTS)
        else:
            fits = isinstance(value, self.base)
        return fits and not (self.of_texts and any(not isinstance(one, str) for one in value))

    @property
    def in_words(self) -> str:
        plain = _WORDS.get(self.base, self.base.__name__)
        by = " by name" if self.base is Mapping else " of names"
        return plain + by * self.of_texts


@dataclass(frozen=True)
class _Test:
    """Of an argument; types that passed are remembered where they decide it."""

    kinds: tuple[_Kind, ...]
    passed: set[type] = field(default_factory=set)

    def passes(self, value: Any) -> bool:
        if type(value) in self.passed:
            return True
        found = next((kind for kind in self.kinds if kind.fits(value)), None)
        if found is not None and not found.of_texts:
            self.passed.add(type(value))
        return found is not None

    def told_of(self, value: Any) -> str:
        """What is expected in place of a value."""
        own = list(dict.fromkeys(kind.in_words for kind in self.kinds))
        expected = own[0] if len(own) == 1 else f"{', '.join(own[:-1])} or {own[-1]}"
        listed = isinstance(value, str) and any(kind.base in _LISTS for kind in self.kinds)
        return f"{expected}; write [{value!r}]" if listed else expected


@cache
def _tests(function: Callable[..., Any]) -> dict[str, _Test]:
    """Of those arguments that are looked at."""
    parameters = inspect.signature(function).parameters.values()
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    kinds = {p.name: _kinds(p.annotation, function) for p in parameters if p.kind not in several}
    return {name: _Test(own) for name, own in kinds.items() if own}


def _kinds(annotation: Any, function: Callable[..., Any]) -> tuple[_Kind, ...]:
    """All that an argument may be; none where that is not known, or a quantity."""
    if annotation is inspect.Parameter.empty:
        return ()
    one = types.SimpleNamespace(__annotations__={"it": annotation})
    try:
        known = typing.get_type_hints(one, globalns=function.__globals__)["it"]
    except NameError:
        return ()
    parts = get_args(known) if get_origin(known) in (Union, types.UnionType) else (known,)
    bases = [get_origin(part) or part for part in parts]
    if {float, str} <= set(bases) or not all(map(_is_plain, bases)):
        return ()
    texts = [str in get_args(part)[:1] for part in parts]
    return tuple(map(_Kind, bases, texts))


def _is_plain(base: Any) -> bool:
    protocol = getattr(base, "_is_protocol", False) and base.__module__ != "collections.abc"
    return isinstance(base, type) and base not in (object, Any) and not protocol
