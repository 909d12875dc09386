"""The report of a run: one page that shows the mechanism, its graph, its equations, its motion."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from axletree.analysis.drive import drive_start
from axletree.analysis.energy import EnergyAudit
from axletree.code.system_operations import Operations, count_system
from axletree.core.files import write_text
from axletree.core.units import printed_unit
from axletree.expr.quantity import Quantity
from axletree.metrics.findings import Finding
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.plot.graph import GraphPictureError, draw_graph, graph_text
from axletree.plot.mechanism import draw_mechanism, mechanism_poses
from axletree.report import page, sections
from axletree.report.animation.animation import animation
from axletree.report.animation.motion import AnimationError
from axletree.report.data_sheet import sheet_section
from axletree.report.results import RunRecipe
from axletree.report.sections import finding_section, path_section, recipe_section, without_path
from axletree.simulation.recomputed_outputs import RunFacts
from axletree.simulation.trajectory import Trajectory
from axletree.system.symbolic_equations import symbolic_equations
from axletree.system.system import System

REPORT, PLOTS, PATH, MARKS = "report.html", "plots.png", "path.png", "metrics.png"
MOST_ROWS = 16  # of a table that is not folded
MOST_OPERATIONS = 400  # of a system whose equations people still read
RESULT_ENDINGS = (
    ".csv", ".npz", ".mat", ".mf4", ".parquet", ".png", ".gif", ".svg", ".json",
)  # fmt: skip
RATE, MOST_INSTANTS = 30.0, 450  # of the animation: a second, and of the whole run


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
) -> Path:
    """Write ``report.html`` into the folder, with links to the results that are there.

    It holds all that it shows: the run in three dimensions, the data sheet, what the manoeuvre
    came to with marks where that is read (also ``metrics.png``), the path of a manoeuvre that
    follows one (``path.png``), the plots that the model proposes (``plots.png``), and all that the
    run recorded. Poses, energies and what plots ask for are computed again from the states where
    they were not recorded, with the inputs and parameters of ``facts``. An audit of the same run
    adds who brought energy in, a recipe how to get the same run again. Facts and findings are
    those of the manoeuvre, if none are given.

    Example:
    >>> import axletree as at
    >>> from axletree.report.run_report import write_report
    >>> model = at.read_model("rlc-circuit")
    >>> system = model.formulate()
    >>> write_report(system, model, system.simulate(0.1, step=0.01), "results").name
    'report.html'
    """
    folder = Path(folder)
    facts = facts or _facts(system, manoeuvre)
    operations = count_system(system)
    name = title or model.name.replace("_", " ")
    proposed = without_path(manoeuvre, model.plots)
    if not findings and manoeuvre is not None and run.complete:
        findings = manoeuvre.findings(run)
    parts = [
        page.section("Motion", _animated(system, model, run, facts, name),
                     _mechanism(system, model, run, facts)),
        page.section("Metrics", finding_section(findings, manoeuvre, run, folder / MARKS)),
        page.section("Path", path_section(manoeuvre, run, folder / PATH)),
        page.section("Plots",
                     sections.plot_section(system, proposed, run, facts, folder / PLOTS)),
        page.section("Data sheet", sheet_section(model, system)),
        page.section("The run", page.table(("", ""), _run_rows(system, run))),
        page.section("Signals", sections.signal_section(run, folded=bool(model.plots))),
        page.section("Energy", sections.energy_section(system, run, facts, audit)),
        page.section("Linear graph", _graph(system)),
        page.section("Variables", *_variables(system, run)),
        page.section("Constraints", _constraints(system)),
        page.section("Equations", _equations(system, operations)),
        page.section("Operations", _operations(operations)),
        page.section("How to get it again", recipe_section(recipe, facts)),
        page.section("Files", page.links(_files(folder))),
    ]  # fmt: skip
    head = [
        page.heading(name),
        page.paragraph(model.description),
        page.paragraph(_what_was_run(run, manoeuvre)),
        _notice(run),
        page.contents(parts),
    ]
    path = folder / REPORT
    write_text(path, page.page(name, [*head, *parts]))
    return path


def _facts(system: System, manoeuvre: Manoeuvre | None) -> RunFacts:
    """As a run of this manoeuvre begins; without one there are no inputs."""
    if manoeuvre is None:
        return RunFacts()
    start = drive_start(system, manoeuvre, {})
    return RunFacts(start.inputs, {name: float(one) for name, one in start.parameters.items()})


def _what_was_run(run: Trajectory, manoeuvre: Manoeuvre | None) -> str:
    span = f"{float(run.time[-1] - run.time[0]):.4g} s" if len(run) else "nothing recorded"
    if manoeuvre is None:
        return f"The model's own run, {span}."
    summary = manoeuvre.summary[:1].upper() + manoeuvre.summary[1:]
    return f"{summary}, from {3.6 * manoeuvre.speed:.4g} km/h, {span}."


def _animated(system: System, model: Model, run: Trajectory, facts: RunFacts, title: str) -> str:
    """The run in three dimensions; nothing of what has no shape."""
    span = float(run.time[-1] - run.time[0]) if len(run) else 0.0
    rate = min(RATE, MOST_INSTANTS / span) if span > 0.0 else RATE
    try:
        made = animation(model, run, system=system, facts=facts, title=title, rate=rate)
    except AnimationError:
        return ""
    return made.embedded


def _notice(run: Trajectory) -> str:
    if run.complete:
        return page.notice(f"Do not rely on this run: {run.note}") if run.note else ""
    return page.notice(f"The run is not complete: {run.note}")


def _mechanism(system: System, model: Model, run: Trajectory, facts: RunFacts) -> str:
    poses = mechanism_poses(system, model, run, inputs=facts.inputs, parameters=facts.parameters)
    if poses is None:
        return ""
    return page.drawing(draw_mechanism(poses), "the mechanism at a few instants")


def _run_rows(system: System, run: Trajectory) -> list[tuple[str, str]]:
    span = float(run.time[-1] - run.time[0]) if len(run) else 0.0
    rows = [
        ("time", f"{run.time[0]:g} s to {run.time[-1]:g} s" if len(run) else "nothing recorded"),
        ("records", str(len(run))),
        ("method", run.method),
        ("degrees of freedom", system.freedoms_in_words),
        ("states", str(len(system.states))),
    ]
    if run.elapsed:
        speed = f"{float(f'{span / run.elapsed:.3g}'):g} s of motion per second"
        rows.append(("integrated in", f"{run.elapsed:.3g} s: {speed}"))
        if run.steps:
            each = 1e6 * run.elapsed / run.steps
            rows.append(("steps", f"{run.steps}, each {each:.3g} µs in the mean"))
    if run.residual is not None:
        rows.append(("residual of set-valued forces", run.residual.in_words))
    return rows


def _graph(system: System) -> str:
    if system.source is None:
        return ""
    graph, trees = system.source.graph, system.source.trees
    listed = page.folded("All edges", page.listing(graph_text(graph, trees)))
    try:
        figure = draw_graph(graph, trees)
    except GraphPictureError as error:
        return page.paragraph(str(error)) + listed
    shown = page.drawing(figure, "linear graph with its trees")
    return (page.folded("Picture", shown) if page.is_wide(figure) else shown) + listed


def _variables(system: System, run: Trajectory) -> list[str]:
    heads = ("state", "unit", "", "first", "last", "least", "greatest")
    states = page.table(heads, [_state_row(q, run) for q in system.states])
    rows = [(q.name, f"{q.default:g}", _unit(q), q.description) for q in system.parameters]
    parameters = page.table(("parameter", "model's value", "unit", ""), rows)
    inputs = page.table(
        ("input", "unit", ""), [(q.name, _unit(q), q.description) for q in system.inputs]
    )
    shown = _short(f"{len(system.states)} states", states, len(system.states))
    return [shown, inputs, page.folded("Parameters", parameters) if parameters else ""]


def _short(summary: str, content: str, rows: int) -> str:
    """What is long opens on a click."""
    return page.folded(summary, content) if rows > MOST_ROWS else content


def _state_row(quantity: Quantity, run: Trajectory) -> tuple[str, ...]:
    values = run[quantity.name]
    ends = (values[0], values[-1], values.min(), values.max()) if len(values) else ()
    return quantity.name, _unit(quantity), quantity.description, *(f"{x:.6g}" for x in ends)


def _unit(quantity: Quantity) -> str:
    return "" if quantity.unit == "1" else printed_unit(quantity.unit)


def _constraints(system: System) -> str:
    rows = [(c.source, c.reaction.name, c.reaction.description) for c in system.constraints]
    listed = page.table(("edge", "reaction", ""), rows) or page.paragraph("None.")
    listed = _short(f"{len(rows)} constraints", listed, len(rows))
    if not system.redundant:
        return listed
    names = ", ".join(system.redundant)
    return listed + page.paragraph(f"Redundant, left out: the constraints of {names}.")


def _equations(system: System, operations: Operations) -> str:
    """As text, where they are short enough to be read."""
    if system.source is None or operations.total.total > MOST_OPERATIONS:
        return ""
    heading = "M dp/dt + C^T f = b, Phi = 0, dq/dt = h"
    return page.folded(heading, page.formulas(symbolic_equations(system).text()))


def _operations(operations: Operations) -> str:
    heads = ("", "additions", "multiplications", "divisions", "functions")
    rows = [
        (title, *(str(n) for n in (c.additions, c.multiplications, c.divisions, c.functions)))
        for title, c in operations.rows
    ]
    return page.table(heads, rows)


def _files(folder: Path) -> Sequence[str]:
    if not folder.is_dir():
        return []
    return sorted(path.name for path in folder.iterdir() if path.suffix in RESULT_ENDINGS)
