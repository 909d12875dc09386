"""The linear graph in a page: an SVG element as text, in the colours of the page.

Nodes stand in columns by their depth in the tree, as in ``plot.graph``; chords are arcs beside the
branches, the farther out the more of them join the same nodes. Lengths are pixels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from html import escape

import numpy as np

from axletree.components.edges import Domain
from axletree.equations.graph import ROOT, LinearGraph
from axletree.equations.tree import Tree
from axletree.plot.graph import node_depths, node_rows

_ROW, _LETTER, _GAP, _EDGE = 56.0, 6.0, 40.0, 24.0
_LABEL = 0.62  # of an arc, where its name stands: many leave one node, few come to one
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
    >>> from axletree.report.graph_drawing import graph_drawings
    >>> equations = at.read_model("rlc-circuit").formulate().source
    >>> graph_drawings(equations.graph, equations.trees).count("<path d")  # edges and two tips
    7
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
    branches = [branch.edge for branch in tree.branches]
    joined: Counter[frozenset[str]] = Counter()
    for edge in branches:
        joined[frozenset((edge.tail, edge.head))] += 1
    lines, words, reach = [], [], [np.array(list(places.values()))]
    for edge in branches:
        a, b = places[edge.tail], places[edge.head]
        lines.append(_arc(a, b, 0.5 * (a + b), ""))
        words.append(_words(0.5 * (a + b), edge.name, ""))
    for edge in tree.chords:
        a, b = places[edge.tail], places[edge.head]
        pair = frozenset((edge.tail, edge.head))
        side = np.array([a[1] - b[1], b[0] - a[0]])  # as long as the chord, across it
        sign = 1.0 if min(pair) == edge.tail else -1.0  # one side, whichever way it points
        middle = 0.5 * (a + b) + sign * (_BEND * (1 + joined[pair])) * side
        joined[pair] += 1
        t = _LABEL if edge.tail == ROOT else 1.0 - _LABEL if edge.head == ROOT else 0.5
        named = (1.0 - t) ** 2 * a + 2.0 * t * (1.0 - t) * middle + t * t * b
        lines.append(_arc(a, b, middle, "chord"))
        words.append(_words(named, edge.name, "of-chord"))
        reach.append(np.array([named, 0.25 * (a + b) + 0.5 * middle]))
    for name, place in places.items():
        kind = ' class="root"' if name == ROOT else ""
        lines.append(f'<circle cx="{place[0]:.0f}" cy="{place[1]:.0f}" r="{_NODE:g}"{kind}/>')
        words.append(_words(place - [0.0, 13.0], name, ""))
    every = np.vstack(reach)
    low, high = every.min(axis=0) - [90.0, _EDGE], every.max(axis=0) + [90.0, _EDGE]
    wide, tall = high - low
    return (
        f'<svg class="graph-drawing" width="{wide:.0f}" height="{tall:.0f}" '
        f'viewBox="{low[0]:.0f} {low[1]:.0f} {wide:.0f} {tall:.0f}">'
        f"{''.join(lines)}{''.join(words)}</svg>"
    )


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


def _words(at: np.ndarray, text: str, kind: str) -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{at[0]:.0f}" y="{at[1] + 3.5:.0f}"{style}>{escape(text)}</text>'
