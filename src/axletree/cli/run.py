"""``axletree run``: simulate a model and leave tables, a plot and a page in a folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree.__main__ import EXIT_INTERRUPTED
from axletree.analysis.energy_audit import BALANCED, EnergyAudit
from axletree.cli.assignment import read_signals, read_values
from axletree.cli.check import tell_unusual
from axletree.cli.result_folder import result_folder
from axletree.cli.run_plan import (
    FALLBACK_METHOD,
    described_model,
    optional_seconds,
    run_plan,
    seconds,
)
from axletree.cli.run_results import FormatOption, RunResults
from axletree.cli.source import (
    DurationOption,
    FidelityOption,
    FormOption,
    FunctionOption,
    MethodOption,
    ModelArgument,
    SoilOption,
    SpeedOption,
    StepOption,
    TreeOption,
    formulated,
    vehicle_changes,
)
from axletree.core.files import replaced
from axletree.pipeline import System
from axletree.report.animation.wheel_actors import wheel_outputs
from axletree.report.run_facts import RunFacts
from axletree.simulation.simulate import StoppedRunError

Assignments = list[str]
ASSIGNMENT = "NAME=VALUE"


def run(
    model: ModelArgument,
    manoeuvre: Annotated[
        str | None,
        typer.Argument(
            metavar="MANOEUVRE",
            help="One that the model has; it starts in a steady motion. Left out: the model's run.",
            show_default=False,
        ),
    ] = None,
    speed: SpeedOption = None,
    fidelity: FidelityOption = None,
    soil: SoilOption = None,
    duration: DurationOption = None,
    step: StepOption = None,
    method: MethodOption = None,
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
    functions: FunctionOption = [],  # noqa: B006
    formats: FormatOption = [],  # noqa: B006
    audit: Annotated[
        bool, typer.Option("--audit", help="Say how much energy each component brought in.")
    ] = False,
    animation: Annotated[
        bool,
        typer.Option("--animation", help="Write a page, too, that shows the run in 3D."),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder; out/<model>/<manoeuvre, and --model, if any>."),
    ] = None,
) -> None:
    """Simulate a model; what is not given here is as the model proposes.

    Values may carry units, inputs may be expressions of t in SI units.

    Example: axletree run pendulum.yaml --duration 10 --step "1 ms" --initial "pin.angle=20 deg"
    """
    described = described_model(model, vehicle_changes(fidelity, soil), manoeuvre)
    tell_unusual(described)
    system = formulated(described, tree, form, functions)
    signals = read_signals(inputs, "--input", system.inputs, system.time)
    values = read_values(parameters, "--parameter", system.parameters)
    plan = run_plan(described, system, manoeuvre, speed, signals, values)
    folder = out or result_folder(model, manoeuvre, fidelity, soil)
    given = described.run
    facts = RunFacts(plan.inputs, plan.parameters)
    span = seconds("--duration", duration, plan.duration)
    settings: dict[str, Any] = {
        "step": optional_seconds(step, given.step or plan.fallback_step),
        "method": method or given.method or FALLBACK_METHOD,
        "initial": {**plan.initial, **read_values(initial, "--initial", system.states)},
        "inputs": plan.inputs,
        "parameters": plan.parameters,
        "record_interval": optional_seconds(record_interval, given.record_interval),
    }
    driven = None if plan.manoeuvre is None else (str(manoeuvre), plan.manoeuvre)
    told = {key: value for key, value in settings.items() if key != "inputs"}
    write = RunResults(
        described, system, folder, facts, plan.title, str(model), driven,
        {"fidelity": fidelity, "soil": soil, "duration": span, **told}, formats, animation,
    )  # fmt: skip
    _check_writable(folder)
    try:
        chosen = plan.recorded(system, outputs)
        if animation and chosen is not None:
            chosen = [*chosen, *(n for n in wheel_outputs(described, system) if n not in chosen)]
        trajectory = system.simulate(span, outputs=chosen, **settings)
    except StoppedRunError as stopped:
        write(stopped.trajectory)
        raise
    write(trajectory, _audit(system, span, settings) if audit else None)
    if not trajectory.complete:
        typer.echo(f"axletree: {trajectory.note}; the results are not complete", err=True)
        raise typer.Exit(EXIT_INTERRUPTED)


def _audit(system: System, span: float, settings: Mapping[str, Any]) -> EnergyAudit:
    """The balance of the run; where it does not close, in parts of its steps, too."""
    audit = system.audit_energy(span, **settings)
    if audit.relative_misfit < BALANCED or settings["step"] is None:
        return audit
    fine = system.audit_energy(span, **{**settings, "method": None})
    return replace(audit, fine_misfit=fine.relative_misfit)


def _check_writable(folder: Path) -> None:
    """Before the run, so that a long one is not lost."""
    with replaced(folder / "run.csv.check") as stream:
        stream.write(b"")
    (folder / "run.csv.check").unlink()
