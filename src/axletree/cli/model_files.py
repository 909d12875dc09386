"""``axletree list``, ``check`` and ``schema``: what the catalogue has, whether a model is sound,
its file format.
"""

from __future__ import annotations

import enum
import inspect
import json
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from axletree import catalogue
from axletree.cli.options import ModelArgument, option
from axletree.core.registry import load, section
from axletree.model_files.included_files import read_ready_made
from axletree.model_files.read import model_text, read_model
from axletree.model_files.schema import model_schema
from axletree.plot.figure_files import write_figure
from axletree.plot.mechanism import draw_mechanism, poses_at_start
from axletree.report.data_sheet import mechanism_sheet
from axletree.vehicles.data_sheet import SheetRow, data_sheet
from axletree.vehicles.vehicle import Vehicle

_WIDEST = 100  # characters of a line


def check(
    model: ModelArgument,
    picture: Annotated[
        Path | None, option("Draw it in its initial position: a file .png, .svg or .pdf.")
    ] = None,
) -> None:
    """Read a model, list its problems, and print its data sheet.

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
        listed = f"manoeuvres: {', '.join(described.manoeuvres)}"
        typer.echo(textwrap.fill(listed, _WIDEST, subsequent_indent="  ", break_on_hyphens=False))
    if picture is not None:
        poses = poses_at_start(described.formulate(), described)
        if poses is None:
            typer.echo("no picture: nothing in the model has a position")
        else:
            typer.echo(f"picture: {write_figure(draw_mechanism(poses), picture)}")


def _show(rows: Sequence[SheetRow]) -> None:
    width = max((len(row.name) for row in rows), default=0)
    for row in rows:
        unit = "" if row.unit == "1" else row.unit
        typer.echo(f"  {row.name:<{width}}  {row.value:>10.4g} {unit}".rstrip())


# The sections of the catalogue: ``NORMAL_FORCES`` is asked for as normal-forces.
_KINDS = {name: name.lower().replace("_", "-") for name in catalogue.SECTIONS}
Kind = enum.StrEnum("Kind", _KINDS)  # type: ignore[misc]
_MODELS, _READY_TYRES = ("VEHICLES", "MODELS"), "READY_TYRES"  # sections whose entries are files


def list_entries(
    kind: Annotated[Kind | None, typer.Argument(help="Section. Default: all of them.")] = None,
) -> None:
    """List everything that has a name: components and their parts, forms, integrators and more.

    Example: axletree list components
    """
    for shown in [kind] if kind else list(Kind):
        typer.echo(f"{shown}:")
        lines = section(shown.name)
        width = max(map(len, lines))
        for name in lines:
            typer.echo(f"  {name:<{width}}  {_description(shown.name, name, lines)}")


def _description(title: str, name: str, lines: Mapping[str, str]) -> str:
    """What an entry says of itself: a summary, a description, or its docstring's first line."""
    if title in _MODELS:
        return str(model_text(name).entries().plain["description"])
    if title == _READY_TYRES:
        return read_ready_made(name, title).description
    entry = load("entry", name, lines)
    said = getattr(entry, "summary", "") or getattr(entry, "description", "")
    return str(said) if said else (inspect.getdoc(entry) or "").partition("\n")[0]


def schema() -> None:
    """Print the JSON schema of model files.

    Example: axletree schema > axletree-model.json
    """
    typer.echo(json.dumps(model_schema(), indent=2))
