"""The search for a steady motion: from the guess, on a way to it, from where a system goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from axletree.analysis.newton import Root, find_root
from axletree.analysis.steady_equations import LEAST_SLOPE, SteadyEquations, SteadyPoint
from axletree.analysis.steady_given import SteadyStateError
from axletree.analysis.steady_path import TargetPath
from axletree.analysis.trim_conditions import conditions_of
from axletree.analysis.trim_search import LET_GO, UNSTABLE
from axletree.analysis.trim_settle import let_go
from axletree.analysis.trim_start import TrimStart
from axletree.core.errors import ExpressionError
from axletree.core.expr import evaluate

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
    start: TrimStart  # that of the model

    def solve(self, guess: SteadyPoint) -> Found:
        """Raises ``SteadyStateError`` with what is not met, and the closest point reached."""
        first = self.root(guess)
        if first.converged:
            return self._found(first, guess)
        for origin in self._origins(guess):
            arrived, reached = self._arrive(origin)
            if arrived is not None:
                return arrived
            if reached is not None:
                raise SteadyStateError(self._unmet(first, guess, reached))
        for start in self._gone(guess):
            root = self._root_or_none(start)
            if root is not None:
                return self._found(root, start)
        raise SteadyStateError(self._unmet(first, guess, None))

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
        self._refuse_felt(point)
        return Found(point, float(np.abs(root.residual).max(initial=0.0)), root.open)

    def _refuse_felt(self, point: SteadyPoint) -> None:
        """Of coordinates that made no difference at the start, those that do where it ended."""
        unfelt, system = set(self.equations.unfelt), self.equations.system
        if unfelt:
            unfelt -= set(conditions_of(system).unfelt(self.equations.values(point)))
        if unfelt:
            names = ", ".join(system.states[k].name for k in sorted(unfelt))
            raise SteadyStateError(
                f"{system.name}: {names} changes{self._goal(point)} and matters there, as on a "
                "bump of the road, so that nothing is steady; begin elsewhere with start=..."
            )

    def _origins(self, guess: SteadyPoint) -> Iterator[SteadyPoint]:
        """Straight ahead at the speeds that are given, then the model's own start."""
        easier = self.start.easier(self._given(guess))
        if easier is not None:
            yield replace(guess, states=easier.states, yaw_rate=0.0)
        yield replace(guess, states=self.start.at({}).states, yaw_rate=0.0)

    def _arrive(self, origin: SteadyPoint) -> tuple[Found | None, SteadyPoint | None]:
        """The steady motion that is asked for, else the last one on a way from an origin."""
        try:
            path = TargetPath(self.equations, origin, self.equations.misses(origin))
        except ExpressionError:
            return None, None
        begin = self._best(path.at(0.0))
        if begin is None:
            return None, None
        last, share = path.arrive(begin)
        root = self._root_or_none(last) if share == 1.0 else None
        found = None if root is None else self._found(root, last)
        return found, (last if 0.0 < share < 1.0 else None)

    def _best(self, origin: SteadyPoint) -> Root | None:
        """A root that is stable, as one with wheels that roll, else any, if there is one."""
        other = None
        for start in chain([origin], self._gone(origin)):
            root = self._root_or_none(start)
            if root is not None:
                slopes = self.equations.turning_slopes(self.equations.point(root.unknowns, start))
                if self.equations.conditions.growth(slopes) < UNSTABLE:
                    return root
                other = other or root
        return other

    def _given(self, point: SteadyPoint) -> dict[str, float]:
        """The targets that are states."""
        names = {q.symbol: q.name for q in self.equations.system.states}
        targets = zip(self.equations.targets, point.targets.tolist(), strict=True)
        return {names[t.expression]: x for t, x in targets if t.expression in names}

    def _gone(self, guess: SteadyPoint) -> Iterator[SteadyPoint]:
        """Where the system goes by itself, the states that are given as they are."""
        system = self.equations.system
        given = {k for k, q in enumerate(system.states) if q.name in self._given(guess)}
        problem = replace(
            self.equations.problem,
            states=guess.states, inputs=guess.inputs, parameters=guess.parameters,
        )  # fmt: skip
        for duration in LET_GO:
            moved = let_go(problem, {*given, *self.equations.conditions.drifting}, duration, 0.0)
            if moved is problem:
                return
            problem = moved
            yield replace(guess, states=moved.states)

    # -- messages ----------------------------------------------------------------------

    def _unmet(self, root: Root, guess: SteadyPoint, reached: SteadyPoint | None) -> str:
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
        if reached is not None:
            told += f"The closest that was reached is one{self._reached(reached)}. "
        return told + (
            "Give fewer values, let an input be found, or begin nearer to it with start=..."
        )

    def _goal(self, point: SteadyPoint) -> str:
        return self._with_values(point.targets.tolist())

    def _reached(self, point: SteadyPoint) -> str:
        expressions = [target.expression for target in self.equations.targets]
        return self._with_values(evaluate(expressions, self.equations.values(point)))

    def _with_values(self, values: Sequence[float]) -> str:
        texts = []
        for target, value in zip(self.equations.targets, values, strict=True):
            unit = "" if target.unit == "1" else target.unit
            texts.append(f"{target.name} = {value:.6g} {unit}".rstrip())
        return f" with {', '.join(texts)}" if texts else ""
