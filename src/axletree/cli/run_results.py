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
from axletree.core.whole_folder import whole_folder
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.manoeuvres.findings import Finding
from axletree.model.source_files import source_files
from axletree.pipeline import Model, System
from axletree.report.animation.animation import PAGE, animation
from axletree.report.animation.courses import AnimationError
from axletree.report.html import MARKS, PATH, PLOTS, REPORT, write_report
from axletree.report.run_facts import RunFacts
from axletree.report.run_metrics import (
    METRICS,
    RunRecipe,
    copied_files,
    findings_table,
    write_metrics,
)
from axletree.simulation.trajectory import Trajectory
from axletree.simulation.trajectory_files import trajectory_format

ALWAYS = ("csv", "npz", "mat")  # kinds of files that need nothing more
STATES = "states.png"
PAGES = (PAGE, "animation.gif", "animation.png")
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
        """What was in the folder of an earlier run stays until all of this one is written."""
        findings: Sequence[Finding] = ()
        if self.driven is not None and run.complete:
            findings = self.driven[1].findings(run)
        with whole_folder(self.folder, self._stale()) as made:
            files = self._write(run, audit, findings, made)
            trouble = self._animate(run, made) if self.animated else None
        _tell_cost(run)
        typer.echo(f"results: {', '.join(str(self.folder / name) for name in files)}")
        typer.echo(f"report:  {self.folder / REPORT}")
        typer.echo(f"metrics: {self.folder / METRICS}")
        if findings:
            typer.echo(findings_table(findings))
        if audit is not None:
            typer.echo(str(audit))
        if self.animated and trouble is None:
            typer.echo(f"animation: {self.folder / PAGE}")
        if trouble is not None:
            if run.complete:
                raise trouble
            typer.echo(f"axletree: no animation: {trouble}", err=True)

    def _write(
        self, run: Trajectory, audit: EnergyAudit | None, findings: Sequence[Finding], folder: Path
    ) -> list[str]:
        """The names of tables and pictures."""
        kinds = dict.fromkeys((*ALWAYS, *self.formats))
        names = [f"run{trajectory_format(kind).suffix}" for kind in kinds]
        for kind, name in zip(kinds, names, strict=True):
            run.write(kind, folder / name)
        run.plot(*run.states, path=folder / STATES)
        write_metrics(folder, findings, self._recipe(), complete=run.complete)
        write_report(
            self.system, self.model, run, folder, title=self.title, facts=self.facts, audit=audit,
            findings=findings, manoeuvre=None if self.driven is None else self.driven[1],
            recipe=self._recipe(),
        )  # fmt: skip
        return [
            *names,
            *(name for name in (STATES, MARKS, PLOTS, PATH) if (folder / name).is_file()),
        ]

    def _stale(self) -> list[str]:
        """No file of another run in the same folder stays beside those of this one."""
        kinds = section("TRAJECTORY_FILES")
        suffixes = [load("format", kind, kinds).suffix for kind in kinds]
        records = [f"run{suffix}" for suffix in suffixes]
        return [*records, STATES, MARKS, PLOTS, PATH, *PAGES, *copied_files(self.folder)]

    def _animate(self, run: Trajectory, folder: Path) -> AnimationError | None:
        """What cannot be shown of a run hides neither its results nor why it has failed."""
        try:
            made = animation(
                self.model, run, system=self.system, facts=self.facts, title=self.title
            )
        except AnimationError as error:
            return error
        made.save(folder / PAGE)
        return None

    def _recipe(self) -> RunRecipe:
        return RunRecipe(
            self.model.name, source_files(self.source), self.driven, self.settings,
            self.facts.inputs, __version__,
        )  # fmt: skip


def _tell_cost(run: Trajectory) -> None:
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
