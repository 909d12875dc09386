"""Nine parameters of a single-track car from noisy drives of 30 s, over many seeds of the noise.

Prints for each unknown the mean error and its deviation over the stated one, the chi-square test of
all errors together, and the processor time of a fit from the true values and from a start from
which the car spins:

    python benchmarks/identification_study.py 200
"""

from __future__ import annotations

import sys
import time

import numpy as np
from scipy.stats import chi2

import axletree as at
from axletree.analysis.measurements.measurement import Measurement
from axletree.expr import Table

NOISE = {  # standard deviations
    "chassis.rate": 0.005, "chassis.vx": 0.05, "chassis.vy": 0.05, "front_axle.rate": 0.2,
    "rear_axle.rate": 0.2,
}  # fmt: skip
BIAS = 0.01  # rad/s, of the gyroscope
TRUE = {
    "body.mass": 1460.0, "body.inertia.zz": 2400.0,
    "front_tyre.law.cornering_stiffness": 110e3, "rear_tyre.law.cornering_stiffness": 110e3,
    "front_tyre.slip.lateral_length": 0.5, "rear_tyre.slip.lateral_length": 0.5,
    "rear_tyre.law.slip_stiffness": 150e3, "body.front.x": 1.2, "chassis.rate:offset": BIAS,
}  # fmt: skip
# With tyres that are soft behind and hard in front the car spins.
FAR = {
    "body.mass": 900.0, "body.inertia.zz": 1850.0, "front_tyre.law.cornering_stiffness": 250e3,
    "rear_tyre.law.cornering_stiffness": 40e3, "body.front.x": 1.6,
}  # fmt: skip


def drive(duration: float) -> tuple[at.Trajectory, dict[str, np.ndarray]]:
    """The car through swept steering, faster and slower, without noise."""
    t = np.arange(round(duration * 100.0) + 1) * 0.01
    phase = 2.0 * np.pi * (0.2 * t + 0.0225 * t**2)
    steering = np.radians(2.0 * np.sin(phase) * np.minimum(2.0 * t, 1.0) + 0.6 * np.sin(1.3 * t))
    torque = 300.0 * np.sin(0.8 * t) + 250.0 * np.sin(2.9 * t)
    inputs = {"steer.angle": steering, "drive.torque": torque}
    spin = 25.0 / 0.3  # rad/s
    run = at.read_model("bicycle-car").formulate().simulate(
        float(t[-1]), step="5 ms", record_interval="10 ms", outputs=[],
        inputs={name: Table.spline(t.tolist(), u.tolist()) for name, u in inputs.items()},
        initial={"chassis.vx": 25.0, "front_axle.rate": spin, "rear_axle.rate": spin},
    )  # fmt: skip
    return run, inputs


def measured(run: at.Trajectory, inputs: dict[str, np.ndarray], seed: int) -> Measurement:
    """With noise, and the bias of the gyroscope."""
    random = np.random.default_rng(seed)
    columns = {n: run[n] + s * random.standard_normal(len(run)) for n, s in NOISE.items()}
    columns["chassis.rate"] = columns["chassis.rate"] + BIAS
    units = {name: run.units[name] for name in NOISE}
    units |= {"steer.angle": "rad", "drive.torque": "N*m"}
    return Measurement(f"seed {seed}", run.time, {**columns, **inputs}, units, {})


def main(seeds: int) -> None:
    """Print the table."""
    car, (run, inputs) = at.read_model("bicycle-car"), drive(30.0)
    truth = np.array(list(TRUE.values()))
    for words, start in (("true values", {}), ("a start from which the car spins", FAR)):
        begun = time.process_time()
        found = at.identify(car, measured(run, inputs, 0), list(TRUE), channels=NOISE, start=start)
        print(f"from {words}: {time.process_time() - begun:.1f} s of the processor")
        worst = max(abs(found[n] - x) / found.deviations[n] for n, x in TRUE.items())
        print(f"  largest error {worst:.2f} standard deviations")
    errors, squares = [], []
    for seed in range(1, seeds + 1):
        found = at.identify(car, measured(run, inputs, seed), list(TRUE), channels=NOISE)
        off = np.array(list(found.values.values())) - truth
        errors.append(off / np.array(list(found.deviations.values())))
        squares.append(float(off @ np.linalg.solve(found.covariance, off)))
    table = np.array(errors)
    for k, name in enumerate(TRUE):
        mean, spread = table[:, k].mean(), table[:, k].std(ddof=1)
        print(f"{name:38s} mean error {mean:+.2f}, deviation {spread:.2f} of the stated one")
    total, freedoms = sum(squares), len(TRUE) * seeds
    print(f"chi-square {total:.0f} of {freedoms} freedoms, p = {chi2.sf(total, freedoms):.3f}")
    print(f"within three deviations: {np.mean(np.abs(table) < 3.0):.4f} (normal: 0.9973)")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
