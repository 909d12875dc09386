"""Fixed-step methods: order, energy, chunks, and the same results without a compiler."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

from axletree.catalogue import INTEGRATORS
from axletree.core.registry import UnknownNameError, load
from axletree.expr import Table, cos, sin, symbol
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.problem import SettingsError, Tolerances, state_problem
from axletree.simulation.simulate import simulate
from axletree.system.system import System

pytestmark = pytest.mark.shipped_flags

METHODS = {name: load("method", name, INTEGRATORS) for name in INTEGRATORS}
FIXED = [name for name, method in METHODS.items() if isinstance(method, FixedStep)]


def error(system: System, method: str, step: float) -> float:
    run = simulate(system, 2.0, step=step, method=method)
    return float(abs(run["mass.position"][-1] - np.cos(2.0 * 2.0)))


@pytest.mark.parametrize("method", FIXED)
def test_the_error_falls_with_the_order_of_the_method(oscillator: System, method: str) -> None:
    ratio = error(oscillator, method, 0.01) / error(oscillator, method, 0.005)
    assert np.log2(ratio) == pytest.approx(METHODS[method].order, abs=0.15)


@pytest.mark.parametrize("method", FIXED)
def test_a_table_input_keeps_the_order(oscillator: System, method: str) -> None:
    """Forced by f = 5 t, the oscillator has an exact solution, whose slope is linear."""

    def final_error(step: float) -> float:
        table = (np.array([0.0, 10.0]), np.array([0.0, 50.0]))
        run = simulate(
            oscillator,
            2.0,
            step=step,
            method=method,
            initial={"mass.position": 0.0},
            inputs={"motor.force": table},
        )
        exact = 1.25 * np.array([1.0 - np.cos(4.0), 2.0 - np.sin(4.0) / 2.0])
        found = [run["mass.speed"][-1], run["mass.position"][-1]]
        return float(np.linalg.norm(found - exact))

    ratio = final_error(0.01) / final_error(0.005)
    assert np.log2(ratio) == pytest.approx(METHODS[method].order, abs=0.2)


def test_semi_implicit_euler_keeps_the_energy(oscillator: System) -> None:
    energies = {
        method: simulate(oscillator, 100.0, step=0.01, method=method, watch=False)["mass.energy"]
        for method in ("explicit-euler", "semi-implicit-euler")
    }
    assert np.ptp(energies["semi-implicit-euler"]) < 0.05 * energies["semi-implicit-euler"][0]
    assert energies["explicit-euler"][-1] > 2.0 * energies["explicit-euler"][0]


def test_semi_implicit_euler_moves_coordinates_with_new_speeds(oscillator: System) -> None:
    run = simulate(oscillator, 0.1, step=0.1, method="semi-implicit-euler")
    speed = -0.1 * 4.0
    assert run["mass.speed"][-1] == pytest.approx(speed, rel=1e-15)
    assert run["mass.position"][-1] == pytest.approx(1.0 + 0.1 * speed, rel=1e-15)


def problem(system: System, **settings: Any) -> Any:
    given: dict[str, Any] = {
        "initial": {},
        "inputs": {},
        "parameters": {},
        "outputs": None,
        "start": 0.5,
        "duration": 1.0,
        "step": 0.001,
        "record_interval": 0.003,
        "tolerances": Tolerances(),
    }
    return state_problem(system, **{**given, **settings})


@pytest.mark.parametrize("method", FIXED)
@pytest.mark.parametrize("chunk", [1, 7, 999])
def test_chunks_change_no_bit(oscillator: System, method: str, chunk: int) -> None:
    signal = Table.smooth([0.0, 0.7, 1.1, 2.0], [0.0, 3.0, -1.0, 2.0])
    task = problem(oscillator, inputs={"motor.force": signal})
    whole, parts = (METHODS[method].integrate(task, size) for size in (10**9, chunk))
    assert whole.states.tobytes() == parts.states.tobytes()
    assert whole.outputs.tobytes() == parts.outputs.tobytes()
    assert whole.time.tobytes() == parts.time.tobytes()
    assert len(whole.time) == 1000 // 3 + 2, "every third step, and the last"


@pytest.mark.parametrize("method", FIXED)
@pytest.mark.parametrize("name", ["oscillator", "circle", "driven"])
def test_generated_python_gives_what_c_gives(
    method: str, name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = request.getfixturevalue(name)
    signals = {q.name: Table.linear([0.0, 0.5, 0.8], [0.0, 2.0, 1.0]) for q in system.inputs}
    runs = []
    for compiler in ("", "none"):
        monkeypatch.setenv("AXLETREE_CC", compiler)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            runs.append(simulate(system, 1.0, step=0.01, method=method, inputs=signals))
    assert runs[0].names == runs[1].names
    for column in runs[0].names:
        np.testing.assert_allclose(runs[1][column], runs[0][column], rtol=1e-12, atol=1e-13)


def test_the_projection_is_applied_after_each_step(circle: System) -> None:
    run = simulate(circle, 5.0, step=0.01, method="explicit-euler")
    np.testing.assert_allclose(run["point.radius"], 1.0, rtol=1e-15)
    angle = np.unwrap(np.arctan2(run["point.y"], run["point.x"]))
    np.testing.assert_allclose(angle, run.time, atol=1e-3)


def test_a_system_without_states_gives_its_outputs(driven: System) -> None:
    run = simulate(driven, 1.0, step=0.1)
    np.testing.assert_allclose(run["wave"], np.cos(run.time) + 1.0, rtol=1e-15)


def test_inputs_as_expressions_are_compiled(oscillator: System) -> None:
    """Forced at its own frequency from rest, the oscillator is at t sin(w t) / (2 w)."""
    force = cos(symbol("spring.frequency") * symbol("time"))
    run = simulate(
        oscillator,
        3.0,
        step=0.001,
        initial={"mass.position": 0.0},
        inputs={"motor.force": force},
        outputs=["motor.force", "spring.force"],
    )
    t = run.time
    np.testing.assert_allclose(run["mass.position"], t * np.sin(2.0 * t) / 4.0, atol=1e-11)
    np.testing.assert_allclose(run["motor.force"], np.cos(2.0 * t), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(run["spring.force"], -4.0 * run["mass.position"], rtol=1e-14)


@pytest.mark.parametrize("method", FIXED)
def test_inputs_see_the_time_of_the_run(oscillator: System, method: str) -> None:
    """A run that starts at 1 s feels what the force is from 1 s on."""
    force, shifted = sin(symbol("time")), sin(symbol("time") + 1.0)
    late = simulate(
        oscillator, 1.0, step=0.01, method=method, start=1.0, inputs={"motor.force": force}
    )
    early = simulate(oscillator, 1.0, step=0.01, method=method, inputs={"motor.force": shifted})
    np.testing.assert_allclose(late["mass.position"], early["mass.position"], rtol=1e-12)
    still = simulate(oscillator, 1.0, step=0.01, method=method)
    assert abs(late["mass.position"][-1] - still["mass.position"][-1]) > 0.1


def test_tables_are_linear_between_and_held_outside(oscillator: System) -> None:
    times, values = np.array([0.2, 0.5, 0.6]), np.array([1.0, 4.0, -2.0])
    run = simulate(
        oscillator,
        1.0,
        step=0.01,
        inputs={"motor.force": (times, values)},
        outputs=["motor.force"],
    )
    np.testing.assert_allclose(run["motor.force"], np.interp(run.time, times, values), atol=1e-12)


def test_parameters_and_the_start_change_the_run(oscillator: System) -> None:
    run = simulate(
        oscillator,
        1.0,
        step=0.001,
        start=2.0,
        initial={"mass.position": 0.0, "mass.speed": 3.0},
        parameters={"spring.frequency": 3.0},
        record_interval=0.5,
    )
    np.testing.assert_allclose(run.time, [2.0, 2.5, 3.0], rtol=1e-15)
    np.testing.assert_allclose(run["mass.position"], np.sin(3.0 * (run.time - 2.0)), atol=1e-10)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"step": None}, "needs a step"),
        ({"step": 0.3}, r"not a whole number of steps.*duration=0\.9"),
        ({"step": 2.0}, "not a whole number of steps"),
        ({"step": 1e-320}, "takes inf steps of .*at most; try a step of 1e-15 s"),
        ({"step": 0.1, "record_interval": 1e308}, "record_interval=1, which records"),
        ({"step": -1.0}, r"step is -1\.0; expected a positive number of seconds"),
        ({"step": float("nan")}, "step is nan"),
        ({"record_interval": 0.015}, "record_interval"),
        ({"duration": float("inf")}, "duration is inf"),
        ({"initial": {"mass.positon": 1.0}}, "did you mean 'mass.position'"),
        ({"initial": {"mass.position": [1.0, 2.0]}}, "expected one finite number in m"),
        ({"initial": {"mass.position": float("nan")}}, "expected one finite number"),
        ({"initial": {"mass.position": "1 kg"}}, "is a mass"),
        ({"parameters": {"spring.frequency": -1.0}}, "between 0 and 1000"),
        ({"parameters": {"spring.freq": 1.0}}, "did you mean 'spring.frequency'"),
        ({"inputs": {"motor.torque": 1.0}}, "unknown input 'motor.torque'"),
        ({"inputs": {"motor.force": sin(symbol("mass.speed"))}}, "depends on mass.speed"),
        ({"inputs": {"motor.force": ([0.0, 1.0], [1.0])}}, "as many x as y"),
        ({"inputs": {"motor.force": ([0.0, 0.0], [1.0, 2.0])}}, "must rise"),
        ({"inputs": {"motor.force": np.ones(3)}}, r"shape \(3,\)"),
        ({"inputs": {"motor.force": float("inf")}}, "expected one finite number"),
        ({"inputs": {"motor.force": "fast"}}, "motor.force"),
    ],
)
def test_bad_settings_are_refused(oscillator: System, settings: Any, message: str) -> None:
    given = {"duration": 1.0, "step": 0.01, **settings}
    with pytest.raises(SettingsError, match=message):
        simulate(oscillator, **given)


def test_all_mistakes_are_told_at_once(oscillator: System) -> None:
    with pytest.raises(SettingsError) as caught:
        simulate(oscillator, -1.0, step=0.1, initial={"a": 1.0}, parameters={"b": 1.0})
    assert len(caught.value.problems) == 3


def test_an_unknown_method_gets_a_list(oscillator: System) -> None:
    with pytest.raises(UnknownNameError, match="did you mean .*'rk4'.*Known: explicit-euler"):
        simulate(oscillator, 1.0, step=0.1, method="rk5")


def test_too_many_records_are_refused(oscillator: System) -> None:
    from axletree.core.errors import SimulationError

    with pytest.raises(SimulationError, match="record less often"):
        simulate(oscillator, 2.0**30, step=2.0**-19)


def test_a_system_is_lowered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Further runs, with other numbers and the same expressions as inputs, use the code again."""
    system = shipped_system("motor-driven-slider-crank")
    settings = {"step": 1e-3, "inputs": {q.name: "0.5*t" for q in system.inputs}}
    first = system.simulate(0.01, **settings)
    monkeypatch.setattr("axletree.simulation.fixed_step.lower", None)
    again = system.simulate(0.01, **settings)
    assert all(np.array_equal(first[name], again[name]) for name in first.names)
    with pytest.raises(TypeError):
        system.simulate(0.01, step=1e-3, method="explicit-euler")
