"""Derivatives of findings, and what they are taken by: a parameter of the equations, or a place in
a model's file.

A place in a file leads to several parameters, and to functions such as that of a steering. The
derivatives of these numbers by the place are taken from the model as it is read with other values
there, by differences of fourth order: what is read off a description is a polynomial or a quotient
of few numbers. Functions that change are differentiated in the same way, as expressions. Findings
are differentiated along the derivatives of the run that they are found in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from axletree.analysis.studies.sweep_plan import (
    VariedPlace,
    as_changes,
    find_variation,
    is_python,
    model_entries,
    read_for,
)
from axletree.core.errors import AxletreeError
from axletree.core.progress import Progress
from axletree.core.registry import unknown_name
from axletree.core.text_table import TextTable
from axletree.core.yaml_document import Entry
from axletree.expr import Expr, directional_derivative, evaluate, symbol
from axletree.metrics.findings import Column, Columns, Finding, finding_in_words
from axletree.model.model import Model
from axletree.model_files.read import join_mappings
from axletree.system.formulation import formulate
from axletree.system.system import System

_SPACING = 1e-3  # of a value, between those that a model is read with
STENCIL = ((1, 2.0 / 3.0), (2, -1.0 / 12.0))  # weights of differences of k steps to both sides
_PLACES = (-2, -1, 1, 2)
_SAME = 1e-9  # share to which equations agree that differ by their parameters alone
N = TypeVar("N", float, Expr)
_NUMBER = re.compile(r"\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*(.*)")


class SensitivityError(AxletreeError):
    """A derivative that there is not, or that cannot be had."""


@dataclass(frozen=True, eq=False)
class Direction:
    """A value that changes, and what changes with it."""

    name: str
    value: float
    unit: str  # SI of a parameter, as it is written in a file
    parameter_slopes: Mapping[str, float]  # of parameters: derivatives by the value
    models: Mapping[int, Model] = field(default_factory=dict)  # at the places of the stencil
    functions: bool = False  # whether more than parameters change

    @property
    def size(self) -> float:
        """Of the value; slopes by the value over its size fit tolerances as states do."""
        return abs(self.value) or 1.0

    @property
    def spacing(self) -> float:
        return _SPACING * abs(self.value)

    def by_value(self, number: Callable[[Model], float]) -> float:
        """The derivative of a number that a model has by the value."""
        if not self.models:
            return 0.0
        return _slope({k: number(self.models[k]) for k in _PLACES}, self.spacing)

    def of_functions(self, expressions: Callable[[Model], list[Expr]]) -> list[Expr] | None:
        """The derivatives of expressions but for those by parameters; None if all are 0."""
        if not self.functions:
            return None
        rows = {k: expressions(self.models[k]) for k in _PLACES}
        columns = zip(*(rows[k] for k in _PLACES), strict=True)
        return [_slope(dict(zip(_PLACES, c, strict=True)), self.spacing) for c in columns]


def _slope(values: Mapping[int, N], spacing: float) -> N:
    """From values at the places of the stencil; those that do not change give exactly 0."""
    near, far = ((values[k] - values[-k]) * (weight / spacing) for k, weight in STENCIL)
    total: N = near + far
    return total


def find_direction(
    name: str,
    source: str,
    system: System,
    model: Model,
    manoeuvre: str | None,
    changes: Mapping[str, Any],
) -> Direction:
    """What a name leads to: a parameter of the system first, then a place in the file."""
    known = {q.name: q for q in system.parameters}
    if name in known:
        return Direction(name, known[name].default, known[name].unit, {name: 1.0})
    file = None if is_python(source) else model_entries(source, changes)
    if file is not None and "vehicle" in file.content and name.split(".")[0] not in file.content:
        name = f"vehicle.{name}"
    found = find_variation(name, "1", model, None, file)
    if found.place is not VariedPlace.FILE or file is None:
        raise SensitivityError(
            f"{name} is not in the equations of {system.name}: where it is 0 it is left out of "
            "them; give it another value in the model"
        )
    value, unit = _written(name, found.keys, file)
    spacing = _SPACING * abs(value)
    models = {}
    for k in _PLACES:
        text = f"{value + k * spacing!r} {unit}".strip()
        changed = join_mappings(changes, as_changes({found.keys: text}))
        models[k] = read_for(source, manoeuvre, changed)
    return _through(name, value, unit, models, system)


def _written(name: str, keys: tuple[str, ...], file: Entry) -> tuple[float, str]:
    """A number in a file, with its unit as it stands there."""
    here = file
    for key in keys:
        if not isinstance(here.content, dict) or key not in here.content:
            known = here.content if isinstance(here.content, dict) else ()
            raise SensitivityError(
                f"{name}: {unknown_name('key', key, known, 'the file')}; a value that has its "
                "default has to be written there"
            )
        here = here.content[key]
    if isinstance(here.content, dict):
        inside = ", ".join(here.content)
        raise SensitivityError(f"{name} is no number; name one of those in it: {inside}")
    match = _NUMBER.fullmatch(str(here.plain))
    if match is None:
        raise SensitivityError(f"{name} is {here.plain!r}; expected a number, with a unit or not")
    if not float(match[1]):
        raise SensitivityError(f"{name} is 0: what is 0 is left out of the equations")
    return float(match[1]), match[2].strip()


def _through(
    name: str, value: float, unit: str, models: dict[int, Model], system: System
) -> Direction:
    """The parameters that change with a place, and whether functions do."""
    numbers = {k: {q.name: q.default for q in model.parameters} for k, model in models.items()}
    names = [q.name for q in system.parameters]
    if any(set(names) - set(found) for found in numbers.values()):
        raise SensitivityError(f"{name}: other parameters are in the equations with another value")
    spacing = _SPACING * abs(value)
    parameter_slopes = {n: _slope({k: numbers[k][n] for k in _PLACES}, spacing) for n in names}
    parameter_slopes = {n: slope for n, slope in parameter_slopes.items() if slope}
    other = formulate(models[2])
    functions = not _alike(system, other, numbers[2])
    if not parameter_slopes and not functions:
        raise SensitivityError(f"{name} makes no difference to the equations of {system.name}")
    return Direction(name, value, unit, parameter_slopes, models, functions)


def _alike(system: System, other: System, numbers: Mapping[str, float]) -> bool:
    """Whether two systems are the same functions, at some values and given parameters."""
    if [q.name for q in system.states] != [q.name for q in other.states]:
        raise SensitivityError(f"{system.name} has other states with another value")
    values: dict[Expr, float] = {system.time.symbol: 0.0}
    for k, q in enumerate((*system.states, *system.inputs)):
        values[q.symbol] = q.default + 0.1 * float(np.sin(1.0 + 2.0 * k)) + 0.2
    values |= {q.symbol: numbers[q.name] for q in system.parameters}
    first, second = (np.array(evaluate(s.derivatives, values)) for s in (system, other))
    return bool((np.abs(first - second) <= _SAME * (1.0 + np.abs(first))).all())


def slopes_along(
    expressions: list[Expr],
    direction: Direction,
    of_model: Callable[[Model], list[Expr]],
) -> list[Expr]:
    """The derivatives of expressions by the value of a direction, states and inputs held."""
    rates = {symbol(name): slope for name, slope in direction.parameter_slopes.items()}
    found = directional_derivative(expressions, rates)
    more = direction.of_functions(of_model)
    return found if more is None else [a + b for a, b in zip(found, more, strict=True)]


@dataclass(frozen=True)
class SensitivityColumn:
    """The derivatives of all findings by one value."""

    name: str
    value: float
    unit: str
    slopes: tuple[FindingSlope, ...]


def columns_by(
    directions: Sequence[Direction], column: Callable[[Direction], SensitivityColumn]
) -> tuple[SensitivityColumn, ...]:
    """One for each direction, of which there has to be one; a bar shows how many are done."""
    if not directions:
        raise SensitivityError("nothing to differentiate by: name a parameter")
    columns = []
    with Progress(len(directions), "derivatives", "parameters") as progress:
        for k, direction in enumerate(directions):
            columns.append(column(direction))
            progress.show(k + 1)
    return tuple(columns)


@dataclass(frozen=True)
class Sensitivity:
    """Findings, and their derivatives; ``found.by["body.mass"]["yaw_rate_gain"]`` is one.

    Example:
    >>> from axletree.analysis.studies import sensitivity as result
    >>> from axletree.metrics.findings import Finding
    >>> gain = Finding("gain", 0.4, "1/s", "yaw rate by steering angle")
    >>> slopes = (result.FindingSlope(gain, -1e-4, False),)
    >>> mass = result.SensitivityColumn("body.mass", 1500.0, "kg", slopes)
    >>> found = result.Sensitivity("car", "turn", (gain,), (mass,))
    >>> print(f"{found.relative['body.mass']['gain']:.3f} % by %")  # -1e-4 * 1500 / 0.4
    -0.375 % by %
    """

    model: str
    what: str  # the name of the manoeuvre
    findings: tuple[Finding, ...]
    columns: tuple[SensitivityColumn, ...]
    remarks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        return self.table().html()

    def table(self) -> TextTable:
        """Values, and for each parameter the relative sensitivity [%/%].

        Example:
        >>> from axletree.analysis.studies import sensitivity as result
        >>> from axletree.metrics.findings import Finding
        >>> gain = Finding("gain", 0.4, "1/s", "yaw rate by steering angle")
        >>> slopes = (result.FindingSlope(gain, -1e-4, False),)
        >>> mass = result.SensitivityColumn("body.mass", 1500.0, "kg", slopes)
        >>> print(result.Sensitivity("car", "turn", (gain,), (mass,)))
        car, turn: relative sensitivity [%/%]
        finding                       value  body.mass
        yaw rate by steering angle  0.4 1/s    -0.3750
        body.mass = 1500 kg
        """
        relative, names = self.relative, list(self.by)
        corners = {one.finding.name for c in self.columns for one in c.slopes if one.corner}
        rows = []
        for one in self.findings:
            shares = [_four_places(relative[name][one.name]) for name in names]
            mark = " *" if one.name in corners else ""
            rows.append((one.description + mark, finding_in_words(one, 4), *shares))
        notes = [f"{c.name} = {c.value:.6g} {c.unit}".removesuffix(" 1") for c in self.columns]
        if corners:
            notes.append("* different one-sided derivatives: their mean")
        title = f"{self.model}, {self.what}: relative sensitivity [%/%]"
        return TextTable(title, ("finding:", "value", *names), tuple(rows), tuple(notes))

    @property
    def by(self) -> dict[str, dict[str, float]]:
        """In the units of findings by those of values."""
        return {
            column.name: {one.finding.name: one.slope for one in column.slopes}
            for column in self.columns
        }

    @property
    def relative(self) -> dict[str, dict[str, float]]:
        """Percent of a finding by percent of a value."""
        return {
            column.name: {one.finding.name: _relative(one, column.value) for one in column.slopes}
            for column in self.columns
        }


def _four_places(value: float) -> str:
    if not math.isfinite(value):
        return "none"
    return f"{0.0 if abs(value) < 1e-9 else value:.4f}"


def _relative(one: FindingSlope, value: float) -> float:
    return one.slope * value / one.finding.value if one.finding.value else math.nan


_SHARE = 1e-6  # of the value, to both sides: formulas are smooth, and nothing is solved anew
WIDER = 10.0  # times of that, where round-off is so much less
CORNER = 1e-3  # share of a slope by which those to both sides differ at a corner
SMOOTH = 1e-5  # share of a slope by which one over a wider range differs without a corner there

SLOPE = "_slope"  # ends the names of columns that hold derivatives


@dataclass(frozen=True)
class FindingSlope:
    """A finding and its derivative by a value."""

    finding: Finding
    slope: float  # in the unit of the finding by that of the value; nan if it does not tell
    corner: bool  # whether it is another one for greater values than for smaller ones


def slopes_of_findings(
    findings: Callable[[float], Sequence[Finding]], size: float
) -> list[FindingSlope]:
    """``findings`` are those at a step of the value, whose own size is given.

    By differences of fourth order over a range that is wide for round-off, or those next to the
    value where a formula has a corner within that range.
    """
    width = _SHARE * (size or 1.0)
    places = (-2.0 * WIDER, -WIDER, -1.0, 1.0, WIDER, 2.0 * WIDER)
    rows = [{one.name: one.value for one in findings(k * width)} for k in places]
    found = []
    for one in findings(0.0):
        far, wide, low, high, *above = (row.get(one.name, np.nan) for row in rows)
        ahead, back = (high - one.value) / width, (one.value - low) / width
        slope = 0.5 * (ahead + back)
        noise = 1e-9 * abs(one.value) / width
        apart = abs(ahead - back) > max(CORNER * max(abs(ahead), abs(back)), noise)
        over = (8.0 * (above[0] - wide) - (above[1] - far)) / (12.0 * WIDER * width)
        if not apart and abs(over - slope) <= SMOOTH * abs(slope):
            slope = over
        found.append(FindingSlope(one, float(slope), bool(apart)))
    return found


@dataclass(frozen=True)
class ShiftedRun:
    """A run with all its columns moved along their derivatives."""

    run: Columns  # with columns of derivatives by a value
    step: float  # of the value

    @property
    def time(self) -> Column:
        return self.run.time

    def __getitem__(self, name: str) -> Column:
        return np.asarray(self.run[name] + self.step * self.run[name + SLOPE])

    def __contains__(self, name: object) -> bool:
        return f"{name}{SLOPE}" in self.run
