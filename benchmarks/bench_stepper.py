"""What steps of a stepper take: a million of them by the runner, and calls from Python.

The runner's percentiles are of the time that a step takes to compute, with its outputs, and not of
when it is woken: what else the machine does shows in the worst of them.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pytest

import axletree as at
from axletree.analysis.steady_start import steady_start
from axletree.code.backends.c import find_compiler
from axletree.export.realtime.runner import (
    USUAL_SPIN,
    RunnerReport,
    RunnerSettings,
    build_runner,
    write_runner,
)

MILLION = 1_000_000
PERIOD = 50e-6  # s; so that a million of them take a minute
MOST_SPREAD = 3.0  # the 99.9th percentile over the median
MOST_CALL = 5e-6  # s, of a call from Python beside its steps
OUTPUTS = ["vehicle.yaw_rate", "vehicle.forward_speed", "vehicle.lateral_acceleration"]


def test_a_million_steps_are_even(tmp_path: Path) -> None:
    car = at.read_model("sedan").formulate()
    start = steady_start(car, {"speed": "80 km/h"})
    folder = write_runner(car, tmp_path, starts=[start], outputs=OUTPUTS)
    program = build_runner(folder)
    settings = RunnerSettings(
        step=PERIOD, start=1, periods=MILLION, port=0, every=40, priority=50,
        report=str(tmp_path / "report.json"),
    )  # fmt: skip
    done = subprocess.run([program, *settings.words()], capture_output=True, text=True, check=True)
    print(done.stdout)
    found = RunnerReport.read(tmp_path / "report.json")
    assert found.periods == MILLION
    assert found.page_faults == 0
    plain = spread_without_a_model(tmp_path, found.step.median)
    spread = found.step.p99_9 / found.step.median
    print(f"99.9th percentile over median: {spread:.2f}, of a loop without a model {plain:.2f}")
    if plain > MOST_SPREAD:
        pytest.skip(f"{spread:.2f}; on this machine a loop of nothing but sums has {plain:.2f}")
    assert spread <= MOST_SPREAD


# As many turns of a loop, each as long as a step, by the same clock, waiting and priority.
LOOP = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
static int order(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}
int main(int count, char **words)
{
    const long turns = atol(words[1]), period = atol(words[3]), awake = atol(words[4]);
    long sums = 1000, k, i;
    int64_t *times = (int64_t *)calloc((size_t)turns, 8), next, begin;
    struct sched_param wanted = {50};
    volatile double kept;
    double x = 1.0;
    (void)count;
    sched_setscheduler(0, SCHED_FIFO, &wanted);
    for (k = 0; k < 200; ++k) { /* so many sums as take as long as a step */
        begin = now();
        for (i = 0; i < sums; ++i) x = x * 0.999999 + 1e-7;
        kept = x;
        begin = now() - begin;
        if (k > 20) sums = (long)((double)sums * (0.5 + 0.5 * atof(words[2]) / (double)begin)) + 1;
    }
    next = (now() / period + 1) * period + period / 2;
    for (k = 0; k < turns; ++k) {
        struct timespec t;
        t.tv_sec = (time_t)((next - awake) / 1000000000);
        t.tv_nsec = (long)((next - awake) % 1000000000);
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, 0);
        while (now() < next) {
        }
        next += period;
        begin = now();
        for (i = 0; i < sums; ++i) x = x * 0.999999 + 1e-7;
        kept = x;
        times[k] = now() - begin;
    }
    (void)kept;
    qsort(times, (size_t)turns, 8, order);
    printf("%g\n", (double)times[turns - turns / 1000] / (double)times[turns / 2]);
    return 0;
}
"""


def spread_without_a_model(folder: Path, length: float) -> float:
    """The same ratio of a loop that takes as long [ns] and does nothing but sums."""
    compiler = find_compiler()
    assert compiler is not None
    (folder / "loop.c").write_text(LOOP, encoding="utf-8")
    command = [*compiler.command, "-O1", "-o", "loop", "loop.c", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    words = [str(MILLION), str(length), str(round(PERIOD * 1e9)), str(round(USUAL_SPIN * 1e9))]
    done = subprocess.run(["./loop", *words], cwd=folder, capture_output=True, text=True)
    return float(done.stdout)


def test_a_call_from_python_costs_little_beside_its_steps() -> None:
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    s = car.stepper(step="1 ms", start={"speed": "80 km/h"}, outputs=OUTPUTS)
    calls = 20_000

    def seconds(steps: int, count: int) -> float:
        begin = time.process_time()
        for _ in range(count):
            s["driver.steering"] = 0.01
            s.advance(steps=steps)
            s["vehicle.yaw_rate"]
        return time.process_time() - begin

    seconds(1, 1000)
    one, many = min(seconds(1, calls) for _ in range(3)), min(seconds(20, calls) for _ in range(3))
    step = (many - one) / (19 * calls)
    call = one / calls - step
    print(f"a step {1e6 * step:.2f} us, setting, advancing and reading {1e6 * call:.2f} us more")
    assert call <= MOST_CALL
