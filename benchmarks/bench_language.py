"""From the language to running code: the car with trailer of Lot and Massaro 2017.

Each stage in seconds of the processor, compiler included, in one process: Newton's and Euler's
equations in SymPy, their state space, the system, C compiled with an empty cache; then its run
against real time, and what deriving exactly and linearising last costs beside it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from axletree.examples.car_and_trailer import results, spaces
from axletree.examples.car_and_trailer.mechanics import Mechanics
from axletree.system.system import System

Made = TypeVar("Made")

GOAL = 30.0  # s, from the description to compiled code
DURATION, STEP = 20.0, 1e-3  # s


def processor_seconds() -> float:
    """Of this process and of those that it waited for, such as the compiler."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def timed(work: Callable[[], Made]) -> tuple[Made, float]:
    start = processor_seconds()
    made = work()
    return made, processor_seconds() - start


def derived(model: Mechanics) -> int:
    """The number of equations, those of tyres and constraints included."""
    own = (*spaces.car_equations(model), *spaces.trailer_equations(model))
    return len((*own, *model.bounce.equations, *model.hitch.equations))


def compiled(system: System) -> None:
    """The first run has the C made and compiled."""
    system.simulate(STEP, step=STEP, parameters={"u": 20.0})


def bench_car_with_trailer_from_language_to_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AXLETREE_CACHE", str(tmp_path))
    model = Mechanics()
    count, equations = timed(lambda: derived(model))
    space, collected = timed(lambda: spaces.train_space(model))
    system, solved = timed(space.system)
    _, c = timed(lambda: compiled(system))
    start = time.process_time()
    system.simulate(DURATION, step=STEP, inputs={"delta": results.RAMP}, outputs=[])
    run = time.process_time() - start
    _, exact = timed(lambda: derived(Mechanics(linearise_last=True)))
    rows = {
        f"{count} equations of motion, tyres and constraints": equations,
        f"state space of {len(space.x)} variables": collected,
        f"system of {len(system.states)} states": solved,
        "C, compiled": c,
        f"in all, goal {GOAL:g} s": equations + collected + solved + c,
    }
    print()
    for text, seconds in rows.items():
        print(f"  {text:48s} {seconds:6.2f} s")
    print(f"  20 s at 1 ms, RK4: {DURATION / run:.0f} times real time")
    print(f"  exact equations, linearised last: {exact / equations:.1f} times as long to derive")
