"""Surfaces and friction maps in generated C: values, slopes and Jacobians, to the last bits."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from mechanisms.surfaces import FRICTION_SAMPLES, HEIGHTS, SAMPLES

import axletree as at
from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import print_unit
from axletree.code.program import Program
from axletree.expr import Expr, as_expr, evaluate, symbol
from axletree.ground.grid_surfaces import Bicubic
from axletree.ground.random_road import RandomRoad
from axletree.system.system import System

X, Y = symbol("x"), symbol("y")
Build = Callable[..., System]


def on_surface(build: Build, word: str, friction: str = "none") -> tuple[System, list[Expr]]:
    """Two states that change by the slopes of a surface, its height and friction for outputs."""
    surface = SAMPLES[word].surface
    given = {f"p.{name}": value for name, value in surface.numbers.items()}
    p = {name: symbol(f"p.{name}") for name in surface.numbers}
    ground = FRICTION_SAMPLES[friction]
    formulas = [*surface.slopes(X, Y, p), surface.height(X, Y, p)]
    formulas.append(ground.factor_at(X, Y, ground.numbers))
    found = [as_expr(f) for f in formulas]
    outputs = {"height": found[2], "friction": found[3] + 0.0 * X}
    system = build({"x": found[0], "y": found[1]}, parameters=given, outputs=outputs)
    return system, found


def values_of(run: Runnable, system: System, x: float, y: float) -> list[float]:
    c = run.constants([q.default for q in system.parameters])
    return [*run.rhs(0.0, [x, y], [], c), *run.outputs(0.0, [x, y], [], c)]


def places(word: str) -> list[tuple[float, float]]:
    """Random places, all lines of the grid among them, and places far away."""
    x, y = SAMPLES[word].points(40)
    lines = [(-4.0 + 2.0 * i, -1.0 + j) for i in range(-1, 6) for j in range(-1, 5)]
    return [*zip(x.tolist(), y.tolist(), strict=True), *lines, (1e9, -1e9)]


@pytest.mark.parametrize("word", SAMPLES)
def test_compiled_and_direct_values_agree(build: Build, word: str) -> None:
    system, expressions = on_surface(build, word)
    run = compile_program(lower(system))
    assert run.language == "C"
    given = {q.symbol: q.default for q in system.parameters}
    for x, y in places(word):
        expected = evaluate(expressions, {**given, X: x, Y: y})
        found = values_of(run, system, x, y)
        if word in ("bicubic", "flat"):  # no function of a library is in them
            assert found == expected
        else:
            assert found == pytest.approx(expected, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("friction", FRICTION_SAMPLES)
def test_friction_is_the_same_in_c(build: Build, friction: str) -> None:
    system, expressions = on_surface(build, "flat", friction)
    run = compile_program(lower(system))
    for x, y in places("bicubic"):
        (expected,) = evaluate(expressions[3:], {X: x, Y: y})
        assert values_of(run, system, x, y)[3] == pytest.approx(expected, rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("word", ["sine", "bicubic", "random-road", "sum"])
def test_jacobians_hold_second_derivatives(build: Build, word: str) -> None:
    system, _ = on_surface(build, word)
    program = lower(system, extras=[Extra.JACOBIAN])
    compiled, interpreted = compile_program(program), Runnable(program, None, "model")
    assert program.jacobian is not None
    c = compiled.constants([q.default for q in system.parameters])
    h = 1e-6
    for x, y in [(0.31, 0.47), (1.13, -0.21)]:
        found = compiled.jacobian(0.0, [x, y], [], c)
        same = interpreted.jacobian(0.0, [x, y], [], c)
        assert found == pytest.approx(same, rel=1e-13, abs=1e-14)
        for value, i, k in zip(found, program.jacobian.rows, program.jacobian.columns, strict=True):
            step = h * np.eye(2)[k]
            ahead, behind = (
                compiled.rhs(0.0, np.add([x, y], s), [], c)[i] for s in (step, -step)
            )  # fmt: skip
            assert value == pytest.approx((ahead - behind) / (2.0 * h), abs=1e-7)


def test_a_grid_stands_once_in_the_text_whatever_is_asked_of_it(build: Build) -> None:
    system, _ = on_surface(build, "bicubic")
    text = print_unit(lower(system, extras=[Extra.JACOBIAN]))
    (grid,) = re.findall(r"^static void (\w+)_1\(", text, re.MULTILINE)
    assert text.count(f"static const double {grid}[") == 1
    assert text.count("static void axl_cubics(") == 1
    assert f"static void {grid}_2(" in text


def two_grids(build: Build) -> System:
    first, second = Bicubic(HEIGHTS, 8.0, 3.0), Bicubic(2.0 * HEIGHTS, 8.0, 3.0)
    heights = [s.height(X, Y, s.numbers) for s in (first, second)]
    return build({"x": heights[0], "y": heights[1]})


def test_different_grids_have_different_names(build: Build) -> None:
    program: Program = lower(two_grids(build))
    run = compile_program(program)
    c = run.constants([])
    found = run.rhs(0.0, [1.3, 0.7], [], c)
    assert found[1] == 2.0 * found[0] != 0.0


def test_a_place_that_is_no_number_stays_none_in_c(build: Build) -> None:
    system, _ = on_surface(build, "bicubic")
    run = compile_program(lower(system))
    assert np.isnan(values_of(run, system, float("nan"), 0.5)[:3]).all()
    assert np.isnan(values_of(run, system, 0.5, float("nan"))[:3]).all()


def test_a_kilometre_of_road_compiles(build: Build) -> None:
    road = RandomRoad("C", length=1000.0, width=1.5)
    z = road.height(X, Y, road.numbers)
    run = compile_program(lower(build({"x": as_expr(z), "y": as_expr(0.0)})))
    for x in (0.0, 123.456, 999.99, -5.0, 4321.0):
        found = run.rhs(0.0, [x, 0.75], [], run.constants([]))[0]
        assert found == road.height(x, 0.75, road.numbers)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("word", SAMPLES)
def test_a_wheel_on_every_surface_has_the_same_rates_in_c(word: str) -> None:
    model = at.Model()
    cart = model.add(at.RigidBody("cart", 400.0, (30.0, 60.0, 70.0)))
    wheel = model.add(at.BodyOfRevolution("wheel", 20.0, 1.0, 0.6, axis="y"))
    model.add(at.Free("track", model.ground, cart))
    axle = model.add(at.Revolute("axle", cart, wheel, axis="y"))
    spring = {"type": "linear", "stiffness": 2e5, "damping": 1e3}
    law = {"type": "linear", "cornering_stiffness": 5e4, "slip_stiffness": 8e4}
    ground = SAMPLES[word].surface
    model.add(at.Tyre("tyre", axle, model.ground, 0.32, spring, law, surface=ground))
    system = model.formulate()
    program = lower(system)
    x = {q.name: 0.01 * k for k, q in enumerate(system.states)} | {"track.vx": 4.0}
    x |= {"track.x": 1.2, "track.z": 0.3 + float(ground.height(1.2, 0.08, ground.numbers))}
    found = []
    for run in (compile_program(program), Runnable(program, None, "model")):
        c = run.constants([q.default for q in system.parameters])
        found.append(run.rhs(0.0, [x[q.name] for q in system.states], [], c))
    assert np.isfinite(found[0]).all()
    assert found[0] == pytest.approx(found[1], rel=1e-9, abs=1e-9)
