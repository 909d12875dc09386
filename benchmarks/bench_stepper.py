"""What steps of a stepper take: a million of them by the runner, and calls from Python.

The runner's percentiles are of the time that a step takes to compute, with its outputs, and not of
when it is woken: what else the machine does shows in the worst of them.
"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import axletree as at
from axletree.analysis.steady_start import steady_start
from axletree.export.realtime.runner import (
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
    assert found.step.p99_9 <= MOST_SPREAD * found.step.median


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
