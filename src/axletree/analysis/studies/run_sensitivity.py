"""Derivatives of the findings of a manoeuvre by parameters and by places in a model's file.

A system gets the derivatives of its states by a value as states of their own: the variational
equations s' = df/dx s + df/du du + df/dp, formed as expressions. What a method makes of them is the
derivative of what it makes of x' = f. Their first values follow from the steady motion in which a
drive begins, by the implicit rule.

Where right-hand sides jump, as where gears change, the run goes on from each jump anew: the
derivative of a motion jumps by (f- - f+) dt/dp with the time t of the jump (Aizerman and
Gantmakher 1958). Corners, at which nothing jumps, do no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from axletree.analysis.drive import (
    DriveStart,
    drive_start,
    level_by_share,
    proposed_step,
    recorded_names,
)
from axletree.analysis.linear.jacobians import values_of
from axletree.analysis.steady.conditions import SteadyConditions, conditions_of
from axletree.analysis.steady.equations import SteadyEquations
from axletree.analysis.steady.result import Trim
from axletree.analysis.studies.sensitivity import (
    SLOPE,
    Direction,
    Sensitivity,
    SensitivityColumn,
    SensitivityError,
    ShiftedRun,
    columns_by,
    find_direction,
    slopes_along,
    slopes_of_findings,
)
from axletree.analysis.studies.sweep_plan import RunSettings, manoeuvre_of, read_for
from axletree.analysis.studies.sweep_points import SWEEP_METHOD, SWEEP_STEP
from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.units import to_si
from axletree.expr import Expr, directional_derivative, evaluate, number, symbol, topological_order
from axletree.expr.evaluation import Evaluator
from axletree.expr.quantity import Quantities, Quantity, Role
from axletree.metrics.contract import Metric
from axletree.metrics.findings import Finding
from axletree.model.manoeuvre import Manoeuvre
from axletree.model.model import Model
from axletree.simulation.problem import USUAL_TOLERANCES
from axletree.simulation.simulate import form_for, simulate
from axletree.simulation.trajectory import Trajectory
from axletree.system.formulation import formulate
from axletree.system.system import System, output

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
    check_arguments(run_sensitivity, locals())
    model = read_for(source, manoeuvre, changes or {})
    driven = manoeuvre_of(model, manoeuvre, RunSettings(speed=speed))
    assert driven is not None
    if not driven.needed_outputs:
        raise SensitivityError(f"the manoeuvre {manoeuvre!r} of {model.name} has no findings")
    system = formulate(model)
    where = source, system, model, manoeuvre, changes or {}
    directions = [find_direction(name, *where) for name in names]
    drive = _Drive(model, system, driven, manoeuvre, step, method, directions)
    columns = columns_by(directions, drive.column)
    findings = tuple(one.finding for one in columns[0].slopes)
    return Sensitivity(model.name, manoeuvre, findings, columns, drive.remarks())


@dataclass
class _Drive:
    """A manoeuvre whose run is differentiated."""

    model: Model
    system: System
    manoeuvre: Manoeuvre
    name: str
    step: float | None
    method: str | None
    directions: Sequence[Direction]

    def __post_init__(self) -> None:
        self._known: dict[str, System] = {}
        self.jumps: list[float] = []
        self.method = self.method or self.model.run.method or SWEEP_METHOD
        if form_for(self.method).set_valued:
            raise SensitivityError(
                f"{self.method!r} solves for forces that are set-valued, which have no derivative; "
                "take a method for smooth ones, such as rk4"
            )
        moving = self.manoeuvre.speed and not self.manoeuvre.prescribes_speed
        if not (moving or self.manoeuvre.driven_by):
            raise SensitivityError(f"{self.name} begins at rest, which is not differentiated")
        self.start: DriveStart = drive_start(self.system, self.manoeuvre, {})
        self.recorded = recorded_names(self.system, self.manoeuvre, ())

    def column(self, direction: Direction) -> SensitivityColumn:
        run = self._run(direction)

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
        levels = {q.name: 0.0 for q in self.system.inputs}
        levels |= {n: x for n, x in self.start.inputs.items() if isinstance(x, float)}
        return {**parameter_values(self.system, self.start.parameters), **levels}

    def _proposed_step(self) -> float:
        """[s], of steps that are not divided, for jumps are looked for from step to step."""
        return proposed_step(self.model.run, SWEEP_METHOD) or SWEEP_STEP

    def _run(self, direction: Direction) -> Trajectory:
        """The run with columns of derivatives by the value."""
        system, size, names = self._system(direction), direction.size, self.recorded
        states, levels = self._start_slopes(direction)
        share, step = self.manoeuvre.drive_share(), self.step or self._proposed_step()
        parameter_slopes = {
            name + SLOPE: size * slope for name, slope in direction.parameter_slopes.items()
        }
        settings: dict[str, Any] = {
            "step": step,
            "watch": False,
            "method": self.method,
            "relative_tolerance": USUAL_TOLERANCES.relative,
            "absolute_tolerance": USUAL_TOLERANCES.absolute,
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
        jumps = find_jumps(self.system, run, fixed)
        self.jumps = [one.time for one in jumps if one.margin is None]
        run = DiscontinuousRun(self.system, system, go, fixed).over(run, jumps, every)
        columns = {
            name: column / size if name.endswith(SLOPE) else column
            for name, column in run.columns.items()
        }
        return replace(run, columns=columns)

    def _system(self, direction: Direction) -> System:
        """One for all values that change parameters alone: their slopes are parameters."""
        key = direction.name if direction.functions else ""
        if key not in self._known:
            alike = [direction] if key else [one for one in self.directions if not one.functions]
            moved = dict.fromkeys(name for one in alike for name in one.parameter_slopes)
            levels = [n for n in self.start.trim.found if n in {q.name for q in self.system.inputs}]
            self._known[key] = variational_system(
                self.system, self.recorded, moved, levels, direction
            )
        return self._known[key]

    def _start_slopes(self, direction: Direction) -> tuple[dict[str, float], dict[str, float]]:
        start = self.start
        if not self.manoeuvre.driver:
            states, levels = start_slopes(start.trim, start.parameters, direction)
            return {**states, **dict.fromkeys(self.manoeuvre.initial, 0.0)}, levels
        states, levels = start_slopes(start.trim, start.parameters, direction)
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
    def number(model: Model, field: str) -> float:
        return float(getattr(model.manoeuvres[name].metrics[k], field))

    changed = {}
    for own in fields(metric):  # type: ignore[arg-type]
        value = getattr(metric, own.name)
        if isinstance(value, float):
            slope = direction.by_value(partial(number, field=own.name))
            changed[own.name] = value + step * slope
    return replace(metric, **changed)  # type: ignore[type-var]


# From states and a time, for so many steps.
RunOnce = Callable[[Mapping[str, float | str], float, int], Trajectory]

_BESIDE = 1e-7  # s, to both sides of a jump, where right-hand sides are taken


@dataclass(frozen=True)
class DiscontinuousRun:
    """``go`` runs the augmented system and records every step, with all its inputs."""

    plain: System
    whole: System  # with slopes of all states after these
    go: RunOnce
    fixed: Mapping[str, float]  # parameters, and their slopes

    def over(self, first: Trajectory, jumps: list[Jump], every: int) -> Trajectory:
        """The run with slopes that jump, from one in which they do not; every so many records."""
        parts, run, passed = [], first, 0
        count = len(first.time) - 1
        for jump in jumps:
            k = jump.record - passed
            if jump.margin is None or k < 0 or k + 2 >= len(run.time):
                continue
            slopes = self._after(run, k, jump.margin)
            states = {name: float(run[name][k + 1]) for name in run.states}
            parts.append(_cut(run, k + 1))
            passed = jump.record + 1
            run = self.go({**states, **slopes}, float(run.time[k + 1]), count - passed)
        parts.append(_cut(run, len(run.time)))
        joined = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        time = joined.pop("time")
        chosen = np.unique([*range(0, len(time), every), len(time) - 1])
        columns = {name: column[chosen] for name, column in joined.items()}
        return replace(first, time=time[chosen], columns=columns)

    def _after(self, run: Trajectory, k: int, margin: Expr) -> dict[str, float]:
        """Slopes at the record after a jump, which is between the records k and k + 1."""
        n, h = len(self.plain.states), float(run.time[k + 1] - run.time[k])
        values = {j: self._values(run, j) for j in (k - 1, k, k + 1) if j >= 0}
        g = {j: self._margin(margin, values[j]) for j in values}
        share = float(np.clip(g[k][0] / (g[k][0] - g[k + 1][0]), 0.0, 1.0))
        before = g.get(k - 1, g[k])
        rate, change = (g[k][i] + share * (g[k][i] - before[i]) for i in (1, 2))
        later = -change / rate  # of the time of the jump, by the value
        f = self._rates(values[k])[:n]
        at = self._moved(values[k], share * h * f)
        beside = _BESIDE + 2.0 * abs(self._margin(margin, at)[0] / rate)
        old, new = (self._rates(self._moved(at, side * f))[:n] for side in (-beside, beside))
        jump = (old - new) * later
        after = values[k + 1]
        s = np.array([after[symbol(q.name + SLOPE)] for q in self.plain.states])
        left = (
            (1.0 - share) * h * (self._slope_rates(after, s + jump) - self._slope_rates(after, s))
        )
        names = (q.name + SLOPE for q in self.plain.states)
        return dict(zip(names, (s + jump + left).tolist(), strict=True))

    @cached_property
    def _evaluated(self) -> Evaluator:
        return Evaluator(self.whole.derivatives)

    def _rates(self, values: dict[Expr, float]) -> FloatArray:
        return np.array(self._evaluated(values), dtype=float)

    def _slope_rates(self, values: dict[Expr, float], slopes: FloatArray) -> FloatArray:
        symbols = (symbol(q.name + SLOPE) for q in self.plain.states)
        moved = {**values, **dict(zip(symbols, slopes.tolist(), strict=True))}
        return self._rates(moved)[len(self.plain.states) :]

    def _margin(self, margin: Expr, values: dict[Expr, float]) -> tuple[float, float, float]:
        """Its value, its rate over time, and its derivative by the value."""
        states = self.plain.states
        rates = self._rates(values)[: len(states)].tolist()
        over_time = dict(zip((q.symbol for q in states), rates, strict=True))
        quantities = (*states, *self.plain.parameters, *self.plain.inputs)
        slopes = {q.symbol: values.get(symbol(q.name + SLOPE), 0.0) for q in quantities}
        rows = [margin, *directional_derivative([margin], over_time)]
        rows += directional_derivative([margin], {s: x for s, x in slopes.items() if x})
        value, rate, change = Evaluator(rows)(values)
        return float(value), float(rate), float(change)

    def _moved(self, values: dict[Expr, float], by: FloatArray) -> dict[Expr, float]:
        pairs = zip(self.plain.states, by.tolist(), strict=True)
        return {**values, **{q.symbol: values[q.symbol] + x for q, x in pairs}}

    def _values(self, run: Trajectory, k: int) -> dict[Expr, float]:
        values = {symbol(name): x for name, x in self.fixed.items()}
        values |= {symbol(name): float(column[k]) for name, column in run.columns.items()}
        return {**values, self.whole.time.symbol: float(run.time[k])}


def _cut(run: Trajectory, count: int) -> dict[str, FloatArray]:
    columns = {name: column[:count] for name, column in run.columns.items()}
    return {**columns, "time": run.time[:count]}


JUMP = 0.02  # share of the greater of two values, from which on they are not taken for one


@dataclass(frozen=True)
class Jump:
    """A change of a choice between two records."""

    record: int  # the last one before it
    time: float  # [s], of the first one after it
    margin: Expr | None  # 0 at the jump; None where nothing says when it is


def find_jumps(system: System, run: Trajectory, fixed: Mapping[str, float]) -> list[Jump]:
    """Where choices within the equations change between values far apart, in order of time.

    ``fixed`` are values of inputs and parameters that the run does not have as columns.
    """
    nodes = topological_order(system.derivatives)
    choices = [node.operands for node in nodes if node.operation == "where"]
    if not choices:
        return []
    values: dict[Expr, float | np.ndarray] = {symbol(n): x for n, x in fixed.items()}
    values |= {symbol(name): column for name, column in run.columns.items()}
    values[system.time.symbol] = run.time
    operands = Evaluator([e for operands in choices for e in operands])(values)
    numbers = np.array([np.broadcast_to(x, len(run.time)) for x in operands])
    pairs = zip(choices, numbers.reshape(len(choices), 3, -1), strict=True)
    found: dict[int, Jump] = {}
    for (question, *_), (condition, first, second) in pairs:
        flips = np.flatnonzero(np.diff(condition != 0.0)).tolist()
        apart = np.abs(first - second) > JUMP * np.maximum(np.abs(first), np.abs(second))
        for k in (k for k in flips if apart[k] and apart[k + 1]):
            found.setdefault(k, Jump(k, float(run.time[k + 1]), _margin(question)))
    return [found[k] for k in sorted(found)]


def _margin(condition: Expr) -> Expr | None:
    node = condition.node
    if node.operation not in ("lt", "le") or condition.coefficient != 1.0:
        return None
    return node.operands[0] - node.operands[1]


def variational_system(
    system: System,
    outputs: Iterable[str],
    parameters: Iterable[str],
    levels: Iterable[str],
    direction: Direction | None = None,
) -> System:
    """With slopes of states, of ``outputs``, of ``parameters`` and inputs (``levels``).

    Slopes of parameters are parameters, and those of inputs are inputs; all are 0 unless they are
    given. Of a direction whose functions change the slopes of these are put in, by the value over
    its own size.
    """
    known = {d.quantity.name: d.expression for d in system.outputs}
    names = [name for name in outputs if name in known]
    chosen = {q.name: q for q in (*system.states, *system.parameters, *system.inputs)}
    varied = [*(q.name for q in system.states), *parameters, *levels]
    rates: Mapping[Expr, Expr] = {chosen[n].symbol: _slope(chosen[n]).symbol for n in varied}
    wanted = [*system.derivatives, *(known[name] for name in names)]
    moved = [] if system.projection is None else list(system.projection)
    slopes = directional_derivative([*wanted, *moved], rates)
    if direction is not None and direction.functions:
        slopes = _with_functions(slopes, direction, names, bool(moved))
    n, m = len(system.states), len(wanted)
    found = dict(zip(names, slopes[n:m], strict=True))
    unmoved = {q.name for q in system.inputs} - set(levels)  # of inputs that stay as they are
    found |= {name: number(0.0) for name in outputs if name in unmoved}
    results = (output(n + SLOPE, "1", f"derivative of {n}", e) for n, e in found.items())
    return replace(
        system,
        states=Quantities([*system.states, *(_slope(q) for q in system.states)]),
        inputs=Quantities([*system.inputs, *(_slope(chosen[name]) for name in levels)]),
        parameters=Quantities([*system.parameters, *(_slope(chosen[name]) for name in parameters)]),
        derivatives=(*system.derivatives, *slopes[:n]),
        outputs=(*system.outputs, *results),
        projection=(*moved, *slopes[m:]) if moved else None,
        source=None,
        constraints=(),
        implicit=None,
    )


def _slope(quantity: Quantity) -> Quantity:
    role = Role.STATE if quantity.role in (Role.SPEED, Role.COORDINATE) else quantity.role
    return Quantity(quantity.name + SLOPE, "1", f"derivative of {quantity.name}", role)


def _with_functions(
    slopes: list[Expr], direction: Direction, names: Sequence[str], moves: bool
) -> list[Expr]:
    def rows(model: Model) -> list[Expr]:
        other = formulate(model)
        known = {d.quantity.name: d.expression for d in other.outputs}
        projected = list(other.projection or ()) if moves else []
        return [*other.derivatives, *(known[name] for name in names), *projected]

    more = direction.of_functions(rows) or []
    return [a + direction.size * b for a, b in zip(slopes, more, strict=True)]


def start_slopes(
    start: Trim, parameters: Mapping[str, float | str], direction: Direction
) -> tuple[dict[str, float], dict[str, float]]:
    """Derivatives of states and of inputs that were found, by the value of the direction.

    F(y, p) = 0 gives dF/dy dy = -dF/dp, with all slopes exact but for functions that change. What
    the conditions leave open stays.
    """
    equations = _equations_at(start, parameters)
    point = equations.guess._replace(yaw_rate=start.yaw_rate or 0.0, decay=start.decay)
    rows = [condition.expression for condition in equations.conditions.conditions]
    columns = equations.slopes(equations.unknowns(point), point)[: len(rows)]

    def of_model(model: Model) -> list[Expr]:
        """The same conditions of a system that differs by numbers alone."""
        same = SteadyConditions(formulate(model), equations.unfelt)
        return [condition.expression for condition in same.conditions]

    slopes = slopes_along(rows, direction, of_model)
    right = np.array(evaluate(slopes, equations.values(point)), dtype=float)
    sizes = np.maximum(np.abs(columns).max(axis=1, initial=0.0), 1e-9)
    found = np.linalg.lstsq(columns / sizes[:, None], -right / sizes, rcond=None)[0].tolist()
    states = dict.fromkeys((q.name for q in start.system.states), 0.0)
    states |= dict(zip((start.system.states[k].name for k in equations.free), found, strict=False))
    return states, dict.fromkeys(start.found, found[equations.first_effort] if start.found else 0.0)


def parameter_values(system: System, given: Mapping[str, float | str]) -> dict[str, float]:
    """All of a system, in SI units: those given, and its own."""
    pairs = ((q, given.get(q.name, q.default)) for q in system.parameters)
    return {q.name: to_si(value, expected=q.unit) for q, value in pairs}


def _equations_at(start: Trim, parameters: Mapping[str, float | str]) -> SteadyEquations:
    """Of a steady motion that was found, with the parameters of the run that begins in it."""
    system = start.system
    numbers = replace(
        start.problem.guess(),
        states=np.array([start.states[q.name] for q in system.states]),
        inputs=np.array([start.inputs.get(q.name, 0.0) for q in system.inputs]),
        parameters=np.array(list(parameter_values(system, parameters).values())),
    )
    unfelt = tuple(conditions_of(system).unfelt(values_of(numbers)))
    return SteadyEquations(start.problem, numbers, coasts=bool(start.decay), unfelt=unfelt)
