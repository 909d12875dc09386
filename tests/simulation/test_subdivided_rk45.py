"""Parts of steps by tolerances: order, switches, blows, and the same without a compiler."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import axletree as at
from axletree.expr import log, symbol, where
from axletree.simulation.integrators import SUBDIVIDED_RK45
from axletree.simulation.problem import Tolerances, state_problem
from axletree.simulation.simulate import StoppedRunError, simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

pytestmark = pytest.mark.shipped_flags

LOOSE: dict[str, Any] = {
    "method": SUBDIVIDED_RK45,
    "relative_tolerance": 1.0,
    "absolute_tolerance": 1.0,
}


def fine(tolerance: float) -> dict[str, Any]:
    return {
        "method": SUBDIVIDED_RK45,
        "relative_tolerance": tolerance,
        "absolute_tolerance": tolerance,
    }


def test_whole_steps_are_of_order_five(oscillator: System) -> None:
    def error(step: float) -> float:
        run = simulate(oscillator, 2.0, step=step, **LOOSE)
        return float(abs(run["mass.position"][-1] - np.cos(4.0)))

    assert np.log2(error(0.05) / error(0.025)) == pytest.approx(5.0, abs=0.2)


def test_the_error_falls_with_the_tolerance_however_long_the_step(oscillator: System) -> None:
    errors = []
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        run = simulate(oscillator, 20.0, step=5.0, **fine(tolerance))
        assert len(run.time) == 5
        errors.append(float(np.abs(run["mass.position"] - np.cos(2.0 * run.time)).max()))
    assert errors[0] < 1e-1
    assert all(later < 0.1 * earlier for earlier, later in zip(errors, errors[1:], strict=False))


@pytest.mark.parametrize("switch", [0.5, 0.5037])
def test_a_force_that_switches_is_found(oscillator: System, switch: float) -> None:
    """At a record and between two: 1 N on 1 kg until then, from rest, against no spring."""
    run, rough = (
        simulate(
            oscillator, 1.0, step=0.01, initial={"mass.position": 0.0},
            inputs={"motor.force": where(symbol("time") < switch, 1.0, 0.0)},
            parameters={"spring.frequency": 0.0}, **settings,
        )
        for settings in (fine(1e-10), {"method": "rk4"})
    )  # fmt: skip
    assert run["mass.speed"][-1] == pytest.approx(switch, abs=1e-5)
    assert abs(rough["mass.speed"][-1] - switch) > 1e-3


def bouncing(damping: float = 0.0) -> System:
    """A ball of 1 kg above a spring of 1 MN/m that only pushes."""
    model = at.Model("bouncing", gravity=(0.0, 0.0, -10.0))
    ball = model.add(at.RigidBody("ball", 1.0, (1.0, 1.0, 1.0)))
    rail = model.add(at.Prismatic("rail", model.ground, ball, axis="z"))
    model.add(
        at.SlideSpringDamper(
            "floor", rail, stiffness=1e6, damping=damping, free_position=0.0, side="below"
        )
    )
    model.start = {"rail.position": 0.2}
    return model.formulate()


def test_a_ball_bounces_as_it_does_by_hand() -> None:
    """Free fall, then the sine of a spring whose blow lasts 3 ms, at steps of 10 ms."""
    run = simulate(bouncing(), 2.0, step=0.01, **fine(1e-10))
    speed, w = 2.0, 1e3  # [m/s] at touch-down after 0.2 s, [rad/s]
    sag = 10.0 / w**2
    # x = A sin(w t) + sag (cos(w t) - 1), downwards positive: back at 0 after 2 (pi - atan) / w.
    lasts = 2.0 * (np.pi - np.arctan2(speed / w, sag)) / w
    period = 0.4 + lasts
    clock = (run.time + 0.2) % period
    flight = clock < 0.4
    height = speed * clock[flight] - 5.0 * clock[flight] ** 2
    assert run["rail.position"][flight] == pytest.approx(height, abs=1e-6)
    rough = simulate(bouncing(), 2.0, step=0.001, watch=False)
    assert np.abs(rough["rail.position"][::10] - run["rail.position"]).max() > 1e-3


def test_a_jump_that_no_part_resolves_ends() -> None:
    """Dry friction that chatters at standstill: parts end at a thousandth of a step."""
    model = at.Model("block", gravity=(0.0, 0.0, 0.0))
    block = model.add(at.RigidBody("block", 1.0, (1.0, 1.0, 1.0)))
    rail = model.add(at.Prismatic("rail", model.ground, block, axis="x"))
    model.add(at.JointForce("rub", rail))
    system = model.formulate()
    rub = where(symbol("rail.speed") > 0.0, -1.0, 1.0)
    derivatives = (rub, *system.derivatives[1:])
    chatter = replace(system, derivatives=derivatives)
    run = simulate(chatter, 2.0, step=0.01, initial={"rail.speed": 1.0}, **fine(1e-8))
    assert run["rail.speed"][run.time < 0.995] == pytest.approx(1.0 - run.time[run.time < 0.995])
    assert np.abs(run["rail.speed"][run.time > 1.005]).max() < 2e-5


def without_compiler(
    monkeypatch: pytest.MonkeyPatch, system: System, **settings: Any
) -> Trajectory:
    monkeypatch.setenv("AXLETREE_CC", "none")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return simulate(system, **settings)


@pytest.mark.parametrize("name", ["oscillator", "circle", "driven"])
def test_generated_python_gives_what_c_gives(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a switch within a step, so that parts are halved."""
    system = request.getfixturevalue(name)
    signals = {q.name: where(symbol("time") < 0.4321, 5.0, -5.0) for q in system.inputs}
    settings = {"duration": 1.0, "step": 0.1, "inputs": signals, **fine(1e-7)}
    run = simulate(system, **settings)
    other = without_compiler(monkeypatch, system, **settings)
    assert run.names == other.names
    for column in run.names:
        np.testing.assert_allclose(other[column], run[column], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_state_that_is_no_number_is_named(
    oscillator: System, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    """log(1 - q) has no value once the position has passed 1 m."""
    if not compiled:
        monkeypatch.setenv("AXLETREE_CC", "none")
    position, speed = symbol("mass.position"), symbol("mass.speed")
    broken = replace(oscillator, derivatives=(1.0 + log(1.0 - position), speed + 2.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(StoppedRunError, match=r"the state 'mass\.\w+'.* became nan"):
            simulate(broken, 2.0, step=0.1, initial={"mass.position": 0.0}, **fine(1e-6))


def test_it_has_no_stable_step_of_its_own() -> None:
    with pytest.raises(at.AxletreeError, match="subdivided-rk45 chooses its steps itself"):
        bouncing().stable_step(SUBDIVIDED_RK45)


def test_its_own_tolerances_are_those_that_it_has_unless_others_are_given() -> None:
    """A blow, whose parts go by them: twice the same bits, and others with other tolerances."""
    own = simulate(bouncing(), 0.5, step=0.01, method="subdivided-rk45", watch=False)
    given, sharper = (
        simulate(
            bouncing(), 0.5, step=0.01, method="subdivided-rk45", watch=False,
            relative_tolerance=relative, absolute_tolerance=absolute,
        )
        for relative, absolute in ((1e-4, 1e-6), (1e-6, 1e-9))
    )  # fmt: skip
    assert (own["rail.position"] == given["rail.position"]).all()
    assert (own["rail.position"] != sharper["rail.position"]).any()


@pytest.mark.parametrize("compiled", [True, False])
def test_halves_of_a_step_show_its_error_however_it_is_divided(
    oscillator: System, monkeypatch: pytest.MonkeyPatch, compiled: bool
) -> None:
    """Held to the same tolerances, they had the parts of the whole, and no difference from it."""
    if not compiled:
        monkeypatch.setenv("AXLETREE_CC", "none")
    step, tolerances = 5.0, Tolerances(1e-4, 1e-4)
    problem = state_problem(oscillator, duration=20.0, step=step, tolerances=tolerances)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loop = SUBDIVIDED_RK45.loop_without_records(problem)
    start = problem.states[None, :]  # at 1 m, at rest
    whole, halves = (loop.steps_from(np.zeros(1), start, step / k, k)[0] for k in (1, 2))
    position = [q.name for q in oscillator.states].index("mass.position")
    off = whole[position] - np.cos(2.0 * step)
    assert whole[position] - halves[position] == pytest.approx(off, rel=0.1)
