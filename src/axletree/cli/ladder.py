"""``axletree ladder``: one manoeuvre by all models of a vehicle, over one another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axletree.analysis.ladder import Ladder, drive_ladder
from axletree.cli.result_folder import result_folder
from axletree.cli.source import FidelitiesOption, ModelArgument, SpeedOption
from axletree.core.files import write_text
from axletree.core.registry import unknown_name
from axletree.core.whole_folder import whole_folder
from axletree.report.ladder_plot import ladder_json, ladder_table, plot_ladder
from axletree.report.picture_file import write_figure
from axletree.vehicles.vehicle import Fidelity

PICTURE = "ladder.png"


def ladder(
    model: ModelArgument,
    manoeuvre: Annotated[
        str,
        typer.Argument(metavar="MANOEUVRE", help="One that the vehicle has.", show_default=False),
    ],
    speed: SpeedOption = None,
    fidelities: FidelitiesOption = [],  # noqa: B006
    out: Annotated[
        Path | None, typer.Option(help="Folder; out/<model>/<manoeuvre>-ladder.")
    ] = None,
) -> None:
    """Drive a manoeuvre by the full, 14-dof, two-track, single-track and linear model.

    Without --model all of them are driven.

    Example: axletree ladder sedan iso-7401-step --speed "80 km/h"
    """
    found = drive_ladder(model, manoeuvre, speed, _chosen(fidelities))
    folder = out or result_folder(model, f"{manoeuvre}-ladder")
    typer.echo(f"{ladder_table(found).text()}\n")
    for fidelity, reason in found.left_out.items():
        typer.echo(f"axletree: without {fidelity}: {reason}", err=True)
    typer.echo(f"results: {', '.join(map(str, _written(found, folder)))}")


def _chosen(words: list[str]) -> tuple[Fidelity, ...]:
    known = {fidelity.value: fidelity for fidelity in Fidelity}
    for word in words:
        if word not in known:
            raise unknown_name("fidelity", word, known, "the ladder")
    return tuple(one for word, one in known.items() if word in words or not words)


def _written(found: Ladder, folder: Path) -> list[Path]:
    """A picture, tables, and a folder for each model, as ``axletree compare`` reads them."""
    tables = {"metrics.csv": ladder_table(found).csv(), "metrics.json": ladder_json(found)}
    driven = [rung.fidelity.value for rung in found.rungs]
    stale = [f"{one.value}/run.{kind}" for one in Fidelity for kind in ("csv", "npz")]
    with whole_folder(folder, stale) as made:
        write_figure(plot_ladder(found), made / PICTURE)
        for name, text in tables.items():
            write_text(made / name, text)
        for rung, name in zip(found.rungs, driven, strict=True):
            rung.run.to_csv(made / name / "run.csv")
            rung.run.to_npz(made / name / "run.npz")
    return [folder / name for name in (PICTURE, *tables, *(f"{d}/run.npz" for d in driven))]
