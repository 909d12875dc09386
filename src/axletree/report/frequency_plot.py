"""Bode plots: gain and phase of outputs over the frequency of inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from axletree.analysis.frequency_response import FrequencyResponse
from axletree.report.analysis_axes import label_axes, new_figure
from axletree.simulation.panel_plot import STYLES

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_frequency_response(response: FrequencyResponse, title: str = "") -> Figure:
    """Every output by every input; gains in SI units."""
    figure, (gain, phase) = new_figure(1, 2, title or f"{response.system}: frequency response")
    pairs = [(output, entry) for output in response.outputs for entry in response.inputs]
    for k, (output, entry) in enumerate(pairs):
        style, label = STYLES[k % len(STYLES)], f"{output} by {entry}"
        gain.plot(response.frequencies, response.gain(output, entry), linestyle=style, label=label)
        degrees = np.degrees(response.phase(output, entry))
        phase.plot(response.frequencies, degrees, linestyle=style, label=label)
    label_axes(gain, "Gain", "frequency [Hz]", "output over input [SI]")
    label_axes(phase, "Phase", "frequency [Hz]", "[deg]")
    for axes in (gain, phase):
        axes.set_xscale("log")
    gain.set_yscale("log")
    gain.legend(fontsize=7.5, frameon=False)
    return figure
