"""Statics of a vehicle: static loads, sinking, roll and the rollover threshold.

What each axle carries of a vehicle that stands as it is designed, with what it tows; how far loads
make it sink; how its units roll on their springs and tyres and shift load in a steady turn; how
high its masses are, and the lateral acceleration that lifts its inner wheels.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.suspensions import RollMotion
from axletree.vehicles.units import Axle, Trailer, VehicleUnit, full_name, settle
from axletree.vehicles.vehicle import Vehicle


def design_loads(vehicle: Vehicle) -> Mapping[str, float]:
    """The weight [N] of bodies on the springs of each axle, without the loads in them.

    Forces and moments balance. Of more than two axles those are taken that go with the stiffness
    of their springs: those of a stiff body that settles on all of them.
    """
    return settle(vehicle.units, loaded=False).axles


def sprung_loads(vehicle: Vehicle) -> Mapping[str, float]:
    """Likewise [N], with the loads in the bodies."""
    return settle(vehicle.units, loaded=True).axles


def hitch_loads(vehicle: Vehicle) -> Mapping[str, float]:
    """The load [N] of each trailer on what tows it, down if positive, with all loads."""
    return settle(vehicle.units, loaded=True).hitches


def wheel_loads(vehicle: Vehicle) -> dict[str, float]:
    """The load [N] of each wheel of an axle on the ground: the mean of left and right.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.statics import wheel_loads
    >>> sedan = at.read_model("sedan").described["vehicle"]
    >>> loads = wheel_loads(sedan)
    >>> {name: round(load) for name, load in loads.items()}  # N
    {'front': 4067, 'rear': 3788}
    >>> print(f"{2 * sum(loads.values()) / 9.80665:.0f} kg of {sedan.mass:.0f} kg")
    1602 kg of 1602 kg
    """
    sprung = sprung_loads(vehicle)
    return {
        name: 0.5 * (sprung[name] + axle.unsprung_mass * STANDARD_GRAVITY)
        for name, axle in vehicle.every_axle.items()
    }


def ground_load(vehicle: Vehicle, unit: str) -> float:
    """The load [N] of all wheels of a unit, by its name."""
    loads = wheel_loads(vehicle)
    return 2.0 * sum(loads[full_name(unit, axle)] for axle in vehicle.units[unit].axles)


def wheel_heights(vehicle: Vehicle) -> dict[str, float]:
    """The height [m] of the wheels' centres of each axle above the ground.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.statics import wheel_heights
    >>> sedan = at.read_model("sedan").described["vehicle"]
    >>> height, radius = wheel_heights(sedan)["front"], sedan.axles["front"].wheel.radius
    >>> print(f"{1e3 * height:.0f} mm with a radius of {1e3 * radius:.0f} mm")
    307 mm with a radius of 325 mm
    """
    loads = wheel_loads(vehicle)
    return {
        name: axle.wheel.radius - loads[name] / axle.tyre.stiffness
        for name, axle in vehicle.every_axle.items()
    }


def spring_travels(vehicle: Vehicle) -> dict[str, float]:
    """Travel [m] of the springs of each axle by loads in the bodies and by how springs are set, up
    where bodies sink."""
    empty, laden = design_loads(vehicle), sprung_loads(vehicle)
    return {
        name: 0.5
        * (laden[name] - empty[name] - sum(vehicle.seat_forces[name]))
        / axle.suspension.wheel_rate()
        for name, axle in vehicle.every_axle.items()
    }


def heights_of_masses(vehicle: Vehicle, unit: str) -> Iterator[tuple[float, float]]:
    """Mass [kg] and height [m] of the body of a unit and of the loads in it, once it has sunk."""
    own, (depth, slope) = vehicle.units[unit], _depth_and_slope(vehicle, unit)
    yield own.body.mass, own.body.centre_height - depth
    for load in own.loads.values():
        x, _, z = load.position
        yield load.mass, z - depth - slope * x


def _depth_and_slope(vehicle: Vehicle, unit: str) -> tuple[float, float]:
    """How deep [m] below its design position the body's centre is, and how much more by each metre
    ahead of it [1]: on springs and tyres, level where it has one axle."""
    empty, laden, travels = design_loads(vehicle), sprung_loads(vehicle), spring_travels(vehicle)
    places, depths = [], []
    for own, axle in vehicle.units[unit].axles.items():
        name = full_name(unit, own)
        places.append(axle.position)
        depths.append(travels[name] + 0.5 * (laden[name] - empty[name]) / axle.tyre.stiffness)
    if len(places) == 1:
        return depths[0], 0.0
    slope, depth = np.polyfit(places, depths, 1)
    return float(depth), float(slope)


@dataclass(frozen=True)
class AxleRoll:
    """An axle under a body that rolls, to the right if positive."""

    springs: float  # [rad], of the body against the wheels
    lean: float  # [rad], of the wheels, to the right
    steer: float  # [rad], of the wheels, to the left
    shifted: float  # [N], of load from the left wheel to the right one


@dataclass(frozen=True)
class Roll:
    """Of a body and of the axles under it, by their full names."""

    body: float  # [rad]
    axles: Mapping[str, AxleRoll]


@dataclass(frozen=True)
class _AxleBalance:
    """What an axle has to do with the roll of what is on it."""

    axle: Axle
    load: float  # [N], of both wheels
    height: float  # [m], of the wheels' centres
    moves: RollMotion

    @property
    def springs(self) -> float:
        """[N m/rad]."""
        return self.axle.suspension.roll_rate(self.axle.track)

    @property
    def tyres(self) -> float:
        """[N m/rad]."""
        return 0.5 * self.axle.tyre.stiffness * self.axle.track**2

    @property
    def held(self) -> float:
        """Moment by lateral acceleration [kg m] that links hold and springs do not feel."""
        centre = self.moves.sideways - self.height * self.moves.lean
        return self.load / STANDARD_GRAVITY * centre - self.axle.unsprung_mass * self.moves.sideways

    def rolled(self, body: float, springs: float) -> AxleRoll:
        return AxleRoll(
            springs,
            body + self.moves.lean * springs,
            self.moves.steer * springs,
            self.tyres * (body - springs) / self.axle.track,
        )


def turning_roll(vehicle: Vehicle, first: str, acceleration: float) -> Roll | None:
    """Of a unit and those that have to roll with it in a slow turn to the left, by its lateral
    acceleration [m/s^2]; None of units that fall over."""
    axles, moment = _axles(vehicle, first), _moment(vehicle, first)
    pushes = [moment, *(-axle.held for axle in axles.values())]
    return _solve_roll(axles, moment, acceleration * np.array(pushes))


def shifted_loads(vehicle: Vehicle) -> dict[str, float]:
    """Of each axle of a vehicle that stands, the load [N] that goes from the left wheel to the
    right one by loads in the bodies that are not in the middle, and by how springs are set."""
    found: dict[str, float] = {}
    for name in vehicle.units:
        if full_name(name, next(iter(vehicle.units[name].axles))) not in found:
            roll = _standing_roll(vehicle, name)
            own = _axles(vehicle, name)
            shifts = {} if roll is None else {k: axle.shifted for k, axle in roll.axles.items()}
            found |= dict.fromkeys(own, 0.0) | shifts
    return found


def _standing_roll(vehicle: Vehicle, first: str) -> Roll | None:
    axles, moment = _axles(vehicle, first), _moment(vehicle, first)
    left = sum(
        load.mass * load.position[1]
        for name in rolling_together(vehicle, first)
        for load in vehicle.units[name].loads.values()
    )
    seats = (vehicle.seat_forces[name] for name in axles)
    levers = (0.5 * axle.axle.track for axle in axles.values())
    springs = (by * (l_ - r) for by, (l_, r) in zip(levers, seats, strict=True))
    pushes = [-STANDARD_GRAVITY * left, *springs]
    return _solve_roll(axles, moment, np.array(pushes))


def _solve_roll(
    axles: Mapping[str, _AxleBalance], moment: float, pushes: np.ndarray
) -> Roll | None:
    """Of moments [N m] on the body and on the springs of each axle.

    With f the roll of the body and s_i that of the body against the wheels of an axle, springs turn
    by s_i and tyres by f - s_i. Masses times heights m h [kg m] lean over with f, the load of
    the wheels goes sideways by the height of the roll centre times s_i, and leaning wheels, of
    radius r, carry less of it:

        (sum T_i - g m h) f - sum (T_i - g held_i) s_i = push
        (S_i + T_i - W_i r lean_i^2) s_i - (T_i - g held_i) f = push_i
    """
    g, size = STANDARD_GRAVITY, len(axles) + 1
    A = np.zeros((size, size))
    A[0, 0] = sum(one.tyres for one in axles.values()) - g * moment
    for i, one in enumerate(axles.values(), 1):
        A[0, i] = A[i, 0] = g * one.held - one.tyres
        A[i, i] = one.springs + one.tyres - one.load * one.height * one.moves.lean**2
    if np.linalg.eigvalsh(A)[0] <= 0.0:
        return None
    body, *springs = np.linalg.solve(A, pushes).tolist()
    listed = zip(axles.items(), springs, strict=True)
    return Roll(body, {name: one.rolled(body, angle) for (name, one), angle in listed})


def _axles(vehicle: Vehicle, first: str) -> dict[str, _AxleBalance]:
    loads, heights, travels = wheel_loads(vehicle), wheel_heights(vehicle), spring_travels(vehicle)
    found = {}
    for unit in rolling_together(vehicle, first):
        for own, axle in vehicle.units[unit].axles.items():
            name = full_name(unit, own)
            moves = axle.suspension.in_roll(axle.track, travels[name])
            found[name] = _AxleBalance(axle, 2.0 * loads[name], heights[name], moves)
    return found


def _moment(vehicle: Vehicle, first: str) -> float:
    """Mass times height [kg m] of units that roll together and of what hitches put on them."""
    together, wheels = tuple(rolling_together(vehicle, first)), wheel_heights(vehicle)
    found = _of_hitches(vehicle, together)
    for name in together:
        found += sum(mass * height for mass, height in heights_of_masses(vehicle, name))
        axles = vehicle.units[name].axles.items()
        found += sum(axle.unsprung_mass * wheels[full_name(name, k)] for k, axle in axles)
    return found


def _of_hitches(vehicle: Vehicle, together: tuple[str, ...]) -> float:
    """[kg m], of what is hitched to these units, or they to others.

    In a slow turn the side force of a hitch is to its load as lateral acceleration is to gravity.
    """
    loads, units = hitch_loads(vehicle), list(vehicle.units)
    found = 0.0
    for name, trailer in vehicle.trailers.items():
        towing = units[units.index(name) - 1]
        if (name in together) != (towing in together):
            sign = 1.0 if towing in together else -1.0
            found += sign * loads[name] / STANDARD_GRAVITY * trailer.hitch.height
    return found


def rolling_together(vehicle: Vehicle, first: str) -> Iterator[str]:
    """The names of a unit and of those behind it that hitches make roll with it."""
    begun = False
    for name, unit in vehicle.units.items():
        if begun and isinstance(unit, Trailer) and not unit.hitch.couples_roll:
            return
        begun = begun or name == first
        if begun:
            yield name


def mass_height(vehicle: Vehicle, name: str) -> float:
    """Of the centre of mass of a unit [m], as it is designed."""
    heights, unit = wheel_heights(vehicle), vehicle.units[name]
    moment = unit.sprung_mass * _sprung_height(unit)
    moment += sum(a.unsprung_mass * heights[full_name(name, k)] for k, a in unit.axles.items())
    return moment / unit.mass


def _sprung_height(unit: VehicleUnit) -> float:
    """Of the centre of mass of the body with its loads [m], before they make it sink."""
    masses = [(unit.body.mass, unit.body.centre_height)]
    masses += [(load.mass, load.position[2]) for load in unit.loads.values()]
    return sum(m * h for m, h in masses) / unit.sprung_mass


def rollover_threshold(vehicle: Vehicle, first: str) -> float:
    """Lateral acceleration that lifts the inner wheels of a unit and of those behind it that
    have to roll with it [g], if they do not lean.

    Moments about the outer wheels: half of the track times the load of each axle against mass times
    height. What springs and tyres give way makes it less.
    """
    resists = tips = 0.0
    for name in rolling_together(vehicle, first):
        unit = vehicle.units[name]
        axles = unit.axles.items()
        resists += sum(wheel_loads(vehicle)[full_name(name, k)] * axle.track for k, axle in axles)
        tips += unit.mass * STANDARD_GRAVITY * mass_height(vehicle, name)
    return resists / tips


def roll_gradient(vehicle: Vehicle, first: str) -> float:
    """[deg/g] of a unit and of those behind it that have to roll with it, on springs and tyres, in
    a slow turn; infinite of one that falls over."""
    found = turning_roll(vehicle, first, STANDARD_GRAVITY)
    return math.inf if found is None else math.degrees(found.body)
