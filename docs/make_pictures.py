"""Draws the pictures of the documentation: ``python docs/make_pictures.py [folder]``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import axletree as at
from axletree.graph.linear_graph import build_graph
from axletree.graph.tree import select_trees
from axletree.report.graph_picture import write_graph_picture
from axletree.report.mechanism_picture import draw_mechanism, mechanism_poses
from axletree.report.picture_file import write_figure
from axletree.report.tyre_plot import TyreRange, plot_tyre

GRAPHS: dict[str, tuple[str, Any]] = {
    "pendulum-graph.svg": ("pendulum", None),
    "pendulum-absolute-graph.svg": ("pendulum", ["rod"]),
    "slider-crank-graph.svg": ("slider-crank", None),
    "motor-driven-slider-crank-graph.svg": ("motor-driven-slider-crank", None),
}
MOTION = "slider-crank-motion.png"
TYRES = "tyre-laws.png"
LANE_CHANGE = "car-lane-change.png"
CORNERS = ("front_left", "front_right", "rear_left", "rear_right")


def make_pictures(folder: Path) -> list[Path]:
    """All pictures, written into the folder."""
    written = []
    for file, (name, choice) in GRAPHS.items():
        graph = build_graph(at.read_model(name))
        written.append(write_graph_picture(graph, select_trees(graph, choice), folder / file))
    written += [_draw_motion(folder / MOTION), _draw_tyres(folder / TYRES)]
    return [*written, _draw_lane_change(folder / LANE_CHANGE)]


def _draw_motion(path: Path) -> Path:
    model = at.read_model("slider-crank")
    system = model.formulate()
    run = system.simulate(0.3, step=1e-3, outputs=[])
    poses = mechanism_poses(system, model, run, inputs={}, parameters={})
    assert poses is not None
    return write_figure(draw_mechanism(poses), path)


def _draw_tyres(path: Path) -> Path:
    """As ``axletree tyre compare magic-formula-5.2 fiala`` does."""
    laws = {name: at.read_tyre_law(name) for name in ("magic-formula-5.2", "fiala")}
    return write_figure(plot_tyre(laws, TyreRange.of(laws["magic-formula-5.2"])), path)


def _draw_lane_change(path: Path) -> Path:
    model = at.read_model("car")
    forces = [f"{corner}_tyre.Fy" for corner in CORNERS]
    run = model.formulate().simulate(
        10.0, step=1e-3, record_interval=0.02, outputs=forces, inputs=model.run.inputs
    )
    return write_figure(run.plot("chassis.y", "chassis.yaw", "chassis.roll", *forces), path)


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "pictures"
    for path in make_pictures(target):
        print(path)
