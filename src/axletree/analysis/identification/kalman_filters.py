"""Kalman filters: states, and parameters that wander, from measured outputs, step by step.

Between measurements states follow the equations of the system, and the filter's covariance P grows
by a process noise of given spectral density. The *extended* filter carries P on by the exact
derivative F of the step (Gelb 1974, table 6.1-1; Joseph's form of the update),

    P' = F P F^T + Q dt,   K = P' H^T (H P' H^T + R)^-1,   x = x' + K (z - h(x')),

the *unscented* one by 2 n + 1 points that have mean and covariance of the state (Julier and
Uhlmann 2004; weights of Wan and van der Merwe 2000), which stand along the columns of Cholesky's
factor of P. A parameter that is estimated is one more state, whose rate is 0 but for its process
noise: so friction or mass follow a drive. ``export.kalman_filter`` writes a filter as C.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from axletree.analysis.identification.unknowns import IdentificationError
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.registry import refuse_unknown
from axletree.core.units import UnitError, to_si
from axletree.simulation.system_functions import functions
from axletree.system.system import System

# Of the unscented transform (Wan and van der Merwe 2000, section 3): how far points are spread, and
# what is known of the distribution (2 for a normal one).
SPREAD: Final = 1e-1
NORMAL_KURTOSIS: Final = 2.0
SMALLEST_PIVOT: Final = 1e-9  # of a variance; less that others do not explain is rounding, and 0
_HALVES: Final = (0.0, 0.5, 0.5, 1.0)
_SHARES: Final = (1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0)


class FilterKind(enum.Enum):
    """How the covariance is carried on.

    Example:
    >>> import axletree as at
    >>> [kind.value for kind in at.FilterKind]
    ['extended', 'unscented']
    """

    EXTENDED = "extended"
    UNSCENTED = "unscented"


@dataclass(frozen=True)
class FilterEstimate:
    """Estimates over a measurement; ``estimate["chassis.vy"]`` and ``.deviation("chassis.vy")``.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.identification.kalman_filters import FilterEstimate
    >>> one = np.ones((2, 1))
    >>> found = FilterEstimate(("a",), np.arange(2.0), one, one[:, None], one)
    >>> found.deviation("a").tolist()
    [1.0, 1.0]
    """

    names: tuple[str, ...]  # of states and estimated parameters
    time: FloatArray  # [s]
    means: FloatArray  # instant, name
    covariances: FloatArray  # instant, name, name
    innovations: FloatArray  # instant, channel: measured less expected, over its deviation

    def __getitem__(self, name: str) -> FloatArray:
        return self.means[:, self._index(name)]

    def deviation(self, name: str) -> FloatArray:
        """The standard deviation that the filter states, in the unit of the state.

        Example:
        >>> import axletree as at
        >>> swing = at.read_model("pendulum").formulate()
        >>> watch = at.KalmanFilter(swing, {"pin.angle": 0.1}, deviations={"pin.angle": 0.5})
        >>> found = watch.run([0.0, 1e-3], {"pin.angle": [0.3, 0.3]})
        >>> found.deviation("pin.angle").round(3).tolist()  # rad, of 0.5 and 0.1 together
        [0.098, 0.07]
        """
        k = self._index(name)
        return np.asarray(np.sqrt(np.maximum(self.covariances[:, k, k], 0.0)))

    def _index(self, name: str) -> int:
        refuse_unknown("state", [name], self.names, "the estimate")
        return self.names.index(name)


class KalmanFilter:
    """An extended or unscented Kalman filter over a system.

    Parameters
    ----------
    system: one without constraints or set-valued forces.
    noise: standard deviation of each measured state or output by name; texts may carry units.
    process_noise: how far each state wanders in a second, in its unit, as a standard deviation;
        states that are left out follow the equations.
    initial: the first state by name; what is left out is as ``system.state`` has it.
    deviations: standard deviations of the first state by name; 0 where left out.
    wandering: parameters that are estimated, with how far each wanders in a second, in its unit.
    kind: extended, or unscented.
    step: the longest step [s] between measurements.

    Example:
    >>> import axletree as at
    >>> swing = at.read_model("pendulum").formulate()
    >>> watch = at.KalmanFilter(
    ...     swing, {"pin.angle": "1 deg"}, initial={"pin.angle": 0.0}, deviations={"pin.angle": 0.5}
    ... )
    >>> watch.update({"pin.angle": 0.2}).round(2).tolist()  # 0.2 rad over 0.5 rad
    [0.4]
    >>> print(f"{watch['pin.angle']:.3f} rad, {watch.deviation('pin.angle'):.4f} rad")
    0.200 rad, 0.0174 rad
    """

    def __init__(
        self,
        system: System,
        noise: Mapping[str, float | str],
        *,
        process_noise: Mapping[str, float | str] | None = None,
        initial: Mapping[str, float | str] | None = None,
        deviations: Mapping[str, float | str] | None = None,
        wandering: Mapping[str, float | str] | None = None,
        inputs: Mapping[str, float | str] | None = None,
        kind: FilterKind = FilterKind.EXTENDED,
        step: float | str = 5e-3,
    ) -> None:
        check_arguments(KalmanFilter.__init__, {**locals()})
        if system.projection is not None or system.rows is not None:
            raise IdentificationError(
                f"{system.name} has constraints or unknown forces; filters are of systems without"
            )
        states = {q.name: q.unit for q in system.states}
        outputs = {one.quantity.name: one.quantity.unit for one in system.outputs}
        known = {**outputs, **states}
        if not noise:
            raise IdentificationError("nothing is measured: give the noise of states or outputs")
        refuse_unknown("quantity", noise, known, f"the system {system.name!r}")
        parameters = {q.name: q.unit for q in system.parameters}
        refuse_unknown("parameter", wandering or {}, parameters, f"the system {system.name!r}")
        self.system, self.channels, self.wandering = system, tuple(noise), tuple(wandering or {})
        rows = [name for name in self.channels if name not in states]
        self._functions = functions(
            system, "f", "jacobian", outputs=rows, by_parameters=tuple(wandering or {})
        )
        self._n = len(self._functions.states)
        others = self._n + len(self._functions.inputs)
        self.names = (*self._functions.states, *self._functions.columns[others:])
        units = {**states, **parameters}
        refuse_unknown("state", process_noise or {}, self._functions.states, "the filter")
        refuse_unknown("state", deviations or {}, self.names, "the filter")
        self.noise = np.array([_positive(n, v, known[n]) for n, v in noise.items()]) ** 2
        wander = {**(process_noise or {}), **(wandering or {})}
        self.density = np.array([_size(n, wander.get(n, 0.0), units[n]) for n in self.names]) ** 2
        spread = [_size(n, (deviations or {}).get(n, 0.0), units[n]) for n in self.names]
        self.covariance = np.diag(np.square(spread))
        x, self.inputs = self._functions.point(initial, inputs)
        self.mean = np.concatenate([x, self._functions.p])
        self.kind, self.step, self.time = kind, to_si(step, expected="s"), 0.0  # s
        if not self.step > 0.0:
            raise IdentificationError(f"a step of {self.step:g} s is none; expected more than 0 s")
        index = {name: k for k, name in enumerate(self._functions.rows) if k >= self._n}
        self._rows = [index.get(name, -1) for name in self.channels]
        self._own = [self.names.index(n) if n in states else -1 for n in self.channels]
        pattern = self._functions.jacobian_pattern
        self._at = np.array(pattern.rows, dtype=int), np.array(pattern.columns, dtype=int)
        z = [*range(self._n), *range(self._n + len(self.inputs), len(self._functions.columns))]
        self._columns = np.array(z, dtype=int)

    def __getitem__(self, name: str) -> float:
        """The estimate of a state or parameter."""
        return float(self.mean[self._index(name)])

    def deviation(self, name: str) -> float:
        """Its standard deviation, as the filter states it.

        Example:
        >>> import axletree as at
        >>> swing = at.read_model("pendulum").formulate()
        >>> watch = at.KalmanFilter(swing, {"pin.angle": 0.1}, deviations={"pin.angle": 0.5})
        >>> watch.deviation("pin.angle")  # rad
        0.5
        """
        k = self._index(name)
        return float(np.sqrt(max(self.covariance[k, k], 0.0)))

    def _index(self, name: str) -> int:
        refuse_unknown("state", [name], self.names, "the filter")
        return self.names.index(name)

    def predict(
        self, duration: float | str, inputs: Mapping[str, float | str] | None = None
    ) -> None:
        """Move on by a time [s], with inputs that are held; those left out stay as they are.

        Example:
        >>> import axletree as at
        >>> swing = at.read_model("pendulum").formulate()
        >>> watch = at.KalmanFilter(swing, {"pin.angle": "1 deg"}, initial={"pin.angle": 0.3})
        >>> watch.predict("100 ms")
        >>> print(f"{watch['pin.rate']:.3f} rad/s")
        -0.425 rad/s
        """
        if inputs:
            refuse_unknown("input", inputs, self._functions.inputs, "the filter")
            units = {q.name: q.unit for q in self._functions.program.inputs}
            for name, value in inputs.items():
                self.inputs[self._functions.inputs.index(name)] = to_si(value, expected=units[name])
        self._advance(to_si(duration, expected="s"), self.inputs, self.inputs)

    def _advance(self, duration: float, first: FloatArray, last: FloatArray) -> None:
        """Inputs go from the first to the last along straight lines."""
        if duration < 0.0:
            raise IdentificationError(f"{duration:g} s is a time before the last one")
        count = max(int(np.ceil(duration / self.step - 1e-9)), 1)
        h = duration / count
        if not h:
            return
        for k in range(count):
            ends = [first + (last - first) * (k + part) / count for part in _HALVES]
            if self.kind is FilterKind.EXTENDED:
                self._extended_step(h, ends)
            else:
                self._unscented_step(h, ends)
            self.time += h
        if not np.isfinite(self.mean).all():
            raise IdentificationError(
                "the filter's state is not finite any more; try a shorter step, or less process "
                "noise"
            )

    def _extended_step(self, h: float, inputs: Sequence[FloatArray]) -> None:
        x, p, n = self.mean[: self._n], self.mean[self._n :], self._n
        width = len(self.names)
        rate, slope = np.zeros(n), np.zeros((n, width))
        total, total_slope = np.zeros(n), np.zeros((n, width))
        S = np.eye(n, width)
        for u, ahead, share in zip(inputs, _HALVES, _SHARES, strict=True):
            at, S_at = x + ahead * h * rate, S + ahead * h * slope
            t = self.time + ahead * h
            rate = self._functions.f(at, u, p, t)[:n]
            J = self._jacobian(at, u, p, t)[:n]
            slope = J[:, :n] @ S_at
            slope[:, n:] += J[:, n:]
            total, total_slope = total + share * rate, total_slope + share * slope
        F = np.eye(width)
        F[:n] = S + h * total_slope
        self.mean = np.concatenate([x + h * total, p])
        self.covariance = F @ self.covariance @ F.T + np.diag(self.density * h)

    def _jacobian(self, x: FloatArray, u: FloatArray, p: FloatArray, t: float) -> FloatArray:
        """Of rates and outputs by states and estimated parameters."""
        found = np.zeros((len(self._functions.rows), len(self._functions.columns)))
        found[self._at] = self._functions.jacobian_values(x, u, p, t)
        return np.asarray(found[:, self._columns])

    def _unscented_step(self, h: float, inputs: Sequence[FloatArray]) -> None:
        points = self._points()
        ends = np.array([self._ended(point, h, inputs) for point in points])
        self.mean, off = _mean(ends)
        self.covariance = self._moments(off, off) + np.diag(self.density * h)

    def _ended(self, point: FloatArray, h: float, inputs: Sequence[FloatArray]) -> FloatArray:
        x, p, rate = point[: self._n], point[self._n :], np.zeros(self._n)
        total = np.zeros(self._n)
        for u, ahead, share in zip(inputs, _HALVES, _SHARES, strict=True):
            rate = self._functions.f(x + ahead * h * rate, u, p, self.time + ahead * h)[: self._n]
            total = total + share * rate
        return np.concatenate([x + h * total, p])

    def _points(self) -> FloatArray:
        """Sigma points: the mean, and to both sides of it along the columns of a factor of P."""
        root = _factor(self.covariance) * (SPREAD * np.sqrt(len(self.mean)))
        return np.vstack([self.mean, self.mean + root.T, self.mean - root.T])

    def _moments(self, first: FloatArray, second: FloatArray) -> FloatArray:
        """Covariances of what points are off by; that at the mean has another weight."""
        spread = SPREAD**2 * len(self.mean)
        at_mean = 2.0 - len(self.mean) / spread - SPREAD**2 + NORMAL_KURTOSIS
        off = first[1:].T @ second[1:] * (0.5 / spread)
        return np.asarray(off + at_mean * np.outer(first[0], second[0]))

    def update(self, measured: Mapping[str, float | str]) -> FloatArray:
        """Take in what is measured now; returns the innovations over their deviations.

        Channels that are left out, or NaN, are not there at this instant.

        Example:
        >>> import axletree as at
        >>> swing = at.read_model("pendulum").formulate()
        >>> watch = at.KalmanFilter(swing, {"pin.rate": 0.1}, deviations={"pin.rate": 0.1})
        >>> watch.update({"pin.rate": 0.2}).round(2).tolist()  # 0.2 rad/s over sqrt(2) * 0.1
        [1.41]
        """
        refuse_unknown("channel", measured, self.channels, "the filter")
        units = {q.name: q.unit for q in self._functions.system.states}
        units |= {o.quantity.name: o.quantity.unit for o in self._functions.system.outputs}
        values = [
            to_si(measured[name], expected=units[name]) if name in measured else np.nan
            for name in self.channels
        ]
        return self._take(np.array(values, dtype=float))

    def _take(self, z: FloatArray) -> FloatArray:
        there = np.isfinite(z)
        found = np.full(len(z), np.nan)
        if not there.any():
            return found
        expected, cross, S = (
            self._linear_expectation()
            if self.kind is FilterKind.EXTENDED
            else self._unscented_expectation()
        )
        S = S[np.ix_(there, there)] + np.diag(self.noise[there])
        K = np.linalg.solve(S, cross[:, there].T).T
        off = z[there] - expected[there]
        found[there] = off / np.sqrt(np.diag(S))
        self.mean = self.mean + K @ off
        # The same as (1 - K H) P (1 - K H)^T + K R K^T, and as symmetric.
        P = self.covariance - K @ S @ K.T
        self.covariance = 0.5 * (P + P.T)
        return found

    def _linear_expectation(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        x, p = self.mean[: self._n], self.mean[self._n :]
        H = np.zeros((len(self.channels), len(self.names)))
        values = self._functions.f(x, self.inputs, p, self.time)
        J = self._jacobian(x, self.inputs, p, self.time)
        expected = np.empty(len(self.channels))
        for k, (row, own) in enumerate(zip(self._rows, self._own, strict=True)):
            if own >= 0:
                H[k, own], expected[k] = 1.0, x[own]
            else:
                H[k], expected[k] = J[row], values[row]
        cross = self.covariance @ H.T
        return expected, cross, H @ cross

    def _unscented_expectation(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        points = self._points()
        expected, off = _mean(np.array([self._seen(point) for point in points]))
        return expected, self._moments(points - self.mean, off), self._moments(off, off)

    def _seen(self, point: FloatArray) -> FloatArray:
        values = self._functions.f(point[: self._n], self.inputs, point[self._n :], self.time)
        return np.array([point[own] if own >= 0 else values[row]
                         for row, own in zip(self._rows, self._own, strict=True)])  # fmt: skip

    def run(
        self,
        time: ArrayLike,
        measured: Mapping[str, ArrayLike],
        inputs: Mapping[str, ArrayLike] | None = None,
    ) -> FilterEstimate:
        """Filter a whole measurement; inputs go along straight lines between its instants.

        Example:
        >>> import axletree as at
        >>> import numpy as np
        >>> swing = at.read_model("pendulum").formulate()
        >>> first, interval = {"pin.angle": 0.5}, "10 ms"
        >>> drive = swing.simulate("2 s", step="1 ms", record_interval=interval, initial=first)
        >>> noisy = drive["pin.angle"] + 0.01 * np.random.default_rng(1).standard_normal(len(drive))
        >>> watch = at.KalmanFilter(
        ...     swing,
        ...     {"pin.angle": 0.01},
        ...     initial={"pin.angle": 0.0},
        ...     deviations={"pin.angle": 1.0, "pin.rate": 1.0},
        ... )
        >>> found = watch.run(drive.time, {"pin.angle": noisy})
        >>> print(f"{abs(found['pin.rate'] - drive['pin.rate'])[100:].max():.3f} rad/s")
        0.005 rad/s
        """
        t = np.asarray(time, dtype=float)
        if t.ndim != 1 or len(t) < 2 or not (np.diff(t) > 0.0).all():
            raise IdentificationError("times are to rise from one instant to the next")
        refuse_unknown("channel", measured, self.channels, "the filter")
        refuse_unknown("input", inputs or {}, self._functions.inputs, "the filter")
        z = np.full((len(t), len(self.channels)), np.nan)
        for name, values in measured.items():
            z[:, self.channels.index(name)] = _course(name, values, t)
        u = np.tile(self.inputs, (len(t), 1))
        for name, values in (inputs or {}).items():
            u[:, self._functions.inputs.index(name)] = _course(name, values, t)
        means = np.empty((len(t), len(self.names)))
        covariances = np.empty((len(t), len(self.names), len(self.names)))
        innovations = np.empty(z.shape)
        self.time = float(t[0])
        for k in range(len(t)):
            if k:
                self._advance(t[k] - t[k - 1], u[k - 1], u[k])
            self.inputs, self.time = u[k], float(t[k])
            innovations[k] = self._take(z[k])
            means[k], covariances[k] = self.mean, self.covariance
        return FilterEstimate(self.names, t, means, covariances, innovations)


def _mean(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of values at sigma points, and what each is off by.

    Of differences from the first: sums of values themselves, with weights of opposite signs, would
    lose two digits, which matter where much of a covariance is 0.
    """
    off = points - points[0]
    n = len(points) // 2
    mean = off[1:].sum(axis=0) * (0.5 / (SPREAD**2 * n))
    return points[0] + mean, off - mean


def _factor(covariance: FloatArray) -> FloatArray:
    """Cholesky's L of L L^T = P, with columns of 0 where P has no more than rounding."""
    L = np.zeros(covariance.shape)
    for k in range(len(covariance)):
        rest = covariance[k:, k] - L[k:, :k] @ L[k, :k]
        if rest[0] > SMALLEST_PIVOT * covariance[k, k]:
            L[k:, k] = rest / np.sqrt(rest[0])
    return L


def _course(name: str, values: ArrayLike, time: FloatArray) -> FloatArray:
    found = np.asarray(values, dtype=float)
    if found.shape != time.shape:
        raise IdentificationError(
            f"{name} has the shape {found.shape}; expected a value for each of {len(time)} instants"
        )
    return found


def _size(name: str, value: Any, unit: str) -> float:
    try:
        found = to_si(value, expected=unit)
    except UnitError as error:
        raise IdentificationError(f"{name}: {error}") from None
    if not (np.isfinite(found) and found >= 0.0):
        raise IdentificationError(f"{name}: {value!r} is no deviation; expected 0 or more {unit}")
    return found


def _positive(name: str, value: Any, unit: str) -> float:
    found = _size(name, value, unit)
    if not found:
        raise IdentificationError(f"{name}: a noise of 0 leaves nothing to estimate")
    return found
