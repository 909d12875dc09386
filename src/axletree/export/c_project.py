"""A system as a C project: source, header, Makefile, and an example that runs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from axletree.code.identifiers import comment_text
from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import c_number, print_header, print_unit
from axletree.code.printers.steps import c_arrays, c_lines
from axletree.code.program import Program
from axletree.code.step_rules import CLASSICAL, runge_kutta
from axletree.export.folder import with_assembled_start, write_files
from axletree.expr.quantity import Quantity
from axletree.system.system import System

_MAKEFILE: Final = """\
# `make` builds the example, `make run` runs it for one second and writes run.csv.
CC ?= cc
CFLAGS ?= -O2 -std=c99 -Wall -Wextra -pedantic -fno-math-errno -fno-trapping-math \\
\t-ffp-contract=off -fopenmp-simd -DAXL_LANES

example: main.o model.o
\t$(CC) $(CFLAGS) -o $@ main.o model.o -lm

main.o: main.c model.h
model.o: model.c model.h

run: example
\t./example 1 0.001 > run.csv

clean:
\trm -f example main.o model.o run.csv

.PHONY: run clean
"""

_MAIN: Final = """\
/* Runs the model from its default values with the classical Runge-Kutta method.

   example [duration in s] [step in s]

   Prints comma-separated values: time, states, outputs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum {
    NX = MODEL_STATES,
    NY = MODEL_OUTPUTS,
    NX_ARRAY = NX + 1, /* C has no arrays of length 0 */
    NY_ARRAY = NY + 1
};

static void step(double t, double h, double *x, const double *u, const double *c)
{
STEP
PROJECTION}

static void print_row(double t, const double *x, const double *u, const double *c)
{
    double y[NY_ARRAY];
    int i;
    model_outputs(t, x, u, c, y);
    printf("%.17g", t);
    for (i = 0; i < NX; ++i) {
        printf(",%.17g", x[i]);
    }
    for (i = 0; i < NY; ++i) {
        printf(",%.17g", y[i]);
    }
    printf("\\n");
}

int main(int argc, char **argv)
{
    const double duration = argc > 1 ? atof(argv[1]) : 1.0;
    const double h = argc > 2 ? atof(argv[2]) : 0.001;
    double x[NX_ARRAY], u[MODEL_INPUTS + 1], p[MODEL_PARAMETERS + 1], c[MODEL_CONSTANTS + 1];
    long k, steps;
    if (!(duration > 0.0 && h > 0.0 && duration / h < 1e9)) {
        fprintf(stderr, "usage: %s [duration in s] [step in s]\\n", argv[0]);
        return 2;
    }
    steps = (long)(duration / h + 0.5);
    model_defaults(x, u, p);
    model_constants(p, c);
HEADING    print_row(0.0, x, u, c);
    for (k = 0; k < steps; ++k) {
        step(h * (double)k, h, x, u, c);
        print_row(h * (double)(k + 1), x, u, c);
    }
    return 0;
}
"""

_PROJECTION: Final = """\
    model_project(t + h, x, u, c, z);
    memcpy(x, z, NX * sizeof(double));
"""
_SLOPE: Final = "model_rhs({}, {}, u, c, {});"


def write_c_project(
    system: System,
    folder: str | Path,
    *,
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
) -> Path:
    """Write ``model.c``, ``model.h``, ``main.c`` and ``Makefile`` into ``folder``.

    ``outputs`` and ``extras`` choose what the model computes, as for ``lower``. The default
    states of the project satisfy the constraints, as those that ``simulate`` starts from.
    Returns the folder. Files of these names are replaced, others left alone.

    Example:
    >>> import axletree as at
    >>> from axletree.export.c_project import write_c_project
    >>> folder = write_c_project(at.read_model("pendulum").formulate(), "c")
    >>> sorted(file.name for file in folder.iterdir())
    ['Makefile', 'main.c', 'model.c', 'model.h']
    """
    program = lower(with_assembled_start(system), outputs, extras)
    return write_files(folder, c_project(program), "the C project")


def c_project(program: Program) -> dict[str, str]:
    """The texts of the files, by name."""
    prototype = "void model_defaults(axl_real *x, axl_real *u, axl_real *p)"
    notes = ["/* The model's own values of x, u and p. */", f"{prototype};"]
    header = print_header(program, more=notes)
    unit = print_unit(program, more=[_defaults(prototype, program)])
    lines = runge_kutta(CLASSICAL)
    step = f"{c_arrays(lines)}\n{c_lines(lines, slope=_SLOPE)}"
    main = _MAIN.replace("STEP", step).replace(
        "PROJECTION", "" if program.project is None else _PROJECTION
    )
    if program.project is None:
        main = main.replace("#include <string.h>\n", "")
    return {
        "model.c": f'#include "model.h"\n{unit}',
        "model.h": header,
        "main.c": main.replace("HEADING", _heading(program)),
        "Makefile": _MAKEFILE,
    }


def _defaults(prototype: str, program: Program) -> str:
    arrays = {"x": program.states, "u": program.inputs, "p": program.parameters}
    lines = [f"    {a}[{k}] = {c_number(q.default)};" for a, k, q in _entries(arrays)]
    lines += [f"    (void){a};" for a, quantities in arrays.items() if not quantities]
    return "\n".join([prototype, "{", *lines, "}", ""])


def _entries(
    arrays: dict[str, tuple[Quantity, ...]],
) -> list[tuple[str, int, Quantity]]:
    return [(a, k, q) for a, quantities in arrays.items() for k, q in enumerate(quantities)]


def _heading(program: Program) -> str:
    """Statements that print the names of the columns."""
    labels = ["time [s]", *(f"{q.name} [{q.unit}]" for q in (*program.states, *program.outputs))]
    texts = [comment_text(label).replace(",", ";") for label in labels]
    pieces = [texts[0], *(f",{text}" for text in texts[1:])]
    return "".join(f'    fputs("{text}", stdout);\n' for text in pieces) + '    puts("");\n'
