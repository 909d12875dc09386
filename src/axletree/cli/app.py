"""The command line: puts the subcommands together and turns errors into clean messages."""

from __future__ import annotations

import warnings
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from axletree import __version__
from axletree.__main__ import EXIT_INTERRUPTED
from axletree.cli.animation import animate
from axletree.cli.comparison import compare, ladder
from axletree.cli.doctor import doctor
from axletree.cli.equations import derive, export, graph
from axletree.cli.model_files import check, list_entries, schema
from axletree.cli.run import run
from axletree.cli.steady import linearise, trim
from axletree.cli.studies import sensitivity, sweep
from axletree.cli.thesis import bench
from axletree.cli.tyre import bench_tyre, tyre
from axletree.cli.vehicle import cornering, frequency, g_g, modes, yaw_moment
from axletree.core.errors import AxletreeError

EXIT_USER_ERROR = 2


class Commands(TyperGroup):
    """The subcommands; an ``AxletreeError`` ends any of them with its message and exit code 2."""

    def invoke(self, ctx: Any) -> Any:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            return self._invoke_cleanly(ctx)

    def _invoke_cleanly(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except AxletreeError as error:
            if ctx.params["debug"]:
                raise
            typer.echo(f"axletree: {error}", err=True)
            raise typer.Exit(EXIT_USER_ERROR) from None
        except KeyboardInterrupt:
            typer.echo("axletree: interrupted from the keyboard", err=True)
            raise typer.Exit(EXIT_INTERRUPTED) from None


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """A notice is a sentence; where in the code it arose says nothing to a user."""
    typer.echo(f"axletree: {message}", err=True)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"axletree {__version__}")
        raise typer.Exit


app = typer.Typer(
    name="axletree",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def main_options(
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error, not its message alone.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """From the topology of a mechanism to its equations, and to running C.

    Example: axletree doctor
    """


app.command("list")(list_entries)
app.command("check")(check)
app.command("derive")(derive)
app.command("run")(run)
app.command("animate")(animate)
app.command("sweep")(sweep)
app.command("compare")(compare)
app.command("ladder")(ladder)
app.command("cornering")(cornering)
app.command("yaw-moment")(yaw_moment)
app.command("g-g")(g_g)
app.command("sensitivity")(sensitivity)
app.command("trim")(trim)
app.command("linearise")(linearise)
app.command("modes")(modes)
app.command("frequency")(frequency)
app.command("export")(export)
app.command("graph")(graph)
app.command("schema")(schema)
app.add_typer(tyre, name="tyre")
app.command("bench-tyre")(bench_tyre)
app.add_typer(bench, name="bench")
app.command("doctor")(doctor)
