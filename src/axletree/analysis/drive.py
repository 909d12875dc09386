"""``drive``: a system through a manoeuvre, from the steady motion in which it begins."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from axletree.analysis.aimed import aimed
from axletree.analysis.learned import learned
from axletree.analysis.released import released
from axletree.analysis.rest import come_to_rest
from axletree.analysis.trim import Trim, trim
from axletree.analysis.trim_search import TrimError
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.expr import Expr, Table, evaluate
from axletree.core.quantity import Role
from axletree.core.registry import unknown_name
from axletree.core.units import to_si
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import TILTED, Manoeuvre
from axletree.model.manoeuvres.follow_path import FollowPath
from axletree.simulation.signals import as_signal
from axletree.simulation.simulate import Integrator, simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

SLOWER = (0.9, 0.8, 0.65, 0.5)  # of a speed that cannot be kept, where one that can is looked for


@dataclass(frozen=True)
class DriveStart:
    """How a drive begins: for ``simulate``."""

    trim: Trim
    initial: Mapping[str, float | str]
    inputs: Mapping[str, Any]  # signals, and the levels that were found
    parameters: Mapping[str, float | str]  # that are not the model's own
    manoeuvre: Manoeuvre  # at the angle that its aim asks for, if it has one


def drive(
    system: System,
    manoeuvre: Manoeuvre,
    *,
    step: float | str = 1e-3,
    method: str | Integrator = "rk4",
    parameters: Mapping[str, float | str] | None = None,
    outputs: Sequence[str] | None = None,
    record_interval: float | str | None = None,
) -> Trajectory:
    """Drive a manoeuvre; it begins in a steady motion, which is solved for these parameters.

    ``outputs`` are recorded in place of those that the manoeuvre names, beside what its
    ``findings`` are made of. The other arguments are those of ``simulate``.

    Example:
    >>> import axletree as at
    >>> model = at.read_model("bicycle-car")
    >>> run = model.formulate().drive(model.manoeuvre("coasting"))
    >>> print(f"{run['chassis.vx'][0]:.1f} m/s")
    20.0 m/s
    """
    start = drive_start(system, manoeuvre, parameters or {})
    return simulate(
        system,
        manoeuvre.span,
        step=step,
        method=method,
        initial=start.initial,
        inputs=start.inputs,
        parameters=start.parameters,
        outputs=recorded(system, manoeuvre, manoeuvre.outputs if outputs is None else outputs),
        record_interval=record_interval,
    )


def recorded(
    system: System, manoeuvre: Manoeuvre, outputs: Sequence[str] | None
) -> tuple[str, ...]:
    """What to record beside the states: outputs, or all for None, and what findings are made of."""
    states = {quantity.name for quantity in system.states}
    chosen = [one.quantity.name for one in system.outputs] if outputs is None else list(outputs)
    further = [name for name in manoeuvre.told if name not in states]
    return tuple(dict.fromkeys([*chosen, *further]))


def drive_start(
    system: System, manoeuvre: Manoeuvre, parameters: Mapping[str, float | str]
) -> DriveStart:
    """The steady motion of a manoeuvre, inputs at their first values and their rates 0.

    ``parameters`` come before those of the manoeuvre; its slope tilts gravity as it then is.
    """
    _check_road(system, manoeuvre)
    given = {**manoeuvre.own_parameters(), **manoeuvre.parameters, **parameters}
    if manoeuvre.slope:
        given |= _tilted(system, manoeuvre.slope, given)
    free = released(system, manoeuvre.driver) if manoeuvre.driver else system
    found = _steady(free, manoeuvre, given)
    if isinstance(manoeuvre, FollowPath):
        given |= learned(free, manoeuvre, found, given)
    share, own = manoeuvre.drive_share(), {quantity.name for quantity in system.inputs}
    levels = {name: shared(share, found.inputs[name]) for name in found.found if name in own}
    inputs = {**levels, **manoeuvre.signals}
    states = {**found.states, **manoeuvre.first_states(found.inputs), **manoeuvre.initial}
    start = DriveStart(found, states, inputs, given, manoeuvre)
    if manoeuvre.aim is None:
        return start
    driven = aimed(system, manoeuvre, start)
    return replace(start, inputs={**inputs, **driven.signals}, manoeuvre=driven)


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
    """What set-valued forces hold at rest comes to it; all other motions are solved for."""
    levels = _first_levels(system, manoeuvre.signals)
    moves = manoeuvre.speed and not manoeuvre.prescribes_speed
    if system.opened is not None and not moves and not manoeuvre.driven_by:
        courses = manoeuvre.signals if manoeuvre.prescribes_speed else None
        return come_to_rest(system, levels=levels, parameters=parameters, courses=courses)
    hold = {manoeuvre.forward or forward_speed(system): manoeuvre.speed} if moves else {}
    find = [manoeuvre.driven_by] if manoeuvre.driven_by else ()

    def at_speed(share: float) -> Trim:
        held = {name: share * speed for name, speed in hold.items()}
        return trim(system, held, find=find, inputs=levels, parameters=parameters)

    try:
        return at_speed(1.0)
    except TrimError:
        if not (moves and find):
            raise
        raise SimulationError(_too_fast(system, manoeuvre, at_speed)) from None


def _too_fast(system: System, manoeuvre: Manoeuvre, at_speed: Callable[[float], Trim]) -> str:
    """That no steady motion was found which the drive keeps; at what lower speed there is one."""
    for share in SLOWER:
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
        "may be too weak; ask for a lower speed"
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


def shared(share: Table | None, level: float) -> float | Table:
    if share is None:
        return level
    rows = tuple(tuple(level * part for part in row) for row in share.coefficients)
    return Table(share.breakpoints, rows)


def forward_speed(system: System) -> str:
    """The name of the state in m/s that is greatest at the model's start."""
    speeds = [q for q in system.states if q.role is Role.SPEED and q.unit == "m/s"]
    fastest = max(speeds, key=lambda quantity: abs(quantity.default), default=None)
    if fastest is None or not fastest.default:
        names = ", ".join(quantity.name for quantity in speeds) or "none"
        raise SimulationError(
            f"{system.name} starts without a speed, so that nothing says which state is its "
            f"speed; name it, or give it a first value. Its speeds in m/s: {names}"
        )
    return fastest.name


def _first_levels(system: System, signals: Mapping[str, Any]) -> dict[str, float]:
    units = {quantity.name: quantity.unit for quantity in system.inputs}
    levels = {}
    for name, given in signals.items():
        if name not in units:
            raise unknown_name("input", name, units, f"system {system.name!r}")
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
