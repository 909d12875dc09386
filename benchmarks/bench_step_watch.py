"""What the watch for steps that are too large costs, as a share of the time of a run.

Steps that samples take again are counted, which is exact; times are the least of several runs, with
and without the watch, of the same compiled code. Runs that the samples are in doubt of cost a
second and a third run more, and are listed apart.
"""

from __future__ import annotations

import time
from typing import Any

import axletree as at
from axletree.simulation.loops import CLoop
from axletree.system.system import System

LIMIT = 0.02
REPEATS = 7
# Runs of a second and more would say the same; those of milliseconds have a fixed cost beside it.
CERTAIN = {
    "car by rk4, 60 s": ("car", "step-steer", {"method": "rk4"}, 60.0),
    "skidder by rk4, 60 s": ("skidder", "step-steer", {}, 60.0),
    "sedan by its method, 20 s": ("sedan", "step-steer", {"method": "subdivided-rk45"}, 20.0),
}
DOUBTED = {
    "car by semi-implicit Euler, 60 s": (
        "car",
        "step-steer",
        {"method": "semi-implicit-euler"},
        60.0,
    )
}


def settings_of(name: str, manoeuvre: str, given: dict[str, Any]) -> tuple[System, dict[str, Any]]:
    from axletree.analysis.drive import drive_start

    model = at.read_model(name)
    system = model.formulate()
    start = drive_start(system, model.manoeuvre(manoeuvre), {})
    outputs = () if model.run.outputs is None else model.run.outputs
    return system, {
        "step": 1e-3, "record_interval": 0.02, "initial": start.initial, "inputs": start.inputs,
        "parameters": start.parameters, "outputs": outputs, **given,
    }  # fmt: skip


def seconds(system: System, span: float, settings: dict[str, Any], *, watch: bool) -> float:
    begin = time.perf_counter()
    system.simulate(span, watch=watch, **settings)
    return time.perf_counter() - begin


def steps_again(system: System, span: float, settings: dict[str, Any]) -> int:
    """That samples of a run take."""
    alone, taken = CLoop.steps_from, 0

    def counted(loop: CLoop, t: float, x: Any, h: float, count: int) -> Any:
        nonlocal taken
        taken += count
        return alone(loop, t, x, h, count)

    CLoop.steps_from = counted  # type: ignore[method-assign]
    try:
        system.simulate(span, **settings)
    finally:
        CLoop.steps_from = alone  # type: ignore[method-assign]
    return taken


def measure(title: str, case: tuple[str, str, dict[str, Any], float]) -> float:
    """The share of the time; printed."""
    name, manoeuvre, given, span = case
    system, settings = settings_of(name, manoeuvre, given)
    share = steps_again(system, span, settings) / round(span / settings["step"])
    pairs = [
        [seconds(system, span, settings, watch=watch) for watch in (False, True)]
        for _ in range(REPEATS)
    ]
    plain, watched = (min(column) for column in zip(*pairs, strict=True))
    cost = watched / plain - 1.0
    print(
        f"\n{title}: {1e3 * plain:.0f} ms, with the watch {100.0 * cost:+.1f} %, "
        f"{100.0 * share:.2f} % of the steps taken again"
    )
    return share


def bench_step_watch() -> None:
    for title, case in CERTAIN.items():
        assert measure(title, case) < LIMIT
    for title, case in DOUBTED.items():
        measure(title, case)
