"""Gradients of runs: differences of runs, laws of proportion, and the equations of variation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.analysis.drive import drive_start, with_manoeuvre
from axletree.code.backends.c import find_compiler
from axletree.core.errors import AxletreeError, CompilerError
from axletree.simulation import run_gradient
from axletree.system.system import System

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs a C compiler")

METHODS = ("explicit-euler", "semi-implicit-euler", "rk4")
EXACT = 1e-7  # of a derivative, against differences that are extrapolated


def difference(value: Any, at: float, size: float) -> float:
    """Central differences of two sizes, extrapolated (Richardson 1911)."""
    near, far = ((value(at + h) - value(at - h)) / (2.0 * h) for h in (size, 2.0 * size))
    return float((4.0 * near - far) / 3.0)


@pytest.mark.parametrize("method", METHODS)
def test_an_oscillator_in_closed_form(oscillator: System, method: str) -> None:
    """x(t) = cos(w t): derivatives by w and x0 as steps become short."""
    w, t = 2.0, 1.3
    found = oscillator.run_gradient(t, step=1e-4, end="mass.position", method=method)
    error = 1e-9 if method == "rk4" else 1e-3
    assert found.value == pytest.approx(np.cos(w * t), abs=error)
    assert found.by_states["mass.position"] == pytest.approx(np.cos(w * t), abs=error)
    assert found.by_states["mass.speed"] == pytest.approx(np.sin(w * t) / w, abs=error)
    by_w = found.by_parameters["spring.frequency"]
    assert by_w == pytest.approx(-t * np.sin(w * t), abs=3.0 * error)
    by_force = found.by_inputs["motor.force"]  # a constant force shifts the middle
    assert by_force == pytest.approx((1.0 - np.cos(w * t)) / w**2, abs=error)


@pytest.mark.parametrize("method", METHODS)
def test_gradients_are_those_of_the_run_as_it_is_computed(method: str) -> None:
    """Coarse steps: the adjoint is of the steps, and no approximation of the equations' own."""
    system = shipped_system("bicycle-car")
    first = {**system.state(), "chassis.vy": 0.2, "chassis.rate": 0.05}  # no slip is at a corner
    run: dict[str, Any] = {
        "duration": 0.4, "step": 2e-3, "method": method, "initial": first,
        "inputs": {"steer.angle": "0.02*sin(5*t)", "steer.angle_rate": "0.1*cos(5*t)"},
    }  # fmt: skip
    weights = {"chassis.rate": 1.0, "front_tyre.Fy": 1e-3}
    found = system.run_gradient(
        end=weights, integral={"front_tyre.Fy": 1e-3, "chassis.vy": 2.0}, **run
    )
    outputs = ["front_tyre.Fy"]

    def goal(**changed: Any) -> float:
        one = system.simulate(outputs=outputs, watch=False, **{**run, **changed})
        last = sum(w * one[n][-1] for n, w in weights.items())
        within = 1e-3 * one["front_tyre.Fy"] + 2.0 * one["chassis.vy"]
        return float(last + np.trapezoid(within, one.time))

    assert found.value == pytest.approx(goal(), rel=1e-10)
    for name in ("body.mass", "front_tyre.law.cornering_stiffness", "body.inertia.zz"):
        own = next(q.default for q in system.parameters if q.name == name)
        exact = difference(lambda p, n=name: goal(parameters={n: p}), own, 1e-3 * own)
        assert found.by_parameters[name] == pytest.approx(exact, rel=EXACT)
    for name, size in (("chassis.vy", 1e-5), ("chassis.rate", 1e-5)):
        exact = difference(lambda x, n=name: goal(initial={**first, n: x}), first[name], size)
        assert found.by_states[name] == pytest.approx(exact, rel=EXACT)


def test_an_energy_in_proportion_to_the_mass() -> None:
    """The integral of a pendulum's energy is in proportion to its mass, of 1 kg."""
    found = shipped_system("pendulum").run_gradient(1.0, step=1e-3, integral="energy.total")
    assert found.by_parameters["rod.mass"] == pytest.approx(found.value / 1.0, rel=1e-12)


@pytest.mark.parametrize("most", [0, 10**6])
def test_chosen_parameters_alone_and_any_number_of_steps(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of short runs all states are kept; stretches between kept states may be of any number."""
    monkeypatch.setattr(run_gradient, "_MOST_KEPT", most)
    system = shipped_system("pendulum")
    for steps in (1, 2, 3, 10, 11):
        found = system.run_gradient(
            steps * 1e-2, step=1e-2, end="pin.angle", by_parameters=["rod.mass"]
        )
        assert [*found.by_parameters] == ["rod.mass"]

        def angle(x: float, steps: int = steps) -> float:
            run = system.simulate(
                steps * 1e-2, step=1e-2, initial={"pin.angle": x}, outputs=(), watch=False
            )
            return float(run["pin.angle"][-1])

        assert found.by_states["pin.angle"] == pytest.approx(
            difference(angle, 0.3, 1e-3), rel=EXACT
        )


@pytest.mark.slow
def test_a_car_on_magic_formula_tyres_by_all_its_parameters() -> None:
    system = shipped_system("car")
    run: dict[str, Any] = {"duration": 0.3, "step": 1e-3, "method": "semi-implicit-euler"}
    found = system.run_gradient(end="chassis.vx", **run)
    assert len(found.by_parameters) == len(system.parameters)
    assert all(np.isfinite(list(found.by_parameters.values())))
    for name in ("body.mass", "front_left_tyre.law.PKX1"):
        own = next(q.default for q in system.parameters if q.name == name)

        def speed(p: float, name: str = name) -> float:
            one = system.simulate(parameters={name: p}, outputs=(), watch=False, **run)
            return float(one["chassis.vx"][-1])

        exact = difference(speed, own, 1e-3 * abs(own))
        assert found.by_parameters[name] == pytest.approx(exact, rel=1e-6, abs=1e-13)


def assert_differences_agree(
    system: System, run: dict[str, Any], end: str, names: tuple[str, ...]
) -> None:
    """With differences of some size; larger ones cross a switch, and smaller ones lose digits."""
    found = system.run_gradient(end=end, **run)
    for every in (found.by_parameters, found.by_states, found.by_inputs):
        assert np.isfinite(list(every.values())).all()
    for name in names:
        own = next(q.default for q in system.parameters if q.name == name)

        def value(p: float, name: str = name) -> float:
            changed = {**run, "parameters": {**run.get("parameters", {}), name: p}}
            return float(system.simulate(outputs=(), watch=False, **changed)[end][-1])

        sizes = (1e-4, 1e-5, 1e-6)
        apart = [
            abs(difference(value, own, h * abs(own)) - found.by_parameters[name]) for h in sizes
        ]
        assert min(apart) < EXACT * abs(found.by_parameters[name]), name


def test_a_run_with_lift_off() -> None:
    """A tyre that is dropped and bounces."""
    system = shipped_system("dropped-tyre")
    names = ("tyre.normal_force.stiffness", "tyre.normal_force.damping")
    run: dict[str, Any] = {"duration": 0.6, "step": 1e-3, "method": "rk4"}
    load = system.simulate(outputs=("tyre.Fz",), watch=False, **run)["tyre.Fz"]
    assert np.sum(np.diff((load > 0.0).astype(int)) == -1) >= 1  # it lifts off
    assert_differences_agree(system, run, "lift.position", names)


def eighth_order(value: Any, at: float, size: float) -> float:
    """Central differences of order 8 (Fornberg 1988, table 1)."""
    shares = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
    pairs = ((a, value(at + k * size) - value(at - k * size)) for k, a in enumerate(shares, 1))
    return float(sum(a * apart for a, apart in pairs) / size)


def assert_locked_wheel_agrees(
    system: System, run: dict[str, Any], goals: dict[str, tuple[tuple[str, str], ...]]
) -> None:
    """Goals with what they are differentiated by; a difference of some size has no switch in it."""
    for end, quantities in goals.items():
        found = system.run_gradient(end=end, **run)
        for every in (found.by_parameters, found.by_states, found.by_inputs):
            assert np.isfinite(list(every.values())).all()
        known = {q.name: q.default for q in system.parameters}
        by = {
            "parameters": found.by_parameters, "initial": found.by_states, "inputs": found.by_inputs
        }  # fmt: skip
        for kind, name in quantities:
            own = float({**known, **run["initial"], **run["inputs"]}[name])

            def value(p: float, kind: str = kind, name: str = name, end: str = end) -> float:
                changed = {**run, kind: {**run.get(kind, {}), name: p}}
                return float(system.simulate(outputs=(), watch=False, **changed)[end][-1])

            exact = by[kind][name]
            sizes = (1e-4, 1e-5, 1e-6)
            apart = [abs(eighth_order(value, own, h * abs(own)) - exact) for h in sizes]
            assert min(apart) < EXACT * abs(exact), (end, name, apart, exact)


def test_wheels_that_smooth_friction_locks() -> None:
    """Brakes whose torque is in proportion to the rate near rest: wheels creep, sliding."""
    system = shipped_system("drifting-car")
    rolling = {f"{place}_axle.rate": 12.0 / 0.3 for place in PLACES}
    run: dict[str, Any] = {
        "duration": 0.3, "step": 5e-4, "method": "rk4", "start": 23.0, "inputs": {},
        "initial": {"chassis.vx": 12.0, "chassis.vy": 0.2, "chassis.wz": 0.1, **rolling},
    }  # fmt: skip
    ended = system.simulate(outputs=(), watch=False, **run)
    assert all(abs(ended[f"{place}_axle.rate"][-1]) < 1.0 for place in PLACES)
    assert ended["chassis.vx"][-1] > 8.0  # m/s: they slide
    goals = {
        "front_left_axle.rate": (
            ("parameters", "front_left_brake.slow_rate"), ("parameters", "body.mass"),
        ),
        "chassis.x": (("parameters", "body.mass"), ("initial", "chassis.vx")),
    }  # fmt: skip
    assert_locked_wheel_agrees(system, run, goals)


PLACES = ("front_left", "front_right", "rear_left", "rear_right")


@pytest.mark.slow
def test_wheels_that_their_brakes_hold_locked() -> None:
    """A sedan without anti-lock system: the mounts of its brakes stick and hold its wheels."""
    off = {"brakes": {"slip_limit": None, "select_low": False}}
    changes = {"vehicle": {"axles": {"front": off, "rear": off}}}
    model, wanted = with_manoeuvre(at.read_model("sedan", changes), "braking")
    assert isinstance(model, at.Model)
    system = model.formulate()
    start = drive_start(system, replace(wanted, speed=12.0), {})
    run: dict[str, Any] = {
        "duration": 0.4, "step": 2.5e-4, "method": "rk4",
        "initial": {**start.initial, "chassis.vy": 0.1, "chassis.wz": 0.03},
        "inputs": {**start.inputs, "driver.brake": 1.0},
    }  # fmt: skip
    ended = system.simulate(outputs=(), watch=False, **run)
    assert all(abs(ended[f"{place}_axle.rate"][-1]) < 0.05 for place in PLACES)  # rad/s
    assert ended["chassis.vx"][-1] > 8.0
    brake = "front_left_brake"
    goals = {
        "chassis.x": (
            ("parameters", "body.mass"), ("initial", "chassis.vx"), ("inputs", "driver.brake"),
        ),
        f"{brake}.wind_up": (
            ("parameters", f"{brake}.stiffness"), ("parameters", f"{brake}.springback"),
        ),
    }  # fmt: skip
    assert_locked_wheel_agrees(system, run, goals)


def test_mistakes(oscillator: System, monkeypatch: pytest.MonkeyPatch) -> None:
    run: dict[str, Any] = {"duration": 0.1, "step": 1e-2}
    for given, word in (
        ({}, "name what is found"),
        ({"end": "mass.colour"}, "colour"),
        ({"end": {"mass.speed": float("nan")}}, "end: the weight of 'mass.speed' is nan"),
        ({"integral": {"mass.speed": "1"}}, "integral: the weight of 'mass.speed' is '1'"),
        ({"end": "mass.speed", "method": "radau"}, "radau"),
        ({"end": "mass.speed", "by_parameters": ["spring.mass"]}, "spring.mass"),
        ({"end": "mass.speed", "parameters": {"spring.frequency": 1e3}, "duration": 9.0}, "finite"),
    ):
        with pytest.raises(AxletreeError, match=word):
            oscillator.run_gradient(**{**run, **given})
    with pytest.raises(AxletreeError, match="constraints"):
        shipped_system("four-bar").run_gradient(end="a.rate", **run)
    monkeypatch.setenv("AXLETREE_CC", "none")
    run_gradient._compiled.cache_clear()
    with pytest.raises(CompilerError, match="doctor"):
        oscillator.run_gradient(end="mass.speed", **run)


@pytest.mark.slow
def test_a_car_that_brakes_to_a_standstill() -> None:
    """It slides a little to the side: straight ahead, no slip is at a corner of its tyres' laws."""
    model, wanted = with_manoeuvre(at.read_model("sedan"), "braking")
    assert isinstance(model, at.Model)
    system = model.formulate()
    start = drive_start(system, replace(wanted, speed=8.0), {})
    first = {**start.initial, "chassis.vy": 0.1, "chassis.wz": 0.03}
    run: dict[str, Any] = {
        "duration": 1.2, "step": 2.5e-4, "method": "rk4", "initial": first,
        "inputs": {**start.inputs, "driver.brake": 1.0},
    }  # fmt: skip
    found = system.run_gradient(end="chassis.x", **run)
    for every in (found.by_parameters, found.by_states, found.by_inputs):
        assert np.isfinite(list(every.values())).all()
    assert abs(system.simulate(outputs=(), watch=False, **run)["chassis.vx"][-1]) < 0.1

    def stops_at(v: float) -> float:
        changed = {**run, "initial": {**first, "chassis.vx": v}}
        return float(system.simulate(outputs=(), watch=False, **changed)["chassis.x"][-1])

    by_speed, v = found.by_states["chassis.vx"], float(first["chassis.vx"])
    sizes = (1e-5, 1e-6, 1e-7)  # large ones cross switches, and small ones lose digits
    slopes = [(stops_at(v + h * v) - stops_at(v - h * v)) / (2.0 * h * v) for h in sizes]
    assert min(abs(slope - by_speed) for slope in slopes) < EXACT * abs(by_speed)
