"""The multibody part of the 14-DOF car: the recursion beside the naive projection.

Operations per step are exact. Times are of C code run in one go on one core, so their
ratio is what counts.
"""

from __future__ import annotations

import dataclasses
import time

from oracles.naive_projection import naive_rates

import axletree as at
from axletree.code.lower import lower
from axletree.pipeline import System

STEPS = 100_000


def naive(system: System) -> System:
    """The same system with its accelerations formed by the naive projection."""
    rates = naive_rates(at.read_model("car-multibody"))
    return dataclasses.replace(
        system, derivatives=(*rates, *system.derivatives[len(rates) :]), outputs=()
    )


def seconds_per_evaluation(system: System) -> float:
    """Of the right-hand side, in the C loop of explicit Euler's method, the best of three."""
    step = 1e-6
    settings = {"step": step, "method": "explicit-euler", "outputs": (), "record_interval": 0.1}
    system.simulate(step, **{**settings, "record_interval": step})
    found = []
    for _ in range(3):
        start = time.perf_counter()
        system.simulate(STEPS * step, **settings)
        found.append((time.perf_counter() - start) / STEPS)
    return min(found)


def bench_car() -> None:
    start = time.perf_counter()
    system = at.read_model("car-multibody").formulate()
    formed = time.perf_counter() - start
    recursive = dataclasses.replace(system, outputs=())
    plain = naive(system)
    rows = []
    for name, candidate in (("recursion", recursive), ("naive projection", plain)):
        program = lower(candidate, outputs=())
        rows.append((name, program.rhs.operations, seconds_per_evaluation(candidate)))
    quickest = rows[0][2]
    print(f"\n14-DOF car, multibody part: read and formulated in {formed:.2f} s")
    print(f"{'':18}{'+':>6}{'*':>6}{'/':>5}{'f':>5}{'time':>12}{'ratio':>8}")
    for name, count, seconds in rows:
        print(
            f"{name:18}{count.additions:6}{count.multiplications:6}{count.divisions:5}"
            f"{count.functions:5}{seconds * 1e6:9.3f} us{seconds / quickest:8.1f}"
        )
    assert rows[0][1].total < rows[1][1].total
