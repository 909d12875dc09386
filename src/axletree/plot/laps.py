"""Laps: the track coloured by speed, and what the car does along it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.optimisation.lap_time.result import TimedLap
from axletree.optimisation.lap_time.track import Track
from axletree.plot.style import GREY, in_style, in_words, label_axes, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LEAST_SPAN = 0.5  # m/s^2, of an axis of accelerations


def edges(track: Track) -> tuple[tuple[FloatArray, FloatArray], ...]:
    """Left and right edge of a track, x and y [m]."""
    return tuple(track.places(track.station, offset) for offset in (track.left, -track.right))


@in_style
def plot_lap(lap: TimedLap) -> Figure:
    """The line in the track, coloured by speed, beside speed and pedals over the distance.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.laps import plot_lap
    >>> lap = at.lap("van", "lindenring", method="centre-line")
    >>> [axes.get_title("left") for axes in plot_lap(lap).axes[:2]]
    ['Line', 'Speed']
    """
    from matplotlib.collections import LineCollection

    title = f"{in_words(lap.car)} on {lap.track.name}: {lap.time:.2f} s"
    figure, (plan, speed, pedals, across) = new_figure(2, 2, title)
    for x, y in edges(lap.track):
        plan.plot(x, y, color=GREY, linewidth=0.7)
    points = np.column_stack([lap["x"], lap["y"]])
    pieces = np.stack([points[:-1], points[1:]], axis=1)
    lines = LineCollection(list(pieces), cmap="viridis", linewidths=2.0)
    lines.set_array(lap["speed", "km/h"][:-1])
    plan.add_collection(lines)
    plan.set_aspect("equal")
    figure.colorbar(lines, ax=plan, label="speed [km/h]")
    label_axes(plan, "Line", "x [m]", "y [m]")
    s = lap["station"]
    speed.plot(s, lap["speed", "km/h"])
    label_axes(speed, "Speed", "distance along the track [m]", "speed [km/h]")
    pedals.plot(s, lap["throttle"], label="throttle")
    pedals.plot(s, -lap["brake"], linestyle="--", label="brake")
    pedals.legend(loc="lower left")
    label_axes(pedals, "Pedals", "distance along the track [m]", "share [1], brake negative")
    across.plot(lap["lateral_acceleration"], lap["acceleration"], linewidth=0.8)
    low, high = across.get_xlim()
    if high - low < _LEAST_SPAN:  # a circle at one speed
        across.set_xlim(low - _LEAST_SPAN, high + _LEAST_SPAN)
    label_axes(
        across, "Accelerations", "lateral [m/s^2], to the left if positive", "longitudinal [m/s^2]"
    )
    return figure
