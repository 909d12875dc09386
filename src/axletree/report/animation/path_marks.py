"""The path of a driver, the bounds of its lanes and its cones, on the ground."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from axletree.core.plot_style import COLOURS
from axletree.library.drivers.path_driver import PathDriver
from axletree.library.frame import GROUND
from axletree.model.model import Model
from axletree.report.animation.courses import Poses
from axletree.report.animation.ground_mesh import numbers_of
from axletree.report.animation.mesh import lathe
from axletree.report.animation.scene import Line, Piece
from axletree.report.animation.wheel_actors import ShownWheel

CONE = lathe([(0.0, 0.0), (0.15, 0.0), (0.02, 0.5), (0.0, 0.5)], 12, closed=False)  # 0.5 m high
LIFT = 0.01  # [m] of lines, over the ground


def path_marks(
    model: Model, poses: Poses, wheels: Sequence[ShownWheel]
) -> tuple[tuple[Line, ...], tuple[Piece, ...]]:
    """Lines and cones; none of a model without a driver who follows a path."""
    driver = next((c for c in model if isinstance(c, PathDriver)), None)
    if driver is None or driver.ground.body != GROUND.body:
        return (), ()
    line = driver.path.line
    named = [("path", "edge", np.column_stack([line.x, line.y]))]
    named += [("bounds of lanes", "bound", lane) for lane in driver.path.boundaries()]
    lift = np.array([0.0, 0.0, LIFT])
    lines = [Line(n, colour, _on(xy, driver, poses, wheels) + lift) for n, colour, xy in named]
    cones = np.array([(cone.x, cone.y) for cone in driver.path.cones()]).reshape(-1, 2)
    places = _on(cones, driver, poses, wheels)
    pieces = [Piece(CONE.placed(np.eye(3), place), COLOURS[4]) for place in places]
    return tuple(lines), tuple(pieces)


def _on(
    points: np.ndarray, driver: PathDriver, poses: Poses, wheels: Sequence[ShownWheel]
) -> np.ndarray:
    """Places x, y of the driver's ground, in the axes of the ground and on what wheels roll on."""
    flat = np.column_stack([points, np.zeros(len(points))])
    places = poses.place(driver.ground)[0] + flat @ poses.axes(driver.ground)[0].T
    roads = [wheel.component for wheel in wheels if wheel.component.road.body == GROUND.body]
    if not roads or not len(points):
        return np.asarray(places)
    wheel = roads[0]
    R, road = poses.axes(wheel.road)[0], poses.place(wheel.road)[0]
    local = (places - road) @ R
    height = wheel.surface.height(local[:, 0], local[:, 1], numbers_of(wheel, poses.courses))
    local[:, 2] = np.broadcast_to(np.asarray(height, dtype=float), len(local))
    return np.asarray(road + local @ R.T)
