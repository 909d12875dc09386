"""A step with set-valued forces in Python: what ``set_valued_step`` is in C.

1. ``rows`` are evaluated at the beginning of the step.
2. A contact whose gap would close within the step bounces: its velocity at the end is at least
   ``restitution`` times that of approach (Newton). Without restitution, and where the approach is
   no faster than what one step gives to it, the gap closes no further than to zero. Where bodies
   have sunk into one another they are held from sinking on, and not driven apart.
3. The complementarity problem gives the forces. Where bounds depend on forces, as those of
   friction on the normal force, they are found anew from these and the problem is solved again,
   until they no longer change: friction and normal force are those of the same step.
4. A speed of which less than ``REST`` is left of what the largest force could make of it is
   rounding, and becomes zero: what is held is at rest and stays where it is.
5. All other states move with the new speeds and the forces.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from axletree.formulation.set_valued import LAW
from axletree.simulation.mlcp.method import Projected
from axletree.simulation.mlcp.problem import ComplementarityProblem, Outcome, Vector
from axletree.simulation.python_loop import PythonLoop, Step
from axletree.simulation.set_valued_bounds import PASSES, SETTLED
from axletree.simulation.set_valued_step import REST, Solver
from axletree.simulation.step_report import LEFT, POOR, POORLY, WHEN, WORST
from axletree.system.step_rows import StepRows

GOOD = (Outcome.SOLVED, Outcome.APPROXIMATE)


class _Evaluated:
    """The values of rows as arrays."""

    def __init__(self, values: list[float], speeds: int, m: int) -> None:
        flat = np.array(values)
        sizes = [speeds, m * speeds, m * m, m, m, *([m] * len(LAW))]
        parts = np.split(flat, np.cumsum(sizes)[:-1])
        self.finite = bool(np.isfinite(flat).all())
        self.free, self.velocity, self.push = parts[0], parts[3], parts[4]
        self.columns = parts[1].reshape(m, speeds)
        self.coupling = parts[2].reshape(m, m)
        self.law = dict(zip(LAW, parts[5:], strict=True))

    def matrix(self, h: float) -> Vector:
        return np.asarray(h * self.coupling + np.diag(self.law["compliance"] + self.soft(h)))

    def soft(self, h: float) -> Vector:
        """What springs give at the end of the step, velocity per force."""
        hard = h * self.law["stiffness"] + self.law["damping"]
        return np.asarray(np.divide(1.0, hard, out=np.zeros(len(hard)), where=hard > 0.0))

    def offset(self, h: float, contacts: tuple[bool, ...]) -> Vector:
        """What w is without forces."""
        freely, approach = self.velocity + h * self.push, -self.velocity
        gap, restitution = self.law["position"], self.law["restitution"]
        meets = (approach > np.maximum(-h * self.push, 0.0)) & (gap + h * freely <= 0.0)
        meets &= restitution > 0.0
        of_contact = np.where(meets, restitution * approach, -np.maximum(gap, 0.0) / h)
        wanted = self.law["offset"] + self.soft(h) * self.law["preload"]
        return np.asarray(freely - (wanted + np.where(contacts, of_contact, 0.0)))

    def moved(self, speeds: Vector, h: float, force: Vector) -> Vector:
        """The speeds at the end of the step."""
        moves = h * self.columns
        total = speeds + h * self.free + (moves * force[:, None]).sum(axis=0)
        root = np.sqrt(np.maximum(np.diagonal(self.matrix(h)), 0.0))
        largest = np.max(np.abs(force) * root)  # in roots of energies, whatever the units
        reach = np.divide(largest, root, out=np.zeros(len(root)), where=root > 0.0)
        size = np.abs(speeds) + np.abs(h * self.free) + np.abs(moves).T @ reach
        return np.asarray(np.where(np.abs(total) > REST * size, total, 0.0))


def step_of(rows: StepRows, solver: Solver) -> Step:
    """The step function for these rows."""
    m = len(rows.reactions)

    def step(loop: PythonLoop, t: float, h: float, x: list[float]) -> list[float]:
        n = loop.speeds
        now = _Evaluated(loop.called("rows", t, x), n, m)
        if not now.finite:
            return [float("nan"), *x[1:]]
        problem = ComplementarityProblem(
            now.matrix(h),
            now.offset(h, rows.contacts),
            np.where(rows.bounded_below, now.law["lower"], -np.inf),
            np.where(rows.bounded_above, now.law["upper"], np.inf),
        )
        force = _forces(rows, solver, problem, loop, t, x)
        if force is None:
            return x
        speeds = now.moved(np.array(x[:n]), h, force).tolist()
        later = loop.rates(t, [*speeds, *x[n:]])
        return [*speeds, *(z + h * rate for z, rate in zip(x[n:], later, strict=True))]

    return step


def _forces(
    rows: StepRows,
    solver: Solver,
    problem: ComplementarityProblem,
    loop: PythonLoop,
    t: float,
    x: list[float],
) -> Vector | None:
    """The forces of a step, which become inputs of the loop; None if they were not found."""
    m = len(rows.reactions)
    lower, upper = problem.lower.copy(), problem.upper.copy()
    for _ in range(PASSES[type(solver)] if rows.following else 1):
        bounded = replace(problem, lower=lower, upper=upper)
        found = solver.solve(bounded, bounded.within(np.array(loop.levels[-m:])))
        if found.outcome not in GOOD:  # for what rounding leaves of a start that is far off
            found = solver.solve(bounded)
        loop.levels[-m:] = found.unknowns.tolist()
        if found.outcome not in GOOD:
            loop.report[0] = float(found.outcome.value)
            for row in found.rows:
                loop.report[1 + row] = 1.0
            return None
        left = found.residual
        if rows.following:
            moved = _moved_bounds(rows, loop.called("bounds", t, x), lower, upper)
            if moved <= SETTLED and not isinstance(solver, Projected):
                break
            left = max(left, moved)
    _tell(loop, left, t)
    return found.unknowns


def _tell(loop: PythonLoop, left: float, t: float) -> None:
    """The residual of a step, and whether it is the greatest so far."""
    loop.report[LEFT] = left
    if left > loop.report[WORST]:
        loop.report[WORST], loop.report[WHEN] = left, t
    loop.report[POORLY] += left > POOR


def _moved_bounds(rows: StepRows, bounds: list[float], lower: Vector, upper: Vector) -> float:
    """Bounds for the forces as they are now; their change over the largest of them."""
    change = largest = 0.0
    count = len(rows.following)
    for k, row in enumerate(rows.following):
        for present, array, value in (
            (rows.bounded_below, lower, bounds[k]),
            (rows.bounded_above, upper, bounds[count + k]),
        ):
            if present[row]:
                before = float(array[row])
                change = max(change, abs(value - before))
                largest = max(largest, abs(value), abs(before))
                array[row] = value
    return change / largest if change > 0.0 else 0.0
