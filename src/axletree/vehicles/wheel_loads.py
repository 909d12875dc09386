"""Wheel loads of a vehicle that stays in its plane: quasi-static load transfer.

Load goes from axle to axle by the longitudinal acceleration and the lift of the air, and from side
to side by the lateral acceleration, in the shares of the axles' roll stiffnesses and roll centres.
Numbers are those of ``statics``; the component here makes loads of them as the vehicle moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from axletree.components.bodies import RigidBody
from axletree.components.contract import (
    AccelerationOutput,
    BetweenFrames,
    Instant,
    Response,
    acceleration_symbol,
)
from axletree.components.edges import Edge, Variable
from axletree.components.fields import positive, row_parameter, structure
from axletree.components.frames import Frame, frame
from axletree.components.loads import STANDARD_DENSITY
from axletree.core.errors import ModelError
from axletree.core.registry import few_names
from axletree.expr import ZERO, Expr, Vector, maximum, minimum, where
from axletree.model.model import Model
from axletree.vehicles.statics import (
    heights_of_masses,
    shifted_loads,
    turning_roll,
    wheel_heights,
    wheel_loads,
)
from axletree.vehicles.suspensions import SIDES
from axletree.vehicles.units import VehicleUnit, full_name, settled_loads
from axletree.vehicles.vehicle import Vehicle

WHEEL_LOADS = "wheel_loads"
_ALONG, _ACROSS = "longitudinal_acceleration", "lateral_acceleration"
_OF_WEIGHT = re.compile(r"(^gravity|\.centre_of_mass)\.")
_LEAST = 1e-9  # N and N m, that loads and moments are divided by at least


def load_state(vehicle: Vehicle, axle: str, side: str) -> str:
    """The state [N] that is the load of a wheel, by its side and its axle's full name."""
    units = vehicle.units.items()
    owners = {full_name(unit, k): (unit, k) for unit, own in units for k in own.axles}
    unit, name = owners[axle]
    return f"{full_name(unit, WHEEL_LOADS)}.{name}_{side}"


def loads_that_stay(vehicle: Vehicle, changed: Iterable[str]) -> str:
    """What to say of parameters of masses that are changed where loads are numbers; or nothing.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.wheel_loads import loads_that_stay
    >>> settings = {"vehicle": {"fidelity": "two-track"}}
    >>> plane = at.read_model("sedan", settings).described["vehicle"]
    >>> loads_that_stay(plane, ["body.mass"])[:41]
    'loads of wheels do not follow body.mass: '
    >>> loads_that_stay(at.read_model("sedan").described["vehicle"], ["body.mass"])
    ''
    """
    masses = [n for n in map(str, changed) if n.endswith(".mass") or _OF_WEIGHT.search(n)]
    if not (masses and vehicle.fidelity.is_planar):
        return ""
    return (
        f"loads of wheels do not follow {few_names(masses, 4)}: in a {vehicle.fidelity.value} "
        "model they are those of the description; change it there, as by "
        'read_model(..., {"vehicle": {"body": {"mass": ...}}}), or take 14-dof or full'
    )


def add_wheel_loads(model: Model, vehicle: Vehicle, unit: str, body: RigidBody) -> None:
    """Add the loads of the wheels of a unit, which stands at the start."""
    found = load_transfer(vehicle)
    if found is None:
        raise ModelError(
            f"fidelity: {vehicle.fidelity.value}: the vehicle, or a trailer, falls over on its "
            "springs, which are too soft to carry it in roll, so that loads have no shares by roll "
            "stiffness; make springs or anti-roll bars stiffer, or take two-track-static"
        )
    axles = tuple(vehicle.units[unit].axles)
    own, aside = [found[full_name(unit, name)] for name in axles], shifted_loads(vehicle)
    loads = QuasiStaticLoads(
        full_name(unit, WHEEL_LOADS), model.ground.main_frame, body.main_frame, axles,
        standing=tuple(axle.standing for axle in own),
        shifted=tuple(aside[full_name(unit, name)] for name in axles),
        pitch=tuple(axle.pitch for axle in own),
        roll=tuple(axle.roll for axle in own),
        lift=tuple(axle.lift for axle in own),
        track=tuple(axle.track for axle in own),
    )  # fmt: skip
    model.add(loads)


@dataclass(frozen=True, eq=False)
class QuasiStaticLoads(BetweenFrames):
    """Loads of the wheels of a body in the plane, as if every instant were steady, with a lag.

    With a_x and a_y the accelerations of the body and q the pressure of the air, the mean load of
    an axle and what goes from its left wheel to the right one are (Milliken and Milliken 1995,
    chapter 18)

        F = standing + pitch a_x + lift q,    s = shifted + roll a_y.

    No wheel pulls: where one would, what it lacks is carried by others, the moment about x by the
    outer wheels of other axles, as far as these have load to shift.

    Forces of tyres follow the loads, and accelerations follow these forces: a short lag opens this
    loop, and stands for the time that springs take.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}}).formulate()
    >>> turn = car.trim(speed="20 m/s", lateral_acceleration="5 m/s^2")
    >>> [round(turn[f"front_{side}_tyre.Fz"]) for side in ("left", "right")]  # N, turning left
    [2412, 5676]
    """

    summary: ClassVar[str] = "wheel loads in the plane: load transfer by accelerations"

    ground: Frame = frame("frame whose xy plane is horizontal, z up")
    body: Frame = frame("frame of the body, x forward, y left")
    axles: tuple[str, ...] = structure("names", "names of the axles", tuple)
    standing: tuple[float, ...] = row_parameter("N", "mean load of the wheels of an axle at rest")
    shifted: tuple[float, ...] = row_parameter("N", "load from left to right at rest")
    pitch: tuple[float, ...] = row_parameter("kg", "mean load by longitudinal acceleration")
    roll: tuple[float, ...] = row_parameter("kg", "load from left to right by lateral acceleration")
    lift: tuple[float, ...] = row_parameter("m^2", "mean load by dynamic pressure of the air")
    track: tuple[float, ...] = row_parameter("m", "distance of the wheels")
    lag: float = positive("s", "time constant of the loads", default=0.05)

    def edges(self) -> tuple[Edge, ...]:
        return ()

    def states(self) -> tuple[Variable, ...]:
        return tuple(
            Variable(f"{axle}_{side}", "N", f"load of the {side} wheel of {axle}", load - sign * s)
            for axle, load, s in zip(self.axles, self.standing, self.shifted, strict=True)
            for side, sign in SIDES.items()
        )

    def respond(self, now: Instant) -> Response:
        motion, v = now.motions[0], now.motions[0].velocity
        x, y = (motion.R_tail_head.column(k) for k in (0, 1))
        along, across = (acceleration_symbol(self.name, word) for word in (_ALONG, _ACROSS))
        means = self._means(along, (0.5 * STANDARD_DENSITY) * v.dot(v))
        wanted: list[Expr] = []
        for mean, shift in zip(means, self._shifts(means, across), strict=True):
            wanted += [mean - sign * shift for sign in SIDES.values()]
        lag = self.symbol("lag")
        return Response(
            rates=tuple((w - load) / lag for w, load in zip(wanted, now.states, strict=True)),
            accelerated=(
                AccelerationOutput(_ALONG, "m/s^2", "of the body, forward", _terms(x, v)),
                AccelerationOutput(_ACROSS, "m/s^2", "of the body, left", _terms(y, v)),
            ),
        )

    def _means(self, along: Expr, pressure: Expr) -> list[Expr]:
        """Mean loads of the axles [N]: none is below 0, and their sum is what it is."""
        rows = zip(*(self.numbers(name) for name in ("standing", "pitch", "lift")), strict=True)
        free = [standing + pitch * along + lift * pressure for standing, pitch, lift in rows]
        pushing = [maximum(load, 0.0) for load in free]
        share = maximum(_sum(free), 0.0) / maximum(_sum(pushing), _LEAST)
        return [load * share for load in pushing]

    def _shifts(self, means: Sequence[Expr], across: Expr) -> list[Expr]:
        """What goes from left to right [N], at most all of it; other axles take the excess."""
        pairs = zip(self.numbers("shifted"), self.numbers("roll"), strict=True)
        free = [shifted + roll * across for shifted, roll in pairs]
        kept = [maximum(minimum(s, F), -F) for s, F in zip(free, means, strict=True)]
        track = self.numbers("track")
        moment = _sum([t * (s - k) for t, s, k in zip(track, free, kept, strict=True)])
        room = [F - where(moment > 0.0, k, -k) for F, k in zip(means, kept, strict=True)]
        most = maximum(_sum([t * r for t, r in zip(track, room, strict=True)]), _LEAST)
        share = maximum(minimum(moment / most, 1.0), -1.0)
        return [k + share * r for k, r in zip(kept, room, strict=True)]


def _sum(values: Sequence[Expr]) -> Expr:
    return sum(values, ZERO)


def _terms(direction: Vector, velocity: Vector) -> tuple[tuple[Expr, Expr], ...]:
    """Weights and velocities of an acceleration along a direction, ground axes."""
    return tuple((direction[k], velocity[k]) for k in (0, 1))


@dataclass(frozen=True)
class LoadTransfer:
    """Of an axle: the mean load of its wheels at rest, and what changes it."""

    standing: float  # [N]
    pitch: float  # [kg], of the mean load by longitudinal acceleration
    roll: float  # [kg], from the left wheel to the right one by lateral acceleration
    lift: float  # [m^2], of the mean load by the pressure of the air
    track: float  # [m]


def load_transfer(vehicle: Vehicle) -> dict[str, LoadTransfer] | None:
    """Of all axles, by their full names; None of a vehicle that its springs do not keep upright.

    Example:
    >>> import axletree as at
    >>> from axletree.vehicles.wheel_loads import load_transfer
    >>> front = load_transfer(at.read_model("sedan").described["vehicle"])["front"]
    >>> f"{front.standing:.0f} N, {front.roll:.0f} N by m/s^2"
    '4067 N, 326 N by m/s^2'
    """
    standing, roll = wheel_loads(vehicle), _by_turn(vehicle)
    if roll is None:
        return None
    pitch, lift = _by_acceleration(vehicle), _by_pressure(vehicle)
    return {
        name: LoadTransfer(standing[name], pitch[name], roll[name], lift[name], axle.track)
        for name, axle in vehicle.every_axle.items()
    }


def _by_acceleration(vehicle: Vehicle) -> dict[str, float]:
    """Mean wheel load of each axle by acceleration [kg], each unit being driven by its own wheels.

    Moments about y on the ground: masses times heights, and wheels that are spun up.
    """
    heights = wheel_heights(vehicle)
    moments = {}
    for name, unit in vehicle.units.items():
        moment = sum(mass * height for mass, height in heights_of_masses(vehicle, name))
        for own, axle in unit.axles.items():
            height = heights[full_name(name, own)]
            moment += axle.unsprung_mass * height + 2.0 * axle.wheel.spin_inertia / height
        moments[name] = (0.0, -moment)
    return {k: 0.5 * load for k, load in settled_loads(vehicle.units, moments).axles.items()}


def _by_pressure(vehicle: Vehicle) -> dict[str, float]:
    """Mean wheel load of each axle by the pressure of the air [m^2]."""
    pushes = {name: _lift(unit) for name, unit in vehicle.units.items()}
    return {k: 0.5 * load for k, load in settled_loads(vehicle.units, pushes).axles.items()}


def _lift(unit: VehicleUnit) -> tuple[float, float]:
    """Area [m^2] that the air presses down on, and its moment about y [m^3], forward."""
    air, reach = unit.air, 0.5 * unit.wheelbase
    if air is None:
        return 0.0, 0.0
    front, rear = -air.area * air.front_lift, -air.area * air.rear_lift
    return front + rear, front * (unit.air_position + reach) + rear * (unit.air_position - reach)


def _by_turn(vehicle: Vehicle) -> dict[str, float] | None:
    """Load from the left wheel of each axle to the right one by lateral acceleration [kg]; None of
    a vehicle that falls over."""
    found: dict[str, float] = {}
    for name, unit in vehicle.units.items():
        if full_name(name, next(iter(unit.axles))) not in found:
            roll = turning_roll(vehicle, name, 1.0)
            if roll is None:
                return None
            found |= {axle: one.shifted for axle, one in roll.axles.items()}
    return found
