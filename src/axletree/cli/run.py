"""``axletree run``: simulate a model and leave tables, a plot and a page in a folder.

A model is run as it proposes, or by a manoeuvre from its steady state (``run_plan``).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from axletree import __version__
from axletree.__main__ import EXIT_INTERRUPTED
from axletree.analysis.drive import (
    PROPOSED_METHOD,
    PROPOSED_STEP,
    check_given_inputs,
    proposed_step,
    recorded_names,
    without_practice,
)
from axletree.cli.controller import (
    ControllerFileError,
    controller_words,
    read_controllers,
)
from axletree.cli.options import (
    AssignmentError,
    DurationOption,
    FidelityOption,
    FormOption,
    FunctionOption,
    MethodOption,
    ModelArgument,
    ParameterOption,
    SoilOption,
    SpeedOption,
    StepOption,
    TreeOption,
    argument,
    formulated,
    option,
    read_assigned_signals,
    read_assigned_values,
    read_quantity,
    split_assignments,
    vehicle_changes,
)
from axletree.cli.prepared_runs import description_key, prepared_start, unusual_values
from axletree.cli.results import model_title, result_folder
from axletree.code.backends.runnable import language_in_words
from axletree.components.file_entries import located_files
from axletree.core.cache import key_of
from axletree.core.errors import FileError, FullDiskError
from axletree.core.files import check_writable, folders_with_space, whole_folder
from axletree.core.progress import doing
from axletree.core.registry import load, section
from axletree.metrics.findings import Finding
from axletree.metrics.verdict import Verdict
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model, Plot
from axletree.model_files.included_files import source_files
from axletree.model_files.read import read_model
from axletree.reports.results import (
    METRICS_FILE,
    RunRecipe,
    copied_files,
    findings_table,
    write_metrics,
)
from axletree.simulation.control.reference_loops import with_actuators
from axletree.simulation.formats.contract import trajectory_format
from axletree.simulation.problem import first_quantities
from axletree.simulation.recomputed_outputs import RunFacts
from axletree.simulation.simulate import StoppedRunError
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

if TYPE_CHECKING:
    from axletree.analysis.energy import EnergyAudit
    from axletree.reports.animation.motion import AnimationError
    from axletree.simulation.control.controllers import ControlLoop


def run(
    model: ModelArgument,
    manoeuvre: Annotated[
        str | None,
        argument(
            "MANOEUVRE",
            "Manoeuvre of the model; it starts from a steady state. Default: the model's own run.",
        ),
    ] = None,
    speed: SpeedOption = None,
    fidelity: FidelityOption = None,
    soil: SoilOption = None,
    duration: DurationOption = None,
    step: StepOption = None,
    method: MethodOption = None,
    initial: Annotated[
        list[str], option("NAME=VALUE", "Initial value of a state; repeatable.")
    ] = [],  # noqa: B006
    inputs: Annotated[
        list[str], option("--input NAME=VALUE", "Value or expression of t; repeatable.")
    ] = [],  # noqa: B006
    parameters: ParameterOption = [],  # noqa: B006
    outputs: Annotated[
        list[str],
        option("--output NAME", "Record this output in addition to the states; repeatable."),
    ] = [],  # noqa: B006
    record_interval: Annotated[
        str | None, option('Time between records, for example "10 ms".')
    ] = None,
    controllers: Annotated[
        list[str],
        option(
            "--controller FILE",
            "Word (esc), FMU, or class of a Python file (mine.py:Esc), that sets inputs; "
            "repeatable.",
        ),
    ] = [],  # noqa: B006
    control_interval: Annotated[
        str | None, option('Time between instants of controllers, for example "10 ms".')
    ] = None,
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    functions: FunctionOption = [],  # noqa: B006
    formats: FormatOption = [],  # noqa: B006
    audit: Annotated[
        bool, option("--audit", "Print the energy supplied by each component.")
    ] = False,
    animation: Annotated[
        bool, option("--animation", "Also write a page that shows the run in 3D.")
    ] = False,
    live: Annotated[
        bool, option("--live", "Also write live.html, a page in which the vehicle is driven.")
    ] = False,
    pictures: Annotated[
        bool, option("--pictures", "Also write the plots of the report as PNG files.")
    ] = False,
    report: Annotated[
        bool, option("--report/--no-report", "Write report.html, after all other results.")
    ] = True,
    watch: Annotated[
        bool, option("--watch/--no-watch", "Look whether the step is too large.")
    ] = True,
    further_runs: Annotated[
        bool,
        option(
            "--further-runs/--no-further-runs",
            "Where samples of steps are in doubt, decide by runs with other steps.",
        ),
    ] = True,
    strict: Annotated[
        bool, option("--strict", "Exit code 3 if the run is not to be relied on, as its note says.")
    ] = False,
    out: Annotated[
        Path | None, option("Folder. Default: out/<model>/<manoeuvre, and --model, if any>.")
    ] = None,
) -> None:
    """Simulate a model; what is not given here is taken from the model.

    Values may carry units, inputs may be expressions of t in SI units.

    Example: axletree run pendulum.yaml --duration 10 --step "1 ms" --initial "pin.angle=20 deg"
    """
    if strict and not watch:
        raise AssignmentError(
            "--strict asks whether the run can be relied on, and --no-watch leaves open whether "
            "its step can; leave one out"
        )
    words = controller_words(controllers)
    with located_files() as files:
        described = described_model(model, vehicle_changes(fidelity, soil), manoeuvre)
        described = with_actuators(described, words)
    key = None if functions or words else description_key(model, files, fidelity, soil, manoeuvre)
    for text in unusual_values(described, key):
        typer.echo(f"unusual: {text}", err=True)
    given = described.run
    chosen_method = method or given.method or PROPOSED_METHOD
    system = formulated(described, tree, form, functions, chosen_method, key)
    signals = read_assigned_signals(inputs, "--input", system.inputs, system.time)
    values = read_assigned_values(parameters, "--parameter", system.parameters)
    if key is not None:
        key = key_of("start", key, tree, form, chosen_method, speed, inputs, parameters)
    if audit and controllers:
        raise ControllerFileError("--audit runs once more, without --controller; leave one out")
    loops = read_controllers(
        controllers, optional_seconds("--control-interval", control_interval, None), system,
        described,
    )  # fmt: skip
    plan = run_plan(
        described, system, manoeuvre, speed, signals, values, outputs, key, words, loops
    )  # fmt: skip
    folder = out or result_folder(model, manoeuvre, fidelity, soil)
    facts = RunFacts(plan.inputs, plan.parameters)
    span = seconds("--duration", duration, plan.duration)
    check_given_inputs(signals, system, span)
    interval = optional_seconds("--record-interval", record_interval, given.record_interval)
    settings: dict[str, Any] = {
        "step": optional_seconds(
            "--step",
            step,
            proposed_step(given, chosen_method, span, interval) or plan.fallback_step,
        ),
        "method": chosen_method,
        "initial": {**plan.initial, **_first_values(system, initial)},
        "inputs": plan.inputs,
        "parameters": plan.parameters,
        "record_interval": interval,
    }
    driven = None if plan.manoeuvre is None else (str(manoeuvre), plan.manoeuvre)
    kept = {key: value for key, value in settings.items() if key != "inputs"}
    write = RunResults(
        described, system, folder, facts, plan.title, str(model), driven,
        {"fidelity": fidelity, "soil": soil, "duration": span, **kept}, chosen_formats(formats),
        animation, pictures, report,
    )  # fmt: skip
    check_writable(folder)
    try:
        chosen = plan.recorded(system, outputs)
        if animation and chosen is not None:
            from axletree.reports.animation.wheels import wheel_outputs

            chosen = [*chosen, *(n for n in wheel_outputs(described, system) if n not in chosen)]
        _tell_step(system, chosen_method, chosen)
        trajectory = system.simulate(
            span,
            outputs=chosen,
            controllers=loops,
            watch=watch,
            further_runs=further_runs,
            **settings,
        )
    except StoppedRunError as stopped:
        write.with_commands(loops, stopped.trajectory)(stopped.trajectory)
        raise
    write.with_commands(loops, trajectory)(
        trajectory, _audit(system, span, settings) if audit else None
    )
    if not trajectory.complete:
        typer.echo(f"axletree: {trajectory.note}; the results are not complete", err=True)
        raise typer.Exit(EXIT_INTERRUPTED)
    if live:
        from axletree.cli.live import write_live_page

        page = write_live_page(str(model), vehicle_changes(fidelity, soil), manoeuvre, folder)
        typer.echo(f"live page: {page}")
    if strict and trajectory.note:
        raise typer.Exit(EXIT_UNRELIABLE)


def _first_values(system: System, texts: Sequence[str]) -> dict[str, float]:
    """By names of states, or of other coordinates and speeds that states follow from."""
    names = split_assignments(texts, "--initial")
    return read_assigned_values(texts, "--initial", first_quantities(system, names))


def _audit(system: System, span: float, settings: Mapping[str, Any]) -> EnergyAudit:
    """The balance of the run; where it does not close, in parts of its steps, too."""
    from axletree.analysis.energy import BALANCED

    audit = system.audit_energy(span, **settings)
    if audit.relative_residual < BALANCED or settings["step"] is None:
        return audit
    fine = system.audit_energy(span, **{**settings, "method": None})
    return replace(audit, fine_residual=fine.relative_residual)


EXIT_UNRELIABLE = 3  # of a run that ends and is not to be relied on, where one asks to be strict


def described_model(source: str, changes: Mapping[str, Any], manoeuvre: str | None) -> Model:
    """The model with changes, and with what its manoeuvre of this name changes."""
    model = read_model(source, changes or None)
    wanted = {} if manoeuvre is None else model.manoeuvres[manoeuvre].changes
    return model.with_changes(wanted) if wanted else model


@dataclass(frozen=True)
class RunPlan:
    """What is to be run."""

    title: str
    duration: float | None
    inputs: Mapping[str, Any]
    outputs: Sequence[str] | None
    parameters: Mapping[str, Any]
    initial: Mapping[str, Any] = field(default_factory=dict)
    manoeuvre: Manoeuvre | None = None  # as it is driven
    plots: Sequence[Plot] = ()  # that the report shows

    @property
    def fallback_step(self) -> float | None:
        """[s], that of ``drive``; a model without manoeuvres has to say its own."""
        return None if self.manoeuvre is None else PROPOSED_STEP

    def recorded(self, system: System, chosen: Sequence[str]) -> Sequence[str] | None:
        """The outputs to record: those chosen, or what is proposed and what plots show."""
        outputs = chosen or self._proposed(system)
        return (
            outputs if self.manoeuvre is None else recorded_names(system, self.manoeuvre, outputs)
        )

    def _proposed(self, system: System) -> Sequence[str] | None:
        from axletree.plot.model_plots import plotted_units

        outputs = [one.quantity.name for one in system.outputs]
        known = {*outputs, *(quantity.name for quantity in system.inputs)}
        shown = [name for name in plotted_units(system, self.plots) if name in known]
        if not shown:
            return self.outputs
        return tuple(dict.fromkeys([*(outputs if self.outputs is None else self.outputs), *shown]))


def run_plan(
    model: Model,
    system: System,
    name: str | None,
    speed: str | None,
    signals: Mapping[str, Any],
    parameters: Mapping[str, float],
    chosen: Sequence[str] = (),
    key: str | None = None,
    words: Sequence[str] = (),
    loops: Sequence[ControlLoop] = (),
) -> RunPlan:
    """The model's own run, or a manoeuvre from its steady state, which is kept under the key;
    ``chosen`` are outputs to record, ``words`` those of controllers that may steer, ``loops`` all
    controllers of the run."""
    given, title = model.run, model_title(model)
    if name is None:
        if speed is not None:
            raise AssignmentError(
                "--speed applies to a manoeuvre; name one: axletree run MODEL MANOEUVRE"
            )
        inputs = {**given.inputs, **signals}
        return RunPlan(title, given.duration, inputs, given.outputs, parameters, plots=model.plots)
    manoeuvre = without_practice(model.manoeuvre(name), words)
    assert manoeuvre is not None
    manoeuvre = replace(manoeuvre, inputs={**manoeuvre.inputs, **signals})
    if speed is not None:
        manoeuvre = replace(manoeuvre, speed=read_quantity("--speed", speed, "m/s"))
    outputs = given.outputs if manoeuvre.outputs is None else manoeuvre.outputs
    plan = RunPlan(
        f"{title}: {name}", manoeuvre.span, {}, outputs, {}, {}, manoeuvre, model.plots
    )  # fmt: skip
    recorded = plan.recorded(system, chosen) or ()
    start = prepared_start(model, system, manoeuvre, parameters, recorded, key, loops)
    typer.echo(f"initial condition: {start.words}")
    return replace(
        plan, inputs=start.inputs, parameters=start.parameters, initial=start.initial,
        manoeuvre=start.manoeuvre,
    )  # fmt: skip


def seconds(option: str, text: str | None, proposed: float | None) -> float:
    """What an option says or the model proposes [s]; an error where neither does."""
    found = optional_seconds(option, text, proposed)
    if found is None:
        name = option.removeprefix("--")
        raise AssignmentError(f"the model proposes no {name}; give one, for example {option} 10")
    return found


def optional_seconds(option: str, text: str | None, proposed: float | None) -> float | None:
    """[s]."""
    return proposed if text is None else read_quantity(option, text, "s")


ALWAYS = "npz"  # the kind of file that other commands read
# Up to so many values a table is written as text, too, if no kind of file is asked for: it takes a
# tenth of a second and 400 kB. Of longer runs it takes more than to integrate them.
SHORT_TABLE = 20_000
_SIZE_IN_FILES = 5  # times the size in memory: formats, pictures and the report
# Files of the report and the animation, named here so that a run without them imports neither.
_REPORT, _PAGE = "report.html", "animation.html"
_PICTURES = ("plots.png", "path.png", "metrics.png", "states.png")
PAGES = (_PAGE, "animation.gif", "animation.png")
FormatOption = Annotated[
    list[str],
    option(
        "--format KINDS",
        "Write the records as csv, mat, mdf4 or parquet beside npz, comma-separated or repeated. "
        f"Default: npz, and csv up to {SHORT_TABLE} values.",
    ),
]


def chosen_formats(given: Sequence[str]) -> tuple[str, ...]:
    """The kinds of files that options name, each once."""
    names = (name.strip() for text in given for name in text.split(","))
    return tuple(dict.fromkeys(name for name in names if name))


@dataclass(frozen=True)
class RunResults:
    """Writes the results, and says where they are."""

    model: Model
    system: System
    folder: Path
    facts: RunFacts
    title: str
    source: str  # what the model is read from
    driven: tuple[str, Manoeuvre] | None  # by name
    settings: Mapping[str, Any]
    formats: Sequence[str] = ()  # that are asked for
    animated: bool = False  # whether a page shows the run in three dimensions
    drawn: bool = False  # whether plots are written as files, too
    reported: bool = True  # whether a report is written

    def __post_init__(self) -> None:
        """What a kind of file needs is there before the run, so that a long one is not lost."""
        for kind in self.formats:
            trajectory_format(kind)

    def with_commands(self, loops: Sequence[ControlLoop], run: Trajectory) -> RunResults:
        """Outputs are computed later with inputs as controllers set them, exactly at records."""
        if len(run) < 2:
            return self
        names = [name for loop in loops for name in loop.sets or ()]
        courses = {name: (run.time, run[name]) for name in names}
        facts = replace(self.facts, inputs={**self.facts.inputs, **courses})
        return replace(self, facts=facts)

    def __call__(self, run: Trajectory, audit: EnergyAudit | None = None) -> None:
        """What the run came to, at once; then its files.

        What was in the folder of an earlier run stays until all of this one is written.
        """
        findings: Sequence[Finding] = ()
        if self.driven is not None and run.complete:
            findings = self.driven[1].findings(run)
        _tell_cost(run)
        verdict = self._verdict(findings)
        if verdict is not None:
            typer.echo(f"verdict: {verdict}")
        if findings:
            typer.echo(findings_table(findings))
        if audit is not None:
            typer.echo(str(audit))
        try:
            self._write_into(self.folder, run, audit, findings)
        except FullDiskError:
            self._write_elsewhere(run, audit, findings)

    def _write_elsewhere(
        self, run: Trajectory, audit: EnergyAudit | None, findings: Sequence[Finding]
    ) -> None:
        """A long run is not lost: it stands in memory until there is a disk that takes it."""
        full = f"cannot write {self.folder}: its disk is full"
        size = run.time.nbytes * (1 + len(run.names))
        name = f"axletree-{self.folder.resolve().name}-{secrets.token_hex(4)}"
        for place in folders_with_space(_SIZE_IN_FILES * size):
            elsewhere = place / name
            try:
                replace(self, folder=elsewhere)._write_into(elsewhere, run, audit, findings)
            except FileError:
                continue
            raise FullDiskError(f"{full}; the results are in {elsewhere} instead") from None
        raise FullDiskError(
            f"{full}, and no other folder takes the results; the records take "
            f"{size / 1e6:.3g} MB: make space, then run again, or write elsewhere by --out"
        ) from None

    def _write_into(
        self,
        folder: Path,
        run: Trajectory,
        audit: EnergyAudit | None,
        findings: Sequence[Finding],
    ) -> None:
        with whole_folder(folder, self._stale()) as made:
            files = self._write(run, audit, findings, made)
            trouble = self._animate(run, made) if self.animated else None
        typer.echo(f"results: {', '.join(str(self.folder / name) for name in files)}")
        if self.reported:
            typer.echo(f"report:  {self.folder / _REPORT}")
        typer.echo(f"metrics: {self.folder / METRICS_FILE}")
        if self.animated and trouble is None:
            typer.echo(f"animation: {self.folder / _PAGE}")
        if trouble is not None:
            if run.complete:
                raise trouble
            typer.echo(f"axletree: no animation: {trouble}", err=True)

    def _write(
        self, run: Trajectory, audit: EnergyAudit | None, findings: Sequence[Finding], folder: Path
    ) -> list[str]:
        """The names of tables and pictures."""
        kinds = dict.fromkeys((ALWAYS, *(self.formats or _short_tables(run))))
        names = [f"run{trajectory_format(kind).suffix}" for kind in kinds]
        for kind, name in zip(kinds, names, strict=True):
            run.write(kind, folder / name)
        write_metrics(
            folder, findings, self._recipe, complete=run.complete, verdict=self._verdict(findings)
        )
        if self.reported or self.drawn:
            from axletree.reports.run_report import write_report

            with doing("writing the report"):
                write_report(
                    self.system, self.model, run, folder, title=self.title, facts=self.facts,
                    audit=audit, findings=findings, recipe=self._recipe, pictures=self.drawn,
                    manoeuvre=None if self.driven is None else self.driven[1],
                )  # fmt: skip
        if not self.reported:
            (folder / _REPORT).unlink(missing_ok=True)
        return [
            *names,
            *(name for name in _PICTURES if (folder / name).is_file()),
        ]

    def _verdict(self, findings: Sequence[Finding]) -> Verdict | None:
        return None if self.driven is None else self.driven[1].verdict(findings)

    def _stale(self) -> list[str]:
        """No file of another run in the same folder stays beside those of this one."""
        kinds = section("TRAJECTORY_FILES")
        suffixes = [load("format", kind, kinds).suffix for kind in kinds]
        records = [f"run{suffix}" for suffix in suffixes]
        return [*records, _REPORT, *_PICTURES, *PAGES, *copied_files(self.folder)]

    def _animate(self, run: Trajectory, folder: Path) -> AnimationError | None:
        """What cannot be shown of a run hides neither its results nor why it has failed."""
        from axletree.reports.animation.animation import animation
        from axletree.reports.animation.motion import AnimationError

        try:
            made = animation(
                self.model, run, system=self.system, facts=self.facts, title=self.title
            )
        except AnimationError as error:
            return error
        made.save(folder / _PAGE)
        return None

    @cached_property
    def _recipe(self) -> RunRecipe:
        return RunRecipe(
            self.model.name, source_files(self.source), self.driven, self.settings,
            self.facts.inputs, __version__,
        )  # fmt: skip


def _short_tables(run: Trajectory) -> tuple[str, ...]:
    """What is written of a short run that nobody chose a kind of file for."""
    return ("csv",) if len(run) * (1 + len(run.names)) <= SHORT_TABLE else ()


def pace_in_words(ratio: float) -> str:
    """Of a run, by the time that it simulates over the time that it takes."""
    times, word = (ratio, "faster") if ratio >= 1.0 else (1.0 / ratio, "slower")
    return f"{float(f'{times:.3g}'):g} times {word} than real time"  # more digits mean nothing


def time_in_words(seconds: float) -> str:
    """Three digits, in the unit in which they are read at a glance."""
    unit, size = next(((u, k) for u, k in _TIMES if seconds >= 0.9995 * k), _TIMES[-1])
    return f"{float(f'{seconds / size:.3g}'):g} {unit}"


_TIMES = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6))


def _tell_step(system: System, method: str, outputs: Sequence[str] | None) -> None:
    """What a step will cost, before the run, where the method has its steps counted."""
    from axletree.simulation.fixed_step import FixedStep
    from axletree.simulation.problem import beside_states
    from axletree.simulation.simulate import load_integrator

    chosen = load_integrator(method)
    if isinstance(chosen, FixedStep):
        listed = None if outputs is None else beside_states(system, outputs)
        if (count := chosen.step_operations(system, listed)) is not None:
            typer.echo(f"each step: {count}")


def _tell_cost(run: Trajectory) -> None:
    typer.echo(f"{len(run)} records of {len(run.names)} quantities, {run.method}")
    if run.elapsed and len(run):
        span = float(run.time[-1] - run.time[0])
        took = time_in_words(run.elapsed)
        if span <= 0.0:  # it stopped where it began
            return
        pace = f"{pace_in_words(span / run.elapsed)}{language_in_words()}"
        typer.echo(f"{span:g} s in {took}: {pace}")
        if run.steps:
            each = time_in_words(run.elapsed / run.steps)
            typer.echo(f"{run.steps} steps, {each} per step on average")
    if run.step_error is not None:
        typer.echo(f"estimated error of the steps: {run.step_error.in_words}")
    if run.residual is not None:
        typer.echo(f"residual of the set-valued forces: {run.residual.in_words}")
