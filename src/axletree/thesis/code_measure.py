"""What generated code costs and how long it runs: one row of a benchmark."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from axletree.code.lowering import lower
from axletree.code.printers.c import print_unit
from axletree.code.system_operations import Operations, count_system
from axletree.expr import OperationCount
from axletree.expr.quantity import Role
from axletree.simulation.simulate import StoppedRunError, simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System
from axletree.wheel.contract import Forces

_MOST_RUNS = 3  # of one kind; the quickest counts, the others were disturbed
_PATIENCE = 2.0  # s that something may take, code generation included, to be repeated
CONVERGED = 0.05  # of a state's range: what Euler may be away from Runge and Kutta
EULER, RUNGE_KUTTA = "explicit-euler", "rk4"


@dataclass(frozen=True)
class TimedDrive:
    """A run that is timed."""

    name: str
    inputs: Mapping[str, Any]
    duration: float = 10.0  # [s]
    step: float = 1e-3  # [s]


@dataclass(frozen=True)
class DriveTime:
    """How long a drive took; None for what was not asked for."""

    euler: float  # [s]
    runge_kutta: float | None = None  # [s]
    converged: bool | None = None  # whether Euler's motion is that of Runge and Kutta


@dataclass(frozen=True)
class MeasuredCode:
    """A system as code."""

    states: int
    operations: Operations
    generation: float  # [s], from the description to C
    drives: Mapping[str, DriveTime]
    left: tuple[str, ...] = ()  # intermediate variables that could not be manipulated in time

    @property
    def with_lag(self) -> OperationCount:
        """The main code and the functions that are no tyre laws: the slip lag."""
        laws = set(Forces.__dataclass_fields__)
        others = [c.total for c in self.operations.calls if not laws.issuperset(c.results)]
        return sum(others, self.operations.main_code)


def measure_code(
    form: Callable[[], System],
    drives: Sequence[TimedDrive],
    *,
    initial: Callable[[System], Mapping[str, float]] = lambda _: {},
    euler_only: bool = False,
) -> MeasuredCode:
    """Generate the code of the system that ``form`` forms, count it and let it drive."""
    system, generation = _generated(form)
    if generation < _PATIENCE:  # again: the first time loads modules
        system, generation = _generated(form)
    start = initial(system)
    timed = {drive.name: _timed(system, drive, start, euler_only) for drive in drives}
    return MeasuredCode(len(system.states), count_system(system), generation, timed)


def _generated(form: Callable[[], System]) -> tuple[System, float]:
    """The system, and the seconds from its description to C."""
    begin = time.perf_counter()
    system = replace(form(), outputs=())
    print_unit(lower(system, outputs=()))
    return system, time.perf_counter() - begin


def _timed(
    system: System, drive: TimedDrive, initial: Mapping[str, float], euler_only: bool
) -> DriveTime:
    euler = _quickest(system, drive, EULER, initial)
    if euler_only:
        return DriveTime(euler.elapsed)
    runge_kutta = _quickest(system, drive, RUNGE_KUTTA, initial)
    moving = [q.name for q in system.states if q.role in (Role.SPEED, Role.COORDINATE)]
    return DriveTime(euler.elapsed, runge_kutta.elapsed, _agree(euler, runge_kutta, moving))


def _quickest(
    system: System, drive: TimedDrive, method: str, initial: Mapping[str, float]
) -> Trajectory:
    runs: list[Trajectory] = []
    took = 0.0
    while len(runs) < _MOST_RUNS and took < _PATIENCE:
        begin = time.perf_counter()
        runs.append(_run(system, drive, method, initial))
        took = time.perf_counter() - begin
    return min(runs, key=lambda run: run.elapsed)


def _run(
    system: System, drive: TimedDrive, method: str, initial: Mapping[str, float]
) -> Trajectory:
    """A run that stops early is the trajectory up to there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # constraints that Euler violates: the table says so
        try:
            return simulate(
                system, drive.duration, step=drive.step, method=method, initial=initial,
                inputs=drive.inputs, outputs=(), record_interval=drive.duration / 100.0,
                watch=False,
            )  # fmt: skip
        except StoppedRunError as stopped:
            return stopped.trajectory


def _agree(euler: Trajectory, runge_kutta: Trajectory, names: Sequence[str]) -> bool:
    if not (euler.complete and runge_kutta.complete):
        return False
    pairs = ((euler[name], runge_kutta[name]) for name in names)
    return all(
        np.abs(ours - values).max() <= CONVERGED * max(np.ptp(values), np.abs(values).max()) + 1e-6
        for ours, values in pairs
    )
