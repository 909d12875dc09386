"""Diagrams of findings as panels."""

from __future__ import annotations

from collections.abc import Iterable

from axletree.model.manoeuvres.diagram import Diagram
from axletree.simulation.panels import Curve, Panel


def diagram_panels(diagrams: Iterable[Diagram]) -> list[Panel]:
    """A panel for each that has something to show.

    Example:
    >>> import numpy as np
    >>> from axletree.model.manoeuvres.diagram import over_time
    >>> from axletree.report.diagram_panels import diagram_panels
    >>> time = np.linspace(0.0, 1.0, 11)  # s
    >>> (panel,) = diagram_panels([over_time("Yaw rate", "rad/s", time, {"": 0.1 * time}, [])])
    >>> print(panel.title, len(panel.curves))
    Yaw rate 1
    """
    panels = []
    for one in diagrams:
        curves = tuple(Curve(t.label, t.x, t.y, t.is_guide) for t in one.traces if len(t.x))
        if curves:
            panels.append(
                Panel(one.title, one.x_label, one.y_label, curves, over_time=False,
                      marks=one.marks, is_logarithmic=one.is_logarithmic)
            )  # fmt: skip
    return panels
