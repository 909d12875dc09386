"""The contract between components and the stages that work on them.

A component is a set of edges plus component-level information (Morency 2007, figure 4.2):

1. ``edges()`` says which frames or terminals it joins, in which domain, by which law;
2. its fields are its parameters, checked when it is made: symbols in the equations, numbers when
   it runs;
3. ``inertias()`` gives the mass it carries, ``respond()`` the loads it exerts, its
   internal states' rates, intermediate variables and stored energy;
4. ``couplings()`` ties motions of joints to one another (gears);
5. a component never asks where it is: the motion of its head in its tail is handed over.

First stands what components are handed and what they answer: motions, loads, inertias, outputs.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

from axletree.components.edges import MECHANICAL, ROTATION, Basis, Domain, Edge, MotionLaw, Variable
from axletree.components.fields import (
    PARAMETER,
    PART,
    FieldKind,
    Part,
    checked_name,
    keep_checked_fields,
    kind_of,
    within,
)
from axletree.components.frames import Frame
from axletree.components.motion_laws import Orientation, Speeds, free_rotation, free_translation
from axletree.components.signals import (
    Constant,
    MotionCourse,
    motion_course,
    signal_inputs,
    signal_value,
    time_functions,
)
from axletree.core.errors import ModelError, gathered
from axletree.expr import (
    IDENTITY,
    NULL,
    ONE,
    ZERO,
    Expr,
    Matrix,
    Quantity,
    Role,
    Value,
    Vector,
    as_expr,
    maximum,
    minimum,
    symbol,
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

    @classmethod
    def of_symbols(cls, name: str) -> RelativeMotion:
        """Every component is a symbol: for asking what an answer depends on."""

        def vector(word: str) -> Vector:
            return Vector(symbol(f"{name}.{word}.{axis}") for axis in "xyz")

        R = Matrix(vector(f"R{row}") for row in range(3))
        return cls(vector("d"), vector("v"), R, vector("w"), vector("v_head"), vector("w_head"))

    @property
    def entries(self) -> list[Expr]:
        """All components, by vectors and rows."""
        turned = (self.velocity, self.angular_velocity, *self.R_tail_head)
        vectors = (self.displacement, *turned, self.velocity_head, self.angular_velocity_head)
        return [entry for vector in vectors for entry in vector]


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
    >>> from axletree.components.contract import JointLoad, Response
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
    >>> from axletree.components.contract import JointLoad, SetValued
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
    smooth_energy: Expr = ZERO  # [J], stored where the force is smooth
    smooth_limits: tuple[RangeLimit, ...] = ()  # of the range of its smooth law

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


def dry_friction(
    reaction: Variable, rate: Expr, bound: Expr, slow: Expr, *joint_loads: JointLoad
) -> SetValued:
    """Against a rate [rad/s or m/s], up to a bound; smooth, in proportion below a slow rate."""
    part = maximum(minimum(rate / slow, 1.0), -1.0)
    smooth = -bound * part
    return SetValued(reaction, rate, -bound, bound, smooth, joint_loads=joint_loads)


CREEP_SHARE = 1e-3  # of the slow speed: a slower creep is taken for rest
CREEP_TIME = 1.0  # s; what stops or starts is faster


def creep_limit(
    speed: Value, slow: Value, sentence: str, *, holds: Value = ONE, lasts: float = CREEP_TIME
) -> RangeLimit:
    """Where a smooth force lets creep what a set-valued one would hold, at speeds [m/s or rad/s]
    from 0 to the slow one; only where what ``holds`` is positive, and if it ``lasts`` so long [s].

    Example:
    >>> from axletree.components.contract import creep_limit
    >>> [float(creep_limit(v, 0.5, "it creeps").excess) > 0.0 for v in (0.0, 0.2, 0.8)]  # rad/s
    [False, True, False]
    """
    excess = minimum(minimum(slow - speed, speed - CREEP_SHARE * slow), holds)
    return RangeLimit(as_expr(excess), sentence, lasts=lasts)


def reaction_symbol(component: str, reaction: Variable) -> Expr:
    """What stands for a reaction of a component in its loads, rates and outputs."""
    return symbol(f"{component}.{reaction.suffix}")


def acceleration_symbol(component: str, suffix: str) -> Expr:
    """What stands for an ``accelerated`` output of a component in the rates of its states."""
    return symbol(f"{component}.{suffix}")


@dataclass(frozen=True)
class Instant:
    """What holds at an instant, as far as the component asked for it.

    Example:
    >>> from axletree.expr import symbol
    >>> from axletree.components.contract import Instant, Travel
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
    >>> from axletree.components.contract import Response
    >>> Response(rates=(-2.0 * symbol("lag.state"),)).expressions
    [-2*lag.state, 0]
    """

    loads: tuple[Load, ...] = ()  # which may depend on its own reactions
    joint_loads: tuple[JointLoad, ...] = ()
    constraints: tuple[VelocityConstraint, ...] = ()
    set_valued: tuple[SetValued, ...] = ()
    rates: tuple[Expr, ...] = ()  # of its internal states; of its own accelerations, too
    starts: tuple[Expr | None, ...] = ()  # the usual ones of these, where the motion suggests them
    potential_energy: Expr = ZERO  # [J], whose gradient its loads are
    internal_energy: Expr = ZERO  # [J], stored beside it and beside its edges: in oil and gas
    intermediates: tuple[NamedOutput, ...] = ()
    outputs: tuple[NamedOutput, ...] = ()
    accelerated: tuple[AccelerationOutput, ...] = ()  # outputs, too
    limits: tuple[RangeLimit, ...] = ()  # of its range; a run that leaves it says so

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
class NetworkTerms:
    """What a component says of its network edges that their laws leave open, by labels of edges.

    Example:
    >>> from axletree.expr import symbol
    >>> from axletree.components.contract import NetworkTerms
    >>> NetworkTerms(capacities={"H1": symbol("tube.volume") / 1.6e9}).throughs
    {}
    """

    throughs: Mapping[str, Expr] = field(default_factory=dict)  # of through laws and sources
    capacities: Mapping[str, Expr] = field(default_factory=dict)  # of across storages
    losses: Mapping[str, Expr] = field(default_factory=dict)  # of through storages, see below


@dataclass(frozen=True)
class RangeLimit:
    """Where a law leaves its range: wherever the excess, of states and parameters, is positive."""

    excess: Expr
    sentence: str  # what is so there, what it does to a run, and what to try
    bars_start: bool = False  # whether no run may begin there
    is_harmless: bool = False  # unless a run fails there, of which it is the likely cause
    lasts: float = 0.0  # [s], for which it has to be so before a run says so


@dataclass(frozen=True)
class AccelerationOutput:
    """A value that is linear in rates of velocities, known once the equations are solved.

    It is the sum of weights times rates; velocities follow from the motion, not from reactions.
    Rates of the component's internal states may depend on it: there stands
    ``acceleration_symbol``.
    """

    suffix: str
    unit: str
    description: str
    terms: tuple[tuple[Expr, Expr], ...]  # weight, velocity [m/s or rad/s]


@dataclass(frozen=True, eq=False)
class ComponentFields:
    """A frozen dataclass whose fields come from ``components.fields``, but for its name."""

    name: str

    def __post_init__(self) -> None:
        problems: list[str] = []
        with gathered(problems, f"{self.name}: "):
            checked_name(self.name)
        problems += keep_checked_fields(self, f"{self.name}.")
        if not problems:
            problems += [f"{self.name}: {text}" for text in self.problems()]
        if problems:
            raise ModelError(problems)

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        # Of a class that has none, a dataclass makes one with every field of every field.
        cls.__repr__ = ComponentFields.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """Fields that are not at their defaults; frames and components by name, parts by kind.

        Example:
        >>> import axletree as at
        >>> at.read_model("pendulum")["pin"]
        Revolute('pin', tail=ground, head=rod.top, axis=(0.0, 1.0, 0.0))
        """
        shown = [repr(self.name)]
        for one in dataclasses.fields(self)[1:]:
            if not one.repr:
                continue
            value, plain = getattr(self, one.name), one.default
            if one.default_factory is not dataclasses.MISSING:
                plain = one.default_factory()
            if not (type(value) is type(plain) and value == plain):
                shown.append(f"{one.name}={_in_short(value)}")
        return f"{type(self).__name__}({', '.join(shown)})"

    def problems(self) -> list[str]:
        """What is wrong with values that are right one by one; a component that has some is not
        made.

        Example:
        >>> import axletree as at
        >>> at.Resistor("lamp", "a", "b", resistance="5 Ohm").problems()
        []
        >>> at.Resistor("lamp", "a", "a", resistance="5 Ohm")
        Traceback (most recent call last):
        axletree.core.errors.ModelError: lamp: positive and negative are the same terminal, a
        """
        return []

    def cautions(self) -> list[str]:
        """What is allowed, but may not be what is meant; a model warns of it once.

        Example:
        >>> import dataclasses
        >>> import axletree as at
        >>> waves = at.Sine(amplitude="10 cm", wavelength="1 m")
        >>> tyre = dataclasses.replace(at.read_model("quarter-car")["tyre"], surface=waves)
        >>> print(tyre.cautions()[0].partition(":")[0])
        the ground is curved by a radius of 0.253 m, less than that of the tyre, 0.31 m
        """
        return []

    # -- parameters --------------------------------------------------------------------
    def parameters(self) -> tuple[Quantity, ...]:
        """The fields that are numbers and not zero, as quantities in SI units.

        Example:
        >>> import axletree as at
        >>> block = at.RigidBody("block", "500 g", centre_of_mass=(0, 0, 0.2))
        >>> [f"{q.name} = {q.default} {q.unit}" for q in block.parameters()]
        ['block.mass = 0.5 kg', 'block.centre_of_mass.z = 0.2 m']
        """
        return tuple(quantity for _, quantity in flat_parameters(self) if quantity.default)

    def symbol(self, name: str) -> Expr:
        """The symbol of a scalar field, in the field's SI unit, or 0 if its value is exactly zero.

        Example:
        >>> import axletree as at
        >>> sphere = at.BodyOfRevolution("ball", 2.0, axial_inertia=0.1, transverse_inertia=0.1)
        >>> print(9.81 * sphere.symbol("mass"))  # its weight [N]
        9.81*ball.mass
        """
        return self.numbers(name)[0]

    def numbers(self, name: str) -> list[Expr]:
        """The symbols of a field's numbers, in order; 0 where a value is exactly zero.

        Example:
        >>> import axletree as at
        >>> block = at.RigidBody("block", 1.0, inertia=(2, 2, 3))
        >>> block.numbers("inertia")[1:4]  # Iyy, Izz, Ixy [kg m^2]
        [block.inertia.yy, block.inertia.zz, 0]
        """
        return list(self._numbers.get(name, ()))

    def numbers_of(self, field: str) -> dict[str, Expr]:
        """The symbols of the parameters of a part, by name.

        Example:
        >>> import axletree as at
        >>> print(at.read_model("quarter-car")["tyre"].numbers_of("normal_force")["stiffness"])
        tyre.normal_force.stiffness
        """
        return {name: self.symbol(f"{field}.{name}") for name in getattr(self, field).numbers}

    @cached_property
    def _numbers(self) -> dict[str, list[Expr]]:
        found: dict[str, list[Expr]] = {}
        for name, quantity in flat_parameters(self):
            value = quantity.symbol if quantity.default else ZERO
            found.setdefault(name, []).append(value)
        return found

    def vector(self, name: str) -> Vector:
        """The symbols of a field of three numbers, in the axes of the field.

        Example:
        >>> import axletree as at
        >>> block = at.RigidBody("block", 1.0, centre_of_mass=(0.1, 0, 0.2))  # m
        >>> block.vector("centre_of_mass")  # in the main frame
        (block.centre_of_mass.x, 0, block.centre_of_mass.z)
        """
        return Vector(self.numbers(name))

    def problems_with(self, values: Mapping[str, float]) -> list[str]:
        """What would be wrong with other values of parameters, by their names in the component.

        They are in SI units, and pass the same checks as those that a component is made with.

        Example:
        >>> import axletree as at
        >>> at.RigidBody("rod", 1.0, inertia=(2.0, 2.0, 3.0)).problems_with({"inertia.yy": -1.0})
        ['rod: the principal inertias (-1, 2, 3) kg m^2 must not be negative']
        """
        found: list[str] = []
        other = copy(self)
        named = {item.name for item in dataclasses.fields(self)}
        for name in vars(other).keys() - named:
            del vars(other)[name]  # what was computed from the values before
        with gathered(found, f"{self.name}: "):
            for name, value in self.changed_fields(values).items():
                object.__setattr__(other, name, value)
        return found or [f"{self.name}: {text}" for text in other.problems()]

    def changed_fields(self, values: Mapping[str, float]) -> dict[str, Any]:
        """The fields that hold these parameters, with other values of them.

        Example:
        >>> import axletree as at
        >>> at.RigidBody("rod", 1.0, inertia=(2.0, 2.0, 3.0)).changed_fields({"inertia.yy": 1.5})
        {'inertia': (2.0, 1.5, 3.0, 0.0, 0.0, 0.0)}
        """
        found: dict[str, Any] = {}
        for item in dataclasses.fields(self):
            kind, held = kind_of(item), getattr(self, item.name)
            own = within(values, item.name)
            if kind is None or held is None:
                continue
            if item.name in values:
                number = values[item.name]
                found[item.name] = Constant(number) if isinstance(held, Constant) else number
            elif own and kind.word == PART:
                found[item.name] = held.with_numbers(own)
            elif own and (numbers := dict(_suffixed(kind.word, held))):
                found[item.name] = _shaped(kind.word, [*(numbers | own).values()])
        return found

    # -- signals -----------------------------------------------------------------------
    def inputs(self) -> tuple[Quantity, ...]:
        """The signals that are left open, and the rates of those that are motions.

        Example:
        >>> import axletree as at
        >>> motor = at.RotationDriver("motor", at.read_model("pendulum")["pin"])
        >>> [f"{q.name} [{q.unit}]" for q in motor.inputs()]
        ['motor.angle [rad]', 'motor.angle_rate [rad/s]', 'motor.angle_acceleration [rad/s^2]']
        """
        return signal_inputs(self)

    def followed(self) -> tuple[Quantity, ...]:
        """What signals of other components may follow, with rates: inputs, or states.

        Example:
        >>> import axletree as at
        >>> hands = at.DriverControls("driver")
        >>> [f"{q.name} [{q.unit}]" for q in hands.followed()][:2]
        ['driver.steering [rad]', 'driver.steering_rate [rad/s]']
        """
        return self.inputs()

    def signal(self, name: str) -> Expr:
        """The value of a signal field, in the field's SI unit.

        Example:
        >>> import axletree as at
        >>> motor = at.JointTorque("motor", at.read_model("pendulum")["pin"], torque="2*sin(3*t)")
        >>> print(motor.signal("torque"))  # N m
        2*sin(3*time)
        """
        return signal_value(self, name)

    def course(self, name: str) -> MotionCourse:
        """The value of a motion field and its two derivatives with respect to time.

        Example:
        >>> import axletree as at
        >>> pin = at.read_model("pendulum")["pin"]
        >>> course = at.RotationDriver("motor", pin, angle="0.5*t^2").course("angle")  # rad
        >>> print(course.rate, course.acceleration)  # rad/s, rad/s^2
        time 1
        """
        return motion_course(self, name)

    def signal_outputs(self) -> tuple[NamedOutput, ...]:
        """The signals that are functions of time, each under the name of its field.

        Example:
        >>> import axletree as at
        >>> motor = at.JointTorque("motor", at.read_model("pendulum")["pin"], torque="3*t")
        >>> [(output.suffix, output.unit, output.expression) for output in motor.signal_outputs()]
        [('torque', 'N*m', 3*time)]
        """
        return tuple(NamedOutput(*found) for found in time_functions(self))


_SUFFIXES = {"vector": ("x", "y", "z"), "inertia": ("xx", "yy", "zz", "xy", "xz", "yz")}
_INERTIA_ORIGIN = "centre of mass, or inertia_frame"


def flat_parameters(component: Any) -> Iterator[tuple[str, Quantity]]:
    """(field name, quantity) of every number among the component's fields."""
    for item in dataclasses.fields(component):
        kind = kind_of(item)
        value = getattr(component, item.name)
        if kind is None or value is None:
            continue
        if kind.word == PARAMETER:
            yield item.name, _quantity(component.name, item.name, kind, value)
        elif kind.word == PART:
            for name, part_kind, number in value.named_parameters():
                full = f"{item.name}.{name}"
                yield full, _quantity(component.name, full, part_kind, number)
        elif isinstance(value, Constant):
            yield item.name, _quantity(component.name, item.name, kind, value.value)
        else:
            for suffix, number in _suffixed(kind.word, value):
                one = _element(kind, suffix)
                yield item.name, _quantity(component.name, f"{item.name}.{suffix}", one, number)


def _suffixed(word: str, value: Any) -> Iterator[tuple[str, float]]:
    """The numbers of a field that has several."""
    if word in _SUFFIXES:
        yield from zip(_SUFFIXES[word], value, strict=True)
    elif word == "matrix":
        for i, row in enumerate(value, start=1):
            yield from ((f"{i}{j}", number) for j, number in enumerate(row, start=1))
    elif word == "row":
        yield from ((str(i), number) for i, number in enumerate(value, start=1))


def _shaped(word: str, numbers: Sequence[float]) -> Any:
    """The value of a field that has several numbers."""
    if word != "matrix":
        return tuple(numbers)
    return tuple(tuple(numbers[k : k + 3]) for k in range(0, len(numbers), 3))


def _element(kind: FieldKind, suffix: str) -> FieldKind:
    """What one number of a vector or of an inertia is."""
    if kind.word != "inertia":
        return kind
    text = f"inertia about {suffix[0]}"
    if suffix[0] != suffix[1]:
        text = f"element {suffix} of the inertia matrix, minus the product of inertia"
    return dataclasses.replace(kind, description=f"{text} ({_INERTIA_ORIGIN})")


def _quantity(owner: str, name: str, kind: FieldKind, value: float) -> Quantity:
    about = kind.unit, kind.description, Role.PARAMETER, value
    return Quantity(f"{owner}.{name}", *about, kind.lower, kind.upper, kind.above)


def _in_short(value: object) -> str:
    """As a component shows what it has."""
    if isinstance(value, Frame | ComponentFields):
        return value.name
    return f"{type(value).__name__}(...)" if isinstance(value, Part) else repr(value)


@dataclass(frozen=True, eq=False)
class Component(ComponentFields):
    """A piece of a model: its fields, what it is joined to, and what it answers to its motion.

    ``respond`` is handed an ``Instant`` and gives a ``Response``.

    Example:
    >>> from dataclasses import dataclass
    >>> import axletree as at
    >>> from axletree.expr import absolute
    >>> from axletree.components.contract import Component
    >>> from axletree.components.contract import JointLoad, Response
    >>> from axletree.components.fields import parameter
    >>> from axletree.components.joints import turn_of, turning_joint
    >>> @dataclass(frozen=True, eq=False)
    ... class Propeller(Component):
    ...     name: str
    ...     joint: Component = turning_joint("shaft that turns it")
    ...     drag: float = parameter("N*m*s^2", "torque over the rate squared", lower=0.0)
    ...
    ...     def measured_joints(self):
    ...         return (turn_of(self.joint)[0].name,)
    ...
    ...     def respond(self, now):
    ...         rate = now.travels[0].rate
    ...         torque = -self.symbol("drag") * rate * absolute(rate)
    ...         return Response(joint_loads=(JointLoad(self.measured_joints()[0], torque),))
    >>> model = at.read_model("pendulum", {"gravity": [0, 0, 0]})
    >>> fan = model.add(Propeller("fan", model["pin"], drag=0.2))
    >>> rates = model.formulate().rhs({"pin.angle": 0.0, "pin.rate": 3.0})
    >>> print(f"{rates['pin.rate']:.3f} rad/s^2")  # -0.2 * 3^2 / 0.333
    -5.405 rad/s^2
    """

    summary: ClassVar[str] = ""
    measured_domains: ClassVar[tuple[Domain, ...]] = MECHANICAL  # in which it exerts loads

    def edges(self) -> tuple[Edge, ...]:
        """Edges of the graph; by default those of a load between the frames and along the joints
        it measures.

        Example:
        >>> import axletree as at
        >>> pin = at.read_model("pendulum")["pin"]
        >>> [f"{edge.name}: {edge.tail} to {edge.head}" for edge in pin.edges()]
        ['pin.T1: ground to rod.top', 'pin.R1: ground to rod.top']
        """
        return load_edges(self, self.measured_domains)

    def frames(self) -> tuple[Frame, ...]:
        """Every frame this component names, its own and those it is joined to.

        Example:
        >>> import axletree as at
        >>> [frame.name for frame in at.read_model("pendulum")["pin"].frames()]
        ['ground', 'rod.top']
        """
        values = (getattr(self, item.name) for item in dataclasses.fields(self))
        return tuple(value for value in values if isinstance(value, Frame))

    def references(self) -> tuple[Component, ...]:
        """The components that this one names: joints that it drives or couples.

        Example:
        >>> import axletree as at
        >>> motor = at.JointTorque("motor", at.read_model("pendulum")["pin"])
        >>> [component.name for component in motor.references()]
        ['pin']
        """
        values = (getattr(self, item.name) for item in dataclasses.fields(self))
        return tuple(value for value in values if isinstance(value, Component))

    def states(self) -> tuple[Variable, ...]:
        """Internal states, whose rates ``respond`` gives; coordinates and speeds of joints are
        none.

        Example:
        >>> import axletree as at
        >>> ground, car = at.Model().ground, at.RigidBody("car", 1500.0)
        >>> known = {"speed": 20.0, "wheelbase": 2.7, "ratio": 16.0}  # m/s, m, 1
        >>> driver = at.PathDriver("driver", ground, car, at.StraightPath(), **known)
        >>> [f"{state.suffix} [{state.unit}]" for state in driver.states()][:2]
        ['station [m]', 'steering [rad]']
        """
        return ()

    def inertias(self) -> tuple[Inertia, ...]:
        """The masses [kg] that it carries, each with its tensor [kg m^2] about the centre of mass,
        in the axes of the frame that it is fixed to.

        Example:
        >>> import axletree as at
        >>> (block,) = at.RigidBody("block", 20.0, (3, 3, 5)).inertias()
        >>> print(block.frame.name, block.mass, block.tensor[2][2])
        block block.mass block.inertia.zz
        """
        return ()

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        """The (tail, head) pairs whose relative motion ``respond`` wants.

        Example:
        >>> import axletree as at
        >>> load = at.RigidBody("load", 20.0)
        >>> rope = at.SpringDamper("rope", at.Model().ground, load, stiffness="5 kN/m")
        >>> [(tail.name, head.name) for tail, head in rope.measures()]
        [('ground', 'load')]
        """
        return ()

    def measured_joints(self) -> tuple[str, ...]:
        """The edges of one freedom ("pin.R1") whose travel ``respond`` wants.

        Example:
        >>> import axletree as at
        >>> at.JointTorque("motor", at.read_model("pendulum")["pin"]).measured_joints()
        ('pin.R1',)
        """
        return ()

    def across_sources(self, now: Instant) -> Mapping[str, Expr]:
        """The across variable of each network edge that the motion fixes, by edge label; of an
        electrical edge the voltage [V].

        Asked before the network is solved: ``now`` has motions, travels and states alone.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> from axletree.components.contract import Instant, Travel
        >>> known = {"torque_constant": "0.5 N*m/A", "resistance": "2 Ohm"}
        >>> motor = at.DCMachine("motor", at.read_model("pendulum")["pin"], "a", "b", **known)
        >>> turns = Instant(travels=[Travel(symbol("angle"), symbol("rate"))])  # rad, rad/s
        >>> motor.across_sources(turns)
        {'E3': rate*motor.torque_constant}
        """
        return {}

    def network_terms(self, now: Instant) -> NetworkTerms:
        """What its network edges have that changes with the motion or with their variables.

        ``throughs`` are the through variables of the edges of a through law, such as an orifice,
        and of the sources that a motion fixes; ``capacities`` C of across storages, x and y with
        C dx/dt = y; ``losses`` r of through storages, with L dy/dt = x - r. Asked before the
        network is solved: ``now`` has motions, travels, states, and those across and through
        variables that states fix. Across variables of edges of a through law are always among
        them.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> from axletree.components.contract import Instant, Travel
        >>> pin = at.read_model("pendulum")["pin"]
        >>> pump = at.HydraulicPump("pump", pin, "tank", "line", displacement="10 cm^3/rad")
        >>> turns = Instant(travels=[Travel(symbol("angle"), symbol("rate"))])  # rad, rad/s
        >>> pump.network_terms(turns).throughs  # m^3/s
        {'H1': rate*pump.displacement*pump.fraction}
        """
        return NetworkTerms()

    @property
    def frames_stay_close(self) -> bool:
        """Whether the frames that it measures hardly move in one another, as those of a mount:
        linearly implicit steps then form the derivatives of its loads as if they coincided."""
        return False

    @property
    def is_stiff(self) -> bool:
        """Whether it is made to hardly give, as a mount is: steppers then take linearly implicit
        steps unless they are given a method."""
        return False

    @property
    def feels_gravity(self) -> bool:
        """Whether ``respond`` wants gravity, for masses among its states."""
        return False

    def respond(self, now: Instant) -> Response:
        """Loads [N, N m], rates and outputs, from what holds at this instant.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> from axletree.components.contract import Instant, Travel
        >>> pin = at.read_model("pendulum")["pin"]
        >>> damper = at.RotationalSpringDamper("damper", pin, damping="3 N*m*s/rad")
        >>> turns = Instant(travels=[Travel(symbol("angle"), symbol("rate"))])  # rad, rad/s
        >>> [(load.joint, load.effort) for load in damper.respond(turns).joint_loads]
        [('pin.R1', -rate*damper.damping)]
        """
        return Response(outputs=self.signal_outputs())

    def couplings(self) -> tuple[Coupling, ...]:
        """Gears: joints whose travels [rad or m], each times its weight, add up to zero.

        Example:
        >>> import axletree as at
        >>> ground = at.Model().ground
        >>> shafts = [at.Revolute(k, ground, at.RigidBody(f"wheel_{k}", 1.0)) for k in "ab"]
        >>> (gear,) = at.GearPair("gears", *shafts, ratio=-2.0).couplings()
        >>> gear.terms
        (('a.R1', 1), ('b.R1', -gears.ratio))
        """
        return ()


class BetweenFrames(Component):
    """A component of two frames, which answers to the motion of the second in the first."""

    def measures(self) -> tuple[tuple[Frame, Frame], ...]:
        tail, head = self.frames()
        return ((tail, head),)


# Edges of components that exert loads: the across space is whole, the through given.
#
# Such an edge belongs in the cotree. Chosen into the tree it brings indirect coordinates:
# the motion between two frames that no joint need join (Morency 2007, section 2.1.3).

LOAD_RANK = 2  # among edges of equal dimension these enter the tree last


def load_edges(component: Any, domains: Sequence[Domain]) -> tuple[Edge, ...]:
    """An edge per measured pair of frames and domain, and one along each measured joint."""
    between = [
        (domain, tail.name, head.name) for tail, head in component.measures() for domain in domains
    ]
    wanted = set(component.measured_joints())
    wanted |= {name for coupling in component.couplings() for name, _ in coupling.terms}
    joined = (edge for other in component.references() for edge in other.edges())
    between += [(e.domain, e.tail, e.head) for e in joined if e.name in wanted]
    return tuple(_numbered(component.name, between))


def _numbered(component: str, between: Iterable[tuple[Domain, str, str]]) -> Iterable[Edge]:
    count: dict[Domain, int] = {}
    for domain, tail, head in between:
        k = count[domain] = count.get(domain, 0) + 1
        law = _free_law(domain, "" if k == 1 else str(k))
        given = "M = M(theta, w, t)" if domain is ROTATION else "F = F(r, v, t)"
        yield Edge(component, f"{domain.prefix}{k}", domain, tail, head, law, LOAD_RANK, given)


def _free_law(domain: Domain, number: str) -> MotionLaw:
    """Six freedoms; the variables of a component's further edges carry a number."""
    if domain is ROTATION:
        law: Any = free_rotation(Orientation.EULER_321, Speeds.BODY)
    else:
        law = free_translation(Speeds.DERIVATIVES)
    coordinates = tuple(replace(v, suffix=v.suffix + number) for v in law.coordinates)
    speeds = tuple(replace(v, suffix=v.suffix + number) for v in law.speeds)
    free: MotionLaw = replace(law, coordinates=coordinates, speeds=speeds)
    return free
