"""A C program around generated code: nanoseconds and exact instructions of one step.

Python takes no part in what is measured, nor does what else the machine does: times are of
the processor's work for the program. Instructions are those that ``valgrind
--tool=callgrind`` counts; two runs of different length differ in their steps alone, so the
difference is exact.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from axletree.code.backends.c import NATIVE, OPTIMISE, STANDARD, find_compiler
from axletree.code.lowering import Extra
from axletree.export.c_project import write_c_project
from axletree.simulation.stepper.step_program import StartPoint
from axletree.system.system import System

# The first argument chooses what is repeated: the right-hand side, a step of either of Euler's
# methods or one of Runge and Kutta's; the second says how often.
DRIVER = r"""
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "model.h"

enum { NX = MODEL_STATES, NP = MODEL_SPEEDS };

static void move(double *z, const double *x, double h, const double *k)
{
    int i;
    for (i = 0; i < NX; ++i) z[i] = x[i] + h * k[i];
}

int main(int argc, char **argv)
{
    static double x[NX + 1], z[NX + 1], k1[NX + 1], k2[NX + 1], k3[NX + 1], k4[NX + 1];
    static double pdot[MODEL_SPEED_RATES + 1];
    static double u[MODEL_INPUTS + 1], p[MODEL_PARAMETERS + 1], c[MODEL_CONSTANTS + 1];
    const int kind = argc > 1 ? atoi(argv[1]) : 0;
    const long count = argc > 2 ? atol(argv[2]) : 1;
    const double h = 1e-3;
    struct timespec begin, end;
    long n;
    int i;
    model_defaults(x, u, p);
    model_constants(p, c);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (n = 0; n < count; ++n) {
        if (kind == 2) {
            model_speed_rates(0.0, x, u, c, pdot);
            for (i = 0; i < NP; ++i) x[i] += h * pdot[i];
            model_other_rates(0.0, x, u, c, pdot + NP, k1);
            for (i = NP; i < NX; ++i) x[i] += h * k1[i - NP];
            continue;
        }
        model_rhs(0.0, x, u, c, k1);
        if (kind == 0) {
            x[0] += 1e-9 * k1[0]; /* so that no call can be left out */
        } else if (kind == 1) {
            move(x, x, h, k1);
        } else {
            move(z, x, 0.5 * h, k1);
            model_rhs(0.0, z, u, c, k2);
            move(z, x, 0.5 * h, k2);
            model_rhs(0.0, z, u, c, k3);
            move(z, x, h, k3);
            model_rhs(0.0, z, u, c, k4);
            for (i = 0; i < NX; ++i) x[i] += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    printf("%.17g", 1e9 * (end.tv_sec - begin.tv_sec) + (end.tv_nsec - begin.tv_nsec));
    printf(" %.17g\n", x[0]);
    return 0;
}
"""
STEPPER = r"""
#include <stdlib.h>
#include "model.h"

int main(int argc, char **argv)
{
    model_stepper *s = model_stepper_create(1e-3);
    int code = model_stepper_reset(s, MODEL_STARTS - 1, 0.0);
    if (code == AXL_OK) code = model_stepper_advance(s, argc > 1 ? atol(argv[1]) : 1);
    model_stepper_destroy(s);
    return code;
}
"""
KINDS = ("right-hand side", "Euler step", "semi-implicit Euler", "Runge-Kutta step")
# Valgrind knows no AVX-512; where the machine has it, instructions are counted without.
FOR_VALGRIND = (NATIVE, "-mno-avx512f")
TIMED, COUNTED = 200_000, 1_000


@dataclass(frozen=True)
class StepCost:
    """What one of the kinds costs."""

    kind: str
    nanoseconds: float
    instructions: int | None  # None where they could not be counted


def measure_steps(system: System) -> list[StepCost]:
    """The right-hand side alone, and a step of each method, from the system's start."""
    with tempfile.TemporaryDirectory() as folder:
        write_c_project(system, folder, outputs=(), extras=[Extra.SPLIT_RATES])
        Path(folder, "driver.c").write_text(DRIVER, encoding="utf-8")
        quick = _build(Path(folder), "quick", (NATIVE,))
        plain = _build(Path(folder), "plain", FOR_VALGRIND)
        return [
            StepCost(kind, _nanoseconds(quick, k), _instructions(plain, k))
            for k, kind in enumerate(KINDS)
        ]


def stepper_instructions(system: System, method: str, initial: Mapping[str, float]) -> int | None:
    """Of one step of a stepper with everything that it does, from these values on."""
    state = list(system.state(initial).values())
    given = np.array([q.default for q in system.inputs])
    start = StartPoint("measured", "what is measured", np.array(state), given)
    with tempfile.TemporaryDirectory() as folder:
        write_c_project(system, folder, method=method, starts=[start], outputs=())
        Path(folder, "driver.c").write_text(STEPPER, encoding="utf-8")
        program = _build(Path(folder), "plain", FOR_VALGRIND)
        return None if shutil.which("valgrind") is None else _steps(program, [])


def _build(folder: Path, name: str, machine: Sequence[str]) -> Path:
    compiler = find_compiler()
    if compiler is None:
        raise SystemExit("this benchmark needs a C compiler")
    flags = [*STANDARD, *OPTIMISE, *(machine if compiler.processor else ())]
    command = [*compiler.command, *flags, "-o", name, "driver.c", "model.c", "-lm"]
    subprocess.run(command, cwd=folder, check=True)
    return folder / name


def _nanoseconds(program: Path, kind: int) -> float:
    """The best of five; the others were disturbed."""
    runs = [_output([str(program), str(kind), str(TIMED)]) for _ in range(5)]
    return min(float(run.split()[0]) for run in runs) / TIMED


def _instructions(program: Path, kind: int) -> int | None:
    return None if shutil.which("valgrind") is None else _steps(program, [str(kind)])


def _steps(program: Path, words: Sequence[str]) -> int | None:
    once, twice = (_counted([str(program), *words, str(n * COUNTED)]) for n in (1, 2))
    if once is None or twice is None:
        return None
    return round((twice - once) / COUNTED)


def _counted(program: Sequence[str]) -> int | None:
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    result = subprocess.run([*command, *program], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", result.stderr)
    return int(found[1]) if found and result.returncode == 0 else None


def _output(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
