"""Printed MATLAB and Fortran, read back by a strict reader, give the rates of the system."""

from __future__ import annotations

import re

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from printed.fortran_reader import Module
from printed.matlab_reader import read_matlab
from printed.systems import awkward_names, by_hand, every_operation

from axletree.code.lowering import Extra, lower
from axletree.code.printers.fortran import print_fortran
from axletree.code.printers.matlab import print_matlab
from axletree.core.errors import ExportError
from axletree.expr import Expr, ExternalFunction, evaluate, sign, symbol, where
from axletree.simulation.instant import state
from axletree.system.system import System

LANGUAGES = ("MATLAB", "Fortran")


SYSTEMS = {"every operation": every_operation, "awkward names": awkward_names}


def values_of(system: System) -> tuple[dict[Expr, float], list[np.ndarray]]:
    """States, inputs and parameters off their defaults, as expressions see them and as arrays."""
    random = np.random.default_rng(3)

    def near(default: float) -> float:
        return default + 0.1 * random.uniform(0.5, 1.0) * max(1.0, abs(default))

    first = state(system)
    x = [near(first[q.name]) for q in system.states]
    u = [near(q.default) for q in system.inputs]
    p = [q.default for q in system.parameters]
    quantities = (*system.states, *system.inputs, *system.parameters)
    values = {q.symbol: v for q, v in zip(quantities, (*x, *u, *p), strict=True)}
    return {system.time.symbol: 0.4, **values}, [np.array(v) for v in (x, u, p)]


def printed_results(system: System, language: str, routine: str, longest: int) -> np.ndarray:
    program = lower(system, extras=[Extra.LATER_RATES])
    x, u, p = values_of(system)[1]
    if language == "MATLAB":
        functions = read_matlab(print_matlab(program))
        c = functions["model_constants"](p)
        return np.asarray(functions[f"model_{routine}"](0.4, x, u, c))
    module = Module(print_fortran(program, longest_part=longest))
    return module.run(routine, 0.4, x, u, module.run("constants", p))


def close(found: np.ndarray, expected: np.ndarray) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13 * np.abs(expected).max())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", SYSTEMS)
@pytest.mark.parametrize("longest", [500, 7])
def test_systems_by_hand_have_their_rates(title: str, language: str, longest: int) -> None:
    system = SYSTEMS[title]()
    expected = evaluate(system.derivatives, values_of(system)[0])
    close(printed_results(system, language, "rhs", longest), np.array(expected))
    outputs = evaluate([d.expression for d in system.outputs], values_of(system)[0])
    close(printed_results(system, language, "outputs", longest), np.array(outputs))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_tie_is_told_from_what_is_less(language: str) -> None:
    a, b = symbol("a"), symbol("b")
    rates = {"a": 2.0 * (a < b) + 3.0 * (a <= b), "b": where(a < b, a, 5.0 * b) + sign(a - b)}
    program = lower(by_hand(rates, {"k": 1.0}, {}))
    x, nothing = np.array([0.5, 0.5]), np.array([])
    if language == "MATLAB":
        found = read_matlab(print_matlab(program))["model_rhs"](0.0, x, nothing, nothing)
    else:
        found = Module(print_fortran(program)).run("rhs", 0.0, x, nothing, nothing)
    assert found.tolist() == [3.0, 2.5]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["pendulum", "four-bar", "skidder", "car", "drifting-car"])
def test_models_have_their_rates(name: str, language: str) -> None:
    system = shipped_system(name)
    values, (x, u, _) = values_of(system)
    found = printed_results(system, language, "rhs", 500)
    close(found, np.array(evaluate(system.derivatives, values)))
    if system.projection is not None:  # these states are off the constraints: no instant of it
        return
    inputs = dict(zip((q.name for q in system.inputs), u.tolist(), strict=True))
    states = dict(zip((q.name for q in system.states), x.tolist(), strict=True))
    close(found, np.array(list(system.rhs(states, inputs=inputs, time=0.4).values())))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_projection_is_printed(language: str) -> None:
    system = shipped_system("four-bar")
    assert system.projection is not None
    expected = evaluate(system.projection, values_of(system)[0])
    close(printed_results(system, language, "project", 500), np.array(expected))


def test_a_jacobian_is_printed_with_its_places() -> None:
    system = shipped_system("double-pendulum")
    program = lower(system, extras=[Extra.JACOBIAN])
    assert program.jacobian is not None
    x, u, p = values_of(system)[1]
    module, text = Module(print_fortran(program)), print_matlab(program)["model_jacobian.m"]
    found = module.run("jacobian", 0.4, x, u, module.run("constants", p))
    places = [(int(i), int(k)) for i, k in re.findall(r"\((\d+),(\d+)\)", text)]
    assert len(places) == len(found)
    entries = dict(zip(places, found, strict=True))
    assert entries[3, 1] == 1.0  # the rate of the first angle is the first speed
    step = 1e-6
    for k in range(len(x)):
        ends = []
        for side in (-step, step):
            moved = x.copy()
            moved[k] += side
            ends.append(module.run("rhs", 0.4, moved, u, module.run("constants", p)))
        for i, slope in enumerate((ends[1] - ends[0]) / (2.0 * step)):
            assert entries.get((i + 1, k + 1), 0.0) == pytest.approx(slope, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("language", LANGUAGES)
def test_functions_in_c_are_refused(
    car_with_call: System, tyre: ExternalFunction, language: str
) -> None:
    program = lower(car_with_call)
    with pytest.raises(ExportError, match=f"{tyre.name}: known as C text alone.*{language}"):
        print_matlab(program) if language == "MATLAB" else print_fortran(program)


def test_one_function_serves_all_wheels() -> None:
    program = lower(shipped_system("skidder"))
    files = print_matlab(program)
    assert {"model_fiala.m", "model_kinematic_slip.m"} < set(files)
    assert len(re.findall(r"= model_fiala\(", files["model_rhs.m"])) == 4
    text = print_fortran(program)
    assert text.count("subroutine axl_fiala(") == 1
