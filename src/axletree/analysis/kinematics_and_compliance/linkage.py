"""The linkage of an axle in numbers: many positions at once, and their exact rates.

Coordinates q with rates h(q, p) satisfy constraints Phi(q) = 0 (``equations``). A rig adds
targets T(q): heights of the wheels, rack travel, the angle of the spin. Positions are found by
Newton's method along p,

    [Phi'; T'] dp = -[Phi; T - target],   q <- q + h(q, dp),

for all positions of a sweep in one evaluation, each on its own path from the design position.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from axletree.analysis.kinematics_and_compliance.axle import AxleOnRig, WheelOnRig
from axletree.analysis.kinematics_and_compliance.poses import AxlePoses, WheelPoses
from axletree.components.signals import TIME
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, ModelError
from axletree.core.registry import few_names
from axletree.equations.derivation import derive_equations
from axletree.equations.equations import Equations
from axletree.equations.links import LinkFrame
from axletree.expr import Expr, directional_derivative, sqrt, substitute
from axletree.expr.evaluation import Evaluator
from axletree.expr.expression import ZERO
from axletree.expr.vectors import Matrix, Vector
from axletree.system.mechanism import measured_travels

_CLOSED = 1e-12  # [m or rad] a loop counts as closed below this
_MOST_ITERATIONS = 12  # of Newton's method on one step of a path
_LONGEST_STEP = 0.25  # share of the path from design to a target
_SHORTEST_STEP = 1e-3  # likewise, below which the path ends
_SINGULAR = 1e-11  # share of the largest singular value that counts as zero
_FARTHEST = 0.5  # [m or rad] a coordinate may move in one iteration


class UnreachableError(AxletreeError):
    """A rig asks for a position or a load that the axle cannot take."""


class Linkage:
    """An axle on a rig. Targets are (height of left and right wheel centre, rack)."""

    def __init__(self, axle: AxleOnRig) -> None:
        axle.check()
        self.axle = axle
        equations = derive_equations(axle.model, axle.model.tree)
        self.equations = equations
        self._q = [x.symbol for x in equations.coordinates]
        self._p = [x.symbol for x in equations.speeds]
        self._h = dict(zip(self._q, equations.coordinate_rates, strict=True))
        self._values: dict[Expr, float | FloatArray] = {TIME: 0.0}
        for quantity in (*equations.inputs, *equations.parameters):
            self._values[quantity.symbol] = quantity.default
        for state in equations.internal:
            self._values[state.quantity.symbol] = state.quantity.default
        closures = [c.position for c in equations.constraints if c.is_holonomic]
        self.sources = [c.source for c in equations.constraints if c.is_holonomic]
        self._closures = substitute(closures, measured_travels(equations))
        self._frames = _Frames(equations)
        self._locks = [self._coordinate(w.spin) for w in axle.wheels if w.spin is not None]
        self._rack = [] if axle.rack is None else [self._coordinate(axle.rack)]
        heights = [self._frames.origin(wheel.hub)[2] for wheel in axle.wheels]
        self._targets = [*heights, *self._rack]
        self._rows = _Rows(self, [*self._closures, *self._locks, *self._targets])
        self._measured = _Rows(self, [x for w in axle.wheels for x in self._frames.measured(w)])
        self._moves = _Rows(self, list(self._h.values()), is_rate=True)
        self.design = self._assembled()

    def _coordinate(self, name: str) -> Expr:
        for quantity in self.equations.coordinates:
            if quantity.name == name:
                return quantity.symbol
        known = few_names([q.name for q in self.equations.coordinates], 8)
        raise ModelError(
            f"{self.axle.model.name}: {name!r} is no coordinate of the tree; a rig prescribes "
            f"coordinates, of which there are {known}"
        )

    # -- positions ---------------------------------------------------------------------
    @property
    def design_targets(self) -> FloatArray:
        """Heights of both wheel centres and the rack, at design."""
        return np.array([self.axle.wheel_height] * 2 + [0.0] * len(self._rack))

    def _assembled(self) -> FloatArray:
        """Coordinates at design, from the model's start."""
        given = self.axle.model.start
        q = [float(given.get(x.name, x.default)) for x in self.equations.coordinates]
        found, left = self._newton(np.array([q]), self.design_targets[None], 60)
        if not np.abs(left).max(initial=0.0) <= _CLOSED:
            raise UnreachableError(
                f"{self.axle.model.name}: the axle cannot be assembled at design, with wheel "
                f"centres {self.axle.wheel_height:g} m above the road: {self._worst(left[0])}"
            )
        design: FloatArray = found[0]
        return design

    def coordinates(self, travel: FloatArray) -> FloatArray:
        """Coordinates (N, n) at targets above design: travel of both wheels, rack (N, 3) [m].

        Each position is led from design along a straight path of targets. Where a path ends,
        the error says how far it came and what stops it.
        """
        goal = np.asarray(travel, dtype=float)[:, : len(self._targets)]
        count = len(goal)
        q, base = np.tile(self.design, (count, 1)), self.design_targets
        reached, step = np.zeros(count), np.full(count, _LONGEST_STEP)
        left = np.zeros((count, len(self._rows.expressions)))
        while (open_ := np.flatnonzero((reached < 1.0) & (step >= _SHORTEST_STEP))).size:
            ahead = np.minimum(reached[open_] + step[open_], 1.0)
            found, off = self._newton(q[open_], base + ahead[:, None] * goal[open_])
            is_closed = np.abs(off).max(axis=1) <= _CLOSED
            good, bad = open_[is_closed], open_[~is_closed]
            q[good], reached[good] = found[is_closed], ahead[is_closed]
            step[good] = np.minimum(2.0 * step[good], _LONGEST_STEP)
            left[bad], step[bad] = off[~is_closed], step[bad] / 2.0
        if (stuck := np.flatnonzero(reached < 1.0)).size:
            self._refuse(int(stuck[np.argmin(reached[stuck])]), goal, reached, left)
        return q

    def _refuse(self, worst: int, goal: FloatArray, reached: FloatArray, left: FloatArray) -> None:
        names = ("left wheel travel", "right wheel travel", "rack travel")
        asked, got = goal[worst], reached[worst] * goal[worst]
        what = ", ".join(f"{n} {1e3 * x:.4g} mm" for n, x in zip(names, asked, strict=False))
        near = ", ".join(f"{1e3 * x:.4g} mm" for x in got)
        raise UnreachableError(
            f"{self.axle.model.name}: {what} is beyond the reach of the axle, which comes to "
            f"{near} ({100 * reached[worst]:.3g} % of it); {self._worst(left[worst])}; ask for "
            "less travel"
        )

    def _worst(self, left: FloatArray) -> str:
        """The loop that is farthest from being closed, in words."""
        loops = np.abs(left[: len(self.sources)])
        if not loops.size or not np.isfinite(loops).all() or loops.max() == 0.0:
            return "no loop of it can follow"
        k = int(loops.argmax())
        return (
            f"the loop of {self.sources[k]} stops it, which stays open by {1e3 * loops[k]:.3g} mm"
        )

    def _newton(
        self, q: FloatArray, targets: FloatArray, most: int = _MOST_ITERATIONS
    ) -> tuple[FloatArray, FloatArray]:
        """Coordinates after Newton's method from q, and the residuals that are left."""
        q = q.copy()
        left = self._residuals(q, targets)
        for _ in range(most):
            if np.abs(left).max(initial=0.0) <= _CLOSED / 10.0:
                break
            step = -_solve(self._rows.slopes(q), left)
            q = self._moved(q, step)
            left = self._residuals(q, targets)
        return q, left

    def _residuals(self, q: FloatArray, targets: FloatArray) -> FloatArray:
        left = self._rows.values(q)
        left[:, left.shape[1] - targets.shape[1] :] -= targets
        return left

    def _moved(self, q: FloatArray, step: FloatArray) -> FloatArray:
        """q + h(q, dp), with a step no longer than what slopes can tell."""
        change = self._moves.along(q, step)
        longest = np.abs(change).max(axis=1, initial=0.0)
        share = np.minimum(1.0, _FARTHEST / np.maximum(longest, 1e-30))
        moved: FloatArray = q + change * share[:, None]
        return moved

    # -- what is measured --------------------------------------------------------------
    def poses(self, q: FloatArray) -> AxlePoses:
        """Positions of the wheels, and their rates by both travels and the rack."""
        slopes = self._rows.slopes(q)
        closures = slopes.shape[1] - len(self._targets)
        unit = np.zeros((len(q), slopes.shape[1], len(self._targets)))
        unit[:, closures:] = np.eye(len(self._targets))
        speeds = np.linalg.pinv(slopes, rcond=_SINGULAR) @ unit
        return self.poses_along(q, speeds)

    def poses_along(self, q: FloatArray, speeds: FloatArray) -> AxlePoses:
        """Likewise, with rates by speeds (N, n_p, inputs)."""
        values, rates = self._measured.values(q), self._measured.slopes(q) @ speeds
        half = values.shape[1] // 2
        left, right = (
            WheelPoses.of(values[:, part], rates[:, part], self.axle.tyre_radius, side)
            for part, side in ((slice(0, half), 1.0), (slice(half, None), -1.0))
        )
        return AxlePoses(left, right)


class _Frames:
    """Frames of the model in the axes of the ground."""

    def __init__(self, equations: Equations) -> None:
        self._k = equations.dynamics.kinematics
        self._places = self._k.links.places

    def _place(self, name: str) -> LinkFrame:
        if name not in self._places:
            raise ModelError(
                f"the axle has no frame {name!r}; there are {few_names(self._places, 12)}"
            )
        return self._places[name]

    def origin(self, name: str) -> Vector:
        place = self._place(name)
        return self._k.origin_in(0, place.link) + self._k.rotation(0, place.link) @ place.r_LF_L

    def axes(self, name: str) -> Matrix:
        place = self._place(name)
        return self._k.rotation(0, place.link).times(place.R_LF)

    def distance(self, ends: tuple[str, str]) -> Expr:
        between = self.origin(ends[1]) - self.origin(ends[0])
        length: Expr = sqrt(between.dot(between))
        return length

    def measured(self, wheel: WheelOnRig) -> list[Expr]:
        """Wheel centre, axes of the hub by rows, kingpin, lengths of spring and damper."""
        R = self.axes(wheel.hub)
        hub = [*self.origin(wheel.hub), *(x for row in R for x in row)]
        ends = wheel.kingpin or (wheel.hub, wheel.hub)
        kingpin = [x for end in ends for x in self.origin(end)]
        ends_of = (wheel.spring, wheel.damper)
        lengths = [ZERO if one is None else self.distance(one) for one in ends_of]
        return [*hub, *kingpin, *lengths]


class _Rows:
    """Expressions at many coordinates at once, with their slopes along the speeds."""

    def __init__(
        self, linkage: Linkage, expressions: Sequence[Expr], *, is_rate: bool = False
    ) -> None:
        self.expressions = list(expressions)
        self._linkage = linkage
        self._values = Evaluator(self.expressions)
        rates = self.expressions if is_rate else None
        formed = rates or directional_derivative(self.expressions, linkage._h)
        self._rates = Evaluator(formed)

    def values(self, q: FloatArray) -> FloatArray:
        """(N, rows)."""
        at = self._at(q, 1)
        return _stacked(self._values(at), (len(q),)).T

    def slopes(self, q: FloatArray) -> FloatArray:
        """(N, rows, speeds)."""
        p = self._linkage._p
        at = self._at(q, 2) | dict(zip(p, np.eye(len(p)), strict=True))
        return np.moveaxis(_stacked(self._rates(at), (len(q), len(p))), 0, 1)

    def along(self, q: FloatArray, p: FloatArray) -> FloatArray:
        """(N, rows): rates at speeds (N, n_p)."""
        at = self._at(q, 1) | dict(zip(self._linkage._p, p.T, strict=True))
        return _stacked(self._rates(at), (len(q),)).T

    def _at(self, q: FloatArray, axes: int) -> dict[Expr, float | FloatArray]:
        linkage = self._linkage
        shape = (len(q),) + (1,) * (axes - 1)
        columns = dict(zip(linkage._q, q.T, strict=True))
        at = linkage._values | {s: x.reshape(shape) for s, x in columns.items()}
        return at | dict.fromkeys(linkage._p, 0.0)


def _stacked(values: Sequence[float | FloatArray], shape: tuple[int, ...]) -> FloatArray:
    return np.array([np.broadcast_to(x, shape) for x in values]).reshape(len(values), *shape)


def _solve(A: FloatArray, b: FloatArray) -> FloatArray:
    """The shortest solutions of A x = b, of a stack of them."""
    return (np.linalg.pinv(A, rcond=_SINGULAR) @ b[..., None])[..., 0]
