"""The linear graph as a picture (tree edges dark, chords light, one panel per domain) and as a
table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.components.edges import Domain, Edge, MotionLaw, NetworkRole
from axletree.core.errors import AxletreeError
from axletree.equations.graph import ROOT, LinearGraph
from axletree.equations.tree import Tree
from axletree.plot.figure_files import write_figure
from axletree.plot.graph_layout import (
    NODE_RADIUS,
    GraphLabels,
    Layout,
    lay_out,
    place_labels,
    shortened_name,
)
from axletree.plot.style import GREY, INK, PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DARK_EDGE, LIGHT_EDGE, LIGHT_INK = INK, "#b4bcc6", GREY
FONT_SIZE = 8.0  # points
TITLE_SIZE = 11.0
LABEL_HEIGHT = 0.15  # inches
_MARGIN = 0.3
LEGEND_HEIGHT = 0.45
WIDEST_ROW = 13.0  # inches; panels that are wider together stand below one another
MOST_NODES = 150
SPREADS = (1.0, 1.2, 1.45, 1.8, 2.3, 3.0)


class GraphPictureError(AxletreeError):
    """A graph that cannot be drawn so that it can be read."""


@dataclass(frozen=True)
class GraphPanel:
    """The graph of one domain, laid out; ``low`` and ``high`` are the corners in inches."""

    tree: Tree
    layout: Layout
    labels: GraphLabels
    low: np.ndarray
    high: np.ndarray

    @property
    def size(self) -> np.ndarray:
        return np.asarray(self.high - self.low + 2 * _MARGIN + np.array([0.0, 0.3]))


def draw_graph(graph: LinearGraph, trees: Mapping[Domain, Tree]) -> Figure:
    """A figure with a panel for each domain; an arrow points from tail to head.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.graph import draw_graph
    >>> equations = at.read_model("rlc-circuit").formulate().source
    >>> type(draw_graph(equations.graph, equations.trees)).__name__
    'Figure'
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    panels = [_panel(graph, trees[domain]) for domain in graph.domains]
    corners, size = _arrange(panels)
    figure = Figure(figsize=(float(size[0]), float(size[1])))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0.0, size[0])
    axes.set_ylim(0.0, size[1])
    axes.axis("off")
    for panel, corner in zip(panels, corners, strict=True):
        _draw_panel(axes, panel, corner)
    _draw_legend(axes)
    return figure


def write_graph_picture(graph: LinearGraph, trees: Mapping[Domain, Tree], path: str | Path) -> Path:
    """The picture as a file; SVG, PNG or PDF by the ending of its name.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.graph import write_graph_picture
    >>> equations = at.read_model("rlc-circuit").formulate().source
    >>> write_graph_picture(equations.graph, equations.trees, "graph.svg").name
    'graph.svg'
    """
    return write_figure(draw_graph(graph, trees), Path(path))


def _panel(graph: LinearGraph, tree: Tree) -> GraphPanel:
    nodes = graph.nodes_of(tree.domain)
    if len(nodes) > MOST_NODES:
        raise GraphPictureError(
            f"the graph has {len(nodes)} nodes in the {tree.domain.name} domain; a picture of "
            f"more than {MOST_NODES} cannot be read. Print it with graph_text instead"
        )
    node_widths = {name: text_width(name) for name in nodes}
    edge_widths = {edge: text_width(edge.name) for edge in graph.edges_of(tree.domain)}
    for spread in SPREADS:
        layout = lay_out(tree, edge_widths, spread)
        labels = place_labels(layout, node_widths, edge_widths, LABEL_HEIGHT)
        if not labels.clashes:
            break
    low, high = _extent(layout, labels)
    return GraphPanel(tree, layout, labels, low, high)


def text_width(text: str) -> float:
    """The width of a label in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(size=FONT_SIZE)
    width, _, _ = text_to_path.get_text_width_height_descent(text, font, ismath=False)
    return float(width) / 72.0 + 0.04


def _extent(layout: Layout, labels: GraphLabels) -> tuple[np.ndarray, np.ndarray]:
    points = [*layout.nodes.values(), *(p for curve in layout.curves.values() for p in curve)]
    for box in (*labels.nodes.values(), *labels.edges.values()):
        half = 0.5 * np.array([box.width, box.height])
        points += [np.array(box.centre) - half, np.array(box.centre) + half]
    every = np.array(points)
    return every.min(axis=0), every.max(axis=0)


def _arrange(panels: Sequence[GraphPanel]) -> tuple[list[np.ndarray], np.ndarray]:
    """The lower left corners of panels, beside or below one another, and the whole size."""
    widths, heights = ([float(p.size[k]) for p in panels] for k in (0, 1))
    if sum(widths) <= WIDEST_ROW:
        top = LEGEND_HEIGHT + max(heights)
        lefts = np.cumsum([0.0, *widths[:-1]])
        corners = [np.array([x, top - h]) for x, h in zip(lefts, heights, strict=True)]
        return corners, np.array([max(sum(widths), 4.5), top])
    total = LEGEND_HEIGHT + sum(heights)
    bottoms = total - np.cumsum(heights)
    return [np.array([0.0, y]) for y in bottoms], np.array([max(*widths, 4.5), total])


def _draw_panel(axes: Any, panel: GraphPanel, corner: np.ndarray) -> None:
    shift = corner + _MARGIN - panel.low
    top = corner + panel.size
    axes.text(
        corner[0] + _MARGIN, top[1] - 0.28, panel.tree.domain.name, fontsize=TITLE_SIZE, color=INK,
        fontweight="bold",
    )  # fmt: skip
    branches = {branch.edge for branch in panel.tree.branches}
    for edge in sorted(panel.layout.curves, key=lambda e: e in branches):
        _draw_edge(axes, panel.layout.curves[edge] + shift, edge in branches)
    for name, point in panel.layout.nodes.items():
        _draw_node(axes, point + shift, name)
        centre = np.array(panel.labels.nodes[name].centre) + shift
        _draw_label(axes, centre, name, INK)
    for edge, box in panel.labels.edges.items():
        colour = INK if edge in branches else LIGHT_INK
        _draw_label(axes, np.array(box.centre) + shift, edge.name, colour)


def _draw_edge(axes: Any, curve: np.ndarray, in_tree: bool) -> None:
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Outline

    colour, width = (DARK_EDGE, 1.9) if in_tree else (LIGHT_EDGE, 1.5)
    visible = shortened_name(curve, NODE_RADIUS + 0.015)
    arrow = FancyArrowPatch(
        path=Outline(visible),
        arrowstyle="-|>,head_length=5,head_width=2.4",
        shrinkA=0.0,
        shrinkB=0.0,
        color=colour,
        linewidth=width,
        joinstyle="miter",
        capstyle="butt",
        zorder=2 if in_tree else 1,
    )
    axes.add_artist(arrow)


def _draw_node(axes: Any, point: np.ndarray, name: str) -> None:
    from matplotlib.patches import Circle

    face = DARK_EDGE if name == ROOT else PAPER
    circle = Circle(
        (point[0], point[1]),
        NODE_RADIUS,
        facecolor=face,
        edgecolor=DARK_EDGE,
        linewidth=1.6,
        zorder=4,
    )
    axes.add_artist(circle)


def _draw_label(axes: Any, centre: np.ndarray, text: str, colour: str) -> None:
    axes.text(
        centre[0], centre[1], text, fontsize=FONT_SIZE, color=colour, ha="center", va="center",
        zorder=5, bbox={"boxstyle": "square,pad=0.08", "facecolor": PAPER, "edgecolor": "none"},
    )  # fmt: skip


def _draw_legend(axes: Any) -> None:
    y = 0.5 * LEGEND_HEIGHT
    rows = ((0.0, True, "branch (tree)"), (1.55, False, "chord (cotree)"))
    for offset, in_tree, text in rows:
        x = _MARGIN + offset
        _draw_edge(axes, np.linspace([x - NODE_RADIUS, y], [x + 0.5, y], 41), in_tree)
        axes.text(x + 0.52, y, text, fontsize=FONT_SIZE, color=INK, va="center")
    axes.text(_MARGIN + 3.2, y, "from tail to head", fontsize=FONT_SIZE, color=INK, va="center")


_HEADINGS = ("edge", "tail -> head", "dimension", "tree", "terminal equations")


def graph_text(graph: LinearGraph, trees: Mapping[Domain, Tree]) -> str:
    """A table per domain; the dimension is that of the across space at velocity level.

    Example:
    >>> import axletree as at
    >>> from axletree.plot.graph import graph_text
    >>> equations = at.read_model("rlc-circuit").formulate().source
    >>> print(graph_text(equations.graph, equations.trees).splitlines()[0])
    electrical: across voltage, rate of voltage; through current
    """
    parts = []
    for domain in graph.domains:
        rows = edge_rows(trees[domain])
        title = f"{domain.name}: across {', '.join(domain.across)}; through {domain.through}"
        parts.append("\n".join([title, *_aligned([_HEADINGS, *rows])]))
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
