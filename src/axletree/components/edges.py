"""Edges of the linear graph and the laws they obey, as branches and as chords.

``Gimbal`` tells orientations in which three turns one after another do not tell all motions apart.
"""

from __future__ import annotations

import enum
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.expr import ZERO, Expr, Matrix, Vector


@dataclass(frozen=True)
class Domain:
    """A domain of the graph and what its variables are called (Morency 2007, table 2.1).

    Example:
    >>> from axletree.components.edges import ROTATION, TRANSLATION
    >>> [f"{one.across[1]}, {one.through}" for one in (TRANSLATION, ROTATION)]
    ['velocity, force', 'angular velocity, moment']
    """

    name: str
    prefix: str  # of edge labels: T1, R1, E1, H1
    across: tuple[str, ...]  # per derivative level
    through: str
    # Of a scalar domain, what messages call an element of each kind.
    resistor: str = ""
    capacitor: str = ""
    inductor: str = ""


TRANSLATION = Domain("translation", "T", ("position", "velocity", "acceleration"), "force")
ROTATION = Domain(
    "rotation", "R", ("orientation", "angular velocity", "angular acceleration"), "moment"
)
ELECTRICAL = Domain(
    "electrical", "E", ("voltage", "rate of voltage"), "current", "resistor", "capacitor",
    "inductor",
)  # fmt: skip
HYDRAULIC = Domain(
    "hydraulic", "H", ("pressure", "rate of pressure"), "flow", "laminar-restriction", "volume",
    "inertance",
)  # fmt: skip
MECHANICAL = (TRANSLATION, ROTATION)
SCALAR = (ELECTRICAL, HYDRAULIC)
DOMAINS = (*MECHANICAL, *SCALAR)


@dataclass(frozen=True)
class Variable:
    """A modelling variable of an edge, still without its component's name.

    Example:
    >>> from axletree.components.edges import Variable
    >>> Variable("friction", "N", "dry friction").unit
    'N'
    """

    suffix: str
    unit: str
    description: str
    start: float = 0.0


@dataclass(frozen=True)
class Space:
    """Unit vectors, as text, along which an edge's variables are free at one derivative level.

    Those of the across space span what may vary of the motion, those of the through space
    what may vary of the force or moment (Morency 2007, section 2.4.4).
    """

    across: tuple[str, ...]
    through: tuple[str, ...]


def at_all_levels(space: Space) -> tuple[Space, Space]:
    """The spaces of a law that has the same at position and at velocity level."""
    return space, space


class Basis(enum.Enum):
    """In whose components a relative velocity or a load is given."""

    TAIL = "tail"
    HEAD = "head"


@dataclass(frozen=True)
class TranslationMotion:
    """How a branch moves its head: position in tail components, speeds in ``basis``."""

    displacement: Vector  # [m], tail components
    velocity: Vector  # [m/s], rate of the displacement as seen in the tail
    partials: tuple[Vector, ...]  # of the velocity, one per speed
    bias: Vector  # [m/s^2], rate of the velocity with all speeds constant
    basis: Basis = Basis.TAIL


@dataclass(frozen=True)
class RotationMotion:
    """How a branch turns its head; everything but ``R_tail_head`` in head components."""

    R_tail_head: Matrix
    angular_velocity: Vector  # [rad/s], of the head in the tail
    partials: tuple[Vector, ...]
    bias: Vector  # [rad/s^2], rate of the components with all speeds constant


Exprs = Sequence[Expr]  # coordinates, or speeds


class MotionLaw(ABC):
    """The terminal equations of a mechanical edge, as a branch and as a chord."""

    coordinates: tuple[Variable, ...] = ()
    speeds: tuple[Variable, ...] = ()
    closes_as_branch: bool = False  # a branch that leaves its closure to be satisfied
    is_rigid: bool = False  # an arm: the head never moves in the tail
    follows_slide: bool = False  # a rotation whose variables are those of its joint's slide

    @property
    def reactions(self) -> tuple[Variable, ...]:
        """The multipliers of the closure: forces or moments on the head."""
        return ()

    @property
    def dimension(self) -> int:
        """The dimension of the across space at velocity level."""
        return len(self.speeds)

    equations: ClassVar[tuple[str, ...]] = ()  # those of a law that are always the same

    def terminal_equations(self) -> tuple[str, ...]:
        """One equation per derivative level, as text."""
        return self.equations

    @abstractmethod
    def spaces(self) -> tuple[Space, Space]:
        """The across and through spaces at position and at velocity level."""

    @property
    def freedom(self) -> Vector | None:
        """The axis of a law with one freedom, free or prescribed; the same in tail and head."""
        return None

    @property
    def given_rate(self) -> Expr | None:
        """The rate along the freedom where a driver prescribes it [m/s or rad/s]."""
        return None

    def travel(self, q: Exprs, p: Exprs) -> tuple[Expr, Expr]:
        """How far a branch with one freedom has gone along it, and how fast."""
        return q[0], p[0]

    def rates(self, q: Exprs, p: Exprs, R_tail_head: Matrix) -> tuple[Expr, ...]:
        """The kinematic transform: the rates of the coordinates."""
        return tuple(p)

    def efforts(self, reactions: Mapping[str, Expr]) -> tuple[tuple[Variable, Expr], ...]:
        """Further outputs of the reactions, which come by their suffixes."""
        return ()

    def regular(self, q: Sequence[float]) -> tuple[float, ...]:
        """Coordinates as they should be: of unit length where they are a quaternion."""
        return tuple(q)

    @property
    def gimbal(self) -> Gimbal | None:
        """The three turns that the coordinates are, where they are."""
        return None


class TranslationLaw(MotionLaw):
    @abstractmethod
    def motion(self, q: Exprs, p: Exprs, R_tail_head: Matrix, w_head: Vector) -> TranslationMotion:
        """As a branch; ``w_head`` is the head's angular velocity in the tail, head components."""

    @abstractmethod
    def closure(self, r_tail: Vector) -> tuple[Expr, ...]:
        """As a chord: what is zero, from the head's position in tail components."""

    @property
    def sees_tail_turn(self) -> bool:
        """Whether the turning of the tail changes the closure's rates where it is satisfied.

        It does not where the origins coincide, nor where their distance alone counts.
        """
        return True


class RotationLaw(MotionLaw):
    @abstractmethod
    def motion(self, q: Exprs, p: Exprs) -> RotationMotion:
        """As a branch."""

    @abstractmethod
    def closure(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        """As a chord: what is zero, from the head's orientation in the tail."""

    def facing(self, R_tail_head: Matrix) -> tuple[Expr, ...]:
        """As a chord: what is 1 where the head faces as it should; -1 where the closure is met
        by one that is turned round by half a turn."""
        return ()


class NetworkRole(enum.Enum):
    """What fixes a scalar edge's variables; the order is the order of tree selection."""

    ACROSS_SOURCE = 0  # the across variable is given
    ACROSS_STORAGE = 1  # the across variable is a state (a capacitor)
    DISSIPATION = 2  # across = coefficient * through (a resistor)
    THROUGH_LAW = 3  # the through variable follows from across variables of states (an orifice)
    THROUGH_STORAGE = 4  # the through variable is a state (an inductor)
    THROUGH_SOURCE = 5  # the through variable is given


@dataclass(frozen=True)
class NetworkLaw:
    """The terminal equation of an edge whose variables are scalars, as in a circuit."""

    role: NetworkRole
    coefficient: Expr = ZERO  # resistance, inductance or capacitance, unless the component has it
    value: Expr = ZERO  # of a source, unless the component has it
    state: Variable | None = None
    equation: str = ""
    is_constant: bool = False  # a source whose across variable has no rate

    @property
    def dimension(self) -> int:
        """What tree selection goes by: the place of the role, which gives a normal tree."""
        return self.role.value

    def terminal_equations(self) -> tuple[str, ...]:
        return (self.equation,)

    def energy(self, across: Expr, through: Expr) -> Expr:
        """What the edge stores [J]."""
        if self.role is NetworkRole.ACROSS_STORAGE:
            return 0.5 * self.coefficient * across * across
        if self.role is NetworkRole.THROUGH_STORAGE:
            return 0.5 * self.coefficient * through * through
        return ZERO

    def spaces(self) -> tuple[Space, Space]:
        """A scalar edge leaves free what its terminal equation does not give."""
        given_across = self.role in (NetworkRole.ACROSS_SOURCE, NetworkRole.ACROSS_STORAGE)
        given_through = self.role in (NetworkRole.THROUGH_SOURCE, NetworkRole.THROUGH_STORAGE)
        return at_all_levels(Space(() if given_across else ("1",), () if given_through else ("1",)))


@dataclass(frozen=True)
class Edge:
    """One edge of the linear graph, from tail to head."""

    component: str
    label: str
    domain: Domain
    tail: str
    head: str
    law: MotionLaw | NetworkLaw
    rank: int = 0  # among edges of equal dimension the lower rank enters the tree first
    given_through: str = ""  # the terminal equation of an edge whose through variable is given

    @property
    def name(self) -> str:
        return f"{self.component}.{self.label}"

    def terminal_equations(self) -> tuple[str, ...]:
        """As text, one per derivative level; a given through variable is the same at all."""
        return (self.given_through,) if self.given_through else self.law.terminal_equations()

    @property
    def is_arm(self) -> bool:
        """Whether the edge joins two frames that are rigidly one."""
        return isinstance(self.law, MotionLaw) and self.law.is_rigid


@dataclass(frozen=True)
class Gimbal:
    """Three turns about coordinate axes, each normal to the one before it.

    The middle angle brings the first and the last axis in line somewhere. There the two
    angles about them turn the head alike, and their rates have no bound.
    """

    angles: tuple[str, str, str]  # their short names, in the order of the turns
    repeated: bool  # whether the last axis is the first one again, as in 313

    def apart(self, middle: float) -> float:
        """The sine of the angle between the first and the last axis, from the middle angle."""
        return math.sin(middle) if self.repeated else math.cos(middle)

    def sentence(self, middle: float) -> str:
        """The place next to a middle angle where the two are in line, and what is wrong there."""
        shift = 0.0 if self.repeated else 0.5
        place = (round(middle / math.pi - shift) + shift) * math.pi
        first, name, last = self.angles
        return f"at {name} = {place:.6g} rad the angles {first} and {last} turn about the same line"


def gimbal_of(axes: Sequence[object], angles: Sequence[Variable]) -> Gimbal | None:
    """Of turns about these axes; fewer than three tell all their motions apart."""
    if len(axes) != 3:
        return None
    first, middle, last = (angle.suffix for angle in angles)
    return Gimbal((first, middle, last), repeated=axes[0] == axes[2])
