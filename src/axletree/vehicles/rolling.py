"""How units of a vehicle roll on their springs and tyres."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.settling import full_name
from axletree.vehicles.sinking import heights_of_masses, spring_travels
from axletree.vehicles.static_loads import hitch_loads, wheel_heights, wheel_loads
from axletree.vehicles.suspensions.contract import RollMotion
from axletree.vehicles.trailer import Trailer
from axletree.vehicles.unit import Axle
from axletree.vehicles.vehicle import Vehicle


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
class _Carries:
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
    return _solved(axles, moment, acceleration * np.array(pushes))


def shifted_loads(vehicle: Vehicle) -> dict[str, float]:
    """Of each axle of a vehicle that stands, the load [N] that goes from the left wheel to the
    right one by loads in the bodies that are not in the middle."""
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
    pushes = [-STANDARD_GRAVITY * left, *(0.0 for _ in axles)]
    return _solved(axles, moment, np.array(pushes))


def _solved(axles: Mapping[str, _Carries], moment: float, pushes: np.ndarray) -> Roll | None:
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


def _axles(vehicle: Vehicle, first: str) -> dict[str, _Carries]:
    loads, heights, travels = wheel_loads(vehicle), wheel_heights(vehicle), spring_travels(vehicle)
    found = {}
    for unit in rolling_together(vehicle, first):
        for own, axle in vehicle.units[unit].axles.items():
            name = full_name(unit, own)
            moves = axle.suspension.in_roll(axle.track, travels[name])
            found[name] = _Carries(axle, 2.0 * loads[name], heights[name], moves)
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
