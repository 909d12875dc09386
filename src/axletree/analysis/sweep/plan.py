"""The plan of a sweep: a model, how it is run, what is varied, and each point of the grid."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from axletree.analysis.sweep.values import MOST_POINTS, SweepError
from axletree.analysis.sweep.variation import Place, Variation, as_changes, find_variation
from axletree.model.document import Entry
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.model import Model
from axletree.model.read import model_text, read_model
from axletree.model.ready_made import entry_of, merged

M = TypeVar("M", bound=Model)
Given = Mapping[str, str | Sequence[float | str]]


@dataclass(frozen=True)
class RunSettings:
    """How each point is run; None and (): as the model proposes."""

    speed: str | float | None = None  # of the manoeuvre, m/s
    duration: float | None = None  # s
    step: float | None = None  # s
    method: str | None = None
    outputs: tuple[str, ...] = ()  # of which the least, the greatest and the last value are found


@dataclass(frozen=True)
class Point:
    """One point of a grid: values by name, numbers in SI units but for places in the file."""

    values: Mapping[str, float | str]
    in_words: str
    parameters: Mapping[str, float]
    fields: Mapping[str, Any]  # numbers of the manoeuvre
    changes: Mapping[str, Any]  # of the file


@dataclass(frozen=True)
class Plan:
    """All that a worker has to know."""

    source: str
    digest: str  # of the model's files
    manoeuvre: str | None
    variations: tuple[Variation, ...]
    settings: RunSettings = RunSettings()
    changes: Mapping[str, Any] = field(default_factory=dict)  # of the file, for all points
    driven: str = ""  # all that the manoeuvre says, in words

    @property
    def varies_file(self) -> bool:
        return any(one.place is Place.FILE for one in self.variations)

    def points(self) -> Iterator[Point]:
        """All of the grid; what comes first varies slowest."""
        for places in itertools.product(*(range(len(one.values)) for one in self.variations)):
            yield self._point(places)

    def _point(self, places: Sequence[int]) -> Point:
        pairs = list(zip(self.variations, places, strict=True))
        of_file = {one.keys: one.written[k] for one, k in pairs if one.place is Place.FILE}
        numbers = {
            place: {one.name: float(one.values[k]) for one, k in pairs if one.place is place}
            for place in (Place.PARAMETER, Place.MANOEUVRE)
        }
        return Point(
            {one.name: one.values[k] for one, k in pairs},
            ", ".join(one.in_words(k) for one, k in pairs),
            numbers[Place.PARAMETER],
            {name.partition(".")[2]: n for name, n in numbers[Place.MANOEUVRE].items()},
            joined(self.changes, as_changes(of_file)),
        )


def make_plan(
    source: str,
    digest: str,
    manoeuvre: str | None,
    given: Given,
    settings: RunSettings,
    changes: Mapping[str, Any],
) -> Plan:
    """The plan, with every name looked up; what cannot be swept is refused here."""
    model = read_for(source, Model, manoeuvre, changes)
    both = joined(_needed(model, manoeuvre), changes)
    file = None if is_python(source) else _entries(source, both)
    if not given:
        raise SweepError("nothing varies: give a parameter with its values")
    driven = manoeuvre_of(model, manoeuvre, settings)
    variations = tuple(
        find_variation(name, values, model, driven, file) for name, values in given.items()
    )
    count = math.prod(len(one.values) for one in variations)
    if count > MOST_POINTS:
        raise SweepError(f"the grid has {count} points; at most {MOST_POINTS} are run at once")
    return Plan(source, digest, manoeuvre, variations, settings, dict(changes), repr(driven))


def read_for(
    source: str, kind: type[M], manoeuvre: str | None, changes: Mapping[str, Any] | None = None
) -> M:
    """The model with what its manoeuvre of this name needs: a driver for its path, say."""
    model = read_model(source, kind, changes or None)
    needed = _needed(model, manoeuvre)
    return read_model(source, kind, joined(needed, changes or {})) if needed else model


def _needed(model: Model, manoeuvre: str | None) -> dict[str, Any]:
    """What the manoeuvre of a model changes in it."""
    found = None if manoeuvre is None else model.manoeuvres.get(manoeuvre)
    return {} if found is None else found.changes


def _entries(source: str, changes: Mapping[str, Any]) -> Entry:
    """The file with its changes, whose keys are places in it, too."""
    file = model_text(source).entries()
    return merged(entry_of(changes), file) if changes else file


def manoeuvre_of(model: Model, name: str | None, settings: RunSettings) -> Manoeuvre | None:
    if name is None:
        if settings.speed is not None:
            raise SweepError("a speed is that of a manoeuvre; name one")
        return None
    found = model.manoeuvre(name)
    changed: dict[str, Any] = {}
    if settings.speed is not None:
        changed["speed"] = settings.speed
    if settings.duration is not None:
        changed["duration"] = settings.duration
    return replace(found, **changed)


def is_python(source: str) -> bool:
    return source.rpartition(":")[0].endswith(".py")


def joined(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Mappings in one another; what the second says holds."""
    both = dict(first)
    for key, value in second.items():
        inner: Any = both.get(key)
        is_deep = isinstance(inner, Mapping) and isinstance(value, Mapping)
        both[key] = joined(inner, value) if is_deep else value
    return both
