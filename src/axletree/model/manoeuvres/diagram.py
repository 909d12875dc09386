"""Diagrams: the curves that findings are read from, and where on them each of them is."""

from __future__ import annotations

import enum
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from axletree.core.unit_text import printed_unit
from axletree.core.units import UnitError, parse_unit
from axletree.model.manoeuvres.findings import YES_NO, Column, Finding, value_in_words

TOGETHER = "\N{NO-BREAK SPACE}"  # between a value and its unit
NUMBER_AND_UNIT = re.compile(r"(?<=\d) (?=(?:m|s|%|km/h)(?:\W|$))")


class Kind(enum.Enum):
    """What a mark is drawn as."""

    POINT = "a dot on a curve"
    LEVEL = "a line across"
    MOMENT = "a line upwards"
    SPAN = "an arrow along the horizontal axis"


@dataclass(frozen=True)
class Mark:
    """A place of a diagram in the units of its axes, and what stands there.

    Of a level x says where its words stand best, of a moment y; a span goes from ``start`` to x.
    """

    kind: Kind
    x: float
    y: float
    said: Finding | str
    start: float = math.nan

    @property
    def is_known(self) -> bool:
        """Whether the run tells of it."""
        values = [self.x, self.y] + ([self.start] if self.kind is Kind.SPAN else [])
        if isinstance(self.said, Finding):
            values.append(self.said.value)
        return all(math.isfinite(value) for value in values)

    def words(self, title: str = "", units: Sequence[str] = ()) -> str:
        """The finding and its value, in that of the units of the axes which is of its dimension.

        What it says before a colon or a comma is left out where the title of the diagram says it.
        """
        if isinstance(self.said, str):
            return self.said
        text = self.said.description
        if text.lower().startswith((f"{title}: ".lower(), f"{title}, ".lower())):
            text = text[len(title) + 2 :]
        text = NUMBER_AND_UNIT.sub(TOGETHER, text.partition("; ")[0])
        if self.said.unit == YES_NO:
            return f"{text}:{TOGETHER}{value_in_words(self.said.value, YES_NO)}"
        read = _read_in(self.said, units)
        rounded = float(value_in_words(read.value, read.unit, 3))
        value = f"{rounded:g} {printed_unit(read.unit)}".removesuffix(" 1")
        return f"{text} {value.replace(' ', TOGETHER)}"


def _read_in(found: Finding, units: Sequence[str]) -> Finding:
    """In the first of these units that is of its dimension, if none is its own."""
    if printed_unit(found.unit) in map(printed_unit, units):
        return found
    for unit in units:
        try:
            own, other = parse_unit(found.unit), parse_unit(unit)
        except UnitError:  # such as "dB", or an exponent that is not whole
            continue
        if own == other:  # 1/s of a gain are no Hz
            continue
        if own.dimension == other.dimension and any(own.dimension):
            return replace(found, value=found.value * float(own.factor / other.factor), unit=unit)
    return found


@dataclass(frozen=True, eq=False)
class Trace:
    """A curve; a guide is one to read another by, such as a straight line through its points."""

    label: str
    x: Column
    y: Column
    is_guide: bool = False


@dataclass(frozen=True, eq=False)
class Diagram:
    """One set of axes, labelled with units."""

    title: str
    x_label: str
    y_label: str
    traces: tuple[Trace, ...]
    marks: tuple[Mark, ...] = ()
    is_logarithmic: bool = False  # the horizontal axis


def point(x: float, y: float, said: Finding | str) -> Mark:
    return Mark(Kind.POINT, x, y, said)


def level(x: float, y: float, said: Finding | str) -> Mark:
    return Mark(Kind.LEVEL, x, y, said)


def moment(x: float, y: float, said: Finding | str) -> Mark:
    return Mark(Kind.MOMENT, x, y, said)


def span(start: float, x: float, y: float, said: Finding | str) -> Mark:
    return Mark(Kind.SPAN, x, y, said, start)


def over_time(
    title: str,
    unit: str,
    time: Column,
    courses: dict[str, Column],
    marks: Iterable[Mark] = (),
    guides: Iterable[Trace] = (),
    within: tuple[float, float] = (-math.inf, math.inf),
) -> Diagram:
    """Courses over the times within two [s]; those without a name are the only ones."""
    shown = (time >= within[0]) & (time <= within[1])
    traces = [Trace(name, time[shown], np.asarray(y)[shown]) for name, y in courses.items()]
    return Diagram(title, "time [s]", f"[{unit}]", (*traces, *guides), tuple(marks))


def by_name(findings: Iterable[Finding]) -> dict[str, Finding]:
    return {found.name: found for found in findings}
