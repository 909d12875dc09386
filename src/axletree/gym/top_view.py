"""A picture from above: the vehicle, its lane, obstacles and goal, as an array of pixels."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from axletree.core.arrays import FloatArray
from axletree.gym.contract import DrivingTask, Motion

PICTURE_SIZE: Final = (720, 400)  # pixels
_SCALE: Final = 11.0  # pixels in a metre
_FINER: Final = 2  # it is drawn so many times larger, for smooth edges
_BEHIND: Final = 0.3  # of the width that lies behind the vehicle
_LOOK: Final = 0.3  # s, whose way is drawn as the velocity
_VELOCITY: Final = (222, 120, 20)
_ROUND = np.linspace(0.0, 2.0 * np.pi, 40)
_DISC: Final = 1.5 * np.column_stack([np.cos(_ROUND), np.sin(_ROUND)])  # m
_GROUND, _SOFT, _LINE = (226, 232, 222), (198, 178, 140), (70, 78, 86)
_BODY, _GLASS, _BOX, _GOAL, _TYRE = (
    (34, 96, 160), (190, 214, 234), (196, 64, 48), (44, 140, 70), (30, 32, 34)
)  # fmt: skip


def top_view(task: DrivingTask, row: int) -> NDArray[np.uint8]:
    """A vehicle and what is about it, its heading to the right: height, width and three colours."""
    from PIL import Image, ImageDraw

    x, y, heading, *velocity = task.motion[row, : Motion.YAW_RATE].tolist()
    c, s = math.cos(heading), math.sin(heading)

    def seen(points: FloatArray) -> list[tuple[float, float]]:
        return _pixels((points - (x, y)) @ np.array([[c, -s], [s, c]]))

    scene = task.scenery(row)
    image = Image.new("RGB", (_FINER * PICTURE_SIZE[0], _FINER * PICTURE_SIZE[1]), _GROUND)
    draw = ImageDraw.Draw(image)
    for corners in scene.soft:
        draw.polygon(seen(corners), fill=_SOFT)
    for line in scene.lines:
        if len(line) > 1:
            draw.line(seen(line), fill=_LINE, width=2 * _FINER)
    for corners in scene.boxes:
        draw.polygon(seen(corners), fill=_BOX)
    if scene.goal is not None:
        draw.polygon(seen(_DISC + scene.goal), fill=_GOAL)
    for corners, colour in _car(task, row):
        draw.polygon(_pixels(corners), fill=colour)
    way = np.array([(0.0, 0.0), velocity]) * _LOOK
    draw.line(_pixels(way), fill=_VELOCITY, width=2 * _FINER)
    return np.asarray(image.resize(PICTURE_SIZE, Image.Resampling.BOX), dtype=np.uint8)


def _pixels(points: FloatArray) -> list[tuple[float, float]]:
    """Of points in the axes of the vehicle [m]."""
    ahead, left = (_FINER * _SCALE * points).T
    across = _FINER * _BEHIND * PICTURE_SIZE[0] + ahead
    down = _FINER * 0.5 * PICTURE_SIZE[1] - left
    return list(zip(across.tolist(), down.tolist(), strict=True))


def _car(task: DrivingTask, row: int) -> list[tuple[FloatArray, tuple[int, int, int]]]:
    """Wheels, body and windscreen: corners in the axes of the vehicle [m], and colours."""
    front, rear, width = task.driven.footprint
    steer = float(task.levels[row, 0])
    drawn = []
    for axle in task.driven.description.axles.values():
        turn = 0.0 if axle.steering is None else steer / axle.steering.ratio
        for side in (-0.5, 0.5):
            centre = (axle.position, side * axle.track)
            wheel = _box(2.0 * axle.wheel.radius, axle.wheel.width or 0.2, *centre, turn)
            drawn.append((wheel, _TYRE))
    body = _box(front + rear, width - 0.15, 0.5 * (front - rear), 0.0)
    return [*drawn, (body, _BODY), (_box(0.7, width - 0.5, 0.25 * front, 0.0), _GLASS)]


def _box(length: float, width: float, x: float, y: float, turn: float = 0.0) -> FloatArray:
    """Corners of a rectangle about x, y [m], turned to the left [rad]."""
    corners = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)]) * (0.5 * length, 0.5 * width)
    c, s = math.cos(turn), math.sin(turn)
    turned: FloatArray = corners @ np.array([[c, s], [-s, c]]) + (x, y)
    return turned
