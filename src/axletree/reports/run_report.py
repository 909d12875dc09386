"""The report of a run: one page with a verdict, the motion, plots, and what the model is.

This module gathers what the page shows; ``templates/run_report.html.jinja`` lays it out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np

from axletree.analysis.drive import drive_start
from axletree.analysis.energy import EnergyAudit, working_components
from axletree.code.backends.runnable import language_in_words
from axletree.code.system_operations import Operations, count_system
from axletree.core.arguments import check_arguments
from axletree.core.errors import SimulationError
from axletree.core.files import check_writable, write_text
from axletree.core.registry import few_names
from axletree.core.units import printed_unit
from axletree.metrics.findings import Finding, unit_in_words, value_in_words
from axletree.metrics.verdict import VERDICT_DIGITS
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model, Plot
from axletree.plot.figure_files import write_figure
from axletree.plot.graph import graph_text
from axletree.plot.ground import draw_path, path_panel
from axletree.plot.model_plots import (
    ShownRun,
    diagram_panels,
    plot_panels,
    plotted_units,
    wheel_panels,
)
from axletree.plot.panels import Panel, PanelCurve, automatic_panels, draw_panels, without_zeros
from axletree.reports.animation.animation import animation
from axletree.reports.animation.motion import AnimationError
from axletree.reports.charts.chart_data import ChartPage
from axletree.reports.data_sheet import mechanism_sheet
from axletree.reports.graph_drawing import graph_drawings
from axletree.reports.page import render
from axletree.reports.results import RunRecipe, input_as_json, versions
from axletree.runs.follow_path import FollowPath
from axletree.simulation.recomputed_outputs import RunFacts, outputs_along
from axletree.simulation.simulate import form_for
from axletree.simulation.trajectory import Trajectory, thinned_records
from axletree.system.formulation import formulate
from axletree.system.symbolic_equations import symbolic_equations
from axletree.system.system import System
from axletree.vehicles.data_sheet import data_sheet
from axletree.vehicles.vehicle import Vehicle

REPORT = "report.html"
PICTURES = PLOTS, PATH, MARKS, ALL_STATES = "plots.png", "path.png", "metrics.png", "states.png"
MOST_OPERATIONS = 400  # of a system whose equations people still read
RESULT_ENDINGS = (
    ".csv", ".npz", ".mat", ".mf4", ".parquet", ".png", ".gif", ".svg", ".json",
)  # fmt: skip
_RATE, MOST_INSTANTS = 30.0, 450  # of the animation: a second, and of the whole run
_LONGEST, _LEAST_RATE = 1_100_000, 5.0  # letters of it, and the rate at which it is left as it is
MOST_PANELS = 30
_MOST_POINTS = 2000  # of a curve whose values are computed again

Shown = dict[str, Any]  # what a section of the page shows, by the names of the template


def write_report(
    system: System,
    model: Model,
    run: Trajectory,
    folder: str | Path,
    *,
    title: str = "",
    facts: RunFacts | None = None,
    audit: EnergyAudit | None = None,
    findings: Sequence[Finding] = (),
    manoeuvre: Manoeuvre | None = None,
    recipe: RunRecipe | None = None,
    pictures: bool = False,
) -> Path:
    """Write ``report.html`` into the folder, with links to the results that are there.

    It holds all that it shows: the run in three dimensions, the data sheet, the findings of the
    manoeuvre with marks on their curves, the path of a manoeuvre that follows one, the plots that
    the model proposes, and all that the run recorded. With ``pictures``, these are also the files
    ``metrics.png``, ``path.png``, ``plots.png`` and ``states.png``. Poses, energies and what plots
    ask for are computed again from the states where they were not recorded, with the inputs and
    parameters of ``facts``. An audit of the same run adds the energy balance by component, a recipe
    what reproduces the run. Facts and findings are those of the manoeuvre, if none are given.

    Example:
    >>> import axletree as at
    >>> from axletree.reports.run_report import write_report
    >>> model = at.read_model("rlc-circuit")
    >>> system = model.formulate()
    >>> write_report(system, model, system.simulate(0.1, step=0.01), "results").name
    'report.html'
    """
    folder = Path(folder)
    facts = facts or _facts(system, manoeuvre)
    operations = count_system(system)
    name = title or model.name.replace("_", " ")
    if not findings and manoeuvre is not None and run.complete:
        findings = manoeuvre.findings(run)
    for picture in PICTURES:
        (folder / picture).unlink(missing_ok=True)  # of another run in the same folder
    marks = _marks(manoeuvre, run) if findings else []
    proposed = _without_path(manoeuvre, model.plots)
    plots = _plots(system, proposed, run, facts, is_vehicle="vehicle" in model.described)
    tested = _what_was_run(run, manoeuvre)
    if pictures:
        _write_pictures(folder, run, marks, plots["panels"], manoeuvre)
    text = render(
        "run_report",
        charts=ChartPage(2 * len(run.names)),  # plots show again what is among all signals
        title=name,
        description=model.description,
        what_was_run=tested,
        run=run,
        animation=_animation(system, model, run, facts, name),
        verdict=None if manoeuvre is None else manoeuvre.verdict(findings, tested),
        findings=[
            (
                one.description,
                value_in_words(one.value, one.unit, VERDICT_DIGITS),
                _unit(unit_in_words(one.unit)),
            )
            for one in findings
        ],  # fmt: skip
        marks=marks,
        path=_path(manoeuvre, run),
        plots=plots,
        run_rows=_run_rows(system, run),
        signals=_signals(run, folded=bool(model.plots)),
        energy=_energy(system, run, facts),
        balance=None if audit is None else _balance(audit),
        graph=_graph(system),
        constraints=[
            (c.source, c.reaction.name, c.reaction.description) for c in system.constraints
        ],
        redundant=system.redundant,
        equations=_equations(system, operations),
        operations=[(title, *map(str, astuple(count))) for title, count in operations.rows],
        recipe=_recipe(recipe, facts),
        files=_files(folder),
        **_sheet(model, system),
        **_variables(system, run),
    )
    path = folder / REPORT
    write_text(path, text)
    return path


def report_of_run(run: Trajectory, folder: str | Path, *, pictures: bool = False) -> Path:
    """The report of a run that knows what it was made of."""
    check_arguments(report_of_run, locals())
    origin = run.origin
    if origin is None:
        raise SimulationError(
            f"the run of {run.system} was not driven by a model, and does not know what its report "
            "shows beside the records; try: model.drive(...).report(folder), or "
            "axletree.reports.run_report.write_report(system, model, run, folder)"
        )
    folder = Path(folder)
    check_writable(folder)
    folder.mkdir(parents=True, exist_ok=True)
    system = formulate(origin.model, form=form_for(run.method))
    facts = RunFacts(origin.inputs, origin.parameters)
    return write_report(
        system, origin.model, run, folder, facts=facts, findings=run.findings,
        manoeuvre=origin.manoeuvre, pictures=pictures,
    )  # fmt: skip


def _facts(system: System, manoeuvre: Manoeuvre | None) -> RunFacts:
    """As a run of this manoeuvre begins; without one there are no inputs."""
    if manoeuvre is None:
        return RunFacts()
    start = drive_start(system, manoeuvre, {})
    return RunFacts(start.inputs, {name: float(one) for name, one in start.parameters.items()})


def _what_was_run(run: Trajectory, manoeuvre: Manoeuvre | None) -> str:
    span = f"{float(run.time[-1] - run.time[0]):.4g} s" if len(run) else "nothing recorded"
    return f"{'own run of the model' if manoeuvre is None else manoeuvre.tested}, {span}"


def _animation(system: System, model: Model, run: Trajectory, facts: RunFacts, title: str) -> str:
    """The run in three dimensions; nothing of what has no shape. Of many bodies it has fewer
    instants, so that the page stays small."""
    span = float(run.time[-1] - run.time[0]) if len(run) else 0.0
    rate = min(_RATE, MOST_INSTANTS / span) if span > 0.0 else _RATE

    try:
        while True:
            made = animation(model, run, system=system, facts=facts, title=title, rate=rate)
            if len(made.embedded) <= _LONGEST or rate < _LEAST_RATE:
                return made.embedded
            rate /= 3.0  # peaks stay, so that less would not make it shorter
    except AnimationError:
        return ""


def _marks(manoeuvre: Manoeuvre | None, run: Trajectory) -> list[Panel]:
    """Each finding on its curve."""
    if manoeuvre is None or not run.complete:
        return []
    return diagram_panels(manoeuvre.diagrams(run))


def _path(manoeuvre: Manoeuvre | None, run: Trajectory) -> list[Panel]:
    """Nothing of a manoeuvre that follows no path."""
    if not isinstance(manoeuvre, FollowPath) or not len(run):
        return []
    return [path_panel(manoeuvre, run)]


def _write_pictures(
    folder: Path,
    run: Trajectory,
    marks: Sequence[Panel],
    plots: Sequence[Panel],
    manoeuvre: Manoeuvre | None,
) -> None:
    """As files, for other documents."""
    for name, panels in {MARKS: marks, PLOTS: plots}.items():
        if panels:
            write_figure(draw_panels(panels), folder / name)
    if isinstance(manoeuvre, FollowPath) and len(run):
        write_figure(draw_path(manoeuvre, run), folder / PATH)
    if len(run) and run.states:
        run.plot(*run.states, path=folder / ALL_STATES)


def _without_path(manoeuvre: Manoeuvre | None, plots: Sequence[Plot]) -> list[Plot]:
    """The plots but that of a path in the plane, where the picture shows more of it."""
    if not isinstance(manoeuvre, FollowPath):
        return list(plots)
    x, y = manoeuvre.place[:2]
    return [plot for plot in plots if (plot.x, plot.y) != (x, (y,))]


def _plots(
    system: System, proposed: Sequence[Plot], run: Trajectory, facts: RunFacts, *, is_vehicle: bool
) -> Shown:
    """What a model proposes to show, in its order; of wheels also what follows from it."""
    if not len(run) or not proposed:
        return {"panels": [], "still": [], "missing": []}
    shown = _shown(system, proposed, run, facts)
    panels = [*plot_panels(proposed, {run.system: shown}), *wheel_panels(shown)]
    moving = without_zeros(panels)
    missing = [name for plot in proposed for name in plot.unmatched(list(shown.columns))]
    if is_vehicle:  # its plots are for all kinds of vehicles
        missing = [name for name in missing if "*" not in name]
    return {
        "panels": moving,
        "still": [panel.title for panel in panels if panel not in moving],
        "missing": list(dict.fromkeys(missing)),
    }


def _shown(system: System, proposed: Sequence[Plot], run: Trajectory, facts: RunFacts) -> ShownRun:
    """The columns that plots ask for, from the run where it has them."""
    units = plotted_units(system, proposed)
    records = thinned_records(run, units, _MOST_POINTS)
    columns = {name: run[name][records] for name in units if name in run}
    columns |= _recomputed(system, run, facts, [name for name in units if name not in run], records)
    return ShownRun(run.time[records], {name: columns[name] for name in units}, units)


def _recomputed(
    system: System, run: Trajectory, facts: RunFacts, names: Sequence[str], records: np.ndarray
) -> Mapping[str, np.ndarray]:
    if not names:
        return {}
    return outputs_along(
        system, run, names, records.tolist(), inputs=facts.inputs, parameters=facts.parameters
    )


def _sheet(model: Model, system: System) -> Shown:
    """What ``axletree check`` prints; of a vehicle also what of it is unusual."""
    vehicle = model.described.get("vehicle")
    found = data_sheet(vehicle) if isinstance(vehicle, Vehicle) else None
    rows = mechanism_sheet(model, system) if found is None else found.rows
    return {
        "sheet": [(r.name.replace("_", " "), r.in_words, _unit(r.unit)) for r in rows],
        "unusual": () if found is None else found.warnings,
    }


def _unit(unit: str) -> str:
    return "" if unit == "1" else printed_unit(unit)


def _run_rows(system: System, run: Trajectory) -> list[tuple[str, str]]:
    span = float(run.time[-1] - run.time[0]) if len(run) else 0.0
    rows = [
        ("time", f"{run.time[0]:g} s to {run.time[-1]:g} s" if len(run) else "nothing recorded"),
        ("records", str(len(run))),
        ("method", run.method),
        ("degrees of freedom", system.freedoms_in_words),
        ("states", str(len(system.states))),
    ]
    if run.step_error is not None:
        rows.insert(3, ("estimated error of its steps", run.step_error.in_words))
    if run.elapsed:
        speed = f"{float(f'{span / run.elapsed:.3g}'):g} s of motion per second"
        speed += language_in_words()
        rows.append(("integrated in", f"{float(f'{run.elapsed:.3g}'):g} s: {speed}"))
        if run.steps:
            each = float(f"{1e6 * run.elapsed / run.steps:.3g}")
            rows.append(("steps", f"{run.steps}, {each:g} µs per step on average"))
    if run.residual is not None:
        rows.append(("residual of set-valued forces", run.residual.in_words))
    return rows


def _signals(run: Trajectory, *, folded: bool) -> Shown:
    """All that was recorded, grouped by unit and name."""
    panels = automatic_panels(run.time, run.columns, run.units) if len(run) else []
    left = sum(len(panel.curves) for panel in panels[MOST_PANELS:])
    return {"panels": panels[:MOST_PANELS], "left": left, "folded": folded}


# The energy balance.

ENERGIES = ("energy.kinetic", "energy.potential", "energy.total")
ENERGY_POINTS = 500
MOST_NAMES = 12
ROUND_OFF = 1e-12  # of the greatest share
MOST_SHARES = 6  # components with a curve of their own


def _energy(system: System, run: Trajectory, facts: RunFacts) -> Shown | None:
    """Kinetic and potential energy, and what may change their sum."""
    known = {definition.quantity.name for definition in system.outputs}
    if not known.issuperset(ENERGIES) or not len(run):
        return None
    records = thinned_records(run, ENERGIES, ENERGY_POINTS)
    values = _recomputed(system, run, facts, ENERGIES, records)
    curves = tuple(
        PanelCurve(name.partition(".")[2], run.time[records], values[name]) for name in ENERGIES
    )
    panel = Panel("Energy of the model", "time [s]", "[J]", curves)
    return {"panels": [panel], "sentence": _energy_sentence(system, values["energy.total"])}


def _energy_sentence(system: System, total: np.ndarray) -> str:
    course = f"The total goes from {total[0]:.6g} J to {total[-1]:.6g} J."
    workers = working_components(system) if system.source is not None else ()
    if not workers:
        return f"{course} No component does work, so its change is the integration error."
    listed = few_names(workers, MOST_NAMES)
    return (
        f"{course} Sources and drivers add energy, dampers, brakes and tyres dissipate it; these "
        f"components do work: {listed}."
    )


def _balance(audit: EnergyAudit) -> Shown:
    """The energy that each component supplied, over time and in total."""
    shares = sorted(audit.shares, key=lambda share: -np.abs(share.added).max(initial=0.0))
    curves = [PanelCurve("energy of the model", audit.time, audit.energy)]
    curves += [
        PanelCurve(share.component, audit.time, share.added) for share in shares[:MOST_SHARES]
    ]
    if len(shares) > MOST_SHARES:
        rest = sum((share.added for share in shares[MOST_SHARES:]), np.zeros_like(audit.time))
        curves.append(PanelCurve("all others", audit.time, rest))
    panel = Panel("Energy supplied since the start, by component", "time [s]", "[J]", tuple(curves))
    least = ROUND_OFF * max((abs(value) for _, value in audit.rows), default=0.0)
    return {
        "panels": [panel],
        "rows": [(name, f"{value:.6g}") for name, value in audit.rows if abs(value) > least],
        "idle": [name for name, value in audit.rows if abs(value) <= least],
        "verdict": audit.verdict,
    }


def _graph(system: System) -> Shown | None:
    if system.source is None:
        return None
    graph, trees = system.source.graph, system.source.trees
    return {"drawings": graph_drawings(graph, trees), "edges": graph_text(graph, trees)}


def _variables(system: System, run: Trajectory) -> Shown:
    def ends(values: np.ndarray) -> tuple[str, ...]:
        found = (values[0], values[-1], values.min(), values.max()) if len(values) else ()
        return tuple(f"{x:.6g}" for x in found)

    return {
        "states": [
            (q.name, _unit(q.unit), q.description, *ends(run[q.name])) for q in system.states
        ],
        "inputs": [(q.name, _unit(q.unit), q.description) for q in system.inputs],
        "parameters": [
            (q.name, f"{q.default:g}", _unit(q.unit), q.description) for q in system.parameters
        ],
    }


def _equations(system: System, operations: Operations) -> str:
    """As text, where they are short enough to be read."""
    if system.source is None or operations.total.total > MOST_OPERATIONS:
        return ""
    return symbolic_equations(system).text()


def _recipe(recipe: RunRecipe | None, facts: RunFacts) -> list[tuple[str, list[tuple[str, str]]]]:
    """Versions, files with their hashes, settings and inputs; without a recipe what is known."""
    listed: dict[str, Any]
    if recipe is None:
        inputs = {name: input_as_json(signal) for name, signal in facts.inputs.items()}
        listed = {"versions": versions(), "inputs": inputs, "parameters": dict(facts.parameters)}
    else:
        listed = {"": {"sha256 of the following": recipe.sha256}, **recipe.content()}
    return [(name, list(_recipe_rows(values))) for name, values in listed.items()]


def _recipe_rows(values: Any, before: str = "") -> Iterator[tuple[str, str]]:
    """Values by their names; what is not given is left out."""
    if isinstance(values, Mapping):
        for name, value in values.items():
            yield from _recipe_rows(value, f"{before}, {name}" if before else str(name))
    elif values is not None:
        yield before, f"{values:.10g}" if isinstance(values, float) else str(values)


def _files(folder: Path) -> Sequence[str]:
    return sorted(path.name for path in folder.glob("*") if path.suffix in RESULT_ENDINGS)
