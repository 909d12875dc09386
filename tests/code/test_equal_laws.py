"""Equal laws share their constants; laws that differ, or are made to, have their own."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system
from printed.fortran_reader import Module
from printed.matlab_reader import read_matlab

from axletree.code.backends.runnable import Runnable, compile_program
from axletree.code.called_functions import call_groups_of
from axletree.code.lowering import lower
from axletree.code.printers.fortran import print_fortran
from axletree.code.printers.matlab import print_matlab
from axletree.code.program import CallGroup
from axletree.code.schedule import StatementOrder
from axletree.core.errors import CompilerError
from axletree.expr import cos, exp, outline, symbol
from axletree.system.system import System

load, grip, width = (symbol(f"law.{n}") for n in ("load", "grip", "width"))


def two_laws(build, grips: tuple[float, float]) -> System:
    """Their constants are products and sums that the graph may hold in any order."""
    rates = {}
    for side in ("left", "right"):
        own = {grip: symbol(f"{side}.grip"), width: symbol(f"{side}.width")}
        force = exp(-load) * (grip * width * cos(grip) - (width - grip)) + grip
        given = {load: symbol(f"x_{side}"), **own}
        rates[f"x_{side}"] = outline("law", {"force": force}, given, [grip, width])["force"]
    values = zip(("left", "right"), grips, strict=True)
    parameters = {f"{side}.grip": value for side, value in values}
    return build(rates, parameters={**parameters, "left.width": 0.2, "right.width": 0.2})


def laws(system: System, *, equal_laws: bool) -> list[CallGroup]:
    program = lower(system, equal_laws=equal_laws)
    return call_groups_of(program.rhs)


def test_equal_laws_have_one_set_of_constants(build) -> None:
    system = two_laws(build, (1.5, 1.5))
    program, apart = lower(system, equal_laws=True), lower(system)
    assert 2 * program.constants.size == apart.constants.size
    names = [q.name for q in system.parameters]
    ties = {(names[a], names[b]) for a, b in program.ties}
    assert ties == {("left.grip", "right.grip"), ("left.width", "right.width")} or ties == {
        ("right.grip", "left.grip"),
        ("right.width", "left.width"),
    }
    assert program.rhs.operations == apart.rhs.operations


def test_laws_that_differ_have_their_own(build) -> None:
    (group,) = laws(two_laws(build, (1.5, 1.6)), equal_laws=True)
    assert group.ties is None
    assert group.stride == group.lanes == 2


def test_parameters_that_differ_are_refused_by_a_program_that_takes_them_for_equal(build) -> None:
    system = two_laws(build, (1.5, 1.5))
    model = compile_program(lower(system, equal_laws=True))
    model.constants([2.0, 2.0, 0.3, 0.3])
    with pytest.raises(CompilerError, match=r"one set of constants.*grip is .*without equal_laws"):
        model.constants([2.0, 2.1, 0.3, 0.3])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("order", list(StatementOrder))
@pytest.mark.parametrize("name", ["car", pytest.param("sedan", marks=pytest.mark.slow)])
def test_rates_of_vehicles_are_the_same(name: str, order: StatementOrder) -> None:
    """In C and in Python, with statements in either order."""
    system = shipped_system(name)
    x = np.array(list(system.state().values())) + 0.01
    u = [0.01] * len(system.inputs)
    p = [q.default for q in system.parameters]
    usual = compile_program(lower(system, ()))
    expected = usual.rhs(0.0, x, u, usual.constants(p))
    program = lower(system, (), equal_laws=True, order=order)
    assert program.rhs.operations.total <= usual.program.rhs.operations.total
    for model in (compile_program(program), Runnable(program, None, "model")):
        found = model.rhs(0.0, x, u, model.constants(p))
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-13 * abs(expected).max())


def test_the_car_has_few_constants() -> None:
    """483 with four copies of everything that its tyres need."""
    program = lower(shipped_system("car"), (), equal_laws=True)
    assert program.constants.size <= 186
    count = program.constants.operations
    assert (count.additions, count.multiplications, count.divisions) <= (49, 91, 21)


def test_matlab_and_fortran_read_shared_constants(build) -> None:
    system = two_laws(build, (1.5, 1.5))
    program = lower(system, equal_laws=True)
    x, u, p = np.array([0.3, 0.5]), np.array([]), np.array([1.5, 1.5, 0.2, 0.2])
    usual = compile_program(lower(system))
    expected = usual.rhs(0.0, x, u, usual.constants(p))
    functions, module = read_matlab(print_matlab(program)), Module(print_fortran(program))
    found = functions["model_rhs"](0.0, x, u, functions["model_constants"](p))
    np.testing.assert_allclose(found, expected, rtol=1e-14)
    found = module.run("rhs", 0.0, x, u, module.run("constants", p))
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_a_run_in_which_one_wheel_differs_has_its_own_constants() -> None:
    """A wheel with less grip turns the car, whatever is shared otherwise."""
    system = shipped_system("car")
    usual = system.simulate(0.05, step=1e-3, outputs=())
    name = next(q.name for q in system.parameters if q.name.endswith("front_left_tyre.law.LMUX"))
    other = system.simulate(0.05, step=1e-3, outputs=(), parameters={name: 0.5})
    assert any((usual[n] != other[n]).any() for n in usual.names)


def test_in_order_of_need_nothing_stands_before_the_calls_that_they_do_not_need() -> None:
    system = shipped_system("car")
    blocks = lower(system, ()).rhs.blocks
    needed = lower(system, (), order=StatementOrder.NEED).rhs.blocks
    assert len(needed[0].statements) < len(blocks[0].statements)
