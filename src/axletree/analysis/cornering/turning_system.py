"""The equations of the turns of a vehicle, with all that keeps it in them as an unknown.

1. In a turn on a path of constant curvature all speeds change in one proportion, that of the path
   speed V: dp/dt = (a_t / V) p with the acceleration a_t along the path. Slips, angles and the
   sideslip stay as they are. With a_t = 0 the turn is steady.
2. One effort holds the speed: from 0 to 1 the throttle, from 0 to -1 the brake. What is beyond
   either is a force of a restraint on the body's centre of mass, along the path, in weights.
3. A restraint exerts a yaw moment on the body, 0 for a vehicle that is free.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from axletree.analysis.trim_conditions import TrimConditions
from axletree.core.errors import AxletreeError
from axletree.core.expr import Expr, atan2, maximum, minimum, number, sqrt, substitute, symbol
from axletree.core.quantity import Quantity, Role
from axletree.formulation.formulate import formulate
from axletree.library.bodies import RigidBody
from axletree.library.drivers.load_driver import LoadDriver
from axletree.library.edge import Basis
from axletree.library.signal import Constant
from axletree.model.model import STANDARD_GRAVITY, Model
from axletree.model.start import check_start
from axletree.system.assemble import assemble
from axletree.system.definition import Definition
from axletree.system.forms.projected import Projected
from axletree.system.system import System
from axletree.vehicles.vehicle import Fidelity, Vehicle

RESTRAINT = "restraint"
HEADINGS = ("chassis.angle", "chassis.yaw")  # of vehicles in the plane, and in space
FORWARD = "chassis.vx"

STEERING = Quantity("driver.steering", "rad", "angle of the steering wheel", Role.STATE)
EFFORT = Quantity("driver.effort", "1", "throttle, or brake if negative", Role.STATE)
MOMENT = Quantity(f"{RESTRAINT}.Mz", "N*m", "yaw moment of a restraint", Role.STATE)
ALONG = Quantity("path.acceleration", "m/s^2", "acceleration along the path", Role.STATE)
KEEPING = (STEERING, EFFORT, MOMENT, ALONG)  # what is unknown beside states

SPEED = Quantity("path.speed", "m/s", "speed over ground", Role.OUTPUT)
LATERAL = Quantity("path.lateral", "m/s^2", "acceleration to the centre of the path", Role.OUTPUT)
SIDESLIP = Quantity("path.sideslip", "rad", "of the velocity, to the left of the heading",
                    Role.OUTPUT)  # fmt: skip
MEASURED = (SPEED, LATERAL, SIDESLIP)  # rows after those that vanish


class CorneringError(AxletreeError):
    """A turn that a vehicle cannot be asked for, or that it does not hold."""


@dataclass(frozen=True, eq=False)
class TurningSystem:
    """``rows`` has unknowns as its states; its right-hand sides vanish, but for the measured."""

    vehicle: Vehicle
    system: System  # of the vehicle with its restraint
    rows: System
    free: tuple[int, ...]  # states of the system that are unknowns, before those of ``KEEPING``
    weight: float  # [N], with trailers


def described_vehicle(model: Model) -> Vehicle:
    """The vehicle that the section of a model's file describes."""
    found = model.described.get("vehicle")
    if not isinstance(found, Vehicle):
        raise CorneringError(
            f"{model.name} has no section `vehicle`, by which driver, wheelbase and wheels are "
            "known; name one of `axletree list vehicles`, or describe one (docs/how-to/vehicles.md)"
        )
    return found


def turning_system(model: Model) -> TurningSystem:
    """Of a model that describes a vehicle; the model is left as it is."""
    vehicle = described_vehicle(model)
    _check(vehicle, model.name)
    system = _restrained(model)
    conditions = TrimConditions(system)
    free = tuple(k for k in conditions.adjustable if system.states[k].name not in HEADINGS)
    weight = vehicle.train_mass * STANDARD_GRAVITY
    known = {d.quantity.name: d.expression for d in system.outputs}
    u, v = known["vehicle.forward_speed"], known["vehicle.lateral_speed"]
    r, V = known["vehicle.yaw_rate"], sqrt(u * u + v * v)
    decay = ALONG.symbol / V
    moving = list(_moving(conditions, decay))
    measured = [V, V * r, atan2(v, u)]
    values = _values(system, free, weight, (u / V, v / V))
    rows = substitute([*moving, *measured], values)
    outputs = substitute([d.expression for d in system.outputs], values)
    states = (*(replace(system.states[k], role=Role.STATE) for k in free), *KEEPING)
    told = tuple(Definition(d.quantity, e) for d, e in zip(system.outputs, outputs, strict=True))
    as_rows = System(
        name=system.name, time=system.time, states=states, inputs=(),
        parameters=system.parameters, derivatives=tuple(rows), outputs=told, intermediates=(),
        projection=None,
    )  # fmt: skip
    return TurningSystem(vehicle, system, as_rows, free, weight)


def _check(vehicle: Vehicle, name: str) -> None:
    axles = vehicle.axles.values()
    if vehicle.fidelity is Fidelity.LINEAR:
        raise CorneringError(
            f"the linear model of {name} has no limit, and turns of any size are alike; take "
            "single-track, two-track, 14-dof or full"
        )
    if vehicle.driver is not None:
        raise CorneringError(f"{name} has a driver who follows a path; leave out its `driver`")
    if all(axle.steering is None for axle in axles):
        raise CorneringError(f"{name} cannot be steered: none of its axles has `steering`")
    if all(axle.drive is None for axle in axles):
        raise CorneringError(f"nothing keeps the speed of {name}: none of its axles has a `drive`")


def _restrained(model: Model) -> System:
    """With a force and a moment on the body, along the axes of the ground."""
    body = model["body"]
    assert isinstance(body, RigidBody)
    none = Constant(0.0)
    held = LoadDriver(
        RESTRAINT, model.ground.main_frame, body.main_frame, Fz=none, Mx=none, My=none,
        basis=Basis.TAIL,
    )  # fmt: skip
    other = model.extended(held)
    check_start(other)
    return assemble(formulate(other, other.tree), Projected(), other.start)


def _moving(conditions: TrimConditions, decay: Expr) -> Iterator[Expr]:
    """What vanishes in a turn: rates, less those of speeds that all change in one proportion.

    In the plane speeds are along the axes of the ground and turn with the vehicle, which heads
    along x.
    """
    system = conditions.system
    names = {q.name for q in system.states}
    turned: dict[str, Expr] = {}
    if HEADINGS[0] in names:
        vx, vy, r = (symbol(f"chassis.{name}") for name in ("vx", "vy", "rate"))
        turned = {"chassis.vx": r * vy, "chassis.vy": -r * vx}
    for condition in conditions.conditions:
        quantity = None if condition.state is None else system.states[condition.state]
        if quantity is None:
            yield condition.expression
        elif quantity.role is Role.SPEED:
            turning = turned.get(quantity.name, number(0.0))
            yield condition.expression - decay * quantity.symbol + turning
        elif quantity.name not in HEADINGS:
            yield condition.expression


def _values(
    system: System, free: tuple[int, ...], weight: float, ahead: tuple[Expr, Expr]
) -> dict[Expr, Expr | float]:
    """Of all that is neither unknown nor a parameter: inputs, and coordinates that drift."""
    drifting = {q.symbol: q.default for k, q in enumerate(system.states) if k not in set(free)}
    effort = EFFORT.symbol
    tow = weight * (maximum(effort - 1.0, 0.0) + minimum(effort + 1.0, 0.0))
    along = substitute(ahead, drifting)
    made: dict[str, Expr | float] = {
        "driver.throttle": minimum(maximum(effort, 0.0), 1.0),
        "driver.brake": minimum(maximum(-effort, 0.0), 1.0),
        f"{RESTRAINT}.Fx": tow * along[0],
        f"{RESTRAINT}.Fy": tow * along[1],
    }
    unknown = {q.name for q in KEEPING}
    values = {q.symbol: made.get(q.name, 0.0) for q in system.inputs if q.name not in unknown}
    return {**values, **drifting}
