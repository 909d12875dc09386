"""The default folders of results, what analyses of a vehicle write and print, and a bar while they
work.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from axletree import __version__
from axletree.cli.options import option, vehicle_changes
from axletree.core.files import check_writable, whole_folder, write_text
from axletree.metrics.findings import Finding
from axletree.metrics.verdict import Verdict
from axletree.model.model import Model
from axletree.model_files.included_files import source_files
from axletree.model_files.read import read_model
from axletree.plot.figure_files import write_figure
from axletree.reports.analysis_report import (
    ANALYSIS_REPORT,
    PageSection,
    write_analysis_page,
)
from axletree.reports.results import (
    METRICS_FILE,
    RunRecipe,
    copied_files,
    findings_table,
    write_columns,
    write_metrics,
)
from axletree.vehicles.vehicle import Fidelity, Vehicle

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_NOTHING: Mapping[str, str] = MappingProxyType({})
OutOption = Annotated[
    Path | None, option("Folder. Default: out/<model>/<command, and --model, if any>.")
]


def read_vehicle_model(source: str, fidelity: str | None) -> Model:
    return read_model(source, vehicle_changes(fidelity) or None)


def model_title(model: Model) -> str:
    """Its name in words, and its fidelity where that is not the full one."""
    vehicle, name = model.described.get("vehicle"), model.name.replace("_", " ")
    if not isinstance(vehicle, Vehicle) or vehicle.fidelity is Fidelity.FULL:
        return name
    return f"{name}, {vehicle.fidelity.value}"


@dataclass(frozen=True)
class AnalysisResults:
    """Writes results into the folder of a command, with copies of the files they follow from."""

    model: Model
    source: str  # what the model is read from
    command: str
    settings: Mapping[str, Any]
    out: Path | None
    pictures: bool = False  # whether figures are written, too
    no_report: bool = False
    stale: Sequence[str] = ()  # files of the command that not every call of it writes

    def __post_init__(self) -> None:
        """Whether results can be written is known before they are worked for."""
        check_writable(self.folder)

    @property
    def folder(self) -> Path:
        """Each command and fidelity has its place."""
        return self.out or result_folder(self.source, self.command, self.settings.get("fidelity"))

    def write(
        self,
        findings: Sequence[Finding],
        tables: Mapping[str, Mapping[str, np.ndarray]],
        units: Mapping[str, str],
        figures: Mapping[str, Callable[[], Figure]],
        sections: Sequence[PageSection],
        *,
        texts: Mapping[str, str] = _NOTHING,
        tell: bool = True,
        verdict: Verdict | None = None,
        heading: str = "",
    ) -> None:
        """Tables and figures by the names of their files without endings, and a page of all that
        was found; then say it all.

        Figures are drawn if pictures are asked for. ``texts`` are tables that are written already.
        Without ``tell`` the findings are written but not printed. ``heading`` says what the page
        is about, if not the command does.
        """
        drawn = figures if self.pictures else {}
        names = [f"{name}.csv" for name in (*texts, *tables)] + [f"{name}.png" for name in drawn]
        recipe = RunRecipe(
            self.model.name, source_files(self.source), None,
            {"command": self.command, **self.settings}, {}, __version__,
        )  # fmt: skip
        stale = [*self.stale, *(f"{name}.png" for name in figures), ANALYSIS_REPORT]
        with whole_folder(self.folder, [*stale, *copied_files(self.folder)]) as made:
            for name, text in texts.items():
                write_text(made / f"{name}.csv", text)
            for name, table in tables.items():
                write_columns(made / f"{name}.csv", table, units)
            for name, draw in drawn.items():
                write_figure(draw(), made / f"{name}.png")
            write_metrics(made, findings, recipe, complete=True, verdict=verdict)
            if not self.no_report:
                title = f"{model_title(self.model)}: {heading or self.command}"
                write_analysis_page(
                    made / ANALYSIS_REPORT, title, sections, description=self.model.description,
                    verdict=verdict, findings=findings if tell else (),
                    settings={"model": self.source, **self.settings},
                )  # fmt: skip
        typer.echo(f"results: {', '.join(str(self.folder / name) for name in names)}")
        if not self.no_report:
            typer.echo(f"report:  {self.folder / ANALYSIS_REPORT}")
        typer.echo(f"metrics: {self.folder / METRICS_FILE}")
        if findings and tell:
            typer.echo(findings_table(findings))


@contextmanager
def stage_bar(count: int) -> Iterator[Callable[[str], None]]:
    """A bar with the name of the stage at work, on a terminal only; called, it begins the next."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    shown = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    silent = not sys.stderr.isatty()
    with Progress(*shown, console=Console(stderr=True), transient=True, disable=silent) as bar:
        task, done = bar.add_task("", total=count), itertools.count()
        yield lambda name: bar.update(task, description=name, completed=next(done))


def result_folder(source: str, *choices: str | None) -> Path:
    """Each manoeuvre, fidelity and soil has its place in ``out``.

    A model is named as it was given: a file without its ending, ``file.py:name`` by the name.
    """
    head, _, name = source.rpartition(":")
    model = name if head.endswith(".py") else Path(source).name
    for ending in (".yaml", ".yml"):
        model = model.removesuffix(ending)
    return Path("out", model, "-".join(filter(None, choices)))
