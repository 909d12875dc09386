"""The part of a report that tells what a manoeuvre came to, and where that is read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from axletree.core.unit_text import printed_unit
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.manoeuvres.findings import Finding, unit_in_words, value_in_words
from axletree.report import page
from axletree.report.diagram_panels import diagram_panels
from axletree.report.picture_file import write_figure
from axletree.simulation.panel_plot import draw_panels
from axletree.simulation.trajectory import Trajectory


def finding_section(
    findings: Sequence[Finding], manoeuvre: Manoeuvre | None, run: Trajectory, file: Path
) -> str:
    """A table, and each finding on its curve; these also as a picture file."""
    file.unlink(missing_ok=True)  # of another run in the same folder
    listed = page.table(("", "value", "unit"), map(_row, findings))
    if manoeuvre is None or not findings or not run.complete:
        return listed
    panels = diagram_panels(manoeuvre.diagrams(run))
    if not panels:
        return listed
    figure = draw_panels(panels)
    write_figure(figure, file)
    return listed + page.drawing(figure, "curves with marks where the metrics are read")


def _row(found: Finding) -> tuple[str, str, str]:
    value = value_in_words(found.value, found.unit)
    return found.description, value, printed_unit(unit_in_words(found.unit))
