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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from axletree.core.errors import ModelError
from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.core.quantity import Quantity
from axletree.core.vectors import IDENTITY, NULL, Matrix, Vector
from axletree.library.edge import MECHANICAL, Basis, Domain, Edge, Variable
from axletree.library.fields import kind_of
from axletree.library.frame import Frame, checked_name
from axletree.library.load_edges import load_edges
from axletree.library.parameters import flat_parameters
from axletree.library.signal import (
    Course,
    motion_course,
    signal_inputs,
    signal_value,
    time_functions,
)


@dataclass(frozen=True)
class RelativeMotion:
    """The motion of a head frame in a tail frame, in tail components where not said otherwise."""

    displacement: Vector  # [m]
    velocity: Vector  # [m/s], rate of the displacement as seen in the tail
    R_tail_head: Matrix
    angular_velocity: Vector  # [rad/s], of the head in the tail
    # The same two in head components, formed there: for loads that turn with the head.
    velocity_head: Vector = NULL
    angular_velocity_head: Vector = NULL


@dataclass(frozen=True)
class Load:
    """A force at the head's origin and a moment on the head; the tail gets the opposite.

    The reaction acts on the tail's body at the head's origin, so that the pair does the
    work ``force . velocity + moment . angular_velocity`` of the relative motion.
    """

    tail: Frame
    head: Frame
    force: Vector = NULL  # [N]
    moment: Vector = NULL  # [N m]
    basis: Basis = Basis.TAIL

    def power(self, motion: RelativeMotion) -> Expr:
        """The power [W] of the pair, from the motion of the head in the tail."""
        R = motion.R_tail_head if self.basis is Basis.HEAD else IDENTITY
        force, moment = R @ self.force, R @ self.moment
        return force.dot(motion.velocity) + moment.dot(motion.angular_velocity)


@dataclass(frozen=True)
class Inertia:
    """Mass fixed to a frame: ``tensor`` about the centre of mass, frame components."""

    frame: Frame
    mass: Expr
    centre: Vector  # of mass, from the frame's origin
    tensor: Matrix
    axis_of_revolution: int | None = None  # 0, 1, 2: the tensor does not see turns about it


@dataclass(frozen=True)
class Travel:
    """How far a joint of one freedom has gone [m or rad], turns counted, and how fast."""

    travel: Expr
    rate: Expr


@dataclass(frozen=True)
class JointLoad:
    """A force [N] or torque [N m] along the freedom of a joint, driving its travel up."""

    joint: str  # name of the joint's edge: "pin.R1"
    effort: Expr


@dataclass(frozen=True)
class Coupling:
    """A gear: the weighted sum of the travels of joints is zero."""

    terms: tuple[tuple[str, Expr], ...]  # name of the joint's edge ("pin.R1"), weight
    reaction: Variable


@dataclass(frozen=True)
class Held:
    """A motion that a component holds at zero by a reaction: the slip of an ideal wheel.

    The loads are those of a unit reaction and do work on exactly the velocity. Where that is
    the rate of something that is zero too, this is the position; a wheel that must not slip
    may still go everywhere, and has none.
    """

    reaction: Variable
    velocity: Expr  # linear in the speeds
    loads: tuple[Load, ...] = ()
    joint_loads: tuple[JointLoad, ...] = ()
    position: Expr | None = None


@dataclass(frozen=True)
class Instant:
    """What holds at an instant, as far as the component asked for it."""

    motions: Sequence[RelativeMotion] = ()  # of measures(), in their order
    travels: Sequence[Travel] = ()  # of measured_joints()
    states: Sequence[Expr] = ()  # of states()
    through: Mapping[str, Expr] = field(default_factory=dict)  # of its network edges, by label
    across: Mapping[str, Expr] = field(default_factory=dict)  # likewise


@dataclass(frozen=True)
class Computed:
    """A value that a component computes, under its own short name."""

    suffix: str
    unit: str
    description: str
    expression: Expr


@dataclass(frozen=True)
class Response:
    """What a component answers to its motion."""

    loads: tuple[Load, ...] = ()
    joint_loads: tuple[JointLoad, ...] = ()
    held: tuple[Held, ...] = ()
    rates: tuple[Expr, ...] = ()  # of its internal states, in their order
    potential_energy: Expr = ZERO  # [J]
    intermediates: tuple[Computed, ...] = ()
    outputs: tuple[Computed, ...] = ()


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
        quantities = [
            quantity for field_name, quantity in flat_parameters(self) if field_name == name
        ]
        return [quantity.symbol if quantity.default else ZERO for quantity in quantities]

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
