"""``axletree list``: what the catalogue has, with one line about each entry."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Iterator, Mapping
from typing import Annotated

import typer

from axletree import catalogue
from axletree.core.registry import load, section
from axletree.model.read import model_text
from axletree.model.ready_made import read_ready_made

# The sections of the catalogue: ``NORMAL_FORCES`` is asked for as normal-forces.
Kind = enum.StrEnum(  # type: ignore[misc]
    "Kind",
    {name: name.lower().replace("_", "-") for name in catalogue.__all__},
)
MODELS, READY_TYRES = ("VEHICLES", "MODELS"), "READY_TYRES"  # sections whose entries are files


def list_entries(
    kind: Annotated[
        Kind | None, typer.Argument(help="One section; all of them if left out.")
    ] = None,
) -> None:
    """Show what can be asked for by name: components and their parts, forms, integrators and more.

    Example: axletree list components
    """
    for shown in [kind] if kind else list(Kind):
        typer.echo(f"{shown}:")
        entries = list(_entries(shown.name))
        width = max(len(name) for name, _ in entries)
        for name, description in entries:
            typer.echo(f"  {name:<{width}}  {description}")


def _entries(title: str) -> Iterator[tuple[str, str]]:
    lines = section(title)
    for name in lines:
        yield name, _description(title, name, lines)


def _description(title: str, name: str, lines: Mapping[str, str]) -> str:
    """What an entry says of itself: a summary, a description, or its docstring's first line."""
    if title in MODELS:
        return str(model_text(name).entries().plain["description"])
    if title == READY_TYRES:
        return read_ready_made(name, title).description
    entry = load("entry", name, lines)
    said = getattr(entry, "summary", "") or getattr(entry, "description", "")
    return str(said) if said else (inspect.getdoc(entry) or "").partition("\n")[0]
