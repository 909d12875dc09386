"""What commands that analyse a vehicle leave in a folder, and say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from axletree import __version__
from axletree.model.manoeuvres.findings import Finding
from axletree.model.source_files import source_files
from axletree.pipeline import Model, read_model
from axletree.report.column_file import write_columns
from axletree.report.picture_file import write_figure
from axletree.report.run_metrics import RunRecipe, findings_table, write_metrics

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OutOption = Annotated[
    Path | None, typer.Option(help="Folder; out/<name of the model>/<command> without it.")
]


def read_vehicle(source: str, fidelity: str | None) -> Model:
    return read_model(source, {"vehicle": {"fidelity": fidelity}} if fidelity else None)


@dataclass(frozen=True)
class AnalysisResults:
    """Writes results into the folder of a command, with copies of the files they follow from."""

    model: Model
    source: str  # what the model is read from
    command: str
    settings: Mapping[str, Any]
    out: Path | None

    @property
    def folder(self) -> Path:
        return self.out or Path("out", self.model.name, self.command)

    def write(
        self,
        findings: Sequence[Finding],
        tables: Mapping[str, Mapping[str, np.ndarray]],
        units: Mapping[str, str],
        figures: Mapping[str, Figure],
        *,
        tell: bool = True,
    ) -> None:
        """Tables and figures by the names of their files without endings; then say it all.

        Unless ``tell``, the findings are written and not shown.
        """
        folder = self.folder
        paths = [write_columns(folder / f"{n}.csv", table, units) for n, table in tables.items()]
        paths += [write_figure(figure, folder / f"{n}.png") for n, figure in figures.items()]
        recipe = RunRecipe(
            self.model.name, source_files(self.source), None,
            {"command": self.command, **self.settings}, {}, __version__,
        )  # fmt: skip
        metrics = write_metrics(folder, findings, recipe, complete=True)
        typer.echo(f"results: {', '.join(map(str, paths))}")
        typer.echo(f"metrics: {metrics}")
        if findings and tell:
            typer.echo(findings_table(findings))
