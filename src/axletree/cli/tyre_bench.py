"""``axletree bench-tyre``: a tyre on test benches, with plots, tables and a page."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from axletree.analysis.studies.tyre_bench import run_bench
from axletree.cli.options import FunctionOption, split_assignments
from axletree.core.errors import ModelError
from axletree.core.registry import load, section, unknown_name
from axletree.model_files.included_files import SUFFIXES, ready_tyre
from axletree.report.bench_report import BenchResult, write_bench, write_bench_page
from axletree.runs.bench_contract import Bench, Subject
from axletree.wheel.tyres.law_files import read_tyre_law

# What a law by itself is mounted with.
_DEFAULT_PARTS: dict[str, Any] = {
    "unloaded_radius": 0.32,
    "normal_force": {"type": "linear", "stiffness": 2e5, "damping": 500.0},
}


def bench_tyre(
    tyre: Annotated[
        str,
        typer.Argument(
            metavar="TYRE",
            help="A ready-made tyre, a YAML file of one, or a law: its name or a file .tir.",
            show_default=False,
        ),
    ],
    bench: Annotated[
        list[str] | None,
        typer.Option(
            "--bench", metavar="NAME",
            help="See `axletree list benches`; repeatable. Default: all.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder. Default: out/benches/<name of the tyre>.")
    ] = None,
    functions: FunctionOption = [],  # noqa: B006
) -> None:  # fmt: skip
    """Put a tyre on test benches: plots, tables of measurements, and one page.

    Example: axletree bench-tyre belted-advanced --bench slip-lateral
    """
    subject = read_subject(tyre)
    sources = split_assignments(functions, "--function", "my_law=my_law.c")
    benches = {
        name: load("bench", name, section("BENCHES")) for name in bench or section("BENCHES")
    }
    folder = out or Path("out", "benches", subject.name)
    results = []
    for name, result in _measured(subject, benches, sources):
        files = write_bench(result, folder)
        outcome = (
            f"{len(files)} files" if files else f"not applicable to this tyre: {result.refused}"
        )
        typer.echo(f"{name:<20}{outcome}")
        for note in result.notes:
            typer.echo(f"axletree: {name}: {note}", err=True)
        results.append(result)
    typer.echo(f"page: {write_bench_page(subject, results, folder)}")


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
) -> Iterator[tuple[str, BenchResult]]:
    with _progress(list(benches)) as begun:
        for name, bench in benches.items():
            begun(name)
            try:
                found = run_bench(bench, subject, functions=functions)
            except ModelError as error:
                yield name, BenchResult(name, bench.summary, refused=str(error))
            else:
                yield name, BenchResult(name, bench.summary, found)


@contextmanager
def _progress(names: Sequence[str]) -> Iterator[Any]:
    """A bar with the bench at work, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda name: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=len(names))

        def begun(name: str) -> None:
            bar.update(task, description=name, completed=list(names).index(name))

        yield begun
