"""``axletree check``: whether a model is sound, and what follows from its numbers."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from axletree.cli.source import ModelArgument
from axletree.pipeline import Model, read_model
from axletree.report.mechanism_picture import draw_mechanism
from axletree.report.mechanism_poses import poses_at_start
from axletree.report.mechanism_sheet import mechanism_sheet
from axletree.report.picture_file import write_figure
from axletree.vehicles.data_sheet import Row, data_sheet
from axletree.vehicles.vehicle import Vehicle

WIDEST = 100  # characters of a line


def check(
    model: ModelArgument,
    picture: Annotated[
        Path | None,
        typer.Option(
            help="Draw it as it starts into this file: .png, .svg or .pdf.", show_default=False
        ),
    ] = None,
) -> None:
    """Read a model, say what is wrong with it, and show what follows from its numbers.

    Example: axletree check compact-car
    """
    described = read_model(model)
    masses = [i for component in described for i in component.inertias()]
    bodies = f"{len(masses)} {'body' if len(masses) == 1 else 'bodies'}"
    typer.echo(f"{described.name}: {len(described.components)} components, {bodies}")
    vehicle = described.described.get("vehicle")
    if isinstance(vehicle, Vehicle):
        sheet = data_sheet(vehicle)
        _show(sheet.rows)
        for text in sheet.warnings:
            typer.echo(f"  unusual: {text}")
    else:
        _show(mechanism_sheet(described, described.formulate()))
    if described.manoeuvres:
        told = f"manoeuvres: {', '.join(described.manoeuvres)}"
        typer.echo(textwrap.fill(told, WIDEST, subsequent_indent="  ", break_on_hyphens=False))
    if picture is not None:
        _draw(described, picture)


def tell_unusual(model: Model) -> None:
    """What of a vehicle's numbers is rarely found, before a run is believed."""
    vehicle = model.described.get("vehicle")
    if isinstance(vehicle, Vehicle):
        for text in data_sheet(vehicle).warnings:
            typer.echo(f"unusual: {text}", err=True)


def _show(rows: Sequence[Row]) -> None:
    width = max((len(row.name) for row in rows), default=0)
    for row in rows:
        unit = "" if row.unit == "1" else row.unit
        typer.echo(f"  {row.name:<{width}}  {row.value:>10.4g} {unit}".rstrip())


def _draw(model: Model, path: Path) -> None:
    poses = poses_at_start(model.formulate(), model)
    if poses is None:
        typer.echo("no picture: nothing in the model has a place")
        return
    typer.echo(f"picture: {write_figure(draw_mechanism(poses), path)}")
