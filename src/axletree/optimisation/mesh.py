"""How far a solution is from its differential equation, and a mesh that brings it nearer.

Over each interval the states of a collocation rule are polynomials; what their slopes lack of the
right-hand side, integrated, is the error of the interval (Betts 2010, eq. 4.148 to 4.153), here
relative to the scale of each state. It falls as h^(k + 1) with k points in the rule.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.optimisation.problem import given_values
from axletree.optimisation.rules import CollocationRule
from axletree.optimisation.solution import OptimalSolution
from axletree.optimisation.transcription import Index

_GAUSS = 5  # points of the quadrature
_MOST_PARTS = 4  # of an interval, in one round


@dataclass(frozen=True)
class Refinement:
    """Meshes are divided where the error is above the tolerance, at most so often.

    Example:
    >>> from axletree.optimisation.mesh import Refinement
    >>> Refinement(tolerance=1e-5).rounds
    6
    """

    tolerance: float = 1e-4  # of a state's scale, in an interval
    rounds: int = 6
    most_intervals: int = 5000


def interval_errors(solution: OptimalSolution) -> FloatArray:
    """The largest relative error of a state in each interval; nan for multiple shooting."""
    made, rule = solution.transcription, solution.transcription.rule
    count = len(made.nodes) - 1
    if not isinstance(rule, CollocationRule):
        return np.full(count, np.nan)
    places, weights = np.polynomial.legendre.leggauss(_GAUSS)
    part, weights = 0.5 * (places + 1.0), 0.5 * weights
    v, h, stride = solution.answer.unknowns, np.diff(made.nodes), len(rule.points)
    index = stride * np.arange(count)[:, None] + np.arange(stride + 1)
    functions = made.equations.points
    n = len(functions.states)
    rates = solution.rows[:, :n][index]  # by interval, point, state
    first = v[made.states][index[:, 0]]
    gained = np.einsum("gj,kjs->kgs", rule.state_values(part), rates)
    x = first[:, None, :] + h[:, None, None] * gained
    slopes = np.einsum("gj,kjs->kgs", rule.rate_values(part), rates)
    u = _inputs(solution, rule.values(part), index, part)
    p = v[made.parameters]
    true = functions.f(x.reshape(-1, n), u, p)[:, :n].reshape(x.shape)
    lacking = np.abs(slopes - true) * h[:, None, None]
    scales = made.scales[made.states].max(axis=0)
    return np.asarray((np.einsum("g,kgs->ks", weights, lacking) / scales).max(axis=1))


def _inputs(
    solution: OptimalSolution, values: FloatArray, index: Index, part: FloatArray
) -> FloatArray:
    """Of the system at places within intervals, in rows."""
    made, problem = solution.transcription, solution.problem
    count, gauss = len(index), len(part)
    s = (made.nodes[:-1, None] + np.diff(made.nodes)[:, None] * part).ravel()
    columns = []
    for name in made.equations.points.inputs:
        if name in problem.controls:
            of = made.controls[:, list(problem.controls).index(name)]
            at_points = solution.answer.unknowns[of][index]
            columns.append(np.einsum("gj,kj->kg", values, at_points).reshape(count * gauss))
        elif name in problem.given:
            columns.append(given_values(problem.given[name], s))
        else:
            columns.append(np.full(count * gauss, problem.system.inputs[name].default))
    return np.array(columns).T.reshape(count * gauss, len(columns))


def refined(nodes: FloatArray, errors: FloatArray, rule: CollocationRule, to: float) -> FloatArray:
    """Each interval in as many parts as bring its error below the tolerance, up to four."""
    points = len(rule.points) + int(rule.at_beginning)
    wanted = np.ceil((errors / to) ** (1.0 / (points + 1)) * (1.0 - 1e-9))
    parts = np.clip(wanted, 1, _MOST_PARTS).astype(int)
    pieces = [
        a + (b - a) * np.arange(count) / count
        for a, b, count in zip(nodes[:-1], nodes[1:], parts, strict=True)
    ]
    return np.concatenate([*pieces, nodes[-1:]])
