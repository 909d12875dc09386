"""A lap by the equations of the car itself: tyres, drive, load transfer, yaw inertia, steering.

The equations of a described vehicle become equations over the distance s along the centre line
(Perantoni and Limebeer 2014, section 2): with offset n, heading error xi and curvature c,

    ds/dt = x' / (1 - n c),   dn/dt = y',   dxi/dt = yaw rate - c ds/dt,

where x' and y' are the speeds of the body along and across the centre line, which are those of the
vehicle on the ground when its heading is xi: a flat road has no direction of its own. States that
are speeds in the axes of the ground turn with the line. Places and angles that nothing depends on
are left out, inputs that are rates of one another are chained, and corners are rounded
(``smooth_twin``), less in each step, as far as to the laws as they are.

Brakes and gears are those of ``drive_on_track``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.expr import symbol
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.model.model import Model
from axletree.optimisation.dynamics import with_outputs
from axletree.optimisation.lap_time.drive_on_track import as_on_track
from axletree.optimisation.lap_time.envelope import TOP
from axletree.optimisation.lap_time.result import TimedLap
from axletree.optimisation.problem import Range
from axletree.optimisation.reduction import with_chained_inputs, without_cyclic_states
from axletree.optimisation.smooth_twin import smooth_twin
from axletree.system.system import System
from axletree.vehicles.assembly import assemble_vehicle
from axletree.vehicles.suspensions import SIDES
from axletree.vehicles.vehicle import Fidelity, Vehicle

OFFSET, BEND, LEFT_WIDTH, RIGHT_WIDTH = (
    "track.offset",
    "track.curvature",
    "track.left",
    "track.right",
)
SLOWNESS, ROOM_LEFT, ROOM_RIGHT = "track.slowness", "track.room_left", "track.room_right"
STEERING_WHEEL, THROTTLE_PEDAL, BRAKE_PEDAL = "driver.steering", "driver.throttle", "driver.brake"
VX, VY, BODY_HEADING, BODY_YAW_RATE = "chassis.vx", "chassis.vy", "chassis.angle", "chassis.rate"
PLANAR: Final = ("single-track", "two-track-static", "two-track")
LEAST_SPEED: Final = 3.0  # m/s
_SLIP, _SLIP_ANGLE = 0.25, 0.3  # 1, rad: at most, so that the rising side of a tyre is kept to
_HANDS: Final = {1: 12.0, 2: 150.0}  # rad/s, rad/s^2, of the steering wheel
_BY_UNIT: Final = {"m": (0.2, 0.01), "rad": (0.3, 0.03), "m/s": (5.0, 0.3), "rad/s": (10.0, 0.5)}
_SAMPLES, _SEED = 200, 7


@dataclass(frozen=True)
class CarOnTrack:
    """A vehicle whose states are those beside a centre line.

    Example:
    >>> import axletree as at
    >>> from axletree.optimisation.lap_time.car_on_track import car_on_track
    >>> lap = at.lap("van", "lindenring", method="centre-line")
    >>> car = car_on_track(at.read_model("formula-student"), "single-track", lap)
    >>> len(car.system.states), [q.name for q in car.system.inputs][:3]
    (19, ['driver.steering_acceleration', 'driver.throttle', 'driver.brake'])
    """

    name: str
    vehicle: Vehicle
    system: System
    corners: tuple[str, ...]  # names of wheels

    @property
    def steering_rates(self) -> int:
        """How often the control of the steering is integrated."""
        return sum(q.name.startswith(STEERING_WHEEL) for q in self.system.states)

    def state_ranges(self, closed: bool, top: float = TOP) -> dict[str, Range]:
        """Bounds of physics: forwards, not faster than ``top`` [m/s], on the road, with wheels that
        roll."""
        found: dict[str, Range] = {}
        for q in self.system.states:
            found[q.name] = replace(self._range(q, top), periodic=closed)
        return found

    def _range(self, q: Quantity, top: float) -> Range:
        name = q.name
        if name == VX:
            return Range(LEAST_SPEED, top, nominal=20.0)
        if name == VY:
            return Range(-15.0, 15.0, nominal=3.0)
        if name == BODY_HEADING:
            return Range("-45 deg", "45 deg", nominal=0.2)
        if name == BODY_YAW_RATE:
            return Range(-4.0, 4.0, nominal=1.0)
        if name == OFFSET:
            return Range(-50.0, 50.0, nominal=3.0)
        if name == STEERING_WHEEL:
            return Range(-8.0, 8.0, nominal=1.0)
        if name.startswith(STEERING_WHEEL):
            return Range(-_HANDS[1], _HANDS[1], nominal=2.0)
        for axle, one in self.vehicle.axles.items():
            if name.startswith(f"{axle}_") and name.endswith("_axle.rate"):
                most = TOP / one.wheel.radius
                return Range(0.5 * LEAST_SPEED / one.wheel.radius, 1.2 * most, nominal=0.3 * most)
        if name.startswith("wheel_loads.") and q.default:
            return Range(0.02 * q.default, 8.0 * q.default, nominal=q.default)
        most, nominal = _BY_UNIT.get(q.unit, (np.inf, 1.0))
        return Range(q.default - most, q.default + most, nominal=nominal)

    def control_ranges(self, closed: bool) -> dict[str, Range]:
        """Pedals between 0 and 1, hands that turn a wheel no faster than hands do."""
        hands = next(q.name for q in self.system.inputs if q.name.startswith(STEERING_WHEEL))
        most = _HANDS[self.steering_rates]
        return {
            hands: Range(-most, most, periodic=closed, nominal=0.2 * most),
            THROTTLE_PEDAL: Range(0.0, 1.0, periodic=closed, rate_weight=_PEDAL_WEIGHT),
            BRAKE_PEDAL: Range(0.0, 1.0, periodic=closed, rate_weight=_PEDAL_WEIGHT),
        }

    @property
    def path_ranges(self) -> dict[str, Range]:
        """Slips on the side of a tyre's curve where more slip is more force, or little less."""
        return {
            f"{corner}_tyre.{name}": Range(-most, most)
            for corner in self.corners
            for name, most in (("slip", _SLIP), ("slip_angle", _SLIP_ANGLE))
        }

    def guess(self, lap: TimedLap, pace: float) -> dict[str, tuple[FloatArray, FloatArray]]:
        """States along the line of a lap, at a share of its speeds, wheels rolling."""
        s, v = lap["station"], pace * lap["speed"]
        rate = v * lap["curvature"]
        at = {
            VX: v * np.cos(lap["heading_error"]),
            VY: v * np.sin(lap["heading_error"]),
            BODY_HEADING: lap["heading_error"],
            BODY_YAW_RATE: rate, OFFSET: lap["offset"],
            STEERING_WHEEL: self._ratio * np.arctan(self.vehicle.wheelbase * lap["curvature"]),
        }  # fmt: skip
        for axle, one in self.vehicle.axles.items():
            for side, sign in zip(SIDES, (-1.0, 1.0), strict=True):
                speed = v + sign * 0.5 * one.track * rate
                at[f"{axle}_{side}_axle.rate"] = speed / one.wheel.radius
        rest = {q.name: np.full(len(s), q.default) for q in self.system.states}
        found = {name: at.get(name, value) for name, value in rest.items()}
        push = np.clip(pace * pace * lap["acceleration"] / 15.0, -1.0, 1.0)
        found |= {
            THROTTLE_PEDAL: np.maximum(push, 0.0) + 0.05,
            BRAKE_PEDAL: np.maximum(-push, 0.0) + 0.01,
        }  # fmt: skip
        return {name: (s, np.asarray(value, dtype=float)) for name, value in found.items()}

    @property
    def _ratio(self) -> float:
        steered = [one.steering for one in self.vehicle.axles.values() if one.steering is not None]
        return float(steered[0].ratio or 1.0)


_PEDAL_WEIGHT: Final = 0.05  # s m


def car_on_track(model: Model, fidelity: str, lap: TimedLap) -> CarOnTrack:
    """The equations of a vehicle of a fidelity, rounded for where the lap is."""
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle):
        raise ModelError(f"{model.name} is no described vehicle: it has no section vehicle")
    if fidelity not in PLANAR:
        raise ModelError(
            f"a lap by the equations of a {fidelity} model is not there; take {' or '.join(PLANAR)}"
        )
    plain = replace(vehicle, fidelity=Fidelity(fidelity), driver=None, road=type(vehicle.road)())
    made = Model(model.name)
    assemble_vehicle(plain, made)
    made.described["vehicle"] = plain
    corners = tuple(f"{axle}_{side}" for axle in plain.axles for side in SIDES)
    slips = [f"{corner}_tyre.{name}" for corner in corners for name in ("slip", "slip_angle")]
    system = as_on_track(made).formulate()
    system = without_cyclic_states(system, ["chassis.x", "chassis.y", *slips])
    system = with_chained_inputs(system)
    samples = _samples(plain, system, lap)
    system = _beside_the_line(smooth_twin(system, samples))
    return CarOnTrack(model.name, plain, system, corners)


def _samples(vehicle: Vehicle, system: System, lap: TimedLap) -> dict[str, FloatArray]:
    """States near a lap, with slips and steering as at the limit."""
    random = np.random.default_rng(_SEED)
    v = random.choice(lap["speed"], _SAMPLES) * random.uniform(0.6, 1.0, _SAMPLES)
    bend = random.choice(lap["curvature"], _SAMPLES)
    found = {
        VX: v, VY: 0.03 * v * random.standard_normal(_SAMPLES), BODY_YAW_RATE: v * bend,
        STEERING_WHEEL: 5.0 * vehicle.wheelbase * bend,
        THROTTLE_PEDAL: random.uniform(0.0, 1.0, _SAMPLES),
        BRAKE_PEDAL: random.uniform(0.0, 1.0, _SAMPLES),
    }  # fmt: skip
    for axle, one in vehicle.axles.items():
        for side in SIDES:
            slip = random.normal(0.0, 0.05, _SAMPLES)
            found[f"{axle}_{side}_axle.rate"] = v * (1.0 + slip) / one.wheel.radius
    known = {q.name for q in (*system.states, *system.inputs)}
    return {name: values for name, values in found.items() if name in known}


def _beside_the_line(system: System) -> System:
    """Rates by the distance along the centre line."""
    rates = {q.name: rate for q, rate in zip(system.states, system.derivatives, strict=True)}
    n, c = symbol(OFFSET), symbol(BEND)
    slowness = (1.0 - n * c) / rates.pop("chassis.x")
    across = rates.pop("chassis.y")
    over = {name: rate * slowness for name, rate in rates.items()}
    over[BODY_HEADING] = over[BODY_HEADING] - c
    over[VX] = over[VX] + c * symbol(VY)
    over[VY] = over[VY] - c * symbol(VX)
    over[OFFSET] = across * slowness
    states = [q for q in system.states if q.name in over]
    states.append(Quantity(OFFSET, "m", "offset from the centre line, to the left", Role.STATE))
    given = [
        Quantity(BEND, "1/m", "curvature of the centre line, to the left", Role.INPUT),
        Quantity(LEFT_WIDTH, "m", "from the centre line to the left edge", Role.INPUT),
        Quantity(RIGHT_WIDTH, "m", "from the centre line to the right edge", Role.INPUT),
    ]
    placed = replace(
        system,
        states=Quantities(states),
        inputs=Quantities([*system.inputs, *given]),
        derivatives=tuple(over[q.name] for q in states),
        intermediates=(),
    )
    return with_outputs(placed, {
        f"{SLOWNESS} [s/m]": slowness,
        f"{ROOM_LEFT} [m]": symbol(LEFT_WIDTH) - n,
        f"{ROOM_RIGHT} [m]": symbol(RIGHT_WIDTH) + n,
    })  # fmt: skip
