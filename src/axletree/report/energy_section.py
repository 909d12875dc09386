"""The part of a report that says where energy came from and where it went."""

from __future__ import annotations

import numpy as np

from axletree.analysis.energy_audit import working_components
from axletree.analysis.energy_balance import EnergyAudit
from axletree.report import page
from axletree.report.recomputed import outputs_along
from axletree.report.run_facts import RunFacts
from axletree.simulation.panel_plot import draw_panels
from axletree.simulation.panels import Curve, Panel
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

ENERGIES = ("energy.kinetic", "energy.potential", "energy.total")
POINTS = 500
MOST_NAMES = 12
ROUND_OFF = 1e-12  # of the greatest share
MOST_SHARES = 6  # components with a curve of their own


def energy(
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
            Curve(name.partition(".")[2], run.time[records], values[name]) for name in ENERGIES
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
    curves = [Curve("model's energy", audit.time, audit.energy)]
    curves += [Curve(share.component, audit.time, share.added) for share in shares[:MOST_SHARES]]
    rest = sum((share.added for share in shares[MOST_SHARES:]), np.zeros_like(audit.time))
    if len(shares) > MOST_SHARES:
        curves.append(Curve("all others", audit.time, rest))
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
