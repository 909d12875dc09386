"""Rates in two routines: the second computes nothing that the first one has, speeds aside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from printed.fortran_reader import Module
from printed.matlab_reader import read_matlab

from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.called_functions import call_groups_of
from axletree.code.lowering import Extra, lower
from axletree.code.printers.fortran import print_fortran
from axletree.code.printers.matlab import print_matlab
from axletree.code.program import Program, Routine
from axletree.code.schedule import planned_nodes
from axletree.expr import OperationCount, cos, exp, outline, sin, symbol, topological_order
from axletree.expr.node import Node
from axletree.expr.quantity import Role
from axletree.system.system import System

v, q, lag = (symbol(name) for name in ("v", "q", "lag"))


def with_speeds(system: System, *names: str) -> System:
    states = tuple(
        replace(s, role=Role.SPEED if s.name in names else Role.COORDINATE) for s in system.states
    )
    return replace(system, states=states)


@pytest.fixture
def lagging(build) -> System:
    """A sine and a law of the coordinate that both rates need."""
    law = outline("law", {"force": exp(-v) * 2.0, "slope": sin(v) + 1.0}, {v: q * q})
    shared = sin(q) * symbol("k") + law["force"]
    system = build(
        {
            "v": shared * v + symbol("u"),
            "q": v * cos(q),
            "lag": (shared - lag * v) * law["slope"] + cos(q) * 3.0,
        },
        inputs=["u"],
        parameters={"k": 2.0},
    )
    return with_speeds(system, "v")


def split(system: System) -> tuple[Program, Routine, Routine]:
    program = lower(system, (), [Extra.SPLIT_RATES, Extra.LATER_RATES])
    assert program.speed_rates is not None
    assert program.other_rates is not None
    return program, program.speed_rates, program.other_rates


def computed(routine: Routine) -> set[Node]:
    statements = [s for block in routine.blocks for s in block.statements]
    targets = [s.expression for s in statements if s.index is not None]
    calls = call_groups_of(routine)
    return set(planned_nodes(targets, routine.references, calls))


def depends_on_speeds(system: System) -> set[Node]:
    found = {s.symbol.node for s in system.states if s.role is Role.SPEED}
    for node in topological_order(system.derivatives):
        if any(e.node in found for e in node.operands):
            found.add(node)
    return found


def test_what_both_need_and_no_speed_changes_is_computed_once(lagging: System) -> None:
    _, first, second = split(lagging)
    assert first.size == 1 + 2, "the sum that both need, and the slope of the law"
    both = computed(first) & computed(second)
    assert both <= depends_on_speeds(lagging)
    assert not [node for node in computed(second) if node.operation in ("sin", "exp", "call")]
    assert second.operations == OperationCount(additions=2, multiplications=4, functions=1)


@pytest.mark.parametrize("name", ["car", "sedan", "skidder"])
def test_of_a_vehicle_nothing_is_computed_twice(name: str) -> None:
    system = shipped_system(name)
    _, first, second = split(system)
    assert computed(first) & computed(second) <= depends_on_speeds(system)


def test_a_semi_implicit_step_of_the_car_takes_no_more_operations_than_these() -> None:
    """857, 1307, 81 and 304 with all rates first and the later ones anew."""
    _, first, second = split(shipped_system("car"))
    total = first.operations + second.operations
    assert total.additions <= 816
    assert total.multiplications <= 1231
    assert total.divisions <= 78
    assert total.functions <= 288


def rates(model: Runnable, system: System) -> tuple[np.ndarray, np.ndarray]:
    """By the two routines, the speeds changed between them, and by those of all rates."""
    random = np.random.default_rng(5)
    first = system.state() if len(system.states) > 3 else dict.fromkeys("vql", 0.3)
    x = np.array(list(first.values())) + random.uniform(0.0, 0.01, len(first))
    u = random.uniform(0.0, 0.01, len(system.inputs))
    c = model.constants([p.default for p in system.parameters])
    n = sum(s.role is Role.SPEED for s in system.states)
    program = model.program
    pdot = model.evaluate(program.speed_rates, 0.4, x, u, c)
    new = np.concatenate([x[:n] + 0.02, x[n:]])
    found = [pdot[:n], model.evaluate(program.other_rates, 0.4, new, u, c, pdot[n:])]
    expected = [model.rhs(0.4, x, u, c)[:n], model.evaluate(program.later_rates, 0.4, new, u, c)]
    return np.concatenate(found), np.concatenate(expected)


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("name", ["lagging", "car", pytest.param("sedan", marks=pytest.mark.slow)])
def test_the_rates_are_those_of_the_usual_routines(
    name: str, compiled: bool, lagging: System
) -> None:
    system = lagging if name == "lagging" else shipped_system(name)
    program = split(system)[0]
    model = compile_program(program) if compiled else Runnable(program, None, "model")
    found, expected = rates(model, system)
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-13 * np.abs(expected).max())


def test_matlab_and_fortran_have_both(lagging: System) -> None:
    program = split(lagging)[0]
    x, u, p = np.array([0.3, 0.5, -0.2]), np.array([0.1]), np.array([2.0])
    functions, module = read_matlab(print_matlab(program)), Module(print_fortran(program))
    c = functions["model_constants"](p)
    w = functions["model_speed_rates"](0.4, x, u, c)[1:]
    found = functions["model_other_rates"](0.4, x, u, c, w)
    np.testing.assert_allclose(found, functions["model_later_rates"](0.4, x, u, c), rtol=1e-14)
    c = module.run("constants", p)
    w = module.run("speed_rates", 0.4, x, u, c)[1:]
    found = module.run("other_rates", 0.4, x, u, c, w)
    np.testing.assert_allclose(found, module.run("later_rates", 0.4, x, u, c), rtol=1e-14)
