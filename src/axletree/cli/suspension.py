"""``axletree suspension``: hard points of an axle as curves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axletree.cli.options import ModelArgument, argument, option
from axletree.cli.results import result_folder
from axletree.core.errors import ModelError
from axletree.core.files import whole_folder, write_text
from axletree.core.registry import unknown_name
from axletree.model_files.read import read_model
from axletree.vehicles.linkages.curve_files import curves_entry, curves_table, linked_suspension
from axletree.vehicles.vehicle import Vehicle

suspension = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Hard points of an axle as curves.\n\n"
    "Example: axletree suspension curves double-wishbone-sports-car front",
)

_TABLE, _ENTRY = "curves.csv", "suspension.yaml"


@suspension.callback()
def group() -> None:
    """Hard points of an axle as curves."""


@suspension.command()
def curves(
    model: ModelArgument,
    axle: Annotated[str, argument("AXLE", "An axle by hard points, such as front.")],
    out: Annotated[Path | None, option("Folder. Default: out/<model>/<axle>-curves.")] = None,
) -> None:
    """Write the curves over wheel travel that hard points have, as CSV and as YAML.

    The YAML is a suspension by curves, for a vehicle file in place of the hard points.

    Example: axletree suspension curves double-wishbone-sports-car front
    """
    vehicle = read_model(model).described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        raise ModelError(f"{model} has no section 'vehicle', and so no axles by hard points")
    if axle not in vehicle.every_axle:
        raise unknown_name("axle", axle, vehicle.every_axle, model)
    linked = linked_suspension(vehicle.every_axle[axle], axle)
    folder = out or result_folder(model, f"{axle}-curves")
    table, entry = curves_table(linked.sweep.curves(linked.carried)), curves_entry(linked)
    with whole_folder(folder, [_TABLE, _ENTRY]) as made:
        write_text(made / _TABLE, table)
        write_text(made / _ENTRY, entry)
    typer.echo(f"results: {folder / _TABLE}, {folder / _ENTRY}")
