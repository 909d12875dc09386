"""Cars with given values through all trials, by lanes or one by one, kept in a folder on the way.

Results are found again by the values of their cars: one by one in files of single cars, as those
of a sweep; by lanes in files of blocks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from axletree.analysis.experiments.lane_trials import (
    BlockWork,
    LaneBlock,
    cars_of_a_block,
    lanes_in_words,
    try_block,
    why_not_lanes,
)
from axletree.analysis.experiments.trials import (
    CarWork,
    TrialPlan,
    nominal_outcome,
    with_reductions,
)
from axletree.analysis.studies.machines import DaskMachines
from axletree.analysis.studies.sweep import SweepFolder
from axletree.analysis.studies.sweep_plan import SweepError
from axletree.analysis.studies.sweep_points import PointOutcome
from axletree.analysis.studies.workers import Executor, LostTask, PointBar
from axletree.code.printers.lanes.lane_text import LaneNumber
from axletree.core.arrays import FloatArray
from axletree.core.cache import key_of
from axletree.core.files import whole_file
from axletree.core.registry import few_names
from axletree.core.value_table import ValueTable
from axletree.metrics.findings import Finding
from axletree.simulation.batch.batch import named

_BLOCKS = "blocks"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CarTable(ValueTable):
    """A row for each car: its values, and what it came to."""

    model: str
    trials: str  # manoeuvres and procedures, in words
    quantities: Sequence[Any]  # what differs: VariedQuantity
    findings: tuple[Finding, ...]  # of the model as it is, with units and descriptions
    failures: Mapping[int, str]  # by the car, why it has no findings
    way: str  # how cars were run
    reused: int = 0  # cars that were known before
    complete: bool = True

    @property
    def finished(self) -> np.ndarray:
        """Which cars came to findings."""
        found = np.ones(len(next(iter(self.columns.values()))), dtype=bool)
        found[list(self.failures)] = False
        return found

    @property
    def title(self) -> str:
        return f"{self.model}: {self.trials}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """On cars that failed."""
        if not self.failures:
            return ()
        reasons: dict[str, int] = {}
        for reason in self.failures.values():
            reasons[reason] = reasons.get(reason, 0) + 1
        told = [f"{reason} ({count})" for reason, count in reasons.items()]
        return (f"{len(self.failures)} of {len(self)} cars failed: {few_names(told, 3)}",)


@dataclass(frozen=True)
class CarRunner:
    """Runs cars; ``names`` are those of the findings that are asked for."""

    plan: TrialPlan
    nominal: tuple[Finding, ...]
    executor: Executor
    by_lanes: bool
    way: str
    kept: StudyFolder | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.nominal)

    def cars(self, values: Sequence[FloatArray]) -> CarTable:
        """A column of values for each quantity; Ctrl-C ends with what is there."""
        count = len(values[0])
        columns = {name: np.full(count, np.nan) for name in self.names}
        state = _Progress(columns, set(range(count)))
        try:
            if self.by_lanes:
                self._by_lanes(values, state)
            else:
                self._one_by_one(values, state)
        except KeyboardInterrupt:
            pass
        own = {q.name: np.asarray(v) for q, v in zip(self.plan.quantities, values, strict=True)}
        units = {q.name: q.unit or "1" for q in self.plan.quantities}
        failures = state.failures | dict.fromkeys(sorted(state.left), "not run yet")
        return CarTable(
            columns=own | columns,
            units=units | {one.name: one.unit for one in self.nominal},
            model=self.plan.name, trials=self.plan.title, quantities=self.plan.quantities,
            findings=self.nominal, failures=dict(sorted(failures.items())), way=self.way,
            reused=state.reused, complete=not state.left,
        )  # fmt: skip

    def _one_by_one(self, values: Sequence[FloatArray], state: _Progress) -> None:
        points = [self.plan.point(row) for row in np.column_stack(values).tolist()]
        for k, point in enumerate(points):
            known = self.kept.cars.read(point.values) if self.kept else None
            if known is not None:
                state.take_car(k, known)
        state.reused = len(points) - len(state.left)
        tasks = [(k, points[k]) for k in sorted(state.left)]
        crew = self.executor.work_through(tasks, CarWork(self.plan))
        reused, failed = state.reused, 0
        with PointBar(reused, len(points), "cars") as bar, closing(crew):
            for done in crew if tasks else ():
                if done is not None:
                    outcome = done.result
                    if isinstance(outcome, LostTask):
                        outcome = PointOutcome(failure=outcome.reason)
                    k, point = done.task
                    if self.kept is not None:
                        self.kept.cars.write(point.values, outcome)
                    state.take_car(k, outcome)
                    failed += bool(outcome.failure)
                bar.show(len(points) - len(state.left) - reused, failed)

    def _by_lanes(self, values: Sequence[FloatArray], state: _Progress) -> None:
        size, count = cars_of_a_block(self.plan), len(values[0])
        tasks = []
        for begin in range(0, count, size):
            block = tuple(np.ascontiguousarray(one[begin : begin + size]) for one in values)
            known = self.kept.read_block(block, self.names) if self.kept else None
            if known is not None:
                state.take_block(begin, known)
            else:
                tasks.append((begin, block))
        state.reused = count - len(state.left)
        if isinstance(self.executor, DaskMachines):
            self._blocks_on_machines(tasks, state)
            return
        for begin, block in tasks:
            self._take(begin, block, try_block(self.plan, block, self.names), state)

    def _blocks_on_machines(self, tasks: list[Any], state: _Progress) -> None:
        crew = self.executor.work_through(tasks, BlockWork(self.plan, self.names))
        with PointBar(0, len(tasks), "blocks of cars") as bar, closing(crew):
            for number, done in enumerate(one for one in crew if one is not None):
                begin, block = done.task
                if isinstance(done.result, LostTask):
                    reason = done.result.reason
                    raise SweepError(f"cars {begin} to {begin + len(block[0]) - 1}: {reason}")
                self._take(begin, block, done.result, state)
                bar.show(number + 1, 0)

    def _take(
        self, begin: int, block: tuple[FloatArray, ...], found: LaneBlock, state: _Progress
    ) -> None:
        if self.kept is not None:
            self.kept.write_block(block, found)
        state.take_block(begin, found)


@dataclass
class _Progress:
    """Findings so far, and the cars that are left."""

    columns: dict[str, FloatArray]
    left: set[int]
    failures: dict[int, str] = field(default_factory=dict)
    reused: int = 0

    def take_car(self, k: int, outcome: PointOutcome) -> None:
        self.left.discard(k)
        if outcome.failure:
            self.failures[k] = outcome.failure
        for one in outcome.findings:
            if one.name in self.columns:
                self.columns[one.name][k] = one.value

    def take_block(self, begin: int, found: LaneBlock) -> None:
        for name, column in found.columns.items():
            self.columns[name][begin : begin + len(column)] = column
        count = len(next(iter(found.columns.values())))
        self.left.difference_update(range(begin, begin + count))
        self.failures |= {begin + k: reason for k, reason in found.failures.items()}


@dataclass(frozen=True)
class StudyFolder:
    """Results on disk: those of single cars as a sweep keeps them, and blocks of lanes."""

    path: Path
    key: str  # of all that results depend on but for the values of cars

    @property
    def cars(self) -> SweepFolder:
        return SweepFolder(self.path)

    def begin(self, fingerprint: Mapping[str, Any], *, restart: bool) -> None:
        """Refuse single cars of something else; blocks bear a digest of what they follow from."""
        if restart:
            for file in sorted((self.path / _BLOCKS).glob("*.npz")):
                file.unlink()
        self.cars.begin(fingerprint, restart=restart)

    def _file(self, block: tuple[FloatArray, ...]) -> Path:
        key = key_of("block", self.key, *(one.tobytes() for one in block))
        return self.path / _BLOCKS / f"{key}.npz"

    def write_block(self, block: tuple[FloatArray, ...], found: LaneBlock) -> None:
        file = self._file(block)
        file.parent.mkdir(parents=True, exist_ok=True)
        cars = np.array(list(found.failures), dtype=np.int64)
        reasons = np.array(list(found.failures.values()), dtype=str)
        names = np.array(list(found.columns), dtype=str)
        with whole_file(file) as stream:
            np.savez(stream, names=names, cars=cars, reasons=reasons,
                     values=np.column_stack(list(found.columns.values())))  # fmt: skip

    def read_block(self, block: tuple[FloatArray, ...], names: Sequence[str]) -> LaneBlock | None:
        """None where it is not there, or was changed by hand."""
        try:
            with np.load(self._file(block), allow_pickle=False) as kept:
                columns = dict(zip(kept["names"].tolist(), kept["values"].T, strict=True))
                failures = dict(zip(kept["cars"].tolist(), kept["reasons"].tolist(), strict=True))
        except (OSError, ValueError, KeyError, EOFError):
            return None
        if list(columns) != list(names) or len(columns[names[0]]) != len(block[0]):
            return None
        return LaneBlock({name: column.copy() for name, column in columns.items()}, failures)


def evaluator(
    plan: TrialPlan,
    of: Sequence[str],
    executor: Executor,
    lanes: bool | None,
    folder: str | Path | None,
    restart: bool,
    number: str = "double",
) -> CarRunner:
    """Who runs the cars of an experiment; the model as it is runs first, and has to work.

    ``lanes``: None for where they can.
    """
    named(LaneNumber, number, "number")
    nominal = nominal_outcome(plan, of).findings
    plan = replace(with_reductions(plan, nominal), number=number)
    reason = "single runs were asked for" if lanes is False else why_not_lanes(plan)
    if lanes and reason:
        raise SweepError(f"these cars do not go by lanes: {reason}")
    if reason and number != "double":
        raise SweepError(f"number is {number!r}, and these cars do not go by lanes: {reason}")
    way = f"one by one: {reason}" if reason else lanes_in_words(plan)
    kept = None
    if folder is not None:
        fingerprint = plan.fingerprint()
        kept = StudyFolder(Path(folder), json.dumps(fingerprint, sort_keys=True))
        kept.begin(fingerprint, restart=restart)
    return CarRunner(plan, nominal, executor, not reason, way, kept)
