"""The exported stepper in a client of C: its trajectory, its cost, and any calls by sanitizers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from mechanisms.shipped_run import shipped_system

import axletree as at
from axletree.analysis.steady_start import steady_start
from axletree.code.backends.c import OPTIMISE, find_compiler
from axletree.export.c_project import write_c_project
from axletree.gym.driven_vehicle import magic_formula_sedan
from axletree.simulation.control.built_in_controllers import built_in
from axletree.simulation.simulate import simulate
from axletree.simulation.stepper.step_program import StartPoint, step_program
from axletree.system.system import System

pytestmark = [
    pytest.mark.shipped_flags,
    pytest.mark.skipif(find_compiler() is None, reason="no C compiler"),
]
CLIENT = Path(__file__).with_name("stepper_client.c")
STRICT = ("-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror")
WATCHED = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
STEPS = 20


def vehicle() -> tuple[System, str, Sequence[StartPoint]]:
    system = shipped_system("bicycle-car")
    return system, "rk4", [steady_start(system, {"chassis.vx": "72 km/h"})]


def sedan() -> tuple[System, str, Sequence[StartPoint]]:
    system = at.read_model("sedan").formulate()
    return system, "semi-implicit-euler", [steady_start(system, {"speed": "80 km/h"})]


def car_of_14() -> tuple[System, str, Sequence[StartPoint]]:
    """14 degrees of freedom on Magic Formula tyres, whose laws run in lanes."""
    system = at.read_model("sedan", {"vehicle": magic_formula_sedan()}).formulate()
    return system, "semi-implicit-euler", [steady_start(system, {"speed": "80 km/h"})]


def braked_wheel() -> System:
    model = at.Model("wheel", gravity=(0.0, 0.0, 0.0))
    wheel = model.add(at.BodyOfRevolution("wheel", 5.0, 2.0, 1.0, axis="y"))
    axle = model.add(at.Revolute("axle", model.ground, wheel, axis="y"))
    for name, torque in (("a", 6.0), ("b", 1.0)):
        model.add(at.FrictionBrake(name, axle, torque=torque))
    model.add(at.JointTorque("load", axle))
    return model.formulate(form="set-valued")


def on_soil(name: str) -> tuple[System, str, Sequence[StartPoint]]:
    """Set-valued thrust, contacts, and springs that motions are left to."""
    return shipped_system(name, "set-valued"), "complementarity-sweeps", []


# Systems, methods, starts: a vehicle, a closed loop with its projection, forces of each step.
CASES: dict[str, Callable[[], tuple[System, str, Sequence[StartPoint]]]] = {
    "vehicle": vehicle,
    "loop": lambda: (shipped_system("four-bar"), "rk4", []),
    "top": lambda: (shipped_system("lagrange-top"), "rk4", []),  # its Euler angles turn far
    "brakes": lambda: (braked_wheel(), "complementarity-sweeps", []),
}
every_case = pytest.mark.parametrize("case", CASES)
LARGE_CASES = {
    "sedan": sedan,
    "14-dof": car_of_14,
    "quarter on soil": lambda: on_soil("quarter-vehicle-on-soil"),
    "skidder on soil": lambda: on_soil("skidder-on-soil"),
}


def controlled() -> tuple[System, str, Sequence[StartPoint]]:
    """Two controllers whose instants are 5 and 10 ms apart, on a vehicle in the plane."""
    car = at.read_model("sedan", {"vehicle": {"fidelity": "two-track"}})
    car, acting = built_in(car, ["abs", "esc"])
    system = car.formulate().with_controllers(acting)
    return system, "semi-implicit-euler", [steady_start(system, {"speed": "80 km/h"})]


def built(folder: Path, case: str, flags: Sequence[str]) -> tuple[System, str]:
    system, method, starts = {**CASES, **LARGE_CASES, "controlled": controlled}[case]()
    write_c_project(system, folder, method=method, starts=starts, outputs=())
    shutil.copy(CLIENT, folder / "client.c")
    compiler = find_compiler()
    assert compiler is not None
    command = [*compiler.command, *flags, "-o", "client", "client.c", "model.c", "-lm"]
    made = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if made.returncode and "sanitize" in made.stderr:
        pytest.skip("the compiler has no sanitizers")
    assert (made.returncode, made.stderr) == (0, "")
    return system, method


def states_of_client(folder: Path, *words: object) -> np.ndarray:
    command = ["./client", "follow", *map(str, words)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return np.array([float.fromhex(word) for word in done.stdout.split()])


@pytest.mark.sampled(2)
@every_case
def test_a_client_in_c_and_python_take_the_same_steps(case: str, tmp_path: Path) -> None:
    """Bit for bit, for both are of one text by one compiler; and those of a run to rounding."""
    compiler = find_compiler()
    assert compiler is not None
    flags = [flag for flag in compiler.flags if flag not in ("-shared", "-fPIC")]
    system, method = built(tmp_path, case, [*flags, *STRICT[1:]])
    starts = CASES[case]()[2]
    s = system.stepper(step=1e-3, method=method, outputs=[])
    if starts:
        s.reset(starts[0])
    s.advance(steps=7)
    place = next((k for k, q in enumerate(system.inputs) if not q.derivative_of), None)
    if place is not None:
        s[system.inputs[place].name] = 0.25
    s.advance(steps=30)
    found = states_of_client(tmp_path, len(starts), 7, -1 if place is None else place, 0.25, 30)
    assert found.tolist() == list(s.states.values())
    u = starts[0].inputs if starts else [q.default for q in system.inputs]
    x = starts[0].states if starts else s.prepared.starts[0].states
    run = simulate(
        system, 0.037, step=1e-3, method=method, outputs=(), watch=False,
        initial={q.name: value for q, value in zip(system.states, x, strict=True)},
        inputs={q.name: float(v) for q, v in zip(system.inputs, u, strict=True)
                if not q.derivative_of},
    )  # fmt: skip
    still = states_of_client(tmp_path, len(starts), 7, -1, 0.0, 30)
    scale = np.array([max(np.abs(run[q.name]).max(), 1e-3) for q in system.states])
    last = np.array([run[q.name][-1] for q in system.states])
    assert np.abs((still - last) / scale).max() < 1e-11


def instructions(folder: Path, seed: int) -> list[int]:
    """Of each step, with what it calls in libraries."""
    command = [
        "valgrind", "--tool=callgrind", "--toggle-collect=model_stepper_advance",
        "--dump-after=model_stepper_advance", "--callgrind-out-file=steps",
        "./client", "count", str(seed), str(STEPS),
    ]  # fmt: skip
    # What is called is looked up at the beginning, and not by the first step.
    surroundings = {**os.environ, "LD_BIND_NOW": "1"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=surroundings)
    assert done.returncode == 0, done.stderr
    texts = [(folder / f"steps.{k + 1}").read_text() for k in range(STEPS)]
    return [int(re.findall(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)[0]) for text in texts]


@pytest.mark.sampled(2)
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.parametrize(
    "case", [*CASES, *(pytest.param(case, marks=pytest.mark.long) for case in LARGE_CASES)]
)
def test_a_step_takes_the_same_instructions_whatever_the_inputs(case: str, tmp_path: Path) -> None:
    system, method = built(tmp_path, case, [*STRICT, *OPTIMISE])
    counts = [*instructions(tmp_path, 1), *instructions(tmp_path, 2)]
    assert set(counts) == {counts[0]}
    printed = step_program(system, method, outputs=()).operations()
    if printed is not None:
        arithmetic = printed.additions + printed.multiplications + printed.divisions
        assert max(counts) <= 2.5 * arithmetic + 60.0 * printed.functions + 40.0 * len(
            system.states
        )


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_controllers_cost_the_same_whether_they_act_or_not(tmp_path: Path) -> None:
    """Their switches are among the inputs at random; instants alone tell steps apart."""
    system, method = built(tmp_path, "controlled", [*STRICT, *OPTIMISE])
    counts = instructions(tmp_path, 1)
    assert counts == instructions(tmp_path, 2)
    both, anti_lock, none = counts[0], counts[5], counts[1]
    assert none < anti_lock < both
    assert [set(counts[k::10]) for k in (0, 5)] == [{both}, {anti_lock}]
    assert {count for k, count in enumerate(counts) if k % 5} == {none}
    printed = step_program(system, method, outputs=()).operations()
    assert printed is not None
    arithmetic = printed.additions + printed.multiplications + printed.divisions
    assert both <= 2.5 * arithmetic + 60.0 * printed.functions + 40.0 * len(system.states)


@pytest.mark.parametrize("case", [*CASES, pytest.param("controlled", marks=pytest.mark.long)])
def test_any_calls_are_sound(case: str, tmp_path: Path) -> None:
    """Indices beyond the arrays, numbers that are none, what is kept damaged: codes, no more."""
    built(tmp_path, case, [*STRICT, *WATCHED])
    for seed in ("1", "2"):
        done = subprocess.run(
            ["./client", "random", seed, "3000"], cwd=tmp_path, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert int(done.stdout) > 1500  # calls after which the run can go on
