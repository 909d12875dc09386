"""The page of a run under a measurement: statistics, boundaries, courses and residuals."""

from __future__ import annotations

from pathlib import Path

from axletree.analysis.measurements.agreement import Agreement
from axletree.analysis.measurements.validation import Validation
from axletree.plot.measurements import agreement_panels, boundary_panel
from axletree.reports.analysis_report import PageSection, write_analysis_page
from axletree.reports.analysis_verdicts import agreement_verdict


def write_agreement_page(
    path: Path, found: Agreement, validation: Validation | None = None, title: str = ""
) -> Path:
    """Write the page: what agrees how well, then the curves.

    Example:
    >>> from pathlib import Path
    >>> import axletree as at
    >>> from axletree.reports.agreement_report import write_agreement_page
    >>> run = at.read_model("pendulum").formulate().simulate(1.0, step=0.01, outputs=[])
    >>> found = at.agreement(run, at.read_measurement(run.to_csv("measured.csv")))
    >>> write_agreement_page(Path("agreement.html"), found, title="pendulum").name
    'agreement.html'
    """
    sections = [PageSection("Agreement", tables=[found.table()])]
    if validation is not None:
        units = {name: one.unit for name, one in found.channels.items()}
        sections.append(PageSection(
            f"In the manner of {validation.method.standard}",
            [boundary_panel(one, units) for one in validation.boundaries],
            validation.tables(),
        ))  # fmt: skip
    sections.append(PageSection("Simulated and measured", agreement_panels(found)))
    verdict = agreement_verdict(found, validation, title)
    return write_analysis_page(path, f"Agreement: {title}", sections, verdict=verdict)
