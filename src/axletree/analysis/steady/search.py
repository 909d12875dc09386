"""The search for a steady motion: from the guess, along a homotopy, from where the system settles;
and what to say where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from axletree.analysis.linear.jacobians import values_of
from axletree.analysis.steady.arclength import SolutionCurve
from axletree.analysis.steady.conditions import conditions_of
from axletree.analysis.steady.equations import (
    LEAST_SLOPE,
    FoundPoint,
    SteadyEquations,
    SteadyPoint,
)
from axletree.analysis.steady.newton import Root, find_root
from axletree.analysis.steady.problem import MOST_NAMED, SteadyProblem
from axletree.analysis.steady.settle import relax
from axletree.components.axle_drives import ENGINE_RATE
from axletree.core.errors import ExpressionError, TrimError
from axletree.expr import evaluate
from axletree.simulation.problem import Problem

RELAXATION_TIMES = (4.0, 16.0)  # [s], from a start that is too far off
DAMPING = 5.0  # [1/s], of what is to come to rest
UNSTABLE = 1e-4  # growth beside the quickest motion from which on others are looked for
ROUGH = 1e-3  # SI; more is left of an acceleration where a force all but jumps through zero
_SAME = 1e-6  # to which two motions are one
PEDAL_SHARES = (0.5, 0.95, 1.5)  # of a pedal's way; beyond it, for forces that take over there


def find_motion(problem: SteadyProblem) -> FoundPoint:
    """The steady motion near the model's start, or near first guesses.

    Where nothing says that the system moves, it rests if it can.
    """
    numbers = problem.guess()
    if problem.rests and problem.speeds:
        return _search(problem, numbers, stands=True)
    if not problem.speeds or not problem.may_rest:
        return _search(problem, numbers, stands=False)
    return _at_rest_or_moving(problem, numbers)


def _at_rest_or_moving(problem: SteadyProblem, numbers: Problem) -> FoundPoint:
    """A system that an input drives and that cannot rest is not to be let run to find that out."""
    if problem.given.inputs or problem.found:
        resting = SteadySearch(SteadyEquations(problem, numbers, stands=True), True)
        moving = SteadySearch(SteadyEquations(problem, numbers), True)
        if not resting.has_short_way() and (found := moving.short()) is not None:
            return found
    return _first_found(partial(_search, problem, numbers, stands=k) for k in (True, False))


def _first_found(searches: Iterable[Callable[[], FoundPoint]]) -> FoundPoint:
    """What the first search finds that finds something; else what the first of all says."""
    unmet: list[TrimError] = []
    for search in searches:
        try:
            return search()
        except TrimError as error:
            unmet.append(error)
    raise unmet[0] from None


def _search(problem: SteadyProblem, numbers: Problem, *, stands: bool) -> FoundPoint:
    """Coordinates that make no difference at the start may drift, if they make none later."""
    coasts = problem.may_coast(conditions_of(problem.system).settled)

    def searched(unfelt: tuple[int, ...]) -> FoundPoint:
        equations = SteadyEquations(problem, numbers, stands=stands, coasts=coasts, unfelt=unfelt)
        return SteadySearch(equations, problem.near is None).solve(equations.guess)

    unfelt = () if stands else unfelt_at(problem, numbers)
    return _first_found(partial(searched, ones) for ones in dict.fromkeys((unfelt, ())))


def unfelt_at(problem: SteadyProblem, numbers: Problem) -> tuple[int, ...]:
    """Coordinates of a system that moves which make no difference where it is."""
    if not numbers.states[problem.speeds].any():
        return ()
    return tuple(conditions_of(problem.system).unfelt(values_of(numbers)))


@dataclass(frozen=True)
class Candidate:
    """Where Newton's method ended that began at a point."""

    around: SteadyPoint
    root: Root


@dataclass(frozen=True)
class SteadySearch:
    """Newton's method with exact slopes, from several starts.

    A wheel that slides can be steady, too; a stable motion is one with wheels that roll. So where
    nobody has said near which motion it is, a stable one is preferred.
    """

    equations: SteadyEquations
    prefers_stable: bool

    def solve(self, guess: SteadyPoint) -> FoundPoint:
        """Raises ``TrimError`` with what is not met, and the closest motion that was reached."""
        direct = self._from(guess)
        if direct is None:
            raise TrimError(self._no_values(guess))
        best = self._best(guess, direct)
        if not best.root.converged:
            raise TrimError(self._unmet(best, None))
        return self._found(best)

    def has_short_way(self) -> bool:
        """Whether Newton's method finds a motion from the guess alone."""
        direct = self._from(self.equations.guess)
        return direct is not None and direct.root.converged

    def short(self) -> FoundPoint | None:
        """What Newton's method finds from the guess alone, if that is stable."""
        direct = self._from(self.equations.guess)
        if direct is None or not self._is_good(direct):
            return None
        try:
            return self._found(direct)
        except TrimError:
            return None

    # -- starts ------------------------------------------------------------------------

    def _best(self, guess: SteadyPoint, direct: Candidate) -> Candidate:
        """A root that is stable, else one that an origin leads to, else any, or a failure."""
        if not direct.root.converged:
            direct = self._with_open_pedals(guess) or direct
        if self._is_good(direct):
            return direct
        led = self._led(direct, self._origins(guess, direct.root.converged))
        if led is not None:
            return led
        settled, problem = self._settled(direct), self.equations.problem
        start = self._model_start(guess)
        if settled.root.converged or problem.rows or not start.states[problem.speeds].any():
            return settled
        try:  # a branch that ends near the model's start is no limit of what was asked for
            return self._led(direct, [start]) or settled
        except TrimError:
            return settled

    def _led(self, direct: Candidate, origins: Sequence[SteadyPoint]) -> Candidate | None:
        """The motion that a homotopy from one of the origins ends in."""
        for origin in origins:
            path = Homotopy(self.equations, origin)
            begin = self._begin(path)
            if begin is None:
                continue
            last, share = path.arrive(begin.root)
            arrived = self._from(last) if share == 1.0 else None
            if arrived is not None and arrived.root.converged:
                return arrived
            if 0.0 < share < 1.0 and not direct.root.converged:
                raise TrimError(self._unmet(direct, last))
        return None

    def _begin(self, path: Homotopy) -> Candidate | None:
        """The motion at an origin: a stable one, or any, if there is one."""
        careful = replace(self, prefers_stable=True)
        try:
            direct = careful._from(path.at(0.0))
        except ExpressionError:
            return None
        if direct is None:
            return None
        if not direct.root.converged:
            direct = careful._with_open_pedals(path.at(0.0)) or direct
        found = direct if careful._is_good(direct) else careful._settled(direct)
        return found if found.root.converged else None

    def _origins(self, guess: SteadyPoint, converged: bool) -> list[SteadyPoint]:
        """Straight ahead at the speeds that are given; and the model's own start."""
        problem = self.equations.problem
        ahead = problem.start.easier(self._held(guess))
        if ahead is not None:
            origins = [guess._replace(states=ahead.states, yaw_rate=0.0)]
        else:
            origins = [guess] if problem.rows and not converged else []
        if problem.rows and not converged:
            origins.append(self._model_start(guess))
        return origins

    def _model_start(self, guess: SteadyPoint) -> SteadyPoint:
        return guess._replace(states=self.equations.problem.start.at({}).states, yaw_rate=0.0)

    def _held(self, point: SteadyPoint) -> dict[str, float]:
        states = self.equations.system.states
        held = self.equations.problem.held
        return {states[k].name: float(point.targets[j]) for k, j in held.items()}

    def _with_open_pedals(self, guess: SteadyPoint) -> Candidate | None:
        """A root from a throttle that is open: from a closed one, or one that is
        open too little, a search may go beyond 1, where nothing changes, if gears depend on it."""
        units = {q.symbol: (k, q.unit) for k, q in enumerate(self.equations.system.inputs)}
        sought = [units[s] for s in self.equations.problem.sought if s in units]
        shares = [k for k, unit in sought if unit == "1"]
        for level in PEDAL_SHARES if shares else ():
            inputs = guess.inputs.copy()
            inputs[shares] = level
            found = self._from(guess._replace(inputs=inputs))
            if found is not None and found.root.converged:
                return found
        return None

    def _settled(self, direct: Candidate) -> Candidate:
        """Where the system goes by itself: a root that is stable, else of all roots the one of
        least effort, else a failure."""
        equations, tries = self.equations, [direct]

        def effort(found: Candidate) -> float:
            """What it takes to keep the motion up: levels that are found, or lost speed."""
            return float(np.abs(found.root.unknowns[equations.first_effort :]).max(initial=0.0))

        speeds = set(equations.problem.speeds) if equations.stands else set()
        kept = {*equations.problem.held, *equations.drifting} - speeds
        placed = equations.point(equations.unknowns(direct.around), direct.around)
        numbers = equations.numbers_at(placed)  # with held states where they are to be
        for duration in RELAXATION_TIMES:
            numbers = relax(numbers, kept, duration, DAMPING if equations.stands else 0.0)
            states = numbers.states.copy()
            states[sorted(speeds)] = 0.0
            found = self._from(direct.around._replace(states=states))
            if found is not None:
                tries.append(found)
                if self._is_good(found) or _are_same(*tries[-2:]):
                    return found
        roots = [found for found in tries if found.root.converged]
        return min(roots, key=effort) if roots else direct

    def _from(self, around: SteadyPoint) -> Candidate | None:
        """None where the equations have no values at the point."""
        equations = self.equations
        try:
            root = find_root(
                lambda y: equations.residual(y, around),
                lambda y: equations.slopes(y, around),
                equations.unknowns(around),
                LEAST_SLOPE,
            )
        except ExpressionError:
            return None
        left = np.abs(root.residual[equations.conditions.mechanical]).max(initial=0.0)
        converged = root.converged and bool(left < ROUGH)
        return Candidate(around, replace(root, converged=converged))

    def _is_good(self, found: Candidate) -> bool:
        if not found.root.converged:
            return False
        if not self.prefers_stable:
            return True
        slopes = self.equations.turning_slopes(self._point(found))
        return self.equations.conditions.growth(slopes) < UNSTABLE

    def _point(self, found: Candidate) -> SteadyPoint:
        return self.equations.point(found.root.unknowns, found.around)

    def _found(self, best: Candidate) -> FoundPoint:
        equations, point = self.equations, self._point(best)
        self._refuse_felt(point)
        vague = [k for k in best.root.open if k >= equations.first_effort]
        if vague and self.prefers_stable:
            names = " and ".join(equations.names[k] for k in vague)
            raise TrimError(
                f"{equations.system.name}: the conditions leave open {names}{self._goal(point)}; "
                "give one value more for each input that is to be found, or let inputs share one "
                "level"
            )
        residual = float(np.abs(best.root.residual).max(initial=0.0))
        return FoundPoint(equations, point, residual, best.root.open)

    def _refuse_felt(self, point: SteadyPoint) -> None:
        """Of coordinates that made no difference at the start, those that do where it ended."""
        unfelt, system = set(self.equations.unfelt), self.equations.system
        if unfelt:
            unfelt -= set(conditions_of(system).unfelt(self.equations.values(point)))
        if unfelt:
            names = ", ".join(system.states[k].name for k in sorted(unfelt))
            raise TrimError(
                f"{system.name}: {names} changes{self._goal(point)} and matters there, as on a "
                "bump of the road, so that nothing is steady; begin elsewhere with start=..."
            )

    # -- messages ----------------------------------------------------------------------

    def _no_values(self, guess: SteadyPoint) -> str:
        equations = self.equations
        try:
            equations.residual(equations.unknowns(guess), guess)
        except ExpressionError as error:
            reason = str(error)
        else:
            reason = "they are not finite"
        return (
            f"{equations.system.name}: the search for a steady motion cannot begin where the "
            f"equations have no values: {reason}; give first guesses with start=..."
        )

    def _unmet(self, direct: Candidate, reached: SteadyPoint | None) -> str:
        residual = direct.root.residual
        missed = []
        for row in np.argsort(-np.abs(residual))[:MOST_NAMED]:
            if residual[row]:
                says, unit = self.equations.says(int(row))
                missed.append(f"{says} {residual[row]:.3g} {unit}".rstrip())
        reason = "the search came to no end"
        if direct.root.contradictory:
            reason = "nothing that is free can meet all conditions"
        goal = f"{self.equations.system.name}: no steady motion was found"
        told = f"{goal}{self._goal(direct.around)}: {reason}; {', '.join(missed)}. "
        if reached is not None:
            wanted = [target.expression for target in self.equations.targets]
            values = evaluate(wanted, self.equations.values(reached))
            told += f"The closest that was reached is one{self._with_values(values)}. "
        told += "".join(self._disagreeing(direct.around)) + self._idling()
        advice = "Give fewer values, let an input be found, or begin nearer to it with start=..."
        return told + advice

    def _idling(self) -> str:
        """That an engine moves what was to stand, if that may be so."""
        ending = f".{ENGINE_RATE.suffix}"
        idles = any(q.name.endswith(ending) for q in self.equations.system.states)
        if not (idles and self.equations.stands):
            return ""
        return (
            "An engine that idles behind a torque converter moves a vehicle: hold it by the input "
            "driver.brake. "
        )

    def _disagreeing(self, around: SteadyPoint) -> Iterator[str]:
        """Of values that are too many, those without which there is a motion."""
        problem = self.equations.problem
        if len(problem.given.targets) < 2 or len(problem.rows) + len(problem.held) <= len(
            problem.found
        ):
            return
        for j, target in enumerate(problem.given.targets):
            others = (*problem.given.targets[:j], *problem.given.targets[j + 1 :])
            less = replace(problem, given=replace(problem.given, targets=others))
            equations = SteadyEquations(
                less, self.equations.numbers_at(around), coasts=self.equations.coasts,
                stands=self.equations.stands, unfelt=self.equations.unfelt,
            )  # fmt: skip
            search = replace(self, equations=equations)
            found = search._from(equations.guess)
            if found is not None and found.root.converged:
                value = evaluate([target.expression], equations.values(search._point(found)))[0]
                off = _with_unit(float(value) - target.value, target.unit)
                yield (
                    f"Without {target.name} there is one, with {target.name} = "
                    f"{_with_unit(float(value), target.unit)}: it is off by {off}. "
                )

    def _goal(self, point: SteadyPoint) -> str:
        return self._with_values(point.targets.tolist())

    def _with_values(self, values: Sequence[float]) -> str:
        texts = [
            f"{target.name} = {_with_unit(value, target.unit)}"
            for target, value in zip(self.equations.targets, values, strict=True)
        ]
        rest = " at rest" if self.equations.stands else ""
        return f"{rest} with {', '.join(texts)}" if texts else rest


def _with_unit(value: float, unit: str) -> str:
    return f"{value:.6g} {'' if unit == '1' else unit}".rstrip()


def _are_same(one: Candidate, other: Candidate) -> bool:
    """Whether two searches ended in one motion."""
    first, second = one.root, other.root
    close = np.allclose(first.unknowns, second.unknowns, rtol=_SAME, atol=_SAME)
    return first.converged and second.converged and bool(close)


# From a steady motion that is easily found to the one asked for: what is given goes from what it
# is at an origin to what it is to be. The last unknown is the share of the way, followed by its
# arclength.


@dataclass(frozen=True)
class Homotopy:
    """The equations of a steady motion while states that are held and other targets are moved."""

    equations: SteadyEquations
    origin: SteadyPoint

    @cached_property
    def misses(self) -> np.ndarray:
        """By how much what is given is off at the origin."""
        return self.equations.misses(self.origin)

    @cached_property
    def way(self) -> np.ndarray:
        """How far states have to go: those held."""
        way = np.zeros(len(self.origin.states))
        for k, j in self.equations.problem.held.items():
            way[k] = -self.misses[j]
        return way

    def at(self, share: float) -> SteadyPoint:
        """What is not unknown at a share of the way, 1 at its end."""
        return self.origin._replace(shifts=(1.0 - share) * self.misses)

    def residual(self, z: np.ndarray) -> np.ndarray:
        return self.equations.residual(z[:-1], self.at(float(z[-1])))

    def slopes(self, z: np.ndarray) -> np.ndarray:
        slopes = self.equations.slopes(z[:-1], self.at(float(z[-1])), self.way)
        rows = self.equations.problem.rows
        slopes[len(slopes) - len(rows) :, -1] += self.misses[rows]
        return slopes

    def arrive(self, root: Root) -> tuple[SteadyPoint, float]:
        """From the root at the origin: the last point of the way, and its share.

        The way ends before where the branch of steady motions turns back.
        """
        start = np.append(root.unknowns, 0.0)
        curve = SolutionCurve(self.residual, self.slopes, start, 1.0, LEAST_SLOPE)
        arrived, last = curve.reach(1.0)
        if arrived is None:
            return self.equations.point(last.z[:-1], self.at(last.value)), last.value
        return self.equations.point(arrived, self.at(1.0)), 1.0
