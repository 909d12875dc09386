"""Controllers in a run: at rates of their own they see what they ask for, and set inputs.

At each of its instants a controller is given the present values of what it ``reads``, or what
sensors make of them; the values that it gives hold from there until its next instant, with rates of
0, and actuators may lie between them and the inputs. Controllers of one instant read before any of
them has given. Where several wish for one input, its rule says what it has; where none does, it
stays as it is.
"""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Real
from types import FrameType
from typing import Any, Final, Protocol

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.registry import few_names, refuse_unknown
from axletree.core.units import UnitError, to_si
from axletree.expr.quantity import Quantity
from axletree.simulation.control.actuators import Actuator, ActuatorMotion
from axletree.simulation.control.sensors import Sensor, SensorSignal
from axletree.simulation.fmu.fmu import Fmu
from axletree.simulation.problem import Problem, SettingsError
from axletree.system.sampled_laws import Rule
from axletree.system.system import System

_EARLIEST: Final = 0.25  # of a step: what an instant may be late by for rounding
_NO_ACTUATOR: Final = Actuator()
_WHOLE: Final = 1e-6  # of a step: what a whole number of steps may be off by


class Controller(Protocol):
    """What a controller is; ``Fmu`` is one."""

    def reset(self) -> None:
        """Before the first instant of a run."""

    def update(self, t: float, measured: Mapping[str, float]) -> Mapping[str, float]:
        """Commands by name, from what is measured at t [s], by the names that it reads them by."""
        ...


class ControllerError(SimulationError):
    """A controller that failed in a run."""


@dataclass(frozen=True)
class ControlLoop:
    """A controller with its rate, and with what it is connected to.

    Parameters
    ----------
    controller: an object with ``reset()`` and ``update(t, measured) -> commands``, or an ``Fmu``.
    interval: s between its instants, a whole number of steps of the run.
    reads: names of states, inputs and outputs that it sees; or, by its own names, these names.
        Unless given, of an ``Fmu`` its ``reads``. All values are in SI units, those of an ``Fmu``
        in its own.
    sets: inputs that it may give; or, by input, its own name of the command. Unless given, of
        an ``Fmu`` its ``sets``.
    name: in messages; of its class or file unless given.
    timeout: s of the clock that an answer may take.
    sensors: by own name of what it reads, what lies between; the rest it sees as it is.
    actuators: by input, what lies between its commands and the input.
    rules: by input, what the input has where other controllers of the run set it, too: "first" (as
        without), "minimum", "maximum", "sum", or "alone". Two controllers of one input have the
        same rule for it. A wish lasts until the next instant of the controller that has it.

    Example:
    >>> import axletree as at
    >>> class KeepSpeed:
    ...     def reset(self) -> None:
    ...         self.error = 0.0
    ...
    ...     def update(self, t, measured):
    ...         self.error += 0.01 * (25.0 - measured["vehicle.forward_speed"])  # m
    ...         return {"driver.throttle": min(max(0.1 + 0.02 * self.error, 0.0), 1.0)}
    >>> loop = at.ControlLoop(
    ...     KeepSpeed(), "10 ms", reads=["vehicle.forward_speed"], sets=["driver.throttle"]
    ... )
    >>> loop.name
    'KeepSpeed'
    """

    controller: Any
    interval: float | str
    reads: Mapping[str, str] | Sequence[str] | None = None
    sets: Mapping[str, str] | Sequence[str] | None = None
    name: str = ""
    timeout: float | str = 10.0
    sensors: Mapping[str, Sensor] = field(default_factory=dict)
    actuators: Mapping[str, Actuator] = field(default_factory=dict)
    rules: Mapping[str, Rule | str] = field(default_factory=dict)

    def __repr__(self) -> str:
        reads = few_names(_pairs(self.reads).values(), 6) or "nothing"
        sets = few_names(_pairs(self.sets), 6) or "nothing"
        each = f"every {1e3 * float(self.interval):g} ms"
        return f"ControlLoop {self.name!r}, {each}: reads {reads}; sets {sets}"

    def __post_init__(self) -> None:
        one = self.controller
        missing = [name for name in ("reset", "update") if not callable(getattr(one, name, None))]
        if missing or isinstance(one, type):
            what = f"the class {one.__name__}" if isinstance(one, type) else repr(one)
            raise SettingsError(
                f"the controller is {what}; expected an object with reset() and "
                "update(t, measured), or an at.Fmu"
            )
        is_fmu = isinstance(one, Fmu)
        chosen = one.name if is_fmu else type(one).__name__
        reads = one.reads if self.reads is None and is_fmu else self.reads
        sets = one.sets if self.sets is None and is_fmu else self.sets
        values = {
            "name": self.name or chosen, "reads": _pairs(reads), "sets": _pairs(sets),
            "interval": _seconds("interval", self.interval),
            "timeout": _seconds("timeout", self.timeout),
        }  # fmt: skip
        for name, value in values.items():
            object.__setattr__(self, name, value)
        self._check_between()

    def _check_between(self) -> None:
        """Sensors, actuators and rules are for what it reads and sets."""
        where = f"the controller {self.name!r}"
        for what, given, known, kind in (
            ("sensors", self.sensors, self.reads, Sensor),
            ("actuators", self.actuators, self.sets, Actuator),
            ("rules", self.rules, self.sets, (Rule, str)),
        ):
            if not isinstance(given, Mapping):
                raise SettingsError(f"{what} of {where} is {given!r}; expected a mapping by name")
            refuse_unknown(what.removesuffix("s"), given, _pairs(known), f"{what} of {where}")
            for name, one in given.items():
                if not isinstance(one, kind):
                    raise SettingsError(
                        f"{what} of {where}: {name}: {one!r}; expected an at.{what[:-1].title()}"
                    )
        object.__setattr__(self, "rules", {k: self._rule(k, one) for k, one in self.rules.items()})

    def _rule(self, name: str, given: Rule | str) -> Rule:
        words = [one.value for one in Rule]
        if not isinstance(given, Rule) and given not in words:
            raise SettingsError(
                f"rules of the controller {self.name!r}: {name}: {given!r}; expected one of "
                f"{', '.join(words)}"
            )
        return Rule(given)


def _pairs(names: Mapping[str, str] | Sequence[str] | None) -> dict[str, str]:
    if isinstance(names, str):
        raise SettingsError(f"reads or sets of a controller is {names!r}; expected names in a list")
    return dict(names) if isinstance(names, Mapping) else {name: name for name in names or ()}


def _seconds(what: str, value: float | str) -> float:
    try:
        seconds = to_si(value, expected="s")
    except UnitError as error:
        raise SettingsError(f"{what} of a controller: {error}") from None
    if not (math.isfinite(seconds) and seconds > 0.0):
        raise SettingsError(f"{what} of a controller is {value!r}; expected a positive time in s")
    return seconds


def common_step(loops: Iterable[ControlLoop], longest: float) -> float:
    """The longest step [s] of which the intervals of loops and of their sensors, and ``longest``,
    are whole numbers, to a microsecond.

    Example:
    >>> import axletree as at
    >>> from axletree.simulation.control.controllers import common_step
    >>> class Wait:
    ...     def reset(self): ...
    ...     def update(self, t, measured):
    ...         return {}
    >>> loop = at.ControlLoop(Wait(), "12 ms", sets=["driver.brake"])
    >>> common_step([loop], 5e-3), common_step([], 5e-3)  # s
    (0.001, 0.005)
    """
    intervals = [longest]
    for loop in loops:
        intervals.append(float(loop.interval))
        intervals += [
            to_si(one.interval, expected="s")
            for one in loop.sensors.values()
            if one.interval is not None
        ]
    return max(math.gcd(*(round(1e6 * one) for one in intervals)), 1) / 1e6


def controlled_names(system: System, loops: Sequence[ControlLoop]) -> tuple[str, ...]:
    """What of a system controllers read and set, which runs with them record."""
    for loop in loops:
        if not isinstance(loop, ControlLoop):
            raise SettingsError(
                f"a controller is {loop!r}; expected at.ControlLoop(controller, interval, ...)"
            )
    wanted = [name for loop in loops for name in (*_pairs(loop.reads).values(), *_pairs(loop.sets))]
    known = {q.name for q in system.inputs}
    known |= {one.quantity.name for one in (*system.outputs, *system.intermediates)}
    return tuple(dict.fromkeys(name for name in wanted if name in known))


def controllers_of(problem: Problem, loops: Sequence[ControlLoop]) -> Controllers:
    """The controllers of a run, each of which has more instants than its start."""
    for loop in loops:
        if float(loop.interval) >= problem.duration:
            raise SettingsError(
                f"the controller {loop.name!r} has an interval of {loop.interval:g} s, and the run "
                f"ends after {problem.duration:g} s: it would act at the start alone; give a "
                "shorter interval, such as '10 ms'"
            )
        for kind, given in (("sensor", loop.sensors), ("actuator", loop.actuators)):
            for name, one in given.items():
                delay = _delay(kind, name, one)
                if delay >= problem.duration:
                    raise SettingsError(
                        f"the {kind} of {name!r} of the controller {loop.name!r} has a delay of "
                        f"{delay:g} s, and the run ends after {problem.duration:g} s: nothing "
                        "would come through; give a shorter delay, such as '10 ms'"
                    )
    return Controllers(problem, loops)


def _delay(kind: str, name: str, one: Sensor | Actuator) -> float:
    try:
        return to_si(one.delay, expected="s")
    except UnitError as error:
        raise SettingsError(f"the {kind} of {name!r}: {error}") from None


class RunningLoop(Protocol):
    """What controllers need of the loop that takes the steps."""

    @property
    def step(self) -> int:
        """Steps done."""

    @property
    def levels(self) -> Any:
        """Of inputs, which are set in place."""

    def present(self) -> tuple[float, Iterable[float], Iterable[float]]:
        """Time [s], states and outputs; inputs are brought up to date."""
        ...


@dataclass(frozen=True)
class _Connected:
    """A loop in a run: places of what it reads and sets, with factors of its units."""

    loop: ControlLoop
    every: int  # steps
    reads: tuple[tuple[str, str, float], ...]  # own name, quantity, own units in an SI unit
    sets: tuple[tuple[Quantity, int, str, float], ...]  # input, place, own name, likewise


@dataclass(frozen=True)
class _Sampled:
    """A sensor in a run."""

    signal: SensorSignal
    quantity: str
    every: int  # steps


class Controllers:
    """The controllers of a run."""

    def __init__(self, problem: Problem, loops: Sequence[ControlLoop]) -> None:
        self._system, self._problem = problem.system, problem
        self._step = problem.step or math.nan
        self._connected = [self._connect(loop) for loop in loops]
        names = [loop.name for loop in loops]
        if double := [name for name in names if names.count(name) > 1]:
            raise SettingsError(f"two controllers have the name {double[0]!r}; name one of them")
        self._rules = {place: self._rule_of(place) for place in self._places()}
        self._actuators = {place: self._actuator_of(place) for place in self._rules}
        self._columns: list[str] = []
        self._given: list[tuple[float, list[float]]] = []  # times and commands of this run
        self._renew()

    def _connect(self, loop: ControlLoop) -> _Connected:
        system, where = self._system, f"the controller {loop.name!r}"
        reads, sets = _pairs(loop.reads), _pairs(loop.sets)
        known = _known(system)
        refuse_unknown("quantity", reads.values(), known, where)
        settable = {q.name: q for q in system.inputs if not q.derivative_of}
        if taken := sorted(set(self._problem.signals) & set(sets)):
            raise SettingsError(
                f"{taken[0]!r} follows a signal of the manoeuvre or of inputs={{...}}, and the "
                f"controller {loop.name!r} sets it; leave one of the two out"
            )
        refuse_unknown("input", sets, settable, where)
        if not sets:
            raise SettingsError(f"{where} sets nothing; name inputs in sets=[...]")
        places = {q.name: k for k, q in enumerate(system.inputs)}
        return _Connected(
            loop, self._steps(float(loop.interval), where),
            tuple((own, name, _factor(loop, own, known[name])) for own, name in reads.items()),
            tuple(
                (settable[name], places[name], own, _factor(loop, own, settable[name]))
                for name, own in sets.items()
            ),
        )  # fmt: skip

    def _steps(self, interval: float, where: str) -> int:
        """Of a run in an interval [s]."""
        step = self._step
        every = round(interval / step)
        if every < 1 or abs(interval / step - every) > _WHOLE * every:
            raise SettingsError(
                f"{where} has an interval of {interval:g} s, which is no whole number of "
                f"steps of {step:g} s; try {max(every, 1) * step:g} s, or another step"
            )
        return every

    def _places(self) -> list[int]:
        """Of inputs that are set."""
        return list(dict.fromkeys(place for one in self._connected for _, place, *_ in one.sets))

    def _setting(self, place: int) -> tuple[str, list[ControlLoop]]:
        """An input, and the loops that set it."""
        name = self._system.inputs[place].name
        return name, [one.loop for one in self._connected if name in _pairs(one.loop.sets)]

    def _rule_of(self, place: int) -> Rule:
        name, loops = self._setting(place)
        rules = {loop.name: Rule(loop.rules.get(name, Rule.FIRST)) for loop in loops}
        if len(rules) > 1 and (Rule.ALONE in rules.values() or len(set(rules.values())) > 1):
            own = ", ".join(f"{loop!r} by the rule {rule.value!r}" for loop, rule in rules.items())
            raise SettingsError(
                f"several controllers set {name!r}: {own}; give all of them one rule that lets "
                "others set it, or take it out of sets"
            )
        return next(iter(rules.values()))

    def _actuator_of(self, place: int) -> Actuator | None:
        name, loops = self._setting(place)
        found = {loop.name: loop.actuators[name] for loop in loops if name in loop.actuators}
        if len(set(found.values())) > 1:
            raise SettingsError(
                f"{' and '.join(map(repr, found))} have different actuators for {name!r}; one "
                "input has one actuator"
            )
        return next(iter(found.values()), None)

    def _renew(self) -> None:
        """Sensors, actuators and wishes as at the beginning of a run."""
        known, inputs = _known(self._system), self._system.inputs
        self._sampled = {
            (one.loop.name, own): self._sampling(one, own, known[quantity])
            for one in self._connected
            for own, quantity, _ in one.reads
            if own in one.loop.sensors
        }
        self._motions: dict[int, ActuatorMotion] = {
            place: actuator.motion(
                inputs[place].name, inputs[place].unit,
                start=float(self._problem.inputs[place]), step=self._step,
            )
            for place, actuator in self._actuators.items()
            if actuator is not None
        }  # fmt: skip
        self._wishes: dict[int, dict[str, float]] = {place: {} for place in self._rules}  # by loop

    def _sampling(self, one: _Connected, own: str, quantity: Quantity) -> _Sampled:
        samples = one.loop.sensors[own].signal(own, quantity.unit)
        where = f"the sensor of {own!r} of the controller {one.loop.name!r}"
        every = one.every if samples.interval is None else self._steps(samples.interval, where)
        return _Sampled(samples, quantity.name, every)

    def begin(self, outputs: Sequence[Quantity]) -> None:
        """Before the first step; ``outputs`` are those that the loop computes."""
        system = self._system
        self._columns = [q.name for q in (*system.states, *outputs)]
        self._given = []
        self._renew()
        for one in self._connected:
            _answer(one.loop, self._problem.start, one.loop.controller.reset)

    def next(self, step: int) -> int:
        """The next step at which one of them is due."""
        if self._motions:
            return step + 1
        rates = [*(one.every for one in self._connected)]
        rates += [one.every for one in self._sampled.values()]
        return min(every * (step // every + 1) for every in rates)

    def visit(self, running: RunningLoop) -> None:
        """Those that are due at the present step read, and then give."""
        step = running.step
        due = [one for one in self._connected if step % one.every == 0]
        sampled = [one for one in self._sampled.values() if step % one.every == 0]
        if due or sampled:
            t, values = self._values(running)
            for each in sampled:
                each.signal.take(t, float(values[each.quantity]))
            for one in due:
                self._update(one, t, values)
            self._command(running, t, {place for one in due for _, place, *_ in one.sets})
        t = self._problem.start + step * self._step
        for place, motion in self._motions.items():
            running.levels[place] = self._within(place, motion.move(t))
        if due or self._motions:
            levels = [float(running.levels[place]) for place in self._rules]
            self._given.append((t, levels))

    def _values(self, running: RunningLoop) -> tuple[float, dict[str, float]]:
        """By name; inputs that follow expressions have their values among the outputs."""
        t, states, outputs = running.present()
        inputs = zip(self._system.inputs, running.levels, strict=False)
        values = {q.name: float(level) for q, level in inputs}
        return t, values | dict(zip(self._columns, [*states, *outputs], strict=True))

    def _update(self, one: _Connected, t: float, values: Mapping[str, float]) -> None:
        """What a loop wishes from now on."""
        measured = {}
        for own, name, factor in one.reads:
            sampled = self._sampled.get((one.loop.name, own))
            seen = float(values[name]) if sampled is None else sampled.signal.newest(t)
            measured[own] = seen * factor
        for _, place, *_ in one.sets:
            self._wishes[place].pop(one.loop.name, None)
        for place, value in _commands(one, t, measured):
            self._wishes[place][one.loop.name] = value

    def _command(self, running: RunningLoop, t: float, places: Iterable[int]) -> None:
        """Inputs for which there are new wishes get what their rule says."""
        for place in places:
            wishes = [
                self._wishes[place][one.loop.name]
                for one in self._connected
                if one.loop.name in self._wishes[place]
            ]
            if not wishes:
                continue
            value = self._within(place, self._rules[place].of(wishes))
            if place in self._motions:
                self._motions[place].command(t, value)
            else:
                running.levels[place] = value

    def _within(self, place: int, value: float) -> float:
        """Sums may leave the bounds of an input that each wish keeps to."""
        quantity = self._system.inputs[place]
        return min(max(value, quantity.lower), quantity.upper)

    def with_commands(self, loop: LoopFromStates) -> CommandedLoop:
        """A loop that takes steps from states of this run again, with what was commanded then."""
        times, commands = zip(*self._given, strict=True)
        return CommandedLoop(loop, tuple(self._rules), np.array(times), commands)


def _known(system: System) -> dict[str, Quantity]:
    """What controllers may read."""
    known = {q.name: q for q in (*system.states, *system.inputs)}
    return known | {
        one.quantity.name: one.quantity for one in (*system.outputs, *system.intermediates)
    }


class LoopFromStates(Protocol):
    """Steps from states of a run, and outputs there, with levels of inputs as they are set."""

    @property
    def levels(self) -> Any: ...

    def steps_from(
        self, times: FloatArray, starts: FloatArray, h: float, count: int
    ) -> FloatArray: ...

    def outputs_at(self, times: FloatArray, starts: FloatArray, h: float) -> FloatArray: ...


@dataclass(frozen=True)
class CommandedLoop:
    """Steps from states of a run with controllers, which are not asked again."""

    loop: LoopFromStates
    places: Sequence[int]  # of inputs that they set
    instants: FloatArray  # s
    commands: Sequence[Sequence[float]]  # by instant and place

    def steps_from(self, times: FloatArray, starts: FloatArray, h: float, count: int) -> FloatArray:
        rows = [self._steps(float(t), x, h, count) for t, x in zip(times, starts, strict=True)]
        return np.array(rows).reshape(starts.shape)

    def outputs_at(self, times: FloatArray, starts: FloatArray, h: float) -> FloatArray:
        rows = []
        for t, x in zip(times, starts, strict=True):
            self._command(float(t), h)
            rows.append(self.loop.outputs_at(np.array([t]), x[None], h)[0])
        return np.array(rows)

    def _steps(self, t: float, x: FloatArray, h: float, count: int) -> FloatArray:
        """In pieces, each up to the next instant."""
        state = x[None]
        while count:
            until = self._command(t, h)
            piece = min(count, max(round((until - t) / h), 1)) if until < math.inf else count
            state = self.loop.steps_from(np.array([t]), state, h, piece)
            t, count = t + piece * h, count - piece
        return np.asarray(state[0])

    def _command(self, t: float, h: float) -> float:
        """Sets what was commanded last, and tells until when [s] it holds."""
        now = int(np.searchsorted(self.instants, t + _EARLIEST * h, side="right")) - 1
        for place, value in zip(self.places, self.commands[max(now, 0)], strict=True):
            self.loop.levels[place] = value
        return float(self.instants[now + 1]) if now + 1 < len(self.instants) else math.inf


def _factor(loop: ControlLoop, own: str, quantity: Quantity) -> float:
    controller = loop.controller
    if not isinstance(controller, Fmu):
        return 1.0
    refuse_unknown("variable", [own], controller.units, f"the FMU {controller.name!r}")
    return controller.unit_factor(own, quantity.name, quantity.unit)


def _commands(
    one: _Connected, t: float, measured: Mapping[str, float]
) -> Iterator[tuple[int, float]]:
    """What a controller gives, checked, in SI units."""
    loop = one.loop
    found = _answer(loop, t, loop.controller.update, t, measured)
    if not isinstance(found, Mapping):
        raise ControllerError(
            f"{_at(loop, t)} gives {found!r}; expected commands by name, such as "
            f"{{{one.sets[0][2]!r}: 0.0}}"
        )
    known = [own for *_, own, _ in one.sets]
    further = [name for name in found if name not in known]
    if further and not isinstance(loop.controller, Fmu):  # whose outputs may lead nowhere
        raise ControllerError(
            f"{_at(loop, t)} gives {further[0]!r}, which is none of its commands; expected "
            f"{', '.join(map(repr, known))}"
        )
    for quantity, place, own, factor in one.sets:
        if own not in found:
            continue
        value = found[own]
        is_number = isinstance(value, Real) and math.isfinite(value)
        number = float(value) / factor if is_number else math.nan
        actuator = loop.actuators.get(quantity.name, _NO_ACTUATOR)
        lower = quantity.lower if actuator.lower is None else -math.inf  # it keeps to its own
        upper = quantity.upper if actuator.upper is None else math.inf
        if not (lower <= number <= upper and math.isfinite(number)):
            bounds = f" between {quantity.lower:g} and {quantity.upper:g}"
            unit = "" if quantity.unit == "1" else f" {quantity.unit}"
            raise ControllerError(
                f"{_at(loop, t)} gives {value!r} for {quantity.name!r}; expected a number"
                f"{unit}{bounds if math.isfinite(quantity.upper - quantity.lower) else ''}"
            )
        yield place, number


def _at(loop: ControlLoop, t: float) -> str:
    return f"the controller {loop.name!r} at t = {t:g} s"


def _answer(loop: ControlLoop, t: float, function: Callable[..., Any], *given: Any) -> Any:
    try:
        with _within(loop, t):
            return function(*given)
    except ControllerError:
        raise
    except AxletreeError as error:
        raise ControllerError(f"{_at(loop, t)} fails: {error}") from error
    except Exception as error:  # whatever a controller of others raises is told, and records kept
        raise ControllerError(f"{_at(loop, t)} raises {type(error).__name__}: {error}") from error


@contextmanager
def _within(loop: ControlLoop, t: float) -> Iterator[None]:
    """Python itself is interrupted where its signals are to be had; an Fmu has a process."""
    watched = not isinstance(loop.controller, Fmu) and hasattr(signal, "setitimer")
    if not watched or threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(number: int, frame: FrameType | None) -> None:
        raise ControllerError(f"{_at(loop, t)} gives no answer within {loop.timeout:g} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, float(loop.timeout))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
