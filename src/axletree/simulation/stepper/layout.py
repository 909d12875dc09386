"""The layout of a stepper as data: what other programs need to know of it, beside its header."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from axletree.code.layout import program_layout, quantity_rows
from axletree.expr.quantity import Quantity
from axletree.simulation.stepper.c_interface import ABI
from axletree.simulation.stepper.shaping import ShapedInput
from axletree.simulation.stepper.step_program import StepProgram


def stepper_layout(prepared: StepProgram, prefix: str = "model") -> dict[str, Any]:
    """The layout of the program, and what a stepper adds.

    ``stepper`` has the number of the interface, the method of a step and its operations (none
    where they depend on the motion); ``starts`` the values that a stepper is reset to, by index.
    An input has its ``shape``: how it goes over into a value that is set, and its time [s]. An
    input without one is computed: the rate of another, or a force that steps are solved for.
    ``memory`` has what controllers in the steps keep, and ``controllers`` of each its interval [s],
    the index of its switch among the inputs, and what it commands.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.stepper.layout import stepper_layout
    >>> from axletree.simulation.stepper.step_program import step_program
    >>> layout = stepper_layout(step_program(at.read_model("bicycle-car").formulate(), outputs=[]))
    >>> layout["inputs"][0]["name"], layout["inputs"][0]["shape"]
    ('steer.angle', {'name': 'filter', 'code': 2, 'time': 0.005})
    """
    layout = program_layout(prepared.program, prefix)
    _add_shapes(layout["inputs"], prepared.shaped)
    own = prepared.starts[0]
    for quantity, start in zip(layout["states"], own.states.tolist(), strict=True):
        quantity["start"] = start
    count = prepared.operations()
    layout["stepper"] = {
        "abi": ABI,
        "method": prepared.method.name,
        "fixed_cost": prepared.has_fixed_cost,
        "operations": None if count is None else {
            "additions": count.additions, "multiplications": count.multiplications,
            "divisions": count.divisions, "functions": count.functions,
        },
    }  # fmt: skip
    if prepared.laws:
        layout["memory"] = quantity_rows(prepared.memory)
        layout["sizes"]["memory"] = len(prepared.memory)
        layout["controllers"] = _controllers(prepared)
    layout["starts"] = [
        {
            "name": one.name,
            "index": k,
            "description": one.description,
            "states": _by_name(prepared.program.states, one.states.tolist()),
            "inputs": _by_name(prepared.system.inputs, one.inputs.tolist()),
        }
        for k, one in enumerate(prepared.starts)
    ]
    return layout


def _add_shapes(inputs: Sequence[dict[str, Any]], shaped: Sequence[ShapedInput]) -> None:
    for one in shaped:
        shape = one.shape
        inputs[one.places[0]]["shape"] = {
            "name": shape.name, "code": shape.code, "time": shape.seconds
        }  # fmt: skip


def _controllers(prepared: StepProgram) -> list[dict[str, Any]]:
    places = {q.name: k for k, q in enumerate(prepared.program.inputs)}
    return [
        {
            "name": law.name,
            "interval": law.interval,
            "switch": {"name": law.switch.name, "index": places[law.switch.name]},
            "memory": [q.name for q in law.memory],
            "commands": [
                {"name": one.name, "index": places[one.name], "rule": one.rule.value}
                for one in law.commands
            ],
        }
        for law in prepared.laws
    ]


def _by_name(quantities: Sequence[Quantity], values: Sequence[float]) -> dict[str, float]:
    return {q.name: value for q, value in zip(quantities, values, strict=False)}
