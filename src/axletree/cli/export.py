"""``axletree export``: a model for another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axletree.cli.source import FormOption, FunctionOption, ModelArgument, TreeOption, system_of
from axletree.core.registry import load, section


def export(
    target: Annotated[str, typer.Argument(help="What to write: see `axletree list exports`.")],
    model: ModelArgument,
    folder: Annotated[Path, typer.Argument(help="Where to; made if it is not there.")],
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    functions: FunctionOption = [],  # noqa: B006
) -> None:
    """Write a model for another tool: as C, MATLAB or Fortran source, or as equations in LaTeX.

    "c" and "fortran" are projects that build with make, "matlab" functions for ode45 and its like,
    "latex" a document. A system written by hand is exported as file.py:name, too.

    Example: axletree export c pendulum.yaml pendulum-c
    """
    write = load("export", target, section("EXPORTS"))
    written = write(system_of(model, tree, form, functions), folder)
    names = ", ".join(sorted(path.name for path in written.iterdir()))
    typer.echo(f"{written}: {names}")
