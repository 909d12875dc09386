"""The plan of a sweep: a model, how it is run, what is varied, each point of the grid; and
fingerprints, short texts that change when what the results depend on does.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from axletree.analysis.studies.variations import (
    MOST_SWEEP_POINTS,
    SweepError,
    Variation,
    VariedPlace,
    as_changes,
    find_variation,
)
from axletree.core.errors import ModelError
from axletree.core.problems import Problems
from axletree.core.yaml_document import Entry, read_document
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.model_files.included_files import SUFFIXES, entry_of, merged
from axletree.model_files.read import model_text, read_model

GivenVariations = Mapping[str, str | Sequence[float | str]]


@dataclass(frozen=True)
class RunSettings:
    """How each point is run; None and (): as the model proposes."""

    speed: str | float | None = None  # of the manoeuvre, m/s
    duration: float | None = None  # s
    step: float | None = None  # s
    method: str | None = None
    outputs: tuple[str, ...] = ()  # of which the least, the greatest and the last value are found


@dataclass(frozen=True)
class SweepPoint:
    """One point of a grid: values by name, numbers in SI units but for places in the file."""

    values: Mapping[str, float | str]
    in_words: str
    parameters: Mapping[str, float]
    fields: Mapping[str, Any]  # numbers of the manoeuvre
    changes: Mapping[str, Any]  # of the file


@dataclass(frozen=True)
class SweepPlan:
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
        return any(one.place is VariedPlace.FILE for one in self.variations)

    def points(self) -> Iterator[SweepPoint]:
        """All of the grid; what comes first varies slowest."""
        for places in itertools.product(*(range(len(one.values)) for one in self.variations)):
            yield self._point(places)

    def _point(self, places: Sequence[int]) -> SweepPoint:
        pairs = list(zip(self.variations, places, strict=True))
        of_file = {one.keys: one.written[k] for one, k in pairs if one.place is VariedPlace.FILE}
        numbers = {
            place: {one.name: float(one.values[k]) for one, k in pairs if one.place is place}
            for place in (VariedPlace.PARAMETER, VariedPlace.MANOEUVRE)
        }
        return SweepPoint(
            {one.name: one.values[k] for one, k in pairs},
            ", ".join(one.in_words(k) for one, k in pairs),
            numbers[VariedPlace.PARAMETER],
            {name.partition(".")[2]: n for name, n in numbers[VariedPlace.MANOEUVRE].items()},
            join_mappings(self.changes, as_changes(of_file)),
        )


def make_plan(
    source: str,
    digest: str,
    manoeuvre: str | None,
    given: GivenVariations,
    settings: RunSettings,
    changes: Mapping[str, Any],
) -> SweepPlan:
    """The plan, with every name looked up; what cannot be swept is refused here."""
    model = read_for(source, manoeuvre, changes)
    both = join_mappings(_needed(model, manoeuvre), changes)
    file = None if is_python(source) else _entries(source, both)
    if not given:
        raise SweepError("nothing varies: give a parameter with its values")
    driven = manoeuvre_of(model, manoeuvre, settings)
    variations = tuple(
        find_variation(name, values, model, driven, file) for name, values in given.items()
    )
    count = math.prod(len(one.values) for one in variations)
    if count > MOST_SWEEP_POINTS:
        raise SweepError(
            f"the grid has {count} points; at most {MOST_SWEEP_POINTS} are run at once"
        )
    return SweepPlan(source, digest, manoeuvre, variations, settings, dict(changes), repr(driven))


def read_for(source: str, manoeuvre: str | None, changes: Mapping[str, Any] | None = None) -> Model:
    """The model with what its manoeuvre of this name needs: a driver for its path, say."""
    model = read_model(source, changes or None)
    needed = _needed(model, manoeuvre)
    return read_model(source, join_mappings(needed, changes or {})) if needed else model


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


def join_mappings(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Mappings in one another; what the second says holds."""
    both = dict(first)
    for key, value in second.items():
        inner: Any = both.get(key)
        is_deep = isinstance(inner, Mapping) and isinstance(value, Mapping)
        both[key] = join_mappings(inner, value) if is_deep else value
    return both


PACKAGES = ("axletree", "numpy", "scipy")
DIGITS = 20
_DEEPEST = 8  # files that name files


def model_fingerprint(source: str) -> str:
    """Of a model file, what it is based on, and every file beside it that it names.

    Of a Python file, its text; not of what it imports.
    """
    if is_python(source):
        path = Path(source.rpartition(":")[0])
        if not path.is_file():
            raise ModelError(f"{path}: no Python file of this name")
        return _digest([path.read_bytes()])
    found = model_text(source)
    entries = found.entries()
    text = json.dumps(entries.plain, default=str)
    return _digest([found.stem.encode(), text.encode(), *_files(entries, found.folder, _DEEPEST)])


def plan_fingerprint(plan: SweepPlan) -> dict[str, Any]:
    """All that the results of a plan depend on but for its points."""
    return {
        "model": plan.digest,
        "changes": json.loads(json.dumps(plan.changes)),
        "manoeuvre": [plan.manoeuvre or "", _digest([plan.driven.encode()])],
        "settings": json.loads(json.dumps(vars(plan.settings))),
        "versions": {"python": platform.python_version(), **_versions()},
    }


def point_fingerprint(values: Mapping[str, float | str]) -> str:
    """The same in any order and in any grid."""
    return _digest([json.dumps(sorted(values.items())).encode()])


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # used from its sources
            found[name] = "not installed"
    return found


def _digest(parts: list[bytes]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big"))
        whole.update(part)
    return whole.hexdigest()[:DIGITS]


def _files(entries: Entry, folder: Path | None, depth: int) -> Iterator[bytes]:
    """The content of files that texts of these entries name, and of those that they name."""
    if folder is None or not depth:
        return
    for text in _texts(entries.plain):
        path = folder / text
        if "\0" in text or len(text) > 255 or not path.is_file():
            continue
        content = path.read_bytes()
        yield content
        if text.endswith(SUFFIXES):
            inner = read_document(content.decode("utf-8", "replace"), Problems(text))
            yield from _files(inner, path.parent, depth - 1)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
