"""The 14-DOF car: its multibody part, and the whole of it on its tyres.

Operations and instructions are exact. Times are of C code run in one go on one core, so
where a machine is busy their ratio is what counts.
"""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from c_driver import KINDS, measure_steps
from oracles.naive_projection import naive_rates

import axletree as at
from axletree.code.lowering import lower
from axletree.components.fields import Parameters, parameter
from axletree.system.system import System
from axletree.thesis.stages import THESIS_CAR, example_law
from axletree.wheel.contract import Contact, Forces, TyreLaw

STEPS = 100_000
STEP = 1e-3  # s
FROM_DESCRIPTION = """
import os, time
import axletree as at
begin, before = time.perf_counter(), sum(os.times()[:4])
system = at.read_model("car").formulate()
system.simulate(1e-3, step=1e-3, outputs=())
print(time.perf_counter() - begin, sum(os.times()[:4]) - before)
"""


@dataclass(frozen=True)
class GivenForces(TyreLaw):
    """No law: forces that are given, so that what is left is the main code and the slip lag."""

    Fx: float = parameter("N", "longitudinal force", default=1.0)
    Fy: float = parameter("N", "lateral force", default=1.0)
    Mx: float = parameter("N*m", "overturning moment", default=1.0)
    My: float = parameter("N*m", "rolling resistance moment", default=-1.0)
    Mz: float = parameter("N*m", "aligning moment", default=1.0)

    def forces(self, contact: Contact, p: Parameters) -> Forces:
        return Forces(p["Fx"], p["Fy"], p["Mx"], p["My"], p["Mz"])


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


def bench_car_on_tyres() -> None:
    """Without a tyre law, with Fiala's, with the Magic Formula 5.2; slip lag always included."""
    print(f"\n14-DOF car on tyres; steps of {1e3 * STEP:g} ms")
    print(f"{'':20}{'':20}{'time':>10}{'of Euler':>10}{'real time':>12}{'instructions':>14}")
    every_counted = True
    for title, law in (
        ("no law", GivenForces()),
        ("Fiala", example_law("fiala")),
        ("Magic Formula 5.2", None),
    ):
        system = THESIS_CAR.form(law)
        costs = measure_steps(system)
        for cost in costs:
            is_step = cost.kind != KINDS[0]
            ratio = f"{cost.nanoseconds / costs[1].nanoseconds:.2f}" if is_step else ""
            pace = f"{STEP / (1e-9 * cost.nanoseconds):.0f} x" if is_step else ""
            every_counted &= cost.instructions is not None
            counted = "not counted" if cost.instructions is None else str(cost.instructions)
            print(
                f"{title:20}{cost.kind:20}{1e-3 * cost.nanoseconds:7.3f} us{ratio:>10}{pace:>12}"
                f"{counted:>14}"
            )
    if not every_counted:
        print("not counted: no valgrind, or one that does not know the machine's instructions")


def bench_description_to_running_c() -> None:
    """In a fresh interpreter with an empty cache of compiled code, compiler included."""
    with tempfile.TemporaryDirectory() as cache:
        result = subprocess.run(
            [sys.executable, "-c", FROM_DESCRIPTION],
            env={**os.environ, "AXLETREE_CACHE": cache},
            capture_output=True,
            text=True,
            check=True,
        )
    elapsed, worked = map(float, result.stdout.split())
    print(f"\ncar, description to running C: {elapsed:.2f} s, of it {worked:.2f} s at work")
