"""The contract of the self-aligning torque: a moment about the normal."""

from __future__ import annotations

from abc import ABC, abstractmethod

from axletree.library.friction.grip import Grip
from axletree.library.part import Part
from axletree.library.tyres.contract import Contact, Parameters, Value


class AligningTorque(Part, ABC):
    """A moment of the side force, which acts behind the contact point."""

    @abstractmethod
    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        """Mz [N m], positive in a drift to the left of a wheel that rolls forward; ``p`` has the
        parameters by name.

        Example:
        >>> import axletree as at
        >>> from axletree.library.friction.grip import Grip, Sliding
        >>> drift = Sliding(longitudinal_speed=0.0, lateral_speed=0.1, rolling_speed=20.0)  # m/s
        >>> grip = Grip(drift, 0.0, -900.0, adhesion_speed=0.4, full_sliding_speed=2.0, factor=1.0)
        >>> contact = at.Contact(4000.0, 0.0, 0.005, patch_length=0.2)  # N, 1, rad, m
        >>> mz = at.RillAligningTorque().moment(contact, grip, {})
        >>> print(f"{mz:.1f} N m")  # 900 * 0.2 / 6 * (1 - 0.1 / 0.4)
        22.5 N m
        """
