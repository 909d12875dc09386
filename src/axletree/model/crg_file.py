"""Roads of OpenCRG files, read by the ``pycrg`` package and laid on a rectangular grid.

OpenCRG has heights on a grid that follows a curved reference line; its own evaluation searches
the line. Here that is done once: the road is evaluated at the vertices of a rectangular grid
over all of it, with bicubic patches between them, which cost the same everywhere.
"""

from __future__ import annotations

import logging
import math
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from axletree.core.errors import ModelError, ModelWarning
from axletree.library.surfaces.bicubic import LARGEST_GRID, Bicubic
from axletree.model.crg_header import END_U, ENDS, INCREMENT, START_U, HeaderNumber, read_header
from axletree.model.height_map import checked_length, file_of, not_positive, patches

_STRAIGHT = 1e-6  # [rad], by which a reference line may leave the x axis and count as straight
_MOST_TOLD = 3  # complaints of the reader
_COLUMN = re.compile(r"Error parsing line (\d+)")
_AT_END = "definition error at end"


def crg_surface(fields: Mapping[str, Any]) -> Bicubic:
    """The surface of ``{file: road.crg, spacing: 0.05, ...}``.

    ``spacing`` is the distance of the vertices [m]; if it is left out, it is that of the
    file. Further fields are those of bicubic patches; ``x`` and ``y`` move the road. Beside
    the road the height of its border is held. As in all tools for OpenCRG, a file without
    modifiers begins at the origin along x.
    """
    given = dict(fields)
    path = file_of(given, "an OpenCRG file .crg")
    spacing = checked_length(given.pop("spacing"), "spacing") if "spacing" in given else None
    if spacing is not None and spacing <= 0.0:
        raise ModelError(not_positive("spacing", spacing))
    heights, (x0, y0), (length_x, length_y) = read_crg(path, spacing)
    moved = {
        axis: first + checked_length(given.get(axis, 0.0), axis)
        for axis, first in (("x", x0), ("y", y0))
    }
    fixed = {"length_x": length_x, "length_y": length_y}
    return patches(path, heights, {**given, **moved, **fixed}, ("spacing",))


def read_crg(
    path: Path, spacing: float | None = None
) -> tuple[np.ndarray, tuple[float, float], tuple[float, float]]:
    """Heights [m] on a rectangular grid, its first corner and its lengths [m]."""
    try:
        import pycrg
    except ImportError:
        raise ModelError(
            f"{path}: reading OpenCRG files needs the package pycrg; install it with "
            "pip install 'axletree[crg]'"
        ) from None
    if not path.is_file():
        raise ModelError(f"{path}: there is no such file")
    header = read_header(path)
    try:
        with _complaints_told(path, header), pycrg.RoadSurface.open(path) as road:
            for border in (pycrg.CP_OPTION_BORDER_MODE_U, pycrg.CP_OPTION_BORDER_MODE_V):
                road.option_set_int(border, pycrg.BORDER_MODE_EX_KEEP)
            _check_end(path, header, len(road.grid().u))
            return _laid_out(road, path, spacing)
    except pycrg.OpenCRGError as error:
        raise ModelError(f"{path}: cannot be read as OpenCRG: {error}") from None


class _Listener(logging.Handler):
    """Keeps what is logged, each text once."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: dict[str, None] = {}

    def emit(self, record: logging.LogRecord) -> None:
        self.texts[" ".join(record.getMessage().split())] = None


@contextmanager
def _complaints_told(path: Path, header: Mapping[str, HeaderNumber]) -> Iterator[None]:
    """What the reader logs, such as lines of the header that it ignores, as one warning.

    A column of data that it cannot place is an error: the others would take its numbers.
    """
    logger, listener = logging.getLogger("pycrg"), _Listener()
    logger.addHandler(listener)
    try:
        yield
    finally:
        logger.removeHandler(listener)
    told = list(listener.texts)
    for reason, text in zip(told, told[1:], strict=False):
        if column := _COLUMN.search(text):
            raise ModelError(f"{path}, line {column[1]}: cannot be read as OpenCRG: {reason}")
    ends = [f"{key} in line {header[key].line}" for key in ENDS if key in header]
    told = [f"{text} ({', '.join(ends)})" if ends and _AT_END in text else text for text in told]
    if told:
        more = f"; and {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else ""
        warnings.warn(
            f"{path}: the reader of OpenCRG says: {'; '.join(told[:_MOST_TOLD])}{more}. What it "
            "ignores has no effect on the road; correct the file",
            ModelWarning,
            stacklevel=4,
        )


def _check_end(path: Path, header: Mapping[str, HeaderNumber], rows: int) -> None:
    """Warn of an end of the reference line that is not where its rows of data end."""
    if INCREMENT not in header or END_U not in header:
        return
    increment, end = header[INCREMENT].value, header[END_U]
    start = header[START_U].value if START_U in header else 0.0
    if abs(start + increment * (rows - 1) - end.value) > 0.5 * increment:
        warnings.warn(
            f"{path}, line {end.line}: {END_U} is {end.value:g}, but {rows} rows of data at a "
            f"distance of {increment:g} from {start:g} on end at "
            f"{start + increment * (rows - 1):g}; that is where the road ends",
            ModelWarning,
            stacklevel=4,
        )


def _laid_out(
    road: Any, path: Path, spacing: float | None
) -> tuple[np.ndarray, tuple[float, float], tuple[float, float]]:
    grid = road.grid()
    u, v = np.asarray(grid.u), np.asarray(grid.v)
    corners = [road.uv_to_xy_many(u, np.full_like(u, side)) for side in (v[0], v[-1])]
    corners += [road.uv_to_xy_many(np.full_like(v, end), v) for end in (u[0], u[-1])]
    x, y = (np.concatenate([np.asarray(c[k]) for c in corners]) for k in range(2))
    along, across = _steps(grid, u, v, spacing)
    if not (np.isfinite([*x, *y]).all() and along > 0.0 and across > 0.0):
        raise ModelError(
            f"{path}: the places of its grid are not finite or do not rise; look at "
            f"{INCREMENT} and the positions of the sections in its header"
        )
    counts = [max(2, round(float(np.ptp(w)) / s) + 1) for w, s in ((x, along), (y, across))]
    if counts[0] * counts[1] > LARGEST_GRID:
        fitting = math.sqrt(float(np.ptp(x) * np.ptp(y)) / LARGEST_GRID)
        raise ModelError(
            f"{path}: {counts[0]} x {counts[1]} vertices are too many, the limit is "
            f"{LARGEST_GRID}; give a spacing of {fitting:.2g} m or more"
        )
    xs, ys = (np.linspace(w.min(), w.max(), n) for w, n in zip((x, y), counts, strict=True))
    heights = _evaluated(road, xs, ys)
    if not np.isfinite(heights).all():
        raise ModelError(f"{path}: the road has places without a height inside its borders")
    lengths = float(np.ptp(xs)), float(np.ptp(ys))
    return heights, (float(xs[0]), float(ys[0])), lengths


def _steps(grid: Any, u: np.ndarray, v: np.ndarray, spacing: float | None) -> tuple[float, float]:
    """Distances of vertices along x and y [m]: those of the file where it is straight along x."""
    if spacing is not None:
        return spacing, spacing
    along, across = float(np.min(np.diff(u))), float(np.min(np.diff(v)))
    phi = np.asarray(grid.phi)
    if np.abs(np.sin(phi)).max(initial=0.0) < _STRAIGHT:
        return along, across
    return min(along, across), min(along, across)


def _evaluated(road: Any, xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
    """Row by row, there and back: the search for the nearest place begins at the last one."""
    rows = []
    for k, x in enumerate(xs):
        order = slice(None, None, -1) if k % 2 else slice(None)
        rows.append(np.asarray(road.xy_to_z_many(np.full_like(ys, x), ys[order]))[order])
    return np.array(rows)
