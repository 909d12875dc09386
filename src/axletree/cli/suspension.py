"""Suspensions by hard points on the command line: ``axletree kc``, ``axletree suspension``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axletree.analysis.kinematics_and_compliance.axle_in_vehicle import kinematics_and_compliance
from axletree.analysis.kinematics_and_compliance.load_cases import RigRanges
from axletree.analysis.kinematics_and_compliance.result import KinematicsAndCompliance, column_units
from axletree.analysis.kinematics_and_compliance.targets import judged, read_targets
from axletree.cli.options import (
    AssignmentError,
    ModelArgument,
    NoReportOption,
    argument,
    option,
    read_quantity,
)
from axletree.cli.results import AnalysisResults, OutOption
from axletree.model_files.read import read_model
from axletree.reports.rig_report import metrics_table, rig_sections

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
    verdict = judged(found, limits) if limits else None
    table = metrics_table(setups)
    typer.echo(f"{table.text()}\n")
    if verdict is not None:
        typer.echo(f"{verdict}\n")
    tables, units = _tables(found)
    results.write(
        found.findings(), tables, units, {}, [] if no_report else rig_sections(setups),
        texts={"table": table.csv()}, tell=False, verdict=verdict,
    )  # fmt: skip


def _label(source: str) -> str:
    return Path(source).stem if source.endswith((".yaml", ".yml")) else source


def _tables(
    found: KinematicsAndCompliance,
) -> tuple[dict[str, dict[str, object]], dict[str, str]]:
    """A table for each case, in SI units."""
    tables, units = {}, {}
    for name in found.axle.cases:
        tables[name] = found.columns(name)
        units |= column_units(list(tables[name]))
    return tables, units  # type: ignore[return-value]
