"""The turns of a vehicle: their equations with all that keeps it in them as an unknown, and in
numbers.

``turning_system`` forms the equations, ``Turning`` has their compiled residuals and finds
turns; a ``TurnCourse`` says what is given along a branch of turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from axletree.analysis.linear.jacobians import CompiledRows
from axletree.analysis.steady.arclength import SolutionCurve
from axletree.analysis.steady.conditions import SteadyConditions
from axletree.analysis.steady.equations import LEAST_SLOPE
from axletree.analysis.steady.newton import find_root
from axletree.analysis.steady.problem import ModelStart
from axletree.analysis.steady.trim import trim
from axletree.code.lowering import lower
from axletree.components.bodies import RigidBody
from axletree.components.edges import Basis
from axletree.components.loads import LoadDriver
from axletree.components.signals import Constant
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, TrimError
from axletree.expr import Expr, atan2, maximum, minimum, number, sqrt, substitute, symbol
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.model.model import STANDARD_GRAVITY, Model
from axletree.model_files.read import model_of
from axletree.runs.standard_manoeuvres import FORWARD
from axletree.system.formulation import formulate
from axletree.system.system import System, redefined
from axletree.vehicles.vehicle import Fidelity, Vehicle

EFFORTS = (0.1, 0.7, 1.1)  # first guesses straight ahead; more than 1 is towed
FREE_TURN = {"path.acceleration": 0.0, "restraint.Mz": 0.0}  # of a steady turn without restraint


@dataclass(frozen=True)
class TurnCourse:
    """What turns have on a way: four quantities of ``KEEPING`` and ``MEASURED`` over a number s."""

    names: tuple[str, ...]
    values: Callable[[float], FloatArray]
    slopes: Callable[[float], FloatArray]

    @classmethod
    def line(cls, held: Mapping[str, float], changed: Mapping[str, float]) -> TurnCourse:
        """``held`` are values at s = 0, ``changed`` what is added to them over s."""
        names = tuple(dict.fromkeys([*held, *changed]))
        first = np.array([held.get(name, 0.0) for name in names])
        by = np.array([changed.get(name, 0.0) for name in names])
        return cls(names, lambda s: first + s * by, lambda s: by)


class Turning:
    """A vehicle and its turns; unknowns are states, then those of ``KEEPING``."""

    def __init__(self, turning: TurningSystem, outputs: Sequence[str]) -> None:
        """``outputs`` are names of outputs that ``columns`` has beside unknowns and measures."""
        self.of, self.outputs = turning, tuple(outputs)
        self.names = tuple(q.name for q in turning.rows.states)
        parameters = np.array([q.default for q in turning.rows.parameters])
        # What vanishes, then the measured quantities; slopes are by differences: they lead to
        # turns, and are no part of them.
        self.rows = CompiledRows(lower(turning.rows, outputs), parameters)
        measured = (q.name for q in MEASURED)
        self._places = {name: k for k, name in enumerate((*self.names, *measured))}
        self.effort, self.moment = (self._places[q.name] for q in (EFFORT, MOMENT))

    def sideslip(self, y: FloatArray) -> float:
        """The last of the measured quantities [rad]."""
        return float(self.rows(y)[-1])

    def residual(self, course: TurnCourse, y: FloatArray, s: float) -> FloatArray:
        rows = self.rows(y)
        own = np.append(y, rows[-len(MEASURED) :])[self._course_places(course)]
        return np.append(rows[: -len(MEASURED)], own - course.values(s))

    def residual_slopes(self, course: TurnCourse, y: FloatArray, s: float) -> FloatArray:
        """d residual / d (y, s)."""
        rows = self.course_rows(course, self.rows.slopes(y))
        empty = np.zeros(len(rows) - len(course.names))
        by_course = np.append(empty, -course.slopes(s))
        return np.hstack([rows, by_course[:, None]])

    def course_rows(self, course: TurnCourse, slopes: FloatArray) -> FloatArray:
        """Slopes of what vanishes on a course, from those of all rows."""
        own = np.vstack([np.eye(slopes.shape[1]), slopes[-len(MEASURED) :]])
        return np.vstack([slopes[: -len(MEASURED)], own[self._course_places(course)]])

    def _course_places(self, course: TurnCourse) -> list[int]:
        """Where what is given on a course stands among unknowns and measured quantities."""
        return [self._places[name] for name in course.names]

    def solve(self, course: TurnCourse, near: FloatArray, s: float = 0.0) -> FloatArray | None:
        """The turn at a value of s near another one; None where none was found."""
        found = find_root(
            lambda y: self.residual(course, y, s),
            lambda y: self.residual_slopes(course, y, s)[:, :-1],
            near,
            LEAST_SLOPE,
        )
        return found.unknowns if found.converged else None

    def side_of_fold(self, course: TurnCourse, y: FloatArray, s: float) -> float:
        """1 or -1, which changes where the turns over s turn back; 0 of dependent equations."""
        slopes = self.residual_slopes(course, y, s)[:, :-1]
        if slopes.shape[0] != slopes.shape[1]:
            return 0.0
        return float(np.linalg.slogdet(slopes)[0])

    def curve(self, course: TurnCourse, start: FloatArray, s: float, span: float) -> SolutionCurve:
        """The turns from the one at s on, in the direction of ``span``."""
        return SolutionCurve(
            lambda z: self.residual(course, z[:-1], float(z[-1])),
            lambda z: self.residual_slopes(course, z[:-1], float(z[-1])),
            np.append(start, s),
            span,
            LEAST_SLOPE,
        )

    def straight(self, speed: float) -> FloatArray:
        """The unknowns straight ahead at a speed [m/s]; more than the drive can is towed."""
        course = TurnCourse.line({"path.speed": speed, "path.lateral": 0.0, **FREE_TURN}, {})
        system = self.of.system
        start = ModelStart(system, {}, {}, 0.0).at({FORWARD: speed}).states
        for effort in EFFORTS:
            for states in (start, _rolling(self.of, start, speed)):
                found = self.solve(course, self._unknowns(states, effort))
                if found is not None:
                    return found
        try:
            settled = trim(system, {FORWARD: speed}, find=["driver.throttle"])
        except AxletreeError as error:
            raise TrimError(
                f"{system.name} does not hold {speed:g} m/s straight ahead: {error}"
            ) from None
        states = np.array([settled.states[q.name] for q in system.states])
        found = self.solve(course, self._unknowns(states, settled.inputs["driver.throttle"]))
        if found is None:
            raise TrimError(f"{system.name} does not hold {speed:g} m/s straight ahead")
        return found

    def columns(self, turns: Sequence[FloatArray]) -> dict[str, FloatArray]:
        """Unknowns, measures and outputs by name, along turns."""
        own = np.array([np.append(y, self.rows(y)[-len(MEASURED) :]) for y in turns])
        more = np.array([self.rows.outputs(y) for y in turns])
        columns = dict(zip(self._places, own.T, strict=True))
        return {**dict(zip(self.outputs, more.T, strict=True)), **columns}

    def _unknowns(self, states: FloatArray, effort: float) -> FloatArray:
        return np.array([*states[list(self.of.free)], 0.0, effort, 0.0, 0.0])


def turning_of(model: Model | Turning | str | Path) -> Turning:
    """The turns of a model that describes a vehicle, or of a name or file of one, with what
    diagrams of them show.

    Equations that are formed already are taken as they are.
    """
    if isinstance(model, Turning):
        return model
    turning = turning_system(model_of(model))
    own = [d.quantity.name for d in turning.system.outputs]
    wheels = [name for name in own if name.endswith(("_tyre.Fx", "_tyre.Fy", "_tyre.Fz"))]
    body = [name for name in own if name.startswith("vehicle.")]
    return Turning(turning, [*body, *wheels])


def _rolling(turning: TurningSystem, states: FloatArray, speed: float) -> FloatArray:
    """States with all wheels turning at the rate of their radii without load."""
    rolling = states.copy()
    for k, q in enumerate(turning.system.states):
        for name, axle in turning.vehicle.axles.items():
            wheel = q.name.startswith(f"{name}_") and q.name.endswith("_axle.rate")
            if wheel and q.role is Role.SPEED:
                rolling[k] = speed / axle.wheel.radius
    return rolling


# The equations of the turns of a vehicle, with all that keeps it in them as an unknown.
#
# 1. In a turn on a path of constant curvature all speeds change in one proportion, that of the
# path
#    speed V: dp/dt = (a_t / V) p with the acceleration a_t along the path. Slips, angles and the
#    sideslip stay as they are. With a_t = 0 the turn is steady.
# 2. One effort holds the speed: from 0 to 1 the throttle, from 0 to -1 the brake. What is beyond
#    either is a force of a restraint on the body's centre of mass, along the path, in weights.
# 3. A restraint exerts a yaw moment on the body, 0 for a vehicle that is free.

RESTRAINT = "restraint"
HEADINGS = ("chassis.angle", "chassis.yaw")  # of vehicles in the plane, and in space

TURN_STEERING = Quantity("driver.steering", "rad", "angle of the steering wheel", Role.STATE)
EFFORT = Quantity("driver.effort", "1", "throttle, or brake if negative", Role.STATE)
MOMENT = Quantity(f"{RESTRAINT}.Mz", "N*m", "yaw moment of a restraint", Role.STATE)
ALONG = Quantity("path.acceleration", "m/s^2", "acceleration along the path", Role.STATE)
KEEPING = (TURN_STEERING, EFFORT, MOMENT, ALONG)  # what is unknown beside states

_SPEED = Quantity("path.speed", "m/s", "speed over ground", Role.OUTPUT)
TURN_LATERAL = Quantity("path.lateral", "m/s^2", "acceleration to the centre of the path",
                        Role.OUTPUT)  # fmt: skip
TURN_SIDESLIP = Quantity("path.sideslip", "rad", "of the velocity, to the left of the heading",
                         Role.OUTPUT)  # fmt: skip
MEASURED = (_SPEED, TURN_LATERAL, TURN_SIDESLIP)  # rows after those that vanish


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
        raise TrimError(
            f"{model.name} has no section `vehicle`, by which driver, wheelbase and wheels are "
            "known; name one of `axletree list vehicles`, or describe one (docs/how-to/vehicles.md)"
        )
    return found


def turning_system(model: Model) -> TurningSystem:
    """Of a model that describes a vehicle; the model is left as it is."""
    vehicle = described_vehicle(model)
    _check(vehicle, model.name)
    system = _restrained(model)
    conditions = SteadyConditions(system)
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
    states = [*(replace(system.states[k], role=Role.STATE) for k in free), *KEEPING]
    as_rows = System(
        name=system.name, time=system.time, states=Quantities(states), inputs=Quantities(),
        parameters=system.parameters, derivatives=tuple(rows), intermediates=(), projection=None,
        outputs=redefined(system.outputs, outputs),
    )  # fmt: skip
    return TurningSystem(vehicle, system, as_rows, free, weight)


def _check(vehicle: Vehicle, name: str) -> None:
    axles = vehicle.axles.values()
    if vehicle.fidelity is Fidelity.LINEAR:
        raise TrimError(
            f"the linear model of {name} has no limit, and turns of any size are alike; take "
            "single-track, two-track, 14-dof or full"
        )
    if vehicle.driver is not None:
        raise TrimError(f"{name} has a driver of its own; leave out its `driver`")
    if all(axle.steering is None for axle in axles):
        raise TrimError(f"{name} cannot be steered: none of its axles has `steering`")
    if all(axle.drive is None for axle in axles):
        raise TrimError(f"nothing keeps the speed of {name}: none of its axles has a `drive`")


def _restrained(model: Model) -> System:
    """With a force and a moment on the body, along the axes of the ground."""
    body = model["body"]
    assert isinstance(body, RigidBody)
    none = Constant(0.0)
    held = LoadDriver(
        RESTRAINT, model.ground.main_frame, body.main_frame, Fz=none, Mx=none, My=none,
        basis=Basis.TAIL,
    )  # fmt: skip
    return formulate(model.extended(held))


def _moving(conditions: SteadyConditions, decay: Expr) -> Iterator[Expr]:
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
