"""A lap on a line that is given, every place of it a steady state within the car's envelope.

Speeds are at most those of the curves; from the slowest of these on the car accelerates and brakes
as the envelope allows at each speed and lateral acceleration (Milliken and Milliken 1995, chapter
9; Brayshaw and Harrison 2005).
"""

from __future__ import annotations

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.ground.path_driver import time_along
from axletree.optimisation.lap_time.envelope import CarEnvelope
from axletree.optimisation.lap_time.result import TimedLap, columns_of
from axletree.optimisation.lap_time.track import Track


def quasi_steady_lap(
    envelope: CarEnvelope,
    track: Track,
    method: str,
    offset: FloatArray | None = None,
    heading_error: FloatArray | None = None,
    curvature: FloatArray | None = None,
    notes: tuple[str, ...] = (),
) -> TimedLap:
    """Along a line beside the centre line, or along this where none is given."""
    s, none = track.station, np.zeros(len(track.station))
    n = none if offset is None else offset
    xi = none if heading_error is None else heading_error
    bend = track.curvature if curvature is None else curvature
    stretch = (1.0 - n * track.curvature) / np.cos(xi)  # of the line over the centre line
    steps = 0.5 * (stretch[1:] + stretch[:-1]) * np.diff(s)
    way = np.concatenate([[0.0], np.cumsum(steps)])
    speed = envelope.speeds(way, bend, track.closed)
    along = np.diff(speed**2) / (2.0 * np.diff(way))
    forward = np.append(along, along[0] if track.closed else along[-1])
    given = {
        "time": time_along(way, speed), "speed": speed, "heading_error": xi, "curvature": bend,
        "lateral_acceleration": speed**2 * bend, "acceleration": forward,
        **pedals(envelope, speed, forward, speed**2 * bend),
    }  # fmt: skip
    return TimedLap(envelope.name, method, track, columns_of(track, s, n, given), notes)


def pedals(
    envelope: CarEnvelope, speed: FloatArray, along: FloatArray, lateral: FloatArray
) -> dict[str, FloatArray]:
    """Shares of the accelerations that the envelope has alone: as pedals, from 0 to 1."""
    limits = np.array([envelope.pace.limits.at(v) for v in speed.tolist()])
    return {
        "throttle": np.clip(along / np.maximum(limits[:, 1], 1e-3), 0.0, 1.0),
        "brake": np.clip(-along / limits[:, 2], 0.0, 1.0),
    }
