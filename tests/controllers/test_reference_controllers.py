"""What every reference controller keeps to, and its law against one written otherwise."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.catalogue import CONTROLLERS
from axletree.code.backends.runnable import compile_program
from axletree.code.lowering import lower
from axletree.controllers.contract import ControlledVehicle, ReferenceController
from axletree.controllers.discrete_system import RunningController, discrete_system
from axletree.core.errors import AxletreeError, FormulationError, ModelError
from axletree.expr.quantity import Role
from axletree.simulation.control.reference_loops import (
    controller_class,
    needed_controls,
    reference_loop,
)
from axletree.vehicles.vehicle import Vehicle

WORDS = sorted(word for word in CONTROLLERS if word != "mpc")  # which is no expression
FOLLOWERS = ("pure-pursuit", "stanley")


PATH = at.CirclePath(radius=50.0, entry=10.0)


@cache
def vehicle(name: str = "sedan") -> Vehicle:
    found: Vehicle = at.read_model(name).described["vehicle"]
    return found


def made(word: str, name: str = "sedan", **numbers: Any) -> ReferenceController:
    if word in FOLLOWERS:
        numbers = {"path": PATH, **numbers}
    found = controller_class(word).of(vehicle(name), **numbers)
    assert isinstance(found, ReferenceController)
    return found


def drive_by(seed: int, runs: RunningController, count: int = 200) -> list[dict[str, float]]:
    """Measured values that wander: wheels about a speed, the rest about 0."""
    random = np.random.default_rng(seed)
    walk = dict.fromkeys(runs.reads, 0.0)
    found = []
    for k in range(count):
        for name in walk:
            step = 5.0 if name.endswith("_axle.rate") else 0.1
            walk[name] += step * float(random.standard_normal())
        about = 90.0 - 0.3 * k  # rad/s
        found.append({n: v + about * n.endswith("_axle.rate") for n, v in walk.items()})
    return found


@pytest.mark.parametrize("word", WORDS)
def test_it_says_what_it_is(word: str) -> None:
    kind = controller_class(word)
    assert kind.word == word
    assert kind.summary
    system = discrete_system(made(word))
    for quantity in (*system.inputs, *system.parameters, *system.states):
        assert quantity.description
        assert quantity.role in (Role.INPUT, Role.PARAMETER, Role.STATE)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("name", ["sedan", "suv"])
def test_what_it_reads_and_sets_its_vehicle_has(word: str, name: str) -> None:
    own = made(word, name)
    controls = needed_controls([word])
    model = at.read_model(name, {"vehicle": {"controls": controls}} if controls else {})
    inputs = {q.name for one in model.components for q in one.inputs()}
    assert {q.name for q in own.commanded} <= inputs
    moves = {f"{one.name}.{word}" for one in model.components for word in ("rate", "speed")}
    told = ("vehicle.", "chassis.w")
    for quantity in own.measured:
        assert quantity.name in inputs | moves or quantity.name.startswith(told)


@pytest.mark.parametrize("word", WORDS)
def test_python_and_c_are_one_controller(word: str) -> None:
    own = made(word)
    python = RunningController(own)
    compiled = RunningController(own, compile_program(lower(discrete_system(own))))
    moved = set()
    for k, seen in enumerate(drive_by(3, python)):
        first, second = (one.update(0.01 * k, seen) for one in (python, compiled))
        assert second == pytest.approx(first, rel=1e-12, abs=1e-12)
        moved.add(tuple(first.values()))
    assert len(moved) > 3  # it has done something
    python.reset()
    compiled.reset()
    seen = drive_by(4, python, 1)[0]
    assert compiled.update(0.0, seen) == pytest.approx(python.update(0.0, seen), abs=1e-12)


# The same laws as programs of floats, written from the pages of their modules.


def stability_by_hand(
    own: Any, memory: dict[str, float], seen: dict[str, float]
) -> dict[str, float]:
    car, h = own.vehicle, own.interval
    speeds = sorted(wheel.radius * seen[wheel.rate] for wheel in car.wheels)
    speed = sum(speeds[1:-1]) / (len(speeds) - 2)
    v, r = max(speed, own.low_speed), seen["vehicle.yaw_rate"]
    angle = seen["driver.steering"] / car.ratio
    wanted = v * angle / (car.wheelbase + car.understeer * v**2)
    most = min(abs(seen["vehicle.lateral_acceleration"]) + own.reserve,
               0.85 * own.friction * 9.80665) / v  # fmt: skip
    wanted = math.copysign(min(abs(wanted), most), wanted)
    memory["r"] += h / (own.lag + h) * (wanted - memory["r"])
    if speed > own.low_speed and abs(r) < 4.0:
        drift = memory["b"] + h * (seen["vehicle.lateral_acceleration"] / v - r)
        memory["b"] = min(max(drift * (1.0 - h / own.forget), -0.35), 0.35)
    else:
        memory["b"] = 0.0

    def dead(value: float, band: float) -> float:
        return math.copysign(max(abs(value) - band, 0.0), value)

    moment = car.yaw_inertia * (
        own.slip_gain * dead(memory["b"], own.slip_band)
        - own.yaw_gain * dead(r - memory["r"], own.yaw_band)
    )
    if speed <= own.low_speed or abs(r) >= 4.0:
        moment = 0.0
    torques = {}
    for wheel in car.wheels:
        on_side = moment * wheel.y > 0.0
        in_front = wheel.x > 0.0
        against = moment * r < 0.0
        share = (1.0 if in_front else 0.0) if against else (0.0 if in_front else 0.4)
        arm = wheel.radius / abs(wheel.y)
        torques[wheel.torque] = min(share * abs(moment) * arm * on_side, own.most_torque)
    return torques


@pytest.mark.parametrize("seed", range(5))
def test_stability_control_is_what_its_page_says(seed: int) -> None:
    own = made("esc")
    runs, memory = RunningController(own), {"r": 0.0, "b": 0.0}
    for k, seen in enumerate(drive_by(seed, runs, 300)):
        expected = stability_by_hand(own, memory, seen)
        assert runs.update(0.01 * k, seen) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def anti_lock_by_hand(
    own: Any, memory: dict[str, float], seen: dict[str, float]
) -> dict[str, float]:
    h, car = own.interval, own.vehicle
    turns = seen["vehicle.yaw_rate"] * (abs(seen["vehicle.yaw_rate"]) < 4.0)
    rolls = {w.name: w.radius * seen[w.rate] + w.y * turns for w in car.wheels}
    brakes = max(-seen["vehicle.longitudinal_acceleration"], 0.0)
    falls = memory["v"] - h * (1.1 * brakes + own.margin if brakes > own.margin else 5.0)
    v = memory["v"] = max(sorted(rolls.values())[-2], falls, 0.0)
    used = math.hypot(brakes, seen["vehicle.lateral_acceleration"]) / 9.80665
    shown = used if brakes > own.margin else 1.0
    friction = memory["m"] + h / (own.lag + h) * (shown - memory["m"])
    friction = min(max(friction, own.least_friction), 1.0)
    apparent = {name: (v - roll) / max(v, own.low_speed) for name, roll in rolls.items()}
    slips = {name: slip - memory[f"{name} error"] for name, slip in apparent.items()}
    rear = max(slips["rear_left"], slips["rear_right"])
    slips |= {"rear_left": rear, "rear_right": rear}
    shares = {}
    for name, slip in slips.items():
        wanted = own.slip * friction
        g = min(max(own.gain * (1.0 - slip / wanted), -own.release), own.build)
        q = memory[name] * (1.0 + h * g) if v > own.low_speed else memory[name] + h * own.reapply
        shares[name] = min(max(q, own.least), 1.0)
    low = min(shares["front_left"], shares["front_right"])
    for name in ("front_left", "front_right"):
        shares[name] = min(shares[name], low + memory["lead"])
    memory["lead"] = (
        min(memory["lead"] + h * own.lead_rate, own.most_lead) if low < 1.0 else own.lead
    )
    for name, slip in apparent.items():
        if shares[name] <= 2.0 * own.least:
            error = min(max(slip, -0.03), 0.03) - memory[f"{name} error"]
            memory[f"{name} error"] += h / (own.learns + h) * error
    memory["m"] = friction if min(shares.values()) < 1.0 else 1.0
    memory |= shares
    return {f"{name}_modulator.share": share for name, share in shares.items()}


@pytest.mark.parametrize("seed", range(5))
def test_the_anti_lock_system_is_what_its_page_says(seed: int) -> None:
    own: Any = made("abs")
    runs = RunningController(own)
    memory = {
        "v": 0.0,
        "m": 1.0,
        "lead": own.lead,
        **dict.fromkeys((w.name for w in own.vehicle.wheels), 1.0),
        **dict.fromkeys((f"{w.name} error" for w in own.vehicle.wheels), 0.0),
    }
    for k, seen in enumerate(drive_by(seed, runs, 300)):
        expected = anti_lock_by_hand(own, memory, seen)
        assert runs.update(0.005 * k, seen) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_torque_vectoring_gives_its_moment_and_no_drive() -> None:
    """Sum of T / R is 0, and of -y T / R the moment J k (r_d - r), from the middle of the page."""
    own: Any = made("torque-vectoring", lag=1e-9)
    runs, car = RunningController(own), own.vehicle
    v, hand, r = 20.0, 0.3, 0.10
    seen = {wheel.rate: v / wheel.radius for wheel in car.wheels}
    found = runs.update(0.0, {**seen, "driver.steering": hand, "vehicle.yaw_rate": r})
    pushes = [found[f"{w.name}_motor.torque"] / w.radius for w in car.wheels]
    assert sum(pushes) == pytest.approx(0.0, abs=1e-9)
    moment = sum(-w.y * push for w, push in zip(car.wheels, pushes, strict=True))
    wanted = v * hand / car.ratio / car.wheelbase  # 0.140 rad/s; no understeer is asked for
    assert moment == pytest.approx(car.yaw_inertia * 8.0 * (wanted - r), rel=1e-6)


def test_a_skyhook_damps_the_body_as_a_damper_to_the_sky_would() -> None:
    """Where it can: c u = -C v; and nothing where the damper between would push."""
    own: Any = made("skyhook")
    runs = RunningController(own)
    wheel = own.vehicle.wheels[0]
    name = f"{wheel.name}_actuator.damping"
    for v, roll, pitch, u in ((0.2, 0.1, -0.05, -0.4), (-0.2, 0.0, 0.1, 0.5), (0.3, 0.0, 0.0, 0.2)):
        seen = dict.fromkeys(runs.reads, 0.0) | {
            "vehicle.vertical_speed": v, "chassis.wx": roll, "chassis.wy": pitch,
            f"{wheel.name}_suspension.speed": u,
        }  # fmt: skip
        over = v + wheel.y * roll - wheel.x * pitch
        force = runs.update(0.0, seen)[name] * u
        assert force == pytest.approx(-own.sky * over if over * u < 0.0 else 0.0)


def test_a_cruise_control_comes_to_its_speed() -> None:
    """On a mass with drag, m v' = F u - c v, in which the wheels roll."""
    own = made("cruise", speed=20.0)
    runs = RunningController(own)
    v = 15.0
    for k in range(3000):
        seen = {wheel.rate: v / wheel.radius for wheel in own.vehicle.wheels}
        pedals = runs.update(0.02 * k, seen)
        push = 6000.0 * pedals["driver.throttle"] - 9000.0 * pedals["driver.brake"]
        v += 0.02 * (push - 40.0 * v) / 1600.0
    assert v == pytest.approx(20.0, abs=1e-3)


def test_wrong_ones_are_named() -> None:
    with pytest.raises(ModelError, match="gain"):
        made("abs", gain=-1.0)
    with pytest.raises(AxletreeError, match="unknown number 'gian' in the controller 'abs'.*gain"):
        made("abs", gian=1.0)
    with pytest.raises(AxletreeError, match="unknown number 'lookahead'.*look_ahead"):
        made("pure-pursuit", lookahead=1.0)
    with pytest.raises(ModelError, match=r"forget is 0\.01 s; expected more than the interval"):
        made("esc", forget=0.01)  # the estimate would swing from instant to instant
    with pytest.raises(ModelError, match=r"reset is 0\.02 s; expected more than the interval"):
        made("cruise", reset=0.02)
    with pytest.raises(AxletreeError, match="a controller is <class.*such as 'esc'"):
        at.read_model("sedan").drive("coasting", controllers=[at.StabilityController])  # type: ignore[list-item]
    with pytest.raises(AxletreeError, match="'ecs'.*esc"):
        at.read_model("sedan").drive("step-steer", speed=20.0, controllers=["ecs"])
    with pytest.raises(AxletreeError, match="not described as a vehicle"):
        at.read_model("bicycle-car").drive("step-steer", speed=20.0, controllers=["cruise"])
    with pytest.raises(AxletreeError, match="has no description"):
        at.read_model("bicycle-car").formulate().drive(
            at.read_model("bicycle-car").manoeuvres["coasting"], controllers=["cruise"]
        )
    with pytest.raises(ModelError, match="take two-track, 14-dof or full"):
        at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}}).drive(
            "step-steer", speed=20.0, controllers=["esc"]
        )


def test_one_made_for_another_vehicle_is_told_what_it_has_wrong() -> None:
    """As itself, and in a loop; one that knows the vehicle is not, whatever the fidelity."""
    model = at.read_model("sports-car", {"vehicle": {"fidelity": "two-track"}})
    rolls = replace(model.manoeuvres["coasting"], speed=20.0, duration=0.1)
    made_for_sedan = made("esc")
    said = r"'esc' is made for another vehicle than sports_car: it knows wheelbase 2\.85 m, not"
    for given_ in (made_for_sedan, reference_loop(made_for_sedan)):
        braked = model.with_changes({"vehicle": {"controls": {"brakes": True}}})
        with pytest.warns(UserWarning, match=said):
            braked.drive(rolls, controllers=[given_], watch=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.drive(rolls, controllers=[made("esc", "sports-car"), "cruise"], watch=False)


def test_wheels_that_are_not_known_are_named() -> None:
    known = ControlledVehicle.of(vehicle())
    fewer = replace(known, wheels=known.wheels[:2])
    assert known.differences(fewer) == ("wheels rear_left, rear_right, which it has not",)
    assert fewer.differences(known) == ("nothing of its wheels rear_left, rear_right",)
    assert not known.differences(known)
    narrow = replace(known.wheels[0], y=0.6, braked=False)
    assert known.wheels[0].differences(narrow) == (
        "front_left: 0.785 m to the left, not 0.6 m", "front_left with a brake",
    )  # fmt: skip


def test_a_value_that_is_lost_stops_it_by_name() -> None:
    """A nan in its memory would stay there."""
    runs = RunningController(made("esc"))
    seen = dict.fromkeys(runs.reads, 0.0) | {"vehicle.yaw_rate": math.nan}
    with pytest.raises(ModelError, match=r"given nan for 'vehicle\.yaw_rate'"):
        runs.update(0.0, seen)


def test_what_solves_has_no_system() -> None:
    mpc = at.PredictivePathController.of(vehicle(), PATH)
    with pytest.raises(FormulationError, match="'mpc' solves for its commands"):
        discrete_system(mpc)


def test_two_quantities_of_one_name_are_refused() -> None:
    class Twice(at.CruiseController):
        @property
        def memory(self) -> Any:
            return (*super().memory, *super().memory)

    with pytest.raises(FormulationError, match="cruise.integral more than once"):
        discrete_system(Twice.of(vehicle()))
