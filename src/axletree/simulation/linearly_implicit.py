"""Linearly implicit steps: stiff springs and bushings at a fixed cost, without iterations.

ROS2 of Verwer, Spee, Blom and Hundsdorfer 1999, and ROW3, a method of our own that solves five
times (docs/theory/integrators.md). ``code.implicit_stages`` says what they compute: a matrix is
factorised once a step, in an order chosen beforehand.
"""

from __future__ import annotations

from axletree.code.implicit_stages import ROS2_TABLEAU, ROW3_TABLEAU, ImplicitTableau
from axletree.code.lowering import Extra
from axletree.code.printers.c import c_definitions, c_number
from axletree.code.printers.dialect import packaged_text
from axletree.code.program import Program
from axletree.expr import OperationCount
from axletree.simulation.fixed_step import FixedStep, StepCost
from axletree.simulation.loops import PythonLoop, StepFunction


def _step_function(tableau: ImplicitTableau) -> StepFunction:
    """The step of ``c/linearly_implicit.c``, operation by operation."""

    def step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
        g, later = tableau.gamma * h, tableau.ahead * h
        kept = [g, *loop.call("first_stage", t, x, [g])]
        k1 = kept[1 : 1 + len(x)]
        y = [x_i + later * k_i for x_i, k_i in zip(x, k1, strict=True)]
        more = loop.call("second_stage", t + later, y, kept)
        return [x_i + h * (a + b) for x_i, a, b in zip(x, k1, more, strict=True)]

    return step


def _counted(program: Program) -> StepCost:
    """Both routines, gamma h, a h, x + a h k1 and x + h (k1 + more)."""
    routines = (program.first_stage, program.second_stage)
    stages = sum((r.operations for r in routines if r is not None), OperationCount())
    states = len(program.states)
    sums = OperationCount(additions=3 * states, multiplications=2 * states + 2)
    return StepCost(stages + sums, inputs=2)


def _method(
    name: str, description: str, order: int, tableau: ImplicitTableau, extra: Extra
) -> FixedStep:
    numbers = {"GAMMA": c_number(tableau.gamma), "AHEAD": c_number(tableau.ahead)}
    return FixedStep(
        name=name,
        description=description,
        order=order,
        c_step=c_definitions(numbers) + packaged_text(__package__, "c/linearly_implicit.c"),
        python_step=_step_function(tableau),
        extras=(extra,),
        fixed_cost=True,
        counted=_counted,
    )


ROS2 = _method(
    "ros2",
    "Order 2, linearly implicit and L-stable; for bushings and other stiff springs.",
    2,
    ROS2_TABLEAU,
    Extra.ROS2_STAGES,
)
ROW3 = _method(
    "row3",
    "As ros2, of order 3 in what is stiff: forces and accelerations on bushings are more accurate.",
    3,
    ROW3_TABLEAU,
    Extra.ROW3_STAGES,
)
