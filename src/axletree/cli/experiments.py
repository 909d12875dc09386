"""``axletree monte-carlo``: what tolerances come to, in cars that are drawn from distributions.

``axletree sobol``: which of the tolerances matters. ``axletree optimise``: which values are best.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from axletree.__main__ import EXIT_INTERRUPTED
from axletree.analysis.experiments.evaluation import CarTable
from axletree.analysis.experiments.monte_carlo import monte_carlo
from axletree.analysis.experiments.optimise import optimise, optimum_findings
from axletree.analysis.experiments.sobol import sobol_study
from axletree.cli.options import (
    AssignmentError,
    DurationOption,
    FidelityOption,
    MethodOption,
    ModelArgument,
    NoReportOption,
    PicturesOption,
    RestartOption,
    SchedulerOption,
    SoilOption,
    SpeedOption,
    StepOption,
    WorkersOption,
    argument,
    option,
    split_assignments,
    vehicle_changes,
)
from axletree.cli.results import AnalysisResults, OutOption, read_vehicle_model, result_folder
from axletree.plot.experiments import (
    design_panels,
    front_panels,
    histogram_panels,
    history_panels,
    scatter_panels,
)
from axletree.plot.panels import draw_panels
from axletree.reports.experiment_sections import (
    monte_carlo_findings,
    monte_carlo_sections,
    monte_carlo_verdict,
    optimum_sections,
    optimum_verdict,
    sobol_findings,
    sobol_sections,
    sobol_table,
    sobol_verdict,
)

_EXIT_FAILED_CARS = 1
TrialsArgument = Annotated[
    list[str] | None,
    argument(
        "MANOEUVRE",
        "Manoeuvre of the model, or a procedure; several as LABEL=NAME. Default: the model's own "
        "run.",
    ),
]
DrawnOption = Annotated[
    list[str],
    option(
        "--parameter -p NAME=DISTRIBUTION",
        "normal(mean, deviation), uniform(lower, upper) or triangular(lower, peak, upper), with "
        "units if wanted. NAME: a parameter, a pattern such as front_*_spring.stiffness, "
        "manoeuvre.speed, or a place in the file such as vehicle.body.mass; repeatable.",
    ),
]
OfOption = Annotated[
    list[str],
    option(
        "--of NAME",
        "Finding, or a state or output with minimum, maximum, mean, rms or final, such as "
        "vehicle.yaw_rate.maximum; repeatable. Default: all findings.",
    ),
]
OneByOneOption = Annotated[
    bool, option("--one-by-one", "Run each car by itself, where they could go by lanes.")
]
NumberOption = Annotated[
    str, option("--number KIND", "Of lanes: double, or float, in half the time.")
]
SeedOption = Annotated[int, option("--seed NUMBER", "Of the draw: the same one draws the same.")]
_EXAMPLE = "body.mass=normal(1500,50)"


def read_trials(given: Sequence[str] | None) -> str | dict[str, str] | None:
    """One name, or several by labels; a name without a label is its own."""
    names = list(given or ())
    if not names:
        return None
    if len(names) == 1 and "=" not in names[0]:
        return names[0]
    labelled = [name if "=" in name else f"{name}={name}" for name in names]
    return split_assignments(labelled, "MANOEUVRE", "step=iso-7401-step")


def trials_in_file_names(given: Sequence[str] | None) -> str | None:
    return "-".join(name.rpartition("=")[2] for name in given) if given else None


@dataclass(frozen=True, kw_only=True)
class StudyOptions:
    """Options that the commands have in common: how cars run, and where results go."""

    seed: SeedOption = 0
    speed: SpeedOption = None
    fidelity: FidelityOption = None
    soil: SoilOption = None
    duration: DurationOption = None
    step: StepOption = None
    method: MethodOption = None
    one_by_one: OneByOneOption = False
    number: NumberOption = "double"
    workers: WorkersOption = None
    scheduler: SchedulerOption = None
    restart: RestartOption = False
    pictures: PicturesOption = False
    no_report: NoReportOption = False
    out: OutOption = None

    def folder(self, model: str, command: str, manoeuvre: Sequence[str] | None) -> Path:
        """Where results go."""
        name = trials_in_file_names(manoeuvre)
        return self.out or result_folder(model, command, name, self.fidelity, self.soil)

    def of_study(self, folder: Path) -> dict[str, Any]:
        """As the functions of Python take them."""
        return {
            "seed": self.seed, "speed": self.speed, "duration": self.duration, "step": self.step,
            "method": self.method, "changes": vehicle_changes(self.fidelity, self.soil) or None,
            "lanes": False if self.one_by_one else None, "number": self.number,
            "workers": self.workers, "client": self.scheduler, "folder": folder,
            "restart": self.restart,
        }  # fmt: skip

    def results(
        self, model: str, command: str, folder: Path, settings: Mapping[str, Any]
    ) -> AnalysisResults:
        """With what the command was given beside these, for the files of results."""
        names = ("seed", "speed", "fidelity", "soil", "duration", "step", "method", "number")
        whole = {**settings, **{name: getattr(self, name) for name in names}}
        return AnalysisResults(
            read_vehicle_model(model, self.fidelity), model, command, whole, folder, self.pictures,
            self.no_report, stale=("table.parquet",),
        )  # fmt: skip


def with_study_options(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose last parameter is ``StudyOptions``, with each of these as an option."""
    own = get_type_hints(command, include_extras=True)
    shared = get_type_hints(StudyOptions, include_extras=True)
    *first, last = inspect.signature(command).parameters.values()
    further = [
        inspect.Parameter(
            one.name, last.POSITIONAL_OR_KEYWORD, default=one.default, annotation=shared[one.name]
        )
        for one in fields(StudyOptions)
    ]

    @wraps(command)
    def taken(**given: Any) -> None:
        options = StudyOptions(**{one.name: given.pop(one.name) for one in further})
        command(**given, **{last.name: options})

    parameters = [*(one.replace(annotation=own[one.name]) for one in first), *further]
    taken.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    taken.__annotations__ = {one.name: one.annotation for one in parameters}
    return taken


@with_study_options
def monte_carlo_command(
    model: ModelArgument,
    manoeuvre: TrialsArgument = None,
    parameters: DrawnOption = [],  # noqa: B006
    members: Annotated[int, option("--members -n NUMBER", "Cars that are drawn.")] = 1000,
    sampling: Annotated[
        str, option("--sampling NAME", "latin-hypercube, sobol or random.")
    ] = "latin-hypercube",
    of: OfOption = [],  # noqa: B006
    options: StudyOptions = StudyOptions(),
) -> None:
    """Draw cars from distributions and put each through a manoeuvre; the same command continues.

    Example: axletree monte-carlo bicycle-car step-steer -p "body.mass=normal(1500,50)"
    """
    drawn = split_assignments(parameters, "--parameter", _EXAMPLE)
    folder = options.folder(model, "monte-carlo", manoeuvre)
    settings = {
        "manoeuvre": list(manoeuvre or ()), "parameters": parameters, "members": members,
        "sampling": sampling, "of": of,
    }  # fmt: skip
    results = options.results(model, "monte-carlo", folder, settings)
    found = monte_carlo(
        model, drawn, read_trials(manoeuvre), members=members, sampling=sampling, of=of,
        **options.of_study(folder),
    )  # fmt: skip
    typer.echo(found.table().text())
    figures = {
        "histograms": lambda: draw_panels(histogram_panels(found), found.title),
        "scatter": lambda: draw_panels(scatter_panels(found), found.title),
    }
    results.write(
        monte_carlo_findings(found), {"table": found.columns}, found.units, figures,
        monte_carlo_sections(found), tell=False, verdict=monte_carlo_verdict(found),
        heading=f"Monte Carlo of {found.trials}", texts={"statistics": found.table().csv()},
    )  # fmt: skip
    _write_parquet(found, folder)
    end_of(found, folder)


@with_study_options
def sobol_command(
    model: ModelArgument,
    manoeuvre: TrialsArgument = None,
    parameters: DrawnOption = [],  # noqa: B006
    count: Annotated[
        int, option("--count NUMBER", "A power of two; (quantities + 2) times as many cars run.")
    ] = 256,
    of: OfOption = [],  # noqa: B006
    options: StudyOptions = StudyOptions(),
) -> None:
    """Shares of the variance of findings that each of several tolerances makes (Sobol indices).

    Example: axletree sobol bicycle-car step-steer -p "body.mass=normal(1500,50)" --count 64
    """
    drawn = split_assignments(parameters, "--parameter", _EXAMPLE)
    folder = options.folder(model, "sobol", manoeuvre)
    settings = {
        "manoeuvre": list(manoeuvre or ()), "parameters": parameters, "count": count, "of": of,
    }  # fmt: skip
    results = options.results(model, "sobol", folder, settings)
    study = sobol_study(
        model, drawn, read_trials(manoeuvre), count=count, of=of, **options.of_study(folder)
    )
    shares = sobol_table(study.indices)
    typer.echo(shares.text())
    typer.echo(f"{len(study.cars)} cars; {study.cars.way}")
    figures = {"histograms": partial(draw_panels, histogram_panels(study.cars))}
    results.write(
        sobol_findings(study), {"table": study.cars.columns}, study.cars.units, figures,
        sobol_sections(study), tell=False, verdict=sobol_verdict(study),
        heading=f"shares of variance in {study.cars.trials}", texts={"indices": shares.csv()},
    )  # fmt: skip
    _write_parquet(study.cars, folder)


@with_study_options
def optimise_command(
    model: ModelArgument,
    manoeuvre: TrialsArgument = None,
    parameters: Annotated[
        list[str],
        option(
            "--parameter -p NAME=LOWER:UPPER",
            "Bounds, with units if wanted. NAME: a parameter, a pattern such as "
            "front_*_spring.stiffness, or a place in the file; repeatable.",
        ),
    ] = [],  # noqa: B006
    goals: Annotated[
        list[str],
        option(
            "--minimise -g GOAL",
            "Expression of findings, such as yaw_rate_overshoot or "
            "vehicle.roll.final/vehicle.lateral_acceleration.final; -NAME for what is to be large. "
            "Several have a front of compromises; repeatable.",
        ),
    ] = [],  # noqa: B006
    weights: Annotated[
        list[float],
        option("--weight -w NUMBER", "Of each goal, in their order: their sum is made small."),
    ] = [],  # noqa: B006
    limits: Annotated[
        list[str],
        option("--limit -l LIMIT", "Such as 'yaw_rate_overshoot <= 10 %'; repeatable."),
    ] = [],  # noqa: B006
    search: Annotated[
        str | None,
        option(
            "--search NAME",
            "cma-es, gradient or nsga-2. Default: nsga-2 for several goals without weights, else "
            "cma-es.",
        ),
    ] = None,
    cars: Annotated[int | None, option("--cars NUMBER", "At most so many are tried.")] = None,
    population: Annotated[
        int | None, option("--population NUMBER", "Cars of a generation.")
    ] = None,
    options: StudyOptions = StudyOptions(),
) -> None:
    """Find the values of quantities at which findings are smallest; the same command continues.

    Example: axletree optimise bicycle-car step-steer -p body.mass=1200:1800
    -p body.front.x=0.9:1.6 -g chassis.rate.rms --cars 64
    """
    bounds = split_assignments(parameters, "--parameter", "body.mass=1200:1800")
    folder = options.folder(model, "optimise", manoeuvre)
    settings = {
        "manoeuvre": list(manoeuvre or ()), "parameters": parameters, "minimise": goals,
        "weights": weights, "limits": limits, "search": search, "cars": cars,
        "population": population,
    }  # fmt: skip
    if weights and len(weights) != len(goals):
        raise AssignmentError(
            f"{len(weights)} weights for {len(goals)} goals; give one --weight for each --minimise"
        )
    results = options.results(model, "optimise", folder, settings)
    of = dict(zip(goals, weights, strict=True)) if weights else goals
    found = optimise(
        model, bounds, read_trials(manoeuvre), of=of if len(goals) != 1 or weights else goals[0],
        limits=limits, search=search, cars=cars, population=population, **options.of_study(folder),
    )  # fmt: skip
    typer.echo(found.table().text())
    figures = {
        "front": partial(draw_panels, front_panels(found)),
        "quantities": partial(draw_panels, design_panels(found)),
        "search": partial(draw_panels, history_panels(found)),
    }
    if len(found.goals) < 2:
        del figures["front"]
    results.write(
        optimum_findings(found), {"table": found.columns}, found.units, figures,
        optimum_sections(found), tell=False, verdict=optimum_verdict(found),
        heading=f"optimum of {found.trials}", texts={"front": found.table().csv()},
    )  # fmt: skip
    _write_parquet(found, folder)
    if not found.complete:
        end_of(found, folder)


def _write_parquet(found: CarTable, folder: Path) -> None:
    """Beside the CSV, where there is what writes it."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return
    typer.echo(f"table:   {found.to_parquet(folder / 'table.parquet')}")


def end_of(found: CarTable, folder: Path) -> None:
    """Say what is amiss, by words and by the exit code."""
    for remark in found.remarks if found.complete else ():
        typer.echo(f"axletree: {remark}", err=True)
    if not found.complete:
        done = int(found.finished.sum())
        typer.echo(
            f"axletree: interrupted; {done} cars are kept in {folder}, and the same command "
            "continues from there",
            err=True,
        )
        raise typer.Exit(EXIT_INTERRUPTED)
    if found.failures:
        raise typer.Exit(_EXIT_FAILED_CARS)
