"""``axletree modes``: how a vehicle that runs straight swings, at one speed or over many."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import typer

from axletree.analysis.sweep.values import read_values
from axletree.analysis.vehicle_locus import VehicleLocus, vehicle_locus, vehicle_modes
from axletree.analysis.vehicle_modes import NamedMode
from axletree.cli.analysis_results import AnalysisResults, OutOption, read_vehicle
from axletree.cli.source import FidelityOption, ModelArgument
from axletree.core.units import to_si
from axletree.model.manoeuvres.findings import Finding
from axletree.report.vehicle_locus_plot import (
    UNSHOWN,
    modes_table,
    plot_named_modes,
    plot_vehicle_locus,
)

SPEED = "speed"
FILES = ("modes.csv", "modes.png", "locus.csv", "locus.png")  # of one speed, and of many


def modes(
    model: ModelArgument,
    speed: Annotated[
        str,
        typer.Option(
            metavar="SPEEDS", help="One, or FIRST:LAST:COUNT for a root locus, with units."
        ),
    ] = "100 km/h",
    fidelity: FidelityOption = None,
    out: OutOption = None,
) -> None:
    """Modes by name: yaw-sideslip, roll, hop, snaking, weave; over speeds: critical ones.

    Example: axletree modes car-with-caravan --speed "60 km/h:140 km/h:17"
    """
    described = read_vehicle(model, fidelity)
    speeds = [to_si(text, expected="m/s") for text in read_values("--speed", speed).texts]
    results = AnalysisResults(
        described, model, "modes", {"speed": speed, "fidelity": fidelity}, out, FILES
    )
    if len(speeds) > 1:
        _show_locus(vehicle_locus(described, speeds), results)
        return
    found = vehicle_modes(described, speeds[0])
    table = modes_table(found, f"{described.name.replace('_', ' ')} at {speeds[0]:.5g} m/s")
    typer.echo(f"{table.text()}\n")
    figures = {"modes": plot_named_modes(found, table.title)}
    results.write(_findings(found), {}, {}, figures, texts={"modes": table.csv()})


def _findings(found: tuple[NamedMode, ...]) -> list[Finding]:
    """Of the modes that swing; the slowest one has a name that several share."""
    listed: dict[str, Finding] = {}
    for one in sorted(found, key=lambda mode: abs(mode.eigenvalue)):
        word = one.name.replace(" ", "_").replace("-", "_")
        if not one.mode.swings or one.name.endswith(UNSHOWN) or f"{word}_frequency" in listed:
            continue
        pair = (("frequency", one.mode.frequency, "Hz"), ("damping", one.mode.damping_ratio, "1"))
        for kind, value, unit in pair:
            name = f"{word}_{kind}"
            listed[name] = Finding(name, value, unit, f"{one.name}: {kind}")
    return list(listed.values())


def _show_locus(found: VehicleLocus, results: AnalysisResults) -> None:
    for one in found.critical:
        typer.echo(one.in_words)
    if not found.critical:
        first, last = found.locus.values[[0, -1]]
        grows = "" if found.locus.is_stable.all() else "un"
        typer.echo(f"{grows}stable at all speeds from {first:.5g} to {last:.5g} m/s")
    columns: dict[str, np.ndarray] = {SPEED: found.locus.values}
    for k, (name, values) in enumerate(zip(found.names, found.locus.eigenvalues.T, strict=True)):
        columns[f"{k + 1} {name}, real"] = values.real
        columns[f"{k + 1} {name}, imaginary"] = values.imag
    units = {name: "m/s" if name == SPEED else "1/s" for name in columns}
    findings = [
        Finding(f"critical_speed_{k + 1}", one.speed, "m/s", f"critical speed of {one.name}")
        for k, one in enumerate(found.critical)
    ]
    results.write(findings, {"locus": columns}, units, {"locus": plot_vehicle_locus(found)})
