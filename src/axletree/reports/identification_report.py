"""The page of an identification: values, limits, what data leave open, fitted channels."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from axletree.analysis.identification.identification import FittedRecord, Identification
from axletree.core.text_table import TextTable
from axletree.metrics.findings import Finding
from axletree.metrics.verdict import Verdict, judge
from axletree.plot.measurements import agreement_panels
from axletree.plot.panels import Panel, PanelCurve, greatest_magnitude
from axletree.plot.style import plotted_unit
from axletree.reports.analysis_report import PageSection, ShareBar, write_analysis_page

_LAGS = 50  # of the autocorrelations that are drawn


def write_identification_page(path: Path, found: Identification, title: str = "") -> Path:
    """Write the page of what a measurement tells of a model.

    Example:
    >>> from pathlib import Path
    >>> import axletree as at
    >>> from axletree.reports.identification_report import write_identification_page
    >>> swing = at.read_model("pendulum")
    >>> run = swing.formulate().simulate("4 s", step="1 ms", record_interval="20 ms")
    >>> found = at.identify(swing, run.to_csv("swing.csv"), ["gravity.z"], channels=["pin.angle"])
    >>> write_identification_page(Path("identified.html"), found).name
    'identified.html'
    """
    sections = [
        PageSection("Values", tables=[found.table()], bars=_bars(found)),
        PageSection("Correlations", tables=[_correlations(found)], is_folded=len(found.found) > 6),
    ]
    for record in found.records:
        sections.append(PageSection(f"Fitted: {record.source}", _panels(record)))
    for one in found.validation:
        sections.append(PageSection("Held back: a free run", agreement_panels(one), [one.table()]))
    name = title or found.model.replace("_", " ")
    return write_analysis_page(
        path, f"Identification: {name}", sections, verdict=_verdict(found, name)
    )


def _verdict(found: Identification, name: str) -> Verdict:
    """The deviations as shares of the values; free runs over what was held back."""
    shares = [
        Finding(
            f"{one.name}.deviation", 100.0 * one.deviation / abs(one.value), "%",
            f"{one.name}: standard deviation of its value",
        )
        for one in found.found
        if one.value and np.isfinite(one.deviation)
    ]  # fmt: skip
    runs = [
        Finding(f"{name}.rms", 100.0 * c.statistics.normalised_rms, "%",
                f"{name}: RMS error of a free run, of the measured range")
        for one in found.validation
        for name, c in one.channels.items()
    ]  # fmt: skip
    end = "settled" if found.settled else "not settled"
    tested = f"identification of {name}, {end} after {found.steps} steps"
    return judge(tested, [], [*runs, *shares])


def _bars(found: Identification) -> list[ShareBar]:
    """By how much each value has left its start."""
    bars = []
    for one in found.found:
        if one.unknown.start and not one.unknown.channel:
            share = 100.0 * (one.value / one.unknown.start - 1.0)
            bars.append(ShareBar("Change from the start", one.name, share, f"{share:+.2f} %"))
    return bars if any(bar.value for bar in bars) else []


def _correlations(found: Identification) -> TextTable:
    names = [one.name for one in found.found]
    rows = [
        (name, *("" if k > j else f"{x:.2f}" for k, x in enumerate(row)))
        for j, (name, row) in enumerate(zip(names, found.correlations, strict=True))
    ]
    heads = ("unknown:", *(str(k + 1) for k in range(len(names))))
    numbered = [(f"{k + 1}  {row[0]}", *row[1:]) for k, row in enumerate(rows)]
    return TextTable("Correlations of the values", heads, tuple(numbered))


def _panels(record: FittedRecord) -> list[Panel]:
    """Of each channel its courses, what is left, and whether that is noise."""
    panels = []
    for k, test in enumerate(record.whiteness):
        courses = record.predicted[:, k], record.measured[:, k]
        unit, factor = plotted_unit(record.units[k], greatest_magnitude(courses))
        curves = tuple(
            PanelCurve(label, record.time, factor * course)
            for label, course in zip(("fitted", "measured"), courses, strict=True)
        )
        left = (PanelCurve("", record.time, factor * record.residuals[:, k]),)
        panels.append(Panel(test.channel, "time [s]", f"[{unit}]", curves))
        panels.append(Panel(f"{test.channel}: residual", "time [s]", f"[{unit}]", left))
        panels.append(_autocorrelation(test.channel, record, k))
    return panels


def _autocorrelation(channel: str, record: FittedRecord, k: int) -> Panel:
    r = record.residuals[:, k] - record.residuals[:, k].mean()
    lags = np.arange(1.0, min(_LAGS, len(r) // 4) + 1)
    power = float(r @ r) or 1.0
    rho = np.array([float(r[int(lag) :] @ r[: -int(lag)]) / power for lag in lags])
    delay = np.asarray(lags * float(record.time[1] - record.time[0]), dtype=float)
    bound = 1.96 / np.sqrt(len(r))  # of white noise, in 19 of 20 lags
    curves = (
        PanelCurve("residual", delay, rho),
        PanelCurve("95 % of white noise", delay, np.full(len(lags), bound), is_guide=True),
        PanelCurve("", delay, np.full(len(lags), -bound), is_guide=True),
    )
    title = f"{channel}: autocorrelation of the residual"
    return Panel(title, "lag [s]", "[-]", curves, over_time=False)
