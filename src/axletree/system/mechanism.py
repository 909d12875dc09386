"""Numbers for a mechanism: configurations that satisfy its constraints, and their rank.

Beside constraints a configuration may lack directions and angles: what these lack are
residuals, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np

from axletree.components.edges import ROTATION, RotationLaw
from axletree.core.errors import InitialValueError
from axletree.equations.equations import Equations
from axletree.equations.relative_motion import rotation_of
from axletree.expr import Expr, evaluate, jacobian, sin, substitute
from axletree.expr.evaluation import evaluate_matrix

CLOSED = 1e-10  # a constraint counts as satisfied below this [m or rad]
_MOST_ITERATIONS = 200
_MOST_STARTS = 30
_SAMPLES = 12  # near to a configuration, and as many far from it
_NEAR, _FAR = 0.3, 4.0  # m or rad, and as a share of the coordinate


class Mechanism:
    """The constraints of equations as functions of numbers."""

    def __init__(
        self,
        equations: Equations,
        values: Mapping[Expr, float],
        travels: Mapping[str, float] | None = None,
    ) -> None:
        """``values`` are those of time, inputs, internal states and parameters; ``travels`` are
        measured angles that are wanted, by the names of their states."""
        self.equations = equations
        self._values = dict(values)
        self._q = [x.symbol for x in equations.coordinates]
        self._p = [x.symbol for x in equations.speeds]
        self._constraints = equations.constraints
        positions = [c.position for c in self._constraints]
        self._positions = substitute(positions, measured_travels(equations))
        self._facings = facing_values(equations) if self._constraints else []
        self._aims = travel_residuals(equations, travels or {})
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

    @property
    def names(self) -> list[str]:
        return [c.reaction.name for c in self._constraints]

    def _at(self, q: np.ndarray, p: np.ndarray | None = None) -> dict[Expr, float]:
        speeds = np.zeros(len(self._p)) if p is None else p
        return (
            self._values
            | dict(zip(self._q, q.tolist(), strict=True))
            | dict(zip(self._p, speeds.tolist(), strict=True))
        )

    def positions(self, q: np.ndarray) -> np.ndarray:
        return np.array(evaluate(self._positions, self._at(q)), dtype=float)

    def velocities(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        rates = [c.velocity for c in self._constraints]
        return np.array(evaluate(rates, self._at(q, p)), dtype=float)

    def rows(self, q: np.ndarray) -> np.ndarray:
        """C."""
        return evaluate_matrix(self._rows, (len(self._constraints), len(self._p)), self._at(q))

    # -- positions ---------------------------------------------------------------------
    def assembled(self, guess: np.ndarray, fixed: Collection[int] = ()) -> np.ndarray:
        """Coordinates near the guess that satisfy all constraints; ``fixed`` ones keep theirs."""
        if not self._constraints:
            return guess
        free = [j for j in range(len(self._q)) if j not in set(fixed)]
        q, left = nearest_zero(self._residual, self._residual_slopes, self._closes, guess, free)
        if not self._closes(left):
            raise InitialValueError(self._unmet(left, fixed))
        return q

    def _closes(self, residual: np.ndarray) -> bool:
        count = len(residual) - len(self._facings)
        return bool(np.abs(residual[:count]).max() < CLOSED and residual.max() < 1.0)

    def _residual(self, q: np.ndarray) -> np.ndarray:
        """Positions of the constraints, what travels lack, then how far hinges and slides face
        the wrong way: 0 to 2.

        Without the last a head could be assembled half a turn away from where it belongs.
        """
        return np.array(evaluate(self._residuals, self._at(q)), dtype=float)

    def _residual_slopes(self, q: np.ndarray) -> np.ndarray:
        return evaluate_matrix(self._slopes, (len(self._residuals), len(q)), self._at(q))

    def _unmet(self, residual: np.ndarray, fixed: Collection[int]) -> str:
        count = len(residual) - len(self._facings)
        names = [*self.names, *(name for name, _ in self._aims)]
        missed = _largest_residuals(names, residual[:count], CLOSED)
        turned = zip(self._facings, residual[count:], strict=True)
        missed += [f"{name}, turned round" for (name, _), amount in turned if amount >= 1.0]
        held = ", ".join(self.equations.coordinates[j].name for j in fixed)
        advice = "; check lengths and positions of frames, or start nearer to one that closes"
        if held:
            advice = f" with {held} given; give fewer initial values or others"
        tried = f"no configuration that closes was found from {_MOST_STARTS} starts"
        return f"{tried}{advice}; violated: {', '.join(missed)}"

    # -- speeds ------------------------------------------------------------------------
    def consistent_speeds(
        self, q: np.ndarray, guess: np.ndarray, fixed: Collection[int] = ()
    ) -> np.ndarray:
        """Speeds near the guess that satisfy the constraints' rates; ``fixed`` ones keep theirs."""
        if not self._constraints:
            return guess
        free = [j for j in range(len(self._p)) if j not in set(fixed)]
        residual = self.velocities(q, guess)
        C = self.rows(q)
        p = guess.copy()
        p[free] += np.linalg.lstsq(C[:, free], -residual, rcond=1e-12)[0]
        left = self.velocities(q, p)
        scale = 1.0 + float(np.abs(p).max(initial=0.0))
        if np.abs(left).max() > 1e-8 * scale:
            missed = _largest_residuals(self.names, left, 1e-8 * scale)
            held = ", ".join(self.equations.speeds[j].name for j in fixed) or "the drivers' motion"
            raise InitialValueError(
                f"the speeds contradict the constraints with {held} given; rates violated: "
                f"{', '.join(missed)}; give fewer speeds or others"
            )
        return p

    # -- rank --------------------------------------------------------------------------
    def independent(self, q: np.ndarray) -> list[int]:
        """Indices of constraints that are independent near an assembled configuration.

        Looked at in a configuration a little further along the motion, too: in a dead
        centre rows are dependent that otherwise are not.
        """
        found = (independent_columns(self.rows(trial).T) for trial in self._nearby(q))
        best: list[int] = max(found, key=len)
        return sorted(best)

    def _nearby(self, q: np.ndarray) -> Iterator[np.ndarray]:
        yield q
        random = np.random.default_rng(1)
        for scale in (1e-3, 1e-2, 5e-2):
            try:
                yield self.assembled(q + random.normal(scale=scale, size=len(q)))
            except InitialValueError:
                continue

    def mass_is_definite(self, q: np.ndarray) -> bool:
        """Whether every speed moves some inertia; looked at closer only where a link has none."""
        if not self._p:
            return True  # all motion is prescribed
        dynamics = self.equations.dynamics
        values = self._at(q)
        for body in dynamics.inertias[1:]:
            flat = evaluate([body.mass, *(e for row in body.tensor for e in row)], values)
            tensor = np.array(flat[1:], dtype=float).reshape(3, 3)
            if flat[0] <= 0.0 or np.linalg.eigvalsh(tensor)[0] <= 1e-12 * np.trace(tensor):
                break
        else:
            return True
        random = np.random.default_rng(2)
        values = self._at(q + random.normal(scale=0.1, size=len(q)))
        M = evaluate_matrix(dynamics.mass, (len(self._p), len(self._p)), values)
        M += np.tril(M, -1).T
        scale = np.sqrt(np.maximum(np.diag(M), 1e-300))
        return bool(np.linalg.eigvalsh(M / np.outer(scale, scale))[0] > 1e-10)

    def samples(self, q: np.ndarray) -> list[dict[Expr, float]]:
        """Values of all symbols: at q, near to it, and far from it, whether it closes or not."""
        random = np.random.default_rng(3)
        found = [self._at(q)]
        for reach in (_NEAR, _FAR):
            for _ in range(_SAMPLES):
                away = random.uniform(-reach, reach, size=len(q)) * (1.0 + np.abs(q))
                found.append(self._at(q + away))
        return found

    def dependent_speeds(
        self, q: np.ndarray, rows: Sequence[int], among: Sequence[int] | None = None
    ) -> list[int]:
        """One speed per independent row, such that the rest determine them well.

        Fewer, if those ``among`` which to choose do not suffice.
        """
        columns = list(range(len(self._p))) if among is None else list(among)
        best: list[int] = []
        for trial in self._nearby(q):
            chosen = independent_columns(self.rows(trial)[list(rows)][:, columns])
            if len(chosen) > len(best):
                best = [columns[k] for k in chosen]
            if len(best) == len(rows):
                break
        return best


_Function = Callable[[np.ndarray], np.ndarray]


def nearest_zero(
    residual: _Function,
    slopes: _Function,
    closes: Callable[[np.ndarray], bool],
    guess: np.ndarray,
    free: Sequence[int],
    damping: float = 1e-3,
) -> tuple[np.ndarray, np.ndarray]:
    """Numbers near a guess at which residuals vanish, and what is left of these.

    Those that are not ``free`` keep their values. Without ``damping`` the first step is that of
    least change. Where the guess leads nowhere, as where a rod
    stands upright and its length does not change with the sideways place, it goes on from
    elsewhere; where nothing closes, the best that was found is returned.
    """
    random = np.random.default_rng(0)
    best = guess, residual(guess)
    for start in range(_MOST_STARTS):
        trial = guess.copy()
        if start:
            trial[free] += random.normal(scale=0.1 * 1.3**start, size=len(free))
        found, left = _descend(residual, slopes, trial, free, damping)
        if closes(left):
            return found, left
        if np.abs(left).max() < np.abs(best[1]).max():
            best = found, left
    return best


def _descend(
    residual: _Function, slopes: _Function, x: np.ndarray, free: Sequence[int], damping: float
) -> tuple[np.ndarray, np.ndarray]:
    """Levenberg and Marquardt's method, by the least change of the free numbers."""
    left = residual(x)
    for _ in range(_MOST_ITERATIONS):
        if np.abs(left).max(initial=0.0) < CLOSED * 1e-4:
            break
        J = slopes(x)[:, free]
        added = damping * max(1e-12, float(left @ left))
        normal = J @ J.T + added * np.eye(len(left))
        trial = x.copy()
        trial[free] -= J.T @ np.linalg.lstsq(normal, left, rcond=None)[0]
        changed = residual(trial)
        if not np.isfinite(changed).all() or changed @ changed >= left @ left:
            damping *= 10.0
            if damping > 1e12:
                break
            continue
        x, left, damping = trial, changed, max(damping * 0.2, 1e-12)
    return x, left


def _largest_residuals(names: Sequence[str], amounts: np.ndarray, least: float) -> list[str]:
    """What is missed by more than the least amount, the worst first; not what is rounding."""
    worst = sorted(zip(names, np.abs(amounts), strict=True), key=lambda x: -x[1])
    least = max(least, 1e-6 * float(np.abs(amounts).max()))
    return [f"{name} by {amount:.3g}" for name, amount in worst if amount > least]


def start_values(equations: Equations) -> dict[Expr, float]:
    """Values of inputs, internal states and parameters at the start."""
    internal = (state.quantity for state in equations.internal)
    return {q.symbol: q.default for q in (*equations.inputs, *internal, *equations.parameters)}


def travel_residuals(equations: Equations, travels: Mapping[str, float]) -> list[tuple[str, Expr]]:
    """What angles lack of those that are wanted; whole turns do not count."""
    found = [(s.quantity.name, s.start) for s in equations.internal if s.quantity.name in travels]
    return [
        (name, 2.0 * sin((start - travels[name]) * 0.5))
        for name, start in found
        if start is not None
    ]


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

RANK_TOLERANCE = 1e-8


def independent_columns(matrix: np.ndarray) -> list[int]:
    """Columns that span the matrix, the most independent first."""
    from scipy.linalg import qr

    if not matrix.size:
        return []
    _, R, order = qr(matrix, mode="economic", pivoting=True)
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
