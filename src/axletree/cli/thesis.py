"""``axletree bench``: measurements that anyone can repeat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from axletree.cli.options import option
from axletree.cli.results import stage_bar
from axletree.core.errors import AxletreeError
from axletree.core.files import check_writable, write_text
from axletree.core.text_table import TextTable
from axletree.equations.derivation import derive_equations
from axletree.model_files.read import read_model
from axletree.thesis.sequences import contact_sequence
from axletree.thesis.stages import MeasuredStage, Stage, stages
from axletree.thesis.tables import code_tables, sequence_tables
from axletree.wheel.tyre import Tyre

bench = typer.Typer(help="Repeat published measurements, and print both beside each other.")
FORMATS = {".md": TextTable.markdown, ".csv": TextTable.csv}


@bench.callback()
def bench_options() -> None:
    """Repeat published measurements, and print both beside each other."""


@bench.command()
def thesis(
    out: Annotated[
        Path | None, option("File for the tables, .md or .csv, beside what is printed.")
    ] = None,
) -> None:
    """Tables 4.4, 4.5 and 5.1 to 5.6 of Morency 2007, printed and measured now.

    Takes one to two minutes: every variant of the two vehicles is formed, compiled and driven.

    Example: axletree bench thesis --out thesis.md
    """
    if out is not None and out.suffix not in FORMATS:
        known = " or ".join(FORMATS)
        raise AxletreeError(f"--out {out}: expected a file that ends in {known}")
    if out is not None:
        check_writable(out.parent)
    tables: list[TextTable] = []
    for table in _tables():
        typer.echo(f"{table.text()}\n")
        tables.append(table)
    if out is not None:
        write_text(out, "\n".join(FORMATS[out.suffix](table) for table in tables))
        typer.echo(f"tables: {out}")


def _tables() -> Iterator[TextTable]:
    described = read_model("car")
    tyre = described["front_left_tyre"]
    assert isinstance(tyre, Tyre)
    yield from sequence_tables(contact_sequence(derive_equations(described, described.tree), tyre))
    yield from code_tables(_measured(list(stages())))


def _measured(work: Sequence[Stage]) -> MeasuredStage:
    measured = MeasuredStage()
    with stage_bar(len(work)) as begin:
        for stage in work:
            begin(f"measuring {stage.title}")
            stage.work(measured)
    return measured
