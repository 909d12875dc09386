"""Manoeuvres of bicycle and motorcycle: a push at the bars, against linear equations."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from agreement import Agrees
from mechanisms.shipped_run import shipped_system
from scipy.integrate import solve_ivp

import axletree as at

# Meijaard et al. 2007, section 5(a): lean to the right, steer to the right.
M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
C1 = np.array([[0.0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0.0, 76.59734589573222], [0.0, 2.65431523794604]])


SMALL = 0.05  # of a push, for a motion that linear equations tell


def driven(name: str, manoeuvre: str, share: float = 1.0) -> at.Trajectory:
    chosen = at.read_model(name).manoeuvres[manoeuvre]
    pushed = {name: f"{share}*({signal})" for name, signal in chosen.inputs.items()}
    chosen = replace(chosen, inputs=pushed)
    return shipped_system(name).drive(chosen, step=1e-3, outputs=[], record_interval=1e-2)


@pytest.mark.validation("vehicles")
@pytest.mark.parametrize(("manoeuvre", "push"), [("steer-pulse", -1.0), ("lean-pulse", 50.0)])
def test_a_pushed_bicycle_rights_itself_as_the_benchmark_says(
    manoeuvre: str, push: float, agrees: Agrees
) -> None:
    run = driven("whipple-bicycle", manoeuvre, SMALL)
    speed, lean = 4.6, manoeuvre == "lean-pulse"

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        torque = SMALL * push * math.sin(math.pi * min(max((t - 0.5) / 0.2, 0.0), 1.0)) ** 2
        loads = np.array([torque, 0.0] if lean else [0.0, torque])
        stiffness = 9.81 * K0 + speed**2 * K2
        return np.concatenate(
            [x[2:], np.linalg.solve(M, loads - speed * C1 @ x[2:] - stiffness @ x[:2])]
        )

    linear = solve_ivp(
        rate, (0.0, 8.0), np.zeros(4), t_eval=run.time, rtol=1e-9, atol=1e-12, max_step=0.05
    ).y
    for name, expected in (("rear_frame.roll", linear[0]), ("steer.angle", -linear[1])):
        agrees(
            "bicycle after a small push: lean and steering angle over 8 s", run[name], expected,
            abs=0.02 * np.abs(expected).max(), unit="rad", case=f"{name} after {manoeuvre}",
            source="Meijaard et al. 2007, section 5, linear equations by SciPy",
        )  # fmt: skip
    assert abs(run["rear_frame.roll"][-1]) < 0.1 * np.abs(run["rear_frame.roll"]).max()


@pytest.mark.validation("vehicles")
def test_a_motorcycle_is_steered_by_a_push_to_the_other_side(agrees: Agrees) -> None:
    """Bars to the left: it leans to the right and turns there, and falls at its capsize rate."""
    run = driven("motorcycle", "steer-pulse")
    system = shipped_system("motorcycle")
    begin = (run.time > 0.5) & (run.time < 0.56)
    assert (run["steer.angle"][begin] > 0.0).all()
    assert run["chassis.roll"][-1] > math.radians(5.0)
    assert run["chassis.wz"][-1] < 0.0
    start = system.trim({"chassis.vx": 20.0})
    capsize = max(np.linalg.eigvals(system.linearise(start.states).A).real)
    late = run.time >= 2.0
    growth = np.polyfit(run.time[late], np.log(run["chassis.roll"][late]), 1)[0]
    agrees(
        "motorcycle that falls: growth of its lean", growth, capsize, rel=0.1, unit="1/s",
        source="Another formulation, eigenvalue of the linear system",
    )  # fmt: skip
