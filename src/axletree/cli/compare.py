"""``axletree compare``: runs over one another, from folders of results or of models."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axletree.cli.compared_runs import ModelRuns, compared_runs
from axletree.cli.source import FidelitiesOption, ManoeuvreOption, SpeedOption
from axletree.core.files import write_text
from axletree.core.whole_folder import whole_folder
from axletree.report.comparison import (
    ComparisonError,
    distance_table,
    findings_table,
    shared_quantities,
)
from axletree.report.comparison_plot import plot_comparison
from axletree.report.picture_file import write_figure

PICTURE, FINDINGS, DISTANCES = "comparison.png", "findings.csv", "distances.csv"


def compare(
    subjects: Annotated[
        list[str],
        typer.Argument(
            metavar="A B ...",
            help="Folders that `axletree run` wrote, or models, which are run. LABEL=A names one.",
            show_default=False,
        ),
    ],
    manoeuvre: ManoeuvreOption = None,
    speed: SpeedOption = None,
    fidelities: FidelitiesOption = [],  # noqa: B006
    quantities: Annotated[
        list[str],
        typer.Option(
            "--quantity",
            "-q",
            metavar="NAME",
            help='To compare, for example chassis.z or "*_tyre.Fy"; repeatable.',
        ),
    ] = [],  # noqa: B006
    out: Annotated[Path, typer.Option(help="Folder.")] = Path("out", "compare"),
) -> None:
    """Put runs over one another: plots with a curve for each, and tables side by side.

    Example: axletree compare out/bicycle-car/step-steer out/car/step-steer
    """
    runs = compared_runs(
        subjects, ModelRuns(manoeuvre, speed, tuple(fidelities), tuple(quantities))
    )
    if len(runs) < 2:
        raise ComparisonError(
            "one run alone cannot be compared; give a second folder or model, or --model twice"
        )
    names = shared_quantities(runs, quantities)
    tables = {FINDINGS: findings_table(runs), DISTANCES: distance_table(runs, names)}
    told = {file: table for file, table in tables.items() if table is not None}
    picture = plot_comparison(runs, names, ", ".join(one.label for one in runs))
    with whole_folder(out, tables) as made:
        write_figure(picture, made / PICTURE)
        for file, table in told.items():
            write_text(made / file, table.csv())
    for table in told.values():
        typer.echo(f"{table.text()}\n")
    typer.echo(f"results: {', '.join(str(out / file) for file in (PICTURE, *told))}")
