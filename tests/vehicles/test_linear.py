"""The linear single-track model of a vehicle against closed forms and against the other models."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from agreement import Agrees
from vehicles.test_fidelity import RATIO, SPEED, planar_numbers, system, turned, vehicle
from vehicles.test_vehicle import described

import axletree as at
from axletree.analysis.handling.steer_response import (
    BicycleModel,
    bicycle_model,
    critical_speed,
    response_of_linear,
)
from axletree.model.model import Model
from axletree.system.system import System
from axletree.vehicles.linear_single_track import linear_single_track, tyre_slopes
from axletree.vehicles.statics import wheel_loads
from axletree.vehicles.vehicle import Vehicle
from axletree.wheel.tyres.ideal_laws import LinearTyre

FREQUENCIES = np.array([0.001, 0.1, 0.5, 1.0, 2.0, 4.0])
OUTPUTS = ["vehicle.yaw_rate", "vehicle.lateral_speed"]


@cache
def sedan(fidelity: str) -> tuple[Model, System]:
    model = at.read_model("sedan", {"vehicle": {"fidelity": fidelity}})
    return model, model.formulate()


def responses(made: System, speed: float = SPEED) -> tuple[np.ndarray, np.ndarray]:
    """Of yaw rate and lateral acceleration to the steering wheel, at the frequencies."""
    linear = made.trim({"chassis.vx": speed}).linearise(OUTPUTS)
    yaw, side = response_of_linear(linear, speed, FREQUENCIES).values()
    return yaw, side


def test_a_yaw_moment_of_the_air_turns_the_nose_away_from_the_wind() -> None:
    """A car that drifts to the right has the wind from the right, at the angle -v / u: with q A L
    C_Mz times it, all models turn to the left, and so does the linear one's matrix."""
    speed, drift, change, rates = 30.0, -0.3, 0.3, {}
    for fidelity in ("linear", "single-track"):
        for moment in (0.0, change):
            air = {"side": 0.0, "yaw_moment": moment}
            made = at.read_model("sedan", {"vehicle": {"fidelity": fidelity, "air": air}})
            own = made.formulate()
            state = own.trim({"chassis.vx": speed}).states | {"chassis.vy": drift}
            rates[fidelity, moment] = own.rhs(state)["chassis.rate"]
    told = at.read_model("sedan").described["vehicle"]
    assert told.air is not None
    numbers = linear_single_track(told)
    lever = told.air.area * told.wheelbase
    turned = 0.5 * 1.225 * speed**2 * lever * change * (-drift / speed) / numbers.yaw_inertia
    assert turned > 0.0
    for fidelity in ("linear", "single-track"):
        found = rates[fidelity, change] - rates[fidelity, 0.0]
        assert found == pytest.approx(turned, rel=2e-3), fidelity
    by_air = bicycle_model(told, speed).matrices[0][1, 0] * drift
    air_free = replace(told, air=replace(told.air, yaw_moment=told.air.yaw_moment - change))
    without = bicycle_model(air_free, speed).matrices[0][1, 0] * drift
    assert by_air - without == pytest.approx(turned, rel=1e-9)


@pytest.mark.validation("vehicles")
def test_gain_natural_frequency_and_damping_are_those_of_the_textbook(agrees: Agrees) -> None:
    """Riekert and Schunck 1940; of tyres without trail, and a vehicle without air."""
    m, J, a, b, front, rear = planar_numbers()
    v, length = SPEED, a + b
    gain = v / (length + m / length * (b / front - a / rear) * v**2) / RATIO
    square = front * rear * length**2 / (m * J * v**2) + (b * rear - a * front) / J
    twice = ((front + rear) / m + (a**2 * front + b**2 * rear) / J) / v
    made = system("linear")
    values = made.trim({"chassis.vx": v}).eigenvalues
    pair = [value for value in values if abs(value) > 1e-9]
    assert np.prod(pair).real == pytest.approx(square, rel=1e-9)
    assert -np.sum(pair).real == pytest.approx(twice, rel=1e-9)
    told = BicycleModel(linear_single_track(vehicle("linear")), v)
    damping = twice / (2.0 * math.sqrt(square))
    for name, unit, found, expected in (
        ("natural frequency", "rad/s", told.natural_frequency, math.sqrt(square)),
        ("damping ratio", "", told.damping_ratio, damping),
        ("yaw gain", "1/s", told.yaw_gain, gain),
        ("gain of lateral acceleration", "m/s²", told.acceleration_gain, gain * v),
    ):
        agrees(
            f"linear single-track model: {name}", found, expected, rel=1e-9, unit=unit,
            source="Closed form, Riekert and Schunck 1940",
        )  # fmt: skip
    run = turned("linear")
    agrees(
        "linear single-track model: yaw rate after a step, simulated",
        run["vehicle.yaw_rate"][-1], 0.1 * gain, rel=1e-6, unit="rad/s",
        source="Closed form, Riekert and Schunck 1940",
    )  # fmt: skip


def test_what_is_steered_twice_as_far_answers_twice_and_goes_on_as_fast() -> None:
    small, great = turned("linear", 0.5), turned("linear", 1.0)
    for name in ("vehicle.yaw_rate", "vehicle.lateral_speed"):
        assert great[name] == pytest.approx(2.0 * small[name], rel=1e-8, abs=1e-11)
    assert great["vehicle.forward_speed"] == pytest.approx(np.full(len(great), SPEED), rel=1e-10)


@pytest.mark.parametrize("name", ["sedan", "truck-4x2"])
@pytest.mark.validation("vehicles")
def test_with_trail_column_and_air_it_is_the_closed_form(name: str, agrees: Agrees) -> None:
    model = at.read_model(name, {"vehicle": {"fidelity": "linear"}})
    yaw, side = responses(model.formulate())
    expected = bicycle_model(model.described["vehicle"], SPEED).response(FREQUENCIES)
    agrees(
        f"{name}, linear model, 0.001 to 4 Hz: yaw rate by the steering wheel", yaw, expected[0],
        rel=1e-6, unit="1/s", source="Closed form, with trail, column and air",
    )  # fmt: skip
    assert side == pytest.approx(expected[1], rel=1e-6)


@pytest.mark.validation("vehicles")
def test_the_single_track_model_answers_as_the_closed_form(agrees: Agrees) -> None:
    """With linear tyres that do not lag; beside it the moment that turns the wheels acts on it."""
    m, J, a, b, front, rear = planar_numbers()
    A, B = BicycleModel(linear_single_track(vehicle("single-track")), SPEED).matrices
    wheels = 2.0 * vehicle("single-track").axles["front"].wheel.transverse_inertia / RATIO / J
    s = 2j * np.pi * FREQUENCIES
    turned_wheels = np.array([np.zeros(len(s)), wheels * s * s])
    columns = (B[:, None] - turned_wheels).T
    pairs = [
        np.linalg.solve(k * np.eye(2) - A, column) for k, column in zip(s, columns, strict=True)
    ]
    lateral, yaw = np.array(pairs).T
    at_body = lateral - linear_single_track(vehicle("linear")).centre * yaw
    found = responses(system("single-track"))
    agrees(
        "single-track model of components, 0.001 to 4 Hz: yaw rate by the steering wheel",
        found[0], yaw, rel=1e-6, unit="1/s", source="Closed form, with the wheels' own moment",
    )  # fmt: skip
    assert found[1] == pytest.approx(s * at_body + SPEED * yaw, rel=1e-6)


@pytest.mark.parametrize(("name", "greatest"), [("truck-4x2", 1e-5), ("compact-car", 5e-3)])
def test_with_tyres_of_the_same_slopes_the_single_track_model_has_its_gain(
    name: str, greatest: float
) -> None:
    """Column, trail, air and drive are in it. Driven wheels that steer push along their own axis:
    a front axle of a drive force F has F / C more side force."""
    own = at.read_model(name).described["vehicle"]
    axles = {}
    for axle, load in wheel_loads(own).items():
        slopes = tyre_slopes(own.axles[axle], load)
        stiffness = slopes.cornering_stiffness
        law = LinearTyre(10.0 * stiffness, stiffness, pneumatic_trail=slopes.trail)
        axles[axle] = {"tyre": {"law": law}}
    changes = {"vehicle": {"fidelity": "single-track", "axles": axles}}
    found, expected = at.steer_responses(at.read_model(name, changes), SPEED, [0.1, 1.0])
    assert found.yaw_gain == pytest.approx(expected.yaw_gain, rel=greatest)


def oversteering() -> Vehicle:
    given = described()
    for axle, stiffness in (("front", 9e4), ("rear", 4e4)):
        law = {"type": "linear", "slip_stiffness": 8e4, "cornering_stiffness": stiffness}
        given["axles"][axle]["tyre"] = {"stiffness": 2e5, "law": law}
    return Vehicle(**given, fidelity="linear")


@pytest.mark.validation("vehicles")
def test_beyond_the_critical_speed_a_turn_grows(agrees: Agrees) -> None:
    own = oversteering()
    numbers = linear_single_track(own)
    (front, rear), mass = numbers.axles.values(), numbers.mass
    a, b = front.position - numbers.centre, numbers.centre - rear.position
    moment = a * front.stiffness - b * rear.stiffness
    expected = (a + b) * math.sqrt(front.stiffness * rear.stiffness / (mass * moment))
    agrees(
        "car that oversteers: critical speed", critical_speed(own), expected, rel=1e-12,
        unit="m/s", source="Closed form, Riekert and Schunck 1940",
    )  # fmt: skip
    for share, stable in ((0.999, True), (1.001, False)):
        values = bicycle_model(own, share * expected).eigenvalues
        assert bool(values.real.max() < 0.0) is stable
    assert critical_speed(vehicle("linear")) == math.inf
    with pytest.raises(at.AxletreeError, match="above 0 m/s"):
        bicycle_model(own, 0.0)


# -- the ladder of the sedan, with its nonlinear tyres, lags and compliances -----------------------


@cache
def gains(fidelity: str) -> tuple[float, float]:
    """Steady yaw rate and sideslip by the steering wheel, at 0.05 rad and 20 m/s."""
    _, made = sedan(fidelity)
    find = [] if fidelity == "linear" else ["driver.throttle"]
    start = made.trim({"chassis.vx": SPEED}, find=find)
    steer = {"driver.steering": "0.05*min(t/0.2, 1)"}
    run = made.simulate(
        3.0, step=2e-3, method="subdivided-rk45", initial=start.states,
        inputs={**start.inputs, **steer}, outputs=["vehicle.yaw_rate", "vehicle.sideslip"],
    )  # fmt: skip
    return run["vehicle.yaw_rate"][-1] / 0.05, run["vehicle.sideslip"][-1] / 0.05


@pytest.mark.slow
@pytest.mark.validation("vehicles")
def test_models_in_the_plane_agree_to_a_percent_for_small_angles(agrees: Agrees) -> None:
    yaw, slip = gains("linear")
    for fidelity in ("single-track", "two-track"):
        agrees(
            f"sedan, {fidelity} model: yaw gain of a small step", gains(fidelity)[0], yaw,
            rel=1e-2, unit="1/s", source="Another formulation, linear model of the same vehicle",
        )  # fmt: skip
        agrees(
            f"sedan, {fidelity} model: sideslip gain of a small step", gains(fidelity)[1], slip,
            rel=2e-2, source="Another formulation, linear model of the same vehicle",
        )  # fmt: skip


@pytest.mark.slow
def test_models_that_roll_differ_by_what_rolling_adds() -> None:
    """Wheels that lean with the body push outward: 14-dof. Toe and camber by travel: full.

    Both understeer more. Without curves and camber thrust they would agree: ``test_fidelity`` has
    a vehicle of that kind.
    """
    yaw, _ = gains("two-track")
    assert 0.98 < gains("14-dof")[0] / yaw < 0.99
    assert 0.95 < gains("full")[0] / yaw < 0.96


def test_slopes_of_tyres_are_exact_where_laws_are_written_out() -> None:
    axle = at.read_model("sedan").described["vehicle"].axles["front"]
    law = axle.tyre.law
    slopes = tyre_slopes(axle, law.nominal_load)
    assert slopes.cornering_stiffness == pytest.approx(law.dFy0_1, rel=1e-12)
    contact = 2.0 * math.sqrt(law.unloaded_radius * law.nominal_load / axle.tyre.stiffness)
    assert slopes.trail == pytest.approx(law.nL0_1 * contact, rel=1e-9)


def test_what_it_cannot_do_is_said() -> None:
    model, _ = sedan("linear")
    with pytest.raises(at.AxletreeError, match="'braking': the linear model goes on at constant"):
        model.manoeuvre("braking")
    with pytest.raises(at.AxletreeError, match="unknown manoeuvre 'step'"):
        model.manoeuvre("step")
    given = described()
    given["axles"]["rear"]["tyre"] = {"stiffness": 2e5, "law": {"type": "no-slip"}}
    with pytest.raises(at.AxletreeError, match="rear: tyre: law: .* no stiffness"):
        linear_single_track(Vehicle(**given))
