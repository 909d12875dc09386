"""``replay``: measured steering, pedals and speed as inputs of a simulated vehicle.

The vehicle begins in the steady state at the first measured speed and steering angle. What then
drives it along is one of two things: the measured pedals as they were, or a speed controller whose
pedals follow the measured speed (``runs.follow_speed``). Steering goes through the measured values
by a cubic spline, whose rate and acceleration are continuous; pedals and speeds by straight lines;
levers of gears stay where they are until the next value, since no gear lies between two.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from axletree.analysis.drive import PROPOSED_METHOD, PROPOSED_STEP, drive
from axletree.analysis.measurements.channel_sources import MeasurementError
from axletree.analysis.measurements.measurement import Measurement, read_measurement
from axletree.core.arguments import check_arguments
from axletree.core.errors import SimulationError
from axletree.core.registry import few_names
from axletree.core.units import to_si
from axletree.expr import Beyond, Table
from axletree.metrics.vehicle_signals import (
    BRAKE,
    FORWARD_SPEED,
    LONGITUDINAL_ACCELERATION,
    STEERING,
    THROTTLE,
)
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.model_files.read import model_of
from axletree.runs.acceleration_and_braking import Coasting
from axletree.runs.follow_speed import WANTED_SPEED, FollowSpeed
from axletree.runs.standard_manoeuvres import CLUTCH, FORWARD
from axletree.simulation.simulate import Integrator, form_for
from axletree.simulation.trajectory import Trajectory
from axletree.system.formulation import formulate
from axletree.system.system import System
from axletree.vehicles.drive_and_brakes import REVERSE
from axletree.vehicles.vehicle import Fidelity, Vehicle

_PRESSURE: Final = "driver.brake_pressure"
_PEDALS: Final = (THROTTLE, BRAKE, CLUTCH, _PRESSURE)
_SELECTED: Final = ".selected"  # of a drive: the gear that its lever holds
_SLOWEST: Final = 0.5  # m/s, at which a speed is followed from a steady state


class ReplayedDrive(enum.Enum):
    """What drives a replay along."""

    PEDALS = "pedals"
    SPEED = "speed"


@dataclass(frozen=True)
class ReplayPlan:
    """A manoeuvre made of a measurement, and what it is made of."""

    manoeuvre: Manoeuvre
    notes: tuple[str, ...]


def replay(
    model: Model | str | Path,
    measured: Measurement | str | Path,
    *,
    channels: str | Path | Mapping[str, Any] | None = None,
    by: ReplayedDrive | None = None,
    speed: float | str | None = None,
    step: float | str | None = None,
    method: str | Integrator | None = None,
    parameters: Mapping[str, float | str] | None = None,
    record_interval: float | str | None = None,
    watch: bool = True,
) -> Trajectory:
    """Drive a vehicle, also one of a name or file, by measured inputs, over the time of the
    measurement.

    ``measured`` may be the file, which is read with ``channels`` as by ``read_measurement``.
    ``by`` says whether measured pedals or the measured speed drives it along; left out, the pedals
    do where the throttle or the brake is measured, and else the speed. ``speed`` [m/s] is that at
    the start, where no speed is measured. Recorded are the vehicle's motion and what is measured,
    over the time of the measurement. ``replay_plan`` says what is driven by what.

    Example:
    >>> import axletree as at
    >>> car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    >>> first = car.drive("iso-7401-step", outputs=["vehicle.yaw_rate", "vehicle.forward_speed"])
    >>> measured = at.read_measurement(first.to_npz("measured.npz"))
    >>> again = car.replay(measured, watch=False)
    >>> found = at.agreement(again, measured, names=["vehicle.yaw_rate"])
    >>> found["vehicle.yaw_rate"].statistics.normalised_rms < 0.005
    True
    """
    check_arguments(replay, locals())
    model = model_of(model)
    if not isinstance(measured, Measurement):
        measured = read_measurement(measured, channels)
    elif channels is not None:
        raise MeasurementError("channels are those of a file, and this measurement is read already")
    if measured.filter is not None:
        measured = measured.filtered(measured.filter)
    plan = replay_plan(model, measured, by, speed)
    given = model.run
    chosen = method or given.method or PROPOSED_METHOD
    changed = model.with_changes(plan.manoeuvre.changes) if plan.manoeuvre.changes else model
    system = formulate(changed, form=form_for(chosen))
    run = drive(
        system, plan.manoeuvre, step=step or given.step or PROPOSED_STEP, method=chosen,
        parameters=parameters, outputs=_recorded(system, measured),
        record_interval=record_interval or given.record_interval, watch=watch,
    )  # fmt: skip
    return replace(run, time=run.time + measured.time[0])


def _recorded(system: System, measured: Measurement) -> tuple[str, ...]:
    """The motion of the vehicle, and what is measured, of what the system has."""
    outputs = [one.quantity.name for one in system.outputs]
    known = {*outputs, *(quantity.name for quantity in system.inputs)}
    own = [name for name in outputs if name.startswith("vehicle.")]
    controls = [name for name in (STEERING, *_PEDALS, WANTED_SPEED) if name in known]
    also = [name for name in measured.names if name in known]
    return tuple(dict.fromkeys([*own, *controls, *also]))


def replay_plan(
    model: Model,
    measured: Measurement,
    by: ReplayedDrive | None = None,
    speed: float | str | None = None,
) -> ReplayPlan:
    """The manoeuvre that a measurement makes of a model of a vehicle."""
    inputs = {q.name for component in model for q in component.inputs()}
    if STEERING not in inputs:
        raise SimulationError(
            f"{model.name} has no input {STEERING}; a replay drives vehicles whose steering wheel "
            "is an input (without a driver in the file)"
        )
    if STEERING not in measured:
        raise MeasurementError(
            f"{measured.source} has no channel {STEERING}, which a replay needs; it has "
            f"{few_names(measured.names, 8)}; a channel file says which column it is "
            f"(--channels): channels: {{{STEERING}: {{column: ..., unit: deg}}}}"
        )
    time = measured.time - measured.time[0]
    chosen = by or (
        ReplayedDrive.PEDALS if THROTTLE in measured or BRAKE in measured else ReplayedDrive.SPEED
    )
    begin = _first_speed(measured, speed)
    signals: dict[str, Any] = {STEERING: _table(time, measured[STEERING], smooth=True)}
    common: dict[str, Any] = {"speed": begin, "forward": FORWARD, "duration": float(time[-1])}
    notes = [f"{STEERING} as measured, by a cubic spline; begins at {3.6 * begin:.4g} km/h"]
    if chosen is ReplayedDrive.PEDALS:
        pedals = [name for name in _PEDALS if name in measured and name in inputs]
        if not pedals:
            raise MeasurementError(f"{measured.source} has none of {', '.join(_PEDALS)}")
        levers = [
            name for name in measured.names
            if name in inputs and (name == REVERSE or name.endswith(_SELECTED))
        ]  # fmt: skip
        signals |= {name: _table(time, measured[name]) for name in pedals}
        signals |= {name: _steps(time, measured[name]) for name in levers}
        notes.append(f"{', '.join(pedals + levers)} as measured")
        return ReplayPlan(Coasting(**common, inputs=signals), tuple(notes))
    course, words = _speed_course(measured, time, begin)
    drives = _drives(model)
    if course is None or not drives:
        driven = (THROTTLE,) if drives else ()
        kept = f"{' and '.join(driven)} at the level of the start" if driven else "coasts"
        notes.append(f"{'no speed to follow' if drives else 'no drive in this model'}: {kept}")
        return ReplayPlan(Coasting(**common, inputs=signals, driven_by=driven), tuple(notes))
    if begin < _SLOWEST:
        raise MeasurementError(
            f"a speed is followed from at least {_SLOWEST:g} m/s, and the first one is "
            f"{begin:.3g} m/s; leave out the time before (--from), or replay the pedals"
        )
    signals[WANTED_SPEED] = _table(time, course)
    notes.append(words)
    made = FollowSpeed(**common, inputs=signals, driven_by=(THROTTLE,))
    return ReplayPlan(made, tuple(notes))


def _drives(model: Model) -> bool:
    vehicle = model.described.get("vehicle")
    if not isinstance(vehicle, Vehicle) or vehicle.fidelity is Fidelity.LINEAR:
        return False
    return any(axle.drive is not None for axle in vehicle.axles.values())


def _first_speed(measured: Measurement, speed: float | str | None) -> float:
    if speed is not None:
        found = to_si(speed, expected="m/s")
    elif FORWARD_SPEED in measured:
        found = float(measured[FORWARD_SPEED][0])
    else:
        raise MeasurementError(
            f"{measured.source} has no channel {FORWARD_SPEED}: give the speed at the start"
        )
    if found < 0.0:
        raise MeasurementError(
            f"the speed at the start is {found:.4g} m/s; a replay begins forwards or at rest"
        )
    return found


def _speed_course(
    measured: Measurement, time: np.ndarray, begin: float
) -> tuple[np.ndarray | None, str]:
    """[m/s], and where it is from; None where nothing says."""
    if FORWARD_SPEED in measured:
        return measured[FORWARD_SPEED], f"pedals follow {FORWARD_SPEED}"
    if LONGITUDINAL_ACCELERATION in measured:
        from scipy.integrate import cumulative_trapezoid

        gained = cumulative_trapezoid(measured[LONGITUDINAL_ACCELERATION], time, initial=0.0)
        return begin + gained, f"pedals follow the integral of {LONGITUDINAL_ACCELERATION}"
    return None, ""


def _table(time: np.ndarray, values: np.ndarray, smooth: bool = False) -> Table:
    through = Table.spline if smooth else Table.linear
    return through(time.tolist(), values.tolist(), Beyond.VALUE_HELD)


def _steps(time: np.ndarray, values: np.ndarray) -> Table:
    """Each value from its time on."""
    moved = np.flatnonzero(np.diff(values)) + 1
    if not len(moved):
        return _table(time, values)
    held = ((float(value),) for value in values[[0, *moved]])
    return Table(tuple(time[moved].tolist()), tuple(held))
