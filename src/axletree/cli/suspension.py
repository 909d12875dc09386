"""Suspensions by hard points on the command line: ``axletree kc``, ``axletree suspension``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axletree.analysis.kinematics_and_compliance.axle_in_vehicle import (
    kinematics_and_compliance,
    linked_suspension,
    vehicle_of,
)
from axletree.analysis.kinematics_and_compliance.load_cases import RigRanges
from axletree.analysis.kinematics_and_compliance.result import KinematicsAndCompliance, column_units
from axletree.analysis.kinematics_and_compliance.suspension_design import (
    fit_suspension,
    suspension_curves,
    suspension_sensitivity,
)
from axletree.analysis.kinematics_and_compliance.tables import (
    curves_text,
    read_hard_points,
    read_rig_table,
)
from axletree.analysis.kinematics_and_compliance.targets import judged, read_targets
from axletree.cli.options import (
    AssignmentError,
    ModelArgument,
    NoReportOption,
    argument,
    option,
    read_quantity,
)
from axletree.cli.results import AnalysisResults, OutOption, result_folder
from axletree.core.arrays import FloatArray
from axletree.core.files import check_writable, whole_folder, write_text
from axletree.model_files.read import read_model
from axletree.reports.analysis_report import ANALYSIS_REPORT, write_analysis_page
from axletree.reports.rig_report import (
    FIT_UNITS,
    fit_columns,
    fit_findings,
    fit_table,
    metrics_table,
    point_fit_sections,
    point_fit_verdict,
    point_sensitivity_sections,
    point_sensitivity_verdict,
    point_table,
    rig_sections,
    wheel_curves_sections,
    wheel_curves_verdict,
)
from axletree.vehicles.linkages.curves.curve_files import curves_entry, curves_table

AxleArgument = Annotated[str, argument("AXLE", "Name of the axle, as front.")]
_USUAL = RigRanges()


def kc(
    model: ModelArgument,
    axle: AxleArgument,
    beside: Annotated[
        list[str],
        option("--beside MODEL", "Another set-up, over the first in all curves; repeatable."),
    ] = [],  # noqa: B006
    targets: Annotated[
        Path | None,
        option("--targets FILE", "Limits of metrics, .yaml or .csv: `bump_steer: [-6, 2]`."),
    ] = None,
    ideal: Annotated[bool, option("--ideal", "Ideal joints in place of bushings.")] = False,
    travel: Annotated[str, option("Of the wheels, up and down.")] = "60 mm",
    roll: Annotated[str, option("Of the body, to both sides.")] = "3 deg",
    rack: Annotated[str, option("Travel of the rack, to both sides.")] = "60 mm",
    lateral: Annotated[str, option("Lateral force on each wheel.")] = "3 kN",
    longitudinal: Annotated[str, option("Longitudinal force on each wheel.")] = "3 kN",
    torque: Annotated[str, option("Aligning torque on each wheel.")] = "100 N*m",
    positions: Annotated[int, option("Positions of each case; odd.")] = _USUAL.positions,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Kinematics and compliance of an axle by hard points, as on a test rig: metrics and curves.

    Example: axletree kc double-wishbone-sports-car front
    """
    settings = {
        "axle": axle, "beside": beside, "targets": targets, "ideal": ideal, "travel": travel,
        "roll": roll, "rack": rack, "lateral": lateral, "longitudinal": longitudinal,
        "torque": torque, "positions": positions,
    }  # fmt: skip
    ranges = RigRanges(
        travel=read_quantity("--travel", travel, "m"), roll=read_quantity("--roll", roll, "rad"),
        rack=read_quantity("--rack", rack, "m"), lateral=read_quantity("--lateral", lateral, "N"),
        longitudinal=read_quantity("--longitudinal", longitudinal, "N"),
        torque=read_quantity("--torque", torque, "N*m"), positions=positions,
    )  # fmt: skip
    limits = () if targets is None else read_targets(targets)
    described = read_model(model)
    results = AnalysisResults(described, model, f"kc-{axle}", settings, out, no_report=no_report)
    bushings = False if ideal else None
    found = kinematics_and_compliance(described, axle, bushings=bushings, ranges=ranges)
    setups = {_label(model): found}
    for other in beside:
        if (label := _label(other)) in setups:
            raise AssignmentError(f"--beside {other}: a set-up is called {label} already")
        setups[label] = kinematics_and_compliance(other, axle, bushings=bushings, ranges=ranges)
    verdict = judged(found, limits)
    table = metrics_table(setups)
    typer.echo(f"{table.text()}\n")
    for label, one in setups.items():
        for note in one.notes:
            typer.echo(f"{label}: {note}\n" if beside else f"{note}\n")
    if limits:
        typer.echo(f"{verdict}\n")
    tables, units = _tables(found)
    others = ", ".join(list(setups)[1:])
    results.write(
        found.findings(), tables, units, {}, [] if no_report else rig_sections(setups),
        texts={"table": table.csv()}, tell=False, verdict=verdict,
        heading=f"kinematics and compliance, {axle} axle{f', beside {others}' if others else ''}",
    )  # fmt: skip


def _label(source: str) -> str:
    return Path(source).stem if source.endswith((".yaml", ".yml")) else source


def _tables(
    found: KinematicsAndCompliance,
) -> tuple[dict[str, dict[str, FloatArray]], dict[str, str]]:
    """A table for each case, in SI units."""
    tables: dict[str, dict[str, FloatArray]] = {}
    units: dict[str, str] = {}
    for name in found.axle.cases:
        tables[name] = found.columns(name)
        units |= column_units(list(tables[name]))
    return tables, units


suspension = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Hard points as curves; fit them, list what they change, read tables of points and curves."
    "\n\nExample: axletree suspension curves double-wishbone-sports-car front",
)
FreeOption = Annotated[
    str,
    option(
        "NAMES",
        'Points or coordinates, comma-separated: "tie_rod_outer,tie_rod_inner.z". Default: all but '
        "the wheel centre.",
    ),
]


@suspension.command("fit")
def fit_points(
    model: ModelArgument,
    axle: AxleArgument,
    target: Annotated[
        Path,
        argument(
            "TARGET",
            "A table over wheel travel: travel [mm], toe [deg], camber [deg], outward, forward, "
            "track change.",
        ),
    ],
    free: FreeOption = "",
    reach: Annotated[str, option("By how much each coordinate may move.")] = "10 mm",
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Move hard points so that curves over wheel travel come near to targets.

    Example: axletree suspension fit double-wishbone-sports-car front toe.csv --reach "5 mm"
    """
    described = read_model(model)
    settings = {"axle": axle, "target": target, "free": free, "reach": reach}
    results = AnalysisResults(
        described, model, f"suspension-fit-{axle}", settings, out, no_report=no_report
    )
    far = read_quantity("--reach", reach, "m")
    if far <= 0.0:
        raise AssignmentError(f"--reach {reach}: a coordinate moves by more than 0")
    found = fit_suspension(described, axle, target, free=_words(free), reach=far)
    table, findings = fit_table(found), fit_findings(found)
    typer.echo(f"{table.text()}\n")
    results.write(
        findings, {"curves": fit_columns(found)}, FIT_UNITS, {}, point_fit_sections(found),
        texts={"fit": table.csv(), "points": point_table(found)},
        verdict=point_fit_verdict(found, findings, axle),
        heading=f"hard points of the {axle} axle, fitted",
    )  # fmt: skip


@suspension.command("sensitivity")
def point_sensitivities(
    model: ModelArgument,
    axle: AxleArgument,
    free: FreeOption = "",
    ideal: Annotated[bool, option("--ideal", "Ideal joints in place of bushings.")] = False,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Derivatives of every metric of the rig by every coordinate of the hard points.

    Example: axletree suspension sensitivity double-wishbone-sports-car front --free tie_rod_outer
    """
    described = read_model(model)
    settings = {"axle": axle, "free": free, "ideal": ideal}
    results = AnalysisResults(
        described, model, f"suspension-sensitivity-{axle}", settings, out, no_report=no_report
    )
    bushings = False if ideal else None
    found = suspension_sensitivity(described, axle, free=_words(free), bushings=bushings)
    typer.echo(f"{found.greatest().text()}\n")
    results.write(
        [], {}, {}, {}, point_sensitivity_sections(found),
        texts={"sensitivities": found.table().csv()},
        verdict=point_sensitivity_verdict(found, axle),
        heading=f"sensitivity to hard points, {axle} axle",
    )  # fmt: skip


@suspension.command("curves")
def curves(
    source: Annotated[
        str, argument("SOURCE", "A model, or a table over wheel travel, as a K&C rig has it.")
    ],
    axle: Annotated[
        str | None, argument("AXLE", "Of a model: an axle by hard points, as front.")
    ] = None,
    out: Annotated[
        Path | None,
        option("Of a model: folder, by default out/<model>/<axle>-curves. Of a table: YAML file."),
    ] = None,
    no_report: NoReportOption = False,
) -> None:
    """Turn hard points, or a table of a K&C rig, into curves of a suspension of type independent.

    Of hard points the curves are written as CSV and as YAML for a vehicle file, and shown on a
    page. Those of a table go to the terminal, or to a file.

    Example: axletree suspension curves double-wishbone-sports-car front
    """
    if axle is None:
        _show_yaml(curves_text(read_rig_table(Path(source))), out)
        return
    described = read_model(source)
    linked = linked_suspension(vehicle_of(described), axle)
    folder = out or result_folder(source, f"{axle}-curves")
    check_writable(folder)
    found, entry = suspension_curves(described, axle), curves_entry(linked)
    with whole_folder(folder, [_TABLE, _ENTRY, ANALYSIS_REPORT]) as made:
        write_text(made / _TABLE, curves_table(found))
        write_text(made / _ENTRY, entry)
        if not no_report:
            write_analysis_page(
                made / ANALYSIS_REPORT,
                f"{described.name.replace('_', ' ')}: curves of the {axle} axle",
                wheel_curves_sections(found), description=described.description,
                verdict=wheel_curves_verdict(found, axle),
                settings={"model": source, "axle": axle},
            )  # fmt: skip
    typer.echo(f"results: {folder / _TABLE}, {folder / _ENTRY}")
    if not no_report:
        typer.echo(f"report:  {folder / ANALYSIS_REPORT}")


_TABLE, _ENTRY = "curves.csv", "suspension.yaml"


@suspension.command("points")
def points(
    table: Annotated[Path, argument("TABLE", "Rows of name, x, y, z, as other programs write.")],
    unit: Annotated[str, option("Of coordinates whose heads name none.")] = "mm",
    rearward: Annotated[bool, option("--rearward", "x of the table is rearward.")] = False,
    right: Annotated[bool, option("--right", "y of the table is to the right.")] = False,
    downward: Annotated[bool, option("--downward", "z of the table is down.")] = False,
    origin: Annotated[
        str, option("--origin X,Y,Z", "The axle's origin in the axes of the table.")
    ] = "0 m, 0 m, 0 m",
    out: Annotated[Path | None, option("YAML file. Default: on the terminal.")] = None,
) -> None:
    """Turn a table of hard points into the points of a vehicle file.

    Example: axletree suspension points points.csv --rearward --origin "1500 mm, 0 mm, 0 mm"
    """
    words = origin.split(",")
    if len(words) != 3:
        raise AssignmentError(f"--origin {origin!r}: expected three lengths, x, y, z")
    x, y, z = (read_quantity("--origin", word.strip(), "m") for word in words)
    signs = tuple(-1.0 if turned else 1.0 for turned in (rearward, right, downward))
    read = read_hard_points(
        table, unit=unit, signs=(signs[0], signs[1], signs[2]), origin=(x, y, z)
    )
    rows = []
    for name, at in read.items():
        lengths = ", ".join(f"{1e3 * value:.9g} mm" for value in at)
        rows.append(f"  {name}: [{lengths}]")
    _show_yaml("\n".join(["points:", *rows]) + "\n", out)


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _show_yaml(text: str, out: Path | None) -> None:
    if out is None:
        typer.echo(text, nl=False)
        return
    write_text(out, text)
    typer.echo(f"written: {out}")
