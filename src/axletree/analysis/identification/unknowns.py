"""What is sought: parameters of the equations, places of a model's file, and what sensors add.

A name is looked up in this order: ``channel:property``, what the sensor of a channel adds to it; a
parameter of the equations, such as ``body.mass``; a place in the model's file, such as
``vehicle.axles.front.tyre.law.dFy0_1``, which moves the parameters of both wheels.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from axletree.analysis.studies.sensitivity import SensitivityError
from axletree.analysis.studies.sweep_plan import as_changes
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import unknown_name
from axletree.core.units import UnitError, parse_unit, to_si
from axletree.metrics.vehicle_signals import (
    LATERAL_ACCELERATION,
    LONGITUDINAL_ACCELERATION,
    YAW_RATE,
)
from axletree.model.model import Model
from axletree.system.system import System

Bounds = tuple[float | str, float | str]
GivenUnknowns = Sequence[str] | Mapping[str, Bounds | None]

_WIDE: Final = 10.0  # times a start: bounds where none are given
_SPACING: Final = 1e-4  # of a value of a place, to both sides, for derivatives by it
_AFFINE: Final = 1e-9  # share to which parameters lie on straight lines over a place
_NUMBER: Final = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(.*)")


class IdentificationError(ModelError):
    """What cannot be identified, or not so; one sentence for each problem."""


@dataclass(frozen=True)
class SensorProperty:
    """What a sensor may add to its channel."""

    unit: str  # "" for that of the channel
    neutral: float
    lower: float
    upper: float
    in_words: str
    channels: tuple[str, ...] = ()  # that may have it; () for all


# Measured is scale * (value at t - delay) + offset.
SENSOR_PROPERTIES: Final = {
    "offset": SensorProperty("", 0.0, -math.inf, math.inf, "what is added to the value"),
    "scale": SensorProperty("1", 1.0, 0.2, 5.0, "what the value is multiplied by"),
    "delay": SensorProperty("s", 0.0, -1.0, 1.0, "by which the channel comes late"),
    "ahead": SensorProperty(
        "m", 0.0, -10.0, 10.0, "place of an accelerometer ahead of where the model has it",
        (LATERAL_ACCELERATION, LONGITUDINAL_ACCELERATION),
    ),
    "turn": SensorProperty(
        "rad", 0.0, -0.8, 0.8, "angle by which an accelerometer is mounted to the left",
        (LATERAL_ACCELERATION, LONGITUDINAL_ACCELERATION),
    ),
}  # fmt: skip
# Outputs beside its own that the value of a channel with a property is made of.
NEEDED: Final = {
    ("ahead", LATERAL_ACCELERATION): (YAW_RATE,),
    ("ahead", LONGITUDINAL_ACCELERATION): (YAW_RATE,),
    ("turn", LATERAL_ACCELERATION): (LONGITUDINAL_ACCELERATION,),
    ("turn", LONGITUDINAL_ACCELERATION): (LATERAL_ACCELERATION,),
}


@dataclass(frozen=True)
class SoughtValue:
    """One number that is sought, in ``unit``."""

    name: str
    unit: str
    start: float
    lower: float
    upper: float
    channel: str = ""  # of a sensor's property
    keys: tuple[str, ...] = ()  # of a place in the file

    @property
    def sensor_property(self) -> str:
        """Empty for what is no property of a sensor."""
        return self.name.rpartition(":")[2] if self.channel else ""

    @property
    def size(self) -> float:
        """By which steps are scaled: of the start, or else of its bounds."""
        if self.start:
            return abs(self.start)
        width = self.upper - self.lower
        return 0.1 * width if math.isfinite(width) else 1.0


def find_unknowns(
    given: GivenUnknowns,
    start: Mapping[str, float | str],
    model: Model,
    system: System,
    channels: Mapping[str, str],
) -> tuple[SoughtValue, ...]:
    """All of them, or an error that names every problem; ``channels`` are units by name."""
    bounds = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given)
    problems, found = [], []
    if not bounds:
        problems.append("nothing is sought: name parameters, such as body.mass")
    for name in start:
        if name not in bounds:
            problems.append(str(unknown_name("unknown", name, bounds, "the starts that are given")))
    for name, limits in bounds.items():
        try:
            plain = _plain(name, model, system, channels)
            found.append(_with_bounds(plain, start.get(name), limits))
        except AxletreeError as error:
            problems.append(f"{name}: {error}")
    if problems:
        raise IdentificationError(problems)
    return tuple(found)


def _plain(name: str, model: Model, system: System, channels: Mapping[str, str]) -> SoughtValue:
    channel, colon, end = name.rpartition(":")
    if colon:
        return _of_sensor(name, channel, end, channels)
    known = {q.name: q for q in system.parameters}
    if name in known:
        return _unbounded(name, known[name].unit, known[name].default)
    if model.source is not None:
        entries = model.source.entries()
        if name.partition(".")[0] in entries.content:
            value, unit = _written(name, entries)
            return _unbounded(name, unit, value, tuple(name.split(".")))
    raise unknown_name("parameter", name, known, model.name)


def _of_sensor(name: str, channel: str, end: str, channels: Mapping[str, str]) -> SoughtValue:
    if channel not in channels:
        raise unknown_name("channel", channel, channels, "the channels that are fitted")
    if end not in SENSOR_PROPERTIES:
        raise unknown_name("property", end, SENSOR_PROPERTIES, "a sensor")
    found = SENSOR_PROPERTIES[end]
    if found.channels and channel not in found.channels:
        raise IdentificationError(f"only {' and '.join(found.channels)} have it")
    unit = found.unit or channels[channel]
    return SoughtValue(name, unit, found.neutral, found.lower, found.upper, channel)


def _unbounded(name: str, unit: str, value: float, keys: tuple[str, ...] = ()) -> SoughtValue:
    if not value:
        return SoughtValue(name, unit, value, -math.inf, math.inf, keys=keys)
    lower, upper = sorted((value / _WIDE, value * _WIDE))
    return SoughtValue(name, unit, value, lower, upper, keys=keys)


def _written(name: str, entries: Any) -> tuple[float, str]:
    """A number of a file, and its unit as it is written there."""
    here = entries
    for key in name.split("."):
        if not isinstance(here.content, dict) or key not in here.content:
            known = here.content if isinstance(here.content, dict) else ()
            raise SensitivityError(
                f"{unknown_name('key', key, known, 'the file')}; a value that has its default has "
                "to be written there"
            )
        here = here.content[key]
    match = _NUMBER.fullmatch(str(here.plain))
    if isinstance(here.content, dict | list) or match is None:
        raise IdentificationError(f"it is {here.plain!r}; expected a number, with a unit or not")
    return float(match[1]), match[2].strip()


def _with_bounds(
    plain: SoughtValue, start: float | str | None, limits: Bounds | None
) -> SoughtValue:
    def number(value: float | str, word: str) -> float:
        try:
            if plain.keys:
                return _in_written_unit(value, plain.unit)
            return float(to_si(value, expected=plain.unit))
        except (UnitError, TypeError, ValueError) as error:
            raise IdentificationError(f"{word}: {error}") from None

    begin = plain.start if start is None else number(start, "start")
    lower, upper = plain.lower, plain.upper
    if start is not None and limits is None and not plain.channel:
        wide = _unbounded(plain.name, plain.unit, begin)
        lower, upper = min(lower, wide.lower), max(upper, wide.upper)
    if limits is not None:
        if isinstance(limits, str) or len(limits) != 2:
            raise IdentificationError(f"bounds are {limits!r}; expected a lower and an upper one")
        lower, upper = (number(one, "bound") for one in limits)
        if not lower < upper:
            raise IdentificationError(f"bounds {lower:g} and {upper:g} leave nothing between them")
    if start is None:
        begin = min(max(begin, lower), upper)
    if not lower <= begin <= upper:
        raise IdentificationError(
            f"it starts at {begin:g} {plain.unit}, outside of its bounds {lower:g} and {upper:g}"
        )
    return SoughtValue(plain.name, plain.unit, begin, lower, upper, plain.channel, plain.keys)


def _in_written_unit(value: float | str, unit: str) -> float:
    if not isinstance(value, str):
        return float(value)
    match = _NUMBER.fullmatch(value)
    if match is None:
        raise IdentificationError(f"{value!r} is no number")
    own = match[2].strip()
    if not own or own == unit:
        return float(match[1])
    return to_si(value, expected=unit or "1") / float(parse_unit(unit or "1").factor)


class ParameterMap:
    """From the unknowns to the parameters of the equations that they move, with derivatives."""

    def __init__(self, unknowns: Sequence[SoughtValue], model: Model, system: System) -> None:
        self._unknowns, self._model = tuple(unknowns), model
        self._own = {q.name: q.default for q in system.parameters}
        self._places = [k for k, one in enumerate(unknowns) if one.keys]
        self._straight: dict[int, dict[str, float]] = {}  # slopes of places that are straight lines
        moved = {one.name: None for one in unknowns if not one.keys and not one.channel}
        self._base = self._own
        if self._places:
            moved |= self._look_through_places(system)
        self.names = tuple(moved)  # of the parameters that move

    def _look_through_places(self, system: System) -> dict[str, None]:
        """Which parameters places move, and whether along straight lines."""
        starts = {k: self._unknowns[k].start for k in self._places}
        self._base = self._read(starts)
        moved: dict[str, None] = {}
        for k in self._places:
            value, size = starts[k], self._unknowns[k].size
            near, far = (self._read({**starts, k: value + part * size}) for part in (0.05, 0.1))
            changed = {n for n in self._own if near[n] != self._base[n]}
            if not changed:
                raise IdentificationError(
                    f"{self._unknowns[k].name} makes no difference to the parameters of "
                    f"{system.name}: what it changes is in no equation, or is part of functions "
                    "such as that of a steering; name a parameter"
                )
            slopes = {n: (near[n] - self._base[n]) / (0.05 * size) for n in changed}
            if all(
                abs(far[n] - self._base[n] - 0.1 * size * slope)
                <= _AFFINE * (abs(far[n]) + abs(self._base[n]))
                for n, slope in slopes.items()
            ):
                self._straight[k] = slopes
            moved |= dict.fromkeys(n for n in self._own if n in changed)
        if len(self._places) > 1 and not self._is_separable(starts):
            self._straight = {}
        return moved

    def _is_separable(self, starts: Mapping[int, float]) -> bool:
        """Whether straight places add up: one that multiplies another does not."""
        if set(self._straight) != set(self._places):
            return False
        ahead = {k: value + 0.05 * self._unknowns[k].size for k, value in starts.items()}
        found, expected = self._read(ahead), dict(self._base)
        for k, slopes in self._straight.items():
            for name, slope in slopes.items():
                expected[name] += 0.05 * self._unknowns[k].size * slope
        return all(
            abs(found[n] - expected[n]) <= _AFFINE * (abs(found[n]) + abs(expected[n]))
            for n in self._own
        )

    def _read(self, places: Mapping[int, float]) -> dict[str, float]:
        """Parameters of the model as it is read with values at its places."""
        texts = {
            self._unknowns[k].keys: f"{value!r} {self._unknowns[k].unit}".strip()
            for k, value in places.items()
        }
        changed = self._model.with_changes(as_changes(texts))
        found = {q.name: q.default for q in changed.parameters}
        missing = [name for name in self._own if name not in found]
        if missing:
            raise IdentificationError(
                f"with {', '.join(self._unknowns[k].name for k in places)} changed the equations "
                f"have no {missing[0]} any more"
            )
        return {name: found[name] for name in self._own}

    def values(self, found: FloatArray) -> dict[str, float]:
        """The parameters that move, at values of the unknowns."""
        numbers = dict(self._own)
        places = {k: float(found[k]) for k in self._places}
        if places and len(self._straight) == len(places):
            numbers = dict(self._base)
            for k, slopes in self._straight.items():
                for name, slope in slopes.items():
                    numbers[name] += slope * (places[k] - self._unknowns[k].start)
        elif places:
            numbers = self._read(places)
        for k, one in enumerate(self._unknowns):
            if one.name in self._own and not one.keys:
                numbers[one.name] = float(found[k])
        return {name: numbers[name] for name in self.names}

    def slopes(self, found: FloatArray) -> FloatArray:
        """Derivatives of the parameters that move, by unknown in columns."""
        rows = {name: k for k, name in enumerate(self.names)}
        matrix = np.zeros((len(self.names), len(self._unknowns)))
        for k, one in enumerate(self._unknowns):
            if one.name in rows and not one.keys:
                matrix[rows[one.name], k] = 1.0
        for k in self._places:
            slopes = self._straight.get(k) if len(self._straight) == len(self._places) else None
            if slopes is None:
                slopes = self._differences(found, k)
            for name, slope in slopes.items():
                matrix[rows[name], k] = slope
        return matrix

    def _differences(self, found: FloatArray, k: int) -> dict[str, float]:
        places = {j: float(found[j]) for j in self._places}
        width = _SPACING * (abs(places[k]) or self._unknowns[k].size)
        ahead = self._read({**places, k: places[k] + width})
        back = self._read({**places, k: places[k] - width})
        return {n: (ahead[n] - back[n]) / (2.0 * width) for n in self.names}
