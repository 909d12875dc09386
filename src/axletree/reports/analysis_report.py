"""The page of an analysis or a comparison: sections of charts and tables, one file, offline.

An analysis contributes its sections (``analysis_sections``, ``comparison_report``);
``templates/analysis_report.html.jinja`` lays them out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from axletree.core.files import write_text
from axletree.core.text_table import TextTable
from axletree.metrics.findings import Finding
from axletree.metrics.verdict import Verdict
from axletree.plot.panels import Panel
from axletree.reports.charts.chart_data import ChartPage
from axletree.reports.page import render

ANALYSIS_REPORT = "report.html"
LONGEST_OPEN_TABLE = 40  # rows of a table that is not folded


@dataclass(frozen=True)
class ShareBar:
    """A number with its sign, among others of one section that it is compared with."""

    group: str
    name: str
    value: float
    text: str


@dataclass(frozen=True, eq=False)
class PageSection:
    """Charts, tables and sentences under one heading; what is folded opens on a click.

    Example:
    >>> from axletree.core.text_table import TextTable
    >>> from axletree.reports.analysis_report import PageSection
    >>> loads = TextTable("Loads", ("wheel:", "N"), (("front left", "4045"),))
    >>> PageSection("Wheels", tables=[loads]).title
    'Wheels'
    """

    title: str
    panels: Sequence[Panel] = ()
    tables: Sequence[TextTable] = ()
    notes: Sequence[str] = ()
    is_folded: bool = False
    bars: Sequence[ShareBar] = ()
    embedded: str = ""  # a page of its own, such as an animation

    @property
    def longest_bar(self) -> float:
        """Of the bars of this section, to which all are drawn in proportion."""
        return max((abs(bar.value) for bar in self.bars), default=1.0)


def write_analysis_page(
    path: Path,
    title: str,
    sections: Sequence[PageSection],
    *,
    description: str = "",
    verdict: Verdict | None = None,
    findings: Sequence[Finding] = (),
    settings: Mapping[str, object] | None = None,
) -> Path:
    """Write the page: the verdict on top, sections in their order, settings at the end.

    Example:
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from axletree.plot.panels import Panel, PanelCurve
    >>> from axletree.reports.analysis_report import PageSection, write_analysis_page
    >>> speed = np.linspace(10.0, 40.0, 31)  # m/s
    >>> gain = PanelCurve("", speed, speed / (2.7 + 0.003 * speed**2))  # 1/s
    >>> panel = Panel("Yaw rate gain", "speed [m/s]", "[1/s]", (gain,), over_time=False)
    >>> write_analysis_page(Path("page.html"), "Gains", [PageSection("Gain", [panel])]).name
    'page.html'
    """
    curves = sum(len(panel.curves) for section in sections for panel in section.panels)
    text = render(
        "analysis_report",
        charts=ChartPage(curves),
        title=title,
        description=description,
        verdict=verdict,
        findings=findings,
        sections=sections,
        settings=[(name, _setting(value)) for name, value in (settings or {}).items() if value],
        longest_table=LONGEST_OPEN_TABLE,
    )
    write_text(path, text)
    return path


def _setting(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
