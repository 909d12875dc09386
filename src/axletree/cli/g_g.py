"""``axletree g-g``: accelerations that a vehicle can hold, by speed."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import numpy as np
import typer

from axletree.analysis.cornering.g_g import DIRECTIONS, GGDiagram, g_g_diagram
from axletree.analysis.sweep.values import read_values
from axletree.cli.analysis_results import AnalysisResults, OutOption, read_vehicle
from axletree.cli.source import FidelityOption, ModelArgument
from axletree.core.units import to_si
from axletree.report.g_g_plot import plot_g_g

UNITS = {"speed": "m/s", "along": "m/s^2", "lateral": "m/s^2"}


def g_g(
    model: ModelArgument,
    speed: Annotated[
        str, typer.Option(metavar="SPEEDS", help="One, FIRST:LAST:COUNT or A,B,C, with units.")
    ] = "60 km/h:180 km/h:4",
    directions: Annotated[
        int, typer.Option(help="Of one side, from forwards to backwards.")
    ] = DIRECTIONS,
    fidelity: FidelityOption = None,
    out: OutOption = None,
) -> None:
    """The g-g diagram: accelerations along and across the path up to grip and pedals.

    Example: axletree g-g sports-car --speed "60 km/h:200 km/h:5"
    """
    described = read_vehicle(model, fidelity)
    speeds = [to_si(text, expected="m/s") for text in read_values("--speed", speed).texts]
    found = g_g_diagram(described, speeds, directions=directions)
    for fast in found.too_fast:
        typer.echo(f"the drive does not hold {3.6 * fast:.4g} km/h: left out", err=True)
    settings = {"speed": speed, "directions": directions, "fidelity": fidelity}
    results = AnalysisResults(described, model, "g-g", settings, out, ["g_g.png"])
    figures = {"g_g": plot_g_g(found)} if found.envelopes else {}
    texts = {"g_g_limits": _limits(found)}
    results.write(found.findings, {"g_g": _table(found)}, UNITS, figures, texts=texts)
    for one in found.envelopes:
        counts = ", ".join(f"{limit} ({n})" for limit, n in Counter(one.limits).items())
        typer.echo(f"what ends directions at {3.6 * one.speed:.4g} km/h: {counts}")


def _limits(found: GGDiagram) -> str:
    """A line for each line of the other table."""
    lines = [
        f"{one.speed:.10g},{along:.10g},{lateral:.10g},{limit}"
        for one in found.envelopes
        for along, lateral, limit in zip(one.along, one.lateral, one.limits, strict=True)
    ]
    heading = "speed [m/s],along [m/s^2],lateral [m/s^2],limit"
    return "\n".join([heading, *lines]) + "\n"


def _table(found: GGDiagram) -> dict[str, np.ndarray]:
    columns = {
        "speed": [np.full(len(one.along), one.speed) for one in found.envelopes],
        "along": [one.along for one in found.envelopes],
        "lateral": [one.lateral for one in found.envelopes],
    }
    return {name: np.concatenate([[], *parts]) for name, parts in columns.items()}
