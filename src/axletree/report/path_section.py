"""The part of a report that shows a path and the way along it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from axletree.core.files import replaced
from axletree.model.manoeuvres.contract import Manoeuvre
from axletree.model.manoeuvres.follow_path import FollowPath
from axletree.model.plot import Plot
from axletree.report import page
from axletree.report.path_picture import draw_path
from axletree.report.picture_file import figure_bytes
from axletree.simulation.trajectory import Trajectory


def path_section(manoeuvre: Manoeuvre | None, run: Trajectory, file: Path) -> str:
    """A picture, also as a file; nothing of a manoeuvre that follows no path."""
    file.unlink(missing_ok=True)  # of another run in the same folder
    if not isinstance(manoeuvre, FollowPath) or not len(run):
        return ""
    content = figure_bytes(draw_path(manoeuvre, run), "png", page.SCREEN)
    with replaced(file) as stream:
        stream.write(content)
    return page.picture(content, "the path, and the way of the vehicle along it, from above")


def without_path(manoeuvre: Manoeuvre | None, plots: Sequence[Plot]) -> list[Plot]:
    """The plots but that of a path in the plane, where the picture shows more of it."""
    if not isinstance(manoeuvre, FollowPath):
        return list(plots)
    x, y = manoeuvre.place[:2]
    return [plot for plot in plots if (plot.x, plot.y) != (x, (y,))]
