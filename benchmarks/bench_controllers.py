"""What an instant of a reference controller costs: generated Python, compiled C, and in a run.

Seconds of the processor, the least of several rounds; operations are counted.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable
from dataclasses import replace

import axletree as at
from axletree.catalogue import CONTROLLERS
from axletree.code.backends.runnable import compile_program
from axletree.code.lowering import lower
from axletree.controllers.contract import ReferenceController, Running, SolvingController
from axletree.controllers.discrete_system import RunningController, discrete_system
from axletree.controllers.path_following import FollowsPath
from axletree.simulation.control.reference_loops import controller_class

CALLS, ROUNDS = 2000, 5


def least(runs: Running, reads: Iterable[str]) -> float:
    """[s] for one instant."""
    seen = dict.fromkeys(reads, 1.0)
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(CALLS):
            runs.update(0.0, seen)
        best = min(best, (time.process_time() - start) / CALLS)
    return best


def bench_an_instant() -> None:
    car = at.read_model("sedan").described["vehicle"]
    print()
    path = {"path": at.CirclePath(radius=50.0)}
    for word in CONTROLLERS:
        kind = controller_class(word)
        own = kind.of(car, **(path if issubclass(kind, FollowsPath) else {}))
        reads = [one.name for one in own.measured]
        if isinstance(own, SolvingController):
            print(f"{word}: {1e6 * least(own.running(), reads):.0f} us in Python")
            continue
        assert isinstance(own, ReferenceController)
        program = lower(discrete_system(own))
        python, compiled = RunningController(own), RunningController(own, compile_program(program))
        costs = (f"{1e6 * least(one, reads):.1f} us" for one in (python, compiled))
        print(
            f"{word}: commands {program.outputs_routine.operations}; {next(costs)} in Python, "
            f"{next(costs)} in C called from Python"
        )


def bench_a_run() -> None:
    """A sine with dwell of 6.5 s with the loops of esc and abs, over one without."""
    model = at.read_model("sedan")
    swerve = replace(model.manoeuvres["sine-with-dwell"], amplitude=2.6, duration=6.5)
    print()
    for controllers in ((), ("esc",), ("abs", "esc")):
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model.drive(swerve, controllers=controllers, watch=False)
            best = min(best, time.process_time() - start)
        print(f"{'+'.join(controllers) or 'none'}: {best:.2f} s")


def bench_wrong_radii() -> None:
    """A stop on ice from 60 km/h: wheels locked, and abs with front radii that are off."""
    road = {"type": "flat", "friction_map": {"type": "uniform", "factor": 0.1}}
    print()
    for off in (None, 0.0, 0.01, -0.01, 0.02, -0.02):
        controls = {"anti_lock": False} if off is None else {"brakes": True, "anti_lock": False}
        given = {"fidelity": "two-track", "road": road, "controls": controls}
        model = at.read_model("sedan", {"vehicle": given})
        braking = replace(model.manoeuvres["braking"], speed=60.0 / 3.6, pedal=1.0, duration=26.0)
        own = at.AntiLockController.of(model.described["vehicle"])
        wheels = tuple(
            replace(one, radius=one.radius * (1.0 + (off or 0.0) * (one.axle == "front")))
            for one in own.vehicle.wheels
        )
        wrong = replace(own, vehicle=replace(own.vehicle, wheels=wheels))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = model.drive(braking, controllers=[] if off is None else [wrong], watch=False)
        (stop,) = (one.value for one in run.findings if one.name == "stopping_distance")
        print(f"{'locked' if off is None else f'{100.0 * off:+.0f} %'}: {stop:.1f} m")
