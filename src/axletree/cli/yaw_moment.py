"""``axletree yaw-moment``: yaw moments of a vehicle that is held at sideslips."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import typer

from axletree.analysis.cornering.yaw_moment import LINES, YawMomentDiagram, yaw_moment_diagram
from axletree.cli.analysis_results import AnalysisResults, OutOption, read_vehicle
from axletree.cli.source import FidelityOption, ModelArgument
from axletree.report.yaw_moment_plot import plot_yaw_moments

UNITS = {
    "sideslip": "rad", "steering": "rad", "lateral_acceleration": "m/s^2", "yaw_moment": "N*m",
    "C_N": "1", "effort": "1",
}  # fmt: skip


def yaw_moment(
    model: ModelArgument,
    speed: Annotated[str, typer.Option(help='For example 20 or "80 km/h".')] = "100 km/h",
    sideslip: Annotated[str, typer.Option(help="Greatest sideslip, to both sides.")] = "8 deg",
    steer: Annotated[
        str, typer.Option(help="Greatest angle of the road wheels, to both sides.")
    ] = "12 deg",
    lines: Annotated[int, typer.Option(help="Of each kind; an odd number.")] = LINES,
    fidelity: FidelityOption = None,
    out: OutOption = None,
) -> None:
    """Yaw moment over lateral acceleration, by sideslip and steering angle (MMM diagram).

    Example: axletree yaw-moment sedan --speed "100 km/h"
    """
    described = read_vehicle(model, fidelity)
    found = yaw_moment_diagram(described, speed, sideslip=sideslip, steer=steer, lines=lines)
    settings = {
        "speed": speed, "sideslip": sideslip, "steer": steer, "lines": lines, "fidelity": fidelity,
    }  # fmt: skip
    results = AnalysisResults(described, model, "yaw-moment", settings, out)
    missing = int(np.isnan(found.moment).sum())
    if missing:
        typer.echo(f"no turn was found at {missing} of {found.moment.size} places")
    figures = {"yaw_moment": plot_yaw_moments(found)}
    results.write(found.findings, {"yaw_moment": _table(found)}, UNITS, figures)


def _table(found: YawMomentDiagram) -> dict[str, np.ndarray]:
    beta, delta = np.meshgrid(found.sideslip, found.steering, indexing="ij")
    grids = (beta, delta, found.lateral, found.moment, found.coefficient, found.effort)
    return {name: grid.ravel() for name, grid in zip(UNITS, grids, strict=True)}
