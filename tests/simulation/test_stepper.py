"""Steppers: the steps of a run, inputs along their courses, values by name, saved and restored."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.core.errors import SimulationError
from axletree.core.registry import UnknownNameError
from axletree.simulation.problem import SettingsError
from axletree.simulation.simulate import simulate
from axletree.simulation.stepper.engines import PythonEngine
from axletree.simulation.stepper.shaping import COURSE_OPERATIONS, InputShape, InputTransition
from axletree.simulation.stepper.stepper import Stepper, stepper

ENGINES = ("C", "Python")
every_engine = pytest.mark.parametrize("engine", ENGINES)


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Stepper]:
    def made(engine: str, system: at.System, **settings: object) -> Stepper:
        if engine == "Python":
            monkeypatch.setattr(
                "axletree.simulation.stepper.stepper.step_engine", PythonEngine, raising=True
            )
        return stepper(system, **settings)  # type: ignore[arg-type]

    return made


@every_engine
@pytest.mark.parametrize("method", ["rk4", "semi-implicit-euler", "subdivided-rk45"])
def test_steps_are_those_of_a_run(make, engine: str, method: str) -> None:
    """With the projection of a closed loop inside."""
    system = shipped_system("four-bar")
    name = system.outputs[0].quantity.name
    s = make(engine, system, step=1e-3, method=method, outputs=[name])
    s.advance("20 ms")
    run = simulate(system, 0.02, step=1e-3, method=method, outputs=[name])
    assert s.time == pytest.approx(0.02, rel=1e-14)
    for column in run.names:
        scale = max(np.abs(run[column]).max(), 1e-3)
        assert s[column] == pytest.approx(run[column][-1], rel=1e-11, abs=1e-11 * scale)


@every_engine
def test_parts_are_shorter_steps(make, engine: str) -> None:
    system = shipped_system("pendulum")
    s = make(engine, system, step=4e-3, parts=4, method="explicit-euler", outputs=[])
    s.advance(steps=5)
    run = simulate(system, 0.02, step=1e-3, method="explicit-euler", outputs=())
    assert s["pin.angle"] == pytest.approx(run["pin.angle"][-1], rel=1e-13)


SHAPES = [at.LinearInput(0.02), at.FilteredInput(0.02), at.SmoothInput(0.02)]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_rates_are_the_derivatives_of_courses(shape: InputShape) -> None:
    course = shape.towards(-0.3, SHAPES[2].towards(0.5, InputTransition(0.1), 0.0), 0.013)
    h = 1e-6
    for t in np.linspace(0.0131, 0.06, 23):
        before, now, after = (course.at(t + d) for d in (-h, 0.0, h))
        assert now[1] == pytest.approx((after[0] - before[0]) / (2 * h), abs=1e-5)
        assert now[2] == pytest.approx((after[1] - before[1]) / (2 * h), abs=1e-2)
    assert course.at(0.013)[0] == pytest.approx(
        SHAPES[2].towards(0.5, InputTransition(0.1), 0).at(0.013)[0]
    )
    assert course.at(2.0)[0] == pytest.approx(-0.3, rel=1e-12)


def test_the_filter_is_that_of_its_differential_equation() -> None:
    """T^2 u'' + 2 T u' + u = value, from where the input was."""
    T, course = 0.02, at.FilteredInput(0.02).towards(2.0, InputTransition(0.5), 1.0)
    for t in (1.0, 1.004, 1.05, 1.3):
        u, rate, acceleration = course.at(t)
        assert T * T * acceleration + 2 * T * rate + u == pytest.approx(2.0, rel=1e-12)
    assert course.at(1.0)[:2] == (0.5, 0.0)


def test_the_filter_set_again_goes_on_as_before() -> None:
    shape = at.FilteredInput(0.02)
    once = shape.towards(2.0, InputTransition(0.5), 0.0)
    again = shape.towards(2.0, once, 0.015)
    assert again.at(0.04) == pytest.approx(once.at(0.04), rel=1e-12)


def test_operations_of_a_course_are_counted() -> None:
    counts = {"add": 0, "multiply": 0}

    class Counted(float):
        def _count(self, kind: str, value: float) -> Counted:
            counts[kind] += 1
            return Counted(value)

        def __add__(self, other):
            return self._count("add", float(self) + float(other))

        def __sub__(self, other):
            return self._count("add", float(self) - float(other))

        def __mul__(self, other):
            return self._count("multiply", float(self) * float(other))

        __radd__, __rmul__ = __add__, __mul__

        def __neg__(self):
            return Counted(-float(self))

    one = Counted(1.0)
    InputTransition(one, one, one, one, (one,) * 6).at(Counted(2.0))
    # exp gives a plain number: its products with numbers that count are counted all the same.
    assert counts["add"] == COURSE_OPERATIONS.additions
    assert counts["multiply"] == COURSE_OPERATIONS.multiplications


@every_engine
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_inputs_of_a_stepper_follow_their_shape(make, engine: str, shape: InputShape) -> None:
    s = make(engine, shipped_system("skidder"), step=1e-3, outputs=[])
    s.shape("articulation.angle", shape)
    s["articulation.angle"] = 0.2
    expected = shape.towards(0.2, InputTransition(0.0), 0.0)
    for k in range(30):
        if k == 10:
            s["articulation.angle"] = -0.1
            expected = shape.towards(-0.1, expected, s.time)
        value, rate, _ = expected.at(s.time)
        assert s["articulation.angle"] == pytest.approx(value, rel=1e-12, abs=1e-15)
        assert s["articulation.angle_rate"] == pytest.approx(rate, rel=1e-12, abs=1e-12)
        s.advance()


@every_engine
def test_values_are_set_by_name_with_units(make, engine: str) -> None:
    system = shipped_system("pendulum")
    s = make(engine, system, step=1e-3)
    s["rod.mass"] = "3000 g"
    s["pin.angle"] = 0.7
    s.advance(steps=50)
    run = simulate(
        system, 0.05, step=1e-3, initial={"pin.angle": 0.7}, parameters={"rod.mass": 3.0}
    )
    assert s["pin.angle"] == pytest.approx(run["pin.angle"][-1], rel=1e-13)
    assert s["energy.total"] == pytest.approx(run["energy.total"][-1], rel=1e-12)
    with pytest.raises(UnknownNameError, match="did you mean 'pin.angle'"):
        s["pin.angel"]
    with pytest.raises(SettingsError, match="greater than 0"):
        s["rod.mass"] = -1.0
    with pytest.raises(SettingsError, match="computed and not set"):
        s["energy.total"] = 1.0


def test_wrong_values_leave_everything_as_it_was() -> None:
    s = stepper(shipped_system("pendulum"), step=1e-3)
    with pytest.raises(SettingsError, match=r"(?s)rod.mass.*pin.speed"):
        s.set({"pin.angle": 1.0, "rod.mass": math.nan, "pin.speed": 3.0})
    assert s["pin.angle"] == pytest.approx(0.3)
    for wrong in ("1.5 ms", "2 kg", -1.0, math.nan):
        with pytest.raises(SettingsError):
            s.advance(wrong)
    four_bar = stepper(shipped_system("four-bar"), step=1e-3, outputs=[])
    with pytest.raises(SettingsError, match="reset"):
        four_bar.set({next(iter(four_bar.states)): 0.1})
    s.close()
    with pytest.raises(SimulationError, match="closed"):
        s.advance()


@every_engine
def test_what_is_saved_comes_back_bit_for_bit(make, engine: str) -> None:
    s = make(engine, shipped_system("skidder"), step=1e-3, outputs=[])
    s["articulation.angle"] = 0.1
    s.advance(steps=7)
    kept = s.save()
    s.advance(steps=20)
    there = s.states
    s["articulation.angle"] = -0.2
    s.advance(steps=3)
    s.restore(kept)
    assert s.time == pytest.approx(0.007)
    s.advance(steps=20)
    assert s.states == there
    with s.attempt():
        s.advance(steps=5)
    assert s.states == there
    other = make(engine, shipped_system("pendulum"), step=1e-3, outputs=[])
    with pytest.raises(SimulationError, match="not saved by a stepper of this model"):
        other.restore(kept)


@every_engine
def test_a_run_that_diverges_stays_at_its_last_good_step(make, engine: str) -> None:
    s = make(engine, shipped_system("quarter-car"), step=1.0, method="explicit-euler", outputs=[])
    with pytest.raises(SimulationError, match="a state is not finite any more"):
        s.advance(steps=10000)
    assert all(map(math.isfinite, s.states.values()))
    with pytest.raises(SimulationError):
        s.advance()
    s.reset()
    assert s.time == 0.0


def test_records_are_a_run() -> None:
    system = shipped_system("pendulum")
    s = stepper(system, step=1e-3, record=["pin.angle", "energy.total"], record_interval="5 ms")
    for _ in range(4):
        s.advance("5 ms")
    run = simulate(system, 0.02, step=1e-3, record_interval=5e-3)
    np.testing.assert_allclose(s.trajectory["pin.angle"], run["pin.angle"], rtol=1e-12)
    np.testing.assert_allclose(s.trajectory.time, run.time, rtol=1e-14)
