"""Derivatives of whole systems: against CasADi, differences, and the linearisation."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache

import casadi
import numpy as np
import pytest
from scipy.sparse import csc_array

import axletree as at
from axletree.analysis.linear.tangent import tangent
from axletree.code.backends.runnable import NoCompilerWarning
from axletree.code.called_functions import call_groups_of
from axletree.code.lowering import Extra, lower
from axletree.code.program import Program
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, ExportError, ExpressionError, SimulationError
from axletree.core.registry import UnknownNameError
from axletree.expr import ExternalFunction, call, dependencies, symbol, to_casadi
from axletree.expr.quantity import Quantity, Role
from axletree.simulation.system_functions import SystemFunctions
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System, output

# A tree, a closed loop in the projected form, a circuit, a circuit that drives a loop, a car on
# two wheels, and soil.
MODELS = {
    "pendulum": ["rod.mass", "gravity.z"],
    "four-bar": ["crank.mass", "coupler.left.x"],
    "rlc-circuit": None,
    "motor-driven-slider-crank": ["motor.inductance", "crank.mass", "die.stiffness"],
    "bicycle-car": ["body.mass", "front_tyre.law.peak_friction", "rear_tyre.law.width"],
    "quarter-vehicle-on-soil": ["soil.law.cone_index", "wheel.mass"],
}
EVERY = ("f", "jacobian", "hessian", "directional", "adjoint")


@cache
def system_of(name: str) -> System:
    return at.read_model(name).formulate()


@cache
def functions_of(name: str) -> SystemFunctions:
    system = system_of(name)
    outputs = [d.quantity.name for d in system.outputs][:20:3]
    return system.functions(*EVERY, outputs=outputs, by_parameters=MODELS[name])


def point_of(found: SystemFunctions, seed: int = 3) -> tuple[FloatArray, FloatArray, FloatArray]:
    """A state in motion, on its constraints or not; inputs; parameters that are not the model's."""
    random = np.random.default_rng(seed)
    x, u = found.point()
    moved = x + 0.1 * random.uniform(0.2, 1.0, len(x))
    return moved, u + 0.1 * random.uniform(0.2, 1.0, len(u)), found.p * 1.03


def by_casadi(found: SystemFunctions) -> casadi.Function:
    """F, its Jacobian and the Hessian of the weighted sum, by CasADi's own derivatives."""
    system = with_smooth_forces(found.system)
    outputs = {d.quantity.name: d.expression for d in system.outputs}
    rows = [*system.derivatives, *(outputs[name] for name in found.rows[len(system.states) :])]
    quantities = {q.name: q for q in (*system.states, *system.inputs, *system.parameters)}
    z = casadi.SX.sym("z", len(found.columns))
    places = {name: k for k, name in enumerate(found.columns)}
    symbols = {
        q.symbol: z[places[name]] if name in places else casadi.SX(q.default)
        for name, q in quantities.items()
    }
    symbols[system.time.symbol] = casadi.SX(0.0)
    column = casadi.vertcat(*to_casadi(rows, symbols))
    weights = casadi.SX.sym("w", len(rows))
    second = casadi.hessian(casadi.dot(weights, column), z)[0]
    return casadi.Function("F", [z, weights], [column, casadi.jacobian(column, z), second])


@pytest.mark.parametrize("name", MODELS)
def test_derivatives_are_those_of_casadi(name: str) -> None:
    found = functions_of(name)
    x, u, p = point_of(found)
    weights = np.cos(np.arange(len(found.rows)))
    value, slopes, second = by_casadi(found)(np.concatenate((x, u, p)), weights)
    np.testing.assert_allclose(found.f(x, u, p), np.array(value)[:, 0], rtol=1e-9, atol=1e-9)
    for ours, theirs in (
        (found.jacobian(x, u, p), slopes),
        (found.hessian(x, u, weights, p), second),
    ):
        expected = np.array(theirs)
        np.testing.assert_allclose(
            ours.toarray(), expected, rtol=1e-8, atol=1e-10 * (1.0 + abs(expected).max())
        )


@pytest.mark.parametrize("name", MODELS)
def test_sparsity_has_every_nonzero_and_nothing_without_a_dependence(name: str) -> None:
    found = functions_of(name)
    x, u, p = point_of(found)
    system = with_smooth_forces(found.system)
    outputs = {d.quantity.name: d.expression for d in system.outputs}
    rows = [*system.derivatives, *(outputs[n] for n in found.rows[len(system.states) :])]
    quantities = {q.name: q for q in (*system.states, *system.inputs, *system.parameters)}
    symbols = [quantities[name].symbol for name in found.columns]
    held = dependencies(rows)
    pattern = found.jacobian_pattern
    places = set(zip(pattern.rows, pattern.columns, strict=True))
    assert len(places) == len(pattern.rows)
    assert places <= {
        (i, k) for i, one in enumerate(held) for k, s in enumerate(symbols) if s in one
    }
    z, steps = np.concatenate((x, u, p)), 1e-6
    for k in range(len(z)):
        ahead, behind = z.copy(), z.copy()
        ahead[k] += steps * max(1.0, abs(z[k]))
        behind[k] -= steps * max(1.0, abs(z[k]))
        change = [found.f(*np.split(a, [len(x), len(x) + len(u)])) for a in (ahead, behind)]
        moved = np.flatnonzero(np.abs(change[0] - change[1]) > 1e-9 * (1 + abs(change[0])))
        assert {(int(i), k) for i in moved} <= places
    half = found.hessian_pattern
    assert all(i >= k for i, k in zip(half.rows, half.columns, strict=True))
    assert all(
        any({symbols[i], symbols[k]} <= one for one in held)
        for i, k in zip(half.rows, half.columns, strict=True)
    )


@pytest.mark.parametrize("name", MODELS)
def test_products_are_those_of_the_jacobian(name: str) -> None:
    found = functions_of(name)
    x, u, p = point_of(found)
    matrix = found.jacobian(x, u, p)
    assert isinstance(matrix, csc_array)
    assert matrix.shape == (len(found.rows), len(found.columns))
    v, w = np.cos(np.arange(matrix.shape[1])), np.sin(1.0 + np.arange(matrix.shape[0]))
    size = 1e-11 * abs(matrix.toarray()).max()
    np.testing.assert_allclose(found.directional(x, u, v, p), matrix @ v, rtol=1e-11, atol=size)
    np.testing.assert_allclose(found.adjoint(x, u, w, p), w @ matrix, rtol=1e-11, atol=size)


def test_many_points_give_what_each_gives() -> None:
    found = functions_of("bicycle-car")
    points = [point_of(found, seed) for seed in range(4)]
    x, u = np.array([a for a, _, _ in points]), np.array([b for _, b, _ in points])
    weights = np.cos(np.arange(4 * len(found.rows))).reshape(4, -1)
    several = found.f(x, u), found.jacobian_values(x, u), found.hessian_values(x, u, weights)
    for k in range(4):
        one = (
            found.f(x[k], u[k]),
            found.jacobian_values(x[k], u[k]),
            found.hessian_values(x[k], u[k], weights[k]),
        )
        for of_all, of_one in zip(several, one, strict=True):
            assert np.array_equal(of_all[k], of_one)
    assert np.array_equal(found.f(x, u[0])[2], found.f(x[2], u[0]))  # one u for all


def test_without_a_compiler_the_same_functions_run_in_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled = functions_of("four-bar")
    x, u, p = point_of(compiled)
    weights = np.cos(np.arange(len(compiled.rows)))
    monkeypatch.setenv("AXLETREE_CC", "none")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NoCompilerWarning)  # which is said once
        plain = system_of("four-bar").functions(
            *EVERY,
            outputs=compiled.rows[len(compiled.states) :],
            by_parameters=compiled.columns[len(x) + len(u) :],
        )
    assert (compiled.language, plain.language) == ("C", "Python")
    two = np.array([x, x + 0.01])
    for a, b in (
        (compiled.f(two, u, p), plain.f(two, u, p)),
        (compiled.jacobian_values(x, u, p), plain.jacobian_values(x, u, p)),
        (compiled.hessian_values(x, u, weights, p), plain.hessian_values(x, u, weights, p)),
        (compiled.adjoint(x, u, weights, p), plain.adjoint(x, u, weights, p)),
    ):
        np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10 * (1.0 + abs(b).max()))


def test_linearise_gives_the_same_matrices() -> None:
    """Of a car without constraints, about a steady turn's first guess."""
    system = system_of("bicycle-car")
    state, inputs = {"chassis.vx": 20.0, "chassis.rate": 0.1}, {"steer.angle": 0.02}
    outputs = ["front_tyre.Fy", "chassis.vy_dot"]
    found = system.functions("jacobian", outputs=outputs)
    x, u = found.point(state, inputs)
    linear = system.linearise(state, inputs=inputs, outputs=outputs, keep=found.states)
    matrix, n = found.jacobian(x, u).toarray(), len(x)
    assert linear.states == found.states
    for ours, theirs in (
        (matrix[:n, :n], linear.A),
        (matrix[:n, n:], linear.B),
        (matrix[n:, :n], linear.C),
        (matrix[n:, n:], linear.D),
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-9)


def test_linearise_of_a_closed_loop_is_the_jacobian_on_its_tangent() -> None:
    """A x of the kept states is J E x, where E gives all states that follow from them."""
    system = system_of("four-bar")
    found = functions_of("four-bar")
    x, u = found.point()
    linear = system.linearise(dict(zip(found.states, x.tolist(), strict=True)))
    values = {q.symbol: q.default for q in system.parameters}
    values |= {q.symbol: v for q, v in zip(system.states, x.tolist(), strict=True)}
    values[system.time.symbol] = 0.0
    kept = [found.states.index(name) for name in linear.states]
    free = tangent(system, values, kept)
    n = len(x)
    whole = found.jacobian(x, u).toarray()[:n, :n]
    np.testing.assert_allclose((whole @ free.E)[kept], linear.A, rtol=1e-10, atol=1e-9)


def test_own_parameter_values_hold_in_all_functions() -> None:
    system = system_of("bicycle-car")
    heavy = system.functions(*EVERY, parameters={"body.mass": "2.1 t"})
    free = system.functions(*EVERY, by_parameters=["body.mass"])
    x, u = heavy.point({"chassis.vx": 15.0}, {"drive.torque": 300.0})
    x[-4:] = 0.02  # slips
    assert free.columns[:-1] == heavy.columns
    np.testing.assert_allclose(heavy.f(x, u), free.f(x, u, [2100.0]), rtol=1e-12, atol=1e-12)
    assert abs(heavy.f(x, u) - free.f(x, u)).max() > 1e-3
    ours, theirs = heavy.jacobian(x, u).toarray(), free.jacobian(x, u, [2100.0]).toarray()
    np.testing.assert_allclose(ours, theirs[:, :-1], rtol=1e-11, atol=1e-11)


def test_set_valued_forces_are_smooth() -> None:
    model = at.read_model("quarter-vehicle-on-soil")
    opened = model.formulate(form="set-valued")
    assert opened.unknown_forces
    found, smooth = opened.functions("f"), functions_of("quarter-vehicle-on-soil")
    x, u, _ = point_of(found)
    np.testing.assert_allclose(found.f(x, u), smooth.f(x, u)[: len(x)], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("by", [(), ("body.mass", "rear_tyre.law.width")])
def test_casadi_has_the_same_function_with_its_sparse_derivatives(by: tuple[str, ...]) -> None:
    """Values, Jacobian, gradient and Hessian of a sum, as an optimiser asks CasADi for them."""
    found = system_of("bicycle-car").functions(
        "f", "jacobian", "hessian", outputs=["front_tyre.Fy"], by_parameters=by
    )
    x, u, p = point_of(found)
    function = found.to_casadi("bicycle")
    z, w = casadi.MX.sym("z", len(found.columns)), casadi.MX.sym("w", len(found.rows))
    second, first = casadi.hessian(casadi.dot(w, function(2.0 * z)), z)  # by the chain rule
    slopes = casadi.jacobian(function(z), z)
    assert slopes.sparsity().nnz() == len(found.jacobian_pattern.rows)
    weights = np.cos(np.arange(len(found.rows)))
    point = np.concatenate((x, u, p))
    asked = casadi.Function("asked", [z, w], [function(z), slopes, first, second])
    values, matrix, _, _ = (np.array(m) for m in asked(point, weights))
    _, _, gradient, hessian = (np.array(m) for m in asked(0.5 * point, weights))
    expected = found.jacobian(x, u, p).toarray()
    assert np.array_equal(values[:, 0], found.f(x, u, p))
    assert np.array_equal(matrix, expected)
    np.testing.assert_allclose(gradient[:, 0], 2.0 * weights @ expected, rtol=1e-12, atol=1e-9)
    curved = found.hessian(x, u, weights, p).toarray()
    np.testing.assert_allclose(hessian, 4.0 * curved, rtol=1e-12, atol=1e-9)


def test_casadi_gets_no_function_of_time_and_no_odd_name() -> None:
    driven = system_of("pendulum")
    found = system_of("pendulum").functions("f", "jacobian")
    with pytest.raises(ExportError, match="no C identifier"):
        found.to_casadi("my car")
    with pytest.raises(SimulationError, match=r'system.functions\("f", "jacobian"\)'):
        system_of("pendulum").functions("f").to_casadi()
    time = driven.time.symbol
    moving = replace(driven, derivatives=(driven.derivatives[0] + time, *driven.derivatives[1:]))
    with pytest.raises(ExportError, match="depends on time"):
        moving.functions("f", "jacobian").to_casadi()


# What is refused.


def test_unknown_names_are_named() -> None:
    system = system_of("pendulum")
    with pytest.raises(UnknownNameError, match="jacobain.*jacobian"):
        system.functions("jacobain")
    with pytest.raises(UnknownNameError, match="rod.mas"):
        system.functions("f", by_parameters=["rod.mas"])
    with pytest.raises(UnknownNameError, match="energy.all"):
        system.functions("f", outputs=["energy.all"])
    with pytest.raises(AxletreeError, match="rod.mas"):
        system.functions("f", parameters={"rod.mas": 1.0})


def test_wrong_shapes_are_named() -> None:
    found = functions_of("bicycle-car")
    x, u, p = point_of(found)
    with pytest.raises(
        SimulationError, match=r"14 states \(x\), got an array of shape \(3,\); 4 inputs"
    ):
        found.f(x[:3], u[:1])
    with pytest.raises(SimulationError, match=r"weights \(w\), got an array of shape \(2,\)"):
        found.adjoint(x, u, [1.0, 2.0])
    with pytest.raises(SimulationError, match="3 values for p: body.mass"):
        found.f(x, u, [1.0])
    with pytest.raises(SimulationError, match="2, 3 rows"):
        found.f(np.array([x, x]), np.array([u, u, u]))
    with pytest.raises(SimulationError, match="jacobian_values"):
        found.jacobian(np.array([x, x]), u, p)


def test_a_function_that_was_not_asked_for_is_named() -> None:
    found = system_of("pendulum").functions("f")
    with pytest.raises(SimulationError, match=r'system.functions\("f", "hessian"\)'):
        found.hessian([0.0, 0.0], (), [1.0, 0.0])
    assert "f of 'pendulum': 2 rows, 2 columns" in repr(found)


def test_a_law_without_derivatives_is_named() -> None:
    plain = ExternalFunction("grip", ("slip",), ("force",), lambda slip: (slip,), "")
    speed = Quantity("speed", "m/s", "Speed.", Role.STATE, 1.0)
    system = System(
        name="sledge",
        time=Quantity("time", "s", "Time.", Role.TIME),
        states=(speed,),
        inputs=(),
        parameters=(),
        derivatives=call(plain, speed.symbol),
        outputs=(output("double", "m/s", "Twice the speed.", 2.0 * symbol("speed")),),
        intermediates=(),
        projection=None,
    )
    with pytest.raises(ExpressionError, match="'grip' has no derivative rule"):
        system.functions("jacobian")


def test_quantities_may_have_the_names_of_arrays() -> None:
    """Names of a model and those of arguments of routines do not meet in generated code."""
    names = ("dz", "df", "wdf", "w", "j", "v")
    states = [Quantity(name, "m", "A state.", Role.STATE, 1.0) for name in names]
    product = states[0].symbol * states[1].symbol
    rates = [product * quantity.symbol for quantity in states]
    system = System(
        name="letters",
        time=Quantity("time", "s", "Time.", Role.TIME),
        states=tuple(states),
        inputs=(),
        parameters=(),
        derivatives=tuple(rates),
        outputs=(),
        intermediates=(),
        projection=None,
    )
    found = system.functions(*EVERY)
    x, weights = np.arange(1.0, 7.0), np.arange(6.0, 0.0, -1.0)
    slopes = found.jacobian(x).toarray()
    expected = 2.0 * np.eye(6)  # of z0 z1 z at z0 z1 = 2
    expected[:, 0] += 2.0 * x
    expected[:, 1] += x
    np.testing.assert_allclose(slopes, expected)
    np.testing.assert_allclose(found.adjoint(x, (), weights), weights @ expected)
    np.testing.assert_allclose(found.directional(x, (), weights), expected @ weights)


# The 14-DOF car with the Magic Formula.


@cache
def car_program() -> Program:
    extras = (Extra.FULL_JACOBIAN, Extra.HESSIAN, Extra.ADJOINT, Extra.DIRECTIONAL)
    return lower(system_of("car"), outputs=(), extras=extras)


def test_operation_counts_of_the_car() -> None:
    """f, Jacobian and Hessian, with four tyres: 1, 6 and 15 times the operations of f."""
    program = car_program()
    assert program.full_jacobian is not None
    assert program.hessian is not None
    counts = {r.name: r.operations for r in program.routines}
    assert counts["rhs"].total <= 2118
    assert counts["full_jacobian"].total <= 12860
    assert counts["hessian"].total <= 31439
    assert counts["adjoint"].total <= 6862
    assert counts["directional"].total <= 7319
    assert (program.full_jacobian.routine.size, program.hessian.routine.size) == (627, 415)


def test_the_tyre_law_is_differentiated_once_and_called() -> None:
    """One group of calls for the four wheels in each routine, whatever its derivative."""
    program = car_program()
    assert program.full_jacobian is not None
    assert program.hessian is not None
    laws = ("magic_formula_52", "stretched_string")
    for routine, kind in (
        (program.full_jacobian.routine, "slopes"),
        (program.hessian.routine, "curvature"),
    ):
        groups = call_groups_of(routine)
        assert sorted(g.function.name for g in groups) == sorted(
            [*laws, *(f"{law}_{kind}" for law in laws)]
        )
        assert all(len(g.members) == 4 for g in groups)


@pytest.mark.slow
def test_derivatives_of_the_car_are_those_of_casadi() -> None:
    found = system_of("car").functions("f", "jacobian", "hessian")
    x, u = found.point({"chassis.vx": "25 m/s", "chassis.wz": 0.1}, {"steer.angle": 0.01})
    x = x + 0.01 * np.random.default_rng(2).uniform(0.2, 1.0, len(x))
    weights = np.cos(np.arange(len(found.rows)))
    value, slopes, second = by_casadi(found)(np.concatenate((x, u)), weights)
    ours = found.f(x, u), found.jacobian(x, u).toarray(), found.hessian(x, u, weights).toarray()
    for mine, theirs in zip(ours, (np.array(value)[:, 0], slopes, second), strict=True):
        expected = np.array(theirs)
        scale = 1e-9 * (1.0 + abs(expected).max())
        np.testing.assert_allclose(mine, expected, rtol=1e-7, atol=scale)
    assert np.array_equal(ours[2], ours[2].T)
