"""The equations of a model: M dp/dt + C^T f = b, Phi(q, t) = 0, dq/dt = h.

Morency 2007, eqs. (2.35) to (2.37).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from axletree.components.contract import Component, RangeLimit
from axletree.components.edges import Domain, Gimbal, MotionLaw
from axletree.components.fields import within
from axletree.equations.constraints import Constraint
from axletree.equations.dynamics import Dynamics
from axletree.equations.graph import LinearGraph
from axletree.equations.responses import ComponentResponse
from axletree.equations.set_valued_forces import SetValuedRow
from axletree.equations.travels import InternalState
from axletree.equations.tree import Tree
from axletree.expr import Expr
from axletree.expr.quantity import Quantity


@dataclass(frozen=True, eq=False)
class Equations:
    """Everything that holds between the quantities of a model, not yet solved."""

    name: str
    graph: LinearGraph
    trees: Mapping[Domain, Tree]
    speeds: tuple[Quantity, ...]  # p
    coordinates: tuple[Quantity, ...]  # q
    internal: tuple[InternalState, ...]  # z
    inputs: tuple[Quantity, ...]
    parameters: tuple[Quantity, ...]
    signal_rates: Mapping[Expr, Expr]  # of time and of signals that come with derivatives
    coordinate_rates: tuple[Expr, ...]  # h
    constraints: tuple[Constraint, ...]  # Phi, and its derivatives
    dynamics: Dynamics  # M, b
    answers: tuple[ComponentResponse, ...]  # of the components that exert or compute something
    needed_reactions: tuple[Expr, ...] = ()  # symbols of those that loads or answers have
    set_valued: tuple[SetValuedRow, ...] = ()  # of set-valued forces that are unknowns
    loads_follow: bool = False  # whether loads depend on set-valued forces beside being these
    components: tuple[Component, ...] = ()  # of the model

    def problems_with(self, values: Mapping[str, float]) -> list[str]:
        """What components would say of other values of parameters, by name in SI units."""
        found = []
        for component in self.components:
            if own := within(values, component.name):
                found += component.problems_with(own)
        return found

    @property
    def rates(self) -> dict[Expr, Expr]:
        """Of all symbols but the speeds: time, signals, coordinates and internal states."""
        moved = zip(self.coordinates, self.coordinate_rates, strict=True)
        found = {**self.signal_rates, **{quantity.symbol: rate for quantity, rate in moved}}
        return found | {state.quantity.symbol: state.rate for state in self.internal}

    @cached_property
    def has_bodies(self) -> bool:
        """Whether anything but the ground has a place; in a circuit alone nothing has."""
        places = self.dynamics.kinematics.links.places
        return any(name.partition(".")[0] != "ground" for name in places)

    # What runs ask for; a system that is read from the cache has these without the rest.

    @cached_property
    def limits(self) -> tuple[tuple[str, RangeLimit], ...]:
        """Of the laws of components, by their names; set-valued forces by their smooth laws."""
        found = []
        for answer in self.answers:
            smooth = [one for force in answer.response.set_valued for one in force.smooth_limits]
            found += [(answer.component, one) for one in (*answer.response.limits, *smooth)]
        return tuple(found)

    @cached_property
    def set_valued_names(self) -> tuple[str, ...]:
        """Of the set-valued forces, whether these are unknowns or smooth functions."""
        return tuple(
            f"{answer.component}.{force.reaction.suffix}"
            for answer in self.answers
            for force in answer.response.set_valued
        )

    @cached_property
    def gimbals(self) -> tuple[tuple[str, Gimbal, tuple[str, ...]], ...]:
        """Every joint of the tree whose orientation is three angles, with their names."""
        found = []
        for connection in self.dynamics.kinematics.links.rotations:
            law = connection.edge.law
            gimbal = law.gimbal if isinstance(law, MotionLaw) else None
            if gimbal is not None and connection.coordinates:
                names = tuple(quantity.name for quantity in connection.coordinates)
                found.append((connection.edge.component, gimbal, names))
        return tuple(found)

    @cached_property
    def states_are_free(self) -> bool:
        """Whether states can have any values: no constraints, and no quaternions."""
        links = self.dynamics.kinematics.links
        laws = (c.edge.law for c in (*links.translations, *links.rotations))
        return not self.constraints and all(
            type(law).regular is MotionLaw.regular for law in laws if isinstance(law, MotionLaw)
        )
