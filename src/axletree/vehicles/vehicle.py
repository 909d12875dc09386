"""A vehicle: a body on axles, steered, driven and braked by a driver."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from axletree.library.fields import choice, flag, parameter
from axletree.library.part import Part, named_pieces, part, piece
from axletree.library.surfaces.contract import Surface
from axletree.library.surfaces.flat import Flat
from axletree.vehicles.drive_and_brakes import Brakes, Drive
from axletree.vehicles.driver import Driver
from axletree.vehicles.pieces import Air, Body, Load, Steering, VehicleTyre, Wheel
from axletree.vehicles.suspensions.contract import Suspension


class Fidelity(enum.Enum):
    """A ladder of models from one description."""

    FULL = "full"  # all that is described
    FOURTEEN = "14-dof"  # suspensions without curves and stops
    TWO_TRACK = "two-track"  # in the plane: no roll, pitch and heave, loads as they stand
    SINGLE_TRACK = "single-track"  # likewise, both wheels of an axle in its middle

    @property
    def is_planar(self) -> bool:
        """Whether nothing goes up or down."""
        return self in (Fidelity.TWO_TRACK, Fidelity.SINGLE_TRACK)


@dataclass(frozen=True)
class Axle(Part):
    """Two wheels, how they are carried, and what acts on them."""

    summary: ClassVar[str] = "two wheels and how they are carried"

    position: float = parameter("m", "ahead of the body's centre of mass; negative behind")
    track: float = parameter("m", "distance of the wheels' centres", lower=0.0, above=True)
    wheel: Wheel = piece(Wheel, "wheels of the axle")
    tyre: VehicleTyre = piece(VehicleTyre, "tyres of the axle")
    suspension: Suspension = part("SUSPENSIONS", "how the wheels are carried")
    steering: Steering | None = piece(Steering, "steering of the wheels", default=None)
    brakes: Brakes | None = piece(Brakes, "brakes of the wheels", default=None)
    drive: Drive | None = piece(Drive, "drive of the wheels", default=None)

    @property
    def unsprung_mass(self) -> float:
        """Of the axle with its wheels [kg]."""
        return self.suspension.unsprung_mass + 2.0 * self.wheel.mass


@dataclass(frozen=True)
class Vehicle(Part):
    """A body on two axles or more. Axes are x forward, y left, z up (ISO 8855)."""

    summary: ClassVar[str] = "a body on axles, steered, driven and braked by a driver"

    body: Body = piece(Body, "the sprung mass")
    axles: Mapping[str, Axle] = named_pieces(Axle, "the axles by name")
    air: Air | None = piece(Air, "forces of the air", default=None)
    loads: Mapping[str, Load] = named_pieces(Load, "passengers and luggage by name", default=dict)
    driver: Driver | None = piece(
        Driver, "who follows a path; left out: steering wheel and pedals are inputs", default=None
    )
    road: Surface = part("SURFACES", "shape and friction of the ground", default=Flat)
    posts: bool = flag(
        "whether wheels stand on posts without friction, whose heights are inputs", default=False
    )
    fidelity: Fidelity = choice(Fidelity, "how much of it is modelled", default=Fidelity.FULL)

    def problems(self) -> list[str]:
        places = [axle.position for axle in self.axles.values()]
        found = []
        if len(places) < 2:
            found.append("axles: one axle does not carry a vehicle; give two or more")
        elif len(set(places)) < len(places):
            found.append("axles: two of them have the same position")
        elif not min(places) < 0.0 < max(places):
            found.append(
                "axles: all are on one side of the centre of mass, and the vehicle would fall "
                "over; position is positive ahead of the body's centre of mass, negative behind"
            )
        if not found and self._tips():
            found.append("loads: they are so far out that an axle would carry less than nothing")
        return [*found, *self._problems_of_ground()]

    def _problems_of_ground(self) -> list[str]:
        if not self.fidelity.is_planar:
            return []
        word = f"a {self.fidelity.value} model stays in its plane"
        found = []
        if not isinstance(self.road, Flat):
            found.append(
                f"road: {word} and feels of a road its friction_map alone; take type flat with "
                "it, or the fidelity 14-dof or full"
            )
        if self.posts:
            found.append(f"posts: {word}; take the fidelity 14-dof or full")
        return found

    def _tips(self) -> bool:
        places = [axle.position for axle in self.axles.values()]
        moment = sum(load.mass * load.position[0] for load in self.loads.values())
        return not min(places) < moment / self.sprung_mass < max(places)

    @property
    def wheelbase(self) -> float:
        """From the first axle to the last [m]."""
        places = [axle.position for axle in self.axles.values()]
        return max(places) - min(places)

    @property
    def sprung_mass(self) -> float:
        """Of the body with its loads [kg]."""
        return self.body.mass + sum(load.mass for load in self.loads.values())

    @property
    def mass(self) -> float:
        """Of the whole vehicle with its loads [kg]."""
        return self.sprung_mass + sum(axle.unsprung_mass for axle in self.axles.values())
