"""What a procedure contributes to its page: each stage with its conditions, charts and table."""

from __future__ import annotations

from axletree.analysis.procedures.contract import TABLE_DIGITS, ProcedureResult, ProcedureStage
from axletree.core.text_table import TextTable
from axletree.core.units import printed_unit
from axletree.metrics.findings import unit_in_words, value_in_words
from axletree.plot.model_plots import diagram_panels
from axletree.reports.analysis_report import PageSection

_MOST_COLUMNS = 7  # of a table that a page shows whole


def procedure_sections(result: ProcedureResult) -> list[PageSection]:
    """A section for each stage, and one with notes on runs, if there are any.

    Example:
    >>> from axletree.analysis.procedures.contract import ProcedureResult, ProcedureStage
    >>> from axletree.metrics.findings import Finding
    >>> angle = Finding("A", 22.3, "deg", "steering wheel angle A at 0.3 g")
    >>> stage = ProcedureStage("Slowly increasing steer", "80 km/h", findings=(angle,))
    >>> from axletree.reports.procedure_sections import procedure_sections
    >>> (section,) = procedure_sections(ProcedureResult("", "FMVSS 126", "sedan", (stage,)))
    >>> section.title, section.tables[0].rows
    ('Slowly increasing steer', (('steering wheel angle A at 0.3 g', '22.3 deg'),))
    """
    sections = [_section(stage) for stage in result.stages]
    if result.notes:
        sections.append(PageSection("Notes on runs", notes=result.notes, is_folded=True))
    return sections


def _section(stage: ProcedureStage) -> PageSection:
    tables = [_narrow(stage.table)] if stage.rows else []
    if stage.findings:
        rows = tuple(
            (one.description, f"{value_in_words(one.value, one.unit, TABLE_DIGITS)} "
             f"{printed_unit(unit_in_words(one.unit))}".rstrip())
            for one in stage.findings
        )  # fmt: skip
        tables.append(TextTable("Together", ("finding:", "value"), rows))
    words = stage.conditions
    notes = [f"{words[0].upper()}{words[1:]}."] if words else []
    return PageSection(stage.title, diagram_panels(stage.diagrams), tables, notes)


def _narrow(table: TextTable) -> TextTable:
    """On its side where a page has no room for its columns, and has for its rows."""
    if len(table.columns) <= _MOST_COLUMNS or len(table.rows) >= _MOST_COLUMNS:
        return table
    first, *heads = table.headings
    labels, *columns = zip(*table.rows, strict=True)
    rows = tuple((head, *column) for head, column in zip(heads, columns, strict=True))
    return TextTable(table.title, (f"{first}:", *labels), rows, table.notes)
