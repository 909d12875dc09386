"""Reference controllers inside the steps, against runs in which they are asked from outside."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

import axletree as at
from axletree.code.backends.c import find_compiler
from axletree.code.backends.runnable import NoCompilerWarning, warn_of_no_compiler
from axletree.core.errors import AxletreeError
from axletree.export.c_project import write_c_project
from axletree.simulation.control.built_in_controllers import built_in
from axletree.simulation.stepper.stepper import Stepper

CLIENT = Path(__file__).parents[2] / "export/stepper_client.c"
BRAKED = {"driver.brake": ([0.0, 0.1, 0.2, 9.0], [0.0, 0.0, 0.9, 0.9])}
BRAKES = [f"{axle}_{side}_modulator" for axle in ("front", "rear") for side in ("left", "right")]


def car() -> at.Model:
    return at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}})


def stepper_of(words: list[object], **settings: object) -> Stepper:
    return car().stepper(
        step="1 ms", start={"speed": "80 km/h"}, controllers=words, method="rk4",
        **{"outputs": [], **settings},
    )  # fmt: skip


def test_a_braking_car_moves_as_in_a_drive_with_the_same_controllers() -> None:
    """Two of them, at intervals of their own, whose wishes come together by their rules."""
    words = ["abs", "esc"]
    run = car().drive(
        "coasting", speed="80 km/h", inputs=BRAKED, controllers=words, step="1 ms", method="rk4",
        outputs=["front_left_modulator.share"], further_runs=False, watch=False,
    )  # fmt: skip
    s = car().stepper(
        step="1 ms", start="coasting", controllers=words, method="rk4", outputs=[],
        shapes={"driver.brake": at.LinearInput("0.1 s")},
    )  # fmt: skip
    s.reset(states={name: float(run[name][0]) for name in run.states})
    for k in range(80):
        if k == 10:
            s["driver.brake"] = 0.9
        here = np.array([s[name] for name in run.states])
        there = np.array([run[name][k] for name in run.states])
        np.testing.assert_allclose(here, there, rtol=1e-10, atol=1e-10)
        s.advance("10 ms")
    assert s["front_left_modulator.share"] < 1.0
    assert run["front_left_modulator.share"].min() < 0.9


@pytest.mark.slow
def test_generated_python_acts_as_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a controller that is switched off and on, saved and brought back."""

    def driven(s: Stepper) -> list[float]:
        found = []
        s["driver.steering"] = 1.5
        for active in (1.0, 0.0, 1.0):
            s["esc.active"] = active
            s.advance("50 ms")
            found += [s[name] for name in ("chassis.rate", "esc.reference", "esc.sideslip")]
            found += [s[f"{brake}.torque"] for brake in BRAKES]
        kept = s.save()
        s.advance("30 ms")
        there = list(s.states.values())
        s.restore(kept)
        s.advance("30 ms")
        assert list(s.states.values()) == there
        return found + there

    compiled = driven(stepper_of(["esc"]))
    monkeypatch.setenv("AXLETREE_CC", "none")
    warn_of_no_compiler.cache_clear()  # it warns once, and another test may have been first
    with pytest.warns(NoCompilerWarning):
        generated = driven(stepper_of(["esc"]))
    np.testing.assert_allclose(generated, compiled, rtol=1e-11, atol=1e-11)
    assert max(compiled) > 100.0, "some brake comes on"


def test_a_switch_gives_inputs_back_and_forgets() -> None:
    s = stepper_of([at.CruiseController.of(car().described["vehicle"], speed="90 km/h")])
    first, throttle = s["cruise.integral"], s["driver.throttle"]
    s.advance("0.1 s")
    assert s["driver.throttle"] > throttle
    assert s["cruise.integral"] != first
    s["driver.throttle"] = 0.125  # kept, for the controller has the input
    s.advance("30 ms")
    s["cruise.active"] = 0
    s.advance("10 ms")
    assert s["driver.throttle"] > 0.125, "its next instant is at 140 ms"
    s.advance("1 ms")
    assert (s["driver.throttle"], s["cruise.integral"]) == (0.125, first)
    s["driver.throttle"] = 0.25
    assert s["driver.throttle"] == 0.25
    s["cruise.active"] = 1
    s.advance("20 ms")
    assert s["driver.throttle"] > 0.25
    s.reset()
    assert (s["driver.throttle"], s["cruise.integral"]) == (throttle, first)
    assert s["cruise.active"] == 1.0


def test_numbers_of_a_controller_are_parameters() -> None:
    s = stepper_of(["esc"])
    s["esc.most_torque"] = "50 N*m"
    s["driver.steering"] = 1.5
    torques = []
    for _ in range(20):
        s.advance("10 ms")
        torques.append(max(s[f"{brake}.torque"] for brake in BRAKES))
    assert max(torques) == 50.0
    assert "esc.interval" not in s.readable_names
    with pytest.raises(AxletreeError, match=r"esc\.reference.* is what a controller keeps"):
        s["esc.reference"] = 0.1


def test_the_layout_and_the_count_have_them() -> None:
    plain, s = stepper_of([]), stepper_of(["esc"])
    assert plain.operations is not None
    assert s.operations is not None
    law = s.prepared.program.laws[0].operations
    assert s.operations.multiplications > plain.operations.multiplications + law.multiplications
    layout = s.layout
    (found,) = layout["controllers"]
    assert (found["name"], found["interval"]) == ("esc", 0.01)
    switch = layout["inputs"][found["switch"]["index"]]
    assert (switch["name"], switch["start"]) == ("esc.active", 1.0)
    assert [one["name"] for one in layout["memory"]] == found["memory"]
    assert "controllers" not in plain.layout


def test_memory_begins_as_controllers_say() -> None:
    s = stepper_of(["esc", "abs", "tcs"])
    first = {q.name: q.default for q in s.prepared.memory}
    assert {name: s[name] for name in first} == first
    s["driver.brake"] = 0.9
    s.advance("0.3 s")
    assert {name: s[name] for name in first} != first
    s.reset()
    assert {name: s[name] for name in first} == first


@pytest.mark.slow
def test_a_client_in_c_reaches_the_same_states(tmp_path: Path) -> None:
    found, acting = built_in(car(), ["esc", "abs"])
    system = found.formulate().with_controllers(acting)
    write_c_project(system, tmp_path, method="rk4", outputs=[])
    layout = json.loads((tmp_path / "layout.json").read_text())
    (place,) = [one["index"] for one in layout["inputs"] if one["name"] == "driver.brake"]
    compiler = find_compiler()
    assert compiler is not None
    command = [*compiler.command, "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1"]
    command += ["-ffp-contract=off", "-I.", "-o", "client", str(CLIENT), "model.c", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    words = ["./client", "follow", "0", "60", str(place), "0.5", "20"]
    told = subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    s = system.stepper(step="1 ms", method="rk4", outputs=[])
    s.advance(steps=20)
    s["driver.brake"] = 0.5
    s.advance(steps=40)
    there = [float.fromhex(one) for one in told.split()]
    np.testing.assert_allclose(there, list(s.states.values()), rtol=1e-9, atol=1e-12)


class Mine:
    def reset(self) -> None: ...

    def update(self, t: float, measured: object) -> dict[str, float]:
        return {}


def test_what_cannot_become_a_part_is_refused_by_name() -> None:
    own = at.ControlLoop(Mine(), "10 ms", reads=["chassis.rate"], sets=["driver.brake"])
    system = car().formulate()
    cruise = at.CruiseController.of(car().described["vehicle"], interval="7 ms")
    for controllers, said in (
        ([own], "'Mine' is an object of Python"),
        (["esc.fmu"], "'esc.fmu' is an object of Python or an FMU"),
        (["ecs"], "did you mean"),
        ("esc", r"expected a list; write \['esc'\]"),
        (["esc", "esc"], "more than once"),
    ):
        with pytest.raises(AxletreeError, match=said):
            car().stepper(step="1 ms", controllers=controllers)
    with pytest.raises(AxletreeError, match="give the model"):
        system.stepper(step="1 ms", controllers=["esc"])
    with pytest.raises(AxletreeError, match="interval of 0.007 s.*steps of 0.00"):
        car().stepper(step="2 ms", controllers=[cruise])
    with pytest.raises(AxletreeError, match=r"controllers in its steps \(cruise\)"):
        system.with_controllers([cruise]).simulate("1 s", step="1 ms")
    esc = at.StabilityController.of(car().described["vehicle"])
    with pytest.raises(AxletreeError, match="unknown input 'front_left_modulator.torque'"):
        system.with_controllers([esc])
