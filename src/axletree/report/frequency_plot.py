"""Bode plots: gain and phase of outputs over the frequency of inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from axletree.analysis.frequency_response import FrequencyResponse
from axletree.core.plot_style import dash, in_style
from axletree.report.analysis_axes import in_words, label_axes, legend_below, new_figure, with_unit
from axletree.simulation.panel_plot import divide_decades

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@in_style
def plot_frequency_response(response: FrequencyResponse, title: str = "") -> Figure:
    """Every output by every input; the unit of gains at the axis, or with each if they differ.

    Example:
    >>> import axletree as at
    >>> from axletree.report.frequency_plot import plot_frequency_response
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
