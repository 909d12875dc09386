"""Microseconds of a vehicle-step in lanes, of the fidelities of a car and of other vehicles.

Each drives on from the start of its model, with masses, rates of springs and dampers that differ by
2 %, one thread, and the single car by the same method in the same steps beside it. Times are of the
processor's work for this program; the least of several counts, for others may be at work. Memory is
that of a member: arrays of the batch over members, and the working set of a block in the cache.

    python -m pytest -q -s benchmarks/bench_fidelities.py
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from bench_batch import machine

import axletree as at
from axletree.analysis.studies.driven_batch import batch_method
from axletree.core.errors import AxletreeError
from axletree.simulation.batch.batch import equal_steps
from axletree.simulation.batch.lane_code import lane_program
from axletree.simulation.simulate import form_for

STEPS, MEMBERS, REPEATS = 500, 64, 3
VEHICLES: dict[str, tuple[str, str | None]] = {  # model and fidelity
    "sedan, linear": ("sedan", "linear"),
    "sedan, single-track": ("sedan", "single-track"),
    "sedan, two-track-static": ("sedan", "two-track-static"),
    "sedan, two-track": ("sedan", "two-track"),
    "sedan, 14-dof": ("sedan", "14-dof"),
    "sedan, full": ("sedan", "full"),
    "five-link-sedan, links": ("five-link-sedan", "links"),
    "five-link-sedan, bushings": ("five-link-sedan", "bushings"),
    "car-with-caravan": ("car-with-caravan", None),
    "tractor-semitrailer": ("tractor-semitrailer", None),
    "motorcycle": ("motorcycle", None),
    "quarter-vehicle-on-soil": ("quarter-vehicle-on-soil", None),
    "car-on-soil": ("car-on-soil", None),
    "skidder-on-soil": ("skidder-on-soil", None),
}
HEADS = ("vehicle", "states", "method", "step", "single", "64 bits", "32 bits", "bytes a member")


def rates(name: str, fidelity: str | None) -> tuple[str, ...]:
    """A row: microseconds of a step of the single car, in lanes of 64 and of 32 bits."""
    model = at.read_model(name, {"vehicle": {"fidelity": fidelity}} if fidelity else None)
    method = batch_method(model)
    system = model.formulate(form=form_for(method))
    step = model.run.step if method == model.run.method and model.run.step else 1e-3
    settings: dict[str, Any] = {"step": step, "method": method, "outputs": []}
    settings["record_interval"] = STEPS * step
    single = single_rate(system, settings)
    found = [lane_rate(system, settings, number) for number in ("double", "float")]
    program = lane_program(system, equal_steps(system, method), ())
    held = 8 * (program.constants.size + len(program.parameters) + 4 * len(program.states))
    told = ["-" if one is None else f"{one:.2f}" for one in (single, *found)]
    return (str(len(system.states)), method, f"{1e3 * step:g} ms", *told, str(held))


def single_rate(system: Any, settings: dict[str, Any]) -> float | None:
    best = np.inf
    system.simulate(STEPS * settings["step"], watch=False, **settings)  # which compiles
    for _ in range(REPEATS):
        spent = []
        for share in (1, 21):  # apart by what does not depend on steps
            begin = time.process_time()
            length = share * STEPS * settings["step"]
            system.simulate(length, watch=False, **settings)
            spent.append(time.process_time() - begin)
        best = min(best, (spent[1] - spent[0]) / (20 * STEPS))
    return 1e6 * best


def lane_rate(system: Any, settings: dict[str, Any], number: str) -> float | None:
    """None where lanes do not take it."""
    rng = np.random.default_rng(1)
    words = ("mass", "stiffness", "damping")
    columns = {
        q.name: q.default * (1.0 + 0.02 * rng.uniform(-1.0, 1.0, MEMBERS))
        for q in system.parameters
        if q.default and q.name.rpartition(".")[2] in words
    }
    best = np.inf
    for _ in range(REPEATS + 1):  # the first one compiles
        try:
            found = system.batch(
                STEPS * settings["step"], parameters=columns, number=number, threads=1, **settings
            )
        except AxletreeError as error:
            print(f"  {number}: {error}", file=sys.stderr)
            return None
        if not found.steps:
            return None
        best = min(best, found.work / found.steps)
    return 1e6 * best


def bench_fidelities() -> None:
    print(f"\n{machine()}; microseconds of a vehicle-step, one thread")
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}")
    for title, (name, fidelity) in VEHICLES.items():
        print(f"| {title} | {' | '.join(rates(name, fidelity))} |", flush=True)


if __name__ == "__main__":
    bench_fidelities()
