"""The contract of tyre laws: from the state of a contact patch to its forces and moments.

1. A law is a frozen dataclass whose fields come from ``components.fields``: its parameters,
   with unit, bounds and one sentence each.
2. ``forces(contact, p)`` is written once with the functions of ``expr``: it answers in
   kind to floats, arrays, expressions and SymPy symbols. ``p`` holds the parameters by
   name: the numbers of the law, or symbols that stand for them.
3. Signs are those of ISO 8855 in the W axis system at the contact point: x forward, y
   left, z up; a positive slip angle means that the contact point drifts to the left, and a
   positive inclination that the wheel leans to the right. Laws that were published in
   other axes convert in one place.
4. Nothing is singular: at standstill, in reverse, with a locked wheel and in the air
   (zero load) the answer is finite and has the right sign.

Equation numbers are those of Morency 2007.
"""

from __future__ import annotations

import dataclasses
import warnings
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from axletree.components.contract import RangeLimit
from axletree.components.fields import Parameters, Part
from axletree.core.errors import ModelError, ModelWarning
from axletree.core.files import package_table
from axletree.core.problems import shown
from axletree.core.units import LARGEST_VALUE
from axletree.expr import Expr, Value, absolute, as_expr, evaluate, symbol, symbols_of, tan
from axletree.wheel.axis_systems import TyreSide

NOMINAL_RADIUS = 0.3  # m, of a wheel of which no radius is told


@dataclass(frozen=True)
class Contact:
    """The state of a contact patch, ISO W axes.

    Example:
    >>> import axletree as at
    >>> drifts = at.Contact(normal_load=4000.0, longitudinal_slip=0.0, slip_angle=0.02)
    >>> drifts.inclination, drifts.radius, drifts.friction  # rad, m, 1
    (0.0, 0.3, 1.0)
    """

    normal_load: Value  # Fz [N], not negative
    longitudinal_slip: Value  # S [1]: positive when driven, -1 when locked (3.20)
    slip_angle: Value  # alpha [rad] (3.21)
    inclination: Value = 0.0  # gamma [rad] (3.5)
    # V*x [m/s], of the contact point without spin; its sign is that of the trail, none at rest
    forward_speed: Value = 0.0
    spin_rate: Value = 0.0  # Omega [rad/s] (3.11)
    turn_slip: Value = 0.0  # phi_t [1/m]: path curvature
    inflation_pressure: Value | None = None  # [Pa]; None: nominal
    # Velocities of the tread; None: those of slip and forward speed, see ``with_velocities``.
    sliding_speed: Value | None = None  # V_Ex [m/s], of the tread on the road, + forward
    lateral_speed: Value | None = None  # V_Py [m/s], of the contact point, + to the left
    rolling_speed: Value | None = None  # Omega R [m/s], + when rolling forward
    bore_rate: Value = 0.0  # [rad/s], of the wheel about the normal, + to the left
    radius: Value = NOMINAL_RADIUS  # [m], of the unloaded tyre
    deflection: Value = 0.0  # [m], unloaded less loaded radius
    patch_length: Value = 0.0  # [m]
    patch_width: Value = 0.0  # [m]
    friction: Value = 1.0  # [1], factor of the surface on friction coefficients


_CONTACT = Contact(**{one.name: symbol(one.name) for one in dataclasses.fields(Contact)})


def _check_numbers(law: TyreLaw, contact: Contact) -> None:
    """Refuse what no contact has; expressions have their values later.

    At rest slips may have no value: a law of velocities that has these does not ask for them.
    """
    problems = []
    moves = contact.sliding_speed is not None and contact.lateral_speed is not None
    unused = ("longitudinal_slip", "slip_angle") if moves and not law.takes_slip else ()
    for name, value in vars(contact).items():
        if value is None or isinstance(value, Expr) or name in unused:
            continue
        least = 0.0 if name == "normal_load" else -LARGEST_VALUE
        if type(value) is float and least <= value <= LARGEST_VALUE:  # as most are
            continue
        array = np.asarray(value)
        number = array.dtype.kind in "fiu"
        if array.dtype.kind in "US" or (number and not np.isfinite(array).all()):
            problems.append(f"{name} is {shown(value)}; expected a finite number, or an array")
        elif number and np.abs(array).max(initial=0.0) > LARGEST_VALUE:
            problems.append(
                f"{name} is {shown(value)}, beyond computing: expected up to {LARGEST_VALUE:g}"
            )
        elif name == "normal_load" and number and array.min(initial=0.0) < 0.0:
            problems.append(f"{name} is {shown(value)}; a road does not pull: expected 0 or more N")
    if problems:
        raise ModelError(f"{type(law).__name__}: {problem}" for problem in problems)


def _is_beyond(limit: RangeLimit, contact: Contact) -> bool:
    """Whether a limit by ``_CONTACT`` is passed anywhere; not of what is no number yet."""
    excess = limit.excess
    values = {one: np.asarray(getattr(contact, one.name)) for one in symbols_of([excess])}
    if any(value.dtype.kind not in "fiu" for value in values.values()):
        return False
    return bool(np.max(evaluate([excess], values)[0]) > 0.0)


def with_velocities(contact: Contact) -> Contact:
    """The contact with its velocities, where they are not told those that its slip implies.

    S = -V_Ex / |V*| and tan(alpha) = V_Py / |V*| (3.20, 3.21), and the tread's speed in the
    wheel is the forward speed less the sliding speed.
    """
    forward = contact.forward_speed
    sliding, lateral = contact.sliding_speed, contact.lateral_speed
    rolling = contact.rolling_speed
    if sliding is None:
        sliding = -contact.longitudinal_slip * absolute(forward)
    if lateral is None:
        lateral = tan(contact.slip_angle) * absolute(forward)
    if rolling is None:
        rolling = forward - sliding
    return dataclasses.replace(
        contact, sliding_speed=sliding, lateral_speed=lateral, rolling_speed=rolling
    )


@dataclass(frozen=True)
class Forces:
    """What the road exerts on the tyre at the contact point, ISO W axes.

    Example:
    >>> import axletree as at
    >>> forces = at.Forces(Fx=0.0, Fy=-1400.0, Mx=0.0, My=-12.0, Mz=40.0)  # N, N m
    >>> f"{forces.Fy} N to the left, {forces.Mz} N m"
    '-1400.0 N to the left, 40.0 N m'
    """

    Fx: Value  # [N]
    Fy: Value  # [N]
    Mx: Value  # [N m], overturning
    My: Value  # [N m], rolling resistance
    Mz: Value  # [N m], aligning


@dataclass(frozen=True)
class RelaxationLengths:
    """Distances over which slip builds up; they may go to zero with the load."""

    longitudinal: Value  # [m]
    lateral: Value  # [m]


def example_fields(law: str) -> Mapping[str, Any]:
    """The fields of one tyre, by the law's name in the catalogue, as the data of the package have
    them, with their sources."""
    found: Mapping[str, Any] = package_table("axletree.data.tyres", "examples.toml")[law]
    return found


class TyreLaw(Part, ABC):
    """A steady-state relation between slip and force.

    Example:
    >>> import axletree as at
    >>> law = at.LinearTyre(slip_stiffness=9e4, cornering_stiffness=7e4)  # N, N/rad
    >>> law(at.Contact(normal_load=4000.0, longitudinal_slip=0.01, slip_angle=0.02)).Fx  # N
    900.0
    >>> law.numbers["cornering_stiffness"], isinstance(law, at.TyreLaw)
    (70000.0, True)
    """

    example: ClassVar[Mapping[str, Any]] = {}  # the fields of one tyre, for plots and tests
    holds: ClassVar[bool] = False  # whether it holds the contact point in place of forces
    takes_slip: ClassVar[bool] = True  # whether forces follow slip, which may lag, or velocities

    @property
    def side(self) -> TyreSide:
        """The side of a vehicle that the tyre is for."""
        return TyreSide.EITHER

    def __call__(self, contact: Contact) -> Forces:
        """The forces with the law's own numbers; beyond its range they come with a warning.

        Example:
        >>> import warnings
        >>> import axletree as at
        >>> law = at.Calspan(**at.Calspan.example)
        >>> with warnings.catch_warnings(record=True) as told:
        ...     warnings.simplefilter("always")
        ...     forces = law(at.Contact(normal_load=30e3, longitudinal_slip=0.0, slip_angle=0.1))
        >>> print(told[0].message)  # doctest: +ELLIPSIS
        Calspan: its load is above AOmega times A2, ...
        """
        _check_numbers(self, contact)
        for limit in self._own_limits:
            if _is_beyond(limit, contact):
                text = f"{type(self).__name__}: {limit.sentence}"
                warnings.warn(text, ModelWarning, stacklevel=2)
        try:
            return self.forces(contact, self._own_numbers)
        except ZeroDivisionError:
            raise ModelError(
                f"{type(self).__name__} has no forces under a load of {contact.normal_load:.4g} N: "
                "its coefficients become zero there; take others, or a smaller load"
            ) from None

    # A law does not change, and fits and maps ask for its forces thousands of times.
    @cached_property
    def _own_numbers(self) -> dict[str, float]:
        return self.numbers

    @cached_property
    def _own_limits(self) -> tuple[RangeLimit, ...]:
        return self.limits(_CONTACT, self._own_numbers)

    @property
    def holds_lateral(self) -> bool:
        """Whether it holds the side slip at zero in place of a side force."""
        return False

    @property
    def holds_longitudinal(self) -> bool:
        """Whether it holds the slip along at zero in place of a force, with other effects."""
        return False

    @property
    def knows_friction(self) -> bool:
        """Whether the law goes by the friction of the ground; others do by similarity."""
        return False

    def limits(self, contact: Contact, p: Parameters) -> tuple[RangeLimit, ...]:
        """Where it leaves its range, by the contact's state and parameters by name.

        Example:
        >>> import axletree as at
        >>> law = at.Calspan(**at.Calspan.example)
        >>> (limit,) = law.limits(at.Contact(9000.0, 0.0, 0.0), law.numbers)  # N
        >>> print(f"{float(limit.excess):.0f} N beyond")
        -3930 N beyond
        """
        return ()

    @property
    def has_relaxation_lengths(self) -> bool:
        """Whether it tells how far a tyre rolls until its forces have built up."""
        return False

    def relaxation_lengths(self, contact: Contact, p: Parameters) -> RelaxationLengths:
        """The relaxation lengths [m] of a law that has them, parameters by name.

        Example:
        >>> import axletree as at
        >>> law = at.MagicFormula61(**at.MagicFormula61.example)
        >>> lengths = law.relaxation_lengths(at.Contact(4000.0, 0.0, 0.0), law.numbers)  # N, 1, rad
        >>> print(f"{lengths.longitudinal:.3f} m along, {lengths.lateral:.3f} m across")
        0.296 m along, 0.695 m across
        """
        raise ModelError(f"{type(self).__name__} has no relaxation lengths")

    @abstractmethod
    def forces(self, contact: Contact, p: Parameters) -> Forces:
        """Forces and moments from the contact's state and parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.expr import symbol
        >>> law = at.LinearTyre(slip_stiffness=9e4, cornering_stiffness=7e4)  # N, N/rad
        >>> drifts = at.Contact(4000.0, 0.0, slip_angle=symbol("alpha"))
        >>> print(law.forces(drifts, {name: symbol(name) for name in law.numbers}).Fy)
        -alpha*cornering_stiffness
        """


def knows_pressure(law: TyreLaw) -> bool:
    """Whether a law depends on the inflation pressure."""
    pressure = symbol("inflation_pressure")
    state = Contact(**{f.name: symbol(f.name) for f in dataclasses.fields(Contact)})
    forces = law.forces(state, law.numbers)
    answers = (as_expr(getattr(forces, f.name)) for f in dataclasses.fields(forces))
    return pressure in symbols_of(answers)
