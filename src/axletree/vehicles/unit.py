"""What a vehicle and its trailers have alike: a body on axles, with loads in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import parameter
from axletree.library.part import Part, part, piece
from axletree.vehicles.drive_and_brakes import Brakes, Drive
from axletree.vehicles.pieces import Air, Body, Load, Steering, VehicleTyre, Wheel
from axletree.vehicles.soft_ground import SoftGround
from axletree.vehicles.suspensions.contract import Suspension


@dataclass(frozen=True)
class Axle(Part):
    """Two wheels, how they are carried, and what acts on them.

    Example:
    >>> import axletree as at
    >>> front = at.read_model("sedan").described["vehicle"].axles["front"]
    >>> front.position, front.track, front.unsprung_mass  # m, m, kg
    (1.37, 1.57, 92.0)
    """

    summary: ClassVar[str] = "two wheels and how they are carried"

    position: float = parameter("m", "ahead of the body's centre of mass; negative behind")
    track: float = parameter("m", "distance of the wheels' centres", lower=0.0, above=True)
    wheel: Wheel = piece(Wheel, "wheels of the axle")
    tyre: VehicleTyre = piece(VehicleTyre, "tyres of the axle")
    suspension: Suspension = part("SUSPENSIONS", "how the wheels are carried")
    steering: Steering | None = piece(Steering, "steering of the wheels", default=None)
    brakes: Brakes | None = piece(Brakes, "brakes of the wheels", default=None)
    drive: Drive | None = piece(Drive, "drive of the wheels", default=None)
    soil: SoftGround | None = piece(
        SoftGround, "soft ground under these wheels; left out: that of the vehicle", default=None
    )

    @property
    def unsprung_mass(self) -> float:
        """Of the axle with its wheels [kg]."""
        return self.suspension.unsprung_mass + 2.0 * self.wheel.mass


class Unit(Part, ABC):
    """A body on axles. Axes are x forward, y left, z up (ISO 8855)."""

    body: Body
    axles: Mapping[str, Axle]
    air: Air | None
    loads: Mapping[str, Load]

    @property
    @abstractmethod
    def ends(self) -> tuple[float, float]:
        """Where it is held first and last [m], from the body's centre of mass."""

    @property
    def air_position(self) -> float:
        """Where the air acts [m], ahead of the body's centre of mass: between the ends."""
        return 0.5 * sum(self.ends)

    @property
    def wheelbase(self) -> float:
        """From where it is held first to where it is held last [m]."""
        first, last = self.ends
        return first - last

    @property
    def sprung_mass(self) -> float:
        """Of the body with its loads [kg]."""
        return self.body.mass + sum(load.mass for load in self.loads.values())

    @property
    def mass(self) -> float:
        """Of the whole unit with its loads [kg]."""
        return self.sprung_mass + sum(axle.unsprung_mass for axle in self.axles.values())

    @property
    def moment_of_loads(self) -> float:
        """About the body's centre of mass, forward [kg m]."""
        return sum(load.mass * load.position[0] for load in self.loads.values())
