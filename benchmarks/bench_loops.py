"""Closed loops at a fixed cost: a car of 17 bodies on four double wishbones, form by form.

A step of semi-implicit Euler at 1 ms with tyres by the Magic Formula, in seconds of the processor,
all forms in one run; what the compiler takes for each, and what a step consists of.
"""

from __future__ import annotations

import resource
import time

from c_driver import stepper_instructions
from mechanisms.bushed_wishbone_car import bushed_wishbone_car
from mechanisms.double_wishbone_car import CORNERS, double_wishbone_car, turned_by_chassis

import axletree as at

STEPS, ROUNDS = 1500, 8
SPEED, RADIUS = 20.0, 0.31  # m/s, m


def compiler_seconds() -> float:
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def steppers(car: at.Model) -> dict[str, at.Stepper]:
    """One for each form, on its way; what is compiled is printed."""
    given = {"free.vx": SPEED} | {f"{name}_axle.rate": SPEED / RADIUS for name in CORNERS}
    systems = {
        "projected": car.formulate(form="projected"),
        "embedded, one tree": car.formulate(form="embedded"),
        "embedded, upright turned by the chassis": car.formulate(
            turned_by_chassis(), form="embedded"
        ),
    }
    found = {}
    for name, system in systems.items():
        before = compiler_seconds()
        found[name] = system.stepper(
            step="1 ms", method="semi-implicit-euler", outputs=[], initial=given
        )
        found[name].advance(steps=500)
        counts = system.operations
        print(f"{name}: compiler {compiler_seconds() - before:.1f} s")
        print(f"  evaluation without laws: {counts.main_code}")
        print(f"  closing the loops: {counts.projection}")
    return found


def bench_a_car_with_loops(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """Embedded steps take at most a quarter of the time of projected ones, in the same run."""
    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path))
    print()
    runs = steppers(double_wishbone_car())
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, run in runs.items():
            start = time.process_time()
            run.advance(steps=STEPS)
            best[name] = min(best[name], (time.process_time() - start) / STEPS)
    for name, seconds in best.items():
        print(f"{name}: {seconds * 1e6:.2f} us a step, {best['projected'] / seconds:.1f} times")
    assert best["embedded, upright turned by the chassis"] < best["projected"] / 4.0


def bench_instructions_of_a_step() -> None:
    """By links, embedded and projected, on bushings, and by curves: instructions, which no other
    work of the machine changes."""
    print()
    rolling = {"free.vx": SPEED} | {f"{name}_axle.rate": SPEED / RADIUS for name in CORNERS}
    links = double_wishbone_car()
    curves = at.read_model("double-wishbone-sports-car", {"vehicle": {"fidelity": "full"}})
    turning = {"chassis.vx": SPEED} | {f"{name}_axle.rate": SPEED / 0.33 for name in CORNERS}
    cases = {
        "projected": (links.formulate(form="projected"), "semi-implicit-euler", rolling),
        "embedded": (links.formulate(turned_by_chassis()), "semi-implicit-euler", rolling),
        "on bushings": (bushed_wishbone_car().formulate(), "row4", rolling),
        "by curves": (curves.formulate(), "semi-implicit-euler", turning),
    }
    found = {name: stepper_instructions(*case) for name, case in cases.items()}
    for name, count in found.items():
        share = count / found["embedded"] if count and found["embedded"] else float("nan")
        print(f"{name}: {count} instructions a step, {share:.2f} of embedded")
    if found["embedded"] and found["projected"]:
        assert found["embedded"] < found["projected"] / 4.0
