"""What differs from car to car in an experiment, by name: one quantity, or all that a pattern fits.

``front_*_spring.stiffness`` stands for the springs of both sides, which have one value in each car.
Other names are those of a sweep: a number of the manoeuvre, a parameter of the equations, or a
place in the model's file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, Final

from axletree.analysis.studies.sweep_plan import (
    SweepError,
    SweepPoint,
    Variation,
    VariedPlace,
    as_changes,
    find_variation,
)
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError
from axletree.core.problems import shown
from axletree.core.units import parse_unit, printed_unit, si_unit, units_in
from axletree.core.yaml_document import Entry
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.model_files.read import join_mappings
from axletree.simulation.batch.distributions import DrawnValue, Normal, Triangular, Uniform


@dataclass(frozen=True)
class VariedQuantity:
    """A name as it was given, and all that has its value in a car."""

    name: str
    unit: str  # of its values: SI, but for places in a file that of what was given
    members: tuple[Variation, ...]
    shown_unit: str = ""  # in which people read it, where that is another one

    @property
    def place(self) -> VariedPlace:
        return self.members[0].place

    @property
    def heading(self) -> str:
        unit = printed_unit(self.shown_unit or self.unit)
        return f"{self.name} [{unit}]" if unit and unit != "1" else self.name

    def in_shown_unit(self, values: Any) -> Any:
        """Values in the unit in which people read them."""
        return values * units_in(self.shown_unit, self.unit) if self.shown_unit else values

    def in_words(self, value: float) -> str:
        unit = printed_unit(self.shown_unit or self.unit)
        text = f"{self.name} = {self.in_shown_unit(value):.6g}"
        return f"{text} {unit}" if unit and unit != "1" else text


def find_quantities(
    names: Mapping[str, str],
    model: Model,
    manoeuvre: Manoeuvre | None,
    file: Entry | None,
) -> tuple[VariedQuantity, ...]:
    """What names lead to; each with a unit in which it was given, "" if in SI units."""
    problems: list[str] = []
    found: list[VariedQuantity] = []
    for name, unit in names.items():
        try:
            found.append(_quantity(name, unit, model, manoeuvre, file))
        except AxletreeError as error:
            problems += error.problems if hasattr(error, "problems") else [str(error)]
    members = [one.name for quantity in found for one in quantity.members]
    problems += [
        f"{one} is varied twice, by {' and '.join(q.name for q in found if one in _members(q))}"
        for one in dict.fromkeys(members)
        if members.count(one) > 1
    ]
    if problems:
        raise SweepError("; ".join(map(str, problems)))
    if not found:
        raise SweepError("nothing varies: give a parameter with its values")
    return tuple(found)


def _members(quantity: VariedQuantity) -> list[str]:
    return [one.name for one in quantity.members]


def _quantity(
    name: str, unit: str, model: Model, manoeuvre: Manoeuvre | None, file: Entry | None
) -> VariedQuantity:
    names = [name]
    if "*" in name or "?" in name:
        known = [quantity.name for quantity in model.parameters]
        names = [one for one in known if fnmatchcase(one, name)]
        if not names:
            raise SweepError(
                f"no parameter of {model.name} fits {name!r}; `axletree derive` lists them"
            )
    given = f"1 {unit}".strip()
    members = tuple(find_variation(one, [given], model, manoeuvre, file) for one in names)
    units = {one.unit for one in members}
    if len(units) > 1:
        raise SweepError(f"{name} fits quantities of several units: {', '.join(sorted(units))}")
    own = members[0].unit
    if members[0].place is VariedPlace.FILE:
        own = si_unit(unit) if unit else ""
    parse_unit(own or "1")
    other = unit if unit and unit != own else ""
    return VariedQuantity(name, own, tuple(replace(m, unit=own) for m in members), other)


def point_of(
    quantities: Sequence[VariedQuantity], values: Sequence[float], changes: Mapping[str, Any]
) -> SweepPoint:
    """A car by its values, in the order of the quantities, as a sweep runs it."""
    parameters, fields, places = {}, {}, {}
    for quantity, number in zip(quantities, values, strict=True):
        value = float(number)
        for member in quantity.members:
            if member.place is VariedPlace.PARAMETER:
                parameters[member.name] = value
            elif member.place is VariedPlace.MANOEUVRE:
                fields[member.name.partition(".")[2]] = value
            else:
                places[member.keys] = f"{value!r} {quantity.unit}".strip()
    return SweepPoint(
        {q.name: float(v) for q, v in zip(quantities, values, strict=True)},
        ", ".join(q.in_words(float(v)) for q, v in zip(quantities, values, strict=True)),
        parameters,
        fields,
        join_mappings(changes, as_changes(places)),
    )


def parameter_columns(
    quantities: Sequence[VariedQuantity], columns: Sequence[FloatArray]
) -> dict[str, FloatArray]:
    """Columns by the names of the equations."""
    pairs = zip(quantities, columns, strict=True)
    return {member.name: column for q, column in pairs for member in q.members}


DISTRIBUTIONS: Final[Mapping[str, type[DrawnValue]]] = {
    "normal": Normal,
    "uniform": Uniform,
    "triangular": Triangular,
}
_ARGUMENTS: Final = {
    "normal": "mean, standard deviation",
    "uniform": "lower, upper",
    "triangular": "lower, peak, upper",
}
_CALL: Final = re.compile(r"\s*([a-zA-Z-]+)\s*\(([^()]*)\)\s*")
_NUMBER: Final = re.compile(
    r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?)\s*(.*)"
)


def read_distribution(name: str, given: str | DrawnValue) -> DrawnValue:
    """``normal(1500, 50 kg)`` and the like; the unit at the end is that of values without one.

    Example:
    >>> from axletree.analysis.experiments.varied_quantities import read_distribution
    >>> read_distribution("body.mass", "normal(1.5, 0.05 t)")
    Normal(mean='1.5 t', deviation='0.05 t')
    """
    if isinstance(given, DrawnValue):
        return given
    forms = ", ".join(f"{word}({_ARGUMENTS[word]})" for word in DISTRIBUTIONS)
    match = _CALL.fullmatch(given) if isinstance(given, str) else None
    if match is None or match[1].lower() not in DISTRIBUTIONS:
        raise SweepError(
            f"{name} is {shown(given)}; expected a distribution: {forms}, with units if wanted, "
            "such as normal(1500, 50 kg)"
        )
    word = match[1].lower()
    texts = [text.strip() for text in match[2].split(",")]
    count = _ARGUMENTS[word].count(",") + 1
    numbers = [_NUMBER.fullmatch(text) for text in texts]
    if len(texts) != count or not all(numbers):
        raise SweepError(
            f"{name} is {given.strip()!r}; expected {count} numbers: {word}({_ARGUMENTS[word]})"
        )
    last = _unit(texts[-1])
    return DISTRIBUTIONS[word](*(t if _unit(t) else f"{t} {last}".strip() for t in texts))


def _unit(text: str) -> str:
    match = _NUMBER.fullmatch(text)
    return match[2].strip() if match else ""


def distribution_unit(one: DrawnValue) -> str:
    """The unit in which a distribution was given; "" for SI units."""
    texts = [value for value in vars(one).values() if isinstance(value, str)]
    return next((unit for unit in map(_unit, reversed(texts)) if unit), "")
