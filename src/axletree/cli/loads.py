"""``axletree loads``: what acts in every joint, spring and bushing during a manoeuvre."""

from __future__ import annotations

from typing import Annotated

import typer

from axletree.analysis.drive import drive
from axletree.analysis.joint_loads import JointLoads, joint_loads
from axletree.cli.options import (
    FidelityOption,
    ModelArgument,
    NoReportOption,
    SpeedOption,
    argument,
    option,
    read_quantity,
)
from axletree.cli.results import AnalysisResults, OutOption, read_vehicle_model
from axletree.core.text_table import TextTable
from axletree.reports.analysis_sections import load_sections
from axletree.reports.analysis_verdicts import loads_verdict

_MOST_PRINTED = 12  # joints


def loads(
    model: ModelArgument,
    manoeuvre: Annotated[str | None, argument("MANOEUVRE", "Default: the model's own run.")] = None,
    axes: Annotated[
        str | None,
        option(
            "--axes FRAME",
            "Frame in whose axes all loads are, as body or ground. Default: of each joint.",
        ),
    ] = None,
    speed: SpeedOption = None,
    fidelity: FidelityOption = None,
    record_interval: Annotated[
        str | None, option('Time between records, for example "2 ms"; shorter peaks are not seen.')
    ] = None,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Loads of every joint, spring and bushing in a manoeuvre: extremes and time histories.

    Each extreme stands with all that acts at the same instant.

    Example: axletree loads double-wishbone-sports-car iso-7401-step --axes body
    """
    settings = {
        "manoeuvre": manoeuvre, "axes": axes, "speed": speed, "fidelity": fidelity,
        "record_interval": record_interval,
    }  # fmt: skip
    described = read_vehicle_model(model, fidelity)
    command = "-".join(filter(None, ["loads", manoeuvre]))
    results = AnalysisResults(described, model, command, settings, out, no_report=no_report)
    run = drive(
        described,
        manoeuvre,
        speed=None if speed is None else read_quantity("--speed", speed, "m/s"),
        record_interval=None
        if record_interval is None
        else read_quantity("--record-interval", record_interval, "s"),
    )
    found = joint_loads(run, axes=axes)
    largest = _largest(found)
    if largest.rows:
        typer.echo(f"{largest.text()}\n")
    driven = f"manoeuvre {manoeuvre}" if manoeuvre else "own run of the model"
    tested = f"{driven}, {float(run.time[-1] - run.time[0]):.4g} s"
    results.write(
        found.findings(), {"loads": found.columns()}, found.units(), {},
        [] if no_report else load_sections(found), texts={"extremes": found.extremes_csv()},
        tell=False, verdict=loads_verdict(tested, found),
        heading=f"loads of joints in {manoeuvre}" if manoeuvre else "loads of joints",
    )  # fmt: skip


def _largest(found: JointLoads) -> TextTable:
    """The largest forces, with all that acts at the same instant."""
    ranked = sorted(
        (one for one in found.extremes() if one.of == "force.size"), key=lambda one: -one.value
    )
    rows = tuple(
        (one.component, one.between, f"{one.value:.0f}", f"{one.time:.3f}",
         *(f"{force:z.0f}" for force in one.force))
        for one in ranked[:_MOST_PRINTED]
    )  # fmt: skip
    heads = ("joint or spring:", "load:", "force [N]", "at [s]", "Fx [N]", "Fy [N]", "Fz [N]")
    left = len(ranked) - len(rows)
    notes = (f"and {left} more in extremes.csv",) if left else ()
    caveat = (found.caveat,) if found.caveat else ()
    title = f"Largest forces, in {found.axes_in_words}"
    return TextTable(title, heads, rows, (*notes, *caveat))
