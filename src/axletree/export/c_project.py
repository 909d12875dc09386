"""A system as a C project: source, header, stepper, layout, Makefile, and an example that runs."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from axletree.code.identifiers import comment_text
from axletree.code.layout import program_layout
from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import DEFAULTS, defaults_text, print_header, print_unit
from axletree.code.printers.c_stepper import stepper_declarations, stepper_text
from axletree.code.program import Program
from axletree.code.step_rules import CLASSICAL, runge_kutta
from axletree.export.folder import with_assembled_start, write_files
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

#include "model.h"

static void print_row(const model_stepper *s)
{
    axl_real y[MODEL_OUTPUTS + 1]; /* C has no arrays of length 0 */
    int i;
    model_stepper_outputs(s, y);
    printf("%.17g", (double)model_stepper_time(s));
    for (i = 0; i < MODEL_STATES; ++i) {
        printf(",%.17g", (double)s->x[i]);
    }
    for (i = 0; i < MODEL_OUTPUTS; ++i) {
        printf(",%.17g", (double)y[i]);
    }
    printf("\\n");
}

int main(int argc, char **argv)
{
    static model_stepper run;
    const double duration = argc > 1 ? atof(argv[1]) : 1.0;
    const double h = argc > 2 ? atof(argv[2]) : 0.001;
    long k, steps;
    if (!(duration > 0.0 && h > 0.0 && duration / h < 1e9)) {
        fprintf(stderr, "usage: %s [duration in s] [step in s]\\n", argv[0]);
        return 2;
    }
    steps = (long)(duration / h + 0.5);
    model_stepper_reset(&run, 0, h);
HEADING    print_row(&run);
    for (k = 0; k < steps; ++k) {
        if (model_stepper_advance(&run, 1)) {
            fprintf(stderr, "a state is not finite after %ld steps\\n", run.steps);
            return 1;
        }
        print_row(&run);
    }
    return 0;
}
"""


def write_c_project(
    system: System,
    folder: str | Path,
    *,
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
) -> Path:
    """Write ``model.c``, ``model.h``, ``layout.json``, ``main.c`` and ``Makefile`` into ``folder``.

    The model is a set of functions on arrays of the caller, and a stepper with functions to
    reset it, to give values, to take steps and to read what they lead to; ``layout.json`` says
    where each quantity stands.

    ``outputs`` and ``extras`` choose what the model computes, as for ``lower``. The default
    states of the project satisfy the constraints, as those that ``simulate`` starts from.
    Returns the folder. Files of these names are replaced, others left alone.

    Example:
    >>> import axletree as at
    >>> from axletree.export.c_project import write_c_project
    >>> folder = write_c_project(at.read_model("pendulum").formulate(), "c")
    >>> sorted(file.name for file in folder.iterdir())
    ['Makefile', 'layout.json', 'main.c', 'model.c', 'model.h']
    """
    program = lower(with_assembled_start(system), outputs, extras)
    return write_files(folder, c_project(program), "the C project")


def c_project(program: Program) -> dict[str, str]:
    """The texts of the files, by name."""
    lines = runge_kutta(CLASSICAL)
    notes = ["/* The model's own values of x, u and p. */", f"{DEFAULTS};"]
    header = print_header(program, more=[*notes, *stepper_declarations(program)])
    unit = print_unit(program, more=[defaults_text(program), *stepper_text(program, lines)])
    return {
        "model.c": f'#include "model.h"\n{unit}',
        "model.h": header,
        "main.c": _MAIN.replace("HEADING", _heading(program)),
        "layout.json": json.dumps(program_layout(program), indent=1) + "\n",
        "Makefile": _MAKEFILE,
    }


def _heading(program: Program) -> str:
    """Statements that print the names of the columns."""
    labels = ["time [s]", *(f"{q.name} [{q.unit}]" for q in (*program.states, *program.outputs))]
    texts = [comment_text(label).replace(",", ";") for label in labels]
    pieces = [texts[0], *(f",{text}" for text in texts[1:])]
    return "".join(f'    fputs("{text}", stdout);\n' for text in pieces) + '    puts("");\n'
