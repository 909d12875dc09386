"""What commands that analyse a vehicle leave in a folder, and say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from axletree import __version__
from axletree.cli.result_folder import result_folder
from axletree.cli.source import vehicle_changes
from axletree.core.files import write_text
from axletree.core.whole_folder import whole_folder
from axletree.model.manoeuvres.findings import Finding
from axletree.model.source_files import source_files
from axletree.pipeline import Model, read_model
from axletree.report.column_file import write_columns
from axletree.report.picture_file import write_figure
from axletree.report.run_metrics import (
    METRICS,
    RunRecipe,
    copied_files,
    findings_table,
    write_metrics,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NOTHING: Mapping[str, str] = MappingProxyType({})
OutOption = Annotated[
    Path | None,
    typer.Option(help="Folder; out/<model>/<command, and --model, if any>."),
]


def read_vehicle(source: str, fidelity: str | None) -> Model:
    return read_model(source, vehicle_changes(fidelity) or None)


@dataclass(frozen=True)
class AnalysisResults:
    """Writes results into the folder of a command, with copies of the files they follow from."""

    model: Model
    source: str  # what the model is read from
    command: str
    settings: Mapping[str, Any]
    out: Path | None
    stale: Sequence[str] = ()  # files of the command that not every call of it writes

    @property
    def folder(self) -> Path:
        """Each command and fidelity has its place."""
        return self.out or result_folder(self.source, self.command, self.settings.get("fidelity"))

    def write(
        self,
        findings: Sequence[Finding],
        tables: Mapping[str, Mapping[str, np.ndarray]],
        units: Mapping[str, str],
        figures: Mapping[str, Figure],
        *,
        texts: Mapping[str, str] = NOTHING,
        tell: bool = True,
    ) -> None:
        """Tables and figures by the names of their files without endings; then say it all.

        ``texts`` are tables that are written already. Unless ``tell``, the findings are written
        and not shown.
        """
        names = [f"{name}.csv" for name in (*texts, *tables)] + [f"{name}.png" for name in figures]
        recipe = RunRecipe(
            self.model.name, source_files(self.source), None,
            {"command": self.command, **self.settings}, {}, __version__,
        )  # fmt: skip
        with whole_folder(self.folder, [*self.stale, *copied_files(self.folder)]) as made:
            for name, text in texts.items():
                write_text(made / f"{name}.csv", text)
            for name, table in tables.items():
                write_columns(made / f"{name}.csv", table, units)
            for name, figure in figures.items():
                write_figure(figure, made / f"{name}.png")
            write_metrics(made, findings, recipe, complete=True)
        typer.echo(f"results: {', '.join(str(self.folder / name) for name in names)}")
        typer.echo(f"metrics: {self.folder / METRICS}")
        if findings and tell:
            typer.echo(findings_table(findings))
