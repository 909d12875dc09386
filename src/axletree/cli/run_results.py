"""What ``axletree run`` leaves in a folder, and says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree import __version__
from axletree.analysis.energy_audit import EnergyAudit
from axletree.core.registry import load, section
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.manoeuvres.findings import Finding
from axletree.model.source_files import source_files
from axletree.pipeline import Model, System
from axletree.report.animation.animation import PAGE, animation
from axletree.report.animation.courses import AnimationError
from axletree.report.html import PLOTS, write_report
from axletree.report.run_facts import RunFacts
from axletree.report.run_metrics import RunRecipe, findings_table, write_metrics
from axletree.simulation.trajectory import Trajectory
from axletree.simulation.trajectory_files import trajectory_format

ALWAYS = ("csv", "npz", "mat")  # kinds of files that need nothing more
FormatOption = Annotated[
    list[str],
    typer.Option(
        "--format",
        metavar="KIND",
        help="Write the records as mdf4 or parquet, too; repeatable.",
        show_default=False,
    ),
]


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
    formats: Sequence[str] = ()  # beside those of every run
    animated: bool = False  # whether a page shows the run in three dimensions

    def __post_init__(self) -> None:
        """What a kind of file needs is there before the run, so that a long one is not lost."""
        for kind in self.formats:
            trajectory_format(kind)

    def __call__(self, run: Trajectory, audit: EnergyAudit | None = None) -> None:
        folder = self.folder
        self._clear()
        paths = [self._written(run, kind) for kind in dict.fromkeys((*ALWAYS, *self.formats))]
        run.plot(*run.states, path=folder / "states.png")
        findings: Sequence[Finding] = ()
        if self.driven is not None and run.complete:
            findings = self.driven[1].findings(run)
        metrics = write_metrics(folder, findings, self._recipe(), complete=run.complete)
        page = write_report(
            self.system, self.model, run, folder, title=self.title, facts=self.facts, audit=audit,
            findings=findings,
        )  # fmt: skip
        typer.echo(f"{len(run)} records of {len(run.names)} quantities, {run.method}")
        if run.elapsed and len(run):
            span = float(run.time[-1] - run.time[0])
            ratio = float(f"{span / run.elapsed:.3g}")  # three digits of it mean something
            typer.echo(
                f"{span:g} s in {1e3 * run.elapsed:.3g} ms: {ratio:g} times faster than real time"
            )
            if run.steps:
                each = 1e6 * run.elapsed / run.steps
                typer.echo(f"{run.steps} steps, each {each:.3g} us in the mean")
        if run.residual is not None:
            typer.echo(f"residual of the set-valued forces: {run.residual.in_words}")
        paths += [p for p in (folder / "states.png", folder / PLOTS) if p.is_file()]
        typer.echo(f"results: {', '.join(map(str, paths))}")
        typer.echo(f"report:  {page}")
        typer.echo(f"metrics: {metrics}")
        if findings:
            typer.echo(findings_table(findings))
        if audit is not None:
            typer.echo(str(audit))
        if self.animated:
            self._animate(run)

    def _clear(self) -> None:
        """No file of another run in the same folder stays beside those of this one."""
        for kind in section("TRAJECTORY_FILES"):
            suffix = load("format", kind, section("TRAJECTORY_FILES")).suffix
            (self.folder / f"run{suffix}").unlink(missing_ok=True)
        (self.folder / PAGE).unlink(missing_ok=True)

    def _animate(self, run: Trajectory) -> None:
        """What cannot be shown of a run that has failed does not hide why it has."""
        try:
            made = animation(
                self.model, run, system=self.system, facts=self.facts, title=self.title
            )
        except AnimationError as error:
            if run.complete:
                raise
            typer.echo(f"axletree: no animation: {error}", err=True)
        else:
            typer.echo(f"animation: {made.save(self.folder / PAGE)}")

    def _written(self, run: Trajectory, kind: str) -> Path:
        suffix = trajectory_format(kind).suffix
        return run.write(kind, self.folder / f"run{suffix}")

    def _recipe(self) -> RunRecipe:
        return RunRecipe(
            self.model.name, source_files(self.source), self.driven, self.settings,
            self.facts.inputs, __version__,
        )  # fmt: skip
