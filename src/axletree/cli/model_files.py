"""``axletree list``, ``check`` and ``schema``: what the catalogue has, whether a model is sound,
its file format.
"""

from __future__ import annotations

import enum
import inspect
import json
from collections.abc import Mapping
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
from axletree.plot.mechanism import first_instant
from axletree.reports.animation.animation import animation
from axletree.reports.animation.motion import AnimationError
from axletree.reports.data_sheet import check
from axletree.runs.drive_cycle import read_drive_cycle


def check_file(
    model: ModelArgument,
    picture: Annotated[
        Path | None, option("Draw it in its initial position: a file .png, .svg or .pdf.")
    ] = None,
) -> None:
    """Read a model, list its problems, and print its data sheet.

    Example: axletree check compact-car
    """
    described = read_model(model)
    typer.echo(repr(check(described)))
    if picture is not None:
        system = described.formulate()
        try:
            shown = animation(described, first_instant(system), system=system)
        except AnimationError:
            typer.echo("no picture: nothing in the model has a position")
        else:
            typer.echo(f"picture: {write_figure(shown.picture(), picture)}")


# The sections of the catalogue: ``NORMAL_FORCES`` is asked for as normal-forces.
_KINDS = {name: name.lower().replace("_", "-") for name in catalogue.SECTIONS}
Kind = enum.StrEnum("Kind", _KINDS)  # type: ignore[misc]
# Sections whose entries are files.
_MODELS, _READY_TYRES, _CYCLES = ("VEHICLES", "MODELS"), "READY_TYRES", "CYCLES"


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
    if title == _CYCLES:
        return read_drive_cycle(name).in_words
    entry = load("entry", name, lines)
    said = getattr(entry, "summary", "") or getattr(entry, "description", "")
    return str(said) if said else (inspect.getdoc(entry) or "").partition("\n")[0]


def schema() -> None:
    """Print the JSON schema of model files.

    Example: axletree schema > axletree-model.json
    """
    typer.echo(json.dumps(model_schema(), indent=2))
