"""Calls and functions side by side: values of lanes, and the vector instructions they become."""

from __future__ import annotations

import platform
import shutil
import subprocess
from pathlib import Path
from random import Random

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

from axletree.code.backends.c import FLAGS, find_compiler
from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.called_functions import call_groups_of
from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import print_unit
from axletree.code.program import FunctionGroup, Program
from axletree.expr import (
    Expr,
    Table,
    atan,
    cos,
    evaluate,
    exp,
    interpolate,
    maximum,
    outline,
    sin,
    symbol,
    tanh,
)
from axletree.system.system import System

load, slip, grip = (symbol(f"law.{n}") for n in ("load", "slip", "grip"))
TABLE = Table.linear([-1.0, 0.0, 2.0], [1.0, -1.0, 0.5])


def law(load_value: Expr, slip_value: Expr, grip_value: Expr) -> list[Expr]:
    formulas = {
        "force": maximum(load, 0.1) * sin(grip * grip * atan(3.0 * slip)),
        "moment": exp(-slip * slip) * cos(load),
    }
    given = {load: load_value, slip: slip_value, grip: grip_value}
    return list(outline("law", formulas, given, [grip]).values())


def wheels(build, count: int) -> System:
    """Each wheel's slip grows with the force of its law; the outputs are one wheel's alone."""
    grips = {f"grip{k}": 0.5 + 0.25 * k for k in range(count)}
    found = [
        law(2.0 - symbol(f"x{k}") * symbol("u"), symbol(f"x{k}"), symbol(f"grip{k}"))
        for k in range(count)
    ]
    return build(
        {f"x{k}": force - moment for k, (force, moment) in enumerate(found)},
        inputs=["u"], parameters=grips, outputs={"first": found[0][1], "last": found[-1][0]},
    )  # fmt: skip


def assert_equal_to_evaluation(system: System, *runnables: Runnable) -> None:
    random = Random(7)
    p = [q.default for q in system.parameters]
    expressions = [*system.derivatives, *(d.expression for d in system.outputs)]
    for _ in range(4):
        x = [random.uniform(-1.0, 1.0) for _ in system.states]
        u = [random.uniform(-1.0, 1.0) for _ in system.inputs]
        quantities = (*system.states, *system.inputs, *system.parameters)
        values = {q.symbol: v for q, v in zip(quantities, [*x, *u, *p], strict=True)}
        expected = evaluate(expressions, {**values, system.time.symbol: 0.0})
        for run in runnables:
            c = run.constants(p)
            found = [*run.rhs(0.0, x, u, c), *run.outputs(0.0, x, u, c)]
            assert found == pytest.approx(expected, rel=1e-14, abs=1e-14), run.language


def both(program: Program) -> tuple[Runnable, Runnable]:
    return compile_program(program), Runnable(program, None, "model")


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 9])
def test_every_number_of_lanes_gives_the_values_of_the_expressions(build, count: int) -> None:
    system = wheels(build, count)
    program = lower(system)
    (group,) = call_groups_of(program.rhs)
    assert len(group.members) == count
    assert group.lanes in (1, 2) or group.lanes % 4 == 0
    assert_equal_to_evaluation(system, *both(program))


@pytest.mark.parametrize("count", [1, 4])
def test_arguments_of_one_last_name_are_told_apart(build, count: int) -> None:
    """Of a place and of a centre there is an x each."""
    centre, place = symbol("step.centre.x"), symbol("step.x")
    derivatives = {}
    for k in range(count):
        given = {centre: symbol(f"x{k}"), place: 2.0 + symbol("u")}
        derivatives[f"x{k}"] = outline("step", {"f": centre / exp(place)}, given)["f"]
    system = build(derivatives, inputs=["u"])
    assert_equal_to_evaluation(system, *both(lower(system)))


def test_slopes_in_lanes(build) -> None:
    system = wheels(build, 4)
    program = lower(system, extras=[Extra.JACOBIAN])
    assert program.jacobian is not None
    assert any(g.function.name == "law_slopes" for g in call_groups_of(program.jacobian.routine))
    compiled, interpreted = both(program)
    x, u = [0.1, -0.2, 0.3, 0.4], [0.5]
    p = [q.default for q in system.parameters]
    matrices = [run.jacobian(0.0, x, u, run.constants(p)) for run in (compiled, interpreted)]
    assert matrices[0] == pytest.approx(matrices[1], rel=1e-14)
    c, h = compiled.constants(p), 1e-6
    for value, i, k in zip(
        matrices[0], program.jacobian.rows, program.jacobian.columns, strict=True
    ):
        step = h * np.eye(4)[k]
        ahead, behind = (compiled.rhs(0.0, np.add(x, s), u, c)[i] for s in (step, -step))
        assert value == pytest.approx((ahead - behind) / (2.0 * h), abs=1e-8)


def test_what_parameters_give_stands_ready_lane_by_lane(build) -> None:
    program = lower(wheels(build, 3))
    (group,) = call_groups_of(program.rhs)
    assert len(group.prepared) == 1, "the square of grip"
    c = compile_program(program).constants([1.0, 2.0, 3.0])
    start = group.offset
    assert c[start : start + 4].tolist() == [1.0, 4.0, 9.0, 9.0]


def test_calls_that_need_one_another_are_made_one_after_the_other(build) -> None:
    x, y = symbol("x"), symbol("y")
    first, _ = law(x, y, symbol("p"))
    second, moment = law(first, x, symbol("p"))
    system = build({"x": second, "y": moment}, parameters={"p": 0.7})
    program = lower(system)
    assert [len(group.members) for group in call_groups_of(program.rhs)] == [1, 1]
    assert_equal_to_evaluation(system, *both(program))


def test_laws_of_one_name_with_different_terms(build) -> None:
    x, p = symbol("x"), symbol("p")
    one = outline("law", {"force": sin(load) * grip}, {load: x, grip: p}, [grip])["force"]
    other = outline("law", {"force": cos(load) + grip}, {load: x, grip: p}, [grip])["force"]
    system = build({"x": one * other}, parameters={"p": 0.7})
    assert_equal_to_evaluation(system, *both(lower(system)))


def test_arguments_that_are_parameters_for_some_callers_alone(build) -> None:
    x, y, p = symbol("x"), symbol("y"), symbol("p")
    states = [*law(x, y, p), *law(y, x, x * y)]
    system = build({"x": states[0] + states[2], "y": states[1] * states[3]}, parameters={"p": 0.7})
    assert_equal_to_evaluation(system, *both(lower(system)))


def test_a_table_inside_a_function(build) -> None:
    def looked_up(value: Expr) -> Expr:
        formula = {"force": interpolate(TABLE, load) * sin(load)}
        return outline("law", formula, {load: value})["force"]

    names = ["a", "b", "c"]
    system = build({name: looked_up(symbol(name)) for name in names})
    assert_equal_to_evaluation(system, *both(lower(system)))


def test_functions_of_one_level_are_evaluated_together(build) -> None:
    x, y, z = symbol("x"), symbol("y"), symbol("z")
    system = build({"x": sin(x) + sin(y * z), "y": sin(sin(x) * y), "z": tanh(z) * sin(z)})
    program = lower(system)
    made = [s.group for block in program.rhs.blocks for s in block.statements]
    groups = [g for g in made if isinstance(g, FunctionGroup)]
    assert [(g.operation, len(g.members)) for g in groups] == [("sin", 3)]
    assert_equal_to_evaluation(system, *both(program))


def has_vector_library() -> bool:
    compiler = find_compiler()
    if compiler is None or platform.machine() != "x86_64" or shutil.which("nm") is None:
        return False
    known = subprocess.run([*compiler.command, "-dM", "-E", "-x", "c", "/dev/null"],
                           capture_output=True, text=True).stdout  # fmt: skip
    name, version = platform.libc_ver()
    new = name == "glibc" and tuple(map(int, version.split(".")[:2])) >= (2, 35)
    return new and "__GNUC__" in known and "__clang__" not in known


@pytest.mark.skipif(not has_vector_library(), reason="gcc and glibc 2.35 on x86-64 are needed")
@pytest.mark.parametrize("flags", [("-mavx2",), ()], ids=["four lanes", "two lanes"])
def test_the_tyre_law_becomes_vector_instructions(tmp_path: Path, flags: tuple[str, ...]) -> None:
    """Every function of the law is called for several wheels at once, and never for one."""
    program = lower(shipped_system("car"), outputs=())
    compiler = find_compiler()
    assert compiler is not None
    (tmp_path / "car.c").write_text(print_unit(program))
    subprocess.run(
        [*compiler.command, *FLAGS, *flags, "-c", "car.c", "-o", "car.o"], cwd=tmp_path, check=True
    )
    wanted = subprocess.run(["nm", "car.o"], cwd=tmp_path, check=True, capture_output=True)
    names = {line.split()[-1] for line in wanted.stdout.decode().splitlines()}
    prefix = "_ZGVdN4v_" if flags else "_ZGVbN2v_"
    assert {f"{prefix}{f}" for f in ("atan", "sin", "cos", "tan", "exp")} <= names
    assert not names & {"atan", "sin", "cos", "sincos", "tan", "asin"}
