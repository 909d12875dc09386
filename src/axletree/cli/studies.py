"""``axletree sweep``: a model over a grid of values, on all cores, continued where it stopped.

``axletree sensitivity``: how much findings change with parameters.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from axletree.__main__ import EXIT_INTERRUPTED
from axletree.analysis.studies.run_sensitivity import run_sensitivity
from axletree.analysis.studies.sensitivity import Sensitivity
from axletree.analysis.studies.sweep import Sweep, SweepRow, sweep
from axletree.analysis.studies.sweep_plan import SweepError
from axletree.analysis.studies.turn_sensitivity import turn_sensitivity
from axletree.cli.options import (
    DurationOption,
    FidelityOption,
    ManoeuvreOption,
    MethodOption,
    ModelArgument,
    NoReportOption,
    PicturesOption,
    RestartOption,
    SchedulerOption,
    SoilOption,
    SpeedOption,
    StepOption,
    WorkersOption,
    argument,
    option,
    read_quantity,
    split_assignments,
    vehicle_changes,
)
from axletree.cli.results import AnalysisResults, OutOption, read_vehicle_model, result_folder
from axletree.core.text_table import TextTable
from axletree.metrics.findings import Finding, value_in_words
from axletree.plot.figure_files import write_figure
from axletree.plot.studies import plot_sensitivity, plot_sweep
from axletree.reports.analysis_report import ANALYSIS_REPORT, write_analysis_page
from axletree.reports.analysis_sections import sensitivity_sections, sweep_sections
from axletree.reports.analysis_verdicts import sensitivity_verdict, sweep_verdict

STEADY_SPEED = "100 km/h"


def sensitivity(
    model: ModelArgument,
    manoeuvre: Annotated[
        str | None, argument("MANOEUVRE", "Manoeuvre of the model. Default: steady cornering.")
    ] = None,
    parameters: Annotated[
        list[str],
        option(
            "--parameter -p NAME",
            "A parameter of the equations, or a path in the file such as "
            "vehicle.axles.front.track; repeatable.",
        ),
    ] = [],  # noqa: B006
    speed: SpeedOption = None,
    lateral: Annotated[str, option("Lateral acceleration of the steady turn.")] = "4 m/s^2",
    fidelity: FidelityOption = None,
    step: StepOption = None,
    method: MethodOption = None,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Derivatives of the findings of a manoeuvre, or of steady cornering, by parameters.

    Example: axletree sensitivity sedan step-steer -p body.mass -p vehicle.axles.front.position
    """
    changes = vehicle_changes(fidelity)
    settings = {
        "manoeuvre": manoeuvre, "parameters": parameters, "speed": speed, "lateral": lateral,
        "fidelity": fidelity, "step": step, "method": method,
    }  # fmt: skip
    name = f"sensitivity-{manoeuvre or 'cornering'}"
    described = read_vehicle_model(model, fidelity)
    results = AnalysisResults(described, model, name, settings, out, pictures, no_report)
    if manoeuvre is None:
        fast = STEADY_SPEED if speed is None else speed
        found = turn_sensitivity(model, parameters, speed=fast, lateral=lateral, changes=changes)
    else:
        seconds = None if step is None else read_quantity("--step", step, "s")
        found = run_sensitivity(
            model, manoeuvre, parameters, speed=speed, changes=changes, step=seconds, method=method
        )
    table = found.table()
    typer.echo(table.text())
    for remark in found.remarks:
        typer.echo(f"axletree: {remark}", err=True)
    figures = {"sensitivity": partial(plot_sensitivity, found)}
    findings = (*found.findings, *_derivatives(found))
    results.write(findings, {}, {}, figures, sensitivity_sections(found, table),
                  texts={"sensitivity": table.csv()}, tell=False,
                  verdict=sensitivity_verdict(found),
                  heading=f"sensitivity of {manoeuvre or 'steady turns'}")  # fmt: skip


def _derivatives(found: Sensitivity) -> Iterator[Finding]:
    """As findings with names and units of their own."""
    for column in found.columns:
        per = f"/({column.unit})" if column.unit and column.unit != "1" else ""
        for one in column.slopes:
            name, said = f"{one.finding.name} by {column.name}", one.finding.description
            yield Finding(name, one.slope, f"{one.finding.unit}{per}", f"{said}, by {column.name}")


EXIT_FAILED_POINTS = 1
_MOST_ROWS = 20  # of the table on a terminal
_WIDEST = 120  # characters of its headings
_MOST_LISTED = 10  # failures


def sweep_command(
    model: ModelArgument,
    parameters: Annotated[
        list[str],
        option(
            "--parameter -p NAME=VALUES",
            "FIRST:LAST:COUNT or A,B,C, with units if wanted. NAME: a parameter, "
            "manoeuvre.speed, or a place in the file such as vehicle.axles.front.track. "
            "Several: all combinations.",
        ),
    ],
    manoeuvre: ManoeuvreOption = None,
    speed: SpeedOption = None,
    fidelity: FidelityOption = None,
    soil: SoilOption = None,
    duration: DurationOption = None,
    step: StepOption = None,
    method: MethodOption = None,
    outputs: Annotated[
        list[str],
        option("--output NAME", "Find the minimum, maximum and final value of this; repeatable."),
    ] = [],  # noqa: B006
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    restart: RestartOption = False,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: Annotated[
        Path | None,
        option("Folder. Default: out/<model>/sweep-<manoeuvre, --model and --soil, if any>."),
    ] = None,
) -> None:
    """Run a model at every point of a grid; after Ctrl-C the same command continues.

    Example: axletree sweep bicycle-car -p body.mass=1200:1800:7 -m step-steer
    """
    given = split_assignments(parameters, "--parameter", "body.mass=1200:1800:7")
    folder = out or result_folder(model, "sweep", manoeuvre, fidelity, soil)
    found = sweep(
        model, given, manoeuvre, speed=speed, duration=duration, step=step, method=method,
        outputs=outputs, changes=vehicle_changes(fidelity, soil) or None, folder=folder,
        workers=workers, client=scheduler, restart=restart,
    )  # fmt: skip
    _show(found)
    _write(found, folder, pictures=pictures, no_report=no_report)
    _end(found, folder)


def _show(found: Sweep) -> None:
    rows = [row for row in found.rows if row.outcome is not None and not row.outcome.failure]
    count = f"{len(rows)} {'point' if len(rows) == 1 else 'points'}"
    known = f", {found.reused} of them from before" if found.reused else ""
    shown, notes = _fitting(found.headings), []
    if shown < len(found.headings):
        notes.append(f"... and {len(found.headings) - shown} more columns in the table")
    if len(rows) > _MOST_ROWS:
        notes.append(f"... and {len(rows) - _MOST_ROWS} more points in the table")
    title = f"{found.model}, {found.manoeuvre or 'run'}: {count}{known}"
    cells = tuple(_cells(found, row)[:shown] for row in rows[:_MOST_ROWS])
    if rows:
        typer.echo(TextTable(title, found.headings[:shown], cells, tuple(notes)).text())


def _fitting(headings: Sequence[str]) -> int:
    """How many columns a terminal has room for."""
    ends = itertools.accumulate(len(heading) + 2 for heading in headings)
    return max(1, sum(end <= _WIDEST for end in ends))


def _cells(found: Sweep, row: SweepRow) -> tuple[str, ...]:
    given = row.point.values.values()
    values = [value if isinstance(value, str) else f"{value:.6g}" for value in given]
    cells = ((row.finding(one.name) + 0.0, one.unit) for one in found.findings)
    return (*values, *(value_in_words(value, unit) for value, unit in cells))


def _write(found: Sweep, folder: Path, *, pictures: bool, no_report: bool) -> None:
    paths = [found.to_csv(folder / "table.csv"), found.to_json(folder / "table.json")]
    if pictures:
        try:
            paths.append(write_figure(plot_sweep(found), folder / "findings.png"))
        except SweepError as error:
            typer.echo(f"no plot: {error}")
    typer.echo(f"results: {', '.join(map(str, paths))}")
    if not no_report:
        title = f"{found.model.replace('_', ' ')}: sweep, {found.manoeuvre or 'own run'}"
        page = write_analysis_page(
            folder / ANALYSIS_REPORT, title, sweep_sections(found), verdict=sweep_verdict(found)
        )
        typer.echo(f"report:  {page}")


def _end(found: Sweep, folder: Path) -> None:
    """Say what is amiss, by words and by the exit code."""
    remarks = {row.point.in_words: row.outcome.remarks for row in found.rows if row.outcome}
    said = [f"at {words}: {text}" for words, texts in remarks.items() for text in texts]
    _list(said, "remarks, see table.json")
    failures = found.failures
    _list(_grouped(failures), "reasons of failure, see the table")
    if not found.complete:
        done = sum(row.outcome is not None for row in found.rows)
        typer.echo(
            f"axletree: interrupted; {done} of {len(found.rows)} points are kept in {folder}, "
            "and the same command continues from there",
            err=True,
        )
        raise typer.Exit(EXIT_INTERRUPTED)
    if failures:
        raise typer.Exit(EXIT_FAILED_POINTS)


def _grouped(failures: Mapping[str, str]) -> list[str]:
    """Each reason once, with the first point that failed for it."""
    reasons: dict[str, list[str]] = {}
    for words, reason in failures.items():
        reasons.setdefault(reason, []).append(words)
    said = []
    for reason, (first, *others) in reasons.items():
        points = f"{len(others)} more {'point' if len(others) == 1 else 'points'}"
        said.append(f"failed at {first}{f' and at {points}' if others else ''}: {reason}")
    return said


def _list(texts: Sequence[str], more: str) -> None:
    for text in texts[:_MOST_LISTED]:
        typer.echo(f"axletree: {text}", err=True)
    if len(texts) > _MOST_LISTED:
        typer.echo(f"axletree: and {len(texts) - _MOST_LISTED} more {more}", err=True)
