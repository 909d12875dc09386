"""The dynamics of the contact point (Andres 2009, section 3.7)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from axletree.core.expr import Expr
from axletree.core.expr.expression import ZERO
from axletree.core.vectors import NULL
from axletree.library.edge import Variable
from axletree.library.fields import parameter
from axletree.library.part import Part
from axletree.library.tyres.contract import Forces
from axletree.library.tyres.patch import Patch
from axletree.library.tyres.sprung_point import POINT_STATES, SprungPoint
from axletree.library.tyres.wheel_loads import WheelLoads

NO_LOADS = WheelLoads(NULL, NULL, ZERO)


@dataclass(frozen=True)
class ContactAnswer:
    """What the wheel gets of the law's forces, and what the contact point does."""

    forces: Forces  # at the contact point
    beside: WheelLoads = NO_LOADS  # at the wheel's centre
    rates: tuple[Expr, ...] = ()
    energy: Expr = ZERO  # [J]


class ContactDynamics(Part, ABC):
    """What lies between the road and the tread's contact point."""

    needs_flat_ground: ClassVar[bool] = False

    def states(self) -> tuple[Variable, ...]:
        """What changes between road and tread by itself.

        Example:
        >>> import axletree as at
        >>> len(at.SecondOrderContact().states()), len(at.NoContactDynamics().states())
        (4, 0)
        """
        return ()

    @abstractmethod
    def move(self, patch: Patch, states: Sequence[Expr], p: Any) -> Patch:
        """The patch that slides on the road, from that of the belt.

        Example:
        >>> import axletree as at
        >>> from axletree.core.vectors import IDENTITY, NULL
        >>> from axletree.library.tyres.patch import WheelOnPlane
        >>> (x, y, z), point = IDENTITY, at.SecondOrderContact()
        >>> rim = at.PlanarDisc().patch(WheelOnPlane(z, 0.3, x * 20.0, NULL, y, 66.0, 0.31), {})
        >>> print(point.move(rim, (0.0, 0.0, 20.0, 0.5), point.numbers).lateral_speed)  # m/s
        0.5
        """

    @abstractmethod
    def answer(self, patch: Patch, forces: Forces, states: Sequence[Expr], p: Any) -> ContactAnswer:
        """From the patch of the belt and the forces of the road.

        Example:
        >>> import axletree as at
        >>> from axletree.core.vectors import IDENTITY, NULL
        >>> from axletree.library.tyres.patch import WheelOnPlane
        >>> (x, y, z), point = IDENTITY, at.SecondOrderContact(lateral_stiffness=1e5)  # N/m
        >>> rim = at.PlanarDisc().patch(WheelOnPlane(z, 0.3, x * 20.0, NULL, y, 66.0, 0.31), {})
        >>> road = at.Forces(Fx=0.0, Fy=-500.0, Mx=0.0, My=0.0, Mz=0.0)  # N
        >>> print(point.answer(rim, road, (0.0, -0.004, 20.0, 0.0), point.numbers).forces.Fy)  # N
        -400
        """


@dataclass(frozen=True)
class NoContactDynamics(ContactDynamics):
    """The contact point belongs to the belt.

    Example:
    >>> import axletree as at
    >>> at.NoContactDynamics().states()
    ()
    """

    summary: ClassVar[str] = "none: the contact point is one with the belt"

    def move(self, patch: Patch, states: Sequence[Expr], p: Any) -> Patch:
        return patch

    def answer(self, patch: Patch, forces: Forces, states: Sequence[Expr], p: Any) -> ContactAnswer:
        return ContactAnswer(forces)


@dataclass(frozen=True)
class SecondOrderContact(ContactDynamics):
    """A mass at the contact point on springs and dampers, along the road's plane.

    ``sprung_point`` has its equations; the point that it is fixed to is the contact point of
    the geometric wheel, which does not spin. Treads run through it: the force of the road
    turns the wheel at once, and moves it through the springs. So the power of slip is that of
    the law's own velocities. Mass and weight count along the plane alone.

    Example:
    >>> import axletree as at
    >>> [f"{state.suffix} [{state.unit}]" for state in at.SecondOrderContact().states()]
    ['contact_x [m]', 'contact_y [m]', 'contact_vx [m/s]', 'contact_vy [m/s]']
    """

    summary: ClassVar[str] = "a mass at the contact point on springs, on flat ground"
    needs_flat_ground: ClassVar[bool] = True

    mass: float = parameter("kg", "mass at the contact point", default=5.0, lower=0.0, above=True)
    longitudinal_stiffness: float = parameter("N/m", "stiffness along", default=1e5, lower=0.0)
    lateral_stiffness: float = parameter("N/m", "stiffness across", default=1e5, lower=0.0)
    longitudinal_damping: float = parameter("N*s/m", "damping along", default=1e4, lower=0.0)
    lateral_damping: float = parameter("N*s/m", "damping across", default=1e4, lower=0.0)

    def states(self) -> tuple[Variable, ...]:
        return tuple(replace(v, suffix=f"contact_{v.suffix}") for v in POINT_STATES)

    def move(self, patch: Patch, states: Sequence[Expr], p: Any) -> Patch:
        ahead = states[2] - patch.rolling_speed(patch.loaded_radius)
        return replace(patch, centre_speed=patch.centre_speed + ahead, lateral_speed=states[3])

    def answer(self, patch: Patch, forces: Forces, states: Sequence[Expr], p: Any) -> ContactAnswer:
        rolling = patch.rolling_speed(patch.loaded_radius)
        velocity = (rolling, patch.lateral_speed)
        point = SprungPoint(states, p, patch.yaw_rate, velocity, patch.gravity_along)
        found = point.under(forces.Fx, forces.Fy)
        Px, Py = found.passed
        # What the springs pass turns the wheel by its lever; the rest of the road's force does so.
        reach = patch.reach(patch.loaded_radius)
        torque = (reach.ring - reach.lift * patch.cos_inclination) * (Px - forces.Fx)
        moment = patch.spinning * torque + patch.yawing * found.yaw_moment
        return ContactAnswer(
            forces=replace(forces, Fx=Px, Fy=Py),
            beside=WheelLoads(NULL, moment, torque),
            rates=found.rates,
            energy=found.energy,
        )
