"""Variations: what a sweep changes, and where.

A name is one of these, in this order: ``manoeuvre.speed``, a number of the manoeuvre; a parameter
of the model, such as ``body.mass``, which changes in the equations as they are; or a place in the
model file, such as ``vehicle.axles.front.track``, of which the model is made anew.
"""

from __future__ import annotations

import difflib
import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from axletree.analysis.sweep.values import SweepError, Values, read_values
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, parse_unit, to_si
from axletree.library.part import PARAMETER, part_fields
from axletree.model.document import Entry
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.model import Model

MANOEUVRE = "manoeuvre"


class Place(enum.Enum):
    """Where a value is changed."""

    MANOEUVRE = "manoeuvre"
    PARAMETER = "parameter"
    FILE = "file"


@dataclass(frozen=True)
class Variation:
    """One thing that a sweep changes."""

    name: str
    place: Place
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
    values = read_values(name, given)
    head, _, rest = name.partition(".")
    if head == MANOEUVRE:
        return _in_si(name, Place.MANOEUVRE, values, _unit_of_field(name, rest, manoeuvre))
    units = {quantity.name: quantity.unit for quantity in model.parameters}
    if name in units:
        return _in_si(name, Place.PARAMETER, values, units[name])
    if file is not None and head in file.content:
        keys = _keys(name, file)
        return Variation(name, Place.FILE, values.of, values.unit, values.texts, keys)
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


def _in_si(name: str, place: Place, values: Values, unit: str) -> Variation:
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
