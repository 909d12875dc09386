"""Solving an optimal control problem: starts, meshes, and what to say if it is not solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import load, section
from axletree.optimisation.guess import Guess, guessed
from axletree.optimisation.ipopt import Ipopt, Multipliers, solve
from axletree.optimisation.mesh import Refinement, interval_errors, refined
from axletree.optimisation.problem import LENGTH, OptimalControlProblem
from axletree.optimisation.rules import CollocationRule
from axletree.optimisation.solution import OptimalSolution, SolverAttempt
from axletree.optimisation.transcription import (
    Maker,
    ProblemFunctions,
    TranscriptionRule,
    equations_of,
)

_WORST = 4  # constraints that a message names
_FEASIBLE = 1e-6  # of the scale of a constraint
_BOUND = 1e-6  # of the range, as near as which a value is at its bound


class OptimalControlError(AxletreeError):
    """A problem that was not solved; ``solution`` is where the solver stopped."""

    def __init__(self, message: str, solution: OptimalSolution) -> None:
        super().__init__(message)
        self.solution = solution


def optimal_control(
    problem: OptimalControlProblem,
    *,
    rule: str | TranscriptionRule = "hermite-simpson",
    mesh: int | Sequence[float] | FloatArray = 40,
    start: Guess | OptimalSolution | None = None,
    further_starts: Sequence[Guess | OptimalSolution] = (),
    refinement: Refinement | None = None,
    settings: Ipopt | None = None,
) -> OptimalSolution:
    """The controls that make a cost smallest, and the motion that follows.

    Parameters
    ----------
    rule: a name of the catalogue, "trapezoidal", "hermite-simpson", "radau-2", "radau-3",
        "multiple-shooting", or a rule of your own.
    mesh: number of intervals, or places of all nodes; shares of the length where this is chosen.
    start: where the solver begins: by name a number, a pair (places, values), or a function
        of places; or another solution, whose multipliers are used, too, if mesh and rule agree.
    further_starts: others that are tried on the first mesh. The one of the lowest cost goes on, and
        ``starts`` of the solution has them all: a local optimum is not told from the global one
        otherwise.
    refinement: the mesh is divided where an estimate of the error is above its tolerance.
    settings: of IPOPT.

    A problem that is not solved raises ``OptimalControlError``, which says which constraints are
    violated and where.

    Example:
    >>> import axletree as at
    >>> from axletree.expr import symbol
    >>> from axletree.optimisation.dynamics import dynamics
    >>> rates = {"x [m]": symbol("v"), "v [m/s]": symbol("a")}
    >>> cart = dynamics("cart", rates, ["a [m/s^2]"], {}, {"effort": symbol("a") ** 2})
    >>> found = at.optimal_control(
    ...     at.OptimalControlProblem(
    ...         system=cart,
    ...         states={"x": at.Range(initial=0, final=1), "v": at.Range(initial=0, final=0)},
    ...         controls={"a": at.Range()},
    ...         length=1.0,
    ...         integral={"effort": 0.5},
    ...     ),
    ...     mesh=10,
    ... )
    >>> print(f"{found.cost:.6f}")  # 6: a cubic (Bryson and Ho 1975, section 2.4)
    6.000000
    """
    check_arguments(optimal_control, locals())
    chosen: TranscriptionRule = _rule(rule) if isinstance(rule, str) else rule
    own = settings or Ipopt()
    if isinstance(start, OptimalSolution):
        equations = _same_equations(problem, chosen, start) or equations_of(problem, chosen)
    else:
        equations = equations_of(problem, chosen)
    nodes = _nodes(problem, mesh)
    best, starts, problems = None, [], []
    for k, one in enumerate([start, *further_starts]):
        try:
            found = _solved(problem, chosen, equations, nodes, one, own)
        except OptimalControlError as error:
            found, said = error.solution, error
            problems.append(said)
            starts.append(_attempt(f"start {k + 1}", found))
            continue
        starts.append(_attempt(f"start {k + 1}", found))
        if best is None or found.cost < best.cost:
            best = found
    if best is None:
        raise problems[0]
    meshes = [_attempt("mesh 1", best)]
    if refinement is not None:
        best, meshes = _refine(best, refinement, own, meshes)
    return replace(best, starts=tuple(starts), meshes=tuple(meshes))


def _rule(name: str) -> TranscriptionRule:
    found: TranscriptionRule = load("rule", name, section("TRANSCRIPTIONS"))
    return found


def _same_equations(
    problem: OptimalControlProblem, rule: TranscriptionRule, before: OptimalSolution
) -> ProblemFunctions | None:
    """Those of another solution, if this problem has the same system and asks for the same."""
    old = before.problem
    same = (
        old.system is problem.system
        and before.transcription.rule == rule
        and all(
            list(getattr(old, one)) == list(getattr(problem, one))
            for one in ("integral", "path", "beginning", "end", "final", "told", "parameters")
        )
        and old.is_length_free == problem.is_length_free
    )
    if not same:
        return None
    equations = before.transcription.equations
    changed = dict(old.values) != dict(problem.values)
    return equations.with_values(problem.values) if changed else equations


def _nodes(problem: OptimalControlProblem, mesh: Any) -> FloatArray:
    length = 1.0 if problem.is_length_free else float(problem.length)  # type: ignore[arg-type]
    if isinstance(mesh, int):
        if mesh < 1:
            raise ModelError(f"a mesh has one interval or more, got {mesh}")
        return np.linspace(0.0, length, mesh + 1)
    nodes = np.asarray(mesh, dtype=float)
    if nodes.ndim != 1 or len(nodes) < 2 or not np.all(np.diff(nodes) > 0.0):
        raise ModelError("mesh: expected two places or more that rise")
    if nodes[0] != 0.0 or abs(nodes[-1] - length) > 1e-9 * length:
        raise ModelError(
            f"mesh: it goes from {nodes[0]:g} to {nodes[-1]:g}; expected from 0 to {length:g}"
            + (", in shares of the length" if problem.is_length_free else "")
        )
    return nodes


def _solved(
    problem: OptimalControlProblem,
    rule: TranscriptionRule,
    equations: ProblemFunctions,
    nodes: FloatArray,
    start: Guess | OptimalSolution | None,
    settings: Ipopt,
) -> OptimalSolution:
    maker = Maker(problem, rule, equations, nodes)
    v = guessed(maker, start)
    made = maker.made(v)
    before: Multipliers | None = None
    if isinstance(start, OptimalSolution):
        before = _multipliers(start, made.row_scales, made.scales, nodes)
    answer = solve(made, v, settings, before)
    found = OptimalSolution(made, answer)
    if not answer.is_solved:
        raise OptimalControlError(_explained(found), found)
    return found


def _multipliers(
    before: OptimalSolution, row_scales: FloatArray, scales: FloatArray, nodes: FloatArray
) -> Multipliers | None:
    """Those of a solution on the same mesh, by the scales of this one."""
    old = before.transcription
    if len(old.row_scales) != len(row_scales) or len(old.scales) != len(scales):
        return None
    if len(old.nodes) != len(nodes) or not np.allclose(old.nodes, nodes):
        return None
    found = before.answer.multipliers
    return Multipliers(found.rows * row_scales / old.row_scales, found.bounds * scales / old.scales)


def _refine(
    best: OptimalSolution, to: Refinement, settings: Ipopt, meshes: list[SolverAttempt]
) -> tuple[OptimalSolution, list[SolverAttempt]]:
    rule = best.transcription.rule
    if not isinstance(rule, CollocationRule):
        raise ModelError(
            f"meshes of {rule.name} are not refined; take more intervals or steps, or a "
            "collocation rule"
        )
    for k in range(to.rounds):
        errors = interval_errors(best)
        meshes[-1] = replace(meshes[-1], error=float(errors.max()))
        if errors.max() <= to.tolerance:
            break
        nodes = refined(best.transcription.nodes, errors, rule, to.tolerance)
        if len(nodes) - 1 > to.most_intervals:
            break
        equations = best.transcription.equations
        best = _solved(best.problem, rule, equations, nodes, best, settings)
        meshes.append(_attempt(f"mesh {k + 2}", best))
    else:
        meshes[-1] = replace(meshes[-1], error=float(interval_errors(best).max()))
    return best, meshes


def _attempt(said: str, found: OptimalSolution) -> SolverAttempt:
    answer = found.answer
    return SolverAttempt(
        said, len(found.transcription.nodes) - 1, answer.cost, answer.status, answer.iterations,
        answer.processor_time,
    )  # fmt: skip


_TRY = {
    "Infeasible_Problem_Detected": (
        "no motion near this start satisfies all constraints: widen the ranges named above, or "
        "begin from a start that satisfies them"
    ),
    "Maximum_Iterations_Exceeded": (
        "begin from a start nearer to a solution, such as one on a coarser mesh; add bounds where "
        "states run away, a small rate_weight where controls alternate, or more iterations"
    ),
    "Invalid_Number_Detected": (
        "the equations have no finite value somewhere: bound the states that divide or are under "
        "a root"
    ),
    "Restoration_Failed": (
        "constraints contradict one another near this start: widen them, or begin elsewhere"
    ),
}


def _explained(found: OptimalSolution) -> str:
    made, answer = found.transcription, found.answer
    along, unit = found.problem.along, found.problem.along_unit
    g = answer.constraints
    beyond = np.maximum(made.row_lower - g, g - made.row_upper)
    relative = np.where(np.isfinite(beyond), beyond, np.inf) / made.row_scales
    lines = [
        f"{found.problem.system.name}: the optimal control problem is not solved "
        f"({answer.status.replace('_', ' ').lower()}, {answer.iterations} iterations)"
    ]
    seen: set[tuple[str, str]] = set()
    stretch = found.length if found.problem.is_length_free else 1.0
    for k in np.argsort(-relative).tolist():
        row = made.rows[k]
        if relative[k] <= _FEASIBLE or len(seen) >= _WORST:
            break
        if (row.kind, row.name) in seen:
            continue
        seen.add((row.kind, row.name))
        lines.append(
            f"  {row.kind} {row.name} is violated by {beyond[k]:.3g}, most at {along} "
            f"{row.place * stretch:.4g} {unit}"
        )
    if not seen:
        lines.append("  all constraints hold; the cost is not at its smallest yet")
    lines += [f"  {said}" for said in _at_bounds(found)]
    lines.append(f"  try: {_TRY.get(answer.status, _TRY['Maximum_Iterations_Exceeded'])}")
    return "\n".join(lines)


def _at_bounds(found: OptimalSolution) -> list[str]:
    """States that are at a bound over most of their way."""
    made, v = found.transcription, found.answer.unknowns
    said = []
    for k, name in enumerate(made.equations.points.states):
        index = made.states[:, k]
        near = _BOUND * made.scales[index]
        for words, bound in (("lower", made.lower), ("upper", made.upper)):
            share = float(np.mean(np.abs(v[index] - bound[index]) <= near))
            if share > 0.5:
                said.append(f"{name} is at its {words} bound over {100.0 * share:.0f} % of its way")
    if found.problem.is_length_free:
        k = int(made.parameters[made.equations.parameters.index(LENGTH)])
        if abs(v[k] - made.upper[k]) <= _BOUND * made.scales[k]:
            said.append(f"the length of {found.problem.along} is at its upper bound")
    return said
