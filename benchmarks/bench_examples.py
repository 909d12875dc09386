"""The examples of vehicles and tyres against real time, on one core.

Each runs as its file proposes, with everything recorded that an animation needs. The time is
that of the processor, so that a busy machine changes little. Integration is what the whole run
takes beyond a run of one record, measured over STEPS steps that are the shorter for it, since
every step costs the same; preparation is the rest: equations, C text, and loading what the
cache has compiled.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import axletree as at
from axletree.model.model import Model
from axletree.simulation.simulate import form_for
from axletree.system.system import System

EXAMPLES = (
    "whipple-bicycle",
    "bicycles-geometry",
    "bicycles-friction",
    "bicycle-wheelie",
    "motorcycle",
    "motorcycle-jump",
    "drifting-car",
    "dropped-tyre",
    "rolling-tyre",
    "car-on-soil",
    "skidder-on-soil",
    "rover",
)
GOAL = 20.0  # times real time
STEPS = 200_000
PRINTED = {"motorcycle-jump": 16.0 / 250.0}  # Andres 2009, section 6.2


def processor_seconds(work: Callable[[], object], repeats: int = 2) -> float:
    """The least of some repetitions."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


@dataclass(frozen=True)
class Example:
    """A shipped model and the run that it proposes."""

    model: Model
    system: System
    duration: float  # [s]
    step: float  # [s]
    interval: float  # [s], between records

    def simulate(self, duration: float, step: float) -> object:
        run = self.model.run
        return self.system.simulate(
            duration, step=step, method=run.method or "rk4", record_interval=self.interval,
            inputs=run.inputs,
        )  # fmt: skip

    def integration(self) -> tuple[float, float]:
        """Seconds of the processor for preparation and for integration."""
        finer = max(1, round(STEPS * self.step / self.duration))
        self.simulate(self.interval, self.step)  # compiles
        short = processor_seconds(lambda: self.simulate(self.interval, self.step))
        whole = processor_seconds(lambda: self.simulate(self.duration, self.step / finer))
        return short, (whole - short) / finer


def example(name: str) -> Example:
    model = at.read_model(name)
    run = model.run
    assert run.duration is not None
    assert run.step is not None
    assert run.record_interval is not None
    system = model.formulate(form=form_for(run.method or "rk4"))
    return Example(model, system, run.duration, run.step, run.record_interval)


def bench_examples() -> None:
    print(
        f"\n{'':20}{'simulated':>10}{'step':>9}{'prepared':>10}{'integrated':>12}{'real time':>11}"
    )
    slow = []
    for name in EXAMPLES:
        start = time.process_time()
        one = example(name)
        formulated = time.process_time() - start
        prepared, seconds = one.integration()
        pace = one.duration / seconds
        printed = f"   (printed: {PRINTED[name]:.2g} x)" if name in PRINTED else ""
        print(
            f"{name:20}{one.duration:8g} s{1e3 * one.step:6g} ms{formulated + prepared:8.2f} s"
            f"{seconds:10.3f} s{pace:9.0f} x{printed}"
        )
        slow += [name] if pace < GOAL else []
    print(f"slower than {GOAL:g} times real time: {', '.join(slow) or 'none'}")
