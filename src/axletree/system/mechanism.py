"""Numbers for a mechanism: configurations that satisfy its constraints, and their rank.

Beside constraints a configuration may lack directions and angles: what these lack are
residuals, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np

from axletree.components.edges import ROTATION, Edge, RotationLaw
from axletree.core.errors import InitialValueError
from axletree.equations.equations import Equations
from axletree.equations.relative_motion import rotation_of
from axletree.expr import Expr, evaluate, jacobian, sin, substitute, symbol, symbols_of
from axletree.expr.evaluation import evaluate_matrix
from axletree.system.start import NOTHING_OUTSIDE, OutsideTree

CLOSED = 1e-10  # a constraint counts as satisfied below this [m or rad]
RANK_TOLERANCE = 1e-8
_PREFERENCE = 1e-11  # of a column before the next, beyond rounding
_MOST_ITERATIONS = 200
_MOST_STARTS = 30
_SAMPLES = 12  # near to a configuration, and as many far from it
_NEAR, _FAR = 0.3, 4.0  # m or rad, and as a share of the coordinate
_ENOUGH = 4  # assemblies from other starts than the guess, of which the nearest is taken
_LOOSE = 0.03  # weight of a coordinate that nobody gave, beside one that was given
_AT_LAST = 1e-2  # [m or rad], a step so short must be followed by a shorter one
_MOST_STEPS = 200  # from one assembled configuration to another
_SHORTEST_STEP = 1e-3  # share of the way, below which it ends
_DEAR = 10.0  # times the least change of all, which others may take so that given ones stay
_ASIDE = 0.1  # [m or rad], to where a search begins that leads nowhere
_MOST_ASIDE = 8  # coordinates that are tried so
_SHARES = 0.3  # of a closure in what stops a mechanism, from which on it is named
_FARTHEST_TURN = 1.0  # [rad], in one step on the way to a target
_NEXT_TO = 0.1  # [m or rad], likewise where slopes say nothing
_STRAIGHT = 0.5  # share of a predicted change by which the change itself may differ


class Mechanism:
    """The constraints of equations as functions of numbers."""

    def __init__(
        self,
        equations: Equations,
        values: Mapping[Expr, float],
        travels: Mapping[str, float] | None = None,
        outside: OutsideTree = NOTHING_OUTSIDE,
    ) -> None:
        """``values`` are those of time, inputs, internal states and parameters; ``travels`` are
        measured angles that are wanted, by the names of their states. Coordinates and speeds
        ``outside`` of the tree follow those of the tree in all that is taken and returned."""
        self.equations = equations
        self._values = dict(values)
        self.coordinates = [*equations.coordinates, *(v.quantity for v in outside.coordinates)]
        self.speeds = [*equations.speeds, *(v.quantity for v in outside.speeds)]
        self._q = [x.symbol for x in equations.coordinates]
        self._q += [x.symbol for x in outside.coordinates]
        self._p = [x.symbol for x in equations.speeds]
        self._p += [x.symbol for x in outside.speeds]
        self._constraints = equations.constraints
        positions = [*(c.position for c in self._constraints), *outside.positions]
        self._positions = substitute(positions, measured_travels(equations))
        self._rates = [*(c.velocity for c in self._constraints), *outside.velocities]
        self._facings = facing_values(equations) if self._constraints else []
        self._aims = travel_residuals(equations, travels or {})
        self._values |= {_travel_symbol(name): (travels or {})[name] for name, _ in self._aims}
        self._residuals = [
            *self._positions,
            *(aim for _, aim in self._aims),
            *(1.0 - facing for _, facing in self._facings),
        ]
        self._slopes = jacobian(self._residuals, self._q)
        self._rows = {
            (i, j): entry
            for i, c in enumerate(self._constraints)
            for j, entry in c.jacobian.items()
        }
        self._outside = outside

    def _with_values(self, values: Mapping[Expr, float]) -> Mechanism:
        """With other values of time, inputs, internal states and parameters."""
        other = copy(self)
        other._values = dict(values)
        return other

    def before(self, values: Mapping[Expr, float]) -> Mechanism:
        """With other values of time, inputs, internal states and parameters, no travel wanted."""
        if not self._aims:
            return self._with_values(values)
        return Mechanism(self.equations, values, outside=self._outside)

    def with_outside(self, outside: OutsideTree) -> Mechanism:
        """With variables outside of the tree."""
        return Mechanism(self.equations, self._values, outside=outside)

    def size(self, q: np.ndarray) -> float:
        """The greatest distance of a frame from another along an axis of the ground [m]."""
        k = self.equations.dynamics.kinematics
        frames = [k.origin_in(0, p.link) + k.rotation(0, p.link) @ p.r_LF_L
                  for p in k.links.places.values()]  # fmt: skip
        flat = evaluate([x for r in frames for x in r], self.at(q))
        places = np.array(flat, dtype=float).reshape(-1, 3)
        return float(np.ptp(places, axis=0).max(initial=0.0))

    def can_move(self, q: np.ndarray) -> bool:
        """Whether constraints leave a freedom to some of the coordinates that they touch."""
        J = self._residual_slopes(q)[:, sorted({j for _, j in self._slopes})]
        return len(independent_columns(J)) < int(J.shape[1])

    @property
    def names(self) -> list[str]:
        """Of what positions hold: reactions of constraints, then what binds outside variables."""
        return [*(c.reaction.name for c in self._constraints), *self._outside.sources]

    def at(self, q: np.ndarray, p: np.ndarray | None = None) -> dict[Expr, float]:
        """A value of every symbol; without speeds, at rest."""
        speeds = np.zeros(len(self._p)) if p is None else p
        return (
            self._values
            | dict(zip(self._q, q.tolist(), strict=True))
            | dict(zip(self._p, speeds.tolist(), strict=True))
        )

    def positions(self, q: np.ndarray) -> np.ndarray:
        return np.array(evaluate(self._positions, self.at(q)), dtype=float)

    def velocities(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.array(evaluate(self._rates, self.at(q, p)), dtype=float)

    def rows(self, q: np.ndarray) -> np.ndarray:
        """C."""
        return evaluate_matrix(self._rows, (len(self._constraints), len(self._p)), self.at(q))

    # -- positions ---------------------------------------------------------------------
    def assembled(
        self, guess: np.ndarray, fixed: Collection[int] = (), given: Collection[int] = ()
    ) -> np.ndarray:
        """The coordinates nearest to the guess that satisfy all constraints.

        ``fixed`` ones keep their values. ``given`` ones leave theirs only as far as constraints
        demand it; without any, all count alike.
        """
        exact = self._closing(guess, {*fixed, *given})
        q, left = exact.descend(guess)
        if given and self._closes(left):
            return exact.drawn_back(q, left)[0]
        closing = self._closing(guess, fixed, given)
        q, left = closing.nearest(q)
        if not self._closes(left):
            raise InitialValueError(self._unmet(left, fixed))
        if not given:
            return q
        found = self.with_exactly(q, guess, fixed, given)
        if found is None:
            q = closing.off_saddle(q, [j for j in closing.free if j not in set(given)])
            found = self.with_exactly(q, guess, fixed, given)
        return q if found is None else found

    def _closing(
        self, guess: np.ndarray, fixed: Collection[int] = (), given: Collection[int] = ()
    ) -> Closing:
        """Coordinates that no constraint touches stay where they are."""
        free = sorted({j for _, j in self._slopes} - set(fixed))
        weights = np.full(len(guess), _LOOSE if set(free) & set(given) else 1.0)
        weights[list(given)] = 1.0
        return Closing(
            self._residual, self._residual_slopes, self._closes, guess, free, weights=weights
        )

    def with_exactly(
        self, q: np.ndarray, guess: np.ndarray, fixed: Collection[int], given: Collection[int]
    ) -> np.ndarray | None:
        """From an assembled configuration to one with ``given`` ones as guessed, if it closes."""
        trial = q.copy()
        trial[list(given)] = guess[list(given)]
        closing = self._closing(guess, {*fixed, *given})
        found, left = closing.descend(trial)
        return closing.drawn_back(found, left)[0] if self._closes(left) else None

    def is_closed(self, q: np.ndarray) -> bool:
        """Whether coordinates satisfy all constraints."""
        return self._closes(self._residual(q))

    def drawn_back(
        self,
        q: np.ndarray,
        guess: np.ndarray,
        fixed: Collection[int] = (),
        given: Collection[int] = (),
    ) -> np.ndarray:
        """From an assembled configuration to the nearest to the guess on the same branch."""
        found, _ = self._closing(guess, fixed, given).drawn_back(q, self._residual(q))
        exact = self.with_exactly(found, guess, fixed, given) if given else None
        return found if exact is None else exact

    def led(self, q: np.ndarray, before: Mechanism, fixed: Mapping[int, float]) -> np.ndarray:
        """Coordinates that satisfy all constraints, on the branch of those that did ``before``.

        That is the mechanism with the values of time, inputs and the like for which q is assembled.
        On the way from them to its own, and to values of ``fixed`` coordinates, the mechanism is
        assembled step by step, each of which follows from the one before without a jump into
        another assembly. The error says how far it came.
        """
        way = {j: x - q[j] for j, x in fixed.items()}
        known = before._values | self._measured(q, before)
        changes = {s: x - known.get(s, x) for s, x in self._values.items()}
        share, step = 0.0, 1.0
        for _ in range(_MOST_STEPS):
            ahead = min(1.0, share + step)
            values = {s: x - (1.0 - ahead) * changes[s] for s, x in self._values.items()}
            targets = {j: x - (1.0 - ahead) * way[j] for j, x in fixed.items()}
            there = self._with_values(values)
            moved = there._followed(q, targets)
            if moved is None and not share:
                moved = there._beside(q, targets)
            if moved is not None:
                q, share, step = moved, ahead, 2.0 * step
                if share == 1.0:
                    return q
            elif step < _SHORTEST_STEP:
                break
            else:
                step *= 0.5
        raise InitialValueError(self._stopped(q, share, fixed, changes))

    def _measured(self, q: np.ndarray, before: Mechanism) -> dict[Expr, float]:
        """The travels that are wanted, as they are, next to what is wanted but for whole turns."""
        starts = {s.quantity.name: s.start for s in self.equations.internal}
        found = {}
        for name, _ in self._aims:
            start, symbol = starts[name], _travel_symbol(name)
            assert start is not None
            angle, wanted = float(evaluate([start], before.at(q))[0]), self._values[symbol]
            found[symbol] = angle + 2.0 * np.pi * round((wanted - angle) / (2.0 * np.pi))
        return found

    def _followed(self, q: np.ndarray, targets: Mapping[int, float]) -> np.ndarray | None:
        """Assembled with these as they are to be, if the rest goes about as its slopes say."""
        trial = q.copy()
        trial[list(targets)] = list(targets.values())
        closing = self._closing(trial, targets)
        predicted = closing.newton_step(trial)
        angles = [j for j, quantity in enumerate(self.coordinates) if quantity.unit == "rad"]
        if np.abs((predicted - trial)[angles]).max(initial=0.0) > _FARTHEST_TURN:
            return None
        found, left = closing.descend(predicted)
        bent, change = np.abs(found - predicted).max(), np.abs(predicted - trial).max()
        follows = bent <= _STRAIGHT * change + CLOSED
        return found if follows and self._closes(left) else None

    def _beside(self, q: np.ndarray, targets: Mapping[int, float]) -> np.ndarray | None:
        """Assembled likewise, and near.

        For the first step alone: where targets begin at their greatest or least, slopes say
        nothing. Further on it would creep past the end of a loop's reach.
        """
        trial = q.copy()
        trial[list(targets)] = list(targets.values())
        found, left = self._closing(trial, targets).descend(trial)
        near = np.abs(found - trial).max(initial=0.0) <= _NEXT_TO
        return found if near and self._closes(left) else None

    def _closes(self, residual: np.ndarray) -> bool:
        count = len(residual) - len(self._facings)
        closed = np.abs(residual[:count]).max(initial=0.0) < CLOSED
        return bool(closed and residual.max(initial=0.0) < 1.0)

    def _residual(self, q: np.ndarray) -> np.ndarray:
        """Positions of the constraints, what travels lack, then how far hinges and slides face
        the wrong way: 0 to 2.

        Without the last a head could be assembled half a turn away from where it belongs.
        """
        return np.array(evaluate(self._residuals, self.at(q)), dtype=float)

    def _residual_slopes(self, q: np.ndarray) -> np.ndarray:
        return evaluate_matrix(self._slopes, (len(self._residuals), len(q)), self.at(q))

    def _unmet(self, residual: np.ndarray, fixed: Collection[int]) -> str:
        held = ", ".join(self.coordinates[j].name for j in fixed)
        advice = "; check lengths and positions of frames, or start nearer to one that closes"
        if held:
            advice = f" with {held} given; give fewer initial values or others"
        tried = f"no configuration that closes was found from {_MOST_STARTS} starts"
        return f"{tried}{advice}; violated: {', '.join(self._missed(residual))}"

    def _missed(self, residual: np.ndarray) -> list[str]:
        """What is violated, and by how much."""
        count = len(residual) - len(self._facings)
        names = [*self.names, *(name for name, _ in self._aims)]
        missed = _largest_residuals(names, residual[:count], CLOSED)
        turned = zip(self._facings, residual[count:], strict=True)
        return missed + [f"{name}, turned round" for (name, _), amount in turned if amount >= 1.0]

    def _stopped(
        self,
        q: np.ndarray,
        share: float,
        fixed: Mapping[int, float],
        changes: Mapping[Expr, float],
    ) -> str:
        """What was asked for, the nearest that was reached, and the loops that stop it there."""
        seen = set(symbols_of(self._residuals))
        asked = [(self.coordinates[j].name, self.coordinates[j].unit, x, q[j])
                 for j, x in fixed.items() if j in {j for _, j in self._slopes}]  # fmt: skip
        quantities = {x.symbol: x for x in (*self.equations.inputs, *self.equations.parameters)}
        units = {s: (x.name, x.unit) for s, x in quantities.items()}
        units |= {_travel_symbol(name): (name, "rad") for name, _ in self._aims}
        for s, change in changes.items():
            if change and s in seen:
                name, unit = units.get(s, (str(s), ""))
                asked.append((name, unit, self._values[s], self._values[s] - (1 - share) * change))
        wanted = ", ".join(f"{name} = {x:.6g} {unit}".rstrip() for name, unit, x, _ in asked)
        reached = ", ".join(f"{name} = {x:.6g} {unit}".rstrip() for name, unit, _, x in asked)
        trial = q.copy()
        trial[list(fixed)] = list(fixed.values())
        _, left = self._closing(trial, fixed).descend(trial)
        missed = ", ".join(self._missed(left)) or "none, but in another assembly"
        return (
            f"no configuration with {wanted} follows from the model's start; the nearest that was "
            f"reached has {reached}, where {self._stopping_loops(q, fixed)} can go no further; "
            f"violated beyond it: {missed}; give fewer initial values or others, or check lengths "
            "and positions of frames"
        )

    def _stopping_loops(self, q: np.ndarray, fixed: Collection[int]) -> str:
        """The loops whose closures depend on one another there: their joints are in line."""
        free = sorted({j for _, j in self._slopes} - set(fixed))
        rows = self._residual_slopes(q)[: len(self._constraints)][:, free]
        shares = np.abs(np.linalg.svd(rows)[0][:, min(rows.shape) - 1 :]).max(axis=1, initial=0.0)
        pairs = zip(self._constraints, shares, strict=True)
        edges = dict.fromkeys(c.edge for c, x in pairs if x > _SHARES and c.edge is not None)
        found = dict.fromkeys(loop_joints(self.equations, edge) for edge in edges)
        return " and ".join(f"the loop of {', '.join(joints)}" for joints in found) or "it"

    # -- speeds ------------------------------------------------------------------------
    def consistent_speeds(
        self,
        q: np.ndarray,
        guess: np.ndarray,
        fixed: Collection[int] = (),
        given: Collection[int] = (),
    ) -> np.ndarray:
        """The speeds nearest to the guess that satisfy the constraints' rates.

        ``fixed`` ones keep theirs, and ``given`` ones, too, if constraints allow it and the others
        need not change far more for it, as they would where rounded values do not quite fit.
        """
        if not self._rates:
            return guess
        J = np.vstack([self.rows(q), self._outside_rows(q)])
        free = [j for j in range(len(self._p)) if j not in set(fixed)]
        near = self._changed_speeds(q, guess, J, free)
        exact = self._changed_speeds(q, guess, J, [j for j in free if j not in set(given)])
        for p in (exact, near):
            left, scale = self.velocities(q, p), 1.0 + float(np.abs(p).max(initial=0.0))
            reasonable = np.linalg.norm(p - guess) <= _DEAR * np.linalg.norm(near - guess)
            if reasonable and np.abs(left).max() <= 1e-8 * scale:
                return p
        names = [*(c.reaction.name for c in self._constraints), *self._outside.rate_sources]
        missed = _largest_residuals(names, left, 1e-8 * scale)
        held = ", ".join(self.speeds[j].name for j in fixed) or "the drivers' motion"
        raise InitialValueError(
            f"the speeds contradict the constraints with {held} given; rates violated: "
            f"{', '.join(missed)}; give fewer speeds or others"
        )

    def _changed_speeds(
        self, q: np.ndarray, guess: np.ndarray, J: np.ndarray, free: Sequence[int]
    ) -> np.ndarray:
        """Speeds after the least change of these that meets the rates as far as there is one."""
        p = guess.copy()
        p[free] += np.linalg.lstsq(J[:, free], -self.velocities(q, p), rcond=1e-12)[0]
        return p

    def with_outside_speeds(self, q: np.ndarray, p: np.ndarray, which: Sequence[int]) -> np.ndarray:
        """With these speeds outside of the tree as they follow from the others."""
        if not which:
            return p
        lacking = self.velocities(q, p)[len(self._constraints) :]
        found = p.copy()
        rows = self._outside_rows(q)[:, list(which)]
        found[list(which)] += np.linalg.lstsq(rows, -lacking, rcond=1e-12)[0]
        return found

    def _outside_rows(self, q: np.ndarray) -> np.ndarray:
        velocities = list(self._outside.velocities)
        slopes = jacobian(velocities, self._p)
        return evaluate_matrix(slopes, (len(velocities), len(self._p)), self.at(q))

    # -- rank --------------------------------------------------------------------------
    def independent(self, q: np.ndarray) -> list[int]:
        """Indices of constraints that are independent near an assembled configuration.

        Looked at in a configuration a little further along the motion, too: in a dead
        centre rows are dependent that otherwise are not.
        """
        found = (independent_columns(self.rows(trial).T) for trial in self.nearby(q))
        best: list[int] = max(found, key=len)
        return sorted(best)

    def nearby(self, q: np.ndarray) -> Iterator[np.ndarray]:
        """A configuration, and some a little further along the motion."""
        yield q
        random = np.random.default_rng(1)
        for scale in (1e-3, 1e-2, 5e-2):
            guess = q + random.normal(scale=scale, size=len(q))
            found, left = self._closing(guess).descend(guess)
            if self._closes(left):
                yield found

    def mass_is_definite(self, q: np.ndarray) -> bool:
        """Whether every speed moves some inertia; looked at closer only where a link has none."""
        if not self._p:
            return True  # all motion is prescribed
        dynamics = self.equations.dynamics
        values = self.at(q)
        for body in dynamics.inertias[1:]:
            flat = evaluate([body.mass, *(e for row in body.tensor for e in row)], values)
            tensor = np.array(flat[1:], dtype=float).reshape(3, 3)
            if flat[0] <= 0.0 or np.linalg.eigvalsh(tensor)[0] <= 1e-12 * np.trace(tensor):
                break
        else:
            return True
        random = np.random.default_rng(2)
        values = self.at(q + random.normal(scale=0.1, size=len(q)))
        M = evaluate_matrix(dynamics.mass, (len(self._p), len(self._p)), values)
        M += np.tril(M, -1).T
        scale = np.sqrt(np.maximum(np.diag(M), 1e-300))
        return bool(np.linalg.eigvalsh(M / np.outer(scale, scale))[0] > 1e-10)

    def samples(self, q: np.ndarray) -> list[dict[Expr, float]]:
        """Values of all symbols: at q, near to it, and far from it, whether it closes or not."""
        random = np.random.default_rng(3)
        found = [self.at(q)]
        for reach in (_NEAR, _FAR):
            for _ in range(_SAMPLES):
                away = random.uniform(-reach, reach, size=len(q)) * (1.0 + np.abs(q))
                found.append(self.at(q + away))
        return found

    def dependent_speeds(
        self, q: np.ndarray, rows: Sequence[int], among: Sequence[int] | None = None
    ) -> list[int]:
        """One speed per independent row, such that the rest determine them well.

        Fewer, if those ``among`` which to choose do not suffice.
        """
        columns = list(range(len(self._p))) if among is None else list(among)
        best: list[int] = []
        for trial in self.nearby(q):
            chosen = independent_columns(self.rows(trial)[list(rows)][:, columns])
            if len(chosen) > len(best):
                best = [columns[k] for k in chosen]
            if len(best) == len(rows):
                break
        return best


_Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Closing:
    """The search for numbers at which residuals vanish, as near to a guess as there are any.

    Those that are not ``free`` keep their values. ``weights`` say how much a change of each
    counts. Where the guess leads nowhere, as where a rod stands upright and its length does not
    change with the sideways place, the search goes on from elsewhere: first aside along what
    changes nothing, then from all around.
    """

    residual: _Function
    slopes: _Function
    closes: Callable[[np.ndarray], bool]
    guess: np.ndarray
    free: Sequence[int]
    damping: float = 1e-3  # of the first step; without it, that is the one of least change
    weights: np.ndarray | None = None

    @property
    def _weights(self) -> np.ndarray:
        """Of those that are free."""
        if self.weights is None:
            return np.ones(len(self.free))
        found: np.ndarray = self.weights[list(self.free)]
        return found

    def nearest(self, begin: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Numbers and what is left of the residuals; the best there is where nothing closes.

        The search begins at the guess, unless it is said where else.
        """
        best = self.descend(self.guess if begin is None else begin)
        if self.closes(best[1]):
            return self.drawn_back(*best)
        found = []
        for trial in self._starts():
            x, left = self.descend(trial)
            if self.closes(left):
                found.append(self.drawn_back(x, left))
                if len(found) == _ENOUGH:
                    break
            elif np.abs(left).max() < np.abs(best[1]).max():
                best = x, left
        return min(found, key=lambda one: round(self._distance(one[0]), 9), default=best)

    def _starts(self) -> Iterator[np.ndarray]:
        """Starts around the guess, farther and farther off; always the same ones."""
        free = np.array(self.free, dtype=int)
        flat = free[~self.slopes(self.guess)[:, free].any(axis=0)] if len(free) else free
        for j in flat[:_MOST_STARTS]:
            for aside in (_ASIDE, -_ASIDE):
                trial = self.guess.copy()
                trial[j] += aside
                yield trial
        random = np.random.default_rng(0)
        for start in range(1, _MOST_STARTS):
            trial = self.guess.copy()
            trial[free] += random.normal(scale=0.1 * 1.3**start, size=len(free))
            yield trial

    def newton_step(self, x: np.ndarray) -> np.ndarray:
        """After one step of least change."""
        trial = x.copy()
        J = self.slopes(x)[:, self.free]
        trial[self.free] += _least_change(J, -self.residual(x), self._weights)
        return trial

    def descend(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Levenberg and Marquardt's method, by the least change of the free numbers."""
        left, damping, weights = self.residual(x), self.damping, self._weights
        for _ in range(_MOST_ITERATIONS):
            if np.abs(left).max(initial=0.0) < CLOSED * 1e-4:
                break
            J = self.slopes(x)[:, self.free] / weights
            added = damping * max(1e-12, float(left @ left))
            normal = J @ J.T + added * np.eye(len(left))
            trial = x.copy()
            trial[self.free] -= J.T @ np.linalg.lstsq(normal, left, rcond=None)[0] / weights
            changed = self.residual(trial)
            if not np.isfinite(changed).all() or changed @ changed >= left @ left:
                damping *= 10.0
                if damping > 1e12:
                    break
                continue
            x, left, damping = trial, changed, max(damping * 0.2, 1e-12)
        return x, left

    def drawn_back(self, x: np.ndarray, left: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Along what the residuals leave free, to where the distance from the guess is smallest."""
        step, before = self._towards_guess(x), np.inf
        for _ in range(_MOST_ITERATIONS):
            length = float(np.abs(step).max(initial=0.0))
            if length < CLOSED or (length < _AT_LAST and length > 0.9 * before):
                break
            moved = self._shorter(x, step)
            if moved is None:
                break
            (x, left), before = moved, length
            step = self._towards_guess(x)
        return x, left

    def off_saddle(self, x: np.ndarray, loose: Sequence[int]) -> np.ndarray:
        """Nearer to the guess, from aside: in line with it nothing draws a rod to either side."""
        for j in loose[:_MOST_ASIDE]:
            trial = x.copy()
            trial[j] += _ASIDE
            found, left = self.descend(trial)
            if self.closes(left):
                found, _ = self.drawn_back(found, left)
                if self._distance(found) < 0.99 * self._distance(x):
                    return self.off_saddle(found, loose)
        return x

    def _shorter(self, x: np.ndarray, step: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """After the longest share of a step that brings the guess nearer."""
        share, before = 1.0, self._distance(x)
        while share > _SHORTEST_STEP:
            trial = x.copy()
            trial[self.free] += share * step
            found, left = self.descend(trial)
            if self.closes(left) and self._distance(found) <= before * (1.0 + 1e-12):
                return found, left
            share *= 0.5
        return None

    def _towards_guess(self, x: np.ndarray) -> np.ndarray:
        """The change that brings the guess nearest without changing the residuals, as slopes go."""
        weights = self._weights
        J, away = self.slopes(x)[:, self.free] / weights, (x - self.guess)[self.free] * weights
        _, sizes, directions = np.linalg.svd(J)
        rank = int((sizes > RANK_TOLERANCE * max(1.0, sizes.max(initial=0.0))).sum())
        open_ones = directions[rank:]
        change: np.ndarray = -(open_ones.T @ (open_ones @ away)) / weights
        return change

    def _distance(self, x: np.ndarray) -> float:
        return float(np.linalg.norm((x - self.guess)[self.free] * self._weights))


def _least_change(J: np.ndarray, wanted: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The change x of smallest weight with J x as wanted, or as near to that as there is one."""
    change: np.ndarray = np.linalg.lstsq(J / weights, wanted, rcond=1e-12)[0] / weights
    return change


def _largest_residuals(names: Sequence[str], amounts: np.ndarray, least: float) -> list[str]:
    """What is missed by more than the least amount, the worst first; not what is rounding."""
    worst = sorted(zip(names, np.abs(amounts), strict=True), key=lambda x: -x[1])
    least = max(least, 1e-6 * float(np.abs(amounts).max()))
    return [f"{name} by {amount:.3g}" for name, amount in worst if amount > least]


def loop_joints(equations: Equations, chord: Edge) -> tuple[str, ...]:
    """The joints of the loop that a chord closes."""
    tree = equations.trees[chord.domain]
    tail, head = ({b.edge for b in tree.path_to_root(end)} for end in (chord.tail, chord.head))
    inside = [b.edge for b in tree.branches if b.edge in tail ^ head]
    return tuple(dict.fromkeys(e.component for e in (*inside, chord) if not e.is_arm))


def start_values(equations: Equations) -> dict[Expr, float]:
    """Values of inputs, internal states and parameters at the start."""
    internal = (state.quantity for state in equations.internal)
    return {q.symbol: q.default for q in (*equations.inputs, *internal, *equations.parameters)}


def travel_residuals(equations: Equations, travels: Mapping[str, float]) -> list[tuple[str, Expr]]:
    """What angles lack of those that are wanted; whole turns do not count."""
    found = [(s.quantity.name, s.start) for s in equations.internal if s.quantity.name in travels]
    return [
        (name, 2.0 * sin((start - _travel_symbol(name)) * 0.5))
        for name, start in found
        if start is not None
    ]


def _travel_symbol(name: str) -> Expr:
    """Of the angle that is wanted."""
    return symbol(f"wanted:{name}")


def measured_travels(equations: Equations) -> dict[Expr, Expr]:
    """Travels that are states, as functions of the coordinates: turns are not counted yet."""
    return {s.quantity.symbol: s.start for s in equations.internal if s.start is not None}


def facing_values(equations: Equations) -> list[tuple[str, Expr]]:
    """Of each rotational chord: its component, and what is 1 where its head faces as it should."""
    k, found = equations.dynamics.kinematics, []
    for edge in equations.trees[ROTATION].chords:
        if isinstance(edge.law, RotationLaw):
            R = rotation_of(k, k.links.places[edge.tail], k.links.places[edge.head])
            found += [(edge.component, facing) for facing in edge.law.facing(R)]
    return [(name, facing) for name, facing in found if not facing.is_number]


# The rank of matrices of constraints, as numbers.


def independent_columns(matrix: np.ndarray) -> list[int]:
    """Columns that span the matrix, the most independent first."""
    from scipy.linalg import qr

    if not matrix.size:
        return []
    # Of columns that are equal but for rounding, which depends on the processor, the first ones.
    preferred = matrix * (1.0 - _PREFERENCE * np.arange(matrix.shape[1]))
    _, R, order = qr(preferred, mode="economic", pivoting=True)
    diagonal = np.abs(np.diag(R))
    # Directions have length one: where all are far smaller, rounding is all there is.
    least = RANK_TOLERANCE * max(1.0, float(diagonal[0]))
    return [int(k) for k, size in zip(order, diagonal, strict=False) if size > least]


def exchangeable_rows(matrix: np.ndarray, independent: Sequence[int]) -> list[int]:
    """Rows that are sums of others, whichever of them are called ``independent``."""
    redundant = [i for i in range(len(matrix)) if i not in set(independent)]
    shares, *_ = np.linalg.lstsq(matrix[list(independent)].T, matrix[redundant].T, rcond=None)
    involved = np.abs(shares).max(axis=1, initial=0.0) > RANK_TOLERANCE
    return [*redundant, *(i for i, taken in zip(independent, involved, strict=True) if taken)]
