"""The generated loop as a program of its own, watched by the address and undefined sanitizers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import axletree as at
from axletree.catalogue import INTEGRATORS
from axletree.code.backends.c import find_compiler
from axletree.code.lowering import lower
from axletree.code.printers.c import print_unit
from axletree.core.registry import load
from axletree.simulation import integrators as subdivided_rk45
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.loops import loop_text
from axletree.simulation.problem import Tolerances
from axletree.simulation.recording import FURTHER
from axletree.simulation.simulate import simulate
from axletree.system.system import System

pytestmark = pytest.mark.shipped_flags

METHODS = {name: load("method", name, INTEGRATORS) for name in INTEGRATORS}
METHODS[subdivided_rk45.SUBDIVIDED_RK45.name] = subdivided_rk45.SUBDIVIDED_RK45
FIXED = [name for name, method in METHODS.items() if isinstance(method, FixedStep)]
STRICT = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-g", "-O1", "-ffp-contract=off"]
WATCHED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
# Arrays are on the heap and exactly as long as they must be, so that one step beyond is seen.
MAIN = """
#include <stdio.h>
#include <stdlib.h>

static double *array(int count)
{
    double *values = calloc(count > 0 ? (size_t)count : 1, sizeof(double));
    if (values == NULL) {
        exit(3);
    }
    return values;
}

int main(void)
{
    enum { STEPS = 50, EVERY = 7, RECORDS = STEPS / EVERY + 2 };
    const double start[] = START;
    const double level[] = LEVEL;
    const double parameter[] = PARAMETER;
    const double data[] = {0.2, 0.3, 1.0, 0.0, 1.0, 40.0, 5.0, 0.0};
    const int64_t places[] = {0, 2, 2, 0};
    double *c = array(CONSTANTS);
    axl_run run = {0};
    int i, status = 0;
    run.h = 0.01;
    run.relative = RELATIVE;
    run.absolute = ABSOLUTE;
    run.last = STEPS;
    run.every = EVERY;
    run.x = array(NX);
    run.previous = array(NX);
    run.u = array(INPUTS);
    run.time = array(RECORDS);
    run.states = array(RECORDS * NX);
    run.outputs = array(RECORDS * NY);
    run.report = array(1 + INPUTS + FURTHER);
    run.work = array(WORK);
    run.c = c;
    run.tables = INPUTS > 0;
    run.table_data = data;
    run.table_places = places;
    memcpy(run.x, start, NX * sizeof(double));
    memcpy(run.u, level, INPUTS * sizeof(double));
    model_constants(parameter, c);
    while (status == 0 && run.step < run.last) {
        status = axl_advance(&run, 13);
    }
    for (i = 0; i < NX; ++i) {
        printf("%.17g\\n", run.x[i]);
    }
    free(run.x);
    free(run.previous);
    free(run.u);
    free(run.time);
    free(run.states);
    free(run.outputs);
    free(run.report);
    free(run.work);
    free(c);
    return status != 0 || run.records != RECORDS;
}
"""


def listed(values: list[float]) -> str:
    return "{" + ", ".join(repr(float(v)) for v in values or [0.0]) + "}"


def main_of(system: System, constants: int, work: str = "0") -> str:
    replacements = {
        "WORK": work,
        "START": listed([q.default for q in system.states]),
        "LEVEL": listed([q.default for q in (*system.inputs, *system.unknown_forces)]),
        "PARAMETER": listed([q.default for q in system.parameters]),
        "CONSTANTS": str(constants),
        "INPUTS": str(len(system.inputs) + len(system.unknown_forces)),
        "FURTHER": str(FURTHER),
        "RELATIVE": repr(Tolerances.relative),
        "ABSOLUTE": repr(Tolerances.absolute),
    }
    text = MAIN
    for word, value in replacements.items():
        text = text.replace(word, value)
    return text


def build(folder: Path, source: str, flags: list[str]) -> subprocess.CompletedProcess[str]:
    compiler = find_compiler()
    assert compiler is not None
    (folder / "run.c").write_text(source)
    command = [*compiler.command, *STRICT, *flags, "-o", "run", "run.c", "-lm"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture(scope="module", autouse=True)
def sanitizers(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("empty")
    if build(folder, "int main(void) { return 0; }\n", WATCHED).returncode != 0:
        pytest.skip("the C compiler of this machine has no sanitizers")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("method", FIXED)
@pytest.mark.parametrize("name", ["oscillator", "circle", "driven"])
def test_the_loop_is_clean(
    method: str, name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    system = request.getfixturevalue(name)
    program = lower(system, extras=METHODS[method].extras)
    loop = loop_text(program, METHODS[method].c_step)
    source = print_unit(program, more=[*loop, main_of(system, program.constants.size)])
    built = build(tmp_path, source, WATCHED)
    assert built.returncode == 0, built.stderr
    result = subprocess.run([tmp_path / "run"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    # The same table as in MAIN: 1 below 0.2, slope 40 between, 5 from 0.3 on.
    signals = {q.name: ([0.2, 0.3], [1.0, 5.0]) for q in system.inputs}
    run = simulate(system, 0.5, step=0.01, method=METHODS[method], inputs=signals, watch=False)
    found = [float(line) for line in result.stdout.split()]
    np.testing.assert_allclose(found, list(run.final_state.values()), rtol=1e-12, atol=1e-14)


def rubbing() -> System:
    """A box that slides and bounces, with a flywheel whose brake is an input."""
    model = at.Model("box")
    box = model.add(at.RigidBody("box", 10.0, (0.5, 0.6, 0.7)))
    wheel = model.add(at.BodyOfRevolution("wheel", 1.0, 0.02, 0.01, axis="z"))
    axle = model.add(at.Revolute("axle", box, wheel, axis="z"))
    model.add(at.FrictionBrake("brake", axle))
    for index, y in enumerate((0.3, -0.3)):
        corner = box.point(0.0, y, -0.4)
        model.add(at.PointContact(f"c{index}", corner, model.ground, friction=0.4, restitution=0.2))
    model.start = {"box.z": 0.5, "box.vx": 1.0, "axle.rate": 4.0}
    return model.formulate(form="set-valued")


SIZES = "NROWS + NR * NR + 3 * NR + axl_mlcp_CALL_doubles(NR) + axl_mlcp_CALL_ints(NR)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "call"), [("complementarity", "pivot"), ("complementarity-sweeps", "iterate")]
)
def test_solved_steps_are_clean(method: str, call: str, tmp_path: Path) -> None:
    system = rubbing()
    stepping = METHODS[method].for_rows(system.rows)
    program = lower(system, extras=stepping.extras)
    loop = loop_text(program, stepping.c_step, solves=True)
    work = SIZES.replace("CALL", call)
    source = print_unit(program, more=[*loop, main_of(system, program.constants.size, work)])
    # The optimiser warns of more, and takes ten times as long over watched code.
    for flags in ([], [*WATCHED, "-O0"]):
        built = build(tmp_path, source, flags)
        assert built.returncode == 0, built.stderr
    result = subprocess.run([tmp_path / "run"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    signals = {"brake.torque": ([0.2, 0.3], [1.0, 5.0])}
    run = simulate(system, 0.5, step=0.01, method=method, inputs=signals, watch=False)
    found = [float(line) for line in result.stdout.split()]
    np.testing.assert_allclose(found, list(run.final_state.values()), rtol=1e-9, atol=1e-10)


def test_the_sanitizers_see_a_fault(tmp_path: Path) -> None:
    fault = (
        "#include <stdlib.h>\n"
        "int main(void)\n{\n    volatile int beyond = 2;\n"
        "    double *v = calloc(2, sizeof(double));\n"
        "    const int bad = v[beyond] != 0.0;\n    free(v);\n    return bad;\n}\n"
    )
    assert build(tmp_path, fault, WATCHED).returncode == 0
    result = subprocess.run([tmp_path / "run"], capture_output=True, text=True)
    assert result.returncode != 0
    assert "heap-buffer-overflow" in result.stderr or "runtime error" in result.stderr
