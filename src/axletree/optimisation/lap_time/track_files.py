"""Tracks from files: the package's own by name, centre lines as teams have them, logs of GPS.

A CSV file has a line of names, perhaps after a #, or none: ``x, y``, ``x, y, width``, or
``x, y, width right, width left``, which is the order of the tables of the Technical University of
Munich (``x_m, y_m, w_tr_right_m, w_tr_left_m``), all in metres. A column that is called z,
elevation or height has the heights, one called banking_deg (or _rad, _percent) the angle across.
Columns that are called latitude and longitude make a log of GPS: one lap, or several that are
averaged, with altitudes where there are any. ``.xodr`` is OpenDRIVE, ``.crg`` OpenCRG.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from axletree.core.arguments import check_arguments
from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.core.registry import unknown_name
from axletree.core.yaml_document import resource, text_of
from axletree.ground import opendrive
from axletree.ground.opencrg import read_crg_line
from axletree.ground.race_track import TRACKS, ready_track
from axletree.ground.road_line import RoadLine
from axletree.optimisation.lap_time.track import SMOOTHING, STATION_SPACING, Track, track_of_path
from axletree.optimisation.reference_lap import reference_track

EARTH: Final = 6378137.0, 1.0 / 298.257223563  # m, 1: radius and flattening of WGS 84
CATALUNYA: Final = "catalunya"
_CATALUNYA_FILE: Final = "axletree.data.tracks:catalunya.csv"
_WIDTH: Final = 10.0  # m, where nothing says one
_LOG_SMOOTHING: Final = 0.3  # m, of logs at least
_HEIGHTS: Final = ("z", "elevation", "height")
_LAPS_APART: Final = 30.0  # m, within which a log has come back to its beginning


def read_track(
    track: str | Path | Track, *, width: float | None = None, smoothing: float = SMOOTHING
) -> Track:
    """A track of the package by its name, or of a file; ``width`` [m] where the file has none.

    Example:
    >>> import axletree as at
    >>> ring = at.read_track("lindenring")
    >>> print(f"{ring.length:.0f} m, smoothed by {100 * ring.smoothing_most:.1f} cm at most")
    980 m, smoothed by 11.3 cm at most
    """
    check_arguments(read_track, locals())
    if isinstance(track, Track):
        return track
    name = str(track)
    if name == CATALUNYA:
        return _catalunya()
    if name in TRACKS:
        return track_of_path(name, ready_track(name), smoothing)
    path = Path(track)
    if not path.suffix:
        raise unknown_name("track", name, [*TRACKS, CATALUNYA], "the package")
    if path.suffix == ".csv":
        return _of_table(path.stem, text_of(path, path.name), width, smoothing)
    if path.suffix == opendrive.OPENDRIVE_SUFFIX:
        return _of_road(opendrive.read_opendrive(path), smoothing)
    if path.suffix == ".crg":
        return _of_road(read_crg_line(path, STATION_SPACING), smoothing)
    raise ModelError(f"{path.name} is no track; expected a file .csv, .xodr or .crg")


def _of_road(road: RoadLine, smoothing: float) -> Track:
    own = road.in_the_middle()
    return Track.through(
        own.name, own.points, own.left, -own.right, banking=own.banking, closed=own.closed,
        smoothing=smoothing,
    )  # fmt: skip


def _catalunya() -> Track:
    """The reference track, whose axes are y to the right: mirrored, on the side of its points."""
    found = reference_track()
    file = resource(_CATALUNYA_FILE)
    rows = [one for one in text_of(file, file.name).splitlines() if one[:1].isdigit()]
    table = np.array([[float(cell) for cell in row.split(",")[:3]] for row in rows])
    points = np.column_stack([table[:, 1], -table[:, 2]])
    return Track.through(CATALUNYA, points, found.left, found.right, smoothing=0.02)


@dataclass(frozen=True)
class _Table:
    names: tuple[str, ...]  # empty without a line of names
    rows: FloatArray

    def without(self, *columns: int | None) -> _Table:
        kept = [k for k in range(self.rows.shape[1]) if k not in columns]
        return _Table(tuple(self.names[k] for k in kept if self.names), self.rows[:, kept])


def _of_table(name: str, text: str, width: float | None, smoothing: float) -> Track:
    table = _read(name, text)
    latitude, longitude = (_column(table.names, word) for word in ("lat", "lon"))
    if latitude is not None and longitude is not None:
        points = _in_the_plane(name, table.rows[:, latitude], table.rows[:, longitude])
        altitude = _column(table.names, "alt", *_HEIGHTS)
        if altitude is not None:
            points = np.column_stack([points, table.rows[:, altitude]])
        return _of_log(name, points, width or _WIDTH, smoothing)
    height, banking = _column(table.names, *_HEIGHTS), _column(table.names, "bank", "camber")
    bank = 0.0 if banking is None else _angles(name, table, banking)
    heights = None if height is None else table.rows[:, height]
    table = table.without(height, banking)
    columns = table.rows.shape[1]
    if columns not in (2, 3, 4):
        raise ModelError(
            f"{name}: expected columns x, y, or x, y, width, or x, y, width right, width left in "
            "metres, z and banking by name beside them, or latitude and longitude by name; got "
            f"{columns} columns"
        )
    points = table.rows[:, :2]
    if columns == 4:
        right, left = table.rows[:, 2], table.rows[:, 3]
    else:
        half = 0.5 * (table.rows[:, 2] if columns == 3 else np.full(len(points), width or _WIDTH))
        right = left = half
    again = len(points) > 2 and np.hypot(*(points[0] - points[-1])) < 1e-3
    if again:  # the first point at the end, too
        points, left, right = points[:-1], left[:-1], right[:-1]
    if heights is not None:
        points = np.column_stack([points, heights[: len(points)]])
    bank = bank if isinstance(bank, float) else bank[: len(points)]
    return Track.through(name, points, left, right, banking=bank, smoothing=smoothing)


def _angles(name: str, table: _Table, column: int) -> FloatArray:
    """Of banking [rad], by the unit that its title has."""
    title = table.names[column].lower()
    if "rad" in title:
        return table.rows[:, column]
    if "deg" in title:
        return np.radians(table.rows[:, column])
    if "%" in title or "percent" in title:
        return np.arctan(0.01 * table.rows[:, column])
    raise ModelError(
        f"{name}: the column {table.names[column]!r} has no unit; call it banking_deg, banking_rad "
        "or banking_percent"
    )


def _column(names: Sequence[str], *words: str) -> int | None:
    """The first whose title begins with one of these words; z alone, or with a unit."""
    for k, name in enumerate(names):
        title = name.lower().strip()
        if any(title.startswith(word) if len(word) > 1 else re.match(rf"{word}(\b|_)", title)
               for word in words):  # fmt: skip
            return k
    return None


def _read(name: str, text: str) -> _Table:
    names: tuple[str, ...] = ()
    rows: list[list[float]] = []
    problems = []
    for number, line in enumerate(text.splitlines(), start=1):
        cells = [cell.strip() for cell in re.split(r"[;,\t]", line.lstrip("#").strip())]
        if cells == [""]:
            continue
        try:
            values = [float(cell) for cell in cells]
        except ValueError:
            if line.startswith("#") or not rows:
                names = names if rows else tuple(cells)
                continue
            problems.append(f"{name}, line {number}: expected numbers, got {line.strip()[:60]!r}")
            continue
        if line.startswith("#"):
            continue
        if rows and len(values) != len(rows[0]):
            problems.append(
                f"{name}, line {number}: expected {len(rows[0])} numbers, got {len(values)}"
            )
            continue
        rows.append(values)
    if problems:
        raise ModelError(problems[:10])
    if not rows:
        raise ModelError(f"{name}: the file has no points")
    return _Table(names if len(names) == len(rows[0]) else (), np.array(rows))


def _in_the_plane(name: str, latitude: FloatArray, longitude: FloatArray) -> FloatArray:
    """x east and y north [m] about the middle of a log, by the radii of curvature of WGS 84."""
    if np.abs(latitude).max() > 90.0 or np.abs(longitude).max() > 180.0:
        raise ModelError(
            f"{name}: latitudes are up to {np.abs(latitude).max():g} and longitudes up to "
            f"{np.abs(longitude).max():g}; degrees are expected, at most 90 and 180"
        )
    middle = np.radians(0.5 * (latitude.min() + latitude.max()))
    radius, flattening = EARTH
    squared = flattening * (2.0 - flattening)
    root = np.sqrt(1.0 - squared * np.sin(middle) ** 2)
    north, east = radius * (1.0 - squared) / root**3, radius / root
    return np.column_stack([
        np.radians(longitude - longitude.mean()) * east * np.cos(middle),
        np.radians(latitude) * north - np.radians(latitude.mean()) * north,
    ])  # fmt: skip


def _of_log(name: str, points: FloatArray, width: float, smoothing: float) -> Track:
    """A track along what was driven: the laps of a log, averaged beside the first of them."""
    moved = np.concatenate([[True], np.hypot(*np.diff(points[:, :2], axis=0).T) > 0.05])
    points = points[moved]
    laps = _laps(points)
    if not laps:
        raise ModelError(
            f"{name}: the log does not come back to its beginning within {_LAPS_APART:g} m; give a "
            "whole lap"
        )
    own, half = max(smoothing, _LOG_SMOOTHING), 0.5 * width
    first = Track.through(name, laps[0][:, :2], half, half, smoothing=own)
    s = first.station[:-1]
    beside = [_beside(first, lap) for lap in laps]
    mean = np.mean([_along(first, *one) for one in beside], axis=0)
    places = list(first.places(s, mean))
    if points.shape[1] == 3:
        heights = [
            _along(first, along, lap[:, 2]) for (along, _), lap in zip(beside, laps, strict=True)
        ]
        places.append(np.mean(heights, axis=0))
    return Track.through(name, np.column_stack(places), half, half, smoothing=own)


def _laps(points: FloatArray) -> list[FloatArray]:
    """The pieces of a log from one passage by its beginning to the next."""
    points_in_space, points = points, points[:, :2]
    away = np.hypot(*(points - points[0]).T)
    ahead = points[min(3, len(points) - 1)] - points[0]
    along = (points - points[0]) @ (ahead / np.hypot(*ahead))
    passed = [
        k for k in range(1, len(points)) if along[k - 1] < 0.0 <= along[k] and away[k] < _LAPS_APART
    ]
    cuts = [0, *passed]
    pairs = zip(cuts[:-1], cuts[1:], strict=True)
    return [points_in_space[a:b] for a, b in pairs if b - a >= 16]


def _beside(track: Track, lap: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Distances along a track and offsets to the left of it [m], of the places of a lap."""
    lap = lap[:, :2]
    line = np.column_stack([track.x, track.y])[:-1]
    apart = lap[:, None, :] - line[None, :, :]
    nearest = np.argmin(apart[..., 0] ** 2 + apart[..., 1] ** 2, axis=1)
    heading = track.heading[nearest]
    away = lap - line[nearest]
    offset = -away[:, 0] * np.sin(heading) + away[:, 1] * np.cos(heading)
    along = track.station[nearest] + away[:, 0] * np.cos(heading) + away[:, 1] * np.sin(heading)
    return along, offset


def _along(track: Track, along: FloatArray, values: FloatArray) -> FloatArray:
    """Values of a lap at the stations of a track but the last."""
    order = np.argsort(along)
    return np.asarray(
        np.interp(track.station[:-1], along[order], values[order], period=track.length)
    )
