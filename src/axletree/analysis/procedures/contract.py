"""The contract of procedures: conditions as fields, stages of runs, one result with its verdict."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from axletree.analysis.procedures.proving_ground import KMH, ProvingGround
from axletree.code.backends.c import find_compiler
from axletree.code.backends.runnable import warn_of_no_compiler
from axletree.components.fields import Part, fixed_number
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError
from axletree.core.registry import few_names, load, section, unknown_name
from axletree.core.text_table import TextTable
from axletree.core.units import printed_unit
from axletree.metrics.findings import Diagram, Finding, unit_in_words, value_in_words
from axletree.metrics.verdict import Check, Comparison, Criterion, Verdict
from axletree.model.model import Model
from axletree.model_files.read import model_of
from axletree.simulation.control.reference_loops import (
    GivenController,
    controller_class,
    follower_words,
    with_actuators,
)

TABLE_DIGITS = 4  # of numbers in tables
_KEY_NUMBERS = 5  # findings beside a verdict


@dataclass(frozen=True)
class StageRow:
    """One run of a stage: what was different about it, and what came of it.

    Example:
    >>> from axletree.analysis.procedures.contract import StageRow
    >>> from axletree.metrics.findings import Finding
    >>> StageRow("left", (Finding("gain", 0.2, "1/s", "yaw rate gain"),)).findings[0].in_words
    '0.2 1/s'
    """

    label: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, eq=False)
class ProcedureStage:
    """A part of a procedure: runs under like conditions, and what they come to together.

    Example:
    >>> from axletree.analysis.procedures.contract import ProcedureStage
    >>> from axletree.metrics.findings import Finding
    >>> gain = Finding("gain", 0.2, "1/s", "yaw rate gain")
    >>> ProcedureStage("Step", "100 km/h", findings=(gain,)).findings[0].in_words
    '0.2 1/s'
    """

    title: str
    conditions: str  # one sentence: speed, inputs, what is varied
    rows: tuple[StageRow, ...] = ()
    findings: tuple[Finding, ...] = ()
    diagrams: tuple[Diagram, ...] = ()

    @property
    def table(self) -> TextTable:
        """A row for each run, a column for each finding.

        Example:
        >>> from axletree.analysis.procedures.contract import ProcedureStage, StageRow
        >>> from axletree.metrics.findings import Finding
        >>> speed = Finding("speed", 20.0, "m/s", "entry speed")
        >>> print(ProcedureStage("Search", "", (StageRow("first", (speed,)),)).table.text())
        Search
        run    entry speed [m/s]
        first                 20
        """
        columns: dict[str, str] = {}
        for row in self.rows:
            for one in row.findings:
                unit = printed_unit(unit_in_words(one.unit))
                columns.setdefault(one.name, f"{one.description} [{unit}]" if unit else
                                   one.description)  # fmt: skip
        rows = []
        for row in self.rows:
            cells = {one.name: _value_in_table(one) for one in row.findings}
            rows.append((row.label, *(cells.get(name, "") for name in columns)))
        return TextTable(self.title, ("run:", *columns.values()), tuple(rows))


def _value_in_table(found: Finding) -> str:
    return value_in_words(found.value, found.unit, TABLE_DIGITS)


@dataclass(frozen=True, eq=False)
class ProcedureResult:
    """What a procedure came to: findings by stage, and the verdict on all of them.

    Example:
    >>> from axletree.analysis.procedures.contract import ProcedureResult
    >>> ProcedureResult("iso-4138", "ISO 4138", "sedan", ()).verdict.outcome.value
    'no criterion'
    """

    name: str
    standard: str
    vehicle: str
    stages: tuple[ProcedureStage, ...]
    checks: tuple[Check, ...] = ()
    key: tuple[str, ...] = ()  # names of the findings that matter most
    notes: tuple[str, ...] = ()  # on runs that stopped, or are not to be relied on

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Of all stages as a whole."""
        return tuple(found for stage in self.stages for found in stage.findings)

    @property
    def verdict(self) -> Verdict:
        """Of all stages, by the criteria of the standard."""
        known = [one for one in self.findings if math.isfinite(one.value)]
        key = {name: place for place, name in enumerate(self.key)}
        chosen = sorted((one for one in known if one.name in key), key=lambda one: key[one.name])
        tested = f"{self.vehicle}, {self.standard}"
        return Verdict(tested, self.checks, tuple(chosen or known)[:_KEY_NUMBERS])

    def __getitem__(self, name: str) -> float:
        """The value of a finding.

        Example:
        >>> from axletree.analysis.procedures.contract import ProcedureResult, ProcedureStage
        >>> from axletree.metrics.findings import Finding
        >>> stage = ProcedureStage("", "", findings=(Finding("A", 30.0, "deg", "angle"),))
        >>> ProcedureResult("fmvss-126", "FMVSS 126", "sedan", (stage,))["A"]
        30.0
        """
        known = {one.name: one.value for one in self.findings}
        if name not in known:
            raise unknown_name("finding", name, known, self.name)
        return known[name]

    def __repr__(self) -> str:
        """The verdict with its numbers, and what else there is."""
        lines = [str(self.verdict)]
        lines += [f"  {one.description} {one.in_words}" for one in self.verdict.numbers]
        counts = ((stage.title, len(stage.rows)) for stage in self.stages)
        stages = [f"{title} ({n} {'run' if n == 1 else 'runs'})" for title, n in counts]
        return "\n".join([*lines, f"  stages: {few_names(stages, 6)}"])

    def _repr_html_(self) -> str:
        """The verdict and the table of each stage, as a notebook shows it."""
        tables = "".join(stage.table.html() for stage in self.stages if stage.rows)
        said = "<br>".join(map(escape, str(self.verdict).splitlines()))
        return f'<p>{said}</p><div style="overflow-x: auto">{tables}</div>'

    def __str__(self) -> str:
        parts = []
        for stage in self.stages:
            if stage.rows:
                parts.append(stage.table.text())
            else:
                parts.append(stage.title)
            parts[-1] += "".join(f"\n  {one.description}: {one.in_words}" for one in stage.findings)
        return "\n\n".join([*parts, str(self.verdict)])


class Procedure(Part, ABC):
    """A standard's test of a vehicle: conditions are fields, and ``carry_out`` drives its runs.

    1. It is a frozen dataclass; what the standard lets one choose is a field with its unit.
    2. ``summary`` says in a few words what is found, ``standard`` which one it follows.
    3. ``carry_out`` drives on a proving ground, which says what is driven, and returns stages with
       all that is found; checks are made against limits that the standard itself states.
    4. It writes nothing. An interrupt leaves it by ``KeyboardInterrupt``.
    5. ``path`` says what is followed in runs of the kind ``FollowPath``, if it has some;
       ``steering`` what becomes of the steering wheel if it has none. Followers of paths steer in
       the first, and are refused by the second.

    Example:
    >>> import axletree as at
    >>> at.StoppingDistance(speed="80 km/h").standard
    'ISO 21994'
    """

    standard: ClassVar[str] = ""
    path: ClassVar[str] = ""
    steering: ClassVar[str] = "its runs have no path"

    @abstractmethod
    def carry_out(self, ground: ProvingGround) -> Evaluation:
        """Drive all runs and evaluate them.

        Example:
        >>> import axletree as at
        >>> from axletree.analysis.procedures.proving_ground import ProvingGround
        >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
        >>> found = at.OnCentre().carry_out(ProvingGround(car))
        >>> [stage.title for stage in found.stages]
        ['Weave', 'Transition']
        """


def condition(unit: str, description: str, default: float) -> Any:
    """A field of a procedure: a number above 0, in this unit.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.analysis.procedures.contract import condition
    >>> @dataclass(frozen=True)
    ... class Turn:
    ...     radius: float = condition("m", "radius of the circle", 100.0)
    >>> Turn().radius
    100.0
    """
    return fixed_number(unit, description, default=default, lower=0.0, above=True)


def speed_of_all_runs(kmh: float) -> Any:
    """A field of a procedure: the speed [m/s], with a default in km/h.

    Example:
    >>> from dataclasses import dataclass
    >>> from axletree.analysis.procedures.contract import speed_of_all_runs
    >>> @dataclass(frozen=True)
    ... class Weave:
    ...     speed: float = speed_of_all_runs(90.0)
    >>> Weave().speed  # m/s
    25.0
    """
    return condition("m/s", "of all runs", kmh * KMH)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What ``carry_out`` hands back.

    Example:
    >>> from axletree.analysis.procedures.contract import Evaluation, ProcedureStage
    >>> Evaluation((ProcedureStage("Step", "100 km/h"),)).stages[0].title
    'Step'
    """

    stages: tuple[ProcedureStage, ...]
    checks: tuple[Check, ...] = ()
    key: tuple[str, ...] = ()


def procedure(
    model: Model | str | Path,
    name: str | Procedure,
    *,
    tell: Callable[[str], None] | None = None,
    controllers: Sequence[GivenController] = (),
) -> ProcedureResult:
    """Carry out a procedure of the catalogue, or one with conditions of your own.

    ``tell`` is called with a few words before each run. ``controllers``, as for ``drive``, are in
    every run.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> result = car.procedure("iso-21994")
    >>> print(f"{result['stopping_distance']:.1f} m from 100 km/h")
    42.8 m from 100 km/h
    """
    check_arguments(procedure, locals())
    model = model_of(model)
    if isinstance(name, str):
        chosen: Procedure = load("procedure", name, section("PROCEDURES"))()
        word = name
    else:
        chosen, word = name, _word(name)
    _check_path(chosen, word, controllers)
    ground = ProvingGround(with_actuators(model, controllers), controllers=tuple(controllers))
    if tell is not None:
        ground = replace(ground, tell=tell)
    _check_steered(ground, chosen.standard)
    if find_compiler() is None:
        warn_of_no_compiler()  # before the first of many runs, whose warnings become notes
    found = chosen.carry_out(ground)
    return ProcedureResult(
        word,
        chosen.standard,
        model.name.replace("_", " "),
        found.stages,
        found.checks,
        found.key,
        tuple(ground.notes),
    )


def _check_steered(ground: ProvingGround, standard: str) -> None:
    """Procedures are for vehicles on four wheels or more, which a steering wheel steers."""
    axles = ground.vehicle.axles.values()
    if all(axle.steering is None for axle in axles):
        raise ModelError(
            f"{ground.model.name} has no steering, and {standard} is for vehicles that a steering "
            "wheel steers; take one with steering on an axle"
        )


def _check_path(chosen: Procedure, word: str, controllers: Sequence[GivenController]) -> None:
    """Controllers that follow a path by their words have one in some of the runs."""
    words = follower_words(controllers)
    if not words or chosen.path:
        return
    known = {name: load("procedure", name, section("PROCEDURES")) for name in section("PROCEDURES")}
    along = ", ".join(f"{name} ({one.path})" for name, one in known.items() if one.path)
    raise ModelError(
        f"the controller {words[0]!r} follows a path, and {word} has none: {chosen.steering}. It "
        f"steers in {along}; or give it a path of its own, such as "
        f"at.{controller_class(words[0]).__name__}.of(vehicle, path=at.StraightPath())"
    )


def _word(own: Procedure) -> str:
    """The name of its class in the catalogue, or that of the class."""
    place = f"{type(own).__module__}:{type(own).__name__}"
    known = (word for word, entry in section("PROCEDURES").items() if entry == place)
    return next(known, type(own).__name__)


def worst_check(criterion: Criterion, values: Iterable[float]) -> Check:
    """Of several runs, the one that is farthest on the wrong side of a limit.

    A run that does not show the value leaves the check undecided, unless another one fails.

    Example:
    >>> from axletree.analysis.procedures.contract import worst_check
    >>> from axletree.metrics.verdict import Comparison, Criterion
    >>> most = Criterion("ratio", "yaw rate ratio", Comparison.AT_MOST, 35.0, "%")
    >>> worst_check(most, [10.0, 40.0]).in_words
    'yaw rate ratio 40 %, at most 35 %: failed'
    """
    listed = list(values)
    known = [value for value in listed if not math.isnan(value)]
    if not known:
        return Check(criterion, math.nan)
    worst = max(known) if criterion.comparison is Comparison.AT_MOST else min(known)
    decided = len(known) == len(listed) or not criterion.comparison.holds(worst, criterion.limit)
    return Check(criterion, worst if decided else math.nan)


def stopped_check(standard: str, complete: Sequence[bool]) -> tuple[Check, ...]:
    """A check that fails where runs did not come to their end; nothing where all did."""
    stopped = sum(not one for one in complete)
    limit = Criterion(
        "stopped_runs", "runs that did not come to their end", Comparison.AT_MOST, 0.0, "1",
        standard,
    )  # fmt: skip
    return (Check(limit, float(stopped)),) if stopped else ()
