"""No bore torque."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from axletree.library.friction.bore_torques.contract import BoreTorque
from axletree.library.friction.grip import Grip
from axletree.library.tyres.contract import Contact, Parameters, Value


@dataclass(frozen=True)
class NoBoreTorque(BoreTorque):
    """Nothing resists turning about the normal."""

    summary: ClassVar[str] = "no bore torque"

    def moment(self, contact: Contact, grip: Grip, p: Parameters) -> Value:
        return 0.0
