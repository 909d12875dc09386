"""``sweep``: a model over a grid of values, on all cores, and again from where it stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from axletree.analysis.studies.sweep_plan import (
    GivenVariations,
    RunSettings,
    SweepPlan,
    SweepPoint,
    make_plan,
    model_fingerprint,
    plan_fingerprint,
)
from axletree.analysis.studies.sweep_point import PointOutcome, prepare_plan, run_point
from axletree.analysis.studies.sweep_result import Sweep, SweepFolder, SweepRow
from axletree.analysis.studies.variations import SweepError
from axletree.analysis.studies.workers import LostTask, PointBar, usable_cores, work_through
from axletree.core.units import to_si

MOST_WORKERS = 256


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
    restart: throw away what the folder has.

    A point that fails is a row with its failure, and is tried again by the next sweep. An
    interrupt from the keyboard ends the sweep; its rows are then not complete.

    Example:
    >>> import axletree as at
    >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
    >>> found["rod.mass"].tolist(), found["energy.total.final"].round(2).tolist()  # kg, J
    ([1.0, 2.0], [-4.68, -9.37])
    """
    count = _checked_workers(workers)
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
    _run_others(plan, points, outcomes, kept, count)
    rows = tuple(SweepRow(point, outcomes.get(k)) for k, point in enumerate(points))
    return Sweep(_name(source), manoeuvre or "", plan.variations, rows, reused)


def _run_others(
    plan: SweepPlan,
    points: Sequence[SweepPoint],
    outcomes: dict[int, PointOutcome],
    kept: SweepFolder | None,
    workers: int,
) -> None:
    """Add the outcomes that are not known yet, until all are there or Ctrl-C is pressed."""
    others = [k for k in range(len(points)) if k not in outcomes]
    if not others:
        return
    known, failed = len(outcomes), 0
    try:
        prepare_plan(plan)
        work = partial(_numbered, plan, points)
        crew = work_through(others, work, min(workers, len(others)))
        with PointBar(known, len(points)) as bar, closing(crew):
            for done in crew:
                if done is not None:
                    outcome = _outcome(done.result)
                    if kept is not None:
                        kept.write(points[done.task].values, outcome)
                    outcomes[done.task] = outcome
                    failed += bool(outcome.failure)
                bar.show(len(outcomes) - known, failed)
    except KeyboardInterrupt:
        return


def _outcome(result: PointOutcome | LostTask) -> PointOutcome:
    return PointOutcome(failure=result.reason) if isinstance(result, LostTask) else result


def _numbered(plan: SweepPlan, points: Sequence[SweepPoint], k: int) -> PointOutcome:
    return run_point(plan, points[k])


def _checked_workers(workers: int | None) -> int:
    if workers is None:
        return usable_cores()
    if not 1 <= workers <= MOST_WORKERS:
        raise SweepError(f"{workers} workers: expected 1 to {MOST_WORKERS}")
    return workers


def _seconds(given: float | str | None) -> float | None:
    return None if given is None else to_si(given, expected="s")


def _name(source: str) -> str:
    return source.rpartition(":")[2] if ":" in source else Path(source).stem
