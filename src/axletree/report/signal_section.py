"""The parts of a report that show courses over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from axletree.model.plot import Plot
from axletree.report import page
from axletree.report.picture_file import write_figure
from axletree.report.plot_panels import Shown, plot_panels, plotted_units
from axletree.report.recomputed import outputs_along
from axletree.report.run_facts import RunFacts
from axletree.simulation.panel_plot import draw_panels
from axletree.simulation.panels import automatic_panels, without_zeros
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

MOST_PANELS = 30
MOST_POINTS = 2000  # of a curve whose values are computed again


def plots(
    system: System, proposed: Sequence[Plot], run: Trajectory, facts: RunFacts, file: Path
) -> str:
    """What a model proposes to show, in its order; also as a picture file."""
    file.unlink(missing_ok=True)  # of another run in the same folder
    if not len(run) or not proposed:
        return ""
    shown = _shown(system, proposed, run, facts)
    panels = plot_panels(proposed, {run.system: shown})
    moving = without_zeros(panels)
    notes = []
    if len(moving) < len(panels):
        still = "; ".join(panel.title for panel in panels if panel not in moving)
        notes.append(page.paragraph(f"Zero all the time, and not shown: {still}."))
    missing = [name for plot in proposed for name in plot.unmatched(list(shown.columns))]
    if missing:
        listed = ", ".join(dict.fromkeys(missing))
        notes.append(page.paragraph(f"There is nothing of the name {listed}."))
    if not moving:
        return "".join(notes)
    figure = draw_panels(moving)
    write_figure(figure, file)
    return page.drawing(figure, "plots that the model proposes") + "".join(notes)


def signals(run: Trajectory, *, folded: bool) -> str:
    """All that was recorded, grouped by unit and name."""
    if not len(run):
        return ""
    panels = automatic_panels(run.time, run.columns, run.units)
    left = sum(len(panel.curves) for panel in panels[MOST_PANELS:])
    more = page.paragraph(f"{left} more signals are in the files." if left else "")
    found = page.drawing(draw_panels(panels[:MOST_PANELS]), "recorded signals over time") + more
    return page.folded(f"All {len(run.names)} recorded signals", found) if folded else found


def _shown(system: System, proposed: Sequence[Plot], run: Trajectory, facts: RunFacts) -> Shown:
    """The columns that plots ask for, from the run where it has them."""
    units = plotted_units(system, proposed)
    records = np.unique(np.linspace(0, len(run) - 1, MOST_POINTS).astype(int))
    columns = {name: run[name][records] for name in units if name in run}
    others = [name for name in units if name not in run]
    if others:
        columns |= outputs_along(
            system, run, others, records.tolist(), inputs=facts.inputs, parameters=facts.parameters
        )
    return Shown(run.time[records], {name: columns[name] for name in units}, units)
