"""A vehicle: a body on axles, steered, driven and braked by a driver."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from axletree.components.fields import chosen, flag, named_pieces, part, piece
from axletree.core.errors import as_model_error
from axletree.core.registry import few_names
from axletree.ground.surfaces import Flat, Surface
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.batteries import MOST_MOTORS, TractionBattery, motors_of
from axletree.vehicles.brake_lines import BrakeLines
from axletree.vehicles.controls import Controls
from axletree.vehicles.drive_and_brakes import CentreCoupling
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.pieces import Air, Driver, Payload, SoftGround, Steering, VehicleBody
from axletree.vehicles.spring_seats import (
    EVEN_CROSS_WEIGHT,
    SideForces,
    SpringSeats,
    seat_forces_of_axles,
)
from axletree.vehicles.suspensions import SIDES
from axletree.vehicles.units import Axle, Trailer, VehicleUnit, full_name, settle, turning_place

# names of components
_RESERVED = ("air", "battery", "body", "chassis", "coupling", "driver", "ground",
             "steering_actuator", "vehicle", "wheel_loads")  # fmt: skip


_ROUNDED = 1e-6  # of a sum of shares that people write in few digits


class Fidelity(enum.Enum):
    """A ladder of models from one description."""

    BUSHINGS = "bushings"  # links of suspensions by hard points, with the mounts that are given
    LINKS = "links"  # rigid links, ideal joints
    FULL = "full"  # all that is described; hard points by their curves
    FOURTEEN = "14-dof"  # suspensions without curves and stops
    TWO_TRACK = "two-track"  # in the plane: no roll, pitch and heave, load transfer as if steady
    TWO_TRACK_STATIC = "two-track-static"  # likewise, loads as they stand
    SINGLE_TRACK = "single-track"  # likewise, both wheels of an axle in its middle
    LINEAR = "linear"  # likewise, with small angles and linear tyres at constant speed

    @property
    def is_planar(self) -> bool:
        """Whether nothing goes up or down."""
        return not self.has_links and self not in (Fidelity.FULL, Fidelity.FOURTEEN)

    @property
    def has_links(self) -> bool:
        """Whether suspensions by hard points have all their links."""
        return self in (Fidelity.BUSHINGS, Fidelity.LINKS)

    @property
    def has_curves(self) -> bool:
        """Whether wheels move by links, or by the curves of their suspensions."""
        return self.has_links or self is Fidelity.FULL


@dataclass(frozen=True)
class Vehicle(VehicleUnit):
    """A body on two axles or more. Axes are x forward, y left, z up (ISO 8855).

    Example:
    >>> import axletree as at
    >>> sedan = at.read_model("sedan").described["vehicle"]
    >>> print(f"{sedan.mass:.0f} kg, {sedan.wheelbase:.2f} m, {list(sedan.axles)}")
    1602 kg, 2.85 m, ['front', 'rear']
    """

    summary: ClassVar[str] = "a body on axles, steered, driven and braked by a driver"

    def __repr__(self) -> str:
        parts = {"axles": self.axles, "loads": self.loads, "trailers": self.trailers}
        named = "; ".join(f"{word} {few_names(names, 6)}" for word, names in parts.items() if names)
        return f"Vehicle of {self.mass:.4g} kg, {self.fidelity.value}: {named}"

    body: VehicleBody = piece(VehicleBody, "the sprung mass")
    axles: Mapping[str, Axle] = named_pieces(Axle, "the axles by name")
    air: Air | None = piece(Air, "forces of the air", default=None)
    loads: Mapping[str, Payload] = named_pieces(
        Payload, "passengers and luggage by name", default=dict
    )
    trailers: Mapping[str, Trailer] = named_pieces(
        Trailer, "what it tows, by name: the first is hitched to it, each other to the one before",
        default=dict,
    )  # fmt: skip
    driver: Driver | None = piece(
        Driver, "who follows a path; left out: steering wheel and pedals are inputs", default=None
    )
    road: Surface = part("SURFACES", "shape and friction of the ground", default=Flat)
    posts: bool = flag(
        "whether wheels stand on posts without friction, whose heights are inputs", default=False
    )
    soil: SoftGround | None = piece(
        SoftGround, "soft ground under all wheels; left out: a road", default=None
    )
    spring_seats: SpringSeats | None = piece(
        SpringSeats, "how springs are set; left out: level without loads", default=None
    )
    battery: TractionBattery | None = piece(
        TractionBattery, "what motors take their power from; left out: their power has no bound",
        default=None,
    )  # fmt: skip
    coupling: CentreCoupling | None = piece(
        CentreCoupling, "what passes torque between its first and its last axle", default=None
    )
    controls: Controls = piece(
        Controls, "what of it controllers may command, beside the driver", default=Controls
    )
    brake_lines: BrakeLines | None = piece(
        BrakeLines, "hydraulics of its brakes; left out: pressures follow the pedal at once",
        default=None,
    )  # fmt: skip
    fidelity: Fidelity = chosen(Fidelity.FULL, "how much of it is modelled")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._settle_linkages()

    def _settle_linkages(self) -> None:
        """Hard points learn what their springs carry, and how their axle is steered."""
        if not self.has_linkages:
            return
        loads = settle(self.units, loaded=False).axles
        behind = turning_place(self.axles.values())

        def settled(unit: str, axles: Mapping[str, Axle]) -> dict[str, Axle]:
            found = {}
            for name, axle in axles.items():
                with as_model_error(f"axles: {name}: "):
                    half = 0.5 * loads[full_name(unit, name)]
                    found[name] = axle.settled(half, axle.position - behind)
            return found

        trailers = {k: replace(t, axles=settled(k, t.axles)) for k, t in self.trailers.items()}
        object.__setattr__(self, "axles", settled("", self.axles))
        object.__setattr__(self, "trailers", trailers)

    @property
    def has_linkages(self) -> bool:
        """Whether any suspension is described by hard points."""
        axles = self.every_axle.values()
        return any(isinstance(axle.suspension, LinkedSuspension) for axle in axles)

    @property
    def has_links_of_a_rack(self) -> bool:
        """Whether its fidelity has a steering rack with all of its links."""
        racks = (axle.steering and axle.steering.rack for axle in self.every_axle.values())
        return self.fidelity.has_links and any(rack is not None for rack in racks)

    @property
    def fidelities(self) -> tuple[Fidelity, ...]:
        """Those that it can have: with links if it has hard points, with bushings if these give
        some."""
        lacks = set() if self.has_linkages else {Fidelity.LINKS}
        lacks |= set() if self.has_bushings else {Fidelity.BUSHINGS}
        return tuple(one for one in Fidelity if one not in lacks)

    @property
    def has_bushings(self) -> bool:
        """Whether any of its hard points gives the mount of a joint."""
        linked = (axle.suspension for axle in self.every_axle.values())
        return any(
            isinstance(one, LinkedSuspension) and one.linkage().has_bushings() for one in linked
        )

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
        found += [*self._problems_of_names(), *self._problems_of_seats()]
        if not found:
            found += self._problems_of_loads() or self._problems_of_tyres()
        found += [*self._problems_of_battery(), *self._problems_of_shares()]
        return [*found, *self._problems_of_ground(), *self._problems_of_controls()]

    def _problems_of_battery(self) -> list[str]:
        if self.battery is None:
            return []
        motors = motors_of({name: axle.drive for name, axle in self.every_axle.items()})
        if not motors:
            return [
                "battery: no axle has a motor that takes its power from one; give a drive the "
                "source traction-motor, or leave the battery out"
            ]
        if motors > MOST_MOTORS:
            return [f"battery: {motors} motors; expected {MOST_MOTORS} or fewer"]
        return []

    def _problems_of_shares(self) -> list[str]:
        """Shares below 1 are of one engine, whatever its axles have."""
        shares = {
            name: axle.drive.share for name, axle in self.every_axle.items()
            if axle.drive is not None and axle.drive.share < 1.0
        }  # fmt: skip
        total = sum(shares.values())
        if total <= 1.0 + _ROUNDED:
            return []
        each = ", ".join(f"{name} {share:g}" for name, share in shares.items())
        return [
            f"axles: shares of the drive add up to {total:g} ({each}); expected 1 of one engine, "
            "and a share of 1 for an engine of its own"
        ]

    def _problems_of_ground(self) -> list[str]:
        found = [
            f"axles: {name}: wheel: on soft ground it needs its width, such as width: 205 mm"
            for name, axle in self.every_axle.items()
            if self.soil_under(name) is not None and axle.wheel.width is None
        ]
        if self.posts and self.is_on_soil:
            found.append("posts: they stand on a floor; leave them or the soil out")
        if self.fidelity is Fidelity.LINEAR and self.is_on_soil:
            found.append("soil: a linear model has linear tyres; take another fidelity")
        if self.fidelity.has_links and not self.has_linkages:
            found.append(
                f"fidelity: {self.fidelity.value}: no axle has a suspension by hard points, such "
                "as double-wishbone; take the fidelity full"
            )
        elif self.fidelity is Fidelity.BUSHINGS and not self.has_bushings:
            found.append(
                "fidelity: bushings: no joint of a suspension has the mount of a bushing; give "
                "some, or take the fidelity links"
            )
        return [*found, *self._problems_of_plane()]

    def _problems_of_controls(self) -> list[str]:
        every = self.every_axle.values()
        has = {
            "brakes": any(axle.brakes is not None for axle in every),
            "drive": any(axle.drive is not None for axle in every),
            "gears": any(axle.drive is not None and len(axle.drive.gears) > 1 for axle in every),
            "steering": any(axle.steering is not None for axle in every),
            "steering_torque": bool(self._steered),
        }
        linear, planar = self.fidelity is Fidelity.LINEAR, self.fidelity.is_planar
        lines = (
            []
            if self.brake_lines is None
            else self.brake_lines.lacking(
                {name: axle.brakes for name, axle in self.axles.items()},
                self.controls,
                linear=linear,
            )
        )
        found = lines + list(self.controls.lacking(planar=planar, linear=linear, has=has))
        return found + (self._problems_of_torque() if self.controls.steering_torque else [])

    def _problems_of_torque(self) -> list[str]:
        """Where a torque on the steering wheel has nothing that it could turn."""
        word, steered = "controls: steering_torque:", self._steered
        if self.driver is not None:
            return [f"{word} a driver has the steering wheel in hand; leave the driver out"]
        if len(steered) > 1:
            return [f"{word} {', '.join(steered)} are steered; expected one axle"]
        return []

    @property
    def _steered(self) -> dict[str, Steering]:
        return {
            name: axle.steering for name, axle in self.axles.items() if axle.steering is not None
        }

    def _problems_of_plane(self) -> list[str]:
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

    def _problems_of_names(self) -> list[str]:
        taken = [name for name in self.trailers if name in _RESERVED]
        found = [f"trailers: {name}: vehicles have this name; choose another" for name in taken]
        names = [full_name(unit, axle) for unit, own in self.units.items() for axle in own.axles]
        twice = sorted({name for name in names if names.count(name) > 1})
        return found + [f"trailers: two axles are called {name} in the model" for name in twice]

    def _problems_of_loads(self) -> list[str]:
        for loaded in (False, True):
            loads = settle(self.units, loaded).axles
            lifted = [name for name, load in loads.items() if load <= 0.0]
            if lifted and loaded:
                what = "loads: they" if self.loads else "trailers: loads"
                return [
                    f"{what} are so far out that an axle would carry less than nothing: "
                    f"{', '.join(lifted)}"
                ]
            if lifted:
                where = "trailers" if self.trailers else "axles"
                return [
                    f"{where}: {', '.join(lifted)} would carry less than nothing of the bodies; "
                    "place axles and hitches so that all wheels press on the ground"
                ]
        return []

    def _problems_of_tyres(self) -> list[str]:
        """Tyres that the weight would press flat; wheels stand on what is left of their radius."""
        loads = settle(self.units, True).axles
        flat = []
        for name, axle in self.every_axle.items():
            weight = loads[name] + axle.unsprung_mass * STANDARD_GRAVITY
            sinks = 0.5 * weight / axle.tyre.stiffness
            if sinks >= axle.wheel.radius:
                flat.append(
                    f"axles: {name}: tyre: under its load of {0.5 * weight:.4g} N it would give "
                    f"way by {sinks:.3g} m, more than the radius of {axle.wheel.radius:g} m"
                )
        return flat

    def _problems_of_seats(self) -> list[str]:
        given = self.spring_seats
        if (
            given is None
            or len(self.axles) == len(SIDES)
            or given.cross_weight == EVEN_CROSS_WEIGHT
        ):
            return []
        return [
            f"spring_seats: cross_weight: of vehicles on two axles; this one has {len(self.axles)}"
        ]

    @cached_property
    def seat_forces(self) -> Mapping[str, SideForces]:
        """What the seats of springs add at the wheels of each axle [N], by its full name."""
        return seat_forces_of_axles(self.units, self.spring_seats)

    @property
    def ends(self) -> tuple[float, float]:
        """The first and the last axle [m]."""
        places = [axle.position for axle in self.axles.values()]
        return max(places), min(places)

    def soil_under(self, axle: str) -> SoftGround | None:
        """Soft ground under the wheels of an axle; None on a road.

        Example:
        >>> import axletree as at
        >>> from axletree.vehicles.pieces import VehicleBody, VehicleTyre, VehicleWheel
        >>> from axletree.vehicles.suspensions import Independent
        >>> from axletree.vehicles.units import Axle
        >>> from axletree.vehicles.pieces import SoftGround
        >>> from axletree.vehicles.vehicle import Vehicle
        >>> wheel = VehicleWheel(20.0, 1.0, 0.6, radius=0.3, width=0.2)  # kg, kg m^2, m
        >>> tyre, strut = VehicleTyre(2e5, at.LinearTyre(9e4, 7e4)), Independent(25e3, 20.0)
        >>> rear = Axle(-1.4, 1.6, wheel, tyre, strut)  # m, m
        >>> front = Axle(1.3, 1.6, wheel, tyre, strut, soil=SoftGround(at.WismerLuth("300 kPa")))
        >>> body = VehicleBody(1400.0, (500.0, 2300.0, 2500.0), centre_height=0.55)  # kg, kg m^2, m
        >>> car = Vehicle(body, {"front": front, "rear": rear})
        >>> car.soil_under("front").law.cone_index, car.soil_under("rear")  # Pa
        (300000.0, None)
        """
        return self.every_axle[axle].soil or self.soil

    @property
    def reverses(self) -> bool:
        """Whether any of its drives has a reverse gear, and its model the gears."""
        drives = (axle.drive for axle in self.axles.values() if axle.drive is not None)
        geared = any(drive.reverse is not None for drive in drives)
        return geared and self.fidelity is not Fidelity.LINEAR

    @property
    def is_on_soil(self) -> bool:
        """Whether any of its wheels, or of its trailers', stand on soft ground."""
        return any(self.soil_under(axle) is not None for axle in self.every_axle)

    @property
    def units(self) -> dict[str, VehicleUnit]:
        """The vehicle, which has no name here, and its trailers, one behind the other."""
        return {"": self, **self.trailers}

    @property
    def every_axle(self) -> dict[str, Axle]:
        """Of the vehicle and of its trailers, by the names that the model has for them."""
        units = self.units.items()
        return {full_name(unit, name): a for unit, own in units for name, a in own.axles.items()}

    @property
    def axle_places(self) -> dict[str, float]:
        """Of all axles, by the same names, ahead of the vehicle's centre of mass [m]."""
        found: dict[str, float] = {}
        centre = 0.0
        for name, unit in self.units.items():
            if isinstance(unit, Trailer):
                centre += unit.hitch.position - unit.hitch.coupling
            found |= {full_name(name, k): centre + a.position for k, a in unit.axles.items()}
        return found

    @property
    def train_mass(self) -> float:
        """Of the vehicle with all that it tows [kg]."""
        return sum(unit.mass for unit in self.units.values())
