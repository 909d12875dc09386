"""``axletree compare`` and ``ladder``: runs side by side, from folders, of models, of all
fidelities.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from os.path import commonprefix
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree.analysis.drive import proposed_step
from axletree.analysis.measurements.channel_sources import MEASUREMENT_SUFFIXES
from axletree.analysis.studies.comparison import (
    VEHICLE,
    ComparedRun,
    ComparisonError,
    comparison_table,
    distance_table,
    read_result,
    shared_quantities,
)
from axletree.analysis.studies.fidelity_ladder import (
    Ladder,
    drive_ladder,
    ladder_json,
    ladder_table,
)
from axletree.analysis.studies.sweep_plan import RunSettings, manoeuvre_of, read_for
from axletree.analysis.studies.sweep_points import SWEEP_METHOD, SWEEP_STEP
from axletree.cli.measurement import (
    AlignOption,
    ChannelsOption,
    DelayOption,
    FilterOption,
    LeftFiles,
    Processing,
    TimeToleranceOption,
    ValidationOption,
    ValueToleranceOption,
    is_measured_file,
)
from axletree.cli.options import (
    FidelitiesOption,
    ManoeuvreOption,
    ModelArgument,
    NoReportOption,
    PicturesOption,
    SpeedOption,
    argument,
    option,
    read_quantity,
    vehicle_changes,
)
from axletree.cli.results import result_folder
from axletree.core.files import check_writable, whole_folder, write_text
from axletree.core.registry import unknown_name
from axletree.model_files.read import read_model
from axletree.plot.figure_files import write_figure
from axletree.plot.studies import plot_comparison, plot_ladder
from axletree.reports.analysis_report import ANALYSIS_REPORT, write_analysis_page
from axletree.reports.analysis_sections import ladder_sections
from axletree.reports.analysis_verdicts import ladder_verdict
from axletree.reports.comparison_report import write_comparison
from axletree.simulation.simulate import form_for
from axletree.system.system import System
from axletree.vehicles.vehicle import Fidelity, Vehicle

COMPARISON_PICTURE, FINDINGS, DISTANCES = "comparison.png", "findings.csv", "distances.csv"


def compare_runs(
    subjects: Annotated[
        list[str],
        argument(
            "A B ...",
            "Folders of `axletree run`, or models, which are run. LABEL=A sets the label. One run "
            "and a measured file (.csv, .mf4, .mat, .parquet, .npz) are laid over one another.",
        ),
    ],
    manoeuvre: ManoeuvreOption = None,
    speed: SpeedOption = None,
    fidelities: FidelitiesOption = [],  # noqa: B006
    quantities: Annotated[
        list[str],
        option(
            "--quantity -q NAME",
            'Quantity to compare, for example chassis.z or "*_tyre.Fy"; repeatable.',
        ),
    ] = [],  # noqa: B006
    channels: ChannelsOption = None,
    align: AlignOption = None,
    delay: DelayOption = None,
    smoothing: FilterOption = None,
    validation: ValidationOption = None,
    time_tolerance: TimeToleranceOption = "0 s",
    value_tolerance: ValueToleranceOption = "10 %",
    tolerance: Annotated[
        str, option('Share of the range below which runs are called equal, as "0.5 %".')
    ] = "0.1 %",
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: Annotated[Path, option("Folder.")] = Path("out", "compare"),
) -> None:
    """Compare runs: a page with a curve for each, their differences, and tables side by side.

    A run and a measured file: overlay, residuals and statistics of agreement.

    Example: axletree compare out/bicycle-car/step-steer out/car/step-steer
    """
    check_writable(out)
    wanted = ModelRuns(manoeuvre, speed, tuple(fidelities), tuple(quantities))
    processing = Processing(
        channels, align, delay, smoothing, validation, time_tolerance, value_tolerance
    )
    if any(is_measured_file(subject) for subject in subjects):
        leaves = LeftFiles(out, pictures=pictures, report=not no_report)
        compare_measured(subjects, wanted, processing, leaves)
        return
    if processing.is_given:
        raise ComparisonError(
            "--channels, --align, --delay, --filter, --validate and tolerances apply to measured "
            f"files ({', '.join(MEASUREMENT_SUFFIXES)}); give one after the run"
        )
    runs = compared_runs(subjects, wanted)
    if len(runs) < 2:
        raise ComparisonError(
            "one run alone cannot be compared; give a second folder or model, or --model twice"
        )
    names = shared_quantities(runs, quantities)
    share = read_quantity("--tolerance", tolerance, "1")
    tables = {
        FINDINGS: comparison_table(runs, share), DISTANCES: distance_table(runs, names, share)
    }  # fmt: skip
    known = {file: table for file, table in tables.items() if table is not None}
    for table in known.values():
        typer.echo(f"{table.text()}\n")
    files = [*known, *([COMPARISON_PICTURE] if pictures else ())]
    with whole_folder(out, [*tables, COMPARISON_PICTURE, ANALYSIS_REPORT]) as made:
        for file, table in known.items():
            write_text(made / file, table.csv())
        if pictures:
            picture = plot_comparison(runs, names, ", ".join(one.label for one in runs))
            write_figure(picture, made / COMPARISON_PICTURE)
        if not no_report:
            write_comparison(made / ANALYSIS_REPORT, runs, names, tolerance=share)
    typer.echo(f"results: {', '.join(str(out / file) for file in files)}")
    if not no_report:
        typer.echo(f"report:  {out / ANALYSIS_REPORT}")


def compare_measured(
    subjects: Sequence[str], wanted: ModelRuns, processing: Processing, leaves: LeftFiles
) -> None:
    """One run, of a folder or a model, under one measurement."""
    files = [subject for subject in subjects if is_measured_file(subject)]
    others = [subject for subject in subjects if subject not in files]
    if len(files) != 1 or len(others) != 1:
        raise ComparisonError(
            f"one run and one measured file are compared, got {len(others)} and {len(files)}; "
            "for example: axletree compare out/sedan/iso-7401-step measured.csv"
        )
    measured = processing.read(files[0])
    extra = tuple(name for name in measured.names if name not in wanted.quantities)
    runs = compared_runs(others, replace(wanted, quantities=(*wanted.quantities, *extra)))
    if len(runs) != 1:
        raise ComparisonError("a measurement is compared with one run; give --model once")
    names = processing.names(runs[0].run, measured, wanted.quantities)
    found = processing.agreement(runs[0].run, measured, names)
    title = f"{runs[0].label}, {Path(files[0]).name}"
    leaves.write(found, processing.validation(found), title)


@dataclass(frozen=True)
class ModelRuns:
    """How models are run."""

    manoeuvre: str | None
    speed: str | None
    fidelities: tuple[str, ...]  # none: as the file says
    quantities: tuple[str, ...]  # that are asked for, beside what findings are made of


def compared_runs(subjects: Sequence[str], wanted: ModelRuns) -> list[ComparedRun]:
    """A run for each folder, and for each fidelity of each model; all have labels of their own."""
    pairs = [_labelled(subject) for subject in subjects]
    folders = [source for _, source in pairs if Path(source).is_dir()]
    if len(folders) == len(pairs) and (wanted.manoeuvre or wanted.speed or wanted.fidelities):
        raise ComparisonError("-m, --speed and --model apply to models; folders hold finished runs")
    short = dict(zip(folders, short_names(folders), strict=True))
    runs: list[ComparedRun] = []
    for label, source in pairs:
        path = Path(source)
        if "/" in source and not path.suffix and not path.exists():
            raise ComparisonError(f"there is no folder {source!r}; `axletree run` writes them")
        if source in short:
            runs.append(read_result(Path(source), label or short[source]))
        else:
            runs += _of_model(source, label or Path(source).stem, wanted)
    if len(pairs) == 1 and wanted.fidelities:
        runs = [replace(r, label=f) for r, f in zip(runs, wanted.fidelities, strict=True)]
    twice = {one.label for one in runs if [r.label for r in runs].count(one.label) > 1}
    if twice:
        raise ComparisonError(
            f"two runs are called {' and '.join(sorted(twice))}; name them: LABEL=A LABEL=B"
        )
    return runs


def _labelled(subject: str) -> tuple[str, str]:
    """``LABEL=A``, unless that is the name of something that is there."""
    label, equals, source = subject.partition("=")
    if not equals or Path(subject).exists():
        return "", subject
    return label.strip(), source.strip()


def short_names(folders: Sequence[str]) -> list[str]:
    """Paths without the parts at both ends that all of them share."""
    parts = [Path(folder).resolve().parts for folder in folders]
    if len(folders) < 2 or len(set(parts)) < 2:
        return [Path(folder).name or str(folder) for folder in folders]
    first, last = (len(commonprefix([one[::way] for one in parts])) for way in (1, -1))
    cut = [one[first : len(one) - last] for one in parts]
    return ["/".join(c) if c else "/".join(p[first - 1 :]) for c, p in zip(cut, parts, strict=True)]


def _of_model(source: str, label: str, wanted: ModelRuns) -> Iterator[ComparedRun]:
    for fidelity in wanted.fidelities or ("",):
        changes = vehicle_changes(fidelity) or None
        model = read_for(source, wanted.manoeuvre, changes)
        given = model.run
        method = given.method or SWEEP_METHOD
        system = model.formulate(form=form_for(method))
        manoeuvre = manoeuvre_of(model, wanted.manoeuvre, RunSettings(speed=wanted.speed))
        name, proposed = f"{label} {fidelity}".rstrip(), given.outputs
        if manoeuvre is not None and manoeuvre.outputs is not None:
            proposed = manoeuvre.outputs
        settings: dict[str, Any] = {
            "method": method,
            "outputs": _recorded(system, proposed, wanted.quantities),
            "record_interval": given.record_interval,
        }
        if manoeuvre is not None:
            step = proposed_step(given, method, manoeuvre.span, given.record_interval)
            run = system.drive(manoeuvre, step=step or SWEEP_STEP, **settings)
            yield ComparedRun(name, run, manoeuvre.findings(run))
        elif given.duration is None:
            raise ComparisonError(f"{source} proposes no run; name a manoeuvre with -m")
        else:
            step = proposed_step(given, method, given.duration, given.record_interval)
            own = {"step": step, "inputs": given.inputs, **settings}
            yield ComparedRun(name, system.simulate(given.duration, **own))


def _recorded(
    system: System, proposed: Sequence[str] | None, chosen: Sequence[str]
) -> list[str] | None:
    """What is compared and what is proposed; of a vehicle that proposes nothing, its motion."""
    known = [d.quantity.name for d in system.outputs] + [q.name for q in system.inputs]
    compared = [name for name in known if any(fnmatchcase(name, p) for p in chosen or VEHICLE)]
    if proposed is None and not compared:
        return None
    return list(dict.fromkeys([*(proposed or ()), *compared]))


LADDER_PICTURE = "ladder.png"


def ladder(
    model: ModelArgument,
    manoeuvre: Annotated[str, argument("MANOEUVRE", "Manoeuvre of the vehicle.")],
    speed: SpeedOption = None,
    fidelities: FidelitiesOption = [],  # noqa: B006
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: Annotated[Path | None, option("Folder. Default: out/<model>/<manoeuvre>-ladder.")] = None,
) -> None:
    """Drive a manoeuvre by the full, 14-dof, two-track, single-track and linear model.

    Without --model all of them are driven, and before them those with links and with bushings of a
    vehicle by hard points.

    Example: axletree ladder sedan iso-7401-step --speed "80 km/h"
    """
    chosen = _chosen(fidelities) or _all_of(model)
    folder = out or result_folder(model, f"{manoeuvre}-ladder")
    check_writable(folder)
    found = drive_ladder(model, manoeuvre, speed, chosen)
    typer.echo(f"{ladder_table(found).text()}\n")
    for fidelity, reason in found.left_out.items():
        typer.echo(f"axletree: {fidelity} left out: {reason}", err=True)
    written = _written(found, folder, pictures=pictures, report=not no_report)
    typer.echo(f"results: {', '.join(map(str, written))}")
    if not no_report:
        typer.echo(f"report:  {folder / ANALYSIS_REPORT}")


def _chosen(words: list[str]) -> tuple[Fidelity, ...]:
    known = {fidelity.value: fidelity for fidelity in Fidelity}
    for word in words:
        if word not in known:
            raise unknown_name("fidelity", word, known, "the ladder")
    return tuple(one for word, one in known.items() if word in words)


def _all_of(model: str) -> tuple[Fidelity, ...] | None:
    vehicle = read_model(model).described.get("vehicle")
    return vehicle.fidelities if isinstance(vehicle, Vehicle) else None


def _written(found: Ladder, folder: Path, *, pictures: bool, report: bool) -> list[Path]:
    """Tables, a page, and a folder for each model, as ``axletree compare`` reads them."""
    tables = {"metrics.csv": ladder_table(found).csv(), "metrics.json": ladder_json(found)}
    driven = [rung.fidelity.value for rung in found.rungs]
    drawn = [LADDER_PICTURE] if pictures else []
    stale = [f"{one.value}/run.{kind}" for one in Fidelity for kind in ("csv", "npz")]
    with whole_folder(folder, [*stale, LADDER_PICTURE, ANALYSIS_REPORT]) as made:
        for name in drawn:
            write_figure(plot_ladder(found), made / name)
        if report:
            title = f"{found.model}: {found.manoeuvre} by models of other fidelity"
            speed = f"{3.6 * found.speed:.4g} km/h"
            write_analysis_page(
                made / ANALYSIS_REPORT, title, ladder_sections(found), settings={"speed": speed},
                verdict=ladder_verdict(found),
            )  # fmt: skip
        for name, text in tables.items():
            write_text(made / name, text)
        for rung, name in zip(found.rungs, driven, strict=True):
            rung.run.to_csv(made / name / "run.csv")
            rung.run.to_npz(made / name / "run.npz")
    return [folder / name for name in (*drawn, *tables, *(f"{d}/run.npz" for d in driven))]
