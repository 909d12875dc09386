"""How far the steering wheel has to be turned, by the description of a vehicle alone.

From the slip angles that tyres are used at under side forces and shifted loads follow understeer,
its gradient (as of ISO 4138) and the angle of the steering wheel for a lateral acceleration.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from axletree.model.model import STANDARD_GRAVITY
from axletree.vehicles.pieces import Steering
from axletree.vehicles.statics import AxleRoll, mass_height, turning_roll, wheel_loads
from axletree.vehicles.units import Axle
from axletree.vehicles.vehicle import Fidelity, Vehicle
from axletree.wheel.contract import Contact, Forces, with_velocities

SAFE_SHARE = (
    0.5  # of the acceleration at which a vehicle would tip, up to which wheels carry something
)
_LEAST_SHARE = 0.3  # of the angle without slip; a vehicle that oversteers needs less and less
MOST_SHIFTED = 0.9  # of a load
_LOWEST, _HIGHEST = 0.5, 2.0  # m/s^2, of turns that gradients are those of
_PASSES = 3  # forces of an axle follow from aligning moments, some hundredths of which they change


def steering_wheel_angle(vehicle: Vehicle, speed: float, acceleration: float) -> float:
    """The angle [rad] for a lateral acceleration [m/s^2] at a speed [m/s].

    ratio (L / R + K a) with the radius R = v^2 / a and the understeer K there.
    """
    ratio = next(a.steering.ratio for a in vehicle.axles.values() if a.steering is not None)
    geometric = vehicle.wheelbase * acceleration / speed**2
    angle = geometric + understeer_at(vehicle, acceleration) * acceleration
    return abs(ratio) * max(angle, _LEAST_SHARE * geometric)


@dataclass(frozen=True)
class Understeer:
    """Angles [rad] of a turn: those of the first axle less those of the last."""

    tyres: float  # slip angles
    column: float  # by which an elastic steering column stays behind
    compliance: float  # by which forces turn the wheels out of the turn in their bushings
    suspension: float  # by which suspensions turn the wheels out of the turn

    @property
    def angle(self) -> float:
        """Of the road wheels beyond wheelbase over radius [rad]."""
        return self.tyres + self.column + self.compliance + self.suspension


def understeer_at(vehicle: Vehicle, acceleration: float) -> float:
    """Further angle of the road wheels over lateral acceleration [rad/(m/s^2)], at one of these.

    That of tyres on level wheels under loads as roll shifts them, of an elastic column and of
    bushings.
    """
    a = min(acceleration, SAFE_SHARE * rigid_rollover_acceleration(vehicle))
    return understeer(vehicle, a, leans=False).angle / a


def understeer_gradient(vehicle: Vehicle, *, leans: bool) -> Understeer:
    """Slopes [rad/(m/s^2)] of understeer between two lateral accelerations, as of ISO 4138."""
    high = min(_HIGHEST, SAFE_SHARE * rigid_rollover_acceleration(vehicle))
    low = high * _LOWEST / _HIGHEST
    ends = understeer(vehicle, low, leans=leans), understeer(vehicle, high, leans=leans)
    names = ("tyres", "column", "compliance", "suspension")
    changes = (getattr(ends[1], name) - getattr(ends[0], name) for name in names)
    return Understeer(*(change / (high - low) for change in changes))


def understeer(vehicle: Vehicle, acceleration: float, *, leans: bool) -> Understeer:
    """In a turn of this lateral acceleration [m/s^2]; with what suspensions turn and lean the
    wheels by as the body rolls, and static angles, or on level wheels.

    Side forces balance masses, and their moments about z aligning moments. In a steady turn the
    side force of a hitch is to its load as lateral acceleration is to gravity, so that loads have
    it in them.
    """
    loads, rolls = wheel_loads(vehicle), _rolls(vehicle, acceleration)
    uses = {k: _use(axle, loads[k], rolls[k], leans) for k, axle in vehicle.axles.items()}
    aligning, angles = dict.fromkeys(uses, 0.0), dict.fromkeys(uses, 0.0)
    for _ in range(_PASSES):
        forces = _side_forces(vehicle, acceleration, sum(aligning.values()))
        angles = {k: use.slip_angle(forces[k]) for k, use in uses.items()}
        aligning = {k: use.aligning_moment(angles[k]) for k, use in uses.items()}
    last, first = sorted(uses, key=lambda k: uses[k].axle.position)[:: len(uses) - 1]
    given = {k: _column(use, acceleration, forces[k], aligning[k]) for k, use in uses.items()}
    turned = rolls[last].steer - rolls[first].steer if leans else 0.0
    soft = dict.fromkeys(uses, 0.0)
    if vehicle.fidelity is not Fidelity.LINKS:  # whose joints are ideal
        soft = {
            k: _compliance(use, acceleration, forces[k], aligning[k]) for k, use in uses.items()
        }
    tyres, column, bushings = (one[first] - one[last] for one in (angles, given, soft))
    return Understeer(tyres, column, bushings, turned)


def _rolls(vehicle: Vehicle, acceleration: float) -> Mapping[str, AxleRoll]:
    """Of the vehicle's axles; none where the vehicle would fall over."""
    found = turning_roll(vehicle, "", acceleration)
    if found is None:
        return dict.fromkeys(vehicle.axles, AxleRoll(0.0, 0.0, 0.0, 0.0))
    return found.axles


def _use(axle: Axle, load: float, roll: AxleRoll, leans: bool) -> TyreUse:
    static = axle.suspension.static_angles
    stance = Stance(roll.lean, static.camber, static.toe) if leans else LEVEL
    return TyreUse(axle, load, min(roll.shifted, MOST_SHIFTED * load), stance)


def _side_forces(vehicle: Vehicle, acceleration: float, moment: float) -> dict[str, float]:
    """Of axles [N], with this moment about z [N m] of their tyres.

    As the loads are, and beyond that in proportion to load and place, so that the moment is
    balanced; of two axles there is no other way.
    """
    loads = {name: 2.0 * wheel_loads(vehicle)[name] for name in vehicle.axles}
    places = {name: axle.position for name, axle in vehicle.axles.items()}
    centre = sum(loads[k] * places[k] for k in loads) / sum(loads.values())
    second = sum(loads[k] * (places[k] - centre) ** 2 for k in loads)
    share = acceleration / STANDARD_GRAVITY
    return {k: load * (share - moment * (places[k] - centre) / second) for k, load in loads.items()}


def _column(use: TyreUse, acceleration: float, force: float, aligning: float) -> float:
    """The turn [rad] of the wheels of an axle out of a turn to the left.

    Side force, less that of the wheels' own masses, times the trail of the kingpin, and aligning
    moments, over the stiffness at the wheels. Kingpins lean as the wheels do, so that loads are in
    part side forces. An assist leaves the column a part of it.
    """
    steering = use.axle.steering
    if steering is None or steering.column_stiffness is None:
        return 0.0
    moment = _side_force(use, acceleration, force) * steering.trail - aligning
    torque = moment / steering.pinion_ratio
    if steering.assist is not None:
        torque = _torque_of_bar(torque, steering)
    return torque / (steering.pinion_ratio * steering.column_stiffness)


def _side_force(use: TyreUse, acceleration: float, force: float) -> float:
    """On both kingpins or bushings [N], of that of both tyres."""
    lean, wheel = use.stance.lean, use.axle.wheel
    side = force + 2.0 * use.load * lean
    return side - 2.0 * wheel.mass * (acceleration + STANDARD_GRAVITY * lean)


def _compliance(use: TyreUse, acceleration: float, force: float, aligning: float) -> float:
    """The turn [rad] of the wheels of an axle out of a turn to the left, by half of the forces on
    each."""
    soft = use.axle.suspension.steer_compliance
    if soft is None:
        return 0.0
    return soft.out_of_turn(0.5 * _side_force(use, acceleration, force), 0.5 * aligning)


def _torque_of_bar(torque: float, steering: Steering) -> float:
    """T [N m] with T + s A(T) as wanted at the pinion, A the assist and s its share at the speed
    that tyres are looked at."""
    assert steering.assist is not None
    assist, share = steering.assist.both_ways().table, steering.assist_share(_SPEED)
    low, high = sorted((0.0, torque))
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        if middle + share * float(assist.evaluate(middle)) < torque:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def rigid_rollover_acceleration(vehicle: Vehicle) -> float:
    """The lateral acceleration [m/s^2] at which a stiff vehicle would leave the ground.

    Of a vehicle with trailers, the first of its units.
    """
    ratios = (
        min(axle.track for axle in unit.axles.values()) / mass_height(vehicle, name)
        for name, unit in vehicle.units.items()
    )
    return 0.5 * STANDARD_GRAVITY * min(ratios)


_SMALL_ANGLE = 1e-4  # rad, at which a search begins
SECANTS = 6  # steps of it
CLOSE = 1e-9  # of the force, that ends it
_HALVINGS = 50  # of where a torque may be
_STEEPEST = 0.15  # rad, that it does not go beyond
_SPEED = 20.0  # m/s, of tyres


@dataclass(frozen=True)
class Stance:
    """How both wheels of an axle stand [rad]; level by default."""

    lean: float = 0.0  # of both, to the right
    camber: float = 0.0  # of each, its top outward
    toe: float = 0.0  # of each, its front inward


LEVEL = Stance()


@dataclass(frozen=True)
class TyreUse:
    """Both tyres of an axle, one with a load [N] that is shifted to it from the other: to the right
    one, of a turn to the left."""

    axle: Axle
    load: float  # [N], the mean
    shifted: float  # [N]
    stance: Stance = LEVEL

    def slip_angle(self, force: float) -> float:
        """At which they give a side force [N] to the left; at most ``STEEPEST`` [rad]."""
        before, angle = (0.0, self._sum("Fy", 0.0) - force), _SMALL_ANGLE
        for _ in range(SECANTS):
            lacks = self._sum("Fy", angle) - force
            if abs(lacks) <= CLOSE * abs(force):
                break  # a slope between places so near is rounding
            slope = (lacks - before[1]) / (angle - before[0])
            if slope <= 0.0:
                return _STEEPEST
            before, angle = (angle, lacks), min(angle - lacks / slope, _STEEPEST)
            if angle == before[0]:
                break
        return angle

    def aligning_moment(self, slip_angle: float) -> float:
        """Of both at this angle [rad], about z [N m]: to the left if positive."""
        return self._sum("Mz", slip_angle)

    def _sum(self, name: str, angle: float) -> float:
        stance = self.stance
        left = self._forces(self.load - self.shifted, stance.toe - angle, -stance.camber)
        right = self._forces(self.load + self.shifted, -stance.toe - angle, stance.camber)
        return float(getattr(left, name) + getattr(right, name))

    def _forces(self, load: float, angle: float, camber: float) -> Forces:
        axle, lean = self.axle, self.stance.lean + camber
        state = Contact(
            load, 0.0, angle, lean, forward_speed=_SPEED, radius=axle.wheel.radius,
            deflection=load / axle.tyre.stiffness,
        )  # fmt: skip
        return axle.tyre.law(with_velocities(state))
