"""The plan of a sweep: a model, how it is run, what is varied, each point of the grid.

The name of a variation is one of these, in this order: ``manoeuvre.speed``, a number of the
manoeuvre; a parameter of the model, such as ``body.mass``, which changes in the equations as they
are; or a place in the model file, such as ``vehicle.axles.front.track``, of which the model is made
anew. Values are written as ``1200:1800:7`` (a range with its ends and the number of its points),
``20,30,40 km/h`` or ``full,14-dof``; a unit at the end is that of all values which have none of
their own. Fingerprints are short texts that change when what the results depend on does.
"""

from __future__ import annotations

import difflib
import enum
import hashlib
import itertools
import json
import math
import platform
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib.metadata import PackageNotFoundError, version
from numbers import Real
from pathlib import Path
from typing import Any

from axletree.components.fields import PARAMETER, part_fields
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.problems import Problems
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, parse_unit, to_si
from axletree.core.yaml_document import Entry, read_document
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.model_files.carried_model import CarriedModel, read_carried
from axletree.model_files.included_files import SUFFIXES, entry_of, merged
from axletree.model_files.read import join_mappings, model_text

GivenVariations = Mapping[str, str | Sequence[float | str]]


@dataclass(frozen=True)
class RunSettings:
    """How each point is run; None and (): as the model proposes."""

    speed: str | float | None = None  # of the manoeuvre, m/s
    duration: float | None = None  # s
    step: float | None = None  # s
    method: str | None = None
    outputs: tuple[str, ...] = ()  # of which these are found:
    reductions: tuple[str, ...] = ("minimum", "maximum", "final")


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

    source: str | CarriedModel | Model
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
    file = None if is_python(source) else model_entries(source, both)
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


def read_for(
    source: str | CarriedModel | Model,
    manoeuvre: str | None,
    changes: Mapping[str, Any] | None = None,
) -> Model:
    """The model with what its manoeuvre of this name needs: a driver for its path, say."""
    model = read_carried(source, changes or None)
    needed = _needed(model, manoeuvre)
    return read_carried(source, join_mappings(needed, changes or {})) if needed else model


def _needed(model: Model, manoeuvre: str | None) -> dict[str, Any]:
    """What the manoeuvre of a model changes in it."""
    found = None if manoeuvre is None else model.manoeuvres.get(manoeuvre)
    return {} if found is None else found.changes


def model_entries(source: str, changes: Mapping[str, Any]) -> Entry:
    """The file with its changes, whose keys are places in it, too."""
    file = model_text(source).entries()
    return merged(entry_of(changes), file) if changes else file


def manoeuvre_of(model: Model, name: str | None, settings: RunSettings) -> Manoeuvre | None:
    if name is None:
        if settings.speed is not None:
            raise SweepError("a speed is that of a manoeuvre; name one")
        return None
    found = model.manoeuvre(name)
    asked: dict[str, Any] = {"speed": settings.speed, "duration": settings.duration}
    return replace(found, **{key: value for key, value in asked.items() if value is not None})


def is_python(source: str) -> bool:
    return source.rpartition(":")[0].endswith(".py")


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
        "settings": json.loads(json.dumps(_asked(plan.settings))),
        "versions": {"python": platform.python_version(), **_versions()},
    }


def _asked(settings: RunSettings) -> dict[str, Any]:
    """What a sweep may choose of them."""
    return {name: value for name, value in vars(settings).items() if name != "reductions"}


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
    exact = [first + (last - first) * k / steps for k in range(steps + 1)]
    return SweptValues(tuple(_float(name, value) for value in exact), unit)


def _listed(name: str, texts: Sequence[str]) -> SweptValues:
    words = tuple(text.strip() for text in texts)
    if not words or not all(words):
        raise SweepError(f"{name}: a value is missing in {','.join(words)!r}; {EXAMPLES}")
    try:
        numbers, unit = _numbers(words)
    except UnitError:
        return SweptValues(words)
    return SweptValues(tuple(_float(name, number) for number in numbers), unit)


def _float(name: str, exact: Fraction) -> float:
    try:
        return float(exact)
    except OverflowError:
        raise SweepError(f"{name}: a value is too large to compute with; {EXAMPLES}") from None


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
