"""Values of a sweep as people write them: ``1200:1800:7``, ``20,30,40 km/h``, ``full,14-dof``.

A range has its ends and the number of its points. A unit at the end is that of all values which
have none of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real

from axletree.core.errors import AxletreeError
from axletree.core.units import UnitError, parse_unit

MOST_POINTS = 100_000  # of a sweep
EXAMPLES = "for example 1200:1800:7, 1.2 t:1.8 t:7, 20,30,40 km/h"
_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)\s*(.*)")


class SweepError(AxletreeError):
    """A sweep that cannot begin."""


@dataclass(frozen=True)
class Values:
    """What a parameter goes through: numbers of one unit ("": not said), or words."""

    of: tuple[float, ...] | tuple[str, ...]
    unit: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """As they can be written into a model file."""
        return tuple(v if isinstance(v, str) else f"{v!r} {self.unit}".strip() for v in self.of)


def read_values(name: str, given: str | Sequence[float | str]) -> Values:
    """The values that a text describes, or that a sequence has; ``name`` is for messages."""
    if isinstance(given, str):
        found = _range(name, given) if ":" in given else _listed(name, given.split(","))
    else:
        found = _listed(name, [_text(name, value) for value in given])
    twice = [str(v) for k, v in enumerate(found.of) if v in found.of[:k]]
    if twice:
        raise SweepError(f"{name}: the value {twice[0]} stands twice; give each value once")
    return found


def _text(name: str, value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Real) and not isinstance(value, bool):
        return repr(float(value))
    raise SweepError(f"{name}: expected numbers or texts, got {value!r}")


def _range(name: str, text: str) -> Values:
    ends = text.split(":")
    if len(ends) != 3:
        raise SweepError(f"{name}: {text!r} is no range FIRST:LAST:COUNT; {EXAMPLES}")
    count = ends[2].strip()
    if not re.fullmatch(r"[0-9]{1,9}", count):
        raise SweepError(f"{name}: {text!r} has {count!r} points; expected a whole number of them")
    if not 2 <= int(count) <= MOST_POINTS:
        raise SweepError(
            f"{name}: {text!r} has {count} points; a range has two or more, and at most "
            f"{MOST_POINTS}. A single value is written {name}={ends[0].strip()}"
        )
    try:
        (first, last), unit = _numbers(ends[:2])
    except UnitError as error:
        raise SweepError(f"{name}: {text!r}: {error}; {EXAMPLES}") from None
    steps = int(count) - 1
    return Values(tuple(float(first + (last - first) * k / steps) for k in range(steps + 1)), unit)


def _listed(name: str, texts: Sequence[str]) -> Values:
    words = tuple(text.strip() for text in texts)
    if not words or not all(words):
        raise SweepError(f"{name}: a value is missing in {','.join(words)!r}; {EXAMPLES}")
    try:
        numbers, unit = _numbers(words)
    except UnitError:
        return Values(words)
    return Values(tuple(float(number) for number in numbers), unit)


def _numbers(texts: Sequence[str]) -> tuple[list[Fraction], str]:
    """Exact numbers in the unit of the last; ``UnitError`` if one is no number with a unit."""
    pairs = []
    for text in texts:
        match = _NUMBER.fullmatch(text)
        if match is None:
            raise UnitError(f"{text.strip()!r} is no number, with a unit or without")
        pairs.append((Fraction(match[1]), match[2].strip()))
    unit = pairs[-1][1]
    return [number * _factor(own, unit) for number, own in pairs], unit


def _factor(own: str, unit: str) -> Fraction:
    if not own or own == unit:
        parse_unit(unit or "1")
        return Fraction(1)
    if not unit:
        raise UnitError(f"one value is in {own}, and the last one has no unit")
    one, other = parse_unit(own), parse_unit(unit)
    if one.dimension != other.dimension:
        raise UnitError(f"{own} and {unit} are units of different things")
    return one.factor / other.factor
