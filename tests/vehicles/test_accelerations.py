"""Accelerations that vehicles tell, against differences of places and circular motion."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner
from vehicles.test_fidelity import SPEED, system

import axletree as at
from axletree.analysis.studies.comparison import read_result, shared_quantities
from axletree.cli.app import app
from axletree.metrics.vehicle_signals import (
    LATERAL,
    LATERAL_ACCELERATION,
    LONGITUDINAL_ACCELERATION,
    lateral_acceleration,
    longitudinal_acceleration,
)
from axletree.model_files.vehicle_section import vehicle_plots
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System
from axletree.vehicles.vehicle import Fidelity

TOLD = (LATERAL_ACCELERATION, LONGITUDINAL_ACCELERATION)
NAMES = (*LATERAL, LONGITUDINAL_ACCELERATION, "vehicle.heading", "vehicle.x", "vehicle.y")
H = 2e-3  # s
# Mounts of links leave the sensor of the body what it is with rigid ones.
FIDELITIES = [one.value for one in Fidelity if one is not Fidelity.BUSHINGS]


def linked(fidelity: str) -> System:
    """Of a vehicle by hard points."""
    return at.read_model("macpherson-compact-car", {"vehicle": {"fidelity": fidelity}}).formulate()


@cache
def steered(fidelity: str) -> Trajectory:
    """To and fro while the throttle opens, where there is one."""
    made = linked(fidelity) if Fidelity(fidelity).has_links else system(fidelity)
    start = made.trim({"chassis.vx": SPEED}).states
    inputs = {"driver.steering": "0.3*sin(6*t)^3", "driver.throttle": "0.25*(1 - cos(3*t))"}
    return made.simulate(1.2, step=H, method="rk4", initial=start, inputs=inputs, outputs=NAMES)


def by_places(run: Trajectory, every: int) -> tuple[np.ndarray, np.ndarray]:
    """Across and along the heading [m/s^2], by second differences over so many records."""
    x, y, psi = (run[f"vehicle.{name}"] for name in ("x", "y", "heading"))
    ax, ay = (
        (q[2 * every :] - 2.0 * q[every:-every] + q[: -2 * every]) / (every * H) ** 2
        for q in (x, y)
    )
    c, s = np.cos(psi[every:-every]), np.sin(psi[every:-every])
    return c * ay - s * ax, c * ax + s * ay


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_they_are_second_derivatives_of_the_place(fidelity: str) -> None:
    """Differences are off by the second power of their interval, but where a gear changes."""
    run = steered(fidelity)
    for k, name in enumerate(TOLD):
        off = [np.abs(by_places(run, every)[k] - run[name][every:-every]) for every in (4, 8)]
        assert off[0].max() < 1e-2 * np.ptp(run[name])
        usual = [np.quantile(one, 0.9) for one in off]
        assert usual[1] == pytest.approx(4.0 * usual[0], rel=0.1)


@pytest.mark.parametrize("fidelity", FIDELITIES)
def test_runs_without_them_have_them_from_speeds(fidelity: str) -> None:
    """But for a body that rolls while it pitches: its heading turns otherwise than the body."""
    run = steered(fidelity)
    columns = {name: run[name] for name in NAMES if name not in TOLD}
    plain = Trajectory("car", run.time, columns, {}, ())
    besides = np.gradient(run["vehicle.heading"], run.time) - run["vehicle.yaw_rate"]
    if Fidelity(fidelity).is_planar:
        assert np.abs(besides[1:-1]).max() < 1e-4
    close = 1e-3 * np.abs(run[LATERAL_ACCELERATION]).max()
    for ahead in (0.0, 1.4):
        found = lateral_acceleration(plain, ahead=ahead) + besides * run["vehicle.forward_speed"]
        exact = lateral_acceleration(run, ahead=ahead)
        assert found[1:-1] == pytest.approx(exact[1:-1], abs=close)
    found = longitudinal_acceleration(plain) - besides * run["vehicle.lateral_speed"]
    assert found[1:-1] == pytest.approx(run[LONGITUDINAL_ACCELERATION][1:-1], abs=close)


def test_a_steady_turn_has_the_square_of_the_speed_over_the_radius() -> None:
    """The radius is that of the circle through three places of the path."""
    made = system("linear")
    start = made.trim({"chassis.vx": SPEED}).states
    run = made.simulate(
        6.0, step=H, method="rk4", initial=start, outputs=NAMES,
        inputs={"driver.steering": "0.2*min(t, 1)^2"},
    )  # fmt: skip
    a, b, c = (complex(run["vehicle.x"][k], run["vehicle.y"][k]) for k in (-801, -401, -1))
    area = 0.5 * abs(((b - a).conjugate() * (c - a)).imag)
    radius = abs(b - a) * abs(c - b) * abs(a - c) / (4.0 * area)
    u, v = run["vehicle.forward_speed"][-1], run["vehicle.lateral_speed"][-1]
    towards = math.hypot(u, v) ** 2 / radius
    slip = math.atan2(v, u)
    assert run[LATERAL_ACCELERATION][-1] == pytest.approx(towards * math.cos(slip), rel=1e-6)
    assert run[LONGITUDINAL_ACCELERATION][-1] == pytest.approx(-towards * math.sin(slip), rel=1e-4)


def test_a_seat_that_leans_on_a_turntable_feels_the_same() -> None:
    """At a radius, x along the circle, leaning inwards and nose up: accelerations stay level."""
    radius, rate = 3.0, 1.7
    model = at.Model("turntable")
    table = model.add(at.RigidBody("table", mass=10.0, inertia=(1.0, 1.0, 1.0)))
    model.add(at.Revolute("pin", model.ground, table, axis=(0.0, 0.0, 1.0)))
    seat = table.frame("seat", position=(0.0, -radius, 0.5), turn=[("y", -0.2), ("x", -0.3)])
    model.add(at.MotionSensor("seat", model.ground, seat))
    run = model.formulate().simulate(1.0, step=0.1, method="rk4", initial={"pin.rate": rate})
    assert run["seat.lateral_acceleration"] == pytest.approx(rate**2 * radius)
    assert run["seat.longitudinal_acceleration"] == pytest.approx(0.0, abs=1e-12)


def test_a_run_records_what_its_plots_show(tmp_path: Path) -> None:
    order = ["run", "sedan", "step-steer", "--model", "single-track", "--duration", "0.1"]
    result = CliRunner().invoke(app, [*order, "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    one = read_result(tmp_path, "one")
    assert [
        plot.title for plot in vehicle_plots("road", "kingpins") if plot.unmatched(one.run.names)
    ] == []
    assert set(TOLD) <= set(shared_quantities([one, one]))
