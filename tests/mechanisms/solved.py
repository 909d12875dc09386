"""A described mechanism, formulated with a tree and solved in a form at its own state."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from mechanisms.description import Mechanism
from mechanisms.model import build_model
from mechanisms.state import State

from axletree.equations.derivation import derive_equations
from axletree.equations.tree import TreeChoice
from axletree.expr import Expr, directional_derivative, evaluate
from axletree.system.forms.contract import DefiniteSolver, Form, SemidefiniteSolver
from axletree.system.forms.projected import Projected
from axletree.system.mechanism import Mechanism as Numbers
from axletree.system.outputs import mechanical_outputs


class Solved:
    """What ``assemble`` does, without making the expressions short and at the state itself."""

    def __init__(self, m: Mechanism, tree: TreeChoice = None, form: Form | None = None) -> None:
        model = build_model(m)
        self.equations = e = derive_equations(model, tree)
        self.state = State(m, model.frames, e)
        numbers = Numbers(e, self.state.values)
        q = self.state.coordinates
        rows = numbers.independent(q) if e.constraints else []
        self.constraints = [e.constraints[i] for i in rows]
        definite = numbers.mass_is_definite(q)
        self.solver = (DefiniteSolver if definite else SemidefiniteSolver)(e, self.constraints)
        form = (form or Projected()).completed(numbers, q, rows)
        self.solution = form.solve(e, self.solver)

    @property
    def degrees_of_freedom(self) -> int:
        return len(self.equations.speeds) - len(self.constraints)

    def accelerations(self) -> np.ndarray:
        return self.state.accelerations(self.solution.speed_rates)

    @cached_property
    def outputs(self) -> dict[str, Expr]:
        found = mechanical_outputs(self.equations, self.constraints, self.solution)
        return {output.quantity.name: output.expression for output in found}

    def output_rates(self, names: Sequence[str]) -> np.ndarray:
        """Total time derivatives of outputs."""
        rates = self.state.rates(self.solution.speed_rates)
        return self.value(directional_derivative([self.outputs[name] for name in names], rates))

    def value(self, expressions: Any) -> np.ndarray:
        return np.array(evaluate(list(expressions), self.state.values), dtype=float)


def absolute_tree(m: Mechanism) -> list[str]:
    """All bodies, but for those that a weld holds to another or to the ground."""
    welded = {max(j.tail.body, j.head.body) for j in m.joints if j.kind == "Weld"}
    return [f"b{k}" for k in range(len(m.bodies)) if k not in welded]
