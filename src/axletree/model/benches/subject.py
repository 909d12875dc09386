"""What is on the bench: the fields of a tyre."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from axletree.core.errors import ModelError
from axletree.core.units import to_si
from axletree.library.fields import kind_of
from axletree.library.part import Part, part
from axletree.library.part_words import part_word
from axletree.library.tyres.contract import TyreLaw, knows_pressure
from axletree.library.tyres.normal_force import NormalForce

NOMINAL_LOAD = 3000.0  # N, of laws that name none (Andres 2009, eq. 3.51)
NOMINAL_PRESSURE = 2.2e5  # Pa, the same
_PRESSURES = ("INFLPRES", "NOMPRES")  # of the parameter that laws have for it
_LOADS = ("FNOMIN", "nominal_load")  # of the parameter that laws have for it


@dataclass(frozen=True)
class Subject:
    """A tyre without axle and road.

    Example:
    >>> from axletree.model.benches.subject import Subject
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
