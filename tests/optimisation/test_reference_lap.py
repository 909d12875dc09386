"""The lap of fastest-lap: its car and track at its own states, and the optimum found here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from agreement import Agrees

import axletree as at
from axletree.optimisation.reference_lap import (
    CAR,
    CAR_WHEELS,
    reference_car,
    reference_problem,
    reference_start,
    reference_track,
)

SOURCE = "fastest-lap, commit 0660208 (MIT, Juan Manzanero 2021)"


def reference() -> np.ndarray:
    file = Path(__file__).parent / "catalunya_reference.csv"
    return np.genfromtxt(file, delimiter=",", skip_header=2, names=True)


def test_the_track_closes() -> None:
    track = reference_track()
    steps = np.diff(np.append(track.station, track.length))
    bends = np.append(track.curvature, track.curvature[0])
    turned = np.sum(steps * 0.5 * (bends[1:] + bends[:-1]))
    assert turned == pytest.approx(2.0 * np.pi, abs=2e-3)


@pytest.mark.validation("vehicles")
def test_equations_hold_at_the_states_of_the_reference(agrees: Agrees) -> None:
    rows, track = reference(), reference_track()
    weight = CAR["mass [kg]"] * CAR["gravity [m/s^2]"]
    outputs = [d.quantity.name for d in reference_car().outputs]
    car = reference_car().functions("f", outputs=outputs)
    given = {"steer": rows["steer_rad"], "pedal": rows["throttle"]}
    for name in ("curvature", "left", "right"):
        given[name] = track.over(getattr(track, name), rows["s_m"])
    for wheel in CAR_WHEELS:
        load = rows[f"Fz_{wheel}_N"]
        peak = 0.11 - 0.01 * (load - 2000.0) / 4000.0
        given[f"slip_{wheel}"] = rows[f"kappa_{wheel}"] / peak
        # Loads are smoothed, N = (F + sqrt(F^2 + 1)) / 2, so that F = N - 1 / (4 N).
        given[f"load_share_{wheel}"] = -(load - 0.25 / load) / weight
    x = np.column_stack([rows[name] for name in (
        "u_mps", "v_mps", "yaw_rate_radps", "n_m", "heading_error_rad")])  # fmt: skip
    u = np.column_stack([given[name] for name in car.inputs])
    found = dict(zip(car.rows, car.f(x, u).T, strict=True))
    for ours, theirs in (("ax", "ax_mps2"), ("ay", "ay_mps2")):
        agrees(
            f"{ours} at 100 stations of a lap", found[ours], rows[theirs], abs=1e-6,
            unit="m/s^2", source=SOURCE,
        )  # fmt: skip
    for name, largest in (
        ("vertical", 1e-4),
        ("roll", 1e-4),
        ("pitch", 1e-4),
        ("roll_share", 1e-7),
    ):
        assert np.abs(found[name]).max() < largest
    assert np.abs(found["torque_rl"]).max() < 10.0  # theirs is zero in the mean of an interval


@pytest.mark.slow
@pytest.mark.validation("vehicles")
def test_the_lap_in_the_least_time(agrees: Agrees) -> None:
    pytest.importorskip("casadi")
    problem, track, rows = reference_problem(), reference_track(), reference()
    mesh = np.append(track.station, track.length)
    lap = at.optimal_control(problem, rule="trapezoidal", mesh=mesh, start=reference_start())
    time = np.trapezoid(lap["slowness"], lap.nodes)
    agrees("lap of Catalunya, 500 nodes", time, 77.791438, abs=5e-3, unit="s", source=SOURCE)
    assert lap.cost <= 77.9295
    for ours, theirs, near, far in (
        ("u", "u_mps", 0.1, 1.5), ("offset", "n_m", 0.1, 0.4),
        ("steer", "steer_rad", 2e-3, 2e-2), ("pedal", "throttle", 2e-2, 0.3),
    ):  # fmt: skip
        off = np.abs(lap[ours][:-1:5] - rows[theirs])
        assert np.quantile(off, 0.9) < near, ours
        assert off.max() < far, ours


@pytest.mark.long
def test_sensitivities_of_the_lap() -> None:
    """By mass and power, against laps with other values of them."""
    problem, start = reference_problem(), reference_start()
    lap = at.optimal_control(problem, rule="trapezoidal", mesh=250, start=start)
    slopes = lap.sensitivities(["power", "mass"])
    for name, step in (("power", 2000.0), ("mass", 1.0)):
        value = next(v for title, v in CAR.items() if title.startswith(name))
        costs = []
        for sign in (-1.0, 1.0):
            changed = {**vars(problem), "values": {name: value + sign * step}}
            other = at.OptimalControlProblem(**changed)
            costs.append(at.optimal_control(
                other, rule="trapezoidal", mesh=250, start=lap).cost)  # fmt: skip
        assert slopes[name] == pytest.approx((costs[1] - costs[0]) / (2.0 * step), rel=1e-3)
