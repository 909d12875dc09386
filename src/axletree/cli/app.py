"""The command line: registers the subcommands and turns errors into clean messages."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console

from axletree import __version__
from axletree.cli.doctor import doctor
from axletree.core.errors import AxletreeError

EXIT_USER_ERROR = 2

app = typer.Typer(
    name="axletree",
    help="From a mechanism's topology to its equations, and to running C.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(doctor)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"axletree {__version__}")
        raise typer.Exit


@app.callback()
def options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """From a mechanism's topology to its equations, and to running C."""


def main() -> None:
    """Run the command; an ``AxletreeError`` ends it with its message and exit code 2."""
    try:
        app()
    except AxletreeError as error:
        if "--debug" in sys.argv:
            raise
        Console(stderr=True).print(f"axletree: {error}", markup=False, highlight=False)
        sys.exit(EXIT_USER_ERROR)
