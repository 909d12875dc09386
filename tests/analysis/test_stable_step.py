"""Stable steps against stability limits that are known, and against runs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.analysis.linear.stable_step import StableStepError, stable_step
from axletree.expr import ExternalFunction, call, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import System

OMEGA = 50.0  # rad/s
REAL_LIMIT_OF_RK4 = 2.785293563  # where 1 - z + z^2/2 - z^3/6 + z^4/24 = 1


def oscillator(damping_ratio: float) -> System:
    model = at.Model("oscillator", gravity=(0.0, 0.0, 0.0))
    mass = model.add(at.RigidBody("mass", 1.0, (1.0, 1.0, 1.0)))
    rail = model.add(at.Prismatic("rail", model.ground, mass, axis="x"))
    damping = 2.0 * damping_ratio * OMEGA
    model.add(at.SlideSpringDamper("spring", rail, stiffness=OMEGA**2, damping=damping))
    return model.formulate()


@pytest.mark.parametrize(
    ("method", "damping_ratio", "limit"),
    [
        ("explicit-euler", 0.1, 2.0 * 0.1 / OMEGA),  # -2 Re / |lambda|^2
        ("rk4", 1e-9, 2.0 * math.sqrt(2.0) / OMEGA),  # the imaginary axis
        ("semi-implicit-euler", 1e-9, 2.0 / OMEGA),  # Stoermer's limit
        ("rk4", 1.0, REAL_LIMIT_OF_RK4 / OMEGA),  # a double real eigenvalue
        ("explicit-euler", 1.0, 2.0 / OMEGA),
    ],
)
def test_limits_of_an_oscillator(method: str, damping_ratio: float, limit: float) -> None:
    found = stable_step(oscillator(damping_ratio), method)
    assert found.step == pytest.approx(limit, rel=1e-3)
    assert abs(found.eigenvalue) == pytest.approx(OMEGA, rel=1e-3)
    assert set(found.states) == {"rail.position", "rail.speed"}


def test_no_step_of_explicit_euler_is_stable_without_damping() -> None:
    found = stable_step(oscillator(0.0), "explicit-euler")
    assert found.step < 1e-3 / OMEGA
    assert not math.isinf(found.step)


def test_a_body_that_moves_freely_bounds_no_step() -> None:
    model = at.Model("slider", gravity=(0.0, 0.0, 0.0))
    mass = model.add(at.RigidBody("mass", 1.0, (1.0, 1.0, 1.0)))
    model.add(at.Prismatic("rail", model.ground, mass, axis="x"))
    found = stable_step(model.formulate(), "explicit-euler")
    assert math.isinf(found.step)
    assert found.states == ()


def test_a_true_growth_is_no_fault_of_the_step() -> None:
    """An inverted pendulum falls faster than any step makes it."""
    model = at.read_model("pendulum")
    found = stable_step(model.formulate(), "rk4", {"pin.angle": math.pi})
    assert math.isinf(found.step)


def test_an_input_is_a_number() -> None:
    with pytest.raises(StableStepError, match="an input is a number"):
        stable_step(shipped_system("car"), inputs={"steer.angle": "sin(t)"})  # type: ignore[dict-item]


CORNERS = ("front_left", "front_right", "rear_left", "rear_right")


def rolling(speed: float) -> dict[str, float | str]:
    """The car at a speed, its wheels nearly without slip."""
    rates = {f"{c}_axle.rate": speed / 0.3481 for c in CORNERS}
    return {"chassis.vx": speed, **rates}


@pytest.fixture(scope="module")
def car() -> Any:
    return shipped_system("car")


@pytest.mark.parametrize("speed", [20.0, 10.0, 5.0])
def test_explicit_euler_on_the_car_is_bound_in_proportion_to_speed(car: Any, speed: float) -> None:
    """Slip and spin: Re = -V / (2 B_long), Im independent of the speed; 1 ms at 10 m/s."""
    found = stable_step(car, "explicit-euler", rolling(speed))
    assert found.step == pytest.approx(1e-4 * speed, rel=0.01)
    assert found.eigenvalue.real == pytest.approx(-0.435 * speed, rel=0.02)
    assert abs(found.eigenvalue.imag) == pytest.approx(93.0, rel=0.01)
    part = {name.partition("_")[0] + " " + name.rpartition(".")[2] for name in found.states}
    assert part == {"front q1", "front rate"}


def test_other_methods_on_the_car_are_bound_by_the_struts(car: Any) -> None:
    for method, limit in (("semi-implicit-euler", 12.5e-3), ("rk4", 28.0e-3)):
        for speed in (20.0, 5.0):
            found = stable_step(car, method, rolling(speed))
            assert found.step == pytest.approx(limit, rel=0.02)
            assert "strut" in found.states[0]


@pytest.mark.parametrize(("factor", "grows"), [(0.8, False), (1.25, True)])
def test_a_run_rings_beyond_the_bound_and_not_below(car: Any, factor: float, grows: bool) -> None:
    """At 8 m/s, with the wheels set off by a little slip."""
    bound = stable_step(car, "explicit-euler", rolling(8.0)).step
    step = round(factor * bound, 5)
    settings = {"method": "explicit-euler", "initial": rolling(8.0), "outputs": []}
    run = car.simulate(1000 * step, step=step, **settings, watch=False)
    ring = run["front_left_axle.rate"] - np.convolve(
        run["front_left_axle.rate"], np.full(101, 1 / 101), mode="same"
    )
    early, late = np.abs(ring[150:400]).max(), np.abs(ring[600:850]).max()
    assert (late > early) == grows


def test_methods_that_choose_their_steps_are_refused() -> None:
    with pytest.raises(StableStepError, match="rk45 chooses its steps itself"):
        stable_step(oscillator(0.1), "rk45")


def test_a_function_without_derivative_is_refused() -> None:
    opaque = ExternalFunction(
        "opaque", ("x",), ("y",), lambda x: (-x,),
        "static void opaque(const double *input, double *output) { output[0] = -input[0]; }\n",
    )  # fmt: skip
    state = Quantity("x", "m", "a number", Role.COORDINATE)
    time = Quantity("time", "s", "time", Role.TIME)
    rate = call(opaque, symbol("x"))[0]
    bare = System("bare", time, (state,), (), (), (rate,), (), (), None)
    with pytest.raises(StableStepError, match="bare cannot be made linear: .*opaque"):
        stable_step(bare)
