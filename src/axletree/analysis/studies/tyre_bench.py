"""A tyre on test benches: the runs of one bench."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from axletree.analysis.steady.rolling import RollingWheels
from axletree.analysis.steady.trim import trim
from axletree.code.external_functions import with_functions
from axletree.runs.bench_contract import TYRE, Bench, Setup, Subject
from axletree.simulation.instant import rhs
from axletree.simulation.simulate import StoppedRunError, simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.formulation import formulate
from axletree.system.system import System

PRESSED = "lift.speed"  # of the slide that presses a wheel down
FIRST_STEP = 1e-4  # m, of the search for the deflection
AT_REST = 1e-6  # m/s^2
_MOST_STEPS = 12


@dataclass(frozen=True)
class SetupRuns:
    """What a setup recorded, by the name of the run."""

    setup: Setup
    runs: Mapping[str, Trajectory]


def run_bench(
    bench: Bench,
    subject: Subject,
    begun: Callable[[str], None] = lambda title: None,
    functions: Mapping[str, str | Path] | None = None,
) -> list[SetupRuns]:
    """All runs of a bench; ``begun`` is called with the title of each setup.

    ``functions`` are the C files of the functions that a law in C declares, by their names.
    Raises a ModelError where the tyre cannot be put on this bench.

    Example:
    >>> from axletree import catalogue
    >>> from axletree.analysis.studies.tyre_bench import run_bench
    >>> from axletree.core.registry import load
    >>> from axletree.runs.bench_contract import Subject
    >>> law = {"type": "linear", "slip_stiffness": "9e4 N", "cornering_stiffness": "7e4 N/rad"}
    >>> spring = {"type": "linear", "stiffness": "200 kN/m"}
    >>> tyre = Subject("tyre", {"unloaded_radius": 0.3, "normal_force": spring, "law": law})
    >>> bench = load("bench", "slip-longitudinal", catalogue.BENCHES)
    >>> (measured,) = run_bench(bench, tyre)
    >>> (run,) = measured.runs.values()
    >>> print(f"{run['tyre.Fx'].min():.0f} N, locked")  # slip -1
    -90000 N, locked
    """
    found = []
    for setup in bench.setups(subject):
        begun(setup.title)
        found.append(SetupRuns(setup, _runs(setup, functions or {})))
    return found


def _runs(setup: Setup, functions: Mapping[str, str | Path]) -> dict[str, Trajectory]:
    model = setup.model
    system = formulate(model)
    system = with_functions(system, functions)
    runs = {name: _run(setup, system, values) for name, values in setup.runs.items()}
    return {"": _joined(list(runs.values()))} if setup.steady else runs


def _joined(runs: Sequence[Trajectory]) -> Trajectory:
    """The last record of each run, as the records of one."""
    first = runs[0]
    columns = {name: np.array([run[name][-1] for run in runs]) for name in first.names}
    time = np.array([run.time[-1] for run in runs])
    return replace(first, time=time, columns=columns)


def _run(setup: Setup, system: System, parameters: Mapping[str, float]) -> Trajectory:
    plan = setup.model.run
    assert plan.duration is not None
    assert plan.method is not None
    start = _start(setup, system, parameters)
    try:
        return simulate(
            system, plan.duration, step=plan.step, method=plan.method, initial=start,
            parameters=parameters, outputs=_recorded(setup, system),
            record_interval=plan.record_interval,
        )  # fmt: skip
    except StoppedRunError as stopped:  # a wheel that falls over has no contact point
        return stopped.trajectory


def _start(setup: Setup, system: System, parameters: Mapping[str, float]) -> Mapping[str, float]:
    """First values; a wheel that a rig presses down starts where it comes to rest."""

    def pressed(deflection: float | None) -> Mapping[str, float]:
        wheels = RollingWheels({TYRE: setup.slip}, deflection)
        return trim(system, setup.given, parameters=parameters, wheels=wheels).states

    if setup.lifted:
        return pressed(None)
    start = pressed(0.0)
    if PRESSED not in start or system.constraints:
        return start
    depth, change, before = 0.0, FIRST_STEP, rhs(system, start, parameters=parameters)[PRESSED]
    for _ in range(_MOST_STEPS):  # the secant method, for the force of a tyre is nearly linear
        depth += change
        start = pressed(depth)
        after = rhs(system, start, parameters=parameters)[PRESSED]
        if abs(after) < AT_REST or after == before:
            break
        change, before = change * after / (before - after), after
    return start


def _recorded(setup: Setup, system: System) -> list[str]:
    """What the tyre tells, and what else plots show."""
    shown = {name for plot in setup.model.plots for name in (*plot.y, plot.x)}
    names = [d.quantity.name for d in (*system.intermediates, *system.outputs)]
    return [name for name in names if name.startswith(f"{TYRE}.") or name in shown]
