"""Variations: what a sweep changes, where, and through which values.

A name is one of these, in this order: ``manoeuvre.speed``, a number of the manoeuvre; a
parameter of the model, such as ``body.mass``, which changes in the equations as they are; or a
place in the model file, such as ``vehicle.axles.front.track``, of which the model is made anew.
Values are written as ``1200:1800:7`` (a range with its ends and the number of its points),
``20,30,40 km/h`` or ``full,14-dof``; a unit at the end is that of all values which have none of
their own.
"""

from __future__ import annotations

import difflib
import enum
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

from axletree.components.parts import PARAMETER, part_fields
from axletree.core.errors import AxletreeError
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, parse_unit, to_si
from axletree.core.yaml_document import Entry
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model

MANOEUVRE = "manoeuvre"


class VariedPlace(enum.Enum):
    """Where a value is changed."""

    MANOEUVRE = "manoeuvre"
    PARAMETER = "parameter"
    FILE = "file"


@dataclass(frozen=True)
class Variation:
    """One thing that a sweep changes."""

    name: str
    place: VariedPlace
    values: tuple[float, ...] | tuple[str, ...]
    unit: str  # SI but for places in a file; "" if none is known
    written: tuple[str, ...] = ()  # of places in a file: the values as the file may have them
    keys: tuple[str, ...] = ()  # ... and the keys that lead there
    given: str = ""  # the unit in which values were given, if it is another one

    @property
    def is_number(self) -> bool:
        return not isinstance(self.values[0], str)

    @property
    def shown_unit(self) -> str:
        """In which people read the values: the one that was given."""
        return self.given or self.unit

    def shown(self, value: float) -> float:
        """A value in ``shown_unit``."""
        if not self.given:
            return value
        return float(Fraction(value) * parse_unit(self.unit).factor / parse_unit(self.given).factor)

    def in_words(self, k: int) -> str:
        value = self.values[k]
        text = value if isinstance(value, str) else f"{self.shown(value):.6g} {self.shown_unit}"
        return f"{self.name} = {text}".removesuffix(" 1").rstrip()


def find_variation(
    name: str,
    given: str | Sequence[float | str],
    model: Model,
    manoeuvre: Manoeuvre | None,
    file: Entry | None,
) -> Variation:
    """What a name of this model and manoeuvre leads to; ``file`` is None for models of Python."""
    values = read_swept_values(name, given)
    head, _, rest = name.partition(".")
    if head == MANOEUVRE:
        return _in_si(name, VariedPlace.MANOEUVRE, values, _unit_of_field(name, rest, manoeuvre))
    units = {quantity.name: quantity.unit for quantity in model.parameters}
    if name in units:
        return _in_si(name, VariedPlace.PARAMETER, values, units[name])
    if file is not None and head in file.content:
        keys = _keys(name, file)
        return Variation(name, VariedPlace.FILE, values.of, values.unit, values.texts, keys)
    error = unknown_name("parameter", name, units, model.name)
    places = (
        "" if file is None else f"; or give a place in its file, from {', '.join(file.content)}"
    )
    raise SweepError(f"{error}{_other_ending(name, units)}{places}")


def _other_ending(name: str, units: Iterable[str]) -> str:
    """Names that end alike: the mass of another component, say."""
    ending = name.rpartition(".")[2]
    alike = [one for one in units if one.rpartition(".")[2] == ending]
    near = difflib.get_close_matches(name, alike, n=3, cutoff=0.0)
    return f". Names that end in {ending}: {', '.join(near)}" if near else ""


def _in_si(name: str, place: VariedPlace, values: SweptValues, unit: str) -> Variation:
    try:
        found = tuple(to_si(t, expected=unit) for t in values.texts)
    except UnitError as error:
        raise SweepError(f"{name}: {error}") from None
    return Variation(name, place, found, unit, given=values.unit if values.unit != unit else "")


def _unit_of_field(name: str, field: str, manoeuvre: Manoeuvre | None) -> str:
    if manoeuvre is None:
        raise SweepError(
            f"{name}: the model's own run is no manoeuvre; name one, such as step-steer"
        )
    units = {own: kind.unit for own, kind in part_fields(manoeuvre) if kind.word == PARAMETER}
    if field not in units:
        kind = type(manoeuvre).__name__
        raise SweepError(f"{name}: {unknown_name('number', field, units, f'the {kind}')}")
    return units[field]


def _keys(name: str, file: Entry) -> tuple[str, ...]:
    """The keys that lead to a value; all but the last are there."""
    words, here = name.split("."), file
    keys: list[str] = []
    while words:
        if not isinstance(here.content, dict):
            where = ".".join(keys)
            raise SweepError(f"{name}: {where} is {here.plain!r} and has no keys of its own")
        # Keys may have dots themselves: start: {pin.angle: 0.3}.
        sizes = range(len(words), 0, -1)
        size = next((k for k in sizes if ".".join(words[:k]) in here.content), 0)
        if not size and len(words) > 1:
            place = ".".join(keys) or "the file"
            raise SweepError(f"{name}: {unknown_name('key', words[0], here.content, place)}")
        size = size or 1
        keys.append(".".join(words[:size]))
        here, words = here.content.get(keys[-1], here), words[size:]
    return tuple(keys)


def as_changes(given: Mapping[tuple[str, ...], str]) -> dict[str, Any]:
    """Values by the keys that lead to them, as mappings in one another."""
    changes: dict[str, Any] = {}
    for keys, value in given.items():
        inner = changes
        for key in keys[:-1]:
            inner = inner.setdefault(key, {})
        inner[keys[-1]] = value
    return changes


MOST_SWEEP_POINTS = 100_000  # of a sweep
EXAMPLES = "for example 1200:1800:7, 1.2 t:1.8 t:7, 20,30,40 km/h"
_NUMBER = re.compile(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)\s*(.*)")


class SweepError(AxletreeError):
    """A sweep that cannot begin."""


@dataclass(frozen=True)
class SweptValues:
    """What a parameter goes through: numbers of one unit ("": not said), or words."""

    of: tuple[float, ...] | tuple[str, ...]
    unit: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """As they can be written into a model file."""
        return tuple(v if isinstance(v, str) else f"{v!r} {self.unit}".strip() for v in self.of)


def read_swept_values(name: str, given: str | Sequence[float | str]) -> SweptValues:
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


def _range(name: str, text: str) -> SweptValues:
    ends = text.split(":")
    if len(ends) != 3:
        raise SweepError(f"{name}: {text!r} is no range FIRST:LAST:COUNT; {EXAMPLES}")
    count = ends[2].strip()
    if not re.fullmatch(r"[0-9]{1,9}", count):
        raise SweepError(f"{name}: {text!r} has {count!r} points; expected a whole number of them")
    if not 2 <= int(count) <= MOST_SWEEP_POINTS:
        raise SweepError(
            f"{name}: {text!r} has {count} points; a range has two or more, and at most "
            f"{MOST_SWEEP_POINTS}. A single value is written {name}={ends[0].strip()}"
        )
    try:
        (first, last), unit = _numbers(ends[:2])
    except UnitError as error:
        raise SweepError(f"{name}: {text!r}: {error}; {EXAMPLES}") from None
    steps = int(count) - 1
    return SweptValues(
        tuple(float(first + (last - first) * k / steps) for k in range(steps + 1)), unit
    )


def _listed(name: str, texts: Sequence[str]) -> SweptValues:
    words = tuple(text.strip() for text in texts)
    if not words or not all(words):
        raise SweepError(f"{name}: a value is missing in {','.join(words)!r}; {EXAMPLES}")
    try:
        numbers, unit = _numbers(words)
    except UnitError:
        return SweptValues(words)
    return SweptValues(tuple(float(number) for number in numbers), unit)


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
