"""``axletree check``: whether a model is sound, and the data sheet of a vehicle."""

from __future__ import annotations

import typer

from axletree.cli.source import ModelArgument
from axletree.pipeline import read_model
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.vehicle import Vehicle


def check(model: ModelArgument) -> None:
    """Read a model, say what is wrong with it, and show what follows from its numbers.

    Example: axletree check compact-car
    """
    described = read_model(model)
    masses = [i for component in described for i in component.inertias()]
    bodies = f"{len(masses)} {'body' if len(masses) == 1 else 'bodies'}"
    typer.echo(f"{described.name}: {len(described.components)} components, {bodies}")
    vehicle = described.described.get("vehicle")
    if isinstance(vehicle, Vehicle):
        _show(vehicle)


def _show(vehicle: Vehicle) -> None:
    sheet = data_sheet(vehicle)
    width = max(len(row.name) for row in sheet.rows)
    for row in sheet.rows:
        unit = "" if row.unit == "1" else row.unit
        typer.echo(f"  {row.name:<{width}}  {row.value:>10.4g} {unit}".rstrip())
    for text in sheet.warnings:
        typer.echo(f"  unusual: {text}")
