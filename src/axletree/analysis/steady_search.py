"""The search for a steady motion: from the guess, from where the system goes, and step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from axletree.analysis.newton import Root, find_root
from axletree.analysis.steady_equations import LEAST_SLOPE, SteadyEquations, SteadyPoint
from axletree.analysis.steady_given import SteadyStateError
from axletree.analysis.trim_settle import let_go
from axletree.core.errors import ExpressionError
from axletree.core.expr import evaluate

LET_GO = 4.0  # [s], from a guess that is too far off
FIRST, LONGEST, SHORTEST = 0.125, 0.25, 1.0 / 256.0  # steps from the model's start to what is asked
MOST_NAMED = 4  # conditions in a message


@dataclass(frozen=True)
class Found:
    """A steady motion in numbers, and what its conditions leave open of the unknowns."""

    point: SteadyPoint
    residual: float
    open: tuple[int, ...]


@dataclass(frozen=True)
class SteadySearch:
    """Newton's method with exact slopes, from several starts."""

    equations: SteadyEquations
    own: np.ndarray  # states at the model's own start

    def solve(self, guess: SteadyPoint) -> Found:
        """Raises ``SteadyStateError`` with what is not met, and the closest point reached."""
        first = self.root(guess)
        if first.converged:
            return self._found(first, guess)
        for start in self._starts(guess):
            root = self._root_or_none(start)
            if root is not None:
                return self._found(root, start)
        share, reached = 0.0, None
        for share, reached in self._way(guess):
            if share == 1.0:
                return reached
        raise SteadyStateError(self._unmet(first, guess, share, reached))

    def root(self, around: SteadyPoint) -> Root:
        equations = self.equations
        try:
            return find_root(
                lambda y: equations.residual(y, around),
                lambda y: equations.slopes(y, around),
                equations.unknowns(around),
                LEAST_SLOPE,
            )
        except ExpressionError as error:
            raise SteadyStateError(
                f"{equations.system.name}: the search for a steady motion cannot begin where the "
                f"equations have no values: {error}; give first guesses with start=..."
            ) from None

    def _root_or_none(self, around: SteadyPoint) -> Root | None:
        try:
            found = self.root(around)
        except SteadyStateError:
            return None
        return found if found.converged else None

    def _found(self, root: Root, around: SteadyPoint) -> Found:
        point = self.equations.point(root.unknowns, around)
        return Found(point, float(np.abs(root.residual).max(initial=0.0)), root.open)

    def _starts(self, guess: SteadyPoint) -> Iterator[SteadyPoint]:
        """Where the system goes by itself, the states that are given as they are."""
        index = {q.symbol: k for k, q in enumerate(self.equations.system.states)}
        given = {index[t.expression] for t in self.equations.targets if t.expression in index}
        problem = replace(
            self.equations.problem,
            states=guess.states, inputs=guess.inputs, parameters=guess.parameters,
        )  # fmt: skip
        moved = let_go(problem, {*given, *self.equations.conditions.drifting}, LET_GO, 0.0)
        if moved is not problem:
            yield replace(guess, states=moved.states)

    def _way(self, guess: SteadyPoint) -> Iterator[tuple[float, Found]]:
        """Steady motions from the model's own start towards the values that are asked for."""
        plain = replace(guess, states=self.own, yaw_rate=0.0)
        try:
            misses = self.equations.misses(plain)
        except ExpressionError:
            return
        passed: list[tuple[float, SteadyPoint]] = [(0.0, plain)]
        step = 0.0
        while step == 0.0 or step >= SHORTEST:
            goal = min(passed[-1][0] + step, 1.0)
            start = replace(self._ahead(passed, goal), shifts=(1.0 - goal) * misses)
            root = self._root_or_none(start)
            if root is not None:
                found = self._found(root, start)
                yield goal, found
                if goal == 1.0:
                    return
                passed = [*passed[-1:], (goal, found.point)] if step else [(goal, found.point)]
                step = min(2.0 * step, LONGEST) if step else FIRST
            elif step == 0.0:
                return
            else:
                step *= 0.5

    def _ahead(self, passed: list[tuple[float, SteadyPoint]], goal: float) -> SteadyPoint:
        """The last point, or one beyond it in the direction of the last step."""
        share, point = passed[-1]
        if len(passed) == 1:
            return point
        before, last = (self.equations.unknowns(at) for _, at in passed)
        further = (goal - share) / (share - passed[0][0])
        return self.equations.point(last + further * (last - before), point)

    # -- messages ----------------------------------------------------------------------

    def _unmet(self, root: Root, guess: SteadyPoint, share: float, reached: Found | None) -> str:
        worst = np.argsort(-np.abs(root.residual))[:MOST_NAMED]
        missed = []
        for row in worst:
            if root.residual[row]:
                says, unit = self.equations.says(int(row))
                missed.append(f"{says} {root.residual[row]:.3g} {unit}".rstrip())
        reason = "the search came to no end"
        if root.contradictory:
            reason = "nothing that is free can meet all conditions"
        told = f"{self.equations.system.name}: no steady motion was found{self._goal(guess)}: "
        told += f"{reason}; {', '.join(missed)}. "
        if reached is not None and share:
            told += f"The closest that was reached is one{self._reached(reached.point)}. "
        return told + (
            "Give fewer values, let an input be found, or begin nearer to it with start=..."
        )

    def _goal(self, point: SteadyPoint) -> str:
        targets = zip(self.equations.targets, point.targets.tolist(), strict=True)
        texts = [f"{target.name} = {value:.6g} {target.unit}".rstrip() for target, value in targets]
        return f" with {', '.join(texts)}" if texts else ""

    def _reached(self, point: SteadyPoint) -> str:
        expressions = [target.expression for target in self.equations.targets]
        values = evaluate(expressions, self.equations.values(point))
        texts = [
            f"{target.name} = {value:.6g} {target.unit}".rstrip()
            for target, value in zip(self.equations.targets, values, strict=True)
        ]
        return f" with {', '.join(texts)}" if texts else ""
