"""``axletree list``: what the catalogue has, with one line about each entry."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Iterator, Mapping
from typing import Annotated

import typer

from axletree.core.registry import load, section
from axletree.pipeline import read_model


class Kind(enum.StrEnum):
    """A section of the catalogue."""

    COMPONENTS = "components"
    NORMAL_FORCES = "normal-forces"
    SLIPS = "slips"
    ROLLING_RADII = "rolling-radii"
    TYRES = "tyres"
    MANOEUVRES = "manoeuvres"
    FORMS = "forms"
    INTEGRATORS = "integrators"
    EXPORTS = "exports"
    MODELS = "models"


_WITH_SUMMARY = (
    Kind.COMPONENTS,
    Kind.NORMAL_FORCES,
    Kind.SLIPS,
    Kind.ROLLING_RADII,
    Kind.TYRES,
    Kind.MANOEUVRES,
)


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
        entries = list(_entries(shown))
        width = max(len(name) for name, _ in entries)
        for name, description in entries:
            typer.echo(f"  {name:<{width}}  {description}")


def _entries(kind: Kind) -> Iterator[tuple[str, str]]:
    lines = section(kind.name)
    for name in lines:
        yield name, _description(kind, name, lines)


def _description(kind: Kind, name: str, lines: Mapping[str, str]) -> str:
    if kind is Kind.MODELS:
        return read_model(name).description
    entry = load(kind.value.removesuffix("s"), name, lines)
    if kind in _WITH_SUMMARY:
        return str(entry.summary)
    if kind is Kind.INTEGRATORS:
        return str(entry.description)
    return (inspect.getdoc(entry) or "").partition("\n")[0]
