"""The linear graph as a picture (tree edges dark, chords light, one panel per domain) and as text.

Nodes stand in columns by their depth in the tree, the reference node on the left; branches are
straight, chords are bent around what stands in their way, and names stand where they can be read.
Everything is decided by a fixed order of trials, so the same graph always gives the same picture.
Lengths are inches on paper.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from axletree.components.edges import Domain, Edge, MotionLaw, NetworkRole
from axletree.core.errors import AxletreeError
from axletree.core.text_table import TextTable
from axletree.equations.graph import ROOT, LinearGraph
from axletree.equations.tree import Tree
from axletree.plot.figure_files import write_figure
from axletree.plot.style import GREY, INK, PAPER, blank_figure

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
    panels = [_panel(graph, trees[domain]) for domain in graph.domains]
    corners, size = _arrange(panels)
    figure = blank_figure(float(size[0]), float(size[1]))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0.0, size[0]), ylim=(0.0, size[1]))
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
    boxes = np.array([b.row for b in (*labels.nodes.values(), *labels.edges.values())])
    corners = [boxes[:, :2] + side * boxes[:, 2:] for side in (-0.5, 0.5)]
    every = np.vstack([*layout.nodes.values(), *layout.curves.values(), *corners])
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

    colour, width, order = (DARK_EDGE, 1.9, 2) if in_tree else (LIGHT_EDGE, 1.5, 1)
    visible = Outline(shortened_name(curve, NODE_RADIUS + 0.015))
    look: dict[str, Any] = {
        "shrinkA": 0.0,
        "shrinkB": 0.0,
        "joinstyle": "miter",
        "capstyle": "butt",
    }
    style = "-|>,head_length=5,head_width=2.4"
    axes.add_artist(
        FancyArrowPatch(
            path=visible, arrowstyle=style, color=colour, linewidth=width, zorder=order, **look
        )
    )


def _draw_node(axes: Any, point: np.ndarray, name: str) -> None:
    from matplotlib.patches import Circle

    face = DARK_EDGE if name == ROOT else PAPER
    look = {"facecolor": face, "edgecolor": DARK_EDGE, "linewidth": 1.6, "zorder": 4}
    axes.add_artist(Circle((point[0], point[1]), NODE_RADIUS, **look))


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


_HEADINGS = ("edge:", "tail -> head:", "dimension:", "tree:", "terminal equations:")


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
        table = TextTable("", _HEADINGS, tuple(edge_rows(trees[domain]))).text()
        title = f"{domain.name}: across {', '.join(domain.across)}; through {domain.through}"
        parts.append(title + textwrap.indent(table, "  "))
    return "\n\n".join(parts)


def edge_rows(tree: Tree) -> list[tuple[str, ...]]:
    """A row of texts for each edge, in the order of ``HEADINGS``."""
    edges = {branch.edge: "branch" for branch in tree.branches}
    edges |= dict.fromkeys(tree.chords, "chord")
    return [
        (edge.name, f"{edge.tail} -> {edge.head}", str(_dimension(edge)), place,
         "; ".join(edge.terminal_equations()))
        for edge, place in edges.items()
    ]  # fmt: skip


def _dimension(edge: Edge) -> int:
    """Of the across space; a scalar edge has one unless its across variable is given."""
    if isinstance(edge.law, MotionLaw):
        return edge.law.dimension
    return int(edge.law.role is not NetworkRole.ACROSS_SOURCE)


NODE_RADIUS = 0.07
_ROW = 0.62  # between neighbouring rows
_CLEARANCE = 0.2  # that chords keep from nodes that are not theirs
_NEAR = 0.11  # within which a chord meets another edge
SAMPLES = 41  # points on an edge
BENDS = (0.0, *(s * h for h in (0.4, 0.7, 1.0, 1.35, 1.75, 2.2, 2.8, 3.5) for s in (1.0, -1.0)))
MOST_ORDERS = 24  # of the children of one node that are tried


@dataclass(frozen=True)
class Layout:
    """Nodes as points, edges as rows of points from tail to head."""

    nodes: Mapping[str, np.ndarray]
    curves: Mapping[Edge, np.ndarray]


def lay_out(tree: Tree, label_widths: Mapping[Edge, float], spread: float = 1.0) -> Layout:
    """``label_widths`` in inches; ``spread`` above 1 leaves more room."""
    depth, rows = node_depths(tree), node_rows(tree)
    columns = _columns(tree, depth, label_widths, spread)
    nodes = {name: np.array([columns[depth[name]], rows[name] * _ROW * spread]) for name in depth}
    curves: dict[Edge, np.ndarray] = {}
    for branch in tree.branches:
        curves[branch.edge] = _curve(nodes[branch.edge.tail], nodes[branch.edge.head], 0.0)
    ways = {chord: nodes[chord.head] - nodes[chord.tail] for chord in tree.chords}
    for chord in sorted(ways, key=lambda e: float(np.linalg.norm(ways[e]))):
        curves[chord] = _routed(chord, nodes, list(curves.values()), spread)
    return Layout(nodes, curves)


def _children(tree: Tree) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {ROOT: []}
    for branch in tree.branches:
        found.setdefault(branch.parent, []).append(branch.child)
        found.setdefault(branch.child, [])
    return found


def node_rows(tree: Tree) -> dict[str, float]:
    """The row of each node, downwards from 0, in an order that keeps chords short."""
    return _rows(_ordered(tree, _children(tree)))


def node_depths(tree: Tree) -> dict[str, int]:
    """How many branches each node is away from the reference node."""
    depth = {ROOT: 0}
    for branch in tree.branches:
        depth[branch.child] = depth[branch.parent] + 1
    return depth


def _rows(children: Mapping[str, Sequence[str]]) -> dict[str, float]:
    """Leaves in rows of their own, every other node in the middle of its children."""
    walk, stack = [], [ROOT]
    while stack:
        node = stack.pop()
        walk.append(node)
        stack += reversed(children[node])
    leaves = itertools.count()
    rows: dict[str, float] = {node: -float(next(leaves)) for node in walk if not children[node]}
    for node in reversed(walk):
        if children[node]:
            ends = rows[children[node][0]], rows[children[node][-1]]
            rows[node] = 0.5 * (ends[0] + ends[1])
    return rows


def _ordered(tree: Tree, children: dict[str, list[str]]) -> dict[str, list[str]]:
    """The order of children that keeps chords short, node by node."""
    best = {node: list(below) for node, below in children.items()}

    def cost(candidate: Mapping[str, Sequence[str]]) -> float:
        rows = _rows(candidate)
        return sum(abs(rows[c.tail] - rows[c.head]) for c in tree.chords)

    lowest = cost(best)
    for node, below in children.items():
        if len(below) < 2:
            continue
        for order in itertools.islice(itertools.permutations(below), MOST_ORDERS):
            trial = best | {node: list(order)}
            if (value := cost(trial)) < lowest - 1e-9:
                best, lowest = trial, value
    return best


def _columns(
    tree: Tree, depth: Mapping[str, int], label_widths: Mapping[Edge, float], spread: float
) -> list[float]:
    """Columns so far apart that the labels of branches fit between them."""
    gaps = [0.0] * (max(depth.values()) + 1)
    for branch in tree.branches:
        column = depth[branch.child]
        gaps[column] = max(gaps[column], label_widths[branch.edge] + 0.72)
    return list(itertools.accumulate(gap * spread for gap in gaps))


def shortened_name(curve: np.ndarray, gap: float) -> np.ndarray:
    """The part of an edge that keeps the gap from both its nodes."""
    t = np.linspace(0.0, len(curve) - 1.0, 12 * len(curve))
    places = np.arange(len(curve))
    fine = np.stack([np.interp(t, places, curve[:, k]) for k in (0, 1)], axis=1)
    clear = [np.linalg.norm(fine - end, axis=1) > gap for end in (curve[0], curve[-1])]
    return np.asarray(fine[clear[0] & clear[1]])


def _curve(start: np.ndarray, end: np.ndarray, bend: float) -> np.ndarray:
    """A cubic that leaves the straight line by three quarters of ``bend``, to its left."""
    along = end - start
    length = float(np.linalg.norm(along)) or 1.0
    normal = np.array([-along[1], along[0]]) / length
    first = start + 0.2 * along + bend * normal
    second = end - 0.2 * along + bend * normal
    t = np.linspace(0.0, 1.0, SAMPLES)[:, None]
    return np.asarray(
        (1 - t) ** 3 * start
        + 3 * t * (1 - t) ** 2 * first
        + 3 * t**2 * (1 - t) * second
        + t**3 * end
    )


def _routed(
    edge: Edge, nodes: Mapping[str, np.ndarray], placed: Sequence[np.ndarray], spread: float
) -> np.ndarray:
    """The bend that meets the fewest nodes and edges, and among these the least."""
    others = np.array([p for name, p in nodes.items() if name not in (edge.tail, edge.head)])
    start, end = nodes[edge.tail], nodes[edge.head]
    # Edges that share a node meet there; that end is no encounter.
    middles = _Placed(np.array([curve[5:-5] for curve in placed]).reshape(len(placed), -1, 2))
    best, lowest = _curve(start, end, 0.0), np.inf
    for bend in BENDS:
        if 1.2 * abs(bend) >= lowest:  # none that follows is better
            break
        curve = _curve(start, end, bend * spread)
        cost = 1.2 * abs(bend) + _nodes_met(curve, others)
        if cost < lowest - 1e-9:
            cost += middles.met_by(curve[5:-5])
        if cost < lowest - 1e-9:
            best, lowest = curve, cost
    return best


def _nodes_met(curve: np.ndarray, others: np.ndarray) -> float:
    """What meeting other nodes costs."""
    if not len(others):
        return 0.0
    x, y = (curve[:, None, k] - others[None, :, k] for k in (0, 1))
    near = np.sqrt((x * x + y * y).min(axis=0))
    return 40.0 * float(np.count_nonzero(near < _CLEARANCE))


class _Placed:
    """Middles of the edges that have their curves."""

    def __init__(self, middles: np.ndarray) -> None:
        self._x, self._y = middles[..., 0].copy(), middles[..., 1].copy()
        if len(middles):
            self._least, self._most = middles.min(axis=1), middles.max(axis=1)

    def met_by(self, middle: np.ndarray) -> float:
        """What meeting them costs."""
        if not len(self._x):
            return 0.0
        low, high = middle.min(axis=0) - _NEAR, middle.max(axis=0) + _NEAR
        passes = ((self._least < high) & (self._most > low)).all(axis=1)
        x = middle[:, 0, None, None] - self._x[passes]
        y = middle[:, 1, None, None] - self._y[passes]
        close = (x * x + y * y).min(axis=2)
        return 0.8 * float(np.count_nonzero(close < _NEAR**2))


PAD = 0.03  # inches that labels keep from one another
_ALONG = sorted(range(6, SAMPLES - 8), key=lambda k: (abs(k - SAMPLES // 2), k))
_ARROW = 0.13  # inches, around the head of an edge


@dataclass(frozen=True)
class Box:
    """A rectangle in inches."""

    centre: tuple[float, float]
    width: float
    height: float

    @property
    def row(self) -> tuple[float, float, float, float]:
        """Centre, width and height."""
        return (*self.centre, self.width, self.height)

    def count_overlapped(self, rows: np.ndarray) -> int:
        """How many of the boxes, by their rows, this one comes too near to."""
        (x, y), (width, height) = self.centre, (self.width, self.height)
        beside = np.abs(rows[:, 0] - x) < 0.5 * (rows[:, 2] + width) + PAD
        above = np.abs(rows[:, 1] - y) < 0.5 * (rows[:, 3] + height) + PAD
        return int(np.count_nonzero(beside & above))

    def count_inside(self, points: np.ndarray) -> int:
        x, y = self.centre
        beside = np.abs(points[:, 0] - x) < 0.5 * self.width
        return int(np.count_nonzero(np.abs(points[beside, 1] - y) < 0.5 * self.height))


@dataclass(frozen=True)
class GraphLabels:
    """Boxes of all labels; ``clashes`` counts those that found no free place."""

    nodes: Mapping[str, Box]
    edges: Mapping[Edge, Box]
    clashes: int


def place_labels(
    layout: Layout,
    node_widths: Mapping[str, float],
    edge_widths: Mapping[Edge, float],
    height: float,
) -> GraphLabels:
    """Names of nodes beside them, names of edges on them; widths and height in inches."""
    circles = [Box((p[0], p[1]), 2 * NODE_RADIUS, 2 * NODE_RADIUS) for p in layout.nodes.values()]
    # Points so dense that none slips past a label, and the arrow heads.
    fine = {
        edge: np.concatenate([curve, 0.5 * (curve[1:] + curve[:-1])])
        for edge, curve in layout.curves.items()
    }
    every = np.concatenate(list(fine.values()))
    ends = (shortened_name(c, NODE_RADIUS + 0.4 * _ARROW)[-1] for c in layout.curves.values())
    placer = _Placer([*circles, *(_centred(end, _ARROW, _ARROW) for end in ends)])
    nodes = {
        name: placer.place(_beside(layout.nodes[name], width, height), every)
        for name, width in node_widths.items()
    }
    # Short edges have the fewest places to choose from.
    lengths = {edge: float(np.ptp(curve, axis=0).sum()) for edge, curve in layout.curves.items()}
    edges: dict[Edge, Box] = {}
    for edge in sorted(layout.curves, key=lambda e: (lengths[e], e.name)):
        others = [points for e, points in fine.items() if e is not edge]
        passing = np.concatenate(others) if others else np.empty((0, 2))
        size, points = (edge_widths[edge], height), layout.curves[edge][_ALONG]
        edges[edge] = placer.place((_centred(point, *size) for point in points), passing)
    return GraphLabels(nodes, edges, placer.clashes)


class _Placer:
    def __init__(self, taken: Sequence[Box]) -> None:
        self.taken = np.array([box.row for box in taken])
        self.clashes = 0

    def place(self, candidates: Iterable[Box], passing: np.ndarray) -> Box:
        """The first candidate that hides nothing, else the one that hides least."""
        best, lowest = None, np.inf
        for rank, box in enumerate(candidates):
            if 0.3 * rank >= lowest:  # none that follows is better
                break
            covered = box.count_overlapped(self.taken)
            if 1000.0 * covered >= lowest:
                continue
            cost = 1000.0 * covered + 3.0 * box.count_inside(passing) + 0.3 * rank
            if cost < lowest:
                best, lowest = box, cost
        assert best is not None
        self.clashes += lowest >= 1000.0
        self.taken = np.vstack([self.taken, best.row])
        return best


def _beside(node: np.ndarray, width: float, height: float) -> list[Box]:
    """Below, above, and to the sides."""
    x, y = float(node[0]), float(node[1])
    down = NODE_RADIUS + 0.5 * height + 2 * PAD
    side = NODE_RADIUS + 0.5 * width + 2 * PAD
    shift = 0.35 * width + NODE_RADIUS
    places = [(x, y - down), (x, y + down)]
    places += [(x + s, y + d) for d in (-down, down) for s in (shift, -shift)]
    places += [(x + side, y), (x - side, y), (x, y - 1.7 * down), (x, y + 1.7 * down)]
    return [Box(place, width, height) for place in places]


def _centred(point: np.ndarray, width: float, height: float) -> Box:
    return Box((float(point[0]), float(point[1])), width, height)
