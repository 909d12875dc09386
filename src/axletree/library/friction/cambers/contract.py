"""The contract of camber: a lean acts as a lateral sliding speed of the tread."""

from __future__ import annotations

from abc import ABC, abstractmethod

from axletree.core.expr import maximum, sqrt
from axletree.library.part import Part
from axletree.library.tyres.contract import Contact, Parameters, Value

LEAST_COSINE_SQUARED = 1e-9  # of half the angle that a patch as long as the wheel would span


class CamberEffect(Part, ABC):
    """What the tread of a leaning wheel does because it sticks to the road."""

    @abstractmethod
    def lateral_speed(self, contact: Contact, rolling_speed: Value, p: Parameters) -> Value:
        """What adds to the lateral sliding speed [m/s], + to the left, from the rolling speed
        [m/s]; ``p`` has the parameters by name.

        Leaning to the right it is positive whichever way the wheel rolls: the force is to the
        side of the lean.

        Example:
        >>> import axletree as at
        >>> camber = at.SimpleCamberSpeed()
        >>> leans = at.Contact(4000.0, 0.0, 0.0, inclination=0.1, radius=0.3, patch_length=0.2)
        >>> print(f"{camber.lateral_speed(leans, 20.0, camber.numbers):.3f} m/s")
        0.086 m/s
        """


def deflection_over_squared_length(contact: Contact) -> Value:
    """How far the patch's middle lies beside the line of its ends, at a lean of 90 degrees.

    Over the square of the patch's length [1/m], after Andres 2009, eq. (3.44):
    r - sqrt(r^2 - l^2/4) is l^2 / (4 r (1 + sqrt(1 - l^2/(4 r^2)))), which loses no digits
    and divides by no length.
    """
    half_angle = 0.5 * contact.patch_length / contact.radius
    cosine = sqrt(maximum(1.0 - half_angle * half_angle, LEAST_COSINE_SQUARED))
    return 0.25 / (contact.radius * (1.0 + cosine))
