"""What sensors make of outputs: scale, offset, delay, and accelerometers away from their place.

    z_k = scale * y(t_k - delay) + offset

An accelerometer that is ``ahead`` by a of where the model has it reads a_y + a dr/dt to the left
and a_x - a r^2 forwards with the yaw rate r; one that is turned to the left by ``turn`` reads
cos(turn) a_y - sin(turn) a_x to its left and cos(turn) a_x + sin(turn) a_y along its axis. Between
samples there are cubic splines, for the shift in time and for dr/dt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from axletree.analysis.identification.unknowns import NEEDED, SoughtValue
from axletree.core.arrays import FloatArray
from axletree.metrics.vehicle_signals import (
    LATERAL_ACCELERATION,
    LONGITUDINAL_ACCELERATION,
    YAW_RATE,
)


def needed_outputs(unknowns: Sequence[SoughtValue]) -> tuple[str, ...]:
    """Outputs beside the channels of which measured values are made."""
    pairs = [(one.sensor_property, one.channel) for one in unknowns if one.channel]
    return tuple(dict.fromkeys(name for pair in pairs for name in NEEDED.get(pair, ())))


@dataclass(frozen=True)
class Prediction:
    """What is to be measured, and its derivatives by z and by the unknowns of sensors."""

    values: FloatArray  # sample, channel
    slopes: FloatArray  # sample, channel, z
    by_sensor: FloatArray  # sample, channel, unknown (0 for those that are none of sensors)
    known: np.ndarray  # sample, channel: False where a delay reaches beyond the record


class SensorModel:
    """The sensors of the channels, by the unknowns that they have."""

    def __init__(
        self, unknowns: Sequence[SoughtValue], channels: Sequence[str], outputs: Sequence[str]
    ) -> None:
        """``outputs`` are the channels, and what else measured values are made of."""
        self._channels, self._count = tuple(channels), len(unknowns)
        self._index = {name: k for k, name in enumerate(outputs)}
        self._of: dict[str, dict[str, int]] = {name: {} for name in channels}
        for k, one in enumerate(unknowns):
            if one.channel:
                self._of[one.channel][one.sensor_property] = k

    def of_outputs(
        self, time: FloatArray, y: FloatArray, y_slopes: FloatArray, found: FloatArray
    ) -> Prediction:
        """What sensors make of outputs over a record, at values of the unknowns."""
        shape = (len(time), len(self._channels))
        values, slopes = np.empty(shape), np.empty((*shape, y_slopes.shape[2]))
        by_sensor, known = np.zeros((*shape, self._count)), np.ones(shape, dtype=bool)
        for c, name in enumerate(self._channels):
            values[:, c], slopes[:, c], by_sensor[:, c], known[:, c] = self._channel(
                name, time, y, y_slopes, found
            )
        return Prediction(values, slopes, by_sensor, known)

    def _channel(
        self, name: str, time: FloatArray, y: FloatArray, y_slopes: FloatArray, found: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray, np.ndarray]:
        from scipy.interpolate import CubicSpline

        own = self._of[name]
        value, slope = y[:, self._index[name]], y_slopes[:, self._index[name]]
        by = np.zeros((len(time), self._count))
        if "turn" in own:
            value, slope, by[:, own["turn"]] = self._turned(name, y, y_slopes, found[own["turn"]])
        if "ahead" in own:
            more, more_slope, factor = self._ahead(name, time, y, y_slopes)
            k = own["ahead"]
            value, slope = value + found[k] * more, slope + found[k] * more_slope
            by[:, k] = factor
        known = np.ones(len(time), dtype=bool)
        if "delay" in own:
            k = own["delay"]
            at = time - found[k]
            known = (at >= time[0]) & (at <= time[-1])
            spline = CubicSpline(time, np.column_stack([value, slope, by]))
            shifted = spline(np.clip(at, time[0], time[-1]))
            rate = spline(np.clip(at, time[0], time[-1]), 1)[:, 0]
            width = slope.shape[1]
            value, slope, by = shifted[:, 0], shifted[:, 1 : 1 + width], shifted[:, 1 + width :]
            by[:, k] = -rate
        if "scale" in own:
            k = own["scale"]
            unscaled, scale = value, found[k]
            value, slope, by = scale * value, scale * slope, scale * by
            by[:, k] = unscaled
        if "offset" in own:
            value = value + found[own["offset"]]
            by[:, own["offset"]] = 1.0
        return value, slope, by, known

    def _turned(
        self, name: str, y: FloatArray, y_slopes: FloatArray, turn: float
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """An accelerometer about the vertical; with the derivative by the angle."""
        along, left = (self._index[n] for n in (LONGITUDINAL_ACCELERATION, LATERAL_ACCELERATION))
        own, other, sign = (left, along, -1.0) if name == LATERAL_ACCELERATION else (along, left, 1)
        c, s = np.cos(turn), sign * np.sin(turn)
        by_angle = -np.sin(turn) * y[:, own] + sign * np.cos(turn) * y[:, other]
        return (
            c * y[:, own] + s * y[:, other],
            c * y_slopes[:, own] + s * y_slopes[:, other],
            (by_angle),
        )

    def _ahead(
        self, name: str, time: FloatArray, y: FloatArray, y_slopes: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What an accelerometer reads more for each metre ahead, and its derivatives."""
        from scipy.interpolate import CubicSpline

        rate, slope = y[:, self._index[YAW_RATE]], y_slopes[:, self._index[YAW_RATE]]
        if name == LONGITUDINAL_ACCELERATION:
            return -(rate**2), -2.0 * rate[:, None] * slope, -(rate**2)
        turning = CubicSpline(time, np.column_stack([rate, slope]))(time, 1)
        return turning[:, 0], turning[:, 1:], turning[:, 0]
