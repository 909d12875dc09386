"""How yaw rate and lateral acceleration of a vehicle follow its steering wheel, by frequency.

They are those of small deviations from straight running at a speed, and of the linear bicycle model
in closed form beside them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.analysis.handling.bicycle_model import BicycleModel, bicycle_model
from axletree.analysis.handling.straight_running import StraightRunningError, straight_running
from axletree.analysis.linear.linearisation import Linearisation
from axletree.metrics.findings import Column, Finding
from axletree.metrics.steering_response import LATERAL_RESPONSE, ComplexColumn, bandwidth
from axletree.metrics.vehicle_signals import LATERAL_SPEED, STEERING, YAW_RATE
from axletree.model.model import Model
from axletree.vehicles.vehicle import Vehicle

FREQUENCIES = np.geomspace(0.02, 10.0, 271)  # Hz, 100 in a decade
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
        if not 0 < top < len(gains) - 1:
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
            Finding(f"{prefix}yaw_rate_gain", self.yaw_gain, "1/s", f"{words}steady yaw rate gain"),
            Finding(f"{prefix}lateral_acceleration_gain", self.acceleration_gain * degree,
                    "(m/s^2)/deg", f"{words}steady lateral acceleration gain"),
            Finding(f"{prefix}yaw_rate_bandwidth", self.yaw_bandwidth, "Hz",
                    f"{words}yaw rate: bandwidth to -3 dB"),
            Finding(f"{prefix}lateral_acceleration_bandwidth", self.acceleration_bandwidth, "Hz",
                    f"{words}lateral acceleration: bandwidth to -3 dB"),
            Finding(f"{prefix}yaw_rate_peak_frequency", where, "Hz",
                    f"{words}yaw rate: frequency of the peak"),
            Finding(f"{prefix}yaw_rate_peak_ratio", ratio, "1",
                    f"{words}yaw rate: peak over the steady gain"),
        )  # fmt: skip


def vehicle_response(
    model: Model, speed: float, frequencies: Sequence[float] | np.ndarray = FREQUENCIES
) -> SteerResponse:
    """Of a vehicle by its exact linearisation about straight running at a speed [m/s]."""
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle) or not _steered(vehicle):
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
    model: Model, speed: float, frequencies: Sequence[float] | np.ndarray = FREQUENCIES
) -> tuple[SteerResponse, SteerResponse]:
    """Of a vehicle, and of the linear bicycle model by the same numbers (without its trailers).

    Straight on at a speed [m/s], at frequencies [Hz]; left out: from 0.02 to 10 Hz.

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> full, bicycle = at.steer_responses(sedan, 20.0, [0.5, 1.0])  # m/s, Hz
    >>> print(f"{full.yaw_gain:.4f} 1/s, {bicycle.yaw_gain:.4f} 1/s")
    0.3854 1/s, 0.3854 1/s
    """
    found = vehicle_response(model, speed, frequencies)
    vehicle = model.described["vehicle"]
    assert isinstance(vehicle, Vehicle)
    return found, bicycle_response(bicycle_model(vehicle, speed), frequencies)


def _steered(vehicle: Vehicle) -> bool:
    return any(axle.steering is not None for axle in vehicle.axles.values())


def _checked(frequencies: Sequence[float] | np.ndarray) -> np.ndarray:
    hertz = np.asarray(frequencies, dtype=float)
    rises = hertz.ndim == 1 and len(hertz) > 1 and bool((np.diff(hertz) > 0.0).all())
    if not rises or not hertz[0] > 0.0 or not np.isfinite(hertz).all():
        raise StraightRunningError("expected two or more frequencies above 0 Hz that rise")
    return hertz
