"""``axletree cornering``: steady turns of a vehicle up to its limit."""

from __future__ import annotations

from typing import Annotated

import typer

from axletree.analysis.cornering.cornering_curve import cornering_curve
from axletree.cli.analysis_results import AnalysisResults, OutOption, read_vehicle
from axletree.cli.source import FidelityOption, ModelArgument
from axletree.report.cornering_plot import plot_cornering, plot_handling

DEFAULT_SPEED = "100 km/h"


def cornering(
    model: ModelArgument,
    speed: Annotated[
        str | None, typer.Option(help='That all turns have; "100 km/h" without a radius.')
    ] = None,
    radius: Annotated[
        str | None, typer.Option(help='That all turns have in place of a speed, as "100 m".')
    ] = None,
    right: Annotated[bool, typer.Option("--right", help="To the right; else to the left.")] = False,
    fidelity: FidelityOption = None,
    out: OutOption = None,
) -> None:
    """Steady cornering up to the limit: understeer curve, handling diagram, wheel loads.

    Example: axletree cornering sedan --speed "80 km/h"
    """
    if speed is None and radius is None:
        speed = DEFAULT_SPEED
    described = read_vehicle(model, fidelity)
    curve = cornering_curve(described, speed, radius, to_the_right=right)
    settings = {"speed": speed, "radius": radius, "right": right, "fidelity": fidelity}
    results = AnalysisResults(described, model, "cornering", settings, out)
    figures = {"cornering": plot_cornering(curve), "handling": plot_handling(curve)}
    typer.echo(f"{len(curve.lateral)} turns; the last: {curve.ending.value}")
    results.write(curve.findings, {"turns": curve.columns}, curve.units, figures)
