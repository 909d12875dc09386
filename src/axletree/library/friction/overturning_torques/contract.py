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
        """Mx [N m], negative where it rights a wheel that leans to the right."""
