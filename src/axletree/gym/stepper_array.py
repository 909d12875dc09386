"""Steppers of one model in one array of memory, moved on together by one call.

Rows are shared out among threads in blocks; C runs without the interpreter's lock. Nothing is
shared between rows, so that each of them moves as a stepper on its own does, bit for bit.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from axletree.code.backends.c import find_compiler, load_library
from axletree.code.backends.runnable import warn_of_no_compiler
from axletree.code.printers.dialect import packaged_text
from axletree.core.arrays import FloatArray
from axletree.core.errors import SimulationError
from axletree.core.registry import refuse_unknown
from axletree.simulation.stepper.c_interface import stepper_header, stepper_unit
from axletree.simulation.stepper.engines import OK, PythonEngine, ValueArray
from axletree.simulation.stepper.step_program import StepProgram

_ROWS_TEXT: Final = packaged_text(__package__, "stepper_array.c")
_LINE: Final = 8  # numbers of a cache line, which no two rows share
_FEWEST: Final = 4  # rows of a block: fewer are not worth handing over to a thread

IntArray = NDArray[np.int64]


def array_library(program: StepProgram) -> ctypes.CDLL | None:
    """The compiled code of a program, by which arrays of its steppers are made; None where there is
    no compiler.

    Example:
    >>> import axletree as at
    >>> from axletree.gym.stepper_array import array_library
    >>> from axletree.simulation.stepper.step_program import step_program
    >>> library = array_library(step_program(at.read_model("pendulum").formulate(), "rk4"))
    >>> library is None or library.model_stepper_abi() >= 1001
    True
    """
    compiler = find_compiler()
    if compiler is None:
        return None
    source = stepper_header(program) + stepper_unit(program, more=[_ROWS_TEXT])
    return load_library(source, compiler)


class StepperArray:
    """So many steppers of a program, each with states, inputs and parameters of its own.

    Before steps ``levels`` has the inputs in columns, in the order in which they are named, and
    ``steps`` how many each row takes. After them ``outputs`` has a row for each, and ``codes`` what
    its steps came to, 0 where all is well (see ``stepper.h``). All four stay where they are.

    Example:
    >>> import axletree as at
    >>> from axletree.gym.stepper_array import StepperArray
    >>> from axletree.simulation.stepper.step_program import step_program
    >>> car = at.read_model("bicycle-car").formulate()
    >>> program = step_program(car, "semi-implicit-euler", outputs=["front_tyre.slip_angle"])
    >>> cars = StepperArray(program, 2, step=1e-3, inputs=["steer.angle"])  # s
    >>> cars.levels[:, 0] = 0.01, 0.02  # rad
    >>> cars.steps[:] = 100
    >>> cars.advance()
    >>> print(f"{cars.outputs[1, 0] / cars.outputs[0, 0]:.2f} times the slip angle")
    2.02 times the slip angle
    """

    def __init__(
        self,
        program: StepProgram,
        count: int,
        *,
        step: float,
        inputs: Sequence[str],
        threads: int = 1,
        library: ctypes.CDLL | None = None,
    ) -> None:
        self.program, self.count, self.step = program, count, step
        names = [q.name for q in program.system.inputs]
        refuse_unknown("input", inputs, names, f"the stepper of {program.system.name!r}")
        self.places: IntArray = np.array([names.index(name) for name in inputs], dtype=np.int64)
        self.levels: FloatArray = np.zeros((count, len(inputs)))
        self.steps: IntArray = np.zeros(count, dtype=np.int64)
        self.outputs: FloatArray = np.zeros((count, len(program.program.outputs)))
        self.codes: IntArray = np.zeros(count, dtype=np.int64)
        library = library or array_library(program)
        if library is None:
            warn_of_no_compiler()
            self._rows: _Rows = _PythonRows(self)
        else:
            self._rows = _CRows(self, library)
        blocks = 1 if library is None else max(1, min(threads, count // _FEWEST))
        edges = np.linspace(0, count, blocks + 1).astype(int).tolist()
        self._works = [self._rows.work(first, last) for first, last in pairwise(edges)]
        self._done: SimpleQueue[bool] = SimpleQueue()
        self._asked = [self._worker(work) for work in self._works[1:]]

    def _worker(self, work: Callable[[], None]) -> SimpleQueue[bool]:
        """The questions of a thread that does a piece of work when asked, until the array goes."""
        asked: SimpleQueue[bool] = SimpleQueue()
        Thread(target=_serve, args=(asked, self._done, work), daemon=True).start()
        finalize(self, asked.put, False)
        return asked

    def place(
        self, row: int, states: FloatArray, inputs: FloatArray, parameters: FloatArray
    ) -> None:
        """A row to states and inputs, which stand still there, at time 0; outputs are those."""
        self._rows.place(row, states, inputs, parameters)
        self.codes[row] = OK

    def advance(self) -> None:
        """The steps of all rows; one that has none stays as it is."""
        for asked in self._asked:
            asked.put(True)
        self._works[0]()
        for _ in self._asked:
            self._done.get()
        for work in self._works[1 + len(self._asked) :]:  # of threads that were given back
            work()

    def states(self, row: int) -> FloatArray:
        """In the order of the program; a copy."""
        return self._rows.states(row)

    def parameters(self, row: int) -> FloatArray:
        """In the order of the program; a copy."""
        return self._rows.parameters(row)

    def close(self) -> None:
        """Give its threads back; steps go on in the thread that asks for them."""
        for asked in self._asked:
            asked.put(False)
        self._asked = []


def _serve(asked: SimpleQueue[bool], done: SimpleQueue[bool], work: Callable[[], None]) -> None:
    """In a thread that holds nothing of the array, so that an array may go without its end."""
    while asked.get():
        work()
        done.put(True)


class _CRows:
    """Structures of C in one array."""

    def __init__(self, array: StepperArray, library: ctypes.CDLL) -> None:
        program = array.program
        number, index, place, long = ctypes.c_double, ctypes.c_int, ctypes.c_void_p, ctypes.c_ulong
        self._place: Any = library.model_stepper_place
        self._place.argtypes = [place, place, place, number]
        self._set: Any = library.model_stepper_set
        self._set.argtypes = [place, index, index, number]
        self._values: Any = library.model_stepper_values
        self._values.argtypes, self._values.restype = [place, index], place
        self._advance: Any = library.model_stepper_rows
        self._advance.argtypes = [
            place, long, ctypes.c_long, place, index, place, place, place, place
        ]  # fmt: skip
        self._advance.restype = None
        library.model_stepper_bytes.restype = long
        library.model_stepper_init.argtypes = [place, long, number]
        library.model_stepper_init.restype = place
        bytes_of = int(library.model_stepper_bytes())
        words = -(-bytes_of // 8 // _LINE) * _LINE + _LINE
        self._array = array
        self._room = np.zeros((array.count, words))
        self._stride = 8 * words
        self._first = self._room.ctypes.data
        for row in range(array.count):
            library.model_stepper_init(self._address(row), bytes_of, array.step)
        self._states = self._view(ValueArray.STATES, len(program.program.states))
        self._parameters = self._view(ValueArray.PARAMETERS, len(program.program.parameters))
        self._out = self._view(ValueArray.OUTPUTS, array.outputs.shape[1])

    def work(self, first: int, last: int) -> Callable[[], None]:
        """The steps of a block of rows; all that the arguments point to stays where it is."""
        array = self._array
        return partial(
            self._advance, self._address(first), self._stride, last - first,
            array.steps[first:].ctypes.data, array.levels.shape[1], array.places.ctypes.data,
            array.levels[first:].ctypes.data, array.outputs[first:].ctypes.data,
            array.codes[first:].ctypes.data,
        )  # fmt: skip

    def _address(self, row: int) -> int:
        return int(self._first + self._stride * row)

    def _view(self, kind: ValueArray, size: int) -> FloatArray:
        first = (self._values(self._first, kind) - self._first) // 8
        return self._room[:, first : first + size]

    def place(
        self, row: int, states: FloatArray, inputs: FloatArray, parameters: FloatArray
    ) -> None:
        address = self._address(row)
        x, u = (np.ascontiguousarray(values, dtype=float) for values in (states, inputs))
        if parameters.size:
            self._parameters[row] = parameters
            self._set(address, ValueArray.PARAMETERS, 0, parameters[0])  # computes constants anew
        if self._place(address, x.ctypes.data, u.ctypes.data, 0.0) != OK:
            raise SimulationError(f"a state or an input that row {row} is placed at is not finite")
        self._values(address, ValueArray.OUTPUTS)
        self._array.outputs[row] = self._out[row]

    def states(self, row: int) -> FloatArray:
        states: FloatArray = self._states[row].copy()
        return states

    def parameters(self, row: int) -> FloatArray:
        parameters: FloatArray = self._parameters[row].copy()
        return parameters


class _PythonRows:
    """Steppers of generated Python, one after the other, where there is no compiler."""

    def __init__(self, array: StepperArray) -> None:
        self._array = array
        self._engines = [PythonEngine(array.program, array.step, 1) for _ in range(array.count)]

    def place(
        self, row: int, states: FloatArray, inputs: FloatArray, parameters: FloatArray
    ) -> None:
        engine = self._engines[row]
        engine.set_parameters(parameters)
        engine.place(states, inputs, 0.0)
        self._array.outputs[row] = engine.outputs()

    def work(self, first: int, last: int) -> Callable[[], None]:
        return partial(self._advance, first, last)

    def _advance(self, first: int, last: int) -> None:
        array = self._array
        for row in range(first, last):
            if array.steps[row] > 0:
                engine = self._engines[row]
                for place, level in zip(array.places, array.levels[row], strict=True):
                    engine.set_input(int(place), float(level))
                array.codes[row] = engine.advance(int(array.steps[row]))
                array.outputs[row] = engine.outputs()

    def states(self, row: int) -> FloatArray:
        return self._engines[row].states.copy()

    def parameters(self, row: int) -> FloatArray:
        return self._engines[row].parameters.copy()


_Rows = _CRows | _PythonRows
