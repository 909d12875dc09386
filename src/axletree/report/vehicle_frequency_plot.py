"""Bode plots of a vehicle: yaw rate and lateral acceleration by the steering wheel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.vehicle_frequency import SteerResponse
from axletree.core.plot_style import GREY, colour, dash, in_style
from axletree.report.analysis_axes import label_axes, legend_below, new_figure
from axletree.simulation.panel_plot import divide_decades

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@in_style
def plot_steer_responses(responses: Sequence[SteerResponse], title: str) -> Figure:
    """Gains in decibels, and phases; a circle where a gain is 3 dB below the steady one.

    Example:
    >>> import axletree as at
    >>> from axletree.report.vehicle_frequency_plot import plot_steer_responses
    >>> sedan = at.read_model("sedan", {"vehicle": {"fidelity": "linear"}})
    >>> figure = plot_steer_responses(at.steer_responses(sedan, 20.0, [0.1, 1.0]), "sedan")
    >>> figure.axes[0].get_ylabel()
    'gain [dB of 1 (deg/s)/deg]'
    """
    figure, (yaw, side, yaw_phase, side_phase) = new_figure(2, 2, title)
    for k, one in enumerate(responses):
        style = {"linestyle": dash(k), "color": colour(k), "label": one.label}
        _draw(yaw, yaw_phase, one.frequencies, one.yaw_rate, one.yaw_bandwidth, style)
        accelerated = np.radians(1.0) * one.lateral_acceleration
        _draw(side, side_phase, one.frequencies, accelerated, one.acceleration_bandwidth, style)
    circle = {"color": GREY, "fillstyle": "none", "markersize": 6}
    yaw.plot([], [], "o", label="3 dB below the steady gain", **circle)
    label_axes(yaw, "Yaw rate", "frequency [Hz]", "gain [dB of 1 (deg/s)/deg]")
    label_axes(side, "Lateral acceleration", "frequency [Hz]", "gain [dB of 1 (m/s^2)/deg]")
    for axes, word in ((yaw_phase, "Yaw rate"), (side_phase, "Lateral acceleration")):
        label_axes(axes, f"{word}: phase", "frequency [Hz]", "[deg]")
    for axes in (yaw, side, yaw_phase, side_phase):
        axes.set_xscale("log")
        divide_decades(axes.xaxis)
    legend_below(figure, yaw)
    return figure


def _draw(
    gain: Any, phase: Any, f: np.ndarray, response: np.ndarray, width: float, style: dict[str, Any]
) -> None:
    levels = 20.0 * np.log10(np.abs(response))
    gain.plot(f, levels, **style)
    phase.plot(f, np.degrees(np.unwrap(np.angle(response))), **style)
    if np.isfinite(width):
        at = float(np.interp(np.log(width), np.log(f), levels))
        gain.plot(width, at, "o", color=style["color"], fillstyle="none", markersize=6)
