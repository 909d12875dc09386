"""The MODEL argument and the --tree and --form options, which several subcommands share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from axletree.cli.assignment import split_assignments
from axletree.core.registry import load, section
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
    list[str],
    typer.Option(
        "--tree",
        metavar="NAMES",
        help="Components whose edges form the tree, separated by commas; their variables are "
        "the modelling variables. Per domain: --tree translation=a,b --tree rotation=c. "
        "Default: the model's own choice.",
        show_default=False,
    ),
]
FormOption = Annotated[
    str | None,
    typer.Option(
        "--form",
        metavar="FORM",
        help="How constraints are solved; see `axletree list forms`. Default: projected.",
        show_default=False,
    ),
]

FunctionOption = Annotated[
    list[str],
    typer.Option(
        "--function",
        metavar="NAME=FILE",
        help="C file that defines a function which the model declares; it is compiled and run. "
        "Repeatable.",
        show_default=False,
    ),
]


def chosen_tree(model: Model, tree: Sequence[str]) -> TreeChoice:
    """The tree asked for, else the one that the model proposes."""
    if not tree:
        return model.tree
    if len(tree) == 1 and "=" not in tree[0]:
        return _names(tree[0])
    return {
        domain: _names(names)
        for domain, names in split_assignments(tree, "--tree", "rotation=pin").items()
    }


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def formulated(
    model: Model, tree: Sequence[str], form: str | None, functions: Sequence[str] = ()
) -> System:
    chosen = load("form", form, section("FORMS"))() if form else None
    system = model.formulate(tree=chosen_tree(model, tree), form=chosen)
    return system.with_functions(split_assignments(functions, "--function", "my_law=my_law.c"))
