"""Microseconds of a vehicle-step in lanes of one core, beside the single car in the same run.

The 14-DOF car with the Magic Formula 5.2, with TMeasy's law and without one, all parameters of the
first kind distinct; steps of 1 ms of explicit Euler's method. The single car is an exported
stepper. Times are of the processor's work for this program; the least of several counts, for others
may be at work on the machine.

    python -m pytest -q -s benchmarks/bench_batch.py
"""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

import numpy as np
from bench_car import GivenForces
from c_driver import measure_steps

from axletree.system.system import System
from axletree.thesis.stages import THESIS_CAR, example_law

STEP, STEPS, MEMBERS, REPEATS = 1e-3, 2000, 128, 4  # s
ASKED = {  # microseconds a vehicle-step on a core with AVX-512, in 64 and 32 bits
    "Magic Formula 5.2": (0.30, 0.12),
    "TMeasy": (None, None),
    "no law": (0.06, 0.03),
}
SINGLE_ASKED = {"Magic Formula 5.2": 0.50, "TMeasy": 0.35, "no law": None}


def laws() -> dict[str, Any]:
    return {
        "Magic Formula 5.2": None,
        "TMeasy": example_law("tmeasy"),
        "no law": GivenForces(),
    }


def machine() -> str:
    """The processor's name, and the widest vectors that it has."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    found = {line.partition(":")[0].strip(): line.partition(":")[2].strip() for line in lines}
    widest = [name for name in ("avx512f", "avx2", "sse2") if name in found.get("flags", "")]
    return f"{found.get('model name', '')}, family {found.get('cpu family')}, {widest[0]}"


def microseconds(system: System, number: str) -> tuple[float, int]:
    """Of a vehicle-step in one thread, and how many vehicles stand side by side."""
    rng = np.random.default_rng(1)
    columns = {
        q.name: q.default * (1.0 + 0.02 * rng.uniform(-1.0, 1.0, MEMBERS))
        for q in system.parameters
        if q.default and "inertia" not in q.name
    }
    best, lanes = np.inf, 1
    for _ in range(REPEATS + 1):  # the first one compiles
        found = system.batch(
            STEPS * STEP, step=STEP, method="explicit-euler", parameters=columns, outputs=[],
            record_interval=STEPS * STEP, number=number, threads=1,
        )  # fmt: skip
        best, lanes = min(best, found.work / found.steps), found.lanes
    return 1e6 * best, lanes


def single_car(system: System) -> float:
    """Microseconds of a step of the single car, the least of several counts."""
    counts = (measure_steps(system)[1].nanoseconds for _ in range(2))
    return 1e-3 * min(counts)


def bench_lanes_and_the_single_car() -> None:
    print(f"\n{machine()}; microseconds of a vehicle-step, explicit Euler's method")
    print(f"{'':20}{'single':>9}{'asked':>8}{'FP64':>9}{'asked':>8}{'FP32':>9}{'asked':>8}")
    for title, law in laws().items():
        system = THESIS_CAR.form(law)
        single = single_car(system)
        found = [microseconds(system, number) for number in ("double", "float")]
        cells = [(single, SINGLE_ASKED[title])]
        cells += [(one[0], asked) for one, asked in zip(found, ASKED[title], strict=True)]
        told = "".join(
            f"{value:9.3f}{'' if asked is None else f'{asked:.2f}':>8}" for value, asked in cells
        )
        print(f"{title:20}{told}   {found[0][1]} and {found[1][1]} lanes")
        assert found[0][0] < single


if __name__ == "__main__":
    bench_lanes_and_the_single_car()
