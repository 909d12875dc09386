"""A measured drive for one system: its inputs, what was measured, and a motion to start from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from axletree.analysis.drive import drive_start
from axletree.analysis.identification.unknowns import IdentificationError
from axletree.analysis.measurements.filters import ZeroPhaseButterworth
from axletree.analysis.measurements.measurement import Measurement, is_even
from axletree.analysis.measurements.replay import ReplayedDrive, replay_plan
from axletree.core.arrays import FloatArray
from axletree.core.registry import few_names, refuse_unknown
from axletree.expr import Beyond, Table, depends_on
from axletree.metrics.vehicle_signals import FORWARD_SPEED, STEERING
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.simulation.problem import Problem, state_problem
from axletree.system.system import System

_FEWEST: Final = 20  # samples of a record
_MOST: Final = 200_000
# Of a speed that is followed by pedals: faster than this no vehicle changes it by much.
SPEED_FILTER: Final = ZeroPhaseButterworth(order=2, cutoff=1.0)


@dataclass(frozen=True)
class Record:
    """Measured values at even times, and what was done to the system meanwhile."""

    source: str
    time: FloatArray  # [s], from 0 on
    measured: FloatArray  # sample, channel
    inputs: FloatArray  # half step, input of the system
    initial: FloatArray  # a first state, as the model has it with its own numbers

    @property
    def interval(self) -> float:
        """[s]"""
        return float(self.time[1] - self.time[0])


@dataclass(frozen=True)
class MeasuredDrive:
    """How a record drives a system, before its parameters are known."""

    measurement: Measurement
    manoeuvre: Manoeuvre | None  # of a vehicle
    signals: Mapping[str, Any]  # of other systems

    @property
    def changes(self) -> Mapping[str, Any]:
        """Of the model: a driver that follows the measured speed, say."""
        return {} if self.manoeuvre is None else self.manoeuvre.changes


def planned_drive(
    model: Model,
    measurement: Measurement,
    by: ReplayedDrive | None,
    held: Mapping[str, float | str],
) -> MeasuredDrive:
    """What of a measurement drives a model: of a vehicle its steering and pedals or speed, of
    another model all of its inputs but those that are ``held`` at a level."""
    if measurement.filter is not None:
        measurement = measurement.filtered(measurement.filter)
    inputs = [q for component in model for q in component.inputs()]
    names = [q.name for q in inputs if not q.derivative_of]
    refuse_unknown("input", held, names, model.name)
    if STEERING in names and model.described.get("vehicle") is not None:
        manoeuvre = replay_plan(model, _with_smooth_speed(measurement), by).manoeuvre
        return MeasuredDrive(
            measurement, replace(manoeuvre, inputs={**manoeuvre.inputs, **held}), {}
        )
    time = measurement.time - measurement.time[0]
    missing = [name for name in names if name not in measurement and name not in held]
    if missing:
        raise IdentificationError(
            f"{measurement.source} does not have {few_names(missing, 6)}, of the inputs of "
            f"{model.name}; a channel file says which columns they are (--channels), or give "
            f"their levels (--input {missing[0]}=0)"
        )
    courses = {
        name: Table.spline(time.tolist(), measurement[name].tolist(), Beyond.VALUE_HELD)
        for name in names
        if name not in held
    }
    return MeasuredDrive(measurement, None, {**courses, **held})


def _with_smooth_speed(measurement: Measurement) -> Measurement:
    """With the speed that a driver follows without its noise, which would go into the pedals."""
    if FORWARD_SPEED not in measurement or not is_even(measurement.time):
        return measurement
    smooth = SPEED_FILTER(measurement[FORWARD_SPEED], measurement.interval)
    return replace(measurement, columns={**measurement.columns, FORWARD_SPEED: smooth})


def make_record(
    drive: MeasuredDrive,
    system: System,
    channels: Sequence[str],
    steps: int,
    interval: float | None,
) -> Record:
    """The record of a drive; ``steps`` from each sample to the next."""
    measurement = drive.measurement
    if interval is not None or not is_even(measurement.time):
        measurement = measurement.resampled(interval or measurement.interval)
    if not _FEWEST <= len(measurement) <= _MOST:
        raise IdentificationError(
            f"{measurement.source} has {len(measurement)} samples; from {_FEWEST} to {_MOST} are "
            "fitted: cut it (--from, --to), or give an interval (--interval) between samples"
        )
    missing = [name for name in channels if name not in measurement]
    if missing:
        raise IdentificationError(
            f"{measurement.source} has no channel {', '.join(missing)}; it has "
            f"{few_names(measurement.names, 8)}"
        )
    measured = np.column_stack([measurement[name] for name in channels])
    for name, values in zip(channels, measured.T, strict=True):
        if np.ptp(values) == 0.0:
            raise IdentificationError(
                f"{measurement.source}: {name} is {values[0]:g} {measurement.units[name]} "
                "throughout, and tells nothing; leave it out of the channels"
            )
    time = measurement.time - measurement.time[0]
    states, inputs = _driven(drive, system, time, steps)
    return Record(measurement.source, time, measured, inputs, states)


def _driven(
    drive: MeasuredDrive, system: System, time: FloatArray, steps: int
) -> tuple[FloatArray, FloatArray]:
    """A first state, and the inputs at every half step."""
    problem = _problem(drive, system)
    if problem.system is not system or any(
        depends_on(rate, [system.time.symbol]) for rate in system.derivatives
    ):
        raise IdentificationError(
            f"{system.name} depends on time by more than measured inputs, and stretches of a "
            "record are computed side by side; make what changes an input"
        )
    halves = np.linspace(time[0], time[-1], 2 * steps * (len(time) - 1) + 1)
    inputs = np.tile(problem.inputs, (len(halves), 1))
    for table in problem.tables:
        inputs[:, table.index] = table.table.evaluate(halves)
    return problem.states, inputs


def _problem(drive: MeasuredDrive, system: System) -> Problem:
    if drive.manoeuvre is None:
        return state_problem(system, inputs=dict(drive.signals))
    start = drive_start(system, drive.manoeuvre, {})
    return state_problem(
        system, initial=start.initial, inputs=start.inputs, parameters=start.parameters
    )


def drive_instant(
    drive: MeasuredDrive, system: System
) -> tuple[dict[str, float], dict[str, float]]:
    """States and inputs with which a drive begins, by name."""
    problem = _problem(drive, system)
    inputs = problem.inputs.copy()
    for table in problem.tables:
        inputs[table.index] = float(table.table.evaluate(0.0))
    names = [q.name for q in system.states], [q.name for q in system.inputs]
    states = dict(zip(names[0], problem.states.tolist(), strict=True))
    return states, dict(zip(names[1], inputs.tolist(), strict=True))


def refuse_constraints(system: System) -> None:
    """Systems whose states are moved back, or whose forces are solved for, have no such steps."""
    if system.projection is not None or system.rows is not None:
        raise IdentificationError(
            f"{system.name} has constraints or unknown forces; identified are systems without, "
            "such as vehicles with suspensions by curves (axletree suspension curves)"
        )
