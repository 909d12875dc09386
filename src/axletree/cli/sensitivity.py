"""``axletree sensitivity``: how much findings change with parameters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Annotated

import typer

from axletree.analysis.studies.run_sensitivity import run_sensitivity
from axletree.analysis.studies.sensitivity_result import Sensitivity
from axletree.analysis.studies.turn_sensitivity import turn_sensitivity
from axletree.cli.options import (
    FidelityOption,
    MethodOption,
    ModelArgument,
    SpeedOption,
    StepOption,
    vehicle_changes,
)
from axletree.cli.results import AnalysisResults, OutOption, read_vehicle_model
from axletree.core.text_table import TextTable
from axletree.core.units import to_si
from axletree.metrics.findings import Finding
from axletree.plot.studies import plot_sensitivity

STEADY_SPEED = "100 km/h"


def sensitivity(
    model: ModelArgument,
    manoeuvre: Annotated[
        str | None,
        typer.Argument(
            metavar="MANOEUVRE",
            help="Manoeuvre of the model. Default: steady cornering.",
            show_default=False,
        ),
    ] = None,
    parameters: Annotated[
        list[str],
        typer.Option(
            "--parameter",
            "-p",
            metavar="NAME",
            help="A parameter of the equations, or a path in the file such as "
            "vehicle.axles.front.track; repeatable.",
        ),
    ] = [],  # noqa: B006
    speed: SpeedOption = None,
    lateral: Annotated[
        str, typer.Option(help="Lateral acceleration of the steady turn.")
    ] = "4 m/s^2",
    fidelity: FidelityOption = None,
    step: StepOption = None,
    method: MethodOption = None,
    out: OutOption = None,
) -> None:
    """Derivatives of the findings of a manoeuvre, or of steady cornering, by parameters.

    Example: axletree sensitivity sedan step-steer -p body.mass -p vehicle.axles.front.position
    """
    changes = vehicle_changes(fidelity)
    if manoeuvre is None:
        fast = STEADY_SPEED if speed is None else speed
        found = turn_sensitivity(model, parameters, speed=fast, lateral=lateral, changes=changes)
    else:
        seconds = None if step is None else to_si(step, expected="s")
        found = run_sensitivity(
            model, manoeuvre, parameters, speed=speed, changes=changes, step=seconds, method=method
        )
    table = _table(found)
    typer.echo(table.text())
    for remark in found.remarks:
        typer.echo(f"axletree: {remark}", err=True)
    settings = {
        "manoeuvre": manoeuvre, "parameters": parameters, "speed": speed, "lateral": lateral,
        "fidelity": fidelity, "step": step, "method": method,
    }  # fmt: skip
    name = f"sensitivity-{manoeuvre or 'cornering'}"
    results = AnalysisResults(read_vehicle_model(model, fidelity), model, name, settings, out)
    figures = {"sensitivity": plot_sensitivity(found)}
    findings = (*found.findings, *_derivatives(found))
    results.write(findings, {}, {}, figures, texts={"sensitivity": table.csv()}, tell=False)


def _derivatives(found: Sensitivity) -> Iterator[Finding]:
    """As findings with names and units of their own."""
    for column in found.columns:
        per = f"/({column.unit})" if column.unit and column.unit != "1" else ""
        for one in column.slopes:
            yield Finding(
                f"{one.finding.name} by {column.name}",
                one.slope,
                f"{one.finding.unit}{per}",
                f"{one.finding.description}, by {column.name}",
            )


def _table(found: Sensitivity) -> TextTable:
    """Values, and for each parameter the relative sensitivity [%/%]."""
    relative, names = found.relative, list(found.by)
    corners = {one.finding.name for c in found.columns for one in c.slopes if one.corner}
    rows = []
    for one in found.findings:
        shares = [_shown(relative[name][one.name]) for name in names]
        mark = " *" if one.name in corners else ""
        rows.append((one.description + mark, one.in_words, *shares))
    notes = [f"{c.name} = {c.value:.6g} {c.unit}".removesuffix(" 1") for c in found.columns]
    if corners:
        notes.append("* different one-sided derivatives: their mean")
    title = f"{found.model}, {found.what}: relative sensitivity [%/%]"
    return TextTable(title, ("finding:", "value", *names), tuple(rows), tuple(notes))


def _shown(value: float) -> str:
    if not math.isfinite(value):
        return "none"
    return f"{0.0 if abs(value) < 1e-9 else value:.4f}"
