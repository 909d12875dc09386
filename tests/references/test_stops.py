"""Vehicles that stop, stand and are dropped: no energy is made, stops are stops, nothing creeps."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.simulation.simulate import form_for
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

WHEELS = tuple(f"{axle}_{side}" for axle in ("front", "rear") for side in ("left", "right"))
METHODS = ("rk4", "complementarity")
HEIGHT = 0.56  # m, of the sedan's centre of mass
G = 9.80665  # m/s^2


@cache
def sedan(method: str = "rk4", slope: float = 0.0) -> System:
    g = 9.80665 * np.array([-math.sin(slope), 0.0, -math.cos(slope)])
    changed = {"gravity": [float(part) for part in g]} if slope else {}
    return at.read_model("sedan", changed).formulate(form=form_for(method))


def at_rest() -> dict[str, float]:
    return dict(sedan().trim({}).states)


def run(method: str, system: System, start: dict[str, float], duration: float) -> Trajectory:
    """With the brakes on; the kingpins of a straight stop hardly turn, and are not watched."""
    outputs = ["vehicle.forward_speed", "vehicle.pitch"]
    outputs += [f"{wheel}_tyre.VEx" for wheel in WHEELS]
    return system.simulate(
        duration, step=1e-3, method=method, initial=start,
        inputs={"driver.brake": 1.0, "driver.throttle": 0.0}, outputs=outputs, watch=False,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_car_that_is_braked_to_a_stop_stands(method: str) -> None:
    """Body and wheels come to rest; what goes back is deflection of carcass and suspension."""
    start = dict(sedan().trim(speed="20 km/h").states)
    stop = run(method, sedan(method), start, 5.0)
    speed, x, pitch = (
        stop[name] for name in ("vehicle.forward_speed", "chassis.x", "vehicle.pitch")
    )
    first = int(np.argmax(speed <= 0.0))
    assert 0.5 < stop.time[first] < 1.0
    carcass = max(float(np.abs(stop[f"{wheel}_tyre.carcass_x"][first])) for wheel in WHEELS)
    assert 2e-3 < carcass < 14e-3  # m
    rebound = HEIGHT * float(np.ptp(pitch[first:]))
    assert float(x.max() - x[first:].min()) < 2.0 * carcass + rebound
    assert abs(x[-1] - x[first]) < carcass + rebound
    for wheel in WHEELS:  # the tread slides by no more than the carcass gives back
        slid = np.cumsum(stop[f"{wheel}_tyre.VEx"][first:]) * 1e-3
        assert float(np.abs(slid).max()) < 2.0 * carcass
        assert abs(stop[f"{wheel}_axle.rate"][-1]) < 1e-3  # rad/s
    assert abs(speed[-1]) < 2e-4  # m/s
    assert float(np.ptp(x[-500:])) < 2e-5  # m, in half a second


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("slope", [0.0, 0.05, 0.1, 0.2])
def test_a_parked_car_does_not_creep(slope: float, method: str) -> None:
    """Whatever it is driven by: less than a tenth of a millimetre in 12 h."""
    parked = run(method, sedan(method, slope), at_rest(), 12.0)
    x = parked["chassis.x"]
    assert abs(x[-1] - x[-2001]) / 2.0 * 12 * 3600.0 < 1e-4
    assert abs(x[-1] - x[0]) < 0.02  # carcass and suspension


def energy_of(run: Trajectory, system: System) -> np.ndarray:
    """Of all that is stored, tyres pressed in included."""
    energy = run["energy.total"].copy()
    values = {q.name: q.default for q in system.parameters}
    for wheel in WHEELS:
        radius = values[f"{wheel}_tyre.unloaded_radius"]
        pressed = np.maximum(radius - run[f"{wheel}_tyre.loaded_radius"], 0.0)
        energy += 0.5 * values[f"{wheel}_tyre.normal_force.stiffness"] * pressed**2
    return energy


def test_a_dropped_car_gains_no_energy() -> None:
    """From 1 m at rest: at no record is there more than at the one before."""
    system, start = sedan(), at_rest()
    start["chassis.z"] += 1.0
    outputs = ["energy.total", *(f"{wheel}_tyre.loaded_radius" for wheel in WHEELS)]
    dropped = system.simulate(2.5, step=5e-4, initial=start, outputs=outputs, record_interval=1e-3)
    energy = energy_of(dropped, system)
    assert np.diff(energy).max() < 1e-6
    assert energy[-1] - energy[0] < -14e3  # J: the most of 15.8 kJ is gone in dampers
    for wheel in WHEELS:
        assert np.abs(dropped[f"{wheel}_axle.rate"]).max() < 2.0  # rad/s


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "fidelity"),
    [("compact-car", "full"), ("van", "14-dof"), ("formula-student", "14-dof")],
)
def test_dropped_vehicles_gain_no_energy(name: str, fidelity: str) -> None:
    """The same without air, whose forces go by the speed forward alone and push what falls."""
    system = at.read_model(name, {"vehicle": {"fidelity": fidelity}}).formulate()
    start = dict(system.trim({}).states)
    start["chassis.z"] += 1.0
    outputs = ["energy.total", *(f"{wheel}_tyre.loaded_radius" for wheel in WHEELS)]
    dropped = system.simulate(
        1.5, step=5e-4, initial=start, outputs=outputs, record_interval=1e-3,
        parameters={"air.density": 0.0}, watch=False,
    )  # fmt: skip
    energy = energy_of(dropped, system)
    assert np.diff(energy).max() < 1e-6
    assert energy[-1] < 0.6 * energy[0]
    for wheel in WHEELS:
        assert np.abs(dropped[f"{wheel}_axle.rate"]).max() < 3.0  # rad/s


def test_a_car_that_stands_on_its_brakes_has_a_steady_state() -> None:
    """On a slope of 10 % brakes and carcasses carry the weight; on the level they are free."""
    held = {"driver.brake": 1.0, "driver.throttle": 0.0}
    for slope in (0.0, math.atan(0.1)):
        system = sedan("rk4", slope)
        stands = system.trim({}, inputs=held)
        assert stands.residual < 1e-9
        values = {q.name: q.default for q in system.parameters}
        weight = G * sum(value for word, value in values.items() if word.endswith(".mass"))
        lengths = system.outputs_at(stands.states, inputs=held)
        pulls = []
        for wheel in WHEELS:
            k, mount = (
                values[f"{wheel}_{word}"]
                for word in ("tyre.slip.longitudinal_stiffness", "brake.stiffness")
            )
            pulls.append(k * stands.states[f"{wheel}_tyre.carcass_x"])
            torque = -mount * stands.states[f"{wheel}_brake.wind_up"]
            lever = lengths[f"{wheel}_tyre.loaded_radius"]
            assert torque == pytest.approx(pulls[-1] * lever, rel=1e-3, abs=1e-6)
        assert sum(pulls) == pytest.approx(weight * math.sin(slope), rel=0.01, abs=1e-6)


def test_the_thesis_lag_warns_where_it_leaves_its_range() -> None:
    """The same of the car of the thesis, whose own lag is for wheels that roll."""
    car = at.read_model("car")
    start = {name: value for name, value in car.start.items() if name != "chassis.vx"}
    start = {name: 0.0 if name.endswith("rate") else value for name, value in start.items()}
    start |= {"chassis.vx": 0.0, "chassis.z": float(car.start["chassis.z"]) + 1.0}
    with pytest.warns(UserWarning, match=r"front_left_tyre.*the slip that lags.*type: carcass"):
        dropped = car.formulate().simulate(1.0, step=1e-3, initial=start)
    assert "the slip that lags" in dropped.note


def test_the_thesis_lag_warns_where_its_force_drives_the_sliding() -> None:
    """The same with locked wheels at 20 m/s, which the ground then turns to twenty times their
    slip: tyres put 250 kJ into a car of 490 kJ, on wheels that do not roll slowly."""
    car = at.read_model("car")
    start = {name: 0.0 if name.endswith("rate") else value for name, value in car.start.items()}
    start |= {"chassis.z": float(car.start["chassis.z"]) + 1.0}
    with pytest.warns(UserWarning, match=r"slides the other way by as much.*type: carcass"):
        dropped = car.formulate().simulate(0.7, step=1e-3, initial=start)
    assert np.ptp(dropped["energy.total"]) > 1e5  # J
    assert "rolls slower" not in dropped.note


def with_slip(slip: Mapping[str, Any]) -> System:
    """The sedan in the plane, on tyres whose slip is another, if any is given."""
    axles = {axle: {"tyre": {"slip": slip}} for axle in ("front", "rear")} if slip else {}
    changed = {"vehicle": {"fidelity": "two-track", "axles": axles}}
    return at.read_model("sedan", changed).formulate()


@pytest.mark.slow
def test_the_limit_at_speed_is_the_relaxation_length() -> None:
    """A step of the steering wheel at 80 km/h beside the lag of the same lengths, from which it
    differs by less than a tenth of what no lag does."""
    yaw = {}
    slips = {
        "carcass": {},
        "lag": {"type": "constant-lag", "longitudinal_length": 0.25, "lateral_length": 0.5},
        "none": {"type": "kinematic"},
    }
    for word, slip in slips.items():
        system = with_slip(slip)
        start = dict(system.trim({"chassis.vx": 80 / 3.6}).states)
        steering = ([0.0, 0.1, 0.15, 1.0], [0.0, 0.0, 0.2, 0.2])
        turned = system.simulate(
            1.0, step=1e-3, initial=start, inputs={"driver.steering": steering}, outputs=[]
        )
        yaw[word] = turned["chassis.rate"]
    off = {word: np.abs(yaw[word] - yaw["lag"]).max() for word in ("carcass", "none")}
    assert off["none"] > 0.05 * yaw["lag"].max()
    assert off["carcass"] < 0.1 * off["none"]


# -- all vehicles --------------------------------------------------------------------------------
VEHICLES = (
    "compact-car", "sports-car", "suv", "van", "truck-4x2", "formula-student",
    "tractor-semitrailer",
)  # fmt: skip
OTHER_METHODS = ("semi-implicit-euler", "subdivided-rk45", "complementarity")
PULL = 0.15  # of the weight, back along the road and a third of it to the left


def stopped_on_a_slope(name: str, method: str) -> tuple[Trajectory, dict[str, float]]:
    """On two tracks, with the pedal down from 18 km/h on, and the parameters."""
    down = -G * math.sqrt(1.0 - (1.0 + 1.0 / 9.0) * PULL**2)
    vehicle = {"vehicle": {"fidelity": "two-track"}}
    model = at.read_model(name, {**vehicle, "gravity": [-PULL * G, PULL / 3.0 * G, down]})
    system = model.formulate(form=form_for(method))
    values = {q.name: q.default for q in system.parameters}
    radii = {word: value for word, value in values.items() if word.endswith("tyre.unloaded_radius")}
    start = {"chassis.vx": 5.0}
    start |= {f"{word.partition('_tyre')[0]}_axle.rate": 5.0 / R for word, R in radii.items()}
    run = system.simulate(
        20.0, step=1e-3, method=method, initial=start, watch=False, outputs=[],
        inputs={"driver.brake": 1.0, "driver.throttle": 0.0}, record_interval=0.01,
    )  # fmt: skip
    return run, values


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "method"),
    [
        *(pytest.param(name, "rk4", marks=pytest.mark.long) for name in VEHICLES),
        *(pytest.param("compact-car", one, marks=pytest.mark.slow) for one in OTHER_METHODS),
    ],
)
def test_vehicles_stop_and_stand_on_a_slope(name: str, method: str) -> None:
    """They go back by what tyres and brakes give way, carry their weight, and do not creep."""
    run, values = stopped_on_a_slope(name, method)
    wheels = [word.partition("_tyre.")[0] for word in values if word.endswith("lateral_stiffness")]
    x, y, first = run["chassis.x"], run["chassis.y"], int(np.argmax(run["chassis.vx"] <= 0.0))
    assert 0.3 < run.time[first] < 1.5
    weight = G * sum(value for word, value in values.items() if word.endswith(".mass"))
    along, across, springs, given = 0.0, 0.0, 0.0, 0.0
    for wheel in wheels:
        k = values[f"{wheel}_tyre.slip.longitudinal_stiffness"]
        R, mount = values[f"{wheel}_tyre.unloaded_radius"], values[f"{wheel}_brake.stiffness"]
        springs += 1.0 / (1.0 / k + R**2 / mount)
        tread, wind_up = run[f"{wheel}_tyre.carcass_x"], run[f"{wheel}_brake.wind_up"]
        given = max(given, abs(tread[first]) + R * abs(wind_up[first]))
        along += k * tread[-400:].mean()
        tread = run[f"{wheel}_tyre.carcass_y"]
        across += values[f"{wheel}_tyre.slip.lateral_stiffness"] * tread[-400:].mean()
    assert along > 0.0 > across
    assert math.hypot(along, across) == pytest.approx(
        PULL * weight * math.sqrt(10.0 / 9.0), rel=0.01
    )
    # At the stop all is deflected forward, by u at the limit of friction; at rest it is deflected
    # back by s. A swing from u about s without damping goes past the limit on the other side with
    # the energy 2 k u s, by which the tread slides under the force k (u - s) that is left.
    u, s = given, 1.05 * PULL * weight / springs
    assert 3e-4 < s < u < 0.06  # m
    assert 0.0 < x.max() - x[-1] < u + s + 2.0 * s * u / (u - s)
    for place in (x, y):  # a swing on the tyres dies away about a place that stays
        before, after = place[-400:-200].mean(), place[-200:].mean()
        assert abs(after - before) < 2e-5  # m, in two seconds
