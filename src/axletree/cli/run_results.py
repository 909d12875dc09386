"""What ``axletree run`` leaves in a folder, and says of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from axletree import __version__
from axletree.analysis.energy_audit import EnergyAudit
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.source_files import source_files
from axletree.pipeline import Model, System
from axletree.report.html import write_report
from axletree.report.run_facts import RunFacts
from axletree.report.run_metrics import findings_table, write_metrics
from axletree.simulation.trajectory import Trajectory


@dataclass(frozen=True)
class RunResults:
    """Writes the results, and says where they are."""

    model: Model
    system: System
    folder: Path
    facts: RunFacts
    title: str
    source: str  # what the model is read from
    driven: tuple[str, Manoeuvre] | None  # by name
    settings: Mapping[str, Any]

    def __call__(self, run: Trajectory, audit: EnergyAudit | None = None) -> None:
        folder = self.folder
        run.to_csv(folder / "run.csv")
        run.to_npz(folder / "run.npz")
        run.plot(*run.states, path=folder / "states.png")
        page = write_report(
            self.system, self.model, run, folder, title=self.title, facts=self.facts, audit=audit
        )
        typer.echo(f"{len(run)} records of {len(run.names)} quantities, {run.method}")
        if run.elapsed and len(run):
            span = float(run.time[-1] - run.time[0])
            ratio = float(f"{span / run.elapsed:.3g}")  # three digits of it mean something
            typer.echo(
                f"{span:g} s in {1e3 * run.elapsed:.3g} ms: {ratio:g} times faster than real time"
            )
        typer.echo(f"results: {folder / 'run.csv'}, {folder / 'run.npz'}, {folder / 'states.png'}")
        typer.echo(f"report:  {page}")
        if run.complete:
            self._measure(run)
        if audit is not None:
            typer.echo(str(audit))

    def _measure(self, run: Trajectory) -> None:
        """The findings of a manoeuvre, in a file and as a table."""
        if self.driven is None:
            return
        findings = self.driven[1].findings(run)
        path = write_metrics(
            self.folder, findings, model=self.model.name, files=source_files(self.source),
            manoeuvre=self.driven, settings=self.settings, version=__version__,
        )  # fmt: skip
        typer.echo(f"metrics: {path}")
        if findings:
            typer.echo(findings_table(findings))
