"""The search for a steady motion: from the guess, along a homotopy, from where the system settles;
and what to say where there is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from axletree.analysis.steady.conditions import TrimConditions, conditions_of
from axletree.analysis.steady.equations import (
    LEAST_SLOPE,
    Motion,
    SteadyEquations,
    SteadyPoint,
    TrimEquations,
)
from axletree.analysis.steady.homotopy import HeldStateHomotopy, TargetHomotopy
from axletree.analysis.steady.newton import Root, find_root
from axletree.analysis.steady.problem import MOST_NAMED, SteadyStateError, TrimError, TrimStart
from axletree.analysis.steady.result import FoundPoint
from axletree.analysis.steady.settle import relax
from axletree.analysis.steady.yaw_symmetry import YawSymmetry, yaw_symmetry
from axletree.core.errors import ExpressionError
from axletree.expr import Expr, evaluate
from axletree.expr.quantity import Role
from axletree.simulation.problem import Problem

RELAXATION_TIMES = (4.0, 16.0)  # [s], from a start that is too far off
DAMPING = 5.0  # [1/s], of what is to come to rest
UNSTABLE = 1e-4  # growth beside the quickest motion from which on others are looked for
ROUGH = 1e-3  # [m/s^2] or [rad/s^2]; more is left where a force all but jumps through zero
SAME = 1e-6  # to which two motions are one


@dataclass(frozen=True)
class FoundMotion:
    """A steady motion that was found."""

    equations: TrimEquations
    motion: Motion
    residual: float
    open: tuple[int, ...]  # states
    drifting: tuple[int, ...]  # states


PEDAL_SHARES = (0.5, 0.95, 1.5)  # of a pedal's way; beyond it, for forces that take over there


@dataclass(frozen=True)
class TrimSearch:
    """Tries from the start of a problem and, if need be, from where it goes by itself."""

    conditions: TrimConditions
    problem: Problem
    held: Sequence[int]
    found: Sequence[Sequence[int]]
    stands: bool
    coasts: bool
    easier: Problem | None = None  # whose held states are nearer to the model's start

    def solve(self) -> FoundMotion:
        """Coordinates that make no difference at the start may drift, if they make none later."""
        unfelt = [] if self.stands else self.conditions.unfelt(self._values_at_start())
        if not unfelt:
            return self._solved()
        conditions = conditions_of(self.conditions.system, tuple(unfelt))
        try:
            steady = replace(self, conditions=conditions)._solved()
        except TrimError as error:
            told = error
        else:
            values = steady.equations.values(steady.motion)
            if set(unfelt) <= set(self.conditions.unfelt(values)):
                return steady
            return self._solved()
        try:
            return self._solved()
        except TrimError:
            raise told from None

    def _solved(self) -> FoundMotion:
        equations, root = self._best()
        if not root.converged:
            raise TrimError(self._unmet(equations, root))
        first, count = equations.first_effort, len(equations.free)
        vague = [k - first for k in root.open if k >= first]
        if vague:
            raise TrimError(self._vague(vague))
        open_states = [equations.free[k] for k in root.open if k < count]
        return FoundMotion(
            equations,
            equations.motion(root.unknowns),
            float(np.abs(root.residual).max(initial=0.0)),
            tuple(k for k in open_states if k not in set(self.conditions.drifting)),
            tuple(sorted({*self.conditions.drifting, *self.headings})),
        )

    def _best(self) -> tuple[TrimEquations, Root]:
        """A root that is stable, else one that an easier one leads to, else any, or a failure."""
        direct = self._from(self.problem)
        if not direct[1].converged:
            direct = self._opened() or direct
        if self._is_good(*direct):
            return direct
        if self.easier is not None:
            root = replace(self, problem=self.easier, easier=None)._best()[1]
            path = HeldStateHomotopy(direct[0], self.easier.states)
            arrived, share = path.arrive(root) if root.converged else (None, None)
            if arrived is not None:
                return direct[0], arrived
            if share and not direct[1].converged:
                raise TrimError(self._ended(share))
        return self._let_go(direct)

    def _opened(self) -> tuple[TrimEquations, Root] | None:
        """A root from a throttle that is open: from a closed one, or one that is
        open too little, a search may go beyond 1, where nothing changes, if gears depend on it."""
        named = self.conditions.system.inputs
        shares = [k for group in self.found for k in group if named[k].unit == "1"]
        for level in PEDAL_SHARES if shares else ():
            inputs = self.problem.inputs.copy()
            inputs[shares] = level
            found = self._from(replace(self.problem, inputs=inputs))
            if found[1].converged:
                return found
        return None

    def _let_go(self, direct: tuple[TrimEquations, Root]) -> tuple[TrimEquations, Root]:
        """A root that is stable, else of all roots the one of least effort, else a failure.

        A wheel that slides can be steady, too; a stable motion is one with wheels that roll.
        """
        problem, tries = direct[0].problem, [direct]
        speeds = self._speeds() if self.stands else []
        kept = {*self.held, *self.headings, *self.conditions.drifting} - set(speeds)
        for duration in RELAXATION_TIMES:
            problem = relax(problem, kept, duration, DAMPING if self.stands else 0.0)
            tries.append(self._from(problem))
            if self._is_good(*tries[-1]) or _are_same(*tries[-2:]):
                return tries[-1]
        roots = [found for found in tries if found[1].converged]
        return min(roots, key=lambda found: _effort(*found)) if roots else tries[0]

    def _from(self, problem: Problem) -> tuple[TrimEquations, Root]:
        if self.stands:
            problem = self._stopped(problem)
        equations = TrimEquations(
            self.conditions, problem, [*self.held, *self.headings], self.found, self.coasts,
            self._symmetry,
        )  # fmt: skip
        root = find_root(equations.residual, equations.slopes, equations.start())
        left = np.abs(root.residual[self.conditions.speeds.any(axis=1)]).max(initial=0.0)
        return equations, replace(root, converged=root.converged and bool(left < ROUGH))

    @cached_property
    def _symmetry(self) -> YawSymmetry | None:
        if self.stands:
            return None
        values = self._values_at_start()
        return yaw_symmetry(self.conditions.system, values, self.conditions.settled)

    @cached_property
    def headings(self) -> tuple[int, ...]:
        """A coordinate that turns with the whole and does not matter otherwise, if any does."""
        if self._symmetry is None:
            return ()
        turned = np.abs(self._symmetry.generator(self._values_at_start()).field)
        states = self.conditions.system.states
        found = [k for k in self.conditions.settled if states[k].role is Role.COORDINATE]
        return tuple(sorted(found, key=lambda k: -turned[k])[:1])

    def _values_at_start(self) -> dict[Expr, float]:
        return TrimEquations(self.conditions, self.problem, (), (), False).values_at_start()

    def _stopped(self, problem: Problem) -> Problem:
        states = problem.states.copy()
        states[self._speeds()] = 0.0
        return replace(problem, states=states)

    def _is_good(self, equations: TrimEquations, root: Root) -> bool:
        slopes = equations.turning_slopes(equations.motion(root.unknowns))
        return root.converged and self.conditions.growth(slopes) < UNSTABLE

    def _speeds(self) -> list[int]:
        states = self.conditions.system.states
        return [k for k, quantity in enumerate(states) if quantity.role is Role.SPEED]

    # -- messages ----------------------------------------------------------------------

    def _unmet(self, equations: TrimEquations, root: Root) -> str:
        worst = np.argsort(-np.abs(root.residual))[:MOST_NAMED]
        missed = [
            f"{self.conditions.conditions[k].says} {root.residual[k]:.3g} "
            f"{self.conditions.conditions[k].unit}".rstrip()
            for k in worst
            if root.residual[k]
        ]
        reason = "the search came to no end"
        if root.contradictory:
            reason = "nothing that is free can meet all conditions"
        return (
            f"{self.conditions.system.name}: no steady motion was found{self._given()}: {reason}; "
            f"{', '.join(missed)}. Hold fewer states, let an input be found, or start nearer to it"
        )

    def _ended(self, share: float) -> str:
        states, easier = self.conditions.system.states, self.easier
        assert easier is not None
        reached = easier.states + share * (self.problem.states - easier.states)
        ends = [
            f"{states[k].name} = {reached[k]:.3g} {states[k].unit}"
            for k in self.held
            if easier.states[k] != self.problem.states[k]
        ]
        return (
            f"{self.conditions.system.name}: no steady motion was found{self._given()}: from the "
            f"start of the model such motions go on to {', '.join(ends)} and no further. Hold "
            "less, let another input be found, or start nearer to it"
        )

    def _vague(self, vague: Sequence[int]) -> str:
        system = self.conditions.system
        levels = [", ".join(system.inputs[k].name for k in group) for group in self.found]
        names = [*levels, "the rate at which speeds fall"]
        return (
            f"{system.name}: the conditions leave open {' and '.join(names[k] for k in vague)}"
            f"{self._given()}; hold one state for each input that is to be found, or let inputs "
            "share one level"
        )

    def _given(self) -> str:
        states = self.conditions.system.states
        if self.stands:
            return " at rest"
        held = [
            f"{states[k].name} = {self.problem.states[k]:g} {states[k].unit}" for k in self.held
        ]
        return f" with {', '.join(held)}"


def _are_same(one: tuple[TrimEquations, Root], other: tuple[TrimEquations, Root]) -> bool:
    """Whether two searches ended in one motion."""
    first, second = one[1], other[1]
    close = np.allclose(first.unknowns, second.unknowns, rtol=SAME, atol=SAME)
    return first.converged and second.converged and bool(close)


def _effort(equations: TrimEquations, root: Root) -> float:
    """What it takes to keep the motion up: levels of inputs that are found, or lost speed."""
    effort = root.unknowns[equations.first_effort :]
    return float(np.abs(effort).max(initial=0.0))


MOST_CONDITIONS_NAMED = 4  # conditions in a message


@dataclass(frozen=True)
class SteadySearch:
    """Newton's method with exact slopes, from several starts."""

    equations: SteadyEquations
    start: TrimStart  # that of the model

    def solve(self, guess: SteadyPoint) -> FoundPoint:
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

    def _found(self, root: Root, around: SteadyPoint) -> FoundPoint:
        point = self.equations.point(root.unknowns, around)
        self._refuse_felt(point)
        return FoundPoint(point, float(np.abs(root.residual).max(initial=0.0)), root.open)

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

    def _arrive(self, origin: SteadyPoint) -> tuple[FoundPoint | None, SteadyPoint | None]:
        """The steady motion that is asked for, else the last one on a way from an origin."""
        try:
            path = TargetHomotopy(self.equations, origin, self.equations.misses(origin))
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
        for duration in RELAXATION_TIMES:
            moved = relax(problem, {*given, *self.equations.conditions.drifting}, duration, 0.0)
            if moved is problem:
                return
            problem = moved
            yield replace(guess, states=moved.states)

    # -- messages ----------------------------------------------------------------------

    def _unmet(self, root: Root, guess: SteadyPoint, reached: SteadyPoint | None) -> str:
        worst = np.argsort(-np.abs(root.residual))[:MOST_CONDITIONS_NAMED]
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
