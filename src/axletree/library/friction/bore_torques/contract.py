"""The contract of bore torque: a moment about the normal against turning on the spot."""

from __future__ import annotations

from abc import ABC, abstractmethod

from axletree.core.expr import absolute, maximum, sqrt
from axletree.library.friction.grip import Grip
from axletree.library.part import Part
from axletree.library.tyres.contract import Contact, Parameters, Value

SMALLEST_SQUARE = 1e-24  # of the patch's diagonal [m]; below it a root would have no slope


class BoreTorque(Part, ABC):
    """A moment against the turning of the contact patch about the normal."""

    @abstractmethod
    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        """Mz [N m], against the bore rate; ``p`` has the parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.library.friction.grip import Grip, Sliding
        >>> rest = Sliding(longitudinal_speed=0.0, lateral_speed=0.0, rolling_speed=0.0)  # m/s
        >>> grip = Grip(rest, 0.0, 0.0, adhesion_speed=0.02, full_sliding_speed=1.0, factor=1.0)
        >>> turns = at.Contact(4000.0, 0.0, 0.0, bore_rate=1.0, patch_length=0.16, patch_width=0.12)
        >>> torque = at.CombinedBoreTorque(friction=0.8)
        >>> print(f"{torque.moment(turns, grip, torque.numbers):.0f} N m")  # -4000 * 0.8 * 0.05
        -160 N m
        """


def boring_moment(contact: Contact, grip: Grip, friction: Value, speed: Value) -> Value:
    """Mz of a patch that turns, with friction mu_Turn [1] (Andres 2009, eqs. 3.42 and 3.43).

    With rho = sqrt(l^2 + b^2) / 4, the lever of friction in a patch of length l and width b,
    and w the bore rate, it is -Fz mu_Turn rho, in proportion to rho w below ``speed`` [m/s].
    In both equations l^2 + b^2 stands in parentheses and without a root. Zimmer and Otter 2009
    derive them.
    """
    squared = contact.patch_length * contact.patch_length
    squared = squared + contact.patch_width * contact.patch_width
    lever = 0.25 * sqrt(maximum(squared, SMALLEST_SQUARE))
    turning = lever * contact.bore_rate
    share = turning / maximum(absolute(turning), speed)
    return -contact.normal_load * grip.factor * friction * lever * share
