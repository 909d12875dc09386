"""What a trajectory does not know of its own run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from axletree.simulation.signals import Signal


@dataclass(frozen=True)
class RunFacts:
    """How a run was made.

    Example:
    >>> from axletree.report.html import RunFacts
    >>> RunFacts(parameters={"rod.mass": 2.0}).parameters  # kg
    {'rod.mass': 2.0}
    """

    inputs: Mapping[str, Signal] = field(default_factory=dict)  # as given to ``simulate``
    parameters: Mapping[str, float] = field(default_factory=dict)  # likewise
