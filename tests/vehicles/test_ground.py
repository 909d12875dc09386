"""The ground under a vehicle: split friction, rough roads, posts."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from vehicles.test_fidelity import vehicle
from vehicles.test_vehicle import described

import axletree as at
from axletree.core.errors import AxletreeError, ModelError
from axletree.ground.random_road import RandomRoad
from axletree.metrics.acceleration_and_braking import SplitBraking
from axletree.metrics.ride import PostResponse
from axletree.model.manoeuvre import Manoeuvre
from axletree.runs.acceleration_and_braking import Coasting, PedalBraking
from axletree.runs.ground_manoeuvres import ground_manoeuvres
from axletree.runs.posts import PostSweep
from axletree.runs.standard_manoeuvres import standard_manoeuvres
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.statics import wheel_heights, wheel_loads
from axletree.vehicles.vehicle import Vehicle

WHEELS = ("front_left", "front_right", "rear_left", "rear_right")
SPEED = 20.0
ROUGH: dict[str, Any] = {"type": "random-road", "road_class": "B"}


def made(**changes: Any) -> System:
    model = at.Model("car")
    assemble_vehicle(Vehicle(**{**described(), **changes}), model)
    return model.formulate()


def findings(manoeuvre: Manoeuvre, run: Trajectory) -> dict[str, float]:
    return {found.name: found.value for found in manoeuvre.findings(run)}


# -- wrong ground -------------------------------------------------------------------------------
@pytest.mark.parametrize(("field", "value"), [("road", ROUGH), ("posts", True)])
def test_a_model_in_its_plane_feels_friction_alone(field: str, value: Any) -> None:
    with pytest.raises(
        ModelError, match=rf"Vehicle, {field}: a two-track model stays in its plane"
    ):
        Vehicle(**{**described(), "fidelity": "two-track", field: value})


def test_a_system_that_is_not_on_the_road_of_its_manoeuvre_is_refused() -> None:
    manoeuvre = ground_manoeuvres(Vehicle(**described()))["split-mu-braking"]
    with pytest.raises(AxletreeError, match="not on the road of the manoeuvre.*left is 1; read"):
        split_car(0.9, 0.2).drive(manoeuvre, step=2e-3)


# -- split friction -----------------------------------------------------------------------------
def split(left: float, right: float) -> dict[str, Any]:
    return {
        "type": "flat",
        "friction_map": {"type": "split", "left": left, "right": right, "begin": 6.1},
    }


@cache
def split_car(
    left: float, right: float, slip_limit: float | None = None, select_low: bool = False
) -> System:
    given = described()
    for axle in given["axles"].values():
        axle["brakes"]["slip_limit"] = slip_limit
    given["axles"]["rear"]["brakes"]["select_low"] = select_low
    return made(axles=given["axles"], road=split(left, right), fidelity="two-track-static")


@cache
def braked(
    left: float, right: float, slip_limit: float | None = None, select_low: bool = False
) -> Trajectory:
    manoeuvre = ground_manoeuvres(Vehicle(**described()))["split-mu-braking"]
    assert isinstance(manoeuvre, PedalBraking)
    pedal = manoeuvre.pedal if slip_limit is None else 1.0
    once = replace(manoeuvre, road=split(left, right), duration=3.0, pedal=pedal)
    car = split_car(left, right, slip_limit, select_low)
    return car.drive(once, step=1e-3, method="subdivided-rk45")


def test_with_the_same_friction_on_both_sides_it_is_straight_braking() -> None:
    run = braked(1.0, 1.0)
    assert np.abs(run["vehicle.y"]).max() < 1e-9
    again = ground_manoeuvres(Vehicle(**described()))["split-mu-braking"]
    plain = made(fidelity="two-track-static").drive(
        replace(again, road=None, duration=3.0), step=1e-3, method="subdivided-rk45"
    )
    assert run["vehicle.forward_speed"] == pytest.approx(plain["vehicle.forward_speed"], rel=1e-6)


def test_the_yaw_moment_is_the_difference_of_the_forces_times_half_of_the_track() -> None:
    own, run = Vehicle(**described()), braked(1.0, 0.2)
    inertia = own.body.inertia[2]
    pieces = [(own.body.mass, 0.0)]
    for axle in own.axles.values():
        inertia += axle.suspension.unsprung_yaw_inertia(axle.track)
        inertia += 2.0 * (axle.wheel.transverse_inertia + axle.wheel.mass * 0.25 * axle.track**2)
        pieces.append((axle.unsprung_mass, axle.position))
    centre = sum(m * x for m, x in pieces) / sum(m for m, _ in pieces)
    inertia += sum(m * (x - centre) ** 2 for m, x in pieces)
    F = {wheel: run[f"{wheel}_tyre.Fx"] for wheel in WHEELS}
    apart = F["front_right"] + F["rear_right"] - F["front_left"] - F["rear_left"]
    yaw = np.gradient(run["vehicle.yaw_rate"], run.time)
    moment = 0.5 * 1.5 * apart
    first = np.argmax(moment > 10.0)  # before it slips to the side
    assert inertia * yaw[first] == pytest.approx(moment[first], rel=0.03)
    for wheel, x in zip(WHEELS, (1.1, 1.1, -1.4, -1.4), strict=True):
        moment = moment + (x - centre) * run[f"{wheel}_tyre.Fy"] + run[f"{wheel}_tyre.Mz"]
    braking = (run.time > 1.5) & (run.time < 2.5)
    assert inertia * yaw[braking] == pytest.approx(moment[braking], abs=0.01 * moment.max())
    assert moment.max() > 1000.0
    told = SplitBraking().findings(run)
    at_end = np.interp(2.5, run.time, run["vehicle.yaw_rate"])
    assert {f.name: f.value for f in told}["yaw_rate"] == pytest.approx(math.degrees(at_end))


def test_brakes_that_give_way_keep_wheels_turning_on_the_slippery_side() -> None:
    free, limited = braked(1.0, 0.2), braked(1.0, 0.2, 0.1)
    then = (free.time > 2.0) & (free.time < 2.2)  # it has not yet turned off the slippery side
    assert np.abs(free["front_right_axle.rate"][then]).max() < 1.0
    rolls = limited["front_right_axle.rate"] * 0.31 / limited["vehicle.forward_speed"]
    assert rolls[then].min() > 0.8


def test_select_low_gives_both_wheels_what_the_greater_slip_leaves() -> None:
    """Slips by hand: each hub has the speed of the body, less yaw rate times half of the track to
    the left; wheels of 0.31 m that are pressed a little."""
    run = braked(1.0, 0.2, 0.1, select_low=True)
    braking = (run.time > 1.8) & (run.time < 2.6)
    v, yaw = run["vehicle.forward_speed"][braking], run["vehicle.yaw_rate"][braking]
    radius = wheel_heights(Vehicle(**described(), fidelity="two-track-static"))["rear"]
    slips = {}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        hub = v - sign * 0.5 * 1.5 * yaw
        slips[side] = 1.0 - radius * run[f"rear_{side}_axle.rate"][braking] / hub
        assert run[f"rear_{side}_brake.slip"][braking] == pytest.approx(slips[side], abs=1e-9)
    assert (slips["right"] - slips["left"]).min() > 0.05  # ice is on the right
    share = np.clip(1.0 - (slips["right"] - 0.1) / 0.1, 0.0, 1.0)
    for side in slips:
        torque = run[f"rear_{side}_brake.torque"][braking]
        found = run[f"rear_{side}_brake.limited_torque"][braking]
        assert found == pytest.approx(share * torque, abs=1e-6 * torque.max())
    alone = braked(1.0, 0.2, 0.1)
    assert alone["rear_left_brake.limited_torque"][braking].min() > 2.0 * (share * torque).max()


def test_where_both_sides_grip_alike_select_low_changes_nothing() -> None:
    both, alone = braked(1.0, 1.0, 0.1, select_low=True), braked(1.0, 1.0, 0.1)
    assert alone["rear_left_brake.limited_torque"].min() < 0.9 * 900.0  # the limit is at work
    for name in ("vehicle.x", "vehicle.forward_speed"):
        assert both[name] == pytest.approx(alone[name], rel=1e-9, abs=1e-9)


@pytest.mark.slow
def test_the_compact_car_spins_for_want_of_counter_steering() -> None:
    """With the wheel held its rear tyres give all their side force and hold too little of what
    brakes and front tyres turn it by; two radians at the steering wheel keep it straight."""
    model = at.read_model("compact-car")
    split, own = model.manoeuvres["split-mu-braking"], model.described["vehicle"]
    assert isinstance(split, PedalBraking)
    assert isinstance(own, Vehicle)
    car = at.read_model("compact-car", split.changes).formulate()
    outputs = [f"{wheel}_tyre.{force}" for wheel in WHEELS for force in ("Fx", "Fy")]
    turns, runs = {}, {}
    for wheel in (0.0, -2.0):
        inputs = {"driver.steering": f"{wheel}*min(max(t-{split.begin + 0.2}, 0)/0.4, 1)"}
        once = replace(split, inputs=inputs if wheel else {})
        run = car.drive(once, method="subdivided-rk45", record_interval=1e-2, outputs=outputs)
        turns[wheel], runs[wheel] = findings(once, run)["maximum_heading_change"], run
    assert turns[0.0] > 120.0
    assert turns[-2.0] < 20.0
    held = runs[0.0]
    then = (held.time > split.begin + 0.65) & (held.time < split.begin + 0.85)
    F = {name: held[f"{name}"][then] for name in outputs}
    brakes = sum(
        0.5 * own.axles[axle].track * (F[f"{axle}_right_tyre.Fx"] - F[f"{axle}_left_tyre.Fx"])
        for axle in ("front", "rear")
    )
    front, rear = (
        own.axles[axle].position * (F[f"{axle}_left_tyre.Fy"] + F[f"{axle}_right_tyre.Fy"])
        for axle in ("front", "rear")
    )
    assert (brakes + front > 1.1 * np.abs(rear)).all()
    assert np.ptp(rear) < 0.05 * np.abs(rear).max()  # at the end of their grip


@pytest.mark.sampled(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "turning", "holding", "spins"),
    [("compact-car", 3.2, 2.6, True), ("suv", 5.3, 4.7, True), ("sedan", 4.0, 4.1, False)],
)
def test_moments_on_split_friction_are_those_of_the_page(
    name: str, turning: float, holding: float, spins: bool
) -> None:
    """0.7 s after the onset, in kN m: what turns the car, and what its rear tyres hold.

    The one on the high side has no grip left, of which its brake takes hardly anything. The sum of
    all is the change of the yaw rate times the moment of inertia.
    """
    model = at.read_model(name)
    split, own = model.manoeuvres["split-mu-braking"], model.described["vehicle"]
    assert isinstance(split, PedalBraking)
    assert isinstance(own, Vehicle)
    car = at.read_model(name, split.changes).formulate()
    outputs = [f"{wheel}_tyre.{force}" for wheel in WHEELS for force in ("Fx", "Fy", "Fz")]
    short = replace(split, duration=split.begin + 0.75)
    run = car.drive(short, method="subdivided-rk45", record_interval=1e-2, outputs=outputs)
    then = int(np.argmin(np.abs(run.time - split.begin - 0.7)))
    F = {name: run[name][then] for name in outputs}
    brakes = sum(
        0.5 * own.axles[axle].track * (F[f"{axle}_right_tyre.Fx"] - F[f"{axle}_left_tyre.Fx"])
        for axle in ("front", "rear")
    )
    front, rear = (
        own.axles[axle].position * (F[f"{axle}_left_tyre.Fy"] + F[f"{axle}_right_tyre.Fy"])
        for axle in ("front", "rear")
    )
    assert 1e-3 * (brakes + front) == pytest.approx(turning, abs=0.05)
    assert -1e-3 * rear == pytest.approx(holding, abs=0.05)
    rates = run["vehicle.yaw_rate"][then - 2 : then + 3]
    faster = float(np.gradient(rates, 1e-2)[2])
    assert (faster > 0.1) == ((brakes + front + rear) > 100.0) == spins
    load = F["rear_left_tyre.Fz"]
    along, aside = F["rear_left_tyre.Fx"] / load, F["rear_left_tyre.Fy"] / load
    assert math.hypot(along, aside) > 0.95
    assert abs(aside) > 0.95 * math.hypot(along, aside)


@pytest.mark.slow
def test_select_low_keeps_the_sedan_from_spinning() -> None:
    """With the steering wheel held it turns by some 150 deg without it, and by 25 deg with it."""
    turns = {}
    for low in (False, True):
        changes: dict[str, Any] = {"fidelity": "two-track"}
        changes["axles"] = {"rear": {"brakes": {"select_low": low}}}
        manoeuvre = at.read_model("sedan", {"vehicle": changes}).manoeuvres["split-mu-braking"]
        changes |= manoeuvre.changes["vehicle"]
        car = at.read_model("sedan", {"vehicle": changes}).formulate()
        run = car.drive(manoeuvre, method="subdivided-rk45", record_interval=1e-2)
        found = findings(manoeuvre, run)
        turns[low] = found["maximum_heading_change"]
    assert turns[False] > 120.0
    assert turns[True] < 30.0
    # It stands at last, on the side that grips: how far that took tells nothing of split friction.
    assert run["vehicle.forward_speed"][-1] < 0.1
    assert math.isnan(found["stopping_distance"])
    (said,) = (one for one in manoeuvre.findings(run) if one.name == "stopping_distance")
    assert said.description == "stopping distance (leaves the low side)"
    # Of the wheels, the front right one is the first to touch the line y = 0.
    front = at.read_model("sedan").described["vehicle"].axles["front"]
    heading = run["vehicle.heading"]
    places = (
        run["vehicle.y"] + front.position * np.sin(heading) - 0.5 * front.track * np.cos(heading)
    )
    left = 1.5 + found["time_on_low_side"]
    assert np.interp(left, run.time, places) == pytest.approx(0.0, abs=1e-6)
    assert places[run.time < left - 1e-9].max() < 0.0


def test_select_low_is_that_of_an_anti_lock_system() -> None:
    given = described()
    given["axles"]["rear"]["brakes"]["select_low"] = True
    with pytest.raises(ModelError, match="rear: .*brakes: .*select_low needs a slip_limit"):
        Vehicle(**given)
    plain = at.read_model("sedan").described["vehicle"].axles
    assert [axle.brakes.select_low for axle in plain.values()] == [False, True]


def test_a_level_beyond_what_tyres_give_is_said() -> None:
    step = standard_manoeuvres(Vehicle(**described()))["step-steer"]
    quick = replace(step, level=20.0, begin=0.2, duration=2.5)  # type: ignore[call-arg]
    with pytest.raises(AxletreeError, match="does not come to a lateral acceleration of 20 m"):
        split_car(1.0, 1.0).drive(quick)


# -- posts --------------------------------------------------------------------------------------
@cache
def posted() -> System:
    return made(axles=vehicle("full").axles, posts=True, fidelity="14-dof")


FREQUENCIES = np.geomspace(0.7, 15.0, 40)


def of_posts(output: str, axle: str, frequencies: np.ndarray) -> np.ndarray:
    """The linear response to both posts of an axle, which go up together."""
    system = posted()
    linear = system.linearise(system.trim({}).states, outputs=[output])
    s, found = 2j * np.pi * frequencies, linear.frequency_response(frequencies)
    total = np.zeros(len(frequencies), dtype=complex)
    for side in ("left", "right"):
        name = f"{axle}_{side}_post.position"
        rates = {name: 0, f"{name}_rate": 1, f"{name}_acceleration": 2}
        total += sum(found[output, key] * s**power for key, power in rates.items())
    return total


def half_car(frequencies: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Heave of the body by the posts of each axle, from four equations of motion by hand."""
    own = vehicle("full")
    (front, rear), c_t = own.axles.values(), 2.0 * 200.0
    m, J = own.body.mass, own.body.inertia[1]
    M = np.diag([m, J, front.unsprung_mass, rear.unsprung_mass])
    K, C, inputs = np.zeros((4, 4)), np.zeros((4, 4)), []
    for k, axle in ((2, front), (3, rear)):
        stretch = np.array([1.0, -axle.position, 0.0, 0.0])  # pitch is positive nose down
        stretch[k] = -1.0
        suspension: Any = axle.suspension
        K += 2.0 * suspension.stiffness * np.outer(stretch, stretch)
        C += 2.0 * suspension.damping * np.outer(stretch, stretch)
        K[k, k] += 2.0 * axle.tyre.stiffness
        C[k, k] += c_t
        inputs.append((k, 2.0 * axle.tyre.stiffness))
    found = []
    for k, k_t in inputs:
        right = np.zeros(4, dtype=complex)
        response = []
        for s in 2j * np.pi * frequencies:
            right[k] = k_t + c_t * s
            response.append(np.linalg.solve(s * s * M + s * C + K, right)[0])
        found.append(np.array(response))
    return found[0], found[1]


def test_a_sweep_on_posts_has_the_transmissibility_of_the_linear_half_car() -> None:
    posts = tuple(f"{wheel}_post.position" for wheel in WHEELS)
    sweep = PostSweep(posts=posts, sweep=12.0, first=0.5, last=20.0, duration=15.0)
    metric = PostResponse(posts=posts, lowest=0.7, highest=15.0)
    run = posted().drive(replace(sweep, metrics=(metric,)), step=2e-3, outputs=[])
    told = metric.transmissibility(run, FREQUENCIES)
    closed = sum(half_car(FREQUENCIES))
    s = 2j * np.pi * FREQUENCIES
    linear = sum(of_posts("vehicle.vertical_speed", a, FREQUENCIES) / s for a in ("front", "rear"))
    # By hand without what the weight of a body does that pitches.
    assert np.abs(linear - closed).max() < 5e-3 * np.abs(closed).max()
    assert np.abs(told - linear).max() < 0.02 * np.abs(linear).max()
    found = {f.name: f.value for f in metric.findings(run)}
    fine = np.geomspace(0.7, 6.0, 400)
    gain = np.abs(sum(half_car(fine)))
    assert found["heave_frequency"] == pytest.approx(fine[np.argmax(gain)], rel=0.03)
    assert found["heave_transmissibility"] == pytest.approx(gain.max(), rel=0.02)


# -- rough roads --------------------------------------------------------------------------------
@pytest.mark.slow
def test_the_spectrum_on_a_rough_road_is_that_of_the_road_times_the_linear_response() -> None:
    """Line by line: the road is a sum of waves, which repeat after its length."""
    length = 60.0
    road = RandomRoad(
        road_class="B", length=length, longest=30.0, shortest=1.5, lead_in=10.0, x=3.0
    )
    drive = Coasting(speed=SPEED, forward="chassis.vx", road=road, duration=8.0)
    system = made(axles=vehicle("full").axles, road=road, fidelity="14-dof")
    run = system.drive(drive, step=2e-3, outputs=["vehicle.vertical_speed", "vehicle.x"])
    one = run.time >= 8.0 - length / SPEED - 1e-9
    t, vz = run.time[one][:-1], run["vehicle.vertical_speed"][one][:-1]
    n = road.frequencies
    f = n * SPEED
    lines = np.array([2.0 * np.mean(vz * np.exp(-2j * np.pi * one * t)) for one in f])
    late = np.exp(-2j * np.pi * f * 2.5 / SPEED)  # the rear axle comes 2.5 m behind
    response = of_posts("vehicle.vertical_speed", "front", f)
    response = response + late * of_posts("vehicle.vertical_speed", "rear", f)
    expected = np.abs(response) * np.sqrt(2.0 * road.density(n) / length)
    assert np.abs(lines) == pytest.approx(expected, abs=0.04 * expected.max())
    # Power spectral density of the vertical speed: |H|^2 Gd(n) / v, summed over all lines.
    power = np.sum(np.abs(response) ** 2 * road.density(n) / SPEED) * (SPEED / length)
    assert np.var(vz) == pytest.approx(power, rel=0.03)
    assert math.sqrt(power) > 0.01


def test_loads_and_comfort_recomputed_by_hand() -> None:
    t = np.arange(0.0, 8.0, 0.005)
    w = 2.0 * np.pi * 2.0
    own = ground_manoeuvres(Vehicle(**described()))["rough-road"]
    zero = np.zeros_like(t)
    columns = dict.fromkeys(own.needed_outputs, zero)
    columns |= {f"{wheel}_tyre.Fz": 3000.0 + 600.0 * np.sin(w * t) for wheel in WHEELS}
    columns |= {"front_left_suspension.travel": 0.02 * np.sin(w * t)}
    columns |= {
        "vehicle.vertical_speed": 0.1 * np.sin(w * t),
        "vehicle.pitch": 0.01 * np.sin(w * t),
    }

    class Run:
        time = t

        def __getitem__(self, name: str) -> np.ndarray:
            return columns[name]

        def __contains__(self, name: object) -> bool:
            return name in columns

    found = {f.name: f.value for f in own.findings(Run())}
    assert found["rear_right_tyre_load_coefficient"] == pytest.approx(100 * 0.2 / 2**0.5, rel=5e-3)
    assert found["rear_right_tyre_minimum_load"] == pytest.approx(80.0, rel=1e-3)
    assert found["suspension_travel"] == pytest.approx(40.0, rel=1e-3)
    assert found["vertical_acceleration"] == pytest.approx(0.1 * w / 2**0.5, rel=1e-2)
    assert found["vibration_total_value"] == found["weighted_vertical_acceleration"]
    # Wk at 2 Hz is 0.531 (ISO 2631-1, table 3); a mean of fourth powers of a sine is 3/8.
    felt = 0.531 * 0.1 * w
    assert found["weighted_vertical_acceleration"] == pytest.approx(felt / 2**0.5, rel=1e-2)
    dose = felt * (3.0 / 8.0 * 5.0) ** 0.25
    assert found["vibration_dose_value"] == pytest.approx(dose, rel=1e-2)


def test_loads_of_a_standing_car_are_in_the_manoeuvres_of_posts() -> None:
    own = Vehicle(**described())
    names = set(ground_manoeuvres(own))
    assert {f"iso-8608-{c}" for c in "abcde"} | {"rough-road", "four-post-road"} <= names
    sweeps = ground_manoeuvres(own)
    assert isinstance(sweeps["four-post-roll"], PostSweep)
    assert sweeps["four-post-roll"].opposite == (
        "front_right_post.position", "rear_right_post.position",
    )  # fmt: skip
    assert sum(wheel_loads(own).values()) * 2.0 == pytest.approx(own.mass * 9.80665)
