"""Ride: weighted acceleration (ISO 2631-1), and the body's response to posts under its wheels."""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from axletree.components.fields import choice, fixed_number
from axletree.metrics.contract import Metric, output_names
from axletree.metrics.findings import (
    Column,
    Columns,
    Diagram,
    Finding,
    Trace,
    level,
    moment,
    over_time,
    point,
)
from axletree.metrics.steering_response import ComplexColumn, transform
from axletree.metrics.vehicle_signals import (
    LATERAL,
    LONGITUDINAL_ACCELERATION,
    PITCH,
    ROLL,
    VERTICAL_SPEED,
    lateral_acceleration,
    longitudinal_acceleration,
)

Polynomial = NDArray[np.float64]  # of p = i omega, highest power first
_FLAT = math.sqrt(0.5)  # quality of a filter of Butterworth


@dataclass(frozen=True)
class Weighting:
    """A frequency weighting: limits of the band, a transition, and for some a step upwards.

    Frequencies are in Hz, qualities of 1, as in the table of parameters of annex A.

    Example:
    >>> from axletree.metrics.ride import WD, WK
    >>> [round(float(one.gain(5.0)), 2) for one in (WK, WD)]  # vertical and horizontal, at 5 Hz
    [1.04, 0.41]
    """

    transition: float
    transition_quality: float
    step: tuple[float, float, float, float] | None  # f5, Q5, f6, Q6
    lowest: float = 0.4
    highest: float = 100.0

    def polynomials(self) -> tuple[Polynomial, Polynomial]:
        """Numerator and denominator of the whole.

        Example:
        >>> from axletree.metrics.ride import WD
        >>> above, below = WD.polynomials()
        >>> len(above) - 1, len(below) - 1  # degrees
        (3, 6)
        """
        high, low = _second(self.lowest, _FLAT), _second(self.highest, _FLAT)
        w1, w3 = 2.0 * math.pi * self.lowest, 2.0 * math.pi * self.transition
        above = np.polymul([1.0 / w1**2, 0.0, 0.0], [1.0 / w3, 1.0])
        below = np.polymul(high, low)
        below = np.polymul(below, _second(self.transition, self.transition_quality))
        if self.step is not None:
            f5, Q5, f6, Q6 = self.step
            above = np.polymul(above, (f5 / f6) ** 2 * _second(f5, Q5))
            below = np.polymul(below, _second(f6, Q6))
        return np.asarray(above), np.asarray(below)

    def modes(self) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
        """Poles above the real axis and their residues: the sum of r / (p - pole) over these and
        their conjugates is the whole (Heaviside's expansion; all poles of the norm are simple).

        Example:
        >>> from axletree.metrics.ride import WD
        >>> poles, residues = WD.modes()
        >>> p = 2j * 3.14159265 * 5.0  # rad/s, of 5 Hz
        >>> pairs = (residues / (p - poles)).sum() + (residues.conj() / (p - poles.conj())).sum()
        >>> print(f"{abs(pairs):.4f} {WD.gain(5.0):.4f}")
        0.4091 0.4091
        """
        above, below = self.polynomials()
        pairs = [(self.lowest, _FLAT), (self.highest, _FLAT),
                 (self.transition, self.transition_quality)]  # fmt: skip
        pairs += [self.step[2:]] if self.step is not None else []
        poles = np.array([
            2.0 * math.pi * f * (-0.5 / Q + 1j * math.sqrt(1.0 - 0.25 / Q**2)) for f, Q in pairs
        ])  # fmt: skip
        residues = np.polyval(above, poles) / np.polyval(np.polyder(below), poles)
        return poles, np.asarray(residues, dtype=np.complex128)

    def gain(self, frequencies: Column) -> Column:
        """At frequencies [Hz].

        Example:
        >>> from axletree.metrics.ride import WK
        >>> WK.gain([0.1, 1.0, 10.0]).round(3).tolist()
        [0.031, 0.482, 0.988]
        """
        p = 2j * np.pi * np.asarray(frequencies)
        above, below = self.polynomials()
        return np.asarray(np.abs(np.polyval(above, p) / np.polyval(below, p)))


WK = Weighting(12.5, 0.63, (2.37, 0.91, 3.35, 0.91))  # vertical, of people who sit
WD = Weighting(2.0, 0.63, None)  # horizontal


def _second(frequency: float, quality: float) -> Polynomial:
    w = 2.0 * math.pi * frequency
    return np.array([1.0 / w**2, 1.0 / (quality * w), 1.0])


def weighted(time: Column, acceleration: Column, weighting: Weighting = WK) -> Column:
    """The weighted acceleration [m/s^2], from rest; straight lines between even records.

    Of one run, or of several in rows. The filter is exact for these lines: each of its modes
    x' = p x + u is taken from record to record by the integral of its exponential.
    """
    from scipy.signal import lfilter

    even = np.linspace(time[0], time[-1], len(time))
    rows = np.reshape(np.asarray(acceleration, dtype=float), (-1, len(time)))
    given = np.array([np.interp(even, time, row) for row in rows])
    felt = np.zeros_like(given)
    if len(time) > 1:
        h = float(even[1] - even[0])
        for pole, residue in zip(*weighting.modes(), strict=True):
            z = pole * h
            ahead = (np.expm1(z) - z) / (pole * z)  # of the later of two records
            behind = np.expm1(z) / pole - ahead
            course, _ = lfilter(
                [ahead, behind], [1.0, -np.exp(z)], given, axis=-1, zi=-ahead * given[:, :1]
            )
            felt += 2.0 * (residue * course).real
    return np.reshape(felt, np.shape(acceleration))


def weighted_rms(time: Column, acceleration: Column, weighting: Weighting = WK) -> float:
    """The RMS of the weighted acceleration [m/s^2].

    Example:
    >>> import numpy as np
    >>> from axletree.metrics.ride import WK, weighted_rms
    >>> time = np.linspace(0.0, 20.0, 10001)  # s
    >>> sine = np.sin(10 * np.pi * time)  # m/s^2, of 5 Hz
    >>> print(f"{weighted_rms(time, sine, WK):.2f} m/s^2")
    0.73 m/s^2
    """
    return _root_mean_square(weighted(time, acceleration, weighting))


def _root_mean_square(values: Column) -> float:
    """nan of no values: a run that ends before it is measured."""
    return float(np.sqrt(np.mean(values**2))) if values.size else math.nan


def _mean_squares(values: Column) -> Column:
    """Likewise of each row, before the root is taken."""
    whole = np.mean(values**2, axis=-1) if values.shape[-1] else np.full(values.shape[:-1], np.nan)
    return np.asarray(whole)


def _so_far(
    time: Column, late: NDArray[np.bool_], felt: Sequence[Column], found: Mapping[str, Finding]
) -> tuple[Diagram, Diagram]:
    """Running values over time; the last ones are those of the run."""
    total, dose = found["vibration_total_value"], found["vibration_dose_value"]
    counted = np.arange(1, int(late.sum()) + 1)
    squares = [np.cumsum(values**2) / counted for values in felt]
    courses = {"vertical": squares[0], "longitudinal": squares[1], "lateral": squares[2],
               "all": np.sum(squares, axis=0)}  # fmt: skip
    fourth = np.cumsum(felt[0] ** 4 * np.gradient(time)[late]) ** 0.25
    end = float(time[-1])
    return (
        over_time("Running weighted RMS", "m/s^2", time[late],
                  {name: np.sqrt(values) for name, values in courses.items()},
                  [point(end, total.value, total)]),
        over_time("Running vibration dose", dose.unit, time[late], {"": fourth},
                  [point(end, dose.value, dose)]),
    )  # fmt: skip


@dataclass(frozen=True)
class RideComfort(Metric):
    """Acceleration of a seat, weighted by Wk upwards and by Wd along and across.

    The seat is a place of the body: ``ahead`` and ``left`` of its centre of mass, for angles that
    are small; left out, it is the centre of mass itself, as descriptions say. The vibration total
    value is the root of the sum of the three squares, each with a factor of 1, as clause 8.2.2 has
    it for comfort on a seat.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 20.0, 20001)  # s
    >>> columns = {name: 0.0 * time for name in at.RideComfort.needs}
    >>> columns["vehicle.vertical_speed"] = np.sin(10 * np.pi * time) / (10 * np.pi)  # 1 m/s^2
    >>> felt, plain = at.RideComfort().findings(Trajectory("car", time, columns, {}, ()))[:2]
    >>> print(f"{felt.value:.2f} {felt.unit}, {plain.value:.2f} {plain.unit}")  # Wk(5 Hz) is 1.04
    0.73 m/s^2, 0.71 m/s^2
    """

    summary: ClassVar[str] = "weighted acceleration of a seat, by ISO 2631-1"
    needs: ClassVar[tuple[str, ...]] = (
        VERTICAL_SPEED, PITCH, ROLL, *LATERAL, LONGITUDINAL_ACCELERATION,
    )  # fmt: skip

    ahead: float = fixed_number(
        "m", "position of the seat ahead of the centre of mass", default=0.0
    )
    left: float = fixed_number("m", "position of the seat to the left of it", default=0.0)
    begin: float = fixed_number("s", "time from which on records count", default=0.0, lower=0.0)

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        place = self._place
        words = {
            "weighted_vertical_acceleration": f"Wk-weighted RMS vertical acceleration {place}",
            "vertical_acceleration": f"RMS vertical acceleration {place}",
            "weighted_longitudinal_acceleration": "Wd-weighted RMS longitudinal acceleration",
            "weighted_lateral_acceleration": "Wd-weighted RMS lateral acceleration",
            "vibration_total_value": "vibration total value",
            "vibration_dose_value": f"vertical vibration dose value {place}",
        }
        values, units = self.of_runs(run, words), {"vibration_dose_value": "m/s^1.75"}
        return tuple(
            Finding(name, float(values[name]), units.get(name, "m/s^2"), text)
            for name, text in words.items()
        )

    def of_runs(self, runs: Columns, names: Collection[str]) -> dict[str, Column]:
        time, late = runs.time, runs.time >= self.begin
        up = self._upwards(runs)
        dose = weighted(time, up, WK)[..., late]
        fourth = np.sum(dose**4 * np.gradient(time)[late], axis=-1) ** 0.25
        squares = {
            "weighted_vertical_acceleration": _mean_squares(dose),
            "vertical_acceleration": _mean_squares(up[..., late]),
        }
        if not squares.keys() >= set(names) - {"vibration_dose_value"}:
            for name, values in (
                ("weighted_longitudinal_acceleration", longitudinal_acceleration(runs)),
                ("weighted_lateral_acceleration", lateral_acceleration(runs)),
            ):
                squares[name] = _mean_squares(weighted(time, values, WD)[..., late])
            felt = [value for name, value in squares.items() if name.startswith("weighted")]
            squares["vibration_total_value"] = felt[0] + felt[1] + felt[2]
        found = {name: np.sqrt(value) for name, value in squares.items()}
        found["vibration_dose_value"] = fourth if late.any() else np.full_like(fourth, np.nan)
        return {name: np.asarray(values) for name, values in found.items()}

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        late = run.time >= self.begin
        if not late.any():
            return ()
        time, up = run.time[late], self._upwards(run)
        felt = weighted(run.time, up, WK)[late]
        along, across = (
            weighted(run.time, values, WD)[late]
            for values in (longitudinal_acceleration(run), lateral_acceleration(run))
        )
        upwards = {"unweighted": up[late], "Wk-weighted": felt}
        flat = {"longitudinal": along, "lateral": across}
        names = ("weighted_vertical_acceleration", "vertical_acceleration",
                 "weighted_longitudinal_acceleration", "weighted_lateral_acceleration")  # fmt: skip
        levels = [
            level(float(time[0] + share * np.ptp(time)), found[name].value, found[name])
            for name, share in zip(names, (0.25, 0.75, 0.25, 0.75), strict=True)
        ]
        return (
            over_time(f"Vertical acceleration {self._place}", "m/s^2", time, upwards, levels[:2]),
            over_time("Horizontal acceleration, Wd-weighted", "m/s^2", time, flat, levels[2:]),
            *_so_far(run.time, late, (felt, along, across), found),
        )

    @property
    def _place(self) -> str:
        return "at the seat" if self.ahead or self.left else "at the centre of mass"

    def _upwards(self, run: Columns) -> Column:
        """The vertical acceleration there [m/s^2]."""
        rate = run[VERTICAL_SPEED]
        if self.ahead or self.left:
            turned = self.left * run[ROLL] - self.ahead * run[PITCH]
            rate = rate + np.gradient(turned, run.time, axis=-1)
        return np.asarray(np.gradient(rate, run.time, axis=-1))


_POINTS = 300  # frequencies between the lowest and the highest


class BodyMotion(enum.Enum):
    """How posts move the body."""

    HEAVE = "heave"
    PITCH = "pitch"
    ROLL = "roll"


@dataclass(frozen=True)
class PostResponse(Metric):
    """Transmissibility: the body's motion over that of the posts, at each frequency.

    For heave, the body's vertical displacement over the mean height of the posts; for pitch and
    roll, its angle over that of the posts: the difference of their heights over their ``distance``.
    The run holds all frequencies of the range, begins at rest and ends when it has rung out.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> from axletree.simulation.trajectory import Trajectory
    >>> time = np.linspace(0.0, 4.0, 4001)  # s
    >>> height = 0.01 * np.exp(-(((time - 2.0) / 0.1) ** 2))  # m
    >>> columns = {"post.position": height, "vehicle.vertical_speed": np.gradient(height, time)}
    >>> metric = at.PostResponse(posts=["post.position"])
    >>> run = Trajectory("car", time, columns, {}, ())
    >>> abs(metric.transmissibility(run, np.array([1.0, 2.0]))).round(3).tolist()  # it follows
    [1.0, 1.0]
    """

    summary: ClassVar[str] = "transmissibility from posts to the body, and its peaks"
    needs: ClassVar[tuple[str, ...]] = (VERTICAL_SPEED, PITCH, ROLL)

    motion: BodyMotion = choice(BodyMotion, "of the body", default=BodyMotion.HEAVE)
    posts: tuple[str, ...] = output_names("m", "heights of the posts, those opposite left out")
    loads: tuple[str, ...] = output_names("N", "vertical loads of the tyres")
    distance: float = fixed_number("m", "of posts that are opposite", default=1.0, lower=0.0,
                                   above=True)  # fmt: skip
    lowest: float = fixed_number("Hz", "lowest frequency", default=0.5, lower=0.0, above=True)
    highest: float = fixed_number("Hz", "highest frequency", default=20.0, lower=0.0, above=True)
    hop: float = fixed_number("Hz", "lowest frequency of wheel hop", default=6.0, lower=0.0,
                              above=True)  # fmt: skip

    def problems(self) -> list[str]:
        if not self.lowest < self.hop < self.highest:
            return [
                f"lowest {self.lowest:g} Hz, hop {self.hop:g} Hz and highest {self.highest:g} Hz "
                "have to rise"
            ]
        return [] if self.posts else ["posts: none is named"]

    def transmissibility(self, run: Columns, frequencies: Column) -> ComplexColumn:
        """The body's motion over that of the posts [1], complex, at frequencies [Hz].

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> from axletree.simulation.trajectory import Trajectory
        >>> time = np.linspace(0.0, 4.0, 4001)  # s
        >>> height = 0.01 * np.exp(-(((time - 2.0) / 0.1) ** 2))  # m
        >>> columns = {"post": height, "vehicle.vertical_speed": 0.5 * np.gradient(height, time)}
        >>> run, metric = Trajectory("car", time, columns, {}, ()), at.PostResponse(posts=["post"])
        >>> metric.transmissibility(run, np.array([1.0])).real.round(3).tolist()
        [0.5]
        """
        heights = [transform(run.time, run[name], frequencies) for name in self.posts]
        moved = np.mean(heights, axis=0)
        if self.motion is BodyMotion.HEAVE:
            rate = transform(run.time, run[VERTICAL_SPEED], frequencies)
            return np.asarray(rate / (2j * np.pi * frequencies * moved))
        name = PITCH if self.motion is BodyMotion.PITCH else ROLL
        turned = transform(run.time, run[name], frequencies)
        return np.asarray(turned * self.distance / (2.0 * moved))

    def findings(self, run: Columns) -> tuple[Finding, ...]:
        if not any(np.ptp(run[name]) for name in self.posts):
            return ()
        frequencies = np.geomspace(self.lowest, self.highest, _POINTS)
        gain = np.abs(self.transmissibility(run, frequencies))
        slow = frequencies < self.hop
        ride, peak = _resonance(frequencies[slow], gain[slow])
        word = self.motion.value
        return (
            Finding(f"{word}_frequency", ride, "Hz", f"{word}: resonance frequency"),
            Finding(f"{word}_transmissibility", peak, "1", f"{word}: peak transmissibility"),
            *self._hops(run, frequencies[~slow]),
        )

    def _drawn(self, run: Columns, found: Mapping[str, Finding]) -> tuple[Diagram, ...]:
        frequencies = np.geomspace(self.lowest, self.highest, _POINTS)
        gain, word = np.abs(self.transmissibility(run, frequencies)), self.motion.value
        ride, peak = found[f"{word}_frequency"], found[f"{word}_transmissibility"]
        marks = (point(ride.value, peak.value, ride), point(ride.value, peak.value, peak),
                 moment(self.hop, 0.7 * float(gain.max()), "wheel hop range"))  # fmt: skip
        body = Diagram(word.capitalize(), "frequency [Hz]", "transmissibility [1]",
                       (Trace("", frequencies, gain),), marks, True)  # fmt: skip
        fast = frequencies[frequencies >= self.hop]
        traces, hops = [], []
        for tyre, load in self._load_gains(run, fast).items():
            size, hop = 1e-3 * load, found[f"{tyre}_hop_frequency"]
            traces.append(Trace(tyre.replace("_", " "), fast, size))
            hops.append(point(hop.value, float(np.interp(hop.value, fast, size)), hop))
        label = "wheel load over post height [N/mm]"
        return (body, Diagram("Wheel hop", "frequency [Hz]", label, tuple(traces),
                              tuple(hops), True))  # fmt: skip

    def _hops(self, run: Columns, frequencies: Column) -> tuple[Finding, ...]:
        """Of each tyre, where its load over the post's height has a peak."""
        found = []
        for tyre, gain in self._load_gains(run, frequencies).items():
            hop, _ = _resonance(frequencies, gain)
            said = f"{tyre.replace('_', ' ')}: wheel hop frequency"
            found.append(Finding(f"{tyre}_hop_frequency", hop, "Hz", said))
        return tuple(found)

    def _load_gains(self, run: Columns, frequencies: Column) -> dict[str, Column]:
        """Of each tyre its load over the post's height [N/m]."""
        moved = transform(run.time, run[self.posts[0]], frequencies)
        loads = {name: transform(run.time, run[name], frequencies) for name in self.loads}
        return {name.partition(".")[0]: np.abs(load / moved) for name, load in loads.items()}


def _resonance(frequencies: Column, gain: Column) -> tuple[float, float]:
    """Where a gain is greatest between its ends, and how great; nan if that is at an end."""
    top = int(np.argmax(gain))
    if not 0 < top < len(gain) - 1:
        return math.nan, math.nan
    return float(frequencies[top]), float(gain[top])
