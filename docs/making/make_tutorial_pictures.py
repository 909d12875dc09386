"""Draws the pictures of the tutorials and of the page on how Axletree works."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import axletree as at
from axletree.equations.graph import build_graph
from axletree.equations.tree import select_trees
from axletree.plot.cycles import plot_cycle
from axletree.plot.figure_files import write_figure
from axletree.plot.graph import write_graph_picture
from axletree.plot.panels import Panel, PanelCurve, draw_panels
from axletree.plot.wheels import TyreRange, plot_tyre
from axletree.simulation.recomputed_outputs import RunFacts
from axletree.wheel.soils.contract import WheelInSoil

SOILS = ("lete-sand-wong", "dry-sand-lll", "grenville-loam-wong", "heavy-clay-wes-40")
TUTORIALS = Path(__file__).parent.parent / "tutorials"


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    return [
        _draw_graph(folder / "how-it-works-graph.svg"),
        _draw_tyres(folder / "own-tyre.png"),
        _draw_cart(folder / "own-topology-cart.png"),
        _draw_soils(folder / "soft-soil.png"),
        _draw_cycle(folder / "electric-car.png"),
    ]


def _draw_graph(path: Path) -> Path:
    """As ``axletree graph bicycle-car`` does."""
    graph = build_graph(at.read_model("bicycle-car"))
    return write_graph_picture(graph, select_trees(graph), path)


def _draw_cycle(path: Path) -> Path:
    """As ``axletree cycle electric-car nedc --model single-track --pictures`` does."""
    car = at.read_model("electric-car", {"vehicle": {"fidelity": "single-track"}})
    return write_figure(plot_cycle(car.cycle("nedc")), path)


def _draw_tyres(path: Path) -> Path:
    """As ``axletree tyre compare mine.tir summer.yaml`` does with the files of the page."""
    text = (TUTORIALS / "own-tyre.md").read_text(encoding="utf-8")
    laws = {}
    with tempfile.TemporaryDirectory() as place:
        for name in ("mine.tir", "summer.yaml"):
            pattern = rf'^Path\("{name}"\)\.write_text\("""(.*?)^"""\)$'
            found = re.search(pattern, text, re.MULTILINE | re.DOTALL)
            assert found is not None
            file = Path(place, name)
            file.write_text(found[1], encoding="utf-8")
            laws[file.stem] = at.read_tyre_law(file)
    return write_figure(plot_tyre(laws, TyreRange.of(laws["mine"])), path)


def _draw_cart(path: Path) -> Path:
    """The last run of the page's cart, by the blocks that make it."""
    text = (TUTORIALS / "own-topology.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"at": at, "print": lambda *_: None}
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if block.startswith(("cart = ", "aside = ")):
            exec(compile(block, "own-topology.md", "exec"), names)
    shown = at.animation(names["cart"], names["run"], facts=RunFacts(names["aside"]))
    return Path(shown.save(path))


def _draw_soils(path: Path) -> Path:
    """The wheel of the page on its four soils."""
    slips = np.linspace(0.0, 0.8, 81)
    wheel = WheelInSoil(radius=0.4, width=0.25, slip=slips)
    found = {name: at.WongReece(soil=name)(4000.0, wheel) for name in SOILS}
    pulls = [PanelCurve(name, slips, forces.drawbar_pull) for name, forces in found.items()]
    depths = [PanelCurve(name, slips, 1e3 * forces.sinkage) for name, forces in found.items()]
    panels = [
        Panel("Drawbar pull", "slip [1]", "[N]", tuple(pulls), False),
        Panel("Sinkage", "slip [1]", "[mm]", tuple(depths), False),
    ]
    title = "A wheel of 0.4 m radius and 0.25 m width under 4 kN"
    return write_figure(draw_panels(panels, title), path)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent.parent / "pictures"
    for path in make_pictures(target):
        print(path)
