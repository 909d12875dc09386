"""Vehicles on soft ground, by steps with set-valued forces: speed over real time, cost per step.

Times are of C code on one core, without compilation, each the best of some repetitions. Those of
single steps are means over short spans, so that the worst is that of the method more than of the
machine. Results are kept once in a span.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import axletree as at
from axletree.pipeline import Model, System

SPANS = 50  # of a run
REPEATS = 20  # others may use the machine, too
WITHIN = 3
SOLVERS = ("complementarity", "complementarity-sweeps")
GOALS = {"quarter-vehicle-on-soil": 2000.0, "car-on-soil": 50.0, "off-road-truck": 5.0}


@dataclass(frozen=True)
class Cost:
    """Of the run that a model proposes, by one method."""

    ratio: float  # simulated over elapsed time
    mean: float  # s a step
    worst: float  # s a step, over spans


@pytest.mark.parametrize("name", GOALS)
def bench_vehicle(name: str) -> None:
    model = at.read_model(name)
    system = model.formulate()
    bodies = sum(isinstance(c, at.RigidBody | at.BodyOfRevolution) for c in model)
    print(f"\n{model.name}: {bodies} bodies, {len(system.states)} states, step {model.run.step} s")
    print(f"{'':24}{'times real time':>16}{'us a step':>11}{'worst':>8}")
    for method in SOLVERS:
        cost = measure(model, system, method)
        print(f"{method:24}{cost.ratio:16.1f}{1e6 * cost.mean:11.2f}{1e6 * cost.worst:8.2f}")
        if method == model.run.method:
            assert cost.ratio > GOALS[name]


def measure(model: Model, system: System, method: str) -> Cost:
    run = model.run
    assert run.step is not None
    assert run.duration is not None
    span = run.duration / SPANS

    def simulated(start: float, duration: float, initial: dict[str, float]) -> at.Trajectory:
        return system.simulate(
            duration, start=start, step=run.step, method=method, initial=initial,
            inputs=run.inputs, outputs=(), record_interval=span,
        )  # fmt: skip

    simulated(0.0, span, {})  # compiles
    runs = [simulated(0.0, run.duration, {}) for _ in range(REPEATS)]
    elapsed = min(found.elapsed for found in runs)
    steps = round(run.duration / run.step)
    worst = 0.0
    for k, start in enumerate(runs[0].time[:-1]):
        first = {q.name: float(runs[0][q.name][k]) for q in system.states}
        best = min(simulated(float(start), span, first).elapsed for _ in range(WITHIN))
        worst = max(worst, best / round(span / run.step))
    return Cost(run.duration / elapsed, elapsed / steps, worst)
