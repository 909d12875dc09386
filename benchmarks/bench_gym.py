"""Simulated car-seconds per second through ``step()`` of a vector of environments.

The car is the 14-DOF sedan on Magic Formula 5.2 tyres, steps are 1 ms by semi-implicit Euler and
control is every 20 ms. Times are the least of several rounds: on a machine that others use, too,
time of the processor counts, and what two cores of one's own would give follows from it: the
steps are shared by both, and the rest is not. 2,000 car-seconds per second are 640 us on the clock
for a control step of all cars.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import gymnasium
import numpy as np

import axletree.gym  # noqa: F401 - registers the environments
from axletree.gym.contract import CONTROL_INTERVAL
from axletree.gym.environments import DrivingVectorEnv
from axletree.simulation.stepper.engines import CEngine

COUNT, STEP = 64, 1e-3  # environments; s
LARGEST_RATIO = 1.4  # of the time of the processor to that of steppers alone
LARGEST_SHARE = 0.2  # of the time of the processor that is not spent in the steppers
ROUNDS, CONTROLS = 15, 40


def least(work: Callable[[], None]) -> tuple[float, float]:
    """Time on the clock and of the processor [s] for a control step."""
    found = []
    for _ in range(ROUNDS):
        clock, processor = time.perf_counter(), time.process_time()
        for _ in range(CONTROLS):
            work()
        found.append((time.perf_counter() - clock, time.process_time() - processor))
    return min(one[0] for one in found) / CONTROLS, min(one[1] for one in found) / CONTROLS


def environments(threads: int) -> DrivingVectorEnv:
    envs = gymnasium.make_vec(
        "axletree/LaneKeeping-v0", num_envs=COUNT, vectorization_mode="vector_entry_point",
        threads=threads, autoreset_mode="SameStep",
    ).unwrapped  # fmt: skip
    assert isinstance(envs, DrivingVectorEnv)
    envs.reset(seed=0)
    return envs


def stepper_cost(envs: DrivingVectorEnv) -> float:
    """Time of the processor [s] for the steps of a control step of all cars, one after another."""
    vehicle = envs.episodes.task.driven
    engine = CEngine(vehicle.program, STEP, 1)
    engine.place(vehicle.start.states, vehicle.start.inputs, 0.0)
    return COUNT * least(lambda: assert_well(engine.advance(round(CONTROL_INTERVAL / STEP))))[1]


def assert_well(code: int) -> None:
    assert code == 0


def test_car_seconds_per_second_through_step() -> None:
    actions = np.zeros((COUNT, 1), dtype=np.float32)
    simulated = COUNT * CONTROL_INTERVAL
    alone = 0.0
    for threads in (1, 2):
        envs = environments(threads)
        alone = alone or stepper_cost(envs)
        clock, processor = least(lambda envs=envs: envs.step(actions))  # type: ignore[misc]
        envs.episodes._steps = 0
        rest = least(lambda envs=envs: envs.step(actions))[1]  # type: ignore[misc]
        steps = processor - rest
        two_cores = simulated / (0.5 * steps + rest)
        print(
            f"\n{COUNT} environments, {threads} threads: {simulated / clock:.0f} car-seconds per "
            f"second on the clock, {simulated / processor:.0f} per second of the processor;\n"
            f"  a control step of all takes {1e6 * processor:.0f} us of the processor, "
            f"{1e6 * rest:.0f} us of it outside the steppers; {processor / alone:.2f} times what "
            f"steppers alone take ({1e6 * alone:.0f} us, {1e6 * alone / COUNT / 20:.2f} us a step)"
            f"\n  two cores of one's own: {two_cores:.0f} car-seconds per second"
        )
        envs.close()
        assert processor < LARGEST_RATIO * alone
        assert rest < LARGEST_SHARE * processor
