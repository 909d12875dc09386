"""The call: a car, a track, and how its lap is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.errors import ModelError
from axletree.core.registry import load, section
from axletree.ground.friction_maps import FrictionMap
from axletree.model.model import Model
from axletree.model_files.read import read_model
from axletree.optimisation.lap_time.envelope import CarEnvelope, envelope_of
from axletree.optimisation.lap_time.equations_lap import equations_lap
from axletree.optimisation.lap_time.free_line import free_line_lap
from axletree.optimisation.lap_time.lap_limits import LapLimits
from axletree.optimisation.lap_time.line_of_least_curvature import line_of_least_curvature
from axletree.optimisation.lap_time.quasi_steady import quasi_steady_lap
from axletree.optimisation.lap_time.result import TimedLap
from axletree.optimisation.lap_time.track import SMOOTHING, Track
from axletree.optimisation.lap_time.track_files import read_track


@dataclass(frozen=True)
class LapOptions:
    """What is asked of a lap beside its car and its track."""

    sensitivities: bool = False
    limits: LapLimits = field(default_factory=LapLimits)


LapMethod = Callable[[Model, Track, LapOptions], TimedLap]


def lap(
    car: str | Path | Model,
    track: str | Path | Track,
    *,
    method: str = "minimum-curvature",
    width: float | None = None,
    smoothing: float = SMOOTHING,
    sensitivities: bool = False,
    friction: FrictionMap | None = None,
    energy: float | None = None,
    tyre_energy: float | None = None,
) -> TimedLap:
    """A flying lap of a car around a track in the least time; of an open track, a passage.

    Parameters
    ----------
    car: a name of the package, a file, or a model of a described vehicle.
    track: "lindenring", "catalunya", a file (.csv, OpenDRIVE .xodr, OpenCRG .crg), or a ``Track``.
    method: how line and speed are found, from quick to whole: "centre-line", "minimum-curvature",
        "free-line", all within the performance envelope of the car; "single-track", "two-track",
        by the equations of these models.
    width: of the track [m] where its file has none.
    smoothing: by which the centre line may leave its points [m], RMS.
    sensitivities: of the lap time to every parameter of the car, of laps by equations.
    friction: factors on friction over x, y of the track; of a free line.
    energy: work of the drive at its wheels in a lap [J], at most; of a free line.
    tyre_energy: work of the sliding of all tyres in a lap [J], at most; of a free line.

    Example:
    >>> import axletree as at
    >>> lap = at.lap("van", "lindenring", method="centre-line")
    >>> print(f"{lap.time:.2f} s, {lap.method}")
    48.10 s, centre-line
    """
    check_arguments(lap, locals())
    model = car if isinstance(car, Model) else read_model(car)
    found: LapMethod = load("method", method, section("LAP_METHODS"))
    options = LapOptions(sensitivities, LapLimits(friction, energy, tyre_energy))
    return found(model, read_track(track, width=width, smoothing=smoothing), options)


def on_centre_line(model: Model, track: Track, options: LapOptions) -> TimedLap:
    """Quasi-steady, along the middle of the track."""
    _refuse(options)
    _refuse_limits(options)
    return quasi_steady_lap(_fitting(model, track), track, "centre-line")


def on_line_of_least_curvature(model: Model, track: Track, options: LapOptions) -> TimedLap:
    """Quasi-steady, along the line of least curvature."""
    _refuse(options)
    _refuse_limits(options)
    return _of_least_curvature(_fitting(model, track), track)


def on_free_line(model: Model, track: Track, options: LapOptions) -> TimedLap:
    """Line and speed in the least time, within the envelope of the car."""
    _refuse(options)
    envelope = _fitting(model, track)
    start = _of_least_curvature(envelope, track)
    return free_line_lap(envelope, track, start, options.limits)


def _refuse_limits(options: LapOptions) -> None:
    if options.limits.is_any:
        raise ModelError(
            'friction, energy and tyre_energy are limits of a free line: take method="free-line"'
        )


def _refuse(options: LapOptions) -> None:
    if options.sensitivities:
        raise ModelError(
            "an envelope has no parameters of the car: sensitivities need a lap by equations, "
            'method="single-track" or "two-track"'
        )


def by_single_track_model(model: Model, track: Track, options: LapOptions) -> TimedLap:
    """Line, speed, steering and pedals by the equations of the single-track model."""
    return _by_equations(model, track, "single-track", options)


def by_two_track_model(model: Model, track: Track, options: LapOptions) -> TimedLap:
    """Likewise by those of the two-track model, with load transfer and wings."""
    return _by_equations(model, track, "two-track", options)


def _by_equations(model: Model, track: Track, fidelity: str, options: LapOptions) -> TimedLap:
    _refuse_limits(options)
    if track.relief is not None:
        raise ModelError(
            f"{track.name} has heights or banking, and the equations of a {fidelity} model are "
            'those on level ground; take method="centre-line", "minimum-curvature" or "free-line"'
        )
    envelope = _fitting(model, track)
    start = free_line_lap(envelope, track, _of_least_curvature(envelope, track))
    return equations_lap(
        model, fidelity, envelope, track, start, with_sensitivities=options.sensitivities
    )


def _of_least_curvature(envelope: CarEnvelope, track: Track) -> TimedLap:
    line = line_of_least_curvature(track, envelope.width)
    room = np.minimum(track.left - line.offset, track.right + line.offset)
    note = f"the side of the car is {room.min() - 0.5 * envelope.width:.2f} m from an edge at least"
    return quasi_steady_lap(
        envelope, track, "minimum-curvature", line.offset, line.heading_error, line.curvature,
        (note,),
    )  # fmt: skip


def _fitting(model: Model, track: Track) -> CarEnvelope:
    envelope = envelope_of(model)
    track.refuse_width(envelope.width)
    return envelope
