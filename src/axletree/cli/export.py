"""``axletree export``: a model for another tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axletree.cli.source import FormOption, FunctionOption, ModelArgument, TreeOption, formulated
from axletree.core.registry import load, section
from axletree.pipeline import read_model


def export(
    target: Annotated[str, typer.Argument(help="What to write: see `axletree list exports`.")],
    model: ModelArgument,
    folder: Annotated[Path, typer.Argument(help="Where to; made if it is not there.")],
    tree: TreeOption = [],  # noqa: B006
    form: FormOption = None,
    functions: FunctionOption = [],  # noqa: B006
) -> None:
    """Write a model as source for another tool; "c" is a C project that builds with make.

    Example: axletree export c pendulum.yaml pendulum-c
    """
    write = load("export", target, section("EXPORTS"))
    written = write(formulated(read_model(model), tree, form, functions), folder)
    names = ", ".join(sorted(path.name for path in written.iterdir()))
    typer.echo(f"{written}: {names}")
