"""The run of all members: blocks of vehicles in threads, what C is given and what it fills.

Threads take blocks from one queue, and C runs without Python's lock. No member knows of another:
what fails is marked, and the others go on.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.code.printers.lanes.lane_text import LaneNumber
from axletree.core.arrays import FloatArray
from axletree.core.cores import usable_cores
from axletree.core.errors import SimulationError
from axletree.core.progress import Progress
from axletree.core.registry import few_names
from axletree.expr.quantity import Quantity
from axletree.simulation.batch.batch_result import REDUCTIONS, Batch, MemberFailure
from axletree.simulation.batch.crossings import Crossing, with_crossed
from axletree.simulation.batch.lane_code import ArrayColumns, lane_code, lane_program, make_job
from axletree.simulation.batch.members import Members
from axletree.simulation.checks import angle_places, euler_angles_of
from axletree.simulation.fixed_step import FixedStep, with_forces
from axletree.simulation.problem import Problem, SettingsError
from axletree.simulation.recording import StepPlan, plan_steps
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

NOT_RUN: Final = -1  # code of a member whose block was not reached
_BLOCKS: Final = 64  # at most, that a thread takes at once: it is asked for an interrupt between
_TAKEN: Final = 8  # times a thread goes to the queue, at least
_PULSE: Final = 0.02  # s between looks at the keyboard


@dataclass(frozen=True)
class LaneSettings:
    """How members are run, beside what they are."""

    method: FixedStep
    names: tuple[str, ...]  # of what is reduced
    number: LaneNumber = LaneNumber.DOUBLE
    record: Sequence[int] = ()
    threads: int | None = None  # one for each core
    events: tuple[Crossing, ...] = ()

    @property
    def computed(self) -> tuple[str, ...]:
        """What is evaluated where members are recorded."""
        return with_crossed(self.names, self.events)

    def __post_init__(self) -> None:
        if self.threads is not None and self.threads < 1:
            raise SettingsError(f"threads is {self.threads}; expected 1 or more, or None")


def run_members(
    problem: Problem,
    members: Members,
    states: FloatArray | None,
    settings: LaneSettings,
    lost: Mapping[int, str] | None = None,
) -> Batch:
    """The steps of all members; ``states`` has a row of first values for each of them, or none.

    Of those that are ``lost``, with the cause, nothing is reported but that.
    """
    problem = with_forces(problem)
    system, plan = problem.system, plan_steps(problem, settings.method.name)
    own = {q.name for q in system.states}
    outputs = tuple(name for name in settings.computed if name not in own)
    is_shared = _laws_are_equal(system, settings.method, outputs, problem, members)
    code = lane_code(system, settings.method, outputs, settings.number, equal_laws=is_shared)
    quantities = (*system.states, *code.program.outputs)
    run = _Arrays.of(members.count, settings, plan, quantities)
    tables = _Tables.of(problem, members)
    turns = euler_angles_of(system)
    places = angle_places(turns)
    values = _values(problem, members, states)
    job = make_job(
        {**run.arrays, **tables.arrays, "turn_places": places}, values,
        start=problem.start, h=plan.length, steps=plan.count, every=plan.every,
        members=members.count, tables=tables.count, turns=len(turns),
        watched=len(settings.names), records=plan.records, events=len(settings.events),
    )  # fmt: skip
    begin, before = time.perf_counter(), time.process_time()
    complete = _work(
        lambda first, last: code.run_blocks(job, first, last),
        -(-members.count // code.lanes), settings.threads,
    )  # fmt: skip
    elapsed, work = time.perf_counter() - begin, time.process_time() - before
    return Batch(
        system=system.name,
        members=members.count,
        columns=_given(members) | run.reduced(settings, lost or {}),
        units=_units(system, settings, quantities),
        failures=run.failures(problem, plan, quantities, lost or {}),
        runs=run.trajectories(problem, plan, quantities, settings, members),
        complete=complete,
        elapsed=elapsed,
        work=work,
        steps=int(np.clip(run.samples * plan.every, 0, plan.count).sum()),
        lanes=code.lanes,
    )


def _laws_are_equal(
    system: System,
    method: FixedStep,
    outputs: tuple[str, ...],
    problem: Problem,
    members: Members,
) -> bool:
    """Whether equal laws of the model, such as those of four tyres, are equal in all members."""
    program = lane_program(system, method, outputs, equal_laws=True)
    if not program.holds_for(problem.parameters):
        return False
    names, columns = [q.name for q in system.parameters], members.parameters.columns
    pairs = ((names[a], names[b]) for a, b in program.ties)
    varied = [(a, b) for a, b in pairs if a in columns or b in columns]
    return all(
        a in columns and b in columns and np.array_equal(columns[a], columns[b]) for a, b in varied
    )


def _values(
    problem: Problem, members: Members, states: FloatArray | None
) -> dict[str, ArrayColumns]:
    system = problem.system

    def columns(
        quantities: Sequence[Quantity], own: Mapping[str, FloatArray]
    ) -> list[tuple[int, FloatArray]]:
        index = {q.name: k for k, q in enumerate(quantities)}
        return [(index[name], column) for name, column in own.items()]

    first = columns(system.states, members.initial.columns)
    if states is not None:
        first = list(enumerate(states.T))
    return {
        "x": ArrayColumns.of(problem.states, first),
        "u": ArrayColumns.of(problem.inputs, columns(system.inputs, members.inputs.columns)),
        "p": ArrayColumns.of(
            problem.parameters, columns(system.parameters, members.parameters.columns)
        ),
    }


@dataclass(frozen=True)
class _Tables:
    """Inputs over time: breakpoints are common, coefficients common or of each member."""

    arrays: dict[str, np.ndarray]
    count: int

    @classmethod
    def of(cls, problem: Problem, members: Members) -> _Tables:
        data: list[float] = []
        own: list[FloatArray] = []
        places: list[tuple[int, ...]] = []
        start = 0
        inputs = problem.system.inputs
        for signal in problem.tables:
            breaks, rows = signal.table.breakpoints, signal.table.coefficients
            quantity = inputs[signal.index]
            course = members.courses.get(quantity.name)
            rate_of = members.courses.get(quantity.derivative_of or "")
            place = -1
            if course is not None or rate_of is not None:
                given = course if course is not None else rate_of
                assert given is not None
                found = _line_coefficients(*given, is_rate=course is None)
                if found.shape[:2] != (len(rows), len(rows[0])):
                    raise SimulationError(f"the courses of {quantity.name} are no straight lines")
                own.append(found.ravel())
                place, start = start, start + found.size
            places.append((signal.index, len(breaks), len(rows[0]), len(data), place))
            data += [*breaks, *(value for row in rows for value in row)]
        arrays = {
            "table_data": np.array([*data, 0.0]),
            "own_data": np.concatenate([*own, np.zeros(1)]),
            "table_places": np.array(places or [(0,) * 5], dtype=np.int64),
        }
        return cls(arrays, len(places))


def _line_coefficients(times: FloatArray, values: FloatArray, *, is_rate: bool) -> FloatArray:
    """Of straight lines through points, held at the ends: [row, power, member]."""
    slopes = np.diff(values, axis=1) / np.diff(times)
    none = np.zeros((len(values), 1))
    constant = np.hstack([values[:, :1], values])
    slope = np.hstack([none, slopes, none])
    powers = (slope,) if is_rate else (constant, slope)
    return np.ascontiguousarray(np.array(powers).transpose(2, 0, 1))


_FIELDS: Final = ("least", "most", "sum", "squares", "last")
_STATE, _OUTPUT = 1, 2  # codes of lanes.c; 3: a lost orientation


@dataclass(frozen=True)
class _Arrays:
    """What C fills."""

    arrays: dict[str, np.ndarray]
    recorded: tuple[int, ...]

    @classmethod
    def of(
        cls, count: int, settings: LaneSettings, plan: StepPlan, quantities: Sequence[Quantity]
    ) -> _Arrays:
        recorded = in_range(settings.record, count)
        index = {q.name: k for k, q in reversed(list(enumerate(quantities)))}
        shape = (len(settings.names), count)
        try:
            arrays: dict[str, np.ndarray] = {name: np.full(shape, np.nan) for name in _FIELDS}
            rows = (len(recorded), plan.records, len(quantities))
            arrays["recorded"] = np.full(rows, np.nan)
        except (MemoryError, ValueError):
            raise SimulationError(
                f"{count} members with {len(settings.names)} quantities, {len(recorded)} of them "
                f"recorded {plan.records} times, do not fit into memory; record fewer members or "
                "less often (record_interval), or run them in several batches"
            ) from None
        for name in ("codes", "failed_steps", "failed_places", "samples", "slots"):
            arrays[name] = np.zeros(count, dtype=np.int64)
        events = settings.events
        arrays["event_places"] = np.array([index[one.name] for one in events] or [0], np.int64)
        arrays["event_levels"] = np.array([one.level for one in events] or [0.0])
        arrays["event_signs"] = np.array([1.0 if one.rises else -1.0 for one in events] or [1.0])
        for name, value in (("values", 0.0), ("times", np.nan), ("counts", 0.0)):
            arrays[f"event_{name}"] = np.full((len(events), count), value)
        arrays["codes"][:] = NOT_RUN
        arrays["slots"][:] = -1
        arrays["slots"][list(recorded)] = np.arange(len(recorded))
        arrays["watched_places"] = np.array([index[n] for n in settings.names] or [0], np.int64)
        return cls(arrays, recorded)

    @property
    def samples(self) -> np.ndarray:
        return self.arrays["samples"]

    def reduced(self, settings: LaneSettings, lost: Mapping[int, str]) -> dict[str, FloatArray]:
        """ArrayColumns by name and what they are; those of members that were lost are nan."""
        values = {field: self.arrays[field] for field in _FIELDS}
        count = np.where(self.samples > 0, self.samples, 1)
        values["sum"] = values["sum"] / count
        values["squares"] = np.sqrt(values["squares"] / count)
        crossed = self.arrays["event_times"], self.arrays["event_counts"]
        for column in (*values.values(), *crossed):
            column[:, [*lost, *np.flatnonzero(self.arrays["codes"] == NOT_RUN)]] = np.nan
        pairs = tuple(zip(REDUCTIONS, _FIELDS, strict=True))
        reduced = {
            f"{name}.{kind}": values[field][k]
            for k, name in enumerate(settings.names)
            for kind, field in pairs
        }
        return reduced | {
            name: column[k]
            for k, one in enumerate(settings.events)
            for name, column in zip(one.columns, crossed, strict=True)
        }

    def failures(
        self,
        problem: Problem,
        plan: StepPlan,
        quantities: Sequence[Quantity],
        lost: Mapping[int, str],
    ) -> dict[int, MemberFailure]:
        found = {k: MemberFailure(problem.start, cause) for k, cause in lost.items()}
        codes, count = self.arrays["codes"], len(problem.system.states)
        for k in np.flatnonzero(codes > 0).tolist():
            if k in found:
                continue
            step, place = (int(self.arrays[n][k]) for n in ("failed_steps", "failed_places"))
            at = problem.start + plan.length * step
            if codes[k] == _STATE:
                cause = f"{quantities[place].name} is not finite; try a smaller step"
            elif codes[k] == _OUTPUT:
                cause = f"{quantities[count + place].name} is not finite"
            else:
                cause = "Euler angles have lost an orientation; try a smaller step, or quaternions"
            found[k] = MemberFailure(at, cause)
        return dict(sorted(found.items()))

    def trajectories(
        self,
        problem: Problem,
        plan: StepPlan,
        quantities: Sequence[Quantity],
        settings: LaneSettings,
        members: Members,
    ) -> dict[int, Trajectory]:
        steps = np.minimum(np.arange(plan.records) * plan.every, plan.count)
        times = problem.start + plan.length * steps
        states = tuple(q.name for q in problem.system.states)
        found = {}
        for slot, k in enumerate(self.recorded):
            rows = int(self.samples[k])
            columns = {
                q.name: self.arrays["recorded"][slot, :rows, i]
                for i, q in reversed(list(enumerate(quantities)))
            }
            found[k] = Trajectory(
                system=problem.system.name, time=times[:rows],
                columns={q.name: columns[q.name] for q in quantities},
                units={q.name: q.unit for q in quantities}, states=states,
                method=settings.method.name, complete=rows == plan.records,
                note="" if rows == plan.records else "the member failed",
            )  # fmt: skip
        return found


def in_range(record: Sequence[int], count: int) -> tuple[int, ...]:
    wrong = [k for k in record if not (isinstance(k, int | np.integer) and 0 <= k < count)]
    if wrong:
        raise SettingsError(
            f"record names {few_names(map(repr, wrong))}; expected members from 0 to {count - 1}"
        )
    return tuple(sorted({int(k) for k in record}))


def _given(members: Members) -> dict[str, FloatArray]:
    """The columns that differ, as they were taken."""
    kinds = (members.parameters, members.initial, members.inputs)
    return {name: column for kind in kinds for name, column in kind.columns.items()}


def _units(
    system: System, settings: LaneSettings, quantities: Sequence[Quantity]
) -> dict[str, str]:
    own = {q.name: q.unit for q in (*system.states, *system.inputs, *system.parameters)}
    found = {q.name: q.unit for q in quantities}
    own |= {f"{name}.{kind}": found[name] for name in settings.names for kind in REDUCTIONS}
    return own | {
        name: unit for one in settings.events for name, unit in zip(one.columns, "s1", strict=True)
    }


def _work(blocks_of: Callable[[int, int], None], blocks: int, threads: int | None) -> bool:
    """All blocks, in threads; False where it was interrupted from the keyboard."""
    crew = min(usable_cores() if threads is None else threads, blocks)
    size = max(1, min(_BLOCKS, blocks // (crew * _TAKEN)))
    queue = itertools.count(0, size)
    stopped = threading.Event()
    done: list[int] = []

    def work() -> None:
        while not stopped.is_set():
            first = next(queue)
            if first >= blocks:
                return
            last = min(first + size, blocks)
            blocks_of(first, last)
            done.append(last - first)

    workers = [threading.Thread(target=work, daemon=True) for _ in range(crew)]
    with Progress(blocks, "running a batch", "blocks") as progress:
        try:
            for one in workers:
                one.start()
            while alive := [one for one in workers if one.is_alive()]:
                alive[0].join(_PULSE)
                progress.show(sum(done))
        except KeyboardInterrupt:
            stopped.set()
            for one in workers:
                one.join()
            return False
    return True
