"""Reactions that loads depend on: the friction of a wheel whose height is held.

Equations have symbols for them. What a system computes has their values instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from axletree.core.errors import FormulationError
from axletree.core.expr import Expr, substitute
from axletree.formulation.closure import Constraint
from axletree.formulation.equations import Answer, Equations
from axletree.library.told import Computed
from axletree.system.form import Solution
from axletree.system.rank import exchangeable
from axletree.system.system import Definition, output


def check_determined(equations: Equations, matrix: np.ndarray, independent: Sequence[int]) -> None:
    """No load may depend on a reaction that the equations leave open; ``matrix`` is C."""
    if not equations.fed_back:
        return
    for row in exchangeable(matrix, independent):
        reaction = equations.constraints[row].reaction
        if reaction.symbol in equations.fed_back:
            raise FormulationError(
                f"loads depend on {reaction.name}, which the equations of {equations.name} do not "
                "determine: something else holds the same motion, as a fourth rigid wheel under a "
                "rigid car does, or a joint that keeps a wheel at its height; give one of them a "
                "stiffness, or leave out what holds the motion beside it"
            )


def with_values(equations: Equations, solution: Solution) -> tuple[Equations, Solution]:
    """Loads, what components tell, and the solution, without the symbols of reactions."""
    values = solution.fed_back
    if not values:
        return equations, solution

    def known(expressions: Sequence[Expr]) -> tuple[Expr, ...]:
        return tuple(substitute(expressions, values))

    dynamics, following = equations.dynamics, equations.dynamics.following
    loads = following.with_entries(known(following.entries))
    told = replace(
        equations,
        dynamics=replace(dynamics, following=loads),
        answers=tuple(_answer(answer, values) for answer in equations.answers),
        set_valued=tuple(row.changed(known) for row in equations.set_valued),
    )
    solved = replace(
        solution,
        speed_rates=known(solution.speed_rates),
        internal_rates=known(solution.internal_rates),
        reactions=known(solution.reactions),
    )
    return told, solved


def _answer(answer: Answer, values: Mapping[Expr, Expr]) -> Answer:
    response = answer.response
    power, stored, potential = substitute(
        [answer.power, answer.stored, response.potential_energy], values
    )
    return replace(
        answer,
        power=power,
        stored=stored,
        response=replace(
            response,
            potential_energy=potential,
            intermediates=_computed(response.intermediates, values),
            outputs=_computed(response.outputs, values),
        ),
    )


def _computed(told: Sequence[Computed], values: Mapping[Expr, Expr]) -> tuple[Computed, ...]:
    found = substitute([c.expression for c in told], values)
    return tuple(replace(c, expression=e) for c, e in zip(told, found, strict=True))


def residuals(independent: Sequence[Constraint], solution: Solution) -> Iterator[Definition]:
    """By how much a reaction differs from the one that loads were found at."""
    for constraint, reaction in zip(independent, solution.reactions, strict=True):
        quantity = constraint.reaction
        if quantity.symbol in solution.fed_back:
            text = f"{quantity.name} less its value that loads were found at"
            left = reaction - solution.fed_back[quantity.symbol]
            yield output(f"{quantity.name}_residual", quantity.unit, text, left)
