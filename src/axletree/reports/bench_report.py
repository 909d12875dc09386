"""Results of test benches as pictures, tables and one page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from axletree.analysis.studies.tyre_bench import SetupRuns
from axletree.core.text_table import TextTable
from axletree.metrics.findings import Finding
from axletree.metrics.verdict import Verdict, judge
from axletree.plot.figure_files import write_figure
from axletree.plot.model_plots import ShownRun, plot_panels
from axletree.plot.panels import Panel, draw_panels
from axletree.plot.wheels import carpet_panel, draw_carpet
from axletree.reports.analysis_report import PageSection, write_analysis_page
from axletree.runs.bench_contract import TYRE, Subject
from axletree.simulation.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PAGE = "benches.html"


@dataclass(frozen=True)
class BenchResult:
    """What a bench found, or why it found nothing."""

    name: str
    summary: str
    measured: Sequence[SetupRuns] = ()
    refused: str = ""

    @property
    def notes(self) -> list[str]:
        """Why runs are not complete, or not to be relied on."""
        return [run.note for run in _runs(self) if run.note]

    @property
    def panels(self) -> list[list[Panel]]:
        """For each setup those of its plots."""
        return [plot_panels(found.setup.model.plots, _all_shown(found)) for found in self.measured]

    @cached_property
    def figures(self) -> Mapping[str, Figure]:
        """Panels for each setup, and its carpet if it has one, by the names of files."""
        return dict(_figures(self))


def write_bench(result: BenchResult, folder: Path, *, pictures: bool = False) -> list[Path]:
    """Tables of one bench, and pictures if they are asked for."""
    drawn = result.figures if pictures else {}
    written = [write_figure(figure, folder / f"{name}.png") for name, figure in drawn.items()]
    for k, found in enumerate(result.measured, start=1):
        for run_name, run in found.runs.items():
            plain = run_name.replace(" ", "").replace(".", "_")
            parts = (result.name, str(k) if len(result.measured) > 1 else "", plain)
            name = "-".join(filter(None, parts))
            written.append(run.to_csv(folder / f"{name}.csv"))
    return written


def write_bench_page(subject: Subject, results: Sequence[BenchResult], folder: Path) -> Path:
    """One page of all benches, which needs no other file."""
    parts = [(_words(name), _said(value)) for name, value in subject.fields.items()]
    tyre = TextTable("Parts", ("part:", "as given, numbers in SI units:"), tuple(parts))
    sections = [section for result in results for section in _sections(result)]
    sections.append(PageSection("Tyre", tables=[tyre]))
    verdict = _verdict(subject, results)
    return write_analysis_page(
        folder / _PAGE, f"Test benches: {subject.name}", sections, verdict=verdict
    )


_LARGEST = {
    "Fx": "longitudinal force", "Fy": "lateral force", "Fz": "normal load",
    "Mz": "aligning moment",
}  # fmt: skip


def _verdict(subject: Subject, results: Sequence[BenchResult]) -> Verdict:
    """No standard limits what benches find: the largest forces, and on which bench they are."""
    numbers = []
    for word, said in _LARGEST.items():
        name = f"{TYRE}.{word}"
        sizes = {
            result.name: max(float(np.abs(run[name]).max()) for run in runs)
            for result in results
            if (runs := [run for run in _runs(result) if name in run and len(run)])
        }
        if sizes:
            bench = max(sizes, key=lambda one: sizes[one])
            unit = "N*m" if word.startswith("M") else "N"
            numbers.append(Finding(word, sizes[bench], unit, f"largest {said}, {bench}"))
    held = [result for result in results if not result.refused]
    tested = f"test benches with {subject.name}, which goes on {len(held)} of {len(results)}"
    return judge(tested, [], numbers)


def _runs(result: BenchResult) -> list[Trajectory]:
    return [run for found in result.measured for run in found.runs.values()]


def _sections(result: BenchResult) -> Iterator[PageSection]:
    """One for each setup, or why there is none."""
    title = f"{result.name}: {result.summary}"
    if result.refused:
        yield PageSection(title, notes=[f"Not applicable to this tyre: {result.refused}."])
    for found, panels in zip(result.measured, result.panels, strict=True):
        notes = [_remark(run) for run in found.runs.values() if run.note]
        named = title if len(result.measured) == 1 else f"{title}, {found.setup.title}"
        carpet = found.setup.carpet
        shown = [] if carpet is None else [carpet_panel(carpet, _all_shown(found))]
        yield PageSection(named, [*panels, *shown], notes=notes)


def _figures(result: BenchResult) -> Iterator[tuple[str, Figure]]:
    for k, (found, panels) in enumerate(zip(result.measured, result.panels, strict=True), start=1):
        name = f"{result.name}-{k}" if len(result.measured) > 1 else result.name
        carpet, title = found.setup.carpet, found.setup.title
        if panels:
            yield name, draw_panels(panels, title)
        if carpet is not None:
            yield f"{name}-carpet", draw_carpet(carpet, _all_shown(found), title)


def _all_shown(found: SetupRuns) -> dict[str, ShownRun]:
    return {
        name: ShownRun(run.time, {column: run[column] for column in run.names}, run.units)
        for name, run in found.runs.items()
    }


def _said(value: object) -> str:
    """What a part is, and in brackets its fields."""
    if isinstance(value, Mapping):
        fields = [f"{_words(key)} {_said(inner)}" for key, inner in value.items() if key != "type"]
        inner = ", ".join(fields)
        kind = str(value.get("type", ""))
        return f"{kind} ({inner})" if kind and inner else kind or inner
    return f"{value:g}" if isinstance(value, float) else str(value)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _remark(run: Trajectory) -> str:
    return run.note if run.complete else f"A run is not complete: {run.note}"
