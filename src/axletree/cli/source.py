"""The MODEL argument and the --tree option, which several subcommands share."""

from __future__ import annotations

from typing import Annotated

import typer

from axletree.graph.tree import TreeChoice
from axletree.pipeline import Model, System

ModelArgument = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="A YAML file, a name of `axletree list models`, or file.py:name (which is run).",
        show_default=False,
    ),
]
TreeOption = Annotated[
    str | None,
    typer.Option(
        "--tree",
        metavar="NAMES",
        help="Components whose edges form the tree, separated by commas; their variables are "
        "the modelling variables. Default: the model's own choice.",
        show_default=False,
    ),
]


def chosen_tree(model: Model, tree: str | None) -> TreeChoice:
    """The tree asked for, else the one that the model proposes."""
    if tree is None:
        return model.tree
    return [name.strip() for name in tree.split(",") if name.strip()]


def formulated(model: Model, tree: str | None) -> System:
    return model.formulate(tree=chosen_tree(model, tree))
