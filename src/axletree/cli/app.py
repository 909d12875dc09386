"""The command line: puts the subcommands together and turns errors into clean messages.

A command is imported when it is called, so that help and completion are quick: a new command is a
function in a file beside this one, and a line of ``COMMANDS``.
"""

from __future__ import annotations

import errno
import os
import warnings
from functools import cache
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperCommand, TyperGroup

from axletree import __version__
from axletree.__main__ import EXIT_INTERRUPTED
from axletree.core.errors import AxletreeError

EXIT_USER_ERROR = 2
_LIBRARY, _LIBRARIES = "--library", "AXLETREE_PATH"
SETTINGS: Final[dict[str, Any]] = {
    "add_completion": False,
    "rich_markup_mode": None,
    "pretty_exceptions_enable": False,
}

# ruff: noqa: E501 - a command is one line

# Each with its place and the sentence that it begins with, in the order of the help.
COMMANDS = {
    "list": ("model_files:list_entries", "List everything that has a name: components and their parts, forms, integrators and more."),
    "check": ("model_files:check_file", "Read a model, list its problems, and print its data sheet."),
    "derive": ("equations:derive", "Form the equations of a model and show their structure."),
    "run": ("run:run", "Simulate a model; what is not given here is taken from the model."),
    "animate": ("animation:animate", "Show a run in three dimensions: a page that needs no other file and no network."),
    "live": ("live:live_command", "Write a page in which a model is driven: one file with the model as WebAssembly."),
    "studio": ("studio:studio_command", "Open a studio: build and tune vehicles in a page, with forms, pictures and runs."),
    "sweep": ("studies:sweep_command", "Run a model at every point of a grid; after Ctrl-C the same command continues."),
    "monte-carlo": ("experiments:monte_carlo_command", "Draw cars from distributions and put each through a manoeuvre; the same command continues."),
    "sobol": ("experiments:sobol_command", "Shares of the variance of findings that each of several tolerances makes (Sobol indices)."),
    "optimise": ("experiments:optimise_command", "Find the values of quantities at which findings are smallest; the same command continues."),
    "compare": ("comparison:compare_runs", "Compare runs: a page with a curve for each, their differences, and tables side by side."),
    "replay": ("measurement:replay_command", "Drive a vehicle by measured steering, pedals or speed, and compare it with the measurement."),
    "identify": ("identification:identify_command", "Find parameters of a model from measured drives, with limits and what the data leave open."),
    "ladder": ("comparison:ladder", "Drive a manoeuvre by the full, 14-dof, two-track, single-track and linear model."),
    "procedure": ("procedure:procedure_command", "Test a vehicle as a standard does: all runs of a procedure, a verdict, a page."),
    "cycle": ("cycle:cycle_command", "Drive a cycle from a file of speed over time: energy by distance, consumption, range, balance."),
    "cornering": ("vehicle:cornering", "Steady cornering up to the limit: understeer curve, handling diagram, wheel loads."),
    "yaw-moment": ("vehicle:yaw_moment", "Yaw moment over lateral acceleration, by sideslip and steering angle (MMM diagram)."),
    "g-g": ("vehicle:g_g", "The g-g diagram: performance envelope of longitudinal and lateral acceleration."),
    "lap": ("lap:lap_command", "The fastest lap of a car around a track: line, speed, pedals, sectors, and a page."),
    "kc": ("suspension:kc", "Kinematics and compliance of an axle by hard points, as on a test rig: metrics and curves."),
    "loads": ("loads:loads", "Loads of every joint, spring and bushing in a manoeuvre: extremes and time histories."),
    "sensitivity": ("studies:sensitivity", "Derivatives of the findings of a manoeuvre, or of steady cornering, by parameters."),
    "trim": ("steady:trim_command", "Solve for a steady state: at rest, coasting at a speed, driven by an input, or turning."),
    "linearise": ("steady:linearise_command", "Solve for a steady state and list its modes: eigenvalue, frequency, damping, states."),
    "modes": ("vehicle:modes", "Modes by name: yaw-sideslip, roll, hop, snaking, weave; over speed: critical speeds."),
    "frequency": ("vehicle:frequency", "Frequency response to steering, beside that of the linear bicycle model."),
    "export": ("equations:export", "Write a model for another tool: as FMU, in C, MATLAB, Fortran or CasADi, or as LaTeX."),
    "realtime": ("realtime:realtime", "Run a model in real time: inputs in and outputs out over UDP or shared memory."),
    "can": ("realtime:can_command", "Connect a runner with a CAN bus: inputs from messages, states and outputs as messages."),
    "graph": ("equations:graph", "Show the linear graph of a model: tree edges dark, chords light, a panel per domain."),
    "schema": ("model_files:schema", "Print the JSON schema of model files."),
    "bench-tyre": ("tyre:bench_tyre", "Put a tyre on test benches: plots, tables of measurements, and one page."),
    "doctor": ("doctor:doctor", "Show versions, the C compiler and whether it works, the cache, and the extras."),
    "suspension": ("suspension:suspension", "Hard points as curves; fit them, list what they change, read tables of points and curves."),
    "tyre": ("tyre:tyre", "Show, compare and fit tyre laws."),
    "bench": ("thesis:bench", "Repeat published measurements, and print both beside each other."),
}  # fmt: skip


@cache
def imported_command(name: str) -> Any:
    """The command of a line of ``COMMANDS``: a function, or a group of them."""
    module, _, attribute = COMMANDS[name][0].partition(":")
    found = getattr(import_module(f"axletree.cli.{module}"), attribute)
    holder = typer.Typer(**SETTINGS)
    if isinstance(found, typer.Typer):
        holder.add_typer(found, name=name)
    else:
        holder.command(name)(found)
    return typer.main.get_group(holder).commands[name]


class Commands(TyperGroup):
    """The subcommands; an ``AxletreeError``, or one of the system's, ends any of them with its
    message and exit code 2."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        named = {name: TyperCommand(name, help=text) for name, (_, text) in COMMANDS.items()}
        self.commands.update(named)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """An empty word, as a shell makes of a variable that is not set, asks for nothing."""
        for word, before in zip(args, ["", *args], strict=False):
            option, equals, value = word.partition("=")
            if not word.strip() or (option.startswith("--") and equals and not value.strip()):
                name = next((text for text in (option, before) if text.startswith("-")), "")
                raise typer.BadParameter(f"{name or 'an argument'} is empty; leave it out")
        return list(super().parse_args(ctx, _with_libraries_first(args)))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        known = super().get_command(ctx, cmd_name)
        return imported_command(cmd_name) if cmd_name in COMMANDS else known

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Of all commands the sentence alone, which needs no import."""
        TyperGroup(name=self.name, commands=dict(self.commands)).format_commands(ctx, formatter)

    def invoke(self, ctx: Any) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.showwarning = _show_warning
                return super().invoke(ctx)
        except AxletreeError as error:
            if ctx.params["debug"]:
                raise
            typer.echo(f"axletree: {error}", err=True)
            raise typer.Exit(EXIT_USER_ERROR) from None
        except OSError as error:  # a full disk behind standard output, a folder that is gone
            if ctx.params["debug"] or error.errno == errno.EPIPE:
                raise
            nameless = "the current folder" if error.errno == errno.ENOENT else "standard output"
            typer.echo(f"axletree: {error.filename or nameless}: {error.strerror}", err=True)
            raise typer.Exit(EXIT_USER_ERROR) from None
        except KeyboardInterrupt:
            typer.echo("axletree: interrupted from the keyboard", err=True)
            raise typer.Exit(EXIT_INTERRUPTED) from None


def _with_libraries_first(args: list[str]) -> list[str]:
    """``--library`` may stand anywhere: it holds for whatever a command reads."""
    first, rest, words = [], [], iter(args)
    for word in words:
        if word == _LIBRARY:
            if not (folder := next(words, "")):
                raise typer.BadParameter(f"{_LIBRARY} needs a folder")
            first += [word, folder]
        elif word.startswith(f"{_LIBRARY}="):
            first.append(word)
        else:
            rest.append(word)
    return [*first, *rest]


def _name_libraries(folders: list[str]) -> list[str]:
    """The libraries of this command before those of the environment, for its processes, too."""
    for folder in folders:
        if not os.path.isdir(folder):
            raise typer.BadParameter(
                f"there is no folder {folder!r}; expected one of tyres, roads or models"
            )
    usual = os.environ.get(_LIBRARIES, "")
    if folders:
        named = [os.path.abspath(folder) for folder in folders]
        os.environ[_LIBRARIES] = os.pathsep.join([*named, *([usual] if usual else [])])
    return folders


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """A notice is a sentence; where in the code it arose says nothing to a user."""
    typer.echo(f"axletree: {message}", err=True)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"axletree {__version__}")
        raise typer.Exit


app = typer.Typer(name="axletree", cls=Commands, no_args_is_help=True, **SETTINGS)


@app.callback()
def main_options(
    debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error, not its message alone.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
    library: Annotated[
        list[str],
        typer.Option(
            _LIBRARY,
            metavar="FOLDER",
            callback=_name_libraries,
            help="Folder of tyres, roads and models that model files may use, beside those of "
            f"${_LIBRARIES}; repeatable.",
        ),
    ] = [],  # noqa: B006
) -> None:
    """From the topology of a mechanism to its equations, and to running C.

    Example: axletree doctor
    """
