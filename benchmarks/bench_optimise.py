"""Springs, dampers and anti-roll bars of the sedan: the best compromise of ride comfort, roll
gradient and yaw response, by NSGA-II over cars in lanes.

Every car drives two manoeuvres of 4 s, a road of class C on four posts and a step of the steering
wheel, at the fidelity 14-dof with steps of 2 ms in 32 bits. Times are of the processor's work for
this program, in all threads together; the search by itself is told apart.

    python benchmarks/bench_optimise.py [cars [population [folder]]]

With a folder a run that was interrupted goes on. A million cars in generations of 4,000 take some
ten minutes of the processor:

    python benchmarks/bench_optimise.py 1000000 4000 out/million
"""

from __future__ import annotations

import sys
import time

import axletree as at
from axletree.analysis.experiments import evaluation

CARS, POPULATION = 16_384, 4096
MANOEUVRES = {"step": "iso-7401-step", "ride": "four-post-road"}
BOUNDS = {
    "front_*_spring.stiffness": "18:40 kN/m",
    "rear_*_spring.stiffness": "18:40 kN/m",
    "front_*_spring.damping": "1:4 kN*s/m",
    "rear_*_spring.damping": "1:4 kN*s/m",
    "front_anti_roll_bar.stiffness": "2:40 kN/m",
    "rear_anti_roll_bar.stiffness": "2:40 kN/m",
}
GOALS = [
    "ride:chassis.vz_dot.rms",
    "step:vehicle.roll.final/step:vehicle.lateral_acceleration.final",
    "step:vehicle.yaw_rate.maximum/step:vehicle.yaw_rate.final",
]
RUNS = {"duration": 4.0, "step": "2 ms", "method": "semi-implicit-euler", "number": "float"}


def bench_optimise(cars: int = CARS, population: int = POPULATION, folder: str = "") -> at.Optimum:
    try_block, blocks = evaluation.try_block, []

    def timed(*given: object) -> object:
        begin = time.process_time()
        found = try_block(*given)  # type: ignore[arg-type]
        blocks.append(time.process_time() - begin)
        return found

    evaluation.try_block = timed  # type: ignore[assignment]
    begin = time.process_time()
    found = at.optimise(
        "sedan", BOUNDS, MANOEUVRES, of=GOALS, cars=cars, population=population,
        changes={"vehicle": {"fidelity": "14-dof"}}, folder=folder or None, **RUNS,
    )  # fmt: skip
    whole = time.process_time() - begin
    print(f"\n{found}")
    new = len(found) - found.reused
    if new:
        print(f"{new} cars in {sum(blocks):.0f} s of the processor, "
              f"{1e3 * sum(blocks) / new:.2f} ms each; search {whole - sum(blocks):.0f} s; "
              f"{len(found.front)} cars on the front, {len(found.failures)} failed")  # fmt: skip
    return found


if __name__ == "__main__":
    bench_optimise(*map(int, sys.argv[1:3]), *sys.argv[3:4])
