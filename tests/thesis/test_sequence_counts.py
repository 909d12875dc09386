"""Counts of written-out, sequential and shared values against counts by hand."""

from __future__ import annotations

import dataclasses

import pytest
from mechanisms.shipped_run import shipped_system

from axletree.core.errors import AxletreeError
from axletree.expr import Expr, OperationCount, cos, sin, symbol
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import Definition, System
from axletree.thesis.sequences import component_sequence, equations_size, written_out

x, y, k = symbol("x"), symbol("y"), symbol("k")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (x, OperationCount()),
        (k * k + k, OperationCount()),
        (k * x, OperationCount(multiplications=1)),
        (2.0 * x + y, OperationCount(1, 1, 0, 0)),
        (-x - y, OperationCount(additions=1)),
        (x / y, OperationCount(divisions=1)),
        (x / k, OperationCount(multiplications=1)),
        (1.0 / x, OperationCount(divisions=1)),
        (sin(x) * sin(x), OperationCount(multiplications=1, functions=2)),
        ((sin(x) + y) * (sin(x) + y), OperationCount(2, 1, 0, 2)),
    ],
)
def test_every_occurrence_is_counted(expression: Expr, expected: OperationCount) -> None:
    assert written_out([expression], [x, y]) == expected


def test_what_has_a_name_is_free_but_in_its_own_definition() -> None:
    part = sin(x) + y
    assert written_out([part * part], [x, y], [part.node]) == OperationCount(multiplications=1)
    assert written_out([part], [x, y], [part.node]) == OperationCount(additions=1, functions=1)


def system_of(**values: Expr) -> System:
    """A system without equations, of one component."""
    states = tuple(Quantity(name, "1", "a state", Role.STATE) for name in ("x", "y"))
    return System(
        name="hand",
        time=Quantity("t", "s", "time", Role.TIME),
        states=states,
        inputs=(),
        parameters=(Quantity("k", "1", "a parameter", Role.PARAMETER, 2.0),),
        derivatives=(x, y),
        outputs=tuple(
            Definition(Quantity(f"part.{name}", "1", "a value", Role.OUTPUT), expression)
            for name, expression in values.items()
        ),
        intermediates=(),
        projection=None,
    )


def test_a_sequence_by_hand() -> None:
    a = sin(x) * y
    b = a * a + cos(x)
    c = a + b * b
    rows = component_sequence(system_of(a=a, b=b, c=c), "part")
    assert [row.left for row in rows] == [(), ("a",), ("a", "b")]
    assert [row.substituted for row in rows] == [
        OperationCount(0, 1, 0, 1),
        OperationCount(1, 3, 0, 3),
        OperationCount(3, 8, 0, 7),
    ]
    assert [row.sequence for row in rows] == [
        OperationCount(0, 1, 0, 1),
        OperationCount(1, 1, 0, 1),
        OperationCount(1, 1, 0, 0),
    ]
    assert [row.shared for row in rows] == [row.sequence for row in rows]


def test_sharing_reaches_across_what_has_no_name() -> None:
    rows = component_sequence(system_of(a=sin(x) + 1.0, b=sin(x) + y), "part")
    assert rows[1].sequence == OperationCount(additions=1, functions=1)
    assert rows[1].shared == OperationCount(additions=1)


def test_an_unknown_component_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(AxletreeError, match=r"'prt' in hand; did you mean 'part'\?"):
        component_sequence(system_of(a=sin(x)), "prt")


def test_the_front_left_tyre_of_the_car() -> None:
    rows = component_sequence(shipped_system("car"), "front_left_tyre")
    found = {row.quantity.name.removeprefix("front_left_tyre."): row for row in rows}
    assert found["VPy"].substituted == OperationCount(41, 93, 4, 110)
    assert found["VEx"].sequence == OperationCount(3, 3, 0, 2)
    assert found["VEx"].left == ("effective_radius", "VCx")
    assert found["VEx"].shared == OperationCount(1, 1, 0, 0)
    assert found["Mz"].substituted.total > 40_000
    assert found["Mz"].shared == OperationCount()  # with Fx, in one call


def test_equations_of_a_pendulum_have_seven_operations() -> None:
    """M = I + m l^2, b = g m l sin(angle), and the rate of the angle."""
    system = shipped_system("pendulum")
    assert equations_size(system) == 3 + 4
    assert equations_size(dataclasses.replace(system, source=None)) == 0
