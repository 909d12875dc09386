"""Diagrams of findings as panels."""

from __future__ import annotations

from collections.abc import Iterable

from axletree.model.manoeuvres.diagram import Diagram
from axletree.simulation.panels import Curve, Panel


def diagram_panels(diagrams: Iterable[Diagram]) -> list[Panel]:
    """A panel for each that has something to show."""
    panels = []
    for one in diagrams:
        curves = tuple(Curve(t.label, t.x, t.y, t.is_guide) for t in one.traces if len(t.x))
        if curves:
            panels.append(
                Panel(one.title, one.x_label, one.y_label, curves, over_time=False,
                      marks=one.marks, is_logarithmic=one.is_logarithmic)
            )  # fmt: skip
    return panels
