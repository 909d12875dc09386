"""The linear graph as a table: one row per edge, branches first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axletree.graph.linear_graph import LinearGraph
from axletree.graph.tree import Tree
from axletree.library.edge import Domain, Edge, MotionLaw, NetworkRole

HEADINGS = ("edge", "tail -> head", "dimension", "tree", "terminal equations")


def graph_text(graph: LinearGraph, trees: Mapping[Domain, Tree]) -> str:
    """A table per domain; the dimension is that of the across space at velocity level.

    Example:
    >>> import axletree as at
    >>> from axletree.report.graph_text import graph_text
    >>> equations = at.read_model("rlc-circuit").formulate().source
    >>> print(graph_text(equations.graph, equations.trees).splitlines()[0])
    electrical: across voltage, rate of voltage; through current
    """
    parts = []
    for domain in graph.domains:
        rows = edge_rows(trees[domain])
        title = f"{domain.name}: across {', '.join(domain.across)}; through {domain.through}"
        parts.append("\n".join([title, *_aligned([HEADINGS, *rows])]))
    return "\n\n".join(parts)


def edge_rows(tree: Tree) -> list[tuple[str, ...]]:
    """A row of texts for each edge, in the order of ``HEADINGS``."""
    branches = [(branch.edge, "branch") for branch in tree.branches]
    return [_row(edge, place) for edge, place in (*branches, *((c, "chord") for c in tree.chords))]


def _row(edge: Edge, place: str) -> tuple[str, ...]:
    equations = "; ".join(edge.terminal_equations())
    return edge.name, f"{edge.tail} -> {edge.head}", str(_dimension(edge)), place, equations


def _dimension(edge: Edge) -> int:
    """Of the across space; a scalar edge has one unless its across variable is given."""
    if isinstance(edge.law, MotionLaw):
        return edge.law.dimension
    return int(edge.law.role is not NetworkRole.ACROSS_SOURCE)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
