"""No self-aligning torque."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.friction.aligning_torques.contract import AligningTorque
from axletree.library.friction.grip import Grip
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class NoAligningTorque(AligningTorque):
    """The side force acts at the contact point."""

    summary: ClassVar[str] = "no self-aligning torque"

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        return 0.0
