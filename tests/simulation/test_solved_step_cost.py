"""Operations of steps by sweeps are those that their C does, with numbers that count."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from mechanisms.shipped_run import shipped_system
from simulation.test_short_levers import carriage

import axletree as at
from axletree.expr import OperationCount
from axletree.expr.quantity import Role
from axletree.simulation.complementarity import c_step_text, complementarity_method
from axletree.simulation.mlcp.methods import ProjectedSweeps
from axletree.simulation.solved_step_cost import sweeps_cost
from axletree.simulation.stepper.step_program import step_program
from axletree.system.system import System

PROGRAM = Path(__file__).with_name("counted_step.cpp")
SWEEPS = 3
METHOD = complementarity_method("few", "", ProjectedSweeps(sweeps=SWEEPS))
# What chooses between two numbers, and goes by masks of bits.
CHOICE = "    const uint64_t mask = UINT64_C(0)"


def dropped_block() -> System:
    """A contact with restitution, and friction whose bounds follow its force."""
    model = at.Model("block", gravity=(0.0, 0.0, -9.81))
    block = model.add(at.RigidBody("block", 2.0))
    model.add(at.Prismatic("way", model.ground, block, axis="z"))
    model.add(at.PointContact("corner", model.ground, block, friction=0.5, restitution=0.3))
    return model.formulate(form="set-valued")


CASES = {
    "skidder": lambda: shipped_system("skidder-on-soil", "set-valued"),
    "wheel in a bin": lambda: shipped_system("soil-bin", "set-valued"),
    "guides and cushions": carriage,
    "contact": dropped_block,
}


@pytest.mark.skipif(shutil.which("c++") is None, reason="no compiler of C++")
@pytest.mark.parametrize("case", CASES)
def test_operations_are_those_of_the_c(case: str, tmp_path: Path) -> None:
    system = CASES[case]()
    rows, program = system.rows, step_program(system, METHOD, outputs=()).program
    assert rows is not None
    lines = c_step_text(rows, ProjectedSweeps(sweeps=SWEEPS)).splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#include"))
    assert text.count(CHOICE) == 1
    (tmp_path / "step.inc").write_text(text.replace(CHOICE, f"    ++chosen;\n{CHOICE}"))
    numbers = {
        "STEP": f'"{tmp_path / "step.inc"}"',
        "STATES": len(program.states),
        "NP": sum(q.role is Role.SPEED for q in program.states),
        "INPUTS": len(program.inputs),
        "FOLLOWING": max(len(rows.following), 1),
    }
    defined = [f"-D{name}={value}" for name, value in numbers.items()]
    command = ["c++", "-w", "-fpermissive", *defined, "-o", "counted", str(PROGRAM)]
    subprocess.run(command, cwd=tmp_path, check=True)
    said = subprocess.run(["./counted"], cwd=tmp_path, check=True, capture_output=True, text=True)
    steps = {OperationCount(*map(int, line.split())) for line in said.stdout.splitlines()}
    passes = 2 if rows.following else 1
    cost = sweeps_cost(rows, program, SWEEPS, passes).operations
    called = [program.rows, program.later_rates, *([program.bounds] * passes)]
    routines = sum((r.operations for r in called if r is not None), OperationCount())
    assert {one + routines for one in steps} == {cost}


def test_a_step_by_sweeps_tells_what_it_costs() -> None:
    prepared = step_program(shipped_system("soil-bin", "set-valued"), "complementarity-sweeps")
    found = prepared.operations()
    assert found is not None
    assert found.total > prepared.program.rows.operations.total + 30 * 7 * (7 + 7)
    assert prepared.has_fixed_cost


def test_steps_that_solve_for_forces_between_bounds_have_no_fixed_cost() -> None:
    method = complementarity_method("x", "", ProjectedSweeps(sweeps=5, subspace_steps=2))
    prepared = step_program(carriage(), method, outputs=())
    assert not prepared.has_fixed_cost
    assert prepared.operations() is None
