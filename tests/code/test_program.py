"""What is computed, where and in which order, before it is printed."""

from __future__ import annotations

import pytest

from axletree.code.lowering import Extra, lower
from axletree.code.program import Routine
from axletree.code.routine_parts import split_routine
from axletree.core.errors import FormulationError
from axletree.core.registry import UnknownNameError
from axletree.expr import OperationCount, cos, count_operations, sin, sqrt, symbol
from axletree.expr.node import Node
from axletree.system.system import System

x, y, m, k = (symbol(name) for name in ("x", "y", "m", "k"))


def operations_in(routine: Routine, block: int) -> list[str]:
    return [node.operation for s in routine.blocks[block].statements for node in s.defined]


def test_what_depends_on_parameters_alone_is_computed_once(build) -> None:
    system = build({"x": sqrt(k / m) * x}, parameters={"m": 1.0, "k": 2.0})
    program = lower(system)
    assert program.rhs.operations == OperationCount(multiplications=1)
    assert program.constants.operations == OperationCount(divisions=1, functions=1)
    assert program.constants.size == 1


def test_a_factor_of_a_constant_is_no_operation_of_a_step(build) -> None:
    program = lower(build({"x": y + 3.0 * k, "y": 3.0 * k - x}, parameters={"k": 2.0}))
    assert program.rhs.operations == OperationCount(additions=2)
    assert program.constants.operations == OperationCount(multiplications=1)


def test_only_the_cone_of_the_chosen_outputs_is_computed(build) -> None:
    system = build({"x": -x}, outputs={"heavy": sin(cos(x)), "light": x + 1.0})
    assert lower(system, ["light"]).outputs_routine.operations == OperationCount(additions=1)
    assert lower(system, []).outputs_routine.statements == 0
    assert lower(system).outputs_routine.size == 2


def test_intermediates_that_nothing_uses_vanish(build) -> None:
    system = build({"x": -x}, intermediates={"unused": sin(x)})
    assert lower(system).rhs.operations == OperationCount()


def test_outputs_can_be_intermediates_and_inputs(build) -> None:
    system = build({"x": -x}, inputs=["u"], intermediates={"angle": sin(x)})
    program = lower(system, ["u", "angle"])
    assert [quantity.name for quantity in program.outputs] == ["u", "angle"]


def test_an_unknown_output_is_refused_with_a_suggestion(build) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'heavy'"):
        lower(build({"x": -x}, outputs={"heavy": x}), ["heawy"])


def test_a_symbol_that_the_system_does_not_know_is_named(build) -> None:
    with pytest.raises(FormulationError, match="stray"):
        lower(build({"x": symbol("stray") * x}))


def test_calls_divide_a_routine_into_three_blocks(car_with_call: System) -> None:
    rhs = lower(car_with_call).rhs
    before, calls, after = (operations_in(rhs, block) for block in range(3))
    assert "call" not in before
    assert "table" in before, "the road does not depend on a call, though block 3 uses it"
    assert calls.count("call") == 2
    assert set(calls) <= {"call", "output", "add", "mul"}
    assert "call" not in after
    assert "output" not in after
    assert sum((b.operations.functions for b in rhs.blocks), 0) == rhs.operations.functions


def test_without_calls_named_intermediates_make_block_1(build) -> None:
    rhs = lower(build({"x": sin(x) * cos(x)}, intermediates={"slope": sin(x)})).rhs
    assert operations_in(rhs, 0) == ["sin"]
    assert "slope" in rhs.names.values()


def test_a_negated_intermediate_says_so_in_its_name(build) -> None:
    rhs = lower(build({"x": 2.0 - sin(x) * x}, intermediates={"a.moment": -(sin(x) * x)})).rhs
    assert "minus_a_moment" in rhs.names.values()


@pytest.mark.parametrize(
    "expression",
    [x / y, x / (y + 2.0) + 1.0 / (x * x + 3.0), 3.0 * x + sin(3.0 * x), x * y * y / (1.0 + x)],
)
def test_counts_agree_with_those_of_the_expressions(build, expression) -> None:
    program = lower(build({"x": expression, "y": expression * 2.0}))
    assert program.rhs.operations == count_operations([expression, expression * 2.0])


def test_operands_come_before_their_users(car_with_call: System) -> None:
    program = lower(car_with_call, extras=[])
    for routine in program.routines:
        seen: set[Node] = set()
        for block in routine.blocks:
            for statement in block.statements:
                stack = [e.node for e in statement.roots]
                while stack:
                    node = stack.pop()
                    if node in routine.names:
                        assert node in seen
                    else:
                        stack += [e.node for e in node.operands]
                seen.update(statement.defined)


def test_the_larger_operand_is_computed_first(build) -> None:
    large, small = sin(cos(sin(x) + y) * x), cos(y)
    system = build({"x": large * small, "y": large + small})
    names = list(lower(system).rhs.names)
    assert [node.operation for node in names] == ["sin", "cos"]


def test_a_jacobian_lists_its_entries_by_column(build) -> None:
    program = lower(build({"x": x * y, "y": sin(y)}), extras=[Extra.JACOBIAN])
    assert program.jacobian is not None
    assert list(zip(program.jacobian.columns, program.jacobian.rows, strict=True)) == [
        (0, 0),
        (1, 0),
        (1, 1),
    ]


def test_parts_hand_over_what_later_parts_need(build) -> None:
    chain = x
    derivatives = {"x": x}
    for index in range(40):
        chain = sin(chain + y) * chain
        derivatives[f"z{index}"] = chain
    derivatives["y"] = chain
    routine = lower(build(derivatives)).rhs
    parts, size = split_routine(routine, longest=7)
    place: dict[int, Node] = {}
    known: set[Node] = set()
    for part in parts:
        assert len(part.statements) <= 7
        known = {node for node, slot in part.loads if place[slot] is node}
        assert len(known) == len(part.loads)
        known |= {s.node for s in part.statements if s.node is not None}
        place.update((slot, node) for node, slot in part.stores)
        assert {node for node, _ in part.stores} <= known
    assert 0 < size < routine.statements
