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
        """Mz [N m], positive in a drift to the left of a wheel that rolls forward."""
