"""A system as a C project: source, header, stepper, layout, Makefile, and an example that runs."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

from axletree.code.layout import program_layout
from axletree.code.lowering import Extra, lower
from axletree.code.printers.c import (
    DEFAULTS,
    defaults_text,
    print_header,
    print_unit,
    sparsity_declarations,
    sparsity_text,
)
from axletree.code.printers.c_stepper import stepper_declarations, stepper_text
from axletree.code.program import Program
from axletree.code.step_rules import CLASSICAL, runge_kutta
from axletree.export.folder import column_labels, fill, with_assembled_start, write_files
from axletree.system.system import System


def write_c_project(
    system: System,
    folder: str | Path,
    *,
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
    by_parameters: Collection[str] | None = (),
) -> Path:
    """Write ``model.c``, ``model.h``, ``layout.json``, ``main.c`` and ``Makefile`` into ``folder``.

    The model is a set of functions on arrays of the caller, and a stepper with functions to
    reset it, to give values, to take steps and to read what they lead to; ``layout.json`` says
    where each quantity stands.

    ``outputs``, ``extras`` and ``by_parameters`` choose what the model computes, as for ``lower``;
    of matrices of derivatives the header has the sparsity as arrays, too. The default states of the
    project satisfy the constraints, as those that ``simulate`` starts from. Returns the folder.
    Files of these names are replaced, others left alone.

    Example:
    >>> import axletree as at
    >>> from axletree.export.c_project import write_c_project
    >>> folder = write_c_project(at.read_model("pendulum").formulate(), "c")
    >>> sorted(file.name for file in folder.iterdir())
    ['Makefile', 'layout.json', 'main.c', 'model.c', 'model.h']
    """
    program = lower(with_assembled_start(system), outputs, extras, by_parameters=by_parameters)
    return write_files(folder, c_project(program), "the C project")


def c_project(program: Program) -> dict[str, str]:
    """The texts of the files, by name."""
    lines = runge_kutta(CLASSICAL)
    notes = ["/* The model's own values of x, u and p. */", f"{DEFAULTS};"]
    declared = [*notes, *stepper_declarations(program), *sparsity_declarations(program)]
    more = [defaults_text(program), *stepper_text(program, lines), *sparsity_text(program)]
    header, unit = print_header(program, more=declared), print_unit(program, more=more)
    return {
        "model.c": f'#include "model.h"\n{unit}',
        "model.h": header,
        "main.c": fill("main.c.jinja", labels=column_labels(program)),
        "layout.json": json.dumps(program_layout(program), indent=1) + "\n",
        "Makefile": fill("c.mk"),
    }
