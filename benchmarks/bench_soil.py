"""Vehicles on soft ground, by steps with set-valued forces: speed over real time, cost per step.

Times are of C code on one core, without compilation: those of the processor for what a run takes
beyond one of a single span, so that a busy machine changes little. Times of single steps are means
over spans, each the best of some repetitions, so that the worst is that of the method more than of
the machine. Results are kept once in a span. Steps by sweeps all take the same operations, which
are counted from the generated code and the numbers of sweeps and forces.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

import axletree as at
from axletree.code.lowering import Extra, lower
from axletree.expr import OperationCount
from axletree.model.model import Model
from axletree.simulation.complementarity import BOUND_PASSES
from axletree.simulation.mlcp.methods import ProjectedSweeps
from axletree.system.system import System

SPANS = 20  # of the run that a model proposes
REPEATS = 3
First = dict[str, float] | None
SOLVERS = ("complementarity", "complementarity-sweeps")
SWEEPS = 30  # of the latter, in each pass


@dataclass(frozen=True)
class Goal:
    """What a vehicle is held to, by the method that its file proposes."""

    cost: float  # s a step
    lengthened: int = 1  # times the run of the file, where that is over too soon to be timed


GOALS = {
    "quarter-vehicle-on-soil": Goal(0.5e-6, lengthened=20),
    "car-on-soil": Goal(100e-6),
    "off-road-truck": Goal(400e-6),
}


@pytest.mark.parametrize("name", GOALS)
def bench_vehicle(name: str) -> None:
    model, goal = at.read_model(name), GOALS[name]
    timed = Timed(model, model.formulate(form="set-valued"))
    bodies = sum(isinstance(c, at.RigidBody | at.BodyOfRevolution) for c in model)
    states = len(timed.system.states)
    print(f"\n{model.name}: {bodies} bodies, {states} states, step {1e3 * timed.step:g} ms")
    print(f"{'':24}{'times real time':>16}{'us a step':>11}{'worst':>8}")
    for method in SOLVERS:
        mean, worst = timed.mean(method, goal.lengthened), timed.worst(method)
        print(f"{method:24}{timed.step / mean:16.1f}{1e6 * mean:11.2f}{1e6 * worst:8.2f}")
        if method == model.run.method:
            assert mean < goal.cost
    equations, sweeps = operations(timed.system)
    total = equations.total + sweeps.total
    print(f"each step by sweeps: {total} operations, {sweeps.total} of them in sweeps")


class Timed:
    """The run that a model proposes."""

    def __init__(self, model: Model, system: System) -> None:
        run = model.run
        assert run.step is not None
        assert run.duration is not None
        self.system, self.inputs = system, run.inputs
        self.step, self.duration = run.step, run.duration
        self.span = run.duration / SPANS

    def run(
        self,
        method: str,
        duration: float,
        start: float = 0.0,
        first: First = None,
    ) -> at.Trajectory:
        return self.system.simulate(
            duration, start=start, step=self.step, method=method, initial=first or {},
            inputs=self.inputs, outputs=(), record_interval=self.span,
        )  # fmt: skip

    def mean(self, method: str, lengthened: int) -> float:
        """Seconds of the processor a step."""
        self.run(method, self.span)  # compiles
        whole = lengthened * self.duration
        short, long = (
            processor_seconds(lambda duration=duration: self.run(method, duration))
            for duration in (self.span, whole)
        )
        return (long - short) / round((whole - self.span) / self.step)

    def worst(self, method: str) -> float:
        """Seconds a step in the slowest span."""
        found = self.run(method, self.duration)
        slowest = 0.0
        for k, start in enumerate(found.time[:-1]):
            first = {q.name: float(found[q.name][k]) for q in self.system.states}
            runs = (self.run(method, self.span, float(start), first) for _ in range(REPEATS))
            slowest = max(slowest, min(run.elapsed for run in runs))
        return slowest / round(self.span / self.step)


def operations(system: System) -> tuple[OperationCount, OperationCount]:
    """Of any step by sweeps: of its equations, and of the sweeps over its forces."""
    assert system.rows is not None
    program = lower(system, (), (Extra.LATER_RATES, Extra.ROWS))
    passes = BOUND_PASSES[ProjectedSweeps] if system.rows.following else 1
    routines = [program.rows, program.later_rates, *[program.bounds] * passes]
    equations = [one.operations for one in routines if one is not None]
    n = len(system.rows.reactions)
    sweep = OperationCount(n * n + n, n * n, n, 2 * n)  # the functions cut to the bounds
    return sum(equations, OperationCount()), sum([sweep] * (passes * SWEEPS), OperationCount())


def processor_seconds(work: Callable[[], object]) -> float:
    """The least of some repetitions."""
    found = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)
