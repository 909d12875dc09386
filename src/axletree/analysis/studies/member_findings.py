"""What a manoeuvre finds of each member of a batch: runs are recorded some at a time, and dropped.

Metrics that take runs in rows find all of these at once, others look at one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.registry import unknown_name
from axletree.metrics.contract import Metric
from axletree.metrics.findings import Columns, Finding
from axletree.model.manoeuvre import Manoeuvre
from axletree.simulation.batch.batch_result import Batch
from axletree.simulation.batch.lane_run import LaneSettings, run_members
from axletree.simulation.batch.members import Members
from axletree.simulation.batch.part_batches import join_batches
from axletree.simulation.problem import Problem, SettingsError
from axletree.simulation.recording import plan_steps
from axletree.simulation.trajectory import Trajectory

_NUMBERS_HELD: Final = 4_000_000  # of runs that are recorded at once
_MOST_HELD: Final = 1024  # runs


def run_for_findings(
    problem: Problem,
    members: Members,
    states: FloatArray | None,
    settings: LaneSettings,
    lost: Mapping[int, str],
    manoeuvre: Manoeuvre,
    names: tuple[str, ...],
) -> Batch:
    """The steps of all members, with columns of findings; members in ``record`` stay as runs."""
    plan = plan_steps(problem, settings.method.name)
    width = len(problem.system.states) + len(settings.computed)
    size = int(np.clip(_NUMBERS_HELD // (plan.records * width), 8, _MOST_HELD))
    parts = []
    for first in range(0, members.count, size):
        rows = np.arange(first, min(first + size, members.count))
        own = {k - first: why for k, why in lost.items() if first <= k < first + len(rows)}
        recorded = replace(settings, record=range(len(rows)))
        begun = None if states is None else states[rows]
        part = run_members(problem, members.part(rows), begun, recorded, own)
        columns, units = _found(manoeuvre, part.runs, names, len(rows))
        kept = {k - first for k in settings.record}
        parts.append((rows, part.with_columns(columns, units, kept)))
        if not part.complete:
            break
    return join_batches(parts, members.count)


def _found(
    manoeuvre: Manoeuvre, runs: Mapping[int, Trajectory], names: Sequence[str], count: int
) -> tuple[dict[str, FloatArray], dict[str, str]]:
    """Columns of the findings of runs that came to their end, and their units."""
    columns = {name: np.full(count, np.nan) for name in names}
    whole = {k: run for k, run in runs.items() if run.complete}
    units = dict.fromkeys(names, "1")
    if not whole:
        return columns, units
    sources = _sources(manoeuvre, next(iter(whole.values())))
    known = {one.name: one for found in sources.values() for one in found}
    for name in names:
        if name not in known:
            raise SettingsError(str(unknown_name("finding", name, known, manoeuvre.summary)))
    for source, found in sources.items():
        if not {one.name for one in found} & set(names):
            continue
        values = _values(manoeuvre, source, whole, names)
        for name in names:
            if name in values:
                columns[name][list(whole)] = values[name]
    return columns, {name: known[name].unit for name in names}


def _sources(manoeuvre: Manoeuvre, run: Columns) -> dict[int, tuple[Finding, ...]]:
    """By the place of a metric what it finds of a run; -1: the manoeuvre itself."""
    found = {-1: manoeuvre.own_findings(run)}
    return found | {k: metric.findings(run) for k, metric in enumerate(manoeuvre.metrics)}


def _values(
    manoeuvre: Manoeuvre, source: int, runs: Mapping[int, Trajectory], names: Sequence[str]
) -> Mapping[str, FloatArray]:
    if source >= 0:
        of_all = _side_by_side(manoeuvre.metrics[source], list(runs.values()), names)
        if of_all is not None:
            return of_all
    find = manoeuvre.own_findings if source < 0 else manoeuvre.metrics[source].findings
    rows = [{one.name: one.value for one in find(run)} for run in runs.values()]
    return {name: np.array([row.get(name, np.nan) for row in rows]) for name in rows[0]}


def _side_by_side(
    metric: Metric, runs: Sequence[Trajectory], names: Sequence[str]
) -> Mapping[str, FloatArray] | None:
    if type(metric).of_runs is Metric.of_runs:
        return None
    first = runs[0]
    columns = {
        name: np.array([run[name] for run in runs]) for name in metric.reads if name in first
    }
    return metric.of_runs(Trajectory(first.system, first.time, columns, {}, ()), names)
