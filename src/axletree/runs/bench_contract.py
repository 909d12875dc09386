"""The contract of test benches (Andres 2009, section 6.1), and what a bench holds: a tyre.

1. A bench makes models from a tyre: ``setups`` says what is driven, what is recorded and what
   is plotted. Nothing of it is run here.
2. A model proposes its run and its plots as any model does; it can be written to a file.
3. A tyre that a bench cannot hold is refused with a sentence, by the bench or by the parts of
   the tyre that do not go together with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from axletree.components.fields import kind_of
from axletree.components.parts import Part, part, part_word
from axletree.core.errors import ModelError
from axletree.core.units import to_si
from axletree.model.model import Model
from axletree.wheel.contract import TyreLaw, knows_pressure
from axletree.wheel.normal_forces import NormalForce

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


NOMINAL_LOAD = 3000.0  # N, of laws that name none (Andres 2009, eq. 3.51)
NOMINAL_PRESSURE = 2.2e5  # Pa, the same
_PRESSURES = ("INFLPRES", "NOMPRES")  # of the parameter that laws have for it
_LOADS = ("FNOMIN", "nominal_load")  # of the parameter that laws have for it


@dataclass(frozen=True)
class Subject:
    """A tyre without axle and road.

    Example:
    >>> from axletree.runs.bench_contract import Subject
    >>> spring = {"type": "linear", "stiffness": "230 kN/m"}
    >>> tyre = Subject("tyre", {"unloaded_radius": "317 mm", "normal_force": spring})
    >>> print(f"{tyre.radius} m, {tyre.normal_force.stiffness:.0f} N/m")
    0.317 m, 230000 N/m
    """

    name: str
    fields: Mapping[str, Any] = field(repr=False)  # of a tyre, as a model file has them

    @property
    def radius(self) -> float:
        """[m], without load."""
        if "unloaded_radius" not in self.fields:
            raise ModelError(f"{self.name}: the key 'unloaded_radius' is missing")
        return to_si(self.fields["unloaded_radius"], expected="m")

    @property
    def law(self) -> TyreLaw:
        """Forces over slip and load."""
        law: TyreLaw = self._part("law", "TYRES")
        return law

    @property
    def normal_force(self) -> NormalForce:
        """The vertical spring."""
        force: NormalForce = self._part("normal_force", "NORMAL_FORCES")
        return force

    def _part(self, field: str, title: str) -> Any:
        kind = kind_of(part(title, field))
        assert kind is not None
        if field not in self.fields:
            raise ModelError(f"{self.name}: the key {field!r} is missing")
        return kind.check(self.fields[field])

    @property
    def load(self) -> float:
        """[N], that the law is for."""
        numbers = {name.rpartition(".")[2]: value for name, value in self.law.numbers.items()}
        return next((numbers[name] for name in _LOADS if numbers.get(name)), NOMINAL_LOAD)

    @property
    def knows_pressure(self) -> bool:
        """Whether forces depend on the inflation pressure."""
        return knows_pressure(self.law)

    @property
    def pressure(self) -> float:
        """[Pa], of the tyre, or else of its law."""
        given = self.fields.get("inflation_pressure")
        if given is not None:
            return to_si(given, expected="Pa")
        numbers = self.law.numbers
        return next((numbers[name] for name in _PRESSURES if numbers.get(name)), NOMINAL_PRESSURE)

    @property
    def has_rim(self) -> bool:
        """Whether a rim may touch the ground."""
        return self._word("rim", "none") != "none"

    @property
    def moves_within(self) -> bool:
        """Whether belt or contact point move, which takes short steps."""
        still = {"belt": "rigid", "contact_dynamics": "none"}
        return any(self._word(name, word) != word for name, word in still.items())

    def _word(self, field: str, default: str) -> str:
        """The type of a part, as a file has it or as an object has it."""
        value = self.fields.get(field, default)
        if isinstance(value, Part):
            return part_word(value, _SECTIONS[field])
        return str(value["type"] if isinstance(value, Mapping) else value)


_SECTIONS = {"rim": "RIMS", "belt": "BELTS", "contact_dynamics": "CONTACT_DYNAMICS"}
