"""The steps that vehicles propose against steps of 1 ms that are exact: cost and error.

Runs follow each other, of the same compiled code; the median of their ratios in time of the
processor counts. The error is that of the worst signal over its range, against tolerances of 1e-8.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import pytest

import axletree as at
from axletree.analysis.drive import drive_start, proposed_step, recorded_names
from axletree.simulation.step_watch import judged_signals, signal_errors

FASTER = 2.5  # times at least, where the road is flat and nothing stops
LARGEST_ERROR = 5e-3  # of a signal's range
REPEATS = 5
BEFORE: dict[str, Any] = {"step": 1e-3, "relative_tolerance": 1e-6, "absolute_tolerance": 1e-9}
TIGHT: dict[str, Any] = {"step": 1e-3, "relative_tolerance": 1e-8, "absolute_tolerance": 1e-8}
CASES = {
    ("sedan", "iso-7401-step"): FASTER,
    ("sedan", "iso-3888-1"): FASTER,
    ("sedan", "iso-21994-braking"): 1.5,  # parts are short where wheels slide
    ("sedan", "rough-road"): 1.0,
    ("tractor-semitrailer", "iso-7401-step"): FASTER,
}


@pytest.mark.parametrize(("name", "title"), list(CASES))
def test_proposed_steps_cost_less_and_are_right(name: str, title: str) -> None:
    model = at.read_model(name)
    model = model.with_changes(model.manoeuvres[title].changes)
    manoeuvre, system = model.manoeuvres[title], model.formulate()
    start, method = drive_start(system, manoeuvre, {}), str(model.run.method)
    given: dict[str, Any] = {
        "method": method, "initial": start.initial, "inputs": start.inputs, "watch": False,
        "parameters": start.parameters, "record_interval": model.run.record_interval,
        "outputs": recorded_names(system, manoeuvre, manoeuvre.outputs or model.run.outputs),
    }  # fmt: skip
    proposed = {"step": proposed_step(model.run, method, manoeuvre.span)}

    def run(settings: dict[str, Any]) -> tuple[at.Trajectory, float]:
        begin = time.process_time()
        found = system.simulate(manoeuvre.span, **given, **settings)
        return found, time.process_time() - begin

    exact, _ = run(TIGHT)
    found, _ = run(proposed)
    pairs = [(run(BEFORE), run(proposed)) for _ in range(REPEATS)]
    faster = statistics.median(before[1] / now[1] for before, now in pairs)
    pace = manoeuvre.span / statistics.median(now[1] for _, now in pairs)
    names = judged_signals(system, found.names)
    errors = signal_errors({n: found[n] for n in names}, {n: exact[n] for n in names}, found.units)
    worst = max(errors, key=lambda n: errors[n])
    print(
        f"\n{name}, {title}: {faster:.1f} times as fast as steps of 1 ms, {pace:.0f} times real "
        f"time; {worst} is off by {100.0 * errors[worst]:.2g} % of its range"
    )
    assert faster > CASES[name, title]
    assert errors[worst] < LARGEST_ERROR
