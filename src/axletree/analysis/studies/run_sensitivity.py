"""Derivatives of the findings of a manoeuvre by parameters and by places in a model's file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from axletree.analysis.drive import (
    DriveStart,
    drive_start,
    level_by_share,
    recorded_names,
    states_as_inputs,
)
from axletree.analysis.studies.discontinuities import DiscontinuousRun, find_jumps
from axletree.analysis.studies.sensitivity_direction import (
    Direction,
    SensitivityError,
    find_direction,
    form_system,
)
from axletree.analysis.studies.sensitivity_result import (
    SLOPE,
    Sensitivity,
    SensitivityColumn,
    ShiftedRun,
    slopes_of_findings,
)
from axletree.analysis.studies.sweep_plan import RunSettings, manoeuvre_of, read_for
from axletree.analysis.studies.sweep_point import METHOD, STEP
from axletree.analysis.studies.variational_system import start_slopes, variational_system
from axletree.core.progress import Progress
from axletree.core.units import to_si
from axletree.model.findings import Finding
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.metric import Metric
from axletree.model.model import Model
from axletree.simulation.simulate import simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

MOST_TIMES = 4  # in a remark


def run_sensitivity(
    source: str,
    manoeuvre: str,
    names: Sequence[str],
    *,
    speed: float | str | None = None,
    changes: Mapping[str, Any] | None = None,
    step: float | None = None,
    method: str | None = None,
) -> Sensitivity:
    """Of the findings of a manoeuvre of a model; inputs of the driver stay as they are.

    ``names`` are parameters of the equations, or places in the file: then the numbers that metrics
    have of the vehicle change, too. ``changes`` are those of ``read_model``. ``speed`` is in m/s,
    ``step`` in s; what is left out is as the model proposes.

    Example:
    >>> import axletree as at
    >>> plain = {"vehicle": {"fidelity": "linear"}}
    >>> found = at.run_sensitivity("sedan", "step-steer", ["body.mass"], changes=plain)
    >>> print(f"{found.relative['body.mass']['yaw_rate_gain']:.3f} % by %")
    -0.211 % by %
    """
    if not names:
        raise SensitivityError("nothing to differentiate by: name a parameter")
    model = read_for(source, Model, manoeuvre, changes or {})
    driven = manoeuvre_of(model, manoeuvre, RunSettings(speed=speed))
    assert driven is not None
    if not driven.needed_outputs:
        raise SensitivityError(f"the manoeuvre {manoeuvre!r} of {model.name} has no findings")
    system = form_system(model)
    directions = [
        find_direction(name, source, system, model, manoeuvre, changes or {}) for name in names
    ]
    drive = _Drive(model, system, driven, manoeuvre, step, method)
    columns = []
    with Progress(len(directions), "derivatives", "parameters") as progress:
        for k, direction in enumerate(directions):
            columns.append(drive.column(direction, directions))
            progress.show(k + 1)
    findings = tuple(one.finding for one in columns[0].slopes)
    return Sensitivity(model.name, manoeuvre, findings, tuple(columns), drive.remarks())


@dataclass
class _Drive:
    """A manoeuvre whose run is differentiated."""

    model: Model
    system: System
    manoeuvre: Manoeuvre
    name: str
    step: float | None
    method: str | None

    def __post_init__(self) -> None:
        self.start: DriveStart = drive_start(self.system, self.manoeuvre, {})
        self._known: dict[str, System] = {}
        self.jumps: list[float] = []
        method = self.method or self.model.run.method or METHOD
        if method.startswith("complementarity"):
            raise SensitivityError(
                f"{method!r} solves for forces that are set-valued, which have no derivative; "
                "take a method for smooth ones, such as rk4"
            )
        moving = self.manoeuvre.speed and not self.manoeuvre.prescribes_speed
        if not (moving or self.manoeuvre.driven_by):
            raise SensitivityError(f"{self.name} begins at rest, which is not differentiated")

    def column(self, direction: Direction, others: Sequence[Direction]) -> SensitivityColumn:
        run = self._run(direction, others)

        def findings(step: float) -> tuple[Finding, ...]:
            moved = replace(self.manoeuvre, metrics=self._metrics(direction, step))
            return moved.findings(ShiftedRun(run, step))

        slopes = slopes_of_findings(findings, abs(direction.value))
        return SensitivityColumn(direction.name, direction.value, direction.unit, tuple(slopes))

    def remarks(self) -> tuple[str, ...]:
        """What derivatives do not know of."""
        if not self.jumps:
            return ()
        times = ", ".join(f"{t:.3g}" for t in self.jumps[:MOST_TIMES])
        more = ", ..." if len(self.jumps) > MOST_TIMES else ""
        return (
            f"forces jump at {times}{more} s; that these times change with parameters is not in "
            "the derivatives, and findings that depend on it differ",
        )

    def _fixed(self) -> dict[str, float]:
        """Values of inputs that are constant, and of parameters."""
        numbers = {q.name: q.default for q in self.system.parameters}
        units = {q.name: q.unit for q in self.system.parameters}
        given = self.start.parameters.items()
        numbers |= {name: to_si(x, expected=units[name]) for name, x in given}
        levels = {q.name: 0.0 for q in self.system.inputs}
        levels |= {n: x for n, x in self.start.inputs.items() if isinstance(x, float)}
        return {**numbers, **levels}

    def _run(self, direction: Direction, others: Sequence[Direction]) -> Trajectory:
        """The run with columns of derivatives by the value."""
        system, size = self._system(direction, others), direction.size
        states, levels = self._start_slopes(direction)
        share, step = self.manoeuvre.drive_share(), self.step or self.model.run.step or STEP
        names = recorded_names(self.system, self.manoeuvre, ())
        parameter_slopes = {
            name + SLOPE: size * slope for name, slope in direction.parameter_slopes.items()
        }
        settings: dict[str, Any] = {
            "step": step,
            "method": self.method or self.model.run.method or METHOD,
            "inputs": {**self.start.inputs,
                       **{n + SLOPE: level_by_share(share, size * x) for n, x in levels.items()}},
            "parameters": {**self.start.parameters, **parameter_slopes},
            "outputs": tuple(dict.fromkeys((*names, *(name + SLOPE for name in names),
                                            *(q.name for q in system.inputs)))),
        }  # fmt: skip
        slopes = {name + SLOPE: size * x for name, x in states.items()}

        def go(initial: Mapping[str, float | str], start: float, count: int) -> Trajectory:
            return simulate(system, count * step, initial=initial, start=start, **settings)

        run = go({**self.start.initial, **slopes}, 0.0, round(self.manoeuvre.span / step))
        fixed = {
            **{q.name: q.default for q in system.parameters},
            **self._fixed(),
            **parameter_slopes,
        }
        every = round((self.model.run.record_interval or step) / step)
        run = self._over_jumps(DiscontinuousRun(self.system, system, go, fixed), run, every)
        columns = {
            name: column / size if name.endswith(SLOPE) else column
            for name, column in run.columns.items()
        }
        return replace(run, columns=columns)

    def _over_jumps(self, jumping: DiscontinuousRun, run: Trajectory, every: int) -> Trajectory:
        jumps = find_jumps(self.system, run, jumping.fixed)
        self.jumps = [one.time for one in jumps if one.margin is None]
        return jumping.over(run, jumps, every)

    def _system(self, direction: Direction, others: Sequence[Direction]) -> System:
        """One for all values that change parameters alone: their slopes are parameters."""
        key = direction.name if direction.functions else ""
        if key not in self._known:
            alike = [direction] if key else [one for one in others if not one.functions]
            moved = dict.fromkeys(name for one in alike for name in one.parameter_slopes)
            names = recorded_names(self.system, self.manoeuvre, ())
            levels = [n for n in self.start.trim.found if n in {q.name for q in self.system.inputs}]
            self._known[key] = variational_system(self.system, names, moved, levels, direction)
        return self._known[key]

    def _start_slopes(self, direction: Direction) -> tuple[dict[str, float], dict[str, float]]:
        start = self.start
        if not self.manoeuvre.driver:
            states, levels = start_slopes(self.system, start.trim, start.parameters, direction)
            return {**states, **dict.fromkeys(self.manoeuvre.initial, 0.0)}, levels
        free = states_as_inputs(self.system, self.manoeuvre.driver)
        states, levels = start_slopes(free, start.trim, start.parameters, direction)
        states |= self._driver_slopes(levels)
        own = {q.name for q in self.system.inputs}
        return states, {name: x for name, x in levels.items() if name in own}

    def _driver_slopes(self, levels: Mapping[str, float]) -> dict[str, float]:
        """Of the first states of a driver, which are levels that keep the speed."""
        inputs = self.start.trim.inputs
        first = self.manoeuvre.first_states(inputs)
        ahead = self.manoeuvre.first_states({**inputs, **{n: inputs[n] + x for n, x in
                                                          levels.items()}})  # fmt: skip
        return {name: ahead[name] - value for name, value in first.items()}

    def _metrics(self, direction: Direction, step: float) -> tuple[Metric, ...]:
        """Metrics with the numbers that they have of a vehicle at another value."""
        if not direction.models:
            return self.manoeuvre.metrics
        return tuple(
            _moved(metric, k, direction, self.name, step)
            for k, metric in enumerate(self.manoeuvre.metrics)
        )


def _moved(metric: Metric, k: int, direction: Direction, name: str, step: float) -> Metric:
    changed = {}
    for own in fields(metric):  # type: ignore[arg-type]
        value = getattr(metric, own.name)
        if isinstance(value, float):
            changed[own.name] = value + step * _by_value(direction, name, k, own.name)
    return replace(metric, **changed)  # type: ignore[type-var]


def _by_value(direction: Direction, name: str, k: int, field: str) -> float:
    """The derivative of a number of a manoeuvre's metric."""

    def number(model: Model) -> float:
        return float(getattr(model.manoeuvres[name].metrics[k], field))

    return direction.by_value(number)
