"""The contract between components and the stages that work on them.

A component is a set of edges plus component-level information (Morency 2007, figure 4.2):

1. ``edges()`` says which frames or terminals it joins, in which domain, by which law;
2. its fields are its parameters: symbols in the equations, numbers when it runs;
3. ``inertias()`` gives the mass it carries, ``respond()`` the loads it exerts, its
   internal states' rates, intermediate variables and stored energy;
4. ``couplings()`` ties motions of joints to one another (gears);
5. a component never asks where it is: the motion of its head in its tail is handed over.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from axletree.core.errors import ModelError
from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.core.quantity import Quantity
from axletree.core.vectors import Vector
from axletree.library.component_signals import (
    Course,
    motion_course,
    signal_inputs,
    signal_value,
    time_functions,
)
from axletree.library.edge import MECHANICAL, Domain, Edge, Variable
from axletree.library.exchange import (
    Accelerated,
    Computed,
    Coupling,
    Held,
    Inertia,
    Instant,
    JointLoad,
    Load,
    RelativeMotion,
    Response,
    SetValued,
    Travel,
)
from axletree.library.fields import kind_of
from axletree.library.frame import Frame, checked_name
from axletree.library.load_edges import load_edges
from axletree.library.parameters import flat_parameters

__all__ = [
    "Accelerated",
    "Component",
    "Computed",
    "Coupling",
    "Held",
    "Inertia",
    "Instant",
    "JointLoad",
    "Load",
    "RelativeMotion",
    "Response",
    "SetValued",
    "Travel",
]


@dataclass(frozen=True, eq=False)
class Component:
    """A part of a model: a frozen dataclass whose fields come from ``library.fields``."""

    name: str
    summary: ClassVar[str] = ""
    measured_domains: ClassVar[tuple[Domain, ...]] = MECHANICAL  # in which it exerts loads

    def __post_init__(self) -> None:
        problems: list[str] = []
        _keep(self, "name", checked_name, problems, str(self.name))
        for item in dataclasses.fields(self):
            kind = kind_of(item)
            if kind is not None:
                _keep(self, item.name, kind.check, problems, f"{self.name}.{item.name}")
        if not problems:
            problems += [f"{self.name}: {text}" for text in self.problems()]
        if problems:
            raise ModelError(problems)

    def problems(self) -> list[str]:
        """What is wrong with values that are right one by one."""
        return []

    def cautions(self) -> list[str]:
        """What is allowed, but may not be what is meant; a model warns of it once."""
        return []

    def edges(self) -> tuple[Edge, ...]:
        """By default those of a load between the frames and along the joints it measures."""
        return load_edges(self, self.measured_domains)

    def frames(self) -> tuple[Frame, ...]:
        """Every frame this component names, its own and those it is joined to."""
        values = (getattr(self, item.name) for item in dataclasses.fields(self))
        return tuple(value for value in values if isinstance(value, Frame))

    def references(self) -> tuple[Component, ...]:
        """The components that this one names: joints that it drives or couples."""
        values = (getattr(self, item.name) for item in dataclasses.fields(self))
        return tuple(value for value in values if isinstance(value, Component))

    def inputs(self) -> tuple[Quantity, ...]:
        """The signals that are left open, and the rates of those that are motions."""
        return signal_inputs(self)

    def followed(self) -> tuple[Quantity, ...]:
        """What signals of other components may follow, with rates: inputs, or states."""
        return self.inputs()

    def states(self) -> tuple[Variable, ...]:
        return ()

    def inertias(self) -> tuple[Inertia, ...]:
        return ()

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        """The (tail, head) pairs whose relative motion ``respond`` wants."""
        return ()

    def measured_joints(self) -> tuple[str, ...]:
        """The edges of one freedom ("pin.R1") whose travel ``respond`` wants."""
        return ()

    def across_sources(self, now: Instant) -> Mapping[str, Expr]:
        """The across variable of each network edge that the motion fixes, by edge label.

        Asked before the network is solved: ``now`` has motions, travels and states alone.
        """
        return {}

    @property
    def feels_gravity(self) -> bool:
        """Whether ``respond`` wants gravity, for masses among its states."""
        return False

    def respond(self, now: Instant) -> Response:
        """Loads, rates and outputs, from what holds at this instant."""
        return Response()

    def couplings(self) -> tuple[Coupling, ...]:
        return ()

    # -- parameters --------------------------------------------------------------------
    def parameters(self) -> tuple[Quantity, ...]:
        """The fields that are numbers and not zero, as quantities."""
        return tuple(quantity for _, quantity in flat_parameters(self) if quantity.default)

    def symbol(self, name: str) -> Expr:
        """The symbol of a scalar field, or 0 if its value is exactly zero."""
        return self.numbers(name)[0]

    def numbers(self, name: str) -> list[Expr]:
        """The symbols of a field's numbers, in order; 0 where a value is exactly zero."""
        return list(self._numbers.get(name, ()))

    @cached_property
    def _numbers(self) -> dict[str, list[Expr]]:
        found: dict[str, list[Expr]] = {}
        for name, quantity in flat_parameters(self):
            value = quantity.symbol if quantity.default else ZERO
            found.setdefault(name, []).append(value)
        return found

    def vector(self, name: str) -> Vector:
        return Vector(self.numbers(name))

    def signal(self, name: str) -> Expr:
        """The value of a signal field."""
        return signal_value(self, name)

    def course(self, name: str) -> Course:
        """The value of a motion field and its two derivatives."""
        return motion_course(self, name)

    def signal_outputs(self) -> tuple[Computed, ...]:
        """The signals that are functions of time, each under the name of its field."""
        return tuple(Computed(*found) for found in time_functions(self))


def _keep(component: Any, name: str, check: Any, problems: list[str], where: str) -> None:
    try:
        object.__setattr__(component, name, check(getattr(component, name)))
    except ModelError as error:
        problems += [f"{where}: {text}" for text in error.problems]
