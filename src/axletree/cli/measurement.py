"""Measured data on the command line: ``axletree replay``, and ``compare`` with a measured file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from axletree.analysis.measurements.agreement import Agreement, agreement
from axletree.analysis.measurements.channel_sources import MEASUREMENT_SUFFIXES
from axletree.analysis.measurements.filters import ZeroPhaseButterworth
from axletree.analysis.measurements.measurement import Measurement, read_measurement
from axletree.analysis.measurements.replay import ReplayedDrive, replay, replay_plan
from axletree.analysis.measurements.validation import Validation, validate
from axletree.analysis.studies.comparison import VEHICLE
from axletree.cli.options import (
    AssignmentError,
    FidelityOption,
    MethodOption,
    ModelArgument,
    NoReportOption,
    ParameterOption,
    PicturesOption,
    StepOption,
    argument,
    option,
    read_quantity,
    split_assignments,
    vehicle_changes,
)
from axletree.cli.results import result_folder
from axletree.core.files import check_writable, whole_folder, write_text
from axletree.model_files.read import read_model
from axletree.plot.figure_files import write_figure
from axletree.plot.measurements import plot_agreement, plot_boundaries
from axletree.reports.agreement_report import write_agreement_page
from axletree.reports.analysis_report import ANALYSIS_REPORT
from axletree.reports.results import write_columns
from axletree.simulation.trajectory import Trajectory

ChannelsOption = Annotated[
    Path | None,
    option(
        "--channels FILE.yaml",
        "Columns of a measured file by name, with unit, sign, delay. Default: names as Axletree "
        "writes them.",
    ),
]
AlignOption = Annotated[
    str | None,
    option("--align NAME", "Find the delay of a measurement by cross-correlation of a quantity."),
]
DelayOption = Annotated[
    str | None, option("--delay", 'By how much a measurement comes late, for example "20 ms".')
]
FilterOption = Annotated[
    str | None,
    option(
        "--filter ORDER,CUTOFF",
        'Butterworth filter without phase over run and measurement: "4,10 Hz". Default: none.',
    ),
]
ValidationOption = Annotated[
    str | None,
    option(
        "--validate METHOD",
        "Boundaries and characteristic values in the manner of iso-19364 (steady-state cornering), "
        "iso-19365 (sine with dwell) or iso-22140 (lateral transient response).",
    ),
]
TimeToleranceOption = Annotated[
    str, option("--time-tolerance", "Half the width of boundaries over time.")
]
ValueToleranceOption = Annotated[
    str, option("--value-tolerance", "Of characteristic values, as a part of the simulated one.")
]
AGREEMENT, OVERLAY, REPLAYED_RUN = "agreement.csv", "overlay.csv", "run.npz"
AGREEMENT_PICTURE, BOUNDARY_PICTURE = "agreement.png", "boundaries.png"
_VALIDATION = ("boundaries.csv", "values.csv")


def is_measured_file(subject: str) -> bool:
    """Whether a subject of a comparison is a file of measured data, and no folder or model."""
    path = Path(subject)
    return path.suffix.lower() in MEASUREMENT_SUFFIXES and not path.is_dir()


@dataclass(frozen=True)
class Processing:
    """What options say of how a measurement is laid over a run."""

    channels: Path | None = None
    align: str | None = None
    delay: str | None = None
    smoothing: str | None = None
    method: str | None = None
    time_tolerance: str = "0 s"
    value_tolerance: str = "10 %"

    @property
    def is_given(self) -> bool:
        return self != Processing()

    def read(self, file: str | Path) -> Measurement:
        return read_measurement(file, self.channels)

    def agreement(self, run: Trajectory, measured: Measurement, names: list[str]) -> Agreement:
        return agreement(
            run, measured, names=names, align=self.align,
            delay=0.0 if self.delay is None else read_quantity("--delay", self.delay, "s"),
            smoothing=self.filter,
        )  # fmt: skip

    @property
    def filter(self) -> ZeroPhaseButterworth | None:
        return _filter(self.smoothing)

    def names(self, run: Trajectory, measured: Measurement, chosen: Sequence[str]) -> list[str]:
        """Quantities that are asked for, or those of the channel file; of a file without one, the
        motion and the controls of a vehicle, if it has them."""
        shared = [name for name in measured.names if name in run]
        patterns = chosen or (VEHICLE if self.channels is None else ("*",))
        return [name for name in shared if any(fnmatchcase(name, p) for p in patterns)]

    def validation(self, found: Agreement) -> Validation | None:
        if self.method is None:
            return None
        return validate(
            found, self.method,
            time_tolerance=read_quantity("--time-tolerance", self.time_tolerance, "s"),
            value_tolerance=read_quantity("--value-tolerance", self.value_tolerance, "1"),
        )  # fmt: skip


def _filter(text: str | None) -> ZeroPhaseButterworth | None:
    if text is None:
        return None
    order, comma, cutoff = text.partition(",")
    if not comma or not order.strip().isdigit() or not 1 <= int(order) <= 10:
        raise AssignmentError(
            f'--filter {text!r}: expected an order from 1 to 10 and a cut-off, such as "4,10 Hz"'
        )
    frequency = read_quantity("--filter", cutoff.strip(), "Hz")
    if frequency <= 0.0:
        raise AssignmentError(f"--filter {text!r}: a cut-off is above 0 Hz")
    return ZeroPhaseButterworth(int(order), frequency)


@dataclass(frozen=True)
class LeftFiles:
    """What is left in a folder of a run under a measurement."""

    folder: Path
    pictures: bool = False
    report: bool = True

    def write(
        self,
        found: Agreement,
        validation: Validation | None,
        title: str,
        run: Trajectory | None = None,
    ) -> None:
        """Tables, values over time, a page, and the run where it is a new one; then say it all."""
        tables = {AGREEMENT: found.table()}
        if validation is not None:
            tables |= dict(zip(_VALIDATION, validation.tables(), strict=False))
        for table in tables.values():
            typer.echo(f"{table.text()}\n")
        stale = [*_VALIDATION, AGREEMENT_PICTURE, BOUNDARY_PICTURE, ANALYSIS_REPORT]
        files = [*tables, OVERLAY]
        with whole_folder(self.folder, stale) as made:
            for name, table in tables.items():
                write_text(made / name, table.csv())
            write_columns(made / OVERLAY, *_overlay(found))
            if run is not None:
                files.append(run.to_npz(made / REPLAYED_RUN).name)
            if self.pictures:
                files += _pictures(made, found, validation, title)
            if self.report:
                write_agreement_page(made / ANALYSIS_REPORT, found, validation, title)
        typer.echo(f"results: {', '.join(str(self.folder / name) for name in files)}")
        if self.report:
            typer.echo(f"report:  {self.folder / ANALYSIS_REPORT}")


def _pictures(
    folder: Path, found: Agreement, validation: Validation | None, title: str
) -> list[str]:
    write_figure(plot_agreement(found, title), folder / AGREEMENT_PICTURE)
    if validation is None:
        return [AGREEMENT_PICTURE]
    units = {name: one.unit for name, one in found.channels.items()}
    drawn = plot_boundaries(validation.boundaries, units, f"{title}, {validation.method.standard}")
    write_figure(drawn, folder / BOUNDARY_PICTURE)
    return [AGREEMENT_PICTURE, BOUNDARY_PICTURE]


def _overlay(found: Agreement) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    columns: dict[str, np.ndarray] = {"time": found.time}
    units = {"time": "s"}
    for name, one in found.channels.items():
        parts = {"simulated": one.simulated, "measured": one.measured, "residual": one.residual}
        columns |= {f"{name} {word}": values for word, values in parts.items()}
        units |= {f"{name} {word}": one.unit for word in parts}
    return columns, units


def replay_command(
    model: ModelArgument,
    drive: Annotated[Path, argument("FILE", "Measured drive: .csv, .mf4, .mat, .parquet, .npz.")],
    channels: ChannelsOption = None,
    by: Annotated[
        ReplayedDrive | None,
        option(
            "--by",
            "What drives it along: measured pedals, or pedals that follow the measured speed. "
            "Default: the pedals where they are measured.",
        ),
    ] = None,
    speed: Annotated[str | None, option("Speed at the start, where none is measured.")] = None,
    fidelity: FidelityOption = None,
    begin: Annotated[str | None, option("--from TIME", "Leave out the time before.")] = None,
    end: Annotated[str | None, option("--to TIME", "Leave out the time after.")] = None,
    smoothing: FilterOption = None,
    validation: ValidationOption = None,
    time_tolerance: TimeToleranceOption = "0 s",
    value_tolerance: ValueToleranceOption = "10 %",
    step: StepOption = None,
    method: MethodOption = None,
    parameters: ParameterOption = [],  # noqa: B006
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: Annotated[Path | None, option("Folder. Default: out/<model>/replay-<file>.")] = None,
) -> None:
    """Drive a vehicle by measured steering, pedals or speed, and compare it with the measurement.

    It begins in the steady state at the first measured speed.

    Example: axletree replay sedan drive.mf4 --channels map.yaml
    """
    folder = out or result_folder(model, f"replay-{drive.stem}", fidelity)
    check_writable(folder)
    processing = Processing(
        channels, None, None, smoothing, validation, time_tolerance, value_tolerance
    )
    measured = processing.read(drive)
    if begin is not None or end is not None:
        first = measured.time[0] if begin is None else read_quantity("--from", begin, "s")
        last = measured.time[-1] if end is None else read_quantity("--to", end, "s")
        measured = measured.between(float(first), float(last))
    if (chosen := processing.filter or measured.filter) is not None:
        measured = measured.filtered(chosen)  # inputs and what they are compared with alike
    described = read_model(model, vehicle_changes(fidelity) or None)
    for note in replay_plan(described, measured, by, speed).notes:
        typer.echo(f"input: {note}")
    values = split_assignments(parameters, "--parameter", "body.mass=1500")
    run = replay(
        described, measured, by=by, speed=speed, step=step, method=method, parameters=dict(values)
    )
    if run.note:
        typer.echo(f"axletree: {run.note}", err=True)
    found = agreement(run, measured, names=processing.names(run, measured, ()))
    title = f"{described.name.replace('_', ' ')}, replay of {drive.name}"
    leaves = LeftFiles(folder, pictures=pictures, report=not no_report)
    leaves.write(found, processing.validation(found), title, run)
