"""Exact derivatives of rates and outputs, as C: along a direction, and back along weights.

A direction is a seed for each state and input; what comes out is the change of each rate and
output. Back, a weight for each rate and output gives the gradient of their weighted sum. Both
cost some four times the right-hand side, however many states there are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from axletree.code.lowering import lower
from axletree.code.printers.c import print_unit
from axletree.code.program import Program
from axletree.core.errors import ExpressionError
from axletree.export.fmu.fmu_model import FmuModel
from axletree.expr import Expr, directional_derivative, jacobian, symbol
from axletree.expr.expression import ZERO
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.system.system import output


@dataclass(frozen=True)
class Tangents:
    """The routines ``tangent_forward`` and ``tangent_backward``; seeds follow the inputs."""

    program: Program

    @property
    def constants(self) -> int:
        return self.program.constants.size

    def text(self) -> str:
        """The C source."""
        text = print_unit(self.program, "tangent")
        named = text.replace("tangent_rhs", "tangent_forward")
        return named.replace("tangent_outputs", "tangent_backward")


def tangents(model: FmuModel, *, backward: bool) -> Tangents | None:
    """The derivatives of rates and outputs of the FMU by states and inputs of the model.

    ``backward`` is for FMI 3 alone; without it that routine computes nothing. None where rates
    are no functions of states, or call a function whose derivative nobody gives.
    """
    try:
        return _tangents(model, backward) if model.has_exchange else None
    except ExpressionError:
        return None


def _tangents(model: FmuModel, backward: bool) -> Tangents:
    system = model.system
    leaves = [q.symbol for q in (*system.states, *system.inputs)]
    results = [*system.derivatives, *(d.expression for d in system.outputs[: model.ports])]
    seeds = [symbol(f"seed[{k}]") for k in range(max(len(leaves), len(results)))]
    forward = directional_derivative(results, dict(zip(leaves, seeds, strict=False)))
    gradient: list[Expr] = []
    if backward:
        weighted = zip(results, seeds, strict=False)
        total = sum((value * weight for value, weight in weighted), ZERO)
        entries = jacobian([total], leaves)
        gradient = [entries.get((0, k), ZERO) for k in range(len(leaves))]
    more = [Quantity(seed.name, "1", "seed of a derivative", Role.INPUT) for seed in seeds]
    made = replace(
        system,
        inputs=Quantities((*system.inputs, *more)),
        derivatives=tuple(forward),
        outputs=tuple(output(f"gradient.{k}", "1", "", e) for k, e in enumerate(gradient)),
        intermediates=(),
        projection=None,
    )
    return Tangents(lower(made))
