"""Bode plots: of any linear system, and of a vehicle by its steering wheel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.handling.steer_response import SteerResponse
from axletree.analysis.linear.frequency_response import FrequencyResponse
from axletree.plot.axes import in_words, label_axes, legend_below, new_figure, with_unit
from axletree.plot.panels import divide_decades
from axletree.plot.style import GREY, colour, dash, in_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@in_style
def plot_frequency_response(response: FrequencyResponse, title: str = "") -> Figure:
    """Every output by every input; the unit of gains at the axis, or with each if they differ.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.frequency_response import plot_frequency_response
    >>> linear = at.read_model("rlc-circuit").formulate().linearise(outputs=["inductor.current"])
    >>> figure = plot_frequency_response(linear.frequency_response([1.0, 100.0, 1000.0]))
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['output over input [A/V]', '[deg]']
    """
    figure, (gain, phase) = new_figure(
        1, 2, title or f"{in_words(response.system)}: frequency response"
    )
    pairs = [(output, entry) for output in response.outputs for entry in response.inputs]
    units = [response.unit(*pair) for pair in pairs]
    common = units[0] if len(set(units)) == 1 else ""
    for k, (output, entry) in enumerate(pairs):
        style, label = dash(k), f"{output} by {entry}"
        named = label if common else with_unit(label, units[k])
        gain.plot(response.frequencies, response.gain(output, entry), linestyle=style, label=named)
        degrees = np.degrees(response.phase(output, entry))
        phase.plot(response.frequencies, degrees, linestyle=style, label=label)
    label_axes(gain, "Gain", "frequency [Hz]", with_unit("output over input", common))
    label_axes(phase, "Phase", "frequency [Hz]", "[deg]")
    for axes in (gain, phase):
        axes.set_xscale("log")
        divide_decades(axes.xaxis)
    gain.set_yscale("log")
    divide_decades(gain.yaxis)
    legend_below(figure, gain, columns=2)
    return figure


@in_style
def plot_steer_responses(responses: Sequence[SteerResponse], title: str) -> Figure:
    """Gains in decibels, and phases; a circle where a gain is 3 dB below the steady one.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.frequency_response import plot_steer_responses
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
    yaw.plot([], [], "o", label="-3 dB (bandwidth)", **circle)
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
