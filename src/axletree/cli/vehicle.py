"""Analyses of a vehicle: ``axletree cornering``, ``g-g``, ``yaw-moment``, ``modes`` and
``frequency``.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Annotated

import numpy as np
import typer

from axletree.analysis.handling.cornering_curve import cornering_curve
from axletree.analysis.handling.g_g_diagram import DIRECTIONS, GGDiagram, g_g_diagram
from axletree.analysis.handling.steer_response import FREQUENCIES, SteerResponse, steer_responses
from axletree.analysis.handling.straight_running import VehicleLocus, vehicle_locus, vehicle_modes
from axletree.analysis.handling.yaw_moment import LINES, YawMomentDiagram, yaw_moment_diagram
from axletree.analysis.linear.mode_shapes import NamedMode
from axletree.analysis.studies.sweep_plan import read_swept_values
from axletree.cli.options import (
    FidelityOption,
    ModelArgument,
    NoReportOption,
    PicturesOption,
    SchedulerOption,
    WorkersOption,
    option,
    read_quantity,
    vehicle_changes,
)
from axletree.cli.results import AnalysisResults, OutOption, read_vehicle_model
from axletree.metrics.findings import Finding
from axletree.plot.cornering import plot_cornering, plot_g_g, plot_handling, plot_yaw_moments
from axletree.plot.linear import (
    UNSHOWN,
    modes_table,
    plot_named_modes,
    plot_steer_responses,
    plot_vehicle_locus,
)
from axletree.reports.analysis_sections import (
    cornering_sections,
    frequency_sections,
    g_g_sections,
    locus_sections,
    modes_sections,
    yaw_moment_sections,
)
from axletree.reports.analysis_verdicts import (
    cornering_verdict,
    frequency_verdict,
    g_g_verdict,
    locus_verdict,
    modes_verdict,
    yaw_moment_verdict,
)

DEFAULT_SPEED = "100 km/h"


def cornering(
    model: ModelArgument,
    speed: Annotated[
        str | None,
        option('Common speed of all turns. Default: "100 km/h", unless a radius is given.'),
    ] = None,
    radius: Annotated[
        str | None, option('Common radius of all turns instead of a speed, as "100 m".')
    ] = None,
    right: Annotated[bool, option("--right", "Turn to the right. Default: to the left.")] = False,
    fidelity: FidelityOption = None,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Steady cornering up to the limit: understeer curve, handling diagram, wheel loads.

    Example: axletree cornering sedan --speed "80 km/h"
    """
    if speed is None and radius is None:
        speed = DEFAULT_SPEED
    described = read_vehicle_model(model, fidelity)
    settings = {"speed": speed, "radius": radius, "right": right, "fidelity": fidelity}
    results = AnalysisResults(described, model, "cornering", settings, out, pictures, no_report)
    curve = cornering_curve(described, speed, radius, to_the_right=right)
    figures = {
        "cornering": partial(plot_cornering, curve), "handling": partial(plot_handling, curve)
    }  # fmt: skip
    typer.echo(f"{len(curve.lateral)} turns, up to: {curve.ending.value}")
    results.write(curve.findings, {"turns": curve.columns}, curve.units, figures,
                  cornering_sections(curve), verdict=cornering_verdict(curve),
                  heading="steady cornering")  # fmt: skip


G_G_UNITS = {"speed": "m/s", "along": "m/s^2", "lateral": "m/s^2"}


def g_g(
    model: ModelArgument,
    speed: Annotated[
        str, option("SPEEDS", "One speed, FIRST:LAST:COUNT or A,B,C, with units.")
    ] = "60 km/h:180 km/h:4",
    directions: Annotated[
        int, option("Number of directions, from accelerating to braking.")
    ] = DIRECTIONS,
    fidelity: FidelityOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """The g-g diagram: performance envelope of longitudinal and lateral acceleration.

    Example: axletree g-g sports-car --speed "60 km/h:200 km/h:5"
    """
    described = read_vehicle_model(model, fidelity)
    speeds = _values("--speed", speed, "m/s")
    settings = {"speed": speed, "directions": directions, "fidelity": fidelity}
    results = AnalysisResults(described, model, "g-g", settings, out, pictures, no_report,
                              ["g_g.png"])  # fmt: skip
    there = described if scheduler is None else model  # files travel, models that are read do not
    changes = None if scheduler is None else vehicle_changes(fidelity)
    found = g_g_diagram(
        there, speeds, directions=directions, changes=changes, workers=workers, client=scheduler
    )
    for fast in found.too_fast:
        typer.echo(f"{3.6 * fast:.4g} km/h left out: the drive cannot maintain it", err=True)
    figures = {"g_g": partial(plot_g_g, found)} if found.envelopes else {}
    texts = {"g_g_limits": _limits(found)}
    results.write(found.findings, {"g_g": _g_g_table(found)}, G_G_UNITS, figures,
                  g_g_sections(found), texts=texts, verdict=g_g_verdict(found),
                  heading="g-g diagram")  # fmt: skip
    for one in found.envelopes:
        counts = ", ".join(f"{limit} ({n})" for limit, n in Counter(one.limits).items())
        typer.echo(f"limits at {3.6 * one.speed:.4g} km/h: {counts}")
        for dent in one.dents_in_words:
            typer.echo(f"  {dent}")


def _values(option: str, text: str, unit: str) -> list[float]:
    """One value or several, with units."""
    return [read_quantity(option, one, unit) for one in read_swept_values(option, text).texts]


def _limits(found: GGDiagram) -> str:
    """A line for each line of the other table."""
    lines = [
        f"{one.speed:.10g},{along:.10g},{lateral:.10g},{limit}"
        for one in found.envelopes
        for along, lateral, limit in zip(one.along, one.lateral, one.limits, strict=True)
    ]
    heading = "speed [m/s],along [m/s^2],lateral [m/s^2],limit"
    return "\n".join([heading, *lines]) + "\n"


def _g_g_table(found: GGDiagram) -> dict[str, np.ndarray]:
    columns = {
        "speed": [np.full(len(one.along), one.speed) for one in found.envelopes],
        "along": [one.along for one in found.envelopes],
        "lateral": [one.lateral for one in found.envelopes],
    }
    return {name: np.concatenate([[], *parts]) for name, parts in columns.items()}


YAW_MOMENT_UNITS = {
    "sideslip": "rad", "steering": "rad", "lateral_acceleration": "m/s^2", "yaw_moment": "N*m",
    "C_N": "1", "effort": "1",
}  # fmt: skip


def yaw_moment(
    model: ModelArgument,
    speed: Annotated[str, option('For example 20 or "80 km/h".')] = "100 km/h",
    sideslip: Annotated[str, option("Maximum sideslip angle, to both sides.")] = "8 deg",
    steer: Annotated[str, option("Maximum road wheel angle, to both sides.")] = "12 deg",
    lines: Annotated[int, option("Number of lines of each kind; odd.")] = LINES,
    fidelity: FidelityOption = None,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Yaw moment over lateral acceleration, by sideslip and steering angle (MMM diagram).

    Example: axletree yaw-moment sedan --speed "100 km/h"
    """
    described = read_vehicle_model(model, fidelity)
    angles = {"sideslip": sideslip, "steer": steer}
    settings = {"speed": speed, **angles, "lines": lines, "fidelity": fidelity}
    results = AnalysisResults(described, model, "yaw-moment", settings, out, pictures, no_report)
    found = yaw_moment_diagram(described, speed, sideslip=sideslip, steer=steer, lines=lines)
    missing = int(np.isnan(found.moment).sum())
    if missing:
        typer.echo(f"no solution at {missing} of {found.moment.size} points")
    tables, figures = (
        {"yaw_moment": _yaw_moment_table(found)},
        {"yaw_moment": partial(plot_yaw_moments, found)},
    )
    results.write(found.findings, tables, YAW_MOMENT_UNITS, figures, yaw_moment_sections(found),
                  verdict=yaw_moment_verdict(found), heading="yaw moment diagram")  # fmt: skip


def _yaw_moment_table(found: YawMomentDiagram) -> dict[str, np.ndarray]:
    beta, delta = np.meshgrid(found.sideslip, found.steering, indexing="ij")
    grids = (beta, delta, found.lateral, found.moment, found.coefficient, found.effort)
    return {name: grid.ravel() for name, grid in zip(YAW_MOMENT_UNITS, grids, strict=True)}


FILES = ("modes.csv", "modes.png", "locus.csv", "locus.png")  # of one speed, and of many


def modes(
    model: ModelArgument,
    speed: Annotated[
        str, option("SPEEDS", "One speed, or FIRST:LAST:COUNT for a root locus, with units.")
    ] = "100 km/h",
    fidelity: FidelityOption = None,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Modes by name: yaw-sideslip, roll, hop, snaking, weave; over speed: critical speeds.

    Example: axletree modes car-with-caravan --speed "60 km/h:140 km/h:17"
    """
    described = read_vehicle_model(model, fidelity)
    speeds = _values("--speed", speed, "m/s")
    results = AnalysisResults(
        described,
        model,
        "modes",
        {"speed": speed, "fidelity": fidelity},
        out,
        pictures,
        no_report,
        FILES,
    )
    if len(speeds) > 1:
        _show_locus(vehicle_locus(described, speeds), results)
        return
    found = vehicle_modes(described, speeds[0])
    table = modes_table(found, f"{described.name.replace('_', ' ')} at {3.6 * speeds[0]:.4g} km/h")
    typer.echo(f"{table.text()}\n")
    figures = {"modes": partial(plot_named_modes, found, table.title)}
    findings = _findings(found)
    results.write(findings, {}, {}, figures, modes_sections(found, table),
                  texts={"modes": table.csv()},
                  verdict=modes_verdict(found, findings, speeds[0]))  # fmt: skip


def _findings(found: tuple[NamedMode, ...]) -> list[Finding]:
    """Of the oscillating modes; where several share a name, it is that of the slowest."""
    listed: dict[str, Finding] = {}
    for one in sorted(found, key=lambda mode: abs(mode.eigenvalue)):
        word = one.name.replace(" ", "_").replace("-", "_")
        if not one.mode.swings or one.name.endswith(UNSHOWN) or f"{word}_frequency" in listed:
            continue
        listed |= {
            found.name: found
            for found in (
                Finding(f"{word}_frequency", one.mode.frequency, "Hz", f"{one.name}: frequency"),
                Finding(f"{word}_damping", one.mode.damping_ratio, "1",
                        f"{one.name}: damping ratio"),
            )
        }  # fmt: skip
    return list(listed.values())


def _show_locus(found: VehicleLocus, results: AnalysisResults) -> None:
    for one in found.critical:
        typer.echo(one.in_words)
    if not found.critical:
        first, last = found.locus.values[[0, -1]]
        grows = "" if found.locus.is_stable.all() else "un"
        typer.echo(f"{grows}stable at all speeds from {3.6 * first:.5g} to {3.6 * last:.5g} km/h")
    columns: dict[str, np.ndarray] = {"speed": found.locus.values}
    for k, (name, values) in enumerate(zip(found.names, found.locus.eigenvalues.T, strict=True)):
        columns[f"{k + 1} {name}, real"] = values.real
        columns[f"{k + 1} {name}, imaginary"] = values.imag
    units = {**dict.fromkeys(columns, "1/s"), "speed": "m/s"}
    findings = [
        Finding(f"critical_speed_{k + 1}", 3.6 * one.speed, "km/h", f"critical speed of {one.name}")
        for k, one in enumerate(found.critical)
    ]
    figures = {"locus": partial(plot_vehicle_locus, found)}
    results.write(findings, {"locus": columns}, units, figures, locus_sections(found),
                  verdict=locus_verdict(found, findings), heading="modes over speed")  # fmt: skip


def frequency(
    model: ModelArgument,
    speed: Annotated[str, option('For example 25 or "80 km/h".')] = "80 km/h",
    frequencies: Annotated[
        str | None,
        option("FIRST:LAST:COUNT", "Frequencies of the steering wheel, as 0.1:5:50 Hz, or A,B,C."),
    ] = None,
    fidelity: FidelityOption = None,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: OutOption = None,
) -> None:
    """Frequency response to steering, beside that of the linear bicycle model.

    Example: axletree frequency sedan --speed "100 km/h"
    """
    described = read_vehicle_model(model, fidelity)
    hertz = FREQUENCIES
    if frequencies is not None:
        hertz = np.sort(_values("--frequencies", frequencies, "Hz"))
        if ":" in frequencies and min(hertz) > 0.0:  # a range, even on a logarithmic axis
            hertz = np.geomspace(hertz[0], hertz[-1], len(hertz))
    fast = read_quantity("--speed", speed, "m/s")
    settings = {"speed": speed, "frequencies": frequencies, "fidelity": fidelity}
    results = AnalysisResults(described, model, "frequency", settings, out, pictures, no_report)
    found, bicycle = steer_responses(described, fast, hertz)
    findings = [*found.findings(), *bicycle.findings("bicycle_", "bicycle model: ")]
    columns, units = _frequency_table(found, bicycle)
    driven = f"{3.6 * fast:.4g} km/h"
    title = f"{found.label}: frequency response to steering at {driven}"
    figures = {"frequency": partial(plot_steer_responses, [found, bicycle], title)}
    sections = frequency_sections([found, bicycle])
    results.write(findings, {"frequency": columns}, units, figures, sections,
                  verdict=frequency_verdict(found, fast),
                  heading="frequency response to steering")  # fmt: skip


def _frequency_table(
    found: SteerResponse, bicycle: SteerResponse
) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    columns, units = {"frequency": found.frequencies}, {"frequency": "Hz"}
    for word, one in (("vehicle", found), ("bicycle model", bicycle)):
        sides = one.lateral_acceleration, "m/s^2/rad"
        responses = {"yaw rate": (one.yaw_rate, "1/s"), "lateral acceleration": sides}
        for quantity, (response, unit) in responses.items():
            gain, phase = f"{word}: {quantity}, gain", f"{word}: {quantity}, phase"
            columns |= {gain: np.abs(response), phase: np.degrees(np.unwrap(np.angle(response)))}
            units |= {gain: unit, phase: "deg"}
    return columns, units
