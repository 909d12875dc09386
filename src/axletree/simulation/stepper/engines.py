"""What takes the steps of a stepper: compiled C, or generated Python that does the same.

Both keep states, inputs, parameters and outputs in arrays that are read as they are, and return
the codes of ``stepper.h``.
"""

from __future__ import annotations

import ctypes
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from typing import Any, Final

import numpy as np

from axletree.code.backends.c import find_compiler, load_library
from axletree.code.backends.python_backend import PYTHON
from axletree.code.backends.runnable import warn_of_no_compiler
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.expr.quantity import Role
from axletree.simulation.checks import first_lost
from axletree.simulation.problem import Tolerances
from axletree.simulation.recording import empty_report
from axletree.simulation.stepper.c_interface import stepper_header, stepper_unit
from axletree.simulation.stepper.shaping import InputShape, InputTransition
from axletree.simulation.stepper.step_program import StepProgram
from axletree.system.sampled_laws import Rule

OK: Final = 0
NOT_FINITE, LOST, UNSOLVED = 10, 11, 12


class ValueArray(IntEnum):
    """Arrays of a stepper, by the numbers of ``stepper.h``."""

    STATES = 0
    INPUTS = 1
    PARAMETERS = 2
    OUTPUTS = 3
    MEMORY = 4


class StepEngine(ABC):
    """A run that is moved on; indices are those of the program."""

    language: str
    states: FloatArray
    inputs: FloatArray
    parameters: FloatArray
    memory: FloatArray  # of controllers

    @abstractmethod
    def time(self) -> float:
        """[s]"""

    @abstractmethod
    def place(self, states: FloatArray, inputs: FloatArray, time: float) -> None:
        """To states and inputs, which stand still there, at a time [s]."""

    @abstractmethod
    def set_step(self, step: float, parts: int) -> None:
        """Steps of this length [s] from now on, each in so many parts."""

    @abstractmethod
    def shape(self, index: int, shape: InputShape) -> None: ...

    @abstractmethod
    def set_state(self, index: int, value: float) -> None: ...

    @abstractmethod
    def set_input(self, index: int, value: float) -> None: ...

    @abstractmethod
    def set_parameters(self, values: FloatArray) -> None: ...

    @abstractmethod
    def outputs(self) -> FloatArray:
        """At the present time, to be read until the next call."""

    @abstractmethod
    def advance(self, steps: int) -> int:
        """A code."""

    @abstractmethod
    def culprit(self) -> int:
        """The place of the state or force that the last failure has to do with, or -1."""

    @abstractmethod
    def save(self) -> Any:
        """All that it is."""

    @abstractmethod
    def restore(self, saved: Any) -> None: ...


def step_engine(prepared: StepProgram, step: float, parts: int) -> StepEngine:
    """By the compiler of this machine; without one, in Python."""
    if find_compiler() is None:
        warn_of_no_compiler()
        return PythonEngine(prepared, step, parts)
    return CEngine(prepared, step, parts)


class CEngine(StepEngine):
    """A structure of C that is moved on by compiled code."""

    language = "C"

    def __init__(self, prepared: StepProgram, step: float, parts: int) -> None:
        compiler = find_compiler()
        assert compiler is not None
        source = stepper_header(prepared) + stepper_unit(prepared)
        self._library = load_library(source, compiler)
        number, index, place = ctypes.c_double, ctypes.c_int, ctypes.c_void_p
        long = ctypes.c_ulong
        bytes_of = self._function("bytes", [], long)
        init = self._function("init", [place, long, number], place)
        self._time = self._function("time", [place], number)
        self._place_at = self._function("place", [place, place, place, number], index)
        self._set_step = self._function("set_step", [place, number, index], index)
        self._shape = self._function("shape", [place, index, index, number], index)
        self._set = self._function("set", [place, index, index, number], index)
        self._values = self._function("values", [place, index], place)
        self._advance = self._function("advance", [place, ctypes.c_long], index)
        self._save = self._function("save", [place, place, long], index)
        self._restore = self._function("restore", [place, place, long], index)
        self._status = self._function("status", [place, ctypes.POINTER(index)], index)
        self._bytes = int(bytes_of())
        self._room = np.zeros(-(-self._bytes // 8))
        self._address = self._room.ctypes.data
        init(self._address, self._bytes, step)
        self.set_step(step, parts)
        program = prepared.program
        self.states = self._view(ValueArray.STATES, len(program.states))
        self.inputs = self._view(ValueArray.INPUTS, len(program.inputs))
        self.parameters = self._view(ValueArray.PARAMETERS, len(program.parameters))
        self._outputs = self._view(ValueArray.OUTPUTS, len(program.outputs))
        kept = len(prepared.memory)
        self.memory = self._view(ValueArray.MEMORY, kept) if kept else np.zeros(0)

    def _function(self, name: str, arguments: list[Any], result: Any) -> Any:
        function = getattr(self._library, f"model_stepper_{name}")
        function.argtypes, function.restype = arguments, result
        return function

    def _view(self, array: int, size: int) -> FloatArray:
        first = (self._values(self._address, array) - self._address) // 8
        return self._room[first : first + size]

    def time(self) -> float:
        return float(self._time(self._address))

    def place(self, states: FloatArray, inputs: FloatArray, time: float) -> None:
        x, u = (np.ascontiguousarray(values, dtype=float) for values in (states, inputs))
        self._place_at(self._address, x.ctypes.data, u.ctypes.data, time)

    def set_step(self, step: float, parts: int) -> None:
        self._set_step(self._address, step, parts)

    def shape(self, index: int, shape: InputShape) -> None:
        self._shape(self._address, index, shape.code, shape.seconds)

    def set_state(self, index: int, value: float) -> None:
        self._set(self._address, ValueArray.STATES, index, value)

    def set_input(self, index: int, value: float) -> None:
        self._set(self._address, ValueArray.INPUTS, index, value)

    def set_parameters(self, values: FloatArray) -> None:
        if values.size:
            self.parameters[:] = values
            self._set(
                self._address, ValueArray.PARAMETERS, 0, values[0]
            )  # constants are computed anew

    def outputs(self) -> FloatArray:
        self._values(self._address, ValueArray.OUTPUTS)
        return self._outputs

    def advance(self, steps: int) -> int:
        return int(self._advance(self._address, steps))

    def culprit(self) -> int:
        found = ctypes.c_int(-1)
        self._status(self._address, ctypes.byref(found))
        return found.value

    def save(self) -> bytes:
        room = np.zeros(len(self._room))
        self._save(self._address, room.ctypes.data, self._bytes)
        return room.tobytes()

    def restore(self, saved: Any) -> None:
        whole = isinstance(saved, bytes) and len(saved) == self._room.nbytes
        room = np.frombuffer(saved) if whole else np.zeros(0)
        if self._restore(self._address, room.ctypes.data, room.nbytes):
            raise SimulationError(_NOT_SAVED)


@dataclass(frozen=True)
class _PythonState:
    """All that a stepper in Python is."""

    model: str
    start: float  # [s]
    steps: int
    h: float  # [s]
    parts: int
    status: int
    where: int
    states: FloatArray
    parameters: FloatArray
    report: FloatArray
    levels: list[float]
    courses: list[InputTransition]
    shapes: list[InputShape]
    memory: FloatArray
    control: _Control


@dataclass(frozen=True)
class _Control:
    """Of the laws of controllers, but for what they keep."""

    origin: float = 0.0  # [s], of instant 0
    instants: tuple[int, ...] = ()  # of each law the number of the next one
    wishes: tuple[tuple[float, ...], ...] = ()  # of each law that acts; () of another
    outside: tuple[tuple[int, float], ...] = ()  # what was set from outside, by input
    given: frozenset[int] = frozenset()  # inputs that are commanded


_MOST_INSTANTS: Final = 9e15  # what is counted in steps that are longer than any
_NOT_SAVED: Final = "what is to be restored was not saved by a stepper of this model"


class PythonEngine(StepEngine):
    """Operation by operation what the stepper in C does; steps call it as a loop."""

    language = "Python"

    def __init__(self, prepared: StepProgram, step: float, parts: int) -> None:
        self._prepared = prepared
        program, method = prepared.program, prepared.method
        self._model = PYTHON.load(program)
        self._step = method.python_step
        self.tolerances: Tolerances = method.tolerances
        self.speeds = sum(q.role is Role.SPEED for q in program.states)
        self.report = empty_report(len(program.inputs))
        self.levels = [float(q.default) for q in program.inputs]
        self.states = np.zeros(len(program.states))
        self.inputs = np.zeros(len(program.inputs))
        self.parameters = np.array([q.default for q in program.parameters], dtype=float)
        self._shapes = [one.shape for one in prepared.shaped]
        self._courses: list[InputTransition] = []
        self.memory = np.zeros(len(prepared.memory))
        self._control = _Control()
        self._start, self._steps, self._h, self._parts = 0.0, 0, step / parts, parts
        self._status, self._where = OK, -1
        self.set_parameters(self.parameters)
        own = prepared.starts[0]
        self.place(own.states, own.inputs, 0.0)

    def time(self) -> float:
        return self._start + self._h * float(self._steps)

    def call(self, routine: str, t: float, x: list[float], *more: list[float]) -> list[float]:
        """What a routine computes; steps call this."""
        self._set_levels(t)
        return self._model.function(routine)(t, x, self.levels, self._constants, *more)

    def _set_levels(self, t: float) -> None:
        for one, course in zip(self._prepared.shaped, self._courses, strict=True):
            for place, value in zip(one.places, course.at(t), strict=True):
                if place >= 0:
                    self.levels[place] = value

    def place(self, states: FloatArray, inputs: FloatArray, time: float) -> None:
        self._start, self._steps = time, 0
        self.states[:] = states
        self.levels[:] = [*np.asarray(inputs, dtype=float).tolist(), *[0.0] * self._prepared.forces]
        self.report[:] = 0.0
        self._courses = [
            InputTransition(self.levels[one.places[0]]) for one in self._prepared.shaped
        ]
        self.memory[:] = [q.default for q in self._prepared.memory]
        count = len(self._prepared.laws)
        outside = ((place, self.levels[place]) for place in self._commanded)
        self._control = _Control(time, (0,) * count, ((),) * count, tuple(outside))
        self._renew()

    def _renew(self) -> None:
        self._status, self._where, self.report[0] = OK, -1, 0.0
        if self._prepared.method.solves:  # the step is solved, not taken
            self._step(self, self.time(), self._h, self.states.tolist())  # type: ignore[arg-type]
        self._show_inputs()

    def _show_inputs(self) -> None:
        self._set_levels(self.time())
        self.inputs[:] = self.levels

    def set_step(self, step: float, parts: int) -> None:
        self._start, self._steps = self.time(), 0
        self._h, self._parts = step / parts, parts

    def shape(self, index: int, shape: InputShape) -> None:
        self._shapes[self._course_of(index)] = shape

    def _course_of(self, index: int) -> int:
        return next(k for k, one in enumerate(self._prepared.shaped) if one.places[0] == index)

    def set_state(self, index: int, value: float) -> None:
        self.states[index] = value
        self._renew()

    def set_input(self, index: int, value: float) -> None:
        k = self._course_of(index)
        if index in self._commanded:
            outside = dict(self._control.outside) | {index: value}
            self._control = replace(self._control, outside=tuple(outside.items()))
        if index in self._control.given:
            return  # it waits until no law commands the input any more
        if value != self._courses[k].end:  # on its way there it goes on
            self._courses[k] = self._shapes[k].towards(value, self._courses[k], self.time())
        self._show_inputs()

    def set_parameters(self, values: FloatArray) -> None:
        self.parameters[:] = values
        self._constants: list[float] = self._model.constants(self.parameters).tolist()

    def outputs(self) -> FloatArray:
        return np.array(self.call("outputs", self.time(), self.states.tolist()))

    def advance(self, steps: int) -> int:
        for _ in range(steps * self._parts if self._status == OK else 0):
            self._status, self._where = self._take_part()
            if self._status != OK:
                break
            self._steps += 1
        self._show_inputs()
        return self._status

    @cached_property
    def _commanded(self) -> dict[int, tuple[str, Rule]]:
        """Inputs that laws wish something for, by place."""
        places = {q.name: k for k, q in enumerate(self._prepared.program.inputs)}
        return {places[n]: (n, rule) for n, rule in self._prepared.commanded.items()}

    def _act(self) -> None:
        """Laws that are due read, and then give, as in ``axl_control``."""
        t, laws, now = self.time(), self._prepared.laws, self._control
        since = t - now.origin + 0.25 * self._h
        due = [k for k, law in enumerate(laws) if since >= now.instants[k] * law.interval]
        if not due:
            return
        self._set_levels(t)
        instants, wishes = list(now.instants), list(now.wishes)
        places = {q.name: k for k, q in enumerate(self._prepared.program.inputs)}
        first = 0
        for k, law in enumerate(laws):
            kept = slice(first, first + len(law.memory))
            first = kept.stop
            if k not in due:
                continue
            instants[k] = int(min(since / law.interval, _MOST_INSTANTS)) + 1
            routine = self._model.function(self._model.program.laws[k].name)
            memory = self.memory[kept].tolist()
            found = routine(t, self.states.tolist(), self.levels, self._constants, memory)
            self.memory[kept] = found[: len(memory)]
            acts = self.levels[places[law.switch.name]] >= 0.5
            wishes[k] = tuple(found[len(memory) :]) if acts else ()
        self._control = replace(now, instants=tuple(instants), wishes=tuple(wishes))
        for name in dict.fromkeys(one.name for k in due for one in laws[k].commands):
            self._give(places[name], name, t)

    def _give(self, place: int, name: str, t: float) -> None:
        """To an input what the laws that act wish for it, or back to what was set from outside."""
        now, k = self._control, self._course_of(place)
        found = [
            wish
            for law, wishes in zip(self._prepared.laws, now.wishes, strict=True)
            for one, wish in zip(law.commands, wishes, strict=False)
            if one.name == name
        ]
        if found:
            quantity = self._prepared.program.inputs[place]
            value = self._commanded[place][1].of(found)
            self._courses[k] = InputTransition(min(max(value, quantity.lower), quantity.upper))
            self._control = replace(now, given=now.given | {place})
        elif place in now.given:
            value = dict(now.outside)[place]
            self._courses[k] = self._shapes[k].towards(value, self._courses[k], t)
            self._control = replace(now, given=now.given - {place})

    def _take_part(self) -> tuple[int, int]:
        if self._prepared.laws:
            self._act()
        before = self.states.tolist()
        x = self._step(self, self.time(), self._h, list(before))  # type: ignore[arg-type]
        if self.report[0]:
            marked = np.flatnonzero(self.report[1 : 1 + self._prepared.forces])
            first = len(self.levels) - self._prepared.forces
            return UNSOLVED, first + int(marked[0]) if marked.size else -1
        if self._model.program.project is not None:
            x = self.call("project", self._start + self._h * float(self._steps + 1), x)
        wrong = [k for k, value in enumerate(x) if not math.isfinite(value)]
        if wrong:
            return NOT_FINITE, wrong[0]
        lost = first_lost(self._prepared.turns, before, x)
        if lost is not None:
            return LOST, lost.middle
        self.states[:] = x
        return OK, -1

    def culprit(self) -> int:
        return self._where

    def save(self) -> Any:
        return _PythonState(
            self._prepared.program.name, self._start, self._steps, self._h, self._parts,
            self._status, self._where, self.states.copy(), self.parameters.copy(),
            self.report.copy(), list(self.levels), list(self._courses), list(self._shapes),
            self.memory.copy(), self._control,
        )  # fmt: skip

    def restore(self, saved: Any) -> None:
        if not isinstance(saved, _PythonState) or saved.model != self._prepared.program.name:
            raise SimulationError(_NOT_SAVED)
        self._start, self._steps, self._h = saved.start, saved.steps, saved.h
        self._parts, self._status, self._where = saved.parts, saved.status, saved.where
        self.states[:], self.report[:] = saved.states, saved.report
        self.levels[:] = saved.levels
        self._courses, self._shapes = list(saved.courses), list(saved.shapes)
        self.memory[:], self._control = saved.memory, saved.control
        self.set_parameters(saved.parameters)
        self._show_inputs()
