"""Pictures of linear graphs: every label can be read, and branches are told from chords."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mechanisms.shipped_run import models

import axletree as at
from axletree.core.errors import AxletreeError
from axletree.equations.graph import build_graph
from axletree.equations.tree import select_trees
from axletree.plot.graph import (
    DARK_EDGE,
    LIGHT_EDGE,
    NODE_RADIUS,
    draw_graph,
    graph_text,
    lay_out,
    text_width,
    write_graph_picture,
)

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def graph_and_trees(model: Any, tree: Any = None) -> tuple[Any, Any]:
    graph = build_graph(model)
    return graph, select_trees(graph, model.tree if tree is None else tree)


def drawn(name: str) -> Any:
    return draw_graph(*graph_and_trees(at.read_model(name)))


LARGE = {"compact-car", "off-road-truck", "rover"}


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow) if n in LARGE else n for n in models()]
)
def test_labels_do_not_overlap(name: str) -> None:
    figure = drawn(name)
    boxes = visible_boxes(figure)
    sides = np.array([box.extents for _, box in boxes])
    low, high = sides[:, None, :2], sides[:, None, 2:]
    overlap = np.triu(((low <= sides[:, 2:]) & (sides[:, :2] <= high)).all(axis=2), 1)
    assert len(boxes) > 4
    assert [(boxes[a][0], boxes[b][0]) for a, b in np.argwhere(overlap)] == []


def visible_boxes(figure: Any) -> list[tuple[str, Any]]:
    """The extents of all texts as the renderer draws them, and of all nodes."""
    from matplotlib.patches import Circle

    (axes,) = figure.axes
    renderer = figure.canvas.get_renderer()
    found = [(text.get_text(), glyphs(text, renderer)) for text in axes.texts]
    circles = [artist for artist in axes.get_children() if isinstance(artist, Circle)]
    return found + [("node", circle.get_window_extent(renderer)) for circle in circles]


def glyphs(text: Any, renderer: Any) -> Any:
    """The box of the letters alone, without the white ground around them."""
    text.set_bbox(None)
    return text.get_window_extent(renderer)


def test_everything_lies_within_the_picture() -> None:
    figure = drawn("four-bar")
    width, height = figure.canvas.get_width_height()
    for text, box in visible_boxes(figure):
        assert 0 <= box.x0 < box.x1 <= width, text
        assert 0 <= box.y0 < box.y1 <= height, text


def test_branches_are_dark_and_chords_light() -> None:
    from matplotlib.colors import to_hex
    from matplotlib.patches import FancyArrowPatch

    graph, trees = graph_and_trees(at.read_model("slider-crank"))
    (axes,) = draw_graph(graph, trees).axes
    arrows = [artist for artist in axes.get_children() if isinstance(artist, FancyArrowPatch)]
    colours = [to_hex(arrow.get_edgecolor()) for arrow in arrows]
    in_legend = 1
    assert colours.count(DARK_EDGE) == sum(len(t.branches) for t in trees.values()) + in_legend
    assert colours.count(LIGHT_EDGE) == sum(len(t.chords) for t in trees.values()) + in_legend


def test_edges_run_from_tail_to_head() -> None:
    _, trees = graph_and_trees(at.read_model("slider-crank"))
    for tree in trees.values():
        edges = [*(b.edge for b in tree.branches), *tree.chords]
        layout = lay_out(tree, {edge: text_width(edge.name) for edge in edges})
        for edge, curve in layout.curves.items():
            assert curve[0] == pytest.approx(layout.nodes[edge.tail])
            assert curve[-1] == pytest.approx(layout.nodes[edge.head])


def test_parallel_edges_are_kept_apart() -> None:
    model = at.read_model("motor-driven-slider-crank")
    _, trees = graph_and_trees(model)
    tree = next(t for domain, t in trees.items() if domain.name == "translation")
    edges = [*(b.edge for b in tree.branches), *tree.chords]
    layout = lay_out(tree, {edge: text_width(edge.name) for edge in edges})
    parallel = [e for e in edges if (e.tail, e.head) == ("ground", "ram")]
    assert len(parallel) >= 3
    middles = [layout.curves[edge][20] for edge in parallel]
    for a, b in itertools.combinations(middles, 2):
        assert np.linalg.norm(a - b) > 2 * NODE_RADIUS


def test_chords_keep_away_from_other_nodes() -> None:
    _, trees = graph_and_trees(at.read_model("slider-crank"))
    for tree in trees.values():
        widths = dict.fromkeys((*(b.edge for b in tree.branches), *tree.chords), 0.5)
        layout = lay_out(tree, widths)
        for chord in tree.chords:
            for name, point in layout.nodes.items():
                if name not in (chord.tail, chord.head):
                    gap = np.linalg.norm(layout.curves[chord] - point, axis=1).min()
                    assert gap > NODE_RADIUS, (chord.name, name)


def test_files_are_what_their_names_say(tmp_path: Path) -> None:
    graph, trees = graph_and_trees(at.read_model("pendulum"))
    svg = write_graph_picture(graph, trees, tmp_path / "graph.svg")
    png = write_graph_picture(graph, trees, tmp_path / "new" / "graph.png")
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")
    assert png.read_bytes().startswith(PNG_SIGNATURE)
    again = write_graph_picture(graph, trees, tmp_path / "again.svg")
    assert again.read_bytes() == svg.read_bytes()
    with pytest.raises(AxletreeError, match="svg"):
        write_graph_picture(graph, trees, tmp_path / "graph.bmp")


def test_a_graph_that_is_too_large_is_refused() -> None:
    model = at.Model("chain")
    before: Any = model.ground
    for k in range(160):
        body = model.add(at.RigidBody(f"body{k}", 1.0, (1.0, 1.0, 1.0)))
        model.add(at.Revolute(f"hinge{k}", before, body, axis="y"))
        before = body
    graph, trees = graph_and_trees(model)
    with pytest.raises(AxletreeError, match="161 nodes"):
        draw_graph(graph, trees)
    assert "hinge159.R1" in graph_text(graph, trees)


def test_the_table_of_the_pendulum() -> None:
    graph, trees = graph_and_trees(at.read_model("pendulum"))
    lines = [" ".join(line.split()) for line in graph_text(graph, trees).splitlines()]
    assert lines[0] == "translation: across position, velocity, acceleration; through force"
    assert "pin.T1 ground -> rod.top 0 branch r = 0; v = 0; a = 0" in lines
    assert "rod.R1 ground -> rod 3 chord M = -J dw/dt - w x J w" in lines


def test_the_table_follows_the_choice_of_the_tree() -> None:
    graph, trees = graph_and_trees(at.read_model("pendulum"), ["rod"])
    rows = {line.split()[0]: line for line in graph_text(graph, trees).splitlines() if "->" in line}
    assert " chord " in rows["pin.R1"]
    assert " branch " in rows["rod.R1"]


def test_the_dimension_of_scalar_edges() -> None:
    graph, trees = graph_and_trees(at.read_model("rlc-circuit"))
    text = graph_text(graph, trees)
    dimensions = [line.split()[4] for line in text.splitlines() if " -> " in line and "E1" in line]
    assert sorted(dimensions)[0] == "0"  # the source: its voltage is given
    assert set(dimensions) == {"0", "1"}
