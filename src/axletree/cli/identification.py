"""``axletree identify``: parameters of a model from measured drives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from axletree.analysis.identification.identify import Loss, identify
from axletree.analysis.identification.unknowns import Bounds
from axletree.analysis.measurements.measurement import Measurement, read_measurement
from axletree.analysis.measurements.replay import ReplayedDrive
from axletree.cli.measurement import ChannelsOption
from axletree.cli.options import (
    AssignmentError,
    FidelityOption,
    ModelArgument,
    NoReportOption,
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
from axletree.reports.analysis_report import ANALYSIS_REPORT
from axletree.reports.identification_report import write_identification_page

_MODEL, _TABLE = "identified.yaml", "values.csv"


def identify_command(
    model: ModelArgument,
    drives: Annotated[
        list[Path], argument("FILES", "Measured drives: .csv, .mf4, .mat, .parquet, .npz.")
    ],
    parameters: Annotated[
        list[str],
        option(
            "--parameter NAME=LOW:HIGH",
            "-p",
            "What is sought, with bounds or without: a parameter, a place of the model's file, or "
            "CHANNEL:offset, :scale, :delay, :ahead, :turn; repeatable.",
        ),
    ] = [],  # noqa: B006
    channels: ChannelsOption = None,
    fitted: Annotated[
        list[str],
        option(
            "--fit NAME=NOISE",
            "A measured quantity that is fitted, and the standard deviation of its noise, found "
            "where it is left out; repeatable. Default: all that the model has.",
        ),
    ] = [],  # noqa: B006
    start: Annotated[
        list[str], option("--start NAME=VALUE", "Where the search starts; repeatable.")
    ] = [],  # noqa: B006
    inputs: Annotated[
        list[str], option("--input NAME=VALUE", "Level of an input that is not measured.")
    ] = [],  # noqa: B006
    held_back: Annotated[
        list[Path], option("--hold-back FILE", "A drive for a free run afterwards; repeatable.")
    ] = [],  # noqa: B006
    by: Annotated[
        ReplayedDrive | None,
        option("--by", "What drives a vehicle along: measured pedals, or the measured speed."),
    ] = None,
    robust: Annotated[
        bool, option("--robust", "Let outliers count by their size, not by its square.")
    ] = False,
    fidelity: FidelityOption = None,
    begin: Annotated[str | None, option("--from TIME", "Leave out the time before.")] = None,
    end: Annotated[str | None, option("--to TIME", "Leave out the time after.")] = None,
    interval: Annotated[str | None, option("--interval TIME", "Between samples.")] = None,
    step: StepOption = None,
    no_report: NoReportOption = False,
    out: Annotated[Path | None, option("Folder. Default: out/<model>/identified.")] = None,
) -> None:
    """Find parameters of a model from measured drives, with limits and what the data leave open.

    Example: axletree identify sedan drive.mf4 --channels map.yaml -p body.inertia.zz
    """
    folder = out or result_folder(model, "identified", fidelity)
    check_writable(folder)
    noise = split_names(fitted, "--fit")
    records, kept = (
        [_cut(read_measurement(file, channels), begin, end) for file in files]
        for files in (drives, held_back)
    )
    found = identify(
        read_model(model, vehicle_changes(fidelity) or None),
        records,
        {name: _bounds(name, text) for name, text in split_names(parameters, "-p").items()},
        channels=noise or None,
        start=split_assignments(start, "--start", "body.mass=1500"),
        inputs=split_assignments(inputs, "--input", "drive.torque=0"),
        validate=kept,
        by=by,
        loss=Loss.HUBER if robust else Loss.SQUARES,
        step=step,
        interval=interval,
    )
    typer.echo(found.table().text())
    files = [_TABLE]
    with whole_folder(folder, [ANALYSIS_REPORT, _MODEL]) as made:
        write_text(made / _TABLE, found.table().csv())
        if found.identified.source is not None:
            files += [found.write(made / _MODEL, beside=folder).name]
            files += [_MODEL.replace(".yaml", ".identification.json")]
        if not no_report:
            write_identification_page(made / ANALYSIS_REPORT, found)
    typer.echo(f"results: {', '.join(str(folder / name) for name in files)}")
    if not no_report:
        typer.echo(f"report:  {folder / ANALYSIS_REPORT}")


def split_names(texts: Sequence[str], option_name: str) -> dict[str, str | None]:
    """What is given by name, with a text after an equals sign or without."""
    found: dict[str, str | None] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or (equals and not value) or name in found:
            raise AssignmentError(f"{option_name} {text!r}: expected NAME or NAME=VALUE, each once")
        found[name] = value or None
    return found


def _bounds(name: str, text: str | None) -> Bounds | None:
    if text is None:
        return None
    lower, colon, upper = text.partition(":")
    if not colon or not lower or not upper:
        raise AssignmentError(f"-p {name}={text}: expected bounds such as 1200:1800")
    return lower, upper


def _cut(measured: Measurement, begin: str | None, end: str | None) -> Measurement:
    if begin is None and end is None:
        return measured
    first = measured.time[0] if begin is None else read_quantity("--from", begin, "s")
    last = measured.time[-1] if end is None else read_quantity("--to", end, "s")
    return measured.between(float(first), float(last))
