"""Laps of optimisation in a page: their tracks to be driven around, and they as ghosts.

A page begins at the origin along x: tracks are moved and turned so that their line begins there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.live_pages.live_courses import ground_line
from axletree.optimisation.lap_time.result import TimedLap
from axletree.optimisation.lap_time.track import Track

_GAP: Final = 0.1  # s, between places of a ghost


def track_courses(laps: Sequence[TimedLap]) -> list[dict[str, Any]]:
    """Each track once, with the line of its first lap, as ``live_courses`` has courses.

    Example:
    >>> import axletree as at
    >>> from axletree.live_pages.lap_ghosts import track_courses
    >>> lap = at.lap("van", "lindenring", method="centre-line")
    >>> [line["name"] for line in track_courses([lap])[0]["lines"]]
    ['van', 'left edge', 'right edge']
    """
    found: dict[str, dict[str, Any]] = {}
    for lap in laps:
        track = lap.track
        if not track.closed:
            raise ModelError(f"{track.name} is open; a page has ghosts of laps of closed tracks")
        if track.name in found:
            continue
        edges = [track.places(track.station, w) for w in (track.left, -track.right)]
        lines = [
            (lap.car.replace("_", " "), "edge", _moved(track, lap["x"], lap["y"])),
            *(
                (f"{side} edge", "bound", _moved(track, *edge))
                for side, edge in zip(("left", "right"), edges, strict=True)
            ),
        ]
        found[track.name] = {
            "name": _course(track), "lines": [ground_line(*line) for line in lines], "cones": [],
            "size": [0.0, 0.0, 0.0], "start": [0.0, 0.0, 0.0],
            "origin": [float(one[0]) for one in (track.x, track.y, track.heading)],
        }  # fmt: skip
    return list(found.values())


def lap_ghosts(laps: Sequence[TimedLap]) -> list[dict[str, Any]]:
    """Names, tracks, and places [time, x, y, heading] [s, m, rad].

    Example:
    >>> import axletree as at
    >>> from axletree.live_pages.lap_ghosts import lap_ghosts
    >>> (ghost,) = lap_ghosts([at.lap("van", "lindenring", method="centre-line")])
    >>> ghost["name"], ghost["course"], len(ghost["places"])
    ('van, centre-line, 48.10 s', 'lap of lindenring', 482)
    """
    return [
        {
            "name": f"{lap.car.replace('_', ' ')}, {lap.method}, {lap.time:.2f} s",
            "course": _course(lap.track),
            "places": np.round(_places(lap), 5).tolist(),
        }
        for lap in laps
    ]


def _course(track: Track) -> str:
    """Apart from the names of a model's own courses."""
    return f"lap of {track.name}"


def _places(lap: TimedLap) -> FloatArray:
    time, track = lap["time"], lap.track
    x, y = _moved(track, lap["x"], lap["y"]).T
    heading = lap.heading - track.heading[0]
    now = np.append(np.arange(0.0, lap.time, _GAP), lap.time)
    return np.column_stack([now, *(np.interp(now, time, one) for one in (x, y, heading))])


def _moved(track: Track, x: FloatArray, y: FloatArray) -> FloatArray:
    """With the beginning of the centre line at the origin and along x."""
    c, s = np.cos(track.heading[0]), np.sin(track.heading[0])
    x, y = x - track.x[0], y - track.y[0]
    return np.column_stack([c * x + s * y, c * y - s * x])
