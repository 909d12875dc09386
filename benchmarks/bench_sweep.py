"""Sweeps: points a second with one process and with one for each core, and the ratio of the two.

Both go over the same grid in turn, a part of it at a time, so that what else the machine does
falls on both alike. The equations are formed and compiled before.
"""

from __future__ import annotations

import time

import axletree as at
from axletree.core.cores import usable_cores

MODEL, MANOEUVRE, FIDELITY = "compact-car", "step-steer", "single-track"
ROUNDS, POINTS = 2, 100


def _seconds(first: float, workers: int) -> float:
    begin = time.perf_counter()
    found = at.sweep(
        MODEL,
        {"body.mass": f"{first}:{first + 99}:{POINTS}"},
        MANOEUVRE,
        changes={"vehicle": {"fidelity": FIDELITY}},
        workers=workers,
    )
    assert found.complete
    assert not found.failures
    return time.perf_counter() - begin


def bench_sweep() -> None:
    cores = usable_cores()
    _seconds(900.0, 1)
    times = {1: 0.0, cores: 0.0}
    for k in range(ROUNDS):
        for workers in times:
            times[workers] += _seconds(1000.0 + 100.0 * k, workers)
    print()
    for workers, seconds in times.items():
        print(f"{workers} of {cores} cores: {ROUNDS * POINTS / seconds:.1f} points/s")
    print(f"ratio {times[1] / times[cores]:.2f}")


if __name__ == "__main__":
    bench_sweep()
