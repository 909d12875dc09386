"""The stepper of Python: a run that another program moves on, values in and out by name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Self

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.registry import few_names, unknown_name
from axletree.core.units import UnitError, to_si
from axletree.expr import OperationCount
from axletree.expr.quantity import Quantity
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.problem import SettingsError, state_problem, wrong_parameters
from axletree.simulation.recording import StepError
from axletree.simulation.step_watch import judged_signals, signal_errors
from axletree.simulation.stepper.engines import LOST, OK, UNSOLVED, StepEngine, step_engine
from axletree.simulation.stepper.layout import stepper_layout
from axletree.simulation.stepper.shaping import InputShape, checked_shape
from axletree.simulation.stepper.step_program import (
    OWN_START,
    SolvedMotion,
    StartPoint,
    StepProgram,
    motion_start,
    step_program,
)
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

_WHOLE: Final = 1e-6  # of a step: what a whole number of steps may be off by
_MOST_STEPS: Final = 2_000_000_000  # of one call: what a long of C holds everywhere
_NUMBERS: Final = (float, int)  # what an input takes at once; the rest is looked at in ``set``
_SHORTER: Final = "try a smaller step, more parts or, where springs are stiff, the method 'row4'"
_WHY: Final = {
    LOST: "Euler angles lose an orientation there: two of their axes are in line, to which steps "
    f"that are too long lead, too; {_SHORTER}",
    UNSOLVED: "the set-valued forces of the step are not solved for",
}


class Stepper:
    """A run that goes on as it is told: values in, steps at a fixed cost, values out.

    Inputs, parameters and states are set by name, with units where they are texts; inputs go over
    into what is set by their shapes (see ``shaping``). What is read is in SI units. Nothing is
    allocated by steps, and steppers do not share anything.

    Example:
    >>> import axletree as at
    >>> with at.read_model("pendulum").formulate().stepper(step="1 ms") as pendulum:
    ...     pendulum["rod.mass"] = "2 kg"
    ...     pendulum.advance("0.5 s")
    ...     print(f"{pendulum['pin.angle']:.4f} rad at {pendulum.time:g} s")
    -0.1356 rad at 0.5 s
    """

    def __init__(
        self,
        prepared: StepProgram,
        step: float | str,
        *,
        parts: int = 1,
        start: StartPoint | None = None,
        parameters: Mapping[str, float | str] | None = None,
        record: Sequence[str] = (),
        record_interval: float | str | None = None,
    ) -> None:
        self.prepared = prepared
        self.step = _seconds("step", step)
        if not (isinstance(parts, int) and 1 <= parts <= _MOST_STEPS):
            raise SettingsError(
                f"parts is {parts!r}; expected a whole number from 1 to {_MOST_STEPS:,}"
            )
        self.parts = parts
        _check_intervals(prepared, self.step / parts)
        system = prepared.system
        inputs = prepared.program.inputs
        self._settable = {
            **_places("state", prepared.program.states),
            **_places("parameter", prepared.program.parameters),
            **{q.name: ("input", k, q) for k, q in enumerate(system.inputs) if not q.derivative_of},
        }
        self._readable = {
            **_places("memory", prepared.memory),
            **_places("output", prepared.program.outputs),
            **_places("parameter", prepared.program.parameters),
            **_places("input", inputs),
            **_places("state", prepared.program.states),
        }
        self._counts: dict[str, int] = {}
        self._engine: StepEngine | None = step_engine(prepared, self.step, parts)
        if parameters:
            self.set(parameters)
        self._start = start or prepared.starts[0]
        self._record_names = tuple(record)
        for name in self._record_names:
            self._known(name)
        interval = (
            self.step if record_interval is None else _seconds("record_interval", record_interval)
        )
        self._every = self._count_of(interval)
        self._rows: list[tuple[float, ...]] = []
        self.reset()

    # Its life

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give its memory back; it cannot be used any more.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum").formulate().stepper(step=1e-3)
        >>> pendulum.close()
        >>> pendulum
        Stepper 'pendulum', closed
        """
        self._engine = None

    @property
    def _running(self) -> StepEngine:
        if self._engine is None:
            raise SimulationError(f"the stepper of {self.name!r} is closed")
        return self._engine

    def __repr__(self) -> str:
        if self._engine is None:
            return f"Stepper {self.name!r}, closed"
        parts = f" in {self.parts} parts" if self.parts > 1 else ""
        return (
            f"Stepper {self.name!r} at t = {self.time:.9g} s: steps of {self.step:g} s{parts} by "
            f"{self.prepared.method.name} in {self._engine.language}, "
            f"{len(self.prepared.system.states)} states"
        )

    @property
    def name(self) -> str:
        """Of the system that it runs."""
        return self.prepared.system.name

    @property
    def operations(self) -> OperationCount | None:
        """Of one step, which none exceeds; None where what it takes depends on the motion.

        Example:
        >>> import axletree as at
        >>> print(at.read_model("pendulum").formulate().stepper(step=1e-3).operations)
        14 additions, 14 multiplications, 3 divisions, 4 functions
        """
        return self.prepared.operations(self.parts)

    @property
    def layout(self) -> dict[str, Any]:
        """What its exports have as ``layout.json``: each quantity by name, unit, description,
        role, index, start and bounds, the shapes of inputs, the starts and the operations.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("bicycle-car").formulate().stepper(step=1e-3, outputs=[])
        >>> car.layout["inputs"][0]["name"], car.layout["inputs"][0]["unit"]
        ('steer.angle', 'rad')
        """
        return stepper_layout(self.prepared)

    @property
    def readable_names(self) -> tuple[str, ...]:
        """States, inputs, parameters and outputs, and what controllers keep."""
        return tuple(self._readable)

    @property
    def input_names(self) -> tuple[str, ...]:
        """Those that can be set."""
        return tuple(name for name, (kind, _, _) in self._settable.items() if kind == "input")

    @property
    def state_names(self) -> tuple[str, ...]:
        """In the order of the program."""
        return tuple(q.name for q in self.prepared.program.states)

    @property
    def units(self) -> dict[str, str]:
        """SI units of all that can be read, by name."""
        return {name: quantity.unit for name, (_, _, quantity) in self._readable.items()}

    # Values

    @property
    def time(self) -> float:
        """[s]"""
        return self._running.time()

    @property
    def states(self) -> dict[str, float]:
        """By name, in SI units."""
        return _named(self.prepared.program.states, self._running.states)

    @property
    def inputs(self) -> dict[str, float]:
        """As they are now, rates included: on their way to what was set."""
        return _named(self.prepared.system.inputs, self._running.inputs)

    @property
    def parameters(self) -> dict[str, float]:
        """By name, in SI units."""
        return _named(self.prepared.program.parameters, self._running.parameters)

    @property
    def outputs(self) -> dict[str, float]:
        """By name, in SI units, at the present time."""
        return _named(self.prepared.program.outputs, self._running.outputs())

    def __getitem__(self, name: str) -> float:
        """A state, an input, a parameter or an output, in SI units."""
        engine = self._running
        try:
            kind, place, _ = self._readable.get(name) or self._known(name)
        except TypeError:  # of what is no key
            raise _no_name(name) from None
        if kind == "state":
            return float(engine.states[place])
        if kind == "memory":
            return float(engine.memory[place])
        if kind == "output":
            return float(engine.outputs()[place])
        return float((engine.inputs if kind == "input" else engine.parameters)[place])

    def __setitem__(self, name: str, value: float | str) -> None:
        """An input, a parameter or a state; texts may carry units."""
        try:
            entry = self._settable.get(name)
        except TypeError:
            raise _no_name(name) from None
        if entry is None or entry[0] != "input" or not isinstance(value, _NUMBERS):
            self.set({name: value})
            return
        _, place, quantity = entry
        if not (quantity.lower <= value <= quantity.upper and math.isfinite(value)):
            raise SettingsError(_outside("input", quantity, value))
        self._running.set_input(place, value)

    def set(self, values: Mapping[str, float | str]) -> None:
        """Several values at once; either all of them are set or, with an error, none.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum").formulate().stepper(step=1e-3)
        >>> pendulum.set({"rod.mass": "2 kg", "pin.angle": "10 deg"})
        >>> print(f"{pendulum['pin.angle']:.4f} rad")
        0.1745 rad
        """
        if not isinstance(values, Mapping):
            raise SettingsError(f"values are set by their names, {{name: value}}; got {values!r}")
        engine = self._running
        found: dict[str, dict[str, float]] = {"state": {}, "parameter": {}, "input": {}}
        problems = []
        for name, value in values.items():
            try:
                kind, _, quantity = self._settable.get(name) or self._unknown(name)
                number = to_si(value, expected=quantity.unit)
                if kind != "parameter" and not quantity.lower <= number <= quantity.upper:
                    problems.append(_outside(kind, quantity, number))
                found[kind][name] = number
            except (AxletreeError, TypeError) as error:
                problems.append(f"{name}: {error}")
        problems += wrong_parameters(self.prepared.system, found["parameter"])
        if found["state"] and self.prepared.system.constraints:
            problems.append(
                f"states of {self.name!r} have constraints ({', '.join(found['state'])} is to be "
                "set alone); take reset(states={...}), which finds the others"
            )
        if problems:
            raise SettingsError(*problems)
        if found["parameter"]:
            changed = engine.parameters.copy()
            for name, number in found["parameter"].items():
                changed[self._settable[name][1]] = number
            engine.set_parameters(changed)
        for name, number in found["state"].items():
            engine.set_state(self._settable[name][1], number)
        for name, number in found["input"].items():
            engine.set_input(self._settable[name][1], number)

    def shape(self, name: str, shape: InputShape) -> None:
        """How an input goes over into values that are set from now on.

        Example:
        >>> import axletree as at
        >>> car = at.read_model("bicycle-car").formulate().stepper(step=1e-3)
        >>> car.shape("steer.angle", at.LinearInput("10 ms"))
        >>> car["steer.angle"] = 0.02
        >>> car.advance("5 ms")
        >>> print(f"{car['steer.angle']:.3f} rad, {car['steer.angle_rate']:.1f} rad/s")
        0.010 rad, 2.0 rad/s
        """
        kind, place, _ = self._settable.get(name) or self._unknown(name)
        if kind != "input":
            raise SettingsError(f"{name!r} is a {kind}; shapes are for inputs")
        self._running.shape(place, checked_shape(name, shape))

    # Steps

    def advance(self, duration: float | str | None = None, *, steps: int | None = None) -> None:
        """By a time [s] of a whole number of steps, or by so many steps; by one without either.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum").formulate().stepper(step="1 ms")
        >>> pendulum.advance("10 ms")
        >>> pendulum.advance(steps=5)
        >>> pendulum.advance()
        >>> print(f"{pendulum.time:g} s")
        0.016 s
        """
        engine = self._running
        if duration is None:
            count = 1 if steps is None else steps
            if not (isinstance(count, int | np.integer) and 0 <= count <= _MOST_STEPS):
                raise SettingsError(
                    f"steps is {steps!r}; expected a whole number from 0 to {_MOST_STEPS:,}"
                )
        elif steps is not None:
            raise SettingsError("a stepper is moved on by a duration or by steps, not by both")
        elif isinstance(duration, str):
            count = self._counts.get(duration, -1)
            if count < 0:
                count = self._counts[duration] = self._count_of(_seconds("duration", duration))
        elif isinstance(duration, _NUMBERS):
            count = self._count_of(duration)
        else:
            count = self._count_of(_seconds("duration", duration))
        code = self._recorded(engine, count) if self._record_names else engine.advance(count)
        if code != OK:
            raise SimulationError(self._failure(engine, code))

    def _count_of(self, duration: float) -> int:
        ratio = duration / self.step
        count = round(ratio) if math.isfinite(ratio) else -1
        if count < (ratio != 0.0) or abs(ratio - count) > _WHOLE * count:
            raise SettingsError(
                f"{duration:g} s is no whole number of steps of {self.step:g} s; try "
                f"{max(count, 1) * self.step:g} s, or another step"
            )
        if count > _MOST_STEPS:
            raise SettingsError(
                f"{duration:g} s are {ratio:.3g} steps of {self.step:g} s; expected at most "
                f"{_MOST_STEPS:,} in one call"
            )
        return count

    def _failure(self, engine: StepEngine, code: int) -> str:
        place, program = engine.culprit(), self.prepared.program
        if code == UNSOLVED:
            which = f" ({program.inputs[place].name})" if place >= 0 else ""
        else:
            which = f" ({program.states[place].name})"
        why = _WHY.get(code, f"a state is not finite any more; {_SHORTER}")
        return (
            f"{self.name}: the step from t = {engine.time():.9g} s fails{which}: {why}. The "
            "stepper stays at the last good step until it is reset or restored"
        )

    def reset(
        self,
        start: str | StartPoint | SolvedMotion | None = None,
        *,
        states: Mapping[str, float | str] | None = None,
        inputs: Mapping[str, float | str] | None = None,
        time: float | str = 0.0,
    ) -> None:
        """Back to its start, or to another one by name, a steady motion, or other states.

        ``time`` is that of the reset [s]. A steady motion is one that ``trim`` has found, with
        the parameters that the stepper has. Parameters and shapes of inputs stay. States that are
        not given are found as for ``simulate``, consistent with the constraints. Records begin
        anew.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum").formulate().stepper(step=1e-3)
        >>> pendulum.advance("1 s")
        >>> pendulum.reset(states={"pin.angle": "10 deg"})
        >>> print(f"{pendulum['pin.angle']:.4f} rad at {pendulum.time:g} s")
        0.1745 rad at 0 s
        """
        check_arguments(Stepper.reset, {**locals(), "start": None})
        engine, start = self._running, self._start_named(start)
        x, u = start.states, start.inputs
        at = _seconds("time", time, positive=False)
        if inputs is not None:
            names = [q.name for q in self.prepared.system.inputs]
            u = u.copy()
            for name, value in inputs.items():
                if name not in names:
                    raise unknown_name("input", name, names, f"the stepper of {self.name!r}")
                k = names.index(name)
                quantity = self.prepared.system.inputs[k]
                u[k] = to_si(value, expected=quantity.unit)
                if not quantity.lower <= u[k] <= quantity.upper:
                    raise SettingsError(_outside("input", quantity, u[k]))
        if states is not None:
            system = self.prepared.system
            levels = _named(system.inputs, u)
            problem = state_problem(
                system, initial=states, inputs=levels, parameters=self.parameters, start=at
            )
            x = problem.states
        engine.place(x, u, at)
        self._rows = []
        if self._record_names:
            self._keep_row()

    def _start_named(self, start: str | StartPoint | SolvedMotion | None) -> StartPoint:
        if start is None:
            return self._start
        if isinstance(start, StartPoint):
            return start
        if not isinstance(start, str):
            if not hasattr(start, "parameters"):
                raise SettingsError(
                    f"the start is {start!r}; expected the name of one, or a steady motion that "
                    "trim has found; values of states are given by states={...}"
                )
            own = self.parameters
            if other := [n for n, value in start.parameters.items() if own.get(n, value) != value]:
                raise SettingsError(
                    f"the steady motion was found with another value of {few_names(other)}; set it "
                    "before the reset"
                )
            return motion_start(self.prepared.system, start, "given", "a steady motion")
        known = {one.name: one for one in (*self.prepared.starts, self._start)}
        if start not in known:
            raise unknown_name("start", start, known, f"the stepper of {self.name!r}")
        return known[start]

    def save(self) -> Any:
        """All that it is, for ``restore``: the steps that follow are the same, bit for bit.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum").formulate().stepper(step=1e-3)
        >>> kept = pendulum.save()
        >>> pendulum.advance("1 s")
        >>> there = pendulum["pin.angle"]
        >>> pendulum.restore(kept)
        >>> pendulum.advance("1 s")
        >>> pendulum["pin.angle"] == there
        True
        """
        return self._running.save()

    def restore(self, saved: Any) -> None:
        """Back to what was saved by a stepper of the same model; records stay as they are.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum").formulate().stepper(step=1e-3)
        >>> kept = pendulum.save()
        >>> pendulum.advance("1 s")
        >>> pendulum.restore(kept)
        >>> pendulum.time
        0.0
        """
        self._running.restore(saved)

    @contextmanager
    def attempt(self) -> Iterator[Self]:
        """Steps that are tried and taken back, as of a controller that looks ahead.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum").formulate().stepper(step=1e-3)
        >>> with pendulum.attempt():
        ...     pendulum.advance("1 s")
        ...     print(f"{pendulum['pin.angle']:.4f} rad")
        -0.2346 rad
        >>> pendulum.time
        0.0
        """
        saved, rows = self.save(), list(self._rows)
        try:
            yield self
        finally:
            self.restore(saved)
            self._rows = rows

    def step_error(self, duration: float | str) -> StepError:
        """How wrong its steps make what follows: the same time once more with steps in halves.

        Inputs stay as they were set last, and the stepper stays where it is. Nothing watches the
        steps of a stepper but this; what the error means is told at ``StepError``. An error is
        that of a state, over its range in this time.

        Example:
        >>> import axletree as at
        >>> pendulum = at.read_model("pendulum").stepper(step="0.3 s")
        >>> print(pendulum.step_error("30 s").in_words)
        31 % of the range of pin.angle, by runs with other steps
        >>> print(f"{pendulum.time:g} s")
        0 s
        """
        count = self._count_of(_seconds("duration", duration))
        if count < 2:
            raise SettingsError(f"{duration!r} are {count} steps; an error takes 2 or more")
        saved = self.save()
        try:
            tables = [
                self._states_of(saved, parts, count) for parts in (self.parts, 2 * self.parts)
            ]
        finally:
            self.restore(saved)
        names = self.state_names
        lost = next((table for table in tables if len(table) <= count), None)
        if lost is not None:
            return StepError(math.inf, names[int(np.abs(lost[-1]).argmax())], confirmed=True)
        found, exact = (dict(zip(names, table.T, strict=True)) for table in tables)
        judged = judged_signals(self.prepared.system, names)
        errors = signal_errors({name: found[name] for name in judged}, exact, self.units)
        worst = max(errors, key=lambda name: errors[name])
        order = self.prepared.method.order
        return StepError(errors[worst] / (1.0 - 0.5**order), worst, confirmed=True)

    def _states_of(self, saved: Any, parts: int, count: int) -> FloatArray:
        """Of so many steps from what was saved, or as many as there are."""
        engine = self._running
        self.restore(saved)
        engine.set_step(self.step, parts)
        rows = [engine.states.copy()]
        while len(rows) <= count and engine.advance(1) == OK:
            rows.append(engine.states.copy())
        return np.array(rows)

    # Records

    def _recorded(self, engine: StepEngine, count: int) -> int:
        """Steps with rows in between."""
        done, code = 0, OK
        while done < count and code == OK:
            piece = min(self._every, count - done)
            code = engine.advance(piece)
            done += piece
            if code == OK:
                self._keep_row()
        return code

    def _keep_row(self) -> None:
        self._rows.append((self.time, *(self[name] for name in self._record_names)))

    @property
    def trajectory(self) -> Trajectory:
        """What was recorded since the start, as a run."""
        if not self._record_names:
            raise SimulationError(
                f"the stepper of {self.name!r} records nothing; make it with record=[...]"
            )
        rows = np.array(self._rows)
        quantities = [self._readable[name][2] for name in self._record_names]
        states = {q.name for q in self.prepared.program.states}
        return Trajectory(
            system=self.name,
            time=rows[:, 0],
            columns={q.name: rows[:, 1 + k] for k, q in enumerate(quantities)},
            units={q.name: q.unit for q in quantities},
            states=tuple(q.name for q in quantities if q.name in states),
            method=self.prepared.method.name,
            complete=True,
            note="",
            elapsed=0.0,
            steps=0,
            time_name=self.prepared.system.time.name,
        )

    def _known(self, name: str) -> tuple[str, int, Quantity]:
        if name in self._readable:
            return self._readable[name]
        where = f"the stepper of {self.name!r}"
        raise unknown_name("quantity", name, self._readable, where)

    def _unknown(self, name: str) -> tuple[str, int, Quantity]:
        if name in self._readable:
            kind, _, quantity = self._readable[name]
            of = f", the rate of {quantity.derivative_of!r}" if quantity.derivative_of else ""
            kind = "what a controller keeps" if kind == "memory" else f"an {kind}"
            raise SimulationError(f"{name!r} is {kind}{of}, which is computed and not set")
        raise unknown_name("quantity", name, self._settable, f"the stepper of {self.name!r}")


def system_stepper(
    system: System,
    *,
    step: float | str,
    method: str | FixedStep | None = None,
    parts: int = 1,
    initial: Mapping[str, float | str] | None = None,
    inputs: Mapping[str, float | str] | None = None,
    parameters: Mapping[str, float | str] | None = None,
    outputs: Sequence[str] | None = None,
    shapes: Mapping[str, InputShape] | None = None,
    starts: Sequence[StartPoint] = (),
    start: str | None = None,
    record: Sequence[str] = (),
    record_interval: float | str | None = None,
) -> Stepper:
    """The stepper of a system: ``start`` is the name of one of ``starts``, or the model's own.

    The other arguments are those of ``analysis.steady_start.stepper``, which solves for steady
    motions to start from.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.stepper.stepper import system_stepper
    >>> car = at.read_model("bicycle-car").formulate()
    >>> with system_stepper(car, step="1 ms", initial={"chassis.vx": "72 km/h"}) as s:
    ...     s["steer.angle"] = "1 deg"
    ...     s.advance("2 s")
    ...     print(f"{s['chassis.rate']:.3f} rad/s")
    0.097 rad/s
    """
    check_arguments(system_stepper, locals())
    prepared = step_program(system, method, outputs=outputs, shapes=shapes, starts=starts)
    known = {one.name: one for one in prepared.starts}
    if start is not None and start not in known:
        raise unknown_name("start", start, known, f"the stepper of {system.name!r}")
    first = known[start or OWN_START]
    if start is not None and (initial or inputs):
        raise SettingsError(f"initial values and inputs are given beside the start {start!r}")
    if start is None and (initial or inputs or parameters):
        problem = state_problem(system, initial=initial, inputs=inputs, parameters=parameters)
        if problem.tables or problem.system is not system:
            raise SettingsError(
                "inputs of a stepper are values, which are set while it runs; expected numbers"
            )
        first = StartPoint("given", "given by the caller", problem.states, problem.inputs)
    return Stepper(
        prepared, step, parts=parts, start=first, parameters=parameters,
        record=record, record_interval=record_interval,
    )  # fmt: skip


def _check_intervals(prepared: StepProgram, step: float) -> None:
    """Instants of controllers are beginnings of steps."""
    for law in prepared.laws:
        count = max(round(law.interval / step), 1)
        if abs(law.interval / step - count) > _WHOLE * count:
            raise SettingsError(
                f"the controller {law.name!r} has an interval of {law.interval:g} s, which is no "
                f"whole number of steps of {step:g} s; try steps of {law.interval / count:g} s"
            )


def _places(kind: str, quantities: Sequence[Quantity]) -> dict[str, tuple[str, int, Quantity]]:
    return {q.name: (kind, k, q) for k, q in enumerate(quantities)}


def _named(quantities: Sequence[Quantity], values: FloatArray) -> dict[str, float]:
    return {q.name: float(value) for q, value in zip(quantities, values, strict=False)}


def _outside(kind: str, quantity: Quantity, value: float) -> str:
    unit = "" if quantity.unit == "1" else f" {quantity.unit}"
    if not math.isfinite(value):
        expected = "a finite number"
    else:
        expected = f"a value between {quantity.lower:g} and {quantity.upper:g}"
    return f"{kind} {quantity.name!r} is {float(value)!r}{unit}; expected {expected}"


def _no_name(name: object) -> SettingsError:
    return SettingsError(f"a quantity is known by its name, one at a time; got {name!r}")


def _seconds(what: str, value: float | str, *, positive: bool = True) -> float:
    try:
        seconds = to_si(value, expected="s")
    except UnitError as error:
        raise SettingsError(f"{what}: {error}") from None
    if not math.isfinite(seconds) or (positive and not seconds > 0.0):
        raise SettingsError(f"{what} is {value!r}; expected a positive number of seconds")
    return seconds
