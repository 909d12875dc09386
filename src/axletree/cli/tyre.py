"""``axletree tyre``: laws as pictures, side by side, and fitted to measurements.

``axletree bench-tyre``: a tyre on test benches, with plots, tables and a page.
"""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree.analysis.identification.axles import (
    AxleCharacteristic,
    axle_characteristics,
)
from axletree.analysis.measurements.measurement import read_measurement
from axletree.analysis.studies.tyre_bench import run_bench
from axletree.analysis.studies.tyre_characteristics import characteristics
from axletree.analysis.studies.tyre_fit import TyreFit, fit_tyre
from axletree.cli.measurement import ChannelsOption
from axletree.cli.options import (
    FunctionOption,
    ModelArgument,
    NoReportOption,
    PicturesOption,
    argument,
    option,
    read_quantity,
    split_assignments,
)
from axletree.cli.results import result_folder, stage_bar
from axletree.core.errors import ModelError
from axletree.core.files import check_writable, whole_folder
from axletree.core.registry import load, section, unknown_name
from axletree.core.text_table import TextTable
from axletree.model_files.included_files import SUFFIXES, ready_tyre
from axletree.model_files.read import read_model
from axletree.plot.figure_files import write_figure
from axletree.plot.wheels import TyreRange, plot_axle_characteristics, plot_fit, plot_tyre
from axletree.reports.analysis_report import ANALYSIS_REPORT, PageSection, write_analysis_page
from axletree.reports.analysis_sections import fit_sections
from axletree.reports.analysis_verdicts import fit_verdict
from axletree.reports.bench_report import BenchResult, write_bench, write_bench_page
from axletree.runs.bench_contract import Bench, Subject
from axletree.wheel.axis_systems import AxisSystem
from axletree.wheel.contract import TyreLaw
from axletree.wheel.tyres.law_files import read_tyre_law, with_parameters, write_tyre_law
from axletree.wheel.tyres.rig_data import read_rig_data, rig_columns
from axletree.wheel.tyres.tyre_data import TyreData, read_tyre_data
from axletree.wheel.tyres.tyre_file import read_tyre_file, write_tyre_file


def fit(
    data: Annotated[
        Path,
        argument(
            "DATA",
            "A table with columns S, alpha, Fz, gamma and Fx, Fy, Mz; units in brackets where not "
            "SI: alpha [deg], Fz [kN]. Or the file of a test rig (.dat, .csv, .txt, .mat): SA, IA, "
            "SL, P, FX, FY, FZ, MZ with a row of units.",
        ),
    ],
    law: Annotated[
        str, option("FILE|NAME", "The law and its initial values: a .tir or YAML file, or a name.")
    ],
    free: Annotated[
        str,
        option(
            "NAMES",
            'Parameters to fit, comma-separated, with wildcards: "P?Y*,QSX1". '
            "Default: all but scaling factors and nominal values.",
        ),
    ] = "",
    axes: Annotated[
        AxisSystem | None,
        option("Axis system of the data. Default: iso; of a rig's file, what its signs tell."),
    ] = None,
    pressure: Annotated[
        str | None, option("Of a rig's file, take the sweeps at this pressure alone.")
    ] = None,
    warm_up: Annotated[
        str | None,
        option("--warm-up", "Of a rig's file, leave out this time. Default: by tread temperature."),
    ] = None,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: Annotated[Path | None, option("Folder. Default: out/tyres/<name of the data>.")] = None,
) -> None:
    """Fit a tyre law to measurements; leave the law and a page of the fit in a folder.

    Example: axletree tyre fit measured.csv --law fiala
    """
    measured, taken = _measured_tyre(data, axes, pressure, warm_up)
    names = [name.strip() for name in free.split(",") if name.strip()]
    folder = out or Path("out") / "tyres" / data.stem
    check_writable(folder)
    report = _show_iteration if sys.stderr.isatty() else None
    fitted = fit_tyre(read_tyre_law(law), measured, names, report)
    if report is not None:
        typer.echo("\r" + " " * 60 + "\r", nl=False, err=True)
    for line in _summary(fitted, len(measured)):
        typer.echo(line)
    title = f"{law}, {data.name}"
    typer.echo(f"law:     {_write_law(fitted, law, folder)}")
    if pictures:
        picture = write_figure(plot_fit(fitted, measured, title), folder / "fit.png")
        typer.echo(f"picture: {picture}")
    if not no_report:
        sections = fit_sections(fitted, measured)
        if taken is not None:
            sections = [*sections, PageSection("Measured data", tables=[taken])]
        page = write_analysis_page(
            folder / ANALYSIS_REPORT, f"Fit: {title}", sections,
            verdict=fit_verdict(fitted, len(measured)),
        )  # fmt: skip
        typer.echo(f"report:  {page}")


def _measured_tyre(
    data: Path, axes: AxisSystem | None, pressure: str | None, warm_up: str | None
) -> tuple[TyreData, TextTable | None]:
    """Points of a plain table, or of a rig's file, with what was taken of it."""
    columns = rig_columns(data)
    if columns is None:
        if pressure is not None or warm_up is not None:
            raise ModelError(
                f"--pressure and --warm-up apply to files of test rigs; {data} is a plain table"
            )
        return read_tyre_data(data, axes=axes or AxisSystem.ISO), None
    found = read_rig_data(data, axes=axes, pressure=pressure, warm_up=warm_up, columns=columns)
    taken = found.table()
    typer.echo(f"{taken.text()}\n")
    return found.data, taken


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
        deviation = "" if math.isnan(item.deviation) else f"{item.deviation:.2g}"
        values = f"{item.start:>12.5g}{item.value:>12.5g}{deviation:>11}"
        yield f"{item.name:<{width}}{values}  {item.unit:<8}{item.note}".rstrip()
    reasons: dict[str, list[str]] = {}
    for item in fitted.parameters:
        if item.held:
            reasons.setdefault(item.note, []).append(item.name)
    for reason, names in reasons.items():
        yield f"kept, {reason}: {', '.join(names)}"
    for name, error in fitted.rms.items():
        unit = "N m" if name == "Mz" else "N"
        share = 100.0 * error / fitted.peaks[name]
        said = ": this law does not explain it" if name in fitted.unexplained else ""
        yield f"RMS error of {name}: {error:.4g} {unit}, {share:.3g} % of its peak{said}"


def _write_law(fitted: TyreFit, source: str, folder: Path) -> Path:
    """In the form in which the start came: a property file keeps all else that it says."""
    if Path(source).suffix.lower() != ".tir":
        write_tyre_law(fitted.law, folder / "fitted.yaml")
        return folder / "fitted.yaml"
    values = {item.name: item.value for item in fitted.parameters}
    write_tyre_file(with_parameters(read_tyre_file(source), values), folder / "fitted.tir")
    return folder / "fitted.tir"


TyreArgument = Annotated[
    str,
    argument(
        "FILE|NAME",
        "A property file .tir, a YAML file {type: name, ...}, or the name of a law, which "
        "stands for its published example.",
    ),
]
LoadsOption = Annotated[
    str | None, option('Loads, comma-separated: "2 kN, 4 kN". Default: about the nominal load.')
]
PictureOption = Annotated[
    Path | None, option("A file .png, .svg or .pdf. Default: out/tyres/<name>.png.")
]

tyre = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Show, compare and fit tyre laws.\n\nExample: axletree tyre plot my.tir",
)


@tyre.command("plot")
def plot(source: TyreArgument, loads: LoadsOption = None, out: PictureOption = None) -> None:
    """Draw Fx, Fy and Mz against slip, the envelope of combined slip, and camber.

    Example: axletree tyre plot my.tir --loads "2 kN, 4 kN, 6 kN"
    """
    _show({_title(source): read_tyre_law(source)}, loads, out or _picture(_title(source)))


@tyre.command("compare")
def compare_laws(
    first: TyreArgument, second: TyreArgument, loads: LoadsOption = None, out: PictureOption = None
) -> None:
    """Draw two tyres in one picture, and list their stiffnesses and peaks.

    Example: axletree tyre compare my.tir fiala
    """
    titles = [_title(first), _title(second)]
    if titles[0] == titles[1]:
        titles = [f"{first} (first)", f"{second} (second)"]
    laws = dict(zip(titles, (read_tyre_law(first), read_tyre_law(second)), strict=True))
    _show(laws, loads, out or _picture(f"{_title(first)}-{_title(second)}"))


tyre.command("fit")(fit)


@tyre.command("axles")
def axles_of_drive(
    model: ModelArgument,
    drive: Annotated[Path, argument("FILE", "A measured drive: .csv, .mf4, .mat, .parquet, .npz.")],
    channels: ChannelsOption = None,
    trails: Annotated[
        list[str],
        option("--trail AXLE=LENGTH", "Pneumatic trail of an axle, such as front=25mm; else 0."),
    ] = [],  # noqa: B006
    out: Annotated[Path | None, option("Folder. Default: out/<model>/axles.")] = None,
) -> None:
    """Find side forces of axles over slip angles in a measured drive, as tables for `tyre fit`.

    Example: axletree tyre axles sedan ramp.csv
    """
    folder = out or result_folder(model, "axles")
    check_writable(folder)
    found = axle_characteristics(
        read_model(model), read_measurement(drive, channels),
        trails=split_assignments(trails, "--trail", "front=25mm"),
    )  # fmt: skip
    with whole_folder(folder) as made:
        for axle in found.values():
            axle.write_tyre_data(made / f"{axle.name}.csv")
        title = f"{drive.name}: axles of {model}"
        write_figure(plot_axle_characteristics(list(found.values()), title), made / "axles.png")
    typer.echo(_axle_table(drive.name, found.values()).text())
    for name in found:
        typer.echo(f"table:   {folder / name}.csv, of one wheel for `axletree tyre fit`")
    typer.echo(f"picture: {folder / 'axles.png'}")


def _axle_table(title: str, axles: Iterable[AxleCharacteristic]) -> TextTable:
    columns = ("axle:", "load [N]", "stiffness [kN/rad]", "+-", "no force at [deg]", "force / load")
    rows = []
    for axle in axles:
        stiffness, deviation, offset = axle.cornering_stiffness
        numbers = (f"{axle.load:.0f}", f"{stiffness / 1e3:.1f}", f"{deviation / 1e3:.2g}")
        ends = (f"{math.degrees(offset):.3f}", f"up to {axle.peak_utilisation:.2f}")
        rows.append((axle.name, *numbers, *ends))
    return TextTable(title, columns, tuple(rows))


def _show(laws: Mapping[str, TyreLaw], loads: str | None, out: Path) -> None:
    shown = _range(next(iter(laws.values())), loads)
    picture = write_figure(plot_tyre(laws, shown), out)
    for line in _table(laws, shown):
        typer.echo(line)
    typer.echo(f"picture: {picture}")


def _range(law: TyreLaw, loads: str | None) -> TyreRange:
    if loads is None:
        return TyreRange.of(law)
    values = sorted(read_quantity("--loads", word.strip(), "N") for word in loads.split(","))
    return TyreRange(loads=tuple(values), nominal_load=values[len(values) // 2])


_ROWS = {  # title, unit and factor of each number shown
    "slip_stiffness": ("slip stiffness", "kN", 1e-3),
    "cornering_stiffness": ("cornering stiffness", "kN/rad", 1e-3),
    "pneumatic_trail": ("pneumatic trail", "mm", 1e3),
    "peak_Fx": ("peak Fx, |S| <= 1", "kN", 1e-3),
    "peak_Fy": ("peak Fy, |alpha| <= 30 deg", "kN", 1e-3),
    "peak_Mz": ("peak Mz, |alpha| <= 30 deg", "N m", 1.0),
}


def _table(laws: Mapping[str, TyreLaw], shown: TyreRange) -> Iterator[str]:
    """For each load and number: the value of each law, and the difference of two."""
    width = max(12, *(len(name) + 2 for name in laws))
    for normal_load in shown.loads:
        found = [characteristics(law, normal_load) for law in laws.values()]
        heads = "".join(f"{name:>{width}}" for name in laws)
        last = f"{'difference':>13}" if len(laws) == 2 else ""
        yield f"{f'at Fz = {normal_load / 1e3:g} kN':<38}{heads}{last}"
        for name, (title, unit, factor) in _ROWS.items():
            values = [float(getattr(item, name)) * factor for item in found]
            cells = "".join(f"{value:>{width}.4g}" for value in values)
            yield f"  {f'{title} [{unit}]':<36}{cells}{_difference(values)}"


def _difference(values: list[float]) -> str:
    if len(values) != 2 or values[0] == 0.0:
        return ""
    change = f"{100.0 * (values[1] / values[0] - 1.0):+.1f}"
    return f"{'equal':>13}" if float(change) == 0.0 else f"{change:>11} %"


def _title(source: str) -> str:
    return Path(source).stem if Path(source).suffix in (".tir", ".yaml", ".yml") else source


def _picture(name: str) -> Path:
    return Path("out") / "tyres" / f"{name}.png"


# What a law by itself is mounted with.
_DEFAULT_PARTS: dict[str, Any] = {
    "unloaded_radius": 0.32,
    "normal_force": {"type": "linear", "stiffness": 2e5, "damping": 500.0},
}


def bench_tyre(
    tyre: Annotated[
        str,
        argument(
            "TYRE", "A ready-made tyre, a YAML file of one, or a law: its name or a file .tir."
        ),
    ],
    bench: Annotated[
        list[str] | None,
        option("--bench NAME", "See `axletree list benches`; repeatable. Default: all."),
    ] = None,
    pictures: PicturesOption = False,
    no_report: NoReportOption = False,
    out: Annotated[Path | None, option("Folder. Default: out/benches/<name of the tyre>.")] = None,
    functions: FunctionOption = [],  # noqa: B006
) -> None:
    """Put a tyre on test benches: plots, tables of measurements, and one page.

    Example: axletree bench-tyre belted-advanced --bench slip-lateral
    """
    subject = read_subject(tyre)
    sources = split_assignments(functions, "--function", "my_law=my_law.c")
    benches = {
        name: load("bench", name, section("BENCHES")) for name in bench or section("BENCHES")
    }
    folder = out or Path("out", "benches", subject.name)
    check_writable(folder)
    results = []
    for name, result, warned in _measured(subject, benches, sources):
        files = write_bench(result, folder, pictures=pictures)
        count = "1 file" if len(files) == 1 else f"{len(files)} files"
        outcome = count if files else f"not applicable to this tyre: {result.refused}"
        typer.echo(f"{name:<20}{outcome}")
        notes = (f"{name}: {note}" for note in result.notes)
        for text in dict.fromkeys([*warned, *notes]):  # a note may have been a warning
            typer.echo(f"axletree: {text}", err=True)
        results.append(result)
    if not no_report:
        typer.echo(f"report:  {write_bench_page(subject, results, folder)}")


def read_subject(source: str) -> Subject:
    """A tyre by name or file; a law alone gets parts that go with any."""
    name = Path(source).stem if Path(source).suffix else source
    if source in section("READY_TYRES"):
        return Subject(name, ready_tyre(source))
    if source in section("TYRES") or source.endswith(".tir"):
        return Subject(name, {**_DEFAULT_PARTS, "law": read_tyre_law(source)})
    if not source.endswith(SUFFIXES):
        names = {**section("READY_TYRES"), **section("TYRES")}
        error = unknown_name("tyre or law", source[:100], names, "the catalogue")
        raise ModelError(f"{error}; or give a file {' or '.join((*SUFFIXES, '.tir'))}")
    fields = ready_tyre(source)
    if "type" in fields:  # a file of a law
        return Subject(name, {**_DEFAULT_PARTS, "law": read_tyre_law(source)})
    return Subject(name, fields)


def _measured(
    subject: Subject, benches: dict[str, Bench], functions: Mapping[str, str]
) -> Iterator[tuple[str, BenchResult, list[str]]]:
    """Each with what was warned of meanwhile."""
    with stage_bar(len(benches)) as begun:
        for name, bench in benches.items():
            begun(name)
            with warnings.catch_warnings(record=True) as told:
                try:
                    found = run_bench(bench, subject, functions=functions)
                    result = BenchResult(name, bench.summary, found)
                except ModelError as error:
                    result = BenchResult(name, bench.summary, refused=str(error))
            yield name, result, [str(one.message) for one in told]
