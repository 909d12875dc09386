"""Controllers in a run: what they see and give, their rates, and each way in which they fail."""

from __future__ import annotations

import math
import shutil
import warnings
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import pytest
from export.fmu_cases import fmu_of
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.core.errors import AxletreeError
from axletree.export.fmu.binaries import this_platform
from axletree.simulation import step_watch
from axletree.simulation.control.controllers import ControllerError
from axletree.simulation.problem import SettingsError
from axletree.simulation.recording import StepError
from axletree.simulation.simulate import StoppedRunError
from axletree.simulation.trajectory import Trajectory
from axletree.system.system import System

STEER, RATE = "steer.angle", "chassis.rate"


class Proportional:
    """Steers against the yaw rate; keeps what it was given."""

    def __init__(self, gain: float = 0.1) -> None:
        self.gain, self.resets, self.seen = gain, 0, list[tuple[float, dict[str, float]]]()

    def reset(self) -> None:
        self.resets, self.seen = self.resets + 1, []

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        self.seen.append((t, dict(measured)))
        return {STEER: 0.02 - self.gain * measured[RATE]}


class Failing(Proportional):
    """Gives another answer from 0.1 s on."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        if t < 0.0999:
            return super().update(t, measured)
        found: dict[str, float] = self.answer() if callable(self.answer) else self.answer
        return found


def loop(controller: Any, interval: str = "10 ms", **more: Any) -> at.ControlLoop:
    return at.ControlLoop(controller, interval, **{"reads": [RATE], "sets": [STEER]} | more)


def run(*loops: at.ControlLoop, **more: Any) -> Trajectory:
    settings = {"step": 1e-3, "initial": {"chassis.vx": "72 km/h"}, "outputs": []} | more
    return shipped_system("bicycle-car").simulate("0.3 s", controllers=loops, **settings)


@pytest.mark.parametrize("compiler", [True, False])
def test_a_loop_is_what_a_stepper_and_a_program_of_ones_own_do(
    compiler: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second formulation: a stepper with held inputs, moved on by a loop of Python."""
    if not compiler:
        monkeypatch.setenv("AXLETREE_CC", "none")
    controller = Proportional()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no compiler
        found = run(loop(controller))
        car = shipped_system("bicycle-car").stepper(
            step=1e-3, initial={"chassis.vx": "72 km/h"}, shapes={STEER: at.HoldInput()}, outputs=[]
        )
    for k in range(30):
        assert controller.seen[k][0] == pytest.approx(0.01 * k, abs=1e-12)
        assert controller.seen[k][1] == {RATE: pytest.approx(car[RATE], rel=1e-9, abs=1e-15)}
        car[STEER] = 0.02 - 0.1 * car[RATE]
        car.advance("10 ms")
    assert found[RATE][-1] == pytest.approx(car[RATE], rel=1e-9)
    assert (controller.resets, len(controller.seen)) == (1, 30)
    assert found[STEER].shape == (301,)  # what is set and read is recorded


def test_a_command_is_recorded_from_the_step_after_its_instant_on() -> None:
    found = run(loop(Proportional()))
    assert found[STEER][0] == 0.0
    assert np.all(found[STEER][1:11] == 0.02)


def test_outputs_and_own_names_are_read() -> None:
    class Seen(Proportional):
        def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
            self.seen.append((t, dict(measured)))
            return {"wheel": 0.01}

    one = Seen()
    reads, sets = {"force": "front_tyre.Fy", "angle": STEER}, {STEER: "wheel"}
    found = run(loop(one, "50 ms", reads=reads, sets=sets))
    forces = [measured["force"] for _, measured in one.seen]
    assert forces == found["front_tyre.Fy"][::50][:6].tolist()
    assert [measured["angle"] for _, measured in one.seen] == [0.0, *[0.01] * 5]


def test_the_first_that_gives_an_input_has_it() -> None:
    class Later(Proportional):
        def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
            return {STEER: 0.01} if t > 0.095 else {}

    found = run(loop(Later(), name="first"), loop(Proportional(0.0), name="second"))
    assert found[STEER][50] == 0.02
    assert found[STEER][-1] == 0.01


def test_an_input_that_follows_an_expression_is_read_as_it_is() -> None:
    class Reads(Proportional):
        def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
            self.seen.append((t, dict(measured)))
            return {}

    other = next(
        q.name
        for q in shipped_system("bicycle-car").inputs
        if not q.derivative_of and q.name != STEER
    )
    for course in ("0.02*sin(12*t)", ([0.0, 0.3], [0.0, 0.03])):
        one = Reads()
        found = run(loop(one, reads=[STEER], sets=[other]), inputs={STEER: course})
        seen = [measured[STEER] for _, measured in one.seen]
        assert seen == pytest.approx(found[STEER][:300:10].tolist(), abs=1e-15)
        assert max(seen) > 0.015


class Wishes:
    """One command from the beginning to the end."""

    def __init__(self, angle: float) -> None:
        self.angle = angle

    def reset(self) -> None:
        pass

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        return {STEER: self.angle}


@pytest.mark.parametrize(("rule", "angle"), [
    ("first", 0.02), ("minimum", 0.01), ("maximum", 0.02), ("sum", 0.03),
])  # fmt: skip
def test_wishes_come_together_by_their_rule_at_any_rates(rule: str, angle: float) -> None:
    """The slower one keeps its wish while the faster one gives its own."""
    pair = [
        loop(Wishes(0.02), "50 ms", name="slow", rules={STEER: rule}),
        loop(Wishes(0.01), "5 ms", name="fast", rules={STEER: at.Rule(rule)}),
    ]
    assert run(*pair)[STEER][1:] == pytest.approx(np.full(300, angle))


def test_who_owns_an_input_alone_is_named() -> None:
    alone = loop(Wishes(0.02), name="mine", rules={STEER: "alone"})
    with pytest.raises(SettingsError, match=r"several controllers set 'steer.angle': 'mine' by"):
        run(alone, loop(Wishes(0.01), name="other"))
    assert run(alone)[STEER][-1] == 0.02


@pytest.mark.parametrize(("wrong", "message"), [
    ({"rules": {STEER: "loudest"}}, "'loudest'; expected one of first, minimum"),
    ({"rules": {"brake": "sum"}}, "unknown rule 'brake'"),
    ({"sensors": {"speed": at.Sensor()}}, "unknown sensor 'speed'"),
    ({"sensors": {RATE: 0.1}}, "expected an at.Sensor"),
    ({"actuators": {RATE: at.Actuator()}}, "unknown actuator 'chassis.rate'"),
    ({"actuators": [STEER]}, "expected a mapping by name"),
])  # fmt: skip
def test_what_lies_between_is_for_what_is_read_and_set(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(AxletreeError, match=message):
        run(loop(Wishes(0.0), **wrong))


def raised() -> None:
    raise ZeroDivisionError("no speed")


def endless() -> None:
    while True:
        pass


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (raised, "raises ZeroDivisionError: no speed"),
        (endless, "gives no answer within 0.2 s"),
        ({STEER: math.nan}, "gives nan for 'steer.angle'; expected a number rad"),
        ({STEER: "left"}, "gives 'left' for 'steer.angle'"),
        (None, "gives None; expected commands by name"),
        (
            {"steer.angel": 0.0},
            "gives 'steer.angel', which is none of its commands",
        ),
    ],
)
def test_a_run_stops_with_what_happened_and_keeps_its_records(answer: Any, words: str) -> None:
    with pytest.raises(StoppedRunError) as stopped:
        run(loop(Failing(answer), name="esc", timeout="0.2 s"))
    assert "the controller 'esc' at t = 0.1 s" in str(stopped.value)
    assert words in str(stopped.value)
    kept = stopped.value.trajectory
    assert (len(kept), kept.complete) == (101, False)
    assert words.split("'")[0] in kept.note


def test_a_command_beyond_the_bounds_of_an_input_is_refused() -> None:
    car = at.read_model("sedan", {"vehicle": {"fidelity": "single-track"}})

    class Full(Proportional):
        def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
            return {"driver.throttle": 1.2}

    for actuators in ({}, {"driver.throttle": at.Actuator(lag="50 ms", lower=0.0)}):
        one = at.ControlLoop(Full(), "10 ms", sets=["driver.throttle"], actuators=actuators)
        with pytest.raises(StoppedRunError, match="expected a number"):
            car.drive("coast-down", controllers=[one])


def test_an_actuator_goes_no_further_than_the_bounds_of_its_input() -> None:
    """Wishes add up to 1.6 of a pedal; when they end, it comes back from 1 and not from there."""

    class Brakes(Proportional):
        def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
            return {"driver.brake": 0.8 if t < 0.9999 else 0.0}

    lag = {"driver.brake": at.Actuator(lag="50 ms")}
    loops = [
        at.ControlLoop(
            Brakes(), "10 ms", sets=["driver.brake"], name=name, actuators=lag,
            rules={"driver.brake": "sum"},
        )
        for name in ("one", "other")
    ]  # fmt: skip
    car = at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}})
    found = car.drive("coasting", controllers=loops, outputs=["driver.brake"])
    assert np.interp(1.0, found.time, found["driver.brake"]) == pytest.approx(1.0, abs=1e-6)
    assert np.interp(1.05, found.time, found["driver.brake"]) == pytest.approx(np.exp(-1.0))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"reads": ["chassis.yaw"]}, "chassis.yaw"),
        ({"sets": ["steer.angel"]}, "steer.angle"),
        ({"sets": ["steer.angle_rate"]}, "steer.angle_rate"),
        ({"sets": []}, "sets nothing"),
        ({"interval": "1.5 ms"}, "no whole number of steps"),
        ({"interval": "-1 s"}, "positive time"),
        ({"reads": RATE}, "names in a list"),
        ({"controller": Proportional}, "the class Proportional"),
        ({"controller": 3}, "the controller is 3"),
    ],
)
def test_what_cannot_be_connected_is_told_before_the_run(
    changes: dict[str, Any], words: str
) -> None:
    given = {"controller": Proportional(), "interval": "10 ms", **changes}
    with pytest.raises(AxletreeError, match=words.replace("(", r"\(")):
        run(loop(**given))


def test_further_things_are_refused() -> None:
    with pytest.raises(SettingsError, match="expected at.ControlLoop"):
        run(Proportional())  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="follows a signal"):
        run(loop(Proportional()), inputs={STEER: "0.01*sin(t)"})
    with pytest.raises(SettingsError, match="follows a signal"):
        run(loop(Proportional()), inputs={STEER: ([0.0, 1.0], [0.0, 0.1])})
    with pytest.raises(SettingsError, match="two controllers have the name"):
        run(loop(Proportional()), loop(Proportional()))
    with pytest.raises(AxletreeError, match="chooses its steps"):
        run(loop(Proportional()), method="rk45")


def test_a_driven_run_with_a_controller_has_no_origin() -> None:
    """Nothing may compute it again without the controller."""
    car = at.read_model("bicycle-car")
    found = car.drive("coasting", controllers=[loop(Proportional())])
    assert found.origin is None
    assert found[STEER][-1] != 0.0


@pytest.mark.skipif(
    shutil.which("cc") is None or this_platform() != "x86_64-linux",
    reason="binaries are compiled and loaded here on linux64 alone",
)
@pytest.mark.filterwarnings("ignore:.*the slip that lags")  # of a wheel that is steered by 1 rad
def test_an_fmu_is_a_controller() -> None:
    """The same exchange as by co_simulate, beside a stepper; a crash keeps the records."""
    pytest.importorskip("fmpy")
    with at.Fmu(fmu_of("pendulum", 2), sets={STEER: "rod.rotation[1,1]"}) as first:
        found = run(at.ControlLoop(first, "10 ms"))
        car = shipped_system("bicycle-car").stepper(
            step=1e-3, initial={"chassis.vx": "72 km/h"}, shapes={STEER: at.HoldInput()}, outputs=[]
        )
        other = at.co_simulate(
            car, [first], duration="0.3 s", interval="10 ms", record=[RATE, STEER]
        )
        assert np.abs(found[RATE][::10] - other[RATE]).max() < 1e-9
        assert np.abs(found[STEER][10::10] - other[STEER][1:]).max() < 1e-9
        assert np.ptp(found[STEER]) > 1e-3

        def crash() -> dict[str, float]:
            assert first._process is not None
            first._process.kill()
            return {}

        killer = loop(Failing(crash), name="killer")
        with pytest.raises(StoppedRunError, match="ended by SIGKILL") as stopped:
            run(killer, at.ControlLoop(first, "10 ms"))
        assert len(stopped.value.trajectory) >= 101
        assert isinstance(stopped.value, AxletreeError)
        assert issubclass(ControllerError, AxletreeError)


class Changing(Proportional):
    """A new command at every instant."""

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        super().update(t, measured)
        return {STEER: 0.02 * math.cos(40.0 * t) - 0.1 * measured[RATE]}


@pytest.mark.parametrize("compiler", [True, False])
def test_steps_from_records_take_what_was_commanded_then(
    compiler: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From every third millisecond to the next: bit for bit the run, over instants of commands."""
    if not compiler:
        monkeypatch.setenv("AXLETREE_CC", "none")
    taken = []

    def kept(method: Any, problem: Any, recording: Any, plan: Any) -> StepError:
        loop = problem.controllers.with_commands(method.loop_without_records(problem))
        ends = loop.steps_from(recording.time[:-1], recording.states[:-1], plan.length, plan.every)
        taken.append((ends, recording.states[1:]))
        return StepError(0.0, "")

    monkeypatch.setattr(step_watch, "sampled_error", kept)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no compiler
        run(loop(Changing(), "5 ms"), record_interval=3e-3)
    ((ends, states),) = taken
    assert np.abs(ends - states).max() <= 1e-13 * np.abs(states).max()  # of times as sums of steps


def test_a_controller_that_changes_nothing_leaves_the_error_of_steps() -> None:
    """Against the same run without it, whose input is a constant."""

    class Constant(Proportional):
        def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
            return {STEER: 0.02}

    given = {"step": 5e-3, "initial": {"chassis.vx": "72 km/h"}, "outputs": []}
    system = shipped_system("bicycle-car")
    given |= {"further_runs": False}
    alone = system.simulate("1 s", inputs={STEER: 0.02}, **given).step_error
    found = system.simulate("1 s", controllers=[loop(Constant())], **given).step_error
    assert alone is not None
    assert found is not None
    assert found.share == pytest.approx(alone.share, rel=1e-6)
    assert found.signal == alone.signal
    assert found.share > 0.01
    assert "no further run is the same" in found.undecided


def test_a_step_that_is_too_large_for_a_run_with_controllers_is_told() -> None:
    with pytest.warns(UserWarning, match="in doubt: samples of steps estimate"):
        found = run(loop(Proportional(), "20 ms"), step=2e-2)
    assert "with controllers no further run is the same" in found.note


def test_an_interval_that_no_run_is_as_long_as_is_refused() -> None:
    """10 for 10 ms: it would act once."""
    with pytest.raises(SettingsError, match=r"interval of 10 s, and the run ends after 0\.3 s"):
        run(loop(Proportional(), 10.0))


@pytest.mark.parametrize(
    "late",
    [{"sensors": {RATE: at.Sensor(delay=10.0)}}, {"actuators": {STEER: at.Actuator(delay=10.0)}}],
)
def test_a_delay_that_no_run_is_as_long_as_is_refused(late: dict[str, Any]) -> None:
    """10 for 10 ms: the first sample alone would be seen, or no command carried out."""
    with pytest.raises(SettingsError, match=r"delay of 10 s, and the run ends after 0\.3 s"):
        run(loop(Proportional(), **late))


# -- steps beside controllers that hold what would grow without them ------------------------------
class Balance:
    """Swings a rod to and fro about the upright by a torque about its pin."""

    def reset(self) -> None:
        """Nothing is kept."""

    def update(self, t: float, measured: Mapping[str, float]) -> dict[str, float]:
        """A spring and a damper."""
        angle = measured["pin.angle"] - 0.2 * math.sin(5.0 * t)
        return {"drive.torque": -60.0 * angle - 12.0 * measured["pin.rate"]}


@cache
def upright_rod() -> System:
    """One kilogram a metre above its pin, on a spring so soft that it falls."""
    model = at.Model("rod", gravity=(0.0, 0.0, -9.81))
    rod = model.add(at.RigidBody("rod", mass=1.0, inertia=(0.01, 0.01, 0.01)))
    pin = model.add(at.Revolute("pin", model.ground, rod.point(0.0, 0.0, -1.0), axis="y"))
    model.add(at.JointTorque("drive", pin))
    model.start = {"pin.angle": 0.2}
    return model.formulate()


def balanced_run(step: float, duration: float) -> at.Trajectory:
    loop = at.ControlLoop(
        Balance(), "40 ms", reads=["pin.angle", "pin.rate"], sets=["drive.torque"]
    )
    return upright_rod().simulate(duration, step=step, method="rk4", controllers=[loop])


def test_what_controllers_hold_is_no_error_that_grows() -> None:
    """Alone the rod falls at 3.1 1/s, by e^93 in 30 s."""
    run = balanced_run(1e-3, 30.0)
    assert abs(run["pin.angle"]).max() < 0.5
    assert not run.note
    assert run.step_error.share < 0.01


@pytest.mark.filterwarnings("ignore")
def test_steps_that_are_too_large_are_told_beside_a_controller() -> None:
    """Explicit Euler once in an instant of the controller, against steps of a twentieth."""
    loop = at.ControlLoop(
        Balance(), "40 ms", reads=["pin.angle", "pin.rate"], sets=["drive.torque"]
    )
    run = upright_rod().simulate(2.0, step=0.04, method="explicit-euler", controllers=[loop])
    true = balanced_run(1e-3, 2.0)
    off = abs(run["pin.angle"] - true["pin.angle"][:: len(true) // (len(run) - 1)]).max()
    assert off > 0.05 * 0.2  # of the range, 0.2 rad
    assert run.note
