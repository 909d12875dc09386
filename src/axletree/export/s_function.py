"""A system as an S-function of Simulink."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from axletree.code.lowering import Extra
from axletree.export.c_project import model_files
from axletree.export.folder import fill, with_assembled_start, write_files
from axletree.simulation.fixed_step import FixedStep
from axletree.simulation.stepper.step_program import StartPoint, step_program
from axletree.system.system import System


def write_s_function(
    system: System,
    folder: str | Path,
    *,
    method: str | FixedStep | None = None,
    starts: Sequence[StartPoint] = (),
    outputs: Sequence[str] | None = None,
    extras: Collection[Extra] = (),
    by_parameters: Collection[str] | None = (),
) -> Path:
    """Write a C MEX S-function of level 2: ``model_sfun.c``, the model, and ``layout.json``.

    ``mex model_sfun.c model.c`` builds it. The arguments are those of ``write_c_project``. The
    source is compiled and run against a small stand-in of ``simstruc.h`` by the tests, and not
    tried with Simulink.

    Example:
    >>> import axletree as at
    >>> from axletree.export.s_function import write_s_function
    >>> folder = write_s_function(at.read_model("pendulum").formulate(), "sfun")
    >>> sorted(file.name for file in folder.iterdir())
    ['layout.json', 'model.c', 'model.h', 'model_sfun.c']
    """
    prepared = step_program(
        with_assembled_start(system), method, outputs=outputs, extras=extras,
        by_parameters=by_parameters, starts=starts,
    )  # fmt: skip
    texts = {
        **model_files(prepared),
        "model_sfun.c": fill(
            "sfunction.c.jinja",
            places=[one.places[0] for one in prepared.shaped],
            bounds=prepared.input_bounds,
        ),
    }
    return write_files(folder, texts, "the S-function")
