"""The same system with set-valued forces as inputs, formed when a step is to be solved for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from axletree.formulation.equations import Equations
from axletree.system.form import Form


@dataclass(frozen=True, eq=False)
class Opened:
    """What the opened system is formed from; ``changes`` are made to it in turn."""

    equations: Equations = field(repr=False)  # with set-valued rows
    form: Form
    start: Mapping[str, float]
    changes: tuple[Callable[[Any], Any], ...] = ()  # each from a system to a system

    def then(self, change: Callable[[Any], Any]) -> Opened:
        return replace(self, changes=(*self.changes, change))
