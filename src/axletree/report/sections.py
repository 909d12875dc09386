"""Parts of the report of a run: energy, findings, the path, plots and signals, and
reproducibility.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from axletree.analysis.energy import EnergyAudit, working_components
from axletree.core.files import whole_file
from axletree.core.units import printed_unit
from axletree.metrics.findings import Finding, unit_in_words, value_in_words
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Plot
from axletree.plot.figure_files import figure_bytes, write_figure
from axletree.plot.model_plots import ShownRun, diagram_panels, plot_panels, plotted_units
from axletree.plot.panels import Panel, PanelCurve, automatic_panels, draw_panels, without_zeros
from axletree.plot.path import draw_path
from axletree.report import page
from axletree.report.results import RunRecipe, input_as_json, versions
from axletree.runs.follow_path import FollowPath
from axletree.simulation.recomputed_outputs import RunFacts, outputs_along
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

# The parts of a report that show courses over time.

MOST_PANELS = 30
MOST_POINTS = 2000  # of a curve whose values are computed again


def plot_section(
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


def signal_section(run: Trajectory, *, folded: bool) -> str:
    """All that was recorded, grouped by unit and name."""
    if not len(run):
        return ""
    panels = automatic_panels(run.time, run.columns, run.units)
    left = sum(len(panel.curves) for panel in panels[MOST_PANELS:])
    more = page.paragraph(f"{left} more signals are in the files." if left else "")
    found = page.drawing(draw_panels(panels[:MOST_PANELS]), "recorded signals over time") + more
    return page.folded(f"All {len(run.names)} recorded signals", found) if folded else found


def _shown(system: System, proposed: Sequence[Plot], run: Trajectory, facts: RunFacts) -> ShownRun:
    """The columns that plots ask for, from the run where it has them."""
    units = plotted_units(system, proposed)
    records = np.unique(np.linspace(0, len(run) - 1, MOST_POINTS).astype(int))
    columns = {name: run[name][records] for name in units if name in run}
    others = [name for name in units if name not in run]
    if others:
        columns |= outputs_along(
            system, run, others, records.tolist(), inputs=facts.inputs, parameters=facts.parameters
        )
    return ShownRun(run.time[records], {name: columns[name] for name in units}, units)


# The part of a report that tells what a manoeuvre came to, and where that is read.


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


# The part of a report that shows a path and the way along it.


def path_section(manoeuvre: Manoeuvre | None, run: Trajectory, file: Path) -> str:
    """A picture, also as a file; nothing of a manoeuvre that follows no path."""
    file.unlink(missing_ok=True)  # of another run in the same folder
    if not isinstance(manoeuvre, FollowPath) or not len(run):
        return ""
    content = figure_bytes(draw_path(manoeuvre, run), "png", page.SCREEN)
    with whole_file(file) as stream:
        stream.write(content)
    return page.picture(content, "the path, and the way of the vehicle along it, from above")


def without_path(manoeuvre: Manoeuvre | None, plots: Sequence[Plot]) -> list[Plot]:
    """The plots but that of a path in the plane, where the picture shows more of it."""
    if not isinstance(manoeuvre, FollowPath):
        return list(plots)
    x, y = manoeuvre.place[:2]
    return [plot for plot in plots if (plot.x, plot.y) != (x, (y,))]


# The part of a report that says where energy came from and where it went.

ENERGIES = ("energy.kinetic", "energy.potential", "energy.total")
POINTS = 500
MOST_NAMES = 12
ROUND_OFF = 1e-12  # of the greatest share
MOST_SHARES = 6  # components with a curve of their own


def energy_section(
    system: System, run: Trajectory, facts: RunFacts, audit: EnergyAudit | None = None
) -> str:
    """Kinetic and potential energy, what may change their sum, and the audit if there is one."""
    known = {definition.quantity.name for definition in system.outputs}
    found = ""
    if known.issuperset(ENERGIES) and len(run):
        records = np.unique(np.linspace(0, len(run) - 1, POINTS).astype(int))
        values = outputs_along(
            system, run, ENERGIES, records.tolist(),
            inputs=facts.inputs, parameters=facts.parameters,
        )  # fmt: skip
        curves = tuple(
            PanelCurve(name.partition(".")[2], run.time[records], values[name]) for name in ENERGIES
        )
        figure = draw_panels([Panel("Energy of the model", "time [s]", "[J]", curves)])
        found = page.drawing(figure, "energy over time")
        found += page.paragraph(_sentence(system, values["energy.total"]))
    return found + (_balance(audit) if audit is not None else "")


def _sentence(system: System, total: np.ndarray) -> str:
    course = f"The total goes from {total[0]:.6g} J to {total[-1]:.6g} J."
    workers = working_components(system) if system.source is not None else ()
    if not workers:
        return f"{course} Nothing adds energy or takes it: what it changes by is error of the run."
    listed = ", ".join(workers[:MOST_NAMES])
    if len(workers) > MOST_NAMES:
        listed += f" and {len(workers) - MOST_NAMES} more"
    return (
        f"{course} Sources and drivers add energy, dampers, brakes and tyres take it; here these "
        f"components do work: {listed}."
    )


def _balance(audit: EnergyAudit) -> str:
    """What each component brought in, over time and until the end."""
    shares = sorted(audit.shares, key=lambda share: -np.abs(share.added).max(initial=0.0))
    curves = [PanelCurve("model's energy", audit.time, audit.energy)]
    curves += [
        PanelCurve(share.component, audit.time, share.added) for share in shares[:MOST_SHARES]
    ]
    rest = sum((share.added for share in shares[MOST_SHARES:]), np.zeros_like(audit.time))
    if len(shares) > MOST_SHARES:
        curves.append(PanelCurve("all others", audit.time, rest))
    panel = Panel("Energy since the start, and who brought it in", "time [s]", "[J]", tuple(curves))
    least = ROUND_OFF * max((abs(value) for _, value in audit.rows), default=0.0)
    rows = [(name, f"{value:.6g}") for name, value in audit.rows if abs(value) > least]
    idle = ", ".join(name for name, value in audit.rows if abs(value) <= least)
    return (
        page.drawing(draw_panels([panel]), "energy that components brought in, over time")
        + page.table(("component", "energy brought in [J]"), rows)
        + page.paragraph(f"Nothing until the end: {idle}." if idle else "")
        + page.paragraph(audit.verdict)
    )


# The part of a report that says how to get the same run again.

FOLDED = 6  # rows of inner values, beyond which they open on a click


def recipe_section(recipe: RunRecipe | None, facts: RunFacts) -> str:
    """Versions, files with their hashes, settings and inputs; without a recipe what is known."""
    if recipe is None:
        inputs = {name: input_as_json(signal) for name, signal in facts.inputs.items()}
        told: dict[str, Any] = {"versions": versions()}
        told |= {"inputs": inputs, "parameters": dict(facts.parameters)}
        return "".join(_part(name, values) for name, values in told.items())
    told = recipe.told()
    first = page.table(("", ""), [("sha256 of all of this", recipe.sha256)])
    return first + "".join(_part(name, values) for name, values in told.items() if values)


def _part(name: str, values: Any) -> str:
    rows = list(_rows(values))
    if not rows:
        return ""
    listed = page.table((name, ""), rows)
    return page.folded(f"{name}, {len(rows)} values", listed) if len(rows) > FOLDED else listed


def _rows(values: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Values by their names; what is not given is left out."""
    if isinstance(values, Mapping):
        for name, value in values.items():
            yield from _rows(value, f"{before}, {name}" if before else str(name))
    elif values is not None:
        yield before, f"{values:.10g}" if isinstance(values, float) else str(values)
