"""Where the names of nodes and edges stand so that all of them can be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from axletree.library.edge import Edge
from axletree.report.graph_layout import NODE_RADIUS, SAMPLES, Layout, shortened

PAD = 0.03  # inches that labels keep from one another
ALONG = sorted(range(6, SAMPLES - 8), key=lambda k: (abs(k - SAMPLES // 2), k))
ARROW = 0.13  # inches, around the head of an edge


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
class Labels:
    """Boxes of all labels; ``clashes`` counts those that found no free place."""

    nodes: Mapping[str, Box]
    edges: Mapping[Edge, Box]
    clashes: int


def place_labels(
    layout: Layout,
    node_widths: Mapping[str, float],
    edge_widths: Mapping[Edge, float],
    height: float,
) -> Labels:
    """Names of nodes beside them, names of edges on them; widths and height in inches."""
    circles = [Box((p[0], p[1]), 2 * NODE_RADIUS, 2 * NODE_RADIUS) for p in layout.nodes.values()]
    fine = {edge: _fine(curve) for edge, curve in layout.curves.items()}
    every = np.concatenate(list(fine.values()))
    placer = _Placer([*circles, *(_arrow_head(curve) for curve in layout.curves.values())])
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
        places = (
            _centred(point, edge_widths[edge], height) for point in layout.curves[edge][ALONG]
        )
        edges[edge] = placer.place(places, passing)
    return Labels(nodes, edges, placer.clashes)


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


def _arrow_head(curve: np.ndarray) -> Box:
    end = shortened(curve, NODE_RADIUS + 0.4 * ARROW)[-1]
    return _centred(end, ARROW, ARROW)


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


def _fine(curve: np.ndarray) -> np.ndarray:
    """Points so dense that none slips past a label."""
    middles = 0.5 * (curve[1:] + curve[:-1])
    return np.concatenate([curve, middles])
