"""The linear single-track (bicycle) model in closed form (Riekert and Schunck 1940).

At the forward speed u, with the lateral speed v of the centre of mass and the yaw rate r,

    m (dv/dt + u r) = Y_v v + Y_r r + Y_d d,    J dr/dt = N_v v + N_r r + N_d d

for the steering wheel's angle d. An axle of stiffness C at x ahead of the centre of mass, whose
side force acts its trail n behind it, adds

    Y_v = -C / u,  Y_r = -C x / u,  N_v = -C (x - n) / u,  N_r = -C x (x - n) / u,

and with i the turn of its wheels over that of the steering wheel Y_d = C i and N_d = C (x - n) i.

How yaw rate and lateral acceleration of a vehicle follow its steering wheel, by frequency.

They are those of small deviations from straight running at a speed, and of the linear bicycle model
in closed form beside them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from axletree.analysis.handling.straight_running import StraightRunningError, straight_running
from axletree.analysis.linear.linearisation import Linearisation
from axletree.core.arguments import check_arguments
from axletree.core.errors import AxletreeError
from axletree.core.units import to_si
from axletree.metrics.findings import Column, Finding, findings_html, shown_findings
from axletree.metrics.steering_response import LATERAL_RESPONSE, ComplexColumn, bandwidth
from axletree.metrics.vehicle_signals import LATERAL_SPEED, STEERING, YAW_RATE
from axletree.model.model import Model
from axletree.model_files.read import model_of
from axletree.vehicles.linear_single_track import LinearSingleTrack, linear_single_track
from axletree.vehicles.vehicle import Vehicle

FREQUENCIES = np.geomspace(0.02, 10.0, 271)  # Hz, 100 in a decade
_LEAST_PEAK = 1.001  # over the steady gain; a response that is flat to 0.01 dB has no resonance
_STEADY = 1e-5  # Hz, of steady gains; at 0 Hz the speed has no restoring force


def response_of_linear(
    linear: Linearisation, speed: float, frequencies: Column
) -> Mapping[str, ComplexColumn]:
    """Yaw rate [1/s] and lateral acceleration [(m/s^2)/rad] over the steering wheel's angle,
    of a linearisation about straight motion at a speed [m/s].

    It has to have the outputs vehicle.yaw_rate and vehicle.lateral_speed. Rates of the steering
    wheel are inputs of their own, which at a frequency are its angle times 2 pi i f.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.analysis.handling.steer_response import response_of_linear
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}}).formulate()
    >>> outputs = ["vehicle.yaw_rate", "vehicle.lateral_speed"]
    >>> linear = sedan.linearise(sedan.trim({"chassis.vx": 20.0}).states, outputs=outputs)
    >>> told = response_of_linear(linear, 20.0, np.array([0.01]))  # m/s, Hz
    >>> {name: round(float(abs(gain[0])), 3) for name, gain in told.items()}  # 1/s, m/s^2/rad
    {'vehicle.yaw_rate': 0.385, 'lateral acceleration': 7.707}
    """
    s = 2j * np.pi * frequencies
    found = linear.frequency_response(frequencies)
    rates = {STEERING: 0, f"{STEERING}_rate": 1, f"{STEERING}_acceleration": 2}
    powers = {name: s**k for name, k in rates.items() if name in found.inputs}
    yaw, lateral = (
        np.sum([found[output, name] * power for name, power in powers.items()], axis=0)
        for output in (YAW_RATE, LATERAL_SPEED)
    )
    return {YAW_RATE: yaw, LATERAL_RESPONSE: s * lateral + speed * yaw}


@dataclass(frozen=True, eq=False)
class SteerResponse:
    """Complex, by the angle of the steering wheel.

    Example:
    >>> import numpy as np
    >>> from axletree.analysis.handling.steer_response import SteerResponse
    >>> hertz = np.geomspace(0.01, 10.0, 301)
    >>> follows = 1.0 / (1.0 + 1j * hertz)  # a lag of first order
    >>> response = SteerResponse("lag", hertz, follows, follows, 1.0, 1.0)
    >>> print(f"{response.yaw_bandwidth:.3f} Hz")
    1.000 Hz
    """

    label: str
    frequencies: np.ndarray  # [Hz], rising
    yaw_rate: np.ndarray  # [1/s]
    lateral_acceleration: np.ndarray  # [m/s^2/rad]
    yaw_gain: float  # steady, [1/s]
    acceleration_gain: float  # steady, [m/s^2/rad]

    def __repr__(self) -> str:
        return shown_findings(self._heading, self.findings())

    def _repr_html_(self) -> str:
        return findings_html(self._heading, self.findings())

    @property
    def _heading(self) -> str:
        f = self.frequencies
        return f"Response to steering of {self.label}, {f[0]:.3g} Hz to {f[-1]:.3g} Hz"

    @property
    def yaw_bandwidth(self) -> float:
        """[Hz] to 3 dB below the steady gain; nan where that is beyond the frequencies."""
        return self._bandwidth(self.yaw_rate, self.yaw_gain)

    @property
    def acceleration_bandwidth(self) -> float:
        """Likewise, of the lateral acceleration."""
        return self._bandwidth(self.lateral_acceleration, self.acceleration_gain)

    def _bandwidth(self, response: np.ndarray, steady: float) -> float:
        gains = np.concatenate([[abs(steady)], np.abs(response)])
        return bandwidth(np.concatenate([[0.0], self.frequencies]), gains)

    @property
    def peak(self) -> tuple[float, float]:
        """Of the yaw rate: frequency [Hz], and gain over the steady one; nan and 1 without one."""
        gains = np.abs(self.yaw_rate) / abs(self.yaw_gain)
        top = int(np.argmax(gains))
        if not 0 < top < len(gains) - 1 or gains[top] < _LEAST_PEAK:
            return math.nan, 1.0
        return float(self.frequencies[top]), float(gains[top])

    def findings(self, prefix: str = "", words: str = "") -> tuple[Finding, ...]:
        """As numbers with names; ``words`` say whose they are.

        Example:
        >>> import numpy as np
        >>> from axletree.analysis.handling.steer_response import SteerResponse
        >>> hertz = np.geomspace(0.01, 10.0, 301)
        >>> follows = 0.4 / (1.0 + 1j * hertz)
        >>> SteerResponse("lag", hertz, follows, follows, 0.4, 0.4).findings()[0].in_words
        '0.4 1/s'
        """
        where, ratio = self.peak
        degree = math.radians(1.0)
        return (
            Finding(f"{prefix}yaw_rate_gain", self.yaw_gain, "1/s",
                    f"{words}steady-state yaw rate gain"),
            Finding(f"{prefix}lateral_acceleration_gain", self.acceleration_gain * degree,
                    "(m/s^2)/deg", f"{words}steady-state lateral acceleration gain"),
            Finding(f"{prefix}yaw_rate_bandwidth", self.yaw_bandwidth, "Hz",
                    f"{words}yaw rate: bandwidth to -3 dB"),
            Finding(f"{prefix}lateral_acceleration_bandwidth", self.acceleration_bandwidth, "Hz",
                    f"{words}lateral acceleration: bandwidth to -3 dB"),
            Finding(f"{prefix}yaw_rate_peak_frequency", where, "Hz",
                    f"{words}yaw rate: resonance frequency"),
            Finding(f"{prefix}yaw_rate_peak_ratio", ratio, "1",
                    f"{words}yaw rate: peak over the steady-state gain"),
        )  # fmt: skip


def vehicle_response(
    model: Model, speed: float, frequencies: Sequence[float] | np.ndarray = FREQUENCIES
) -> SteerResponse:
    """Of a vehicle by its exact linearisation about straight running at a speed [m/s]."""
    vehicle = model.described.get("vehicle")
    axles = vehicle.axles.values() if isinstance(vehicle, Vehicle) else ()
    if not isinstance(vehicle, Vehicle) or all(axle.steering is None for axle in axles):
        raise StraightRunningError(
            f"{model.name} is no vehicle with a steering: its file has no section 'vehicle' with "
            "an axle that has one, and the steering wheel is what is turned here"
        )
    hertz = _checked(frequencies)
    steady = straight_running(model).at(speed)
    linear = steady.linearise([YAW_RATE, LATERAL_SPEED])
    chosen = linear.selected(inputs=[n for n in linear.inputs if n.startswith(STEERING)])
    found = response_of_linear(chosen, speed, np.concatenate([[_STEADY], hertz]))
    yaw, side = found.values()
    label = f"{model.name.replace('_', ' ')}, {vehicle.fidelity.value}"
    return SteerResponse(label, hertz, yaw[1:], side[1:], float(yaw[0].real), float(side[0].real))


def bicycle_response(
    model: BicycleModel, frequencies: Sequence[float] | np.ndarray = FREQUENCIES
) -> SteerResponse:
    """Of the linear bicycle model, in closed form."""
    hertz = _checked(frequencies)
    return SteerResponse(
        "linear bicycle model", hertz, *model.response(hertz), model.yaw_gain,
        model.acceleration_gain,
    )  # fmt: skip


def steer_responses(
    model: Model | str | Path,
    speed: float | str,
    frequencies: Sequence[float] | np.ndarray = FREQUENCIES,
) -> tuple[SteerResponse, SteerResponse]:
    """Of a vehicle, and of the linear bicycle model by the same numbers (without its trailers).

    Straight on at a speed [m/s or with its unit], at frequencies [Hz]; left out: from 0.02 to
    10 Hz.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> full, bicycle = at.steer_responses(sedan, 20.0, [0.5, 1.0])  # m/s, Hz
    >>> print(f"{full.yaw_gain:.4f} 1/s, {bicycle.yaw_gain:.4f} 1/s")
    0.3854 1/s, 0.3854 1/s
    """
    check_arguments(steer_responses, locals())
    speed = to_si(speed, "m/s")
    described = model_of(model)
    found = vehicle_response(described, speed, frequencies)
    vehicle = described.described["vehicle"]
    assert isinstance(vehicle, Vehicle)
    return found, bicycle_response(bicycle_model(vehicle, speed), frequencies)


def _checked(frequencies: Sequence[float] | np.ndarray) -> np.ndarray:
    hertz = np.asarray(frequencies, dtype=float)
    rises = hertz.ndim == 1 and len(hertz) > 1 and bool((np.diff(hertz) > 0.0).all())
    if not rises or not hertz[0] > 0.0 or not np.isfinite(hertz).all():
        raise StraightRunningError("expected two or more frequencies above 0 Hz that rise")
    return hertz


Row = tuple[float, float, float]


class BicycleModelError(AxletreeError):
    """A speed at which the closed form says nothing."""


@dataclass(frozen=True)
class BicycleModel:
    """What follows from the numbers of a vehicle at a speed, all in SI units.

    Example:
    >>> from axletree.analysis.handling.steer_response import BicycleModel
    >>> from axletree.vehicles.linear_single_track import AxleNumbers, LinearSingleTrack
    >>> front, rear = AxleNumbers(1.25, 8e4, 0.0, 1 / 16), AxleNumbers(-1.25, 8e4, 0.0, 0.0)
    >>> numbers = LinearSingleTrack(1500.0, 2500.0, 0.0, {"front": front, "rear": rear})
    >>> print(f"{BicycleModel(numbers, 20.0).yaw_gain:.3f} 1/s")  # neutral: 20 / 2.5 / 16
    0.500 1/s
    """

    numbers: LinearSingleTrack
    speed: float  # [m/s]

    def __post_init__(self) -> None:
        if not (math.isfinite(self.speed) and self.speed > 0.0):
            raise BicycleModelError(f"expected a speed above 0 m/s, got {self.speed:g}")

    @property
    def matrices(self) -> tuple[np.ndarray, np.ndarray]:
        """A and B of d/dt (v, r) = A (v, r) + B d, for the centre of mass."""
        m, J, u = self.numbers.mass, self.numbers.yaw_inertia, self.speed
        (Yv, Yr, Yd), (Nv, Nr, Nd) = self._derivatives
        return np.array([[Yv / m, Yr / m - u], [Nv / J, Nr / J]]), np.array([Yd / m, Nd / J])

    @property
    def _derivatives(self) -> tuple[Row, Row]:
        """Slopes of the side force and of the yaw moment, by v, r and d."""
        u, side, turn = self.speed, np.zeros(3), np.zeros(3)
        for x, stiffness, moment, steer in self._forces():
            by = np.array([-1.0 / u, -x / u, steer])
            side, turn = side + stiffness * by, turn + moment * by
        return (tuple(side.tolist()), tuple(turn.tolist()))  # type: ignore[return-value]

    def _forces(self) -> Iterator[tuple[float, float, float, float]]:
        """Place, side force and yaw moment by slip angle, and turn of wheels; the air's has none.

        Places and moments are those about the centre of mass.
        """
        own, square = self.numbers, self.speed**2
        for axle in own.axles.values():
            x = axle.position - own.centre
            yield x, axle.stiffness, axle.stiffness * (x - axle.trail), axle.steer
        if own.air is not None:
            x, side = own.air.position - own.centre, own.air.side * square
            yield x, side, side * x + own.air.yaw * square, 0.0

    @property
    def natural_frequency(self) -> float:
        """[rad/s], undamped; nan beyond the critical speed."""
        A, _ = self.matrices
        square = float(np.linalg.det(A))
        return math.sqrt(square) if square >= 0.0 else math.nan

    @property
    def damping_ratio(self) -> float:
        """Of the yaw-sideslip mode; nan beyond the critical speed."""
        A, _ = self.matrices
        return float(-np.trace(A)) / (2.0 * self.natural_frequency)

    @property
    def eigenvalues(self) -> np.ndarray:
        """[1/s], the fastest growing first."""
        values = np.linalg.eigvals(self.matrices[0]).astype(complex)
        return values[np.lexsort((-values.imag, -values.real))]

    def transfer(self, s: complex | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Yaw rate [1/s] and lateral acceleration [m/s^2/rad] by the steering wheel, at s [1/s].

        Of the frame in the outputs of other models, which is that of the body without its axles.

        Example:
        >>> import axletree as at
        >>> bicycle = at.bicycle_model(at.read_model("sedan").described["vehicle"], 20.0)  # m/s
        >>> yaw_rate, acceleration = bicycle.transfer(0.0)
        >>> print(f"{acceleration.real / yaw_rate.real:.2f} m/s")  # in a steady turn: the speed
        20.00 m/s
        """
        A, (Bv, Br) = self.matrices
        s = np.asarray(s, dtype=complex)
        below = s * s - np.trace(A) * s + np.linalg.det(A)
        yaw = (Br * (s - A[0, 0]) + A[1, 0] * Bv) / below
        lateral = (Bv * (s - A[1, 1]) + A[0, 1] * Br) / below
        at_frame = lateral - self.numbers.centre * yaw
        return yaw, s * at_frame + self.speed * yaw

    @property
    def yaw_gain(self) -> float:
        """Steady yaw rate by the angle of the steering wheel [1/s]."""
        return float(self.transfer(0.0)[0].real)

    @property
    def acceleration_gain(self) -> float:
        """Steady lateral acceleration by that angle [m/s^2/rad]."""
        return float(self.transfer(0.0)[1].real)

    def response(self, frequencies: Sequence[float] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of yaw rate and lateral acceleration, complex, at frequencies [Hz].

        Example:
        >>> import axletree as at
        >>> bicycle = at.bicycle_model(at.read_model("sedan").described["vehicle"], 20.0)  # m/s
        >>> yaw_rate, acceleration = bicycle.response([0.01, 1.0])  # Hz
        >>> abs(yaw_rate).round(3).tolist()  # 1/s
        [0.385, 0.349]
        """
        return self.transfer(2j * np.pi * np.asarray(frequencies, dtype=float))


def bicycle_model(vehicle: Vehicle, speed: float) -> BicycleModel:
    """The linear single-track model of a vehicle at a speed [m/s]; what it tows is left out.

    Example:
    >>> import axletree as at
    >>> bicycle = at.bicycle_model(at.read_model("sedan").described["vehicle"], 20.0)  # m/s
    >>> print(f"{bicycle.yaw_gain:.3f} 1/s")  # yaw rate by the angle of the steering wheel
    0.385 1/s
    """
    check_arguments(bicycle_model, locals())
    return BicycleModel(linear_single_track(vehicle), speed)


def critical_speed(vehicle: Vehicle) -> float:
    """The lowest speed [m/s] beyond which a turn grows by itself; infinite where there is none.

    There det(A) = 0, and u^2 m J det(A) is a polynomial of u^2, of second degree with the air.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.handling.steer_response import critical_speed
    >>> sedan = at.read_model("sedan").described["vehicle"]
    >>> print(f"{critical_speed(sedan):.0f} m/s")  # by the air: its tyres understeer
    244 m/s
    """
    own = linear_single_track(vehicle)
    forces = [(a.position, (a.stiffness, 0.0), (-a.stiffness * a.trail, 0.0))
              for a in own.axles.values()]  # fmt: skip
    if own.air is not None:
        forces.append((own.air.position, (0.0, own.air.side), (0.0, own.air.yaw)))
    sums = np.zeros((4, 2))  # -u times Y_v, Y_r, N_v and N_r, of u^2 to the powers 0 and 1
    for position, side, beside in forces:
        x, force = position - own.centre, np.array(side)
        moment = x * force + beside
        sums += [force, x * force, moment, x * moment]
    Yv, Yr, Nv, Nr = (np.polynomial.Polynomial(row) for row in sums)
    square = np.polynomial.Polynomial([0.0, 1.0])
    roots = (Yv * Nr - Yr * Nv - own.mass * square * Nv).trim().roots()
    real = [z.real for z in roots.astype(complex) if not z.imag and z.real > 0.0]
    return math.sqrt(min(real)) if real else math.inf
