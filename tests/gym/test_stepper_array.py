"""Steppers in one array: each moves as it does alone, in threads, and without a compiler."""

from __future__ import annotations

import doctest
import gc
import threading
from functools import cache

import numpy as np
import pytest

import axletree as at
from axletree.code.backends.runnable import warn_of_no_compiler
from axletree.core.errors import AxletreeError
from axletree.gym import registration, stepper_array
from axletree.gym.stepper_array import StepperArray
from axletree.simulation.stepper.engines import CEngine
from axletree.simulation.stepper.step_program import StepProgram, step_program

COUNT, STEER = 9, "steer.angle"


@cache
def program() -> StepProgram:
    car = at.read_model("bicycle-car").formulate()
    return step_program(
        car, "semi-implicit-euler", outputs=["front_tyre.slip_angle", "chassis.vx_dot"]
    )


def placed(threads: int = 1) -> StepperArray:
    """Cars of different masses."""
    one = program()
    cars = StepperArray(one, COUNT, step=1e-3, inputs=[STEER], threads=threads)
    start = one.starts[0]
    own = np.array([q.default for q in one.program.parameters])
    mass = [q.name for q in one.program.parameters].index("body.mass")
    for row in range(COUNT):
        parameters = own.copy()
        parameters[mass] *= 1.0 + 0.1 * row
        cars.place(row, start.states, start.inputs, parameters)
    return cars


def moved(cars: StepperArray) -> StepperArray:
    for step in range(5):
        cars.levels[:, 0] = 0.01 * np.sin(step + np.arange(COUNT))
        cars.steps[:] = 20
        cars.advance()
    return cars


def test_threads_change_nothing() -> None:
    one, three = moved(placed()), moved(placed(threads=3))
    for row in range(COUNT):
        assert np.array_equal(one.states(row), three.states(row))
    assert np.array_equal(one.outputs, three.outputs)
    assert len(np.unique(one.outputs[:, 0])) == COUNT
    three.close()
    moved(three)  # goes on in the thread that asks
    assert np.all(three.codes == 0)


def test_threads_end_with_their_array() -> None:
    before = set(threading.enumerate())
    cars = moved(placed(threads=2))
    (worker,) = set(threading.enumerate()) - before
    del cars
    gc.collect()
    worker.join(timeout=10.0)
    assert not worker.is_alive()


def test_rows_without_steps_stay_as_they_are() -> None:
    cars = moved(placed())
    before, outputs = [cars.states(row) for row in range(COUNT)], cars.outputs.copy()
    cars.steps[:] = 0
    cars.steps[4] = 7
    cars.advance()
    still = [np.array_equal(cars.states(row), before[row]) for row in range(COUNT)]
    assert still == [row != 4 for row in range(COUNT)]
    assert np.array_equal(np.delete(cars.outputs, 4, axis=0), np.delete(outputs, 4, axis=0))


def test_a_row_moves_as_a_stepper_does_bit_for_bit() -> None:
    cars = moved(placed())
    engine = CEngine(program(), 1e-3, 1)
    for step in range(5):
        engine.set_input(0, 0.01 * np.sin(step))
        engine.advance(20)
    assert np.array_equal(engine.states, cars.states(0))
    assert np.array_equal(engine.outputs(), cars.outputs[0])


def test_without_a_compiler_python_makes_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    by_c = moved(placed())
    monkeypatch.setattr(stepper_array, "find_compiler", lambda: None)
    warn_of_no_compiler.cache_clear()  # it warns once, and another test may have been first
    with pytest.warns(UserWarning, match="compiler"):
        by_python = moved(placed(threads=3))
    for row in range(COUNT):
        np.testing.assert_allclose(by_python.states(row), by_c.states(row), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(by_python.outputs, by_c.outputs, rtol=1e-11, atol=1e-14)


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(AxletreeError, match=r"steer\.angel.*steer\.angle"):
        StepperArray(program(), 1, step=1e-3, inputs=["steer.angel"])
    cars, start = placed(), program().starts[0]
    wrong = np.full_like(start.states, np.nan)
    with pytest.raises(AxletreeError, match="row 2"):
        cars.place(2, wrong, start.inputs, np.zeros(0))


@pytest.mark.parametrize("module", [stepper_array, registration])
def test_examples_are_true(module: object) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0
