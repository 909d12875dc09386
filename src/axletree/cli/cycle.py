"""``axletree cycle``: a vehicle follows a speed over time; energy, range, a page."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from axletree.analysis.drive_cycle import cycle_columns, drive_cycle
from axletree.cli.options import (
    FidelityOption,
    MethodOption,
    ModelArgument,
    NoReportOption,
    PicturesOption,
    argument,
    option,
)
from axletree.cli.results import AnalysisResults, OutOption, read_vehicle_model
from axletree.plot.cycles import plot_cycle
from axletree.reports.cycle_sections import cycle_sections
from axletree.reports.results import findings_table
from axletree.runs.drive_cycle import read_drive_cycle


def cycle_command(
    model: ModelArgument,
    cycle: Annotated[
        str,
        argument(
            "CYCLE",
            "Table with columns time and speed, each with its unit, such as trip.csv; or one of "
            "`axletree list cycles`, for example nedc.",
        ),
    ],
    repeats: Annotated[int, option("How often it is driven, one after the other.")] = 1,
    charge: Annotated[
        str | None, option("State of charge that the battery begins with, such as 80%.")
    ] = None,
    fidelity: FidelityOption = None,
    step: Annotated[str | None, option("Step of the integration. Default: 1 ms.")] = None,
    method: MethodOption = None,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Drive a cycle from a file of speed over time: energy by distance, consumption, range,
    balance.

    Example: axletree cycle electric-car nedc
    """
    chosen = read_drive_cycle(cycle)  # what is wrong with it is known before the model is read
    described = read_vehicle_model(model, fidelity)
    settings = {"cycle": cycle, "repeats": repeats if repeats > 1 else None, "charge": charge,
                "fidelity": fidelity, "step": step, "method": method}  # fmt: skip
    results = AnalysisResults(
        described, model, f"cycle-{chosen.name}", settings, out, pictures, no_report
    )
    found = drive_cycle(described, chosen, repeats=repeats, charge=charge, step=step, method=method)
    units = {**found.run.units, "time": "s", "cycle.speed": "m/s"}
    results.write(
        found.findings, {"cycle": cycle_columns(found)}, units,
        {"cycle": partial(plot_cycle, found)}, cycle_sections(found),
        texts={"energy": found.energy_table.csv()}, verdict=found.verdict, tell=False,
        heading=f"driving cycle {found.cycle.name}",
    )  # fmt: skip
    typer.echo(findings_table(found.findings))
    typer.echo(found.energy_table.text())
    typer.echo(found.balance_in_words)
    typer.echo(f"verdict: {found.verdict}")
