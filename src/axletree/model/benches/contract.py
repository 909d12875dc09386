"""The contract of test benches (Andres 2009, section 6.1).

1. A bench makes models from a tyre: ``setups`` says what is driven, what is recorded and what
   is plotted. Nothing of it is run here.
2. A model proposes its run and its plots as any model does; it can be written to a file.
3. A tyre that a bench cannot hold is refused with a sentence, by the bench or by the parts of
   the tyre that do not go together with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from axletree.core.errors import ModelError
from axletree.model.benches.subject import Subject
from axletree.model.model import Model

TYRE = "tyre"  # the name of the tyre in every model of a bench


@dataclass(frozen=True)
class Carpet:
    """A surface over two variables as two families of lines: over x, and over the runs."""

    x: str  # name of a quantity
    y: str  # name of a quantity
    levels: Mapping[str, float]  # of each run, in SI units
    quantity: str  # what the levels are: "normal load"
    unit: str


@dataclass(frozen=True)
class Setup:
    """One model on the bench, and the runs that are made of it."""

    title: str
    model: Model
    given: Mapping[str, float] = field(default_factory=dict)  # states at the start
    slip: float | None = 0.0  # at the start; None where it follows from what is driven
    lifted: bool = False  # whether the wheel starts where the model has it, not on the ground
    runs: Mapping[str, Mapping[str, float]] = field(default_factory=lambda: {"": {}})
    steady: bool = False  # whether the runs make one curve, of the last record of each
    carpet: Carpet | None = None


@dataclass(frozen=True)
class Bench:
    """A test bench; ``runs`` of a setup are parameters by the name of the run."""

    summary: str
    make: Callable[[Subject], list[Setup]]
    needs_slip: bool = False  # whether it forces slip on the tyre
    needs_give: bool = False  # whether it lifts the tyre off the ground

    def setups(self, subject: Subject) -> list[Setup]:
        """What is run; a ModelError tells why nothing can be."""
        if self.needs_slip and (subject.law.holds or subject.law.holds_longitudinal):
            raise ModelError("the bench makes tyres slip, and this one cannot")
        if self.needs_give and subject.normal_force.holds:
            raise ModelError("the bench lifts tyres, and this one is held on the ground")
        return self.make(subject)
