"""Multiple shooting by the generalised Gauss-Newton method, states eliminated stretch by stretch.

The unknowns are parameters p, which all records share, and the first state s_i of every stretch i.
With e_i(s_i, p) the state at the end of a stretch, states join where e_i = s_(i+1) (Bock 1983). The
linear least-squares problem of a step has, for each stretch, rows of residuals in ds_i and dp, and
rows of joining

    W (A_i ds_i + B_i dp - ds_(i+1) + e_i - s_(i+1)) = 0

with a large weight W. Orthogonal transformations eliminate ds_0, ds_1, ... one after the other, as
a square-root information filter does (Bierman 1977, chapter VI), and leave a triangle in dp.
Nothing grows with the length of a record, also where the motion is unstable. The first state of a
record is known beforehand to three times the size of each state: what nothing measures, such as a
position or a motion that dies out at once, stays by that. Steps are shortened until a penalty
function falls (Powell 1978).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from axletree.analysis.identification.records import Record
from axletree.analysis.identification.sensor_model import Prediction, SensorModel
from axletree.analysis.identification.shooting import Shooting, Stretches, StretchGrid
from axletree.core.arrays import FloatArray

SHORTEST_SHARE: Final = 1.0 / 1024.0  # of a step
DESCENT: Final = 1e-4  # of the predicted fall that has to be there (Armijo)
JOINED: Final = 1e6  # W, of states over their sizes, by which they join
# Of starts from which a motion is another one states join bit by bit.
LOOSE_JOINING: Final = (30.0, 300.0, 3e3)
# Of an unknown over its size, for a deviation: where data tell it less it hardly moves in a step.
_DAMPING: Final = 1e-3
_REACH: Final = 0.5  # of an unknown, or of its size: the longest step
_PRIOR: Final = 0.3  # one over the deviation of a first state over its size, before the fit
LEAST_PENALTY: Final = 10.0  # of a gap of the size of its state
CLOSED_GAP: Final = 1e-2  # of the size of a state: where switches keep it from closing
_SETTLED: Final = 1e-2  # of a deviation, by which a parameter moves in the last step
_GAP: Final = 1e-3  # of the size of a state, to which stretches join at the end


@dataclass(frozen=True)
class ShootingStage:
    """Parameters, first states of all stretches of each record, and what follows from them."""

    found: FloatArray  # the unknowns
    starts: tuple[FloatArray, ...]
    stretches: tuple[Stretches, ...]
    predictions: tuple[Prediction, ...]
    residuals: tuple[FloatArray, ...]  # measured less predicted, over deviations of the noise
    gaps: tuple[FloatArray, ...]  # e_i - s_(i+1), over the sizes of states
    first: tuple[
        FloatArray, ...
    ]  # of each record: off what is known beforehand, over its deviation

    @property
    def squares(self) -> float:
        """Half the sum of the squares of the residuals, and of first states."""
        return 0.5 * sum(float(np.square(r).sum()) for r in (*self.residuals, *self.first))

    @property
    def jump(self) -> float:
        """The sum of all gaps."""
        return sum(float(np.abs(g).sum()) for g in self.gaps)

    def merit(self, joining: float, penalty: float) -> float:
        """What steps are to make less: of states that join, with a penalty for their gaps."""
        if joining == JOINED:
            return self.squares + penalty * self.jump
        gaps = sum(float(np.square(g).sum()) for g in self.gaps)
        return self.squares + 0.5 * joining**2 * gaps

    @property
    def largest_gap(self) -> float:
        """Of all stretches, over the size of its state."""
        return max((float(np.abs(g).max()) for g in self.gaps if g.size), default=0.0)


@dataclass(frozen=True)
class Reduced:
    """The least-squares problem of a record in the unknowns that is left."""

    triangle: FloatArray  # by unknown over its size
    right: FloatArray
    rest: float  # squares of residuals that no unknown changes
    states: FloatArray  # ds of each stretch where no unknown moves
    by_unknown: FloatArray  # its derivatives by the unknowns


class MultipleShooting:
    """The fit of one set of unknowns to all records."""

    def __init__(
        self,
        shooting: Shooting,
        records: Sequence[Record],
        grids: Sequence[StretchGrid],
        sensors: SensorModel,
        sizes: FloatArray,
        first: Sequence[FloatArray],
    ) -> None:
        """``sizes`` are those of states, ``first`` first states as they are known beforehand."""
        self._first = tuple(first)
        self._shooting, self._records, self._grids = shooting, tuple(records), tuple(grids)
        self._sensors, self._sizes = sensors, sizes

    def stage(
        self,
        found: FloatArray,
        p: FloatArray,
        starts: Sequence[FloatArray],
        noise: FloatArray,
        weights: Sequence[FloatArray] | None = None,
    ) -> ShootingStage | None:
        """All stretches computed; None where a state is not finite."""
        stretches, predictions, residuals, gaps, first = [], [], [], [], []
        for k, record in enumerate(self._records):
            grid = self._grids[k]
            with np.errstate(all="ignore"):
                one = self._shooting.from_states(starts[k], record.inputs, p, grid)
            if not one.finite:
                return None
            samples = len(record.time)
            y = one.outputs.reshape(-1, one.outputs.shape[2])[:samples]
            slopes = one.slopes.reshape(-1, *one.slopes.shape[2:])[:samples]
            seen = self._sensors.of_outputs(record.time, y, slopes, found)
            off = np.where(seen.known, record.measured - seen.values, 0.0) / noise
            stretches.append(one)
            predictions.append(seen)
            residuals.append(off if weights is None else off * weights[k])
            gaps.append((one.ends[:-1] - starts[k][1:]) / self._sizes)
            first.append(_PRIOR * (self._first[k] - starts[k][0]) / self._sizes)
        return ShootingStage(found, tuple(starts), tuple(stretches), tuple(predictions),
                     tuple(residuals), tuple(gaps), tuple(first))  # fmt: skip

    def reduced(
        self,
        stage: ShootingStage,
        slopes: FloatArray,
        scales: FloatArray,
        noise: FloatArray,
        weights: Sequence[FloatArray] | None = None,
        joining: float = JOINED,
    ) -> list[Reduced]:
        """What is left of the problem at a stage, by record.

        ``slopes`` are derivatives of parameters by unknown, ``scales`` the sizes of unknowns.
        """
        found = []
        for k in range(len(self._records)):
            factor = self._factor(stage, k, noise, weights)
            rows = self._rows(stage, k, slopes * scales, scales, factor)
            found.append(self._reduced(stage, k, slopes * scales, rows, joining))
        return found

    def _factor(
        self, stage: ShootingStage, k: int, noise: FloatArray, weights: Sequence[FloatArray] | None
    ) -> FloatArray:
        """By which derivatives of predicted values become those of residuals."""
        factor = np.broadcast_to(
            1.0 / noise if weights is None else weights[k] / noise, stage.residuals[k].shape
        )
        return np.where(stage.predictions[k].known, factor, 0.0)[:, :, None]

    def _rows(
        self,
        stage: ShootingStage,
        k: int,
        slopes: FloatArray,
        scales: FloatArray,
        factor: FloatArray,
    ) -> FloatArray:
        """Derivatives of residuals by the first state of their stretch and by unknowns, scaled."""
        n, seen = len(self._sizes), stage.predictions[k]
        by_state = seen.slopes[:, :, :n] * self._sizes
        by_unknown = seen.slopes[:, :, n:] @ slopes + seen.by_sensor * scales
        return np.asarray(factor * np.concatenate([by_state, by_unknown], axis=2))

    def _reduced(
        self, stage: ShootingStage, k: int, slopes: FloatArray, rows: FloatArray, joining: float
    ) -> Reduced:
        one, length, n = stage.stretches[k], self._grids[k].length, len(self._sizes)
        off = stage.residuals[k]
        width = rows.shape[2]
        count = len(stage.starts[k])
        # Columns are ds_i, dp, and the right-hand side.
        carried = np.zeros((n, width + 1))
        carried[:, :n], carried[:, -1] = _PRIOR * np.eye(n), stage.first[k]
        rest, kept = 0.0, []
        for i in range(count):
            span = slice(i * length, (i + 1) * length)
            own = np.column_stack([rows[span].reshape(-1, width), off[span].ravel()])
            carried, lost = _triangle(np.vstack([carried, own]), width)
            rest += lost
            if i == count - 1:
                kept.append(carried[:n])
                carried = carried[n:, n:]
                break
            # Columns are ds_i, ds_(i+1), dp, and the right-hand side.
            A = one.end_slopes[i, :, :n] * self._sizes / self._sizes[:, None]
            B = (one.end_slopes[i, :, n:] @ slopes) / self._sizes[:, None]
            join = np.column_stack([A, -np.eye(n), B, -stage.gaps[k][i]]) * joining
            wide = np.insert(carried, [n] * n, 0.0, axis=1)
            both, lost = _triangle(np.vstack([join, wide]), n + width)
            rest += lost
            kept.append(both[:n])
            carried = both[n:, n:]
        states, by_unknown = self._back(kept, n, width - n)
        return Reduced(carried[:, :-1], carried[:, -1], rest, states, by_unknown)

    def _back(
        self, kept: Sequence[FloatArray], n: int, count: int
    ) -> tuple[FloatArray, FloatArray]:
        """ds of all stretches without a step of the unknowns, and their derivatives by it."""
        from scipy.linalg import solve_triangular

        found = np.zeros((len(kept), n, count + 1))
        last = solve_triangular(kept[-1][:, :n], kept[-1][:, n:])
        found[-1, :, :count], found[-1, :, count] = -last[:, :count], last[:, count]
        for i in range(len(kept) - 2, -1, -1):
            row = kept[i]
            right = -row[:, n : 2 * n] @ found[i + 1]
            right[:, :count] -= row[:, 2 * n : -1]
            right[:, count] += row[:, -1]
            found[i] = solve_triangular(row[:, :n], right)
        found *= self._sizes[:, None]
        return found[:, :, count], found[:, :, :count]

    def eliminated(
        self,
        stage: ShootingStage,
        reduced: Sequence[Reduced],
        slopes: FloatArray,
        scales: FloatArray,
        noise: FloatArray,
        weights: Sequence[FloatArray] | None,
    ) -> list[FloatArray]:
        """Derivatives of residuals by unknown, with all states as they follow it; by sample and
        channel of each record."""
        found = []
        for k, one in enumerate(reduced):
            factor = self._factor(stage, k, noise, weights)
            rows = self._rows(stage, k, slopes * scales, scales, factor)
            n = len(self._sizes)
            stretch = np.arange(len(rows)) // self._grids[k].length
            follow = one.by_unknown[stretch] / self._sizes[:, None]
            found.append((rows[:, :, n:] + rows[:, :, :n] @ follow) / scales)
        return found

    def moved(
        self, stage: ShootingStage, reduced: Sequence[Reduced], step: FloatArray, share: float
    ) -> list[FloatArray]:
        """First states of all stretches after a share of the step (over the sizes of unknowns)."""
        return [
            stage.starts[k] + share * (one.states + one.by_unknown @ step)
            for k, one in enumerate(reduced)
        ]


def _triangle(matrix: FloatArray, width: int) -> tuple[FloatArray, float]:
    """The triangle of a least-squares problem with its right-hand side in the last column, and the
    squares that are left whatever is chosen."""
    R: FloatArray = np.asarray(np.linalg.qr(matrix, mode="r"))
    if len(R) < width + 1:
        R = np.vstack([R, np.zeros((width + 1 - len(R), width + 1))])
    return R[:width], float(R[width, width] ** 2)


def bounded_step(
    reduced: Sequence[Reduced],
    found: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    scales: FloatArray,
) -> tuple[FloatArray, float]:
    """The step of the unknowns, over their sizes, that solves the linear problem within bounds; and
    half the squares that it leaves."""
    from scipy.optimize import lsq_linear

    R = np.vstack([one.triangle for one in reduced])
    r = np.concatenate([one.right for one in reduced])
    damped = np.vstack([R, _DAMPING * np.eye(len(found))])
    right = np.concatenate([r, np.zeros(len(found))])
    reach = _REACH * np.maximum(np.abs(found) / scales, 1.0)
    low = np.maximum((lower - found) / scales, -reach)
    high = np.minimum((upper - found) / scales, reach)
    solved = lsq_linear(
        damped, right, bounds=(np.minimum(low, -1e-15), np.maximum(high, 1e-15)), method="bvls",
        lsq_solver="exact",
    )  # fmt: skip
    step = np.asarray(np.clip(solved.x, low, high))
    rest = sum(one.rest for one in reduced)
    return step, 0.5 * (float(np.square(r - R @ step).sum()) + rest)


def is_settled(
    step: FloatArray, reduced: Sequence[Reduced], stage: ShootingStage, joining: float
) -> bool:
    """Whether no unknown moves by more than a small part of its deviation, and states join."""
    moved = sum(float(np.square(one.triangle @ step).sum()) for one in reduced)
    if joining != JOINED:
        return moved <= len(step)
    return moved <= _SETTLED**2 * len(step) and stage.largest_gap <= _GAP
