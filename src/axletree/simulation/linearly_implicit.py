"""A linearly implicit step: stiff springs and bushings at a fixed cost, without iterations.

ROS2 of Verwer, Spee, Blom and Hundsdorfer 1999, of order 2 for any matrix A:

    (I - gamma h A) k1 = f(t, x)
    (I - gamma h A) k2 = f(t + h, x + h k1) - 2 k1
    x(t + h) = x + h (3 k1 + k2) / 2

With gamma = 1 - 1/sqrt(2) it is L-stable where A is the Jacobian. ``code.implicit_stages``
says what A is and what a stage computes; it is factorised once a step, in an order chosen
beforehand.
"""

from __future__ import annotations

import math
from typing import Final

from axletree.code.lowering import Extra
from axletree.code.printers.c import c_definitions, c_number
from axletree.code.printers.dialect import packaged_text
from axletree.code.program import Program
from axletree.expr import OperationCount
from axletree.simulation.fixed_step import FixedStep, StepCost
from axletree.simulation.loops import PythonLoop

GAMMA: Final = 1.0 - math.sqrt(0.5)


def _ros2_step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
    kept = [GAMMA * h, *loop.call("first_stage", t, x, [GAMMA * h])]
    k1 = kept[1 : 1 + len(x)]
    y = [x_i + h * k_i for x_i, k_i in zip(x, k1, strict=True)]
    both = loop.call("second_stage", t + h, y, kept)
    return [x_i + h * (a + 0.5 * b) for x_i, a, b in zip(x, k1, both, strict=True)]


def _counted(program: Program) -> StepCost:
    """Both stages, gamma h, x + h k1 and x + h (k1 + both / 2)."""
    routines = (program.first_stage, program.second_stage)
    stages = sum((r.operations for r in routines if r is not None), OperationCount())
    states = len(program.states)
    sums = OperationCount(additions=3 * states, multiplications=3 * states + 1)
    return StepCost(stages + sums, inputs=2)


ROS2 = FixedStep(
    name="ros2",
    description="Order 2, linearly implicit and L-stable; for bushings and other stiff springs.",
    order=2,
    c_step=c_definitions({"GAMMA": c_number(GAMMA)})
    + packaged_text(__package__, "c/linearly_implicit.c"),
    python_step=_ros2_step,
    extras=(Extra.IMPLICIT_STAGES,),
    fixed_cost=True,
    counted=_counted,
)
