"""Model predictive path following: the steering that a linear model finds best, in every instant.

The lateral motion of the vehicle is that of the linear single-track model (Rajamani 2012, section
2.3) with the numbers of its own axles i: cornering stiffness C_i at x_i ahead of the centre of
mass, and the share s_i of the wheels' angle d that it steers by. With the lateral speed u and the
yaw rate r, the offset e to the left of the path and the heading p over it, the curvature k of the
path and the angle a that is asked for,

    e' = u + v p,    p' = r - v k,    d' = (a - d) / lag,
    m (u' + v r) = sum C_i (s_i d - (u + x_i r) / v),                                            (1)
    J r' = sum (x_i - n_i) C_i (s_i d - (u + x_i r) / v), with trails n_i.

It is integrated exactly over steps h at the present speed v, with a and k constant in each, k as
the path has it ahead. Of N steps the angles a_1 ... a_N are wanted that make

    sum  offset_weight e^2 + rate_weight (e')^2 + effort_weight ((a_n - a_(n-1)) / h)^2          (2)

least, with |a_n| within the lock and |a_n - a_(n-1)| within what hands do in h: a quadratic
programme in a alone, for states are linear in it (Falcone et al. 2007 steer by the same scheme,
linearised about the present state, LTV-MPC). The first of the angles is commanded. OSQP solves it
(Stellato et al. 2020). The weight of e' in place of that of p leaves a vehicle its sideslip angle
in a steady turn, and so no offset.

    Falcone, P.; Borrelli, F.; Asgari, J.; Tseng, H. E.; Hrovat, D.: Predictive Active Steering
    Control for Autonomous Vehicle Systems. IEEE Trans. Control Systems Technology 15 (2007) 3.
    Stellato, B.; Banjac, G.; Goulart, P.; Bemporad, A.; Boyd, S.: OSQP: an operator splitting
    solver for quadratic programs. Mathematical Programming Computation 12 (2020).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, ClassVar

import numpy as np

from axletree.components.fields import fixed_number, parameter, positive
from axletree.controllers.contract import ControlledVehicle, SolvingController, proposed_interval
from axletree.controllers.path_following import BACKWARDS, NEAREST_FOOT, FollowsPath
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, ModelError
from axletree.ground.paths import CentreLine
from axletree.metrics.vehicle_signals import (
    FORWARD_SPEED,
    HEADING,
    LATERAL_SPEED,
    YAW_RATE,
    X,
    Y,
)

_OFFSET, _HEADING, _LATERAL, _YAW, _ANGLE, _ASKED, _BEND = range(7)  # rows of the model
_STATES = 5
_MOST = (20.0, 1.0, 20.0, 4.0)  # m, rad, m/s, rad/s: what the model is asked about
_SLOWEST = 2.0  # m/s, at which the model stays for slower vehicles
_FASTEST = 150.0  # m/s, likewise
_ANEW = 5e-3  # of the speed, beyond which the programme is made anew


class NoSolutionError(AxletreeError):
    """An instant for which no commands were found."""


@dataclass(frozen=True)
class PredictivePathController(FollowsPath, SolvingController):
    """Follows a path by the steering that is best over the seconds ahead.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan").described["vehicle"]
    >>> mpc = at.PredictivePathController.of(car, at.StraightPath(), steps=20)
    >>> mpc.steps * mpc.step  # s
    1.0
    """

    word: ClassVar[str] = "mpc"
    summary: ClassVar[str] = "predictive path following: best steering of a linear model, by OSQP"
    sees: ClassVar[tuple[str, ...]] = (X, Y, HEADING, FORWARD_SPEED, LATERAL_SPEED, YAW_RATE)

    interval: float = proposed_interval(0.02)
    step: float = positive("s", "of the prediction", default=0.05)
    steps: float = fixed_number("1", "of the prediction", default=30, lower=2.0, whole=True)
    offset_weight: float = positive("1/m^2", "of the offset", default=1.0)
    rate_weight: float = parameter("s^2/m^2", "of its rate", default=0.1, lower=0.0)
    effort_weight: float = positive("s^2/rad^2", "of the rate of the wheels' angle", default=0.1)
    lag: float = positive("s", "of the steering", default=0.03)
    hand_rate: float = positive("rad/s", "fastest turning of the steering wheel", default=15.0)

    def running(self) -> PredictiveRun:
        if find_spec("osqp") is None:
            raise ModelError(
                f"the controller {self.word!r} needs the package osqp, which is not installed; "
                "try: pip install 'axletree[mpc]'"
            )
        return PredictiveRun(self)


def error_model(car: ControlledVehicle, v: float, lag: float) -> FloatArray:
    """Rates of e, p, u, r, d by these, and by a and k (1).

    Example:
    >>> import axletree as at
    >>> from axletree.controllers.contract import ControlledVehicle
    >>> from axletree.controllers.predictive import error_model
    >>> car = ControlledVehicle.of(at.read_model("sedan").described["vehicle"])
    >>> error_model(car, 20.0, 0.03)[0].tolist()  # m/s, s: e' = u + 20 p
    [0.0, 20.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    """
    rates = np.zeros((_STATES, _STATES + 2))
    rates[_OFFSET, [_HEADING, _LATERAL]] = v, 1.0
    rates[_HEADING, [_YAW, _BEND]] = 1.0, -v
    rates[_LATERAL, _YAW] = -v
    for axle in car.axles:
        x, steer = axle.position - car.centre, axle.steer * car.ratio
        turns = (x - axle.trail) / car.yaw_inertia  # of a side force behind the axle
        for row, lever in ((_LATERAL, 1.0 / car.mass), (_YAW, turns)):
            push = lever * axle.stiffness
            rates[row, [_LATERAL, _YAW, _ANGLE]] += -push / v, -push * x / v, push * steer
    rates[_ANGLE, [_ANGLE, _ASKED]] = -1.0 / lag, 1.0 / lag
    return rates


class PredictiveRun:
    """A predictive controller at work: what it found last, and its programme for a speed."""

    def __init__(self, own: PredictivePathController) -> None:
        self.own, self._line = own, own.path.line
        self._differences = np.eye(int(own.steps)) - np.eye(int(own.steps), k=-1)
        self.reset()

    def reset(self) -> None:
        """As before the first instant."""
        self._station, self._angle, self._asked = 0.0, 0.0, 0.0
        self._programme: _Programme | None = None

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        """Commands at t [s], in SI units."""
        own, car = self.own, self.own.vehicle
        for name in own.sees:
            if not np.isfinite(measured[name]):
                raise ModelError(f"it is given {measured[name]} for {name!r}, which is no number")
        v = min(max(measured[FORWARD_SPEED], _SLOWEST), _FASTEST)
        r = measured[YAW_RATE]
        offset, over = self._beside(measured, car.centre)
        lateral = measured[LATERAL_SPEED] + car.centre * r
        most = np.array([*_MOST, np.inf])
        state = np.clip(np.array([offset, over, lateral, r, self._angle]), -most, most)
        ahead = self._station + v * own.step * (np.arange(int(own.steps)) + 0.5)
        bends = np.interp(ahead, self._line.station, self._line.curvature, right=0.0)
        forwards = measured[FORWARD_SPEED] > -BACKWARDS
        self._asked = self._best(v, state, bends) if forwards else 0.0
        self._angle += (1.0 - np.exp(-own.interval / own.lag)) * (self._asked - self._angle)
        return own.commands(self._asked, own.lock)

    def _beside(self, measured: Mapping[str, float], ahead: float) -> tuple[float, float]:
        """Offset [m] and heading over the path [rad] of the centre of mass."""
        heading = measured[HEADING]
        x, y = (measured[X] + ahead * np.cos(heading), measured[Y] + ahead * np.sin(heading))
        for _ in range(2):
            along, offset, _, bend = _from_path(self._line, self._station, x, y)
            self._station += along / max(1.0 - bend * offset, NEAREST_FOOT)
        _, offset, over, _ = _from_path(self._line, self._station, x, y)
        turned = heading - over
        return offset, float(np.arctan2(np.sin(turned), np.cos(turned)))

    def _best(self, v: float, state: FloatArray, bends: FloatArray) -> float:
        """The angle of the wheels to ask for [rad]."""
        if self._programme is None or abs(v / self._programme.speed - 1.0) > _ANEW:
            self._programme = _Programme(self.own, v, self._differences)
        return self._programme.solve(state, bends, self._asked)


class _Programme:
    """(2) at a speed: min 1/2 a' P a + q' a, with q by state, path and the angle before."""

    def __init__(self, own: PredictivePathController, v: float, differences: FloatArray) -> None:
        import osqp
        from scipy.sparse import csc_matrix

        self.speed = v
        count, h = int(own.steps), own.step
        free, by_angle, by_bend = _predicted(own, v)
        weights = np.tile([own.offset_weight, own.rate_weight], count)
        effort = own.effort_weight / (h * h)
        self._free, self._by_bend = free, by_bend
        self._weighted = 2.0 * by_angle.T * weights
        self._effort = 2.0 * effort * differences.T[:, 0]
        quadratic = self._weighted @ by_angle + 2.0 * effort * differences.T @ differences
        lock = np.full(count, own.lock / own.vehicle.ratio)
        self._turn = np.full(count, own.hand_rate * h / own.vehicle.ratio)
        self._bounds = np.concatenate([lock, self._turn])
        self._solver: Any = osqp.OSQP()
        self._solver.setup(
            csc_matrix(np.triu(quadratic)), np.zeros(count),
            csc_matrix(np.vstack([np.eye(count), differences])), -self._bounds, self._bounds,
            verbose=False, eps_abs=1e-6, eps_rel=1e-6, adaptive_rho_interval=25, max_iter=20000,
        )  # fmt: skip

    def solve(self, state: FloatArray, bends: FloatArray, asked: float) -> float:
        count = len(bends)
        lower, upper = -self._bounds, self._bounds.copy()
        lower[count] += asked
        upper[count] += asked
        linear = self._weighted @ (self._free @ state + self._by_bend @ bends)
        self._solver.update(q=linear - self._effort * asked, l=lower, u=upper)
        found = self._solver.solve(raise_error=False)
        if found.info.status != "solved":
            raise NoSolutionError(
                f"OSQP finds no steering: {found.info.status} after {found.info.iter} iterations"
            )
        return float(found.x[0])


def _predicted(
    own: PredictivePathController, v: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """e and e' at the ends of all steps, in rows, by the state, the angles and the curvatures."""
    from scipy.linalg import expm

    count = int(own.steps)
    square = np.zeros((_STATES + 2, _STATES + 2))
    square[:_STATES] = error_model(own.vehicle, v, own.lag)
    over = expm(square * own.step)[:_STATES]
    seen = np.zeros((2, _STATES))
    seen[0, _OFFSET], seen[1, _LATERAL], seen[1, _HEADING] = 1.0, 1.0, v
    powers = [seen]
    for _ in range(count):
        powers.append(powers[-1] @ over[:, :_STATES])
    free = np.vstack(powers[1:])
    responses = np.stack([one @ over[:, _STATES:] for one in powers[:count]])  # step, row, input
    found = np.zeros((2, 2 * count, count))
    for n in range(count):
        found[:, 2 * n :, n] = responses[: count - n].reshape(2 * (count - n), 2).T
    return free, found[0], found[1]


def _from_path(line: CentreLine, s: float, x: float, y: float) -> tuple[float, float, float, float]:
    """Of a point: along the tangent at a station and to the left of it [m]; heading, curvature."""
    beyond = s - min(max(s, 0.0), line.length)  # straight on
    heading = float(np.interp(s, line.station, line.heading))
    bend = float(np.interp(s, line.station, line.curvature))
    c, d = float(np.cos(heading)), float(np.sin(heading))
    over = x - np.interp(s, line.station, line.x) - beyond * c
    left = y - np.interp(s, line.station, line.y) - beyond * d
    return float(c * over + d * left), float(c * left - d * over), heading, bend
