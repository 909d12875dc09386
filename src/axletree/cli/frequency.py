"""``axletree frequency``: how a vehicle follows its steering wheel at each frequency."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import typer

from axletree.analysis.sweep.values import read_values
from axletree.analysis.vehicle_frequency import FREQUENCIES, SteerResponse, steer_responses
from axletree.cli.analysis_results import AnalysisResults, OutOption, read_vehicle
from axletree.cli.source import FidelityOption, ModelArgument
from axletree.core.units import to_si
from axletree.report.vehicle_frequency_plot import plot_steer_responses


def frequency(
    model: ModelArgument,
    speed: Annotated[str, typer.Option(help='For example 25 or "80 km/h".')] = "80 km/h",
    frequencies: Annotated[
        str | None,
        typer.Option(metavar="FIRST:LAST:COUNT", help="Of the steering wheel, as 0.1:5:50 Hz."),
    ] = None,
    fidelity: FidelityOption = None,
    out: OutOption = None,
) -> None:
    """Yaw rate and lateral acceleration by the steering wheel, beside the bicycle model's.

    Example: axletree frequency sedan --speed "100 km/h"
    """
    described = read_vehicle(model, fidelity)
    hertz = FREQUENCIES
    if frequencies is not None:
        texts = read_values("--frequencies", frequencies).texts
        ends = [to_si(text, expected="Hz") for text in texts]
        hertz = np.geomspace(ends[0], ends[-1], len(ends)) if min(ends) > 0.0 else np.array(ends)
    found, bicycle = steer_responses(described, to_si(speed, expected="m/s"), hertz)
    settings = {"speed": speed, "frequencies": frequencies, "fidelity": fidelity}
    results = AnalysisResults(described, model, "frequency", settings, out)
    findings = [*found.findings(), *bicycle.findings("bicycle_", "bicycle model: ")]
    columns, units = _table(found, bicycle)
    title = f"{found.label}: by the steering wheel at {3.6 * to_si(speed, expected='m/s'):.4g} km/h"
    figures = {"frequency": plot_steer_responses([found, bicycle], title)}
    results.write(findings, {"frequency": columns}, units, figures)


def _table(
    found: SteerResponse, bicycle: SteerResponse
) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    columns, units = {"frequency": found.frequencies}, {"frequency": "Hz"}
    for word, one in (("vehicle", found), ("bicycle model", bicycle)):
        for quantity, response, unit in (
            ("yaw rate", one.yaw_rate, "1/s"),
            ("lateral acceleration", one.lateral_acceleration, "m/s^2/rad"),
        ):
            gain, phase = f"{word}: {quantity}, gain", f"{word}: {quantity}, phase"
            columns[gain] = np.abs(response)
            columns[phase] = np.degrees(np.unwrap(np.angle(response)))
            units |= {gain: unit, phase: "deg"}
    return columns, units
