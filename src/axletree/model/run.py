"""How a model is run where nothing else is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from axletree.core.expr import Expr


@dataclass(frozen=True)
class Run:
    """The run that a model proposes; what is None is left to the caller."""

    duration: float | None = None  # [s]
    step: float | None = None  # [s]
    method: str | None = None  # a name of the catalogue's integrators
    record_interval: float | None = None  # [s]
    outputs: tuple[str, ...] | None = None
    inputs: Mapping[str, float | Expr] = field(default_factory=dict)  # by name, of time, in SI
