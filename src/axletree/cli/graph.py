"""``axletree graph``: the linear graph of a model and its trees, as a table or a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from axletree.cli.source import ModelArgument, TreeOption, chosen_tree
from axletree.graph.linear_graph import build_graph
from axletree.graph.tree import select_trees
from axletree.pipeline import read_model
from axletree.report.graph_picture import write_graph_picture
from axletree.report.graph_text import graph_text


def graph(
    model: ModelArgument,
    tree: TreeOption = [],  # noqa: B006
    out: Annotated[
        Path | None,
        typer.Option(help="A file .svg, .png or .pdf; without it a table is shown."),
    ] = None,
) -> None:
    """Show the linear graph of a model: tree edges dark, chords light, a panel per domain.

    Example: axletree graph four-bar --out four-bar.svg
    """
    described = read_model(model)
    edges = build_graph(described)
    trees = select_trees(edges, chosen_tree(described, tree))
    if out is None:
        typer.echo(graph_text(edges, trees))
    else:
        write_graph_picture(edges, trees, out)
        typer.echo(f"picture: {out}")
