"""The linear graph in a page: an SVG element as text, in the colours of the page.

Nodes stand in columns by their depth in the tree, as in ``plot.graph``; chords are arcs beside the
branches, the farther out the more of them join the same nodes. Lengths are pixels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from axletree.components.edges import Domain
from axletree.equations.graph import ROOT, LinearGraph
from axletree.equations.tree import Tree
from axletree.plot.graph import node_depths, node_rows

_ROW, _LETTER, _GAP, _EDGE = 60.0, 6.2, 44.0, 12.0
_HIGH = 7.0  # half the height of a name
_ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)  # of an edge, where its name stands
_SHIFTS = (0.0, -15.0, 15.0, -30.0, 30.0)  # above and below it
_NODE = 5.0  # radius
_BEND = 0.22  # of the length of the first arc between two nodes, sideways
_STYLE = (
    ".graph-drawing text{font:11px sans-serif;fill:var(--ink);text-anchor:middle;"
    "paint-order:stroke;stroke:var(--paper);stroke-width:4px}"
    ".graph-drawing path{fill:none;stroke:var(--ink);stroke-width:1.8;marker-end:url(#tip)}"
    ".graph-drawing .chord{stroke:var(--plot-2);stroke-width:1.2;stroke-dasharray:5 3;"
    "marker-end:url(#chord-tip)}"
    ".graph-drawing .of-chord{fill:var(--plot-2)}"
    ".graph-drawing circle{fill:var(--paper);stroke:var(--ink);stroke-width:1.6}"
    ".graph-drawing .root{fill:var(--ink)}"
)
_TIPS = "".join(
    f'<marker id="{name}" viewBox="0 0 8 6" refX="8" refY="3" markerWidth="8" markerHeight="6" '
    f'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 3L0 6z" '
    f'style="fill:var({colour});stroke:none;marker-end:none"/></marker>'
    for name, colour in (("tip", "--ink"), ("chord-tip", "--plot-2"))
)


def graph_drawings(graph: LinearGraph, trees: Mapping[Domain, Tree]) -> str:
    """An element for each domain; arrows go from tail to head, chords are dashed.

    Example:
    >>> import axletree as at
    >>> from axletree.reports.graph_drawing import graph_drawings
    >>> equations = at.read_model("rlc-circuit").formulate().source
    >>> graph_drawings(equations.graph, equations.trees).count("<path d")  # edges and two tips
    6
    """
    drawn = "".join(
        f"<p>{escape(domain.name)}: branches of the tree are solid, chords dashed</p>"
        f'<figure class="scrolled">{_drawing(trees[domain])}</figure>'
        for domain in graph.domains
    )
    tips = f'<svg width="0" height="0" style="position:absolute"><defs>{_TIPS}</defs></svg>'
    return f"<style>{_STYLE}</style>{tips}{drawn}" if drawn else ""


def _drawing(tree: Tree) -> str:
    places = _places(tree)
    joined: Counter[frozenset[str]] = Counter()
    lines, labels = [], _Labels()
    for name, place in places.items():
        kind = ' class="root"' if name == ROOT else ""
        lines.append(f'<circle cx="{place[0]:.0f}" cy="{place[1]:.0f}" r="{_NODE:g}"{kind}/>')
        labels.add(name, "", [place - [0.0, 14.0], place + [0.0, 14.0]])
    branches = {branch.edge for branch in tree.branches}
    for edge in (*(branch.edge for branch in tree.branches), *tree.chords):
        a, b = places[edge.tail], places[edge.head]
        pair = frozenset((edge.tail, edge.head))
        side = np.array([a[1] - b[1], b[0] - a[0]])  # as long as the edge, across it
        sign = 1.0 if min(pair) == edge.tail else -1.0  # one side, whichever way it points
        bend = 0.0 if edge in branches else sign * _BEND * (1 + joined[pair])
        joined[pair] += 1
        middle = 0.5 * (a + b) + bend * side
        kind = "" if edge in branches else "chord"
        lines.insert(0, _arc(a, b, middle, kind))
        arc = [(1.0 - t) ** 2 * a + 2.0 * t * (1.0 - t) * middle + t * t * b for t in _ALONG]
        labels.add(edge.name, "of-chord" if kind else "", arc)
    every = np.vstack([*places.values(), labels.corners])
    low, high = every.min(axis=0) - _EDGE, every.max(axis=0) + _EDGE
    wide, tall = high - low
    return (
        f'<svg class="graph-drawing" width="{wide:.0f}" height="{tall:.0f}" '
        f'viewBox="{low[0]:.0f} {low[1]:.0f} {wide:.0f} {tall:.0f}">'
        f"{''.join(lines)}{''.join(labels.texts)}</svg>"
    )


class _Labels:
    """Names that stand where no other does, as far as there is such a place for them."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._middles: list[np.ndarray] = []
        self._halves: list[np.ndarray] = []

    @property
    def corners(self) -> np.ndarray:
        middles, halves = np.array(self._middles), np.array(self._halves)
        return np.concatenate([middles - halves, middles + halves])

    def add(self, text: str, kind: str, places: Sequence[np.ndarray]) -> None:
        """At the first of the places that is free, a little above or below it if none is."""
        half = np.array([0.5 * _LETTER * len(text) + 2.0, _HIGH])
        shifts = np.array([[0.0, shift] for shift in _SHIFTS])
        tried = (np.array(places) + shifts[:, None]).reshape(-1, 2)
        chosen = tried[np.argmin(self._covered(tried, half))]  # the first of equals
        self._middles.append(chosen)
        self._halves.append(half)
        style = f' class="{kind}"' if kind else ""
        x, y = chosen[0], chosen[1] + 3.5
        self.texts.append(f'<text x="{x:.0f}" y="{y:.0f}"{style}>{escape(text)}</text>')

    def _covered(self, middles: np.ndarray, half: np.ndarray) -> np.ndarray:
        """The area that others take of a name at each place."""
        if not self._middles:
            return np.zeros(len(middles))
        apart = np.abs(np.array(self._middles) - middles[:, None])
        shared = np.array(self._halves) + half - apart
        return np.asarray(np.prod(np.maximum(shared, 0.0), axis=2).sum(axis=1))


def _places(tree: Tree) -> dict[str, np.ndarray]:
    """Of each node; columns are as far apart as the names of branches between them are long."""
    depth, rows = node_depths(tree), node_rows(tree)
    widths: dict[int, int] = {}
    for branch in tree.branches:
        at, letters = depth[branch.child], len(branch.edge.name)
        widths[at] = max(widths.get(at, 0), letters, len(branch.child))
    left = {0: 0.0}
    for level in range(1, max(depth.values(), default=0) + 1):
        left[level] = left[level - 1] + _GAP + _LETTER * widths.get(level, 0)
    return {name: np.array([left[depth[name]], -_ROW * rows[name]]) for name in depth}


def _arc(a: np.ndarray, b: np.ndarray, by: np.ndarray, kind: str) -> str:
    """From the edge of one node to that of the other."""
    first, last = _toward(a, by if not np.allclose(by, a) else b), _toward(b, by)
    style = f' class="{kind}"' if kind else ""
    way = f"M{first[0]:.1f} {first[1]:.1f}Q{by[0]:.1f} {by[1]:.1f} {last[0]:.1f} {last[1]:.1f}"
    return f'<path d="{way}"{style}/>'


def _toward(node: np.ndarray, other: np.ndarray) -> np.ndarray:
    way = other - node
    size = float(np.hypot(*way))
    return np.asarray(node + (_NODE + 1.5) * way / size if size else node)
