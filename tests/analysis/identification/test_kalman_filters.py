"""Kalman filters against the Riccati equation, one another, and their own statistics."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.linalg import expm, solve_discrete_are

import axletree as at
from axletree.analysis.identification.unknowns import IdentificationError
from axletree.system.system import System

MASS, STIFFNESS, DAMPING = 2.0, 80.0, 1.5


@cache
def spring() -> System:
    """A mass on a spring: linear."""
    model = at.Model("spring", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.RigidBody("body", mass=MASS, inertia=(1.0, 1.0, 1.0)))
    way = model.add(at.Prismatic("way", model.ground, body, axis="x"))
    model.add(at.SlideSpringDamper("spring", way, stiffness=STIFFNESS, damping=DAMPING))
    model.start = {"way.position": 0.1}
    return model.formulate()


def noisy(
    seed: int, duration: float = 4.0, **parameters: float
) -> tuple[at.Trajectory, np.ndarray]:
    run = spring().simulate(duration, step="5 ms", record_interval="20 ms", parameters=parameters)
    noise = 0.01 * np.random.default_rng(seed).standard_normal(len(run))
    return run, run["way.position"] + noise


KINDS = list(at.FilterKind)


@pytest.mark.parametrize("kind", KINDS)
def test_in_the_long_run_the_covariance_is_that_of_the_riccati_equation(
    kind: at.FilterKind,
) -> None:
    """Of the sampled linear system, by SciPy."""
    interval, noise, density = 0.02, 0.01, 0.3
    watch = at.KalmanFilter(
        spring(), {"way.position": noise}, process_noise={"way.speed": density},
        deviations={"way.position": 0.1, "way.speed": 0.1}, kind=kind, step=interval,
    )  # fmt: skip
    run, measured = noisy(1)
    found = watch.run(run.time, {"way.position": measured})
    speed, place = (watch.names.index(n) for n in ("way.speed", "way.position"))
    A = np.zeros((2, 2))
    A[speed] = np.array([-DAMPING, -STIFFNESS])[[speed, place]] / MASS
    A[place, speed] = 1.0
    F = expm(A * interval)
    H = np.zeros((1, 2))
    H[0, place] = 1.0
    Q = np.zeros((2, 2))
    Q[speed, speed] = density**2 * interval
    before = solve_discrete_are(F.T, H.T, Q, np.array([[noise**2]]))
    gain = before @ H.T / (H @ before @ H.T + noise**2)
    after = before - gain @ H @ before
    assert found.covariances[-1] == pytest.approx(after, rel=1e-4)


def test_both_kinds_are_one_filter_where_the_system_is_linear() -> None:
    run, measured = noisy(2, 1.0)
    found = [
        at.KalmanFilter(
            spring(), {"way.position": 0.01}, process_noise={"way.speed": 0.2},
            deviations={"way.position": 0.2, "way.speed": 1.0}, kind=kind,
        ).run(run.time, {"way.position": measured})
        for kind in KINDS
    ]  # fmt: skip
    assert found[1].means == pytest.approx(found[0].means, rel=1e-6, abs=1e-9)


def test_errors_are_as_large_as_the_filter_says() -> None:
    """The mean of squared errors over stated covariances is the number of states."""
    squares = []
    for seed in range(12):
        run, measured = noisy(seed, 2.0)
        start = np.random.default_rng(100 + seed).standard_normal(2) * (0.05, 0.3)
        watch = at.KalmanFilter(
            spring(), {"way.position": 0.01},
            initial={"way.position": 0.1 + start[0], "way.speed": start[1]},
            deviations={"way.position": 0.05, "way.speed": 0.3},
        )  # fmt: skip
        found = watch.run(run.time, {"way.position": measured})
        off = np.column_stack([found[n] - run[n] for n in found.names])[20::20]
        P = found.covariances[20::20]
        squares.append(np.einsum("ki,kij,kj->k", off, np.linalg.inv(P), off).mean())
    assert np.mean(squares) == pytest.approx(2.0, abs=1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_parameter_that_wanders_is_followed(kind: at.FilterKind) -> None:
    run, measured = noisy(4, 6.0, **{"spring.stiffness": 100.0})
    watch = at.KalmanFilter(
        spring(), {"way.position": 0.01}, wandering={"spring.stiffness": 0.5},
        deviations={"spring.stiffness": 30.0, "way.speed": 0.1}, kind=kind, step="20 ms",
    )  # fmt: skip
    found = watch.run(run.time, {"way.position": measured})
    last, deviation = found["spring.stiffness"][-1], found.deviation("spring.stiffness")[-1]
    assert abs(last - 100.0) < 3.0 * deviation
    assert deviation < 3.0
    assert abs(last - STIFFNESS) > 3.0 * deviation


def test_sideslip_of_a_car_is_seen_by_its_yaw_rate_and_lateral_acceleration() -> None:
    """Nothing measures vy; inputs go with the run."""
    car = at.read_model("bicycle-car").formulate()
    t = np.arange(301) * 0.01
    angle = np.radians(2.0) * np.sin(3.0 * t)
    table = at.expr.Table.spline(t.tolist(), angle.tolist())
    run = car.simulate(
        3.0, step="5 ms", record_interval="10 ms", outputs=["front_tyre.Fy"],
        inputs={"steer.angle": table},
    )  # fmt: skip
    random = np.random.default_rng(3)
    measured = {
        "chassis.rate": run["chassis.rate"] + 0.003 * random.standard_normal(len(t)),
        "chassis.vx": run["chassis.vx"] + 0.03 * random.standard_normal(len(t)),
        "front_tyre.Fy": run["front_tyre.Fy"] + 20.0 * random.standard_normal(len(t)),
    }
    noise = {"chassis.rate": 0.003, "chassis.vx": 0.03, "front_tyre.Fy": 20.0}
    watch = at.KalmanFilter(
        car, noise, initial={"chassis.vy": 0.5}, step="10 ms",
        deviations={"chassis.vy": 1.0, "chassis.vx": 0.1, "chassis.rate": 0.1},
        process_noise={"chassis.vy": 0.02},
    )  # fmt: skip
    rate, bend = table.derivative(), table.derivative().derivative()
    inputs = {"steer.angle": angle, "steer.angle_rate": rate.evaluate(t),
              "steer.angle_acceleration": bend.evaluate(t)}  # fmt: skip
    found = watch.run(t, measured, inputs)
    off = np.abs(found["chassis.vy"] - run["chassis.vy"])[100:]
    assert off.max() < 0.1  # m/s, of 1.5
    assert (off < 4.0 * found.deviation("chassis.vy")[100:]).all()


def test_sigma_points_do_not_hang_on_rounding() -> None:
    """Of most of these states nothing is unknown but what follows from the others."""
    car, time = at.read_model("bicycle-car").formulate(), 0.01 * np.arange(31)
    estimates = [
        at.KalmanFilter(
            car, {"chassis.rate": 0.003}, initial={"chassis.vy": 0.5 * (1.0 + change)},
            deviations={"chassis.vy": 1.0, "chassis.vx": 0.1}, kind=at.FilterKind.UNSCENTED,
            process_noise={"chassis.vy": 0.02},
        ).run(time, {"chassis.rate": 0.1 * np.sin(3.0 * time)}, {"steer.angle": 0.05 * time})
        for change in (0.0, 1e-13)
    ]  # fmt: skip
    means = [one.means for one in estimates]
    assert means[1] == pytest.approx(means[0], rel=1e-7, abs=1e-9)


def test_time_goes_on_where_equations_depend_on_it() -> None:
    """A force that rises with the time: its impulse is half of rate and time squared."""
    model = at.Model("pushed", gravity=(0.0, 0.0, 0.0))
    body = model.add(at.RigidBody("body", mass=MASS, inertia=(1.0, 1.0, 1.0)))
    way = model.add(at.Prismatic("way", model.ground, body, axis="x"))
    model.add(at.JointForce("push", way, force="8*t"))
    for kind in KINDS:
        watch = at.KalmanFilter(model.formulate(), {"way.position": 0.1}, kind=kind)
        watch.predict("2 s")
        assert watch["way.speed"] == pytest.approx(0.5 * 8.0 * 2.0**2 / MASS)


def test_a_channel_that_is_lost_for_a_while_is_left_out() -> None:
    run, measured = noisy(5, 2.0)
    measured[40:60] = np.nan
    watch = at.KalmanFilter(spring(), {"way.position": 0.01}, deviations={"way.speed": 0.1})
    found = watch.run(run.time, {"way.position": measured})
    assert np.isnan(found.innovations[50]).all()
    assert np.isfinite(found.means).all()
    assert np.abs(found["way.position"] - run["way.position"]).max() < 0.02


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(IdentificationError, match="nothing is measured"):
        at.KalmanFilter(spring(), {})
    with pytest.raises(at.AxletreeError, match=r"did you mean 'way\.position'"):
        at.KalmanFilter(spring(), {"way.positon": 0.1})
    with pytest.raises(IdentificationError, match="leaves nothing to estimate"):
        at.KalmanFilter(spring(), {"way.position": 0.0})
    with pytest.raises(IdentificationError, match="constraints or unknown forces"):
        at.KalmanFilter(at.read_model("four-bar").formulate(), {"crank.angle": 0.1})
    watch = at.KalmanFilter(spring(), {"way.position": 0.1})
    with pytest.raises(IdentificationError, match="rise from one instant"):
        watch.run([0.0, 0.0], {"way.position": [0.0, 0.0]})
    with pytest.raises(IdentificationError, match="expected a value for each of 2 instants"):
        watch.run([0.0, 0.1], {"way.position": [0.0]})
    with pytest.raises(IdentificationError, match="before the last one"):
        watch.predict("-1 ms")
