"""What stands on the ground to be driven around: lines, lanes and cones of a model's manoeuvres."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from axletree.ground.paths import CircuitPath, Path, StraightPath
from axletree.model.model import Model
from axletree.reports.animation.animation import floats
from axletree.runs.follow_path import FollowPath

_POINTS: Final = 1200  # of a line at most
_LIFT: Final = 0.01  # m, of lines over the ground


def live_courses(model: Model) -> list[dict[str, Any]]:
    """Of the manoeuvres that follow a path with cones or lanes; each path once.

    Lines and cones are in the axes of the ground. A circuit has ``start``: the place x, y [m] and
    the heading [rad] at which laps begin.

    Example:
    >>> import axletree as at
    >>> from axletree.live_pages.live_courses import live_courses
    >>> [course["name"] for course in live_courses(at.read_model("sedan"))][:3]
    ['iso-3888-1', 'iso-3888-2', 'slalom']
    """
    found: list[dict[str, Any]] = []
    paths: list[Path] = []
    for name, manoeuvre in model.manoeuvres.items():
        if not isinstance(manoeuvre, FollowPath) or isinstance(manoeuvre.path, StraightPath):
            continue
        path = manoeuvre.path
        if path in paths:
            continue
        paths.append(path)
        found.append(_course(name, manoeuvre))
    return found


def _course(name: str, manoeuvre: FollowPath) -> dict[str, Any]:
    path = manoeuvre.path
    line = path.line
    lines = [("path", "edge", np.column_stack([line.x, line.y]))]
    lines += [("lane boundaries", "bound", np.asarray(edge)) for edge in path.boundaries()]
    course: dict[str, Any] = {
        "name": name,
        "lines": [ground_line(*one) for one in lines],
        "cones": [[cone.x, cone.y] for cone in path.cones()],
        "size": [manoeuvre.width, manoeuvre.ahead, manoeuvre.behind],
    }
    if isinstance(path, CircuitPath):
        course["start"] = [float(line.x[0]), float(line.y[0]), float(line.heading[0])]
    return course


def ground_line(name: str, colour: str, points: np.ndarray) -> dict[str, Any]:
    """Of points x, y [m].

    Example:
    >>> import numpy as np
    >>> from axletree.live_pages.live_courses import ground_line
    >>> sorted(ground_line("edge", "bound", np.zeros((2, 2))))
    ['colour', 'name', 'points']
    """
    return {"name": name, "colour": colour, "points": floats(_on_ground(points))}


def _on_ground(points: np.ndarray) -> np.ndarray:
    """Some of them, with the height of lines."""
    chosen = np.unique(
        np.linspace(0, len(points) - 1, min(_POINTS, len(points))).round().astype(int)
    )
    return np.column_stack([points[chosen], np.full(len(chosen), _LIFT)])
