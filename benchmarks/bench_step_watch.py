"""What the watch for steps that are too large costs, as a share of the time of a run.

Runs with and without the watch follow each other, of the same compiled code; the median of their
ratios counts, in time of the processor. The watch has a fixed cost beside its share of the steps:
it may take 2 % of a run, or 5 ms if that is more. Runs that the samples are in doubt of cost a run
with twice the step more, and are listed apart.
"""

from __future__ import annotations

import statistics
import time
import warnings
from typing import Any

import axletree as at
from axletree.analysis.drive import drive_start, proposed_step, recorded_names
from axletree.simulation.simulate import form_for
from axletree.system.system import System

SHARE, FIXED = 0.02, 5e-3  # of the time of a run, or [s]
REPEATS = 15
# By model, manoeuvre (its own run without one), method (its own without one) and duration [s].
CERTAIN: dict[str, tuple[str, str, str | None, float]] = {
    "pendulum, its own run": ("pendulum", "", None, 10.0),
    "pendulum, 1000 s": ("pendulum", "", None, 1000.0),
    "quarter-car, its own run": ("quarter-car", "", None, 5.0),
    "quarter-car, 500 s": ("quarter-car", "", None, 500.0),
    "car, step-steer, 60 s": ("car", "step-steer", None, 60.0),
    "car, step-steer, 600 s": ("car", "step-steer", None, 600.0),
    "four-bar, its own run": ("four-bar", "", None, 2.0),
    "sedan, step-steer, 6 s": ("sedan", "step-steer", None, 6.0),
    "sedan, step-steer, 60 s": ("sedan", "step-steer", None, 60.0),
    "sedan, step-steer, 600 s": ("sedan", "step-steer", None, 600.0),
    "sedan by rk4, 60 s": ("sedan", "step-steer", "rk4", 60.0),
    "tractor-semitrailer, step-steer, 6 s": ("tractor-semitrailer", "step-steer", None, 6.0),
    "tractor-semitrailer, step-steer, 60 s": ("tractor-semitrailer", "step-steer", None, 60.0),
}
DOUBTED: dict[str, tuple[str, str, str | None, float]] = {
    "sedan by semi-implicit Euler, 6 s": ("sedan", "step-steer", "semi-implicit-euler", 6.0),
    "sedan by semi-implicit Euler, 60 s": ("sedan", "step-steer", "semi-implicit-euler", 60.0),
}


def settings_of(name: str, title: str, method: str | None) -> tuple[System, dict[str, Any]]:
    model = at.read_model(name)
    chosen = method or model.run.method or "rk4"
    system = model.formulate(form=form_for(chosen))
    settings: dict[str, Any] = {
        "step": proposed_step(model.run, chosen), "method": chosen,
        "record_interval": model.run.record_interval, "inputs": model.run.inputs,
        "outputs": model.run.outputs,
    }  # fmt: skip
    if not title:
        return system, settings
    manoeuvre = model.manoeuvre(title)
    start = drive_start(system, manoeuvre, {})
    outputs = model.run.outputs if manoeuvre.outputs is None else manoeuvre.outputs
    return system, settings | {
        "initial": start.initial, "inputs": start.inputs, "parameters": start.parameters,
        "outputs": recorded_names(system, manoeuvre, outputs),
    }  # fmt: skip


def seconds(system: System, span: float, settings: dict[str, Any], *, watch: bool) -> float:
    begin = time.process_time()
    system.simulate(span, watch=watch, **settings)
    return time.process_time() - begin


def measure(title: str, case: tuple[str, str, str | None, float]) -> tuple[float, float]:
    """The share of the time that the watch takes, and this time [s]; printed."""
    name, manoeuvre, method, span = case
    system, settings = settings_of(name, manoeuvre, method)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        run = system.simulate(span, **settings)  # compiles
        pairs = [
            tuple(seconds(system, span, settings, watch=watch) for watch in (False, True))
            for _ in range(REPEATS)
        ]
    share = statistics.median(watched / plain for plain, watched in pairs) - 1.0
    plain = statistics.median(plain for plain, _ in pairs)
    more = statistics.median(watched - plain for plain, watched in pairs)
    told = "" if run.step_error is None else run.step_error.in_words
    print(
        f"\n{title}: {1e3 * plain:.1f} ms, with the watch {100.0 * share:+.1f} %, "
        f"{1e3 * more:.2f} ms; {told}"
    )
    return share, more


def bench_step_watch() -> None:
    for title, case in CERTAIN.items():
        share, more = measure(title, case)
        assert share < SHARE or more < FIXED, title
    for title, case in DOUBTED.items():
        measure(title, case)
