"""What a driven cycle contributes to its page: curves over time, and where the energy went."""

from __future__ import annotations

from axletree.analysis.drive_cycle import CycleResult
from axletree.plot.cycles import cycle_panels
from axletree.reports.analysis_report import PageSection, ShareBar


def cycle_sections(result: CycleResult) -> list[PageSection]:
    """Curves first, then the table of energy with a bar for each flow.

    Example:
    >>> import axletree as at
    >>> from axletree.reports.cycle_sections import cycle_sections
    >>> car = at.read_model("electric-car", {"vehicle": {"fidelity": "single-track"}})
    >>> hop = at.DriveCycle("hop", (0.0, 4.0, 6.0), (0.0, 6.0, 6.0))  # s, m/s
    >>> [section.title for section in cycle_sections(car.cycle(hop, step="2 ms"))]
    ['Cycle', 'Energy']
    """
    total = sum(flow.energy for flow in result.supplied)
    bars = [
        ShareBar("energy", flow.name, flow.energy, f"{flow.energy / 3.6e6:.3f} kWh, "
                 f"{100.0 * flow.energy / total if total else 0.0:.1f} %")
        for flow in result.flows if flow.energy
    ]  # fmt: skip
    return [
        PageSection("Cycle", cycle_panels(result)),
        PageSection("Energy", tables=[result.energy_table], notes=[result.balance_in_words],
                    bars=bars),
    ]  # fmt: skip
