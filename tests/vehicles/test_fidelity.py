"""One description, four models: they agree where they should, and with closed forms."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.linalg import eigvals
from vehicles.test_vehicle import described

import axletree as at
from axletree.system.system import System
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.statics import wheel_loads
from axletree.vehicles.vehicle import Vehicle

SPEED = 20.0
RATIO = 16.0


LINEAR = {"type": "linear", "slip_stiffness": 8e4, "cornering_stiffness": 6e4}


def vehicle(fidelity: str) -> Vehicle:
    given = described()
    given["axles"]["front"]["steering"] = {"ratio": RATIO}
    for axle in given["axles"].values():
        axle["tyre"]["law"] = LINEAR
    return Vehicle(**given, fidelity=fidelity)


@cache
def system(fidelity: str) -> System:
    model = at.Model("car")
    assemble_vehicle(vehicle(fidelity), model)
    return model.formulate()


@cache
def turned(fidelity: str, wheel: float = 0.1) -> at.Trajectory:
    made = system(fidelity)
    start = made.trim({"chassis.vx": SPEED}).states
    inputs = {"driver.steering": f"{wheel}*min(t/0.2, 1)^2"}
    return made.simulate(3.0, step=2e-3, method="rk4", initial=start, inputs=inputs)


def planar_numbers() -> tuple[float, float, float, float, float, float]:
    """Mass, yaw inertia, distances of the axles and stiffnesses of both of their tyres."""
    own = vehicle("single-track")
    pieces = [(own.body.mass, 0.0, own.body.inertia[2])]
    for axle in own.axles.values():
        yaw = axle.suspension.unsprung_yaw_inertia(0.0)
        pieces.append((axle.suspension.unsprung_mass, axle.position, yaw))
        pieces.append((2.0 * axle.wheel.mass, axle.position, 2.0 * axle.wheel.transverse_inertia))
    mass = sum(m for m, _, _ in pieces)
    centre = sum(m * x for m, x, _ in pieces) / mass
    inertia = sum(J + m * (x - centre) ** 2 for m, x, J in pieces)
    sheet = data_sheet(own)
    stiffness = [2.0 * sheet[f"{name} cornering stiffness"] for name in ("front", "rear")]
    return mass, inertia, 1.1 - centre, 1.4 + centre, stiffness[0], stiffness[1]


def test_the_steady_yaw_rate_of_the_single_track_model_is_the_closed_form() -> None:
    """r / delta = v / (L + (m / L) (b / C_f - a / C_r) v^2)."""
    mass, _, a, b, front, rear = planar_numbers()
    run = turned("single-track", 0.01)
    speed = float(run["vehicle.forward_speed"][-1])
    length = a + b
    gain = speed / (length + mass / length * (b / front - a / rear) * speed**2)
    assert run["vehicle.yaw_rate"][-1] == pytest.approx(gain * 0.01 / RATIO, rel=5e-3)


def test_its_eigenvalues_are_those_of_the_closed_form() -> None:
    mass, inertia, a, b, front, rear = planar_numbers()
    v = SPEED
    A = np.array(
        [
            [-(front + rear) / (mass * v), (b * rear - a * front) / (mass * v) - v],
            [
                (b * rear - a * front) / (inertia * v),
                -(a * a * front + b * b * rear) / (inertia * v),
            ],
        ]
    )
    made = system("single-track")
    found = made.linearise(made.trim({"chassis.vx": v}).states).eigenvalues
    for value in eigvals(A):
        assert min(abs(found - value)) < 2e-2 * abs(value)


def test_the_plane_does_not_know_the_track() -> None:
    wide, narrow = turned("two-track"), turned("single-track")
    assert wide["vehicle.yaw_rate"][-1] == pytest.approx(narrow["vehicle.yaw_rate"][-1], rel=1e-4)
    # Masses at the ends of the axles add to the yaw inertia.
    assert wide["vehicle.yaw_rate"][150] < narrow["vehicle.yaw_rate"][150]


@pytest.mark.parametrize("fidelity", ["14-dof", "two-track", "two-track-static"])
def test_models_agree_in_the_linear_range(fidelity: str) -> None:
    run, other = turned(fidelity), turned("single-track")
    assert run["vehicle.yaw_rate"][-1] == pytest.approx(other["vehicle.yaw_rate"][-1], rel=1e-2)
    assert run["vehicle.sideslip"][-1] == pytest.approx(other["vehicle.sideslip"][-1], rel=1e-2)


def test_toe_and_camber_over_travel_are_in_the_full_model_alone() -> None:
    full, plain = turned("full"), turned("14-dof")
    assert abs(full["vehicle.yaw_rate"][-1] / plain["vehicle.yaw_rate"][-1] - 1.0) > 0.01
    assert full["vehicle.roll"][-1] > 0.0


def test_without_curves_independent_suspensions_have_their_roll_centres_on_the_ground() -> None:
    """The body of ``14-dof`` rolls as the data sheet of a vehicle without curves says."""
    given, plain = vehicle("14-dof"), turned("14-dof")
    axles = {k: replace(a, suspension=a.suspension.plain()) for k, a in given.axles.items()}
    sheet, full = data_sheet(replace(given, axles=axles)), data_sheet(given)
    lateral = plain["vehicle.yaw_rate"][-1] * plain["vehicle.forward_speed"][-1] / 9.80665
    told = math.degrees(plain["vehicle.roll"][-1]) / lateral
    assert told == pytest.approx(sheet["roll gradient"], rel=0.02)
    assert told > 1.03 * full["roll gradient"]


def test_the_sensor_tells_what_the_joint_knows() -> None:
    run = turned("full")
    assert run["vehicle.heading"] == pytest.approx(run["chassis.yaw"], abs=1e-12)
    assert run["vehicle.yaw_rate"] == pytest.approx(
        np.gradient(run["chassis.yaw"], run.time), abs=1e-4
    )
    speed = np.hypot(
        np.gradient(run["chassis.x"], run.time), np.gradient(run["chassis.y"], run.time)
    )
    told = np.hypot(run["vehicle.forward_speed"], run["vehicle.lateral_speed"])
    assert told == pytest.approx(speed, abs=1e-3)
    angle = np.arctan2(run["vehicle.lateral_speed"], run["vehicle.forward_speed"])
    assert run["vehicle.sideslip"] == pytest.approx(angle, abs=1e-5)
    assert math.degrees(run["vehicle.roll"][-1]) == pytest.approx(
        math.degrees(run["chassis.roll"][-1]), rel=1e-3
    )


def test_wheels_of_static_loads_carry_what_they_stand_under() -> None:
    loads = wheel_loads(vehicle("two-track-static"))
    run = turned("two-track-static")
    for wheel in ("front_left", "rear_right"):
        expected = loads[wheel.partition("_")[0]]
        assert run[f"{wheel}_tyre.Fz"] == pytest.approx(np.full(len(run.time), expected), rel=1e-9)
