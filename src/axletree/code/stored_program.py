"""What a compiled program is asked for, as JSON and back: one that was lowered before runs at once.

A stored program has the sizes and names of its routines and their operation counts, but no
statements: these are in the library that was compiled from it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from axletree.code.program import Block, Program, Routine, SparseRoutine
from axletree.core.cache import key_of
from axletree.expr import Expr, OperationCount
from axletree.expr.quantity import Quantity, Role
from axletree.system.system import System

_DENSE = (
    "constants", "rhs", "outputs_routine", "project", "later_rates", "speed_rates", "other_rates",
    "rows", "bounds", "directional", "adjoint", "first_stage", "evaluated_stage",
    "solved_stage",
)  # fmt: skip
_SPARSE = ("jacobian", "input_jacobian", "full_jacobian", "parameter_jacobian", "hessian")


def program_key(system: System, outputs: Sequence[str] | None, *further: object) -> str:
    """The name under which the program of a system is kept.

    Example:
    >>> import axletree as at
    >>> from axletree.code.stored_program import program_key
    >>> light, heavy = (at.read_model(name).formulate() for name in ("pendulum", "pendulum"))
    >>> program_key(light, None) == program_key(heavy, None)
    True
    """
    digest = hashlib.sha256(repr(system.name).encode())
    for quantity in (*system.states, *system.inputs, *system.parameters):
        digest.update(repr((quantity.name, quantity.role.value, quantity.default)).encode())
    for one in (*system.outputs, *system.intermediates):
        digest.update(
            repr((one.quantity.name, one.quantity.unit, _content(one.expression))).encode()
        )
    moved = system.projection
    for e in (*system.derivatives, *(moved or ())):
        digest.update(repr(_content(e)).encode())
    return key_of("program", digest.hexdigest(), moved is None, outputs, *further)


def _content(expression: Expr) -> tuple[float, int]:
    """A number and a node, whose key follows from all below it."""
    return expression.coefficient, expression.node.key


def stored_program(program: Program) -> dict[str, Any]:
    """What JSON keeps of a program."""
    sparse = {name: getattr(program, name) for name in _SPARSE}
    return {
        "name": program.name,
        "outputs": [(q.name, q.unit, q.description, q.role.value) for q in program.outputs],
        "dense": {name: _routine_row(getattr(program, name)) for name in _DENSE},
        "sparse": {
            name: one and (_routine_row(one.routine), one.shape, one.rows, one.columns)
            for name, one in sparse.items()
        },
        "by_parameters": [quantity.name for quantity in program.by_parameters],
        "ties": program.ties,
    }  # fmt: skip


def program_of_store(stored: dict[str, Any], system: System) -> Program:
    """The program that was stored, of the same system."""
    routines = {name: _routine(row) for name, row in stored["dense"].items()}
    sparse = {name: _sparse(row) for name, row in stored["sparse"].items()}
    return Program(
        name=stored["name"],
        states=system.states,
        inputs=system.inputs,
        parameters=system.parameters,
        outputs=tuple(Quantity(n, unit, d, Role(role)) for n, unit, d, role in stored["outputs"]),
        identifiers={},
        by_parameters=tuple(q for q in system.parameters if q.name in stored["by_parameters"]),
        ties=tuple((a, b) for a, b in stored["ties"]),
        **routines,
        **sparse,
    )


def _routine_row(routine: Routine | None) -> tuple[Any, ...] | None:
    if routine is None:
        return None
    counts = astuple(routine.operations)
    return routine.name, routine.arguments, routine.result, routine.size, counts


def _routine(row: Sequence[Any] | None) -> Any:
    if row is None:
        return None
    name, arguments, result, size, counts = row
    block = Block("", (), OperationCount(*counts))
    return Routine(name, tuple(arguments), result, size, (block,), {}, {})


def _sparse(row: Sequence[Any] | None) -> Any:
    if row is None:
        return None
    routine, shape, rows, columns = row
    return SparseRoutine(_routine(routine), tuple(shape), tuple(rows), tuple(columns))
