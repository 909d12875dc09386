"""``drive``: a system through a manoeuvre, from the steady motion in which it begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from axletree.analysis.trim import Trim, trim
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.expr import Expr, Table, evaluate
from axletree.core.quantity import Role
from axletree.core.registry import unknown_name
from axletree.library.signal import TIME
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.simulation.signals import as_signal
from axletree.simulation.simulate import Integrator, simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System


@dataclass(frozen=True)
class DriveStart:
    """How a drive begins: for ``simulate``."""

    trim: Trim
    initial: Mapping[str, float | str]
    inputs: Mapping[str, Any]  # signals, and the levels that were found


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

    ``outputs`` are recorded in place of those that the manoeuvre names. The other arguments
    are those of ``simulate``.
    """
    start = drive_start(system, manoeuvre, parameters or {})
    return simulate(
        system,
        manoeuvre.duration,
        step=step,
        method=method,
        initial=start.initial,
        inputs=start.inputs,
        parameters=parameters,
        outputs=manoeuvre.outputs if outputs is None else outputs,
        record_interval=record_interval,
    )


def drive_start(
    system: System, manoeuvre: Manoeuvre, parameters: Mapping[str, float | str]
) -> DriveStart:
    """The steady motion of a manoeuvre, inputs at their first values and their rates 0."""
    hold = {}
    if manoeuvre.speed:
        hold[manoeuvre.forward or forward_speed(system)] = manoeuvre.speed
    found = trim(
        system,
        hold,
        find=[manoeuvre.driven_by] if manoeuvre.driven_by else (),
        inputs=_first_levels(system, manoeuvre.signals),
        parameters=parameters,
    )
    levels = {name: found.inputs[name] for name in found.found}
    return DriveStart(found, {**found.states, **manoeuvre.initial}, {**levels, **manoeuvre.signals})


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
