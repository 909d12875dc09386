"""Draws the pictures of the tutorials and of the page on how Axletree works."""

from __future__ import annotations

import sys
from pathlib import Path

import axletree as at
from axletree.graph.linear_graph import build_graph
from axletree.graph.tree import select_trees
from axletree.report.graph_picture import write_graph_picture


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    return [_draw_graph(folder / "how-it-works-graph.svg")]


def _draw_graph(path: Path) -> Path:
    """As ``axletree graph bicycle-car`` does."""
    graph = build_graph(at.read_model("bicycle-car"))
    return write_graph_picture(graph, select_trees(graph), path)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
