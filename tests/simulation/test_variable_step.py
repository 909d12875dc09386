"""Variable-step methods against exact solutions and one another."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from axletree.catalogue import INTEGRATORS
from axletree.core.errors import SimulationError
from axletree.core.registry import load
from axletree.expr import ExternalFunction, as_expr, call, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.simulation.simulate import StoppedRunError, simulate
from axletree.simulation.variable_step import ModelRun, VariableStep
from axletree.system.system import System

pytestmark = pytest.mark.shipped_flags

METHODS = {name: load("method", name, INTEGRATORS) for name in INTEGRATORS}
VARIABLE = [name for name, method in METHODS.items() if isinstance(method, VariableStep)]
STIFF = [name for name in VARIABLE if METHODS[name].uses_jacobian]


@pytest.mark.parametrize("method", VARIABLE)
def test_the_error_follows_the_tolerances(oscillator: System, method: str) -> None:
    errors = []
    for tolerance in (1e-4, 1e-9):
        run = simulate(
            oscillator,
            5.0,
            method=method,
            relative_tolerance=tolerance,
            absolute_tolerance=tolerance,
        )
        assert len(run) == 501
        errors.append(np.abs(run["mass.position"] - np.cos(2.0 * run.time)).max())
    assert errors[1] < 1e-6
    assert errors[1] < 1e-3 * errors[0]


@pytest.mark.parametrize("method", [one for one in STIFF if one != "bdf"])
def test_stiff_systems_are_solved(van_der_pol: System, method: str) -> None:
    """At t = 2000 the IVP test set gives x = 1.706167732170469 for mu = 1000, scaled time 2."""
    run = simulate(
        van_der_pol,
        2000.0,
        method=method,
        record_interval=500.0,
        relative_tolerance=1e-9,
        absolute_tolerance=1e-12,
    )
    assert run["x"][-1] == pytest.approx(1.706167732170469, rel=1e-5)


def test_bdf_solves_stiff_systems_as_scipy_does(van_der_pol: System) -> None:
    """At a tenth of these tolerances SciPy's BDF itself stops at the flank of t = 1614 for one in
    seven starts that differ by roundings (1.13 to 1.17); at these for none of them."""
    run = simulate(
        van_der_pol,
        2000.0,
        method="bdf",
        record_interval=500.0,
        relative_tolerance=1e-8,
        absolute_tolerance=1e-11,
    )
    own = solve_ivp(
        lambda t, q: [1000.0 * (1.0 - q[1] ** 2) * q[0] - q[1], q[0]],
        (0.0, 2000.0),
        [0.0, 2.0],
        method="BDF",
        rtol=1e-8,
        atol=1e-11,
    )
    assert own.success
    assert run["x"][-1] == pytest.approx(own.y[1, -1], rel=1e-6)
    assert run["x"][-1] == pytest.approx(1.706167732170469, rel=1e-6)


@pytest.mark.parametrize("method", VARIABLE)
def test_the_projection_is_applied_at_records(circle: System, method: str) -> None:
    run = simulate(circle, 20.0, method=method, record_interval=0.5, relative_tolerance=1e-5)
    np.testing.assert_allclose(run["point.radius"], 1.0, rtol=1e-15)
    angle = np.unwrap(np.arctan2(run["point.y"], run["point.x"]))
    np.testing.assert_allclose(angle, run.time, atol=5e-3)


@pytest.mark.parametrize("method", VARIABLE)
def test_the_solver_goes_on_from_the_projected_states(method: str) -> None:
    """x' = 1 with x halved at each record 0.5 s apart: x = 0.25, 0.375, 0.4375, ..."""
    x = Quantity("x", "m", "Grows and is halved.", Role.STATE)
    time = Quantity("time", "s", "Time.", Role.TIME)
    rate = as_expr(1.0)
    system = System("halved", time, (x,), (), (), (rate,), (), (), (0.5 * symbol("x"),))
    run = simulate(system, 2.0, method=method, record_interval=0.5)
    np.testing.assert_allclose(run["x"], [0.0, 0.25, 0.375, 0.4375, 0.46875], rtol=1e-6)


@pytest.mark.parametrize("method", ["rk45", "cvode"])
def test_step_limits_the_steps(oscillator: System, method: str) -> None:
    """A pulse between two records is not stepped over when steps are short enough."""
    pulse = ([0.0, 4.99, 5.0, 5.01], [0.0, 0.0, 100.0, 0.0])
    still = {"mass.position": 0.0}
    settings = {"initial": still, "inputs": {"motor.force": pulse}, "record_interval": 10.0}
    run = simulate(oscillator, 10.0, method=method, step=0.005, **settings)
    assert abs(run["mass.position"][-1]) > 0.1


@pytest.mark.parametrize("method", VARIABLE)
def test_a_system_without_states_gives_its_outputs(driven: System, method: str) -> None:
    run = simulate(driven, 1.0, method=method, record_interval=0.25)
    np.testing.assert_allclose(run["wave"], np.cos(run.time) + 1.0, rtol=1e-15)


@pytest.mark.parametrize("method", VARIABLE)
def test_a_solution_that_ends_stops_the_run(runaway: System, method: str) -> None:
    with pytest.raises(StoppedRunError, match="runaway: .*; try ") as caught:
        simulate(runaway, 2.0, method=method, record_interval=0.01)
    run = caught.value.trajectory
    assert "'x'" in str(caught.value)
    assert not run.complete
    assert 0.9 < run.time[-1] < 1.02
    good = run.time < 0.9
    np.testing.assert_allclose(run["x"][good], 1.0 / (1.0 - run.time[good]), rtol=1e-3)


def test_a_call_without_derivative_is_solved_by_differences() -> None:
    decay = ExternalFunction(
        "test_decay",
        ("x",),
        ("rate",),
        lambda x: (-50.0 * x,),
        "static void test_decay(const double *input, double *output)\n"
        "{\n    output[0] = -50.0 * input[0];\n}\n",
    )
    x = Quantity("x", "m", "Decays.", Role.STATE, 1.0)
    time = Quantity("time", "s", "Time.", Role.TIME)
    rate = call(decay, symbol("x"))[0]
    system = System("decay", time, (x,), (), (), (rate,), (), (), None)
    run = simulate(system, 0.1, method="radau", relative_tolerance=1e-8)
    np.testing.assert_allclose(run["x"], np.exp(-50.0 * run.time), rtol=1e-6)


def test_large_sparse_jacobians_stay_sparse() -> None:
    """A chain of 80 first-order lags: x_k' = x_(k-1) - x_k."""
    count = 80
    names = [f"x{k}" for k in range(count)]
    states = tuple(Quantity(n, "1", "A lag.", Role.STATE, float(n == "x0")) for n in names)
    symbols = [symbol(name) for name in names]
    rates = (-symbols[0], *(a - b for a, b in zip(symbols, symbols[1:], strict=False)))
    time = Quantity("time", "s", "Time.", Role.TIME)
    system = System("chain", time, states, (), (), rates, (), (), None)
    runs = [simulate(system, 5.0, method=m, relative_tolerance=1e-9) for m in ("radau", "lsoda")]
    np.testing.assert_allclose(runs[0]["x9"], runs[1]["x9"], atol=1e-7)
    exact = runs[0].time ** 9 / 362880.0 * np.exp(-runs[0].time)
    np.testing.assert_allclose(runs[0]["x9"], exact, atol=1e-7)
    from axletree.simulation.problem import Tolerances, state_problem

    problem = state_problem(
        system,
        initial={},
        inputs={},
        parameters={},
        outputs=None,
        start=0.0,
        duration=1.0,
        step=None,
        record_interval=None,
        tolerances=Tolerances(),
    )
    assert ModelRun(problem, with_jacobian=True).is_sparse


def test_without_sundials_the_extra_is_named(
    oscillator: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "sksundae.cvode", None)
    with pytest.raises(SimulationError, match=r"axletree\[sundials\]"):
        simulate(oscillator, 1.0, method="cvode")
