"""The call: a car, a track, and how its lap is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.registry import load, section
from axletree.model.model import Model
from axletree.model_files.read import read_model
from axletree.optimisation.lap_time.envelope import Envelope, envelope_of
from axletree.optimisation.lap_time.free_line import free_line_lap
from axletree.optimisation.lap_time.line_of_least_curvature import line_of_least_curvature
from axletree.optimisation.lap_time.quasi_steady import quasi_steady_lap
from axletree.optimisation.lap_time.result import Lap
from axletree.optimisation.lap_time.track import SMOOTHING, Track
from axletree.optimisation.lap_time.track_files import read_track

LapMethod = Callable[[Model, Track], Lap]


def lap(
    car: str | Path | Model,
    track: str | Path | Track,
    *,
    method: str = "minimum-curvature",
    width: float | None = None,
    smoothing: float = SMOOTHING,
) -> Lap:
    """A flying lap of a car around a track in the least time; of an open track, a passage.

    Parameters
    ----------
    car: a name of the package, a file, or a model of a described vehicle.
    track: "lindenring", "catalunya", a CSV file, or a ``Track``.
    method: how line and speed are found, from quick to whole: "centre-line", "minimum-curvature",
        "free-line".
    width: of the track [m] where its file has none.
    smoothing: by which the centre line may leave its points [m], RMS.

    Example:
    >>> import axletree as at
    >>> lap = at.lap("van", "lindenring", method="centre-line")
    >>> print(f"{lap.time:.2f} s, {lap.method}")
    48.10 s, centre-line
    """
    check_arguments(lap, locals())
    model = car if isinstance(car, Model) else read_model(car)
    found: LapMethod = load("method", method, section("LAP_METHODS"))
    return found(model, read_track(track, width=width, smoothing=smoothing))


def on_centre_line(model: Model, track: Track) -> Lap:
    """Quasi-steady, along the middle of the track."""
    return quasi_steady_lap(_fitting(model, track), track, "centre-line")


def on_line_of_least_curvature(model: Model, track: Track) -> Lap:
    """Quasi-steady, along the line of least curvature."""
    return _of_least_curvature(_fitting(model, track), track)


def on_free_line(model: Model, track: Track) -> Lap:
    """Line and speed in the least time, within the envelope of the car."""
    envelope = _fitting(model, track)
    return free_line_lap(envelope, track, _of_least_curvature(envelope, track))


def _of_least_curvature(envelope: Envelope, track: Track) -> Lap:
    line = line_of_least_curvature(track, envelope.width)
    room = np.minimum(track.left - line.offset, track.right + line.offset)
    note = f"the side of the car is {room.min() - 0.5 * envelope.width:.2f} m from an edge at least"
    return quasi_steady_lap(
        envelope, track, "minimum-curvature", line.offset, line.heading_error, line.curvature,
        (note,),
    )  # fmt: skip


def _fitting(model: Model, track: Track) -> Envelope:
    envelope = envelope_of(model)
    track.refuse_width(envelope.width)
    return envelope
