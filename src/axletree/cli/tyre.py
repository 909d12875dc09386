"""``axletree tyre``: laws as pictures, side by side, and fitted to measurements."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from axletree.analysis.tyre_characteristics import Characteristics, characteristics
from axletree.cli.tyre_fit import fit
from axletree.core.units import to_si
from axletree.library.tyres.contract import TyreLaw
from axletree.model.tyre_file_law import read_tyre_law
from axletree.report.picture_file import write_figure
from axletree.report.tyre_plot import TyreRange, plot_tyre

TyreArgument = Annotated[
    str,
    typer.Argument(
        metavar="FILE|NAME",
        help="A property file .tir, a YAML file {type: name, ...}, or the name of a law, which "
        "stands for its published example.",
        show_default=False,
    ),
]
LoadsOption = Annotated[
    str | None,
    typer.Option(
        help='Loads, separated by commas: "2 kN, 4 kN". Default: about the nominal load.',
        show_default=False,
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(help="A file .png, .svg or .pdf; out/tyres/<name>.png.", show_default=False),
]

tyre = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Show, compare and fit tyre laws.\n\nExample: axletree tyre plot my.tir",
)


@tyre.command("plot")
def plot(source: TyreArgument, loads: LoadsOption = None, out: OutOption = None) -> None:
    """Draw Fx, Fy and Mz against slip, the envelope of combined slip, and camber.

    Example: axletree tyre plot my.tir --loads "2 kN, 4 kN, 6 kN"
    """
    _show({_title(source): read_tyre_law(source)}, loads, out or _picture(_title(source)))


@tyre.command("compare")
def compare(
    first: TyreArgument, second: TyreArgument, loads: LoadsOption = None, out: OutOption = None
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


def _show(laws: Mapping[str, TyreLaw], loads: str | None, out: Path) -> None:
    shown = _range(next(iter(laws.values())), loads)
    picture = write_figure(plot_tyre(laws, shown), out)
    for line in _table(laws, shown):
        typer.echo(line)
    typer.echo(f"picture: {picture}")


def _range(law: TyreLaw, loads: str | None) -> TyreRange:
    if loads is None:
        return TyreRange.of(law)
    values = sorted(to_si(word.strip(), expected="N") for word in loads.split(","))
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
    for load in shown.loads:
        found = [characteristics(law, load) for law in laws.values()]
        heads = "".join(f"{name:>{width}}" for name in laws)
        last = f"{'difference':>13}" if len(laws) == 2 else ""
        yield f"{f'at Fz = {load / 1e3:g} kN':<38}{heads}{last}"
        for name, (title, unit, factor) in _ROWS.items():
            values = [_number(item, name) * factor for item in found]
            cells = "".join(f"{value:>{width}.4g}" for value in values)
            yield f"  {f'{title} [{unit}]':<36}{cells}{_difference(values)}"


def _number(found: Characteristics, name: str) -> float:
    return float(dataclasses.asdict(found)[name])


def _difference(values: list[float]) -> str:
    if len(values) != 2 or values[0] == 0.0:
        return ""
    return f"{100.0 * (values[1] / values[0] - 1.0):>+11.1f} %"


def _title(source: str) -> str:
    return Path(source).stem if Path(source).suffix in (".tir", ".yaml", ".yml") else source


def _picture(name: str) -> Path:
    return Path("out") / "tyres" / f"{name}.png"
