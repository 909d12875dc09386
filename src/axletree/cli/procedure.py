"""``axletree procedure``: all that a standard asks of a vehicle, one verdict, one page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from axletree.analysis.procedures.contract import ProcedureResult
from axletree.analysis.procedures.contract import procedure as carry_out
from axletree.cli.controller import controller_words, given_controllers
from axletree.cli.options import FidelityOption, ModelArgument, NoReportOption, argument, option
from axletree.cli.results import AnalysisResults, OutOption, read_vehicle_model
from axletree.cli.run import optional_seconds
from axletree.core.files import whole_folder
from axletree.core.registry import load, section
from axletree.metrics.verdict import VerdictOutcome
from axletree.reports.analysis_report import ANALYSIS_REPORT
from axletree.reports.procedure_sections import procedure_sections
from axletree.reports.results import METRICS_FILE, findings_table
from axletree.simulation.control.reference_loops import with_actuators
from axletree.simulation.simulate import FailedControllerError

_STOPPED_RUN = "stopped-run.npz"  # of a procedure that a controller stopped
_EXIT_FAILED = 3  # of a vehicle that does not pass, where one asks to be strict


def procedure_command(
    model: ModelArgument,
    name: Annotated[
        str, argument("PROCEDURE", "See `axletree list procedures`; for example fmvss-126.")
    ],
    fidelity: FidelityOption = None,
    strict: Annotated[
        bool, option("--strict", "Exit code 3 unless the verdict is passed, or has no criterion.")
    ] = False,
    controllers: Annotated[
        list[str],
        option(
            "--controller FILE",
            "Word (esc), FMU, or class of a Python file (mine.py:Esc), in every run; repeatable.",
        ),
    ] = [],  # noqa: B006
    control_interval: Annotated[
        str | None, option('Time between instants of controllers, for example "10 ms".')
    ] = None,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Test a vehicle as a standard does: all runs of a procedure, a verdict, a page.

    Example: axletree procedure sedan fmvss-126
    """
    load("procedure", name, section("PROCEDURES"))  # a wrong name is known before the model is read
    words = controller_words(controllers)
    described = read_vehicle_model(model, fidelity)
    interval = optional_seconds("--control-interval", control_interval, None)
    loops = given_controllers(
        controllers, interval, lambda: with_actuators(described, words).formulate()
    )
    settings = {"procedure": name, "fidelity": fidelity, "controllers": controllers}
    results = AnalysisResults(
        described, model, f"procedure-{name}", settings, out, no_report=no_report,
        stale=[_STOPPED_RUN],
    )  # fmt: skip
    try:
        with run_bar(name) as tell:
            found = carry_out(described, name, tell=tell, controllers=loops)
    except FailedControllerError as failed:
        _keep(failed, results.folder)
        raise
    for note in found.notes:
        typer.echo(f"axletree: {note}", err=True)
    for stage in found.stages:
        if stage.rows:
            typer.echo(f"{stage.table.text()}\n")
    results.write(
        found.findings, {}, {}, {}, procedure_sections(found), texts=_tables(found),
        verdict=found.verdict, tell=False, heading=f"procedure {name}",
    )  # fmt: skip
    typer.echo(findings_table(found.findings))
    typer.echo(f"verdict: {found.verdict}")
    if strict and found.verdict.outcome in (VerdictOutcome.FAILED, VerdictOutcome.UNDECIDED):
        raise typer.Exit(_EXIT_FAILED)


def _keep(failed: FailedControllerError, folder: Path) -> None:
    """Records of the run that a controller stopped; a verdict of earlier runs goes."""
    with whole_folder(folder, [METRICS_FILE, ANALYSIS_REPORT]) as made:
        failed.trajectory.to_npz(made / _STOPPED_RUN)
    typer.echo(f"not judged: a controller failed; its run: {folder / _STOPPED_RUN}")


def _tables(found: ProcedureResult) -> dict[str, str]:
    """Those of the stages as CSV, by their titles."""
    return {
        stage.title.lower().replace(",", "").replace(" ", "-"): stage.table.csv()
        for stage in found.stages
        if stage.rows
    }


@contextmanager
def run_bar(title: str) -> Iterator[Callable[[str], None]]:
    """What is driven, how many runs there were and how long it takes, on a terminal only."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    shown = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} runs")
    silent = not sys.stderr.isatty()
    with Progress(
        *shown, TimeElapsedColumn(), console=Console(stderr=True), transient=True, disable=silent
    ) as bar:
        task = bar.add_task(title, total=None)
        yield lambda words: bar.update(task, description=f"{title}: {words}", advance=1)
