"""A race track as a lap needs it: a smooth centre line over its length, with room on either side.

x, y in the ground's axes, z up; offsets, curvature and heading are positive to the left
(ISO 8855). A closed track comes back to its beginning.

A track with heights is a ribbon: its centre line in space, and at each place the straight line
across, which is banked by an angle (Perantoni and Limebeer 2015, "Optimal control of a Formula One
car on a three-dimensional track", part 1, section 2). With heading psi, slope theta (uphill) and
banking phi (the left side higher) its axes x along, y across and z normal to it turn by

    twist = phi' + psi' sin theta                                  about x,
    -vertical curvature = -theta' cos phi + psi' cos theta sin phi    about y,
    curvature = theta' sin phi + psi' cos theta cos phi            about z

per metre of the centre line: the first derivatives of the angles, and Limebeer and Massaro 2018,
section 7.2, with y to the left and z up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from axletree.core.arrays import FloatArray
from axletree.core.errors import ModelError
from axletree.ground.paths import CircuitPath

STATION_SPACING: Final = 2.0  # m between stations of a track that is read
SMOOTHING: Final = 0.05  # m, by which the line may leave the points, RMS
_FEWEST, _GAP = 8, 8.0  # points; times the median distance, above which points are missing
_FULL_TURN_WITHIN: Final = 0.2  # rad
_FINE: Final = 20  # places between stations that lengths are summed over
_BRIDGE: Final = 4.0  # m between two pieces of a track, above which one of them is on a bridge
_STEEPEST: Final = float(np.radians(60.0))  # of slopes and banking


@dataclass(frozen=True)
class Relief:
    """What a track has beyond a flat one, at its stations.

    Example:
    >>> import numpy as np
    >>> import axletree as at
    >>> turn = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
    >>> bowl = 100.0 * np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn])  # m
    >>> ring = at.Track.through("bowl", bowl, left=4.0, right=4.0, banking=-0.3)  # rad
    >>> print(f"{ring.relief.vertical_curvature.mean():.5f} 1/m")  # sin 0.3 / 100 m
    0.00296 1/m
    """

    height: FloatArray = field(repr=False)  # m
    slope: FloatArray = field(repr=False)  # rad, positive uphill
    banking: FloatArray = field(repr=False)  # rad, positive where the left side is higher
    twist: FloatArray = field(repr=False)  # rad/m
    vertical_curvature: FloatArray = field(repr=False)  # 1/m, positive in a dip
    smoothing_rms: float = 0.0  # m, of the heights from those that were given
    smoothing_most: float = 0.0


IN_SPACE: Final = ("height", "slope", "banking", "twist", "twist_rate", "vertical_curvature")


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
    relief: Relief | None = None  # None: flat

    @property
    def length(self) -> float:
        """[m], in space."""
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
        values = self._column(name)
        if name == "heading" and self.closed:
            turns = np.floor_divide(s, self.length)
            return np.asarray(
                np.interp(place, self.station, values) + turns * (values[-1] - values[0])
            )
        return np.asarray(np.interp(place, self.station, values))

    def _column(self, name: str) -> FloatArray:
        if name not in IN_SPACE:
            return np.asarray(getattr(self, name))
        if self.relief is None:
            return np.zeros(len(self.station))
        if name != "twist_rate":
            return np.asarray(getattr(self.relief, name))
        twist, step = self.relief.twist, self.station[1]
        rate = np.gradient(twist, step)
        if self.closed:
            rate[[0, -1]] = 0.5 * (twist[1] - twist[-2]) / step
        return np.asarray(rate)

    def places(self, s: FloatArray, offset: FloatArray) -> tuple[FloatArray, FloatArray]:
        """x, y [m] of places beside the centre line; of a banked track, along its cross-section.

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
        # R_z(psi) R_y(-theta) R_x(phi) turns the axis across into the ground's axes.
        slope, banking = self.at("slope", s), self.at("banking", s)
        across = offset * np.cos(banking)
        along = -offset * np.sin(slope) * np.sin(banking)
        return (
            self.at("x", s) - across * np.sin(heading) + along * np.cos(heading),
            self.at("y", s) + across * np.cos(heading) + along * np.sin(heading),
        )

    def heights(self, s: FloatArray, offset: FloatArray) -> FloatArray:
        """z [m] of places beside the centre line.

        Example:
        >>> import numpy as np
        >>> import axletree as at
        >>> turn = np.linspace(0.0, 2.0 * np.pi, 60, endpoint=False)
        >>> bowl = 100.0 * np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn])  # m
        >>> ring = at.Track.through("bowl", bowl, left=4.0, right=4.0, banking=-0.3)  # rad
        >>> ring.heights(np.array([0.0]), np.array([-4.0])).round(3).tolist()  # m: the outside
        [1.182]
        """
        rise = np.cos(self.at("slope", s)) * np.sin(self.at("banking", s))
        return np.asarray(self.at("height", s) + offset * rise)

    @staticmethod
    def through(
        name: str,
        points: FloatArray,
        left: float | FloatArray,
        right: float | FloatArray,
        *,
        banking: float | FloatArray = 0.0,
        closed: bool = True,
        smoothing: float = SMOOTHING,
        spacing: float = STATION_SPACING,
    ) -> Track:
        """The smoothing spline through points x, y or x, y, z [m], which leaves them by
        ``smoothing`` (RMS), and their heights by as much.

        The first point of a closed track is not given again at its end. ``banking`` [rad] is
        positive where the left side is higher; widths are along the banked road. All that is wrong
        with the points is named at once: gaps, a lap that crosses itself, edges beyond the centre
        of a curve.

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
        in_space = points.ndim == 2 and points.shape[1] == 3
        widths = [np.broadcast_to(np.asarray(one, dtype=float), of) for one in (left, right)]
        bank = np.broadcast_to(np.asarray(banking, dtype=float), of)
        _refuse_points(name, points, widths, bank, closed)
        ring = np.vstack([points, points[:1]]) if closed else points
        chords = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ring[:, :2], axis=0).T))])
        degree = 5 if of > _FEWEST else 3
        how: dict[str, Any] = {"u": chords, "per": int(closed), "k": degree}
        plan, _ = splprep(ring[:, :2].T, s=of * smoothing**2, **how)
        relief = _ReliefSplines.of(ring, in_space, bank, of * smoothing**2, how)
        count = 2 * max(round(0.5 * chords[-1] / spacing), 8)  # even: with a middle between ends
        fine = np.linspace(0.0, chords[-1], _FINE * count + 1)
        steps = np.hypot(*np.diff(np.array(splev(fine, plan)), axis=1))
        if relief is not None:
            steps = np.hypot(steps, np.diff(relief.height(fine)))
        ways = np.concatenate([[0.0], np.cumsum(steps)])
        u = np.interp(np.linspace(0.0, ways[-1], count + 1), ways, fine)
        (x, y), (dx, dy), (ddx, ddy) = (splev(u, plan, der=k) for k in range(3))
        off = np.hypot(*(np.array(splev(chords, plan)) - ring[:, :2].T))
        table = [np.interp(u, chords, np.append(w, w[0]) if closed else w) for w in widths]
        curvature = (dx * ddy - dy * ddx) / np.hypot(dx, dy) ** 3
        made = None
        if relief is not None:
            made, curvature = relief.at(u, chords, (dx, dy), (ddx, ddy))
        found = Track(
            name=name,
            station=np.linspace(0.0, ways[-1], count + 1),
            x=x,
            y=y,
            heading=np.unwrap(np.arctan2(dy, dx)),
            curvature=curvature,
            left=table[0],
            right=table[1],
            closed=closed,
            smoothing_rms=float(np.sqrt(np.mean(off**2))),
            smoothing_most=float(off.max()),
            relief=made,
        )
        found.check()
        return found

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
        crossings = _crossings(self.x, self.y, self.closed)
        heights = self._column("height")
        crossing = next(
            (pair for pair in crossings if abs(np.diff(heights[list(pair)])[0]) < _BRIDGE), None
        )
        has_bridge = bool(crossings) and crossing is None
        if self.closed and not has_bridge:
            turned = float(self.heading[-1] - self.heading[0])
            if abs(abs(turned) - 2.0 * np.pi) > _FULL_TURN_WITHIN:
                problems.append(
                    f"{self.name}: a lap turns by {np.degrees(turned):.0f} deg, and 360 deg are "
                    "expected of one that does not cross itself; look for a figure of eight, a "
                    "point twice, or points in a wrong order"
                )
        if crossing is not None:
            first, second = (float(self.station[k]) for k in crossing)
            problems.append(
                f"{self.name}: the centre line crosses itself, at {first:.0f} m and at "
                f"{second:.0f} m; give one lap, in the order of travel"
                + (
                    f", or heights that are {_BRIDGE:g} m apart there, if there is a bridge"
                    if self.relief is not None
                    else ""
                )
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


@dataclass(frozen=True)
class _ReliefSplines:
    """Heights and banking over the distance u in the plane."""

    heights: FloatArray  # as they were given
    of_height: Any
    of_banking: Any

    @classmethod
    def of(
        cls,
        ring: FloatArray,
        in_space: bool,
        banking: FloatArray,
        room: float,
        how: dict[str, Any],
    ) -> _ReliefSplines | None:
        """Of points with heights, or of banking alone; None of a track that is flat."""
        if not in_space and not np.any(banking):
            return None
        heights = ring[:, 2] if in_space else np.zeros(len(ring))
        around = np.append(banking, banking[0]) if len(ring) > len(banking) else banking
        return cls.through(heights, around, room, how)

    @classmethod
    def through(
        cls, heights: FloatArray, banking: FloatArray, room: float, how: dict[str, Any]
    ) -> _ReliefSplines:
        from scipy.interpolate import splrep

        own = {"x": how["u"], "per": how["per"], "k": how["k"]}
        # Banking leaves its angles by as much as heights do over some metres of width.
        return cls(
            heights, splrep(y=heights, s=room, **own), splrep(y=banking, s=0.01 * room, **own)
        )

    def height(self, u: FloatArray) -> FloatArray:
        from scipy.interpolate import splev

        return np.asarray(splev(u, self.of_height))

    def at(
        self,
        u: FloatArray,
        chords: FloatArray,
        slopes: tuple[FloatArray, FloatArray],
        bends: tuple[FloatArray, FloatArray],
    ) -> tuple[Relief, FloatArray]:
        """With the curvature in the plane of the road [1/m], from derivatives of x, y by u."""
        from scipy.interpolate import splev

        (dx, dy), (ddx, ddy) = slopes, bends
        dz, ddz = (np.asarray(splev(u, self.of_height, der=k)) for k in (1, 2))
        flat = np.hypot(dx, dy)
        way = np.hypot(flat, dz)  # of the line in space by u
        theta, phi = np.arctan2(dz, flat), np.asarray(splev(u, self.of_banking))
        by_psi = (dx * ddy - dy * ddx) / flat**2 / way
        by_theta = (ddz * flat - dz * (dx * ddx + dy * ddy) / flat) / way**3
        by_phi = np.asarray(splev(u, self.of_banking, der=1)) / way
        turning = by_psi * np.cos(theta)
        off = self.height(chords) - self.heights
        relief = Relief(
            height=self.height(u), slope=theta, banking=phi,
            twist=by_phi + by_psi * np.sin(theta),
            vertical_curvature=by_theta * np.cos(phi) - turning * np.sin(phi),
            smoothing_rms=float(np.sqrt(np.mean(off**2))), smoothing_most=float(np.abs(off).max()),
        )  # fmt: skip
        return relief, by_theta * np.sin(phi) + turning * np.cos(phi)


def _refuse_points(
    name: str, points: FloatArray, widths: list[FloatArray], banking: FloatArray, closed: bool
) -> None:
    if points.ndim != 2 or points.shape[1] not in (2, 3) or len(points) < _FEWEST:
        raise ModelError(
            f"{name}: expected {_FEWEST} points x, y or x, y, z or more, got an array "
            f"{points.shape}"
        )
    problems = []
    if not np.all(np.isfinite(points)):
        k = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        raise ModelError(f"{name}: point {k + 1} is not finite")
    problems += _steep(name, points, banking, closed)
    points = points[:, :2]
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


def _steep(name: str, points: FloatArray, banking: FloatArray, closed: bool) -> list[str]:
    """Slopes and banking that are none of a road: heights or angles in another unit."""
    problems, most = [], np.degrees(_STEEPEST)
    bad = np.flatnonzero(~(np.abs(banking) <= _STEEPEST))
    if bad.size:
        k = int(bad[0])
        problems.append(
            f"{name}: the banking of point {k + 1} is {banking[k]:g} rad; it must be within "
            f"{_STEEPEST:.2f}, which is {most:.0f} deg: are these degrees?"
        )
    if points.shape[1] == 3:
        ring = np.vstack([points, points[:1]]) if closed else points
        flat, rise = np.hypot(*np.diff(ring[:, :2], axis=0).T), np.diff(ring[:, 2])
        steep = np.flatnonzero(np.abs(rise) > np.tan(_STEEPEST) * flat)
        if steep.size:
            k = int(steep[0])
            problems.append(
                f"{name}: from point {k + 1} to the next the height changes by {rise[k]:.2f} m in "
                f"{flat[k]:.2f} m, which is steeper than {most:.0f} deg; heights are in m, like "
                "x and y"
            )
    return problems


def _crossings(x: FloatArray, y: FloatArray, closed: bool) -> list[tuple[int, int]]:
    """Pairs of pieces of a line that cross, by the stations where they begin."""
    a = np.column_stack([x, y])
    d = np.diff(a, axis=0)
    count, found = len(d), []
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
        found += [(k, k + 2 + int(one)) for one in hit]
    return found
