"""Steppers: the steps of a run, inputs along their courses, values by name, saved and restored."""

from __future__ import annotations

import json
import math
import resource
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.analysis.steady_start import fixed_cost_method
from axletree.core.errors import AxletreeError, SimulationError
from axletree.core.registry import UnknownNameError
from axletree.export.c_project import write_c_project
from axletree.expr import OperationCount
from axletree.expr.quantity import Role
from axletree.simulation.problem import SettingsError
from axletree.simulation.simulate import simulate
from axletree.simulation.stepper.engines import PythonEngine
from axletree.simulation.stepper.shaping import COURSE_OPERATIONS, InputShape, InputTransition
from axletree.simulation.stepper.step_program import StepProgram, step_program, usual_method
from axletree.simulation.stepper.stepper import Stepper, system_stepper

ENGINES = ("C", "Python")
MOVED = {"slide.position": 0.1}
every_engine = pytest.mark.parametrize("engine", ENGINES)


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Stepper]:
    def made(engine: str, system: at.System, **settings: object) -> Stepper:
        if engine == "Python":
            monkeypatch.setattr(
                "axletree.simulation.stepper.stepper.step_engine", PythonEngine, raising=True
            )
        return system_stepper(system, **settings)  # type: ignore[arg-type]

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
    Counted.counts.update(add=0, multiply=0)
    one = Counted(1.0)
    InputTransition(one, one, one, one, (one,) * 6).at(Counted(2.0))
    # exp gives a plain number: its products with numbers that count are counted all the same.
    assert Counted.counts["add"] == COURSE_OPERATIONS.additions
    assert Counted.counts["multiply"] == COURSE_OPERATIONS.multiplications


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
    s = system_stepper(shipped_system("pendulum"), step=1e-3)
    with pytest.raises(SettingsError, match=r"(?s)rod.mass.*pin.speed"):
        s.set({"pin.angle": 1.0, "rod.mass": math.nan, "pin.speed": 3.0})
    assert s["pin.angle"] == pytest.approx(0.3)
    for wrong in ("1.5 ms", "2 kg", -1.0, math.nan):
        with pytest.raises(SettingsError):
            s.advance(wrong)
    four_bar = system_stepper(shipped_system("four-bar"), step=1e-3, outputs=[])
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
    for wrong in (b"x", b"", 3, None):
        with pytest.raises(SimulationError, match="was not saved by a stepper of this model"):
            s.restore(wrong)
    with pytest.raises(AxletreeError, match="values are set by their names"):
        s.set(3)


@every_engine
def test_the_error_of_steps_is_that_of_an_exact_solution(make, engine: str) -> None:
    """Semi-implicit Euler from x = a, v = 0 against a cos(omega t), with omega h = 0.04."""
    model = at.Model("oscillator")
    mass = model.add(at.RigidBody("mass", 2.0))
    slide = model.add(at.Prismatic("slide", model.ground, mass, axis="x"))
    model.add(at.SlideSpringDamper("spring", slide, 200.0))
    system = model.formulate()
    s = make(engine, system, step=0.004, method="semi-implicit-euler", initial=MOVED, outputs=[])
    found = s.step_error("2 s")
    assert (s.time, s["slide.position"], s["slide.speed"]) == (0.0, 0.1, 0.0)
    off = {"slide.position": 0.0, "slide.speed": 0.0}
    for k in range(1, 501):
        s.advance()
        angle = 10.0 * 0.004 * k
        exact = {"slide.position": 0.1 * math.cos(angle), "slide.speed": -math.sin(angle)}
        for name, half in (("slide.position", 0.1), ("slide.speed", 1.0)):
            off[name] = max(off[name], abs(s[name] - exact[name]) / (2.0 * half))
    assert found.signal == max(off, key=lambda name: off[name])
    assert found.share == pytest.approx(off[found.signal], rel=0.03)


@every_engine
def test_steps_that_fail_have_no_bound(make, engine: str) -> None:
    s = make(engine, shipped_system("quarter-car"), step=0.25, method="rk4", outputs=[])
    assert s.step_error("100 s").share == math.inf
    assert s.time == 0.0
    with pytest.raises(SettingsError, match="1 steps; an error takes 2 or more"):
        s.step_error("0.25 s")


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
    s = system_stepper(
        system, step=1e-3, record=["pin.angle", "energy.total"], record_interval="5 ms"
    )
    for _ in range(4):
        s.advance("5 ms")
    run = simulate(system, 0.02, step=1e-3, record_interval=5e-3)
    np.testing.assert_allclose(s.trajectory["pin.angle"], run["pin.angle"], rtol=1e-12)
    np.testing.assert_allclose(s.trajectory.time, run.time, rtol=1e-14)


def braked_wheel() -> at.System:
    model = at.Model("wheel", gravity=(0.0, 0.0, 0.0))
    wheel = model.add(at.BodyOfRevolution("wheel", 5.0, 2.0, 1.0, axis="y"))
    axle = model.add(at.Revolute("axle", model.ground, wheel, axis="y"))
    model.add(at.FrictionBrake("brake", axle, torque=6.0))
    model.add(at.JointTorque("load", axle))
    return model.formulate(form="set-valued")


@pytest.mark.sampled(2)
@every_engine
@pytest.mark.parametrize("method", ["complementarity", "complementarity-sweeps"])
@pytest.mark.parametrize("name", ["wheel", "quarter-vehicle-on-soil"])
def test_set_valued_steps_are_those_of_a_run(make, engine: str, method: str, name: str) -> None:
    """Held by a brake until the load is above what it has, and from then on sliding."""
    system = braked_wheel() if name == "wheel" else shipped_system(name, "set-valued")
    s = make(engine, system, step=1e-3, method=method)
    before: dict[str, float] = {}
    for begin, torque in ((0.0, 5.0), (0.03, 9.0)):
        load = {"load.torque": torque} if name == "wheel" else {}
        s.set(load)
        s.advance("30 ms")
        run = simulate(
            system, 0.03, start=begin, step=1e-3, method=method, inputs=load, initial=before
        )
        before = {column: run[column][-1] for column in run.states}
        for column in run.names:
            scale = max(np.abs(run[column]).max(), 1e-3)
            assert s[column] == pytest.approx(run[column][-1], abs=1e-12 * scale), column
    if name == "wheel":
        assert s["axle.rate"] > 0.01
        assert s["brake.friction"] == pytest.approx(-6.0, rel=1e-12)


def mounted(stiffness: float) -> at.Model:
    """A block of 10 kg on a mount of so many N/m."""
    model = at.Model("mounted", gravity=(0.0, 0.0, 0.0))
    block = model.add(at.RigidBody("block", 10.0, (1.0, 1.0, 1.0)))
    model.add(at.Prismatic("way", model.ground, block, axis="x"))
    model.add(at.Bushing("mount", model.ground, block, stiffness=(stiffness, 0.0, 0.0)))
    return model


def test_stiff_mounts_have_steps_that_bear_them() -> None:
    """Of 1 ms, at 5,000 rad/s: those of rk4 diverge, and say what else there is."""
    model = mounted(2.5e8)
    system = model.formulate()
    assert fixed_cost_method(model) == usual_method(system) == "row4"
    start = {"way.position": 0.01}
    with system.stepper(step="1 ms", initial=start, outputs=[]) as s:
        assert (s.prepared.method.name, s.prepared.has_fixed_cost) == ("row4", True)
        s.advance("50 ms")
        assert max(map(abs, s.states.values())) < 50.0
        assert abs(s["way.position"]) < 0.01
    with (
        system.stepper(step="1 ms", method="rk4", initial=start, outputs=[]) as s,
        pytest.raises(SimulationError, match="more parts or, where springs are stiff, the method"),
    ):
        s.advance("1 s")
    bushings = {"lower_arm_bushings": {"radial": "12 kN/mm", "axial": "1 kN/mm", "torsion": 60.0}}
    front = {"axles": {"front": {"suspension": bushings}}}
    for fidelity, method in (("bushings", "row4"), ("links", "rk4")):
        changes = {"vehicle": {"fidelity": fidelity, **front}}
        car = at.read_model("double-wishbone-sports-car", changes)
        assert fixed_cost_method(car) == method


def test_methods_are_chosen_by_what_steps_have_to_solve() -> None:
    assert (
        system_stepper(braked_wheel(), step=1e-3).prepared.method.name == "complementarity-sweeps"
    )
    assert system_stepper(shipped_system("pendulum"), step=1e-3).prepared.method.name == "rk4"
    with pytest.raises(SimulationError, match="chooses its own"):
        system_stepper(shipped_system("pendulum"), step=1e-3, method="radau")


class Counted(float):
    """A number that counts what is done with it."""

    counts: ClassVar[dict[str, int]] = {"add": 0, "multiply": 0}

    def _count(self, kind: str, value: float) -> Counted:
        self.counts[kind] += 1
        return Counted(value)

    def __add__(self, other: float) -> Counted:
        return self._count("add", float(self) + float(other))

    def __sub__(self, other: float) -> Counted:
        return self._count("add", float(self) - float(other))

    def __mul__(self, other: float) -> Counted:
        return self._count("multiply", float(self) * float(other))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Counted:
        return Counted(-float(self))


class CountedLoop:
    """What a step is handed, with rates that count."""

    def __init__(self, prepared: StepProgram) -> None:
        self.program = prepared.program
        self.speeds = sum(q.role is Role.SPEED for q in prepared.program.states)
        self.calls: list[str] = []

    def call(self, routine: str, *_: object) -> list[float]:
        self.calls.append(routine)
        return [Counted(1.0)] * next(r.size for r in self.program.routines if r.name == routine)


@pytest.mark.parametrize("method", ["explicit-euler", "semi-implicit-euler", "rk4"])
def test_operations_of_a_step_are_those_that_it_takes(method: str) -> None:
    """Sums counted in the step of Python, which has the lines of that in C, and the routines'."""
    prepared = step_program(shipped_system("bicycle-car"), method, outputs=[])
    loop = CountedLoop(prepared)
    Counted.counts.update(add=0, multiply=0)
    x = [Counted(1.0)] * len(prepared.program.states)
    prepared.method.python_step(loop, 0.0, 1e-3, x)  # type: ignore[arg-type]
    routines = {routine.name: routine.operations for routine in prepared.program.routines}
    # Inputs are computed at every instant at which rates are, but not for those that need none.
    instants = 1 + sum(name != "other_rates" for name in loop.calls)
    courses = [COURSE_OPERATIONS] * (instants * len(prepared.shaped))
    expected = sum([*(routines[name] for name in loop.calls), *courses], OperationCount())
    found = prepared.operations()
    assert found is not None
    assert found.additions == expected.additions + Counted.counts["add"]
    assert found.multiplications == expected.multiplications + Counted.counts["multiply"]
    lengths = 3 if method == "rk4" else 0  # h / 2 twice, and h / 6
    assert found.divisions == expected.divisions + lengths
    assert found.functions == expected.functions


def test_steppers_in_threads_do_not_interfere() -> None:
    """Each with inputs of its own, at once and one after the other."""
    system = shipped_system("bicycle-car")

    def driven(angle: float) -> dict[str, float]:
        s = system_stepper(system, step=1e-3, outputs=[])
        for k in range(50):
            s["steer.angle"] = angle * math.sin(0.2 * k)
            s.advance(steps=10)
        return s.states

    angles = [0.005 * k for k in range(8)]
    with ThreadPoolExecutor(4) as threads:
        at_once = list(threads.map(driven, angles))
    assert at_once == [driven(angle) for angle in angles]
    assert at_once[1] != at_once[2]


@pytest.mark.long
@pytest.mark.shipped_flags
def test_a_day_of_driving_needs_no_more_memory_than_a_minute() -> None:
    """86,400 s of a car that is steered to and fro, with a driver who keeps its speed."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})
    s = car.stepper(
        step="5 ms", parts=2, start={"speed": "72 km/h"}, method="semi-implicit-euler",
        outputs=["vehicle.forward_speed", "vehicle.yaw_rate"],
    )  # fmt: skip
    keeps = s["driver.throttle"]

    def drive(seconds: int) -> None:
        for k in range(5 * seconds):
            s["driver.steering"] = 0.2 * math.sin(0.3 * k)
            s["driver.throttle"] = min(max(keeps + 0.2 * (20.0 - s["vehicle.forward_speed"]), 0), 1)
            s.advance("0.2 s")

    drive(60)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    drive(86_340)
    assert s.time == pytest.approx(86_400.0, rel=1e-12)
    assert s["vehicle.forward_speed"] == pytest.approx(20.0, abs=0.5)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before <= 1024  # kB: of the interpreter; a byte a step would be 17 MB


@pytest.mark.parametrize("value", [None, [0.1], np.array([0.1]), math.nan, math.inf])
def test_what_is_no_number_is_named_and_changes_nothing(value: object) -> None:
    with shipped_system("bicycle-car").stepper(step=1e-3, outputs=[]) as s:
        before = s.inputs
        with pytest.raises(SettingsError, match="steer.angle.* is .*expected"):
            s["steer.angle"] = value
        assert s.inputs == before


def test_arguments_of_another_kind_are_named() -> None:
    with shipped_system("bicycle-car").stepper(step=1e-3, outputs=[]) as s:
        for call, message in (
            (lambda: s.advance([1.0]), "duration"),
            (lambda: s.advance(1e-9), "no whole number of steps"),
            (lambda: s.advance(1e30), "are 1e.33 steps of 0.001 s; expected at most 2,000,000,000"),
            (lambda: s.advance(steps=10**30), "expected a whole number from 0 to 2,000,000,000"),
            (lambda: s[0:2], "known by its name, one at a time; got slice"),
            (lambda: s.__setitem__(["steer.angle"], 0.1), "one at a time; got .'steer.angle'"),
            (lambda: Stepper(s.prepared, 1e-3, parts=10**12), "parts is 1000000000000; expected"),
            (lambda: s.reset(3), "the name of one"),
            (lambda: s.reset(states=3), "states is 3"),
            (lambda: s.shape("steer.angle", "slow"), "the shape of 'steer.angle' is 'slow'"),
            (lambda: shipped_system("pendulum").stepper(starts=[1]), "starts is"),
        ):
            with pytest.raises(AxletreeError, match=message):
                call()
        s.advance(steps=np.int64(2))
        assert s.time == pytest.approx(2e-3, rel=1e-12)


def test_its_layout_is_that_of_its_export(tmp_path: Path) -> None:
    system = shipped_system("pendulum")
    folder = write_c_project(system, tmp_path, outputs=[])
    with system.stepper(step=1e-3, outputs=[]) as s:
        assert json.loads((folder / "layout.json").read_text()) == json.loads(json.dumps(s.layout))
