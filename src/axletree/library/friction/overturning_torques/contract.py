"""The contract of the overturning torque: a moment about the forward axis."""

from __future__ import annotations

from abc import ABC, abstractmethod

from axletree.library.friction.grip import Grip
from axletree.library.part import Part
from axletree.library.tyres.contract import Contact, Parameters, Value


class OverturningTorque(Part, ABC):
    """A moment of a leaning wheel's patch."""

    @abstractmethod
    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        """Mx [N m], negative where it rights a wheel that leans to the right; ``p`` has the
        parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.library.friction.grip import Grip, Sliding
        >>> straight = Sliding(longitudinal_speed=0.0, lateral_speed=0.0, rolling_speed=20.0)  # m/s
        >>> grip = Grip(straight, 0.0, 0.0, adhesion_speed=0.4, full_sliding_speed=2.0, factor=1.0)
        >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.12, patch_width=0.1)
        >>> torque = at.LinearOverturningTorque(radial_stiffness=3e5)  # N/m
        >>> mx = torque.moment(leans, grip, torque.numbers)
        >>> print(f"{mx:.1f} N m")  # -3e5 * 0.1^2 / 12 * 0.12
        -30.0 N m
        """
