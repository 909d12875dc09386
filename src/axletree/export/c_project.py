"""A system as a C project: source, header, stepper, layout, Makefile, and an example that runs."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

from axletree.code.lowering import Extra
from axletree.code.printers.c import DEFAULTS, sparsity_declarations, sparsity_text
from axletree.export.folder import column_labels, fill, with_assembled_start, write_files
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.stepper.c_interface import stepper_header, stepper_unit
from axletree.simulation.stepper.layout import stepper_layout
from axletree.simulation.stepper.step_program import StartPoint, StepProgram, step_program
from axletree.system.system import System


def write_c_project(
    system: System,
    folder: str | Path,
    *,
    method: str | FixedStep | None = None,
    starts: Sequence[StartPoint] = (),
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
    by_parameters: Collection[str] | None = (),
) -> Path:
    """Write ``model.c``, ``model.h``, ``layout.json``, ``main.c`` and ``Makefile`` into ``folder``.

    The model is a set of functions on arrays of the caller, and a stepper with functions to
    reset it, to give values, to take steps and to read what they lead to; ``layout.json`` says
    where each quantity stands.

    ``method`` is that of the stepper's steps, as for ``system.stepper``; ``starts`` follow the
    model's own, such as those of ``analysis.steady_start``; ``outputs``, ``extras`` and
    ``by_parameters`` choose what the model computes, as for ``lower``; of matrices of derivatives
    the header has the sparsity as arrays, too. The default states of the project satisfy the
    constraints, as those that ``simulate`` starts from. Returns the folder. Files of these names
    are replaced, others left alone.

    Example:
    >>> import axletree as at
    >>> from axletree.export.c_project import write_c_project
    >>> folder = write_c_project(at.read_model("pendulum").formulate(), "c")
    >>> sorted(file.name for file in folder.iterdir())
    ['Makefile', 'layout.json', 'main.c', 'model.c', 'model.h']
    """
    assembled = with_assembled_start(system)
    prepared = step_program(
        assembled, method, outputs=outputs, extras=extras, by_parameters=by_parameters,
        starts=starts,
    )  # fmt: skip
    return write_files(folder, c_project(prepared), "the C project")


def c_project(prepared: StepProgram) -> dict[str, str]:
    """The texts of the files, by name."""
    return {
        **model_files(prepared),
        "main.c": fill(
            "main.c.jinja",
            labels=column_labels(prepared.program),
            method=prepared.method.name,
        ),
        "Makefile": fill("c.mk"),
    }


def model_files(prepared: StepProgram) -> dict[str, str]:
    """``model.c``, ``model.h`` and ``layout.json``, which every project in C is made around."""
    program = prepared.program
    notes = ["", "/* The model's own values of x, u and p. */", f"{DEFAULTS};"]
    notes += sparsity_declarations(program)
    unit = stepper_unit(prepared, more=sparsity_text(program))
    return {
        "model.c": f'#include "model.h"\n{unit}',
        "model.h": stepper_header(prepared, more=notes),
        "layout.json": json.dumps(stepper_layout(prepared), indent=1) + "\n",
    }
