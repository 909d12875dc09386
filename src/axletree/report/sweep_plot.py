"""Findings of a sweep over a parameter, one panel each; other parameters tell curves apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from axletree.analysis.sweep.result import Sweep, SweepRow
from axletree.analysis.sweep.values import SweepError
from axletree.analysis.sweep.variation import Variation
from axletree.core.plot_style import SMALL, in_style, marker
from axletree.core.registry import unknown_name
from axletree.model.manoeuvres.findings import Finding
from axletree.report.analysis_axes import label_axes, legend_below, new_figure, shades, with_unit
from axletree.simulation.panels import NOISE, STILL

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Column = NDArray[np.float64]

MOST_PANELS = 24
MOST_CURVES = 12  # that a legend tells apart
ACROSS = 3


@in_style
def plot_sweep(
    found: Sweep, along: str | None = None, findings: Sequence[str] | None = None
) -> Figure:
    """Findings over ``along``, by default the first parameter with numbers.

    ``findings`` are names of them; by default all that change. Points that failed leave a gap.
    Where a parameter has words, they stand below the axis. Of too many curves some are drawn.

    Example:
    >>> import axletree as at
    >>> from axletree.report.sweep_plot import plot_sweep
    >>> found = at.sweep("pendulum", {"rod.mass": "1,2 kg"}, duration=0.1, workers=1)
    >>> plot_sweep(found).axes[0].get_xlabel()
    'rod.mass [kg]'
    """
    first = _chosen(found, along)
    shown = _telling(found) if findings is None else _named(found, findings)
    every = _curves(found, first)
    curves = _spread(every)
    columns = min(len(shown), ACROSS)
    rows = -(-len(shown) // columns)
    title = f"{found.model}: {found.manoeuvre or 'run'}"
    figure, axes = new_figure(rows, columns, title)
    colours = shades(np.arange(max(len(curves), 2))).to_rgba(np.arange(len(curves)))
    for panel, finding in zip(axes, shown, strict=False):
        for k, (label, members) in enumerate(curves.items()):
            x = [_shown(first, row) for row in members]
            y = [row.finding(finding.name) for row in members]
            style = {"marker": marker(k), "color": colours[k], "label": label}
            panel.plot(x, y, markersize=4, linewidth=1.3, **style)
        label_axes(
            panel, _heading(finding), with_unit(first.name, first.shown_unit), f"[{finding.unit}]"
        )
        panel.yaxis.get_offset_text().set(x=1.0, horizontalalignment="right", fontsize=SMALL)
    for panel in axes[len(shown) :]:
        panel.axis("off")
    if len(curves) > 1:
        told = f"{len(curves)} of {len(every)} curves" if len(curves) < len(every) else None
        legend_below(figure, axes[0], columns=4, title=told)
    return figure


def _shown(first: Variation, row: SweepRow) -> float | str:
    """Along the axis: in the unit that was given, or as a word."""
    value = row.point.values[first.name]
    return value if isinstance(value, str) else first.shown(value)


def _heading(finding: Finding) -> str:
    return finding.description[:1].upper() + finding.description[1:]


def _chosen(found: Sweep, along: str | None) -> Variation:
    if along is not None:
        matching = [one for one in found.variations if one.name == along]
        if not matching:
            names = ", ".join(one.name for one in found.variations)
            raise SweepError(f"the sweep does not vary {along!r}; it varies {names}")
        return matching[0]
    numbers = [one for one in found.variations if one.is_number and len(one.values) > 1]
    return (numbers or list(found.variations))[0]


def _telling(found: Sweep) -> list[Finding]:
    """Findings that some point has; if some change, those that do."""
    telling = [one for one in found.findings if np.isfinite(found[one.name]).any()]
    if not telling:
        raise SweepError("no point of the sweep found anything that can be plotted")
    changing = [one for one in telling if _changes(found[one.name])]
    return (changing or telling)[:MOST_PANELS]


def _named(found: Sweep, names: Sequence[str]) -> list[Finding]:
    known = {one.name: one for one in found.findings}
    for name in names:
        if name not in known:
            raise unknown_name("finding", name, known, "the sweep")
    return [known[name] for name in names]


def _changes(column: Column) -> bool:
    values = column[np.isfinite(column)]
    return bool(np.ptp(values) > STILL * np.abs(values).max() and np.ptp(values) > NOISE)


def _spread(curves: dict[str, list[SweepRow]]) -> dict[str, list[SweepRow]]:
    """As many of them as can be told apart: the first, the last, and some between."""
    names = list(curves)
    if len(names) > MOST_CURVES:
        places = np.linspace(0.0, len(names) - 1.0, MOST_CURVES).round().astype(int)
        names = [names[k] for k in places]
    return {name: curves[name] for name in names}


def _curves(found: Sweep, first: Variation) -> dict[str, list[SweepRow]]:
    """The points with the same values of all other parameters, sorted along the first."""
    curves: dict[str, list[SweepRow]] = {}
    for row in found.rows:
        others = (one for one in found.variations if one is not first)
        words = (one.in_words(one.values.index(row.point.values[one.name])) for one in others)
        curves.setdefault(", ".join(words), []).append(row)
    if first.is_number:
        for members in curves.values():
            members.sort(key=lambda row: float(row.point.values[first.name]))
    return curves
