"""``axletree run``: simulate a model and leave tables, a plot and a page in a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree.__main__ import EXIT_INTERRUPTED
from axletree.analysis.drive import drive_start, recorded
from axletree.analysis.energy_audit import BALANCED, EnergyAudit
from axletree.analysis.sweep.plan import joined
from axletree.cli.assignment import AssignmentError, read_signals, read_values
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
from axletree.cli.trim import in_words
from axletree.core.files import replaced
from axletree.core.units import to_si
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.pipeline import Model, System, read_model
from axletree.report.run_facts import RunFacts
from axletree.simulation.simulate import StoppedRunError

Assignments = list[str]
ASSIGNMENT = "NAME=VALUE"
FALLBACK_METHOD = "rk4"
FALLBACK_STEP = 1e-3  # s


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
    out: Annotated[
        Path | None,
        typer.Option(help="Folder; out/<name of the model>/<manoeuvre, and --model, if any>."),
    ] = None,
) -> None:
    """Simulate a model; what is not given here is as the model proposes.

    Values may carry units, inputs may be expressions of t in SI units.

    Example: axletree run pendulum.yaml --duration 10 --step "1 ms" --initial "pin.angle=20 deg"
    """
    described = _described(model, vehicle_changes(fidelity, soil), manoeuvre)
    system = formulated(described, tree, form, functions)
    signals = read_signals(inputs, "--input", system.inputs, system.time)
    values = read_values(parameters, "--parameter", system.parameters)
    plan = _plan(described, system, manoeuvre, speed, signals, values)
    folder = out or result_folder(described.name, manoeuvre, fidelity, soil)
    given = described.run
    _check_writable(folder)
    facts = RunFacts(plan.inputs, plan.parameters)
    span = _seconds("--duration", duration, plan.duration)
    settings: dict[str, Any] = {
        "step": _optional_seconds("--step", step, given.step or plan.fallback_step),
        "method": method or given.method or FALLBACK_METHOD,
        "initial": {**plan.initial, **read_values(initial, "--initial", system.states)},
        "inputs": plan.inputs,
        "parameters": plan.parameters,
        "record_interval": _optional_seconds(
            "--record-interval", record_interval, given.record_interval
        ),
    }
    driven = None if plan.manoeuvre is None else (str(manoeuvre), plan.manoeuvre)
    told = {key: value for key, value in settings.items() if key != "inputs"}
    write = RunResults(
        described, system, folder, facts, plan.title, str(model), driven,
        {"fidelity": fidelity, "soil": soil, "duration": span, **told}, formats,
    )  # fmt: skip
    try:
        trajectory = system.simulate(span, outputs=plan.recorded(system, outputs), **settings)
    except StoppedRunError as stopped:
        write(stopped.trajectory)
        raise
    write(trajectory, _audit(system, span, settings) if audit else None)
    if not trajectory.complete:
        typer.echo(f"axletree: {trajectory.note}; the results are not complete", err=True)
        raise typer.Exit(EXIT_INTERRUPTED)


def result_folder(model: str, *choices: str | None) -> Path:
    """Where results go unless said otherwise: each manoeuvre, fidelity and soil has its place."""
    return Path("out", model, "-".join(filter(None, choices)))


def _described(source: str, changes: Mapping[str, Any], manoeuvre: str | None) -> Model:
    """The model with changes, and with what its manoeuvre of this name changes."""
    model = read_model(source, changes or None)
    wanted = {} if manoeuvre is None else model.manoeuvre(manoeuvre).changes
    return read_model(source, joined(changes, wanted)) if wanted else model


def _audit(system: System, span: float, settings: Mapping[str, Any]) -> EnergyAudit:
    """The balance of the run; where it does not close, in parts of its steps, too."""
    audit = system.audit_energy(span, **settings)
    if audit.relative_misfit < BALANCED or settings["step"] is None:
        return audit
    fine = system.audit_energy(span, **{**settings, "method": None})
    return replace(audit, fine_misfit=fine.relative_misfit)


@dataclass(frozen=True)
class _Plan:
    """What is to be run."""

    title: str
    duration: float | None
    inputs: Mapping[str, Any]
    outputs: Sequence[str] | None
    parameters: Mapping[str, Any]
    initial: Mapping[str, Any] = field(default_factory=dict)
    manoeuvre: Manoeuvre | None = None

    @property
    def fallback_step(self) -> float | None:
        """[s], that of ``drive``; a model without manoeuvres has to say its own."""
        return None if self.manoeuvre is None else FALLBACK_STEP

    def recorded(self, system: System, chosen: Sequence[str]) -> Sequence[str] | None:
        """The outputs to record: those chosen, or what is proposed."""
        outputs = chosen or self.outputs
        return outputs if self.manoeuvre is None else recorded(system, self.manoeuvre, outputs)


def _plan(
    model: Model,
    system: System,
    name: str | None,
    speed: str | None,
    signals: Mapping[str, Any],
    parameters: Mapping[str, float],
) -> _Plan:
    """The model's own run, or a manoeuvre from its steady motion."""
    given, title = model.run, model.name.replace("_", " ")
    if name is None:
        if speed is not None:
            raise AssignmentError(
                "--speed is that of a manoeuvre; name one: axletree run MODEL MANOEUVRE"
            )
        inputs = {**given.inputs, **signals}
        return _Plan(title, given.duration, inputs, given.outputs, parameters)
    manoeuvre = model.manoeuvre(name)
    manoeuvre = replace(manoeuvre, inputs={**manoeuvre.inputs, **signals})
    if speed is not None:
        manoeuvre = replace(manoeuvre, speed=to_si(speed, expected="m/s"))
    start = drive_start(system, manoeuvre, parameters)
    typer.echo(f"start: {in_words(system, start.trim)}")
    outputs = given.outputs if manoeuvre.outputs is None else manoeuvre.outputs
    return _Plan(
        f"{title}: {name}", manoeuvre.span, start.inputs, outputs, start.parameters,
        start.initial, manoeuvre,
    )  # fmt: skip


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
