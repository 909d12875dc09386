"""Generated C and Python against direct evaluation of the expressions."""

from __future__ import annotations

import itertools
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from axletree.code.backends.c import find_compiler
from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import c_number, print_header, print_unit
from axletree.code.program import Program
from axletree.core.errors import ExpressionError
from axletree.expr import (
    Expr,
    ExternalFunction,
    Table,
    absolute,
    acos,
    asin,
    atan,
    atan2,
    call,
    cos,
    cosh,
    evaluate,
    exp,
    interpolate,
    jacobian,
    log,
    maximum,
    minimum,
    power,
    sign,
    sin,
    sinh,
    sqrt,
    symbol,
    tan,
    tanh,
    topological_order,
    where,
)
from axletree.expr.node import OPERATIONS
from axletree.system.system import System

STATES, INPUTS, PARAMETERS = ("x.a", "x.b", "x.c"), ("u.a",), ("p.a", "p.b")
SYMBOLS = [symbol(name) for name in (*STATES, *INPUTS, *PARAMETERS, "time")]
TABLES = [
    Table.linear([-1.0, 0.0, 2.0], [1.0, -1.0, 0.5]),
    Table.smooth([-2.0, -1.0, 0.5, 1.0], [0.0, 1.0, 1.5, -2.0]),
]
GAIN = ExternalFunction(
    name="test_gain",
    inputs=("a", "b"),
    outputs=("sum", "product"),
    python=lambda a, b: (a + 2.0 * b, a * b),
    c_source=(
        "static void test_gain(const double *input, double *output)\n{\n"
        "    output[0] = input[0] + 2.0 * input[1];\n"
        "    output[1] = input[0] * input[1];\n}\n"
    ),
)
WARNINGS = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O2", "-c", "-o", "model.o"]

# Each keeps to the domain of its function and does not blow up rounding errors, so that a
# difference between two evaluations is a fault and not the condition of the expression.
ONE = {
    "sqrt": lambda a: sqrt(1.0 + a * a),
    "exp": lambda a: exp(tanh(a)),
    "log": lambda a: log(1.5 + a * a),
    "sin": sin,
    "cos": cos,
    "tan": lambda a: tan(0.5 * sin(a)),
    "asin": lambda a: asin(0.9 * tanh(a)),
    "acos": lambda a: acos(0.9 * tanh(a)),
    "atan": atan,
    "sinh": lambda a: sinh(sin(a)),
    "cosh": lambda a: cosh(cos(a)),
    "tanh": tanh,
    "abs": absolute,
    "inv": lambda a: 1.0 / (2.0 + a * a),
    "table": lambda a: interpolate(TABLES[1], a),
}
TWO = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "difference": lambda a, b: sin(a) - (cos(b) - a),
    "scaled": lambda a, b: 0.3 * a - 1.7 * b,
    "mul": lambda a, b: tanh(a) * b,
    "div": lambda a, b: a / (1.5 + b * b),
    "pow": lambda a, b: power(1.2 + a * a, tanh(b)),
    "atan2": lambda a, b: atan2(a, 1.0 + b * b),
    "min": minimum,
    "max": maximum,
    "call": lambda a, b: call(GAIN, tanh(a), b)[0] + call(GAIN, tanh(a), b)[1],
}
# Jumps depend on symbols themselves, whose values are the same in every evaluation.
SWITCH = {
    "lt": lambda s, r, a, b: where(s < r, a, b),
    "le": lambda s, r, a, b: where(s <= r, a, b),
    "sign": lambda s, r, a, b: sign(s) * a + sign(-2.0 * r) * b,
    "number": lambda s, r, a, b: (s < r) * a + (r >= 0.5) * b,
    "jump": lambda s, r, a, b: interpolate(TABLES[0].derivative(), s) * a + b,
    "truth": lambda s, r, a, b: where(r, a, b),
}


@st.composite
def expressions(draw: st.DrawFn, count: int = 6, size: int = 14) -> list[Expr]:
    """Some expressions that share parts with one another."""
    pool: list[Expr] = list(SYMBOLS)
    for _ in range(size):
        kind = draw(st.sampled_from((ONE, TWO, SWITCH)))
        make = kind[draw(st.sampled_from(sorted(kind)))]
        operands = [draw(st.sampled_from(pool[-12:])) for _ in range(2)]
        switches = [draw(st.sampled_from(SYMBOLS)) for _ in range(2)]
        if kind is ONE:
            pool.append(make(operands[0]))
        else:
            pool.append(make(*operands) if kind is TWO else make(*switches, *operands))
    return pool[-count:]


VALUES = st.lists(
    st.floats(-3.0, 3.0, allow_subnormal=False), min_size=len(SYMBOLS), max_size=len(SYMBOLS)
)


def run_all(model: Runnable, values: list[float]) -> tuple[np.ndarray, np.ndarray]:
    x, u, p = values[:3], values[3:4], values[4:6]
    c = model.constants(p)
    return model.rhs(values[6], x, u, c), model.outputs(values[6], x, u, c)


def system_of(build, made: list[Expr]) -> System:
    return build(
        dict(zip(STATES, made[:3], strict=True)),
        inputs=INPUTS,
        parameters=dict.fromkeys(PARAMETERS, 1.0),
        outputs={f"y.{k}": e for k, e in enumerate(made[3:])},
    )


def scale_of(made: list[Expr], values: dict[Expr, float]) -> float:
    """The largest number that occurs on the way; rounding is relative to it."""
    parts = [Expr(1.0, n) for n in topological_order(made) if n.operation != "call"]
    return 1.0 + max(abs(v) for v in evaluate(parts, values))


@pytest.mark.slow
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=expressions(), points=st.lists(VALUES, min_size=1, max_size=4))
def test_c_and_python_equal_direct_evaluation(build, made, points) -> None:
    program = lower(system_of(build, made))
    compiled, plain = compile_program(program), Runnable(program, None, "model")
    for point in points:
        values = dict(zip(SYMBOLS, point, strict=True))
        expected = evaluate(made, values)
        tolerance = 1e-11 * scale_of(made, values)
        for model in (compiled, plain):
            found = np.concatenate(run_all(model, point))
            np.testing.assert_allclose(found, expected, rtol=0.0, atol=tolerance)


BRACKETS = (
    lambda a, b, c, d: a - (b - c),
    lambda a, b, c, d: a - (b + c) - (d - a),
    lambda a, b, c, d: 2.0 * (a - b) - 4.0 * (c - d),
    lambda a, b, c, d: -(a + b) * (c - d),
    lambda a, b, c, d: a / (b * c) / (d / b),
    lambda a, b, c, d: a / (b - c) * (1.0 / (d + a)),
    lambda a, b, c, d: 3.0 - (a * (b + c) - d),
)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("make", BRACKETS)
def test_brackets_stand_where_they_must(build, make, compiled: bool) -> None:
    """In every order of four symbols, whose sums and quotients here are exact.

    Each order has symbols of its own: what two of them shared would become a variable.
    """
    values = (2.0, 10.0, -6.0, 64.0)
    orders = list(itertools.permutations(range(4)))
    names = [[f"x{k}.{letter}" for letter in "abcd"] for k in range(len(orders))]
    outputs = {
        f"y.{k}": make(*(symbol(names[k][i]) for i in order)) for k, order in enumerate(orders)
    }
    rates = {name: symbol(name) for group in names for name in group}
    program = lower(build(rates, outputs=outputs))
    assert not program.outputs_routine.names, "nothing is shared, all is written in one line"
    model = compile_program(program) if compiled else Runnable(program, None, "model")
    found = model.outputs(0.0, values * len(orders), [], model.constants([]))
    expected = [float(make(*(values[i] for i in order))) for order in orders]
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.slow
@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(made=expressions(), longest=st.integers(1, 5), point=VALUES)
def test_splitting_changes_no_bit(build, tmp_path_factory, made, longest, point) -> None:
    program = lower(system_of(build, made))
    compiler = find_compiler()
    assert compiler is not None
    folder = tmp_path_factory.mktemp("split")
    results = []
    for name, size in (("whole", 10**6), ("parts", longest)):
        source = folder / f"{name}.c"
        source.write_text(print_unit(program, longest_part=size))
        compiler.build(str(source), str(folder / f"{name}.so"))
        library = np.ctypeslib.load_library(f"{name}.so", folder)
        results.append(np.concatenate(run_all(Runnable(program, library, "model"), point)))
    assert results[0].tobytes() == results[1].tobytes()


def test_compilers_do_not_join_parts_again(build, tmp_path) -> None:
    """One function of all parts has its registers allocated in a multiple of the time."""
    names = "abcdef"
    program = lower(build({name: sin(symbol(name)) for name in names}))
    compiler = find_compiler()
    assert compiler is not None
    (tmp_path / "model.c").write_text(print_unit(program, longest_part=2))
    # gcc in the place of clang, to which this is said.
    command = [*compiler.command, "-O2", "-D__clang__", "-S", "-o", "model.s", "model.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    made = (tmp_path / "model.s").read_text()
    assert re.search(r"^_?model_rhs_part2\b.*:", made, re.MULTILINE)


def test_the_random_expressions_reach_every_operation() -> None:
    a, b, s, r = (symbol(name) for name in "absr")
    made = [f(a) for f in ONE.values()] + [f(a, b) for f in TWO.values()]
    made += [f(s, r, a, b) for f in SWITCH.values()]
    assert {node.operation for node in topological_order(made)} == set(OPERATIONS)


def test_a_compiled_jacobian_equals_the_evaluated_one(build) -> None:
    a, b = symbol("a"), symbol("b")
    rates = {"a": sin(a * b) / (1.0 + b * b), "b": exp(-a) + symbol("u") * a}
    program = lower(build(rates, inputs=["u"]), extras=[Extra.JACOBIAN, Extra.INPUT_JACOBIAN])
    model = compile_program(program)
    found = model.jacobian(0.0, [0.3, 0.7], [2.0], model.constants([]))
    values = {a: 0.3, b: 0.7, symbol("u"): 2.0}
    entries = jacobian(list(rates.values()), [a, b])
    expected = [
        evaluate([entries[i, k]], values)[0]
        for i, k in zip(program.jacobian.rows, program.jacobian.columns, strict=True)
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    by_inputs = program.input_jacobian.routine
    assert model.evaluate(by_inputs, 0.0, [0.3, 0.7], [2.0], model.constants([])) == [0.3]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("table", [*TABLES, TABLES[0].derivative()])
def test_tables_agree_at_their_breakpoints_and_beyond(build, table: Table, compiled: bool) -> None:
    program = lower(build({"x": interpolate(table, symbol("x"))}))
    model = compile_program(program) if compiled else Runnable(program, None, "model")
    ends = (table.breakpoints[0] - 1.0, table.breakpoints[-1] + 1.0)
    for point in (*table.breakpoints, *np.nextafter(table.breakpoints, -9.0), *ends):
        found = model.rhs(0.0, [point], [], model.constants([]))[0]
        assert found == pytest.approx(float(table.evaluate(point)), rel=1e-14)


@pytest.mark.parametrize("value", [0.1, 1e-300, 5e-324, 1.7976931348623157e308, 1 / 3, 2.0])
def test_numbers_are_printed_exactly(value: float) -> None:
    assert float(c_number(value).removeprefix("AXL_N(").removesuffix(")")) == value


def assert_no_warnings(program: Program, folder: Path, longest_part: int) -> None:
    (folder / "model.h").write_text(print_header(program))
    source = '#include "model.h"\n' + print_unit(program, longest_part=longest_part)
    (folder / "model.c").write_text(source)
    compiler = find_compiler()
    assert compiler is not None
    result = subprocess.run(
        [*compiler.command, *WARNINGS, "model.c"], cwd=folder, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("longest_part", [3, 2000])
def test_everything_compiles_without_warnings(build, tmp_path: Path, longest_part: int) -> None:
    a, b, s, r = (symbol(name) for name in ("x.a", "x.b", "u.a", "p.a"))
    made = [f(a) for f in ONE.values()] + [f(a, b) for f in TWO.values()]
    made += [f(s, r, a, b) for f in SWITCH.values()]
    system = build(
        {"x.a": a, "x.b": b * r},
        inputs=["u.a"],
        parameters={"p.a": 1.0},
        outputs={f"y.{k}": e for k, e in enumerate(made)},
        projection=[a - b, b],
    )
    extras = [Extra.LATER_RATES, Extra.INPUT_JACOBIAN]
    assert_no_warnings(lower(system, extras=extras), tmp_path, longest_part)


def test_a_hostile_name_stays_harmless(build, tmp_path: Path) -> None:
    names = ['*/ int bad; /*"', "a.b", "a_b", "double", "sin", "x", "\\", "??/", "µ\n"]
    rates = {name: sin(symbol(name)) for name in names}
    program = lower(build(rates))
    assert_no_warnings(program, tmp_path, 2000)
    assert "bad;" not in print_unit(program)
    model = compile_program(program)
    x = np.linspace(-1.0, 1.0, len(names))
    np.testing.assert_allclose(model.rhs(0.0, x, [], model.constants([])), np.sin(x), rtol=1e-15)


def test_the_header_tells_name_unit_and_description(car_with_call: System) -> None:
    header = print_header(lower(car_with_call))
    assert "x[0]  car.v [1] The car.v of a test." in header
    assert "p[0]  car.mass [1] The car.mass of a test." in header


def test_two_functions_of_one_name_are_refused(build, tyre: ExternalFunction) -> None:
    other = ExternalFunction("test_tyre", ("a",), ("b",), lambda a: (a,), "static int n;")
    x = symbol("x")
    with pytest.raises(ExpressionError, match="two different external functions"):
        print_unit(lower(build({"x": call(other, x)[0] + call(tyre, x, x)[0]})))


@pytest.mark.parametrize("compiled", [True, False])
def test_poles_and_bad_domains_follow_ieee(build, compiled: bool) -> None:
    x = symbol("x")
    made = {"inverse": 1.0 / x, "root": sqrt(x - 1.0), "log": log(x), "least": minimum(x, log(-x))}
    made["side"] = sign(x - 2.0) / x
    program = lower(build({"x": exp(1000.0 + x)}, outputs=made))
    model = compile_program(program) if compiled else Runnable(program, None, "model")
    found = model.outputs(0.0, [0.0], [], model.constants([]))
    np.testing.assert_array_equal(found, [np.inf, np.nan, -np.inf, -np.inf, -np.inf])
    assert model.rhs(0.0, [0.0], [], model.constants([])) == [np.inf]
    np.testing.assert_array_equal(model.outputs(0.0, [1.0], [], model.constants([]))[3:4], [np.nan])
