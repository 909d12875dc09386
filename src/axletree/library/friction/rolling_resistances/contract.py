"""The contract of rolling resistance: a moment about the wheel's lateral axis."""

from __future__ import annotations

from abc import ABC, abstractmethod

from axletree.core.expr import absolute, maximum
from axletree.library.friction.grip import Grip
from axletree.library.part import Part
from axletree.library.tyres.contract import Contact, Parameters, Value


class RollingResistance(Part, ABC):
    """A moment against the spin of the wheel.

    Example:
    >>> from dataclasses import dataclass
    >>> import axletree as at
    >>> from axletree.library.fields import parameter
    >>> from axletree.library.friction.grip import Grip, Sliding
    >>> from axletree.library.friction.rolling_resistances.contract import RollingResistance
    >>> @dataclass(frozen=True)
    ... class Bearing(RollingResistance):
    ...     drag: float = parameter("N*m*s/m", "moment over the speed of rolling", lower=0.0)
    ...
    ...     def moment(self, contact, grip, p):
    ...         return -p["drag"] * grip.sliding.rolling_speed
    >>> rolling = Sliding(longitudinal_speed=0.0, lateral_speed=0.0, rolling_speed=5.0)  # m/s
    >>> grip = Grip(rolling, 0.0, 0.0, adhesion_speed=0.4, full_sliding_speed=2.0, factor=1.0)
    >>> bearing = Bearing(0.2)
    >>> bearing.moment(at.Contact(4000.0, 0.0, 0.0), grip, bearing.numbers)  # N m
    -1.0
    """

    @abstractmethod
    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        """My [N m], negative when rolling forward; ``p`` has the parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.library.friction.grip import Grip, Sliding
        >>> back = Sliding(longitudinal_speed=0.0, lateral_speed=0.0, rolling_speed=-5.0)  # m/s
        >>> grip = Grip(back, 0.0, 0.0, adhesion_speed=0.4, full_sliding_speed=2.0, factor=1.0)
        >>> resistance = at.ConstantRollingResistance(0.01)
        >>> resistance.moment(at.Contact(4000.0, 0.0, 0.0, radius=0.3), grip, resistance.numbers)
        12.0
        """


def resisting_moment(contact: Contact, grip: Grip, coefficient: Value) -> Value:
    """My of a load that acts by f_R r ahead of the contact point (Andres 2009, eqs. 3.39, 3.40).

    ``coefficient`` is f_R [1], r the unloaded radius. Below the sliding speed v_Ad at which
    adhesion ends, the moment is in proportion to the rolling speed, so that it passes through
    zero at rest.

    Example:
    >>> import axletree as at
    >>> from axletree.library.friction.grip import Grip, Sliding
    >>> from axletree.library.friction.rolling_resistances.contract import resisting_moment
    >>> rolling = Sliding(longitudinal_speed=0.0, lateral_speed=0.0, rolling_speed=5.0)  # m/s
    >>> grip = Grip(rolling, 0.0, 0.0, adhesion_speed=0.4, full_sliding_speed=2.0, factor=1.0)
    >>> resisting_moment(at.Contact(4000.0, 0.0, 0.0, radius=0.3), grip, 0.01)  # N, m, N m
    -12.0
    """
    rolling = grip.sliding.rolling_speed
    sense = rolling / maximum(absolute(rolling), grip.adhesion_speed)
    return -contact.normal_load * coefficient * contact.radius * sense
