"""What components are handed and what they answer: motions, loads, inertias, outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from axletree.components.edges import Basis, Variable
from axletree.components.frames import Frame
from axletree.expr import IDENTITY, NULL, ZERO, Expr, Matrix, Vector, symbol


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
    """A force [N] or torque [N m] along the freedom of a joint, driving its travel up.

    Example:
    >>> from axletree.expr import number
    >>> from axletree.components.exchange import JointLoad, Response
    >>> Response(joint_loads=(JointLoad("pin.R1", number(3.0)),)).efforts
    [3]
    """

    joint: str  # name of the joint's edge: "pin.R1"
    effort: Expr


@dataclass(frozen=True)
class Coupling:
    """A gear: the weighted sum of the travels of joints is zero."""

    terms: tuple[tuple[str, Expr], ...]  # name of the joint's edge ("pin.R1"), weight
    reaction: Variable


@dataclass(frozen=True)
class VelocityConstraint:
    """A motion that a component holds at zero by a reaction: the slip of an ideal wheel.

    The loads are those of a unit reaction and do work on exactly the velocity. Where that is
    the rate of something that is zero too, this is the position; a wheel that must not slip
    may still go everywhere, and has none.

    What else the component answers may depend on the reaction, as friction does on the normal
    force. There stands ``reaction_symbol``, and its value is found by Newton's method, in a
    number of ``steps`` that is fixed.
    """

    reaction: Variable
    velocity: Expr  # linear in the speeds
    loads: tuple[Load, ...] = ()
    joint_loads: tuple[JointLoad, ...] = ()
    position: Expr | None = None
    steps: int = 4


@dataclass(frozen=True)
class SetValued:
    """A force between bounds that holds a velocity at zero: dry friction, a brake, a contact.

    Peiret et al., eq. (8). The loads are those of a unit force and do work on exactly the
    velocity, which they drive up. Over a step the force is constant, and with v the velocity
    at its end [m/s, of torques rad/s]

        w = v + compliance * force - offset

    is 0 where the force is between its bounds, not negative where it is the lower one and not
    positive where it is the upper one. A compliance 1/c and open bounds make eq. (25) of it, an
    offset v + F/c as well eqs. (27) to (30). All expressions are those of the beginning of the
    step; the bounds may depend on reactions (``reaction_symbol``), as friction does on the
    normal force.

    With a ``position`` this is a contact, which acts only where the gap closes within the step;
    ``restitution`` is what is left of the speed of approach. With a ``stiffness`` k or a
    ``damping`` c it is a spring of ``preload`` F, taken at the end of the step of length h:
    force = F - (h k + c) v, which is stable at any h. Integrators of ordinary differential
    equations take the force that is ``smooth`` instead.

    Example:
    >>> from axletree.expr import number, symbol
    >>> from axletree.components.exchange import JointLoad, SetValued
    >>> from axletree.components.edges import Variable
    >>> rate, most = symbol("slide.speed"), symbol("seal.dry")  # m/s, N
    >>> along = (JointLoad("slide.T1", number(1.0)),)
    >>> felt = Variable("friction", "N", "dry friction")
    >>> seal = SetValued(felt, rate, -most, most, smooth=-2e3 * rate, joint_loads=along)
    >>> seal.expressions[:3]
    [-seal.dry, seal.dry, -2000*slide.speed]
    """

    reaction: Variable
    velocity: Expr  # [m/s or rad/s]
    lower: Expr | None  # [N or N m]; None: open
    upper: Expr | None
    smooth: Expr  # a function of the state
    loads: tuple[Load, ...] = ()
    joint_loads: tuple[JointLoad, ...] = ()
    compliance: Expr = ZERO  # velocity per force
    offset: Expr = ZERO  # [m/s or rad/s]
    position: Expr | None = None  # [m], the gap; the velocity is its rate
    restitution: Expr = ZERO
    stiffness: Expr = ZERO  # force per displacement
    damping: Expr = ZERO  # force per velocity
    preload: Expr = ZERO  # [N or N m], at the beginning of the step

    @property
    def expressions(self) -> list[Expr]:
        """What may depend on reactions."""
        bounds = [bound for bound in (self.lower, self.upper) if bound is not None]
        spring = [self.stiffness, self.damping, self.preload]
        return [*bounds, self.smooth, self.compliance, self.offset, *spring]

    @property
    def seen(self) -> list[Expr]:
        """All expressions but those of the loads."""
        gap = [] if self.position is None else [self.position]
        return [*self.expressions, self.velocity, *gap, self.restitution]


def reaction_symbol(component: str, reaction: Variable) -> Expr:
    """What stands for a reaction of a component in its loads, rates and outputs."""
    return symbol(f"{component}.{reaction.suffix}")


@dataclass(frozen=True)
class Instant:
    """What holds at an instant, as far as the component asked for it.

    Example:
    >>> from axletree.expr import symbol
    >>> from axletree.components.exchange import Instant, Travel
    >>> Instant(travels=[Travel(symbol("pin.angle"), symbol("pin.rate"))]).travels[0].rate
    pin.rate
    """

    motions: Sequence[RelativeMotion] = ()  # of measures(), in their order
    travels: Sequence[Travel] = ()  # of measured_joints()
    states: Sequence[Expr] = ()  # of states()
    gravity: Sequence[Vector] = ()  # [m/s^2], in the heads of measures(), if it feels gravity
    through: Mapping[str, Expr] = field(default_factory=dict)  # of its network edges, by label
    across: Mapping[str, Expr] = field(default_factory=dict)  # likewise


@dataclass(frozen=True)
class Response:
    """What a component answers to its motion.

    Example:
    >>> from axletree.expr import symbol
    >>> from axletree.components.exchange import Response
    >>> Response(rates=(-2.0 * symbol("lag.state"),)).expressions
    [-2*lag.state, 0]
    """

    loads: tuple[Load, ...] = ()  # which may depend on its own reactions
    joint_loads: tuple[JointLoad, ...] = ()
    held: tuple[VelocityConstraint, ...] = ()
    set_valued: tuple[SetValued, ...] = ()
    rates: tuple[Expr, ...] = ()  # of its internal states, in their order
    potential_energy: Expr = ZERO  # [J]
    intermediates: tuple[NamedOutput, ...] = ()
    outputs: tuple[NamedOutput, ...] = ()
    accelerated: tuple[AccelerationOutput, ...] = ()  # outputs, too

    @property
    def efforts(self) -> list[Expr]:
        """What the loads consist of."""
        found = [e for load in self.loads for e in (*load.force, *load.moment)]
        return [*found, *(load.effort for load in self.joint_loads)]

    @property
    def expressions(self) -> list[Expr]:
        """All that may depend on reactions: loads, rates and outputs."""
        found = self.efforts
        outputs = (c.expression for c in (*self.intermediates, *self.outputs))
        found += [e for force in self.set_valued for e in force.expressions]
        return [*found, *self.rates, self.potential_energy, *outputs]


@dataclass(frozen=True)
class NamedOutput:
    """A value that a component computes, under its own short name."""

    suffix: str
    unit: str
    description: str
    expression: Expr


@dataclass(frozen=True)
class AccelerationOutput:
    """A value that is linear in rates of velocities, known once the equations are solved.

    It is the sum of weights times rates; velocities follow from the motion, not from reactions.
    """

    suffix: str
    unit: str
    description: str
    terms: tuple[tuple[Expr, Expr], ...]  # weight, velocity [m/s or rad/s]
