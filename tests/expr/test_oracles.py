"""Random expressions against CasADi and SymPy: values, first derivatives, sparsity."""

from __future__ import annotations

from dataclasses import dataclass

import casadi
import numpy as np
import pytest
import sympy
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from axletree import expr as ax
from axletree.expr import Expr

NAMES = ("x", "y.z", "w")
SYMBOLS = [ax.symbol(name) for name in NAMES]
FAR_FROM_SWITCH = 1e-6  # rounding must not decide on which side of a switch a value lies

# Each takes two earlier results; arguments are kept inside the domain of the function.
OPERATIONS = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "scale": lambda a, b: -2.5 * a + b / 3,
    "divide": lambda a, b: a / (1.25 + b * b),
    "cube": lambda a, b: (0.5 * a) ** 3,
    "inverse square": lambda a, b: (1.5 + a * a) ** -2,
    "power": lambda a, b: (1.5 + ax.sin(a)) ** ax.tanh(b),
    "root": lambda a, b: ax.sqrt(0.5 + a * a),
    "exp": lambda a, b: ax.exp(ax.sin(a)),
    "log": lambda a, b: ax.log(1.25 + a * a),
    "sin": lambda a, b: ax.sin(a),
    "cos": lambda a, b: ax.cos(-a),
    "tan": lambda a, b: ax.tan(ax.sin(a)),
    "asin": lambda a, b: ax.asin(0.9 * ax.sin(a)),
    "acos": lambda a, b: ax.acos(-0.9 * ax.cos(a)),
    "atan": lambda a, b: ax.atan(-a),
    "sinh": lambda a, b: ax.sinh(ax.cos(a)),
    "cosh": lambda a, b: ax.cosh(ax.sin(a)),
    "tanh": lambda a, b: ax.tanh(a),
    "atan2": lambda a, b: ax.atan2(a, 2.5 + ax.sin(b)),
    "abs": lambda a, b: ax.absolute(a),
    "sign": lambda a, b: ax.sign(a) * b,
    "min": lambda a, b: ax.minimum(a, -b),
    "max": lambda a, b: ax.maximum(a, b),
    "where": lambda a, b: ax.where(a < b, a * b, b - a),
    "where zero": lambda a, b: ax.where(a <= b, a, 0.0) * b,
    "and": lambda a, b: ax.where(ax.logical_and(a > 0.1, a < b), ax.sin(b), a),
    "or": lambda a, b: ax.where(ax.logical_or(a > 0.1, ax.logical_not(a < b)), b, ax.cos(a)),
}
SWITCHES = {
    "abs": lambda a, b: [a],
    "sign": lambda a, b: [a],
    "min": lambda a, b: [a + b],
    "max": lambda a, b: [a - b],
    "where": lambda a, b: [a - b],
    "where zero": lambda a, b: [a - b],
    "and": lambda a, b: [a - 0.1, a - b],
    "or": lambda a, b: [a - 0.1, a - b],
}


@dataclass(frozen=True)
class Sample:
    """Expressions, each built from those before it, and a point."""

    results: list[Expr]
    switches: list[Expr]
    values: dict[Expr, float]

    def check_point(self) -> None:
        """Leave out points at which rounding decides, and those that overflow."""
        numbers = ax.evaluate([*self.switches, *self.results], self.values)
        switches = numbers[: len(self.switches)]
        assume(all(abs(v) > FAR_FROM_SWITCH for v in switches))
        assume(max(map(abs, numbers)) < 1e4)


@st.composite
def samples(draw: st.DrawFn, longest: int = 12) -> Sample:
    results = list(SYMBOLS)
    switches: list[Expr] = []
    for _ in range(draw(st.integers(1, longest))):
        name = draw(st.sampled_from(sorted(OPERATIONS)))
        a = results[draw(st.integers(0, len(results) - 1))]
        b = results[draw(st.integers(0, len(results) - 1))]
        results.append(OPERATIONS[name](a, b))
        switches += [s for s in SWITCHES.get(name, lambda a, b: [])(a, b) if not s.is_number]
    offsets = (0.0123, 0.0321, -0.0417)
    values = {s: draw(st.integers(-16, 16)) / 8 + o for s, o in zip(SYMBOLS, offsets, strict=True)}
    return Sample(results[len(SYMBOLS) :], switches, values)


def check_against_casadi(sample: Sample) -> None:
    sample.check_point()
    theirs = {s: casadi.SX.sym(s.name) for s in SYMBOLS}
    column = casadi.vertcat(*[theirs[s] for s in SYMBOLS])
    converted = casadi.vertcat(*ax.to_casadi(sample.results, theirs))
    oracle = casadi.Function("f", [column], [converted, casadi.jacobian(converted, column)])
    value, slope = (np.array(m) for m in oracle([sample.values[s] for s in SYMBOLS]))
    np.testing.assert_allclose(
        ax.evaluate(sample.results, sample.values), value[:, 0], rtol=1e-9, atol=1e-9
    )
    entries = ax.jacobian(sample.results, SYMBOLS)
    numbers = ax.evaluate(list(entries.values()), sample.values)
    dense = np.zeros_like(slope)
    for (i, j), v in zip(entries, numbers, strict=True):
        dense[i, j] = v
    np.testing.assert_allclose(dense, slope, rtol=1e-8, atol=1e-9 * (1 + abs(slope).max()))
    check_forward(sample, dense)
    check_sparsity(sample, entries)


def check_forward(sample: Sample, dense: np.ndarray) -> None:
    rates = dict(zip(SYMBOLS, (1.0, -2.0, 0.5), strict=True))
    along = ax.evaluate(ax.directional_derivative(sample.results, rates), sample.values)
    expected = dense @ np.array(list(rates.values()))
    np.testing.assert_allclose(along, expected, rtol=1e-8, atol=1e-9 * (1 + abs(dense).max()))


def check_sparsity(sample: Sample, entries: dict[tuple[int, int], Expr]) -> None:
    """No entry without a dependence, and no entry that is zero."""
    held = ax.dependencies(sample.results)
    assert all(SYMBOLS[j] in held[i] for i, j in entries)
    assert not any(e.is_zero for e in entries.values())


@settings(max_examples=150, suppress_health_check=[HealthCheck.filter_too_much])
@given(samples())
def test_values_and_jacobian_equal_casadi(sample: Sample) -> None:
    check_against_casadi(sample)


@pytest.mark.long
@settings(max_examples=400, suppress_health_check=[HealthCheck.filter_too_much])
@given(samples(longest=25))
def test_values_and_jacobian_equal_casadi_at_length(sample: Sample) -> None:
    check_against_casadi(sample)


def check_second_derivatives(sample: Sample) -> None:
    """Gradient and Hessian of a weighted sum against CasADi; weights are symbols of their own."""
    sample.check_point()
    weights = [ax.symbol(f"weight {k}") for k in range(len(sample.results))]
    numbers = np.cos(np.arange(1.0, len(weights) + 1.0))
    values = {**sample.values, **dict(zip(weights, numbers.tolist(), strict=True))}
    theirs = {s: casadi.SX.sym(s.name) for s in SYMBOLS}
    column = casadi.vertcat(*[theirs[s] for s in SYMBOLS])
    converted = casadi.vertcat(*ax.to_casadi(sample.results, theirs))
    second, first = casadi.hessian(casadi.dot(converted, numbers), column)
    oracle = casadi.Function("f", [column], [first, second])
    slope, curvature = (np.array(m) for m in oracle([sample.values[s] for s in SYMBOLS]))
    found = ax.evaluate(ax.gradient(sample.results, weights, SYMBOLS), values)
    np.testing.assert_allclose(found, slope[:, 0], rtol=1e-8, atol=1e-9 * (1 + abs(slope).max()))
    entries = ax.hessian(sample.results, weights, SYMBOLS)
    dense = np.zeros_like(curvature)
    for (i, j), v in zip(entries, ax.evaluate(list(entries.values()), values), strict=True):
        assert i >= j
        dense[i, j] = dense[j, i] = v
    size = 1 + abs(curvature).max() + np.square(slope).max()
    np.testing.assert_allclose(dense, curvature, rtol=1e-7, atol=1e-9 * size)
    held = ax.dependencies(sample.results)
    assert all(any({SYMBOLS[i], SYMBOLS[j]} <= one for one in held) for i, j in entries)


@settings(max_examples=100, suppress_health_check=[HealthCheck.filter_too_much])
@given(samples())
def test_gradient_and_hessian_equal_casadi(sample: Sample) -> None:
    check_second_derivatives(sample)


@pytest.mark.long
@settings(max_examples=250, suppress_health_check=[HealthCheck.filter_too_much])
@given(samples(longest=25))
def test_gradient_and_hessian_equal_casadi_at_length(sample: Sample) -> None:
    check_second_derivatives(sample)


def check_against_sympy(sample: Sample) -> None:
    sample.check_point()
    ours = sample.results[-1]
    theirs = {s: sympy.Symbol(s.name, real=True) for s in SYMBOLS}
    converted = ax.to_sympy([ours], theirs)[0]
    point = {theirs[s]: sympy.Float(v, 40) for s, v in sample.values.items()}
    value = ax.evaluate([ours], sample.values)[0]
    assert value == pytest.approx(float(converted.evalf(30, subs=point)), rel=1e-9, abs=1e-9)
    entries = ax.jacobian([ours], SYMBOLS)
    for j, s in enumerate(SYMBOLS):
        expected = float(_slope(converted, theirs[s]).subs(point).evalf(30))
        entry = entries.get((0, j), ax.number(0.0))
        assert ax.evaluate([entry], sample.values)[0] == pytest.approx(expected, rel=1e-8, abs=1e-8)
    back = ax.from_sympy([converted], {v: k for k, v in theirs.items()})[0]
    assert ax.evaluate([back], sample.values)[0] == pytest.approx(value, rel=1e-9, abs=1e-9)


def _slope(expression: sympy.Expr, symbol: sympy.Symbol) -> sympy.Expr:
    """SymPy's derivative; where it cannot tell that a sign is of a real number, it leaves the
    derivative of the sign, which is 0 away from the switch."""

    def is_left(e: sympy.Basic) -> bool:
        return isinstance(e, sympy.Derivative) and isinstance(e.expr, sympy.sign)

    return expression.diff(symbol).replace(is_left, lambda e: sympy.Integer(0))


@settings(max_examples=20, suppress_health_check=list(HealthCheck))
@given(samples(longest=4))
def test_value_derivative_and_way_back_equal_sympy(sample: Sample) -> None:
    check_against_sympy(sample)


@pytest.mark.long
@settings(max_examples=250, suppress_health_check=list(HealthCheck))
@given(samples(longest=5))
def test_value_derivative_and_way_back_equal_sympy_at_length(sample: Sample) -> None:
    check_against_sympy(sample)


@given(samples(), st.sampled_from(SYMBOLS), st.integers(-8, 8))
@settings(max_examples=60, suppress_health_check=[HealthCheck.filter_too_much])
def test_substitution_of_a_value_equals_evaluation_there(
    sample: Sample, which: Expr, eighths: int
) -> None:
    value = eighths / 8 + 0.0271
    moved = Sample(sample.results, sample.switches, {**sample.values, which: value})
    moved.check_point()
    replaced = ax.substitute(sample.results, {which: value})
    assert which not in ax.symbols_of(replaced)
    np.testing.assert_allclose(
        ax.evaluate(replaced, sample.values),
        ax.evaluate(sample.results, moved.values),
        rtol=1e-9,
        atol=1e-9,
    )
