"""``axletree run``: simulate a model and leave tables, a plot and a page in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axletree.__main__ import EXIT_INTERRUPTED
from axletree.cli.assignment import AssignmentError, read_signals, read_values
from axletree.cli.source import FormOption, ModelArgument, TreeOption, formulated
from axletree.core.files import replaced
from axletree.core.units import to_si
from axletree.pipeline import Model, System, read_model
from axletree.report.html import RunFacts, write_report
from axletree.simulation.simulate import StoppedRunError
from axletree.simulation.trajectory import Trajectory

Assignments = list[str]
ASSIGNMENT = "NAME=VALUE"
FALLBACK_METHOD = "rk4"


def run(
    model: ModelArgument,
    duration: Annotated[str | None, typer.Option(help='For example 10 or "2 min".')] = None,
    step: Annotated[str | None, typer.Option(help='For example 1e-3 or "1 ms".')] = None,
    method: Annotated[str | None, typer.Option(help="See `axletree list integrators`.")] = None,
    initial: Annotated[
        Assignments, typer.Option(metavar=ASSIGNMENT, help="First value of a state; repeatable.")
    ] = [],  # noqa: B006
    inputs: Annotated[
        Assignments,
        typer.Option("--input", metavar=ASSIGNMENT, help="Value or expression of t; repeatable."),
    ] = [],  # noqa: B006
    parameters: Annotated[
        Assignments,
        typer.Option("--parameter", metavar=ASSIGNMENT, help="Another value; repeatable."),
    ] = [],  # noqa: B006
    outputs: Annotated[
        list[str],
        typer.Option(
            "--output", metavar="NAME", help="Record this output beside the states; repeatable."
        ),
    ] = [],  # noqa: B006
    record_interval: Annotated[
        str | None, typer.Option(help='Time between records, for example "10 ms".')
    ] = None,
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    out: Annotated[Path | None, typer.Option(help="Folder; out/<name of the model>.")] = None,
) -> None:
    """Simulate a model; what is not given here is as the model proposes.

    Values may carry units, inputs may be expressions of t in SI units.

    Example: axletree run pendulum.yaml --duration 10 --step "1 ms" --initial "pin.angle=20 deg"
    """
    described = read_model(model)
    system = formulated(described, tree, form)
    folder = out or Path("out") / described.name
    given = described.run
    signals = {**given.inputs, **read_signals(inputs, "--input", system.inputs, system.time)}
    values = read_values(parameters, "--parameter", system.parameters)
    facts = RunFacts(signals, values)
    _check_writable(folder)
    try:
        trajectory = system.simulate(
            _seconds("--duration", duration, given.duration),
            step=_optional_seconds("--step", step, given.step),
            method=method or given.method or FALLBACK_METHOD,
            initial=read_values(initial, "--initial", system.states),
            inputs=signals,
            parameters=values,
            outputs=outputs or given.outputs,
            record_interval=_optional_seconds(
                "--record-interval", record_interval, given.record_interval
            ),
        )
    except StoppedRunError as stopped:
        _write(stopped.trajectory, described, system, folder, facts)
        raise
    _write(trajectory, described, system, folder, facts)
    if not trajectory.complete:
        typer.echo(f"axletree: {trajectory.note}; the results are not complete", err=True)
        raise typer.Exit(EXIT_INTERRUPTED)


def _check_writable(folder: Path) -> None:
    """Before the run, so that a long one is not lost."""
    with replaced(folder / "run.csv.check") as stream:
        stream.write(b"")
    (folder / "run.csv.check").unlink()


def _seconds(option: str, text: str | None, proposed: float | None) -> float:
    seconds = _optional_seconds(option, text, proposed)
    if seconds is None:
        name = option.removeprefix("--")
        raise AssignmentError(f"the model proposes no {name}; give one, for example {option} 10")
    return seconds


def _optional_seconds(option: str, text: str | None, proposed: float | None) -> float | None:
    return proposed if text is None else to_si(text, expected="s")


def _write(run: Trajectory, model: Model, system: System, folder: Path, facts: RunFacts) -> None:
    """The results, and where they are."""
    run.to_csv(folder / "run.csv")
    run.to_npz(folder / "run.npz")
    run.plot(*run.states, path=folder / "states.png")
    page = write_report(system, model, run, folder, facts=facts)
    typer.echo(f"{len(run)} records of {len(run.names)} quantities, {run.method}")
    typer.echo(f"results: {folder / 'run.csv'}, {folder / 'run.npz'}, {folder / 'states.png'}")
    typer.echo(f"report:  {page}")
