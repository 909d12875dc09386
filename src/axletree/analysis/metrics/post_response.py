"""How the body of a vehicle follows posts under its wheels."""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from axletree.analysis.metrics.steering_response import ComplexColumn, transform
from axletree.analysis.metrics.vehicle_signals import PITCH, ROLL, VERTICAL_SPEED
from axletree.library.fields import choice, fixed_number
from axletree.model.manoeuvres.diagram import Diagram, Trace, by_name, moment, point
from axletree.model.manoeuvres.findings import Column, Columns, Finding
from axletree.model.manoeuvres.metric import Metric
from axletree.model.manoeuvres.told_outputs import told_outputs

POINTS = 300  # frequencies between the lowest and the highest


class BodyMotion(enum.Enum):
    """How posts move the body."""

    HEAVE = "heave"
    PITCH = "pitch"
    ROLL = "roll"


@dataclass(frozen=True)
class PostResponse(Metric):
    """Transmissibility: the body's motion over that of the posts, at each frequency.

    For heave, the body's way upwards over the mean height of the posts; for pitch and roll, its
    angle over that of the posts: the difference of their heights over their ``distance``. The run
    holds all frequencies of the range, begins at rest and ends when it has rung out.

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
    posts: tuple[str, ...] = told_outputs("m", "heights of the posts, those opposite left out")
    loads: tuple[str, ...] = told_outputs("N", "vertical loads of the tyres")
    distance: float = fixed_number("m", "of posts that are opposite", default=1.0, lower=0.0,
                                   above=True)  # fmt: skip
    lowest: float = fixed_number("Hz", "lowest frequency", default=0.5, lower=0.0, above=True)
    highest: float = fixed_number("Hz", "highest frequency", default=20.0, lower=0.0, above=True)
    hop: float = fixed_number("Hz", "frequency above which wheels hop", default=6.0, lower=0.0,
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
        frequencies = np.geomspace(self.lowest, self.highest, POINTS)
        gain = np.abs(self.transmissibility(run, frequencies))
        slow = frequencies < self.hop
        ride, peak = _summit(frequencies[slow], gain[slow])
        word = self.motion.value
        return (
            Finding(f"{word}_frequency", ride, "Hz", f"{word}: frequency of the peak"),
            Finding(f"{word}_transmissibility", peak, "1", f"{word}: greatest transmissibility"),
            *self._hops(run, frequencies[~slow]),
        )

    def diagrams(self, run: Columns) -> tuple[Diagram, ...]:
        found = by_name(self.findings(run))
        if not found:
            return ()
        frequencies = np.geomspace(self.lowest, self.highest, POINTS)
        gain, word = np.abs(self.transmissibility(run, frequencies)), self.motion.value
        ride, peak = found[f"{word}_frequency"], found[f"{word}_transmissibility"]
        marks = (point(ride.value, peak.value, ride), point(ride.value, peak.value, peak),
                 moment(self.hop, 0.7 * float(gain.max()), "above: wheels hop"))  # fmt: skip
        body = Diagram(word.capitalize(), "frequency [Hz]", "body over posts [1]",
                       (Trace("", frequencies, gain),), marks, True)  # fmt: skip
        fast = frequencies[frequencies >= self.hop]
        moved = transform(run.time, run[self.posts[0]], fast)
        traces, hops = [], []
        for name in self.loads:
            tyre = name.partition(".")[0]
            size = 1e-3 * np.abs(transform(run.time, run[name], fast) / moved)
            traces.append(Trace(tyre.replace("_", " "), fast, size))
            hop = found[f"{tyre}_hop_frequency"]
            hops.append(point(hop.value, float(np.interp(hop.value, fast, size)), hop))
        label = "load over height [N/mm]"
        return (body, Diagram("Hop of the wheels", "frequency [Hz]", label, tuple(traces),
                              tuple(hops), True))  # fmt: skip

    def _hops(self, run: Columns, frequencies: Column) -> tuple[Finding, ...]:
        """Of each tyre, where its load over the post's height has a peak."""
        moved = transform(run.time, run[self.posts[0]], frequencies)
        found = []
        for name in self.loads:
            gain = np.abs(transform(run.time, run[name], frequencies) / moved)
            hop, _ = _summit(frequencies, gain)
            tyre = name.partition(".")[0]
            said = f"{tyre.replace('_', ' ')}: frequency of hop"
            found.append(Finding(f"{tyre}_hop_frequency", hop, "Hz", said))
        return tuple(found)


def _summit(frequencies: Column, gain: Column) -> tuple[float, float]:
    """Where a gain is greatest between its ends, and how great; nan if that is at an end."""
    top = int(np.argmax(gain))
    if not 0 < top < len(gain) - 1:
        return math.nan, math.nan
    return float(frequencies[top]), float(gain[top])
