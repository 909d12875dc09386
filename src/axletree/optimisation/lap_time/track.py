"""A race track as a lap needs it: a smooth centre line over its length, with room on either side.

x, y in the ground's axes, z up; offsets, curvature and heading are positive to the left
(ISO 8855). A closed track comes back to its beginning.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.ground.paths import CircuitPath

STATION_SPACING: Final = 2.0  # m between stations of a track that is read
SMOOTHING: Final = 0.05  # m, by which the line may leave the points, RMS
_FEWEST, _GAP = 8, 8.0  # points; times the median distance, above which points are missing
_FULL_TURN_WITHIN: Final = 0.2  # rad
_FINE: Final = 20  # places between stations that lengths are summed over


@dataclass(frozen=True)
class Track:
    """Stations of equal distance along the centre line, from 0 to the length.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> turn = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
    >>> points = 100.0 * np.column_stack([np.cos(turn), np.sin(turn)])  # m
    >>> ring = at.Track.through("ring", points, left=4.0, right=4.0)
    >>> print(f"{ring.length:.1f} m, 1/{1 / ring.curvature.mean():.1f} m")  # 2 pi 100 m
    628.3 m, 1/100.0 m
    """

    name: str
    station: FloatArray = field(repr=False)  # m
    x: FloatArray = field(repr=False)
    y: FloatArray = field(repr=False)
    heading: FloatArray = field(repr=False)  # rad, turns counted
    curvature: FloatArray = field(repr=False)  # 1/m
    left: FloatArray = field(repr=False)  # m from the line to the edge
    right: FloatArray = field(repr=False)
    closed: bool = True
    smoothing_rms: float = 0.0  # m, of the line from the points it was made of
    smoothing_most: float = 0.0

    @property
    def length(self) -> float:
        """[m]"""
        return float(self.station[-1])

    def at(self, name: str, s: FloatArray) -> FloatArray:
        """A column at places [m], straight between stations; of a closed track in any lap.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> turn = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
        >>> points = 100.0 * np.column_stack([np.cos(turn), np.sin(turn)])  # m
        >>> ring = at.Track.through("ring", points, left=4.0, right=4.0)
        >>> ring.at("left", np.array([0.0, 700.0])).tolist()  # m
        [4.0, 4.0]
        """
        place = np.mod(s, self.length) if self.closed else s
        values = getattr(self, name)
        if name == "heading" and self.closed:
            turns = np.floor_divide(s, self.length)
            return np.asarray(
                np.interp(place, self.station, values) + turns * (values[-1] - values[0])
            )
        return np.asarray(np.interp(place, self.station, values))

    def places(self, s: FloatArray, offset: FloatArray) -> tuple[FloatArray, FloatArray]:
        """x, y [m] of places beside the centre line.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> turn = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
        >>> points = 100.0 * np.column_stack([np.cos(turn), np.sin(turn)])  # m
        >>> ring = at.Track.through("ring", points, left=4.0, right=4.0)
        >>> x, y = ring.places(np.array([0.0]), np.array([4.0]))  # to the left: inside
        >>> print(f"{x[0]:.2f} m")
        96.03 m
        """
        heading = self.at("heading", s)
        return (
            self.at("x", s) - offset * np.sin(heading),
            self.at("y", s) + offset * np.cos(heading),
        )

    @staticmethod
    def through(
        name: str,
        points: FloatArray,
        left: float | FloatArray,
        right: float | FloatArray,
        *,
        closed: bool = True,
        smoothing: float = SMOOTHING,
        spacing: float = STATION_SPACING,
    ) -> Track:
        """The smoothing spline through points [m], which leaves them by ``smoothing`` (RMS).

        The first point of a closed track is not given again at its end. All that is wrong with the
        points is named at once: gaps, a lap that crosses itself, edges beyond the centre of a
        curve.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> turn = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
        >>> points = 100.0 * np.column_stack([np.cos(turn), np.sin(turn)])  # m
        >>> ring = at.Track.through("ring", points, left=4.0, right=4.0)
        >>> print(f"{ring.length:.1f} m")
        628.3 m
        """
        from scipy.interpolate import splev, splprep

        points = np.asarray(points, dtype=float)
        of = len(points)
        widths = [np.broadcast_to(np.asarray(one, dtype=float), of) for one in (left, right)]
        _refuse_points(name, points, widths, closed)
        ring = np.vstack([points, points[:1]]) if closed else points
        chords = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ring, axis=0).T))])
        room, degree = of * smoothing**2, 5 if of > _FEWEST else 3
        spline, _ = splprep(ring.T, u=chords, s=room, per=int(closed), k=degree)
        count = 2 * max(round(0.5 * chords[-1] / spacing), 8)  # even: with a middle between ends
        fine = np.linspace(0.0, chords[-1], _FINE * count + 1)
        steps = np.hypot(*np.diff(np.array(splev(fine, spline)), axis=1))
        ways = np.concatenate([[0.0], np.cumsum(steps)])
        u = np.interp(np.linspace(0.0, ways[-1], count + 1), ways, fine)
        (x, y), (dx, dy), (ddx, ddy) = (splev(u, spline, der=k) for k in range(3))
        off = np.hypot(*(np.array(splev(chords, spline)) - ring.T))
        table = [np.interp(u, chords, np.append(w, w[0]) if closed else w) for w in widths]
        made = Track(
            name=name,
            station=np.linspace(0.0, ways[-1], count + 1),
            x=x,
            y=y,
            heading=np.unwrap(np.arctan2(dy, dx)),
            curvature=(dx * ddy - dy * ddx) / np.hypot(dx, dy) ** 3,
            left=table[0],
            right=table[1],
            closed=closed,
            smoothing_rms=float(np.sqrt(np.mean(off**2))),
            smoothing_most=float(off.max()),
        )
        made.check()
        return made

    def check(self) -> None:
        """Refuse a lap that crosses itself, or edges that do.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> turn = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
        >>> points = 100.0 * np.column_stack([np.cos(turn), np.sin(turn)])  # m
        >>> ring = at.Track.through("ring", points, left=4.0, right=4.0)
        >>> ring.check()  # nothing is wrong
        >>> print(f"{ring.left.max():.1f} m")
        4.0 m
        """
        problems = []
        if self.closed:
            turned = float(self.heading[-1] - self.heading[0])
            if abs(abs(turned) - 2.0 * np.pi) > _FULL_TURN_WITHIN:
                problems.append(
                    f"{self.name}: a lap turns by {np.degrees(turned):.0f} deg, and 360 deg are "
                    "expected of one that does not cross itself; look for a figure of eight, a "
                    "point twice, or points in a wrong order"
                )
        crossing = _crossing(self.x, self.y, self.closed)
        if crossing is not None:
            first, second = (float(self.station[k]) for k in crossing)
            problems.append(
                f"{self.name}: the centre line crosses itself, at {first:.0f} m and at "
                f"{second:.0f} m; give one lap, in the order of travel"
            )
        for side, width, sign in (("left", self.left, 1.0), ("right", self.right, -1.0)):
            beyond = np.flatnonzero(sign * self.curvature * width >= 1.0)
            if beyond.size:
                k = int(beyond[0])
                problems.append(
                    f"{self.name}: at {self.station[k]:.0f} m the {side} edge, {width[k]:.1f} m "
                    f"from the line, is beyond the centre of a curve of "
                    f"{1.0 / abs(self.curvature[k]):.1f} m; smooth more, or correct the width"
                )
        if problems:
            raise ModelError(problems)

    def refuse_width(self, width: float) -> None:
        """Refuse a track that is narrower somewhere than a car [m].

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> turn = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
        >>> points = 100.0 * np.column_stack([np.cos(turn), np.sin(turn)])  # m
        >>> ring = at.Track.through("ring", points, left=4.0, right=4.0)
        >>> try:
        ...     ring.refuse_width(8.5)
        ... except at.AxletreeError as error:
        ...     print(str(error)[:46])
        ring: at 0 m the track is 8.00 m wide, and the
        """
        room = self.left + self.right
        k = int(np.argmin(room))
        if room[k] <= width:
            raise ModelError(
                f"{self.name}: at {self.station[k]:.0f} m the track is {room[k]:.2f} m wide, and "
                f"the car {width:.2f} m; correct the widths, or take a narrower car"
            )


def track_of_path(name: str, path: CircuitPath, smoothing: float = SMOOTHING) -> Track:
    """The lap of a circuit path, with half of its width on either side."""
    lap = np.array(path.through)
    half = 0.5 * (lap[:, 2] if lap.shape[1] == 3 else np.full(len(lap), path.width))
    return Track.through(name, lap[:, :2], half, half, smoothing=smoothing)


def _refuse_points(name: str, points: FloatArray, widths: list[FloatArray], closed: bool) -> None:
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < _FEWEST:
        raise ModelError(
            f"{name}: expected {_FEWEST} points x, y or more, got an array {points.shape}"
        )
    problems = []
    if not np.all(np.isfinite(points)):
        k = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        raise ModelError(f"{name}: point {k + 1} is not finite")
    ring = np.vstack([points, points[:1]]) if closed else points
    steps = np.hypot(*np.diff(ring, axis=0).T)
    usual = float(np.median(steps))
    for k in np.flatnonzero(steps > _GAP * usual).tolist():
        last = k == len(points) - 1 and closed
        problems.append(
            f"{name}: there is a gap of {steps[k]:.1f} m "
            + ("between the last point and the first" if last
               else f"after point {k + 1} ({points[k, 0]:.1f}, {points[k, 1]:.1f})")
            + f", and points are {usual:.1f} m apart elsewhere; "
            + ("say that the track is open, or add the points" if last else "add the points")
        )  # fmt: skip
    for k in np.flatnonzero(steps <= 1e-6 * usual).tolist():
        problems.append(f"{name}: points {k + 1} and {(k + 1) % len(points) + 1} are the same")
    for side, width in zip(("left", "right"), widths, strict=True):
        bad = np.flatnonzero(~(width > 0.0))
        if bad.size:
            k = int(bad[0])
            problems.append(
                f"{name}: the {side} width of point {k + 1} is {width[k]:g} m; it must be above 0"
            )
    if problems:
        raise ModelError(problems)


def _crossing(x: FloatArray, y: FloatArray, closed: bool) -> tuple[int, int] | None:
    """Two pieces of a line that cross, by the stations where they begin."""
    a = np.column_stack([x, y])
    d = np.diff(a, axis=0)
    count = len(d)
    for k in range(count - 2):
        last = count - 1 if closed and k == 0 else count
        q, e = a[k + 2 : last], d[k + 2 : last]
        if not len(q):
            continue
        cross = d[k, 0] * e[:, 1] - d[k, 1] * e[:, 0]
        to = q - a[k]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = (to[:, 0] * e[:, 1] - to[:, 1] * e[:, 0]) / cross
            u = (to[:, 0] * d[k, 1] - to[:, 1] * d[k, 0]) / cross
        hit = np.flatnonzero((t >= 0.0) & (t < 1.0) & (u >= 0.0) & (u < 1.0))
        if hit.size:
            return k, k + 2 + int(hit[0])
    return None
