"""``axletree tyre fit``: the parameters of a law from measured slip and forces."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from axletree.analysis.tyre_fit import FittedParameter, Report, TyreFit, fit_tyre
from axletree.library.tyres.axis_system import AxisSystem
from axletree.model.tyre_data import read_tyre_data
from axletree.model.tyre_file import read_tyre_file, write_tyre_file
from axletree.model.tyre_file_law import read_tyre_law, with_parameters, write_tyre_law
from axletree.report.picture_file import write_figure
from axletree.report.tyre_fit_plot import plot_fit


def fit(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA.csv",
            help="Columns S, alpha, Fz, gamma and Fx, Fy, Mz; units in brackets where not SI: "
            "alpha [deg], Fz [kN].",
            show_default=False,
        ),
    ],
    law: Annotated[
        str,
        typer.Option(
            metavar="FILE|NAME",
            help="The law and where to start from: a .tir or YAML file, or a name.",
            show_default=False,
        ),
    ],
    free: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help='Parameters to fit, separated by commas, with wildcards: "P?Y*,QSX1". '
            "Default: all but scaling factors and nominal values.",
            show_default=False,
        ),
    ] = "",
    axes: Annotated[AxisSystem, typer.Option(help="Axis system of the data.")] = AxisSystem.ISO,
    out: Annotated[
        Path | None, typer.Option(help="Folder; out/tyres/<name of the data>.", show_default=False)
    ] = None,
) -> None:
    """Fit a tyre law to measurements; leave the law and a picture of the fit in a folder.

    Example: axletree tyre fit measured.csv --law fiala
    """
    measured = read_tyre_data(data, axes=axes)
    names = [name.strip() for name in free.split(",") if name.strip()]
    fitted = fit_tyre(read_tyre_law(law), measured, names, _report())
    if sys.stderr.isatty():
        typer.echo("\r" + " " * 60 + "\r", nl=False, err=True)
    for line in _summary(fitted, len(measured)):
        typer.echo(line)
    folder = out or Path("out") / "tyres" / data.stem
    folder.mkdir(parents=True, exist_ok=True)
    picture = write_figure(plot_fit(fitted, measured, f"{law}, {data.name}"), folder / "fit.png")
    typer.echo(f"law:     {_write_law(fitted, law, folder)}")
    typer.echo(f"picture: {picture}")


def _report() -> Report | None:
    return _show_iteration if sys.stderr.isatty() else None


def _show_iteration(number: int, error: float) -> None:
    text = f"\riteration {number}: error {100.0 * error:.4g} % of the peaks   "
    typer.echo(text, nl=False, err=True)


def _summary(fitted: TyreFit, points: int) -> Iterator[str]:
    how = "converged" if fitted.converged else "stopped before it converged"
    yield f"{points} points, {fitted.iterations} iterations, {how}"
    moved = [item for item in fitted.parameters if not item.held]
    width = max(len(item.name) for item in moved) + 2
    yield f"{'parameter':<{width}}{'start':>12}{'fitted':>12}{'+-':>11}  unit"
    for item in moved:
        yield f"{item.name:<{width}}{_values(item)}  {item.unit:<8}{item.note}".rstrip()
    reasons: dict[str, list[str]] = {}
    for item in fitted.parameters:
        if item.held:
            reasons.setdefault(item.note, []).append(item.name)
    for reason, names in reasons.items():
        yield f"kept, {reason}: {', '.join(names)}"
    for name, error in fitted.rms.items():
        unit = "N m" if name == "Mz" else "N"
        share = 100.0 * error / fitted.peaks[name]
        yield f"root mean square error of {name}: {error:.4g} {unit}, {share:.3g} % of its peak"


def _values(item: FittedParameter) -> str:
    deviation = "" if math.isnan(item.deviation) else f"{item.deviation:.2g}"
    return f"{item.start:>12.5g}{item.value:>12.5g}{deviation:>11}"


def _write_law(fitted: TyreFit, source: str, folder: Path) -> Path:
    """In the form in which the start came: a property file keeps all else that it says."""
    if Path(source).suffix.lower() == ".tir":
        path = folder / "fitted.tir"
        values = {item.name: item.value for item in fitted.parameters}
        write_tyre_file(with_parameters(read_tyre_file(source), values), path)
    else:
        path = folder / "fitted.yaml"
        write_tyre_law(fitted.law, path)
    return path
