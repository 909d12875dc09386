"""Units of a vehicle: what it and its trailers have alike, a body on axles with loads in it.

A trailer is a unit that hangs on what tows it. Units one behind the other settle on their springs
together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from axletree.components.fields import Part, named_pieces, parameter, part, piece, positive
from axletree.core.errors import ModelError, gathered
from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.drive_and_brakes import Brakes, Drive
from axletree.vehicles.hitches import Hitch
from axletree.vehicles.linkages.contract import LinkedSuspension
from axletree.vehicles.linkages.curves.steering_ratio import steering_geometry
from axletree.vehicles.pieces import (
    Air,
    Payload,
    SoftGround,
    Steering,
    VehicleBody,
    VehicleTyre,
    VehicleWheel,
)
from axletree.vehicles.suspensions import Suspension


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
    track: float = positive("m", "distance of the wheels' centres")
    wheel: VehicleWheel = piece(VehicleWheel, "wheels of the axle")
    tyre: VehicleTyre = piece(VehicleTyre, "tyres of the axle")
    suspension: Suspension = part("SUSPENSIONS", "how the wheels are carried")
    steering: Steering | None = piece(Steering, "steering of the wheels", default=None)
    brakes: Brakes | None = piece(Brakes, "brakes of the wheels", default=None)
    drive: Drive | None = piece(Drive, "drive of the wheels", default=None)
    soil: SoftGround | None = piece(
        SoftGround, "soft ground under these wheels; left out: that of the vehicle", default=None
    )
    ride_height: float = parameter(
        "m", "of the body above this axle against its design, set by the seats of the springs",
        default=0.0, lower=-0.3, upper=0.3,
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.steering is not None and isinstance(self.suspension, LinkedSuspension):
            object.__setattr__(self, "suspension", self.suspension.with_steering())

    def problems(self) -> list[str]:
        """What does not go together: hard points, and the axle or the steering that they are in."""
        linked, steering = self.suspension, self.steering
        if not isinstance(linked, LinkedSuspension):
            if steering is None or not steering.is_linked:
                return []
            word = "rack" if steering.rack is not None else "gear_ratio"
            return [f"steering: {word}: it moves tie rods, which come with hard points; give ratio"]
        found = linked.problems_of_place(self.position, self.track) + self._problems_of_steering()
        with gathered(found, "suspension: "):
            linked.wheel_rate()
        return found

    def _problems_of_steering(self) -> list[str]:
        linked, steering = self.suspension, self.steering
        assert isinstance(linked, LinkedSuspension)
        linkage = (linked if steering is None else linked.with_steering()).linkage()
        if steering is None:
            if not linkage.steers:
                return []
            return ["suspension: it has a rack or a pitman arm, but the axle has no steering"]
        if not linkage.steers:
            return ["steering: the hard points of the suspension have no rack and no pitman arm"]
        by_angle = linkage.steering_hinge is not None
        if (steering.gear_ratio if by_angle else steering.rack) is None:
            word = "gear_ratio" if by_angle else "rack"
            return [
                f"steering: its suspension has hard points; give {word} in place of ratio, such as "
                + ("gear_ratio: 17" if by_angle else "rack: 50 mm/rev")
            ]
        return []

    def settled(self, carried: float, length: float) -> Axle:
        """In a vehicle that puts a load [N] on the springs of each wheel, so far [m] ahead of the
        axles that are not steered: what hard points make of load and steering.

        Example:
        >>> import axletree as at
        >>> front = at.read_model("sedan").described["vehicle"].axles["front"]
        >>> front.settled(carried=3000.0, length=2.85) is front  # N, m: it has curves, no points
        True
        """
        linked, steering = self.suspension, self.steering
        if not isinstance(linked, LinkedSuspension):
            return self
        if steering is not None and steering.is_linked:
            moved = steering.rack or 1.0 / (steering.gear_ratio or 1.0)
            follows = steering.share * steering.straight_ahead
            try:
                found = steering_geometry(linked.kinematics, moved, length, self.wheel.radius)
            except ModelError as error:
                texts = [f"suspension: {text}" for text in (*error.problems, *linked.notes)]
                raise ModelError(texts) from None
            steering = steering.with_geometry(
                steering.share * found.travel, found.ratio / follows, found.ackermann, found.trail
            )
        return replace(self, suspension=linked.settled(carried), steering=steering)

    @property
    def unsprung_mass(self) -> float:
        """Of the axle with its wheels [kg]."""
        return self.suspension.unsprung_mass + 2.0 * self.wheel.mass


def turning_place(axles: Iterable[Axle]) -> float:
    """Ahead of the body's centre of mass [m], where the axes of wheels meet in gentle turns.

    That is the middle of the axles that are not steered. Of two that are, the steering wheel's
    angle over their ratios i turns wheels at x, so that it is (x_r i_r - x_f i_f) / (i_r - i_f).

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.units import turning_place
    >>> turning_place(at.read_model("sedan").described["vehicle"].axles.values())  # m
    -1.48
    """
    given = sorted(axles, key=lambda axle: -axle.position)
    fixed = [axle.position for axle in given if axle.steering is None]
    if fixed:
        return sum(fixed) / len(fixed)
    first, last = given[0], given[-1]
    i_f, i_r = (None if a.steering is None else a.steering.ratio for a in (first, last))
    if i_f is None or i_r is None or i_f == i_r:
        return last.position
    return (last.position * i_r - first.position * i_f) / (i_r - i_f)


class VehicleUnit(Part, ABC):
    """A body on axles. Axes are x forward, y left, z up (ISO 8855)."""

    body: VehicleBody
    axles: Mapping[str, Axle]
    air: Air | None
    loads: Mapping[str, Payload]

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


@dataclass(frozen=True)
class Trailer(VehicleUnit):
    """A body on an axle or more, and a hitch. Its brakes follow the driver's pedal.

    It is described as it stands behind what tows it, without its loads.

    Example:
    >>> import axletree as at
    >>> caravan = at.read_model("car-with-caravan").described["vehicle"].trailers["caravan"]
    >>> print(f"{caravan.mass:.0f} kg, {caravan.wheelbase:.2f} m from the hitch to the axle")
    1390 kg, 4.00 m from the hitch to the axle
    """

    summary: ClassVar[str] = "a body on axles that is towed"

    hitch: Hitch = part("HITCHES", "how it is joined to what tows it")
    body: VehicleBody = piece(VehicleBody, "the sprung mass")
    axles: Mapping[str, Axle] = named_pieces(Axle, "the axles by name")
    air: Air | None = piece(Air, "forces of the air", default=None)
    loads: Mapping[str, Payload] = named_pieces(Payload, "cargo by name", default=dict)

    def problems(self) -> list[str]:
        places = [axle.position for axle in self.axles.values()]
        found = [
            f"axles: {name}: steering: the driver does not steer the wheels of a trailer; leave "
            "it out"
            for name, axle in self.axles.items()
            if axle.steering is not None
        ]
        if len(set(places)) < len(places):
            found.append("axles: two of them have the same position")
        if self.hitch.coupling <= max(places):
            found.append(
                f"hitch: coupling: {self.hitch.coupling:g} m is not ahead of the axles, the first "
                f"of which is at {max(places):g} m; both count from the body's centre of mass, "
                "positive ahead of it"
            )
        return found

    @property
    def ends(self) -> tuple[float, float]:
        """The coupling, and the middle of the axles [m]."""
        places = [axle.position for axle in self.axles.values()]
        return self.hitch.coupling, sum(places) / len(places)

    @property
    def air_position(self) -> float:
        """At the centre of mass: there is little for the air to act on ahead of the body."""
        return 0.0


@dataclass(frozen=True)
class SettledLoads:
    """Weights [N] on the springs of axles, and those that hitches put on what tows."""

    axles: Mapping[str, float]  # by unit and axle
    hitches: Mapping[str, float]  # by trailer; negative where it lifts what tows it


def full_name(unit: str, axle: str) -> str:
    """Of an axle in a model; the towing vehicle has no name."""
    return f"{unit}_{axle}" if unit else axle


def settle(units: Mapping[str, VehicleUnit], loaded: bool) -> SettledLoads:
    """Of units one behind the other, with their loads or without them."""
    weights = {}
    for name, unit in units.items():
        mass = unit.sprung_mass if loaded else unit.body.mass
        moment = unit.moment_of_loads if loaded else 0.0
        weights[name] = STANDARD_GRAVITY * mass, STANDARD_GRAVITY * moment
    return settled_loads(units, weights)


def settled_loads(
    units: Mapping[str, VehicleUnit], pushes: Mapping[str, tuple[float, float]]
) -> SettledLoads:
    """Of forces [N] down on the bodies and moments [N m] about their centres, forward.

    Forces and moments balance. Where that leaves a choice, as with more axles than two, bodies are
    stiff and settle on all springs, so that both sides of a hitch go down alike. With s the way of
    a body's centre down and p its slope, an axle at x carries k (s + p x).
    """
    listed = list(units.items())
    size = 2 * len(listed)
    A, right = np.zeros((size + len(listed) - 1,) * 2), np.zeros(size + len(listed) - 1)
    for i, (name, unit) in enumerate(listed):
        own = slice(2 * i, 2 * i + 2)
        x, k = _wheel_rates(unit)
        rows = np.array([np.ones(len(x)), x])
        A[own, own] = rows * k @ rows.T
        right[own] = pushes[name]
        if isinstance(unit, Trailer):
            ends = [-1.0, -unit.hitch.position, 1.0, unit.hitch.coupling]
            joint = size + i - 1
            A[joint, 2 * i - 2 : 2 * i + 2] = A[2 * i - 2 : 2 * i + 2, joint] = ends
    found = np.linalg.solve(A, right)
    axles = {
        full_name(name, axle): float(load)
        for i, (name, unit) in enumerate(listed)
        for axle, load in zip(
            unit.axles, _spring_loads(unit, found[2 * i : 2 * i + 2]), strict=True
        )
    }
    names = [name for name, unit in listed if isinstance(unit, Trailer)]
    return SettledLoads(axles, dict(zip(names, found[size:].tolist(), strict=True)))


def _wheel_rates(unit: VehicleUnit) -> tuple[np.ndarray, np.ndarray]:
    """Places [m] of the axles and rates [N/m] of a wheel of each."""
    x = np.array([axle.position for axle in unit.axles.values()])
    return x, np.array([axle.suspension.wheel_rate() for axle in unit.axles.values()])


def _spring_loads(unit: VehicleUnit, way: np.ndarray) -> np.ndarray:
    x, k = _wheel_rates(unit)
    return np.asarray(k * (way[0] + way[1] * x))
