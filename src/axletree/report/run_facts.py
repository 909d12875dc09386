"""What a trajectory does not know of its own run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from axletree.simulation.signals import Signal


@dataclass(frozen=True)
class RunFacts:
    """How a run was made."""

    inputs: Mapping[str, Signal] = field(default_factory=dict)  # as given to ``simulate``
    parameters: Mapping[str, float] = field(default_factory=dict)  # likewise
