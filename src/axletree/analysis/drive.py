"""``drive``: a system through a manoeuvre, from the steady motion in which it begins.

Two things may be found before the run: the angle of the steering wheel at which the manoeuvre
comes to its level (``find_steer_amplitude``), and what a driver who follows a path has to know
of the vehicle (``fit_driver``). States of a component that is given instead of integrated
become inputs (``states_as_inputs``).
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.analysis.practice import CORRECTION, Course, build_up
from axletree.components.signals import TIME
from axletree.core.arguments import check_arguments
from axletree.core.errors import AxletreeError, SimulationError, TrimError
from axletree.core.registry import refuse_unknown
from axletree.core.units import to_si
from axletree.expr import Expr, Table, evaluate, symbols_of
from axletree.expr.quantity import Quantities, Role
from axletree.metrics.vehicle_signals import LATERAL_ACCELERATION
from axletree.model.manoeuvre import TILTED, Aim, Manoeuvre
from axletree.model.model import Model, Run
from axletree.runs.follow_path import FollowPath
from axletree.simulation.control.controllers import ControlLoop, common_step
from axletree.simulation.control.reference_loops import (
    GivenController,
    controlled,
    follower_names,
)
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.problem import USUAL_TOLERANCES, SettingsError
from axletree.simulation.signals import as_signal, excess_inputs
from axletree.simulation.simulate import (
    Integrator,
    check_form,
    form_for,
    load_integrator,
    simulate,
)
from axletree.simulation.trajectory import RunOrigin, Trajectory
from axletree.system.edit import with_smooth_forces
from axletree.system.system import System
from axletree.vehicles.vehicle import Vehicle
from axletree.vehicles.wheel_loads import loads_that_stay

# What solves for steady states is not imported where one is known from an earlier run.
if TYPE_CHECKING:
    from axletree.analysis.linear.linearisation import Linearisation
    from axletree.analysis.steady.result import Trim

PROPOSED_STEP, PROPOSED_METHOD = 1e-3, "rk4"  # s; where neither a caller nor a model says
_RESTING = 1e-6  # m/s or rad/s
_WHOLE = 1e-9  # of a step: what a whole number of steps may be off by
SLOWER_SPEEDS = (0.9, 0.8, 0.65, 0.5)  # of one that cannot be kept, where another is looked for


@dataclass(frozen=True)
class DriveStart:
    """How a drive begins: for ``simulate``."""

    trim: Trim
    initial: Mapping[str, float | str]
    inputs: Mapping[str, Any]  # signals, and the levels that were found
    parameters: Mapping[str, float | str]  # that are not the model's own
    manoeuvre: Manoeuvre  # at the angle that its aim asks for, if it has one


def drive(
    driven: Model | System,
    manoeuvre: str | Manoeuvre | None = None,
    *,
    speed: float | str | None = None,
    step: float | str | None = None,
    method: str | Integrator | None = None,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    outputs: Sequence[str] | None = None,
    record_interval: float | str | None = None,
    watch: bool = True,
    further_runs: bool = True,
    controllers: Sequence[GivenController] = (),
) -> Trajectory:
    """Drive a manoeuvre; it begins in a steady motion, which is solved for these parameters.

    A model drives its manoeuvres by name, as ``axletree run`` does: it is read again with what the
    manoeuvre changes, such as its driver and road, and what is not given is as the model proposes.
    A system drives a manoeuvre that is an object. Without one a model makes the run that it
    proposes for itself, from its own initial condition.

    ``speed`` [m/s] is that at which the manoeuvre begins; ``inputs`` are signals of further inputs;
    ``outputs`` are recorded in place of those that it names, beside what its ``findings`` are made
    of. ``controllers`` are control loops, and for models words of the catalogue ("esc") or
    reference controllers with numbers of one's own; a run with some has no origin, for it cannot be
    computed again without them. The other arguments are those of ``simulate``.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("bicycle-car")
    >>> run = car.drive("step-steer", speed="90 km/h")
    >>> print(f"{run['chassis.vx', 'km/h'][0]:.1f} km/h")
    90.0 km/h
    >>> len(car.formulate().drive(car.manoeuvres["coasting"], step="10 ms"))
    1001
    >>> print(f"{at.read_model('pendulum').drive()['pin.angle', 'deg'][0]:.1f} deg")
    17.2 deg
    """
    check_arguments(drive, locals())
    from axletree.system.formulation import formulate

    if manoeuvre is not None:
        driven, manoeuvre = with_manoeuvre(driven, manoeuvre)
    driven, loops = _with_loops(driven, controllers)  # of path followers, to the path driven
    manoeuvre = without_practice(manoeuvre, controllers)

    if manoeuvre is None:
        if not isinstance(driven, Model) or speed is not None:
            raise SimulationError(
                f"{driven.name} is to be driven without a manoeuvre; only models have a run of "
                "their own, from an initial condition of its own, without a speed"
            )
        return _own_run(
            driven, inputs or {}, method, step, record_interval,
            parameters=parameters, outputs=outputs, watch=watch, further_runs=further_runs,
            controllers=loops,
        )  # fmt: skip
    wanted = manoeuvre
    warn_of_loads(driven, parameters or {})
    proposed = driven.run if isinstance(driven, Model) else Run()
    chosen = first_given(method, proposed.method, PROPOSED_METHOD)
    system = formulate(driven, form=form_for(chosen)) if isinstance(driven, Model) else driven
    if inputs:
        check_given_inputs(inputs, system, wanted.span)
        wanted = replace(wanted, inputs={**wanted.inputs, **inputs})
    if speed is not None:
        wanted = replace(wanted, speed=to_si(speed, expected="m/s"))
    check_form(system, chosen)
    asked = first_given(outputs, wanted.outputs, proposed.outputs)
    recorded = recorded_names(system, wanted, asked)
    start = drive_start(system, wanted, parameters or {}, recorded, loops)
    interval = first_given(record_interval, proposed.record_interval)
    taken = first_given(step, proposed_step(proposed, chosen, wanted.span, interval), PROPOSED_STEP)
    run = simulate(
        system, wanted.span, step=taken, method=chosen,
        initial=start.initial, inputs=start.inputs, parameters=start.parameters,
        outputs=recorded, record_interval=interval, watch=watch, further_runs=further_runs,
        controllers=loops,
    )  # fmt: skip
    if isinstance(driven, Model) and not loops:  # which no origin could bring back
        given = _in_si(system, start.parameters)
        run = replace(run, origin=RunOrigin(driven, start.manoeuvre, start.inputs, given))
    return replace(run, findings=start.manoeuvre.findings(run)) if run.complete else run


def without_practice(
    manoeuvre: Manoeuvre | None, controllers: Sequence[GivenController]
) -> Manoeuvre | None:
    """A manoeuvre whose driver does not practise where a controller steers: hands are off then.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.drive import without_practice
    >>> lanes = at.read_model("sedan").manoeuvres["iso-3888-1"]
    >>> lanes.practice, without_practice(lanes, ["stanley"]).practice
    (4, 0)
    """
    steers = isinstance(manoeuvre, FollowPath) and follower_names(controllers)
    return replace(manoeuvre, practice=0.0) if manoeuvre is not None and steers else manoeuvre  # type: ignore[call-arg]


def check_given_inputs(inputs: Mapping[str, Any], system: System, span: float) -> None:
    """An error for inputs that leave their bounds within a span [s].

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.drive import check_given_inputs
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}}).formulate()
    >>> check_given_inputs({"driver.throttle": 0.5}, car, 1.0)  # s
    """
    if found := excess_inputs(inputs, system, span):
        raise SettingsError(*found)


def warn_of_loads(driven: Model | System, changed: Iterable[str]) -> None:
    """Where loads of wheels are numbers of a description, and do not follow masses."""
    vehicle = driven.described.get("vehicle") if isinstance(driven, Model) else None
    if isinstance(vehicle, Vehicle) and (remark := loads_that_stay(vehicle, changed)):
        warnings.warn(f"{driven.name}: {remark}", stacklevel=3)


def _with_loops(
    driven: Model | System, controllers: Sequence[GivenController]
) -> tuple[Model | System, tuple[ControlLoop, ...]]:
    """What is driven, with what reference controllers command."""
    if isinstance(driven, Model):
        return controlled(driven, controllers)
    loops = tuple(one for one in controllers if isinstance(one, ControlLoop))
    if len(loops) < len(controllers):
        raise SimulationError(
            f"the system {driven.name} has no description, which reference controllers are made "
            "for; drive the model: model.drive(..., controllers=[...])"
        )
    return driven, loops


def _own_run(
    model: Model,
    inputs: Mapping[str, Any],
    method: str | Integrator | None,
    step: float | str | None,
    interval: float | str | None,
    **others: Any,
) -> Trajectory:
    """The run that a model proposes where no manoeuvre is asked for."""
    from axletree.system.formulation import formulate

    proposed = model.run
    if proposed.duration is None:
        drives = f", but drives {', '.join(model.manoeuvres)}" if model.manoeuvres else ""
        raise SimulationError(
            f"{model.name} proposes no duration of a run of its own{drives}; for another: "
            'model.formulate().simulate("10 s", step="1 ms")'
        )
    chosen = first_given(method, proposed.method, PROPOSED_METHOD)
    interval = first_given(interval, proposed.record_interval)
    own_step = proposed_step(proposed, chosen, proposed.duration, interval)
    others["outputs"] = proposed.outputs if others["outputs"] is None else others["outputs"]
    given, system = {**proposed.inputs, **inputs}, formulate(model, form=form_for(chosen))
    check_given_inputs(inputs, system, proposed.duration)
    run = simulate(
        system, proposed.duration, method=chosen,
        step=first_given(step, own_step, PROPOSED_STEP),
        inputs=given, record_interval=interval, **others,
    )  # fmt: skip
    changed = _in_si(system, others["parameters"] or {})
    return (
        run
        if others["controllers"]
        else replace(run, origin=RunOrigin(model, None, given, changed))
    )


def first_given(*choices: Any) -> Any:
    """The first that is given: 0 and an empty text are, and are refused by who takes them."""
    return next((choice for choice in choices if choice is not None), None)


def _in_si(system: System, parameters: Mapping[str, float | str]) -> dict[str, float]:
    return {name: to_si(one, system.parameters[name].unit) for name, one in parameters.items()}


def proposed_step(
    proposed: Run, method: str | Integrator, *times: float | str | None
) -> float | None:
    """The step [s] that a model proposes for a method, a duration and an interval of records [s].

    Steps that the method of the model divides where they are too long are not for methods that
    divide none; with these, or for times that are no whole number of them, a step is
    ``PROPOSED_STEP``.

    Example:
    >>> import axletree as at
    >>> from axletree.analysis.drive import proposed_step
    >>> run = at.read_model("sedan").run
    >>> [proposed_step(run, method) for method in ("subdivided-rk45", "rk4")]  # s
    [0.005, 0.001]
    """
    step = proposed.step
    if step is None or proposed.method is None or not _divides(proposed.method):
        return step
    if isinstance(load_integrator(method), FixedStep) and not _divides(method):
        return PROPOSED_STEP
    ratios = [to_si(time, expected="s") / step for time in times if time is not None]
    return step if all(abs(r - round(r)) <= _WHOLE * max(r, 1.0) for r in ratios) else PROPOSED_STEP


def _divides(method: str | Integrator) -> bool:
    integrator = load_integrator(method)
    return isinstance(integrator, FixedStep) and integrator.subdivides


def with_manoeuvre(
    driven: Model | System, manoeuvre: str | Manoeuvre
) -> tuple[Model | System, Manoeuvre]:
    """A model with what the manoeuvre changes, and the manoeuvre."""
    if isinstance(driven, System):
        if isinstance(manoeuvre, str):
            raise SimulationError(
                f"the system {driven.name} knows no manoeuvre {manoeuvre!r} by name, only models "
                f"do; try: model.drive({manoeuvre!r})"
            )
        return driven, manoeuvre
    wanted = driven.manoeuvres[manoeuvre] if isinstance(manoeuvre, str) else manoeuvre
    return driven.with_changes(wanted.changes) if wanted.changes else driven, wanted


def recorded_names(
    system: System, manoeuvre: Manoeuvre, outputs: Sequence[str] | None
) -> tuple[str, ...]:
    """What to record beside the states: outputs, or all for None, and what findings are made of."""
    states = {quantity.name for quantity in system.states}
    chosen = [one.quantity.name for one in system.outputs] if outputs is None else list(outputs)
    further = [name for name in manoeuvre.needed_outputs if name not in states]
    return tuple(dict.fromkeys([*chosen, *further]))


def drive_start(
    system: System,
    manoeuvre: Manoeuvre,
    parameters: Mapping[str, float | str],
    outputs: Sequence[str] = (),
    controllers: Sequence[ControlLoop] = (),
) -> DriveStart:
    """The steady motion of a manoeuvre, inputs at their first values and their rates 0.

    ``parameters`` come before those of the manoeuvre; its slope tilts gravity as it then is. In
    the set-valued form what begins at rest comes to it, held by its forces, and all other motions
    are found with the smooth laws of these. ``outputs`` are those of the run that follows: by the
    program that records them an angle is found, too, and one is compiled instead of two.
    ``controllers`` are those of the run, in practice and in the search for an angle, too.
    """
    start = begin_drive(system, manoeuvre, parameters)
    states, inputs, given = start.initial, start.inputs, start.parameters
    smooth = with_smooth_forces(system)
    if isinstance(manoeuvre, FollowPath) and manoeuvre.practice:

        def begin_at(speed: float) -> Course:
            """All but the last speed begin as another manoeuvre does."""
            if speed == manoeuvre.speed:
                return Course(states, inputs, given)
            slower = replace(manoeuvre, speed=speed, practice=0)
            begun = drive_start(system, slower, parameters)
            return Course(begun.initial, begun.inputs, begun.parameters)

        inputs = {**inputs, CORRECTION: build_up(smooth, manoeuvre, begin_at, controllers).signal}
        start = replace(start, inputs=inputs)
    if manoeuvre.aim is None:
        return start
    driven = find_steer_amplitude(smooth, manoeuvre, start, outputs, controllers)
    return replace(start, inputs={**inputs, **driven.signals}, manoeuvre=driven)


def begin_drive(
    system: System, manoeuvre: Manoeuvre, parameters: Mapping[str, float | str]
) -> DriveStart:
    """The same of a driver without practice, and at the angle that the manoeuvre itself has."""
    _check_road(system, manoeuvre)
    given = {**manoeuvre.own_parameters(), **manoeuvre.parameters, **parameters}
    if manoeuvre.slope:
        given |= _tilted(system, manoeuvre.slope, given)
    smooth = with_smooth_forces(system)
    free = states_as_inputs(smooth, manoeuvre.driver) if manoeuvre.driver else system
    found = _steady(free, manoeuvre, given)
    if isinstance(manoeuvre, FollowPath):
        given |= fit_driver(free, manoeuvre, found, given)
    share, own = manoeuvre.drive_share(), {quantity.name for quantity in system.inputs}
    levels = {
        name: level_by_share(share, found.inputs[name]) for name in found.found if name in own
    }
    inputs = {**levels, **manoeuvre.signals}
    states = {**_led_by_drivers(system, found.states), **manoeuvre.first_states(found.inputs)}
    states |= manoeuvre.initial
    return DriveStart(found, states, inputs, given, manoeuvre)


def _led_by_drivers(system: System, states: Mapping[str, float]) -> dict[str, float]:
    """Without the speeds of loops that are at rest: where a manoeuvre begins with a steering wheel
    that turns already, the links of its axle follow. Joints of which a speed is none keep all."""
    in_loops = set(symbols_of([row.velocity for row in system.constraints]))
    joints = {q.name: q.name.rpartition(".")[0] for q in system.states if q.role is Role.SPEED}
    moving = {joints[name] for name in joints if abs(states.get(name, 1.0)) >= _RESTING}
    resting = {
        q.name for q in system.states
        if q.name in joints and q.symbol in in_loops and joints[q.name] not in moving
    }  # fmt: skip
    return {name: value for name, value in states.items() if name not in resting}


def _check_road(system: System, manoeuvre: Manoeuvre) -> None:
    """The numbers of the manoeuvre's road are among the parameters of the system's tyres."""
    own = {} if manoeuvre.road is None else manoeuvre.road.numbers
    known = [(q.name, q.default) for q in system.parameters]
    for name, value in own.items():
        if value and not any(n.endswith(f".surface.{name}") and d == value for n, d in known):
            raise SimulationError(
                f"{system.name} is not on the road of the manoeuvre, of which {name} is {value:g}; "
                "read its model with what the manoeuvre changes: "
                "read_model(file, manoeuvre.changes)"
            )


def _steady(system: System, manoeuvre: Manoeuvre, parameters: Mapping[str, float | str]) -> Trim:
    """What unknown forces hold at rest comes to it; all other motions are solved for."""
    from axletree.analysis.steady.problem import forward_speed, pose
    from axletree.analysis.steady.settle import come_to_rest
    from axletree.analysis.steady.trim import trim

    levels = first_levels(system, manoeuvre.signals) | manoeuvre.held_states()
    moves = manoeuvre.speed and not manoeuvre.prescribes_speed
    if system.rows is not None and not moves and not manoeuvre.driven_by:
        courses = manoeuvre.signals if manoeuvre.prescribes_speed else None
        return come_to_rest(pose(system, {**levels, **parameters}), courses)
    system = with_smooth_forces(system)
    hold = {manoeuvre.forward or forward_speed(system): manoeuvre.speed} if moves else {}
    find = [manoeuvre.driven_by] if manoeuvre.driven_by else ()

    def at_speed(share: float) -> Trim:
        held = {name: share * speed for name, speed in hold.items()}
        return trim(
            system, held, find, speed=None if moves else 0.0, inputs=levels, parameters=parameters
        )

    try:
        return at_speed(1.0)
    except TrimError as error:
        if not moves and system.smooth_forces:
            raise TrimError(
                f"{error}. Forces that hold it at rest are smooth here, and let it creep: for a "
                'method such as "complementarity" formulate the model with form="set-valued"'
            ) from None
        if not (moves and find):
            raise
        raise SimulationError(_too_fast(system, manoeuvre, at_speed)) from None


def _too_fast(system: System, manoeuvre: Manoeuvre, at_speed: Callable[[float], Trim]) -> str:
    """That no steady motion was found which the drive keeps; at what lower speed there is one."""
    for share in SLOWER_SPEEDS:
        try:
            at_speed(share)
        except TrimError:
            continue
        kept = f"; at {_kmh(share * manoeuvre.speed)} there is one"
        break
    else:
        kept = ""
    return (
        f"{system.name} cannot begin the manoeuvre at {_kmh(manoeuvre.speed)}: no steady motion "
        f"was found in which {' and '.join(manoeuvre.driven_by)} keeps that speed{kept}. The drive "
        "may be too weak; ask for a lower speed. One without a unit is in m/s"
    )


def _kmh(speed: float) -> str:
    return f"{3.6 * speed:.4g} km/h"


def _tilted(
    system: System, slope: float, given: Mapping[str, float | str]
) -> dict[str, float | str]:
    """Gravity in the axes of ground that rises by the slope [rad] along x."""
    own = {quantity.name: quantity.default for quantity in system.parameters}
    missing = [name for name in TILTED if name not in own]
    if missing:
        raise SimulationError(
            f"{system.name} cannot be put on a slope: it has no parameter "
            f"{' and no '.join(missing)}, for what is 0 is left out of the equations; put the "
            "manoeuvre among those of the model before it is formulated"
        )
    x, z = (to_si(given.get(name, own[name]), expected="m/s^2") for name in TILTED)
    s, c = math.sin(slope), math.cos(slope)
    return dict(zip(TILTED, (c * x + s * z, c * z - s * x), strict=True))


def level_by_share(share: Table | None, level: float) -> float | Table:
    if share is None:
        return level
    rows = tuple(tuple(level * part for part in row) for row in share.coefficients)
    return Table(share.breakpoints, rows)


def first_levels(system: System, signals: Mapping[str, Any]) -> dict[str, float]:
    """The values of signals at their beginning, in SI units."""
    units = {quantity.name: quantity.unit for quantity in system.inputs}
    refuse_unknown("input", signals, units, f"system {system.name!r}")
    levels = {}
    for name, given in signals.items():
        try:
            course = as_signal(given, [TIME], units[name])
        except (AxletreeError, TypeError, ValueError) as error:
            raise SimulationError(f"input {name!r} cannot be used: {error}") from None
        levels[name] = _at_zero(course)
    return levels


def _at_zero(course: float | Expr | Table) -> float:
    if isinstance(course, Table):
        return float(course.evaluate(0.0))
    return float(evaluate([course], {TIME: 0.0})[0]) if isinstance(course, Expr) else course


# The angle of a steering wheel at which a manoeuvre comes to its level, as drivers find it.

_STEP, _METHOD = 5e-3, "subdivided-rk45"
# Of the level: what is found then changes smoothly with a parameter that is swept.
CLOSE_TO_LEVEL = 1e-8
ROUGHLY_AT_LEVEL = 5e-3  # likewise, where forces that jump keep a level from being met closer
_MOST_RUNS = 10
WIDEST_CHANGE = 2.0  # times of the angle, from one run to the next


def find_steer_amplitude(
    system: System,
    manoeuvre: Manoeuvre,
    start: Any,
    outputs: Sequence[str] = (),
    controllers: Sequence[ControlLoop] = (),
) -> Manoeuvre:
    """The manoeuvre with the ``angle`` that its ``aim`` asks for, by runs from its start.

    The first run is steered by the angle that is given, each other by the straight line through the
    two runs before.
    """
    aim = manoeuvre.aim
    if aim is None:
        return manoeuvre
    given: Any = manoeuvre
    sign = -1.0 if given.angle < 0.0 else 1.0
    tried = [(0.0, 0.0)]
    angle: float | None = abs(given.angle)
    while angle is not None and len(tried) <= _MOST_RUNS:
        turned: Manoeuvre = replace(given, angle=sign * angle)
        tried.append((angle, sign * _came_to(system, turned, aim, start, outputs, controllers)))
        angle = _next_angle(tried[-2], tried[-1], aim.level)
    nearest, level = min(tried, key=lambda run: abs(run[1] - aim.level))
    if abs(level - aim.level) <= ROUGHLY_AT_LEVEL * aim.level:
        return replace(given, angle=sign * nearest)  # type: ignore[no-any-return]
    best = max(level for _, level in tried)
    raise SimulationError(
        f"{system.name} does not come to a lateral acceleration of {aim.level:g} m/s^2 in "
        f"{len(tried) - 1} runs, the most was {best:.3g} m/s^2; ask for a lower level, or leave "
        "the level out and give the angle"
    )


def _next_angle(
    before: tuple[float, float], last: tuple[float, float], wanted: float
) -> float | None:
    """By angles [rad] and levels [m/s^2] of two runs; None where another run would say no more."""
    (a, level), (b, other) = before, last
    if abs(other - wanted) <= CLOSE_TO_LEVEL * wanted:
        return None
    slope = (other - level) / (b - a)
    if slope <= 0.0:
        return b / WIDEST_CHANGE
    angle = float(np.clip(b + (wanted - other) / slope, b / WIDEST_CHANGE, b * WIDEST_CHANGE))
    return None if angle == b else angle


def _came_to(
    system: System,
    manoeuvre: Manoeuvre,
    aim: Aim,
    start: Any,
    outputs: Sequence[str],
    controllers: Sequence[ControlLoop],
) -> float:
    """The mean lateral acceleration of a run [m/s^2]."""
    inputs: Mapping[str, Any] = {**start.inputs, **manoeuvre.signals}
    recorded = tuple(dict.fromkeys([*outputs, LATERAL_ACCELERATION]))
    run = simulate(
        system, aim.last, step=common_step(controllers, _STEP), method=_METHOD,
        initial=start.initial, inputs=inputs, controllers=controllers,
        parameters=start.parameters, outputs=recorded, record_interval=1e-2,
        relative_tolerance=USUAL_TOLERANCES.relative, watch=False,
        absolute_tolerance=USUAL_TOLERANCES.absolute,
    )  # fmt: skip
    return float(np.mean(run[LATERAL_ACCELERATION][run.time >= aim.first - 1e-9]))


# What a driver learns of a vehicle by small turns of the wheel: how it answers them at a speed.

QUICKEST_TURNS = 0.6  # Hz, of turns that are looked at: quicker ones are rare on a path
SHORTEST_WAVE = 25.0  # m, of a wave that is driven
NEARLY_STEADY = 0.05  # of that frequency, of turns that are all but steady
LEAST_FITTED = 1e-9  # of what is learnt; a vehicle that oversteers is driven as if it did not
WHEEL = {"steering": 0, "steering_rate": 1, "steering_acceleration": 2}  # powers of s
FITTED_PARAMETERS = ("understeer", "response", "keenness")


def fit_driver(
    system: System, manoeuvre: FollowPath, steady: Trim, given: Mapping[str, float | str]
) -> dict[str, float]:
    """Parameters of the driver for a system that it is taken out of, about a steady motion.

    The linear system gives the curvature of the vehicle's path by the angle of the steering wheel
    at two frequencies: of nearly steady turns, and of quick ones. The gain of the first tells the
    understeer; lag and gain of the second tell response and keenness. What is given stays.
    """
    driver, v = manoeuvre.driver, manoeuvre.speed
    own = {q.name: q.default for q in system.parameters}
    names = [f"{driver}.{name}" for name in FITTED_PARAMETERS]
    if not all(name in own for name in names) or all(name in given for name in names):
        return {}
    quick = min(QUICKEST_TURNS, v / SHORTEST_WAVE)
    from axletree.analysis.linear.linearise import linearise

    linear = linearise(
        system, steady.states, inputs=steady.inputs, parameters=given, outputs=[manoeuvre.place[1]]
    )
    slow, fast = _curvatures(linear, driver, v, np.array([NEARLY_STEADY * quick, quick]))
    wheelbase, ratio, rear, lag = (
        own.get(f"{driver}.{name}", 0.0) for name in ("wheelbase", "ratio", "rear", "tyre_lag")
    )
    w = 2.0 * math.pi * quick
    understeer = max((1.0 / abs(slow * ratio) - wheelbase) / (v * v), LEAST_FITTED)
    stiffer = 1.0 + understeer * v * v / wheelbase
    late = -float(np.angle(fast / slow)) / (w - NEARLY_STEADY * w)  # [s]
    less = (abs(slow / fast) - 1.0) / (w * w)  # [s^2]
    response = max((late + (rear - lag) / v) * stiffer / v, LEAST_FITTED)
    keenness = max((less + 0.5 * (rear / v) ** 2) * stiffer / (v * v), LEAST_FITTED)
    found = zip(names, (understeer, response, keenness), strict=True)
    return {name: float(value) for name, value in found if name not in given}


def _curvatures(linear: Linearisation, driver: str, v: float, frequencies: np.ndarray) -> Any:
    """Of the path [1/m] by the angle of the wheel [rad], with what its rates do, at frequencies
    [Hz]: that of y is y'' / v^2."""
    (y,), s = linear.outputs, 2j * np.pi * frequencies
    answer = linear.frequency_response(frequencies)
    aside = sum(answer[y, f"{driver}.{name}"] * s**power for name, power in WHEEL.items())
    return s * s * aside / (v * v)


# A component released: its states are given instead of following from its equations.


@lru_cache(maxsize=8)
def states_as_inputs(system: System, component: str, names: tuple[str, ...] = ()) -> System:
    """The system with the states of a component, or ``names`` of them, as inputs after all others.

    Where others follow them as motions, they come with their rates, as other inputs do. Kept,
    because steady motions of one system are solved for many times.
    """
    source, prefix = system.source, f"{component}."
    moved = [
        q for q in system.states
        if q.name.startswith(prefix) and (not names or q.name.removeprefix(prefix) in names)
    ]  # fmt: skip
    if source is None or not moved:
        raise SimulationError(
            f"{system.name} has no driver called {component!r} who follows a path; read its model "
            "with what the manoeuvre changes: read_model(file, manoeuvre.changes)"
        )
    rates = {rate.name: name.name for name, rate in source.signal_rates.items() if rate.is_symbol}
    released = (replace(q, role=Role.INPUT, derivative_of=rates.get(q.name, "")) for q in moved)
    inputs = Quantities([*system.inputs, *released])
    kept = [k for k, q in enumerate(system.states) if q not in moved]
    internal = tuple(s for s in source.internal if s.quantity.name not in {q.name for q in moved})
    projection = system.projection
    return replace(
        system,
        states=Quantities(system.states[k] for k in kept),
        derivatives=tuple(system.derivatives[k] for k in kept),
        inputs=inputs,
        projection=None if projection is None else tuple(projection[k] for k in kept),
        source=replace(source, internal=internal, inputs=inputs),
    )
