"""``sweep``: a model over a grid of values, on all cores, and again from where it stopped.

A point is the model with its values, run, and what the run comes to. What a sweep found is a row
for each point, with its values, its findings or its failure. Its folder has an index of what the
results depend on, and a file for each point. A point's file bears a digest of its values, whatever
the grid: a grid that is refined keeps the points that it had. Files are written whole or not at
all, so that a sweep may end at any time.
"""

from __future__ import annotations

import csv
import io
import json
import math
import warnings
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.studies.comparison import (
    finding_as_json,
    finding_from_json,
    finding_value,
    number_as_json,
)
from axletree.analysis.studies.machines import executor_of
from axletree.analysis.studies.sweep_plan import (
    GivenVariations,
    RunSettings,
    SweepError,
    SweepPlan,
    SweepPoint,
    Variation,
    make_plan,
    model_fingerprint,
    plan_fingerprint,
    point_fingerprint,
)
from axletree.analysis.studies.sweep_points import PointOutcome, prepare_plan, run_point
from axletree.analysis.studies.workers import Executor, LostTask, PointBar
from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelWarning
from axletree.core.files import read_json, write_text
from axletree.core.registry import few_names, unknown_name
from axletree.core.text_table import TextTable
from axletree.core.units import to_si
from axletree.metrics.findings import Finding, new_name
from axletree.model.model import Model
from axletree.model_files.carried_model import carried


def sweep(
    model: str | Path,
    parameters: GivenVariations,
    manoeuvre: str | None = None,
    *,
    speed: float | str | None = None,
    duration: float | str | None = None,
    step: float | str | None = None,
    method: str | None = None,
    outputs: Sequence[str] = (),
    changes: Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
    workers: int | None = None,
    client: Any = None,
    restart: bool = False,
) -> Sweep:
    """Run a model at every point of a grid and gather what each run comes to.

    Parameters
    ----------
    model: a YAML file, a name of the catalogue, or ``"file.py:name"``.
    parameters: by name a range ``"1200:1800:7"``, a list ``"20,30,40 km/h"``, or a sequence. A
        name is ``manoeuvre.speed`` or another number of the manoeuvre, a parameter of the
        model, or a place in its file such as ``vehicle.axles.front.track``.
    manoeuvre: a name of the model's manoeuvres; None is its own run.
    speed: m/s, of the manoeuvre. ``duration`` and ``step`` are in s; what is left out is as the
        model proposes.
    outputs: quantities of which the least, the greatest and the last value are found beside what
        the manoeuvre finds; by default those that are recorded, if the manoeuvre finds nothing.
    changes: keys of the model file with other values, for all points.
    folder: where results are kept, and taken from if they are there; None: nowhere.
    workers: processes; by default one for each core. They do not change the numbers.
    client: of Dask, or the address of its scheduler; the machines of a cluster then run the points.
    restart: throw away what the folder has.

    A point that fails is a row with its failure, and is tried again by the next sweep. An
    interrupt from the keyboard ends the sweep; its rows are then not complete. A parameter that
    changes no finding is warned of: the chosen model may not have it.

    Example:
    >>> import axletree as at
    >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
    >>> found["rod.mass"].tolist(), found["energy.total.final"].round(2).tolist()  # kg, J
    ([1.0, 2.0], [-4.68, -9.37])
    """
    check_arguments(sweep, locals())
    executor = executor_of(workers, client)
    settings = RunSettings(
        speed, _seconds(duration), _seconds(step), method, tuple(dict.fromkeys(outputs))
    )
    source = str(model)
    digest = model_fingerprint(source)
    plan = make_plan(source, digest, manoeuvre, parameters, settings, changes or {})
    kept = None if folder is None else SweepFolder(Path(folder))
    if kept is not None:
        kept.begin(plan_fingerprint(plan), restart=restart)
    points = list(plan.points())
    known = {k: kept.read(point.values) for k, point in enumerate(points)} if kept else {}
    outcomes = {k: outcome for k, outcome in known.items() if outcome is not None}
    reused = len(outcomes)
    _run_others(plan, points, outcomes, kept, executor)
    rows = tuple(SweepRow(point, outcomes.get(k)) for k, point in enumerate(points))
    name = source.rpartition(":")[2] if ":" in source else Path(source).stem
    found = Sweep(name, manoeuvre or "", plan.variations, rows, reused, _fidelity(plan.changes))
    for remark in found.remarks:
        warnings.warn(remark, ModelWarning, stacklevel=2)
    return found


def _fidelity(changes: Mapping[str, Any]) -> str:
    """Of a vehicle, if the changes name one."""
    vehicle = changes.get("vehicle")
    return str(vehicle.get("fidelity", "")) if isinstance(vehicle, Mapping) else ""


def _run_others(
    plan: SweepPlan,
    points: Sequence[SweepPoint],
    outcomes: dict[int, PointOutcome],
    kept: SweepFolder | None,
    executor: Executor,
) -> None:
    """Add the outcomes that are not known yet, until all are there or Ctrl-C is pressed."""
    others = [k for k in range(len(points)) if k not in outcomes]
    if not others:
        return
    known, failed = len(outcomes), 0
    try:
        prepare_plan(plan)
        crew = executor.work_through([(k, points[k]) for k in others], PointWork(plan))
        with PointBar(known, len(points)) as bar, closing(crew):
            for done in crew:
                if done is not None:
                    outcome = done.result
                    if isinstance(outcome, LostTask):
                        outcome = PointOutcome(failure=outcome.reason)
                    k, point = done.task
                    if kept is not None:
                        kept.write(point.values, outcome)
                    outcomes[k] = outcome
                    failed += bool(outcome.failure)
                bar.show(len(outcomes) - known, failed)
    except KeyboardInterrupt:
        return


@dataclass(frozen=True)
class PointWork:
    """What is done with each point of a sweep, wherever that is."""

    plan: SweepPlan

    def __call__(self, task: tuple[int, SweepPoint]) -> PointOutcome:
        return run_point(self.plan, task[1])

    def travelling(self) -> PointWork:
        """The same for machines that have not the files of the model."""
        source = self.plan.source
        assert not isinstance(source, Model), "sweeps are of models in files"
        return replace(self, plan=replace(self.plan, source=carried(source)))


def _seconds(given: float | str | None) -> float | None:
    return None if given is None else to_si(given, expected="s")


# Share of a finding within which values of it are the same: levels that a manoeuvre aims at are met
# to 1e-8, from first guesses that may differ.
_ROUNDING = 1e-7


@dataclass(frozen=True)
class SweepRow:
    """A point of the grid; its outcome is None if the sweep was interrupted before it."""

    point: SweepPoint
    outcome: PointOutcome | None

    def finding(self, name: str) -> float:
        return finding_value(self.outcome.findings if self.outcome else (), name)


@dataclass(frozen=True, repr=False)
class Sweep:
    """Findings by parameters, in the order of the grid; ``found["body.mass"]`` is a column.

    Example:
    >>> import axletree as at
    >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
    >>> found.complete, found.failures, found.headings[0]
    (True, {}, 'rod.mass [kg]')
    """

    model: str
    manoeuvre: str  # "": the model's own run
    variations: tuple[Variation, ...]
    rows: tuple[SweepRow, ...]
    reused: int = 0  # points that were known before
    fidelity: str = ""  # of a vehicle, where one is chosen for all points

    def __repr__(self) -> str:
        """What was varied and what was found, in a few lines."""
        driven = self.manoeuvre or "its own run"
        varied = few_names(f"{one.name} ({len(one.values)} values)" for one in self.variations)
        lines = [
            f"Sweep of {self.model!r}, {driven}: {len(self.rows)} points"
            f"{'' if self.complete else ', not complete'}",
            f"  varied: {varied}",
            f"  {len(self.findings)} findings: {few_names(one.name for one in self.findings)}",
        ]
        if self.failures:
            lines.append(f"  {len(self.failures)} points failed: {few_names(self.failures, 2)}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """A row for each point, as a notebook shows it."""
        names = [one.name for one in self.findings]
        rows = tuple(
            tuple(f"{value:.5g}" for value in row.point.values.values())
            + tuple(f"{row.finding(name):.5g}" for name in names)
            + (_failure(row),)
            for row in self.rows
        )
        return TextTable(f"Sweep of {self.model}", (*self.headings, "failure:"), rows).html()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the findings show of the sweep itself: parameters that change none of them."""
        return tuple(self._unfelt(one) for one in self.variations if self._is_unfelt(one))

    def _unfelt(self, one: Variation) -> str:
        what = f"the {self.fidelity} model of {self.model}" if self.fidelity else self.model
        driven = f" in {self.manoeuvre}" if self.manoeuvre else ""
        advice = "name outputs that it bears on"
        if self.fidelity:
            advice = f"take a fidelity that has what {self.fidelity} leaves out, or {advice}"
        return (
            f"{one.name} has no effect on {what}{driven}: none of the {len(self.findings)} "
            f"findings changes over its {len(one.values)} values; {advice}"
        )

    def _is_unfelt(self, one: Variation) -> bool:
        """Whether points that differ by one parameter alone always have the same findings."""
        names, known = [found.name for found in self.findings], False
        groups: dict[tuple[Any, ...], list[SweepRow]] = {}
        for row in self.rows:
            if row.outcome is not None and not row.outcome.failure:
                others = tuple(v for name, v in row.point.values.items() if name != one.name)
                groups.setdefault(others, []).append(row)
        for group in groups.values():
            values = np.array([[row.finding(name) for name in names] for row in group])
            size = np.abs(values).max(axis=0, initial=0.0)
            alike = np.abs(values - values[0]) <= _ROUNDING * size
            if not (alike | np.isnan(values) & np.isnan(values[0])).all():
                return False
            known = known or (len(group) > 1 and bool(np.isfinite(values).any()))
        return known

    @property
    def complete(self) -> bool:
        """Whether every point was run; some may have failed."""
        return all(row.outcome is not None for row in self.rows)

    @property
    def failures(self) -> dict[str, str]:
        """By the values of a point, in words, why it failed."""
        outcomes = ((row.point.in_words, row.outcome) for row in self.rows)
        return {words: one.failure for words, one in outcomes if one is not None and one.failure}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """One of each name, for its unit and description."""
        found: dict[str, Finding] = {}
        for row in self.rows:
            for one in row.outcome.findings if row.outcome else ():
                found.setdefault(one.name, one)
        return tuple(found.values())

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A parameter or a finding over the points; nan where there is none."""
        if any(one.name == name for one in self.variations):
            return np.array([row.point.values[name] for row in self.rows])
        known = [one.name for one in self.findings]
        if name not in known:
            names = [*(one.name for one in self.variations), *known]
            raise unknown_name("column", name, names, "the sweep", new_name(name))
        return np.array([row.finding(name) for row in self.rows])

    @property
    def headings(self) -> tuple[str, ...]:
        """Names with units, of the parameters and of the findings."""
        columns = [(one.name, one.unit) for one in self.variations]
        columns += [(one.name, one.unit) for one in self.findings]
        return tuple(f"{name} [{unit}]" if unit else name for name, unit in columns)

    def to_csv(self, path: str | Path) -> Path:
        """A line for each point with exact numbers; ``failure`` is empty where there is none.

        Example:
        >>> import axletree as at
        >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
        >>> len(found.to_csv("masses.csv").read_text().splitlines())  # a heading and two points
        3
        """
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*self.headings, "failure"])
        names = [one.name for one in self.findings]
        for row in self.rows:
            numbers = [row.finding(name) for name in names]
            cells = ["" if math.isnan(number) else repr(number) for number in numbers]
            writer.writerow([*row.point.values.values(), *cells, _failure(row)])
        write_text(path, stream.getvalue())
        return Path(path)

    def to_json(self, path: str | Path) -> Path:
        """The same with units and descriptions.

        Example:
        >>> import json
        >>> import axletree as at
        >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
        >>> json.loads(found.to_json("masses.json").read_text())["parameters"]
        [{'name': 'rod.mass', 'unit': 'kg', 'values': [1.0, 2.0]}]
        """
        content = {
            "model": self.model,
            "manoeuvre": self.manoeuvre,
            "parameters": [
                {"name": one.name, "unit": one.unit, "values": one.values}
                for one in self.variations
            ],
            "findings": [
                {"name": one.name, "unit": one.unit, "description": one.description}
                for one in self.findings
            ],
            "remarks": list(self.remarks),
            "points": [self._content(row) for row in self.rows],
        }
        write_text(path, json.dumps(content, indent=1, allow_nan=False) + "\n")
        return Path(path)

    def _content(self, row: SweepRow) -> dict[str, Any]:
        return {
            "values": dict(row.point.values),
            "findings": {one.name: number_as_json(row.finding(one.name)) for one in self.findings},
            "failure": _failure(row),
            "remarks": list(row.outcome.remarks) if row.outcome else [],
        }


def _failure(row: SweepRow) -> str:
    return "not run yet" if row.outcome is None else row.outcome.failure


INDEX, _POINTS = "sweep.json", "points"
DEPENDS_ON = {
    "model": "the model, or a file that it names",
    "changes": "the changes of the model",
    "manoeuvre": "the manoeuvre",
    "settings": "the settings of the run",
    "versions": "versions of Python, Axletree or numerical packages",
}


@dataclass(frozen=True)
class SweepFolder:
    """Results on disk."""

    path: Path

    def begin(self, fingerprint: Mapping[str, Any], *, restart: bool) -> None:
        """Refuse results of something else, or throw them away; write the index."""
        index = self.path / INDEX
        if restart:
            for file in self._files():
                file.unlink()
        elif index.exists():
            try:
                known = read_json(index)
            except (OSError, ValueError) as error:
                raise SweepError(f"{index} cannot be read: {error}; give another folder") from None
            known = known if isinstance(known, dict) else {}
            changed = (key for key in DEPENDS_ON if known.get(key) != fingerprint[key])
            other = [DEPENDS_ON[key] for key in changed]
            if other and self._files():
                raise SweepError(
                    f"{self.path} has results of another sweep: {' and '.join(other)} changed "
                    "since. They are not mixed: give another folder (--out), or begin again "
                    "(--restart), which removes them"
                )
        elif self._files():
            raise SweepError(
                f"{self.path / _POINTS} has results without {INDEX}; give another folder"
            )
        write_text(index, json.dumps(fingerprint, indent=1) + "\n")

    def _files(self) -> list[Path]:
        return sorted((self.path / _POINTS).glob("*.json"))

    def write(self, values: Mapping[str, float | str], outcome: PointOutcome) -> None:
        content = {
            "values": dict(values),
            "findings": [finding_as_json(one) for one in outcome.findings],
            "failure": outcome.failure,
            "remarks": outcome.remarks,
        }
        write_text(self._file(values), json.dumps(content, indent=1, allow_nan=False) + "\n")

    def read(self, values: Mapping[str, float | str]) -> PointOutcome | None:
        """The outcome of a point that was run before and did not fail."""
        try:
            content = read_json(self._file(values))
            if content["values"] != dict(values) or content["failure"]:
                return None
            findings = tuple(finding_from_json(one) for one in content["findings"])
            return PointOutcome(findings, remarks=tuple(content["remarks"]))
        except (OSError, ValueError, KeyError, TypeError):  # not there, or changed by hand
            return None

    def _file(self, values: Mapping[str, float | str]) -> Path:
        return self.path / _POINTS / f"{point_fingerprint(values)}.json"
