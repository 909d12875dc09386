"""Whether the proposed method of vehicles is the fastest that is right, by kind of manoeuvre.

Each manoeuvre is driven by several methods and steps, and by a tight reference. The pace is that of
the call of ``simulate``, in time of the processor, best of five and without the watch on steps; the
error is the greatest of vehicle signals, as a share of the range of each, and the greatest of
findings, as a share of each.

    python benchmarks/bench_default_method.py [vehicle] [manoeuvre ...]
"""

from __future__ import annotations

import math
import sys
import time
import warnings
from typing import Any

import numpy as np

import axletree as at
from axletree.analysis.drive import drive_start, recorded_names
from axletree.core.errors import AxletreeError
from axletree.simulation.trajectory import Trajectory

MANOEUVRES = ("step-steer", "sine-with-dwell", "frequency-sweep", "braking-in-turn", "braking",
              "iso-3888-2", "slalom")  # fmt: skip
CANDIDATES = (
    ("subdivided-rk45", 5e-3), ("subdivided-rk45", 1e-2), ("semi-implicit-euler", 2e-3),
    ("semi-implicit-euler", 1e-3), ("semi-implicit-euler", 2.5e-4), ("rk4", 2e-3), ("rk4", 1e-3),
)  # fmt: skip
REFERENCE: dict[str, Any] = {"relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}
SIGNALS = ("vehicle.yaw_rate", "vehicle.forward_speed", "vehicle.lateral_speed", "vehicle.x",
           "vehicle.y", "vehicle.roll")  # fmt: skip
REPEATS = 5
STILL = 1e-3  # SI units: what moves less has no error that means anything


def measure(vehicle: str, name: str) -> None:
    model = at.read_model(vehicle)
    manoeuvre = model.manoeuvres[name]
    model = model.with_changes(manoeuvre.changes) if manoeuvre.changes else model
    system = model.formulate()
    start = drive_start(system, manoeuvre, {})
    states = {quantity.name for quantity in system.states}
    names = [name for name in SIGNALS if name not in states]
    how: dict[str, Any] = {
        "initial": start.initial, "inputs": start.inputs, "parameters": start.parameters,
        "outputs": recorded_names(system, start.manoeuvre, names), "record_interval": 1e-2,
        "watch": False,
    }  # fmt: skip
    span = start.manoeuvre.span
    exact = system.simulate(span, method="subdivided-rk45", step=1e-3, **how, **REFERENCE)
    told = {one.name: one.value for one in start.manoeuvre.findings(exact)}
    for method, step in CANDIDATES:
        line = f"{vehicle}, {name:16s} {method:20s} {1e3 * step:5.2f} ms: "
        try:
            took, run = timed(lambda: system.simulate(span, method=method, step=step, **how))  # noqa: B023
        except AxletreeError as error:
            print(line + f"stops: {str(error)[:60]}", flush=True)
            continue
        off = max((deviation(run, exact, k), k) for k in names if np.ptp(exact[k]) > STILL)
        findings = {one.name: one.value for one in start.manoeuvre.findings(run)}
        far = max((abs(findings[k] - v) / abs(v), k) for k, v in told.items() if abs(v) > STILL)
        line += f"{span / took:6.0f} times real time, {1e6 * took * step / span:6.2f} us/step, "
        line += f"signals {100 * off[0]:8.4f} % ({off[1]}), "
        print(line + f"findings {100 * far[0]:8.4f} % ({far[1]})", flush=True)


def timed(drive: Any) -> tuple[float, Trajectory]:
    best = math.inf
    for _ in range(REPEATS):
        begun = time.process_time()
        run = drive()
        best = min(best, time.process_time() - begun)
    return best, run


def deviation(run: Trajectory, exact: Trajectory, name: str) -> float:
    return float(np.abs(run[name] - exact[name]).max() / np.ptp(exact[name]))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    vehicle, *chosen = [*sys.argv[1:], "sedan"][: max(len(sys.argv) - 1, 1)]
    for one in chosen or MANOEUVRES:
        measure(vehicle, one)
